"""One proof: its polynomials are the model's, its identities hold, what it divided by is not zero."""
import decimal
import itertools
import json

from . import Again, Unchecked, Wrong
from .defined import Scope, may_jump, needs
from .expressions import ZERO, nodes, symbol, total
from .points import (Odd, POINTS, Point, Precise, SIGNED, TRIES, linear_form, primes_for, refine, respects, somewhere, switches,
                     uses_signs, uses_unknown)
from .polynomials import integer, is_identity, pairs, plus, poly_value, read_poly, times
from .rings import (Decimals, Field, Quotient, Split, interpolated, is_regular, poly_divmod, rank_of,
                    small_rational)
from .states import equations_of, exist, gives_all_velocities, holds, numeric_rank, regular_states, regular_state, says_it_always, says_something
from .text import Reader, tokens_of

REALS = 12          # random real points at which a difference is looked at: a false sign passes half of them
LINES = 2           # random lines on which a factor's zeros are visited
DEGREE = 400        # of a factor on a line
CHOICES = 20000     # minors that are looked at
# Rows that say what W, B, X are, and how these are called.
DEFINING = {"inverse": "W[", "frame": "B[", "lift": "lift[", "unit": "lift["}


def is_even_root(e):
    """Where it exists it is not negative."""
    return e.op == "^" and e.args[1].op == "number" and e.args[1].args[0].denominator % 2 == 0


class Checker:
    def __init__(self, model, claim, proof):
        self.m, self.claim, self.when, self.proof = model, claim, claim.when, proof
        self.assumptions = [(self.when.put(e), relation) for e, relation in model.assumptions] + self.when.relations
        self.positive = {e.args[0] for e, relation in self.assumptions if relation != "!=" and e.op == "symbol"}
        self.width = len(proof["generators"])
        self.generators = [Reader(model, tokens_of(text), {}).whole() for text in proof["generators"]]
        self.relations = [self.poly(a) for a in proof["relations"]]
        self.chart = {"parameters": True, "velocities": False}[proof["states"]]
        self.rows = proof["rows"]
        self.row_polys = [self.poly(r["polynomial"]) for r in self.rows]
        self.e = self.when.put(claim.e)
        self.meanings = [self.when.put(self.meaning(r)) for r in self.rows]
        whole = self.generators + self.meanings + [self.e]
        refine(whole + [e for e, _ in self.assumptions] + list(model.psi.values()) + list(self.when.values.values()))
        self.signed, self.beyond = uses_signs(whole), uses_unknown(whole)
        self.primes = primes_for(whole + [e for e, _ in self.assumptions])
        self.used_rows = []
        self.open = []  # what could not be checked: the rest of the proof may still be wrong

    def poly(self, terms):
        return read_poly(terms, self.width)

    def check(self):
        texts = [e for level in self.m.levels for e in level if e is not None] + self.m.free + list(self.m.psi.values())
        texts = [self.when.put(e) for e in texts]
        Scope(texts + self.meanings + [self.e], self.assumptions).look_at(self.generators)
        self.compare_with_model()
        m = self.m
        if m.regular is None:
            m.regular = regular_state(m)
        self.state = regular_state(m, self.when) if self.when and m.regular else m.regular
        if not self.state:
            raise Wrong("no regular state of the system was found: nothing can be said of them")
        if self.chart and m.constraints and not gives_all_velocities(m):
            if not any(z in x.symbols for row in m.Psi for x in row for z in m.speeds):
                raise Wrong("the velocity form does not give all admissible velocities")
            self.open.append("no parameters were found for some admissible velocities")
        if self.claim.says == "integral" and not says_something(m, m.integrals[self.claim.label]):
            raise Wrong("it is constant by the constraints alone, and no integral")
        if self.claim.says == "integral" and not says_it_always(m, m.integrals[self.claim.label]):
            self.open.append("whether it is no constant for special values of the parameters is not looked at here")
        below = self.proof["denominator"]
        factors = [self.poly(f["factor"]) for f in below["factors"]]
        product = self.multiplier(below["multiplier"], factors)
        if not is_identity([(self.poly(below["polynomial"]), 1)], [product], self.width):
            raise Wrong("the denominator is not the product of its factors")
        for f, written in zip(factors, below["factors"]):
            self.perhaps(self.check_factor, f, written, None)
        self.check_branches(self.proof["branches"])
        if switches([self.e] + self.used_rows) and not (self.goal == {} and self.is_odd_identity()):
            self.open.append("what `sign` is where it switches is not looked at here")
        if self.claim.constant is not None and may_jump(
                self.claim.constant, m.barriers(self.when.put), Scope([], self.assumptions), m.is_value):
            self.open.append("whether it jumps at a switch or across a pole is not looked at here")
        if not self.exists():
            self.open.append("no state was found at which all exists that the claim names")
        if self.open:
            raise Unchecked(self.open[0])

    def exists(self):
        """Is there a regular state at which all exists that the text of the claim names, what is multiplied by zero too?"""
        written = [self.when.put(e) for e in self.claim.written if any(needs([e]))]
        free = {s for e in written for s in e.symbols if s.rstrip("'") in self.m.speeds}
        return not written or self.state is True or bool(free) or any(
            exist(point, written) for _, point in regular_states(self.m, self.when))

    def is_odd_identity(self):
        """Does the claim hold whatever odd function `sign` is?"""
        return not any(somewhere(lambda point: point.eval(self.e), p, kind=Odd) for p in self.primes)

    def perhaps(self, check, *arguments):
        try:
            check(*arguments)
        except Unchecked as reason:
            self.open.append(str(reason))

    # -- what the certificate's polynomials should be

    def meaning(self, row):
        """The function that a row says it is."""
        m, kind, n = self.m, row["is"], range(len(self.m.coordinates))

        def named(key, names):
            if row.get(key) not in names:
                raise Wrong(f"a row is of {row.get(key)}, which the model does not have")
            return names.index(row[key])

        if m.psi and not m.constraints and kind not in ("reduced", "inverse", "frame", "lift", "unit"):
            raise Wrong("the reactions of a parametric form are not those of any constraint")
        if kind == "motion":
            i = named("of", m.coordinates)
            return m.free[i] - m.reaction[i]
        if kind == "reduced" and self.chart:
            k = named("of", m.speeds)
            return total(m.Psi[i][k] * m.free[i] for i in n)
        if kind == "frame":
            mu, tau = (integer(int(i) - 1, 0, len(n)) for i in row["of"].split(","))
            return total(m.b[mu][i] * symbol(f"B[{i + 1},{tau + 1}]") for i in n) - int(mu == tau)
        if kind == "unit":
            c, a = (integer(int(i) - 1, 0, len(m.J)) for i in row["of"].split(","))
            return total(m.J[c][j] * symbol(f"lift[{j + 1},{a + 1}]") for j in n) - int(c == a)
        if kind == "condition":
            return self.when.equations[integer(int(row["of"]) - 1, 0)]
        a = named("constraint", [label for label, _ in m.constraints])
        if kind == "inverse":
            i = named("of", m.coordinates)
            return total(m.M[i][j] * symbol(f"W[{a + 1},{j + 1}]") for j in n) - m.J[a][i]
        if kind == "lift":
            i = named("of", m.coordinates)
            below = total(row[i] * symbol(f"gram[{c + 1},{a + 1}]") for c, row in enumerate(m.J))
            return total(m.M[i][j] * symbol(f"lift[{j + 1},{a + 1}]") for j in n) - below
        level = {"position": 0, "velocity": 1, "acceleration": 2}.get(kind)
        if level is None or (level == 0 and m.levels[a][0] is None):
            raise Wrong(f"a row of an unknown kind: {kind}")
        return m.levels[a][level] or ZERO

    def place_chart(self, point):
        """v = ψ and a = dψ/dt at the point."""
        if self.chart:
            m = self.m
            point.values.update({v: point.eval(m.psi[q]) for q, v in zip(m.coordinates, m.v)})
            point.values.update({a: point.eval(m.dt(m.psi[q])) for q, a in zip(m.coordinates, m.a)})

    def point(self, prime):
        """A random point at which everything is defined."""
        for _ in range(TRIES):
            point = Point(Field(prime), self.positive)
            try:
                self.place_chart(point)
                if self.signed and not respects(point, self.assumptions):
                    continue
                point.generators = [point.eval(g) for g in self.generators]
                for e in self.meanings + [self.e]:
                    point.eval(e)
                return point
            except (Again, ZeroDivisionError):
                continue
        raise Unchecked("no point was found at which everything is defined")

    def compare_with_model(self):
        """Every relation vanishes; every row, and the claim, is N/d."""
        p = self.proof
        if self.chart and not (self.claim.names_speeds or not self.m.constraints):
            raise Wrong("velocity parameters are used that the claim does not name")
        self.goal = self.poly(p["claim"])
        says = [("a relation between generators does not hold", r, {(): 1}, ZERO) for r in self.relations]
        for row, poly, e in zip(self.rows, self.row_polys, self.meanings):
            name = f"{row['is']} {row.get('of') or row.get('constraint')}"
            says.append((f"a row is not that of the model: {name}", poly, self.poly(row["denominator"]), e))
        says.append(("the polynomial of the claim is not that of the model", self.goal,
                     self.poly(p["denominator"]["polynomial"]), self.e))
        self.perhaps(self.compare, says)

    def compare(self, says):
        """Of each (complaint, N, d, e): N = d·e as functions, and d is not zero?"""
        try:
            points = [self.point(self.primes[i % len(self.primes)]) for i in range(SIGNED if self.signed else POINTS)]
        except Unchecked:
            for one in says:
                self.compare_reals(*one)
            raise
        for complaint, poly, below, e in says:
            if all(self.is_same(point, poly, below, e) for point in points):
                continue
            if not self.beyond:
                raise Wrong(complaint)
            seen = self.compare_reals(complaint, poly, below, e)
            raise Unchecked(f"{complaint} by the rules that are known here; at {seen} random real points it is")

    def is_same(self, point, poly, below, e):
        values, ring = point.generators, point.ring
        return poly_value(poly, values, ring) == poly_value(below, values, ring) * point.eval(e)

    def compare_reals(self, *one):
        """Functions of which the field knows too little: are they different at a real point? At how many not."""
        with decimal.localcontext(Decimals.context):
            return self.compare_digits(*one)

    def compare_digits(self, complaint, poly, below, e):
        found, wanted = 0, self.uses(poly) | self.uses(below)
        for _ in range(TRIES):
            try:
                point = Precise(Decimals(), self.positive)
                self.place_chart(point)
                if any(not holds(point.eval(f), relation) for f, relation in self.assumptions):
                    continue
                values = {g: point.eval(self.generators[g]) for g in wanted}
                left = poly_value(poly, values, point.ring)
                right = poly_value(below, values, point.ring) * point.eval(e)
            except (Again, ArithmeticError, ValueError):
                continue
            if abs(left - right) > Decimals.SMALL * (1 + abs(left)):
                raise Wrong(complaint)
            found += 1
            if found == REALS:
                break
        return found

    # -- identities

    def multiplier(self, words, factors):
        """[k, factor, exponent, …]: k and the factors' powers, k ≠ 0."""
        if not words or integer(words[0]) == 0:
            raise Wrong("a multiplier is zero, or not written as it should be")
        return [({(): words[0]}, 1)] + [(factors[f], n) for f, n in pairs(words[1:], len(factors))]

    def check_steps(self, branch, factors):
        known = self.relations + self.row_polys
        first = len(known)
        for step in branch["steps"]:
            proves = self.poly(step["proves"])
            left = self.multiplier(step["multiplier"], factors)
            if "squares" in step:  # a sum of squares is zero at real points: so is each of them
                left.append((plus(times(proves, proves), self.squares(step["squares"])), 1))
            else:
                left.append((proves, 1))
            products = []
            for of, by in step["sum"]:
                row = integer(of, 0, len(known)) - len(self.relations)
                if 0 <= row < len(self.rows):
                    self.check_row(row)
                products.append([(self.poly(by), 1), (known[of], 1)])
            if not is_identity(left, products, self.width):
                raise Wrong(f"step {len(known) - first + 1} is no identity")
            known.append(proves)
        if len(known) == first or known[-1] != self.goal:
            raise Wrong("the last step does not prove the claim")

    def check_row(self, row):
        """What W, B and X are is said where the claim names them and they exist; rows for a singular M would prove anything."""
        kind = self.rows[row]["is"]
        self.used_rows.append(self.meanings[row])
        if kind not in DEFINING:
            if self.claim.identically:
                raise Wrong("it holds at states of the system; the claim compares functions")
        elif not any(s.startswith(DEFINING[kind]) for s in self.e.symbols):
            raise Wrong("a row defines what the claim does not name")
        elif not self.is_regular_matrix(self.defining_matrix(kind)):
            raise Wrong("a row defines what does not exist: its matrix is singular")

    def squares(self, written):
        """Σ c s², every c positive."""
        out = {}
        for c, s in written:
            s = self.poly(s)
            out = plus(out, times({(): integer(c, 1)}, times(s, s)))
        return out

    # -- branches: at a regular state one minor of J is not zero

    def check_branches(self, branches):
        m, done = self.m, set()
        for b in branches:
            for words, count in ((b["kept"], len(m.J)), (b.get("minor", []), len(m.coordinates))):
                if len({integer(i, 0, count) for i in words}) < len(words):
                    raise Wrong("a branch keeps a constraint or a column twice")
        whole = [b for b in branches if "minor" not in b]
        if not whole:
            self.check_minors(branches)
        for branch in whole[:1] or branches:
            factors = [self.poly(f["factor"]) for f in branch["factors"]]
            self.check_steps(branch, factors)
            used = {f for step in branch["steps"] for f in step["multiplier"][1::2]}
            for i in sorted(used):
                key = json.dumps([branch["factors"][i], branch["kept"], branch.get("minor")])
                if key not in done:
                    self.perhaps(self.check_factor, factors[i], branch["factors"][i], branch)
                    done.add(key)

    def ranks(self):
        """Of the constraints, at the regular states that are found: on components with other ranks, too."""
        if self.when:
            return {r for r, _ in regular_states(self.m, self.when)}
        if self.m.ranks is None:
            self.m.ranks = {r for r, _ in regular_states(self.m)}
        return self.m.ranks

    def check_minors(self, branches):
        """Is there a branch for every minor that does not vanish identically?"""
        rank = len(branches[0]["kept"]) if branches else 0
        listed = {(tuple(sorted(b["kept"])), tuple(sorted(b["minor"]))) for b in branches}
        rows, columns = range(len(self.m.J)), range(len(self.m.coordinates))
        point = self.point(self.primes[0])
        J = [[point.eval(self.when.put(x)) for x in row] for row in self.m.J]
        choices = list(itertools.islice(itertools.product(itertools.combinations(rows, rank),
                                                          itertools.combinations(columns, rank)), CHOICES + 1))
        if not rank or len(choices) > CHOICES or {rank} != self.ranks():
            raise Wrong("the branches are not those of the constraints' rank")
        for r, c in choices:
            if (r, c) not in listed and is_regular([[J[i][j] for j in c] for i in r]):
                raise Wrong("a minor that may be the only one that is not zero has no branch")

    # -- factors

    def check_factor(self, f, written, branch):
        because = written["because"]
        if not f:
            raise Wrong("a factor is zero")
        if because == "positive":
            self.check_positive(f, written)
        elif because == "assumed":
            index = integer(written["assumption"], 0, len(self.assumptions))
            self.at_zeros(f, self.is_against(*self.assumptions[index]))
        elif because == "undefined":
            self.at_zeros(f, self.is_undefined)
        elif because == "singular" and branch is not None:
            kept = branch["kept"]
            if "minor" not in branch and not self.are_regular(kept):
                raise Wrong("a matrix that is singular everywhere is no reason for a factor")
            if not self.chart and "motion" in {r["is"] for r in self.rows}:
                if len(kept) < len(self.m.J) and "minor" not in branch:
                    raise Wrong("a singular state of some of the constraints only")
                if "minor" not in branch and {len(kept)} != self.ranks():
                    raise Wrong("on a component with fewer constraints these states are regular")
            if self.is_special(f):
                self.check_special(f)
            self.at_zeros(f, self.is_singular(kept))
        elif because == "minor" and branch is not None and "minor" in branch:
            if self.is_special(f):
                raise Wrong("for special values of the parameters there are fewer constraints")
            self.at_zeros(f, self.is_minor(branch["kept"], branch["minor"]))
        else:
            raise Wrong(f"a factor without a good reason: {because}")

    def check_special(self, f):
        """With conditions rows that vanish for special values may still be rows: (x' - p*y')*(x' - q*y') = 0 when x' = p*y', p = q."""
        try:
            self.at_zeros(f, self.is_undetermined)
        except Wrong:
            if not self.when:
                raise
            raise Unchecked("a factor may vanish for special values of the parameters") from None

    def is_special(self, f):
        """Does f vanish for special values of parameters, whatever the state is? Then it tells no singular states apart."""
        values = {g for g, e in enumerate(self.generators) if self.m.is_value(e)}
        parts = {}
        for key, c in f.items():
            parts.setdefault(tuple(x for x in key if x[0] not in values), {})[tuple(x for x in key if x[0] in values)] = c
        for part in parts.values():
            if len(part) == 1 and self.is_nonzero(*part):
                return False
            if self.is_positive(part) or self.is_positive({key: -c for key, c in part.items()}):
                return False
        if len(parts) > 1:
            raise Unchecked("a factor may vanish for special values of the parameters")
        return True

    def is_undetermined(self, point):
        """The motion, by the constraints that there are. Where velocity parameters are not independent there is no model."""
        m = self.m
        if self.chart and rank_of([[point.eval(x) for x in row] for row in m.Psi]) < len(m.speeds):
            return True
        J = [[point.eval(self.when.put(x)) for x in row] for row in m.J]
        M = [[point.eval(self.when.put(x)) for x in row] for row in m.M]
        whole = [row + [a[i] for a in J] for i, row in enumerate(M)] + [row + [point.ring.number(0)] * len(J) for row in J]
        return rank_of(whole) < len(M) + rank_of(J)

    def check_positive(self, f, written):
        """A multiple of f is, modulo the relations, a form of terms that are not negative, one of them never zero."""
        form = self.poly(written["form"])
        products = [[(self.poly(by), 1), (self.relations[integer(of, 0, len(self.relations))], 1)]
                    for of, by in written["sum"]]
        squares = self.squares(written.get("squares", []))
        scale = {(): integer(written["scale"])}
        if not scale[()] or not is_identity([(scale, 1), (f, 1)], [[(form, 1)], [(squares, 1)]] + products, self.width):
            raise Wrong("a form is not equal to its factor")
        if not form or not self.is_positive(form):
            raise Wrong("a form may be negative, or vanish")

    def is_positive(self, form):
        """Is it a sum of terms that are not negative, one of which is never zero?"""
        positive = {e for e, relation in self.assumptions if relation != "!="}  # or zero
        odd = [self.generators[g] for key in form for g, n in key if n % 2]
        return min(form.values()) > 0 and any(map(self.is_nonzero, form)) and \
            all(e in positive or e.op in ("exp", "cosh", "abs") or is_even_root(e) for e in odd)

    def is_nonzero(self, key):
        """A product of generators that are never zero?"""
        nonzero = {e for e, relation in self.assumptions if relation != ">="}
        return all(self.generators[g] in nonzero or self.generators[g].op in ("exp", "cosh") for g, _ in key)

    def is_undefined(self, point):
        """At all points of the line: the claim, or, where a root in it cannot be told, one of its denominators."""
        try:
            point.eval(self.e)
            return False
        except ZeroDivisionError:
            return True
        except Unchecked:
            for e in nodes([self.e]):
                if e.op == "/" and self.vanishes_at(point, e.args[1]):
                    return True
            raise

    @staticmethod
    def vanishes_at(point, e):
        try:
            1 / point.eval(e)
        except (ZeroDivisionError, Unchecked) as why:
            return isinstance(why, ZeroDivisionError)

    def is_against(self, e, relation):
        def test(point):
            try:
                value = point.eval(e)
            except ZeroDivisionError:
                return True
            if not value:
                return relation != ">="
            return relation != "!=" and len(value.c) == 1 and (small_rational(value.c[0], value.ring.p) or 0) < 0
        return test

    def is_singular(self, kept):
        """Or no state of motion at all: a force is not defined there."""
        def test(point):
            if any(not is_regular([[point.eval(x) for x in row] for row in matrix]) for matrix in self.matrices(kept)):
                return True
            for e in self.meanings:
                point.eval(e)
            return False
        return test

    def matrices(self, kept):
        """Of the equations that determine what the claim names: none may be singular."""
        m, kinds, out = self.m, {r["is"] for r in self.rows}, []
        n, speeds = range(len(m.coordinates)), range(len(m.speeds))
        out += [self.defining_matrix(kind) for kind in sorted(kinds) if kind in DEFINING]
        if "reduced" in kinds:
            out.append([[total(m.Psi[i][a] * m.M[i][j] * m.Psi[j][b] for i in n for j in n) for b in speeds]
                        for a in speeds])
        if "motion" in kinds and self.chart:
            out.append([[total(m.M[i][j] * m.Psi[j][a] for j in n) for a in speeds] + [row[i] for row in m.J] for i in n])
        elif "motion" in kinds:
            out.append(self.bordered(kept))
        return [[[self.when.put(x) for x in row] for row in matrix] for matrix in out
                if all(len(row) == len(matrix) for row in matrix)]

    def bordered(self, kept):
        m, n = self.m, range(len(self.m.coordinates))
        return [m.M[i] + [m.J[a][i] for a in kept] for i in n] + [m.J[a] + [ZERO] * len(kept) for a in kept]

    def defining_matrix(self, kind):
        return {"inverse": self.m.M, "frame": self.m.b}.get(kind) or self.bordered(range(len(self.m.J)))

    def are_regular(self, kept):
        return all(self.is_regular_matrix(matrix) for matrix in self.matrices(kept))

    def is_regular_matrix(self, matrix):
        """At a regular state, or, in parameters, at a random point."""
        matrix = [[self.when.put(x) for x in row] for row in matrix]
        if self.chart or self.state is True:
            point = self.point(self.primes[0])
            return is_regular([[point.eval(x) for x in row] for row in matrix])
        return numeric_rank([[self.state.eval(x) for x in row] for row in matrix]) == len(matrix)

    def is_minor(self, kept, columns):
        return lambda point: not is_regular([[point.eval(self.when.put(self.m.J[a][i])) for i in columns] for a in kept])

    # -- the zeros of a factor, on random lines

    def at_zeros(self, f, test):
        """test(point) must be true at all zeros of f on random lines."""
        rooted, f = f, self.norm(f)
        for i in range(LINES):
            prime = self.primes[i % len(self.primes)]
            for _ in range(TRIES):
                try:
                    modulus, make = self.zeros(f, prime)
                    if len(modulus) < 2:
                        raise Wrong("a factor is constant where it should not be")
                    self.at_modulus(modulus, make, prime, test, None if f == rooted else rooted)
                    break
                except Again:
                    continue
            else:
                raise Unchecked("a factor's zeros could not be visited")

    def at_modulus(self, modulus, make, prime, test, rooted):
        """Of a factor with a root some of these zeros have the other sign of the root: such a one tells nothing."""
        ring = Quotient(prime, modulus)
        try:
            try:
                point = make(ring, ring.reduced((0, 1)))
                self.place_chart(point)
                good = test(point)
            except ZeroDivisionError:
                return  # there is no such state
            if not good and rooted and is_regular([[self.value(rooted, point)]]):
                raise Unchecked("a factor with a root may vanish")
            if not good and self.has_constraints_at(point):
                raise Wrong("a factor may vanish, though a reason is given why not")
        except Split as split:
            part = split.args[0]
            self.at_modulus(part, make, prime, test, rooted)
            self.at_modulus(poly_divmod(modulus, part, prime)[0], make, prime, test, rooted)

    def has_constraints_at(self, point):
        """Do the constraints exist there, beside a switch for example? What no test has asked of them."""
        try:
            for e in equations_of(self.m.levels):
                point.eval(self.when.put(e))
            return True
        except ZeroDivisionError:
            return False

    def value(self, f, point):
        return poly_value(f, {g: point.eval(self.generators[g]) for g in self.uses(f)}, point.ring)

    def uses(self, f):
        return {g for key in f for g, _ in key}

    def moving(self, f):
        """The symbols and angles on which a factor depends."""
        symbols, angles = set(), set()
        for g in self.uses(f):
            e = self.generators[g]
            if e.op == "symbol":
                symbols.add(e.args[0])
            elif e.op in ("sin", "cos"):
                angles |= {a for a in linear_form(e.args[0]) if a.op != "pi"}
            else:
                raise Unchecked("a factor with roots or exponentials cannot be checked")
        return symbols, angles

    def zeros(self, f, prime):
        """A random line through what f depends on: f on it, as a polynomial in τ, and its points."""
        symbols, angles = self.moving(f)
        field, degree = Field(prime), max(sum(n for _, n in key) for key in f)
        lines = {s: (field.random().v, field.random().v) for s in sorted(symbols)}
        turns = {a: (field.random().v, field.random().v) for a in angles}

        def make(ring, tau):
            point = Point(ring, self.positive)
            point.values.update((s, a + b * tau) for s, (a, b) in lines.items())
            point.turns.update((angle, point.circle(a + b * tau)) for angle, (a, b) in turns.items())
            return point

        each = degree * max((self.fine(g) for g in self.uses(f)), default=1)
        wanted = degree + 2 * each * len(turns) + 1  # 1 + (a + b τ)² is the denominator of an angle
        if wanted > DEGREE:
            raise Unchecked("a factor has too high a degree to be checked")
        samples = []
        while len(samples) < wanted:
            tau = field.random()
            point = make(field, tau)
            value = self.value(f, point)
            for a, b in turns.values():
                value = value * (1 + (a + b * tau) ** 2) ** each
            samples.append((tau.v, value.v))
        modulus = interpolated(samples, prime)
        for a, b in turns.values():
            below = ((1 + a * a) % prime, 2 * a * b % prime, b * b % prime)
            quotient, rest = poly_divmod(modulus, below, prime)
            while len(modulus) > 2 and not rest:
                modulus = quotient
                quotient, rest = poly_divmod(modulus, below, prime)
        return modulus, make

    def fine(self, g):
        e = self.generators[g]
        if e.op not in ("sin", "cos"):
            return 1
        return int(max([abs(c) * Point.fineness.get(a, 1) for a, c in linear_form(e.args[0]).items()] or [1]))

    def norm(self, f):
        """Without square roots: (A r + B)(A r − B) = A² r² − B², which is zero wherever f is."""
        for g in sorted(g for g, e in enumerate(self.generators) if e.op in ("^", "abs")):
            powers = {dict(key).get(g, 0) for key in f}
            if powers == {0}:
                continue
            square = next((r for r in self.relations if r.get(((g, 2),)) == 1), None)
            if square is None or max(powers) > 1 or any(g in dict(key) for key in square if key != ((g, 2),)):
                raise Unchecked("a factor with roots or exponentials cannot be checked")
            A, B, square = {}, {}, {key: -c for key, c in square.items() if key != ((g, 2),)}
            for key, c in f.items():
                (A if g in dict(key) else B)[tuple(x for x in key if x[0] != g)] = c
            f = plus(times(times(A, A), square), times(B, B), -1)
        return f

"""Do the generators of a proof exist wherever the model does? With sqrt(x) among them x + 1 is sqrt(x)² + 1, and never zero;
with 1/(x + 1) it can be divided by. So what they need to exist must be needed by the model or the claim, too, or be assumed."""
import decimal
import itertools

from . import Again, Unchecked, Wrong
from .expressions import call, gradient, is_number, nodes, symbol, total
from .points import Precise, TRIES, multiple, product_form, trial
from .rings import Decimals


def needs(roots):
    """(what, expressions): these must not be zero, not be negative, lie between −1 and 1, not vanish together."""
    for e in nodes(roots):
        a = e.args
        if e.op == "/":
            yield "nonzero", a[1:]
        elif e.op == "^" and is_number(a[1]):
            if a[1].args[0] < 0:
                yield "nonzero", a[:1]
            if a[1].args[0].denominator > 1:
                yield "nonnegative", a[:1]
        elif e.op in ("^", "log"):
            yield "nonzero", a[:1]
            yield "nonnegative", a[:1]
        elif e.op == "tan":
            yield "nonzero", (call("cos", a[0]),)
        elif e.op in ("asin", "acos"):
            yield "inside", a
        elif e.op == "atan2":
            yield "together", a


class Scope:
    def __init__(self, roots, assumptions):
        self.known = {"nonzero": [], "nonnegative": [], "inside": [], "together": []}
        for what, expressions in needs(roots):
            self.known[what].append(expressions)
        for e, relation in assumptions:
            for what in (["nonzero"] if relation != ">=" else []) + (["nonnegative"] if relation != "!=" else []):
                self.known[what].append((e,))

    def look_at(self, generators):
        for what, expressions in needs(generators):
            if total(expressions).symbols and not self.follows(what, expressions):
                raise Wrong("a generator need not exist where the model does")

    def follows(self, what, a):
        known = self.known[what]
        if any(all(x is y for x, y in zip(a, b)) for b in known):
            return True
        if what in ("nonzero", "nonnegative") and is_positive(a[0], what == "nonzero"):
            return True
        if what == "nonzero":
            return all(is_number(f) or not f.symbols or any(multiple(f, b[0]) for b in known) for f in factors_of(a[0]))
        if what == "nonnegative":
            some = [()] + [c for n in (1, 2) for c in itertools.combinations([b[0] for b in known], n)]
            return any(is_positive_square([a[0], *c]) for c in some)
        return any(all(multiple(x, y) == 1 for x, y in zip(a, b)) for b in known)


def is_positive(e, never_zero):
    """Is it written as a sum of squares and the like: never negative, or never zero either?"""
    a = e.args
    if is_number(e):
        return a[0] > 0 or (a[0] == 0 and not never_zero)
    if e.op in ("exp", "cosh"):
        return True
    if e.op == "abs":
        return not never_zero
    if e.op == "^" and is_number(a[1]) and a[1].args[0] > 0:
        return is_positive(a[0], never_zero) or (a[1].args[0] % 2 == 0 and not never_zero)
    if e.op == "+":
        return all(is_positive(x, False) for x in a) and (not never_zero or any(is_positive(x, True) for x in a))
    return e.op == "*" and all(is_positive(x, never_zero) for x in a)


def may_jump(e, barriers, assumed, is_value):
    """May it have other values behind a switch, or behind a pole that a motion can pass? What is analytic but for poles has not. A pole
    of the model's equations ends the motion where these are infinite: not where a bounded function hides it, 1/(1 + exp(1/x)), nor where
    motions pass with a numerator that is zero, y'/x. The barriers are (what is infinite, the least power of 1/u)."""
    def is_function(x):
        return x.op not in ("number", "symbol", "pi", "+", "*", "/", "^") or (x.op == "^" and not is_number(x.args[1])) or \
            (x.op == "^" and x.args[1].args[0].denominator > 1)
    all_nodes = list(nodes([e]))
    if any(x.op in ("sign", "atan2") for x in all_nodes):
        return True
    poles = {a[0].id: a[0] for what, a in needs([e])
             if what == "nonzero" and not is_value(a[0]) and not assumed.follows(what, a)}
    return any(map(is_function, all_nodes)) and not all(
        any(is_barrier(u, e, least, assumed, is_value) for e, least in barriers) for u in poles.values())


PLACES = 3                          # on u = 0
STEPS = 200                         # towards it
BESIDE = decimal.Decimal("1e-15")   # how near, and ...
NEARER = decimal.Decimal("1e-5")    # ... this much nearer
PARTS = 12                          # of a power: roots of other degrees are not known
SAME = decimal.Decimal("1e-6")      # numbers that differ by less


def is_barrier(u, e, least, assumed, is_value):
    """Is e like c/|u|^p beside u = 0, with one c at all places and p >= least? c must not vanish with special values, either: it is a
    product of powers of parameters that are assumed not to."""
    values = sorted(x for x in total([u, e]).symbols if is_value(symbol(x)))
    first = dict(zip(values, (decimal.Decimal(3 * i + 7) / 5 for i in range(len(values)))))
    found = residue(u, e, first, is_value)
    if not found or found[1] < least:
        return False
    for x in values:
        other = residue(u, e, {**first, x: 2 * first[x]}, is_value)
        power = other and PARTS * (other[0] / found[0]).ln() / decimal.Decimal(2).ln()
        if not other or abs(power - round(power)) > SAME or (round(power) and not assumed.follows("nonzero", (symbol(x),))):
            return False
    return True


def residue(u, e, values, is_value):
    """(|c|, p) of e = c/|u|^p, p > 0, the same at all places that are found; None: it is not."""
    with decimal.localcontext(Decimals.context):
        found = [of for of in (sizes_beside(u, e, values, is_value) for _ in range(4 * PLACES)) if of]
        if len(found) < PLACES:
            return None
        out = []
        for (far, size), (near, larger) in [side for sides in found for side in sides]:
            if not size or not larger or not near:
                return None
            power = round(PARTS * (larger / size).ln() / (far / near).ln())
            out.append((size * (far.ln() * power / PARTS).exp(), decimal.Decimal(power) / PARTS))
        (c, p), rest = out[0], out[1:]
        return (c, p) if p > 0 and all(p == q and abs(d / c - 1) < SAME for d, q in rest) else None


def sizes_beside(u, e, values, is_value):
    """Sizes of u and e on both sides of a random place of u = 0, where they exist: (|u|, |e|) and the same nearer."""
    while u.op == "^" and is_number(u.args[1]) and u.args[1].args[0] > 0:
        u = u.args[0]
    point, names = Precise(Decimals()), [x for x in sorted(u.symbols) if not is_value(symbol(x))]
    point.values.update(values)
    slopes = gradient(u, names)
    try:
        for _ in range(STEPS):
            point.memo.clear()
            value, along = point.eval(u), [point.eval(s) for s in slopes]
            square = sum(x * x for x in along)
            if abs(value) < BESIDE ** 3 or not square:
                break
            for x, s in zip(names, along):
                point.values[x] = point.value(x) - value * s / square
        point.memo.clear()
        if abs(point.eval(u)) > BESIDE ** 2:
            return []
    except (Again, Unchecked, ArithmeticError, ValueError):
        return []
    here, out = dict(point.values), []
    for side in (-BESIDE, BESIDE):
        way, both = {x: side * point.ring.random() ** 2 for x in names}, []
        for part in (1, NEARER):
            point.values = {x: v + part * way.get(x, 0) for x, v in here.items()}
            point.memo.clear()
            both.append((size_of(point, u), size_of(point, e)))
        out += [both] if None not in both[0] + both[1] else []
    return out


def size_of(point, e):
    try:
        return abs(point.eval(e))
    except (Again, Unchecked, ArithmeticError, ValueError):
        return None


def factors_of(e):
    """Where all of these are not zero e is not."""
    out, stack = [], [e]
    while stack:
        f = stack.pop()
        if f.op == "^" and is_number(f.args[1]):
            stack.append(f.args[0])
        elif f.op in ("*", "/"):
            _, product = product_form(f)
            stack += [product] if product is not f and product.op not in ("*", "/") else f.args
        else:
            out.append(f)
    return out


def is_positive_square(parts):
    """Is the product of these c·h² with a number c > 0? Then it is not negative, and one of them has the sign of the others."""
    first, seen = {}, 0
    for values in zip(*map(trial, parts)):
        if any(x is None or not x for x in values):
            continue
        product = values[0]
        for x in values[1:]:
            product = product * x
        p = product.p
        if pow((product * first.setdefault(p, product)).v, (p - 1) // 2, p) != 1:
            return False
        seen += 1
    return seen > len(first) + 8 and is_positive_somewhere(parts)


def is_positive_somewhere(parts):
    with decimal.localcontext(Decimals.context):
        for _ in range(TRIES):
            try:
                point = Precise(Decimals())
                product = decimal.Decimal(1)
                for e in parts:
                    product *= point.eval(e)
                if product:
                    return product > 0
            except (Again, Unchecked, ArithmeticError, ValueError):
                continue
    return False

"""The mechanical system that a text describes: T, V, forces, constraints, the parametric form, claims."""
from . import Unchecked, Wrong
from .contact import Contact, Shape, Surface, add_joint, clauses
from .expressions import (Expr, HALF, ONE, ORIGIN, SPACE, Vec, ZERO, call, combined, cross, diff, dot, gradient, num,
                          replaced, substituted, symbol, total, without)
from .points import vanishes
from .text import DERIVED, UNKNOWNS, Reader, blocks, difference, logical_lines, tokens_of

IGNORED = {"system", "source", "start", "simulate", "output", "unit", "draw", "stop", "record"}
JOINTS = {"ball", "hinge", "weld", "slider", "rod", "spring", "damper", "torsion", "gear"}
STATEMENTS = {"measure", "holonomic", "nonholonomic", "rank", "accessible", "growth", "equilibrium", "steady",
              "stable", "attracting", "unstable", "characteristic", "singular", "solution"}
BEFORE_EXPRESSION = {"constant", "integral", "measure"}
CONTINUES = {"=", "+", "-", "*", "/", "^", "'", "[", ")"}


def says_word(words):
    """Is the first of them one of a claim that is no equation? `measure -x` is, and `measure - x = 0` is not."""
    if words[0] == "characteristic":
        return "in" in words[2:]
    if words[0] in BEFORE_EXPRESSION:
        depth = 0
        for word in words[1:]:
            depth += {"(": 1, "[": 1, ")": -1, "]": -1}.get(word, 0)
            if depth == 0 and word in ("=", "when"):
                return word == "when"
        return True
    return words[1:2] == [] or words[1] not in CONTINUES


def read_settings(text):
    """a=1.5,f(t)=sin(t): for each name its arguments (None: a value), its body and whether it was used."""
    out, r = {}, Reader(None, tokens_of(text), {})
    while not r.at_end():
        name = r.spelled()
        arguments = r.in_brackets("(", r.name, ")") if r.peek() == "(" else None
        r.take("=")
        out[name] = {"arguments": arguments, "body": r.skipped(), "used": False}
        if not r.at_end():
            r.take(",")
    return out


class Part:
    """A point, marker or body."""

    def __init__(self, model, mass, inertia, place, turns, base):
        self.mass, self.inertia = mass, (list(inertia) + [ZERO] * 6)[:6]
        self.place = base.to_space(place) if base else place
        self.velocity = model.dt(self.place)
        self.omega, self.omega_body, self.axes = (base.omega, base.omega_body, base.axes) if base else (ORIGIN, ORIGIN, SPACE)
        for turn in turns:
            if turn[0] == "free":
                self.turn_free(model, turn[1])
            else:
                self.turn(model, *turn)

    def turn(self, model, k, angle):
        """About its own axis k."""
        c, s, axes, w = call("cos", angle), call("sin", angle), list(self.axes), list(self.omega_body)
        i, j = (k + 1) % 3, (k + 2) % 3
        self.omega = self.omega + axes[k] * model.dt(angle)
        for x in (axes, w):
            x[i], x[j] = x[i] * c + x[j] * s, x[j] * c - x[i] * s
        w[k] = w[k] + model.dt(angle)
        self.axes, self.omega_body = tuple(axes), Vec(w)

    def turn_free(self, model, e):
        """By the unit quaternion (e0, ε): R = (e0² − |ε|²) 1 + 2 ε εᵀ + 2 e0 [ε]×, Ω = 2 (e0 ε' − e0' ε − ε × ε').
        T has Ω as it is here: where |e| is not 1 the angular velocity in space axes, R Ω, is longer."""
        e0, v = e[0], Vec(e[1:])
        own = [x * (e0 * e0 - dot(v, v)) + v * (2 * dot(v, x)) + cross(v, x) * (2 * e0) for x in SPACE]
        self.axes = tuple(combined(x, self.axes) for x in own)
        self.omega_free = (model.dt(v) * e0 - v * model.dt(e0) - cross(v, model.dt(v))) * 2
        self.omega_body = Vec(dot(self.omega_body, x) for x in own) + self.omega_free
        self.omega = combined(self.omega_body, self.axes)

    def to_space(self, local):
        return self.place + combined(local, self.axes)

    def in_axes(self, v):
        return Vec(dot(v, e) for e in self.axes)

    def velocity_at(self, r):
        return self.velocity + cross(self.omega, r - self.place)


class Model:
    def __init__(self, text, settings=""):
        self.set = read_settings(settings)
        self.names, self.lets, self.functions, self.energies = {}, {}, {}, {}
        self.parts, self.shapes, self.surfaces = {}, {}, {}
        self.coordinates, self.speeds, self.psi, self.omegas = [], [], {}, []
        self.kinetic, self.potential, self.dissipation, self.gravity = [], [], [], []
        self.forces, self.acting = {}, []  # (coordinate: force), (vector, the velocity on which it works)
        self.constraints, self.labels, self.unlabelled = [], set(), 0
        self.assumptions, self.claims, self.unread, self.integrals = [], [], {}, {}
        self.regular = self.ranks = None
        self.run(logical_lines(text), {})
        missing = [name for name, setting in self.set.items() if not setting["used"]]
        if missing:
            raise Wrong(f"the certificate sets what the model does not declare: {', '.join(missing)}")
        self.finish()
        self.read_claims()

    # -- time derivatives

    def rate(self, name):
        if name == "t":
            return ONE
        base = name.rstrip("'")
        return symbol(name + "'") if base in self.coordinates or base in self.speeds else ZERO

    def dt(self, e):
        if isinstance(e, Vec):
            return e.map(self.dt)
        return total(diff(e, s) * self.rate(s) for s in sorted(e.symbols))

    def barriers(self, put):
        """What may keep motions from a place: (infinite there, the least power). Potentials and momenta of any power; a force
        1/sqrt(abs(x)) turns nothing back."""
        momenta = gradient(self.T, self.v)
        return [(put(e), least) for e, least in [(self.V, 0), (total(p * p for p in momenta), 0)] + [(f, 1) for f in self.F]]

    def is_value(self, e):
        """A parameter without a value, a function, or something that is made of such alone?"""
        return e.op == "function" or all(self.names.get(s) is symbol(s) and s not in self.coordinates + self.speeds
                                         for s in e.symbols)

    # -- statements

    def run(self, lines, local):
        for tokens, block in blocks(lines):
            r = Reader(self, tokens, local)
            word = r.name()
            r.block = block
            if word == "for":
                i, numbers, body = r.loop(block)
                for n in numbers:
                    self.run(body, {**local, i: num(n)})
            elif word not in IGNORED:
                self.statement(r, word)

    def statement(self, r, word):
        if word in JOINTS:
            add_joint(self, word, r)
        elif hasattr(self, "do_" + word):
            getattr(self, "do_" + word)(r)
        else:
            raise Unchecked(f"the statement `{word}` of the model is not read here")
        blocks = word in ("velocity", "quasivelocity")
        if (word not in ("claim", "refute") and not r.at_end()) or (r.block and not blocks):
            raise Unchecked(f"the model's statement `{word}` is not read here in all its forms")

    def do_parameter(self, r):
        def one():
            names = r.spelled_range()
            value = r.scalar() if r.accept("=") else None
            self.names.update((name, self.setting(name) or value or symbol(name)) for name in names)
        r.listed(one)

    def setting(self, name, function=False):
        """What was set of a name, or of its family: a value, or a function's arguments and body; None."""
        found = self.set.get(name) or self.set.get(name.split("[")[0])
        if not found or (found["arguments"] is not None) != function:
            return None
        found["used"] = True
        return (found["arguments"], found["body"], {}) if function else Reader(self, found["body"], {}).whole()

    def add_coordinate(self, name):
        self.coordinates.append(name)
        self.names[name] = symbol(name)
        return self.names[name]

    def do_coordinate(self, r):
        r.listed(lambda: [self.add_coordinate(name) for name in r.spelled_range()])

    def do_let(self, r):
        def one():
            name = r.spelled()
            arguments = r.in_brackets("(", r.name, ")") if r.peek() == "(" else None
            r.take("=")
            if arguments:
                self.lets[name] = (arguments, r.skipped(), dict(r.local))
            else:
                self.names[name] = r.expr()
        r.listed(one)

    def do_function(self, r):
        def one():
            name = r.name()
            self.functions[name] = len(r.in_brackets("(", r.name, ")"))
            body = self.setting(name, function=True)
            if body:
                self.lets[name] = body
        r.listed(one)

    def do_input(self, r):
        """Any function of time: what it is for numbers is not looked at."""
        def one():
            name = r.name()
            if r.accept("="):
                r.skipped()
            self.functions[name] = 1
            self.names[name] = Expr.make("function", name, (0,), symbol("t"))
        r.listed(one)

    def do_assume(self, r):
        r.listed(lambda: self.assumptions.extend(relations(r, r.scalar())))

    def do_kinetic(self, r):
        self.kinetic.append(r.scalar())

    def do_potential(self, r):
        self.potential.append(r.scalar())

    def do_dissipation(self, r):
        self.dissipation.append(r.scalar())

    def do_gravity(self, r):
        self.gravity.append(r.vector())

    def do_body(self, r):
        name = r.spelled()
        c = clauses(r, {"turn": self.turns})
        turns = c.get("turn", [])
        p = self.parts[name] = Part(self, c.get("mass", ZERO), c.get("inertia", []), c.get("at", ORIGIN), turns, c.get("on"))
        if turns and turns[-1][0] == "free":
            e = turns[-1][1]
            base, bracket, index = e[0].args[0].partition("[")  # e0, or e0[2] of a family
            self.add_constraint(f"{base[:-1]}_norm{bracket}{index}", sum((x * x for x in e), ZERO) - 1)
            self.names.setdefault(f"{base[:-1]}_omega{bracket}{index}", p.omega_free)

    do_point = do_marker = do_body

    def turns(self, r):
        """[(axis, angle), …], the last may be ("free", quaternion)."""
        def one():
            word = r.name()
            if word != "free":
                return "xyz".index(word), r.scalar()
            e, index = r.name(), r.indices()
            return "free", [self.add_coordinate(f"{e}{k}{index}") for k in range(4)]
        return r.listed(one)

    def do_shape(self, r):
        name = r.spelled()
        self.shapes[name] = Shape(self.parts[name], r)

    def do_surface(self, r):
        name = r.spelled()
        self.surfaces[name] = Surface().read(r)

    def do_roll(self, r):
        Contact(self, r, rolls=True)

    def do_slide(self, r):
        Contact(self, r, rolls=False)

    def do_force(self, r):
        if r.peek() == "on" and r.peek(1) != "=":
            _, p, f = r.name(), r.part(), r.vector()
            self.acting.append((f, p.velocity))
            if r.accept("at", "name"):
                self.acting.append((cross(r.vector() - p.place, f), p.omega))
            return

        def one():
            name, _ = r.spelled(), r.take("=")
            self.forces[name] = self.forces.get(name, ZERO) + r.scalar()
        r.listed(one)

    def do_torque(self, r):
        if r.name() != "on":
            raise Wrong("the model's torque is not understood")
        p = r.part()
        self.acting.append((r.vector(), p.omega))

    def do_constraint(self, r):
        self.add_constraint(r.label(), difference(r))

    def add_constraint(self, label, e):
        while label is None:
            self.unlabelled += 1
            label = f"c{self.unlabelled}"
            if label in self.labels:
                label = None
        self.labels.add(label)
        self.constraints += [(f"{label}.{i + 1}", c) for i, c in enumerate(e)] if isinstance(e, Vec) else [(label, e)]

    def equations(self, r, block, local, item):
        """item { "," item }, on the line or in a block with loops."""
        if not r.at_end():
            item(r)
        while r.accept(","):
            if not r.at_end():
                item(r)
        for tokens, inner in blocks(block):
            b = Reader(self, tokens, local)
            if b.peek() == "for" and b.peek(1) not in ("=", "'"):
                b.name()
                i, numbers, body = b.loop(inner)
                for n in numbers:
                    self.equations(Reader(self, [], local), body, {**local, i: num(n)}, item)
            else:
                self.equations(b, [], local, item)

    def call_speed(self, known, z):
        """An input becomes a velocity parameter: what was said of it before is said of that."""
        def put(e):
            return e.map(put) if isinstance(e, Vec) else replaced(e, known, z) if isinstance(e, Expr) else e
        self.assumptions = [(put(e), relation) for e, relation in self.assumptions]
        self.names = {name: put(e) for name, e in self.names.items()}

    def do_velocity(self, r):
        for name in sum(r.listed(r.spelled_range), []):
            self.speeds.append(name)
            if self.functions.pop(name, None):
                self.call_speed(self.names[name], symbol(name))
            self.names[name] = symbol(name)
        r.take(":")

        def rate(b):
            name, _, _ = b.spelled(), b.take("'"), b.take("=")
            self.psi[name] = b.scalar()
        self.equations(r, r.block, r.local, rate)

    def do_quasivelocity(self, r):
        def omega(b):
            name, _ = b.spelled(), b.take("=")
            self.names[name] = b.scalar()
            self.omegas.append((name, self.names[name]))
        r.accept(":")
        self.equations(r, r.block, r.local, omega)

    def do_claim(self, r):
        label = r.string()
        if r.accept("by", "name"):
            r.method = "".join(text for _, text in r.skipped((":",)))
        r.take(":")
        if r.local:  # the numbers of the loops around it
            label += f" [{','.join(str(int(n.args[0])) for n in r.local.values())}]"
        self.claims.append((label, r))

    def do_refute(self, r):
        r.at = len(r.tokens)

    # -- the system as a whole

    def finish(self):
        q = self.coordinates
        if any(e is symbol(name) and name.split("[")[0] in UNKNOWNS and "[" in name for name, e in self.names.items()):
            raise Unchecked("the model has a family that is called as unknowns of proofs are")
        self.v, self.a = [c + "'" for c in q], [c + "''" for c in q]
        T, V, D = total(self.kinetic), total(self.potential), total(self.dissipation)
        for p in self.parts.values():
            w, I = p.omega_body, p.inertia
            T = T + HALF * p.mass * dot(p.velocity, p.velocity)
            for i in range(3):
                T = T + HALF * I[i] * w[i] * w[i] + I[3 + i] * w[(i + 1) % 3] * w[(i + 2) % 3]
            V = V - total(p.mass * dot(g, p.place) for g in self.gravity)
        self.T, self.V = T, V
        self.F = [self.forces.get(c, ZERO) - diff(D, x) + total(dot(f, u.map(lambda e: diff(e, x))) for f, u in self.acting)
                  for c, x in zip(q, self.v)]
        self.constraints = [(label, c) for label, c in self.constraints if not vanishes(c)]
        self.levels = [self.level(c) for _, c in self.constraints]
        self.J = [gradient(level[2], self.a) for level in self.levels]
        self.M = [gradient(diff(T, x), self.v) for x in self.v]
        self.Psi = [gradient(self.psi[c], self.speeds) for c in q] if self.psi else []
        self.free = [self.dt(diff(T, x)) - diff(T, c) + diff(V, c) - f for c, x, f in zip(q, self.v, self.F)]
        self.reaction = [total(symbol(f"lambda[{i + 1}]") * row[k] for i, row in enumerate(self.J))
                         for k in range(len(q))]
        self.energies = {"kinetic": T, "potential": V, "energy": T + V,
                         "jacobi": total(symbol(x) * diff(T, x) for x in self.v) - T + V}
        frame = [e for _, e in self.omegas]
        if len(frame) < len(q):  # completed by the constraints
            frame += [level[1] or ZERO for level in self.levels]
        self.b = [gradient(e, self.v) for e in frame] if len(frame) == len(q) else []
        self.c = [without(e, self.v) for e in frame]
        self.frame = frame

    def level(self, c):
        """(position or None, velocity or None, acceleration level)"""
        if any(s in c.symbols for s in self.a):
            return None, None, c
        if any(s in c.symbols for s in self.v):
            return None, c, self.dt(c)
        return c, self.dt(c), self.dt(self.dt(c))

    # -- names for what the derivation makes

    def derived(self, r, name):
        if not self.energies:
            raise Wrong(f"the model uses {name} too early")
        lists = {"lambda": [c for c, _ in self.constraints], "G": [c for c, _ in self.constraints],
                 "reaction": self.coordinates, "M": self.coordinates, "Gz": self.speeds,
                 "beta": [w for w, _ in self.omegas]}.get(name, [])
        index = r.in_brackets("[", lambda: r.index(lists), "]")
        if DERIVED.get(name) != len(index):
            if (r.method, name, len(index)) not in OBJECTS:
                raise Unchecked(f"what {r.method} calls {name} is not known here")
            r.parametric = r.parametric or r.method in ("parametric", "gibbs-appell")
            return OBJECTS[r.method, name, len(index)](self, *index)
        n = range(len(self.coordinates))
        if name in UNKNOWNS:
            return symbol(f"{name}[{','.join(str(i + 1) for i in index)}]")
        if name == "G":
            return total(self.J[index[0]][i] * symbol(f"W[{index[1] + 1},{i + 1}]") for i in n)
        if name == "Gz":
            r.parametric = True
            return total(self.Psi[i][index[0]] * self.Psi[j][index[1]] * self.M[i][j] for i in n for j in n)
        if name == "beta":
            return self.beta(*index)
        return self.reaction[index[0]] if name == "reaction" else self.M[index[0]][index[1]]

    def beta(self, mu, tau, rho):
        """β_μ^{τρ}, with B = b⁻¹ as symbols; τ = "t" for time."""
        n, q = range(len(self.coordinates)), self.coordinates
        B = lambda i, j: symbol(f"B[{i + 1},{j + 1}]")
        if not self.b or any(x in e.symbols for row in self.b for e in row for x in self.v):
            raise Wrong("the transition coefficients are not those of a linear frame")
        along = [-total(B(i, k) * self.c[k] for k in n) if tau == "t" else B(i, tau) for i in n]
        out = ZERO
        for i in n:
            inner = total((diff(self.b[mu][i], q[j]) - diff(self.b[mu][j], q[i])) * along[j] for j in n)
            if tau == "t":
                inner = inner + diff(self.b[mu][i], "t") - diff(self.c[mu], q[i])
            out = out + inner * B(i, rho)
        return out

    def in_frame(self, x, mu):
        """Σ_ν B_νμ x_ν"""
        return total(symbol(f"B[{i + 1},{mu + 1}]") * e for i, e in enumerate(x))

    def free_frame(self):
        """The rows of b that are the declared quasi-velocities, where the constraints complete them."""
        if len(self.omegas) + len(self.levels) != len(self.coordinates):
            raise Unchecked("what this method calls so is known where the free quasi-velocities alone are declared")
        return self.b[:len(self.omegas)]

    def in_free_frame(self, x, mu):
        return self.free_frame() and self.in_frame(x, mu)

    def terms_of(self, mu, bound):
        """Of Σ_ρ P_ρ β_ρ ω those with the declared ω_ρ, or with the constraints."""
        free = len(self.free_frame())
        return self.transition(mu, range(free, len(self.coordinates)) if bound else range(free))

    def slope(self, mu):
        """∂T/∂ϑ_μ = Σ_ν B_νμ (∂T/∂q_ν − Σ_ρ P_ρ ∂ω_ρ/∂q_ν), ω being held fixed on the left, v on the right."""
        p = gradient(self.T, self.v)
        held = lambda c: total(self.in_frame(p, rho) * diff(e, c) for rho, e in enumerate(self.frame))
        return self.in_frame([diff(self.T, c) - held(c) for c in self.coordinates], mu)

    def transition(self, mu, rhos=None):
        """Σ_ρ P_ρ (Σ_τ β_ρ^{τμ} ω_τ + β_ρ^{tμ}), with v in place of Bω + C = B(ω − c)."""
        n, q, b = range(len(self.coordinates)), self.coordinates, self.b
        p = gradient(self.T, self.v)

        def along(rho, nu):
            turned = total((diff(b[rho][nu], q[j]) - diff(b[rho][j], q[nu])) * symbol(self.v[j]) for j in n)
            return turned + diff(b[rho][nu], "t") - diff(self.c[rho], q[nu])
        return total(self.in_frame([along(rho, nu) for nu in n], mu) * self.in_frame(p, rho) for rho in (n if rhos is None else rhos))

    def by_velocities(self, e):
        """Velocity parameters that are one velocity, x' = v, as that: conditions speak of states."""
        alone = [z for z in self.speeds if sum(z in f.symbols for f in self.psi.values()) == 1]
        own = {f.args[0]: symbol(self.v[self.coordinates.index(c)]) for c, f in self.psi.items()
               if f.op == "symbol" and f.args[0] in alone}
        e = substituted(e, {z: own[z] for z in self.speeds if z in own})
        if any(z in e.symbols for z in self.speeds):
            raise Unchecked("a condition on velocity parameters that are no velocities is not read here")
        return e

    def slope_of_form(self, i, alpha):
        """Ψ = ∂ψ/∂z"""
        if not self.Psi:
            raise Unchecked("what this method calls so is known where velocity parameters are declared")
        return self.Psi[i][alpha]

    def drift(self, i):
        """ψ_q ψ + ψ_t, what is left of a where z' = 0"""
        return self.slope_of_form(i, 0) and without(self.dt(self.psi[self.coordinates[i]]), [z + "'" for z in self.speeds])

    def along_form(self, x, alpha):
        """Σ_i Ψ_iα x_i"""
        return total(self.slope_of_form(i, alpha) * e for i, e in enumerate(x))

    def mass_of_form(self, alpha, beta):
        return self.along_form([self.along_form(row, beta) for row in self.M], alpha)

    def inverse_of_form(self, alpha, beta):
        """(Ψᵀ M Ψ)⁻¹ of one parameter or two"""
        if len(self.speeds) > 2:
            raise Unchecked("the inverse of more than two rows is not known here")
        if len(self.speeds) == 1:
            return ONE / self.mass_of_form(0, 0)
        a, b, c = self.mass_of_form(0, 0), self.mass_of_form(0, 1), self.mass_of_form(1, 1)
        return (-b if alpha != beta else a if alpha else c) / (a * c - b * b)

    def force_of_form(self, alpha):
        """Ψᵀ (L − M d)"""
        left = [-without(e, self.a) for e in self.free]
        bent = [total(x * self.drift(j) for j, x in enumerate(row)) for row in self.M]
        return self.along_form([x - y for x, y in zip(left, bent)], alpha)

    # -- claims

    def read_claims(self):
        claims, self.claims = self.claims, []
        for label, r in claims:
            try:
                self.read_claim(label, r)
            except Unchecked as why:
                self.unread[label] = str(why)

    def read_claim(self, label, r):
        words = [text for _, text in r.tokens[r.at:]]
        if words[0] == "limit" and words[2:4] == ["-", ">"]:
            raise Unchecked("limits are not read here")
        whole = words[0] == "identically" and words[1:2] != ["="]
        if whole:
            r.name()
        whole = whole or words[:2] in (["kinetic", "="], ["potential", "="]) or \
            words[-2:] in (["=", "kinetic"], ["=", "potential"])
        says = r.peek() if r.tokens[r.at][0] == "name" and says_word(words) else "equation"
        if says in STATEMENTS and says != "integral":
            r.name()
            self.claims.append(Claim(label, says, self.directions(r, says)))
            return
        constant, Expr.made = says in ("constant", "integral"), []
        try:
            e = self.integrals[label] = (r.name() and r.expr()) if constant else difference(r)
            written = Expr.made
        finally:
            Expr.made = None
        says = "integral" if says == "integral" else "equation"
        kept = (e if isinstance(e, Vec) else [e]) if constant else None
        e = self.dt(e) if constant else e
        when = When(self, r) if r.accept("when", "name") else When()
        for i, c in enumerate(e if isinstance(e, Vec) else [e]):
            names_speeds = r.parametric or any(s.rstrip("'") in self.speeds for s in c.symbols)
            called = f"{label}.{i + 1}" if isinstance(e, Vec) else label
            self.claims.append(Claim(called, says, c, names_speeds, whole, when, written, kept and kept[i]))

    def directions(self, r, says):
        """The numbers, or the places of the constraints, that a claim about directions names."""
        if says in ("rank", "accessible", "growth"):
            return r.integers()
        if says not in ("holonomic", "nonholonomic"):
            return None
        labels, out = [label for label, _ in self.constraints], []
        while not r.at_end():
            name = r.spelled()
            out += [i for i, known in enumerate(labels) if known == name or known.startswith(name + ".")]
            r.accept(",")
        return out or list(range(len(labels)))


def unit(m, i):
    return [ONE if k == i else ZERO for k in range(len(m.coordinates))]


OBJECTS = {  # what worksheets call so (docs/formalisms): (method, word, number of indices)
    ("hamel", "p", 1): lambda m, i: diff(m.T, m.v[i]),
    ("hamel", "P", 1): lambda m, i: m.in_frame(gradient(m.T, m.v), i),
    ("hamel", "K_mu", 1): lambda m, i: m.in_frame([f - diff(m.V, c) for c, f in zip(m.coordinates, m.F)], i),
    ("hamel", "G", 1): lambda m, i: m.transition(i),
    ("hamel", "dT_dvartheta", 1): lambda m, i: m.slope(i),
    ("hamel", "Q", 1): lambda m, i: m.terms_of(i, True),
    ("hamel", "S", 1): lambda m, i: m.terms_of(i, False),
    ("hamel-nonlinear", "P", 1): lambda m, i: m.in_frame(gradient(m.T, m.v), i),
    ("hamel-nonlinear", "K_mu", 1): lambda m, i: m.in_frame([f - diff(m.V, c) for c, f in zip(m.coordinates, m.F)], i),
    ("hamel-nonlinear", "df_dqdot", 2): lambda m, i, k: m.b[i][k],
    ("hamel-nonlinear", "dF_domega", 2): lambda m, i, k: m.in_frame(unit(m, i), k),
    ("multipliers", "C", 1): lambda m, a: m.levels[a][1],
    ("multipliers", "C", 2): lambda m, a, i: m.J[a][i],
    ("multipliers", "C_up", 2): lambda m, i, a: symbol(f"W[{a + 1},{i + 1}]"),
    ("multipliers", "X", 2): lambda m, i, a: symbol(f"lift[{i + 1},{a + 1}]"),
    ("multipliers", "pi", 2): lambda m, i, k: total(symbol(f"lift[{i + 1},{a + 1}]") * row[k] for a, row in enumerate(m.J)),
    ("multipliers", "gamma", 1): lambda m, a: without(m.levels[a][2], m.a),
    ("multipliers", "g", 2): lambda m, i, k: m.M[i][k],
    ("multipliers", "L", 1): lambda m, i: -without(m.free[i], m.a),
    ("boltzmann-hamel", "A", 2): lambda m, i, k: m.M[i][k],
    ("boltzmann-hamel", "Z", 2): lambda m, i, k: m.free_frame()[i][k],
    ("boltzmann-hamel", "Gamma", 2): lambda m, i, k: m.in_free_frame(unit(m, i), k),
    ("boltzmann-hamel", "Theta", 2): lambda m, i, a: m.in_free_frame(unit(m, i), a + len(m.omegas)),
    ("boltzmann-hamel", "Theta", 1): lambda m, i: m.in_free_frame(unit(m, i), len(m.omegas)),
    ("boltzmann-hamel", "A_Gamma", 2): lambda m, i, k: m.in_free_frame([m.in_frame(row, k) for row in m.M], i),
    ("boltzmann-hamel", "p", 1): lambda m, i: diff(m.T, m.v[i]),
    ("boltzmann-hamel", "P", 1): lambda m, i: m.in_free_frame(gradient(m.T, m.v), i),
    ("boltzmann-hamel", "X", 1): lambda m, i: m.terms_of(i, True),
    ("boltzmann-hamel", "mu", 1): lambda m, a: m.in_free_frame(gradient(m.T, m.v), a + len(m.omegas)),
    ("parametric", "g", 2): lambda m, i, k: m.slope_of_form(i, 0) and m.M[i][k],
    ("parametric", "L", 1): lambda m, i: m.slope_of_form(i, 0) and -without(m.free[i], m.a),
    ("parametric", "Psi", 2): lambda m, i, k: m.slope_of_form(i, k),
    ("parametric", "d", 1): lambda m, i: m.drift(i),
    ("parametric", "G_up", 2): lambda m, i, k: m.inverse_of_form(i, k),
    ("parametric", "Z", 1): lambda m, i: m.force_of_form(i),
    ("gibbs-appell", "Psi", 2): lambda m, i, k: m.slope_of_form(i, k),
    ("gibbs-appell", "d", 1): lambda m, i: m.drift(i),
    ("gibbs-appell", "d2S_dzdot2", 2): lambda m, i, k: m.mass_of_form(i, k),
    ("gibbs-appell", "A_alpha", 1): lambda m, i: m.along_form([f - diff(m.V, c) for c, f in zip(m.coordinates, m.F)], i),
}
OBJECTS.update({("gauss",) + key[1:]: OBJECTS["multipliers", was, key[2]] for key, was in (
    (("", "L", 1), "L"), (("", "J", 2), "C"), (("", "gamma", 1), "gamma"))})


def relations(r, left):
    """a < b < c as [(e, ">")]: e > 0, e >= 0 or e != 0."""
    out = []
    while r.peek() in (">", "<", ">=", "<=", "!="):
        relation, right = r.next()[1], r.scalar()
        out.append((right - left if "<" in relation else left - right, relation.replace("<", ">")))
        left = right
    return out


class When:
    """The states of which a claim speaks: values of coordinates and velocities, equations, relations."""

    def __init__(self, model=None, r=None):
        self.values, self.equations, self.relations = {}, [], []
        while r is not None and not r.at_end():
            first, left = r.at, r.scalar()
            if r.accept("="):
                left, right = model.by_velocities(left), model.by_velocities(r.scalar())
                if left.op == "symbol" and left.args[0] in model.coordinates + model.v:
                    self.values[left.args[0]] = right
                else:
                    self.equations.append(left - right)
            else:
                self.relations += relations(r, left)
                names = {text for kind, text in r.tokens[first:r.at] if kind == "name" and text in model.names}
                if any(model.names[name].op != "symbol" for name in names):  # it would count as free
                    raise Unchecked("a relation between what has a value is not read here")
            if not r.at_end():
                r.take(",")
        for _ in range(len(self.values)):  # none of them holds another
            self.values = {name: self.put(e) for name, e in self.values.items()}
        if any(name in e.symbols for e in self.values.values() for name in self.values):
            raise Wrong("the conditions of a claim give a value through itself")
        self.equations = [self.put(e) for e in self.equations]
        self.relations = [(self.put(e), relation) for e, relation in self.relations]

    def __bool__(self):
        return bool(self.values or self.equations or self.relations)

    def put(self, e):
        return substituted(e, self.values) if self.values else e

    def zeros(self):
        return [symbol(name) - value for name, value in self.values.items()] + self.equations


class Claim:
    """label, what it says, left − right (or the numbers of a statement about directions); whether velocity parameters
    occur; whether functions are compared, of all velocities; of which states; all formulas that its text names; what it
    calls constant."""

    def __init__(self, label, says, e, names_speeds=False, identically=False, when=When(), written=(), constant=None):
        self.label, self.says, self.e, self.written, self.constant = label, says, e, written, constant
        self.names_speeds, self.identically, self.when = names_speeds, identically, when

"""Random systems in the model language, of every kind of constraint."""
from fractions import Fraction

import terms
from referee import Constraint, System
from terms import call, cos, cross, expand, is_number, name, number, rate, sin, sqrt, total, written

NAMES = ["x", "y", "z", "u", "w", "s", "h", "theta", "phi", "psi", "alpha", "q1", "q2"]
ANGLES = {"theta", "phi", "psi", "alpha"}


class Maker:
    """Makes one system; `has` collects the kinds that it is of."""

    def __init__(self, rng):
        self.rng, self.has = rng, set()
        self.system = System()

    # Numbers and functions

    def coefficient(self):
        return number(self.rng.choice([1, 1, 2, 3, Fraction(1, 2), Fraction(3, 2), Fraction(2, 3),
                                       Fraction(7, 5)]) * self.rng.choice([1, -1]))

    def positive(self):
        return number(Fraction(self.rng.randint(2, 30), self.rng.choice([4, 5, 10])))

    def constant(self, stem):
        """A positive constant: a number, a parameter with a value or, where the system is to have such,
        without."""
        kind = self.rng.random()
        if kind < 0.4:
            return self.positive()
        system = self.system
        symbol = f"{stem}{len(system.values) + 1}"
        if kind < 0.8 or not self.free:
            system.values[symbol] = self.positive().value
            system.lines.append(f"parameter {symbol} = {system.values[symbol]}")
        else:
            system.values[symbol] = None
            system.positive.append(symbol)
            system.lines += [f"parameter {symbol}", f"assume {symbol} > 0"]
            self.has.add("free parameter")
        return name(symbol)

    def wave(self, q):
        """A function of one coordinate that is defined everywhere."""
        rng, x = self.rng, name(q)
        kind = rng.choice(["sin", "cos", "sin", "cos", "poly", "square", "root", "exp", "quotient"])
        if q in ANGLES and kind in ("poly", "square", "root", "exp"):
            kind = "sin"
        self.has.add({"root": "root", "exp": "exp", "sin": "trig", "cos": "trig"}.get(kind, "rational"))
        if kind in ("sin", "cos"):
            return call(kind, x if q in ANGLES else rng.choice([x, 2 * x, x + 1]))
        return {"poly": x, "square": x ** 2, "root": sqrt(1 + x ** 2), "exp": call("exp", x / 4),
                "quotient": x / (2 + x ** 2)}[kind]

    def function(self, coordinates):
        """A function of coordinates, sometimes of time."""
        rng = self.rng
        kind = rng.random()
        if not coordinates or kind < 0.3:
            result = self.coefficient()
        elif kind < 0.75:
            result = self.coefficient() * self.wave(rng.choice(coordinates))
        else:
            first, second = rng.choice(coordinates), rng.choice(coordinates)
            result = self.wave(first) * self.wave(second) + self.coefficient()
        if self.rheonomic and rng.random() < 0.25:
            result = result * (2 + self.clock())
            self.has.add("time in a function")
        return result

    def clock(self):
        """A function of time, sometimes one that only the command line defines."""
        wave = sin(name("t"))
        if self.rng.random() < 0.7:
            return wave
        if not self.system.functions:
            self.system.functions["f(t)"] = str(wave)
            self.system.lines.insert(0, "function f(t)")
            self.has.add("a function from the command line")
        return written("f(t)", wave)

    # Energies

    def geometry(self):
        """Points and bodies whose places are triangular in the coordinates, so that M is regular."""
        system, left, k = self.system, list(self.system.coordinates), 0
        self.solids = []
        while left:
            k += 1
            if len(left) >= 3 and self.rng.random() < 0.5:
                self.solids.append(self.body(f"B{k}", left))
            else:
                self.solids.append(self.point(f"P{k}", left))
        if self.rng.random() < 0.5:
            g = [number(0), self.coefficient(), self.coefficient() * 2]
            system.lines.append(f"gravity ({g[0]}, {g[1]}, {g[2]})")
            for solid in self.solids:
                system.V = system.V - solid["mass"] * terms.dot(g, solid["place"])

    def place(self, used):
        seen = [q for q in self.system.coordinates if q in used]
        result = []
        for i in range(3):
            if i < len(used):
                others = used[:i]
                bend = self.function(others) if others and self.rng.random() < 0.4 else number(0)
                result.append(name(used[i]) + bend)
            else:
                result.append(self.function(seen) if self.rng.random() < 0.2 else number(0))
        return result

    def point(self, label, left):
        system, rng = self.system, self.rng
        used = [left.pop(rng.randrange(len(left))) for _ in range(min(len(left), rng.choice([1, 2, 3])))]
        place, mass = self.place(used), self.constant("m")
        if len(used) == 2 and used[1] in ANGLES and rng.random() < 0.6:
            r, a = name(used[0]), name(used[1])
            place = [r * cos(a), r * sin(a), number(0)]
            self.has.add("polar")
        speed = [rate(c, system.coordinates) for c in place]
        system.lines.append(f"point {label} mass {mass} at ({place[0]}, {place[1]}, {place[2]})")
        system.T = system.T + mass * terms.dot(speed, speed) / 2
        self.has.add("points")
        if rng.random() < 0.3:
            push = [self.coefficient(), -self.positive() * speed[0], number(0)]
            system.lines.append(f"force on {label} ({push[0]}, {push[1]}, {push[2]})")
            self.work(push, place)
        return {"label": label, "mass": mass, "place": place, "speed": speed, "solid": False}

    def body(self, label, left):
        system, rng = self.system, self.rng
        angles = [left.pop(0) for _ in range(rng.choice([1, 1, 2, 3]) if len(left) > 3 else 1)]
        used = [left.pop(0) for _ in range(min(len(left), rng.choice([1, 2, 3])))]
        place, mass = self.place(used), self.constant("m")
        axes = {1: "z", 2: rng.choice(["zx", "zy", "xy"]), 3: "zxz"}[len(angles)]
        inertia = [self.positive() / 5 + 1 for _ in range(3)]
        turn = _identity()
        for axis, q in zip(axes, angles):
            turn = _product(turn, _rotation(axis, name(q)))
        spin = _spin(turn, system.coordinates)  # in space axes
        own = [terms.dot([turn[i][k] for i in range(3)], spin) for k in range(3)]
        speed = [rate(c, system.coordinates) for c in place]
        turns = ", ".join(f"{axis} {q}" for axis, q in zip(axes, angles))
        system.lines.append(f"body {label} mass {mass} inertia ({inertia[0]}, {inertia[1]}, {inertia[2]})"
                            f" at ({place[0]}, {place[1]}, {place[2]}) turn {turns}")
        system.T = system.T + mass * terms.dot(speed, speed) / 2 + \
            total(A * w ** 2 for A, w in zip(inertia, own)) / 2
        self.has.add("bodies")
        return {"label": label, "mass": mass, "place": place, "speed": speed, "solid": True,
                "spin": spin, "turn": turn}

    def work(self, push, place):
        """Adds the generalised forces of a force at a place."""
        for q in self.system.coordinates:
            part = terms.dot(push, [terms.slope(c, q) for c in place])
            if not is_number(part, 0):
                self.system.F[q] = self.system.F.get(q, number(0)) + part

    def written_kinetic(self):
        """T as a positive definite sum of squares of linear forms, sometimes with gyroscopic terms."""
        system, rng, v = self.system, self.rng, [name(w) for w in self.system.velocities()]
        T = total(self.constant("m") * w ** 2 / 2 for w in v)
        if rng.random() < 0.5:
            form = total(self.function(system.coordinates) * w for w in v if rng.random() < 0.6)
            T = T + form ** 2 / 2
        if rng.random() < 0.15:
            T = T + self.function(system.coordinates) * rng.choice(v)
            self.has.add("gyroscopic")
        if rng.random() < 0.07:
            T = T + rng.choice(v) ** 4 / 24
            self.has.add("quartic T")
        system.T = T
        system.lines.append(f"kinetic {T if rng.random() < 0.5 else expand(T)}")
        self.solids = []

    def loads(self):
        system, rng = self.system, self.rng
        if rng.random() < 0.6:
            V = total(self.function(system.coordinates) * self.wave(rng.choice(system.coordinates))
                      for _ in range(rng.choice([1, 2])))
            if rng.random() < 0.4:
                V = V + total(self.coefficient() * name(q) for q in system.coordinates)
            system.V = system.V + V
            system.lines.append(f"potential {V}")
        if rng.random() < 0.35:
            for q in rng.sample(system.coordinates, rng.choice([1, 1, 2])):
                F = rng.choice([-self.positive() * name(q + "'"),
                                self.function(system.coordinates),
                                self.coefficient() * name(rng.choice(system.velocities())),
                                self.coefficient() * cos(name("t")) if self.rheonomic
                                else self.coefficient()])
                system.F[q] = system.F.get(q, number(0)) + F
                system.lines.append(f"force {q} = {F}")
            self.has.add("forces")

    # Constraints

    def add(self, what, factors=None, kind=None):
        """A constraint; its left side is sometimes multiplied out, sometimes moved over."""
        rng, label = self.rng, f"k{len(self.system.constraints) + 1}"
        shown = expand(what) if rng.random() < 0.4 else what
        if rng.random() < 0.3:
            extra = name(rng.choice(self.system.velocities()))
            if not self.system.holonomic(what):
                left, right = shown + extra, extra
                return self._add(Constraint(label, what, left, right, factors), kind)
        return self._add(Constraint(label, what, shown, number(0), factors), kind)

    def _add(self, constraint, kind):
        self.system.constraints.append(constraint)
        self.has.add(kind)
        return constraint

    def linear_form(self, count=3):
        """A linear form in some velocities, with coefficients that depend on coordinates."""
        rng, q = self.rng, self.system.coordinates
        chosen = rng.sample(q, min(count, len(q), rng.choice([2, 2, 3])))
        head = name(chosen[0] + "'")
        if rng.random() < 0.25 and ANGLES & set(q):
            a = name(rng.choice(sorted(ANGLES & set(q))))
            return head * sin(a) - name(chosen[1] + "'") * cos(a)
        return head * rng.choice([1, 1, 2]) - total(self.function(q) * name(k + "'") for k in chosen[1:])

    def linear(self):
        self.add(self.linear_form(), kind="linear")

    def affine(self):
        b = self.function(self.system.coordinates)
        self.add(self.linear_form() - b, kind="affine")

    def nonlinear(self):
        rng, v = self.rng, [name(w) for w in self.system.velocities()]
        rng.shuffle(v)
        kind = rng.choice(["cone", "speed", "graph", "root", "bilinear"])
        f = self.function(self.system.coordinates)
        if kind == "cone":
            what = total(self.positive() * w ** 2 for w in v[1:3]) - self.positive() * v[0] ** 2
        elif kind == "speed":
            what = total(self.positive() * w ** 2 for w in v[:3]) - 4
        elif kind == "graph":
            what = v[0] - v[1] ** 2 - f * v[-1] if len(v) > 2 else v[0] - v[1] ** 2 - f
        elif kind == "root":
            what = v[0] - sqrt(1 + v[1] ** 2)
            self.has.add("root of velocities")
        else:
            what = v[0] * v[1] - 1 - f * v[-1] if len(v) > 2 else v[0] * v[1] - 1 - f ** 2
        self.add(what, kind="nonlinear")

    def holonomic(self):
        rng, q = self.rng, self.system.coordinates
        lengths = [k for k in q if k not in ANGLES] or q
        a = rng.choice(lengths)
        b = rng.choice([k for k in q if k != a])
        kind = rng.choice(["circle", "graph", "product", "plane"])
        if kind == "circle" and b not in ANGLES:
            self.add(name(a) ** 2 + self.positive() * name(b) ** 2 - 4, kind="holonomic")
        elif kind == "product" and len(q) > 2:
            c = rng.choice([k for k in q if k not in (a, b)])
            factors = [name(a) - self.coefficient() * name(b), name(c) - self.coefficient()]
            self.add(factors[0] * factors[1], factors, kind="holonomic components")
        elif self.rheonomic and rng.random() < 0.4:
            self.add(name(a) - self.coefficient() * name(b) - self.clock(), kind="moving")
        else:
            self.add(name(a) - self.function([b]) * self.wave(b), kind="holonomic")

    def product(self):
        """Two factors on velocities, each a component."""
        rng = self.rng
        factors = [self.linear_form(2), self.linear_form(2)]
        if rng.random() < 0.6:
            v = name(rng.choice(self.system.velocities()))
            factors[rng.randrange(2)] = v - self.coefficient() * rng.choice([1, 5])
        if rng.random() < 0.2:
            v = name(rng.choice(self.system.velocities()))
            factors[1] = v - sqrt(1 + name(rng.choice(self.system.coordinates)) ** 2)
        if factors[0] is factors[1]:
            return self.product()
        rows = [c.what for c in self.system.constraints if not self.system.holonomic(c.what)
                and len(c.factors) == 1]
        if rows and rng.random() < 0.5:  # factors only together with another row
            what = factors[0] * factors[1] + self.coefficient() * rng.choice(rows) * \
                name(rng.choice(self.system.velocities()))
            self.add(expand(what), factors, kind="components of two rows")
        else:
            self.add(factors[0] * factors[1], factors, kind="components")

    def redundant(self):
        """A row that follows from others: a multiple, a combination, the rate of a holonomic one."""
        rng, system = self.rng, self.system
        plain = [c for c in system.constraints if len(c.factors) == 1]
        if not plain:
            return
        chosen = rng.sample(plain, min(len(plain), rng.choice([1, 2])))
        what = total(self.multiplier() * system.on_velocities(c.what) for c in chosen)
        self.add(what, kind="redundant")

    def multiplier(self):
        q = self.system.coordinates
        return self.rng.choice([
            lambda: self.coefficient(), lambda: 2 + self.wave(self.rng.choice(q)) ** 2,
            lambda: self.wave(self.rng.choice(q)) + 3, lambda: number(Fraction(1, 1000)),
            lambda: self.wave(self.rng.choice(q)) * 2 + name(self.rng.choice(q)),
            lambda: name(self.rng.choice(q)) ** 2 + Fraction(1, 10**6)])()

    def rolling(self):
        """The velocity of a body's point vanishes: rows that may depend on each other."""
        bodies = [s for s in self.solids if s["solid"]]
        if not bodies:
            return self.linear()
        body = self.rng.choice(bodies)
        arm = [number(0), self.coefficient() if self.rng.random() < 0.4 else number(0),
               -self.positive()]
        speed = [a + b for a, b in zip(body["speed"], cross(body["spin"], arm))]
        rows = [k for k in range(3) if not self.vanishes(speed[k])]
        label = f"k{len(self.system.constraints) + 1}"
        place = ", ".join(str(a + b) for a, b in zip(body["place"], arm))
        line = f"constraint {label}: velocity({body['label']}, ({place})) = (0, 0, 0)"
        for k in rows:
            row = Constraint(f"{label}.{k + 1}", speed[k])
            row.line = line if k == rows[0] else ""
            self.system.constraints.append(row)
        self.has.add("rolling")

    def quasivelocities(self):
        """As many linear forms as velocities may be free; dropped again where they are not independent."""
        count = len(self.system.coordinates) - len(self.system.constraints)
        if self.has & {"redundant", "rolling"} or count < 1:
            return
        self.system.omegas = {f"o{k + 1}": self.linear_form() for k in range(count)}
        self.has.add("quasivelocities")

    def parametric(self):
        """The velocity form of one row that can be solved for a velocity: the others are the parameters,
        with some mixed in that come after them."""
        system = self.system
        v = system.velocities()
        row = system.constraints[0].what if len(system.constraints) == 1 else None
        heads = [w for w in v if row and is_number(terms.slope(row, w)) and w in row.names()]
        if not heads or not self.has & {"linear", "affine"}:
            return
        head = self.rng.choice(heads)
        free = [w for w in v if w != head]
        symbols = [f"v{k + 1}" for k in range(len(free))]
        speeds, values = {}, {}  # z(q, q') and q'(q, z)
        for k in reversed(range(len(free))):
            mixed = self.function(system.coordinates) if k + 1 < len(free) and self.rng.random() < 0.5 \
                else number(0)
            after = symbols[k + 1] if k + 1 < len(free) else None
            values[free[k]] = name(symbols[k]) + (mixed * name(after) if after else 0)
            speeds[symbols[k]] = name(free[k]) - (mixed * speeds[after] if after else 0)
        rest = terms.put(row, {head: number(0)})
        values[head] = terms.put(-rest / terms.slope(row, head), values)
        system.omegas = speeds
        system.velocity_line = f"velocity {', '.join(symbols)}: " + \
            ", ".join(f"{w} = {values[w]}" for w in v)
        self.has.add("velocity form")

    def vanishes(self, term):
        """At random values; `term` has no denominators that could vanish."""
        f = terms.Functions([term])
        found = [abs(f({n: self.rng.uniform(-2, 2) for n in term.names()})[0]) for _ in range(3)]
        return max(found) < 1e-12

    def make(self):
        rng, system = self.rng, self.system
        n = rng.choice([2, 3, 3, 3, 4, 4, 5])
        self.rheonomic, self.free = rng.random() < 0.25, rng.random() < 0.25
        system.coordinates = rng.sample(NAMES, n)
        system.lines.append("coordinate " + ", ".join(system.coordinates))
        if rng.random() < 0.45:
            self.geometry()
        else:
            self.written_kinetic()
        self.loads()
        kinds = [self.linear] * 4 + [self.affine, self.affine, self.nonlinear, self.nonlinear,
                                     self.holonomic, self.holonomic, self.product, self.product,
                                     self.rolling]
        room = n - 1
        for _ in range(rng.choice([1, 1, 1, 2, 2, 3])):
            if len(system.constraints) < room:
                rng.choice(kinds)()
        if rng.random() < 0.25:
            self.redundant()
        if rng.random() < 0.15:
            self.quasivelocities()
        elif rng.random() < 0.3:
            self.parametric()
        if rng.random() < 0.04:
            system.constraints.clear()
            system.omegas, system.velocity_line = {}, ""
            self.has = {h for h in self.has if h in ("points", "bodies", "trig")}
        return system


def _identity():
    return [[number(int(i == j)) for j in range(3)] for i in range(3)]


def _product(A, B):
    return [[total(A[i][k] * B[k][j] for k in range(3)) for j in range(3)] for i in range(3)]


def _rotation(axis, a):
    """About a body's own axis, counted from space."""
    i = "xyz".index(axis)
    j, k = (i + 1) % 3, (i + 2) % 3
    result = _identity()
    result[j][j] = result[k][k] = cos(a)
    result[k][j], result[j][k] = sin(a), -sin(a)
    return result


def _spin(turn, coordinates):
    """The angular velocity in space axes, from R' R^T."""
    moved = [[rate(c, coordinates) for c in row] for row in turn]
    W = [[total(moved[i][k] * turn[j][k] for k in range(3)) for j in range(3)] for i in range(3)]
    return [W[2][1], W[0][2], W[1][0]]

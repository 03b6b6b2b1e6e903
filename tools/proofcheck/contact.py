"""Joints, shapes, surfaces and rolling (docs/language.md, "Joints" and "Rolling and sliding"): the constraints,
potentials and dissipations that these statements stand for.

A body touches a surface with the unit normal n, towards the body, at its support point r in the direction −n:

    touch   n·(C − p) = height       slip   t·(v_r − v_S) = 0 for two tangents t       spin   n·(ω − ω_S) = 0

with C the centre of the shape, v_r and v_S the velocities of the materials at r."""
from . import Unchecked, Wrong
from .expressions import (HALF, ORIGIN, SPACE, Vec, ZERO, call, combined, cross, diff, dot, gradient, norm,
                          substituted, symbol, without)
from .points import vanishes
from .text import Reader

PLACE = ("*x", "*y", "*z")  # symbols of a formula's own axes
XYZ = {name: symbol(s) for name, s in zip("xyz", PLACE)}


def axis_number(r):
    return "xyz".index(r.name())


CLAUSES = {  # of bodies, joints, shapes and surfaces: what stands after the word
    "mass": Reader.scalar, "radius": Reader.scalar, "tube": Reader.scalar, "angle": Reader.scalar, "turning": Reader.scalar,
    "length": Reader.scalar, "stiffness": Reader.scalar, "damping": Reader.scalar, "ratio": Reader.scalar,
    "at": Reader.vector, "size": Reader.vector, "normal": Reader.vector, "along": Reader.vector,
    "inertia": Reader.expr, "on": Reader.part, "axis": axis_number, "inside": lambda r: True,
}


def clauses(r, others=None):
    """{word: value} up to the end of the statement."""
    out = {}
    while not r.at_end():
        word = r.name()
        out[word] = {**CLAUSES, **(others or {})}[word](r)
    return out


# ---- Joints -------------------------------------------------------------------------------------------

class End:
    """A place without axes."""

    def __init__(self, model, place):
        self.place, self.velocity, self.axes = place, model.dt(place), None


def end_of(r):
    """A body, marker or point by its name, or any place."""
    start = r.at
    if r.tokens[r.at][0] == "name" and r.peek() not in r.local:
        try:
            name = r.spelled()
            if name in r.m.parts and r.peek() not in ("(", "'"):
                return r.m.parts[name]
        except Wrong:
            pass
    r.at = start
    return End(r.m, r.vector())


def add_joint(m, word, r):
    if word == "torsion":
        word = "torsion " + r.name()
    label, P, _, Q = r.label(), end_of(r), r.take(","), end_of(r)
    given = clauses(r)
    k = given.get("axis", 0 if word == "slider" else 2)
    d = Q.place - P.place
    i, j = (k + 1) % 3, (k + 2) % 3

    def rows(what, left):
        if not all(map(vanishes, left)):
            m.add_constraint(label and f"{label}_{what}", Vec(left))

    def between(a, b):
        return dot(P.axes[a], Q.axes[b])

    def turning(of, axis):
        return dot(of.omega - (given["on"].omega if "on" in given else ORIGIN), axis)

    if word in ("ball", "hinge", "weld"):
        rows("place", d)
    if word == "hinge":
        rows("axes", (between(k, i), between(k, j), ZERO))
    if word == "slider":
        rows("place", (dot(P.axes[i], d), dot(P.axes[j], d), ZERO))
    if word in ("weld", "slider"):
        rows("axes", (between(0, 1), between(1, 2), between(2, 0)))
    if word == "rod":
        m.add_constraint(label, (dot(d, d) - given["length"] ** 2) / (2 * given["length"]))
    if word == "gear":
        m.add_constraint(label, turning(P, P.axes[k]) - given["ratio"] * turning(Q, Q.axes[k]))
    if word == "spring":
        length = given.get("length", ZERO)
        square = dot(d, d) if length is ZERO else (norm(d) - length) ** 2
        m.potential.append(HALF * given["stiffness"] * square)
    if word == "damper":
        m.dissipation.append(HALF * given["damping"] * dot(d, Q.velocity - P.velocity) ** 2 / dot(d, d))
    if word == "torsion damper":
        m.dissipation.append(HALF * given["damping"] * dot(Q.omega - P.omega, P.axes[k]) ** 2)
    if word == "torsion spring":
        turned = call("atan2", between(j, i), between(i, i))
        angle = through_all_turns(m, dot(Q.omega - P.omega, P.axes[k]), turned)
        m.potential.append(HALF * given["stiffness"] * (angle - given.get("angle", ZERO)) ** 2)


def through_all_turns(m, rate, turned):
    """The angle with this rate: where it is Σ c q' with constants c, the angle at q = 0 and Σ c q."""
    v = [q + "'" for q in m.coordinates]
    constants = gradient(rate, v)
    moving = m.coordinates + v + ["t"]
    start = without(turned, m.coordinates)
    if "t" in start.symbols or not vanishes(without(rate, v)) or \
            any(not vanishes(diff(c, x)) for c in constants for x in moving):
        return turned
    return start + sum((without(c, moving) * symbol(q) for c, q in zip(constants, m.coordinates)), ZERO)


# ---- Shapes and surfaces --------------------------------------------------------------------------------

class Shape:
    """Of a body: its support points."""

    def __init__(self, body, r):
        self.body, self.level = body, None
        if r.accept(":"):
            self.kind, self.level = "level", formula(r)[0]
        else:
            self.kind = r.name()
        if self.kind == "curve":
            raise Unchecked("a shape that is a curve is not read here")
        given = clauses(r)
        self.radius, self.tube, self.size = given.get("radius"), given.get("tube"), given.get("size")
        self.axis, self.at = given.get("axis", 2), given.get("at", ORIGIN)
        self.centre = self.body.to_space(self.at)

    def support(self, n):
        """(support point, height of the centre over the tangent plane there)"""
        nu = self.body.in_axes(n)
        if self.kind == "sphere":
            return self.centre - n * self.radius, self.radius
        if self.kind == "ellipsoid":
            D = self.size.map(lambda a: a * a)
            height = call("sqrt", dot(D, nu.map(lambda x: x * x)))
            return self.centre - combined([a * x / height for a, x in zip(D, nu)], self.body.axes), height
        if self.kind not in ("disc", "torus"):
            raise Unchecked(f"the shape `{self.kind}` is not read here")
        e = self.body.axes[self.axis]
        u = n - e * dot(n, e)  # n without its component along the axis
        length = norm(u)
        edge, height, tube = self.centre - u * (self.radius / length), self.radius * length, self.tube or ZERO
        return edge - n * tube, height + tube

    def as_surface(self):
        """The same body as what another one touches."""
        x = Vec(XYZ.values())
        a, across = x[self.axis], dot(x, x) - x[self.axis] ** 2
        s = Surface()
        s.on, s.place = self.body, self.at
        if self.kind == "sphere":
            s.kind, s.radius = "sphere", self.radius
            return s
        s.kind, s.level = "level", {
            "ellipsoid": lambda: sum((c ** 2 / b ** 2 for c, b in zip(x, self.size)), ZERO) - 1,
            "torus": lambda: (call("sqrt", across) - self.radius) ** 2 + a ** 2 - self.tube ** 2,
            "level": lambda: self.level}.get(self.kind, lambda: None)()
        return s if s.level is not None else None


def formula(r):
    """left − right of an equation in x, y, z; and f, where it says z = f(x, y)."""
    if any(token == ("name", "for") for token in r.tokens[r.at:]):
        raise Unchecked("surfaces of two parameters are not read here")
    before, r.local = r.local, {**r.local, **XYZ}
    left, _, right = r.scalar(), r.take("="), r.scalar()
    r.local = before
    return left - right, right if left is XYZ["z"] and PLACE[2] not in right.symbols else None


def moving(r):
    before, r.local = r.local, {**r.local, **XYZ}
    out, r.local = r.vector(), before
    return out


class Surface:
    """What is touched; everything is meant in the axes of the body `on`, or in space."""
    kind, place, axis, radius, angle, inside, on = "plane", ORIGIN, SPACE[2], None, None, False, None
    level = graph = turning = moving = None

    def read(self, r):
        if r.accept(":"):
            self.kind, (self.level, self.graph) = "level", formula(r)
        else:
            self.kind = r.name()
        given = clauses(r, {"moving": moving})
        self.place = given.pop("at", ORIGIN)
        axis = given.pop("normal", given.pop("along", self.axis))
        self.axis = axis / norm(axis)
        vars(self).update(given)
        return self

    def finish(self, m):
        """Place, axis and the material's motion in space."""
        self.m, self.sign = m, -1 if self.inside else 1
        self.p = self.on.to_space(self.place) if self.on else self.place
        self.a = combined(self.axis, self.on.axes) if self.on else self.axis
        self.spin = ORIGIN if self.on else cross(self.a, m.dt(self.a))
        if self.turning is not None:
            self.spin = self.spin + self.a * self.turning
        return self

    def put(self, e, r):
        """A formula in the surface's own x, y, z, at the place r."""
        local = self.on.in_axes(r - self.on.place) if self.on else r
        return substituted(e, dict(zip(PLACE, local)))

    def to_space(self, v):
        return combined(v, self.on.axes) if self.on else v

    def field(self, r):
        """The velocity that its material has besides, and half the curl of this field."""
        field = self.moving or ORIGIN
        if self.moving is None and self.graph is not None:  # it moves along z
            field = Vec((ZERO, ZERO, diff(self.equation() * -1, "t")))
        slopes = [gradient(c, PLACE) for c in field]
        curl = Vec(HALF * (slopes[(k + 2) % 3][(k + 1) % 3] - slopes[(k + 1) % 3][(k + 2) % 3]) for k in range(3))
        return tuple(self.to_space(v.map(lambda e: self.put(e, r))) for v in (field, curl))

    def velocity(self, r):
        carried = self.on.velocity_at(r) if self.on else self.m.dt(self.p)
        return carried + cross(self.spin, r - self.p) + self.field(r)[0]

    def omega(self, r):
        return (self.on.omega if self.on else ORIGIN) + self.spin + self.field(r)[1]

    def closed(self, s):
        """(normal, touch, tangents) where the contact has a closed form: every shape on a plane, a sphere elsewhere."""
        d = s.centre - self.p
        if s.kind != "level" and self.kind == "plane":
            return self.a, dot(self.a, d) - s.support(self.a)[1], self.upright(s) or tangents(self.a)
        if s.kind != "sphere" or self.kind == "level":
            return None
        along = dot(d, self.a)
        across = d - self.a * along
        if self.kind == "cone":
            c, sine, length = call("cos", self.angle), call("sin", self.angle), norm(across)
            n = (across * (c / length) - self.a * sine) * self.sign
            t = self.a * c + across * (sine / length)
            return n, self.sign * (c * length - sine * along) - s.radius, (t, cross(n, t))
        q = self.radius + self.sign * s.radius  # of the parallel surface, on which the centre is
        off = d if self.kind == "sphere" else across
        n = off * (self.sign / q)
        return n, self.sign * (dot(off, off) - q * q) / (2 * q), \
            tangents(n) if self.kind == "sphere" else (self.a, cross(n, self.a))

    def upright(self, s):
        """Of an upright wheel: the way it rolls, and its axle."""
        axle = s.body.axes[s.axis]
        upright = s.kind in ("disc", "torus") and vanishes(dot(axle, self.a))
        return (cross(axle, self.a), axle) if upright else None

    def equation(self):
        """F of F = 0 in the surface's own axes, F > 0 where bodies are."""
        d = Vec(XYZ.values()) - self.place
        if self.kind == "level":
            return substituted(self.level, dict(zip(PLACE, d)))
        along = dot(d, self.axis)
        across = dot(d, d) - along ** 2
        if self.kind == "cone":
            return self.sign * (call("cos", self.angle) ** 2 * across - call("sin", self.angle) ** 2 * along ** 2)
        if self.kind == "plane":
            return along
        return self.sign * HALF * ((dot(d, d) if self.kind == "sphere" else across) - self.radius ** 2)

    def at(self, r):
        """F and its gradient at a place."""
        F = self.equation()
        return self.put(F, r), self.to_space(Vec(self.put(e, r) for e in gradient(F, PLACE)))


def tangents(n):
    """A vanishing component of n: its axis is one. Otherwise the turn that takes z to n takes x and y along."""
    for e, c in zip(SPACE, n):
        if vanishes(c):
            return e, cross(n, e)
    return tuple(SPACE[k] - (SPACE[2] + n) * (n[k] / (1 + n[2])) for k in (0, 1))


# ---- Rolling --------------------------------------------------------------------------------------------

class Contact:
    def __init__(self, m, r, rolls):
        self.m, label = m, r.label()
        name = r.spelled()
        if not r.accept("on", "name"):
            raise Wrong("the model's contact is not understood")
        on, self.label = r.spelled(), label or f"{'roll' if rolls else 'slide'}_{name}"
        spins = not r.accept("without", "name")
        if not spins and not r.accept("spinning", "name"):
            raise Wrong("the model's contact is not understood")
        s, ground = m.shapes.get(name), m.surfaces.get(on)
        sign = 1
        if ground is None and s and on in m.shapes:
            ground = m.shapes[on].as_surface()
            if ground is None:  # an edge: the other way round
                s, ground, sign = m.shapes[on], s.as_surface(), -1
        if s is None or ground is None:
            raise Wrong("the model has a contact without a shape or a surface")
        ground = ground.finish(m)
        closed = ground.closed(s)
        if closed:
            n, touch, t = closed
            self.row("touch", touch)
            place = s.support(n)[0]
        else:
            place, n, t = self.unknown_place(ground, s) if s.kind != "level" else self.formula_place(ground, s)
        if rolls:
            slip = s.body.velocity_at(place) - ground.velocity(place)
            for k in (0, 1):
                if not self.said_before(dot(t[k], slip)):
                    self.row(f"slip{k + 1}", dot(t[k], slip))
        if rolls and not spins:
            self.row("spin", dot(n, s.body.omega - ground.omega(place)))
        for what, vector in (("place", place), ("direction", n * sign)):
            m.names.setdefault(self.called(what), vector)

    def called(self, what):
        base, bracket, index = self.label.partition("[")
        return f"{base}_{what}{bracket}{index}"

    def row(self, what, e):
        if not vanishes(e, self.m.assumptions):
            self.m.add_constraint(self.called(what), e)

    def said_before(self, row):
        """Two wheels on one axle do not slip along it together: the second says nothing new."""
        before = [c for _, c in self.m.constraints if any(q + "'" in c.symbols for q in self.m.coordinates)]
        return any(vanishes(row - c, self.m.assumptions) or vanishes(row + c, self.m.assumptions) for c in before)

    def unknowns(self, names):
        return [self.m.add_coordinate(self.called(name)) for name in names]

    def unknown_place(self, ground, s):
        """The contact as further coordinates p on the surface: the support point against its normal there is p."""
        graph = ground.graph is not None and not ground.on
        p = self.unknowns("xy" if graph else "xyz")
        if graph:
            at = {PLACE[k]: p[k] - ground.p[k] for k in (0, 1)}
            p.append(ground.p[2] + substituted(ground.graph, at))
        p = Vec(p)
        F, slope = ground.at(p)
        n = slope / norm(slope)
        gap = s.support(n)[0] - p
        if not graph:
            self.row("on", F)
        for k in range(3):
            self.row(f"touch{k + 1}", gap[k])
        return p, n, tangents(n)

    def formula_place(self, ground, s):
        """The same with coordinates on the body, whose shape is a formula: one tangent plane, on different sides."""
        xi = Vec(self.unknowns("xyz"))
        at = dict(zip(PLACE, xi))
        place = s.centre + combined(xi, s.body.axes)
        F, slope = ground.at(place)
        n = ground.a if ground.kind == "plane" else slope / norm(slope)
        t = tangents(n)
        outer = combined([substituted(e, at) for e in gradient(s.level, PLACE)], s.body.axes)
        self.row("on", substituted(s.level, at))
        for k in (0, 1):
            self.row(f"tangent{k + 1}", dot(t[k], outer))
        self.row("touch", F)
        self.m.assumptions.append((-dot(slope, outer), ">"))
        return place, n, t

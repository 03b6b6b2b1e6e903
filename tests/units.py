#!/usr/bin/env python3
"""Words and motions do not depend on units. Models written by hand are written again with coordinates, time and mass in units
a million times larger or smaller; `steady`, `stability`, `check` and `verify` must say the same of them. Then each coordinate by itself,
and pairs of them the other way round, in units of 1e-9 and 1e9: `check`, `integrals`, accelerations by all methods, and motions by all
integrators must be the same."""
import json
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "harness"))
import tap

ANHOLO = tap.BUILD / "anholo"
NEAR = 1e-5  # of numbers that are compared, relative to the size in ordinary units


class System:
    """Statements as the language has them; `speeds`: velocity parameters with what they count, per second
    (the power of each coordinate's unit)."""

    def __init__(self, coordinates, kinetic, potential="0", forces=(), constraints=(), start=(), claims=(), when=(),
                 parameters=""):
        self.q = coordinates.split()
        self.kinetic, self.potential = kinetic, potential
        self.forces, self.constraints = dict(forces), list(constraints)
        self.start, self.claims, self.at, self.parameters = dict(start), list(claims), when, parameters

    def write(self, unit, time, mass):
        """x = unit[x] x_old, t = time t_old, energies by mass."""
        def put(e):
            def one(found):
                name, dots = found.group(1), len(found.group(2))
                if name == "t":
                    return f"(t*{1 / time!r})"
                if name not in self.q:
                    return found.group(0)
                return f"({name}{dots * chr(39)}*{time ** dots / unit.get(name, 1)!r})"
            return re.sub(r"(?<![\w.])([A-Za-z_]\w*)('*)", one, e)
        lines = [self.parameters] if self.parameters else []
        lines += ["coordinate " + ", ".join(self.q), f"kinetic {mass!r}*({put(self.kinetic)})",
                  f"potential {mass!r}*({put(self.potential)})"]
        lines += [f"force {q} = {mass / unit.get(q, 1)!r}*({put(e)})" for q, e in self.forces.items()]
        lines += [f"constraint c{i}: {put(e)}" for i, e in enumerate(self.constraints)]
        value = lambda x: self.start[x] * self.size(x, unit, time)
        if self.start:
            lines.append("start " + ", ".join(f"{x} = {value(x)!r}" for x in self.start))
        lines += [f'{kind} "{i}": {put(e)}' for i, (kind, e) in enumerate(self.claims)]
        return "\n".join(lines) + "\n"

    @staticmethod
    def size(x, unit, time):
        name = x.rstrip("'")
        return unit.get(name, 1) / time ** (len(x) - len(name))


def run(command, model, *options):
    said = subprocess.run([ANHOLO, command, "--json", *options, "-"], input=model,
                          capture_output=True, text=True, timeout=100)
    return json.loads(said.stdout)


# ---- Words ---------------------------------------------------------------------------------------


def families(system, unit, time, mass):
    """What is isolated with its place, families by their number of parameters; with the verdicts."""
    answer = run("steady", system.write(unit, time, mass), "--starts", "100")
    if "error" in answer:
        return answer["error"]["message"]
    out = []
    for f in answer["families"]:
        verdicts = sorted({p["verdict"] for p in f["parts"]})
        place = ()
        if f["family"]["dimension"] == 0:
            place = tuple(sorted((x, round(v / system.size(x, unit, time) / NEAR) * NEAR + 0.0)
                                 for x, v in f["state"].items() if x in system.q and x not in answer["ignorable"]))
        out.append((f["family"]["dimension"], f["equilibrium"], tuple(verdicts), place))
    return sorted(set(out))


def verdict(system, unit, time, mass):
    out = []
    for at in system.at:
        option = ",".join(f"{x}={v * system.size(x, unit, time)!r}" for x, v in at.items())
        answer = run("stability", system.write(unit, time, mass), "--at", option)
        if "error" in answer:
            out.append(answer["error"]["message"])
            continue
        out.append((answer["verdict"], answer["family"]["dimension"], answer["equilibrium"]))
    return out


def kind(system, unit, time, mass):
    answer = subprocess.run([ANHOLO, "check", "-"], input=system.write(unit, time, mass), capture_output=True,
                            text=True, timeout=100)
    return [line for line in answer.stdout.splitlines() + answer.stderr.splitlines() if line[:1] != " "]


def claims(system, unit, time, mass):
    answer = run("verify", system.write(unit, time, mass))
    if "error" in answer:
        return answer["error"]["message"]
    return [(c["verdict"], c["kind"]) if "kind" in c else c["verdict"] for c in answer["claims"]]


# ---- Systems -------------------------------------------------------------------------------------

SYSTEMS = {
    "a pendulum on a circle, started beside": System(
        "x z", "(x'^2 + z'^2)/2", "9.81*z", constraints=["x^2 + z^2 = 1"], start={"x": 1, "z": 0},
        when=[{"x": 0, "z": -1}, {"x": 0, "z": 1}],
        claims=[("claim", "x*x' + z*z' = 0"), ("refute", "x' = 0"), ("claim", "constant energy")]),
    "a pendulum on a circle, started below": System(
        "x z", "(x'^2 + z'^2)/2", "9.81*z", constraints=["x^2 + z^2 = 1"], start={"x": 0.6, "z": -0.8},
        when=[{"x": 0, "z": -1}]),
    "a bead in a double well with friction": System(
        "x", "x'^2/2", "x^4/4 - x^2/2", forces={"x": "-0.3*x'"}, start={"x": 0.5},
        when=[{"x": 1}, {"x": 0}, {"x": -1}]),
    "Chaplygin's sleigh": System(
        "x y a", "(x'^2 + y'^2)/2 + 0.4*a'*(y'*cos(a) - x'*sin(a)) + 0.3*a'^2",
        constraints=["y'*cos(a) - x'*sin(a) = 0"], start={"x'": 1, "y'": 0, "a": 0, "a'": 0.2},
        claims=[("claim", "nonholonomic c0"), ("claim", "growth 2, 3"), ("claim", "constant energy"),
                ("refute", "a'' = 0")]),
    "an ellipse that rolls nowhere": System(
        "x y", "(x'^2 + 3*y'^2)/2", "2*y + x^2/2", constraints=["x^2/4 + y^2 = 1"], start={"x": 0.3, "y": 0.9},
        when=[{"x": 0, "y": -1}, {"x": 0, "y": 1}]),
    "a spherical pendulum in space": System(
        "x y z", "(x'^2 + y'^2 + z'^2)/2", "9.81*z", constraints=["x^2 + y^2 + z^2 = 1"],
        start={"x": 0.6, "y": 0, "z": -0.8, "y'": 0.5}, when=[{"x": 0, "y": 0, "z": -1}, {"x": 0, "y": 0, "z": 1}]),
    "two springs": System(
        "x y", "(x'^2 + 2*y'^2)/2", "x^2/2 + (x - y)^2", forces={"x": "-0.2*x'", "y": "-0.1*y'"},
        when=[{"x": 0, "y": 0}], claims=[("claim", "x'' = -x - 2*(x - y) - 0.2*x'"), ("refute", "y'' = 0")]),
    "a heavy skate": System(
        "x y a", "(x'^2 + y'^2)/2 + 0.3*a'^2", "0.5*x", constraints=["x'*sin(a) - y'*cos(a) = 0"],
        start={"x'": 1, "a": 0, "a'": 0.5}, claims=[("claim", "a'' = 0"), ("claim", "rank = 1")]),
    "a wheel pair, redundant": System(
        "x y a", "(x'^2 + y'^2)/2 + 0.3*a'^2",
        constraints=["x'*sin(a) - y'*cos(a) = 0", "2*x'*sin(a) - 2*y'*cos(a) = 0"], start={"x'": 1}),
    "a particle in a field without friction": System(
        "x y", "(x'^2 + y'^2)/2", "x^2*y^2/2 + x^2/2 - x", start={"x": 0.2}, when=[{"x": 1, "y": 0}]),
    "a pulled spring on a nonlinear law": System(
        "x y", "(x'^2 + y'^2)/2", "x^2/2 + y^2 - y", constraints=["x' = 2*y'"], start={"x": 1, "y": 0.5},
        claims=[("claim", "holonomic c0"), ("claim", "x'' = 2*y''")]),
    "Lagrange's top by angles": System(
        "th ps ph", "(th'^2 + ps'^2*sin(th)^2 + 0.5*(ph' + ps'*cos(th))^2)/2", "2*cos(th)",
        start={"th": 0.5, "ph'": 4, "ps'": 0.5}),
}
BIG, SMALL = 1e6, 1e-6


def variants(system):
    yield "time 1e6", {}, BIG, 1
    yield "time 1e-6", {}, SMALL, 1
    yield "mass 1e6", {}, 1, BIG
    yield "mass 1e-6", {}, 1, SMALL
    lengths = [q for q in system.q if not re.search(rf"(sin|cos)\([^)]*\b{q}\b",
                                                     " ".join([system.kinetic, system.potential, *system.constraints]))]
    for q in lengths[:2] if len(lengths) < 3 else lengths[:1]:
        yield f"{q} 1e6", {q: BIG}, 1, 1
        yield f"{q} 1e-6", {q: SMALL}, 1, 1
    if len(lengths) > 1:
        yield "lengths 1e6, time 1e-6, mass 1e6", {q: BIG for q in lengths}, SMALL, BIG
        yield "lengths 1e-6, time 1e6", {q: SMALL for q in lengths}, BIG, 1


def test_words():
    for name, system in SYSTEMS.items():
        for words in (families, verdict, kind, claims):
            want = words(system, {}, 1, 1)
            for change, unit, time, mass in variants(system):
                got = words(system, unit, time, mass)
                tap.check(got == want, f"{words.__name__} of {name}, {change}", f"got  {got}\nwant {want}")


# ---- Each coordinate by itself ---------------------------------------------------------------------

TIED = {
    "two ties": System("x y u", "(x'^2+y'^2+u'^2)/2", "x + y^2/2", constraints=["u' = x'/5", "x' = y*y'"],
                       start={"x": 0, "y": 1, "u": 0, "x'": 1, "y'": 1, "u'": .2}),
    "three ties": System("x y z u", "(x'^2+2*y'^2+z'^2+u'^2)/2", "x + y^2/2 + z*u",
                         constraints=["u' = x'/5", "x' = y*y' + z'", "u' + z' + 2*y' = x*x'"],
                         start={"x": .3, "y": 1, "u": 0, "z": .4, "x'": 0, "y'": 0, "z'": 0, "u'": 0}),
    "a redundant tie": System("x y z u", "(x'^2+2*y'^2+z'^2+u'^2)/2", "x*z",
                              constraints=["u' = x'/5", "z' = y*x'", "u' + z' = (y + 1/5)*x'"],
                              start={"x": .3, "y": 1, "u": 0, "z": .4, "x'": 1, "z'": 1, "u'": .2, "y'": .5}),
    "two rods": System("x y u v", "(x'^2+y'^2+2*u'^2+2*v'^2)/2", "9.81*(y+2*v)",
                       constraints=["x^2+y^2=1", "(u-x)^2+(v-y)^2=1"],
                       start={"x": 1, "y": 0, "u": 1, "v": -1, "x'": 0, "y'": 0, "u'": .5, "v'": 0}),
    "a coin": System("x y a b", "(x'^2+y'^2)/2 + a'^2/4 + b'^2/8", constraints=["x' = b'*cos(a)", "y' = b'*sin(a)"],
                     start={"x": 0, "y": 0, "a": .3, "b": 0, "a'": 1, "b'": 2, "x'": 2*0.955336489125606,
                            "y'": 2*0.2955202066613396}),
    "a cone of velocities and a tie": System(
        "x y z u", "(x'^2+y'^2+z'^2+u'^2)/2", "2*z", constraints=["x'^2+y'^2 = z'^2", "u' = z'/3 + x*y'"],
        start={"x": 0, "y": 0, "z": 0, "u": 0, "x'": 3, "y'": 4, "z'": 5, "u'": 5/3}),
    "affine": System("x y z", "(x'^2+y'^2+z'^2)/2", "x^2/2", constraints=["x' - y*z' = 1", "z' = 2*y' - x"],
                     start={"x": 0, "y": 1, "z": 0, "x'": 1, "y'": 0, "z'": 0}),
    "a coordinate without mass": System("x y u", "(x'^2+y'^2)/2", "(x^2+2*y^2)/2", constraints=["u' = x'/5 + y*x'"],
                                        start={"x": 1, "y": 1, "u": 0, "x'": 0, "y'": 1, "u'": 0}),
}
INTEGRATORS = ("dop853", "taylor", "adams", "bdf", "ida")


def of_kind(system, unit):
    """What `check` says of ranks: the lines about velocities and singular states."""
    return [line for line in kind(system, unit, 1, 1)
            if re.search(r"constraints?[,:]|free|rank|mass matrix|warning|error|energy", line)]


def accelerations(system, unit):
    answer = run("eval", system.write(unit, 1, 1), "--method", "all")
    if "error" in answer:
        return answer["error"]["message"]
    size = [system.size(q + "''", unit, 1) for q in system.q]
    return {name: [a / s for a, s in zip(m["qddot"], size)] for name, m in answer["methods"].items()
            if "qddot" in m and name != "chaplygin"}  # whose choice of coordinates may be another


def motion(integrator):
    def ends(system, unit):
        said = subprocess.run([ANHOLO, "simulate", "--to", "1", "--every", "0.5", "--integrator", integrator, "-"],
                              input=system.write(unit, 1, 1), capture_output=True, text=True, timeout=100)
        rows = [line.split(",") for line in said.stdout.splitlines() if line[:1] != "#"]
        if said.returncode:
            return said.stderr
        return {x: float(v) / system.size(x, unit, 1) for x, v in zip(rows[0], rows[-1])
                if x.rstrip("'") in system.q}
    ends.__name__ = "the motion by " + integrator
    return ends


def integrals(system, unit):
    answer = run("integrals", system.write(unit, 1, 1))
    return "energy" in [i["name"] for i in answer["integrals"]] if "integrals" in answer else answer


def same(a, b):
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(same(a[k], b[k]) for k in a)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(same, a, b))
    return abs(a - b) <= NEAR * max(1, abs(a)) if isinstance(a, float) and isinstance(b, float) else a == b


def test_each_coordinate():
    questions = [of_kind, accelerations, integrals, *map(motion, INTEGRATORS)]
    turn = 0
    for name, system in TIED.items():
        single = [{q: u} for q in system.q for u in (1e-9, 1e9)]
        pairs = [{p: 1e9, q: 1e-9} for p in system.q for q in system.q if p != q]
        for question in questions:
            want = question(system, {})
            for unit in single + pairs:
                turn += 1
                if turn % tap.amount(29, 11, 1):
                    continue
                got = question(system, unit)
                tap.check(same(got, want), f"{question.__name__} of {name}, {unit}", f"got  {got}\nwant {want}")


# ---- Coefficients that doubles do not see beside others ------------------------------------------------


def test_far_apart():
    """Rows that tie variables whose units are 1e18 apart are independent of each other, and rows that differ by 1e-15 are, too."""
    for second in ("1e9*u' = y'", "y' = 1e-9*x'*y + 1e9*u'", "y' = 1e9*u'*y", "1e9*u' = 1e-9*y'",
                   "1e9*u' + 1e-18*y' = 0"):
        model = ("coordinate x, y, u\nkinetic (1e-18*x'^2 + y'^2 + 1e18*u'^2)/2\n"
                 f"constraint a: 1e9*u' = 1e-9*x'/5\nconstraint b: {second}\n"
                 "start x = 0, u = 0, y = 2\nclaim \"two\": rank 2\nrefute \"one\": rank 1\n")
        said = subprocess.run([ANHOLO, "check", "-"], input=model, capture_output=True, text=True, timeout=100)
        tap.check("1 of 3 velocities is free." in said.stdout and "depends" not in said.stdout + said.stderr,
                  f"check, {second}", said.stdout, said.stderr)
        moved = subprocess.run([ANHOLO, "simulate", "--to", "1", "-"], input=model, capture_output=True, text=True,
                               timeout=100)
        tap.check(moved.returncode == 0, f"simulate, {second}", moved.stderr)
        tap.check([c["verdict"] for c in run("verify", model)["claims"]] == ["proved", "false"], f"verify, {second}")
    model = ("coordinate x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\nconstraint a: z' = y*x'\n"
             "constraint b: z' = (y + 1e-15*x)*x'\nclaim \"two\": rank 2\nclaim \"lost\": singular x = 0\n"
             "refute \"nowhere\": singular nowhere\n")
    said = subprocess.run([ANHOLO, "check", "-"], input=model, capture_output=True, text=True, timeout=100)
    tap.check("1 of 3 velocities is free." in said.stdout and "depends on" not in said.stdout + said.stderr and
              "keep their rank" not in said.stdout, "check, 1e-15", said.stdout, said.stderr)
    tap.check([c["verdict"] for c in run("verify", model)["claims"]] == ["proved", "proved", "false"], "verify, 1e-15")
    model = ("coordinate u\nkinetic u'^2/2\nconstraint a: 1e9*u' = 1\nconstraint b: 2e9*u' = 3\n")
    said = subprocess.run([ANHOLO, "check", "-"], input=model, capture_output=True, text=True, timeout=100)
    tap.check("`b` contradicts `a`" in said.stderr, "check, 1e9 u' = 1 and 2e9 u' = 3", said.stderr)


test_words()
test_each_coordinate()
test_far_apart()
tap.done()

#!/usr/bin/env python3
"""Trees of bodies with more than forty coordinates, whose mass matrix is never formed, by three other routes: the principle of
d'Alembert with power series of the places in t, worked out here; the methods that do form it; and closed forms."""
import csv
import io
import json
import math
import pathlib
import random
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "harness"))
import tap
from sheetcheck import Code, Dual, read

ANHOLO = tap.BUILD / "anholo"


def run(command, text, *options):
    said = subprocess.run([ANHOLO, command, "-", *options], input=text, capture_output=True, text=True)
    return said.returncode, said.stdout, said.stderr


def evaluate(text, *options):
    status, out, err = run("eval", text, "--json", *options)
    return json.loads(out) if status == 0 else {"error": err or out}


# ---- Power series to t^2, and vectors and matrices of them ----------------------------------------------------------------

class Series:
    def __init__(self, a, b=0.0, c=0.0):
        self.a, self.b, self.c = a, b, c

    def __add__(self, o):
        o = o if isinstance(o, Series) else Series(o)
        return Series(self.a + o.a, self.b + o.b, self.c + o.c)
    __radd__ = __add__

    def __neg__(self):
        return Series(-self.a, -self.b, -self.c)

    def __sub__(self, o):
        return self + (-o)

    def __mul__(self, o):
        o = o if isinstance(o, Series) else Series(o)
        return Series(self.a * o.a, self.a * o.b + self.b * o.a, self.a * o.c + self.b * o.b + self.c * o.a)
    __rmul__ = __mul__


def sine(x):
    s, c = math.sin(x.a), math.cos(x.a)
    return Series(s, c * x.b, c * x.c - s * x.b ** 2 / 2), Series(c, -s * x.b, -s * x.c - c * x.b ** 2 / 2)


def turn(axis, angle):
    s, c = sine(angle)
    i, j = (axis + 1) % 3, (axis + 2) % 3
    R = [[Series(float(r == k)) for k in range(3)] for r in range(3)]
    R[i][i] = R[j][j] = c
    R[j][i], R[i][j] = s, -s
    return R


def product(A, B):
    return [[A[i][0] * B[0][k] + A[i][1] * B[1][k] + A[i][2] * B[2][k] for k in range(3)] for i in range(3)]


def apply(A, v):
    return [A[i][0] * v[0] + A[i][1] * v[1] + A[i][2] * v[2] for i in range(3)]


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def spin(R):
    """ω and ω' from R: W = R' Rᵀ is antisymmetric, to first order in t."""
    D = [[Series(R[i][k].b, 2 * R[i][k].c) for k in range(3)] for i in range(3)]
    W = product(D, [[R[k][i] for k in range(3)] for i in range(3)])
    w = [W[2][1], W[0][2], W[1][0]]
    return [x.a for x in w], [x.b for x in w]


# ---- Random trees ----------------------------------------------------------------------------------------------------------

class Tree:
    """Bodies with joints of several kinds; text for the program, and the same geometry here."""

    def __init__(self, seed, bodies, kinds, chain=False, planar=False):
        self.random = random.Random(seed)
        self.names, self.bodies, self.planar = [], [], planar
        for b in range(bodies):
            on = None if b == 0 else b - 1 if chain else self.random.randrange(max(0, b - 4), b)
            self.bodies.append(self.body(b, on, self.random.choice(kinds)))
        n = len(self.names)
        self.q = [self.random.uniform(-1, 1) for _ in range(n)]
        self.v = [self.random.uniform(-1, 1) for _ in range(n)]

    def number(self, low, high):
        return round(self.random.uniform(low, high), 3)

    def coordinate(self):
        self.names.append(f"q{len(self.names) + 1}")
        return len(self.names) - 1

    def body(self, b, on, kind):
        axes = {"hinge": 1, "cardan": 2, "free": 3, "slider": 0, "rod": 2}[kind]
        turns = [(2 if self.planar else (b + k) % 3, self.coordinate()) for k in range(axes)]
        slides = [self.coordinate() for _ in range({"free": 3, "slider": 1}.get(kind, 0))]
        inertia = [0, 0.02, 0.02] if kind == "rod" else sorted(self.number(0.1, 0.2) for _ in range(3))
        joint = [self.number(-.5, .5) for _ in range(3)]
        arm = [self.number(.2, .5) for _ in range(3)]
        if self.planar:
            inertia, joint[2], arm[2] = [0, 0, inertia[2]], 0, 0
        return dict(on=on, turns=turns, slides=slides, mass=self.number(.5, 2), inertia=inertia, joint=joint, arm=arm,
                    force=[self.number(-1, 1), self.number(-1, 1), 0 if self.planar else self.number(-1, 1)],
                    torque=0 if axes == 0 else self.number(-1, 1))

    def text(self, more=""):
        lines = ["parameter g = 9.81, damping = 0.1", "gravity (0, -g, 0)", "input u = 0.3"] + [f"coordinate {n}" for n in self.names]
        for b, o in enumerate(self.bodies):
            where = [str(x) for x in o["joint"]]
            for k, s in enumerate(o["slides"]):
                where[k] += f" + {self.names[s]}"
            if b == 0:  # it is shaken, by the driver's hand
                where[0] += " + 0.3*u*sin(2*t)"
            if len(o["turns"]) == 1:  # the centre of mass away from the axis
                axis, q = o["turns"][0]
                i, j, c = (axis + 1) % 3, (axis + 2) % 3, o["arm"]
                where[axis] += f" + {c[axis]}"
                where[i] += f" + {c[i]}*cos({self.names[q]}) - {c[j]}*sin({self.names[q]})"
                where[j] += f" + {c[i]}*sin({self.names[q]}) + {c[j]}*cos({self.names[q]})"
            turns = ", ".join(f"{'xyz'[a]} {self.names[q]}" for a, q in o["turns"])
            lines.append(f"body b{b} mass {o['mass']} inertia ({', '.join(map(str, o['inertia']))})"
                         + (f" on b{o['on']}" if o["on"] is not None else "") + f" at ({', '.join(where)})"
                         + (f" turn {turns}" if turns else ""))
            lines.append(f"force on b{b} ({', '.join(map(str, o['force']))})")
            if o["torque"]:
                lines.append(f"torque on b{b} {o['torque']}*axis(b{b}, 3)")
        lines += ["dissipation damping/2*" + self.names[0] + "'^2", f"force {self.names[1]} = u*(1 + t)",
                  f"kinetic 0.15*{self.names[1]}'^2"]
        lines += [more, "start " + ", ".join(f"{n} = {x!r}, {n}' = {v!r}" for n, x, v in zip(self.names, self.q, self.v))]
        return "\n".join(lines) + "\nsimulate t = 0.7 .. 1.2\n"

    def places(self, q, time=1):
        """r and R of every body as series, of coordinates that are some; time=0: it stands still."""
        out = []
        shaken = Series(0.09) * sine(Series(1.4, 2.0 * time))[0]
        for o in self.bodies:
            s = [Series(x) for x in o["joint"]]
            if o["on"] is None:
                s[0] = s[0] + shaken
            for k, i in enumerate(o["slides"]):
                s[k] = s[k] + q[i]
            E = [[Series(float(i == k)) for k in range(3)] for i in range(3)]
            for axis, i in o["turns"]:
                E = product(E, turn(axis, q[i]))
            if len(o["turns"]) == 1:
                s = [x + y for x, y in zip(s, apply(E, o["arm"]))]
            r, R = (s, E) if o["on"] is None else ([x + y for x, y in zip(out[o["on"]][0], apply(out[o["on"]][1], s))],
                                                  product(out[o["on"]][1], E))
            out.append((r, R))
        return out

    def unbalanced(self, q, v, a, reaction):
        """Of each coordinate the power that the bodies' inertia and forces have on its velocity, by the size of its terms."""
        n = len(q)
        moving = self.places([Series(q[i], v[i], a[i] / 2) for i in range(n)])
        loads = []
        for o, (r, R) in zip(self.bodies, moving):
            w, wdot = spin(R)
            I = [[sum(R[i][k].a * o["inertia"][k] * R[j][k].a for k in range(3)) for j in range(3)] for i in range(3)]
            turning = [dot(I[i], wdot) for i in range(3)]
            gyro = cross(w, [dot(I[i], w) for i in range(3)])
            N = [o["torque"] * R[i][2].a for i in range(3)]
            g = [0, -9.81, 0]
            loads.append(([o["mass"] * (2 * r[i].c - g[i]) - o["force"][i] for i in range(3)]
                          + [turning[i] + gyro[i] - N[i] for i in range(3)],
                          [o["mass"] * (abs(2 * r[i].c) + abs(g[i])) + abs(o["force"][i]) for i in range(3)]
                          + [abs(turning[i]) + abs(gyro[i]) + abs(N[i]) for i in range(3)]))
        worst = 0
        for k in range(n):
            unit = self.places([Series(q[i], float(i == k)) for i in range(n)], time=0)
            total = 0.1 * v[0] if k == 0 else 0.3 * a[1] - 0.3 * 1.7 if k == 1 else 0
            size = abs(total)
            for (load, terms), (r, R) in zip(loads, unit):
                for x, of, y in zip(load, terms, [x.b for x in r] + spin(R)[0]):
                    total += x * y
                    size += of * abs(y)
            total -= reaction[k]
            worst = max(worst, abs(total) / (size + abs(reaction[k])))
        return worst


def dalembert(name, tree, more="", tolerance=1e-11):
    said = evaluate(tree.text(more))
    if not tap.check("error" not in said, name + ".evaluated", said.get("error")):
        return said
    own = said["methods"]["multipliers"]
    reaction = own.get("reaction") or [0.0] * len(said["q"])
    worst = tree.unbalanced(said["q"], said["qdot"], own["qddot"], reaction)
    tap.check(worst <= tolerance, name + ".balance", f"{worst:.2g} of the terms of an equation of motion are left")
    return said


def against_series():
    dalembert("chain", Tree(1, 45, ["hinge"], chain=True))
    dalembert("plane", Tree(2, 44, ["hinge", "slider"], planar=True))
    dalembert("branches", Tree(3, 24, ["hinge", "cardan", "slider", "free"]))
    dalembert("rods", Tree(4, 22, ["rod"], chain=True))  # the inertia of a body alone is singular
    dalembert("twenty", Tree(5, 20, ["free", "cardan"], chain=True))


def against_methods():
    for seed in (11, 12, 13):
        tree = Tree(seed, 8, ["free"])
        text = tree.text()
        ours = evaluate(text)["methods"]["multipliers"]["qddot"]
        for method in ("gauss", "gibbs-appell"):
            other = evaluate(text, "--method", method)["methods"][method]["qddot"]
            scale = max(map(abs, other))
            worst = max(abs(a - b) for a, b in zip(ours, other)) / scale
            tap.check(worst <= 1e-11, f"{method}.{seed}", f"differs by {worst:.2g}")


def constrained():
    """A loop closed by a rod, and a constraint on velocities: the forces of the first point along it, both hold."""
    tree = Tree(21, 45, ["hinge"])
    tree.v = [0.0] * 45
    length = math.sqrt(sum((x.a - y.a) ** 2 for x, y in zip(*[tree.places([Series(x) for x in tree.q])[b][0] for b in (20, 44)])))
    said = dalembert("loop", tree, f"rod b20, b44 length {length!r}\nconstraint pair: q1' + 2*q2' = 0", 1e-9)
    if "error" in said:
        return
    a = said["methods"]["multipliers"]["qddot"]
    place = tree.places([Series(said["q"][i], said["qdot"][i], a[i] / 2) for i in range(45)])
    gap = [x - y for x, y in zip(place[20][0], place[44][0])]
    square = gap[0] * gap[0] + gap[1] * gap[1] + gap[2] * gap[2]
    tap.check(abs(square.c) <= 1e-9 * max(map(abs, a)), "loop.rod", square.c)
    tap.check(abs(a[0] + 2 * a[1]) <= 1e-9 * max(map(abs, a)), "loop.pair", a[0] + 2 * a[1])
    # missing velocities: those of least kinetic energy, as the methods with the whole M find them from another start
    text = tree.text("constraint pair: q1' + q2' + q3' = 1")
    text = "\n".join(l if not l.startswith("start") else
                     "start " + ", ".join(f"{n} = {x!r}" for n, x in zip(tree.names, tree.q)) + ", q4' = 0.5"
                     for l in text.splitlines()) + "\n"
    found = evaluate(text)
    if not tap.check("error" not in found, "least.evaluated", found.get("error")):
        return
    v, energy = found["qdot"], lambda u: sum(kinetic(tree, u))
    tap.check(abs(v[0] + v[1] + v[2] - 1) < 1e-10 and v[3] == 0.5, "least.holds", v[:4])
    here, step = energy(v), 1e-4
    for i, j in ((0, 1), (0, 2), (5, 5), (30, 30), (44, 44)):
        ahead, behind = list(v), list(v)
        for u, sign in ((ahead, 1), (behind, -1)):
            u[i] += sign * step
            if j != i:
                u[j] -= sign * step
        slope = (energy(ahead) - energy(behind)) / (2 * step)
        tap.check(abs(slope) <= 1e-8 * here, f"least.{i}.{j}", f"the energy changes by {slope:.2g} along, of {here:.2g}")


def kinetic(tree, v):
    """Without what shakes the first body: the square of the velocities alone is least."""
    for o, (r, R) in zip(tree.bodies, tree.places([Series(q, u) for q, u in zip(tree.q, v)], time=0)):
        w = spin(R)[0]
        own = [dot([R[i][k].a for i in range(3)], w) for k in range(3)]
        yield 0.15 * v[1] ** 2 / len(v)
        yield o["mass"] * sum(x.b ** 2 for x in r) / 2 + sum(I * x * x for I, x in zip(o["inertia"], own)) / 2


def laguerre(n, x):
    """L_0 … L_n at x."""
    L = [1.0, 1 - x]
    for k in range(1, n):
        L.append(((2 * k + 1 - x) * L[k] - k * L[k - 1]) / (k + 1))
    return L


def hanging_chain(n=50):
    """n equal masses on a thread: the frequencies are (g/l) times the zeros of the Laguerre polynomial L_n, the mass that is the
    k-th from below moves by L_k [D. Bernoulli 1733]."""
    low, high = 0.0, 2.0 / n
    while laguerre(n, high)[n] > 0:
        high *= 1.3
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if laguerre(n, middle)[n] > 0 else (low, middle)
    L = laguerre(n, low)
    moved = [1e-6 * L[n - 1 - i] for i in range(n)]  # from above
    slope = [moved[0]] + [moved[i] - moved[i - 1] for i in range(1, n)]
    q = [slope[0]] + [slope[i] - slope[i - 1] for i in range(1, n)]
    lines = ["gravity (0, -9.81, 0)"]
    for i in range(n):
        lines += [f"coordinate q{i}",
                  f"body b{i} mass 1 inertia (0, 0, 0)" + (f" on b{i - 1}" if i else "") + f" at (sin(q{i}), -cos(q{i})) turn z q{i}",
                  f"start q{i} = {q[i]!r}, q{i}' = 0"]
    said = evaluate("\n".join(lines) + "\n")
    if tap.check("error" not in said, "bernoulli.evaluated", said.get("error")):
        a = said["methods"]["multipliers"]["qddot"]
        wrong = max(abs(x + 9.81 * low * y) for x, y in zip(a, q)) / max(9.81 * low * abs(y) for y in q)
        tap.check(wrong < 1e-8, "bernoulli", f"off by {wrong:.2g} of the largest")


def swinging_chain(n=45):
    """All its frequencies, by the slopes of the motion: (g/l) times the zeros of L_n. Newton's step from each is none."""
    lines = ["gravity (0, -9.81, 0)"]
    for i in range(n):
        lines += [f"coordinate q{i}",
                  f"body b{i} mass 1 inertia (0, 0, 0)" + (f" on b{i - 1}" if i else "") + f" at (sin(q{i}), -cos(q{i})) turn z q{i}",
                  f"start q{i} = 0, q{i}' = 0"]
    status, out, err = run("stability", "\n".join(lines) + "\n", "--json")
    if not tap.check(status == 0, "swinging", err):
        return
    found = sorted(x * x / 9.81 for re, x in json.loads(out)["eigenvalues"] if x > 0)
    wrong = []
    for x in found:
        L = laguerre(n, x)
        wrong.append(abs(L[n] / (n * (L[n] - L[n - 1]))))  # L_n / (x L_n')
    tap.check(len(found) == n and max(wrong) < 1e-9, "swinging.zeros", f"{len(found)}, off by {max(wrong, default=0):.2g}")
    tap.check(all(b > a * (1 + 1e-6) for a, b in zip(found, found[1:])), "swinging.all", found)


def free_chain(n, more=""):
    lines = ["gravity (0, -9.81, 0)"]
    for i in range(n):
        joint = "1/2 + " if i else ""
        lines += [f"coordinate a{i}, p{i}",
                  f"body b{i} mass 1 inertia (0.01, 1/12, 1/12)" + (f" on b{i - 1}" if i else "")
                  + f" at ({joint}cos(a{i})*cos(p{i})/2, sin(a{i})*cos(p{i})/2, -sin(p{i})/2) turn z a{i}, y p{i}",
                  f"start a{i} = {0.1 * (i * 7 % 5 - 2):.2f}, a{i}' = {0.1 * (i * 3 % 7 - 3):.2f}, p{i} = 0.1, p{i}' = 0.2"]
    return "\n".join(lines + [more]) + "\n"


def energies():
    """Proved of long trees without a normal form; not where something drives or binds them."""
    n = tap.amount(25, 50, 50)
    moved = free_chain(n, "dissipation 0.1*a3'^2/2")
    shaken = free_chain(n).replace("at (cos(a0)", "at (0.1*sin(t) + cos(a0)")
    for name, text, verdict in (("free", free_chain(n), "proved"), ("damped", moved, "false"), ("shaken", shaken, "false")):
        status, out, err = run("verify", text + 'claim "kept": constant energy\n', "--json", "--states=20")
        said = json.loads(out)["claims"][0]["verdict"] if out else err
        tap.check(said == verdict, f"energy.{name}", said)
    status, out, err = run("verify", shaken + 'claim "kept": constant jacobi\n', "--json", "--states=20")
    tap.check(json.loads(out)["claims"][0]["verdict"] == "false", "jacobi.shaken", out)
    status, out, err = run("integrals", free_chain(tap.amount(21, 25, 25)), "--json")
    found = json.loads(out)["integrals"] if out else []
    tap.check([(x["name"], x["verdict"], x["expression"]) for x in found] == [("energy", "proved", None)], "integrals.energy", out[:500], err)


def motions():
    tree = Tree(31, 45, ["hinge", "cardan"], chain=True)
    text = tree.text().replace("damping = 0.1", "damping = 0")
    text = "\n".join(l for l in text.splitlines() if not l.startswith(("force", "torque", "input"))) + "\n"
    text = text.replace(" + 0.3*u*sin(2*t)", "")
    ends = []
    for options in tap.some((["--engine=interpret"], [], ["--integrator=adams", "--rtol=1e-11"], ["--set", "g=9.81"]), 2):
        status, out, err = run("simulate", text, "--samples=2", *options)
        rows = list(csv.DictReader(io.StringIO(out)))
        if not tap.check(status == 0 and len(rows) >= 2, f"motion{''.join(options)}", err):
            continue
        ends.append([float(rows[-1][c]) for c in ("q1", "q9", "energy")])
        E = [float(r["energy"]) for r in rows]
        tap.check(abs(E[-1] - E[0]) <= 1e-8 * (1 + abs(E[0])), f"energy{''.join(options)}", E)
    for other in ends[1:]:
        wrong = max(abs(x - y) for x, y in zip(ends[0], other))
        tap.check(wrong <= 1e-6, "motions.agree", f"ends differ by {wrong:.2g}")


def long_ones():
    """A thousand bodies: the full mass matrix would have a million entries and did not fit."""
    lines = ["gravity (0, -9.81, 0)"]
    for i in range(1000):
        lines += [f"coordinate q{i}", f"body b{i} mass 1 inertia (0, 0, 1/12)" + (f" on b{i - 1}" if i else "")
                  + f" at (cos(q{i})/2{' + 1/2' if i else ''}, sin(q{i})/2) turn z q{i}",
                  f"start q{i} = {0.1 * ((i * 7) % 5 - 2):.2f}, q{i}' = {0.1 * ((i * 3) % 7 - 3):.2f}"]
    said = evaluate("\n".join(lines) + "\n")
    if tap.check("error" not in said, "thousand", said.get("error")):
        a, v, q = said["methods"]["multipliers"]["qddot"], said["qdot"], said["q"]
        # the moments about every joint, from the end inward, as of rods in a plane
        theta = rate = bend = 0.0
        x = y = ax = ay = 0.0
        ends = []
        for i in range(1000):
            theta, rate, bend = theta + q[i], rate + v[i], bend + a[i]
            c, s = math.cos(theta), math.sin(theta)
            start = (x, y)
            ex, ey = -bend * s - rate ** 2 * c, bend * c - rate ** 2 * s
            ends.append((start, (x + c / 2, y + s / 2), (ax + ex / 2, ay + ey / 2 + 9.81), bend / 12))
            x, y, ax, ay = x + c, y + s, ax + ex, ay + ey
        fx = fy = moment = size = 0.0
        worst, last = 0, None
        for start, centre, f, own in reversed(ends):
            if last:
                moment += (last[0] - start[0]) * fy - (last[1] - start[1]) * fx
                size += abs((last[0] - start[0]) * fy) + abs((last[1] - start[1]) * fx)
            part = (centre[0] - start[0]) * f[1] - (centre[1] - start[1]) * f[0] + own
            moment, fx, fy, last = moment + part, fx + f[0], fy + f[1], start
            size += abs((centre[0] - start[0]) * f[1]) + abs((centre[1] - start[1]) * f[0]) + abs(own)
            worst = max(worst, abs(moment) / size)
        tap.check(worst < 1e-9, "thousand.moments", f"{worst:.2g} is left at a joint")


def written(name, tree):
    """The rows of `derive`, each line in the names of those before it, hold for the accelerations of `eval`; a changed one does not."""
    text = tree.text().replace("input u", "parameter u")
    said = evaluate(text)
    status, out, err = run("derive", text, "--json")
    if not tap.check(status == 0 and "error" not in said, f"{name}.written", err):
        return
    a = said["methods"]["multipliers"]["qddot"]
    state = {n: Dual(x) for n, x in (said["parameters"] | {"t": said["t"]}).items()}
    for n, x, v, acceleration in zip(tree.names, said["q"], said["qdot"], a):
        state |= {n: Dual(x), n + "'": Dual(v), n + "''": Dual(acceleration)}
    equations = json.loads(out)["equations"]
    code = Code()
    names, rows = equations[:-len(tree.names)], equations[-len(tree.names):]
    lines = [f"s[{e['unknown']!r}] = {code.text(read(e['ascii']))}" for e in names]
    rows = [f"({code.text(read(e['left']['ascii']))}, {code.text(read(e['ascii']))})" for e in rows]
    made = code.function(lines + [f"return [{', '.join(rows)}]"])

    def worst(state):
        rest = [abs(l.a - r.a) for l, r in made(state)]
        return max(rest) / max(abs(x.a) for x in state.values())
    tap.check(worst(state) < 1e-11, f"{name}.rows.hold", f"{worst(state):.2g} is left")
    last = tree.names[-1] + "''"
    state[last] = Dual(state[last].a + 0.01)
    tap.check(worst(state) > 1e-7, f"{name}.rows.determine", f"{worst(state):.2g} is left of a changed {last}")


def written_down():
    if tap.amount(False, True, True):
        written("chain", Tree(1, 45, ["hinge"], chain=True))
        written("plane", Tree(2, 44, ["hinge", "slider"], planar=True))
    written("branches", Tree(3, 24, ["hinge", "cardan", "slider", "free"]))
    written("few", Tree(6, 7, ["hinge", "cardan", "free"]))


def damped(n):
    lines = ["parameter c = 0.01", "gravity (0, -9.81, 0)"]
    for i in range(n):
        lines += [f"coordinate q{i}", f"body b{i} mass 1 inertia (0, 0, 1/12)" + (f" on b{i - 1}" if i else "")
                  + f" at (cos(q{i})/2{' + 1/2' if i else ''}, sin(q{i})/2) turn z q{i}", f"start q{i} = 0.1"]
    losses = " + ".join(f"q{i}'^2" for i in range(n))
    return "\n".join(lines + [f"dissipation c*({losses})/2", 'claim "kept": der(energy) = 0',
                              f'claim "lost": der(energy) = -c*({losses})', "claim \"still\": q3'' = 0"]) + "\n"


def questions():
    """`check` and `verify` of long trees: what is false is never called true, in balls where that is possible, and they end."""
    for n in tap.some((45, 160), 2):
        text = damped(n)
        status, out, err = run("check", text)
        tap.check(status == 0 and "is not constant" in out, f"energy of {n}", out + err)
        status, out, err = run("verify", text, "--json", "--states=20")
        said = {c["label"]: c["verdict"] for c in json.loads(out)["claims"]}
        tap.check(said["kept"] == ("false" if n == 45 else "unknown"), f"{n}.kept", said)
        tap.check(said["still"] == ("false" if n == 45 else "unknown"), f"{n}.still", said)
        tap.check(said["lost"] == ("holds" if n == 45 else "unknown"), f"{n}.lost", said)


written_down()
questions()
against_series()
against_methods()
if tap.amount(False, True, True):
    constrained()
hanging_chain()
swinging_chain()
energies()
motions()
long_ones()
tap.done()

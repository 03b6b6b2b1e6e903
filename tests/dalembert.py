#!/usr/bin/env python3
"""Machines by d'Alembert's principle, in 50 digits: bodies are places and attitudes as functions of the coordinates, all else is made of
differences of these. Nothing of it knows how the program works: contacts are looked for anew at every place that a difference asks for."""
import json
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "harness"))
import tap

try:
    from mpmath import cos, findroot, lu_solve, matrix, mp, mpf, pi, sin, sqrt
except ImportError:
    tap.skip("all", "python3-mpmath is not installed")
    tap.done()
    sys.exit()

mp.dps = 50
STEP = mpf(10) ** -16  # differences of second order are right to 32 digits or so
TOLERANCE = 1e-12      # of the largest acceleration: doubles, and as ill conditioned as these machines are


def numbers(*x): return [mpf(a) for a in x]
def add(a, b): return [x + y for x, y in zip(a, b)]
def sub(a, b): return [x - y for x, y in zip(a, b)]
def times(k, a): return [k * x for x in a]
def dot(a, b): return sum(x * y for x, y in zip(a, b))
def cross(a, b): return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
def norm(a): return sqrt(dot(a, a))
def unit(a): return times(1 / norm(a), a)
def apply(A, x): return [dot(row, x) for row in A]
def transposed(A): return [list(row) for row in zip(*A)]
def product(A, B): return [[dot(row, column) for column in zip(*B)] for row in A]
def axis(R, k): return [R[i][k - 1] for i in range(3)]
def tangents(n): return [cross(n, [1, 0, 0]), cross(n, cross(n, [1, 0, 0]))]


def turned(*turns):
    R = [[mpf(i == k) for k in range(3)] for i in range(3)]
    for about, a in turns:
        c, s = cos(a), sin(a)
        R = product(R, {"x": [[1, 0, 0], [0, c, -s], [0, s, c]], "y": [[c, 0, s], [0, 1, 0], [-s, 0, c]],
                        "z": [[c, -s, 0], [s, c, 0], [0, 0, 1]]}[about])
    return R


def attitude(e):
    a, b, c, d = unit(e)
    return [[a * a + b * b - c * c - d * d, 2 * (b * c - a * d), 2 * (b * d + a * c)],
            [2 * (b * c + a * d), a * a - b * b + c * c - d * d, 2 * (c * d - a * b)],
            [2 * (b * d - a * c), 2 * (c * d + a * b), a * a - b * b - c * c + d * d]]


def inertia(*of):
    A, B, C, D, E, F = numbers(*of) + [mpf(0)] * (6 - len(of))
    return [[A, F, E], [F, B, D], [E, D, C]]


def spin(before, here, after):
    W = product([[(b - a) / (2 * STEP) for a, b in zip(*rows)] for rows in zip(before, after)], transposed(here))
    return [(W[2][1] - W[1][2]) / 2, (W[0][2] - W[2][0]) / 2, (W[1][0] - W[0][1]) / 2]


def moved(q, v, by): return [x + by * y for x, y in zip(q, v)]


def motion(bodies, q, v, t):
    """Velocity, acceleration, angular velocity and its rate of every body, along q + v s."""
    at = [bodies(moved(q, v, k * STEP), t + k * STEP) for k in (-2, -1, 0, 1, 2)]
    out = []
    for b in range(len(at[0])):
        r, R = [p[b][2] for p in at], [p[b][3] for p in at]
        w = [spin(*R[k - 1:k + 2]) for k in (1, 2, 3)]
        out.append((times(1 / (2 * STEP), sub(r[3], r[1])), times(1 / STEP ** 2, add(sub(r[3], times(2, r[2])), r[1])), w[1],
                    times(1 / (2 * STEP), sub(w[2], w[0]))))
    return out


def material(bodies, b, q, v, t, place):
    u, _, w, _ = motion(bodies, q, v, t)[b]
    return add(u, cross(w, sub(place, bodies(q, t)[b][2])))


def slopes(f, q, t):
    """Of each function by each coordinate: rows are coordinates."""
    units = [[mpf(i == k) for k in range(len(q))] for i in range(len(q))]
    return [times(1 / (2 * STEP), sub(f(moved(q, e, STEP), t), f(moved(q, e, -STEP), t))) for e in units]


def accelerations(bodies, q, v, t, places, speeds=lambda q, v, t: [], potential=None, loads=None, forces=None):
    """places(q, t) = 0, speeds(q, v, t) = 0 affine in v; loads: forces and torques on bodies; forces: on coordinates."""
    n, here, moving = len(q), bodies(q, t), motion(bodies, q, v, t)
    units = [[mpf(i == k) for k in range(n)] for i in range(n)]
    ways = []
    for e in units:
        back, on = bodies(moved(q, e, -STEP), t), bodies(moved(q, e, STEP), t)
        ways.append([(times(1 / (2 * STEP), sub(y[2], x[2])), spin(x[3], b[3], y[3])) for x, b, y in zip(back, here, on)])
    M, f = matrix(n, n), matrix(n, 1)
    given = [(times(b[0], [0, 0, -mpf("9.81")]), [mpf(0)] * 3) for b in here]
    for b, F, N in loads(q, v, t) if loads else []:
        given[b] = add(given[b][0], F), add(given[b][1], N)
    for b, (m, own, _, R) in enumerate(here):
        I, (_, a, w, wdot) = product(product(R, own), transposed(R)), moving[b]
        left = sub(given[b][0], times(m, a)), sub(sub(given[b][1], apply(I, wdot)), cross(w, apply(I, w)))
        for i in range(n):
            f[i] += dot(ways[i][b][0], left[0]) + dot(ways[i][b][1], left[1])
            for k in range(n):
                M[i, k] += m * dot(ways[i][b][0], ways[k][b][0]) + dot(ways[i][b][1], apply(I, ways[k][b][1]))
    for i, x in enumerate(slopes(lambda q, t: [potential(q, t)], q, t) if potential else []):
        f[i] -= x[0]
    for i, x in enumerate(forces(q, v, t) if forces else []):
        f[i] += x
    before, now, after = (places(moved(q, v, k * STEP), t + k * STEP) for k in (-1, 0, 1))
    gamma = [(a - 2 * b + c) / STEP ** 2 for a, b, c in zip(before, now, after)]
    rows = transposed(slopes(places, q, t))
    rest = speeds(q, v, t)
    gamma += times(1 / (2 * STEP), sub(speeds(moved(q, v, STEP), v, t + STEP), speeds(moved(q, v, -STEP), v, t - STEP)))
    rows += transposed([sub(speeds(q, add(v, e), t), rest) for e in units]) if rest else []
    A, b = matrix(n + len(rows), n + len(rows)), matrix(n + len(rows), 1)
    A[:n, :n], b[:n, 0] = M, f
    for k, row in enumerate(rows):
        b[n + k] = -gamma[k]
        for i in range(n):
            A[i, n + k], A[n + k, i] = -row[i], row[i]
    return lu_solve(A, b)[:n]


def compare(name, text, names, bodies, places, **of):
    said = subprocess.run([tap.BUILD / "anholo", "eval", "-", "--json"], input=text, capture_output=True, text=True)
    if not tap.check(said.returncode == 0, name, said.stderr):
        return
    answer = json.loads(said.stdout)
    all_names = answer["coordinates"]
    number = lambda key, of: [mpf(of[key][all_names.index(n)]) for n in names]
    wanted = accelerations(bodies, number("q", answer), number("qdot", answer), mpf(answer["t"]), places, **of)
    found = number("qddot", answer["methods"]["multipliers"])
    off = max(abs(x - y) for x, y in zip(found, wanted)) / max(map(abs, wanted))
    tap.check(off < TOLERANCE, name + ".accelerations", f"off by {mp.nstr(off, 3)} of the largest")


ANGLES = ["x", "y", "z", "psi", "theta", "phi"]


def edge_on_a_table():
    """The lower edge of a cylinder on a table that is tilted, shaken, turning and a belt; a spring and a damper to fixed places."""
    text = """parameter R = 0.1, h = 0.2
coordinate x, y, z, psi, theta, phi
body B mass 1.3 inertia (0.004, 0.0045, 0.005) at (x, y, z) turn z psi, x theta, z phi
gravity (0, 0, -9.81)
shape B disc radius R at (0, 0, -h/2)
surface floor plane at (0, 0, 0.1*sin(3*t)) normal (0.2, 0.1, 1) turning 1.5 moving (0.3, 0, -0.06)
roll B on floor
spring B, (1, 1, 1) stiffness 7 length 0.4
damper B, (0, 1, 2) damping 0.3
force psi = 0.2*cos(t)
start x = 0.1, y = 0.2, psi = 0.3, theta = 0.6, phi = 0.2, theta' = 1, phi' = 2
simulate t = 0.4 .. 1
"""
    n = unit(numbers("0.2", "0.1", 1))
    def bodies(q, t): return [(mpf("1.3"), inertia("0.004", "0.0045", "0.005"), q[:3], turned(*zip("zxz", q[3:])))]
    def table(t): return [0, 0, mpf("0.1") * sin(3 * t)]

    def place(q, t):
        e = axis(bodies(q, t)[0][3], 3)
        return sub(sub(q[:3], times(mpf("0.1"), e)), times(mpf("0.1"), unit(sub(n, times(dot(n, e), e)))))

    def slip(q, v, t):
        c = place(q, t)
        under = add(numbers("0.3", 0, "-0.06"), add([0, 0, mpf("0.3") * cos(3 * t)], cross(times(mpf("1.5"), n), sub(c, table(t)))))
        return [dot(a, sub(material(bodies, 0, q, v, t, c), under)) for a in tangents(n)]

    def forces(q, v, t):
        d = sub(q[:3], [0, 1, 2])
        return times(-mpf("0.3") * dot(d, v[:3]) / dot(d, d), d) + [mpf("0.2") * cos(t), 0, 0]
    compare("edge on a table", text, ANGLES, bodies, lambda q, t: [dot(n, sub(place(q, t), table(t)))], speeds=slip, forces=forces,
            potential=lambda q, t: mpf(7) / 2 * (norm(sub(q[:3], [1, 1, 1])) - mpf("0.4")) ** 2)


EDGE = """coordinate x, y, z, psi, theta, phi
body B mass 1.1 inertia (0.02, 0.025, 0.04) at (x, y, z) turn z psi, x theta, z phi
gravity (0, 0, -9.81)
shape B disc radius 0.3 at (0.02, 0, -0.1)
{}
start x = 0.1, y = 0.2, z near {}, psi = 0.3, theta = 1.1, phi = 0.2, theta' = 0.6
simulate t = 0.2 .. 1
"""


def edge(q, t):
    """The body, and the centre of its edge."""
    R = turned(*zip("zxz", q[3:]))
    return [(mpf("1.1"), inertia("0.02", "0.025", "0.04"), q[:3], R)], add(q[:3], apply(R, numbers("0.02", 0, "-0.1"))), R


def edge_on_a_ball():
    """Rubber rolling on a sphere that moves: the place of the edge that is nearest to its centre."""
    bodies = lambda q, t: edge(q, t)[0]
    def centre(t): return [0, mpf("0.1") * t, 0]

    def place(q, t):
        _, c, R = edge(q, t)
        d, e = sub(centre(t), c), axis(R, 3)
        return add(c, times(mpf("0.3"), unit(sub(d, times(dot(d, e), e)))))

    def slip(q, v, t):
        c = place(q, t)
        n, s = unit(sub(c, centre(t))), sub(material(bodies, 0, q, v, t, c), numbers(0, "0.1", 0))
        return [dot(a, s) for a in tangents(n)] + [dot(n, motion(bodies, q, v, t)[0][2])]
    compare("edge on a ball", EDGE.format("surface S sphere radius 0.8 at (0, 0.1*t, 0)\nroll B on S without spinning", 1.1), ANGLES, bodies,
            lambda q, t: [norm(sub(place(q, t), centre(t))) - mpf("0.8")], speeds=slip)


def edge_on_a_sheet():
    """The lowest place of the edge above a sheet, by Newton's steps at every place that is asked for."""
    bodies = lambda q, t: edge(q, t)[0]
    def height(x, y): return x * y / 10 + y * y / 5 - x * x / 20
    def upward(p): return [(p[0] - p[1]) / 10, -p[0] / 10 - 2 * p[1] / 5, mpf(1)]

    def place(q, t):
        _, c, R = edge(q, t)
        at = lambda s: add(c, add(times(mpf("0.3") * cos(s), axis(R, 1)), times(mpf("0.3") * sin(s), axis(R, 2))))
        along = lambda s: sub(times(cos(s), axis(R, 2)), times(sin(s), axis(R, 1)))
        above = lambda p: p[2] - height(p[0], p[1])
        first = min((2 * pi * k / 40 for k in range(40)), key=lambda s: above(at(s)))
        s = findroot(lambda s: dot(upward(at(s)), along(s)), (first, first + mpf("0.01")), tol=mpf(10) ** -90, verify=False, maxsteps=60)
        return at(s)

    def slip(q, v, t):
        c = place(q, t)
        return [dot(a, material(bodies, 0, q, v, t, c)) for a in tangents(upward(c))]

    def touch(q, t):
        c = place(q, t)
        return [c[2] - height(c[0], c[1])]
    compare("edge on a sheet", EDGE.format("surface S: (u, v, 0.1*u*v + 0.2*v^2 - 0.05*u^2) for u = -2 .. 2, v = -2 .. 2\nroll B on S", 0.4), ANGLES,
            bodies, touch, speeds=slip)


def machine():
    """A cart, an arm on it, a body of free attitude on a ball joint; springs, dampers, an input, a force at a marker, a torque."""
    text = """coordinate s, a, x, y, z
body cart mass 2 inertia (0.1, 0.2, 0.3) at (s, 0, 0)
body arm mass 0.7 inertia (0.01, 0.02, 0.03, 0.001, -0.002, 0.003) on cart at (0.1*cos(a), 0.05, 0.1*sin(a)) turn y a
body top mass 0.4 inertia (0.004, 0.005, 0.006) at (x, y, z) turn free e
marker P on arm at (0.2, 0.03, -0.04)
marker Q on top at (0.05, -0.1, 0.02)
gravity (0, 0, -9.81)
ball P, Q
spring arm, top stiffness 12 length 0.05
torsion spring cart, arm stiffness 3 angle 0.4 axis y
torsion damper cart, arm damping 0.2 axis y
damper P, (0.3, 0.2, 1) damping 0.8
force on top (0.3, 0.1*t, 0) at position(Q)
torque on top 0.02*axis(top, 2)
dissipation 0.05*s'^2
input u = 0.3*t
force s = u
start s = 0.1, a = 0.3, s' = 0.4, a' = -0.7, e turn z 0.3, x 0.8, y -0.2 turning (1, 0.5, -2)
simulate t = 0.5 .. 1
"""
    def bodies(q, t):
        s, a = q[:2]
        return [(mpf(2), inertia("0.1", "0.2", "0.3"), [s, mpf(0), mpf(0)], turned()),
                (mpf("0.7"), inertia("0.01", "0.02", "0.03", "0.001", "-0.002", "0.003"),
                 [s + mpf("0.1") * cos(a), mpf("0.05"), mpf("0.1") * sin(a)], turned(("y", a))),
                (mpf("0.4"), inertia("0.004", "0.005", "0.006"), q[2:5], attitude(q[5:]))]
    def P(q, t): return add(bodies(q, t)[1][2], apply(bodies(q, t)[1][3], numbers("0.2", "0.03", "-0.04")))
    def Q(q, t): return add(bodies(q, t)[2][2], apply(bodies(q, t)[2][3], numbers("0.05", "-0.1", "0.02")))

    def potential(q, t):
        _, arm, top = bodies(q, t)
        return 6 * (norm(sub(arm[2], top[2])) - mpf("0.05")) ** 2 + mpf("1.5") * (q[1] - mpf("0.4")) ** 2

    def forces(q, v, t):
        slope = [x[0] for x in slopes(lambda q, t: [norm(sub(P(q, t), numbers("0.3", "0.2", 1)))], q, t)]
        out = times(-mpf("0.8") * dot(slope, v), slope)
        return add(out, [mpf("0.3") * t - mpf("0.1") * v[0], -mpf("0.2") * v[1]] + [0] * 7)

    def loads(q, v, t):
        top, F = bodies(q, t)[2], [mpf("0.3"), mpf("0.1") * t, 0]
        return [(2, F, add(cross(sub(Q(q, t), top[2]), F), times(mpf("0.02"), axis(top[3], 2))))]
    compare("cart, arm and top", text, ["s", "a", "x", "y", "z", "e0", "e1", "e2", "e3"], bodies,
            lambda q, t: sub(P(q, t), Q(q, t)) + [dot(q[5:], q[5:]) - 1], potential=potential, forces=forces, loads=loads)


edge_on_a_table()
edge_on_a_ball()
edge_on_a_sheet()
machine()
tap.done()

#!/usr/bin/env python3
"""`anholo linearise` against closed forms, published eigenvalues, and differences at many digits."""
import decimal
import json
import math
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "harness"))
import tap

decimal.getcontext().prec = 60
ANHOLO = tap.BUILD / "anholo"

CART = """parameter M = 2, m = 0.5, l = 0.8, g = 9.81
input F = 0
coordinate x, th
kinetic M*x'^2/2 + m*((x' + l*cos(th)*th')^2 + (l*sin(th)*th')^2)/2
potential m*g*l*cos(th)
force x = F
start x = 0, th = 0
output tip = x + l*sin(th), push = F/M + x'
"""
# v' = (F - c v^2)/m, w' = (N - d w)/J; it runs in circles.
SLEIGH = """parameter m = 2, J = 0.5, c = 0.25, d = 0.2
input F = 4, N = 0.1
coordinate x, y, th
kinetic m*(x'^2 + y'^2)/2 + J*th'^2/2
constraint blade: x'*sin(th) = y'*cos(th)
quasivelocity v = x'*cos(th) + y'*sin(th), w = th', o = x'*sin(th) - y'*cos(th)
let along = F - c*(x'*cos(th) + y'*sin(th))^2
force x = along*cos(th), y = along*sin(th), th = N - d*th'
start x = 0, y = 0, th = 0, x' = 3.5, y' = 0, th' = 0.4
output side = x'*sin(th), fast = 2*v + N
"""
# Nothing is simple here: a bent arm in a plane under a torque, held against gravity.
ARM = """parameter a = 0.7, b = 0.4, m = 1.3, k = 6, g = 9.81
input u = 3 + t, h = 1
coordinate p, q
kinetic m*a^2*p'^2/2 + m*(a^2*p'^2 + b^2*q'^2 + 2*a*b*p'*q'*cos(p - q))/2
potential -m*g*(2*a*cos(p) + b*cos(q)) + k*(p - q)^2/2
force p = u*cos(q) - p', q = h*p - q'*h
start p = 0.2, q = 0.3
"""


def run(text, *words):
    said = subprocess.run([ANHOLO, "linearise", "-", "--json", *words], input=text, capture_output=True, text=True)
    return said.returncode, json.loads(said.stdout)


def near(a, b, tolerance=1e-12):
    return len(a) == len(b) and all(len(x) == len(y) and all(math.isclose(s, t, rel_tol=tolerance, abs_tol=tolerance)
                                                             for s, t in zip(x, y)) for x, y in zip(a, b))


def check_cart():
    status, said = run(CART, "--whole")
    M, m, l, g = 2, 0.5, 0.8, 9.81
    tap.check(status == 0 and said["variables"] == ["x", "th", "x'", "th'"] and
              near(said["A"], [[0, 0, 1, 0], [0, 0, 0, 1], [0, -m*g/M, 0, 0], [0, (M + m)*g/(M*l), 0, 0]]) and
              near(said["B"], [[0], [0], [1/M], [-1/(M*l)]]), "cart.states", said)
    tap.check(near(said["C"], [[1, l, 0, 0], [0, 0, 1, 0]]) and near(said["D"], [[0], [1/M]]) and said["constant"] and
              (said["controllable"], said["observable"], said["unstable"]) == (4, 4, 1), "cart.outputs", said)
    status, said = run(CART)
    tap.check(said["variables"] == ["th", "x'", "th'"] and said["left_out"] == ["tip"] and near(said["C"], [[0, 1, 0]]) and
              said["controllable"] == said["observable"] == 3, "cart.reduced", said)
    _, said = run(CART, "--inputs=", "--outputs", "th, F + 2*th'")
    tap.check(said["B"] == [[], [], []] and near(said["C"], [[1, 0, 0], [0, 0, 2]]) and said["controllable"] == 0, "cart.asked", said)


def check_sleigh():
    v, w = 4, 0.5
    status, said = run(SLEIGH)
    tap.check(status == 0 and near(said["A"], [[-2*0.25*v/2, 0], [0, -0.2/0.5]], 1e-8) and said["constant"] and
              near(said["B"], [[1/2, 0], [0, 1/0.5]]) and near(said["C"], [[2, 0]]) and near(said["D"], [[0, 1]]) and
              said["left_out"] == ["side"] and said["controllable"] == 2, "sleigh", said)
    status, said = run(SLEIGH, "--whole")
    tap.check(not said["constant"] and said["variables"] == ["x", "y", "th", "v", "w"] and
              near(said["A"][:3], [[0, 0, 0, 1, 0], [0, 0, v, 0, 0], [0, 0, 0, 0, 1]], 1e-8) and
              math.isclose(said["state"]["th'"], w), "sleigh.whole", said)


def accelerations(text, state, inputs):
    at = ", ".join(f"{n}={x}" for n, x in state.items())
    drive = [w for n, x in inputs.items() for w in ("--input", f"{n}={x}")]
    said = subprocess.run([ANHOLO, "eval", "-", "--json", "--digits=50", "--at", at, *drive], input=text,
                          capture_output=True, text=True).stdout
    (found,) = json.loads(said)["methods"].values()
    return [decimal.Decimal(x) for x in found["qddot"]]


def check_differences():
    """Every entry of the lower half by central differences of the accelerations at 50 digits."""
    status, said = run(ARM)
    state = {n: decimal.Decimal(x) for n, x in said["state"].items()}
    inputs = {i["name"]: decimal.Decimal(i["value"]) for i in said["inputs"]}
    tap.check(status == 0 and inputs == {"u": 3, "h": 1} and said["controllable"] == 4, "arm.steady", said)
    step, wrong = decimal.Decimal("1e-15"), []
    for table, names in ((said["A"], said["variables"]), (said["B"], list(inputs))):
        for j, name in enumerate(names):
            ends = []
            for sign in (1, -1):
                there, drive = dict(state), dict(inputs)
                (there if name in there else drive)[name] += sign*step
                ends.append(accelerations(ARM, there, drive))
            for i, q in enumerate(("p''", "q''")):
                slope = (ends[0][i] - ends[1][i])/(2*step)
                if abs(float(slope) - table[2 + i][j]) > 1e-12*(1 + abs(float(slope))):
                    wrong.append(f"d{q}/d{name}: {table[2 + i][j]} and {slope}")
    tap.check_none(wrong, "arm.differences")


def check_bicycle():
    """Eigenvalues of the benchmark bicycle."""
    known = {4: [(0.413253315211237, 3.07910818603205), (-1.42944427361325, 0), (-12.1586142657644, 0)],
             5: [(-0.775341882195847, 4.46486771378823), (-0.322866429004085, 0), (-14.0783896927982, 0)]}
    for v, values in known.items():
        said = json.loads(subprocess.run([ANHOLO, "linearise", tap.ROOT / "models/bicycle.ah", "--json", "--at", f"x'={v}, psi=0"],
                                         capture_output=True, text=True).stdout)
        found = [tuple(e) for e in said["eigenvalues"]]
        tap.check(all(any(math.isclose(a, x, rel_tol=1e-10) and math.isclose(b, y, rel_tol=1e-10, abs_tol=1e-12) for x, y in found)
                      for a, b in values) and not any(said["B"]), f"bicycle.{v}", found)


def check_refusals():
    belt = "input s = 0\ncoordinate x, y\nkinetic x'^2 + y'^2\npotential x^2\nconstraint y = s\nstart x = 0, y = 0\n"
    for name, text, *words in (("constraint", belt), ("nobody", CART, "--inputs=G"), ("twice", CART, "--inputs=F,F"),
                               ("ignorable", CART, "--outputs=x"), ("acceleration", CART, "--outputs=th''"),
                               ("nonsense", CART, "--outputs=1 +"), ("at", CART, "--at=nobody=1")):
        status, said = run(text, *words)
        tap.check(status in (1, 2) and "error" in said, f"refused.{name}", said)


check_cart()
check_sleigh()
check_differences()
check_bicycle()
check_refusals()
tap.done()

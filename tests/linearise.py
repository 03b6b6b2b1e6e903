#!/usr/bin/env python3
"""`anholo linearise` against closed forms, published eigenvalues, and differences at many digits."""
import decimal
import json
import math
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile

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


BELT = """parameter m = 2, k = 6
input s = 0.5
unit t = "s", x = "m", s = "m"
coordinate x, y
kinetic m*(x'^2 + y'^2)/2
potential k*(x - y)^2/2
constraint belt: y = s
start x = 0.5, y = 0.5
output place = y + 2*x, speed = y'
"""
# Its pivot is moved: l th'' = -g sin th - s'' cos th.
PENDULUM = """parameter m = 2, l = 0.8, g = 9.81
input s = 0
coordinate th
kinetic m*((s' + l*cos(th)*th')^2 + (l*sin(th)*th')^2)/2
potential -m*g*l*cos(th)
start th = 0, th' = 0
"""


def check_constraints():
    """Inputs in constraints and in what moves with time: columns of their rates, dependent variables along with them."""
    _, said = run(BELT)
    tap.check([i["name"] for i in said["inputs"]] == ["s", "s'", "s''"] and said["variables"] == ["x", "x'"] and
              near(said["A"], [[0, 1], [-3, 0]]) and near(said["B"], [[0, 0, 0], [3, 0, 0]]) and
              near(said["C"], [[2, 0], [0, 0]]) and near(said["D"], [[1, 0, 0], [0, 1, 0]]), "belt", said)
    tap.check(said["units"] == ["m", "m/s"] and [i["unit"] for i in said["inputs"]] == ["m", "m/s", "m/s²"], "belt.units", said)
    _, said = run(PENDULUM)
    tap.check(near(said["A"], [[0, 1], [-9.81/0.8, 0]]) and near(said["B"], [[0, 0, 0], [0, 0, -1/0.8]]), "pendulum", said)
    # outputs of an input that has rates: s and th + 2 s' are formulas of the state and of inputs, what changes with t is none
    _, said = run(PENDULUM, "--outputs", "s, th*(1 + s) + 2*s'")
    tap.check(near(said.get("C", []), [[0, 0], [1, 0]]) and near(said["D"], [[1, 0, 0], [0, 2, 0]]), "pendulum.outputs", said)
    status, said = run(PENDULUM, "--outputs", "th*t")
    tap.check(status == 1 and "error" in said, "pendulum.time", status, said)


def check_near():
    """A pendulum in x and y: `near` says which of the two equilibria is meant."""
    text = """parameter m = 2, g = 9.81, l = 1.2, k = 3
input f = 0
coordinate x, y
kinetic m*(x'^2 + y'^2)/2
potential m*g*y + k*x^2/2
force x = f
constraint rope: x^2 + y^2 = l^2
start x = 0.1, y near {}
"""
    for name, guess, g in (("below", -1, 9.81), ("above", 1, -9.81)):
        status, said = run(text.format(guess))
        tap.check(status == 0 and said["variables"] == ["x", "x'"] and near(said["A"], [[0, 1], [-g/1.2 - 3/2, 0]], 1e-9) and
                  near(said["B"], [[0], [1/2]], 1e-9), f"near.{name}", said)


def check_zeros():
    """Closed forms: x of the cart has zeros where the pendulum swings alone; both outputs together have none."""
    w = math.sqrt(9.81/0.8)
    cases = {"x": [w, -w], "th": [0, 0], "x, th": [], "x + 0.8*th": [], "th'": [0, 0, 0]}
    for outputs, want in cases.items():
        _, said = run(CART, "--whole", "--outputs", outputs)
        found = sorted((a for a, b in said["zeros"] if abs(b) < 1e-6), reverse=True)
        tap.check(len(found) == len(said["zeros"]) == len(want) and all(abs(a - b) < 1e-7 for a, b in zip(found, sorted(want, reverse=True))),
                  f"zeros.{outputs}", said["zeros"])
    # A zero makes the matrix lose rank: its determinant, at a pair that is not real, with D.
    _, said = run(ARM, "--inputs=u", "--outputs=p + u/50")
    n = len(said["A"])
    for re, im in said["zeros"]:
        rows = [[complex(said["A"][i][j]) - (complex(re, im) if i == j else 0) for j in range(n)] + said["B"][i] for i in range(n)]
        rows.append([complex(x) for x in said["C"][0] + said["D"][0]])
        tap.check(abs(determinant(rows)) < 1e-8, f"zeros.rank.{im > 0}.{re:.2f}", determinant(rows))
    tap.check(len(said["zeros"]) == n, "zeros.as_many_as_states", said["zeros"])


def determinant(rows):
    rows, out = [list(r) for r in rows], 1
    while rows:
        at = max(range(len(rows)), key=lambda i: abs(rows[i][0]))
        pivot = rows.pop(at)
        out *= pivot[0] * (-1)**at
        if not pivot[0]:
            return 0
        rows = [[x - r[0]/pivot[0]*y for x, y in zip(r[1:], pivot[1:])] for r in rows]
    return out


def check_any_state():
    """A state where nothing is steady, against differences at 50 digits."""
    state = {n: decimal.Decimal(x) for n, x in {"p": "0.7", "q": "-0.3", "p'": "0.9", "q'": "-1.1"}.items()}
    status, said = run(ARM, "--any-state", "--at", ", ".join(f"{n}={x}" for n, x in state.items()))
    inputs = {"u": decimal.Decimal(3), "h": decimal.Decimal(1)}
    here, step = accelerations(ARM, state, inputs), decimal.Decimal("1e-15")
    wrong = [] if near([said["rate"]], [[0.9, -1.1, *map(float, here)]]) else [said["rate"]]
    for j, name in enumerate(said["variables"]):
        ends = [accelerations(ARM, {**state, name: state[name] + sign*step}, inputs) for sign in (1, -1)]
        for i in range(2):
            slope = float((ends[0][i] - ends[1][i])/(2*step))
            if abs(slope - said["A"][2 + i][j]) > 1e-12*(1 + abs(slope)):
                wrong.append((i, name, slope, said["A"][2 + i][j]))
    tap.check(status == 0 and said["any_state"], "any_state", said)
    tap.check_none(wrong, "any_state.differences")
    # A kinematic model: x' = v cos th, y' = v sin th, th' = w.
    status, said = run("input v = 2, w = 0.5\ncoordinate x, y, th\nvelocity v, w: x' = v*cos(th), y' = v*sin(th), th' = w\n"
                       "start x = 0, y = 0, th = 0\n", "--any-state")
    columns = [i["name"] for i in said["inputs"]]
    tap.check(near(said["A"], [[0, 0, 0], [0, 0, 2], [0, 0, 0]]) and
              near([[r[columns.index("v")], r[columns.index("w")]] for r in said["B"]], [[1, 0], [0, 0], [0, 1]]) and
              near([said["rate"]], [[2, 0, 0.5]]), "any_state.kinematic", said)


def evaluated(formula, values):
    """The number of a formula in the model's language."""
    text = re.sub(r"[A-Za-z_]\w*'*", lambda name: f"V[{name[0]!r}]" if name[0] in values else name[0], formula)
    return float(eval(text.replace("^", "**"), {**vars(math), "abs": abs}, {"V": values}))


def check_symbols():
    """Formulas of one model against the numbers of others with random parameters, inputs and, where any state will do,
    random states."""
    tire = (tap.ROOT / "models/tire.ah").read_text()
    numbers = random.Random(5)
    for name, text, shown, *words in (
            ("cart", CART, True, "--whole"), ("sleigh", SLEIGH, True), ("arm", ARM, False), ("belt", BELT, True),
            ("pendulum", PENDULUM, True), ("tire", tire, True, "--at", "psi=0,w3=0,w5=3"),
            ("sleigh.any", SLEIGH, True, "--any-state"), ("pendulum.any", PENDULUM, True, "--any-state"),
            ("tire.any", tire, True, "--any-state")):
        status, said = run(text, *words)
        symbols, wrong = said["symbolic"], []
        given = dict(re.findall(r"(\w+) = ([0-9.]+)", " ".join(re.findall(r"^(?:parameter|input) .*", text, re.M))))
        anywhere = "--any-state" in words
        tap.check(symbols is not None and symbols["solved"] is shown and any(any(c.isalpha() for c in e) for r in symbols["A"] for e in r),
                  f"symbols.{name}", said)
        for _ in range(4):
            values = {p: float(x)*numbers.uniform(0.8, 1.2) for p, x in given.items()}
            drive = [i["name"] for i in said["inputs"] if i["name"] in values]
            there = list(words)
            if anywhere:
                state = {v: numbers.uniform(0.2, 1) for v in said["variables"]}
                there += ["--at", ",".join(f"{n}={x!r}" for n, x in state.items())]
            other = text
            for u in drive:
                other = re.sub(rf"\b{u} = {given[u]}\b", f"{u} = {values[u]!r}", other)
            there += ["--set", ",".join(f"{p}={x!r}" for p, x in values.items() if p not in drive)] if len(values) > len(drive) else []
            _, found = run(other, *there)
            known = {**found["state"], **dict(zip(found["variables"], [0]*9)), **found["state"], **values,
                     **{i["name"]: i["value"] for i in found["inputs"]}}
            if anywhere:
                known.update(state)
            for k in "ABCD":
                for row, numeric in zip(symbols[k], found[k]):
                    wrong += [f"{k}: {e} is {evaluated(e, known)}, not {x}" for e, x in zip(row, numeric)
                              if abs(evaluated(e, known) - x) > 1e-9*(1 + abs(x))]
            wrong += [f"rate {e}: {x}" for e, x in zip(symbols["rate"], found["rate"]) if abs(evaluated(e, known) - x) > 1e-9]
        tap.check_none(wrong, f"symbols.{name}.numbers")
    status, said = run((tap.ROOT / "models/bicycle.ah").read_text(), "--at", "x'=5")
    tap.check(status == 0 and said["symbolic"] is None, "symbols.large", said["symbolic"])


def check_files():
    """What is written for other programs is what JSON says, read by them."""
    _, said = run(CART, "--whole")
    with tempfile.TemporaryDirectory() as folder:
        for kind in ("py", "m", "npy", "json"):
            done = subprocess.run([ANHOLO, "linearise", "-", "--whole", "-o", f"{folder}/it.{kind}"], input=CART, text=True,
                                  capture_output=True)
            tap.check(done.returncode == 0, f"files.{kind}", done.stderr)
        done = subprocess.run([ANHOLO, "linearise", "-", "--whole", "-o", f"{folder}/it.tex"], input=CART, text=True)
        tex = pathlib.Path(folder, "it.tex").read_text()
        tap.check(done.returncode == 0 and "\\begin{bmatrix}" in tex and "\\frac{" in tex and tex.count("bmatrix") == 8, "files.tex", tex)
        tap.check(json.loads(pathlib.Path(folder, "it.json").read_text()) == said, "files.same_json")
        done = subprocess.run([ANHOLO, "linearise", "-", "--whole", "--json", "-o", f"{folder}/it.tex"], input=CART, text=True,
                              capture_output=True)
        tap.check(done.returncode == 0 and json.loads(done.stdout) == said, "files.and_json", done.stdout, done.stderr)
        with open("/dev/full", "w") as full:
            done = subprocess.run([ANHOLO, "linearise", "-", "--json", "-o", f"{folder}/it.tex"], input=CART, text=True, stdout=full,
                                  stderr=subprocess.DEVNULL)
        tap.check(done.returncode == 1, "files.and_json to a full disk", done.returncode)
        try:
            import numpy
        except ImportError:
            numpy = None
        if numpy:
            names = {}
            exec(pathlib.Path(folder, "it.py").read_text(), names)
            wrong = [k for k in "ABCD" if names[k].tolist() != said[k] or numpy.load(f"{folder}/it_{k}.npy").tolist() != said[k]]
            tap.check_none(wrong, "files.numpy")
            tap.check(names["states"] == said["variables"] and names["inputs"] == ["F"], "files.names", names["states"])
        if shutil.which("octave-cli"):
            done = subprocess.run(["octave-cli", "-q", "--no-init-file", "--eval", "it; printf ('%.17g ', A', B', C', D')"],
                                  cwd=folder, capture_output=True, text=True)
            tap.check([float(x) for x in done.stdout.split()] == [x for k in "ABCD" for r in said[k] for x in r], "files.octave",
                      done.stdout, done.stderr)
        for name, path in (("ending", f"{folder}/it.xls"), ("nowhere", f"{folder}/no/it.py"), ("nowhere_npy", f"{folder}/no/it.npy")):
            done = subprocess.run([ANHOLO, "linearise", "-", "-o", path], input=CART, text=True, capture_output=True)
            tap.check(done.returncode in (1, 2) and done.stderr, f"files.bad.{name}", done.stderr)


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
    for name, text, *words in (("nobody", CART, "--inputs=G"), ("twice", CART, "--inputs=F,F"),
                               ("ignorable", CART, "--outputs=x"), ("acceleration", CART, "--outputs=th''"),
                               ("nonsense", CART, "--outputs=1 +"), ("at", CART, "--at=nobody=1")):
        status, said = run(text, *words)
        tap.check(status in (1, 2) and "error" in said, f"refused.{name}", said)


check_cart()
check_sleigh()
check_differences()
check_constraints()
check_near()
check_zeros()
check_any_state()
check_symbols()
check_files()
check_bicycle()
check_refusals()
tap.done()

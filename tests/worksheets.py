#!/usr/bin/env python3
"""Worksheets end in equations that can be used.

derive --json of the models by the methods that `check` lists: there are equations, every symbol in them is explained
before it is used, and, read back and evaluated here (harness/sheetcheck.py) at random states on the constraints, they
give the accelerations that `eval` has by another method. Without AH_FULL a selection of the models.
"""
import itertools
import json
import math
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import unicodedata

sys.path.insert(0, str(pathlib.Path(__file__).parent / "harness"))
import tap
from sheetcheck import Dual, Sheet, Undefined, evaluate, names

ANHOLO = tap.BUILD / "anholo"
MODELS = sorted((tap.ROOT / "models").glob("*.ah"))
FOLDER = tempfile.TemporaryDirectory()
FULL = bool(os.environ.get("AH_FULL"))
SELECTION = {"cone_of_velocities", "point_45", "second_class", "tire"}
if tap.amount(False, True, True):
    SELECTION |= {"bicycle", "double_pendulum", "mixed_degrees", "rolling_disc_pendulum", "shaft", "skate_pendulum"}
LONG = {"bicycle"}  # parts of an elimination that nobody looks for zeros in
KINEMATIC = {"tractor_trailers"}  # its inputs are velocities: there are no accelerations to compare
STATES = 2 if FULL else 1
AGREE = 1e-7  # of the size of the accelerations: two elimination orders, a state that is projected to round-off


def ask(*words):
    said = subprocess.run([ANHOLO, *map(str, words)], capture_output=True, text=True)
    return json.loads(said.stdout)


def settled(path):
    """The model, or a copy with its inputs as what they are by default: eval puts them in, too."""
    text = path.read_text()
    inputs = re.search(r"^input ([^#\n]*)", text, re.M)
    if not inputs:
        return path
    each = re.split(r",\s*(?=\w+\s*=)", inputs[1].strip())
    copy = pathlib.Path(FOLDER.name) / path.name
    text = text.replace(inputs[0], "\n".join("let " + e for e in each))
    copy.write_text(re.sub(r"^(claim|refute|output|stop)\b.*\n", "", text, flags=re.M))  # they may name the rates of inputs
    return copy


def parameters(answer):
    """The velocity parameters of the model, if it has any."""
    z = answer["methods"].get("parametric", {}).get("z", {})
    return {n: v for n, v in z.items() if not n.endswith("'")}


def states(model, count):
    """Answers of eval at random states near the start."""
    start = ask("eval", model, "--json", "--method=all", "--project")
    if "error" in start:
        return
    rng = random.Random(model.stem)
    yield start
    for _ in range(4 * count):
        if count <= 1:
            return
        at = [f"{n}={q + rng.uniform(-0.3, 0.3):.6f}" for n, q in zip(start["coordinates"], start["q"])]
        speeds = parameters(start) or {n + "'": v for n, v in zip(start["coordinates"], start["qdot"])}
        at += [f"{n}={v + rng.uniform(-0.5, 0.5):.6f}" for n, v in speeds.items()]
        answer = ask("eval", model, "--json", "--method=all", "--project", "--at", ",".join(at))
        if "error" in answer or answer["residual"] > 1e-9:
            continue
        yield answer
        count -= 1


def known(answer, own, sheet):
    """Numbers by symbol, and the rates of those that change. A symbol that a row of the sheet introduces, a momentum
    say, is what that row says."""
    state, rates = {"t": answer["t"]} | answer["parameters"], {"t": 1.0}
    for name, q, v in zip(answer["coordinates"], answer["q"], answer["qdot"]):
        state |= {name: q, name + "'": v}
        rates |= {name: v, name + "'": name + "''"}
    for name, value in (parameters(answer) | own.get("z", {}) | own.get("omega", {})).items():
        if name in state:
            continue
        state[name] = value
        rates[name] = name + "'"
    for left, right in sheet.rows:
        if left[0] == "name" and not left[1].endswith("'") and left[1] not in state:
            state[left[1]] = sheet.value(right, state)
            rates[left[1]] = left[1] + "'"
    return state, rates


def accelerations(answer, method):
    """By another method."""
    for name in ("gauss", "multipliers", "parametric", "lagrange", "second-class"):
        other = answer["methods"].get(name, {})
        if name != method and other.get("qddot"):
            return other["qddot"], other
    own = answer["methods"][method]
    return own.get("qddot"), own


def compare(answer, method, sheet):
    """None, or what is wrong."""
    own = answer["methods"].get(method, {})
    if "refused" in own or not own:
        return None
    state, rates = known(answer, own, sheet)
    want, other = accelerations(answer, method)
    for i in range(1, 1 + len(answer["constraints"]) + len(answer["q"])):
        state |= {"lambda": None, f"lambda{i}": None}
    wrong = sheet.explained(set(state) | {r for r in rates.values() if isinstance(r, str)})
    if wrong:
        return f"{wrong} is not explained"
    if "branches" in own:
        return branches(answer, own, sheet, state, rates)
    got, left = sheet.accelerations(state, rates)
    scale = 1 + max(map(abs, want))
    if not left < AGREE * scale:
        return f"the rows contradict each other by {left}"
    for name, a in zip(answer["coordinates"], want):
        if name + "''" not in got:
            return f"{name}'' is not determined"
        if not abs(got[name + "''"] - a) < AGREE * scale:
            return f"{name}'' = {got[name + chr(39) * 2]}, not {a}"
    return None


def branches(answer, own, sheet, state, rates):
    """Rows that are not linear in the accelerations hold at the stationary points that eval finds."""
    for branch in own.get("branches", []):
        full = {s: Dual(v) for s, v in state.items() if v is not None}
        for name, a in zip(answer["coordinates"], branch["qddot"]):
            full[name + "''"] = Dual(a)
        for i, value in enumerate(branch["multipliers"]):
            full |= {f"lambda{i + 1}": Dual(value), "lambda": Dual(value)}
        worst = max(abs(r.a) for r in sheet.residuals(full))
        if not worst < AGREE:
            return f"a row fails at a stationary point by {worst}"
    return None if own.get("branches") else "there are no branches to compare with"


def twice(answer):
    """Two names of a sheet that stand for the same thing, up to its sign, if there are any: at two arbitrary points."""
    values = {}
    for seed in (1, 2):
        rng = random.Random(seed)
        state = {"pi": Dual(math.pi)}
        for left, right in Sheet(answer).where:
            for symbol in sorted(names(right) - set(state)):
                state[symbol] = Dual(rng.uniform(0.4, 1.6))
            name = next(iter(names(left)))
            try:
                state[name] = evaluate(right, state)
            except ValueError:  # a root of something negative, here
                state[name] = Dual(rng.uniform(0.4, 1.6))
            values.setdefault(name, []).append(abs(state[name].a))
    for first, second in itertools.combinations(values, 2):
        if all(abs(a - b) < 1e-11 * a for a, b in zip(values[first], values[second])):
            return f"{second} is the second name for {first}"
    return None


def check(model):
    methods = [m["name"] for m in ask("check", model, "--json")["methods"] if m["applies"]]
    at = list(states(model, STATES))
    for method in methods:
        answer = ask("derive", model, "--json", "--method", method)
        if "error" in answer:
            continue
        wrong = None
        try:
            sheet = Sheet(answer)
            if not sheet.rows:
                wrong = "there are no equations"
            if model.stem in SELECTION - LONG:
                wrong = wrong or twice(answer)
            for state in at:
                wrong = wrong or compare(state, method, sheet)
            if not at:
                wrong = wrong or "no state to compare at"
        except (Undefined, KeyError, SyntaxError, ZeroDivisionError, ValueError) as error:
            wrong = f"{type(error).__name__}: {error}"
        yield method, wrong


for path in MODELS:
    if not FULL and path.stem not in SELECTION:
        continue
    if path.stem in KINEMATIC:
        continue
    sys.stdout.flush()
    faults = [f"{method}: {wrong}" for method, wrong in check(settled(path)) if wrong]
    tap.check_none(faults, path.stem)


def path_of(name):
    return name if isinstance(name, pathlib.Path) else tap.ROOT / "models" / f"{name}.ah"


def text(name, *options):
    said = subprocess.run([ANHOLO, "derive", path_of(name), *options], capture_output=True,
                          text=True).stdout
    return unicodedata.normalize("NFD", said)


# What an author would not leave: powers multiplied out, sums that are products under a fraction, one difference in both
# directions, a constraint in another order than its terms have.
for name, method, wanted, unwanted in (
        ("shaft", "hamel", "ẇ₂ = (M₁ f + M₂ - I₁ f fdot w₂)/(I₁ f² + I₂)", "sin³t"),
        ("double_pendulum", "multipliers", "(y₁ - y₂)", "(y₂ - y₁)"),
        ("cone_of_velocities", "massa-pagani", "ẋ² + ẏ² - k² ż² = 0", "- k² ż² +"),
        ("cord_machine", "hamel", "w₂ = ξ̇ cos θ + η̇ sin θ - a φ̇", "- a φ̇ +")):
    said = text(name, "--method", method)
    good = unicodedata.normalize("NFD", wanted) in said and unwanted not in said
    tap.check(good, f"{name} by {method}: {wanted}, not {unwanted}", said)

# The model's own names among other terms, and names explained by others; never for the price of a new denominator.
for name, options, wanted, unwanted in (
        ("coaxial_discs", ("--method", "parametric"), "= (p Z₂ + s Z₁)/(p² - s²)", "(m R² a + A a)²"),
        ("coaxial_discs", ("--method", "multipliers"), "= R (Z₂ - Z₁)/(a (p + s))", "2 B R²)"),
        ("cart", ("--method", "hamel"), "= r² (ma w₃² + Z)/(r² m + 2 C_R)", "m_w r²"),
        ("cart", ("--method", "multipliers", "--steps"), "-b m/Λ", "/(m I - ma²)"),
        ("coaxial_discs", ("--method", "multipliers", "--steps"), "where Θ = m a² + 4 B", "4 B² R⁴ - "),
        ("rolling_disc_pendulum", ("--method", "hamel"), "= (R mD κ n₂ sin θ₁ + n₂ (R v₁ + ID) sin θ + ID n₁)/δ", "4 R M n₁"),
        ("skate_pendulum", ("--method", "boltzmann-hamel", "--steps"), "⎢ -ρ F₁   ρ² MT + F₂ ", "4 M + 3 mS + 3 mD) + 2 v₃"),
        ("tire", ("--method", "hamel"), "/(r (m r² + A))", "(m r² + A) sin ψ)"),
        ("double_pendulum", ("--method", "parametric"), "where Ξ = ", "Θ_g")):
    said = text(name, *options)
    good = unicodedata.normalize("NFD", wanted) in said and unwanted not in said
    tap.check(good, f"own names, {name}: {wanted}", said)

# Sums of parameters inside, which a let names but for other terms.
for method in ("hamel", "boltzmann-hamel"):
    said = text("rolling_disc_pendulum", "--method", method)
    wanted = unicodedata.normalize("NFD", "φ̇² (v₂ sin θ + v₃ sin θ₁) cos θ - φ̇ φ̇₁ (R v₁ + ID) cos θ")
    tap.check(wanted in said and "mS k₁² + mD k₁²" not in said, f"own names inside, rolling_disc_pendulum by {method}", said)

# Long solutions: Kane's form is shown, or the system that they are the solution of is mentioned. A short one has nothing beside it.
ROBOT = """system "two links on a cart"
parameter M = 4, m1 = 1.2, m2 = 0.8, l1 = 0.5, l2 = 0.4, g = 9.81
coordinate x, a, b
body cart mass M inertia (1, 1, 1) at (x, 0)
body L1 mass m1 inertia (0, m1*l1^2/12, m1*l1^2/12) on cart at (l1/2*cos(a), l1/2*sin(a)) turn z a
body L2 mass m2 inertia (0, m2*l2^2/12, m2*l2^2/12) on L1 at (l1/2 + l2/2*cos(b), l2/2*sin(b)) turn z b
gravity (0, -g)
"""
EGG = """system "egg"
parameter m = 0.06, a = 0.02, b = 0.03, A = 1.2e-5, C = 1e-5, g = 9.81
coordinate x, y, z, psi, theta, phi
body egg mass m inertia (A, A, C) at (x, y, z) turn z psi, x theta, z phi
gravity (0, 0, -g)
shape egg ellipsoid size (a, a, b)
surface table plane
roll egg on table
start theta = 1.2, psi' = 1, phi' = 3
"""
robot, egg = pathlib.Path(FOLDER.name) / "robot.ah", pathlib.Path(FOLDER.name) / "egg.ah"
robot.write_text(ROBOT)
egg.write_text(EGG)
said = text(robot)
tap.check("(multipliers)" in said and "the method `maggi` has them so" in said, "a robot's solution is long", said)
tap.check("maggi` has" not in text(robot, "--method", "maggi"), "the system itself is not mentioned twice")
said = text(egg)
tap.check("(kane)" in said and "the usual one is that of the method `multipliers`" in said, "an egg by default", said)
tap.check("method `" not in text("tire", "--method", "hamel"), "short solutions stand alone")

# In an align all rows begin at the margin, or all signs stand below each other; headings keep their reference together; nothing is too long
# to be written.
latex = text("tire", "--method", "hamel", "--steps", "--format", "latex")
blocks = re.findall(r"\\begin\{align\*\}\n(.*?)\\end", latex, re.S)
mixed = [b for b in blocks if len({line.lstrip().startswith("&") for line in b.strip().split("\\\\\n")}) > 1 and "bmatrix" not in b
         and "&\\quad" not in b]
tap.check(blocks and not mixed, "rows of one align begin alike", *mixed)
tap.check("\\mbox{\\normalfont\\small [H, 245-246]}" in latex and "d t = 0" in latex, "references and differentials", latex)
said = text("rolling_disc_pendulum", "--method", "boltzmann-hamel", "--steps")
tap.check("Q, quadratic in η, is not written out." in said and "\n  Q\n" not in said, "a name alone says nothing", said)

# A letter of the method is bold where the model has the same one for something else; what is the model's, or has an index, is not.
CLASH = """system "clash"
parameter M = 2, lambda = 3, K = 0.5
coordinate x, y, q
kinetic M*(x'^2 + y'^2)/2 + lambda*q'^2/2
force x = K
constraint c: y''*x'' - q'' = 0
start x = 0, y = 0, q = 0
"""
clash = pathlib.Path(FOLDER.name) / "clash.ah"
clash.write_text(CLASH)
said = text(clash, "--method", "second-class", "--steps")
tap.check("𝐌 = ∂²T/∂𝐪" in said and "Jᵀ 𝛌" in said and "diag(M, M, λ)" in said and "Bold letters" in said,
          "letters of the method are bold", said)
tap.check("𝐌" not in text("double_pendulum", "--method", "gauss", "--steps"), "letters without a double are not")
latex = text(clash, "--method", "second-class", "--steps", "--format", "latex")
tap.check("J^T \\boldsymbol{\\lambda}" in latex and "\\mathbf{M} &=" in latex, "bold in LaTeX", latex)
mathml = text(clash, "--method", "second-class", "--steps", "--format", "mathml")
tap.check("<mi>𝐌</mi>" in mathml and "<mi>𝛌</mi>" in mathml, "bold in MathML")
rows = ask("derive", clash, "--method", "second-class", "--json")["equations"]
tap.check(any("multiplier" in r["ascii"] for r in rows) and not any("lambda" in r["ascii"] for r in rows),
          "the multiplier is not called like the parameter", rows)
clash.write_text(CLASH.replace("y''*x'' - q''", "y'*cos(q) - x'*sin(q)"))
said = text(clash, "--method", "hamel", "--steps")
tap.check("the order" in said and unicodedata.normalize("NFD", "q̇") in said.split("the order")[1].split("\n")[0],
          "names of the model stay in sentences", said)

# Momenta belong to the quasi-velocities, not to the coordinates, of which there are as many.
said = text("skate_front_given", "--method", "hamel", "--steps").split("P = Bᵀ p")[1].split("Transition")[0]
tap.check("\n    n₁:  " in said and "\n    φ:  " not in said, "momenta stand beside their quasi-velocities", said)

# An entry that is called by its name has the number of its row: K_μ of w₃ is K₃, though it is shown first. Indices are not bold.
said = text("cord_machine", "--method", "hamel", "--steps")
tap.check("= K₃ w₃ + K₄ w₄" in said and "𝛍" not in said and "𝛒" not in said, "numbers of entries", said)
said = text("vertical_disc", "--method", "multipliers", "--steps")
tap.check("K = ½ m" in said and "∂²K/∂" in said and "∂²T" not in said, "one letter for the kinetic energy", said)
latex = text("vertical_disc", "--method", "multipliers", "--steps", "--format", "latex")
tap.check(re.search(r"frac.*\\\\\[4pt\]", latex), "rows of fractions have some air", latex)

# Quasi-velocities with large denominators (Talamucci, 3.3): the rows in the velocities, momenta as the quasi-velocities that
# they are, and what the paper has names for in these.
for method in ("hamel", "boltzmann-hamel"):
    said = text("rolling_disc_pendulum", "--method", method)
    rows = [unicodedata.normalize("NFD", r) for r in (
        "ṅ₁ = -R s φ̇₁", "R² MT φ̈₁ - R F₁ φ̈ + ṅ₂ = 2 R s φ̇", "φ̇₁ = (ID n₁ sin θ + F₂ n₂)/δ", "n₂ = ID (φ̇₁ - φ̇ sin θ)",
        "δ = ID F₂ - ID (R F₁ + ID sin θ) sin θ")]
    lacking = [r for r in rows if r not in said]
    tap.check(not lacking and said.count("\n") < 45, f"rolling_disc_pendulum by {method}", lacking, said)
said = text("rolling_disc_pendulum", "--method", "hamel", "--steps")
row = unicodedata.normalize("NFD", "λ₅ = R MT φ̈₁ cos φ - mD κ ṅ₄ sin φ cos θ₁ - v₁ ṅ₃ sin φ cos θ - F₁ φ̈ cos φ")
tap.check(row in said and said.count("\n") < 140, "multipliers of vanishing quasi-velocities in the velocities", said)
latex = text("rolling_disc_pendulum", "--method", "hamel", "--steps", "--format", "latex")
tap.check(latex.count("align*}") < 60, "lines of a table stand in one align", latex)
row = "Its rows are long, and have the same solution."
tap.check(row in text("rolling_disc_pendulum", "--method", "hamel-nonlinear", "--steps"), "the second form where it is long")

# Sums as an author leaves them: squares of differences, decimals without factors of thousands, forces through the multiplier, speeds in cubic sums.
POINTS = """system "points"
parameter m1 = 1, m2 = 2, m3 = 3, g = 9.81, k = 4
coordinate x1, y1, x2, y2, x3, y3
point P1 mass m1 at (x1, y1)
point P2 mass m2 at (x2, y2)
point P3 mass m3 at (x3, y3)
gravity (0, -g)
constraint mean: (x2'^2 + y2'^2)^2 = (x1'^2 + y1'^2)*(x3'^2 + y3'^2)
"""
points = pathlib.Path(FOLDER.name) / "points.ah"
points.write_text(POINTS)
said = text(points, "--steps")
wanted = [unicodedata.normalize("NFD", r) for r in ("v₁² ẏ₃ + v₃² ẏ₁ - 2 v₂² ẏ₂", "= λ ⎢ 4 v₂² ẋ₂  ⎥", "v₁² = ẋ₁² + ẏ₁²\n          v₂²")]
tap.check(all(r in said for r in wanted) and "δ" not in said, "three points with a mean of speeds", said)
points.write_text(POINTS.replace("gravity (0, -g)", "spring P1, P2 stiffness k length 0.5"))
tap.check("(x₁ - x₂)² + (y₁ - y₂)²" in text(points), "a distance is a sum of squares", text(points))
points.write_text("""system "masses whose links glide"
parameter n = 3, m = 0.4, l = 0.5
coordinate x, y, th[1..n]
point P0 mass m at (x, y)
for i = 1 .. n:
    point P[i] mass m at (x - sum(k = 1 .. i, l*cos(th[k])), y - sum(k = 1 .. i, l*sin(th[k])))
    constraint blade[i]: velocity(P[i])[1]*sin(th[i]) - velocity(P[i])[2]*cos(th[i]) = 0
start x = 0, y = 0, th[1] = 0.1, th[2] = 0.4, th[3] = -0.2, x' = 1
""")
answer = ask("derive", points, "--json", "--method", "hamel")
tap.check(twice(answer) is None, "parts that are the same have one name", twice(answer))
tap.check(compare(next(states(points, 1)), "hamel", Sheet(answer)) is None, "and their rows are right")
BRICK = """system "brick with a ball in it"
parameter m = 1.5, A = 0.02, B = 0.03, C = 0.035, J = 0.004
coordinate x
body brick mass m inertia (A, B, C) at (x, 0, 0) turn free e
body ball mass 0.3 inertia (J, J, J) on brick at (0, 0, 0.05)
"""
points.write_text(BRICK)
said = text(points, "--method", "maggi", "--steps")
tap.check("= 4 A + 4 J + 0.003\n" in said and "000" not in said, "decimals without thousands", said)
# Who asks for no method gets the short form of long equations, and reads which one he would have got.
said = text("bicycle")
tap.check("(kane)" in said and "the method `multipliers`" in said and said.count("\n") < 420, "the bicycle by default", said)
tap.check("(multipliers)" in text("bicycle", "--method", "multipliers"), "the method that was asked for")
said = text("four_bar", "--steps")
tap.check("(kane)" in said and "v_rocker" in said and "v_tip" not in said, "the linkage by default, without its markers", said)

latex = text("bicycle", "--method", "kane", "--steps", "--format", "latex")
tap.check("v_{\\text{rear\\_wheel}}" in latex, "a part's name below a letter is one word")

latex = text("cone_of_velocities", "--method", "massa-pagani", "--steps", "--format", "latex")
tap.check("(shortened by the constraints)\n\n\\noindent Bold" in latex, "a sentence does not run on after a remark", latex)

# A sheet of a few pages, 75 lines each: rates go through the graph once, an elimination is written once, A is symmetric.
for name in ("bicycle", "bicycle_rolling"):
    lines = text(name, "--method", "kane").count("\n")
    tap.check(0 < lines < 420, f"{name} by kane: {lines} lines")
# Matrices on the way whose entries would fill pages are left as their formula: they end in rows that do not need them.
for name, most in (("roller_racer", 140), ("rattleback", 200)):
    said = text(name, "--method", "multipliers", "--steps")
    short = "\n  Xⁱₐ = G_ab Cᵇⁱ\n" in unicodedata.normalize("NFC", said)
    tap.check(short and "Equations of motion" in said and said.count("\n") < most, f"{name}: long tables by their formula", said)

# Signs stay signs: |x'|/x' would say nothing where the model says 0. Lines do not end between bars.
points.write_text("""system "friction"
parameter m = 1, mu = 0.2, k = 3, c = 0.4
coordinate x, y
kinetic m*(x'^2 + y'^2)/2
potential k*(x - y)^2/2
force x = -mu*sign(x') - c*abs(x' - 2*y)^5*(abs(x - 1) + abs(y - 1) + abs(x' - 3) + abs(y' - 3) + abs(x + 2) + abs(y + 2))
force y = -mu*sign(y' - x') + if(t < 2, 1, -1)
constraint slope: y' = 2*x'*sign(x) + x'
start x = 0.3, y = 0.2, x' = 0.4
""")
for method in ("multipliers", "gibbs-appell", "hamel", "maggi", "voronets"):
    answer = ask("derive", points, "--json", "--method", method)
    tap.check("sign(x')" in json.dumps(answer) and "abs(x')" not in json.dumps(answer), f"a sign by {method}", answer["equations"])
    wrong = [compare(state, method, Sheet(answer)) for state in states(points, 3)]
    tap.check(wrong and not any(wrong), f"and it is right by {method}", wrong)
    said = text(points, "--method", method)
    tap.check(not any(line.count("|") % 2 for line in said.splitlines()), f"bars are on one line by {method}", said)
said = text(points, "--method", "multipliers", "--format", "latex")
tap.check(all(line.count("\\left|") == line.count("\\right|") for line in said.splitlines()), "and in LaTeX", said)

# Angles of time without a simple common part: cos t is no polynomial in sin(t/5) because of sin(4t/5).
for method in ("hamel", "boltzmann-hamel", "hamel-nonlinear"):
    said = text("moving_frame", "--method", method, "--steps")
    tap.check("⅕ t" not in said and "cos t" in said and "sin(⅘ t)" in said, f"moving_frame by {method}: angles are whole", said)

# A linkage with a relative place: sums of angles come together, and rows that are shorter as a whole are not taken to pieces.
points.write_text("""system "slider crank with a spring"
parameter m = 1, a = 0.2, b = 0.5, M = 0.8, g = 9.81, k = 20, c = 0.4
coordinate alpha, beta, s
body crank mass m inertia (0, 0, m*a^2/12) at a/2*(cos(alpha), sin(alpha)) turn z alpha
body rodd mass m inertia (0, 0, m*b^2/12) on crank at (a/2 + b/2*cos(beta), b/2*sin(beta)) turn z beta
point piston mass M at (s, 0)
marker tip on rodd at (b/2, 0)
marker wall at (1, 0)
gravity (0, -g)
ball tip, piston
spring piston, wall stiffness k length 0.3
damper piston, wall damping c
start alpha = 1, alpha' = 3, beta near -1.3, s near 0.55
""")
for method, unwanted, most in (("kane", ("h₁", "√"), 14), ("gibbs-appell", ("h₁", "√"), 18), ("maggi", ("√",), 34), ("hamel", ("√",), 34)):
    said = text(points, "--method", method)
    tap.check(not any(u in said for u in unwanted) and said.count("\n") < most, f"slider crank by {method}", said)
    answer = ask("derive", points, "--json", "--method", method)
    wrong = [compare(state, method, Sheet(answer)) for state in states(points, 2)]
    tap.check(wrong and not any(wrong), f"and its rows are right by {method}", wrong)

# Letters that are read as what they are; names where they stand; nothing that cancels.
for name, method, wanted, unwanted in (
        ("vertical_disc", "boltzmann-hamel", "θ̈ = Δ/(m R² + A)", "Γ₁"),  # Γ is a matrix; no entry of Γᵀ F is called by it
        ("double_pendulum", "hamel-nonlinear", "where Ψ = ", "where Σ = "),  # Σ is a sum
        ("double_pendulum", "multipliers", "⎢ Ξ      ⎥", "λ ⎢ ẏ₂ (y₁ - y₂)"),
        ("rolling_disc_pendulum", "maggi", "F₂ φ̈ - ID φ̈₁ sin θ", "½ R² M φ"),
        ("vertical_disc", "kane", "Ψ = ∂q̇/∂u", "∂z")):
    said = text(name, "--method", method, "--steps")
    tap.check(unicodedata.normalize("NFD", wanted) in said and unicodedata.normalize("NFD", unwanted) not in said, f"{name} by {method}: {wanted}", said)
points.write_text("""coordinate x, y, z
kinetic x'^2 + y'^2 + z'^2
constraint tie: x'' + y''*sin(z) = z'' + x'^2
""")
said = text(points, "--method", "multipliers", "--steps")
tap.check("(what vanishes)" in said and unicodedata.normalize("NFD", "∂cᵃ/∂q̈ⁱ") in said and "Cᵃ = 0" not in said, "a constraint on accelerations is shown", said)
tap.done()

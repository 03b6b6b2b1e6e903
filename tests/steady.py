#!/usr/bin/env python3
"""What `anholo steady` and `stability` say of families of steady motions, against equations written
by hand: every motion listed rests, every part has the spectrum that is said, no pole is a motion."""
import cmath
import json
import math
import pathlib
import random
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "harness"))
import tap

ANHOLO = tap.BUILD / "anholo"
MEMBERS = 12  # random ones of each part that is proved


def run(command, model, *options):
    said = subprocess.run([ANHOLO, command, "--json", *options, "-"], input=model,
                          capture_output=True, text=True)
    answer = json.loads(said.stdout)
    return (None, answer["error"]["message"]) if "error" in answer else (answer, "")


# ---- Spectra -----------------------------------------------------------------------------------


def jacobian(F, y):
    columns = []
    for k in range(len(y)):
        h = 1e-5 * (1 + abs(y[k]))
        up = F(*(v + h * (i == k) for i, v in enumerate(y)))
        down = F(*(v - h * (i == k) for i, v in enumerate(y)))
        columns.append([(a - b) / (2 * h) for a, b in zip(up, down)])
    return [list(row) for row in zip(*columns)]


def polynomial(B):
    """Faddeev and LeVerrier: coefficients, of the highest power first."""
    n = len(B)
    M, c = [[0.0] * n for _ in range(n)], [1.0]
    for k in range(1, n + 1):
        M = [[sum(B[i][l] * M[l][j] for l in range(n)) + c[-1] * (i == j) for j in range(n)]
             for i in range(n)]
        BM = [[sum(B[i][l] * M[l][j] for l in range(n)) for j in range(n)] for i in range(n)]
        c.append(-sum(BM[i][i] for i in range(n)) / k)
    return c


def roots(c):
    """Durand and Kerner."""
    n = len(c) - 1
    size = 1 + max(abs(x) for x in c)
    z = [size * cmath.exp(2j * math.pi * (k + 0.4) / max(n, 1)) for k in range(n)]
    for _ in range(500):
        for i in range(n):
            value = 0
            for x in c:
                value = value * z[i] + x
            below = 1
            for j in range(n):
                below *= z[i] - z[j] if j != i else 1
            z[i] -= value / below
    return z


def verdict(F, y, family):
    """By differences: as the program's words, with room for rounding (None: too near the axis)."""
    B = jacobian(F, y)
    size = max(abs(x) for row in B for x in row) or 1
    c, zeros = polynomial(B), 0
    while len(c) > 1 and abs(c[-1]) < 1e-6 * size ** (len(c) - 1):
        c.pop()
        zeros += 1
    real = [z.real / size for z in roots(c)]
    if any(1e-7 < abs(x) < 1e-3 for x in real):
        return None
    if any(x > 0 and abs(x) > 1e-7 for x in real):
        return "unstable"
    if zeros > family:
        return "undecided"
    return "spectrally stable" if any(abs(x) <= 1e-7 for x in real) else "attracting"


# ---- Systems: the model, y' = F(y), and what must be found ------------------------------------------

SLEIGH = ("""parameter m = 2, I = 0.3, a = 0.4
assume m > 0, I > 0, a > 0
coordinate x, y, th
body K mass m inertia (I, I, I) at (x + a*cos(th), y + a*sin(th)) turn z th
constraint edge: y'*cos(th) - x'*sin(th) = 0
velocity v, w: x' = v*cos(th), y' = v*sin(th), th' = w
""", lambda v, w: (0.4 * w * w, -2 * 0.4 * v * w / (0.3 + 2 * 0.16)))
SPHERICAL = ("""parameter l = 0.8, g = 9.81
assume l > 0, g > 0
coordinate th, ph
kinetic l^2*(th'^2 + sin(th)^2*ph'^2)/2
potential -g*l*cos(th)
""", lambda th, u, p: (u, math.sin(th) * (math.cos(th) * p * p - 9.81 / 0.8),
                       -2 * u * p / math.tan(th)))


def top(th, u, psi, phi, A=1, C=0.5, mgl=2):
    n = phi + psi * math.cos(th)
    s, c = math.sin(th), math.cos(th)
    psi2 = (C * n * u * s - 2 * A * psi * u * s * c) / (A * s * s)
    return u, (A * psi * psi * s * c - C * n * psi * s + mgl * s) / A, psi2, -psi2 * c + psi * u * s


TOP = ("""parameter A = 1, C = 0.5, mgl = 2
assume A > 0, C > 0, mgl > 0
coordinate th, psi, phi
kinetic (A*(th'^2 + psi'^2*sin(th)^2) + C*(phi' + psi'*cos(th))^2)/2
potential mgl*cos(th)
start th = 0.5
""", top)
HOOP = ("""parameter R = 0.4, g = 9.81, W = 6
coordinate q
kinetic 1/2*R^2*(q'^2 + W^2*sin(q)^2)
potential -g*R*cos(q)
""", lambda q, u: (u, math.sin(q) * (36 * math.cos(q) - 9.81 / 0.4)))
# The hoop turns freely: at the bottom stable up to p^2 = g/R, no pole there.
FREE_HOOP = ("""parameter R = 1, g = 9, J = 2
coordinate q, p
kinetic 1/2*R^2*(q'^2 + p'^2*sin(q)^2) + 1/2*J*p'^2
potential -g*R*cos(q)
""", lambda q, u, p: (u, math.sin(q) * (math.cos(q) * p * p - 9),
                      -2 * p * u * math.sin(q) * math.cos(q) / (2 + math.sin(q) ** 2)))


def double_pendulum(a, b, u, w, g=9.81):
    c, s = math.cos(a - b), math.sin(a - b)
    f, h = -w * w * s - 2 * g * math.sin(a), u * u * s - g * math.sin(b)
    return u, w, (f - c * h) / (2 - c * c), (2 * h - c * f) / (2 - c * c)


DOUBLE = ("""parameter g = 9.81
coordinate a, b
point P mass 1 at (sin(a), -cos(a))
point Q mass 1 at (sin(a) + sin(b), -cos(a) - cos(b))
gravity (0, -g)
""", double_pendulum)
DAMPED = ("""coordinate q
kinetic q'^2/2
potential -cos(q)
force q = -q'/3
""", lambda q, u: (u, -math.sin(q) - u / 3))
# Friction that depends on the speed along x: attracting outside |x'| < sqrt(2).
RUNNING = ("""coordinate x, y
kinetic (x'^2 + y'^2)/2
potential y^2/2
force y = -(x'^2 - 2)*y'
""", lambda y, v, u: (u, 0, -y - (v * v - 2) * u))
HALF = (RUNNING[0].replace("potential", "assume x' > 0\npotential"), RUNNING[1])
EULER = ("""parameter A = 2, B = 3, C = 4.5
coordinate a, b, c
assume cos(b) > 0.1
let u1 = a'*cos(b)*cos(c) + b'*sin(c)
let u2 = b'*cos(c) - a'*cos(b)*sin(c)
let u3 = a'*sin(b) + c'
kinetic 1/2*(A*u1^2 + B*u2^2 + C*u3^2)
quasivelocity p = u1, q = u2, r = u3
""", lambda p, q, r: ((3 - 4.5) * q * r / 2, (4.5 - 2) * r * p / 3, (2 - 3) * p * q / 4.5))
# W^2 = g/R exactly: the bottom is degenerate.
CRITICAL = (HOOP[0].replace("R = 0.4, g = 9.81, W = 6", "R = 1, g = 9, W = 3"),
            lambda q, u: (u, math.sin(q) * (9 * math.cos(q) - 9)))
# x'' = -x^3 - x': a threefold root, to which searches come slowly and end aside.
QUARTIC = ("""coordinate x
kinetic x'^2/2
potential x^4/4
force x = -x'
""", lambda x, u: (u, -x ** 3 - u))
SYSTEMS = {"sleigh": SLEIGH, "spherical": SPHERICAL, "top": TOP, "hoop": HOOP, "free_hoop": FREE_HOOP,
           "double": DOUBLE, "damped": DAMPED, "running": RUNNING, "half": HALF, "euler": EULER,
           "critical": CRITICAL, "quartic": QUARTIC}


def values(answer, family):
    return [family["state"][name] for name in answer["variables"]]


def of_symbols(answer, family, parameter, value):
    """The variables of the member with this parameter, by the program's formulas."""
    names = {"sin": math.sin, "cos": math.cos, "sqrt": math.sqrt, "pi": math.pi}
    out = []
    for name in answer["variables"]:
        text = family["symbolic"][name]
        if text == name:
            assert name == parameter
            out.append(value)
            continue
        text = text.replace("^", "**").replace(parameter, f"({value!r})")
        out.append(float(eval(text, names)))
    return out


def inside(part, rng):
    low, high = part["from"], part["to"]
    if low == high and low is not None:
        return low
    size = math.exp(rng.uniform(-2, 2))
    if low is None and high is None:
        return rng.choice((-1, 1)) * size
    if low is None or high is None:
        return low + size if high is None else high - size
    return rng.uniform(low, high)


def check_rest(name, answer, F):
    """Also that variables are free or have a value, not both, and that angles are reduced."""
    for i, f in enumerate(answer["families"]):
        y = values(answer, f)
        worst = max(abs(x) for x in F(*y))
        tap.check(worst < 1e-7 * (1 + max(map(abs, y)) ** 2), f"rest.{name}.{i}", y, worst)
        symbols = f["symbolic"] or {}
        free = [x for x in symbols if symbols[x] == x]
        if f["symbolic"] and f["family"]["sure"]:
            tap.check(free == f["family"]["parameters"] and
                      len(free) == f["family"]["dimension"], f"free.{name}.{i}", free, f["family"])
        angles = [f["state"][x] for x in ("th", "q", "a", "b") if x in answer["variables"]]
        if name != "euler":
            tap.check(all(abs(x) <= math.pi for x in angles), f"reduced.{name}.{i}", angles)
    seen = [tuple(round(x, 4) for x in values(answer, f)) for f in answer["families"]]
    tap.check(len(set(seen)) == len(seen), f"once.{name}", seen)


def check_parts(name, answer, F, rng):
    """Members at random over each proved part have the verdict that is said."""
    for i, f in enumerate(answer["families"]):
        if not f["proved"] or f["family"]["dimension"] != 1:
            continue
        wrong = []
        for part in f["parts"]:
            for _ in range(MEMBERS):
                parameter = f["family"]["parameters"][0]
                at = inside(part, rng)
                if part["verdict"] == "undecided" and part["from"] == part["to"]:
                    continue
                own = verdict(F, of_symbols(answer, f, parameter, at), 1)
                if own is not None and own != part["verdict"]:
                    wrong.append((part, at, own))
        tap.check_none(wrong, f"parts.{name}.{i}")


def check_isolated(name, answer, F):
    for i, f in enumerate(answer["families"]):
        own = verdict(F, values(answer, f), f["family"]["dimension"])
        mine = [p["verdict"] for p in f["parts"]]
        if len(mine) == 1 and own is not None and f["family"]["sure"]:
            tap.check(own == mine[0], f"verdict.{name}.{i}", own, mine)


def shape(family):
    """[(from, to, verdict), …] with cuts rounded."""
    return [(p["from"] if p["from"] is None else round(p["from"], 6),
             p["to"] if p["to"] is None else round(p["to"], 6), p["verdict"])
            for p in family["parts"]]


def known(answers):
    """Closed forms."""
    sleigh = answers["sleigh"]["families"]
    tap.check(len(sleigh) == 1 and sleigh[0]["proved"] and shape(sleigh[0]) ==
              [(None, 0, "unstable"), (0, 0, "undecided"), (0, None, "attracting")],
              "known.sleigh", sleigh)
    pendulum = answers["spherical"]
    tap.check(len(pendulum["families"]) <= 2 and
              all(abs(math.sin(f["state"]["th"])) > 1e-3 for f in pendulum["families"]) and
              {round(p["value"], 3) for p in pendulum["singular"]} <= {0, 3.142} and
              all("angles" in p["why"] for p in pendulum["singular"]), "known.no_poles", pendulum)
    said = subprocess.run([ANHOLO, "steady", "-"], input=SPHERICAL[0], capture_output=True, text=True).stdout
    formulas = [line for line in said.splitlines() if "with symbols" in line]
    tap.check(formulas and all("cos th" in x.split("(where ")[1] and "≥ 0)" in x and "≠" not in x
                               for x in formulas), "known.where_roots_exist", said)
    r = math.sqrt(2)
    running = answers["running"]["families"]
    want = [(None, -r, "attracting"), (-r, -r, "undecided"), (-r, r, "unstable"),
            (r, r, "undecided"), (r, None, "attracting")]
    rounded = [(a and round(a, 6), b and round(b, 6), v) for a, b, v in want]
    tap.check(len(running) == 1 and shape(running[0]) == rounded, "known.running", running)
    half = answers["half"]["families"]
    tap.check(len(half) == 1 and shape(half[0]) == [(0, rounded[2][1], "unstable"), *rounded[3:]],
              "known.half", half)
    bottom = [f for f in answers["free_hoop"]["families"] if abs(f["state"]["q"]) < 1e-9]
    want = [(None, -3, "unstable"), (-3, -3, "undecided"), (-3, 3, "spectrally stable"),
            (3, 3, "undecided"), (3, None, "unstable")]
    tap.check(len(bottom) == 1 and shape(bottom[0]) == want, "known.free_hoop", bottom)
    tap.check(len(answers["double"]["families"]) == 4, "known.double")
    tap.check(sorted(f["verdict"] for f in answers["damped"]["families"]) ==
              ["attracting", "unstable"], "known.damped")
    lines = {f["family"]["parameters"][0]: shape(f) for f in answers["euler"]["families"]
             if f["family"]["sure"]}
    tap.check(lines["q"][0][2] == lines["q"][-1][2] == "unstable" and
              all("unstable" not in {v for *_, v in lines[x]} for x in "pr"), "known.euler", lines)
    quartic = answers["quartic"]["families"]
    tap.check(len(quartic) == 1 and quartic[0]["state"]["x"] == 0, "known.quartic", quartic)
    degenerate = [f for f in answers["critical"]["families"] if abs(f["state"]["q"]) < 1e-9]
    tap.check(len(degenerate) == 1 and degenerate[0]["verdict"] == "undecided", "known.critical")


def perturbed():
    """The sleigh's equations integrated: ahead a small turning dies out, backwards it grows."""
    F = SLEIGH[1]
    for v in (0.5, 3, -0.5, -3):
        y, h = (v, 1e-3), 0.01
        for _ in range(3000):
            k1 = F(*y)
            k2 = F(*(a + h / 2 * b for a, b in zip(y, k1)))
            k3 = F(*(a + h / 2 * b for a, b in zip(y, k2)))
            k4 = F(*(a + h * b for a, b in zip(y, k3)))
            y = [a + h / 6 * (p + 2 * q + 2 * r + s) for a, p, q, r, s in zip(y, k1, k2, k3, k4)]
        stays = abs(y[0] - v) < 0.01 * abs(v)
        answer, _ = run("stability", SLEIGH[0], "--at", f"v={v}, w=0")
        tap.check((answer["verdict"] == "attracting") == stays, f"perturbed.{v}", y, answer["verdict"])


def poles():
    """At a pole there is no answer, and the angles are named as the cause."""
    for at in ("th=0", "th=pi", "th=0, ph'=3"):
        answer, error = run("stability", SPHERICAL[0] + "start th = 0.3\n", "--at", at)
        tap.check(answer is None and "pole of the angles" in error, f"pole.{at}", answer, error)
    answer, error = run("stability", SPHERICAL[0] + "start th = 0.3\n")
    tap.check(answer is None and "pole of the angles" in error, "pole.search", answer, error)


def critical_tire():
    """At Hamel's speed (244) a double zero comes up: no real part is positive, which rounding hides."""
    text = (tap.ROOT / "models" / "tire.ah").read_text()
    model = "\n".join(x for x in text.splitlines() if not x.startswith(("claim", "refute")))
    V = "sqrt(A*m*g*r^3/(C*(C + m*r^2)))"
    wanted = {f"stable at psi = 0, w3 = 0, w5 = {V}": "proved",
              f"stable at psi = 0, w3 = 0, w5 = -{V}": "proved",
              f"unstable at psi = 0, w3 = 0, w5 = {V}": "false",
              f"stable at psi = 0, w3 = 0, w5 = {V}*(1 - 1e-12)": "false",
              f"unstable at psi = 0, w3 = 0, w5 = {V}*(1 - 1e-12)": "proved",
              f"stable at psi = 0, w3 = 0, w5 = {V}*(1 + 1e-12)": "proved"}
    claims = "".join(f'claim "{i}": {x}\n' for i, x in enumerate(wanted))
    answer, error = run("verify", model + "\n" + claims)
    got = [c["verdict"] for c in answer["claims"]] if answer else error
    tap.check(got == list(wanted.values()), "critical_tire", got)


def components():
    """Each component has its own families, by hand: y = 1 on x = 1, y = -2 on x = -2; on x' = 5 and on
    y' = z' all motions are steady where no force is. What holds on one is not claimed of all."""
    model = """coordinate x, y
kinetic (x'^2 + y'^2)/2
potential y^2/2 - x*y
constraint a: (x - 1)*(x + 2) = 0
claim "on one": equilibrium y = 1
"""
    answer, error = run("steady", model)
    got = sorted((round(f["state"]["x"], 9), round(f["state"]["y"], 9), f["component"])
                 for f in answer["families"]) if answer else error
    tap.check(got == [(-2, -2, "x + 2 = 0"), (1, 1, "x - 1 = 0")], "components.places", got)
    answer, error = run("verify", model)
    tap.check(answer["claims"][0]["verdict"] == "false", "components.claim", answer, error)
    free = """coordinate y, x, z
kinetic (x'^2 + y'^2 + z'^2)/2
constraint a: (x' - 5)*(y' - z') = 0
claim "not known on both": steady y = 0
"""
    answer, error = run("steady", free)
    got = sorted((f["component"], f["family"]["dimension"]) for f in answer["families"])
    tap.check(got == [("x' - 5 = 0", 2), ("y' - z' = 0", 2)], "components.velocities", got)
    for f in answer["families"]:
        v = f["state"]
        tap.check(abs((v["x'"] - 5) if "x" in f["component"] else v["y'"] - v["z'"]) < 1e-9,
                  "components.on_it", v)
    answer, error = run("verify", free)
    tap.check(answer["claims"][0]["verdict"] != "proved", "components.unknown", answer, error)


def sheets():
    """A bead on a circle and on a sphere rests above and below, and nowhere else: not at x = 1, where x is no
    coordinate of the circle. Above it is unstable."""
    circle = """coordinate x, z
kinetic (x'^2 + z'^2)/2
potential 9.81*z
constraint c: x^2 + z^2 = 1
"""
    cylinder = circle.replace("x, z", "x, z, y").replace("z'^2", "z'^2 + y'^2")
    sphere = cylinder.replace("x^2 + z^2", "x^2 + y^2 + z^2")
    for name, model in (("circle", circle), ("cylinder", cylinder), ("sphere", sphere)):
        answer, error = run("steady", model)
        got = sorted((round(f["state"]["x"], 6), round(f["state"]["z"], 6), f["verdict"])
                     for f in answer["families"]) if answer else error
        wanted = [(0, -1, "spectrally stable"), (0, 1, "unstable")]  # on the sphere the search may miss one
        tap.check(got == wanted or (name == "sphere" and set(got) < set(wanted)), f"sheets.{name}", got)


def models():
    """Every motion listed for the models keeps what rests in it at rest, by another method."""
    for file in tap.models():
        if file.stem == "trailers":  # takes seconds
            continue
        said = subprocess.run([ANHOLO, "steady", "--json", "--starts", "12", file],
                              capture_output=True, text=True)
        wrong = []
        for f in json.loads(said.stdout).get("families", []):
            state = f["state"]
            places = {x: v for x, v in state.items() if x + "'" in state}
            speeds = {x: v for x, v in state.items() if x not in places and not x.endswith("'")}
            velocities = {x: v for x, v in state.items() if x.endswith("'")}
            point = {**places, **(speeds or velocities)}
            text = ",".join(f"{x}={v!r}" for x, v in point.items())
            said = subprocess.run([ANHOLO, "eval", "--json", "--project", "--at", text, file],
                                  capture_output=True, text=True)
            answer = json.loads(said.stdout)
            if "error" in answer:
                wrong.append((text, answer["error"]["message"]))
                continue
            method = next(iter(answer["methods"].values()))
            rate = {x + "'": a for x, a in zip(answer["coordinates"], method["qddot"])}
            rate.update(method.get("zdot") or {})
            size = 1 + max(map(abs, state.values())) ** 2
            rests = [*f["variables"], *(x + "'" for x in f["variables"])]  # places rest, too
            wrong += [(x, rate[x]) for x in rests if x in rate and abs(rate[x]) > 1e-6 * size]
        tap.check_none(wrong, f"models.{file.stem}")


# ---- Along a range ---------------------------------------------------------------------------------

TURNED = """parameter a = 0.3
coordinate x, z
kinetic (x'^2 + z'^2)/2
potential 9.81*(z*cos(a) + x*sin(a))
constraint c: x^2 + z^2 = 1
start x = {}, z = {}
"""


def turned_field():
    """A pendulum in a field that is turned all round: its lower rest goes round with it, through places where x,
    and where z, is no coordinate, and stays the lower one; so does the upper rest."""
    for sign, unstable in (-1, 0), (1, 1):
        model = TURNED.format(sign * math.sin(0.3), sign * math.cos(0.3))
        for count in 9, 32:
            found, why = run("stability", model, "--sweep", f"a=0..6.2:{count}")
            rows = found["sweep"]["rows"] if found else []
            wrong = [r for r in rows if r.get("unstable") != unstable]
            tap.check(len(rows) == count and not wrong, f"sweep.{unstable}.{count}", why, wrong[:2])
        found, why = run("stability", model, "--critical", "a=0..6.2")
        tap.check(found and not found["critical"]["values"], f"critical.{unstable}", why,
                  found and found["critical"])


NONE = {
    # w1 = q1 w2 and w1 w2 = -k leave w2' = g: no motion is steady, however large w2 is.
    "quasi": """parameter k = {k}, g = {g}
coordinate q1, q2
kinetic q1*q1'*q2' + q1'^2/2 + q2'^2*(q1^2 + 1)/2
force q1 = k
force q2 = g
quasivelocity w1 = q1' + q1*q2', w2 = q2'
start q1 = 0.5, q2 = 0, q1' = 1, q2' = 0.3
""",
    # Falls along y whatever x does.
    "falling": """parameter k = {k}, g = {g}
coordinate x, y
kinetic x'^2/2 + (1 + x^2)*y'^2/2
potential -{g}*y + k*x^2
start x = 0.3, y = 0, x' = 0, y' = 1
"""}


def nowhere():
    """Where a speed runs away slopes grow without end, and equations divided by them hold: that is no steady motion."""
    for name, text in NONE.items():
        for k, g in (0.7, -1.3), (-2, 0.4), (3, 3):
            for seed in range(1, 5):
                found, why = run("steady", text.format(k=k, g=g), f"--seed={seed}", "--starts=40")
                tap.check(found and not found["families"], f"nowhere.{name}.{k}.{seed}", why,
                          [f.get("state") for f in (found or {}).get("families", [])][:2])


def across_the_slope():
    """A skate goes on evenly across a slope alone: v' = g.(cos th, sin th) = 0. Where y' = v sin(th) is no speed, at
    th = 0 and pi, or v is without bound beside them, there is none."""
    for start in ("pi/2", "0.1", "-2"):
        for gx, gy in (1, 0), (0, 3), (2, -1):
            for seed in (1, 2, 3):
                found, why = run("steady", f"""coordinate x, y, th
kinetic (x'^2 + y'^2 + th'^2)/2
potential {gx}*x + {gy}*y
constraint x'*sin(th) - y'*cos(th) = 0
start x = 0, y = 0, th = {start}
""", f"--seed={seed}")
                got = [(values(found, f), f["family"]["dimension"]) for f in (found or {}).get("families", [])]
                even = [d == 1 and abs(gx * math.cos(y[0]) + gy * math.sin(y[0])) < 1e-8 and abs(y[-1]) < 1e-9
                        for y, d in got]
                tap.check(got and all(even) and len(even) == 2, f"across.{start}.{gx}.{gy}.{seed}", why, got)


# What is written @x is x in units of its own, 1/u of it: the words must not know.
UNITS = {"pendulum on a circle": """
coordinate x, z
kinetic (@x'^2 + @z'^2)/2
potential 9.81*@z
constraint a: @x^2 + @z^2 = 1
start x = 0.6/{x}, z = -0.8/{z}
""", "spherical pendulum": """
coordinate x, y, z
kinetic (@x'^2 + @y'^2 + @z'^2)/2
potential 9.81*@z
constraint a: @x^2 + @y^2 + @z^2 = 1
start x = 0.6/{x}, y = 0, z = -0.8/{z}
""", "pendulum on a cart": """
coordinate x, z
kinetic (2*@x'^2 + 2*@x'*cos(@z)*@z' + @z'^2)/2
potential 9.81*cos(@z)
start x = 0, z = 0.2/{z}
"""}


def odd_units():
    """The same system in other units has the same families, and so has an angle in degrees."""
    for name, text in UNITS.items():
        words = None
        for x, y, z in ("1", "1", "1"), ("1e-9", "1e-3", "1e-9"), ("1e-6", "1e6", "1"), ("1e9", "1", "1e-3"), ("1", "1", "pi/180"):
            if z == "pi/180" and "cart" not in name:
                continue
            model = text.format(x=x, y=y, z=z)
            for q, u in ("x", x), ("y", y), ("z", z):
                model = model.replace(f"@{q}'", f"({u}*{q}')").replace(f"@{q}", f"({u}*{q})")
            model = model.replace("/2\npotential ", "*1e-9/2\npotential 1e-9*") if x == "1e-9" else model
            found, why = run("steady", model)
            got = found and sorted((f["equilibrium"], f["family"]["dimension"], f["verdict"]) for f in found["families"])
            words = got if words is None else words
            tap.check(got == words and got, f"units.{name}.{x}.{y}.{z}", why, got, words)


def all_steady():
    """A coin turns and rolls evenly, however its rows and its size are written: two rates are free, whatever they are."""
    for r in ("1", "1/2", "7/10", "3", "1/100", "200"):
        for first, second in (("x'*sin(a) - y'*cos(a) = 0", "x'*cos(a) + y'*sin(a) = R*b'"), ("x' = R*b'*cos(a)", "y' = R*b'*sin(a)")):
            for a, rate in (("0.7", "1.1"), ("2", "-30")):
                answer, why = run("steady", f"""parameter R = {r}
coordinate x, y, a, b
kinetic (x'^2 + y'^2)/2 + a'^2/4 + b'^2/8
constraint {first}
constraint {second}
start x = 0, y = 0, a = {a}, b = 0.2, a' = 0.4, b' = {rate}
""")
                got = answer and [(f["family"]["dimension"], sorted(f["family"]["parameters"])) for f in answer["families"]]
                tap.check(got == [(2, ["a'", "b'"])], f"all_steady.{r}.{first}.{rate}", why, got)


def plane(potential, more=""):
    return f"coordinate x, y\nkinetic (x'^2 + y'^2)/2\npotential {potential}\n{more}"


def folds():
    """Roots of several folds are found to all digits, are no families, and decide nothing."""
    damped = "dissipation (x'^2 + y'^2)/2\n"
    for name, potential, more, dimension in (
            ("fourth, y' free", "(x - 1/3)^4", "", 1), ("fourth", "(x - 1/3)^4 + y^2", damped, None),
            ("sixth", "(x - 1/3)^6 + y^2", damped, None), ("sixth, a top", "-(x - 1/3)^6 + y^2", damped, None),
            ("both", "(x - 1/3)^4 + (x - 1/3)*(y - 1/7)^2 + (y - 1/7)^4", "", None)):
        answer, why = run("steady", plane(potential, more))
        at = [f for f in answer["families"] if abs(f["state"]["x"] - 1 / 3) < 0.01] if answer else []
        tap.check(len(at) == 1 and abs(at[0]["state"]["x"] - 1 / 3) < 1e-11, f"folds.{name}.digits", why, at)
        family = at[0]["family"] if at else {"sure": None}
        tap.check(not family["sure"] if dimension is None else family["sure"] and family["dimension"] == dimension,
                  f"folds.{name}.family", family)
        tap.check(at and at[0]["verdict"] == "undecided", f"folds.{name}.verdict", at)
    # Of x⁴ multiplied out rounding leaves some five digits: no more are shown.
    said = subprocess.run([ANHOLO, "steady", "-"], input=plane("x^4 - 4/3*x^3 + 2/3*x^2 - 4/27*x + y^2", damped),
                          capture_output=True, text=True).stdout
    shown = re.findall(r"^    x = (\S+)$", said, re.M)
    tap.check(len(shown) == 1 and len(shown[0]) <= 7 and abs(float(shown[0]) - 1 / 3) < 1e-4, "folds.shown", said)


def tails():
    """Far out, where forces and their slopes are small, there is no rest; a root of ten folds is no family."""
    for potential, rests in (("tanh(x)", []), ("x*exp(-x)", [1]), ("exp(-x^2)", [0]), ("(1 - exp(-x))^2", [0]),
                             ("exp(-exp(x))", []), ("1/cosh(x)", [0])):
        answer, why = run("steady", f"coordinate x\nkinetic x'^2/2\npotential {potential}\nstart x = 0.3\n")
        got = sorted(f["state"]["x"] for f in answer["families"]) if answer else why
        tap.check(answer and len(got) == len(rests) and all(abs(a - b) < 1e-9 for a, b in zip(got, rests)),
                  f"tails.{potential}", got)
        tap.check(answer and all(f["family"]["dimension"] == 0 for f in answer["families"]), f"tails.{potential}.family")
    # Where doubles have 0 for what is not, and where that is made up for by another force, or by a constraint.
    for potential, more, count in (("exp(-x^4)", "", 1), ("exp(-x^4) + y^2", "", 1), ("exp(-x^4)", "constraint a: x' = y'\n", 1), ("1/cosh(x)^2", "", 1),
                                   ("exp(-x^4) + (x - 18)^2/2", "", 1), ("exp(-x^4)", "constraint a: x = 18\n", 1)):
        answer, why = run("steady", plane(potential, more + "start x = 18, y = 0\n"))
        got = [f["state"]["x"] for f in answer["families"]] if answer else why
        tap.check(answer and len(got) == count and abs(got[0] - (18 if "18" in potential + more else 0)) < 1e-9, f"tails.nothing.{potential}.{more}", got)
        tap.check("18" in potential + more or run("stability", plane(potential, more + "start x = 18, y = 0\n"))[0] is None, f"tails.stability.{potential}.{more}")
    for n in (8, 10, 20):
        answer, why = run("steady", f"coordinate x\nkinetic x'^2/2\npotential x^{n}\nstart x = 0.3\n")
        got = [(f["state"]["x"], f["family"]["sure"]) for f in answer["families"]] if answer else why
        tap.check(got == [(0, False)], f"tails.x^{n}", got)


def singular_sets():
    """Under -q (x' - 1)^2 - q' every q with x' = 1 is steady, a line of singular motions beside the family q = 0: it is listed once. And
    the rest of -q^3 - q', a root of three folds."""
    line, why = run("steady", "coordinate x, q\nkinetic (x'^2 + q'^2)/2\nforce q = -q*(x' - 1)^2 - q'\n")
    kinds = sorted((f["family"]["sure"], round(f["state"]["x'"], 4)) for f in line["families"]) if line else why
    tap.check(len(kinds) == 2 and kinds[0] == (False, 1) and kinds[1][0], "singular_sets.line", kinds)
    cube, why = run("steady", "coordinate q\nkinetic q'^2/2\nforce q = -q^3 - q'\n")
    tap.check(cube and len(cube["families"]) == 1, "singular_sets.cube", cube, why)


def images():
    """A motion whose mirror image is found is found, too; so is a rest at zero, far from the start."""
    hoop = """parameter r = {r}, W = 6, g = {g}
coordinate th
kinetic r^2*(th'^2 + W^2*sin(th)^2)/2
potential -g*r*cos(th)
"""
    for r, g in ((0.5, 9.81), (500, 9810)):
        answer, why = run("steady", hoop.format(r=r, g=g))
        want = math.acos(9.81 / 18)
        got = sorted(f["state"]["th"] for f in answer["families"]) if answer else []
        tap.check(len(got) == 4 and all(abs(a - b) < 1e-12 for a, b in zip(got, (-want, 0, want, math.pi))),
                  f"images.hoop.{r}", why, got)
    answer, why = run("steady", plane("(x^2 - 1)^2 + (y^2 - 1)^2"))
    tap.check(answer and len(answer["families"]) == 9, "images.wells", why, answer and len(answer["families"]))
    n = 12
    chain = f"coordinate a[1..{n}]\n" + "".join(
        f"point P[{i}] mass 1 at ({' + '.join(f'sin(a[{k}])' for k in range(1, i + 1))}, "
        f"-({' + '.join(f'cos(a[{k}])' for k in range(1, i + 1))}))\n" for i in range(1, n + 1))
    start = "start " + ", ".join(f"a[{i}] = {2 + 0.4 * i % 3}" for i in range(1, n + 1)) + "\n"
    answer, why = run("steady", chain + "gravity (0, -9.81)\n" + start, "--starts", "0")
    hangs = [f for f in answer["families"] if all(abs(f["state"][f"a[{i}]"]) < 1e-9 for i in range(1, n + 1))] if answer else []
    tap.check(len(hangs) == 1 and hangs[0]["verdict"] == "spectrally stable", "images.chain", why, hangs)


def axis():
    """Numbers do not tell that a real part is zero: exact signs do, or the kind of system; otherwise nothing is said of it."""
    swing = "coordinate x\nkinetic x'^2/2\npotential x^2/2\nforce x = {c}*x'\nstart x = 0.3\n"
    for c, want in (("1e-10", "unstable"), ("1e-17", "unstable"), ("-1e-10", "attracting"), ("-1e-17", "attracting"),
                    ("0", "spectrally stable")):
        one, why = run("stability", swing.format(c=c))
        tap.check(one and one["verdict"] == want, f"axis.stability.{c}", why, one and one["verdict"])
        all, why = run("steady", swing.format(c=c))
        got = [f["verdict"] for f in all["families"]] if all else why
        tap.check(got == [want], f"axis.steady.{c}", got)
    n = 5  # ten variables: too many for symbols
    many = f"coordinate q[1..{n}]\n" + "".join(f"kinetic q[{i}]'^2/2\npotential {i}*q[{i}]^2/2\n" for i in range(1, n + 1))
    many += "{force}start " + ", ".join(f"q[{i}] = 0.1" for i in range(1, n + 1)) + "\n"
    for force, want in (("", "spectrally stable"), ("force q[1] = 1e-11*q[1]'\n", "undecided"), ("force q[1] = q[2]\n", "spectrally stable"),
                        ("force q[1] = q[1]'\n", "unstable"), ("force q[1] = -1e-11*q[1]'\n", "undecided")):
        one, why = run("stability", many.format(force=force))
        tap.check(one and one["verdict"] == want, f"axis.many.{force}", why, one and one["verdict"])
        text = many.format(force=force) + 'claim "s": stable at ' + ", ".join(f"q[{i}] = 0" for i in range(1, n + 1)) + "\n"
        found, why = run("verify", text)
        verdict = found["claims"][0]["verdict"] if found else why
        tap.check(verdict == {"undecided": "unknown", "unstable": "false"}.get(want, "holds"), f"axis.claim.{force}", verdict)
    # Squares of eigenvalues are real under a potential where T is a sum of squares: here two of them are -1 +- 1e-10 i.
    for sign, want in (("-", "undecided"), ("+", "spectrally stable")):
        text = (f"coordinate x, y, a, b, c\nkinetic (x'^2 {sign} y'^2)/2 + (a'^2 + b'^2 + c'^2)/2\n"
                f"potential (x^2 {sign} y^2)/2 + x*y/10^10 + a^2 + b^2 + c^2 + a*b/3\nstart x = 0.1, y = 0.1, a = 0, b = 0, c = 0\n")
        one, why = run("stability", text)
        tap.check(one and one["verdict"] == want, f"axis.squares.{sign}", why, one and one["verdict"])


def domains():
    """What is said of parts of a family is said where it has motions: phi'^2 = 1/r^3 for r > 0 alone, p = 2 sqrt(x), p^2 = 1 - x^2."""
    held = "constraint h: p' = 0\nforce x = -x'\n"
    line = "coordinate x, p\nkinetic (x'^2 + p'^2)/2\n"
    for name, text, wants in (
            ("Kepler", "coordinate r, ph\nkinetic (r'^2 + r^2*ph'^2)/2\npotential -1/r\nstart r = 1, ph = 0, ph' = 1\n", {"r > 0"}),
            ("root", line + "potential x - p*sqrt(x)\n" + held + "start x = 1, p = 1\n", {"x > 0"}),
            ("circle", line + "potential x^2*(p^2 - 1)/2 + x^4/4\n" + held + "start x = 0.5, p = 0.8\n",
             {"-1 < x < 0", "x = 0", "0 < x < 1"})):
        found, why = run("steady", text)
        got = {p["where"] for f in found["families"] for p in f["parts"]} if found else why
        got = {w for w in got if w and w[0] != "p" and " p " not in w} if found else got
        tap.check(got == wants, f"domains.{name}", got)


PULLED = "potential -2*dot(axis(B, 1), (0.3, 0.5, 0.81)) - dot(axis(B, 3), (0.7, 0.1, -0.5))"
EULER = "coordinate a, b, c\nbody B mass 1 inertia (%s) at (0, 0, 0) turn z a, x b, z c\n"


def turned(axes, angles):
    """The rotation of angles about successive own axes."""
    R = [[float(i == j) for j in range(3)] for i in range(3)]
    for axis, angle in zip(axes, angles):
        i, j = [(1, 2), (2, 0), (0, 1)]["xyz".index(axis)]
        c, s = math.cos(angle), math.sin(angle)
        for row in R:
            row[i], row[j] = c * row[i] + s * row[j], c * row[j] - s * row[i]
    return R


def twins():
    """One attitude is one motion, however its angles are written: V of three directions on two axes has four critical attitudes."""
    speeds = ("velocity p, q, r:\n    a' = (sin(c)*p + cos(c)*q)/sin(b)\n    b' = cos(c)*p - sin(c)*q\n"
              "    c' = r - (sin(c)*p + cos(c)*q)*cos(b)/sin(b)\n")
    plain = EULER % "1, 2, 3" + PULLED
    tait = plain.replace("turn z a, x b, z c", "turn z a, y b, x c")
    for name, axes, model, count in (("euler", "zxz", plain, 4), ("tait", "zyx", tait, 4), ("speeds", "zxz", plain + "\n" + speeds, 4)):
        found, why = run("steady", model, "--starts", "60")
        got = [turned(axes, [f["state"][q] for q in "abc"]) for f in found["families"]] if found else []
        apart = [max(abs(x - y) for x, y in zip(sum(A, []), sum(B, []))) for i, A in enumerate(got) for B in got[:i]]
        tap.check(len(got) == count and min(apart) > 1e-3, f"twins.{name}", why, len(got))
    # What is no rotation tells them apart: an angle whose sine is in the potential. And a family, with one direction on the body's axis.
    found, why = run("steady", plain + " + sin(b)/10", "--starts", "60")
    tap.check(found and len(found["families"]) == 8, "twins.shaft", why, found)
    found, why = run("steady", EULER % "1, 1, 1.5" + "potential -dot(axis(B, 3), (0.7, 0.1, -0.5))")
    got = [f["family"]["parameters"] for f in found["families"]] if found else why
    tap.check(got == [["c'"], ["c'"]], "twins.family", got)
    for name, place, count in (("squares", "(u^2 - v^2, 2*u*v)", 1), ("places", "(u, v)", 1), ("cubes", "(u^2, v)", 1)):
        found, why = run("steady", f"coordinate u, v\npoint P mass 1 at {place}\n"
                         "potential (dot(position(P), (1, 0)) - 1)^2 + (dot(position(P), (0, 1)) - 2)^2")
        tap.check(found and len([f for f in found["families"] if f["verdict"] != "unstable"]) == count, f"twins.{name}", why, found)


def main():
    rng = random.Random(5)
    answers = {}
    for name, (model, F) in SYSTEMS.items():
        answers[name], error = run("steady", model)
        if not tap.check(answers[name] is not None, f"answers.{name}", error):
            continue
        check_rest(name, answers[name], F)
        check_parts(name, answers[name], F, rng)
        check_isolated(name, answers[name], F)
    known(answers)
    perturbed()
    poles()
    critical_tire()
    components()
    sheets()
    models()
    turned_field()
    nowhere()
    across_the_slope()
    odd_units()
    all_steady()
    folds()
    tails()
    singular_sets()
    images()
    axis()
    domains()
    twins()
    tap.done()


main()

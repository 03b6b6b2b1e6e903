#!/usr/bin/env python3
"""States as they are given: what is missing is found, what contradicts is refused with its reason, --project goes to the
nearest admissible state, --digits keeps what it promises. Against closed forms."""
import decimal
import json
import math
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "harness"))
import tap

ANHOLO = tap.BUILD / "anholo"


def evaluate(text, *options):
    said = subprocess.run([ANHOLO, "eval", "-", "--json", *options], input=text, capture_output=True, text=True)
    return said.returncode, json.loads(said.stdout, parse_float=str) if said.returncode == 0 else {}, said.stderr


def near(name, got, want, tolerance=1e-12):
    good = len(got) == len(want) and all(abs(float(a) - b) <= tolerance * max(1, abs(b)) for a, b in zip(got, want))
    tap.check(good, name, got, want)


def numbers(name, text, options, tolerance=1e-12, **want):
    """Each of qdot, qddot, q, rates of the state against what it should be."""
    status, answer, err = evaluate(text, *options)
    if not tap.check(status == 0, f"{name}.status", err):
        return {}
    for key, values in want.items():
        near(f"{name}.{key}", answer.get(key) or list(answer["methods"].values())[0].get(key), values, tolerance)
    return answer


def refused(name, text, why, code="", options=()):
    said = subprocess.run([ANHOLO, "eval", "-", *options], input=text, capture_output=True, text=True)
    tap.check(said.returncode in (1, 3) and why in said.stderr and code in said.stderr, name, said.returncode, said.stderr)


# x' = v³ − 3v, y' = v²: v' = 9/97 at v = ±2, from any first guess.
FORM = """coordinate x, y
kinetic (x'^2 + y'^2)/2
force x = 1
velocity v: x' = v^3 - 3*v, y' = v^2
start x = 0, y = 0, {}
"""
POLAR = """coordinate x, y
kinetic (x'^2 + y'^2)/2
force x = 1
velocity v, p: x' = v*cos(p), y' = v*sin(p)
start x = 1, y = 0, {}
"""
SKATE = """coordinate x, y, th
kinetic (x'^2 + y'^2 + th'^2)/2
{}
start x = 1, y = 0, th = 0, x' = 1, y' = 1, th' = 0
"""


def check_forms():
    numbers("form.forward", FORM.format("x' = 2, y' = 4"), (), qddot=[81 / 97, 36 / 97])
    numbers("form.back", FORM.format("x' = -2, y' = 4"), (), qddot=[81 / 97, -36 / 97])
    numbers("form.given", FORM.format("v = -2"), (), qdot=[-2, 4], qddot=[81 / 97, -36 / 97])
    numbers("form.guess", FORM.format("x' = -18, y' = 9"), (), qddot=[24 ** 2 / (24 ** 2 + 36), -144 / (24 ** 2 + 36)])
    # v' = cos p, p' = −sin p/v: the acceleration is the force, whatever the form
    numbers("polar", POLAR.format("x' = 3, y' = 4"), (), qddot=[1, 0])
    for velocities in ("x' = -2, y' = 5", "x' = 2, y' = -4"):
        refused(f"form.{velocities}", FORM.format(velocities), "contradict the `velocity` statement", code="A0608")
    refused("form.skate", SKATE.format("velocity v, w: x' = v*cos(th), y' = v*sin(th), th' = w"),
            "contradict the `velocity` statement", code="A0608")


def check_projection():
    circle = """coordinate x, y
kinetic (x'^2 + y'^2)/2
constraint ring: x^2 + y^2 = 1
{}start x = 3, y = 4, x' = 1, y' = 1
"""
    refused("ring.off", circle.format(""), "contradicts the constraint `ring`", code="A0608")
    # the nearest point of the circle, and the part of (1, 1) along it: (0.04, −0.03)·… = (1, 1)·(−0.8, 0.6) (−0.8, 0.6)
    along = -0.8 + 0.6
    numbers("ring.project", circle.format(""), ("--project",), 1e-9, q=[0.6, 0.8], qdot=[-0.8 * along, 0.6 * along])
    # parameters of a form that were given are a first guess only
    numbers("ring.form", circle.format("velocity w: x' = -w*y, y' = w*x\n").replace("x' = 1, y' = 1", "w = 0.1"),
            ("--project",), 1e-9, q=[0.6, 0.8], qdot=[-0.4, 0.3])
    # heavy in x: (x + 1, y)·diag(9, 1) is least on x' = y' where 9 (x' − 1) + (y' − 3) = 0
    heavy = """coordinate x, y
kinetic (9*x'^2 + y'^2)/2
constraint same: x' = y'
start x = 0, y = 0, x' = 1, y' = 3
"""
    numbers("heavy.project", heavy, ("--project",), qdot=[1.2, 1.2])
    numbers("skate.project", SKATE.format("constraint blade: sin(th)*x' = cos(th)*y'"), ("--project",), qdot=[1, 0, 0])
    # a missing velocity is as small as it can be: least 9 x'² + y'² + z'² with x' + y' = 2, z' = 1 given
    missing = """coordinate x, y, z
kinetic (9*x'^2 + y'^2 + z'^2)/2 + y'*z'/2
constraint sum: x' + y' = 2
start x = 0, y = 0, z = 0, z' = 1
"""
    # 9 x'²/2 + (2 − x')²/2 + (2 − x')/2: 9 x' − (2 − x') − 1/2 = 0
    numbers("missing", missing, (), qdot=[0.25, 1.75, 1])


def check_refusals():
    refused("mass.infinite", """coordinate x, y
kinetic x'^2/(2*x) + y'^2/2
constraint c: x' = y' + 1
start x = 0, y = 0
""", "infinite")
    refused("no.velocities", """coordinate x, y
kinetic (x'^2 + y'^2)/2
constraint c: x'^2 + y'^2 = -1
start x = 0, y = 0
""", "cannot be found", code="A0607")
    # A ball that may not spin, started with a spin: what was given is wrong, not what is missing.
    refused("velocities.contradict", """coordinate x, y, z
body B mass 1 inertia (1, 1, 1) at (x, y, z) turn free e
shape B sphere radius 1
surface S plane
roll B on S without spinning
start x = 0, y = 0, e turning (0, 2, 1)
""", "give fewer", code="5:6: error[A0607]")
    two = "coordinate x, y\nkinetic (x'^2 + y'^2)/2\n"
    refused("value.early", two, "given before it", code="A0603", options=("--at", "x=y+1,y=2"))
    refused("name.of_no_line", two, "the model has nothing of this name", code="A0201", options=("--at", "qqq=1"))
    refused("pole", """coordinate a, b, c
body B mass 1 inertia (1, 2, 3) at (0, 0, 0) turn z a, x b, z c
constraint one: omega(B)[1] = 1
constraint two: omega(B)[2] = 1
start a = 0, b = 0, c = 0
""", "at their pole")
    refused("no.place", """coordinate x, y
kinetic (x'^2 + y'^2)/2
constraint c: x^2 + y^2 = 1
start x = 2
""", "")


def check_digits():
    """v' = cos p, p' = -sin(p)/v: of p = 1 by their series, of x' = 3, y' = 4 exactly 3/5 and -4/25."""
    decimal.getcontext().prec = 60
    one = [(-1) ** (k // 2) / decimal.Decimal(math.factorial(k)) for k in range(60)]
    angle = [sum(one[0::2]), -sum(one[1::2]) / 5]
    for name, start, options, want in (("angle", "v = 5, p = 1", (), angle),
                                       ("velocities", "x' = 3, y' = 4", (), [decimal.Decimal("0.6"), decimal.Decimal("-0.16")]),
                                       ("at", "v = 1, p = 2", ("--at", "x=1,y=0,v=5,p=1"), angle)):
        status, answer, err = evaluate(POLAR.format(start), "--digits", "40", *options)
        got = [decimal.Decimal(x) for m in answer.get("methods", {}).values() for x in m["zdot"].values()]
        good = len(got) == 2 and all(abs(a - b) < decimal.Decimal(10) ** -39 for a, b in zip(got, want))
        tap.check(status == 0 and good, f"digits.{name}", got, want, err)
    numbers("digits.polar", POLAR.format("x' = 3, y' = 4"), ("--digits", "30"), qddot=[1, 0])


check_forms()
check_projection()
check_refusals()
check_digits()
tap.done()

#!/usr/bin/env python3
"""`anholo check` knows what kind of system each of the models is, quickly."""
import json
import os
import pathlib
import resource
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "harness"))
import tap

ANHOLO = tap.BUILD / "anholo"
MODELS = sorted((tap.ROOT / "models").glob("*.ah"))
SECONDS = 12  # of processor time for all models together

# Growth vector and number of integrable combinations, from books or by hand.
INTEGRABILITY = {
    "skate": ([2, 3], 0),  # a contact structure
    "tire": ([3, 4, 5], 0),
    "vertical_disc": ([2, 3, 4], 0),
    "cart": ([2, 3, 4], 1),  # 2 b theta + r (phi1 - phi2): Hamel 239
    "coaxial_discs": ([2, 3, 4], 1),
    "coaxial_discs_6": ([2, 3, 4], 2),  # the distance, and as with the cart
    "massive_pivot": ([3, 5], 0),
    "first_integral": ([2, 3], 1),  # z' + g t = h0; the area is not integrable
    "bicycle": ([3, 5, 7], 2),  # the two contacts are holonomic
}
# Whether the energy is conserved; kinds of power besides.
ENERGY = {
    "double_pendulum": (True, []),
    "affine_constraint": (False, ["affine"]),
    "speed_law": (False, ["inhomogeneous"]),
    "isokinetic_point": (False, ["inhomogeneous"]),
    "bead_on_wire": (False, ["time"]),
    "blade": (False, ["force"]),
    "energy_as_constraint": (True, ["inhomogeneous"]),  # its multiplier vanishes
    "first_integral": (True, ["affine"]),
    "mixed_degrees": (True, []),  # rheonomic, but homogeneous
}
# Number of cases of singular states.
SINGULAR = {"double_pendulum": 4, "parallel_points": 1, "massive_pivot": 2, "skate": 0, "cart": 0,
            "point_45": 0, "double_pendulum_mirror": 0}
# Several components, each a system of its own: component, growth vector, dimension of the places, by hand.
SEVERAL = {
    "x, y, theta\nconstraint (x'*sin(theta) - y'*cos(theta))*theta' = 0": {
        ("theta' = 0", (2,), 2), ("x'*sin(theta) - y'*cos(theta) = 0", (2, 3), 3)},
    "x, y, z\nconstraint z'*(z' - 1) = 0": {("z' = 0", (2,), 2), ("z' - 1 = 0", (3,), 2)},  # t is a dimension
    "x, y, z\nconstraint (z' - y*x')*(x' - y') = 0": {("y*x' - z' = 0", (2, 3), 3), ("x' - y' = 0", (2,), 2)},
}


def ask(file, text=None):
    said = subprocess.run([ANHOLO, "check", "--json", file], input=text, capture_output=True, text=True)
    return json.loads(said.stdout)


def check_several():
    for model, wanted in SEVERAL.items():
        names = model.split("\n")[0].split(", ")
        energy = " + ".join(f"{name}'^2" for name in names)
        got = ask("-", f"coordinate {model}\nkinetic {energy}\n")["integrability"]
        found = {(part["component"], tuple(part["growth"]), part["accessible"]) for part in got["components"]}
        tap.check(not got["found"] and found == wanted, f"components.{model.splitlines()[1]}", got)


SWITCHING = ("max(x, 0)*y'", "abs(y)*x'", "if(x > 0, x, 0)*y'", "sqrt(x^2)*y'", "clamp(x, 0, 1)*y'", "asin(sin(x))*y'")


def check_switching():
    """z' = max(x, 0) y' is integrable below x = 0 and not above: what was found somewhere is not said of all places."""
    for row in SWITCHING + ("x*y'", "sin(x)*y'"):
        text = f"coordinate x, y, z\nkinetic x'^2 + y'^2 + z'^2\nconstraint a: z' = {row}\n"
        got = ask("-", text)["integrability"]
        said = subprocess.run([ANHOLO, "check", "-"], input=text, capture_output=True, text=True).stdout
        switches = row in SWITCHING
        tap.check(got["switches"] is switches and got["exact"] <= (not switches) and
                  ("elsewhere it may be another" in said) is switches, f"switching.{row}", got, said)


# How many velocities are free, where components differ in that.
FREE = "x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\nconstraint x'*y' = 0\nconstraint y'*z' = 0\n"
# One factor is assumed not to vanish: the other one alone is the constraint, whatever the fields are where both are open.
FACTOR = """x, y, phi, theta, s
kinetic (x'^2 + y'^2 + phi'^2 + theta'^2 + s'^2)/2
assume sin(theta) > 0
constraint %s = 0
constraint x' = phi'*cos(y)
"""


def check_products():
    said = subprocess.run([ANHOLO, "check", "-"], input="coordinate " + FREE, capture_output=True, text=True).stdout
    tap.check("1 of 3 velocities is free on the component x' = 0, z' = 0." in said and
              "2 of 3 velocities are free on the component y' = 0." in said and "free.\n" not in said and
              ", independent" not in said, "several.free", said)
    for place in "sin(theta)*cos(phi + s)", "cos(phi + s)":
        got = ask("-", "coordinate " + FACTOR % place)["integrability"]
        tap.check((got["growth"], got["integrable"]) == ([3, 4], 1), f"factor.{place}", got)


def used():
    now = resource.getrusage(resource.RUSAGE_CHILDREN)
    return now.ru_utime + now.ru_stime


def compare(answers):
    for name, wanted in INTEGRABILITY.items():
        got = answers[name]["integrability"]
        tap.check((got["growth"], got["integrable"]) == wanted, f"integrability.{name}", got)
        tap.check(len(got["functions"]) == got["integrable"], f"functions.{name}", got)
    for name, (conserved, kinds) in ENERGY.items():
        got = answers[name]["energy"]
        tap.check(got["conserved"] is conserved and sorted({p["kind"] for p in got["powers"]}) ==
                  kinds, f"energy.{name}", got)
    for name, cases in SINGULAR.items():
        got = answers[name]["singular"]
        tap.check(got["listed"] and len(got["cases"]) == cases, f"singular.{name}", got)


before = used()
answers = {file.stem: ask(file) for file in MODELS}
taken = used() - before
compare(answers)
check_several()
check_products()
check_switching()
if os.environ.get("AH_SANITIZED") == "1":
    tap.skip("time", "the sanitizers take their time")
else:
    tap.check(taken < SECONDS, "time", f"{taken:.1f} s of processor time")
tap.done()

#!/usr/bin/env python3
"""Rolling, sliding and joints: each statement against constraints written by hand, closed forms, or another route of its own."""
import csv
import io
import json
import math
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "harness"))
import tap

ANHOLO = tap.BUILD / "anholo"
MODELS = tap.ROOT / "models"


def run(command, text, *options):
    said = subprocess.run([ANHOLO, command, "-", *options], input=text, capture_output=True, text=True)
    return said.returncode, said.stdout, said.stderr


def motion(text, *options):
    """First and last row of a motion, by the names of its columns."""
    status, out, err = run("simulate", text, "--samples", "2", "--rtol", "1e-12", "--atol", "1e-14", *options)
    rows = [{k: float(v) for k, v in row.items() if v} for row in csv.DictReader(io.StringIO(out))]
    if status or len(rows) < 2:
        return {}, {"error": err}
    return rows[0], rows[-1]


def same(name, one, other, columns, tolerance=1e-9):
    a, b = motion(one)[1], motion(other)[1]
    wrong = [f"{c}: {a.get(c)} and {b.get(c)}" for c in columns
             if not (c in a and c in b and abs(a[c] - b[c]) <= tolerance * max(1, abs(b[c])))]
    tap.check(not wrong, name, *wrong, a.get("error", ""), b.get("error", ""))


BALL = """
parameter m = 1, r = 0.1, g = 9.81
coordinate x, y, z, psi, theta, phi
body ball mass m inertia (2/5*m*r^2, 2/5*m*r^2, 2/5*m*r^2) at (x, y, z) turn z psi, x theta, z phi
gravity (0, 0, -g)
{}
start {}, psi = 0.1, theta = 1, phi = 0.2, psi' = 1, theta' = 0.3
simulate t = 0 .. 1
"""
SPHERE = "shape ball sphere radius r\n"
PLACE = ["x", "y", "z", "psi", "theta", "phi"]


def surfaces():
    at = "x = 0.2, y = 0.1"
    # A plane: the contact is below the centre.
    hand = """let c = (x, y, z - r)
constraint touch: z = r
constraint s1: velocity(ball, c)[1] = {}
constraint s2: velocity(ball, c)[2] = {}"""
    same("plane", BALL.format(SPHERE + "surface S plane\nroll ball on S", at + ", x' = 0.5"),
         BALL.format(hand.format(0, 0), at + ", z = 0.1, x' = 0.5"), PLACE)
    same("turntable", BALL.format(SPHERE + "surface S plane at (0.3, 0, 0) turning 2\nroll ball on S", at),
         BALL.format(hand.format("-2*y", "2*(x - 0.3)"), at + ", z = 0.1"), PLACE)
    # A bowl in closed form, and the same by its equation with the place of contact as unknowns.
    bowl = BALL.format(SPHERE + "surface S sphere radius 1 inside\nroll ball on S", at)
    level = BALL.format(SPHERE + "surface S: 1 - x^2 - y^2 - z^2 = 0\nroll ball on S", at)
    same("bowl", bowl, level, PLACE + ["roll_ball_normal", "roll_ball_tangential", "roll_ball_place[1]"], 1e-8)
    # By hand, with the redundant components of the slip: velocity of the centre and n × omega.
    slip = """constraint touch: x^2 + y^2 + z^2 = (1 - r)^2
constraint slip: velocity(ball) + cross(omega(ball), r/(1 - r)*position(ball)) = (0, 0, 0)"""
    same("bowl by hand", bowl, BALL.format(slip, at + ", z near -0.8"), PLACE, 1e-8)
    for name, closed, by_equation, start in [
            ("cylinder", "cylinder radius 1 inside", "1 - x^2 - y^2 = 0", "x = 0.5, z = 0, y near 0.7, x' = 1"),
            ("dome", "sphere radius 1", "x^2 + y^2 + z^2 - 1 = 0", "x = 0.2, y = 0.1, z near 1, x' = 0.5"),
            ("cone", "cone angle pi/4 inside", "z^2 - x^2 - y^2 = 0", "x = 0.5, y = 0.1, z near 0.6, y' = 1"),
            ("post", "cylinder radius 1", "x^2 + y^2 - 1 = 0", "x = 0.5, z = 0, y near 1, x' = 1")]:
        extra = f", roll_ball_x near 0.5, roll_ball_y near 0.5, roll_ball_z near {1 if name in ('dome', 'cone') else 0}"
        same(name, BALL.format(SPHERE + f"surface S {closed}\nroll ball on S", start),
             BALL.format(SPHERE + f"surface S: {by_equation}\nroll ball on S", start + extra), PLACE, 1e-7)
    same("graph", BALL.format(SPHERE + "surface S: z = (x^2 + 2*y^2)/4\nroll ball on S", at),
         BALL.format(SPHERE + "surface S: z - (x^2 + 2*y^2)/4 = 0\nroll ball on S", at), PLACE, 1e-7)
    # A ball is an ellipsoid with three equal axes, whose place of contact is not known in closed form.
    for name, surface, start, extra in [
            ("bowl", "sphere radius 1 inside", "x = 0.2, y = 0.1, z near -0.9", (0.22, 0.11, -1)),
            ("dome", "sphere radius 1", "x = 0.2, y = 0.1, z near 1, x' = 0.5", (0.2, 0.1, 1)),
            ("cylinder", "cylinder radius 1 along (0, 1, 0) inside", "x = 0.5, y = 0, z near -0.7, x' = 1", (0.6, 0, -0.8)),
            ("cone", "cone angle pi/4 inside", "x = 0.5, y = 0.1, z near 0.6, y' = 1", (0.6, 0.1, 0.6)),
            ("peak", "cone angle pi/4 along (0, 0, -1)", "x = 0.5, y = 0.1, z near -0.4, y' = 1", (0.45, 0.1, -0.46)),
            ("drum", "sphere radius 1 at (0.1, 0, 0) inside on drum", "x = 0.3, y = 0.1, z near -0.9", (0.32, 0.11, -1))]:
        text = BALL.format(("body drum mass 1 inertia (1, 1, 1) at (0, 0, 0) turn z 3*t\n" if name == "drum" else "")
                           + f"shape ball ellipsoid size (r, r, r)\nsurface S {surface}\nroll ball on S",
                           start + "".join(f", roll_ball_{k} near {v}" for k, v in zip("xyz", extra)))
        text = text.replace("0 .. 1", "0 .. 0.1")
        closed = text.replace("ellipsoid size (r, r, r)", "sphere radius r")
        for k, v in zip("xyz", extra):
            closed = closed.replace(f", roll_ball_{k} near {v}", "")
        same(f"ellipsoid.{name}", text, closed, PLACE + ["roll_ball_normal", "roll_ball_friction"], 1e-7)
    # Sliding, nothing turns it: the pendulum of length R - r.
    slides = BALL.format(SPHERE + "surface S sphere radius 1 inside\nslide ball on S", at + ", z near -0.9")
    same("slide", slides, BALL.format("constraint x^2 + y^2 + z^2 = (1 - r)^2", at + ", z near -0.9"), PLACE)
    # A tire does not fit into a pipe that is narrower than it; in a wider one it touches below.
    for radius, fits in ((0.4, False), (2, True)):
        status, _, err = run("dump", DISC.format(f"shape disc torus radius R tube rho\nsurface S cylinder radius {radius} "
                                                 "along (1, 0, 0) at (0, 0, 2) inside\nroll disc on S"), "--stage=model")
        tap.check((status == 0) is fits and ("rounder than the hollow surface" in err) is not fits, f"pipe.{radius}", status, err)
    for shape, surface, why in [
            ("cone radius 1 angle 0.3", "plane", "or by `angle`"), ("cone", "plane", "or by `angle`"), ("cone angle 2", "plane", "not less than pi/2"),
            ("cylinder radius 0", "plane", "not positive"), ("cylinder radius 1 length 0", "plane", "not positive"),
            ("cylinder radius 1", "plane moving (y, 0, 0)", "does not move as one piece"),
            ("cylinder radius 1 length 2", "sphere radius 3", "known on planes only"), ("cylinder length 1", "plane", "expected `radius`"),
            ("sphere radius r", "sphere radius -1", "size of the surface is not positive"),
            ("sphere radius r", "cylinder radius 1 along (0, 0, 0)", "length zero"),
            ("sphere radius r", "plane on ball", "the surface belongs to it")]:
        status, _, err = run("check", BALL.format(f"shape ball {shape}\nsurface S {surface}\nroll ball on S", at))
        tap.check(status == 1 and why in err, f"refused.{shape}.{surface}", status, err)
    for text, why in [
            ("surface S plane\nroll ball on S", "it has no shape"),
            (SPHERE + "roll ball on ball", "it is the same body"),
            (SPHERE + "body B mass 1 inertia (1, 1, 1) at (0, 0, 2*t)\nroll ball on B", "that has no shape"),
            (SPHERE + "body B mass 1 inertia (1, 1, 1) at (0, 0, 2*t)\nshape B cone radius 1 length 2\nroll B on ball", "on planes only"),
            ("body B mass 1 inertia (1, 1, 1) at (0, 0, 2*t)\nshape B cylinder radius 1 length 2\nshape ball disc radius r\nroll ball on B", "one must be round"),
            (SPHERE + "roll ball on nothing", "nothing")]:
        status, _, err = run("check", BALL.format(text, at))
        tap.check(status == 1 and why in err, f"refused.{why}", status, err)
    # What can only stand upright has no place of contact.
    for shape, why in [("disc radius r", "upright"), ("torus radius 1 tube r", "upright"), ("cylinder radius r", "upright"),
                       ("cylinder radius r length 1", "upright"), ("cone radius r length 1", "upright"), ("cone angle 0.3", "upright")]:
        text = f"coordinate x, y, z, a\nparameter r = 0.1\nbody B mass 1 inertia (1, 1, 1) at (x, y, z) turn z a{{}}\nshape B {shape}\nsurface S plane\nroll B on S\n"
        status, _, err = run("check", text.format(""))
        tap.check(status == 1 and why in err, f"upright.{shape}", status, err)
    status, _, err = run("check", text.format(", x 0.5"))
    tap.check(status == 1 and "a slope at which it does not lie" in err, "slope.cone", status, err)
    # A ball inside a turning cylinder on a body that does not move is the cylinder itself.
    same("surface of a body", BALL.format("body drum mass 1 inertia (1, 1, 1) at (0, 0, 0) turn z 3*t\n" + SPHERE
                                          + "surface S plane on drum\nroll ball on S", at),
         BALL.format(SPHERE + "surface S plane turning 3\nroll ball on S", at), PLACE)
    # Places and axes that move in the axes of a body move over that body: on one that goes straight on, as the sum of both in space.
    for name, surface, place, start in [
            ("plane", "plane at {} normal (0.2*t, 0.1, 1) turning 2", ("0.1*t", "0", "0.1*sin(t)"), at),
            ("bowl", "sphere radius 1 at {} inside", ("0.1*t", "0", "0.1*sin(t)"), at + ", z near -0.9"),
            ("pipe", "cylinder radius 1 at {} along (0.3*t, 1, 0) inside turning 1", ("0.1*t", "0", "0.1*sin(t)"), at + ", z near -0.9"),
            ("cone", "cone angle 0.9 at {} along (0.3*t, 0, 1) inside", ("0", "0.1*t", "0"), "x = 0.5, y = 0.1, z near 0.6"),
            ("level", ": 1 = x^2 + 2*y^2 + z^2 at {}", ("0", "0.1*t", "0.1*sin(5*t)"), at + ", z near -0.8")]:
        same(f"moves on a body.{name}",
             BALL.format(f"body drum mass 1 inertia (1, 1, 1) at (0.3*t, 0, t^2)\n{SPHERE}surface S {surface} on drum\nroll ball on S"
                         .format("({}, {}, {})".format(*place)).replace("S :", "S:"), start),
             BALL.format(f"{SPHERE}surface S {surface}\nroll ball on S"
                         .format("(0.3*t + {}, {}, t^2 + {})".format(*place)).replace("S :", "S:"), start), PLACE, 1e-8)
    # Down an incline a ball has 5/7 of the acceleration of a sliding one.
    first, _ = motion(BALL.format(SPHERE + "surface S plane normal (sin(0.3), 0, cos(0.3))\nroll ball on S", at))
    got = first.get("roll_ball_friction", 0)
    tap.check(abs(got - 2 / 7 * math.tan(0.3)) < 1e-12, "incline.friction", got)
    # Round the bottom of a bowl, without rolling: frequency sqrt(g/(R - r)); rolling: sqrt(5g/7(R - r)).
    _, last = motion(bowl.replace("x = 0.2, y = 0.1", "x = 1e-5, y = 0, x' = 0").replace(
        "psi' = 1, theta' = 0.3", "psi' = 0, theta' = 0"))
    wanted = 1e-5 * math.cos(math.sqrt(5 * 9.81 / (7 * 0.9)))
    tap.check(abs(last.get("x", 1) - wanted) < 1e-13, "bowl.frequency", last.get("x"), wanted)
    # It leaves a dome where 17 cos = 10; held to it all the same, it rolls to the lowest point, where its equations end.
    text = BALL.format(SPHERE + "surface S sphere radius 1\nroll ball on S",
                       "x = 0.001, y = 0, z near 1, x' = 0").replace("psi' = 1, theta' = 0.3", "psi' = 0, theta' = 0")
    status, out, err = run("simulate", text, "--json", "--to", "4")
    left = [e for e in json.loads(out)["events"] if "leaves" in e["label"]] if out else []
    tap.check(status in (0, 3) and len(left) == 1 and abs(left[0]["q"][2] - 1.1 * 10 / 17) < 1e-6, "dome.leaves", out[:2000], err)


EGG = """
parameter m = 1, g = 9.81, r = 0.1
coordinate x, y, z, psi, theta, phi
body egg mass m inertia {} at (x, y, z) turn z psi, x theta, z phi
gravity (0, 0, -g)
shape egg ellipsoid size (r + {}, r, r)
surface floor plane
roll egg on floor
start x = 0, y = 0, psi = 0, theta = pi/2, phi = 0, phi' = {}
simulate t = 0 .. {}
"""


def hops():
    """An egg that rolls so fast that it would jump again and again, seldom for a moment or at every turn: each time is told, as often as
    its force falls through zero in rows a thousandth of a turn apart. With unequal inertia its variables are its angular velocities, which
    hardly change: steps are as long as a turn, and longer."""
    equal, unequal = "(0.004, 0.004, 0.004)", "(0.004, 0.0041, 0.0039)"
    for inertia, wide, speed, to in [(equal, 0.01, 26.9, 5), (equal, 0.01, 40, 2), (equal, 1e-4, 500, 0.2), (equal, 1e-9, 1e5, 1e-3),
                                     (unequal, 1e-4, 500, 0.2), (unequal, 1e-9, 1e5, 1e-3)]:
        text = EGG.format(inertia, wide, speed, to)
        _, out, _ = run("simulate", text, "--samples", str(int(speed * to * 1000 / 6)))
        force = [float(row["roll_egg_normal"]) for row in csv.DictReader(io.StringIO(out))]
        times = sum(a >= 0 > b for a, b in zip(force, force[1:]))
        for how in [[], ["--integrator", "taylor"], ["--integrator", "dop853"], ["--rtol", "1e-7"], ["--rtol", "1e-3"]]:
            status, out, err = run("simulate", text, "--json", "--samples", "2", *how)
            told = [e for e in json.loads(out)["events"] if "leaves" in e["label"]] if out else []
            tap.check(status == 0 and times > 0 and len(told) == times, f"hops.{inertia} {speed} {how}", len(told), times, err)
    # A cylinder on its edge, on a table that turns: as often as in the motion's own rows, however coarse it is.
    cylinder = """coordinate x, y, z
body B mass 1 inertia (0.036, 0.0306, 0.0316) at (x, y, z) turn free e
gravity (0, 0, -9.81)
shape B cylinder radius 0.3 length 0.6 at (-3e-8, -2e-8, 1e-8)
surface S plane turning 1.795
roll B on S
start x = 0.0415, y = -0.0112, e turn z 4.32, x 0.368, z 2.738 turning (0, 0, 20600)
simulate t = 0 .. 0.00244
"""
    heavier = """coordinate x, y, z
body B mass 0.5 inertia (0.2, 0.1881, 0.2176) at (x, y, z) turn free e
gravity (0, 0, -9.81)
shape B cylinder radius 1 length 2 at (2e-8, -1e-8, -5e-9)
surface S plane
roll B on S
start x = 0.1327, y = 0.1466, e turn z 1.082, x 0.2989, z 2.738 turning (0.0214, -0.0081, 27186)
simulate t = 0 .. 0.001
"""
    for text, how in [(cylinder, []), (cylinder, ["--integrator", "dop853", "--rtol", "1e-6"]), (cylinder, ["--integrator", "adams", "--rtol", "1e-4"]),
                      (cylinder, ["--integrator", "adams", "--rtol", "1e-5"]), (cylinder, ["--integrator", "adams", "--rtol", "1e-8"]),
                      (cylinder, ["--integrator", "adams", "--rtol", "1e-9"]), (heavier, ["--integrator", "adams"])]:
        end = float(text.split("..")[1])
        _, out, _ = run("simulate", text, "--samples", str(int(end * 1e6) + 1), *how)
        force = [float(row["roll_B_normal"]) for row in csv.DictReader(io.StringIO(out))]
        times = [i * 1e-6 for i in range(1, len(force)) if force[i - 1] >= 0 > force[i]]
        status, out, err = run("simulate", text, "--json", "--samples", "2", *how)
        told = [e["t"] for e in json.loads(out)["events"] if "leaves" in e["label"]] if out else []
        tap.check(status == 0 and len(times) > 2 and len(told) == len(times) and all(abs(a - b) < 2e-6 for a, b in zip(told, times)),
                  f"hops.cylinder {end} {how}", told, times, err)


DISC = """
parameter m = 1, R = 0.4, rho = 0.05, A = 0.04, C = 0.08, g = 9.81
coordinate x, y, z, psi, theta, phi
body disc mass m inertia (A, A, C) at (x, y, z) turn z psi, x theta, z phi
gravity (0, 0, -g)
let low = cross(axis(disc, 3), (cos(psi), sin(psi), 0))
{}
start x = 0, y = 0, psi = 0, theta = 1.2, phi = 0, psi' = 1, theta' = 0.1, phi' = 3
simulate t = 0 .. 2
"""



ROD = """
parameter m = 1, R = 0.1, l = 0.3, g = 9.81, A = 0.012, C = 0.005
coordinate x, y, z, psi, theta, phi
body B mass m inertia (A, A, C) at (x, y, z) turn z psi, x theta, z phi
gravity {}
{}
start {}
simulate t = 0 .. 0.7
"""


def rods():
    """Cylinders and cones on planes: on an edge, and lying on a line."""
    down, whirl = "(0, 0, -g)", "x = 0.1, y = 0, psi = 0.2, phi = 0, psi' = -1, phi' = 3, theta = {}"
    # An edge by hand: the lowest place of the circle at the foot c of the axis.
    hand = """let e = axis(B, 3), c = (x, y, z) - {}*e
let p = c - R*((0, 0, 1) - e[3]*e)/sqrt(1 - e[3]^2)
constraint touch: p[3] = {}
constraint s1: velocity(B, p)[1] = {}*p[2]
constraint s2: velocity(B, p)[2] = -({}*p[1])"""
    for name, shape, foot, theta in [
            ("cylinder", "cylinder radius R length l", "l/2", 0.3), ("cylinder.over", "cylinder radius R length l", "(-l/2)", math.pi - 0.4),
            ("cone", "cone radius R length l at (0, 0, -l/4)", "l/4", 0.5)]:
        rolls = f"shape B {shape}\nsurface S plane at (0, 0, 0.2) turning 2\nroll B on S"
        same(f"edge.{name}", ROD.format(down, rolls, whirl.format(theta)),
             ROD.format(down, hand.format(foot, "0.2", "-2", "-2"), whirl.format(theta)), PLACE, 1e-8)
    # It falls over onto its side, and there the motion ends: at n·e = 0, at the slope of the cone's side.
    for name, shape, theta, end in [("cylinder", "cylinder radius R length l", 1.2, math.pi / 2),
                                    ("cone", "cone radius R length l at (0, 0, -l/4)", 1.7, math.pi / 2 + math.atan(1 / 3))]:
        text = ROD.format("(0, g*sin(0.3), -g*cos(0.3))" if name == "cone" else down, f"shape B {shape}\nsurface S plane\nroll B on S",
                          f"x = 0, y = 0, psi = 0, phi = 0, theta = {theta}" + (", theta' = 3" if name == "cone" else ""))
        _, out, err = run("simulate", text, "--rtol", "1e-12")
        last = list(csv.DictReader(io.StringIO(out)))[-1]
        tap.check("B lies on S along a line" in err and abs(float(last["theta"]) - end) < 1e-9, f"falls.{name}", err, last)
    # Lying: the rows by hand; a cylinder goes straight ahead, a cone round its apex.
    line = """let p = (x, y, z) - {0}
constraint touch: p[3] = 0
constraint lies: axis(B, 3)[3] = {1}
constraint s1: velocity(B, p)[1] = {2}*p[2]
constraint s2: velocity(B, p)[2] = -({2}*p[1])
constraint spin: omega(B)[3] = -({2})"""
    tilted = "(g*sin(0.3), 0, -g*cos(0.3))"
    for name, shape, below, rise, w, start in [
            ("cylinder", "cylinder radius R", "(0, 0, R)", "0", "0", "x = 0.1, y = 0, psi = 0.4, phi = 0, phi' = 1, theta near 1.5"),
            ("cylinder.turntable", "cylinder radius R", "(0, 0, R)", "0", "-2", "x = 0.1, y = 0, psi = 0.4, phi = 0, phi' = 1, theta near 1.5"),
            ("cone", "cone angle 0.35 at (0, 0, -l/2)", "l/2*axis(B, 3)", "sin(0.35)", "0", "x = 0.1, y = 0, psi = 0.4, phi = 0, psi' = 1, theta near 1.2")]:
        rolls = f"shape B {shape}\nsurface S plane turning -({w})\nroll B on S"
        same(f"lies.{name}", ROD.format(tilted, rolls, start), ROD.format(tilted, line.format(below, rise, w), start), PLACE, 1e-8)
    # Landau and Lifshitz, par. 32, problem 7: 3/40 m h² (1 + 5 cos² alpha) psi'², here on a slope.
    cone = ROD.format(tilted, "shape B cone angle 0.35 at (0, 0, -3/4*l)\nsurface S plane\nroll B on S",
                      "x = 0.1, y = 0, psi = 0.4, phi = 0, psi' = 1, theta near 1.2") \
        .replace("A = 0.012, C = 0.005", "A = 3/80*m*l^2*(1 + 4*tan(0.35)^2), C = 3/10*m*l^2*tan(0.35)^2")
    same("lies.cone.landau", cone, """parameter m = 1, l = 0.3, g = 9.81
coordinate psi
kinetic 3/40*m*l^2*(1 + 5*cos(0.35)^2)*psi'^2
potential -m*g*sin(0.3)*3/4*l*cos(0.35)*sin(psi)
start psi = 0.4, psi' = 1
simulate t = 0 .. 0.7
""", ["psi"])
    # An axis that is level by its coordinates lies whatever its length is; sliding is `touch` and `lies` alone.
    flat = """parameter m = 1, R = 0.2, g = 9.81
coordinate x, z, a
body B mass m inertia (1, 0.3, 1) at (x, 0, z) turn y a
gravity (g, 0, -g)
shape B cylinder radius R length 1 axis y
surface S plane
{} B on S
start x = 0, a = 0, a' = 1
simulate t = 0 .. 1
"""
    rolled, slid = motion(flat.format("roll"))[1], motion(flat.format("slide"))[1]
    tap.check(abs(rolled.get("x", 0) - 0.2 - 9.81 / 2 / (1 + 0.3 / 0.04)) < 1e-9, "flat.rolls", rolled)
    tap.check(abs(slid.get("x", 0) - 9.81 / 2) < 1e-9 and abs(slid.get("a", 0) - 1) < 1e-9, "flat.slides", slid)
    _, out, _ = run("check", ROD.format(down, "shape B cylinder radius R\nsurface S plane\nslide B on S", "x = 0, y = 0, psi = 0, phi = 0, theta near 1.5"))
    tap.check("2 constraints" in out and "slide_B_lies" in out, "lies.slides", out)


def shapes():
    hand = """constraint touch: z = {}
let c = (x, y, z) - R*low - {}
constraint s1: velocity(disc, c)[1] = 0
constraint s2: velocity(disc, c)[2] = 0"""
    roll = "surface S plane\nroll disc on S"
    same("disc", DISC.format("shape disc disc radius R\n" + roll), DISC.format(hand.format("R*sin(theta)", "(0, 0, 0)")),
         PLACE)
    same("torus", DISC.format("shape disc torus radius R tube rho\n" + roll),
         DISC.format(hand.format("R*sin(theta) + rho", "(0, 0, rho)")), PLACE)
    # An ellipsoid with three equal axes is a sphere, and one with its centre elsewhere is Routh's.
    same("ellipsoid.sphere", DISC.format("shape disc ellipsoid size (R, R, R) at (0, 0, 0.05)\n" + roll),
         DISC.format("shape disc sphere radius R at (0, 0, 0.05)\n" + roll), PLACE)
    # Spheroid: the height of its centre is sqrt(a² sin² + c² cos²), and the contact its support point.
    c = """let n1 = sin(theta)*sin(phi), n2 = sin(theta)*cos(phi), n3 = cos(theta), h = sqrt(R^2*(n1^2 + n2^2) + rho^2*n3^2)
constraint touch: z = h
let c = (x, y, z) - (R^2*n1*axis(disc, 1) + R^2*n2*axis(disc, 2) + rho^2*n3*axis(disc, 3))/h
constraint s1: velocity(disc, c)[1] = 0
constraint s2: velocity(disc, c)[2] = 0"""
    same("ellipsoid", DISC.format("shape disc ellipsoid size (R, R, rho)\n" + roll), DISC.format(c), PLACE)
    two = """
parameter m = 1, r = 0.1, R = 0.3
coordinate x, y, z, psi, theta, phi, X, Y, Z, a, b, c
body small mass m inertia (0.004, 0.004, 0.004) at (x, y, z) turn z psi, x theta, z phi
body big mass 5*m inertia (0.18, 0.18, 0.18) at (X, Y, Z) turn z a, x b, z c
{}
start x = 0.05, y = 0.02, z near 0.4, X = 0, Y = 0, Z = 0, psi = 0, theta = 1, phi = 0, a = 0, b = 1, c = 0, psi' = 2, b' = 1
simulate t = 0 .. 1
"""
    same("two spheres", two.format("shape small sphere radius r\nshape big sphere radius R\nroll small on big"),
         two.format("""let n = (position(small) - position(big))/(r + R)
constraint touch: norm(position(small) - position(big)) = r + R
constraint slip: velocity(small) - velocity(big) - cross(r*omega(small) + R*omega(big), n) = (0, 0, 0)"""),
         ["x", "y", "z", "psi", "theta", "phi", "X", "a", "b", "c"], 1e-8)
    status, out, _ = run("check", BALL.format(SPHERE + "surface S plane\nroll ball on S without spinning", "x = 0, y = 0"),
                         "--json")
    found = json.loads(out) if status == 0 else {}
    tap.check(found.get("r") == 4 and found.get("rank") == 4 and found["integrability"]["growth"] == [2, 3, 5],
              "rubber.growth", found.get("integrability"))


STONE = """
parameter m = 1, g = 9.81, r = 0.1
coordinate x, y, z, psi, theta, phi
body B mass m inertia (0.004, 0.006, 0.007) at (x, y, z) turn z psi, x theta, z phi
gravity (0, 0, -g)
{}
start x = 0.2, y = 0.1, {}psi = 0.3, theta = 1, phi = 0.2, psi' = 1, theta' = 0.3{}
simulate t = 0 .. {}
"""
FORCES = ["roll_B_normal", "roll_B_tangential", "roll_B_friction", "roll_B_place[1]", "roll_B_place[2]", "roll_B_place[3]"]


def formulas():
    """Shapes and surfaces by formulas against those that have a closed form; fields of velocities by hand."""
    egg = "shape B ellipsoid size (0.2, 0.15, 0.1)", "shape B: x^2/0.04 + y^2/0.0225 + z^2/0.01 = 1"
    ring = "shape B disc radius 0.2", "shape B curve 0.2*(cos(s), sin(s), 0) for s = 0 .. 2*pi"
    spin = ", phi' = 2"
    for name, (closed, formula), surface, low, to in [
            ("egg.plane", egg, "plane", "", 0.3), ("egg.bowl", egg, "sphere radius 1 inside", "z near -0.9, ", 0.2),
            ("ring.plane", ring, "plane", "", 0.3), ("ring.bowl", ring, "sphere radius 1 inside", "z near -0.9, ", 0.2),
            ("egg.cylinder", egg, "cylinder radius 1 along (0, 1, 0) inside", "z near -0.9, ", 0.2),
            ("egg.table", egg, "plane turning 2 normal (0.1, 0, 1)", "", 0.3)]:
        roll = f"\nsurface S {surface}\nroll B on S"
        same(f"formula.{name}", STONE.format(formula + roll, low, spin, to), STONE.format(closed + roll, low, spin, to),
             PLACE + FORCES, 1e-7)
    # The centre of the shape elsewhere, and the surface by its own formula, at a place of its own.
    same("formula.at", STONE.format(egg[1] + " at (0.01, 0, 0.02)\nsurface S plane\nroll B on S", "", spin, 0.3),
         STONE.format(egg[0] + " at (0.01, 0, 0.02)\nsurface S plane\nroll B on S", "", spin, 0.3), PLACE, 1e-8)
    same("formula.both", STONE.format(egg[1] + "\nsurface S: 1 = x^2 + y^2 + z^2 at (0.1, 0, 0)\nroll B on S", "z near -0.9, ", "", 0.2),
         STONE.format(egg[0] + "\nsurface S sphere radius 1 at (0.1, 0, 0) inside\nroll B on S", "z near -0.9, ", "", 0.2), PLACE, 1e-8)
    # Bodies on bodies: one that is held, as the surface that it is; each on the other.
    held = "body A mass 1 inertia (1, 1, 1) at (0, 0, 0)\nshape A "
    same("body.egg on ball", STONE.format(held + "sphere radius 1\n" + egg[0] + "\nroll B on A", "z near 1.1, ", "", 0.2),
         STONE.format(egg[0] + "\nsurface S sphere radius 1\nroll B on S", "z near 1.1, ", "", 0.2), PLACE + FORCES[:3], 1e-7)
    torus = "torus radius 1 tube 0.3", ": (sqrt(x^2 + y^2) - 1)^2 + z^2 = 0.09"
    on = "x = 0.2, y = 0.1", "x = 1, y = 0.1"
    for name, below in [("torus", f"{held}{torus[0]}\n"), ("level", f"{held[:-1]}{torus[1]}\n")]:
        same(f"body.ball on {name}", STONE.format(below + "shape B sphere radius r\nroll B on A", "z near 0.4, ", "", 0.2).replace(*on),
             STONE.format("""let d = sqrt(x^2 + y^2)
let n = ((d - 1)*x/d, (d - 1)*y/d, z)/(0.3 + r)
let c = position(B) - r*n
constraint touch: (d - 1)^2 + z^2 = (0.3 + r)^2
constraint slip: velocity(B, c) = (0, 0, 0)""", "z near 0.4, ", "", 0.2).replace(*on), PLACE, 1e-8)
    # A ring on a ball, said the other way round: the ball on the ring.
    pair = """
coordinate x, y, z, a, b, c, X, Y, Z, e, f, h
body A mass 1 inertia (0.1, 0.1, 0.1) at (x, y, z) turn z a, x b, z c
body D mass 1 inertia (0.02, 0.02, 0.03) at (X, Y, Z) turn z e, x f, z h
shape A sphere radius 0.5
shape D {}
roll {}
start x = 0, y = 0, z = 0, a = 0, b = 1, c = 0, X = 0, Y = 0.1, Z near 0.7, e = 0, f = 1, h = 0, a' = 1, h' = 2, X' = 0.1
simulate t = 0 .. 0.2
"""
    for name, shape in (("ring", "disc radius 0.2"), ("tyre", "torus radius 0.2 tube 0.05")):
        one, other = motion(pair.format(shape, "D on A"))[1], motion(pair.format(shape, "A on D"))[1]
        wrong = [k for k in ("x", "z", "a", "c", "X", "Z", "e", "h", "roll_{}_friction")
                 if not abs(one.get(k.format("D"), 9) - other.get(k.format("A"), -9)) < 1e-7]
        tap.check(not wrong, f"body.{name} on ball and back", wrong, one, other)
    # The side of a cylinder or cone without ends is a surface of its body, whatever rolls on it; said the other way round, too.
    side = """
coordinate x, y, z, a, b, c, X, Z, e
body B mass 1 inertia (0.004, 0.006, 0.007) at (x, y, z) turn z a, x b, z c
body log mass 50 inertia (5, 4, 5) at (X, 0, Z) turn y e
constraint X' = 0.4*e'
constraint Z = 0.4
gravity (0, 0, -9.81)
{}
start x = 0.05, y = 0, z near 0.9, a = 0.3, b = 1, c = 0.2, X = 0, e = 0.1, a' = 1
simulate t = 0 .. 0.2
"""
    where = ["x", "y", "z", "a", "b", "c", "X", "e"]
    for name, shape, log, bark in [
            ("ball on log", "sphere radius 0.1", "cylinder radius 0.4 axis y", "cylinder radius 0.4 along (0, 1, 0)"),
            ("egg on log", "ellipsoid size (0.12, 0.1, 0.08)", "cylinder radius 0.4 at (0.02, 0, 0) axis y", "cylinder radius 0.4 at (0.02, 0, 0) along (0, 1, 0)"),
            ("ring on log", "disc radius 0.1", "cylinder radius 0.4 axis y", "cylinder radius 0.4 along (0, 1, 0)"),
            ("ball on cone", "sphere radius 0.1", "cone angle 0.3 at (0, -1, 0) axis y", "cone angle 0.3 at (0, -1, 0) along (0, 1, 0)")]:
        as_body = f"shape B {shape}\nshape log {log}\nroll hit: {{}}"
        one = side.format(as_body.format("B on log"))
        same(f"side.{name}", one, side.format(f"shape B {shape}\nsurface bark {bark} on log\nroll hit: B on bark"),
             where + [f"hit_{k}" for k in ("normal", "tangential", "friction")], 1e-8)
        same(f"side.{name}, back", one, side.format(as_body.format("log on B")), where + ["hit_normal", "hit_friction"], 1e-8)
    # Fields of velocities: a belt whose material shears, and rubber on it; a wave that carries nothing along.
    belt = """let c = (x, y, 0)
constraint touch: z = r
constraint s1: velocity(B, c)[1] = 0.5*y
constraint s2: velocity(B, c)[2] = 0.2*t
constraint s3: omega(B)[3] = -0.25"""
    same("moving", STONE.format("shape B sphere radius r\nsurface S plane moving (0.5*y, 0.2*t, 0)\nroll B on S without spinning", "", "", 1),
         STONE.format(belt, "", "", 1), PLACE)
    carried = """body A mass 1 inertia (1, 1, 1) at (0.3*t, 0, 0) turn z t
shape B sphere radius r
surface S plane moving (0.5*y, 0, 0) on A
roll B on S"""
    by_hand = """let c = (x, y, 0)
constraint touch: z = r
let s = dot(c - (0.3*t, 0, 0), (-sin(t), cos(t), 0))
constraint s1: velocity(B, c)[1] = 0.3 - y + 0.5*s*cos(t)
constraint s2: velocity(B, c)[2] = x - 0.3*t + 0.5*s*sin(t)"""
    same("moving.carried", STONE.format(carried, "", "", 1), STONE.format(by_hand, "", "", 1), PLACE)
    # A pipe whose axis turns: its material turns with it.
    pipe = """let a = (cos(t), sin(t), 0)
let C = (x, y, z)
let n = (dot(C, a)*a - C)/(1 - r)
let c = C - r*n
constraint touch: dot(C, C) - dot(C, a)^2 = (1 - r)^2
constraint s1: dot(velocity(B, c) - cross((0, 0, 1), c), a) = 0
constraint s2: dot(velocity(B, c) - cross((0, 0, 1), c), cross(n, a)) = 0"""
    same("pipe.turning", STONE.format("shape B sphere radius r\nsurface S cylinder radius 1 along (cos(t), sin(t), 0) inside\nroll B on S",
                                      "z near -0.9, ", "", 1),
         STONE.format(pipe, "z near -0.9, ", "", 1), PLACE, 1e-8)
    # A sloping table that is lifted: as a graph in time, as a plane whose place moves up.
    same("graph.lifted", STONE.format("shape B sphere radius r\nsurface S: z = 0.3*x + sin(t)\nroll B on S", "", "", 1),
         STONE.format("shape B sphere radius r\nsurface S plane at (0, 0, sin(t)) normal (-0.3, 0, 1)\nroll B on S", "", "", 1), PLACE, 1e-8)
    for text, code, place, why in [
            ("shape B: x^2 + y^2 = 1\nsurface S plane\nroll B on S", "A0428", None, "along a line"),
            ("shape B curve (s, 1, 0) for s = 0 .. 1\nsurface S plane\nroll B on S", "A0428", None, "along a line"),
            ("shape B: 1 = 2\n", "A0427", "10", "none of x, y, z"), ("shape B curve (1, 2, 3) for s = 0 .. 1\n", "A0427", "15", "does not depend on `s`"),
            ("shape B curve (s, 0, 0) for s = 0 .. 1, u = 0 .. 1\n", "A0106", "25", "one parameter for a curve"),
            ("shape B surface (u, w, 0)\n", "A0106", "9", "its equation"),
            ("shape B: (cos(u), sin(u), v) for u = 0 .. 6, v = -1 .. 1\nsurface S plane\nroll B on S", "A0428", None, "along a line"),
            ("shape B: (u, v, 0) for u = 0 .. 1\n", "A0106", "20", "two parameters for a surface"),
            ("shape B: (u, v, 0) for u = 0 .. 1, v = 0 .. 1, w = 0 .. 1\n", "A0106", "20", "two parameters for a surface"),
            ("shape B: x^2 + y^2 + z^2 = 1 for u = 0 .. 1, v = 0 .. 1\n", "A0106", "30", "no parameters"),
            ("shape B: (u, v, 0)\n", "A0106", "19", "for u = a .. b"), ("shape B: u*v for u = 0 .. 1, v = 0 .. 1\n", "A0205", "10", "vector"),
            ("shape B: (u + v, u + v, 1) for u = 0 .. 1, v = 0 .. 1\n", "A0427", "7", "do not fill a surface"),
            ("shape B: (u, v, t) for u = 0 .. 1, v = 0 .. 1\n", "A0402", "17", "time"),
            ("surface S: (u, v, psi) for u = 0 .. 1, v = 0 .. 1\n", "A0402", "19", "coordinate"),
            ("surface S: (u, u, 1) for u = 0 .. 1, v = 0 .. 1\n", "A0427", "9", "do not fill a surface"),
            ("shape B curve (s, 0, 0)\n", "A0106", "24", "`for`"), ("shape B curve s for s = 0 .. 1\n", "A0205", "15", "vector"),
            ("shape B: x^2 = q\n", "A0201", "16", "q"), ("shape B: x^2 + t = 1\n", "A0402", "16", "time"),
            ("shape B level radius 1\n", "A0106", "9", "a shape, or `:` and an equation"), ("surface S level\n", "A0106", "11", "a surface, or `:`"),
            ("surface S plane moving 3\n", "A0205", "24", "vector"), ("surface S: z = x^2 inside\n", "A0106", "20", "a clause or the end"),
            ("surface S: z = x^2 moving (psi, 0, 0)\n", "A0402", "28", "coordinate"), ("surface S: 3 = 4\n", "A0427", "12", "none of x, y, z"),
            ("shape B: x^2\n", "A0106", "13", "`=`"), ("surface S: z = x radius 2\n", "A0106", "18", "a clause or the end")]:
        status, _, err = run("check", STONE.format(text, "", "", 1))
        tap.check(status == 1 and (f"<stdin>:6:{place}:" if place else "<stdin>:8:6:") + f" error[{code}]" in err and why in err, f"formula.refused.{text.strip()}", status, err)


def sheets():
    """Surfaces by two parameters: as the shapes and surfaces that they are."""
    round_, sheet = "shape B ellipsoid size (0.1, 0.09, 0.08)", (
        "shape B: (0.1*cos(u)*cos(v), 0.09*sin(u)*cos(v), 0.08*sin(v)) for u = 0 .. 2*pi, v = -pi/2 .. pi/2")
    ball = "shape B sphere radius r"
    for name, ground in (("plane", " plane"), ("globe", " sphere radius 1 at (0, 0, -1)"), ("saddle", ": z = x^2/2 - y^2/3 + x*y/5")):
        same(f"sheet.egg on {name}", STONE.format(f"{sheet}\nsurface S{ground}\nroll B on S", "", "", 0.3),
             STONE.format(f"{round_}\nsurface S{ground}\nroll B on S", "", "", 0.3), PLACE + FORCES[:3], 1e-7)
    # Turned inside out it is the wall of a hollow, which the plane touches from within.
    fits = [motion(STONE.format(f"{shape}\nsurface S plane\nroll B on S", "", "", 0.3))[0].get("z", 9)
            for shape in (sheet, sheet.replace("(u)", "(-u)"))]
    tap.check(fits[0] > 0.07 and abs(sum(fits)) < 1e-12, "sheet.inside out", fits)
    # As surfaces: a saddle; one whose places turn, and one that waves, under rubber, whose spin counts; shifted, on a body.
    over, rubber = " for u = -1 .. 1, v = -1 .. 1", "roll B on S without spinning"
    for name, one, other, rolls in (
            ("saddle", ": (u, v, u^2/2 - v^2/3)", ": z = x^2/2 - y^2/3", "roll B on S"),
            ("turning", ": (u*cos(2*t) - v*sin(2*t), u*sin(2*t) + v*cos(2*t), 0)", " plane turning 2", rubber),
            ("waves", ": (u, v, sin(3*u + t)/10)", ": z = sin(3*x + t)/10", rubber)):
        for kind, shape in (("egg", round_), ("ball", ball)):
            same(f"sheet.{kind} on what {name}", STONE.format(f"{shape}\nsurface S{one}{over}\n{rolls}", "", "", 0.3),
                 STONE.format(f"{shape}\nsurface S{other}\n{rolls}", "", "", 0.3), PLACE + FORCES[:3], 1e-7)
    held = "body A mass 1 inertia (1, 1, 1) at (0.3*t, 0, 0) turn z t\n"
    same("sheet.carried", STONE.format(held + f"{ball}\nsurface S: (u, v, u*v){over} at (0, 0, -0.1) on A\nroll B on S", "", "", 0.3),
         STONE.format(held + f"{ball}\nsurface S: z = x*y at (0, 0, -0.1) on A\nroll B on S", "", "", 0.3), PLACE, 1e-7)
    # Where sin(v) = 0 one row says nothing of v, and the next says it: a motion there takes no more steps than elsewhere.
    cone = """coordinate x, y, z
body B mass 1 inertia (0.004, 0.004, 0.004) at (x, y, z) turn free e
gravity (0, 0, -9.81)
shape B sphere radius 0.1
surface S{}
roll B on S
start x = 0.5, y = 0, z near -0.2, x' = -3, y' = 0
simulate t = 0 .. 0.1
"""
    polar = cone.format(": (u*cos(v), u*sin(v), -u) for u = 0 .. 2, v = -4 .. 4")
    same("sheet.along a meridian", polar, cone.format(" cone angle pi/4 along (0, 0, -1)"), ["x", "y", "z", "roll_B_normal"], 1e-9)
    steps = json.loads(run("simulate", polar, "--json", "--max-steps", "200")[1] or "{}").get("steps", 999)
    tap.check(steps < 30, "sheet.along a meridian, steps", steps)
    # The shape of another body.
    for name, below in (("ball", "sphere radius 1"), ("torus", "torus radius 1 tube 0.3")):
        places = {"ball": "(cos(u)*cos(v), sin(u)*cos(v), sin(v)) for u = 0 .. 2*pi, v = -pi/2 .. pi/2",
                  "torus": "((1 + 0.3*cos(v))*cos(u), (1 + 0.3*cos(v))*sin(u), 0.3*sin(v)) for u = -pi .. pi, v = 0 .. pi"}[name]
        fixed, at = "body A mass 1 inertia (1, 1, 1) at (0, 0, 0)\nshape A", ("x = 0.2, y = 0.1", "x = 0.9, y = 0.1")
        high = "z near 0.6, " if name == "ball" else "z near 0.4, "
        one, other = (STONE.format(f"{fixed}{form}\n{ball}\nroll B on A", high, "", 0.2).replace(*at)
                      for form in (f": {places}", f" {below}"))
        same(f"sheet.ball on {name}", one, other, PLACE, 1e-7)


def joints():
    # A double pendulum: by a tree, and by two free bodies with hinges.
    head = "parameter m = 1, l = 0.5, g = 9.81\n"
    tail = "gravity (0, -g)\nsimulate t = 0 .. 2\n"
    tree = head + """coordinate a, b
body upper mass m inertia (0, 0, m*l^2/12) at l/2*(sin(a), -cos(a)) turn z a
body lower mass m inertia (0, 0, m*l^2/12) on upper at (l/2*sin(b), -l/2 - l/2*cos(b)) turn z b
start a = 1, b = -0.5, a' = 2
""" + tail
    free = head + """coordinate a, c, x, y, u, v
body upper mass m inertia (0, 0, m*l^2/12) at (x, y) turn z a
body lower mass m inertia (0, 0, m*l^2/12) at (u, v) turn z c
marker base
marker top on upper at (0, l/2)
marker bottom on upper at (0, -l/2)
marker head on lower at (0, l/2)
hinge base, top
hinge knee: bottom, head
start a = 1, c = 0.5, a' = 2, c' = 2
""" + tail
    one, other = motion(tree)[1], motion(free)[1]
    good = all(k in one for k in "ab") and all(k in other for k in "ac")
    tap.check(good and abs(one["a"] - other["a"]) < 1e-8 and abs(one["a"] + one["b"] - other["c"]) < 1e-8,
              "tree and hinges", one, other)
    point = head + """coordinate x, y
point P mass m at (x, y)
{}
start x = 0.3, y = -0.4
""" + tail
    same("rod", point.format("rod brace: (0, 0), P length l"), point.format("constraint x^2 + y^2 = l^2"), ["x", "y"])
    first, _ = motion(point.format("rod brace: (0, 0), P length l"))
    tap.check(abs(first.get("lambda[brace]", 0) + 9.81 * 0.8) < 1e-12, "rod.force", first)  # m g cos, inward
    same("spring and damper", point.format("spring (0, 0), P stiffness 50 length l\ndamper (0, 0), P damping 2"),
         point.format("let d = sqrt(x^2 + y^2)\npotential 25*(d - l)^2\nforce x = -2*der(d)*x/d\nforce y = -2*der(d)*y/d"),
         ["x", "y"])
    block = head + """coordinate x, y, a
body block mass m inertia (1, 1, 1) at (x, y) turn z a
{}
start x = 0, y = 0, a = 0
""" + tail
    same("slider", block.format("marker rail\nslider rail, block axis y"), block.format("constraint x = 0\nconstraint a = 0"),
         ["x", "y", "a"])
    # Torsion: the same in coordinates, through more than a turn; gears as the constraint that they are.
    shaft = """
parameter I1 = 2, I2 = 3, k = 5, c = 0.1
coordinate a, b
body A mass 1 inertia (1, 1, I1) at (0, 0, 0) turn z a
body B mass 1 inertia (1, 1, I2) at (0, 0, 1) turn x 0, z b
marker wall at (0, 0, 0)
{}
start a = 8, b = 0, a' = 0, b' = 0
simulate t = 0 .. 3
"""
    same("torsion", shaft.format("torsion spring wall, A stiffness k angle 0.3\ntorsion spring A, B stiffness 2\ntorsion damper A, B damping c"),
         shaft.format("potential k*(a - 0.3)^2/2 + (b - a)^2\ndissipation c*(b' - a')^2/2"), ["a", "b"])
    same("gear", shaft.format("torsion spring wall, A stiffness k\ngear A, B ratio -2"),
         shaft.format("potential k*a^2/2\nconstraint a' = -2*b'"), ["a", "b"])
    # About an axis that tilts the angle is that of -pi to pi.
    tilted = """
coordinate a, b
body A mass 1 inertia (1, 2, 3) at (0, 0, 0) turn x a
body B mass 1 inertia (1, 2, 2.5) at (0, 0, 0) turn x a, z b, y 0.3*sin(b)
{}
start a = 0.4, b = 0.2, a' = 1, b' = 0.5
simulate t = 0 .. 1
"""
    same("torsion.tilted", tilted.format("torsion spring A, B stiffness 2"),
         tilted.format("potential atan2(dot(axis(A, 2), axis(B, 1)), dot(axis(A, 1), axis(B, 1)))^2"), ["a", "b"])
    # Bennett's linkage: five rows of which two are independent, by numbers alone; opposite angles are the same all the way.
    bennett = """parameter a = 0.5, b = 0.4, alpha = pi/3
parameter beta = asin(b*sin(alpha)/a)
coordinate q1, q2, q3, q4
body l1 mass 1 inertia (0.01, 0.02, 0.02) at (0, 0, 0) turn z q1
body l2 mass 1 inertia (0.01, 0.02, 0.02) on l1 at (a, 0, 0) turn x alpha, z q2
body l3 mass 1 inertia (0.01, 0.02, 0.02) on l2 at (b, 0, 0) turn x beta, z q3
body l4 mass 1 inertia (0.01, 0.02, 0.02) on l3 at (a, 0, 0) turn x alpha, z q4
body base mass 1 inertia (1, 1, 1) at (-b, 0, 0) turn x -beta
hinge l4, base
start q1 = 0.5, q1' = 1, q2 near 1, q3 near 0.5, q4 = 0
simulate t = 0 .. 1
"""
    first, last = motion(bennett)
    tap.check(last and abs(last["q1"] - first["q1"]) > 0.5 and abs(last["q1"] + last["q3"]) < 1e-9, "bennett", first, last)
    status, out, err = run("crosscheck", bennett)
    tap.check(status == 0 and "the methods agree" in out, "bennett.methods", out, err)
    # Rows of a vector's constraint by name: Newton's law of two blocks on one pin; of an element of a family.
    pinned = head + """coordinate x, y, u, v, a, b
body one mass m inertia (0, 0, 1) at (x, y) turn z a
body two mass 2*m inertia (0, 0, 1) at (u, v) turn z b
marker P on one at (0, l)
marker Q on two at (0, -l)
gravity (0, -g)
ball pin: P, Q
start x = 0, y = 0, a = 0.1, b = 0.2, a' = 1
simulate t = 0 .. 1
output up = lambda[pin_place.2]
unit lambda[pin_place.1], lambda[pin_place.2] = "N"
claim "first":    m*x'' = -lambda[pin_place.1]
claim "second":   2*m*v'' = lambda[pin_place.2] - 2*m*g
claim "one":      m*y'' = -up_is - m*g
claim "rows":     holonomic pin_place.1
claim "all":      holonomic pin_place
""".replace("up_is", "lambda[pin_place.2]")
    status, out, err = run("verify", pinned)
    tap.check(status == 0 and "5 of 5" in out, "rows.pin", out, err)
    first, _ = motion(pinned)
    tap.check("up" in first and abs(first["up"] - first["lambda[pin_place.2]"]) < 1e-12, "rows.column", first)
    status, out, err = run("verify", """coordinate x[1..2], y[1..2]
kinetic sum(i = 1 .. 2, x[i]'^2 + y[i]'^2)/2
force y[2] = -3
for i = 1 .. 2:
    constraint pin[i]: (x[i], y[i]) = (0, t)
claim "it": lambda[pin[2].2] = 3
""")
    tap.check(status == 0, "rows.family", out, err)
    status, out, err = run("check", block.format("marker rail\nweld rail, block"), "--json")
    tap.check(status == 0 and json.loads(out)["m"] == 0, "weld", out[:300], err)


def attitude():
    angles = """
parameter A = 1, B = 2, C = 3.5
coordinate a, b, c
body brick mass 1 inertia (A, B, C) at (0, 0, 0) turn z a, x b, z c
start a = 0.3, b = 1, c = 0.2, a' = {}, b' = {}, c' = {}
simulate t = 0 .. 3
output k1 = axis(brick, 1)[1], k2 = axis(brick, 2)[3], k3 = axis(brick, 3)[2]
"""
    free = """
parameter A = 1, B = 2, C = 3.5
coordinate x
body brick mass 1 inertia (A, B, C) at (x, 0, 0) turn free e
start x = 0, e turn z 0.3, x 1, z 0.2 turning (0.5, 1.5, -0.4)
simulate t = 0 .. 3
output k1 = axis(brick, 1)[1], k2 = axis(brick, 2)[3], k3 = axis(brick, 3)[2]
output w1 = dot(omega(brick), axis(brick, 1)), w2 = dot(omega(brick), axis(brick, 2))
claim "energy": constant energy
"""
    # Euler's kinematic equations: w1 = a' sin b sin c + b' cos c, w2 = a' sin b cos c - b' sin c, w3 = a' cos b + c'.
    s, c = math.sin(0.2), math.cos(0.2)
    da = (0.5 * s + 1.5 * c) / math.sin(1)
    db = 0.5 * c - 1.5 * s
    dc = -0.4 - da * math.cos(1)
    same("attitude", free, angles.format(repr(da), repr(db), repr(dc)), ["k1", "k2", "k3"], 1e-9)
    same("attitude.turning alone", free.replace("turn z 0.3, x 1, z 0.2 turning", "turning"), free.replace("turn z 0.3, x 1, z 0.2", "turn z 0"),
         ["k1", "k2", "k3"], 1e-12)
    same("attitude.about", free.replace("turn z 0.3, x 1, z 0.2", "turn about (0, 2, 0) angle 0.6"),
         free.replace("z 0.3, x 1, z 0.2", "y 0.6"), ["k1", "k2", "k3"], 1e-12)
    # Angles at their pole are named as the cause: at the start, and where a motion labours.
    for name, start, more in (("start", "1, b' = -1, c' = 0", ()), ("way", "1e-6, b' = -1, c' = 0", ("--max-steps", "3000"))):
        text = angles.split("start")[0] + f"start a = 0.3, b = {0 if name == 'start' else 0.5}, c = 0, a' = {start}\nsimulate t = 0 .. 3\n"
        text += "velocity p, q, r: a' = p, b' = q, c' = r\n"  # otherwise angular velocities are the variables
        status, _, err = run("simulate", text, *more)
        tap.check(status in (3, 4) and "`brick` are near their pole" in err and "turn free" in err, f"pole.{name}", status, err)
    # A ball whose turning leads exactly to the pole (ω is constant, sin θ = ±1 at t = 2.2448199): next to it rounding leaves steps no way.
    text = BALL_AT_POLE
    status, _, err = run("simulate", text, "--max-steps", "2000")
    when = re.search(r"stopped at t = (\S+): the steps get shorter and shorter here; the angles of the body `ball`", err)
    tap.check(status == 3 and when and abs(float(when[1]) - 2.24481985846) < 1e-5, "pole.exactly", status, err)
    # In angular velocities a motion passes so near to it, as by Euler's parameters.
    same("pole.passed", free.replace("z 0.3, x 1, z 0.2 turning (0.5, 1.5, -0.4)", "z 0.3, x 0.5 turning (-1, 1e-6*sin(0.5), 1e-6*cos(0.5))"),
         angles.replace("b = 1, c = 0.2", "b = 0.5, c = 0").format("1e-6", "-1", "0"), ["k1", "k2", "k3"], 1e-9)
    first, last = motion(free, "--to", "1000", "--rtol", "1e-13", "--atol", "1e-15")
    tap.check(abs(first.get("w1", 0) - 0.5) < 1e-12 and abs(first.get("w2", 0) - 1.5) < 1e-12, "attitude.turning", first)
    norm = sum(last.get(f"e{k}", 9) ** 2 for k in range(4))
    change = abs(last.get("energy", 9) / first.get("energy", 1) - 1)
    tap.check(abs(norm - 1) < 1e-12 and change < 1e-12, "attitude.long", norm, change)


BALL_AT_POLE = """parameter m = 1, r = 0.1, g = 9.81
coordinate x, y, z, psi, theta, phi
body ball mass m inertia (2/5*m*r^2, 2/5*m*r^2, 2/5*m*r^2) at (x, y, z) turn z psi, y theta, x phi
gravity (0, 0, -g)
shape ball: x^2 + y^2 + z^2 = r^2
surface table plane
roll ball on table
start x = 0, y = 0, psi = 0.2, theta = 0.5, phi = -0.2, psi' = 1, theta' = -0.5, phi' = -1
simulate t = 0 .. 4
"""


def models():
    # The bicycle by two `roll` statements has the eigenvalues of the one with its contacts written by hand.
    found = []
    for file in (MODELS / "bicycle.ah", MODELS / "bicycle_rolling.ah"):
        said = subprocess.run([ANHOLO, "stability", file, "--json"], capture_output=True, text=True)
        found.append(sorted(map(tuple, json.loads(said.stdout)["eigenvalues"])) if said.returncode == 0 else [])
    good = len(found[0]) == len(found[1]) > 0 and all(
        abs(complex(*a) - complex(*b)) <= 1e-12 * max(1, abs(complex(*b))) for a, b in zip(*found))
    tap.check(good, "bicycle.eigenvalues", *found)
    # Without losses a disc whose centre rests keeps its tilt: psi'^2 = 4 g/(R sin) is the steady motion.
    text = (MODELS / "euler_disc.ah").read_text()
    first, last = motion(text)
    tap.check(abs(last.get("theta", 0) - 0.3) < 1e-7 and abs(last.get("x", 1)) < 1e-8, "euler_disc.steady", last)
    # Every model moves without an option; its claims and methods are those of t_models.
    for file in sorted(MODELS.glob("*.ah")):
        said = subprocess.run([ANHOLO, "simulate", "-o", "/dev/null", file], capture_output=True, text=True)
        tap.check(said.returncode == 0, f"{file.stem}.simulate", said.stdout[-1500:], said.stderr[-1500:])
    # The rattleback turns back: its data are those of Kane and Levinson.
    status, out, err = run("simulate", (MODELS / "rattleback.ah").read_text(), "--json")
    events = json.loads(out)["events"] if status == 0 else []
    tap.check(any("turns back" in str(e) for e in events), "rattleback.reversal", out[:1000], err)


def apex():
    """A ball that is pushed up a cone from outside touches the apex where its centre is r cos(alpha) off the axis, and its motion ends there: the
    equations would go on along the half of the cone that is not there."""
    for name, shape, near in (("closed", " sphere radius 0.1", 1e-9), ("formula", ": x^2 + y^2 + z^2 = 0.01", 1e-4)):
        text = f"""coordinate x, y, z
body B mass 1 inertia (0.004, 0.004, 0.004) at (x, y, z) turn free e
gravity (0, 0, -9.81)
shape B{shape}
surface S cone angle 0.9 at (0, 0.3, 0) along (0, 0, -1)
roll B on S
start x = 0.2, y = 0.3, z near 0.05, x' = -3
simulate t = 0 .. 1
"""
        status, out, err = run("simulate", text, "--json")
        end = json.loads(out) if status == 0 else {}
        x = end["final"]["q"][0] if end else 1
        tap.check(end.get("stopped") and "apex of S" in out and abs(x - 0.1 * math.cos(0.9)) < near, f"apex.{name}", x, err)
        err = run("simulate", text.replace("x = 0.2", "x = 0.03").replace("0.05", "0.1"), "--samples", "2", "--to", "0.01")[2]
        tap.check("does not hold at t = 0" in err or "A0605" in err, f"apex.{name}.beyond", err)


def door():
    """A door on two hinges: the second one is told of once, by its word and place, whatever its rows are called."""
    text = """coordinate x, y, z
body door mass 10 inertia (1, 2, 1.5) at (x, y, z) turn free e
marker D1 on door at (-0.4, 0, 0.5)
marker D2 on door at (-0.4, 0, -0.5)
marker W1 at (0, 0, 0.5)
marker W2 at (0, 0, -0.5)
hinge W1, D1
hinge W2, D2
"""
    status, out, err = run("check", text)
    tap.check(status == 0 and "1 of 7 velocities is free" in out and err.count("A0416") == 1
              and "<stdin>:8:7: warning[A0416]: this `hinge` says what others say" in err.replace("-:8", "<stdin>:8")
              and "leave this `hinge` out" in err, "joints.door", out, err)
    status, out, err = run("check", text.replace("hinge W2", "ball W2"))
    tap.check(err.count("A0416") == 1 and "this `ball` says" in err and "leave this `ball` out" in err, "joints.door.ball", out, err)
    status, out, err = run("check", text.replace("hinge W1", "ball W1"))  # two of its rows are new
    tap.check(err.count("A0416") == 1 and "this `hinge` says" in err and "holds less" in err, "joints.door.less", out, err)


def welded():
    """Rows of axes hold where these look opposite ways, too: a start that leaves the choice is the one turned by nothing; one that is given, or near, is as given."""
    text = """coordinate x, y, a
body A mass 1 inertia (0, 0, 3) at (x, y) turn z a
body C mass 1 inertia (0, 0, 1) at (1, 0) turn z 2
weld A, C
{}
simulate t = 0 .. 0.1
"""
    for start, wanted in (("", 2), ("start a near -1", 2 - math.pi), ("start a = 2 - pi", 2 - math.pi)):
        a = motion(text.format(start))[0].get("a", 9)
        tap.check(abs(a - wanted) < 1e-12, f"joints.welded {start}".strip(), a)


def upright():
    """A hinge along z keeps three angles at their pole, where two of them cannot be told apart: the start that is not found says so, once."""
    err = run("simulate", """coordinate x, y, z, a, b, c
body door mass 1 inertia (1, 2, 3) at (x, y, z) turn z a, x b, z c
marker D on door at (0.5, 0, 0)
marker W at (0, 0, 0)
hinge W, D
start a = 0.3
simulate t = 0 .. 1
""")[2]
    tap.check("A0605" in err and err.count("angles of `door` at their pole: `turn free e`") == 1, "joints.upright", err)


def held():
    """Joints that hold one body together, each of which holds: whatever says the same is too much, never a contradiction. What is
    free is counted by hand; joints that do not fit are said to have no state only where that is so."""
    places = """marker D1 on door at (-0.4, 0, 0.5)
marker D2 on door at (-0.4, 0, -0.5)
marker W1 at (0, 0, 0.5)
marker W2 at (0, 0, -0.5)
"""
    bodies = {"free": ("coordinate x, y, z\n", "turn free e", 7),
              "angles": ("coordinate x, y, z, al, be, ga\n", "turn x al, y be, z ga", 6)}
    plane = ("coordinate x, y, th\n", "turn z th", 3)
    joints = {"hinge, weld": ("hinge W1, D1\nweld W2, D2\n", 0), "weld, hinge": ("weld W2, D2\nhinge W1, D1\n", 0),
              "welds": ("weld W1, D1\nweld W2, D2\n", 0), "slider, hinge": ("slider W1, D1 axis z\nhinge W2, D2\n", 0),
              "one axis": ("hinge W1, D1\nhinge W2, D2\n", 1), "ball, rod": ("ball W1, D1\nrod W2, D1 length 1\n", 3)}
    for body, (coordinates, turn, n) in tap.amount({}, bodies, bodies).items():
        head = f"{coordinates}body door mass 10 inertia (1, 2, 1.5) at (x, y, z) {turn}\n{places}"
        for name, (text, free) in joints.items():
            status, out, err = run("check", head + text)
            tap.check(status == 0 and f"{free} of {n} velocities" in out and "A0416" in err and "A0417" not in err and "A0418" not in err,
                      f"held.{body}.{name}", status, out, err)
        status, out, err = run("check", head + "ball W1, D1\nball W2, D1\n")
        tap.check(status == 1 and "A0417" in err and "contradicts `c1.3`" in err, f"held.{body}.apart", status, err)
    head = f"{plane[0]}body door mass 10 inertia (1, 2, 1.5) at (x, y, 0) {plane[1]}\n" + places.replace("-0.5)", "0)").replace("0.5)", "0)")
    for name, free in (("hinge, weld", 0), ("welds", 0), ("slider, hinge", 0)):
        text = joints[name][0].replace("axis z", "axis x")
        status, out, err = run("check", head + text)
        tap.check(status == 0 and f"{free} of 3 velocities" in out and "A0416" in err and "A0417" not in err, f"held.plane.{name}", status, out, err)
    text = f"{bodies['free'][0]}body door mass 10 inertia (1, 2, 1.5) at (x, y, z) turn free e\n{places}hinge W1, D1\nweld W2, D2\n"
    status, out, err = run("check", text)
    tap.check(status == 0 and "0 of 7 velocities" in out and err.count("A0416") == 1 and "A0417" not in err, "held.door", status, out, err)
    if tap.amount(False, True, True):
        status, out, err = run("check", text.replace("W2 at (0, 0, -0.5)", "W2 at (0, 0, -0.7)"))
        tap.check("A0417" not in err and "A0418" in err and "fit one another" in err, "held.misfit", err)


def hollow():
    """A cone that lies on its side has no radius to compare with a bowl: refused like on all that is no plane."""
    for ground in ("cylinder radius 1 at (0, 0, 1) along (0, 1, 0) inside", "sphere radius 1 at (0, 0, 1) inside"):
        status, out, err = run("check", f"""coordinate x, y, z
body B mass 1 inertia (0.003, 0.003, 0.004) at (x, y, z) turn free e
shape B cone angle 0.4 at (0, 0, -0.15)
surface S {ground}
roll B on S
""")
        tap.check(status == 1 and ":5:6: error[A0428]" in err and "planes only" in err and "hint" in err, f"hollow.{ground.split()[0]}", status, err)


def ends():
    """What comes to a place at which its equations are no more ends there, and says so; nothing goes on beyond a kink."""
    ball = """coordinate x, y, z
body B mass 1 inertia (0.004, 0.004, 0.004) at (x, y, z) turn free e
gravity (0, 0, -9.81)
shape B{}
surface S: {}
roll B on S
start x = 0.5, y = 0, z near -0.2, x' = -3, y' = 0
simulate t = 0 .. 10
"""
    hoop = """coordinate x, y, z, a
body B mass 1 inertia (0.01, 0.01, 0.02) at (x, y, z) turn free e
body R mass 1 inertia (1, 1, 1) at (0, 0, 0) turn x a
gravity (0, 0, -9.81)
shape B {}
{}
start x = {}, y = 0, z near {}, a = 0, e turn {}
simulate t = 0 .. 3
"""
    polar, formula = "(u*cos(v), u*sin(v), -u) for u = 0 .. 2, v = -4 .. 4", ": x^2 + y^2 + z^2 = 0.01"
    for name, text, how in (
            ("formula at a pole", ball.format(formula, polar), "is at a pole of"),
            ("curve in a dish", hoop.format("curve (0.2*cos(s), 0.15*sin(s), 0) for s = 0 .. 2*pi",
                                            "surface S: (u, v, u^2/4 + v^2/5) for u = -1 .. 1, v = -1 .. 1\nslide B on S",
                                            0.05, 0.1, "z 0.3, x 0.6"), "lies along"),
            ("edge beside an edge", hoop.format("disc radius 0.3", "shape R curve (0.1*cos(s), s, 0) for s = -1 .. 1\nroll B on R",
                                                0.1, 0.3, "x pi/2, y 0.1 turning (0, 3, 0)"), "lies along")):
        status, out, err = run("simulate", text, "--json")
        said = json.loads(out) if out else {}
        tap.check(status == 0 and said.get("stopped") and how in out and said["steps"] < 400, f"ends.{name}", status, said.get("steps"), err)
    # The normal jumps at the tip, and the ball would be put to the other side of it, with another energy.
    for name, shape, surface in (("graph", " sphere radius 0.1", "z = -sqrt(x^2 + y^2)"), ("polar", " sphere radius 0.1", polar)):
        status, out, err = run("simulate", ball.format(shape, surface), "--json")
        said = json.loads(out) if out else {}
        tip = abs(said["final"]["q"][0] - 0.1 / math.sqrt(2)) if said else 1
        tap.check(status == 3 and tip < 1e-8, f"ends.{name}", status, tip, err)


def lying():
    """Edges that fall flat end there, at once and with that word. On a plane without friction from rest the centre falls straight
    down: t is an integral. Elsewhere the last row is looked at: the angle between axis and normal, or ∂²F/∂s² of the edge by differences."""
    def fall(verb, shape, surface, start):
        status, out, err = run("simulate", f"""coordinate x, y, z
body B mass 1 inertia (0.0025, 0.0025, 0.005) at (x, y, z) turn free e
shape B {shape}
surface S{surface}
{verb} B on S
gravity (0, 0, -9.81)
start y = 0, e turn x 0.3, {start}
simulate t = 0 .. 5
""", "--samples", "2", "--max-steps", "400")
        rows = list(csv.DictReader(io.StringIO(out)))
        steps = re.search(r"in (\d+) steps", err)
        last = {k: float(v) for k, v in rows[-1].items() if v} if rows else {}
        return status == 0 and steps, last, err

    def rim(last, radii, s):
        """The place of the edge at s, by the quaternion."""
        a, b, c, d = (last[f"e{k}"] for k in range(4))
        u, v = radii[0] * math.cos(s), radii[1] * math.sin(s)
        return (last["x"] + (1 - 2 * (c * c + d * d)) * u + 2 * (b * c - a * d) * v, last["y"] + 2 * (b * c + a * d) * u + (1 - 2 * (b * b + d * d)) * v,
                last["z"] + 2 * (b * d - a * c) * u + 2 * (c * d + a * b) * v)

    def bent(last, radii, F):
        """∂²F/∂s² where the edge touches, as a part of its value at the start: |∇F| R sin 0.3."""
        at = min((math.dist(rim(last, radii, 1e-4 * k), [last[f"{label}_place[{i}]"] for i in (1, 2, 3)]), 1e-4 * k) for k in range(62832))[1]
        low, here, high = (F(*rim(last, radii, at + d)) for d in (-1e-3, 0, 1e-3))
        return (low - 2 * here + high) / 1e-6 / (radii[0] * math.sin(0.3))

    n = 2000  # Simpson, of dt/dw for θ = 0.3 - w²: finite at the start
    def rate(w):
        angle = 0.3 - w * w
        square = 2 * 9.81 * 0.1 * (math.sin(0.3) - math.sin(angle)) / (0.01 * math.cos(angle) ** 2 + 0.0025)
        return 2 * w / math.sqrt(square) if w else 2 / math.sqrt(2 * 9.81 * 0.1 * math.cos(0.3) / (0.01 * math.cos(0.3) ** 2 + 0.0025))
    h = math.sqrt(0.3) / n
    time = h / 3 * sum((1 if k in (0, n) else 4 if k % 2 else 2) * rate(k * h) for k in range(n + 1))
    for shape in ("disc radius 0.1", "curve (0.1*cos(s), 0.1*sin(s), 0) for s = 0 .. 2*pi"):
        good, last, err = fall("slide", shape, " plane", "x = 0")
        tap.check(good and "lies flat on S" in err and abs(last["t"] - time) < 1e-4, f"lying.plane.{shape.split()[0]}", time, last.get("t"), err)
    grounds = {"sphere": (" sphere radius 1", "x = 0.02, z near 1.05"), "cylinder": (" cylinder radius 1 along (1, 0, 0)", "x = 0.02, z near 1.05"),
               "hill": (": z = -0.3*x^2 - 0.2*y^2", "x = 0.02, z near 0.05"), "level": (": x^2 + y^2/2 + z^2 = 1", "x = 0.02, z near 1.05")}
    slope = {"sphere": lambda x, y, z: (x, y, z), "cylinder": lambda x, y, z: (0, y, z),
             "hill": lambda x, y, z: (0.6 * x, 0.4 * y, 1), "level": lambda x, y, z: (2 * x, y, 2 * z)}
    for verb in tap.amount(["slide"], ["slide", "roll"], ["slide", "roll"]):
        label = f"{verb}_B"
        for name, (surface, start) in list(grounds.items())[:tap.amount(1, 4, 4)]:
            good, last, err = fall(verb, "disc radius 0.1", surface, start)
            tap.check(good and "lies flat on S" in err, f"lying.{verb}.{name}", err)
            if last:
                normal = slope[name](*(last[f"{label}_place[{i}]"] for i in (1, 2, 3)))
                a, b, c, d = (last[f"e{k}"] for k in range(4))
                e = (2 * (b * d + a * c), 2 * (c * d - a * b), 1 - 2 * (b * b + c * c))
                angle = math.acos(sum(u * v for u, v in zip(e, normal)) / math.hypot(*normal))
                tap.check(abs(angle - 0.01) < 1e-5, f"lying.{verb}.{name}.angle", angle)
        if tap.amount(True, False, False):
            continue
        dip, hill = (lambda x, y, z: z - 0.3 * x * x - 0.2 * y * y), (lambda x, y, z: z + 0.3 * x * x + 0.2 * y * y)
        for name, shape, radii, surface, F in (("dip", "disc radius 0.1", (0.1, 0.1), ": z = 0.3*x^2 + 0.2*y^2", dip),
                                               ("curve", "curve (0.1*cos(s), 0.12*sin(s), 0) for s = 0 .. 2*pi", (0.1, 0.12), ": z = -0.3*x^2 - 0.2*y^2", hill)):
            good, last, err = fall(verb, shape, surface, "x = 0.02, z near 0.05")
            tap.check(good and "lies along S" in err and abs(bent(last, radii, F)) < 0.01, f"lying.{verb}.{name}", err, last and bent(last, radii, F))


def leaning():
    """A disc that may lean to both sides, z = R |sin theta|: what kind of system it is, is told of each side; what depends on the side is refuted."""
    shape = """coordinate x, y, z, psi, theta, phi
body wheel mass 2 inertia (0.02, 0.02, 0.04) at (x, y, z) turn z psi, x theta, z phi
gravity (0, 0, -9.81)
shape wheel {}
surface floor plane
roll wheel on floor
"""
    claims = {"rank 3": "claim", "rank 4": "refute", "nonholonomic": "claim", "accessible 5": "claim",
              "z = {}": "claim", "z = {}*sign(sin(theta))": "refute", "growth {}": "claim"}
    for name, form, z, growth in (("disc", "disc radius 0.2", "abs(sin(theta))/5", "3, 4, 5"),
                                  ("torus", "torus radius 0.2 tube 0.03", "(0.03 + abs(sin(theta))/5)", "3, 5")):
        for says, word in claims.items():
            says = says.format(growth if "growth" in says else z)
            status, out, _ = run("verify", shape.format(form) + f'{word} "it": {says}\n')
            tap.check(status == 0 and "1 of 1" in out, f"leaning.{name}.{word} {says}", out)


def hints():
    """A name that is unknown is likened to those that may stand there alone: bodies, and of contacts surfaces."""
    text = "coordinate s\nbody B mass 1 inertia (1, 1, 1) at (s, 0, 0)\nshape B sphere radius 1\nsurface floor plane\n"
    for line, hint in (("roll B on S", "declare it before this line: surface S plane"), ("roll B on flor", "did you mean `floor`?"),
                       ("roll b2 on floor", "did you mean `B`?"), ("force on floo (1, 0, 0)", "declare it before this line: body"),
                       ("force s = max(s)", "`max` has 2 arguments or more, not 1"), ("assume 1 > 2", "they contradict each other")):
        err = run("check", text + line + "\n")[2]
        tap.check(hint in err and "5:" in err, f"hints.{line}", err)
    wheel = """parameter R = 0.4
coordinate x, a
body W mass 1 inertia (1, 1, 1) at (x, 0, 0.4) turn y a
shape W disc radius R axis y
surface road plane
roll W on road
"""
    err = run("check", wheel)[2]
    tap.check("A0428" in err and "2/5 - R is between them: write its height with the parameters" in err, "hints.height", err)
    tap.check(run("check", wheel.replace("0, 0.4)", "0, R)"))[0] == 0, "hints.height by the radius")


hops()
surfaces()
leaning()
hints()
door()
welded()
upright()
held()
hollow()
lying()
ends()
apex()
rods()
shapes()
formulas()
sheets()
models()
joints()
attitude()
tap.done()

#!/usr/bin/env python3
"""Contacts that are sought on both sides, and starts whose attitudes are told by joints: against the same machines written by
hand, against surfaces by their equation, and against tori of thin tubes."""
import csv
import io
import json
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "harness"))
import tap

ANHOLO = tap.BUILD / "anholo"


def run(command, text, *options):
    said = subprocess.run([ANHOLO, command, "-", *options], input=text, capture_output=True, text=True)
    return said.returncode, said.stdout, said.stderr


def motion(text):
    status, out, err = run("simulate", text, "--samples", "2", "--rtol", "1e-12", "--atol", "1e-14")
    rows = [{k: float(v) for k, v in row.items() if v} for row in csv.DictReader(io.StringIO(out))]
    return rows[-1] if status == 0 and rows else {"error": err or out}


def differ(one, other, columns):
    a, b = motion(one), motion(other)
    if "error" in a or "error" in b:
        return a.get("error", "") + b.get("error", "")
    return max(abs(a[c] - b[c]) / max(1, abs(b[c])) for c in columns)


def same(name, one, other, columns, tolerance=1e-9):
    off = differ(one, other, columns)
    tap.check(isinstance(off, float) and off <= tolerance, name, off)


PLACE = ["x", "y", "z", "psi", "theta", "phi"]
TWO = """parameter g = 9.81
coordinate x, y, z, psi, theta, phi, X, Y, a, b{more}
body A mass 1 inertia (0.02, 0.02, 0.04) at (x, y, z) turn z psi, x theta, z phi
body B mass 3 inertia (0.2, 0.3, 0.3) at (X, Y, 0) turn y a, x b
gravity (0, 0, -g)
{contact}
start x = 0.05, y = 0.02, z near 0.5, psi = 1.3, theta = 1.4, phi = 0.3, theta' = 1, X = 0, Y = 0, a = 0.2, b = 0.1, phi' = 1
simulate t = 0 .. 0.2
"""
# The place on each edge as an unknown, and no slip along two fixed directions that are no tangents: with the rate of `meet`
# two components of the three are as good as any.
HAND = """let P = position(A) + {A}
let Q = position(B) + {B}
constraint meet: P = Q
constraint s1: (velocity(A, P) - velocity(B, P))[1] = 0
constraint s2: (velocity(A, P) - velocity(B, P))[2] = 0
"""


def edges():
    discs = "shape A disc radius 0.2\nshape B disc radius 0.3 axis y\nroll A on B"
    ring = "0.2*(cos(s)*axis(A, 1) + sin(s)*axis(A, 2))"
    other = "0.3*(sin(r)*axis(B, 1) + cos(r)*axis(B, 3))"
    hand = TWO.format(more=", s, r", contact=HAND.format(A=ring, B=other)).replace("start ", "start s near 4.2, r near 0.03, ")
    columns = PLACE + ["X", "Y", "a", "b"]
    same("edges.discs", TWO.format(more="", contact=discs), hand, columns)
    # A thin tube instead of each edge: the difference falls with its radius.
    tube = "shape A torus radius {} tube {r}\nshape B torus radius {} tube {r} axis y\nroll A on B"
    off = [differ(TWO.format(more="", contact=discs), TWO.format(more="", contact=tube.format(0.2 - r, 0.3 - r, r=r)), columns)
           for r in (4e-3, 1e-3)]
    tap.check(all(isinstance(x, float) for x in off) and off[1] < 0.01 and 3.5 < off[0] / off[1] < 4.5, "edges.thin tori", off)
    curves = """shape A curve (0.3*cos(s), 0.2*sin(s), 0.02*sin(s)) for s = 0 .. 2*pi
shape B curve (s, 0.3*cos(s), 0.1*sin(2*s)) for s = -1 .. 1
roll A on B"""
    bent = "0.3*cos(s)*axis(A, 1) + 0.2*sin(s)*axis(A, 2) + 0.02*sin(s)*axis(A, 3)"
    rail = "r*axis(B, 1) + 0.3*cos(r)*axis(B, 2) + 0.1*sin(2*r)*axis(B, 3)"
    there = lambda text: text.replace("y = 0.02", "y = 0.3")
    hand = TWO.format(more=", s, r", contact=HAND.format(A=bent, B=rail)).replace("start ", "start s near 4.2, r near 0.07, ")
    same("edges.hoop on a rail", there(TWO.format(more="", contact=curves)), there(hand), columns)
    # The force is perpendicular to both edges; it is towards A, and does no work where nothing moves but what rolls.
    status, out, err = run("simulate", TWO.format(more="", contact=discs), "--json", "--samples", "2")
    found = json.loads(out) if status == 0 else {}
    tap.check(status == 0 and "leaves" not in str(found.get("happenings", "")), "edges.presses", err)
    first = motion(TWO.format(more="", contact=discs))
    tap.check(first.get("roll_A_normal", -1) > 0, "edges.normal", first)
    spin = TWO.format(more="", contact=discs + " without spinning\nclaim \"spin\": "
                      "dot(omega(A) - omega(B), roll_A_direction) = 0\nclaim \"energy\": constant energy")
    status, out, err = run("verify", spin)
    tap.check(status == 0, "edges.rubber", out, err)


def on_sheets():
    head = """coordinate x, y, z, psi, theta, phi
body B mass 1 inertia (0.02, 0.03, 0.04) at (x, y, z) turn z psi, x theta, z phi
gravity (0, 0, -9.81)
"""
    end = """roll B on S
start x = 0.1, y = 0.1, z near 0.2, psi = 0, theta = 1.2, phi = 0.3, theta' = 1
simulate t = 0 .. 0.2
"""
    for name, shape in {
            "curve": "shape B curve (0.3*cos(s), 0.2*sin(s), 0.05*cos(2*s)) for s = 0 .. 2*pi\n",
            "level": "shape B: (x/0.2)^2 + (y/0.3)^2 + (z/0.25)^4 = 1\n",
            "sheet": "shape B: (0.2*cos(u)*cos(v), 0.3*sin(u)*cos(v), 0.25*sin(v)) for u = -pi .. pi, v = -1.4 .. 1.4\n"}.items():
        same(f"on a sheet.{name}", head + shape + "surface S: (u, v, 0.2*u*v + 0.1*v^2) for u = -2 .. 2, v = -2 .. 2\n" + end,
             head + shape + "surface S: z = 0.2*x*y + 0.1*y^2\n" + end, PLACE + ["roll_B_normal"])


def attitudes():
    """What a weld tells of a free attitude, and `near` where there are several."""
    text = """gravity (0, 0, -9.81)
coordinate x, y, z, X, Y, Z
body A mass 1 inertia (0.1, 0.2, 0.25) at (x, y, z) turn free e
body B mass 2 inertia (0.3, 0.2, 0.15) at (X, Y, Z) turn free f
body half mass 0 inertia (0, 0, 0) on A at (0.3, 0, 0) turn x 0.4
marker P on B at (0, 0.2, 0)
weld half, P
start x = 0.1, y = 0.2, z = 0.9, e turn z 0.3, x 0.5 turning (1, 0.2, -0.3){}
simulate t = 0 .. 0.5
"""
    one = text.replace("body B mass 2 inertia (0.3, 0.2, 0.15) at (X, Y, Z) turn free f\n", "").replace(", X, Y, Z", "")
    one = one.replace("marker P on B at (0, 0.2, 0)\nweld half, P\n",
                      "body B mass 2 inertia (0.3, 0.2, 0.15) on half at (0, -0.2, 0)\n").format("")
    # As one body it begins with what A has; of two, the welded one follows.
    same("attitude.weld", text.format(", x' = 0, y' = 0, z' = 0"), one.replace("turning (1, 0.2, -0.3)", "turning (1, 0.2, -0.3), x' = 0, y' = 0, z' = 0"),
         ["x", "y", "z", "e0", "e1", "e2", "e3"])
    same("attitude.weld near", text.format(", f near turn z 0.3, x 1, x' = 0, y' = 0, z' = 0"), text.format(", x' = 0, y' = 0, z' = 0"),
         ["X", "Y", "Z", "f0", "f1"])
    # Several attitudes in one statement; a body that turns about its own axis between two balls is free in part.
    several = """coordinate x
body A mass 1 inertia (1, 2, 3) at (x, 0, 0) turn free e
body B mass 1 inertia (1, 2, 3) at (0, x, 0) turn free f
start e turn z 0.3, f turn x 1, x = 0.1, f turning (1, 0, 0)
"""
    status, out, err = run("eval", several, "--json")
    q = dict(zip(json.loads(out)["coordinates"], json.loads(out)["q"])) if status == 0 else {}
    tap.check(abs(q.get("e3", 0) - 0.14943813247359922) < 1e-12 and abs(q.get("f1", 0) - 0.479425538604203) < 1e-12,
              "attitude.several", q, err)
    rod = """coordinate x, y, z
body rod mass 1 inertia (0.001, 0.1, 0.1) at (x, y, z) turn free e
marker P on rod at (-0.5, 0, 0)
marker Q on rod at (0.5, 0, 0)
ball P, (0, 0, 0)
ball Q, (0.6, 0.8, 0)
"""
    status, out, err = run("eval", rod, "--json")
    q = dict(zip(json.loads(out)["coordinates"], json.loads(out)["q"])) if status == 0 else {}
    tap.check(abs(q.get("x", 0) - 0.3) < 1e-9 and abs(q.get("y", 0) - 0.4) < 1e-9, "attitude.between balls", q, err)
    for wrong, code, word in [("e near turn z 1 turning (1, 0, 0)", "A0421", "near"), ("e near turn", "A0201", "turn"),
                              ("e near turn about (1, 0, 0)", "A0106", "angle"), ("f near turn z 1", "A0303", "attitude"),
                              ("e turn z 1, f 2", "A0106", "axis")]:
        status, out, err = run("check", rod + f"start {wrong}\n")
        tap.check(status == 1 and code in err and word in err and ":7:" in err, f"attitude.wrong.{wrong}", err)


def pulls():
    """A contact whose force is negative from the start has been lost before it."""
    text = """coordinate x, y, z
body ball mass 1 inertia (0.4, 0.4, 0.4) at (x, y, z) turn free e
gravity (0, 0, {})
shape ball sphere radius 1
surface S sphere radius 2
roll ball on S
start x = 0.5, y = 0, z near 3, x' = 0.1
simulate t = 0 .. 0.1
"""
    for gravity, told in ((-9.81, False), (9.81, True)):
        status, out, err = run("simulate", text.format(gravity), "--samples", "2")
        tap.check(status == 0 and ("before the start" in err) == told, f"pulls.{gravity}", err)
    # A force that lifts it: where it jumps, where nothing presses at the start or for a while, and where it presses less alone.
    lifted = """input up = 0
coordinate x, y, z
body ball mass 1 inertia (0.4, 0.4, 0.4) at (x, y, z) turn free e
gravity (0, 0, -10)
shape ball sphere radius 1
surface S plane
roll ball on S
force on ball (0, 0, {})
start x = 0, y = 0, x' = 1
simulate t = 0 .. 2
"""
    for up, when in [("if(t > 1, 20, 0)", [1]), ("20*step(x - 0.5)", [0.5]), ("if(t > 1, 20, 10)", [1]), ("10*(1 + t)", [0]),
                     ("clamp(20*(t - 1), 10, 30)", [1.5]), ("10*min(1, t) + max(0, t - 1.5)", [1.5]),
                     ("if(t > 0.5, 20, 0)*if(t < 1, 1, 0) + if(t > 1.5, 20, 0)", [0.5, 1.5]), ("if(t > 1, 9, 1)", []), ("10*(1 - t)", []), ("10", [])]:
        for force, how in ((up, []), (up, ["--integrator", "taylor"]), (up, ["--rtol", "1e-5"]), ("up", ["--input", f"up={up}"])):
            if force == "up" and "x" in up.replace("max", ""):
                continue
            status, out, err = run("simulate", lifted.format(force), "--json", *how)
            told = [e["t"] for e in json.loads(out)["events"] if "leaves" in e["label"]] if out else None
            tap.check(status == 0 and told is not None and len(told) == len(when) and all(abs(a - b) < 1e-9 for a, b in zip(told, when)),
                      f"lifted.{up} {how}", told, when, err)


FALLS = """parameter m = 1, R = 0.1, l = 0.3, g = 9.81
coordinate x, y, z, psi, theta, phi
body can mass m inertia (m*(3*R^2 + l^2)/12, m*(3*R^2 + l^2)/12, m*R^2/2) at (x, y, z) turn z psi, x theta, z phi
gravity (0, 0, -g)
shape can cylinder radius R length l
surface floor plane
roll can on floor
start x = 0, y = 0, psi = 0, theta = {}, phi = 0, psi' = -1, phi' = 3
simulate t = 0 .. 1
"""


def falls():
    """A can that falls onto its side: up to the blow its energy is kept, in all rows and in the summary, however short the steps."""
    for theta in 0.8, 1.2:
        for rtol in 1e-9, 1e-12, 1e-13:
            for by in ("dop853", "adams", "bdf") if rtol > 1e-13 else ("dop853", "adams"):
                status, out, err = run("simulate", FALLS.format(theta), "--rtol", str(rtol), "--atol", "1e-15", "--integrator", by)
                energy = [float(row["energy"]) for row in csv.DictReader(io.StringIO(out))]
                told = [float(x.split("relative")[1]) for x in err.splitlines() if x.startswith("energy")]
                off = max(abs(e / energy[0] - 1) for e in energy)
                tap.check(max(told + [off]) < 1e-12 + 200 * rtol and "undersampled" not in err, f"falls.{theta}.{rtol}.{by}", off, err)


FLOATS = """parameter m = 1, r = 0.1
coordinate x, y, z{more}
body ball mass m inertia (2/5*m*r^2, 2/5*m*r^2, 2/5*m*r^2) at (x, y, z) turn {turn}
shape ball sphere radius r
surface S {surface}
roll ball on S
start x = {x}, y = 0.1, {start}
simulate t = 0 .. 3
"""


def floats():
    """Without gravity nothing presses a ball onto a plane: what rounding leaves of that is no force, and it does not leave."""
    free = {"more": "", "turn": "free e", "start": "e turn z 0.3, x 1 turning (1, 2, 3)"}
    angles = {"more": ", a, b, c", "turn": "z a, y b, x c", "start": "a = 0, b = 0.1, c = 0.2, a' = 0.3, b' = 0.4, c' = 1"}
    for surface in ("plane at (0.1, 0.2, 0.3) normal (1, 2, 3) turning 0.7", "plane at (0.1, 0.2, 0.3) normal (1, 2, 3) turning -0.7",
                    ": z = 0.3*x + 0.1*y", "plane normal (-3, 1, 7)"):
        for how in free, angles:
            for x in 0.3, -0.3:
                text = FLOATS.format(surface=surface, x=x, **how).replace("surface S :", "surface S:")
                status, out, err = run("simulate", text, "--to", "3")
                tap.check(status == 0 and err.rstrip().endswith('the event "ball leaves S" is zero all the time'),
                          f"floats.{surface}.{how['turn']}.{x}", err[-300:])


KINKS = {  # z is pushed from the very place or time of the kink on; y = x|x| has none
    "start": ("y = abs(x)", "0", "start x = 0, x' = 1, y = 0, z = 0", 0), "time": ("y = abs(x)", "if(t < 1, 0, 1)", "start x = -1, x' = 1, z = 0", 1),
    "place": ("y = abs(x)", "sign(x)", "start x = -1, x' = 1, z = 0", 1), "smooth": ("y = x*abs(x)", "sign(x)", "start x = -1, x' = 1, z = 0", None)}


def kinks():
    """A corner of a constraint ends the motion where a force switches at the same place, and where it begins there; a bend does not."""
    for name, (row, force, start, end) in KINKS.items():
        for by in "dop853", "adams", "bdf", "ida":
            status, out, err = run("simulate", f"coordinate x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\nforce z = {force}\n"
                                   f"constraint {row}\n{start}\nsimulate t = 0 .. 3\n", "--integrator", by)
            rows = list(csv.DictReader(io.StringIO(out)))
            last = {k: float(rows[-1][k]) for k in ("t", "x", "x'", "y'")}
            good = status == 3 and "has a kink here" in err and abs(last["t"] - end) < 0.02 if end is not None else status == 0
            speed = last["x'"] ** 2 + last["y'"] ** 2
            start_speed = float(rows[0]["x'"]) ** 2 + float(rows[0]["y'"]) ** 2
            tap.check(good and abs(speed / start_speed - 1) < 1e-7, f"kinks.{name}.{by}", last, err[-300:])


def rows_of_contacts():
    """A redundant row of a contact cannot be left out by itself: the hint speaks of the contact."""
    text = """coordinate x, y, z
body B mass 1 inertia (0.4, 0.4, 0.4) at (x, y, z) turn free e
shape B sphere radius 1
surface S plane
"""
    for more, told in (("roll B on S\nslide B on S\n", "leave out this contact"),
                       ("constraint high: z = 1\nroll B on S\n", "at that height besides"),
                       ("constraint way: velocity(B, (x, y, z - 1)) = (0, 0, 0)\nslide B on S\nconstraint twice: 2*z = 2\n", "leave `twice` out")):
        status, out, err = run("check", text + more)
        tap.check(status == 0 and "A0416" in err and told in err, f"rows.{told}", err)


edges()
on_sheets()
rows_of_contacts()
falls()
floats()
kinks()
attitudes()
pulls()
tap.done()

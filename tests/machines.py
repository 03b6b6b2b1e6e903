#!/usr/bin/env python3
"""What drives a machine from outside, and what switches: against closed forms and against the same thing written out."""
import csv
import io
import json
import math
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent / "harness"))
import tap

ANHOLO = tap.BUILD / "anholo"
FOLDER = pathlib.Path(tempfile.mkdtemp(prefix="machines"))


def run(command, text, *options):
    """(status, standard output, standard error) of a command on a model given as text."""
    said = subprocess.run([ANHOLO, command, "-", *options], input=text, capture_output=True,
                          text=True, cwd=FOLDER)
    return said.returncode, said.stdout, said.stderr


def motion(text, *options):
    """The last row of a motion, by the names of its columns."""
    status, out, err = run("simulate", text, "--samples", "2", *options)
    rows = list(csv.DictReader(io.StringIO(out)))
    if status or not rows:
        return {"error": err}
    return {name: float(value) for name, value in rows[-1].items() if value}


def near(name, got, wanted, tolerance=1e-8):
    good = got is not None and abs(got - wanted) <= tolerance * max(1, abs(wanted))
    tap.check(good, name, f"{got} instead of {wanted}")


CART = """
parameter m = 2, k = 8
input u = 0
coordinate x
kinetic m*x'^2/2
potential k*x^2/2
force x = u
start x = 0, x' = 0
simulate t = 0 .. 3
claim "law": m*x'' = u - k*x
refute "energy": constant energy
"""


def inputs():
    w = 2  # sqrt(k/m)
    near("input.step", motion(CART, "--input", "u=1")["x"], (1 - math.cos(3 * w)) / 8)
    near("input.sine", motion(CART, "--input", "u=sin(t)")["x"],
         (math.sin(3) - math.sin(3 * w) / w) / (2 * (w * w - 1)))
    near("input.default", motion(CART)["x"], 0)
    status, out, _ = run("verify", CART)
    tap.check(status == 0 and "proved" in out, "input.claims speak of all inputs", out)
    # x = u(t) as a constraint: both rates of the input come into the acceleration.
    driven = CART.replace("simulate", "constraint belt: x = u\nsimulate")
    got = run("eval", driven, "--json", "--input", "u=3*t^2", "--at", "t=0.5,x=0.75,x'=3")
    x = json.loads(got[1]) if got[0] == 0 else {}
    tap.check("6" in str(x.get("methods", x))[:4000], "input.constraint", got)
    follows = CART.replace("start x = 0, x' = 0", "coordinate y\nkinetic y'^2\nstart x = 1, y = 2*x, x' = 0.5")
    for at, wanted in (("x=y", "A0603"), ("x=2*x',x'=1", "A0603"), ("x=1,x=2", "A0604"), ("x'=1,x=2*x'", None), ("x=x'", None)):
        for command in ("simulate", "report"):
            status, _, err = run(command, follows, "--at", at, "-o", "out.html")
            tap.check(wanted in err if wanted else status == 0, f"at.{command} {at}", err)
    got = motion(follows, "--to", "0", "--at", "x'=1,x=3*x'")
    tap.check((got.get("x"), got.get("y")) == (3, 6), "at.follows", got)
    err = run("eval", CART, "--at", "x'=1")[2]  # what `start` says is no part of the state
    tap.check("A0605" in err and "hint: add it to --at, which is the whole state" in err, "eval.at is the whole state", err)



def kinematic():
    """q' = psi is all that there is: neither forces nor methods that weigh them."""
    car = """input v = 1, w = 0.5
coordinate x, y, theta
velocity v, w: x' = v*cos(theta), y' = v*sin(theta), theta' = w
"""
    status, out, _ = run("derive", car, "--json")
    rows = [(e["unknown"], e["ascii"]) for e in json.loads(out)["equations"]] if status == 0 else out
    tap.check(rows == [("x'", "v*cos(theta)"), ("y'", "v*sin(theta)"), ("theta'", "w")], "kinematic.derive", rows)
    status, _, err = run("derive", car, "--method", "hamel")
    tap.check(status == 1 and "A0502" in err and "--method parametric" in err, "kinematic.refused", err)


def pendulum(th, w, span):
    """Of length 2, after a time: Runge and Kutta's classical steps."""
    def f(x, v):
        return v, -9.81 / 2 * math.sin(x)
    count = max(1, round(2000 * span))
    h = span / count
    for _ in range(count):
        a = f(th, w)
        b = f(th + h / 2 * a[0], w + h / 2 * a[1])
        c = f(th + h / 2 * b[0], w + h / 2 * b[1])
        d = f(th + h * c[0], w + h * c[1])
        th, w = (x + h / 6 * (p + 2 * q + 2 * r + s) for x, p, q, r, s in zip((th, w), a, b, c, d))
    return th, w


def tables():
    rows = [(0, 0), (1, 2), (1.5, -1), (3, 4)]
    (FOLDER / "u.csv").write_text("t, other, u\n" + "".join(f"{t},7,{u}\n" for t, u in rows))
    # The spring's answer to each straight piece, one after the other.
    x, v, w = 0.0, 0.0, 2.0
    for (t0, u0), (t1, u1) in zip(rows, rows[1:]):
        slope, h = (u1 - u0) / (t1 - t0), t1 - t0
        a, b = x - u0 / 8, (v - slope / 8) / w
        x = u1 / 8 + a * math.cos(w * h) + b * math.sin(w * h)
        v = slope / 8 - a * w * math.sin(w * h) + b * w * math.cos(w * h)
    got = motion(CART, "--input", "u=u.csv:u")
    near("table.linear", got.get("x"), x, 1e-8)
    near("table.linear.velocity", got.get("x'"), v, 1e-8)
    # Hermite's cubic through rows of a parabola is the parabola, but for its ends.
    (FOLDER / "p.csv").write_text("t,u\n" + "".join(f"{k / 4},{(k / 4) ** 2}\n" for k in range(-8, 25)))
    near("table.smooth", motion(CART, "--input", "u=p.csv:u:smooth").get("x"),
         motion(CART, "--input", "u=t^2")["x"], 1e-9)
    # A corner of what drives a place is a blow: the velocity of the load jumps by Δs' cos(th)/l.
    crane = """input s = 0
coordinate X, th
point load mass 3 at (X + 2*sin(th), -2*cos(th))
gravity (0, -9.81)
constraint drive: X = s
start th = 0.1
simulate t = 0 .. 3
"""
    rows = [(-1, -1), (0.5, 0.5), (1, 2), (2, 1), (5, 4)]
    (FOLDER / "s.csv").write_text("t,s\n" + "".join(f"{t},{s}\n" for t, s in rows))
    crane = crane.replace("start th = 0.1", "start th = 0.1, th' = 0.3")
    th, w, before = 0.1, 0.3, 1
    for (t0, s0), (t1, s1) in zip([(0, 0)] + rows[1:], rows[1:4] + [(3, 2)]):
        slope = (s1 - s0) / (t1 - t0)
        th, w = pendulum(th, w - (slope - before) * math.cos(th) / 2, t1 - t0)
        before = slope
    by = ("--input", "s=s.csv:s", "--rtol", "1e-11")
    declared = crane.replace("start", "velocity w: X' = s', th' = w\nstart")
    for name, model, options in (("multipliers", crane, ()), ("hamel", crane, ("--method", "hamel")),
                                 ("taylor", crane, ("--integrator", "taylor")), ("velocity", declared, ()),
                                 ("voronets", crane, ("--method", "voronets")),
                                 ("ida", crane, ("--integrator", "ida"))):
        got = motion(model, *by, *options)
        near(f"table.corner.{name}", got.get("th"), th, 1e-8)
        near(f"table.corner.{name}.velocity", got.get("th'"), w, 1e-8)
    # The table begins where the motion does: the velocities are those of its first piece, given or not.
    (FOLDER / "first.csv").write_text("t,s\n" + "".join(f"{t},{s}\n" for t, s in [(0, 0)] + rows[1:]))
    first = ("--input", "s=first.csv:s", "--rtol", "1e-11")
    for name, model, options in (("open", crane, ()), ("given", crane.replace("start", "start X' = 1,"), ()),
                                 ("velocity", declared, ()), ("taylor", crane, ("--integrator", "taylor"))):
        near(f"table.first.{name}", motion(model, *first, *options).get("th"), th, 1e-8)
    shown = list(csv.DictReader(io.StringIO(run("simulate", crane, *first, "--every", "0.5")[1])))
    near("table.first.row", float(shown[0]["X'"]), 1, 1e-12)
    near("table.corner.row", float(shown[1]["X'"]), 3, 1e-12)
    near("table.corner.place", float(shown[1]["X"]), 0.5, 1e-15)
    # and eval at such a time has what the row has: of just after it, by every method
    for at, slope in (0, 1), (0.5, 3), (1, -1):
        number = json.loads(run("eval", crane, *first[:2], "--json", "--method", "all", "--at", f"t={at},th=0.1,th'=0.3")[1])
        near(f"table.corner.eval.{at}", number["qdot"][0], slope, 1e-12)
        for name, by_it in number["methods"].items():
            if "qddot" in by_it:
                near(f"table.corner.eval.{at}.{name}", by_it["qddot"][1], -9.81 / 2 * math.sin(0.1), 1e-9)
    refused = run("eval", crane, *first[:2], "--digits", "10", "--at", "t=1,th=0.1")
    tap.check("something changes at t = 1" in refused[2], "table.corner.digits", refused)
    tap.check(all(float(row["residual"]) < 1e-12 for row in shown), "table.corner.residual", *[row["residual"] for row in shown])
    near("table.first.sweep", float(run("sweep", crane, *first, "--over", "th=0.1..0.2:2", "--output", "final.th")[1]
                                    .splitlines()[1].split(",")[2]), th, 1e-8)
    rates = run("sweep", crane, *by, "--over", "th=0.1..0.2:2", "--output", "final.th")
    near("table.corner.sweep", float(rates[1].splitlines()[1].split(",")[2]), th, 1e-8)
    wrong = {
        "no such column": ("u=u.csv:w", "u.csv:1:1: error[A0433]: the table has no column `w`"),
        "no time": ("u=timeless.csv:u", "timeless.csv:1:1: error[A0433]: the table has no column `t`"),
        "a near column": ("speed=near.csv:sped", "did you mean `speed`?"),
        "two columns": ("u=twice.csv:u", "twice.csv:1:5: error[A0433]: the table has two columns `u`"),
        "too many cells": ("u=comma.csv:u", "comma.csv:3:5: error[A0433]"),
        "a short line": ("u=short.csv:u", "short.csv:3:1: error[A0433]: the line has no number for `u`"),
        "a word": ("u=word.csv:u", "word.csv:4:5: error[A0433]: there is no number for `u`"),
        "a number of programs": ("u=hex.csv:u", "hex.csv:3:3: error[A0433]: there is no number for `u`"),
        "no column": ("u=u.csv:", "wants a column of the table"),
        "no rows": ("u=bare.csv:u", "bare.csv:1:1: error[A0425]"),
        "nothing": ("u=empty.csv:u", "empty.csv:1:1: error[A0433]"),
        "no text": ("u=bytes.csv:u", "bytes.csv:2:2: error[A0433]: this is not a text"),
        "no such file": ("u=gone.csv:u", "No such file"),
        "a folder": ("u=folder.csv:u", "not a regular file"),
        "a gap": ("u=gap.csv:u", "gap.csv:3:3: error[A0433]: there is no number for `u`"),
        "disorder": ("u=back.csv:u", "back.csv:4:1: error[A0433]: the times do not ascend"),
        "one row": ("u=one.csv:u", "one.csv:1:1: error[A0425]: the input `u`: an input needs two rows"),
        "no such input": ("w=1", "--input:1:1: error[A0425]"),
        "no name": ("x'=1", "--input:1:1: error[A0425]"),
        "a coordinate": ("u=x", "--input:1:1: error[A0402]"),
        "not an expression": ("u=sin(", "--input:1:7"),
        "no value": ("u", "u=sin(t)"),
        "twice": ("u=1,u=2", "--input:1:5: error[A0425]: `u` is given twice"),
        "a table besides": ("u=u.csv:u,u=1", "`--input` gives `u` twice"),
        "a table before": ("u=1,u=u.csv:u", "`--input` gives `u` twice"),
        "two tables": ("u=u.csv:u,u=u.csv:u:smooth", "`--input` gives `u` twice"),
    }
    (FOLDER / "folder.csv").mkdir()
    (FOLDER / "gap.csv").write_text("t,u\n0,1\n1,\n2,1\n")
    (FOLDER / "back.csv").write_text("t,u\n0,1\n1,2\n0.5,1\n")
    (FOLDER / "one.csv").write_text("t,u\n0,1\n")
    (FOLDER / "hex.csv").write_text("t,u\n0,1\n1,0x10\n")
    (FOLDER / "timeless.csv").write_text("u,v\n0,1\n1,1\n")
    (FOLDER / "near.csv").write_text("t,speed\n0,1\n1,1\n")
    (FOLDER / "twice.csv").write_text("t,u,u\n0,1,1\n1,1,1\n")
    (FOLDER / "comma.csv").write_text("t,u\n0,1\n1,0,5\n")
    (FOLDER / "short.csv").write_text("t,u\n0,1\n1\n")
    (FOLDER / "word.csv").write_text('t,"u"\r\n\r\n0, 1\r\n1, "one"\r\n')
    (FOLDER / "bare.csv").write_text("t,u\n")
    (FOLDER / "empty.csv").write_text("")
    (FOLDER / "bytes.csv").write_bytes(b"t,u\n0\0,1\n")
    for name, (option, said) in wrong.items():
        status, _, err = run("simulate", CART, "--input", option)
        tap.check(status in (1, 2) and said in err, f"table.wrong.{name}", status, err)


def switches():
    fall = """
parameter m = 1, c = 0.5
coordinate x
kinetic m*x'^2/2
force x = {}
start x = 0, x' = 0
simulate t = 0 .. 2
"""
    near("switch.if", motion(fall.format("if(t < 1, 1, -1)"))["x"], 1.0)
    # A motion that cannot begin says nothing of its events.
    stuck = fall.format("t - sign(x')") + 'record "fast" when x\' = 40\n'
    status, _, err = run("simulate", stuck)
    tap.check(status == 3 and "chattering" in err and "fast" not in err, "switch.stuck", status, err)
    near("switch.step", motion(fall.format("step(t - 1)"))["x"], 0.5)
    near("switch.max", motion(fall.format("max(t - 1, 0)"))["x"], 1 / 6)
    near("switch.min", motion(fall.format("min(t, 1, 5)"))["x"], 1 / 6 + 0.5 + 0.5)
    near("switch.clamp", motion(fall.format("clamp(3*t - 3, -1e9, 1)"))["x'"],
         sum(min(3 * (k + 0.5) / 1e5 - 3, 1) for k in range(200000)) / 1e5, 1e-8)
    # Rayleigh's function is the force that it stands for.
    a = motion(fall.format("1 - c*x'"))["x"]
    b = motion(fall.format("1") + "dissipation 1/2*c*x'^2\n")["x"]
    near("dissipation", b, a, 1e-12)
    near("dissipation.closed form", b, 2 / 0.5 - (1 - math.exp(-1)) / 0.25)
    text = fall.format("0") + """
output speed = abs(x')
output twice = 2*speed
record "slow" when twice = 1
claim "both": min(x, 2) + max(x, 2) = x + 2
claim "step": step(x) + step(-x) = 1
refute "at 0": step(x)^2 = step(x)
refute "max": max(x, 2) = x
"""
    status, out, _ = run("verify", text)
    tap.check(status == 0 and out.count("proved") == 2, "switch.claims", out)


def kinematics():
    text = """
input v = 1, w = 0.5
coordinate x, y, theta
velocity v, w: x' = v*cos(theta), y' = v*sin(theta), theta' = w
start x = 0, y = 0, theta = 0.2
simulate t = 0 .. 3
output speed = v
claim "everywhere": accessible 3
claim "growth": growth 2, 3
"""
    got = motion(text)
    near("kinematic.x", got.get("x"), (math.sin(1.7) - math.sin(0.2)) / 0.5)
    near("kinematic.y", got.get("y"), (math.cos(0.2) - math.cos(1.7)) / 0.5)
    near("kinematic.speed", got.get("speed"), 1)
    near("kinematic.input", motion(text, "--input", "v=t,w=0").get("x"), 4.5 * math.cos(0.2))
    for command in ("check", "verify", "crosscheck", "report"):
        status, out, err = run(command, text)
        tap.check(status == 0 and ("nothing to compare" in out) == (command == "crosscheck"), f"kinematic.{command}", status, out[:2000], err)
    status, out, err = run("crosscheck", text, "--json")
    tap.check(status == 0 and json.loads(out)["states"] == 0 and json.loads(out)["methods"] == [], "kinematic.crosscheck --json", out, err)


def lets_of_inputs():
    """An input that is a velocity parameter may stand in a let before the velocity form."""
    text = """
input v = 1, w = 0.5
coordinate x, y, theta
let ahead = 2*v
velocity v, w: x' = ahead*cos(theta), y' = ahead*sin(theta), theta' = w
start x = 0, y = 0, theta = 0
simulate t = 0 .. 2
"""
    near("kinematics.let", motion(text).get("x"), 4 * math.sin(1))


def begins():
    near("at.simulate", motion(CART, "--at", "x=1,x'=2")["x"], math.cos(6) + math.sin(6))
    status, out, err = run("report", CART, "--at", "x=1,x'=2", "--project")
    tap.check(status == 0, "at.report", err)
    status, out, err = run("plot", CART, "--at", "y=1")
    tap.check(status == 1 and "A0201" in err, "at.wrong", status, err)
    # What is given contradicts the constraint, or too little is given: two different hints.
    circle = "coordinate x, y, z\nkinetic x'^2 + y'^2 + z'^2\nconstraint x^2 + y^2 = 1\nstart {}\nsimulate t = 0 .. 1\n"
    for name, start, why in (("contradiction", "x = 2, z = 0", "may contradict them"), ("too little", "x = 0.5", "do not tell it")):
        status, _, err = run("simulate", circle.format(start))
        tap.check(status == 1 and "A0605" in err and why in err, f"start.{name}", status, err)
    # The turns of an attitude end before the velocity of a coordinate that is called like an axis.
    free = "coordinate x, y\nbody B mass 1 inertia (1, 2, 3) at (x, y, 0) turn free e\nstart x = 0, y = 0, e turn z 0.3, y' = 2\nsimulate t = 0 .. 1\n"
    near("start.turns end", motion(free).get("y"), 2)
    # Formulas of `start` follow what is given in place of the model's values, attitudes and guesses too.
    by = """parameter a = 0.5
coordinate x, y, z
body B mass 1 inertia (1, 1, 1) at (x, y, z) turn free e
constraint (x - 1)^2 + z^2 = 4
start x = a, y = 2*x + a, x' = 0, y' = y, z near -x, e turn z 2*x turning (0, 0, y)
simulate t = 0 .. 1e-9
"""
    for options, x, a in (((), 0.5, 0.5), (("--at", "x=1.25"), 1.25, 0.5), (("--set", "a=2"), 2, 2)):
        got, y = motion(by, *options), 2 * x + a
        for name, wanted in (("y", y), ("y'", y), ("z", -math.sqrt(4 - (x - 1) ** 2)), ("e0", math.cos(x)), ("e3", math.sin(x)),
                             ("e0'", -y / 2 * math.sin(x))):
            near(f"start.follows {' '.join(options)} {name}", got.get(name), wanted)
    status, out, err = run("sweep", by, "--over", "x=1..2:2", "--output", "start.y,start.e0")
    rows = list(csv.DictReader(io.StringIO(out)))
    for k in (0, 1):
        near(f"start.follows sweep {k}", float(rows[k]["start.y"]), 2 * (k + 1) + 0.5)
        near(f"start.follows sweep {k}, attitude", float(rows[k]["start.e0"]), math.cos(k + 1))
    # Why a coordinate is not found: too few rows, rows that leave it free, rows that contradict one another.
    for name, rows, said in (("few", "x + y = 1", "do not tell it"), ("free", "x^2 + y^2 = 1\nconstraint 2*x^2 + 2*y^2 = 2", "leave something free"),
                             ("none", "x^2 + y^2 = 1\nconstraint x + y = 5", "may contradict them")):
        status, _, err = run("simulate", f"coordinate x, y\nkinetic x'^2 + y'^2\nconstraint {rows}\nsimulate t = 0 .. 1\n")
        tap.check(status == 1 and "A0605" in err and said in err, f"start.missing.{name}", status, err)


def steady():
    """Steady motions are those under the declared inputs, if these are numbers."""
    text = """input u = 3, k = 2
coordinate x
kinetic x'^2/2
potential k*x^2/2
force x = u - 0.3*x'
start x = 0.1
simulate t = 0 .. 1
claim "rest":   equilibrium x = u/k
claim "number": equilibrium x = 3/2
refute "not":   equilibrium x = 0
claim "stays":  attracting at x = 3/2
claim "roots":  characteristic s^2 + 0.3*s + 2 in s
claim "law":    x'' = u - k*x - 0.3*x'
"""
    status, out, err = run("verify", text)
    tap.check(status == 0 and out.count("under the inputs as they are declared") == 5, "steady.claims", status, out, err)
    # Cylinders of any lengths fit nowhere: claims are tried near those that are declared.
    arm = """parameter m1 = 300, m2 = 150, l1 = 3, l2 = 2, g = 9.81
coordinate q1, q2
input s1 = 1.5 + 0.05*sin(t), s2 = 1.6
body boom mass m1 inertia (0, 0, m1*l1^2/12) at l1/2*(cos(q1), sin(q1)) turn z q1
body stick mass m2 inertia (0, 0, m2*l2^2/12) on boom at (l1/2 + l2/2*cos(q2), l2/2*sin(q2)) turn z q2
marker a at (0.4, -0.4)
marker b on boom at (0, -0.2)
marker c on boom at (0, 0.3)
marker d on stick at (-l2/2 - 0.3, 0.2)
gravity (0, -g)
rod lift: a, b length s1
rod crowd: c, d length s2
start q1 near 0.7, q2 near -1.2
simulate t = 0 .. 2
claim "length": norm(position(a) - position(b)) = s1
claim "power":  der(energy) = lambda[lift]*s1' + lambda[crowd]*s2'
refute "not":   der(energy) = lambda[lift]*s1'
"""
    status, out, err = run("verify", arm)
    tap.check(status == 0 and out.count("ok ") == 3 and "A0418" not in err, "steady.cylinders", out, err)
    status, out, err = run("verify", arm.replace("1.5 + 0.05*sin(t)", "9"))
    tap.check(status == 1 and "A0418" in run("check", arm.replace("1.5 + 0.05*sin(t)", "9"))[2], "steady.cylinders.too long", out, err)
    # What numbers alone show, of a robot on a ball, is as good with an input as with a parameter in its place.
    ball = """parameter h = 0.4, g = 9.81
input u = 0
coordinate x, y, z, a
body ball mass 1 inertia (0.004, 0.004, 0.004) at (x, y, z) turn free e
body top mass 12 inertia (0.5, 0.5, 0.2) at (x, y, z) + h*(sin(a), 0, cos(a)) turn y a
gravity (0, 0, -g)
shape ball sphere radius 0.1
surface floor plane
roll ball on floor
torque on ball u*axis(top, 2)
torque on top -u*axis(top, 2)
claim "falls": unstable at x = 0, y = 0, a = 0
"""
    for name, model in (("input", ball), ("parameter", ball.replace("input u", "parameter u"))):
        status, out, err = run("verify", model)
        tap.check(status == 0 and "holds at" in out, f"steady.unstable.{name}", out, err)
    status, out, err = run("stability", text, "--input", "u=1")
    tap.check(status == 0 and "x = 0.5" in out, "steady.--input", out, err)
    moving = text.replace("u = 3", "u = 3*cos(t)")
    for command in ("steady", "stability"):
        status, out, err = run(command, moving)
        tap.check(status == 1 and "A0621" in err and "input `u` depends on time" in err, f"steady.{command} names the input", err)
    tap.check("unknown: the input `u` depends on time" in run("verify", moving)[1], "steady.claims name the input")
    status, out, err = run("stability", text.replace("u - 0.3", "u*sin(t) - 0.3"))
    tap.check(status == 1 and "time explicitly" in err, "steady.time itself", err)



def attitudes():
    """Omega of `turn free e` by name: against the same body by angles, at the start and on the way."""
    text = """coordinate {}
body B mass 1 inertia (1, 2, 3) at (0, 0, 0) turn {}
start {}
simulate t = 0 .. 1.5
{}"""
    free = text.format("x", "free e", "x = 0, e turn z 0.4, x 0.7 turning (0.3, 0.5, w)".replace("w", "-0.2"),
                       "kinetic x'^2\noutput twice = 2*e_omega[2]\nrecord \"half\" when e_omega[1] = e_omega[3]\n")
    # al = 0.4, be = 0.7, ga = 0: w = (be', al' sin be, al' cos be + ga').
    angles = text.format("al, be, ga", "z al, x be, z ga",
                         "al = 0.4, be = 0.7, ga = 0, be' = 0.3, al' = 0.5/sin(0.7), ga' = W - 0.5*cos(0.7)/sin(0.7)",
                         "output w1 = dot(omega(B), axis(B, 1)), w2 = dot(omega(B), axis(B, 2)), w3 = dot(omega(B), axis(B, 3))\n")
    for spin, options in (("-0.2", ()), ("4", ("--at", "e_omega[3]=4"))):
        got, want = motion(free, *options), motion(angles.replace("W", f"({spin})"))
        for k in "123":
            near(f"attitude.omega {k}, spin {spin}", got.get(f"e_omega[{k}]"), want.get(f"w{k}", 0))
        near(f"attitude.outputs of it, spin {spin}", got.get("twice"), 2 * want.get("w2", 0))
    want = motion(angles.replace("W", "(4)"))
    status, out, err = run("sweep", free, "--over", "e_omega[3]=-0.2..4:2", "--output", "final.e_omega[1],start.e_omega[3]")
    rows = list(csv.DictReader(io.StringIO(out)))
    near("attitude.sweep", float(rows[1]["final.e_omega[1]"]), want["w1"])
    near("attitude.sweep, start", float(rows[1]["start.e_omega[3]"]), 4)
    status, out, err = run("simulate", free, "--at", "energy=1")
    tap.check(status != 0 and "A0604" in err, "attitude.no other formula is a start", status, err)
    status, out, err = run("plot", free, "t,e_omega[1],e_omega[2]", "-o", "a.svg")
    tap.check(status == 0, "attitude.plot", err)
    # through every attitude, for a long time: it turns over about its middle axis again and again
    long = text.format("x", "free e", "x = 0, e turn z 0.3, x 1 turning (0.01, 2, 0.01)",
                       "kinetic x'^2\noutput square = e0^2 + e1^2 + e2^2 + e3^2\n").replace("1.5", "1000")
    status, out, err = run("simulate", long, "--rtol", "1e-13", "--atol", "1e-15", "--samples", "2001")
    rows = [{k: float(v) for k, v in row.items()} for row in csv.DictReader(io.StringIO(out))]
    tap.check(len(rows) == 2001 and max(abs(r["square"] - 1) for r in rows) < 1e-12, "attitude.norm to t = 1000", err)
    tap.check(max(abs(r["energy"] / rows[0]["energy"] - 1) for r in rows) < 1e-12, "attitude.energy to t = 1000", err)
    for k in "0123":
        values = [r["e" + k] for r in rows]
        tap.check(min(values) < -0.8 and max(values) > 0.8, f"attitude.e{k} goes everywhere", min(values), max(values))
    # the same body as the second of a family, beside another one
    family = """coordinate x
kinetic x'^2
for i = 1 .. 2:
    body B[i] mass 1 inertia (1, 2, 3) at (0, 0, 0) turn free e[i]
start x = 0, e[1] turning (1, 0, 0), e[2] turn z 0.4, x 0.7 turning (0.3, 0.5, -0.2)
simulate t = 0 .. 1.5
output twice = 2*e_omega[2][2]
"""
    got = motion(family, "--at", "e_omega[2][3]=4")
    for k in "123":
        near(f"attitude.family {k}", got.get(f"e_omega[2][{k}]"), want.get(f"w{k}", 0))
    near("attitude.family, outputs", got.get("twice"), 2 * want.get("w2", 0))
    near("attitude.family, beside", got.get("e1[1]"), math.sin(0.75))
    status, out, err = run("sweep", family, "--over", "e_omega[2][3]=-0.2..4:2", "--output", "final.e_omega[2][1]")
    rows = list(csv.DictReader(io.StringIO(out)))
    near("attitude.family, sweep", float(rows[1]["final.e_omega[2][1]"]) if rows else None, want["w1"])


def joints():
    text = "coordinate x, y\nbody A mass 1 inertia (1, 1, 1) at (x, y, 0) turn z y\n"
    for word, more in (("weld", ""), ("rod", " length 1"), ("spring", " stiffness 1"), ("gear", " ratio 2"), ("torsion damper", " damping 1")):
        status, _, err = run("check", text + f"{word} A, A{more}\n")
        tap.check(status == 1 and f"<stdin>:3:{len(word) + 5}: error[A0408]" in err and "joined to itself" in err and "hint" in err,
                  f"joint.{word} to itself", status, err)


def driven_joints():
    """Lengths and angles that inputs give, by closed forms."""
    text = """parameter m = 2, g = 9.81
input l = 1 + 0.2*t + 0.1*t^2
coordinate x, y
point P mass m at (x, y)
gravity (0, -g)
rod rope: (0, 0), P length l
start x = 0.9936, y near -0.8, y' = 0.5
simulate t = 1 .. 2
"""
    status, out, err = run("eval", text, "--json")
    if not tap.check(status == 0, "joint.driven rod", err):
        return
    at = json.loads(out)
    (x, y), (u, v), (a, b) = at["q"], at["qdot"], at["methods"]["multipliers"]["qddot"]
    r, rate, second = math.hypot(x, y), (x * u + y * v) / math.hypot(x, y), 0.2
    turn = (x * v - y * u) / r ** 2
    radial = second - r * turn ** 2
    near("joint.length", r, 1.3)
    near("joint.rate of the length", rate, 0.4)
    near("joint.second rate", (x * a + y * b) / r, radial)
    near("joint.across only gravity", (x * b - y * a) / r, -9.81 * x / r)
    near("joint.force in the rod", at["methods"]["multipliers"]["multipliers"][0], 2 * (radial + 9.81 * y / r))
    servo = """input to = 0.3*t
coordinate a, s
marker pin at (0, 0)
body arm mass 1 inertia (0, 0, 0.5) at (0, 0) turn z a
point W mass 2 at (s, 1)
torsion spring pin, arm stiffness 4 angle to
spring (0, 1), W stiffness 8 length 0.5 + to
start a = 0.1, s = 1
simulate t = 2 .. 3
"""
    status, out, err = run("eval", servo, "--json")
    if tap.check(status == 0, "joint.servo", err):
        a, s = json.loads(out)["methods"]["multipliers"]["qddot"]
        near("joint.servo, turning", a, -4 * (0.1 - 0.6) / 0.5)
        near("joint.servo, sliding", s, -8 * (1 - 1.1) / 2)


def inputs_of_parts():
    """What is written beside points and bodies knows the inputs, too: methods that work on these take it from there."""
    text = """input u = 0.6, k = 3
coordinate b, x
point P mass 3 at (b, 0)
body Q mass 5 inertia (1, 1, 1) at (x, 0) turn z b
potential 2*(b - u)^2 + k*x
start b = 0.3, x = 1.9
"""
    for method in ("kane", "massa-pagani", "multipliers"):
        status, out, err = run("eval", text, "--json", "--method", method)
        if tap.check(status == 0, f"input.potential by {method}", err):
            b, x = json.loads(out)["methods"][method]["qddot"]
            near(f"input.potential by {method}, turning", b, 4 * 0.3 / 4)
            near(f"input.potential by {method}, sliding", x, -3 / 5)


def counted():
    """A let whose argument counts is the sum that one would write out; what its body names is not what loops around its use call so."""
    text = """parameter n = 3, a = 7
coordinate q[1..n]
let arm(k, s) = s*sum(i = 1 .. k, a*(cos(q[i]), sin(q[i])))
let all(k) = arm(k, 2)[k - 1]
kinetic sum(i = 1 .. n, q[i]'^2)
claim "long":  arm(2, 3)[1] = 21*cos(q[1]) + 21*cos(q[2])
claim "one":   all(2) = 14*cos(q[1]) + 14*cos(q[2])
claim "loops": sum(a = 1 .. 2, arm(a, 1)[2]) = 14*sin(q[1]) + 7*sin(q[2])
claim "rate":  der(arm(n, 1)[2]) = 7*(q[1]'*cos(q[1]) + q[2]'*cos(q[2]) + q[3]'*cos(q[3]))
refute "less": arm(n, 1)[1] = arm(2, 1)[1]
"""
    status, out, err = run("verify", text)
    tap.check(status == 0 and "5 of 5" in out and out.count("proved") == 4, "let.arguments that count", out, err)


BALLS = """coordinate x, y, z
body B mass 1 inertia (1, 2, 2.5) at (x, y, z) turn free e
shape B sphere radius 1
surface S plane
"""
LINKS = """coordinate a
body A mass 1 inertia (1, 1, 1) at (cos(a), sin(a), 0) turn z a
marker M on A at (1, 0, 0)
marker N on A at (2, 0, 0)
"""


def mistakes():
    """What is wrong is told once, where it stands, and the hint speaks of what stands there."""
    for name, text, place, hint in (
            ("contact.twice", BALLS + "roll B on S\nroll B on S\n", "6:6: error[A0401]", "leave one of them out"),
            ("contact.without a name", BALLS + "surface T plane at (0, 0, 9)\nroll B on S\nroll B on T\n", "7:6: error[A0401]",
             "roll other: B on T"),
            ("contact.on nothing", BALLS + "roll B on Q9\n", "5:11: error[A0201]", "surface S plane"),
            ("contact.too early", BALLS + "output f = roll_B_normal\nroll B on S\n", "5:12: error[A0201]", "known after its statement"),
            ("contact.input", "input u\n" + BALLS.replace("radius 1", "radius u"), "4:23: error[A0402]: an input", "numbers, parameters"),
            ("attitude.twice", BALLS + "start e turn z 1, e turn x 1\n", "5:19: error[A0421]", "leave one of them out"),
            ("input.start", "input u\n" + BALLS + "start u = 1\n", "6:7: error[A0303]: `u` is an input", "coordinates"),
            ("marker.on nothing", LINKS + "marker K on Q9 at (1, 0, 0)\n", "5:13: error[A0201]", "body B mass"),
            ("joint.of one body", LINKS + "hinge M, N\n", "5:7: error[A0408]: both ends are fixed to `A`", "look at the two ends"),
            ("joint.rod of one body", LINKS + "rod M, N length 5\n", "5:5: error[A0408]: both ends are fixed to `A`", "look at the two ends"),
            ("joint.of nothing", LINKS + "ball (0, 0, 0), (1, 0, 0)\n", "5:6: error[A0408]: both ends stand still", "look at the two ends"),
            ("contact.never", "coordinate x, a\nbody B mass 1 inertia (1, 1, 1) at (x, 0, 5) turn y a\nshape B sphere radius 1\nsurface S plane\nroll B on S\n",
             "5:6: error[A0428]", "put it there"),
            ("attitude.free", BALLS + "start z = 0, e turn free z\n", "5:21: error[A0421]", "turn z a"),
            ("attitude.omega", BALLS + "start e_omega = (1, 0, 0)\n", "5:7: error[A0303]", "start e turning"),
            ("attitude.omega of one axis", BALLS + "start e_omega[1] = 1\n", "5:7: error[A0303]", "start e turning"),
            ("attitude.no angle", BALLS + "start e turn about (0, 0, 1)\n", "5:29: error[A0106]", "angle pi/2"),
            ("input.infinite", "parameter a = 0\ninput u = 1/a\n" + BALLS, "2:7: error[A0425]", "at every time"),
            ("input.kinematic start", "input v = 1\ncoordinate x\nvelocity v: x' = v\nstart x = 0, v = 2\n", "4:14: error[A0303]", "--input v="),
            ("output.in a force", LINKS + "output p = a\nforce a = p\n", "6:11: error[A0201]: `p` is an output", "by let"),
            ("event.two ways", LINKS + "record when a = 1 rising falling\n", "5:26: error[A0106]", "hint"),
            ("claim.two values", LINKS + 'claim "c": equilibrium a = 1, a = 2\n', "5:31: error[A0302]", "keep one"),
            ("claim.two values of a steady motion", LINKS + 'claim "c": steady a\' = 1, a\' = 2\n', "5:27: error[A0302]", "keep one"),
            ("joint.out of the plane", LINKS + "marker O at (0, 0, 1)\nhinge O, A\n", "6:7: error[A0408]: it cannot hold", "look at the two ends"),
            ):
        status, _, err = run("check", text)
        tap.check(status == 1 and err.count("error[") == 1 and f"<stdin>:{place}" in err and hint in err, "mistake." + name, err)
    # What contradicts a contact is the place that was given, not the attitude of which nothing was said.
    status, _, err = run("simulate", BALLS.replace("plane", "sphere radius 5") + "roll B on S\nstart x = 9, y = 0\nsimulate t = 0 .. 1\n")
    tap.check(status == 1 and err.count("error[") == 1 and "`z`" in err and "may contradict" in err, "mistake.contact out of reach", err)
    # A rod that has the length of its own body is idle, and a body that turns on another is not fixed to it.
    status, _, err = run("check", LINKS + "rod M, N length 1\n")
    tap.check(status == 0 and "A0409" in err, "mistake.idle rod", err)
    status, _, err = run("check", LINKS + "coordinate b\nbody C mass 1 inertia (1, 1, 1) on A at (1, 0, 0) turn z b\nmarker K on C at (1, 0, 0)\n"
                         "rod A, K length 1.5\n")
    tap.check(status == 0 and "error" not in err, "mistake.none", err)
    # Options that cannot be read are errors of a page, too, where a model has inputs.
    for option in ("x=", "q9=1"):
        status, _, err = run("report", CART, "-o", "page.html", "--at", option)
        tap.check(status == 1 and "error" in err, f"mistake.page at {option}", err)


inputs()
kinematic()
tables()
mistakes()
joints()
driven_joints()
inputs_of_parts()
counted()
switches()
kinematics()
lets_of_inputs()
begins()
steady()
attitudes()
tap.done()

#!/usr/bin/env python3
"""Every machine of models/ against itself with its contacts, joints and attitudes written out by hand: the same motions."""
import csv
import io
import json
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "harness"))
import tap

ANHOLO = tap.BUILD / "anholo"
MODELS = tap.ROOT / "models"
STATEMENTS = r"(shape|surface|roll|slide|hinge|ball|rod|marker)\b"
SAYS = r"(claim|refute|draw|record|stop|output|unit)\b"


def without(text, words):
    """The text without the statements that begin with one of the words; a line that is indented belongs to the one before."""
    kept, dropped = [], False
    for line in text.splitlines():
        if line.strip() and not line[0].isspace():
            dropped = re.match(words, line) is not None
        if not dropped:
            kept.append(line)
    return "\n".join(kept) + "\n"


def ends(text, to):
    """The last row of a motion, by the names of its columns."""
    said = subprocess.run([ANHOLO, "simulate", "-", "--samples", "2", "--rtol", "1e-12", "--atol", "1e-14", "--to", str(to)],
                          input=text, capture_output=True, text=True)
    rows = list(csv.DictReader(io.StringIO(said.stdout)))
    if said.returncode or len(rows) < 2:
        return {"error": said.stderr}
    return {k: float(v) for k, v in rows[-1].items() if v}


PAIRS = {}  # of a model: its text by statements and by hand, the columns to be compared, the end, how near they must be


def compare(model, hand, columns, to, tolerance=1e-9, change=lambda text: text):
    text = without((MODELS / f"{model}.ah").read_text(), SAYS)
    PAIRS[model] = (text, change(without(text, STATEMENTS)) + hand, columns, to, tolerance)


def check(model):
    text, own, columns, to, tolerance = PAIRS[model]
    a, b = ends(text, to), ends(own, to)
    wrong = [f"{c}: {a.get(c)} and {b.get(c)}" for c in columns
             if not (c in a and c in b and abs(a[c] - b[c]) <= tolerance * max(1, abs(b[c])))]
    tap.check(not wrong, model, *wrong, a.get("error", ""), b.get("error", ""))


def evaluations(text, to):
    """How often the forces are asked for on the way to `to`, by DOP853."""
    said = subprocess.run([ANHOLO, "simulate", "-", "--json", "--samples", "2", "--integrator", "dop853", "--to", str(to)],
                          input=text, capture_output=True, text=True)
    return json.loads(said.stdout)["evaluations"]


PLACE = ["x", "y", "z", "psi", "theta", "phi"]
# The material point of the body B at c does not move along x and y.
SLIP = "constraint s1: velocity({0}, c)[1] = {1}\nconstraint s2: velocity({0}, c)[2] = {2}\n"
FLOOR = "let c = (x, y, 0)\nconstraint touch: z = r\n"

compare("turntable", FLOOR + SLIP.format("ball", "-Omega*y", "Omega*x"), PLACE, 3)
compare("chaplygin_sphere", FLOOR + SLIP.format("ball", 0, 0), PLACE, 2)
compare("rubber_ball", FLOOR + SLIP.format("ball", 0, 0) + "constraint spin: psi' + phi'*cos(theta) = 0\n", PLACE, 2)
compare("routh_sphere", "let P = (x + a*sin(theta)*sin(psi), y - a*sin(theta)*cos(psi), 0)\nconstraint touch: z = r - a*cos(theta)\n"
        + SLIP.format("ball", 0, 0).replace(", c)", ", P)"), PLACE, 1.5)
# From the angular velocity: v = r/(R - r) · (x, y, z) × omega in the bowl, redundant as it is.
compare("ball_in_bowl", """constraint touch: x^2 + y^2 + z^2 = (R - r)^2
constraint slip: velocity(ball) + r/(R - r)*cross(omega(ball), position(ball)) = (0, 0, 0)
""", PLACE, 2, 1e-8)
compare("ball_in_cylinder", """constraint touch: x^2 + y^2 = (R - r)^2
constraint slip: velocity(ball) + r/(R - r)*cross(omega(ball), (x, y, 0)) = (0, 0, 0)
""", PLACE, 2, 1e-8)
# The lowest point of a disc that leans by theta lies R along the line of steepest descent.
LOW = "let low = (-sin(psi)*cos(theta), cos(psi)*cos(theta), sin(theta))\nlet c = (x, y, z) - R*low{}\nconstraint touch: z = R*sin(theta){}\n"
compare("euler_disc", LOW.format("", "") + SLIP.format("disc", 0, 0), PLACE, 0.1, 1e-8)
compare("rolling_torus", LOW.format(" - (0, 0, b)", " + b") + SLIP.format("torus", 0, 0), PLACE, 1.5)
# The support point of an ellipsoid by its vertical n in body axes: z = h n3 … as its tangent plane says.
compare("rattleback", """let n1 = -sin(beta), n2 = cos(beta)*sin(gamma), n3 = cos(beta)*cos(gamma)
let d = sqrt(a^2*n1^2 + b^2*n2^2 + c^2*n3^2)
let P = (x, y, z) - a^2*n1/d*axis(stone, 1) - b^2*n2/d*axis(stone, 2) + (h - c^2*n3/d)*axis(stone, 3)
constraint touch: z = d - h*n3
constraint s1: velocity(stone, P)[1] = 0
constraint s2: velocity(stone, P)[2] = 0
""", ["x", "y", "z", "alpha", "beta", "gamma"], 1, 1e-7)
compare("two_spheres", """constraint floor: Z = R
constraint s1: velocity(big, (X, Y, 0))[1] = 0
constraint s2: velocity(big, (X, Y, 0))[2] = 0
constraint touch: (x - X)^2 + (y - Y)^2 + (z - Z)^2 = (r + R)^2
let P = position(big) + R/(r + R)*(position(small) - position(big))
constraint s3: velocity(small, P)[1] = velocity(big, P)[1]
constraint s4: velocity(small, P)[2] = velocity(big, P)[2]
""", PLACE + ["X", "Y", "a", "b", "c"], 0.5, 1e-8)
compare("segway", "constraint rolls: x' = r*a'\n", ["x", "a", "b"], 3)
compare("robot", """constraint axle:   y'*cos(theta) - x'*sin(theta) = 0
constraint rolls1: x'*cos(theta) + y'*sin(theta) - b*theta' = r*p'
constraint rolls2: x'*cos(theta) + y'*sin(theta) + b*theta' = r*q'
""", ["x", "y", "theta", "p", "q"], 5)
compare("roller_racer", """constraint seat_wheels: y'*cos(theta) = x'*sin(theta)
constraint seat_rolls:  x'*cos(theta) + y'*sin(theta) = r*p'
constraint bar_wheels:  y'*cos(theta + phi) - x'*sin(theta + phi) + (d1*cos(phi) + d2)*theta' + d2*phi' = 0
constraint bar_rolls:   x'*cos(theta + phi) + y'*sin(theta + phi) + d1*sin(phi)*theta' = r*q'
""", ["x", "y", "theta", "phi", "p", "q"], 2, 1e-8)
compare("snakeboard", """constraint over1: -x'*sin(theta + phi) + y'*cos(theta + phi) + l*theta'*cos(phi) = 0
constraint over2: -x'*sin(theta - phi) + y'*cos(theta - phi) - l*theta'*cos(phi) = 0
constraint rolls1: x'*cos(theta + phi) + y'*sin(theta + phi) + l*theta'*sin(phi) = r*p'
constraint rolls2: x'*cos(theta - phi) + y'*sin(theta - phi) + l*theta'*sin(phi) = r*q'
""", ["x", "y", "theta", "psi", "phi", "p", "q"], 2, 1e-8)
compare("four_bar", """constraint a*cos(alpha) + b*cos(alpha + beta) = d + c*cos(gamma)
constraint a*sin(alpha) + b*sin(alpha + beta) = c*sin(gamma)
""", ["alpha", "beta", "gamma"], 2, 1e-8)


def bodies_out(text):
    return without(text, r"(body|point|gravity)\b")


# Trees by their energies in the coordinates, as a book has them.
compare("gimbals", """kinetic C*alpha'^2/2 + (D*beta'^2 + (D*sin(beta)^2 + E*cos(beta)^2)*alpha'^2)/2
kinetic J*(beta'^2 + alpha'^2*sin(beta)^2)/2 + Jr*(gamma' + alpha'*cos(beta))^2/2
""", ["alpha", "beta", "gamma"], 2, 1e-8, bodies_out)
compare("crane", "kinetic M*s'^2/2 + m*(x'^2 + z'^2)/2\npotential m*g*z\n", ["s", "x", "z"], 4, 1e-8, bodies_out)
compare("falling_cat", """let w1 = theta' + a', w2 = theta' - b'
kinetic m*(x'^2 + y'^2)/2 + m*l^2/24*(theta'^2 + w1^2 + w2^2)
let f = theta + a, k = theta - b
kinetic m/2*((x' - l/2*sin(theta)*theta' - l/2*sin(f)*w1)^2 + (y' + l/2*cos(theta)*theta' + l/2*cos(f)*w1)^2)
kinetic m/2*((x' + l/2*sin(theta)*theta' + l/2*sin(k)*w2)^2 + (y' - l/2*cos(theta)*theta' - l/2*cos(k)*w2)^2)
potential m*g*(3*y + l/2*sin(f) - l/2*sin(k))
""", ["x", "y", "theta"], 0.6, 1e-8,
        lambda text: without(bodies_out(text), r"let (spin|X|V|H)\b"))


def by_angles(text):
    """The attitude by three angles in place of the quaternion, begun with the same angular velocity in body axes."""
    text = text.replace("turn free e", "turn z al, x be, z ga").replace("coordinate x, y, z", "coordinate x, y, z, al, be, ga")
    # al = 0.4, be = 0.7, ga = 0: w = (be', al' sin be, al' cos be + ga').
    return text.replace("e turn z 0.4, x 0.7 turning (0.05, -0.1, 0.2)",
                        "al = 0.4, be = 0.7, ga = 0, be' = 0.05, al' = -0.1/sin(0.7), ga' = 0.2 + 0.1*cos(0.7)/sin(0.7)")


compare("satellite", "", ["x", "y", "z", "a", "b", "c"], 6, 1e-9, by_angles)
# The tractor's axles one by one: none slips along itself.
compare("tractor_trailers", """kinetic x'^2 + y'^2 + steer'^2 + sum(i = 0 .. n, theta[i]'^2)
constraint ahead: x'*cos(theta[0]) + y'*sin(theta[0]) = v*cos(steer)
constraint across: y'*cos(theta[0]) - x'*sin(theta[0]) = 0
constraint steers: steer' = w
constraint front: L*theta[0]' = v*sin(steer)
let X[0] = x, Y[0] = y
for i = 1 .. n:
    let X[i] = x - sum(j = 1 .. i, l*cos(theta[j]))
    let Y[i] = y - sum(j = 1 .. i, l*sin(theta[j]))
    constraint axle[i]: der(Y[i])*cos(theta[i]) = der(X[i])*sin(theta[i])
""", ["x", "y", "steer", "theta[0]", "theta[3]"], 4, 1e-9, lambda text: without(text, r"velocity\b"))
if __name__ == "__main__":
    for name in PAIRS:
        check(name)
    # To watch for the loss of contact takes next to nothing.
    for name in ("rattleback", "rolling_torus", "turntable"):
        rolls, hand = (evaluations(text, 3) for text in PAIRS[name][:2])
        tap.check(rolls <= 1.02 * hand + 20, f"{name}: evaluations", f"{rolls} by statements, {hand} by hand")
    tap.done()

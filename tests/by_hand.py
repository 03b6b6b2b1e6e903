#!/usr/bin/env python3
"""Every machine of models/, and others, against itself with contacts, joints and attitudes written out by hand: the same motions."""
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
def own(name, text, hand, columns, to, tolerance=1e-8):
    PAIRS[name] = (text, hand, columns, to, tolerance)


# cone's edge on plane: rim disc at (0,0,-h)
B="""parameter m=1.3,g=9.81,R=0.3,h=0.1,I=0.02,J=0.03
coordinate x,y,z,psi,theta,phi
body cone mass m inertia (I,I,J) at (x,y,z) turn z psi, x theta, z phi
gravity (0,0,-g)
start x=0,y=0,psi=0.1,theta=0.5,phi=0,phi'=3,psi'=0.2
simulate t=0..1
"""
own('rim',B+"shape cone disc radius R at (0,0,-h)\nsurface S plane\nroll cone on S\n",
 B+"""let n=(0,0,1)
let u=n-cos(theta)*axis(cone,3)
let c=(x,y,z)-h*axis(cone,3)-R/sin(theta)*u
constraint touch: c[3]=0
constraint s1: velocity(cone,c)[1]=0
constraint s2: velocity(cone,c)[2]=0
""",['x','y','z','psi','theta','phi'],0.6)
# ball on a moving cylinder (oscillates)
B="""parameter m=1,g=9.81,r=0.1,R=0.5
coordinate x,y,z,e,f,k
body ball mass m inertia (0.004,0.004,0.004) at (x,y,z) turn z e, x f, z k
gravity (0,0,-g)
start x=0.05,y=0,e=0,f=1,k=0,z near 0.6,y'=0.1
simulate t=0..1
"""
own('moving cylinder',B+"surface S cylinder radius R at (0.1*sin(3*t),0,0) along (0,1,0)\nshape ball sphere radius r\nroll ball on S\n",
 B+"""let d=(x-0.1*sin(3*t),0,z)
constraint touch: (x-0.1*sin(3*t))^2+z^2=(R+r)^2
let c=(x,y,z)-r/(R+r)*d
let s=velocity(ball,c)-(0.3*cos(3*t),0,0)
constraint s1: s[2]=0
constraint s2: s[1]*z-s[3]*(x-0.1*sin(3*t))=0
""",['x','y','z','e','f','k'],0.5)
# excavator arm with hinges vs tree
T="""parameter l=1,m=2,g=9.81
input u=sin(t),v=0.5
coordinate a,b
body boom mass m inertia (0,0,0.2) at l/2*(cos(a),sin(a)) turn z a
body stick mass m inertia (0,0,0.2) on boom at (l/2+l/2*cos(b),l/2*sin(b)) turn z b
gravity (0,-g)
torque on boom (0,0,u)
torque on stick (0,0,v)
torque on boom (0,0,-v)
start a=0.3,b=-0.7
simulate t=0..1
"""
H="""parameter l=1,m=2,g=9.81
input u=sin(t),v=0.5
coordinate a,b,x1,y1,x2,y2,c
body boom mass m inertia (0,0,0.2) at (x1,y1) turn z a
body stick mass m inertia (0,0,0.2) at (x2,y2) turn z c
marker O at (0,0)
marker B0 on boom at (-l/2,0,0)
marker B1 on boom at (l/2,0,0)
marker S0 on stick at (-l/2,0,0)
hinge O,B0
hinge B1,S0
constraint c=a+b
gravity (0,-g)
torque on boom (0,0,u)
torque on stick (0,0,v)
torque on boom (0,0,-v)
start a=0.3,b=-0.7
simulate t=0..1
"""
own('excavator',T,H.replace('start a=0.3,b=-0.7','start a=0.3,b=-0.7,x1 near 0.5,y1 near 0.1,x2 near 1,y2 near 0'),['a','b'],1)
# spherical pendulum by ball joint with free attitude
P="""parameter m=1,l=1,g=9.81
coordinate x,y,z
body bob mass m inertia (0.1,0.1,0.02) at (x,y,z) turn free e
marker top on bob at (0,0,l)
marker O at (0,0,0)
ball O,top
gravity (0,0,-g)
start e turn x 0.8 turning (0,0.5,1)
simulate t=0..1
"""
Q="""parameter m=1,l=1,g=9.81
coordinate p,q,s
let d=(sin(p)*sin(q),-cos(p)*sin(q),cos(q))
body bob mass m inertia (0.1,0.1,0.02) at -l*d turn z p, x q, z s
gravity (0,0,-g)
start p=0,q=0.8,s=0,q'=0,p'=0.5/sin(0.8),s'=1-0.5*cos(0.8)/sin(0.8)
simulate t=0..1
output x=-l*sin(p)*sin(q)
output y=l*cos(p)*sin(q)
output z=-l*cos(q)
"""
own('ball pendulum',P,Q,['x','y','z'],1)
# ellipsoid on a sphere
E="""parameter m=1,g=9.81
coordinate x,y,z,p,q,s
body egg mass m inertia (0.002,0.003,0.004) at (x,y,z) turn z p, x q, z s
gravity (0,0,-g)
surface S {}
shape egg {}
roll egg on S
start x=0,y=0.02,p=0.1,q=0.3,s=0.2,z near 0.58,q'=0.5
simulate t=0..1
"""
own('ellipsoid on sphere',E.format('sphere radius 0.5','ellipsoid size (0.1,0.08,0.06)'),E.format(': x^2+y^2+z^2=0.25',': (x/0.1)^2+(y/0.08)^2+(z/0.06)^2=1'),['x','y','z','p','q','s'],0.3)
own('paraboloid',E.format(': z=x^2/2+y^2/3','sphere radius 0.08').replace('near 0.58','near 0.08'),E.format(': z-x^2/2-y^2/3=0',': x^2+y^2+z^2=0.0064').replace('near 0.58','near 0.08'),['x','y','z','p','q','s'],0.3)
# hoop in hoop (plane): disc rolling inside cylinder
D="""parameter m=1,g=9.81,r=0.2,R=1
coordinate x,y,a
body hoop mass m inertia (m*r^2/2,m*r^2/2,m*r^2) at (x,y) turn z a
gravity (0,-g)
start x=0.4,a=0,y near -0.69
simulate t=0..1
"""
own('hoop in hoop',D+"shape hoop sphere radius r\nsurface S cylinder radius R inside\nroll hoop on S\n",D+"constraint x^2+y^2=(R-r)^2\nconstraint x*y'-y*x'=-(R-r)*r*a'\n",['x','y','a'],1)
# gear train
G="""coordinate a,b,c
body A mass 1 inertia (0,0,1) at (0,0) turn z a
body B mass 1 inertia (0,0,0.5) at (1,0) turn z b
body C mass 1 inertia (0,0,0.2) at (2,0) turn z c
gear A,B ratio -1/2
gear B,C ratio -2/3
force a = 1-0.1*a'
start a=0,b=0,c=0
simulate t=0..2
"""
own('gears',G,"""coordinate a
kinetic (1+0.5*4+0.2*9)*a'^2/2
force a=1-0.1*a'
start a=0
simulate t=0..2
""",['a'],2)

if __name__ == "__main__":
    for name in PAIRS:
        check(name)
    # To watch for the loss of contact takes next to nothing.
    for name in ("rattleback", "rolling_torus", "turntable"):
        rolls, hand = (evaluations(text, 3) for text in PAIRS[name][:2])
        tap.check(rolls <= 1.02 * hand + 20, f"{name}: evaluations", f"{rolls} by statements, {hand} by hand")
    tap.done()

#!/usr/bin/env python3
"""tools/checkproof: the proofs of some models are found right, of all with `all` as argument; and whatever is
changed in a certificate turns it wrong."""
import copy
import importlib.machinery
import importlib.util
import json
import pathlib
import random
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent / "harness"))
import tap

ANHOLO = tap.BUILD / "anholo"
CHECKPROOF = tap.ROOT / "tools/checkproof"
MODELS = sorted((tap.ROOT / "models").glob("*.ah")) + sorted((tap.ROOT / "models/general").glob("*.ah"))
SOME = ["ball", "cone_of_velocities", "point_45", "skate"]
if tap.amount(False, True, True):
    SOME += ["blade", "double_pendulum", "heavy_top", "skate_in_velocities", "speed_law", "trailers"]
FOLDER = tempfile.TemporaryDirectory()
random.seed(1)


def load_checker():
    loader = importlib.machinery.SourceFileLoader("checkproof_tool", str(CHECKPROOF))
    sys.dont_write_bytecode = True
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("checkproof_tool", loader))
    loader.exec_module(module)
    sys.setrecursionlimit(100000)
    return module


TOOL = load_checker()


def certify(model):
    """The certificate of a model file, and what verify said."""
    path = pathlib.Path(FOLDER.name) / "certificate.json"
    said = subprocess.run([ANHOLO, "verify", "--states=5", "--certificate", path, model], capture_output=True, text=True)
    return path, json.loads(path.read_text()), said.stdout


def run_checker(model, certificate):
    return subprocess.run([CHECKPROOF, model, certificate], capture_output=True, text=True)


def write_model(name, text):
    path = pathlib.Path(FOLDER.name) / f"{name}.ah"
    path.write_text(text)
    return path


# ---- Models of every kind: how many proofs are written, all right ----------------------------------

KINDS = {
    "branches": (4, """
parameter m, I
assume m > 0, I > 0
coordinate x, y, theta
kinetic m*(x'^2 + y'^2)/2 + I*theta'^2/2
constraint blade: x'*sin(theta) - y'*cos(theta) = 0
claim "speed": x'^2 + y'^2 = (x'*cos(theta) + y'*sin(theta))^2
claim "across": x'^2*sin(theta)^2 = y'^2*cos(theta)^2
claim "mixed": x'*y'*(cos(theta)^2 - sin(theta)^2) = (x'^2 - y'^2)*sin(theta)*cos(theta)
claim "along": x''*cos(theta) + y''*sin(theta) = 0
"""),
    "holonomic": (6, """
parameter m = 2, l = 0.7, g = 9.81
coordinate x, y
point P mass m at (x, y)
gravity (0, -g)
constraint rod: x^2 + y^2 = l^2
claim "energy": constant energy
claim "across": x*x' = -y*y'
claim "tension": 2*lambda[rod]*l^2 = -m*(x'^2 + y'^2) + m*g*y
claim "momentum": x*y'' - y*x'' = -g*x
claim "speed": (x'^2 + y'^2)*l^2 = (x*y' - y*x')^2
claim "one velocity": (x'^2 + y'^2)*x^2 = l^2*y'^2
"""),
    "redundant": (3, """
parameter m = 1, R = 0.4, A = 0.04, C = 0.08, g = 9.81
coordinate x, y, z, ψ, θ, φ
body disc mass m inertia (A, A, C) at (x, y, z) turn z psi, x theta, z phi
gravity (0, 0, -g)
let contact = (x, y, z) - R*cross(axis(disc, 3), (cos(psi), sin(psi), 0))
constraint touch: contact[3] = 0
constraint roll:  velocity(disc, contact) = (0, 0, 0)
claim "energy": constant energy
claim "height": z = R*sin(theta)
claim "rate": z' = R*cos(theta)*theta'
"""),
    "functions": (3, """
parameter m = 1, k
assume k > 0
coordinate x, y
function V(x, y), u(t)
let square(s) = s^2
kinetic m*(square(x') + y'^2)/2
potential V(x, y) + k*exp(x/2) + cosh(y)
force x = u(t)
constraint c: y' = sqrt(k)*x'
claim "power": der(energy) = u(t)*x'
claim "root": y'' = sqrt(k)*x''
claim "square": y'^2 = k*x'^2
"""),
    "a function in what is constant": (1, """
coordinate x, y
function V(x, y)
kinetic (x'^2 + y'^2)/2
potential V(x, y)
claim "energy": constant energy
"""),
    "a root that is no part of the text": (1, """
coordinate x, y
kinetic (x'^2 + y'^2)/2
claim "angle": sin(4*atan(x)) = 4*x*(1 - x^2)/(1 + x^2)^2
"""),
    "fewer independent rows at states than elsewhere": (3, """
coordinate x, y, z
kinetic (x'^2 + y'^2 + z'^2)/2
potential x + y
constraint a: x'*y' = 0
constraint b: y'*z' = 0
constraint c: z'*x' = 0
claim "product": x'*y'*z' = 0
claim "energy": constant energy
claim "force": z'' = 0
"""),
    "kinematic": (3, """
coordinate x, y, theta
input v = 1, w = 0.3
velocity v, w: x' = v*cos(theta), y' = v*sin(theta), theta' = w
claim "rate": x'' = v'*cos(theta) - v*w*sin(theta)
claim "across": y'*cos(theta) - x'*sin(theta) = 0
claim "turn": x'*y'' - y'*x'' = v^2*w
"""),
    "assumed of inputs": (3, """
input v = 1, w = 1
parameter L
assume v > 0, L > 0
let fast = v^2
coordinate x, y, th, ph
velocity v, w: x' = v*cos(th), y' = v*sin(th), th' = v/L*tan(ph), ph' = w
claim "speed": sqrt(x'^2 + y'^2) = v
claim "root": sqrt(fast) = v
claim "rate": der(fast) = 2*v*v'
"""),
    "a frame that turns": (3, """
parameter m = 1, J = 1, Om = 2
coordinate x, y, th
let X = (x*cos(Om*t) - y*sin(Om*t), x*sin(Om*t) + y*cos(Om*t))
body B mass m inertia (J, J, J) at X turn z th + Om*t
constraint blade: dot(velocity(B) - Om*cross((0, 0, 1), X), axis(B, 2)) = 0
claim "in its axes": x'*sin(th) = y'*cos(th)
claim "kind": nonholonomic
claim "directions": growth 2, 3
"""),
    "words that begin with a sign": (4, """
coordinate x, measure
kinetic x'^2/2 + measure'^2/2
claim "constant": constant -x'
claim "integral": integral -x'^2
claim "a name": measure - measure = 0
claim "under a condition": constant -x' when x = 0
claim "volume": measure -1
claim "zeros": characteristic -1 in s at x = 0
"""),
    "families": (2, """
parameter n = 2, m = 0.2, l = 0.3, g = 9.81
coordinate x[1..n], y[1..n]
for i = 1 .. n:
    point P[i] mass m at (x[i], y[i])
constraint first: x[1]^2 + y[1]^2 = l^2
for i = 2 .. n:
    constraint rod[i]: (x[i] - x[i-1])^2 + (y[i] - y[i-1])^2 = l^2
gravity (0, -g)
claim "last": m*x[2]'' = 2*lambda[rod[2]]*(x[2] - x[1])
claim "all": m*sum(i = 1 .. n, y[i]'') + n*m*g = 2*lambda[first]*y[1]
"""),
    "forces": (3, """
parameter m = 2, a = 0.3, F = 1
coordinate x, y, alpha
body plate mass m inertia (0.1, 0.2, 0.3, 0, 0, -0.05) at (x, y) turn z alpha
force on plate (0, F, 0) at (x, y) + a*axis(plate, 1)
torque on plate (0, 0, 0.2)
claim "place": m*y'' = F
claim "turn": 0.3*alpha'' = a*F*cos(alpha) + 0.2
claim "power": der(kinetic) = F*y' + a*F*cos(alpha)*alpha' + 0.2*alpha'
"""),
    "inputs": (5, """
parameter m = 1
input u = sin(t), s
coordinate x, y
kinetic m*(x'^2 + y'^2)/2
force x = u - x'
constraint belt: y = s
claim "law": m*x'' = u - x'
claim "belt": y'' = s''
claim "rate": y' = s'
claim "balance": der(kinetic) = u*x' - x'^2 + lambda[belt]*s'
claim "third": der(u*x) = u'*x + u*x'
claim "not": u = sin(t)
"""),
    "time": (3, """
parameter m = 1, w = 2
coordinate x, y
kinetic m*(x'^2 + y'^2)/2
constraint line: y*cos(w*t) = x*sin(w*t)
claim "work": der(kinetic) = lambda[1]*w*(y*sin(w*t) + x*cos(w*t))
claim "rate": y'*cos(w*t) - x'*sin(w*t) = w*(x*cos(w*t) + y*sin(w*t))
claim "radial": x''*cos(w*t) + y''*sin(w*t) = 0
"""),
    "nonlinear": (4, """
parameter m, R
assume m > 0
assume R > 0
coordinate phi, z
kinetic m*(R^2*phi'^2 + z'^2)/2
constraint cone: z'^2 - R^2*phi'^2 = 0
assume z' != 0
claim "cone": z'^2 = R^2*phi'^2
claim "energy": constant energy
claim "straight": z'' = 0
claim "even": phi'' = 0
"""),
    "several rows": (5, """
parameter m = 1, b = 0.3
coordinate x, y, a, p, q
kinetic m*(x'^2 + y'^2)/2 + a'^2 + p'^2/3 + q'^2/3
constraint side: x'*sin(a) - y'*cos(a) = 0
constraint left: x'*cos(a) + y'*sin(a) + b*a' = p'
constraint right: x'*cos(a) + y'*sin(a) - b*a' = q'
claim "difference": p' - q' = 2*b*a'
claim "speed": x'^2 + y'^2 = (p' + q')^2/4
claim "energy": constant energy
claim "turning": a'' = 0
claim "x": x' = (p' + q')/2*cos(a)
"""),
    "frames": (4, """
parameter m = 1, s = 0.2, I = 0.4, B = 3
coordinate x, y, theta
kinetic m*(x'^2 + y'^2)/2 + I*theta'^2/2 + m*s*theta'*(y'*cos(theta) - x'*sin(theta))
constraint blade: -x'*sin(theta) + y'*cos(theta) = 0
quasivelocity:
    w2 = x'*cos(theta) + y'*sin(theta),
    w3 = theta'
claim "beta": beta[3,1,2] = 1
claim "opposite": beta[3,w3,w2] = -1
claim "square": beta[3,1,2]^2*B = B
claim "mass": G[1,1]*G[1,1]*(I - m*s^2)*m = (I/m - 0*B)*G[1,1]
"""),
    "identities": (3, """
coordinate x, y, theta
parameter m = 2, s = 0.3
kinetic m*(x'^2 + y'^2)/2 + m*s*theta'*(y'*cos(theta) - x'*sin(theta)) + theta'^2/2
constraint edge: y'*cos(theta) - x'*sin(theta) = 0
claim "its value":  kinetic - m*(x'^2 + y'^2)/2 = theta'^2/2
claim "identity":   identically (x'' + y')^2 = x''^2 + 2*x''*y' + y'^2
claim "T":          m*(x'^2 + y'^2)/2 + m*s*theta'*(y'*cos(theta) - x'*sin(theta)) + theta'^2/2 = kinetic
"""),
    "bounds": (1, """
coordinate x, y, z
assume y'^2 > 1/100
kinetic (x'^2 + y'^2 + z'^2)/2
constraint a: x'*y' = z'*y'
constraint b: z = 2*y
claim "one factor": x' = 2*y'
"""),
    "real": (7, """
coordinate x, y, z, w
kinetic (x'^2 + y'^2 + z'^2 + w'^2)/2
constraint a: (x' - y')*(x'^2 + x'*y' + y'^2 + 1) = 0
constraint b: z^3 - w^3 = 0
claim "a positive factor": x' = y'
claim "squares": z = w
claim "and its rate": z' = w'
claim "accelerations": x'' = y''
claim "products": x'*z = y'*w
claim "multiplier": lambda[b]*(z - w) = 0
claim "energy": constant energy
"""),
    "real angles": (3, """
coordinate x, y
kinetic (x'^2 + y'^2)/2
constraint a: (y' - sin(x))*(3 + cos(x) + sin(x) + y'^2) = 0
claim "rate": y' = sin(x)
claim "squares": y'^2 + cos(x)^2 = 1
claim "acceleration": y'' = cos(x)*x'
"""),
    "roots": (4, """
coordinate x, z
kinetic (x'^2 + z'^2)/2
constraint speed: sqrt(x'^2 + z'^2) = 2
claim "as it is written": sqrt(x'^2 + z'^2) = 2
claim "squared": x'^2 + z'^2 = 4
claim "no force": lambda[1] = 0
claim "straight": x'' = 0
"""),
    "factors with roots": (2, """
coordinate u, x
kinetic (u'^2 + x'^2)/2
constraint a: 2*u' = x'
constraint b: 2*x' + sqrt(1 + x^2)*u' = 0
claim "rest": x' = 0
claim "either": (u' - 1)*(sqrt(1 + x^2) + 1)*x' = 0
"""),
    "forces with roots": (1, """
coordinate z, x
kinetic (x'^2 + z'^2)/2
potential sqrt(1 + x^2) + z
constraint k: (z' + 2*x')*(z' - x*x') = 0
claim "either": (z'' + 2*x'')*(z' - x*x') = 0
"""),
    "conditions": (5, """
parameter m1 = 1, m2 = 1.6
coordinate x1, y1, x2, y2
point P1 mass m1 at (x1, y1)
point P2 mass m2 at (x2, y2)
constraint pivot: x1*x1'*y2' - x2*x2'*y1' + (y1 - y2)*y1'*y2' = 0
claim "no force on P1":     lambda[1] = 0 when x2' = 0, y2' = 0
claim "it moves straight":  x1'*y1'' = y1'*x1'' when x2' = 0, y2' = 0
claim "uniform motions":    x1'' = 0 when y1'*(x2'^2 + y2'^2) = y2'*(x1'^2 + y1'^2), y1' != 0, y2' != 0
claim "together":           y1'' = 0 when x2 = x1, y2 = y1, x2' = x1', y2' = y1'
claim "of the conditions":  x1'^2 + y1'^2 = 1 + y2'^2 when x1' = 2 - x2', x2' = 1, y1' = y2'
"""),
    "objects": (11, """
parameter m = 2, s = 0.3, I = 0.5, Z
coordinate x, y, theta
kinetic m*(x'^2 + y'^2)/2 + m*s*theta'*(y'*cos(theta) - x'*sin(theta)) + I*theta'^2/2
force x = Z*cos(theta), y = Z*sin(theta)
constraint edge: y'*cos(theta) - x'*sin(theta) = 0
quasivelocity w1 = y'*cos(theta) - x'*sin(theta), w2 = x'*cos(theta) + y'*sin(theta), w3 = theta'
claim "P1" by hamel:      P[1] = m*s*w3
claim "force" by hamel:   K_mu[2] = Z
claim "term" by hamel:    G[2] = -w3*P[1]
claim "p" by hamel:       p[1] = m*x' - m*s*sin(theta)*theta'
claim "row" by multipliers:    C[1,1] = -sin(theta)
claim "drift" by multipliers:  gamma[1] = -theta'*(y'*sin(theta) + x'*cos(theta))
claim "mass" by multipliers:   g[1,3] = -m*s*sin(theta)
claim "free" by multipliers:   L[2] = Z*sin(theta) + m*s*theta'^2*sin(theta)
claim "free, Gauss" by gauss:  L[1] = Z*cos(theta) + m*s*theta'^2*cos(theta)
claim "row, Gauss" by gauss:   J[1,1]*x'' + J[1,2]*y'' = -gamma[1]
claim "drift, Gauss" by gauss: gamma[1] = -theta'*(y'*sin(theta) + x'*cos(theta))
"""),
    "conditions far away": (2, """
coordinate x, y, z
kinetic (x'^2 + y'^2 + z'^2)/2
potential x + y
constraint a: (x' - 5)*(y' - z') = 0
claim "fast": x'' = -1 when x' > 5
claim "slanted": y'' = -1 when y' != z'
"""),
    "objects of frames": (15, """
parameter m = 2, s = 0.3, I = 0.5
coordinate x, y, theta
kinetic m*(x'^2 + y'^2)/2 + m*s*theta'*(y'*cos(theta) - x'*sin(theta)) + I*theta'^2/2
constraint edge: y'*cos(theta) - x'*sin(theta) = 0
quasivelocity w2 = x'*cos(theta) + y'*sin(theta), w3 = theta'
claim "Z" by boltzmann-hamel:     Z[1,2] = sin(theta)
claim "Gamma" by boltzmann-hamel: Gamma[2,1] = sin(theta)
claim "Theta" by boltzmann-hamel: Theta[1] = -sin(theta)
claim "A" by boltzmann-hamel:     A[1,3] = -m*s*sin(theta)
claim "mass" by boltzmann-hamel:  A_Gamma[1,1] = m
claim "turning" by boltzmann-hamel: A_Gamma[2,2] = I
claim "p" by boltzmann-hamel:     p[1] = m*x' - m*s*sin(theta)*theta'
claim "P" by boltzmann-hamel:     P[1] = m*w2
claim "mu" by boltzmann-hamel:    mu[1] = m*s*w3
claim "X1" by boltzmann-hamel:    X[1] = -m*s*w3^2
claim "X2" by boltzmann-hamel:    X[2] = m*s*w2*w3
claim "S" by hamel:               S[1] = 0
claim "slope" by hamel:           dT_dvartheta[2] = 0
claim "lifted" by multipliers:    cos(theta)*X[2,1] = 1 + sin(theta)*X[1,1]
claim "trace" by multipliers:     pi[1,1] + pi[2,2] + pi[3,3] = 1
"""),
    "conditions on velocity parameters": (2, """
coordinate x, y, z
kinetic (x'^2 + y'^2 + z'^2)/2
constraint a: x' = z*y'
velocity v, w: x' = z*v, y' = v, z' = w
claim "rest": der(x - z*y) = 0 when w = 0
claim "straight": x'' = z*y'' when w = 0
"""),
    "objects of velocity parameters": (11, """
parameter m = 2, s = 0.3, I = 0.5, Z
coordinate x, y, theta
kinetic m*(x'^2 + y'^2)/2 + m*s*theta'*(y'*cos(theta) - x'*sin(theta)) + I*theta'^2/2
force x = Z*cos(theta), y = Z*sin(theta)
constraint edge: y'*cos(theta) - x'*sin(theta) = t
velocity v, w: x' = v*cos(theta) - t*sin(theta), y' = v*sin(theta) + t*cos(theta), theta' = w
claim "Psi" by parametric:   Psi[2,1] = sin(theta)
claim "drift" by parametric: d[1] = -v*w*sin(theta) - sin(theta) - t*w*cos(theta)
claim "G" by parametric:     Gz[1,1] = m
claim "G up" by parametric:  G_up[2,2] = 1/I
claim "G up, mixed" by parametric: G_up[1,2] = 0
claim "L" by parametric:     L[1] = Z*cos(theta) + m*s*w^2*cos(theta)
claim "g" by parametric:     g[3,1] = -m*s*sin(theta)
claim "Z" by parametric:     Z[1] = Z + m*s*w^2 + m*t*w
claim "law" by parametric:   Gz[1,1]*v' = Z[1]
claim "A" by gibbs-appell:   A_alpha[1] = Z
claim "S" by gibbs-appell:   d2S_dzdot2[2,2] = I
"""),
    "parameters": (3, """
parameter m = 2, I = 0.3
coordinate x, y, theta
kinetic m*(x'^2 + y'^2)/2 + I*theta'^2/2
velocity v, w: x' = v*cos(theta), y' = v*sin(theta), theta' = w
claim "v": v' = 0
claim "metric": Gz[1,1] = m
claim "speed": x'^2 + y'^2 = v^2
"""),
}


KINDS |= {
    "multipliers beside parameters": (4, """
parameter m = 2, g = 3
coordinate x, y, theta
kinetic m*(x'^2 + y'^2)/2 + theta'^2/2
potential m*g*y
constraint side: y'*cos(theta) = x'*sin(theta)
velocity v, w: x' = v*cos(theta), y' = v*sin(theta), theta' = w
claim "law": v' = -g*sin(theta)
claim "force": lambda[side] = m*v*w + m*g*cos(theta)
claim "turn": w' = 0
claim "metric": Gz[1,1] = m
"""),
    "frames in time": (4, """
parameter m = 1, I = 0.4
coordinate x, y, theta
kinetic m*(x'^2 + y'^2)/2 + I*theta'^2/2
constraint blade: -x'*sin(theta) + y'*cos(theta) = t*x
quasivelocity:
    w1 = -x'*sin(theta) + y'*cos(theta) - t*x,
    w2 = x'*cos(theta) + y'*sin(theta) + y*t,
    w3 = theta' + sin(t)
claim "none": beta[3,t,1] = 0
claim "first": beta[1,t,2] = sin(t) + t*cos(theta)
claim "second": beta[2,t,1] = -sin(t) - t*cos(theta)
claim "in space": beta[1,3,2] = -1
"""),
    "signs": (4, """
parameter k
assume k != 0, k > 0
coordinate x, y, z
kinetic (x'^2 + y'^2 + z'^2)/2
constraint c: (exp(x) + cosh(y))*x' = -(exp(x) + cosh(y))*k*y'
claim "exp": x' = -k*y'
claim "denominators": x'/(-1 - exp(x) - x^2) = k*y'/(1 + x^2 + exp(x))
claim "cosh": x'/cosh(y) = -k*y'/cosh(y)
claim "abs": abs(x)*x' = -k*abs(x)*y'
"""),
    "borders": (4, """
coordinate x, y, z
parameter k
assume k <= 0, k != 0, x' != 0
kinetic (x'^2 + y'^2 + z'^2)/2
constraint a: k*(x' - z') = 0
constraint b: x'^3 = z'^2*y'
claim "by k": x' = z'
claim "by x'": y' = z'
claim "accelerations": x'' = y''
claim "divided": x''/k = y''/k
"""),
    "powers": (3, """
coordinate x, y, z
kinetic (x'^2 + y'^2 + z'^2)/2
constraint a: (1 + x^2 + x*y + y^2)^2*(x' - z') = 0
constraint b: (x^2 + y^2)^2*(y' - z') = 0
claim "a": x' = z'
claim "b": y' = z'
claim "accelerations": x'' = y''
"""),
}

KINDS |= {
    "frames of another degree": (3, """
coordinate x, y, z
kinetic (x'^2 + y'^2 + z'^2)/2
assume z' > 0, y' > 0
constraint cone: x'^2 + y'^2 = z'^2
quasivelocity w1 = x'*y', w2 = y'
claim "slope" by hamel-nonlinear:   df_dqdot[1,2] = x'
claim "inverse" by hamel-nonlinear: y'*dF_domega[1,1] = 1
claim "momentum" by hamel-nonlinear: y'*z'*P[1] = z'*x' + z'*x'
"""),
    "one velocity parameter": (2, """
coordinate x, y, z
kinetic (x'^2 + y'^2 + z'^2)/2
constraint p: x' = y'
constraint q: y' = z'
velocity a: x' = a, y' = a, z' = a
claim "inverse" by parametric: G_up[1,1] = 1/3
claim "rest": a' = 0
"""),
    "bounds of parameters": (4, """
parameter k, l
assume k < 3, l > 5
coordinate x, y, z
kinetic (x'^2 + y'^2 + z'^2)/2
constraint a: (4 - k)*x' = (4 - k)*y'
constraint b: (l - 4)*(l + 2)*z' = (l - 4)*(l + 2)*y'
claim "below": x' = y'
claim "above": z' = y'
claim "accelerations": x'' = z''
claim "forces": lambda[a] = 0
"""),
    "two rows in angles": (4, """
coordinate x, y, theta, phi
kinetic (x'^2 + y'^2 + theta'^2 + phi'^2)/2
potential x
constraint a: x'*cos(theta) + y'*sin(theta) = theta'
constraint b: -x'*sin(theta) + y'*cos(theta) = phi'
claim "solved": x' = theta'*cos(theta) - phi'*sin(theta)
claim "speeds": x'^2 + y'^2 = theta'^2 + phi'^2
claim "rates": x'' = theta''*cos(theta) - theta'^2*sin(theta) - phi''*sin(theta) - phi'*theta'*cos(theta)
claim "force": 2*lambda[a] = cos(theta) + x'*theta'*sin(theta) - y'*theta'*cos(theta)
"""),
}

# Proved, yet without a proof as data: each says why.
OPEN = """
coordinate x, y, z
kinetic (x'^2 + y'^2 + z'^2)/2
"""
UNWRITTEN = {
    "parameters": ("its conditions make parameters free", "parameter m = 2, k = 3" + OPEN + """
claim "it": (m - k)*x'' = m*x'' - k*x'' when m > k"""),
    "limit": ("tend to their limits", "parameter k = 3" + OPEN + """claim "it": limit k -> 0: k*x = 0"""),
    "second class": ("are minima", OPEN + """constraint c: z'' = x''*y''
claim "it": identically (x + y)^2 = x^2 + 2*x*y + y^2"""),
    "worksheet": ("worksheet calls so", OPEN + """constraint c: y' = x'*cos(z)
claim "it" by multipliers: F[3] = 0"""),
    "names of unknowns": ("called as unknowns", "parameter lambda[1..2]" + OPEN + """constraint c: y' = x'
claim "it": lambda[1]*z'' = 0"""),
    "parameters that switch": ("where a parameter switches", "parameter p" + OPEN + """constraint c: x' = sign(p)*z'
claim "it": p*x' = abs(p)*z'"""),
    "other ranks": ("no identity was found", OPEN + """constraint a: x*y = 0\nconstraint b: y*z = 0\nclaim "it": y*x' = 0"""),
    "other ranks of the motion": ("nothing says that a factor does not vanish", OPEN + """potential y
constraint a: x'*y' = 0\nconstraint b: x'*(x' - 1) = 0\nclaim "it": y'' = x' - 1"""),
    "positions": ("not linear and homogeneous", OPEN + """constraint c: z = x^2 + y\nclaim "it": rank 1"""),
    "products": ("not linear and homogeneous", OPEN + """constraint c: x'*y' = 1\nclaim "it": rank 1"""),
    "affine": ("not linear and homogeneous", OPEN + """constraint c: z' = x*y' + 1\nclaim "it": nonholonomic"""),
    "time": ("not linear and homogeneous", OPEN + """constraint c: z' = x*t*y'\nclaim "it": nonholonomic"""),
    "nothing bound": ("not linear and homogeneous", OPEN + """claim "it": rank 0"""),
    "conditions on inputs": ("inputs of a kinematic model", """coordinate x, y\ninput v = 1\nvelocity v: x' = v, y' = 2*v
claim "it": y'' = 2*x'' when v > 0"""),
    "an inverse of three": ("worksheet calls so", OPEN + """velocity a, b, c: x' = a, y' = b, z' = c
claim "it" by parametric: G_up[1,1] = 1"""),
    "a form that is not given": ("worksheet calls so", OPEN + """constraint p: x' = z*y'\nclaim "it" by parametric: Psi[1,1] = z"""),
    "lifts of redundant rows": ("worksheet calls so", OPEN + """constraint p: x' = y'\nconstraint q: 2*x' = 2*y'
claim "it" by multipliers: X[1,1] + X[2,1] = 0"""),
    "unstable": ("Routh's and Hurwitz's", OPEN + """potential y^2 + z^2 - x^2
claim "it": unstable at x = 0, y = 0, z = 0"""),
    "attracting": ("Routh's and Hurwitz's", OPEN + """potential x^2 + y^2 + z^2
force x = -x', y = -y', z = -z'\nclaim "it": attracting at x = 0, y = 0, z = 0"""),
}


def check_unwritten():
    for name, (why, text) in UNWRITTEN.items():
        path, certificate, said = certify(write_model("unwritten", text + "\n"))
        answer = run_checker(path.with_name("unwritten.ah"), path)
        tap.check(answer.returncode == 0 and 'unproved "it"' in answer.stdout and why in answer.stdout, f"unwritten.{name}",
                  said, answer.stdout, answer.stderr)
    # what was to be refuted and is true has no proof to show
    _, certificate, said = certify(write_model("unwritten", OPEN + """refute "it": x'' = 0\n"""))
    tap.check("FAIL" in said and certificate["claims"] == [], "unwritten.refute", said)


def check_kinds():
    to_check = dict(tap.some(KINDS.items(), 3))  # to write proofs takes a tenth of the time
    for name, (count, text) in KINDS.items():
        path, certificate, said = certify(write_model("kind", text))
        written = sum(c["proof"] is not None for c in certificate["claims"])
        tap.check(written == count, f"written.{name}", said)
        if name not in to_check:
            continue
        answer = run_checker(path.with_name("kind.ah"), path)
        tap.check(answer.returncode == 0 and f"{count} checked, 0 wrong" in answer.stdout, f"kind.{name}", answer.stdout,
                  answer.stderr)


def check_folder():
    """Models of all statements: everything is as it is claimed, and every proof that is written is right."""
    for model in tap.some(sorted((tap.ROOT / "tests/proofs").glob("*.ah")), 3):
        path, certificate, said = certify(model)
        answer = run_checker(model, path)
        written = sum(c["proof"] is not None for c in certificate["claims"])
        tap.check("FAIL" not in said and written and f"{written} checked, 0 wrong, 0 not checked" in answer.stdout,
                  f"folder.{model.stem}", said, answer.stdout, answer.stderr)


# ---- The models of the project ------------------------------------------------------------------------

def check_models(models):
    totals = [0, 0, 0, 0]
    for model in models:
        path, certificate, said = certify(model)
        written = sum(c["proof"] is not None for c in certificate["claims"])
        counted = f"{written} proofs written, {len(certificate['claims']) - written} not"
        answer = run_checker(model, path)
        numbers = [int(w) for w in answer.stdout.splitlines()[-1].replace(",", "").split() if w.isdigit()]
        totals = [a + b for a, b in zip(totals, numbers)]
        right = answer.returncode == 0 and numbers[0] == written and counted in said
        tap.check(right, f"model.{model.stem}", answer.stdout, answer.stderr, said)
    print("# {} checked, {} wrong, {} not checked, {} without a proof to check".format(*totals))


# ---- Nothing can be changed ----------------------------------------------------------------------------

def polynomials(value, path=()):
    """Places of all coefficients: the first number of each term."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from polynomials(inner, path + (key,))
    elif isinstance(value, list):
        if value and all(isinstance(x, int) for x in value):
            yield path, value
        else:
            for i, inner in enumerate(value):
                yield from polynomials(inner, path + (i,))


def at(value, path):
    for key in path:
        value = value[key]
    return value


def kind_of(path):
    return ".".join(str(k) for k in path if isinstance(k, str))


def judged(model, written):
    return TOOL.judge(model, written)[1]


def check_changes(name, label):
    """One coefficient of each kind, at a random place; then whole parts of a proof."""
    file = write_model("kind", KINDS[name][1]) if name in KINDS else tap.ROOT / f"models/{name}.ah"
    _, certificate, _ = certify(file)
    model = TOOL.Model(file.read_text())
    written = next(c for c in certificate["claims"] if c["label"] == label)
    tap.check(judged(model, written) is True, f"unchanged.{name}")
    places = {}
    for path, _ in polynomials(written["proof"]):
        places.setdefault(kind_of(path), []).append(path)
    passed = []
    for kind, paths in places.items():
        if kind == "branches.kept":
            continue
        for path in random.sample(paths, min(tap.amount(1, 3, 3), len(paths))):
            changed = copy.deepcopy(written)
            term = at(changed["proof"], path)
            others = [term[0] + d for d in range(-8, 9) if d]
            term[0] = random.choice([c for c in others if c != -term[0]])  # a square does not know the sign of its root
            if judged(model, changed):
                passed.append(f"{kind} at {path}")
    tap.check_none(passed, f"coefficients.{name}")
    return model, certificate, written


def check_parts():
    model, certificate, written = check_changes("double_pendulum", "(4.14), x1")
    branch = lambda w: w["proof"]["branches"][0]

    def changed(what, change):
        other = copy.deepcopy(written)
        change(other)
        tap.check(judged(model, other) is False, f"changed.{what}")

    changed("no factors", lambda w: branch(w)["steps"][-1].update(multiplier=branch(w)["steps"][-1]["multiplier"][:1]))
    for reason in ("positive", "assumed", "undefined", "minor", "because"):
        changed(f"reason {reason}", lambda w: branch(w)["factors"][0].update(because=reason, assumption=0, form=[[1]],
                                                                            scale=1, sum=[]))
    changed("another factor", lambda w: branch(w)["factors"][0].update(factor=[[1, 0, 1]]))
    changed("no steps", lambda w: branch(w).update(steps=[]))
    changed("no branches", lambda w: w["proof"].update(branches=[]))
    changed("a step less", lambda w: branch(w)["steps"].pop(0))
    changed("the last step less", lambda w: branch(w)["steps"].pop())
    changed("a step of itself", lambda w: branch(w)["steps"].append(
        {"proves": w["proof"]["claim"], "multiplier": [1], "sum": [[len(w["proof"]["relations"]) + 99, [[1]]]]}))
    changed("no rows", lambda w: w["proof"].update(rows=[]))
    changed("a row of another kind", lambda w: w["proof"]["rows"][0].update({"is": "reduced"}))
    changed("a row of another coordinate", lambda w: w["proof"]["rows"][0].update(of="y1"))
    changed("a zero row", lambda w: [w["proof"]["rows"].append(
        {"is": "motion", "of": "x1", "polynomial": w["proof"]["claim"], "denominator": [[1]]}), branch(w).update(steps=[
            {"proves": w["proof"]["claim"], "multiplier": [1],
             "sum": [[len(w["proof"]["relations"]) + len(w["proof"]["rows"]) - 1, [[1]]]]}])])
    changed("a false relation", lambda w: w["proof"]["relations"].append([[1, 0, 1]]))
    changed("other states", lambda w: w["proof"].update(states="parameters"))
    changed("a zero multiplier", lambda w: branch(w)["steps"][-1]["multiplier"].__setitem__(0, 0))
    changed("claim and denominator zero", lambda w: [w["proof"].update(claim=[]), w["proof"]["denominator"].update(
        polynomial=[], multiplier=[0]), branch(w).update(steps=[{"proves": [], "multiplier": [1], "sum": []}])])
    check_swaps(model, certificate)


def check_real():
    """Sums of squares with another sign, another weight, a square less."""
    for kind, label in (("real", "squares"), ("real", "a positive factor"), ("real angles", "rate")):
        model, certificate, written = check_changes(kind, label)
        proofs = [x for b in written["proof"]["branches"] for x in b["steps"] + b["factors"]]
        places = [i for i, x in enumerate(proofs) if x.get("squares")]
        tap.check(len(places) > 0, f"real.squares.{label}")
        passed = []
        changes = (lambda q: q[0].__setitem__(0, -q[0][0]), lambda q: q[-1].__setitem__(0, q[-1][0] + 1),
                   lambda q: q.pop(), lambda q: q.append([-1, []]), lambda q: q[0].__setitem__(0, 0))
        for i in places:
            for change in random.sample(changes, tap.amount(1, 5, 5)):
                other = copy.deepcopy(written)
                parts = [x for b in other["proof"]["branches"] for x in b["steps"] + b["factors"]]
                change(parts[i]["squares"])
                if judged(model, other) is not False:
                    passed.append(f"{i}")
        tap.check_none(passed, f"real.changed.{kind}.{label}")


def check_conditions():
    """A proof under conditions is none without them, or under others."""
    text = KINDS["conditions"][1]
    _, certificate, _ = certify(write_model("kind", text))
    for old, new in ((" when x2' = 0, y2' = 0", ""), ("when x2' = 0, y2' = 0", "when x2' = 0, y2' = 1"),
                     ("when x2' = 0, y2' = 0", "when x2' = 0"),
                     ("*(x1'^2 + y1'^2), y1'", "*(x1'^2 + 2*y1'^2), y1'")):
        wrong = [judged(TOOL.Model(text.replace(old, new)), c) for c in certificate["claims"]]
        tap.check(text.replace(old, new) != text and False in wrong, f"conditions.{old}.{new}", str(wrong))
    # nothing is proved of states that there are not
    false = text.split("claim")[0] + """claim "x": x1'' = 5 when x1' = 0, x2' = 0, y1' = 0, y2' = 0"""
    proof = {"states": "velocities", "generators": ["x1''"], "relations": [],
             "rows": [{"is": "velocity", "constraint": "pivot", "polynomial": [], "denominator": [[1]]}],
             "claim": [[1, 0, 1], [-5]], "denominator": {"polynomial": [[1]], "multiplier": [1], "factors": []},
             "branches": [{"kept": [], "factors": [], "steps": [{"proves": [[1, 0, 1], [-5]], "multiplier": [1], "sum": []}]}]}
    line, answer = TOOL.judge(TOOL.Model(false), {"label": "x", "says": "equation", "proof": proof})
    tap.check(answer is False and "regular state" in line, "conditions.nowhere", line)


def check_swaps(model, certificate):
    """The proof of one claim under the name of another; and another model's."""
    proved = [c for c in certificate["claims"] if c["proof"]]
    wrong = [f"{a['label']} by {b['label']}" for a in proved for b in proved
             if b["proof"]["claim"] != a["proof"]["claim"] and "when" not in a and judged(model, {**a, "proof": b["proof"]})]
    tap.check_none(wrong, "swapped_claims")
    mirror = TOOL.Model((tap.ROOT / "models/double_pendulum_equal_masses.ah").read_text())
    tap.check(not any(judged(mirror, c) for c in proved if "energy" not in c["label"]), "another_model")


# What is false cannot be proved by a certificate that is made up.
PRODUCT = """
parameter m = 1
coordinate y, x, z
kinetic m*(x'^2 + y'^2 + z'^2)/2
potential x + y
constraint a: (x' - 5)*(y' - z') = 0
claim "false": y' = z'
claim "true": (x' - 5)*y' = (x' - 5)*z'
"""


def check_forged():
    model = TOOL.Model(PRODUCT)
    x, y, z = 0, 1, 2
    row = [[1, x, 1, y, 1], [-1, x, 1, z, 1], [-5, y, 1], [5, z, 1]]
    for reason in ("singular", "minor", "undefined", "assumed", "positive"):
        factor = {"factor": [[1, x, 1], [-5]], "because": reason, "assumption": 0, "form": [[1, x, 1], [-5]], "scale": 1,
                  "sum": []}
        for minor in ({}, {"minor": [0]}, {"minor": [1]}, {"minor": [2]}):
            proof = {"states": "velocities", "generators": ["x'", "y'", "z'"], "relations": [],
                     "rows": [{"is": "velocity", "constraint": "a", "polynomial": row, "denominator": [[1]]}],
                     "claim": [[1, y, 1], [-1, z, 1]],
                     "denominator": {"polynomial": [[1]], "multiplier": [1], "factors": []},
                     "branches": [{"kept": [0], **minor, "factors": [factor], "steps": [
                         {"proves": [[1, y, 1], [-1, z, 1]], "multiplier": [1, 0, 1], "sum": [[0, [[1]]]]}]}]}
            line, answer = TOOL.judge(model, {"label": "false", "says": "equation", "proof": proof})
            if answer is not False:
                tap.check(False, f"forged.{reason}", line)
    path, certificate, _ = certify(write_model("product", PRODUCT))
    proofs = {c["label"]: c["proof"] for c in certificate["claims"]}
    tap.check(not proofs.get("false") and proofs.get("true"), "forged.none")


SKATE = """
coordinate x, y, theta, z
kinetic (x'^2 + y'^2 + theta'^2 + z'^2)/2
constraint blade: x'*sin(theta) - y'*cos(theta) = 0
constraint lift: z' = 2*x*x' + 2*y*y'
claim "directions": {}
"""
RIGHT = ("rank 2", "growth 2, 3", "growth (2, 3)", "accessible 3", "nonholonomic", "nonholonomic blade", "holonomic lift")
FALSE = ("rank 1", "rank 3", "growth 2, 4", "growth (3, 3)", "growth 2", "growth 2, 3, 4", "accessible 4", "accessible 2", "holonomic",
         "holonomic blade", "nonholonomic lift")


def check_directions():
    """What constraints leave free: right as written, and wrong for every other number."""
    for says in RIGHT:
        path, certificate, said = certify(write_model("directions", SKATE.format(says)))
        answer = run_checker(path.with_name("directions.ah"), path)
        tap.check("1 checked, 0 wrong" in answer.stdout, f"directions.{says}", said, answer.stdout)
    place = certificate["claims"][0]["proof"]
    passed = [says for says in FALSE if judged(TOOL.Model(SKATE.format(says)), {
        "label": "directions", "says": says.split()[0], "proof": place}) is not False]
    tap.check_none(passed, "directions.false")
    special = {"place": {name: ["0/1", "0/1"] for name in place["place"]}}
    model = TOOL.Model(SKATE.replace("2*x*x'", "x^2*x'*theta").format("growth 2, 3, 4"))
    written = {"label": "directions", "says": "growth", "proof": special}
    tap.check(judged(model, written) is False, "directions.special_place")


# A multiplier that vanishes on the constraints proves anything; so do constraints without regular states.
def check_vacuous():
    text = """
coordinate x, y
kinetic (x'^2 + y'^2)/2
constraint a: {}
claim "false": x'' = 5
"""
    x, y, a = 0, 1, 2
    for name, constraint, row in (("square", "(x' - y')^2 = 0", [[1, x, 2], [-2, x, 1, y, 1], [1, y, 2]]),
                                  ("sum of squares", "x'^2 + y'^2 = 0", [[1, x, 2], [1, y, 2]])):
        model = TOOL.Model(text.format(constraint))
        factor = [[1, x, 1], [-1, y, 1]] if name == "square" else row
        claim = [[1, a, 1], [-5]]
        proof = {"states": "velocities", "generators": ["x'", "y'", "x''"], "relations": [],
                 "rows": [{"is": "velocity", "constraint": "a", "polynomial": row, "denominator": [[1]]},
                          {"is": "motion", "of": "x", "polynomial": [], "denominator": []}],
                 "claim": claim, "denominator": {"polynomial": [[1]], "multiplier": [1], "factors": []},
                 "branches": [{"kept": [0], "factors": [{"factor": factor, "because": "singular"}], "steps": [
                     {"proves": claim, "multiplier": [1, 0, 2 if name == "square" else 1], "sum": [[0, claim]]}]}]}
        line, answer = TOOL.judge(model, {"label": "false", "says": "equation", "proof": proof})
        tap.check(answer is False and "regular state" in line, f"vacuous.{name}", line)


# The reactions of a parametric form alone are not those of free motion; T is compared for all velocities.
def check_frames():
    model = TOOL.Model("""
coordinate x, y
kinetic (x'^2 + y'^2)/2
velocity v: x' = v*cos(y), y' = v
claim "false": x'' = 0
""")
    claim = [[1, 0, 1]]
    for states in ("velocities", "parameters"):
        proof = {"states": states, "generators": ["x''"], "relations": [],
                 "rows": [{"is": "motion", "of": "x", "polynomial": claim, "denominator": [[1]]}],
                 "claim": claim, "denominator": {"polynomial": [[1]], "multiplier": [1], "factors": []},
                 "branches": [{"kept": [], "factors": [], "steps": [{"proves": claim, "multiplier": [1], "sum": [[0, [[1]]]]}]}]}
        answer = TOOL.judge(model, {"label": "false", "says": "equation", "proof": proof})[1]
        tap.check(answer is False, f"parametric.{states}")
    reduced = """
coordinate x, y
kinetic (x'^2 + y'^2)/2
constraint c: y' = 2*x'
claim "T": {} = 5/2*x'^2
"""
    _, certificate, _ = certify(write_model("kinetic", reduced.replace("5/2", "5").format("x'^2 + y'^2")))
    written = certificate["claims"][0]
    written["proof"]["denominator"].update(polynomial=[[2]], multiplier=[2])
    for words, right in (("(x'^2 + y'^2)/2", True), ("kinetic", False), ("identically (x'^2 + y'^2)/2", False)):
        answer = judged(TOOL.Model(reduced.format(words)), written)
        tap.check(answer is right, f"kinetic.{words.split()[0]}")


def check_objects():
    """A proof of one object of a worksheet is none of another, nor of the same of another method."""
    text = KINDS["objects of velocity parameters"][1]
    _, certificate, _ = certify(write_model("objects", text))
    written = {c["label"]: c for c in certificate["claims"]}
    for label, was, now in (("Psi", "Psi[2,1]", "Psi[2,2]"), ("drift", "d[1]", "d[2]"), ("L", "by parametric:     L[1]", "by parametric:     L[2]"),
                            ("drift", "-v*w*sin(theta) - sin", "v*w*sin(theta) - sin"), ("Z", "m*t*w", "2*m*t*w"),
                            ("G up", "= 1/I", "= I"), ("A", "A_alpha[1]", "A_alpha[2]"), ("S", "d2S_dzdot2[2,2]", "d2S_dzdot2[1,2]")):
        assert was in text
        answer = judged(TOOL.Model(text.replace(was, now)), written[label])
        tap.check(answer is False, f"objects.{label}: {now}")


def check_integrals():
    """What follows from the constraints is constant, and no integral."""
    text = KINDS["holonomic"][1].split("claim")[0] + 'claim "I": {}\n'
    for e, right in (("x'^2 + y'^2 + 2*g*y", True), ("x^2 + y^2", False), ("x*x' + y*y'", False)):
        _, certificate, _ = certify(write_model("integral", text.format(f"constant {e}")))
        written = {**certificate["claims"][0], "says": "integral"}
        answer = judged(TOOL.Model(text.format(f"integral {e}")), written)
        tap.check(answer is right, f"integral.{e}")


def check_slopes_inside_of_functions():
    """sinh(x') (y' - z') is a minor of the first, though its polynomial in cosh(x') does not show the slope."""
    text = "coordinate x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\nforce x = 1\nconstraint a: {}\n"
    text += 'claim "factor": y\' = z\'\nclaim "rates": y\'\' = z\'\'\nclaim "free": x\'\' = 1\n'
    for i, row in enumerate(("(cosh(x') - 1)*(y' - z') = 0", "(exp(x') + x'^2)*(y' - z') = 0")):
        path, _, _ = certify(write_model("slopes", text.format(row)))
        answer = run_checker(path.with_name("slopes.ah"), path)
        tap.check(" 0 wrong" in answer.stdout, f"slopes.{i}", answer.stdout, answer.stderr)


def check_integrals_of_parameters():
    """In the parameters of the velocities beside constraints; what these make zero is none."""
    text = """coordinate x, y, theta
kinetic (x'^2 + y'^2 + theta'^2)/2
constraint blade: x'*sin(theta) = y'*cos(theta)
velocity v, w: x' = v*cos(theta), y' = v*sin(theta), theta' = w
claim "I": {}
"""
    for e, right in (("v", True), ("v*w + w^2", True), ("v - x'*cos(theta) - y'*sin(theta)", False), ("w*0 + 3", False)):
        _, certificate, said = certify(write_model("parameters", text.format(f"constant {e}")))
        answer = judged(TOOL.Model(text.format(f"integral {e}")), {**certificate["claims"][0], "says": "integral"})
        tap.check(answer is right, f"integral.{e}", str(answer), said)


def check_integrals_with_letters():
    """a z'^2 is no integral for a = 0: not confirmed; one whose slopes no letter can change is."""
    text = "parameter a, k\ncoordinate x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\npotential k*y\n{}claim \"I\": {}\n"
    for row, e, right in (("constraint c: x' = a*y'\n", "a*z'^2", False), ("constraint c: x' = a*z'\n", "(x' - a*z')^2 + a*x'", False),
                          ("constraint c: x' = 2*z'\n", "x'^2 + a", True), ("", "y'^2/2 + k*y", True), ("", "a*x'", False)):
        _, certificate, _ = certify(write_model("letters", text.format(row, f"constant {e}")))
        written = {**certificate["claims"][0], "says": "integral"}
        answer = judged(TOOL.Model(text.format(row, f"integral {e}")), written)
        tap.check((answer is True) is right, f"letters.{row.strip()}.{e}", str(answer))


def check_language():
    """Whatever the language allows is read; claims with vectors, blocks and loops are found again."""
    wrong = []
    files = sorted((tap.ROOT / "tests/language/good").glob("*.ah"))
    for file in files:
        try:
            TOOL.Model(file.read_text(encoding="utf-8"))
        except Exception as error:
            wrong.append(f"{file.name}: {error}")
    tap.check_none(wrong, "language.read")
    for file in files:
        if file.stem in ("02_lines", "03_lexis", "17_claims", "21_symbolic", "31_inputs"):
            path, _, _ = certify(file)
            answer = run_checker(file, path)
            tap.check(answer.returncode == 0 and "\nchecked" in "\n" + answer.stdout, f"language.{file.stem}", answer.stdout,
                      answer.stderr)


# What is true of real numbers, by rules that a field of a prime does not have.
TRUE = """
parameter k
assume k > 0
function f(x)
coordinate u, psi, h
kinetic (u'^2 + psi'^2 + h'^2)/2
constraint row: u'*cos(psi) - h'*sin(psi) = 0
claim "log": log(exp(h)) = h
claim "exp": exp(2*log(k) + h) = k^2*exp(h)
claim "sign": abs(k)*u' = k*u'
claim "cancelled": cos(u*(1 + psi^2)*(1 + psi^2)^(-1)) = cos(u)
claim "halved": 2*cos(u*psi/(2*psi))^2 = 1 + cos(u)
claim "function": f(u*(1 + psi^2)/(1 + psi^2)) = f(u)
claim "positive": abs(1 + h^2) = 1 + h^2
claim "root": sqrt(h^2) = abs(h)
claim "power": k^h*k = k^(h + 1)
"""
# and what is false, whatever the certificate: it holds at some points, or nearly, or with another sign
FALSE_OF_REALS = ("log(exp(h)) = -h", "abs(h) = h", "sqrt(h^2) = h", "log(h^2) = log(h)", "atan(tan(2*h)) = h",
                  "asin(sin(h)) = sin(h)", "f(u) = f(h)", "f(2*u) = 2*f(u)", "k^h = k^(2*h)", "abs(h)*u' = h*u'",
                  "abs(sin(h)) = sin(h)", "cos(u*psi) = cos(u)", "cos(u*psi) = cos(psi)", "exp(u*psi/u) = exp(2*psi)",
                  "acos(h/4) = asin(h/4)", "abs(1 + h^2) = 2 + h^2", "cos(sqrt(u^2)*psi) = cos(u*psi) + sqrt(u^2) - u",
                  "log(exp(h)*exp(u)) = h - u", "cos(u*(1 + psi^2)/(2 + psi^2)) = cos(u)", "f(u/psi*psi) = f(-u)",
                  "exp(2*log(k)) = k", "exp(log(k)/2) = k")
NOTHING = {"states": "velocities", "generators": [], "relations": [], "rows": [], "claim": [],
           "denominator": {"polynomial": [[1]], "multiplier": [1], "factors": []},
           "branches": [{"kept": [], "factors": [], "steps": [{"proves": [], "multiplier": [1], "sum": []}]}]}


def check_functions():
    """True identities are never called wrong, false ones always: `claim = []` leaves all to the comparison."""
    path, certificate, said = certify(write_model("true", TRUE))
    answer = run_checker(path.with_name("true.ah"), path)
    tap.check(answer.returncode == 0 and " 0 wrong" in answer.stdout, "functions.true", answer.stdout, answer.stderr)
    model = TOOL.Model(TRUE)
    labels = [claim.label for claim in model.claims]
    answers = {label: judged(model, {"label": label, "says": "equation", "proof": NOTHING}) for label in labels}
    tap.check_none([label for label in labels if answers[label] is False], "functions.not_wrong")
    simple = [label for label in labels if label not in ("positive", "power")]
    tap.check_none([label for label in simple if answers[label] is not True], "functions.checked")
    passed = []
    for words in FALSE_OF_REALS:
        model = TOOL.Model(TRUE.split("claim")[0] + f'claim "false": {words}')
        if judged(model, {"label": "false", "says": "equation", "proof": NOTHING}) is not False:
            passed.append(words)
    tap.check_none(passed, "functions.false")


ROOT = """
coordinate w, alpha, psi
parameter m1
assume m1 > 0
kinetic (m1*w'^2 + 2*alpha'^2 + psi'^2)/2 + sin(alpha)^2*alpha'*psi'/4
force w = 2*alpha'
constraint k1: psi' - (1 + alpha'^2)^(1/3) = 0
claim "balance": der(jacobi) = reaction[alpha]*alpha' + psi'*reaction[psi] + w'*(reaction[w] + 2*alpha')
"""


def check_form_of_a_branch():
    """Most of what is tried for the parameters of such a form is too large for cosh."""
    model = write_model("branch", """
coordinate x, y
kinetic (x'^2 + y'^2)/2
constraint c: x'^2 - y'^2 = 1
velocity a: x' = cosh(a), y' = sinh(a)
claim "name": x' = cosh(a)
""")
    path, _, said = certify(model)
    answer = run_checker(model, path)
    tap.check(answer.returncode == 0 and 'not checked "name": no parameters were found' in answer.stdout,
              "not_checked.form", answer.stdout, said)


def check_function_in_constraint():
    """Newton's method finds states where it follows the slope of f."""
    model = write_model("squares", """
function f(x)
coordinate x, y
kinetic (x'^2 + y'^2)/2
constraint c: x'^2 = f(x)^2*y'^2
claim "squares": 2*x'^2 = 2*f(x)^2*y'^2
""")
    path, _, said = certify(model)
    answer = run_checker(model, path)
    tap.check(answer.returncode == 0 and "1 checked, 0 wrong" in answer.stdout, "functions.in_constraint", answer.stdout, said)


def check_too_large():
    """What is proved, and too large to be multiplied out: 38 760 terms. It is told, and counted."""
    sum = "(1 + x + y + z + u + v + w)^14"
    model = write_model("large", f"""
coordinate x, y, z, u, v, w
kinetic (x'^2 + y'^2 + z'^2 + u'^2 + v'^2 + w'^2)/2
constraint c: x' = y'
claim "small": 2*x' = 2*y'
claim "large": {sum}*x' = {sum}*y'
""")
    path, certificate, said = certify(model)
    tap.check("1 proofs written, 1 not" in said and said.count("proved") == 2, "too_large.said", said)
    tap.check(certificate["claims"][1]["why"] == "it grows too large" and certificate["claims"][1]["proof"] is None, "too_large.why")
    answer = run_checker(model, path)
    tap.check(answer.returncode == 0 and "1 without a proof: it grows too large" in answer.stdout and
              "1 checked, 0 wrong, 0 not checked, 1 without a proof" in answer.stdout, "too_large.counted", answer.stdout)


def check_not_checked():
    """A factor whose zeros cannot be visited: counted apart, no failure; yet what is wrong beside it is wrong."""
    path, certificate, said = certify(write_model("root", ROOT))
    answer = run_checker(path.with_name("root.ah"), path)
    tap.check(answer.returncode == 0 and 'not checked "balance": a factor with roots' in answer.stdout and
              "0 checked, 0 wrong, 1 not checked, 0 without" in answer.stdout, "not_checked.root", answer.stdout, said)
    model, written, passed = TOOL.Model(ROOT), certificate["claims"][0], []
    for part in ("claim", "rows", "relations", "branches"):
        places = [p for p, _ in polynomials(written["proof"]) if p[0] == part and "factors" not in p and "kept" not in p]
        for place in random.sample(places, min(3, len(places))):
            changed = copy.deepcopy(written)
            at(changed["proof"], place)[0] += 1
            if judged(model, changed) is not False:
                passed.append(f"{place}")
    tap.check_none(passed, "not_checked.changed")


def check_special_rows():
    """For p = q the row is a square, and no state is regular where x' = p*y': the proof is right, and that is not looked at."""
    said = certify(write_model("pair", """
parameter p, q
coordinate x, y
kinetic (x'^2 + y'^2)/2
potential x + y
constraint c: (x' - p*y')*(x' - q*y') = 0
claim "on one": x'' = p*y'' when x' = p*y'
"""))
    answer = run_checker(said[0].with_name("pair.ah"), said[0])
    tap.check("0 wrong, 1 not checked" in answer.stdout, "special_rows", answer.stdout + said[2])


def check_special_parameters():
    """x' = p*u and p = 0: a model whose velocity parameters are not independent is none."""
    for form, says, wanted in (("x' = p*u, y' = w", "x'' = 1", "1 checked, 0 wrong"), ("x' = u + p*w, y' = w + p*u", "x'' = 1", "1 checked, 0 wrong")):
        path, _, said = certify(write_model("form", "parameter p\ncoordinate x, y\nkinetic (x'^2 + y'^2)/2\nforce x = 1\n"
                                                    f"velocity u, w: {form}\nclaim \"c\": {says}\n"))
        answer = run_checker(path.with_name("form.ah"), path)
        tap.check(wanted in answer.stdout, f"special_parameters.{form}", answer.stdout + said)


def check_potentials_that_end_motions():
    """What is bent beside a pole of the potential: no motion passes where it is infinite everywhere, for all parameters."""
    for text, wanted in (("potential -2/sqrt(x^2 + y^2) - 1/(x - 1)", "1 checked"), ("potential 1/sin(x) + tan(x) + sqrt(y^2 + 1)", "1 checked"),
                         ("assume k > 0\npotential -k/sqrt(x^2 + y^2)", "1 checked"), ("potential -k/sqrt(x^2 + y^2)", "1 not checked")):
        path, _, said = certify(write_model("pole", f"parameter k\ncoordinate x, y\nkinetic (x'^2 + y'^2)/2\n{text}\nclaim \"c\": constant energy\n"))
        answer = run_checker(path.with_name("pole.ah"), path)
        tap.check(wanted in answer.stdout, f"poles.{text}", answer.stdout + said)


SETTINGS = """
parameter n = 2, m = 1, k[1..n] = 3, c = m + 1
coordinate x, y
function u(t), V(x, y)
kinetic m*x'^2/2 + y'^2/2
potential k[1]*x^2/2 + k[2]*y^2/2 + V(x, y)
force x = u(t)
claim "x": m*x'' = -k[1]*x + u(t) - 2*x
claim "rate": der(u(t)) = 2*cos(2*t)
claim "y": y'' = -5*y
claim "c": c = 3
"""


def check_switches():
    """A field knows sign(x) beside its switch alone: such claims are not called right, unless they are true of every odd
    function; and what is false is wrong."""
    beside, right = ("step(x)^2 = step(x)", "sign(x)^2 = 1", "max(x, 0) = x*step(x)^2"), ("sign(-2*x) = -sign(x)",
                     "max(x, 1) + min(1, x) = 1 + x", "step(x) + step(-x) = 1", "if(x > 1, 2, 0) = 1 + sign(3*x - 3)")
    false = ("sign(x) = 1", "max(x, 1) = x", "step(x) = step(-x)", "clamp(x, 0, 1) = x", "if(x < 1, 2, 0) = 1 + sign(x - 1)")
    for words, answer in [(w, TOOL.NOT_CHECKED) for w in beside] + [(w, True) for w in right] + [(w, False) for w in false]:
        model = TOOL.Model(f'coordinate x\nkinetic x\'^2/2\nforce x = -sign(x\')\nclaim "switch": {words}\nclaim "other": x = x')
        answers = [judged(model, {"label": label, "says": "equation", "proof": NOTHING}) for label in ("switch", "other")]
        tap.check(answers == [answer, True], f"switches.{words}", str(answers))


def check_switch_in_constraint():
    """Where it switches the constraint has no rate, and there is no regular state: no factor vanishes there, but it is not looked at."""
    path, _, said = certify(write_model("jump", OPEN + """constraint a: y' = sign(x)*z'\nclaim "it": y'^2 = z'^2\n"""))
    answer = run_checker(path.with_name("jump.ah"), path)
    tap.check("0 wrong, 1 not checked" in answer.stdout, "switches.constraint", answer.stdout, said)


def check_rank_beside_switches():
    """Brackets differ from region to region under z' = clamp(x, -5, 5)*y', and the rank does not."""
    path, _, said = certify(write_model("clamp", OPEN + """constraint c: z' = clamp(x, -5, 5)*y'\nclaim "it": rank 1\n"""))
    answer = run_checker(path.with_name("clamp.ah"), path)
    tap.check("1 checked, 0 wrong" in answer.stdout, "switches.rank", answer.stdout, said)
    for text, right in (("rank 1", True), ("rank 2", False), ("rank 0", False), ("growth 2, 3", False)):
        model = TOOL.Model(OPEN + f"""constraint c: z' = clamp(x, -5, 5)*y'\nclaim "it": {text}\n""")
        written = {"label": "it", "says": text.split()[0], "proof": json.loads(path.read_text())["claims"][0]["proof"]}
        tap.check((judged(model, written) is True) is right, f"switches.rank.{text}")


def check_settings():
    """What --set says stands in the certificate, and is part of what is proved."""
    model = write_model("settings", SETTINGS)
    path = pathlib.Path(FOLDER.name) / "set.json"
    given = "k=4,k[2]=5,m=2,u(t)=sin(2*t),V(x,y)=x^2"
    said = subprocess.run([ANHOLO, "verify", model, "--set", given, "--certificate", path], capture_output=True, text=True)
    answer = run_checker(model, path)
    tap.check("4 proofs written, 0 not" in said.stdout and "4 checked, 0 wrong" in answer.stdout and
              answer.stdout.startswith(f"with {given}\n"), "settings", said.stdout + answer.stdout + answer.stderr)
    certificate = json.loads(path.read_text())
    for old, new, wrong in (("m=2", "m=3", 3), ("k[2]=5", "k[2]=6", 2), ("k=4", "k=1", 2), ("sin(2*t)", "sin(3*t)", 3),
                            ("x^2", "x^3", 2), (given, "", 4)):
        certificate["set"] = given.replace(old, new)
        path.write_text(json.dumps(certificate))
        answer = run_checker(model, path)
        tap.check(answer.returncode == 1 and f"{wrong} wrong" in answer.stdout, f"settings.{old}", answer.stdout + answer.stderr)
    for text in ("z=1", "m(t)=1", "m=", "m=1 2", "u=3"):
        certificate["set"] = text
        path.write_text(json.dumps(certificate))
        tap.check(run_checker(model, path).returncode == 2, f"settings.{text}")


def check_usage():
    tap.check(subprocess.run([CHECKPROOF], capture_output=True).returncode == 2, "usage")
    skate = tap.ROOT / "models/skate.ah"
    tap.check(run_checker(skate, skate).returncode == 2, "no_certificate")
    path, certificate, _ = certify(skate)
    next(c["proof"]["claim"] for c in certificate["claims"] if c["proof"] and c["proof"]["claim"])[0][0] += 1
    path.write_text(json.dumps(certificate))
    answer = run_checker(skate, path)
    tap.check(answer.returncode == 1 and "1 wrong" in answer.stdout, "exit_status", answer.stdout)


if "all" in sys.argv[1:]:
    check_models(MODELS)
else:
    check_models([m for m in MODELS if m.stem in SOME])
    check_kinds()
    check_folder()
    check_unwritten()
    check_parts()
    for name, label in (("tire", "243, psi"), ("cone_of_velocities", "multiplier"), ("skate", "first method, z1")):
        check_changes(name, label)
    check_real()
    check_conditions()
    check_forged()
    check_directions()
    check_vacuous()
    check_frames()
    check_objects()
    check_integrals()
    check_integrals_of_parameters()
    check_slopes_inside_of_functions()
    check_integrals_with_letters()
    check_language()
    check_functions()
    check_not_checked()
    check_special_rows()
    check_special_parameters()
    check_potentials_that_end_motions()
    check_too_large()
    check_function_in_constraint()
    if tap.amount(False, True, True):
        check_form_of_a_branch()
    check_switches()
    check_switch_in_constraint()
    check_rank_beside_switches()
    check_settings()
    check_usage()
tap.done()

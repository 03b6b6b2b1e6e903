#!/usr/bin/env python3
"""Questions whose answers are known: claims of every kind that are true, or false, by a line of thought; what kind of system
it is; spectra, linear models and stationary points with closed forms; in words and in JSON."""
import csv
import json
import math
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent / "harness"))
import tap

ANHOLO = str(tap.BUILD / "anholo")
FOLDER = pathlib.Path(tempfile.mkdtemp(prefix="anholo_questions"))

# What each claim is: proved, true (proved or not), false, or unknown; true? and false? may be left undecided, but never be taken for the other.
CLAIMS = {
    "components": ("""coordinate x, y, z
kinetic (x'^2 + y'^2 + z'^2)/2
constraint split: (x' - 5)*(y' - z') = 0
""", """
proved   rank 1
false    rank 2
false    growth 2
false    growth 3
proved   accessible 2
false    accessible 3
proved   holonomic
false    nonholonomic
true?    holonomic split
proved   constant energy
proved   constant x'
proved   constant y' - z'
proved   integral y'
proved   measure 1
proved   x'' = 0
proved   y'' = 0
false    y'' = 1
"""),
    "contact": ("""parameter k = 3, m
assume m > 0
coordinate x, y, z
kinetic m*(x'^2 + y'^2 + z'^2)/2
potential k*z^2/2
constraint contact: z' = y*x'
""", """
proved   rank 1
false    rank 0
false    rank -1
proved   growth 2, 3
false    growth 2
false    growth 2, 2
false    growth 2, 3, 3
proved   accessible 3
false    accessible 2
false    accessible -1
false    holonomic
proved   nonholonomic
proved   singular nowhere
false    singular y = 0
proved   integral energy
false    integral y
false    integral 3
false    integral z' - y*x'
false    measure 1
false    measure 1 + y^2
false?   measure 0
proved   measure sqrt(1 + y^2)/y
proved   steady x = 0, y = 0, z = 0, x' = 0, y' = 0
proved   equilibrium z = 0
false    equilibrium z = 1
proved   steady z = 0, y = 0, x' = 2, y' = 0
"""),
    "oscillator": ("""parameter k, c, m = 1
assume m > 0
coordinate x
kinetic m*x'^2/2
potential k*x^2/2
dissipation c*x'^2/2
start x = 0, x' = 0
""", """
proved   stable at x = 0 when k > 0, c > 0
proved   attracting at x = 0 when k > 0, c > 0
proved   unstable at x = 0 when k < 0
proved   unstable at x = 0 when c < 0
false    stable at x = 0 when c > 0
false    attracting at x = 0 when k > 0
false    unstable at x = 0 when k > 0, c > 0
proved   characteristic m*s^2 + c*s + k in s at x = 0
proved   characteristic 2*m*s^2 + 2*c*s + 2*k in s at x = 0
false    characteristic m*s^2 + c*s - k in s at x = 0
false    characteristic m*s + c in s at x = 0
false?   characteristic 0*s in s at x = 0
false?   characteristic sin(s) in s at x = 0
false    stable
false    attracting
proved   limit m -> inf: x'' = 0
false    limit m -> 0: x'' = 0
proved   limit c -> 0: m*x'' = -k*x
proved   limit t -> inf: exp(-t) = 0
false?   limit t -> inf: sin(t) = 0
false    limit m -> 0: 1/m = 0
false    limit k -> 0: abs(k)/k = 1
proved   solution x = 0
false    solution x = 1
false    equilibrium x = 1
false    equilibrium
"""),
    "bowl": ("""parameter g = 10
coordinate x, y, z
kinetic (x'^2 + y'^2 + z'^2)/2
potential g*z
constraint bowl: z = x^2 + y^2
""", """
true?    x*y'' = y*x'' when x' = 0, y' = 0
false?   x'' = 0 when z = 1
true?    x'' = 0 when x = 0, y = 0, x' = 0
unknown  1 = 2 when x' = 1, x' > 2
proved   constant x*y' - y*x' when x' != 0
proved   constant x*y' - y*x'
true?    x'' = 0 when x = 0, x' > 0, y > 0
proved   rank 1
proved   accessible 2
proved   singular nowhere
proved   solution x = 0, y = 0, z = 0
false    solution x = 1, y = 0, z = 1
false    solution x = t, y = 0, z = 0
true?    solution x = cos(sqrt(20)*t), y = sin(sqrt(20)*t), z = 1
proved   solution x = abs(t) - abs(t), y = 0, z = 0
true?    solution x' = 0, y = 0, z = 0
proved   equilibrium x = 0, y = 0, z = 0
proved   stable at x = 0, y = 0
false    attracting at x = 0, y = 0
proved   limit g -> 0: lambda[bowl] = lambda[bowl]
proved   limit g -> 0: x*y'' = y*x''
"""),
    "turning": ("""parameter a
coordinate x, y, z
kinetic (x'^2 + y'^2 + z'^2)/2
constraint turn: x*y' = y*x'
""", """
proved   singular x = 0, y = 0
false    singular x = 0, y = 0 or z = 1
false    singular x = 0
false    singular nowhere
false    singular x = a, y = 0
proved   holonomic
proved   constant x*y' - y*x'
proved   integral x/y
proved   z'' = 0
proved   x*y'' = y*x''
proved   rank 1
false    rank 2
proved   steady x' = 0, y' = 0, z' = 0
proved   limit a -> 0: a*x'' = 0
proved   limit a -> inf: z''/a = 0
proved   lambda[turn] = 0
false    identically x*y' - y*x' = 0
proved   identically (x + y)^2 = x^2 + 2*x*y + y^2
"""),
    "blade": ("""parameter m = 2, I = 1, a = 1
coordinate x, y, th
kinetic m*(x'^2 + y'^2)/2 + I*th'^2/2
force x = a
constraint blade: x'*sin(th) = y'*cos(th)
velocity v, w: x' = v*cos(th), y' = v*sin(th), th' = w
start x = 0, y = 0, th = 0, v = 1, w = 0
""", """
proved   m*v' = a*cos(th)
proved   w' = 0
proved   w' = 0 when v = 0
proved   v' = 0 when th = pi/2
proved   m*v' = a when th = 0, w = 0
proved   solution x = t + t^2/4, y = 0, th = 0
proved   solution x = t + t^2/4, y = 0, th = 0, v = 1 + t/2, w = 0
false    solution x = t + t^2/4, y = 0, th = 0, v = 1, w = 0
false    solution x = t, y = 0, th = 0
proved   limit m -> inf: v' = 0
proved   limit a -> 0: v' = 0
proved   limit I -> 0: w' = 0
proved   constant w
proved   M[1,1] = m
proved   Gz[1,1] = m
false    Gz[2,2] = m
proved   G[1,1] = 1/m
proved   reaction[x] = lambda[blade]*sin(th)
proved   der(energy) = a*x'
unknown  unstable at th = 0, w = 0
false    equilibrium
proved   singular nowhere
proved   growth 2, 3
"""),
    "second_class": ("""parameter K = 5/2
coordinate x, y, z
kinetic (x'^2 + y'^2 + z'^2)/2
force z = K
constraint p: z'' = x''*y''
""", """
true     x'' = y''
true     x''^2 = 3/2
false    x'' = 0
true     lambda[p] = -1
true?    x'' = y'' when x = 0
unknown  limit K -> 0: x'' = 0
false?   solution x = 0, y = 0, z = 0
proved   rank 1
unknown  singular nowhere
false    x'' + y'' = 0
false    integral x'
unknown  stable at x = 0
unknown  equilibrium x = 0
"""),
    "function": ("""coordinate x, y
kinetic (x'^2 + y'^2)/2
function f(x)
potential f(x)
""", """
proved   x'' = -f'(x)
false    x'' = 0
proved   y'' = 0
true?    y'' = 0 when x = 1
false    x'' = f(x) when x' = 0
proved   constant energy
proved   integral y'
proved   holonomic
false    nonholonomic
proved   rank 0
proved   growth 2
proved   accessible 2
unknown  stable at x = 0
false    solution x = 0, y = t
false    equilibrium
proved   limit t -> inf: f(1/t) = f(0)
proved   der(f(x)) = f'(x)*x'
"""),
    "formulas": ("""parameter a, b
assume b > 0
coordinate x, y
kinetic (x'^2 + y'^2)/2
""", """
false    asin(sin(x)) = x
proved   sqrt(x^2) = abs(x)
proved   log(x^2) = 2*log(abs(x))
proved   exp(log(x)) = x
proved   sqrt(x)^2 = x
false    (x^2)^(1/2) = x
false    atan2(y, x) = atan(y/x)
false    sign(x)^2 = 1
false    abs(x) = x
unknown  sqrt(-1 - x^2) = 3
true?    asin(x) + acos(x) = pi/2
proved   cosh(x)^2 - sinh(x)^2 = 1
proved   tan(x) = sin(x)/cos(x)
proved   b^(x + y) = b^x*b^y
proved   x/x = 1
proved   log(b*x) = log(b) + log(x)
proved   max(x, y) + min(x, y) = x + y
proved   step(x) + step(-x) = 1
false    x^3 + y^3 = (x + y)^3
proved   limit a -> 0: sin(a*x)/a = x
proved   limit a -> inf: exp(-a^2)*x = 0
false?   limit a -> 0: log(a) = 0
proved   limit b -> 0: sqrt(b)*x = 0
proved   limit a -> inf: (a*x + y)/(a + b) = x
proved   limit a -> 1: (a^2 - 1)/(a - 1) = 2
proved   limit a -> -inf: exp(a) = 0
proved   limit a -> inf: atan(a) = pi/2
proved   limit a -> inf: (a + x)/(x*a + y) = 1/x
proved   limit a -> 0: abs(a) = 0
false    limit a -> 0: sign(a) = 0
false?   limit a -> inf: tanh(a*x) = 1
unknown  acos(2 + x^2) = 0
unknown  1/(x - x) = 3
"""),
    "damped": ("""parameter k, c
assume k >= 0
assume c != 0
coordinate x, y
kinetic (x'^2 + y'^2)/2
potential k*x^2/2
dissipation c*x'^2/2
start x = 0, y = 0, x' = 0, y' = 1
""", """
false    stable at x = 0
false    attracting at x = 0
proved   stable at x = 0 when c > 0
false?   attracting at x = 0 when c > 0
proved   attracting at x = 0 when c > 0, k > 0
proved   unstable at x = 0 when c < 0
false    unstable at x = 0
proved   stable at x = 0, y' = 2 when c > 0, k > 0
proved   steady x = 0, y' = 2
false    steady x = 1
proved   equilibrium x = 0
proved   equilibrium x = 0, y = 3
proved   characteristic s^2 + c*s + k in s at x = 0
proved   stable when c > 0, k > 0
proved   der(energy) = -c*x'^2
proved   integral y'
proved   measure exp(c*t)
false    measure 1
proved   unstable at x = 0 when 0 < k < 1, -1 < c < 0
proved   attracting at x = 0 when k > 4, c != 1, c > 0
"""),
    "velocity_form": ("""parameter m = 2, J = 1, a
coordinate x, y, th
kinetic m*(x'^2 + y'^2)/2 + J*th'^2/2
force x = a*sin(t)
velocity v, w: x' = v*cos(th), y' = v*sin(th), th' = w
""", """
proved   m*v' = a*sin(t)*cos(th)
proved   w' = 0
proved   y'*cos(th) = x'*sin(th)
unknown  singular nowhere
proved   rank 1
proved   growth 2, 3
false    holonomic
proved   nonholonomic
proved   accessible 3
proved   solution th = 0, x = a/m*(t - sin(t)), y = 0, v = a/m*(1 - cos(t)), w = 0
false    solution th = 0, x = t, y = 0, v = 1, w = 0
true?    v' = 0 when th = pi/2
false?   v' = 0 when v = 0
proved   limit a -> 0: v' = 0
proved   limit m -> inf: v' = 0
unknown  stable at v = 0, w = 0
false    equilibrium
unknown  steady th = 0
proved   Gz[1,1] = m
proved   constant w
proved   measure 1
proved   integral w
unknown  characteristic s in s at v = 0
false    reaction[x] = 0
proved   x'' = v'*cos(th) - v*w*sin(th)
"""),
    "two_rows": ("""parameter a, b
assume a > 0
coordinate x, y, z
kinetic (x'^2 + y'^2 + z'^2)/2
constraint p: x*x' + y*y' + z*z' = 0
constraint q: a*x*y' - b*y*x' = 0
""", """
false    singular x = 0, y = 0, z = 0
false?   singular x = 0, y = 0
false    singular x = 0, y = 0 or x = 0, z = 0
false    singular nowhere
proved   rank 2
proved   holonomic
proved   holonomic p
false    nonholonomic q
proved   growth 1
proved   accessible 1
proved   constant x^2 + y^2 + z^2
proved   integral x^2 + y^2 + z^2
"""),
    "cone": ("""parameter k = 2
coordinate x, y, z
kinetic (x'^2 + y'^2 + z'^2)/2
constraint c: x'^2 + y'^2 = z'^2
assume z' > 0
""", """
proved   singular x' = 0, y' = 0, z' = 0
proved   singular nowhere
proved   x'' = 0
proved   rank 1
false    holonomic
true     nonholonomic
true     growth 3
proved   constant x'*y'
proved   constant energy
proved   solution x = t, y = 0, z = t
unknown  solution x = t, y = 0, z = -t
proved   solution x = 3*t, y = 4*t, z = 5*t
false    solution x = cos(t), y = sin(t), z = t
proved   x'' = 0 when y' = 0
proved   x'^2 = z'^2 when y' = 0
false    x' = z' when y' = 0
proved   x' = z' when y' = 0, x' > 0
true     steady x' = 3, y' = 4, z' = 5
true?    stable at x' = 3, y' = 4, z' = 5
"""),
    "wheel": ("""parameter m = 1, I = 2, R = 1, g = 10
coordinate x, y, ps, th
kinetic m*(x'^2 + y'^2)/2 + I*(ps'^2 + th'^2)/2
potential m*g*x
constraint a: x' = R*ps'*cos(th)
constraint b: y' = R*ps'*sin(th)
quasivelocity w1 = x' - R*ps'*cos(th), w2 = y' - R*ps'*sin(th), w3 = ps', w4 = th'
""", """
proved   w4' = 0
proved   (I + m*R^2)*w3' = -m*g*R*cos(th)
proved   by hamel: P[3] = (I + m*R^2)*w3
false    beta[1,4,3] = 0
false    lambda[a] = 0
proved   constant w4
proved   integral w4
false?   steady th' = 3, ps' = 0
proved   limit g -> 0: w3' = 0
proved   limit I -> inf: ps'' = 0
proved   growth 2, 3, 4
false    growth 2, 3
proved   measure 1
true?    solution x = 0, y = 0, ps = 0, th = pi/2
true?    solution x = 0, y = t, ps = t, th = pi/2
proved   w3' = 0 when th = pi/2
false    w3' = 0 when w3 = 0
proved   singular nowhere
proved   reaction[th] = 0
proved   reaction[x] = lambda[a]
proved   by multipliers: C[1] = 0
false    by hamel: P[1] = 0
proved   G[1,1] = 1/m + R^2*cos(th)^2/I
proved   der(energy) = 0
proved   constant energy
"""),
    "springs": ("""parameter k, m
assume k > 0
assume m > 0
coordinate x, y
kinetic m*(x'^2 + y'^2)/2
potential k*(x^2 + y^2)/2
""", """
proved   integral x*y' - y*x'
proved   integral x'^2 + k/m*x^2
false    integral x*y
proved   measure 1
proved   solution x = cos(sqrt(k/m)*t), y = 0
false    solution x = cos(k*t), y = 0
proved   solution x = 0, y = 0
proved   stable at x = 0, y = 0
false    attracting at x = 0, y = 0
false    unstable at x = 0, y = 0
proved   characteristic (m*s^2 + k)^2 in s at x = 0, y = 0
false    characteristic m*s^2 + k in s at x = 0, y = 0
proved   equilibrium x = 0, y = 0
false    equilibrium
false?   steady x = 0, y = 0, x' = 1
false    limit k -> inf: x'' = 0
proved   limit k -> 0: x'' = 0
proved   limit m -> inf: x'' = 0
proved   limit k -> inf: x''/k = -x/m
false    limit k -> inf: x''/k = 0
proved   x'' = 0 when x = 0
false    x'' = 0 when x > 0
proved   x'' = -k/m when x = 1, m > 2
proved   constant x'^2 + y'^2 when x = 0, y = 0
proved   constant energy when x = 0
proved   x = y when x = 1, y = 1
false    x' = 2 when x' = 1
false    x' = 2 when x'^2 = 4
proved   x'^2 = 4 when x' = 2*y', y' = 1
"""),
    "fork": ("""parameter a = 1, b
coordinate x
kinetic x'^2/2
potential a*x^4/4 - b*x^2/2
start x = 0
""", """
proved   stable at x = 0 when b < 0
proved   unstable at x = 0 when b > 0
true     stable at x = sqrt(b) when b > 0
false?   unstable at x = sqrt(b) when b > 0
proved   equilibrium x = sqrt(b) when b > 0
false    equilibrium x = b
false    stable at x = 0
false    unstable at x = 0
unknown  stable at x = 0 when b > 1, b < 0
false?   attracting at x = sqrt(b) when b > 0
false    stable
true     characteristic s^2 + 2*b in s at x = sqrt(b) when b > 0
false?   characteristic s^2 - 2*b in s at x = sqrt(b) when b > 0
proved   limit b -> 0: x'' = -a*x^3
proved   limit b -> inf: x''/b = x
proved   stable at x = 0 when -3 < b < -1
proved   equilibrium x = 0
proved   steady x = 0, x' = 0
false    steady x = 2
"""),
    "accelerations": ("""coordinate x, y, z
kinetic (x'^2 + 2*y'^2 + z'^2)/2
force y = 1
constraint a: x'' + y'' = -x
constraint b: z' = t*x'
""", """
proved   x'' + y'' = -x
false    y'' = 0
false    lambda[a] = 0
proved   z'' = x' + t*x''
proved   rank 2
false    constant energy
unknown  stable at x = 0
false    equilibrium
false    solution x = 0, y = 0, z = 0
unknown  limit t -> inf: z'' = 0
false?   y'' = 0 when x = 0
proved   singular nowhere
false    integral z' - t*x'
proved   reaction[z] = lambda[b]
"""),
    "repeated": ("""coordinate x, y
kinetic (x'^2 + y'^2)/2
force x = 1
constraint a: x' = y
constraint b: 2*x' = 2*y
""", """
unknown  lambda[a] = 0
true     reaction[x] = y' - 1
proved   x'' = y'
proved   rank 1
false    rank 2
true?    lambda[a] + 2*lambda[b] = y' - 1
false    holonomic a, b
false    growth 1
true     solution x = t, y = 1
false    constant energy
proved   nonholonomic
false    integral y
proved   equilibrium y = 0
true?    G[1,1] = 1
"""),
    "driven": ("""parameter a
input u = sin(t)
coordinate x, y
kinetic (x'^2 + y'^2)/2
force x = u
constraint c: y' = u'
assume x >= 0
""", """
proved   x'' = u
false    x'' = sin(t)
proved   y'' = u''
false    constant energy
proved   der(energy) = u*x' + u'*u''
proved   sqrt(x)^2 = x
proved   der(sqrt(x)) = x'/(2*sqrt(x))
proved   abs(x) = x
unknown  stable at x = 0
false    solution x = 0, y = 0
proved   limit a -> 0: a*x'' = 0
proved   constant y - u
true     holonomic
proved   integral y - u
proved   lambda[c] = u''
proved   max(x, 0) = x
"""),
    "no_state": ("""coordinate x, y
kinetic (x'^2 + y'^2)/2
constraint c: x'^2 + y'^2 = 0
""", """
unknown  x'' = 0
unknown  1 = 2
unknown  rank 1
unknown  constant energy
unknown  integral x
unknown  measure 1
unknown  stable at x = 0
unknown  solution x = 0, y = 0
unknown  singular nowhere
unknown  holonomic
unknown  growth 0
unknown  equilibrium
"""),
    "turns_about_a_line": ("""parameter a
coordinate x, y, z
kinetic (x'^2 + y'^2 + z'^2)/2
constraint plane: x*y' - y*x' = 0
""", """
proved   rank 1
proved   singular x = 0, y = 0
false    singular nowhere
false    singular x = 0
false    singular x = 0, y = 0, z = 0
false    singular x = 1, y = 0
false    singular x = a
proved   holonomic
proved   holonomic plane
false    nonholonomic
proved   growth 2
false    growth 2, 3
proved   accessible 2
proved   constant z'
proved   constant energy
true     constant y/x
true     y''*x = x''*y
false    y'' = 1
false    constant x + y
"""),
    "sides": ("""parameter a, b
assume a > 0
coordinate x
kinetic x'^2/2
potential a*x^2/2
force x = -b*x'
""", """
proved   limit b -> 0: x'' = -a*x
proved   limit a -> 0: x'' = -b*x'
false    limit b -> 0: x'' = 0
false    limit a -> 0: x'' = b*x'
true?    limit a -> inf: x''/a = -x
proved   limit b -> inf: 1/b = 0
true?    limit b -> inf: (3*b^2 + 1)/(b^2 - 1) = 3
false    limit b -> inf: (3*b^2 + 1)/(b^2 - 1) = 2
true?    limit b -> inf: b/(b^2 + 1) = 0
false?   limit b -> inf: b = 0
false?   limit b -> -inf: b = 0
true?    limit b -> -inf: 1/b + 1 = 1
true?    limit b -> 1: (b^2 - 1)/(b - 1) = 2
false    limit b -> 1: (b^2 - 1)/(b - 1) = 1
false    limit b -> 0: abs(b)/b = 1
true?    limit a -> 0: abs(a)/a = 1
false?   limit a -> 0: abs(a)/a = -1
true?    limit b -> 0: sin(b)/b = 1
false?   limit b -> 0: sin(b)/b = 0
true?    limit a -> 0: sqrt(a)*x = 0
false?   limit b -> 0: 1/b = 7
false?   limit b -> 0: 1/b^2 = 0
true?    limit b -> 0: exp(b*x) = 1
false?   limit b -> 0: exp(b*x) = 2
true?    limit b -> 0: b*log(2 + b) = 0
false?   limit a -> 0: log(a) = 0
true?    limit b -> 0: (x'' + a*x)/b = -x'
"""),
    "gyroscope": ("""parameter k, W
coordinate x, y
kinetic (x'^2 + y'^2)/2 + W*(x*y' - y*x')
potential -k*(x^2 + y^2)/2
""", """
proved   equilibrium x = 0, y = 0
true?    unstable at x = 0, y = 0 when W^2 < k
false?   stable at x = 0, y = 0 when W^2 < k
false?   unstable at x = 0, y = 0 when W^2 > k
true?    stable at x = 0, y = 0 when W^2 > k
true?    stable at x = 0, y = 0 when k < 0
false?   attracting at x = 0, y = 0
false?   attracting at x = 0, y = 0 when k < 0
false    stable at x = 0, y = 0
false?   unstable at x = 0, y = 0
true?    characteristic s^4 + (4*W^2 - 2*k)*s^2 + k^2 in s at x = 0, y = 0
false?   characteristic s^4 + (4*W^2 + 2*k)*s^2 + k^2 in s at x = 0, y = 0
false?   characteristic s^4 + (4*W^2 - 2*k)*s^2 + s + k^2 in s at x = 0, y = 0
false?   characteristic s^3 in s at x = 0, y = 0
proved   constant (x'^2 + y'^2)/2 - k*(x^2 + y^2)/2
true     constant x*y' - y*x' + W*(x^2 + y^2)
false    constant x*y' - y*x'
proved   x'' = 2*W*y' + k*x
false    x'' = -2*W*y' + k*x
"""),
    "falls": ("""parameter g, c, u, d
coordinate x, y
kinetic (x'^2 + y'^2)/2
potential g*y
""", """
proved   solution x = u*t + c, y = d - g*t^2/2
proved   solution x = c, y = c*t - g*t^2/2 + u
false    solution x = u*t + c, y = d + g*t^2/2
false    solution x = u*t^3, y = -g*t^2/2
false    solution x = sin(t), y = -g*t^2/2
false?   solution x = abs(t), y = -g*t^2/2
false?   solution x = t*sign(t), y = -g*t^2/2
true?    solution x = t + abs(t^2 + 1) - t^2, y = -g*t^2/2
false?   solution x = atan2(t, 1), y = -g*t^2/2
true?    solution x = log(exp(t)), y = -g*t^2/2
true?    solution x = (t^2 - 1)/(t - 1), y = -g*t^2/2
false?   solution x = sqrt(t), y = -g*t^2/2
true?    solution x = sqrt(t^2 + 2*t + 1), y = -g*t^2/2 when t > 0
false?   solution x = asin(sin(t)), y = -g*t^2/2
proved   integral x'
proved   integral y' + g*t
proved   integral x'^2 + y'^2 + 2*g*y
false    integral y'
false    integral 0*x
false    integral x'^2 - x'*x'
proved   constant x - t*x'
proved   measure 1
false?   measure 2 + x
"""),
    "whirls": ("""parameter k = 2, c = 1/5, w
coordinate x, y
kinetic (x'^2 + y'^2)/2
potential k*(x^2 + y^2)/2
force x = -c*x' - w*y
force y = -c*y' + w*x
start x = 0, y = 0, x' = 0, y' = 0
""", """
proved   equilibrium x = 0, y = 0
true?    attracting at x = 0, y = 0 when w^2 < c^2*k, c > 0
false    attracting at x = 0, y = 0 when w^2 < c^2*k
true?    unstable at x = 0, y = 0 when w^2 > c^2*k
false?   attracting at x = 0, y = 0 when w > 0
false?   stable at x = 0, y = 0 when w > 1
false?   unstable at x = 0, y = 0 when w < 1/10
true?    attracting at x = 0, y = 0 when w > 0, w < 1/4
false    constant energy
true?    characteristic (s^2 + c*s + k)^2 + w^2 in s at x = 0, y = 0
false?   characteristic (s^2 + c*s + k)^2 - w^2 in s at x = 0, y = 0
false?   characteristic (s^2 + c*s + k)^2 in s at x = 0, y = 0
"""),
    "sines": ("""parameter k = 2, n = 3
coordinate th, x, y
kinetic (th'^2 + x'^2 + y'^2)/2
potential k*cos(n*th)
constraint s: sin(th)*x' = 0
""", """
proved   singular sin(th) = 0
false?   singular th = 0
false?   singular nowhere
proved   x'' = 0
proved   th'' = k*n*sin(n*th)
false    th'' = k*sin(th)
true     stable at th = pi/3
unknown  stable at th = 0
unknown  unstable at th = pi/2
proved   equilibrium th = pi/3
proved   integral y'
proved   sin(3*th) = 3*sin(th) - 4*sin(th)^3
false    sin(th)^2 = 1 - cos(th)
true     th'' = 0 when th = pi/3
true     characteristic s^2 + k*n^2 in s at th = pi/3
proved   constant th'^2/2 + k*cos(n*th)
false    y'' = 1
"""),
    # on either side places of two dimensions can be reached, but not the same: across x = 100 all are
    "other functions beyond a switch": ("""coordinate x, y, z
kinetic (x'^2 + y'^2 + z'^2)/2
constraint c: z' = if(x > 100, y', x')
""", """
false?   accessible 2
true?    accessible 3
proved   growth 2
false?   integral z - x
"""),
    "one function beyond a switch": ("""coordinate x, y, z
kinetic (x'^2 + y'^2 + z'^2)/2
constraint c: x' = abs(y)*y'
""", """
proved   accessible 2
false    accessible 3
proved   holonomic
"""),
    # velocity forms that give a part of what the constraints admit
    "a form of one branch": ("""coordinate x, y, z
kinetic (x'^2 + y'^2 + z'^2)/2
force z = -z - x'*z'
constraint c: x'^2 - y'^2 = 1
velocity a, b: x' = cosh(a), y' = sinh(a), z' = b
""", """
false    stable at z = 0, z' = 0, y' = 0
false    attracting at z = 0, z' = 0, y' = 0
true     attracting at z = 0, z' = 0, a = 0
false?   characteristic p^2 + p + 1 in p at z = 0, z' = 0, y' = 0
false    limit t -> 0: abs(x') = x'
true     steady z = 0, z' = 0
proved   solution x = -cosh(1)*t, y = sinh(1)*t, z = 0
proved   rank 1
"""),
    "a form of one component": ("""coordinate x, y, z
kinetic (x'^2 + y'^2 + z'^2)/2
constraint c: x'^2 = y'^2
velocity v, b: x' = v, y' = v, z' = b
""", """
proved   holonomic
proved   growth 2
proved   accessible 2
false    integral x - y
false    singular nowhere
proved   singular x' = 0, y' = 0
"""),
    "a form that vanishes on a side": ("""coordinate x, y, z
kinetic (x'^2 + y'^2 + z'^2)/2
constraint c: z' = 0
velocity a, b: x' = max(y, 0)*a, y' = b, z' = 0
""", """
false    x'*step(-y) = 0
proved   z' = 0
proved   constant energy
proved   growth 2
"""),
    "a form that vanishes on a line": ("""coordinate x, y, z
kinetic (x'^2 + y'^2 + z'^2)/2
constraint c: z' = 0
velocity a, b: x' = y*a, y' = b, z' = 0
""", """
false    x'*(1 - sign(y)^2) = 0
proved   constant energy
proved   x' = y*a
"""),
}


def run(*words, text=None):
    return subprocess.run([ANHOLO, *map(str, words)], input=text, capture_output=True, text=True, timeout=100)


def check_claims():
    for name, (system, claims) in CLAIMS.items():
        rows = [line.split(None, 1) for line in claims.strip().splitlines()]
        text = system + "".join(f'claim "{i}" {says}\n' if says.startswith("by ") else f'claim "{i}": {says}\n'
                                for i, (_, says) in enumerate(rows))
        path = FOLDER / f"{name}.ah"
        path.write_text(text)
        told = json.loads(run("verify", "--json", "--states=20", path).stdout)["claims"]
        words = run("verify", "--states=20", path).stdout
        for (truth, says), got in zip(rows, told):
            verdict = got["verdict"]
            right = {"true": ("holds", "proved"), "true?": ("unknown", "holds", "proved"), "false?": ("unknown", "false")}.get(truth, (truth,))
            line = re.search(rf'claim "{got["label"]}": (\w+)', words)
            tap.check(verdict in right and line and line[1] == verdict, f"claims.{name}.{says}", got, words[:200])
        tap.check(len(told) == len(rows), f"claims.{name}.all", words)


# ---- What kind of system --------------------------------------------------------------------------

KINDS = {
    "linear_terms": ("kinetic (x'^2 + y'^2)/2 + x*y'", "with linear terms; the mass matrix is regular"),
    "free_terms": ("kinetic (x'^2 + y'^2)/2 + x^2", "with terms free of them; the mass matrix is regular"),
    "both": ("kinetic (x'^2 + y'^2)/2 + x^2 + x*y'", "with linear and free terms; the mass matrix is regular"),
    "quartic": ("kinetic x'^4 + x'^2 + y'^2", "T is not quadratic in the velocities; the mass matrix is regular"),
    "singular": ("kinetic (x' + y')^2/2\nconstraint c: x' = 2*y'", "the mass matrix is singular, regular with the constraints"),
    "redundant": ("kinetic (x'^2 + y'^2)/2\nconstraint a: x' = y\nconstraint b: y' = x\nconstraint c: x' + y' = x + y",
                  "depends on a, b"),
    "factors": ("kinetic (x'^2 + y'^2)/2\nconstraint a: (x' - 1)*(x' - 2)*(y' - 3) = 0", "fall into 3 components"),
    "cubic": ("kinetic (x'^2 + y'^2)/2\nconstraint a: x'^3 + y'^3 = x^3", "of degree 3, not homogeneous"),
    "homogeneous": ("kinetic (x'^2 + y'^2)/2\nconstraint a: x'^2 = 3*y'^2", "homogeneous of degree 2"),
    "source": ("source \"by hand\"\nkinetic (x'^2 + y'^2)/2", "(by hand)"),
    "form": ("kinetic (x'^2 + y'^2)/2\nforce x = x' - abs(x')\nconstraint c: y' = 0\nvelocity a: x' = a^2, y' = 0", "The energy T + V is not constant"),
    "rest_at_most_places": ("coordinate z\nkinetic (x'^2 + y'^2 + z'^2)/2\nconstraint a: (2*x' - 7/5*y/(2 + y^2)*y')*(x' - (sin(z + 1)*cos(y) - 7/5)*y') = 0\n"
                            "constraint b: 12/5*y'^2 + 7/10*z'^2 = 7/10*x'^2", "2 constraints, independent"),
    "works": ("kinetic (x'^2 + y'^2)/2\nforce x = -x'", "x'"),
}


def check_kinds():
    for name, (text, says) in KINDS.items():
        said = run("check", "-", text=f"coordinate x, y\n{text}\n")
        tap.check(said.returncode == 0 and says in said.stdout, f"kind.{name}", said.stdout, said.stderr)


SPRING = "parameter k = 4\ncoordinate x, y\nkinetic (x'^2 + y'^2)/2\npotential k*x^2/2 + y^4/4 - y^2/2\n" \
         "start x = 0, y = 1\nsimulate t = 0 .. 1\n"


def check_untitled():
    """A system without a title has answers without a heading: neither an empty line nor a colon."""
    path = FOLDER / "untitled.ah"
    path.write_text(SPRING + "claim \"x\": x'' = -k*x\n")
    for name in ("check", "crosscheck", "derive", "eval", "integrals", "linearise", "stability", "steady", "verify"):
        said = run(name, path)
        tap.check(said.returncode == 0 and re.match(r"[^\s:]|    t |  ok ", said.stdout), f"untitled.{name}", said.stdout[:100])
    tap.check(run("simulate", path).stderr.startswith("method "), "untitled.simulate")


# ---- Numbers --------------------------------------------------------------------------------------

def check_branches():
    """z'' = x''*y'', force K = 5/2: Gauss' function has minima at x'' = y'' = +-sqrt(K - 1), and a saddle at 0."""
    text = "coordinate x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\nforce z = 5/2\nconstraint p: z'' = x''*y''\n" \
           "start x = 0, y = 0, z = 0, x' = 0, y' = 0, z' = 0\n"
    said = run("eval", "-", text=text).stdout
    points = [[float(x) for x in re.findall(r"''\s+(\S+)", part)] for part in said.split("stationary point")[1:]]
    gauss = [float(x) for x in re.findall(r"Gauss' function (\S+)", said)]
    root = math.sqrt(1.5)
    want = [[-root, -root, 1.5], [root, root, 1.5], [0, 0, 0]]
    tap.check(len(points) == 3 and all(abs(a - b) < 1e-12 for p, w in zip(points, want) for a, b in zip(p, w)), "branches", said)
    tap.check(all(abs(a - b) < 1e-12 for a, b in zip(gauss, (2, 2, 3.125))) and "not unique" in said, "branches.gauss", said)
    said = run("eval", "-", "--digits", "20", text=text).stdout
    tap.check(said.count("1.2247448713915890491") == 4 and "all are exact" in said and "within 1e-20" in said, "branches.digits", said)
    said = run("eval", "-", "--method", "all", text=text).stdout
    tap.check(said.count("refused: ") > 10 and "stationary point 3" in said, "branches.all", said)
    for stage in ("equations", "program"):
        said = run("dump", f"--stage={stage}", "--method", "chaplygin", "-", text=text)
        tap.check(said.returncode == 1 and "A0502" in said.stderr, f"branches.dump.{stage}", said.stderr)
    said = run("dump", "--stage=program", "-", text=text)
    tap.check(said.returncode == 1 and "found by a search" in said.stderr, "branches.dump.default", said.stderr)
    said = run("dump", "--stage=program", "-", text=SPRING.replace("start x = 0, y = 1\n", ""))
    tap.check(said.returncode == 1 and "start" in said.stderr, "dump.no_start", said.stderr)
    driven = "input u = 3*t\ncoordinate x\nkinetic x'^2/2\nforce x = u\nstart x = 0, x' = 0\n"
    said = run("dump", "--stage=program", "-", text=driven)
    tap.check(said.returncode == 0 and "y[1]" in said.stdout and "= 3.0 * x[0]" in said.stdout, "dump.inputs", said.stdout, said.stderr)


def tridiagonal(right):
    """x of M x = right, M with 1 in the diagonal and 1/4 beside it."""
    n, diagonal, right = len(right), [1.0]*len(right), list(right)
    for i in range(1, n):
        factor = 0.25/diagonal[i - 1]
        diagonal[i] -= 0.25*factor
        right[i] -= factor*right[i - 1]
    for i in reversed(range(n)):
        right[i] = (right[i] - (0.25*right[i + 1] if i + 1 < n else 0))/diagonal[i]
    return right


def check_crosscheck():
    """Methods agree where there are states; where there is none, nothing is said of them."""
    body = "parameter k = 2\ncoordinate x, y\nkinetic (x'^2 + y'^2)/2\n"
    for name, more, good in (("plain", "force x = -k*x\nconstraint c: x*y' = y*x'\n", True),
                             ("nowhere", "force x = log(-1 - x^2)\n", False),
                             ("no_place", "constraint c: x^2 + y^2 = -1\n", False),
                             ("branches", "constraint c: x''*y'' = k\nstart x = 0, y = 0, x' = 1, y' = 1\n", None)):
        said = run("crosscheck", "-", "--states=5", "--json", text=body + more)
        answer = json.loads(said.stdout)
        tap.check(good is None or (said.returncode == 0) == good == bool(answer.get("pass")), f"crosscheck.{name}", said.stdout[:500])
        tap.check(good is not False or not answer.get("states"), f"crosscheck.{name}.states", said.stdout[:500])


def check_large():
    """Sixty masses, each coupled to the next by T: sparse matrices against an elimination by hand; constraints that repeat
    each other, and such that contradict each other in the accelerations alone."""
    n = 60
    text = f"parameter n = {n}\ncoordinate x[1..n]\nkinetic sum(i = 1 .. n, x[i]'^2)/2 + sum(i = 2 .. n, x[i]'*x[i-1]')/4\n" \
           "potential sum(i = 1 .. n, x[i]^2*i)/2\nfor i = 1 .. n:\n    start x[i] = i/n, x[i]' = 0\n"
    force = [-i*i/n for i in range(1, n + 1)]

    def accelerations(method, more=""):
        said = run("eval", "-", "--method", method, "--json", text=text + more)
        return json.loads(said.stdout).get("methods", {}).get(method, {}).get("qddot"), said.stdout

    free, held = tridiagonal(force), [0.0, *tridiagonal(force[1:])]
    for method in ("lagrange", "multipliers"):
        got, said = accelerations(method)
        tap.check(got and all(abs(a - b) < 1e-9 for a, b in zip(got, free)), f"large.{method}", said[:300])
    repeated = "constraint a: x[1]' = 0\nconstraint b: x[1]' + x[2]' = x[2]'\nconstraint c: 2*x[1]' = 0\n"
    for method in ("multipliers", "gauss"):
        got, said = accelerations(method, repeated)
        tap.check(got and all(abs(a - b) < 1e-9 for a, b in zip(got, held)), f"large.repeated.{method}", said[:300])
    for name, model in (("large", text + "constraint a: x[1]' = 0\nconstraint b: x[1]' = t\n"),
                        ("small", "coordinate x, y\nkinetic (x'^2 + y'^2)/2\nconstraint a: x' = 0\nconstraint b: x' = t\nstart x = 0, y = 0, y' = 1\n")):
        for method in ("multipliers", "gauss"):
            said = run("eval", "-", "--method", method, text=model)
            tap.check(said.returncode in (1, 3) and "contradict" in said.stderr, f"contradiction.{name}.{method}", said.stdout[-300:], said.stderr)


def check_spectra():
    """At x = 0, y = +-1: +-sqrt(-k) and +-i sqrt(2); at y = 0: +-1."""
    path = FOLDER / "spring.ah"
    path.write_text(SPRING)
    rows = list(csv.DictReader(run("stability", path, "--sweep", "k=-1..1:5").stdout.splitlines()))
    wrong = [r for r in rows for k in [float(r["k"])]
             if abs(max(float(r[f"re{i}"]) for i in (1, 2, 3, 4)) - math.sqrt(max(-k, 0))) > 1e-9
             or abs(max(float(r[f"im{i}"]) for i in (1, 2, 3, 4)) - max(math.sqrt(2), math.sqrt(max(k, 0)))) > 1e-9
             or int(r["unstable"]) != (k < 0)]
    tap.check(len(rows) == 5 and not wrong, "spectra.sweep", rows)
    said = run("stability", path, "--critical", "k=-1..1.5")
    found = re.findall(r"Critical: k = (\S+): ", said.stdout)
    tap.check(len(found) == 1 and abs(float(found[0])) < 1e-9, "spectra.critical", said.stdout)
    said = run("stability", path, "--critical", "k=1..2")
    tap.check(said.returncode == 0 and "k" in said.stdout, "spectra.no_critical", said.stdout)
    said = run("linearise", path, "--any-state", "--at", "x=1,y=0").stdout
    tap.check("r:\n    0\n    0\n    -4\n    0\n" in said and "unstable modes: 1" in said, "linear.any_state", said)
    said = run("steady", path).stdout
    tap.check("3 families" in said and said.count("Equilibrium") == 3 and said.count("Unstable") == 1, "steady.all", said)
    said = run("steady", "-", text="coordinate x\nkinetic x'^2/2\nforce x = 1\n")
    tap.check("0 families" in said.stdout and "from" in said.stdout, "steady.none", said.stdout)


def number(name, text):
    """The number in the line that begins with this name."""
    found = re.search(rf"^ +{re.escape(name)} += *(\S+)$|^ +{re.escape(name)} +(\S+)$", text, re.M)
    return float(found[1] or found[2]) if found else math.nan


def check_words():
    """Answers in words against closed forms."""
    split = "coordinate x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\nconstraint s: (x' - 5)*(y' - z') = 0\n"
    said = run("integrals", "-", text=split).stdout
    tap.check("constant on each of the 2 components" in said and "x' - 5 = 0" in said, "words.integrals", said)
    told = json.loads(run("integrals", "-", "--json", text=split).stdout)
    tap.check(sorted(map(str, told["components"])) == ["x' - 5 = 0", "y' - z' = 0"], "words.components", told)
    damped = "parameter c, k\ncoordinate x\nkinetic x'^2/2\npotential k*x^2/2\ndissipation c*x'^2/2\nstart x = 0\n"
    said = run("stability", "-", "--set", "c=1,k=2", text=damped).stdout
    tap.check(re.search(r"if and only if:\n +c > 0\n +k > 0", said) and f"-0.5 + {math.sqrt(7)/2:.12g} i" in said, "words.routh", said)
    said = run("eval", "-", "--method", "multipliers",
               text="coordinate x, y\nkinetic (x'^2 + y'^2)/2\nforce x = 3\nconstraint a: x' = 0\nconstraint b: 2*x' = 0\n"
                    "start x = 0, y = 0, y' = 1\n").stdout
    tap.check(abs(number("λ a", said) + 3/5) < 1e-12 and abs(number("λ b", said) + 6/5) < 1e-12 and "least norm" in said,
              "words.redundant", said)
    for method in ("multipliers", "parametric", "hamel", "gibbs-appell", "maggi", "gauss"):
        said = run("eval", "-", "--method", method,
                   text="coordinate x, y\nkinetic (x'^2 + y'^2)/2\nconstraint a: x' = 0\nconstraint b: x' = t\n"
                        "start x = 0, y = 0, x' = 0, y' = 1\nsimulate t = 0 .. 1\n")
        tap.check(said.returncode == 3 and "the constraints contradict" in said.stderr, f"words.contradict.{method}", said.stdout, said.stderr)
    said = run("eval", "-", text="coordinate x\nkinetic x'^2/2\nforce x = 1 - sign(x')\nstart x = 0, x' = 0\n").stdout
    tap.check(number("x''", said) == 1, "words.switch", said)
    said = run("eval", "-", text="coordinate x\nkinetic x'^2/2\nforce x = sqrt(x)\nstart x = -1, x' = 0\n")
    tap.check(said.returncode in (1, 3) and "the force on `x` is not a number: sqrt(x)" in said.stderr, "words.undefined", said.stderr)
    said = run("eval", "-", "--at", "x=1,nobody=2", "--set", "c=1,k=2", text=damped)
    tap.check(said.returncode == 1 and "A0201" in said.stderr, "words.at", said.stderr)
    skating = "coordinate x, y\nkinetic (x'^2 + y'^2)/2\nquasivelocity u = x' + y', w = y'\nstart x = 0, y = 0, x' = 1, y' = 2\n"
    said = run("eval", "-", "--at", "x=0,y=0,x'=1,y'=2,u=9", text=skating)
    tap.check(said.returncode == 1 and "`u` = 9 contradicts the velocities, which give 3" in said.stderr, "words.quasivelocity", said.stderr)
    tap.check(run("eval", "-", "--at", "x=0,y=0,x'=1,y'=2,u=3", text=skating).returncode == 0, "words.quasivelocity.agrees")
    pendulum = "parameter g = 10\ncoordinate th, ph\nkinetic (th'^2 + sin(th)^2*ph'^2)/2\npotential -g*cos(th)\n" \
               "start th = 1, ph = 0, th' = 0, ph' = 4\n"
    said = run("steady", "-", text=pendulum).stdout
    first = said.split("\n2. ")[0]
    tap.check(abs(number("ph'", first)**2*math.cos(number("th", first)) - 10) < 1e-8 and "1 free parameter: th" in said,
              "words.conical_pendulum", said)
    pushed = "input u = 0, w = 0\ncoordinate x, y\nkinetic (x'^2 + y'^2)/2\npotential x^2/2 + y^2/2\nforce x = u + w\n" \
             "start x = 0, y = 0, x' = 0, y' = 0\noutput a = t, b = t^2, c = x\n"
    said = run("linearise", "-", text=pushed).stdout
    tap.check("Inputs u: u, w\n" in said and "Outputs that are no functions of y: a, b\n" in said, "words.inputs", said)
    said = run("linearise", "-", text="input u = 0\ncoordinate x\nkinetic (2 + sin(t))*x'^2/2\nforce x = u\nstart x = 0, x' = 0\n")
    tap.check(said.returncode in (1, 3) and "depend on time explicitly" in said.stderr, "words.time", said.stderr)


def check_linear():
    """A cart that is pushed: x'' = u - k x, x itself and its rate seen; y is seen and not controlled."""
    text = "parameter k = 4\ninput u = 0\ncoordinate x, y\nkinetic (x'^2 + y'^2)/2\npotential k*x^2/2 + y^2/2\nforce x = u\n" \
           "start x = 0, y = 0, x' = 0, y' = 0\noutput seen = x, of_time = t\n"
    said = run("linearise", "-", text=text).stdout
    tap.check("Inputs u: u" in said and "Controllable: 2 of 4 dimensions" in said, "linear.inputs", said)
    answer = json.loads(run("linearise", "-", "--json", "--outputs", "x' + 9*x", text=text).stdout)
    tap.check(answer["A"] == [[0, 0, 1, 0], [0, 0, 0, 1], [-4, 0, 0, 0], [0, -1, 0, 0]] and answer["B"] == [[0], [0], [1], [0]]
              and answer["C"] == [[9, 0, 1, 0]], "linear.matrices", answer)
    said = run("linearise", "-", "--outputs", "x' + 9*x", text=text).stdout
    tap.check(re.search(r"[Zz]eros.*\n?.*-9\b", said) is not None, "linear.zeros", said)
    for words, says in ((["--inputs", "w"], "w"), (["--outputs", "nobody"], "nobody"), (["--inputs", "u,u"], "u")):
        said = run("linearise", "-", *words, text=text)
        tap.check(said.returncode == 1 and says in said.stderr, f"linear.refused.{words[1]}", said.stdout, said.stderr)


def check_events():
    """Labels that a table must quote; events that rise, fall and touch."""
    text = "coordinate x\nkinetic x'^2/2\nforce x = -x\nstart x = 0, x' = 1\nsimulate t = 0 .. 10\n" \
           "record \"=1+1\" when x = 0.5\nrecord \"top, high\" when x = 1\nrecord \"always\" when x - x = 0\n"
    table = FOLDER / "events.csv"
    said = run("simulate", "-", "--events", table, "-o", FOLDER / "rows.json", text=text)
    rows = list(csv.reader(table.open()))
    times = [float(r[3]) for r in rows[1:] if r[0] == "'=1+1"]
    want = [math.pi/6, 5*math.pi/6, 13*math.pi/6, 17*math.pi/6]
    tap.check(len(times) == 4 and all(abs(a - b) < 1e-8 for a, b in zip(times, want)), "events.times", rows, said.stderr)
    tap.check([r[1] for r in rows[1:] if r[0] == "'=1+1"] == ["rising", "falling"] * 2, "events.directions", rows)
    tap.check({r[1] for r in rows[1:] if r[0] == "top, high"} == {"touched"}, "events.touched", rows)
    tap.check("always" in said.stdout + said.stderr, "events.remark", said.stdout, said.stderr)
    kept = json.loads((FOLDER / "rows.json").read_text())
    at = kept["columns"].index("x")
    tap.check(all(abs(r[at] - math.sin(r[0])) < 1e-8 for r in kept["rows"]) and len(kept["rows"]) == 201, "events.rows")


check_claims()
check_kinds()
check_untitled()
check_branches()
check_crosscheck()
check_large()
check_spectra()
check_words()
check_linear()
check_events()
tap.done()

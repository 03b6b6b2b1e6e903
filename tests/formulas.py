#!/usr/bin/env python3
"""Formulas of worksheets can be read: what stands there in text and in LaTeX, read as a person reads it
(harness/readers.py), has the value of the same formula in the language, at arbitrary values of all letters.

Some of the models by two methods each, and random systems (differential/systems.py); all of them by all methods with AH_FULL=1."""
import cmath
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile

for folder in ("harness", "differential"):
    sys.path.insert(0, str(pathlib.Path(__file__).parent / folder))
import systems
import tap
import terms
from readers import Ambiguous, Latex, Text, spelled
from sheetcheck import read

ANHOLO = tap.BUILD / "anholo"
FULL = os.environ.get("AH_FULL") == "1"
AGREE = 1e-9
WORDS = {n: getattr(cmath, n) for n in ("sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "exp", "log",
                                        "sqrt")} | {"abs": lambda x: complex(abs(x.real), x.imag)}


def some_number(word):
    return random.Random(word).uniform(0.3, 1.7)


def value(tree, said):
    """At a number for every name but those that are `said`; a function that nobody knows is some function."""
    kind = tree[0]
    if kind == "number":
        return complex(tree[1])
    if kind == "name":
        name = spelled(tree[1])
        return said[name] if name in said else complex(cmath.pi if name == "pi" else some_number(name))
    if kind == "neg":
        return -value(tree[1], said)
    if kind == "call":
        inside = [value(a, said) for a in tree[2]]
        if tree[1] in WORDS:
            return WORDS[tree[1]](*inside)
        return cmath.cos(some_number(spelled(tree[1])) + sum((k + 1) * x for k, x in enumerate(inside)))
    a, b = value(tree[1], said), value(tree[2], said)
    return {"+": lambda: a + b, "-": lambda: a - b, "*": lambda: a * b, "/": lambda: a / b, "^": lambda: a ** b}[kind]()


def calls(tree):
    found = {spelled(tree[1])} if tree[0] == "call" else set()
    for part in tree[1:]:
        for one in part if isinstance(part, list) else [part]:
            if isinstance(one, tuple):
                found |= calls(one)
    return found


READERS = {"ascii": lambda text, known: read(text), "text": lambda text, known: Text(text, known).whole(),
           "latex": lambda text, known: Latex(text, known).whole()}
UNREAD = (Ambiguous, SyntaxError, IndexError, ValueError, KeyError)


def explain(where, known):
    """What the names of a worksheet stand for, in each writing by itself: {writing: {name: number}}."""
    said = {how: {} for how in READERS}
    for name in where:
        for how, reader in READERS.items():
            left = reader(name["left"][how], known)
            number = value(reader(name[how], known), said[how])
            if left[0] == "^":  # the square of a speed
                left, number = left[1], cmath.sqrt(number)
            said[how][spelled(left[1])] = number
    return said


def fault(formula, said, known):
    """None, or what is wrong with one formula in three writings."""
    want = None
    for how, reader in READERS.items():
        try:
            got = value(reader(formula[how], known), said[how])
        except UNREAD as error:
            return f"{how}: {formula[how]}: {type(error).__name__} {error}"
        except (ZeroDivisionError, OverflowError):
            return None
        want = got if want is None else want
        if not abs(got - want) <= AGREE * (1 + abs(want)):
            return f"{how}: {formula[how]} is {got}, not {want} = {formula['ascii']}"
    return None


def formulas(answer):
    """Everything with three writings, wherever it stands."""
    if isinstance(answer, dict):
        if {"text", "latex", "ascii"} <= set(answer):
            yield answer
        for part in answer.values():
            yield from formulas(part)
    elif isinstance(answer, list):
        for part in answer:
            yield from formulas(part)


def ask(*words):
    said = subprocess.run([ANHOLO, *map(str, words)], capture_output=True, text=True)
    return json.loads(said.stdout or "{}")


def faults_of(answer):
    every = list(formulas(answer))
    known = set().union(*(calls(read(f["ascii"])) for f in every)) if every else set()
    try:
        said = explain(answer.get("where", []), known)
    except UNREAD as error:
        return [f"{type(error).__name__} {error}"], len(every)
    return [w for w in (fault(f, said, known) for f in every) if w], len(every)


def check(model, label, most):
    faults, count = [], 0
    listed = [m["name"] for m in ask("check", model, "--json").get("methods", []) if m["applies"]]
    some = listed if FULL else listed[:1] + random.Random(label).sample(listed[1:], min(most, len(listed[1:])))
    for method in some:
        wrong, read_here = faults_of(ask("derive", model, "--json", "--steps", "--method", method))
        faults += [f"{method}: {w}" for w in wrong]
        count += read_here
    tap.check_none(faults[:5], f"{label}, {count} formulas")


# What the models do not have: a speed and its root, angles whose names are words, magnitudes, functions.
OWN = """system "Words and roots"
parameter m = 1, n = 0.6, k = 0.5, mu = 0.2, tilt = 0.3
coordinate x, y, z, al_2
function V(x)
kinetic m*(x'^2 + y'^2)/2 + n*z'^2/2 + m*al_2'^2/2
potential V(x) - sin(tilt)*cos(al_2)^3*y + exp(-2*t)*abs(y)^(3/2)
dissipation mu*x'^2/2
constraint r: z' = k*sqrt(x'^2 + y'^2) + 0.1*x
force y = 1 + cos(t)^2 + atan2(y, 1 + x^2)
"""


def check_own(folder):
    file = pathlib.Path(folder) / "own.ah"
    file.write_text(OWN)
    check(file, "words and roots", 9)
    said = subprocess.run([ANHOLO, "derive", file], capture_output=True, text=True).stdout
    tap.check("v = √(" in said and "√(v" not in said, "a speed whose root is there is that root", said)


def check_random(folder, count):
    for i in range(count):
        terms.forget()
        file = pathlib.Path(folder) / f"random{i}.ah"
        file.write_text("\n".join(systems.Maker(random.Random(f"formulas/{i}")).make().lines) + "\n")
        check(file, f"random system {i}", 1)


if __name__ == "__main__":
    wanted = sys.argv[1:]
    models = [pathlib.Path(w) for w in wanted] or sorted((tap.ROOT / "models").glob("**/*.ah"))
    for i, model in enumerate(models):
        if wanted or FULL or i % tap.amount(12, 6, 1) == 0:
            check(model, model.stem, 1)
    if not wanted:
        with tempfile.TemporaryDirectory() as folder:
            check_own(folder)
            check_random(folder, tap.amount(6, 12, 200))
    tap.done()

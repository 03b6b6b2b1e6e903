#!/usr/bin/env python3
"""The programs of examples/: each under 60 lines, public headers alone, and what they print is true: against
`anholo simulate`, `anholo check` and closed forms."""
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

MODEL = tap.ROOT / "models/double_pendulum.ah"


def run(program, *arguments):
    done = subprocess.run([tap.BUILD / program, *arguments], capture_output=True, text=True, timeout=120)
    return done.returncode, done.stdout


def numbers(text):
    return {name: float(x) for name, x in re.findall(r"([\w']+) = +(-?[\d.]+(?:e[-+]?\d+)?)", text)}


def check_sources():
    for source in sorted((tap.ROOT / "examples").glob("*.c")):
        text = source.read_text()
        own = [h for h in re.findall(r'#include ["<]([^">]+)', text) if "/" in h and not h.startswith("anholo/")]
        tap.check(len(text.splitlines()) <= 60 and '#include "' not in text and not own,
                  f"{source.stem}.short and public")


def check_foreign():
    status, text = run("example_foreign_integrator", MODEL)
    _, rows = run("anholo", "simulate", MODEL, "--to", "2", "--samples", "2")
    want = list(csv.DictReader(io.StringIO(rows)))[-1]
    got = numbers(text)
    wrong = [f"{n}: {got.get(n)} and {want[n]}" for n in ("x1", "y1", "x2", "y2", "y0", "w1", "w2")
             if not math.isclose(got.get(n, math.nan), float(want[n]), rel_tol=1e-4)]
    tap.check(status == 0 and not wrong, "foreign_integrator", text, *wrong)


def check_feedback():
    """The feedback brings the angle to rest at zero."""
    status, text = run("example_feedback")
    values = [float(x) for x in re.findall(r"th = (-?[\d.]+)", text)]
    tap.check(status == 0 and len(values) >= 5 and abs(values[-1]) < 1e-4 and abs(values[0]) > abs(values[-1]),
              "feedback", text)


def check_without_text():
    """A skate on an incline that turns evenly: x = 5 sin² t."""
    status, text = run("example_without_text")
    pairs = [(float(t), float(x)) for t, x in re.findall(r"t = +([\d.]+) +x = +(-?[\d.]+)", text)]
    tap.check(status == 0 and len(pairs) >= 5 and
              all(abs(x - 5 * math.sin(t) ** 2) < 1e-3 for t, x in pairs), "without_text", text)


def check_singular():
    """As many cases as `check` lists."""
    status, text = run("example_singular_states", MODEL)
    _, answer = run("anholo", "check", MODEL, "--json")
    cases = len(json.loads(answer)["singular"]["cases"])
    tap.check(status == 0 and cases == len(re.findall(r"^\d+\.", text, re.M)) > 0, "singular_states", text)


def check_answers():
    """A sleigh by quasi-velocities: n1' = a n2², n2' = -m a n1 n2/(J + m a²); it slides along its blade."""
    path = tap.ROOT / "models/sleigh_talamucci.ah"
    status, text = run("example_answers", path)
    _, answer = run("anholo", "verify", path, "--json")
    verdicts = [c["verdict"] for c in json.loads(answer)["claims"]]
    lines = path.read_text().splitlines()
    told = re.findall(r"^line (\d+): (.*) is (proved|holds|false|unknown)$", text, re.M)
    tap.check(status == 0 and [w for _, _, w in told] == verdicts and
              all(lines[int(n) - 1].endswith(": " + said) for n, said, _ in told), "answers.claims", text)
    steady = re.search(r"steady, 1 free: n1 = \S+ n2 = (\S+), ", text)
    tap.check(steady and float(steady[1]) == 0 and "\nn1' = a*n2^2\n" in text, "answers.values", text)


check_sources()
check_answers()
check_foreign()
check_feedback()
check_without_text()
check_singular()
tap.done()

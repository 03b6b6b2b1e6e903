#!/usr/bin/env python3
"""Whole motions against hand-written code, from outside: bench/trajectories.py BUILD [SYSTEM …]

Each by the loosest tolerance (by halves) that reaches the error at t = 100 (chains: 5), then (user time of a run to 2100 −
that of a run to 100)/20, the least of interleaved rounds. By hand: bench/hand_systems.h in DOP853, inlined, -O3 -march=native
(bench/hand.c). The ends of the motions are those of bench/hand_reference.txt.

ROUNDS=1 ERRORS=1e-9 in the environment is the short form, which bench/run.sh takes. It ends with how many are within 1.0 of the time
by hand (and the tire at 1e-12 within 0.53).

With COUNT=1 in the environment instructions are counted in place of time, by callgrind over the way from the span to twice as far,
by hand at -march=x86-64-v3: a busy machine does not change them.
"""
import os
import re
import resource
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
BUILD = sys.argv[1]
ROUNDS = int(os.environ.get("ROUNDS", "5"))
COUNT = os.environ.get("COUNT") == "1"
METHODS = [m for m in os.environ.get("INTEGRATORS", "auto").split(",")]
# model, by hand, span, long span
SYSTEMS = [
    ("pendulum", "pendulum", 100, 2100),
    ("tire_kane", "tire", 100, 2100),
    ("tire_speed", "tire", 100, 2100),
    ("tire_disc", "tire", 100, 2100),
    ("top", "top", 100, 2100),
    ("rattleback", "rattleback", 10, 30),
    ("snakeboard", "snakeboard", 100, 2100),
    ("ball", "ball", 100, 500),
    ("trailers", "trailers", 5, 10),
    ("trailers_angles", "trailers", 5, 10),
    ("kepler", "kepler", 100, 2100),
    ("spherical", "spherical", 100, 2100),
    ("bob", "bob", 100, 2100),
    ("links", "links", 100, 2100),
    ("sphere", "sphere", 10, 210),
    ("body", "body", 100, 2100),
    ("sleigh", "sleigh", 100, 2100),
    ("angles", "angles", 100, 2100),
    ("heiles", "heiles", 100, 2100),
    ("cart", "cart", 100, 2100),
    ("three", "three", 100, 2100),
    ("swing", "swing", 100, 2100),
    ("gyro", "gyro", 100, 2100),
    ("top_angles", "top", 100, 2100),
    ("tire_plain", "tire", 100, 2100),
]


def compile_hand():
    to = os.path.join(BUILD, "hand")
    subprocess.run(["cc", "-O3", "-march=x86-64-v3" if COUNT else "-march=native", "-fno-math-errno", "-fno-trapping-math", "-o", to,
                    os.path.join(HERE, "hand.c"), "-lm"], check=True)
    return to


HAND = compile_hand()
PROGRAM = os.path.join(BUILD, "anholo")
REFERENCE = {}
for line in open(os.path.join(HERE, "hand_reference.txt")):
    words = line.split()
    REFERENCE[words[0]] = [float(w) for w in words[2:]]


def user_time(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    done = subprocess.run(command, capture_output=True, text=True)
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before, done


def instructions(command):
    done = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"] + command, capture_output=True,
                          text=True)
    return int(re.search(r"Collected : (\d+)", done.stderr).group(1))


def by_hand(name, tolerance, span, rounds=1):
    words = subprocess.run([HAND, name, repr(tolerance), str(span), str(rounds)], capture_output=True, text=True,
                           check=True).stdout.split()
    return float(words[0]), int(words[1]), [float(w) for w in words[2:]]


def command_of(name, tolerance, span, integrator):
    return [PROGRAM, "simulate", os.path.join(HERE, "models", name + ".ah"), "--engine", "cc", "--samples", "2", "--integrator",
            integrator, "--to", str(span), "--rtol", repr(tolerance), "--atol", repr(tolerance)]


def ours(name, tolerance, span, integrator):
    seconds, done = user_time(command_of(name, tolerance, span, integrator))
    rows = done.stdout.splitlines()
    return seconds, rows[0].split(","), [float(x) for x in rows[-1].split(",")], done.stderr


def error(found, exact):
    return max(abs(a - b) / max(1, abs(b)) for a, b in zip(found, exact))


def places(model, columns, row):
    """The coordinates in the order of the reference; those of the chain by angles from them."""
    if model != "trailers_angles":
        return row[1:]
    import math
    at = dict(zip(columns, row))
    x, y = [at["x"]], [at["y"]]
    for i in range(2, 11):
        x.append(x[-1] - math.cos(at[f"a[{i}]"]))
        y.append(y[-1] - math.sin(at[f"a[{i}]"]))
    return x + y + [at[f"theta[{i}]"] for i in range(1, 11)]


def loosest(run, wanted, exact):
    tolerance = wanted * 4
    while tolerance > 2e-16:
        if error(run(tolerance), exact) <= wanted:
            return tolerance
        tolerance /= 2
    return None


def count(model, hand, t, key, span):
    """Thousands of instructions from span to 2 span."""
    ends = [[HAND, hand, repr(t), str(end), "1"] if key == "hand" else command_of(model, t, end, key)
            for end in (span, 2 * span)]
    return 1e-3 * (instructions(ends[1]) - instructions(ends[0]))


def measure(model, hand, span, long, wanted):
    exact = REFERENCE[hand]
    pieces = (long - span) / span
    out = {}
    t = loosest(lambda t: by_hand(hand, t, span)[2], wanted, exact)
    tolerance = {"hand": t}
    for m in METHODS:
        def run(t):
            _, columns, row, _ = ours(model, t, span, m)
            return places(model, columns, row) if row[0] == span else [1e9] * len(exact)
        tolerance[m] = loosest(run, wanted, exact)
    if COUNT:
        return {key: t and count(model, hand, t, key, span) for key, t in tolerance.items()}, tolerance
    best = {key: [1e99, 1e99] for key in tolerance}
    for _ in range(ROUNDS):
        for key, t in tolerance.items():
            for i, end in enumerate((span, long)):
                if t is None:
                    continue
                if key == "hand":
                    seconds = 1e-6 * by_hand(hand, t, end, 3)[0]
                else:
                    seconds = ours(model, t, end, key)[0]
                best[key][i] = min(best[key][i], seconds)
    for key, (a, b) in best.items():
        out[key] = None if tolerance[key] is None else 1e6 * (b - a) / pieces
    return out, tolerance


def main():
    chosen = sys.argv[2:]
    within = of = 0
    unit = "k " if COUNT else "us"
    print(f"{'':16} {'error':>6} {'by hand':>10}" + "".join(f" {m:>10} {'x hand':>7} {'rtol':>8}" for m in METHODS))
    for model, hand, span, long in SYSTEMS:
        if chosen and model not in chosen:
            continue
        if hand not in REFERENCE:
            continue
        for wanted in [float(w) for w in os.environ.get("ERRORS", "1e-9,1e-12").split(",")]:
            out, tolerance = measure(model, hand, span, long, wanted)
            by = out["hand"]
            line = f"{model:16} {wanted:6.0e} " + (f"{by:8.0f}{unit}" if by else "       none")
            for m in METHODS:
                mine = out[m]
                line += (f" {mine:8.0f}{unit} {mine / by if by else float('nan'):7.2f} {tolerance[m]:8.1e}" if mine
                         else f" {'not reached':>27}")
            print(line, flush=True)
            if by and METHODS == ["auto"]:
                of += 1
                within += bool(out["auto"]) and out["auto"] <= (0.53 if hand == "tire" and wanted == 1e-12 else 1.0) * by
    if of:
        print(f"wanted: all within 1.0 of the time by hand, the tire at 1e-12 within 0.53: {within} of {of}")


main()

#!/usr/bin/env python3
"""Whole motions against hand-written code, from outside: bench/trajectories.py BUILD [SYSTEM …]

Each by the loosest tolerance (by halves, then by fourth roots of 2 below the last half that fails) that reaches the error at t = 100
(chains: 5), then (time of a long run − that of a run to 100)/(how many times 100 lie between), the least of interleaved rounds. The
long run goes so far that the code by hand needs AIM seconds (0.15) for it: two whole runs of the program scatter by a millisecond, and
those of large models by ten. Where the motion makes sense for less than half of that, instructions are counted instead (k). Time is that of the processor, user and system: the kernel knows
their sum to the nanosecond and divides it by ticks of 4 ms. By hand: bench/hand_systems.h in DOP853, inlined, -O3 -march=native
(bench/hand.c). The ends of the motions are those of bench/hand_reference.txt. `short` is the whole run to 100, start of the program and all.

ROUNDS=1 ERRORS=1e-9 in the environment is the short form, which bench/run.sh takes. It ends with how many are within 1.0 of the time
by hand (and the tire at 1e-12 within 0.53).

With COUNT=1 in the environment instructions are counted in place of time, by callgrind over the way from the span to twice as far,
by hand at -march=x86-64-v3: a busy machine does not change them.
"""
import json
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
FAR = 10**7
# model, by hand, span, and how far the motion can be followed
SYSTEMS = [
    ("pendulum", "pendulum", 100, FAR),
    ("tire_kane", "tire", 100, FAR),
    ("tire_speed", "tire", 100, FAR),
    ("tire_disc", "tire", 100, FAR),
    ("top", "top", 100, FAR),
    ("rattleback", "rattleback", 10, FAR),
    ("snakeboard", "snakeboard", 100, FAR),
    ("ball", "ball", 100, FAR),
    ("trailers", "trailers", 5, 10),
    ("trailers_angles", "trailers", 5, 10),
    ("kepler", "kepler", 100, FAR),
    ("spherical", "spherical", 100, FAR),
    ("bob", "bob", 100, FAR),
    ("links", "links", 100, FAR),
    ("sphere", "sphere", 10, FAR),
    ("body", "body", 100, FAR),
    ("sleigh", "sleigh", 100, FAR),
    ("angles", "angles", 100, FAR),
    ("heiles", "heiles", 100, FAR),
    ("cart", "cart", 100, FAR),
    ("three", "three", 100, FAR),
    ("swing", "swing", 100, FAR),
    ("gyro", "gyro", 100, FAR),
    ("wave", "wave", 100, FAR),
    ("car", "car", 100, FAR),
    ("top_angles", "top", 100, FAR),
    ("tire_plain", "tire", 100, FAR),
    ("bicycle", "bicycle", 100, 500),
]


def compile_hand(name, processor):
    to = os.path.join(BUILD, name)
    subprocess.run(["cc", "-O3", "-march=" + processor, "-fno-math-errno", "-fno-trapping-math", "-o", to,
                    os.path.join(HERE, "hand.c"), "-lm"], check=True)
    return to


HAND = compile_hand("hand", "native")
COUNTED = compile_hand("hand_counted", "x86-64-v3")  # valgrind does not know every instruction of every processor
PROGRAM = os.environ.get("PROGRAM", os.path.join(BUILD, "anholo"))
AIM = float(os.environ.get("AIM", "0.15"))
KEPT = {}
if os.path.exists(os.environ.get("TOLERANCES", "")):
    KEPT = json.load(open(os.environ["TOLERANCES"]))
REFERENCE = {}
for line in open(os.path.join(HERE, "hand_reference.txt")):
    words = line.split()
    REFERENCE[words[0]] = [float(w) for w in words[2:]]


def used():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def processor_time(command):
    before = used()
    done = subprocess.run(command, capture_output=True, text=True)
    return used() - before, done


def instructions(command):
    """Not a number where the run fails: callgrind does not know every instruction that cc takes."""
    done = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"] + command, capture_output=True,
                          text=True)
    return int(re.search(r"Collected : (\d+)", done.stderr).group(1)) if done.returncode == 0 else float("nan")


def by_hand(name, tolerance, span, rounds=1):
    words = subprocess.run([HAND, name, repr(tolerance), str(span), str(rounds)], capture_output=True, text=True,
                           check=True).stdout.split()
    return float(words[0]), int(words[1]), [float(w) for w in words[2:]]


def command_of(name, tolerance, span, integrator):
    return [PROGRAM, "simulate", os.path.join(HERE, "models", name + ".ah"), "--engine", "cc", "--samples", "2", "--integrator",
            integrator, "--to", str(span), "--rtol", repr(tolerance), "--atol", repr(tolerance)]


def ours(name, tolerance, span, integrator):
    seconds, done = processor_time(command_of(name, tolerance, span, integrator))
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
            break
        tolerance /= 2
    else:
        return None
    for looser in (tolerance * 2**(quarters / 4) for quarters in (3, 2, 1)):
        if tolerance < wanted * 4 and error(run(looser), exact) <= wanted:
            return looser
    return tolerance


def count(model, hand, t, key, span):
    """Thousands of instructions from span to 2 span."""
    ends = [[COUNTED, hand, repr(t), str(end), "1"] if key == "hand" else command_of(model, t, end, key)
            for end in (span, 2 * span)]
    return 1e-3 * (instructions(ends[1]) - instructions(ends[0]))


def tolerances(model, hand, span, wanted):
    """The loosest one of each that reaches the error; kept in the file TOLERANCES, where that is named."""
    key = f"{model} {wanted:g}"
    if key in KEPT and all(m in KEPT[key] for m in METHODS):
        return {k: KEPT[key][k] for k in ["hand"] + METHODS}
    exact = REFERENCE[hand]
    tolerance = {"hand": loosest(lambda t: by_hand(hand, t, span)[2], wanted, exact)}
    for m in METHODS:
        def run(t):
            _, columns, row, _ = ours(model, t, span, m)
            return places(model, columns, row) if row[0] == span else [1e9] * len(exact)
        tolerance[m] = loosest(run, wanted, exact)
    KEPT[key] = KEPT.get(key, {}) | tolerance
    if "TOLERANCES" in os.environ:
        json.dump(KEPT, open(os.environ["TOLERANCES"], "w"))
    return tolerance


def pieces_of(hand, tolerance, span, far):
    """How many times the span, so that it takes AIM seconds by hand; 0: the motion ends long before."""
    seconds = 1e-6 * by_hand(hand, tolerance, span, 3)[0]
    wanted, most = max(1, round(AIM / seconds)), far // span - 1
    return min(wanted, most) if 2 * most >= wanted else 0


def measure(model, hand, span, far, wanted):
    """Time or, where that cannot be told, instructions of a span; the unit of either; the time of a short run."""
    tolerance = tolerances(model, hand, span, wanted)
    pieces = 0 if COUNT else pieces_of(hand, tolerance["hand"] or 1e-15, span, far)
    if not pieces:
        return {key: t and count(model, hand, t, key, span) for key, t in tolerance.items()}, tolerance, "k ", None
    best = {key: [1e99, 1e99] for key, t in tolerance.items() if t is not None}
    for _ in range(ROUNDS):
        for key in best:
            for i, end in enumerate((span, span * (1 + pieces))):
                seconds = (1e-6 * by_hand(hand, tolerance[key], end, 1 if i else 3)[0] if key == "hand"
                           else ours(model, tolerance[key], end, key)[0])
                best[key][i] = min(best[key][i], seconds)
    out = {key: 1e6 * (best[key][1] - best[key][0]) / pieces if key in best else None for key in tolerance}
    return out, tolerance, "us", max(best[m][0] for m in METHODS if m in best) if len(best) > 1 else 0


def main():
    chosen = sys.argv[2:]
    within = of = 0
    print(f"{'':16} {'error':>6} {'by hand':>10}" + "".join(f" {m:>10} {'x hand':>7} {'rtol':>8}" for m in METHODS)
          + ("" if COUNT else f" {'short':>10}"))
    for model, hand, span, far in SYSTEMS:
        if chosen and model not in chosen:
            continue
        if hand not in REFERENCE:
            continue
        for wanted in [float(w) for w in os.environ.get("ERRORS", "1e-9,1e-12").split(",")]:
            out, tolerance, unit, short = measure(model, hand, span, far, wanted)
            by = out["hand"]
            line = f"{model:16} {wanted:6.0e} " + (f"{by:8.0f}{unit}" if by else "       none")
            for m in METHODS:
                mine = out[m]
                line += (f" {mine:8.0f}{unit} {mine / by if by else float('nan'):7.2f} {tolerance[m]:8.1e}" if mine
                         else f" {'not reached':>27}")
            print(line + ("" if short is None else f" {1e3 * short:8.1f}ms"), flush=True)
            if by and METHODS == ["auto"]:
                of += 1
                within += bool(out["auto"]) and out["auto"] <= (0.53 if hand == "tire" and wanted == 1e-12 else 1.0) * by
    if of:
        print(f"wanted: all within 1.0 of the time by hand, the tire at 1e-12 within 0.53: {within} of {of}")


main()

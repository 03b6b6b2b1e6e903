#!/usr/bin/env python3
"""bench/rolling.py BUILD - what `roll` costs beside the same contact written out as constraints (tests/by_hand.py), and beside these
with the event that `roll` watches for, the normal force through zero: who writes constraints alone is not told that contact is lost.

Of a long run less a short one, of each the least of some rounds in turns: the time and evaluations of the motion between the two, without
what prepares it. Time is that of the processor, user and system: others use the machine, too."""
import json
import os
import pathlib
import re
import resource
import subprocess
import sys

if len(sys.argv) > 1:
    os.environ["AH_BUILD_DIR"] = str(pathlib.Path(sys.argv[1]).resolve())
sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "tests"))
import by_hand

WANTED, ROUNDS = 1.05, 7
ENDS = {"rattleback": (20, 400), "rolling_torus": (150, 9000), "turntable": (100, 10000), "snakeboard": (100, 3000)}


def used():
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return children.ru_utime + children.ru_stime


def run(text, to):
    """Seconds and evaluations of a motion that came to its end."""
    before = used()
    said = subprocess.run([by_hand.ANHOLO, "simulate", "-", "--json", "--samples", "2", "--engine", "cc", "--to", str(to)],
                          input=text, capture_output=True, text=True)
    time, answer = used() - before, json.loads(said.stdout)
    assert said.returncode == 0, said.stderr
    return time, answer["evaluations"]


def watched(text):
    """The constraints by hand with their normal force watched; as they are where nothing is called `touch`."""
    label = re.search(r"constraint (\w*touch\w*)", text)
    return text + f'\nrecord "leaves" when lambda[{label[1]}] = 0\n' if label else text


print(f"{'motion':<16}{'by roll, ms':>14}{'by hand, ms':>14}{'watched, ms':>14}{'ratios':>14}{'evaluations':>22}   wanted <= {WANTED}")
for model, ends in ENDS.items():
    texts = by_hand.PAIRS[model][:2]
    texts = (*texts, watched(texts[1]))
    best, count = [[float("inf")] * 2 for _ in texts], [[0] * 2 for _ in texts]
    for _ in range(ROUNDS):
        for k, to in enumerate(ends):
            for i, text in enumerate(texts):
                time, count[i][k] = run(text, to)
                best[i][k] = min(best[i][k], time)
    time, count = ([long - short for short, long in pairs] for pairs in (best, count))
    print(f"{model:<16}" + "".join(f"{1e3 * t:>14.1f}" for t in time)
          + f"{time[0] / time[1]:>8.2f}{time[0] / time[2]:>6.2f}{count[0]:>12}{count[1]:>10}")

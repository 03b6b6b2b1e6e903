#!/usr/bin/env python3
"""bench/rolling.py BUILD - what `roll` costs beside the same contact written out as constraints (tests/by_hand.py)."""
import json
import os
import pathlib
import subprocess
import sys

if len(sys.argv) > 1:
    os.environ["AH_BUILD_DIR"] = str(pathlib.Path(sys.argv[1]).resolve())
sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "tests"))
import by_hand

WANTED, ROUNDS = 1.05, 7
ENDS = {"rattleback": 20, "rolling_torus": 150, "turntable": 100, "snakeboard": 100}


def seconds(text, to):
    said = subprocess.run([by_hand.ANHOLO, "simulate", "-", "--json", "--samples", "2", "--engine", "cc", "--to", str(to)],
                          input=text, capture_output=True, text=True)
    answer = json.loads(said.stdout)
    return answer["seconds"], answer["evaluations"]


print(f"{'motion':<16}{'by roll, ms':>14}{'by hand, ms':>14}{'ratio':>8}{'evaluations':>22}   wanted <= {WANTED}")
for model, to in ENDS.items():
    texts = by_hand.PAIRS[model][:2]
    best, count = [float("inf")] * 2, [0] * 2
    for _ in range(ROUNDS):  # in turns, the least of each: others use the machine, too
        for i, text in enumerate(texts):
            time, count[i] = seconds(text, to)
            best[i] = min(best[i], time)
    print(f"{model:<16}{1e3 * best[0]:>14.1f}{1e3 * best[1]:>14.1f}{best[0] / best[1]:>8.2f}{count[0]:>12}{count[1]:>10}")

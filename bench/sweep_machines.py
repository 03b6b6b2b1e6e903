"""bench/sweep_machines.py BUILD - many motions on two processes of mpirun beside two threads, and what a journal costs.

Seconds of the clock, as the sweep tells them; those of a sweep of few runs are taken off. The least of interleaved rounds."""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
ANHOLO = str(pathlib.Path(sys.argv[1]).resolve() / "anholo")
ROUNDS = 5
MPIRUN = ["mpirun", "--allow-run-as-root", "--oversubscribe", "-n", "2"]


def seconds(words, runs, folder, before=()):
    out = subprocess.run([*before, ANHOLO, "sweep", *words, "--random", str(runs), "--json", "-o", f"{folder}/rows.npy"],
                         check=True, capture_output=True, text=True).stdout
    return json.loads(out)["seconds"]


def least(ways, few, many):
    """Seconds a run of each way: (words, what goes before)."""
    best = [float("inf")] * len(ways)
    for _ in range(ROUNDS):
        for i, (words, before) in enumerate(ways):
            with tempfile.TemporaryDirectory() as folder:
                words = [w.replace("FOLDER", folder) for w in words]
                begun = seconds(words, few, folder, before)
                for file in pathlib.Path(folder).iterdir():
                    file.unlink()
                best[i] = min(best[i], (seconds(words, many, folder, before) - begun) / (many - few))
    return best


def tell(what, ratio, wanted):
    print(f"  {what:58} {ratio:8.4f} , wanted at most {wanted}: {'holds' if ratio <= wanted else 'DOES NOT HOLD'}")


springs = [str(ROOT / "models/double_pendulum_spring.ah"), "--spread", "m1=1..1.5", "--output", "final.x1", "--to", "10", "--lanes", "on",
           "--engine", "cc", "--rtol", "1e-12", "--atol", "1e-12"]
if shutil.which("mpirun") and (os.cpu_count() or 1) > 1:
    threads, ranks = least([([*springs, "--threads", "2"], ()), ([*springs, "--threads", "1"], MPIRUN)], 1000, 101000)
    print(f"double pendulum with springs, rtol = 1e-12: two threads {1 / threads:.0f} a second, mpirun -n 2 {1 / ranks:.0f}")
    tell("times two threads, on two processes", ranks / threads, 1.05)
else:
    print("mpirun is not to be had here (package openmpi-bin), or there is one processor")

slow = [str(ROOT / "models/double_pendulum_spring.ah"), "--spread", "m1=1..1.5", "--output", "final.x1,max(x1)", "--to", "15", "--lanes", "off",
        "--engine", "cc", "--threads", "1"]
without, with_it = least([(slow, ()), ([*slow, "--journal", "FOLDER/j.db"], ())], 10, 1510)
print(f"a run of {1e3 * without:.2f} ms: with a journal {1e3 * with_it:.2f} ms")
tell("times the time without a journal", with_it / without, 1.02)

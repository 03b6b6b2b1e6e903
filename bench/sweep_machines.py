"""bench/sweep_machines.py BUILD - many motions on two processes of mpirun beside two threads, and what a journal costs.

Seconds of the clock, as the sweep tells them, of a sweep less those of a shorter one, in which all processes and the journal's first
batch have begun too; of each the least of interleaved rounds. What a row costs in the journal is measured at runs of few microseconds,
where it stands out of the host's noise, and told as a part of a millisecond."""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
ANHOLO = str(pathlib.Path(sys.argv[1]).resolve() / "anholo")
MPIRUN = ["mpirun", "--allow-run-as-root", "--oversubscribe", "-n", "2"]


def seconds(words, runs, folder, before=()):
    out = subprocess.run([*before, ANHOLO, "sweep", *words, "--random", str(runs), "--json", "-o", f"{folder}/rows.npy"],
                         check=True, capture_output=True, text=True).stdout
    return json.loads(out)["seconds"]


def least(ways, few, many, rounds):
    """Seconds a run of each way: (words, what goes before)."""
    best = [{few: float("inf"), many: float("inf")} for _ in ways]
    for _ in range(rounds):
        for runs in few, many:
            for i, (words, before) in enumerate(ways):
                with tempfile.TemporaryDirectory() as folder:
                    took = seconds([w.replace("FOLDER", folder) for w in words], runs, folder, before)
                    best[i][runs] = min(best[i][runs], took)
    return [(b[many] - b[few]) / (many - few) for b in best]


def tell(what, ratio, wanted):
    print(f"  {what:58} {ratio:8.4f} , wanted at most {wanted}: {'holds' if ratio <= wanted else 'DOES NOT HOLD'}")


springs = [str(ROOT / "models/double_pendulum_spring.ah"), "--spread", "m1=1..1.5", "--output", "final.x1", "--to", "10", "--lanes", "on",
           "--engine", "cc", "--rtol", "1e-12", "--atol", "1e-12"]
if shutil.which("mpirun") and (os.cpu_count() or 1) > 1:
    threads, ranks = least([([*springs, "--threads", "2"], ()), ([*springs, "--threads", "1"], MPIRUN)], 40000, 160000, 10)
    print(f"double pendulum with springs, rtol = 1e-12: two threads {1 / threads:.0f} a second, mpirun -n 2 {1 / ranks:.0f}")
    tell("times two threads, on two processes", ranks / threads, 1.05)
else:
    print("mpirun is not to be had here (package openmpi-bin), or there is one processor")

# A batch is synchronised once a second by the thread that waits, while the others may run 80 ms ahead (many/crew_inside.h).
def synchronisation():
    """Seconds of the slowest of some synchronised writes as large as a batch."""
    slowest = 0
    with tempfile.TemporaryFile(dir=ROOT) as file:
        for _ in range(10):
            file.write(bytes(1 << 18))
            file.flush()
            begun = time.perf_counter()
            os.fdatasync(file.fileno())
            slowest = max(slowest, time.perf_counter() - begun)
    return slowest


quick = [str(ROOT / "models/double_pendulum_spring.ah"), "--spread", "m1=1..1.5", "--output", "final.x1,final.x2", "--to", "0.5", "--lanes",
         "on", "--engine", "cc", "--threads", "1"]
without, with_it = least([(quick, ()), ([*quick, "--journal", "FOLDER/j.db"], ())], 20000, 220000, 6)
print(f"a row of two numbers and one that varies: {1e6 * without:.2f} us, with a journal {1e6 * with_it:.2f} us; "
      f"a batch is on the disk in {1e3 * synchronisation():.0f} ms at most, threads go on for 80")
tell("times a run of a millisecond, with a journal", 1 + (with_it - without) / 1e-3, 1.02)

"""bench/python_calls.py BUILD - what the Python package costs: a call of rhs, and solve_ivp beside simulate."""
import os
import pathlib
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
os.environ["ANHOLO_LIBRARY"] = str(pathlib.Path(sys.argv[1]).resolve() / "libanholo.so")
sys.path.insert(0, str(ROOT / "python"))
import anholo

# One product: what a call takes is the way there and back.
NOTHING = "coordinate x\nkinetic x'^2/2\npotential x^2/2\nstart x = 1, x' = 0\nsimulate t = 0 .. 10\n"


def best(function, times, rounds=15):
    def once():
        begin = time.perf_counter()
        for _ in range(times):
            function()
        return (time.perf_counter() - begin)/times
    return min(once() for _ in range(rounds))


s = anholo.parse(NOTHING).system()
t, y = s.start
taken = best(lambda: s.rhs(t, y), 500, 200)*1e6  # rounds short enough to be left alone by others
print(f"rhs of next to nothing     {taken:8.2f} us a call   wanted: below 3   {'yes' if taken < 3 else 'NO'}")
s = anholo.read(ROOT / "models/tire.ah").system()
t, y = s.start
own = best(lambda: s.simulate(to=10), 1, 5)*1e3
print(f"tire to t = 10, simulate   {own:8.2f} ms")
try:
    from scipy.integrate import solve_ivp
except ImportError:
    print("SciPy is not to be had here (package python3-scipy)")
else:
    theirs = best(lambda: solve_ivp(s.rhs, (0, 10), y, method="DOP853", rtol=1e-10, atol=1e-12), 1, 3)*1e3
    print(f"tire to t = 10, solve_ivp  {theirs:8.2f} ms")

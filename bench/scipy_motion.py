"""bench/scipy_motion.py TIMES - SciPy's integrators on the systems of bench_motion.c.

Every integrator gets the loosest tolerance (by quarters) that reaches the error, measured against
bench/reference.txt; the right-hand sides are plain Python, which is what a user would write and is
faster than NumPy for so few numbers. TIMES has a line "system error seconds" of ours for each."""
import math
import pathlib
import sys
import time

from scipy.integrate import ode, odeint, solve_ivp

SPAN = 100.0


def pendulum(_, y, g=9.81, w1=1.0, w2=0.5, k1=1.0, k2=0.5):
    x1, y1, x2, y2, a, b, c, d = y
    p, q, r, s = x1 * d, (y1 - y2) * d - x2 * c, -x2 * b, x1 * a + (y1 - y2) * b
    gamma = a * a * d - c * c * b + (b - d) * b * d
    f1, f2, f3, f4 = g - k1 * x1, -k1 * y1, g - k2 * x2, -k2 * y2
    mass = (p * p + q * q) * w1 + (r * r + s * s) * w2
    push = -(p * f1 + q * f2 + r * f3 + s * f4 + gamma) / mass
    l1, l2 = push * w1, push * w2
    return [a, b, c, d, f1 + p * l1, f2 + q * l1, f3 + r * l2, f4 + s * l2]


def tire(_, y, m=1.5, r=0.5, a=0.2, c=0.35, g=9.81):
    theta, psi, w3, w4, w5 = y[2], y[3], y[5], y[6], y[7]
    sine, cosine = math.sin(psi), math.cos(psi)
    d, e, f = m * r + c / r, m + c / (r * r), m * r * r + c
    b = f * sine * sine + a * cosine * cosine
    p, turn, mixed = m * r * cosine * w4, d * cosine * w4, (f - a) * sine * cosine
    right3, right5 = (turn - p) * w5 - 2 * mixed * w4 * w3, (p + turn) * w3
    off = d * sine
    det = b * e - off * off
    return [w5 * math.cos(theta), w5 * math.sin(theta), w3, w4, w5 / r,
            (e * right3 + off * right5) / det,
            (m * g * r * sine - d * cosine * w3 * w5 + mixed * w3 * w3) / (m * r * r + a),
            (off * right3 + b * right5) / det]


SYSTEMS = {"pendulum": (pendulum, [1, 0.2, 1.5, -0.4, -0.08, 0.8, -0.25, -0.75], 4),
           "tire": (tire, [0, 0, 0, 0.1, 0, 0.2, 0, 2], 5)}


def by_solve_ivp(method):
    return lambda f, y, tol: solve_ivp(f, (0, SPAN), y, method=method, rtol=tol, atol=tol).y[:, -1]


def by_odeint(f, y, tol):
    return odeint(f, y, [0, SPAN], tfirst=True, rtol=tol, atol=tol, mxstep=10**8)[-1]


def by_fortran_dop853(f, y, tol):
    solver = ode(f).set_integrator("dop853", rtol=tol, atol=tol, nsteps=10**8)
    return solver.set_initial_value(y, 0).integrate(SPAN)


INTEGRATORS = {"solve_ivp DOP853": by_solve_ivp("DOP853"), "solve_ivp LSODA": by_solve_ivp("LSODA"),
               "solve_ivp Radau": by_solve_ivp("Radau"), "odeint": by_odeint,
               "ode dop853": by_fortran_dop853}
PATIENCE = 20  # seconds after which an integrator is out of the race


def reach(run, system, wanted, exact):
    """(seconds, error) at the loosest tolerance that reaches the error; None: it does not."""
    f, start, coordinates = SYSTEMS[system]
    tolerance, begin = wanted, time.process_time()
    while tolerance > 2e-14 and time.process_time() - begin < PATIENCE:
        started = time.process_time()
        y = run(f, list(start), tolerance)
        seconds = time.process_time() - started
        error = max(abs(y[i] - exact[i]) / max(1, abs(exact[i])) for i in range(coordinates))
        if error <= wanted:
            return seconds, error
        tolerance /= 4
    return None


def compare(system, wanted, ours, exact):
    best = None
    print(f"{system} to {wanted:.0e}, ours {1e6 * ours:.0f} us")
    for name, run in INTEGRATORS.items():
        if name == "solve_ivp Radau" and wanted < 1e-9:
            continue  # minutes
        answer = reach(run, system, wanted, exact)
        if answer is None:
            print(f"  {name:<18} does not reach the error")
            continue
        print(f"  {name:<18} {1e6 * answer[0]:9.0f} us, error {answer[1]:.1e}")
        best = min(best or answer[0], answer[0])
    if best:
        ratio = best / ours
        print(f"  {'faster than the best of SciPy':<58} {ratio:8.3g} x, wanted at least 50: "
              + ("holds" if ratio >= 50 else "DOES NOT HOLD"))


def main():
    lines = (pathlib.Path(__file__).parent / "reference.txt").read_text().splitlines()
    exact = {line.split()[0]: [float(x) for x in line.split()[1:]] for line in lines}
    for line in pathlib.Path(sys.argv[1]).read_text().splitlines():
        system, wanted, ours = line.split()
        compare(system, float(wanted), float(ours), exact[system])


if __name__ == "__main__":
    main()

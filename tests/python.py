#!/usr/bin/env python3
"""The package in python/: against the program, closed forms, differences; its tutorial; what it must refuse; Ctrl-C;
lifetimes. AH_FULL: SciPy, pandas and matplotlib must be there."""
import csv
import doctest
import gc
import importlib.util
import inspect
import io
import json
import math
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

sys.path[0] = str(pathlib.Path(__file__).parent / "harness")  # not tests/: its html.py is not Python's
import tap

DEBIAN = "/usr/bin/python3"
FULL = bool(os.environ.get("AH_FULL"))
if os.environ.get("AH_SANITIZED") == "1":
    tap.skip("package", "the interpreter would need the sanitizers' run-time library")
    tap.done()
if not importlib.util.find_spec("numpy") and pathlib.Path(sys.executable).resolve() != pathlib.Path(DEBIAN).resolve():
    os.execv(DEBIAN, [DEBIAN, *sys.argv])

os.environ["ANHOLO_LIBRARY"] = str(tap.BUILD / "libanholo.so")
sys.path.insert(0, str(tap.ROOT / "python"))
import numpy as np

import anholo

OSCILLATOR = """parameter k = 4
coordinate x
kinetic x'^2/2
potential k*x^2/2
record "through" when x = 0
start x = 1, x' = 0
simulate t = 0 .. 10
"""
# No end in sight: every step is short, and there are many.
ENDLESS = OSCILLATOR.replace(".. 10", ".. 1e9")


def refused(kind, work, name, says=""):
    try:
        work()
        tap.check(False, name, "it was not refused")
    except kind as error:
        tap.check(str(error) and says in str(error), name, error)


def check_sweep():
    """Rows against closed forms, the program's own table, a journal; what must be refused."""
    m = anholo.parse(OSCILLATOR)
    s = m.sweep({"k": (1, 9, 3)}, list={"x": [1, 2]}, output=["final.x", "max(x)"], to=2, rtol=1e-11)
    want = [[a*math.cos(math.sqrt(k)*2) for k in (1, 5, 9)] for a in (1, 2)]
    tap.check(s.shape == (2, 3) and len(s) == 6 and not s.failed and s.varied == ("x", "k"), "sweep.shape", s)
    tap.check(np.allclose(s.grid("final.x"), want, atol=1e-8) and np.allclose(s["max(x)"], s["x"], atol=1e-8),
              "sweep.closed_form", s.grid("final.x"), want)
    with tempfile.TemporaryDirectory() as folder:
        journal = pathlib.Path(folder) / "j.db"
        a = m.sweep(random=20, spread="k=1..2", to=1, journal=journal)
        b = m.sweep(random=20, spread="k=1..2", to=1, journal=journal, threads=2)
        tap.check(a.computed == 20 and b.computed == 0 and np.array_equal(a.array, b.array), "sweep.journal", a, b)
        refused(anholo.RefusedError, lambda: m.sweep(random=21, spread="k=1..2", to=1, journal=journal), "sweep.journal.other")
    refused(anholo.InputError, lambda: m.sweep("q=1..2:3"), "sweep.unknown")
    refused(anholo.InputError, lambda: m.sweep(random=5), "sweep.of_nothing")
    refused(ValueError, lambda: m.sweep(list={"x": [1, 2], "k": [1]}), "sweep.ragged", "same length")
    tap.check(m.sweep({"k": (1, 9, 3)}, at={"x": 2}, output="start.x")["start.x"].tolist() == [2, 2, 2], "sweep.at_dictionary")
    apart, together = (m.sweep({"k": (1, 9, 20)}, output="final.x", to=2, engine="cc", lanes=how) for how in ("off", "on"))
    tap.check(apart.lanes == 0 and together.lanes > 1 and np.allclose(apart.array, together.array, rtol=1e-8, atol=1e-9),
              "sweep.lanes", apart.lanes, together.lanes)
    refused(anholo.InputError, lambda: m.sweep({"k": (1, 2, 3)}, lanes="seven"), "sweep.lanes.unknown")
    refused(ValueError, lambda: m.sweep({"k": (1, 2)}), "sweep.ends")
    refused(ValueError, lambda: m.sweep({"k": (1, 2, 3)}, threads=-1), "sweep.threads")
    refused(ValueError, lambda: m.sweep({"k": (1, 2, 3)}, max_steps=2**64), "sweep.max_steps")
    refused(KeyError, lambda: s["final.y"], "sweep.column")
    died = anholo.parse(OSCILLATOR + "force x = sqrt(1 - x)\n").sweep({"x": (0, 2, 2)}, to=0.1)
    tap.check(list(died.failed) == [1] and np.isnan(died["final.x"][1]) and not np.isnan(died["final.x"][0]), "sweep.failed", died.failed)


def program(*arguments):
    return subprocess.run([tap.BUILD / "anholo", *map(str, arguments)], capture_output=True, text=True).stdout


def raised(kind, function, *arguments, **named):
    """The exception of a kind that a call raises, or None."""
    try:
        function(*arguments, **named)
    except kind as error:
        return error
    except BaseException as error:  # said by the test that wanted another
        print(f"# {type(error).__name__}: {error}")
    return None


def check_headers():
    said = subprocess.run([sys.executable, tap.ROOT / "scripts/python-headers", "--check"], capture_output=True, text=True)
    tap.check(said.returncode == 0, "headers.current", said.stderr)
    structs = {n: t for n, t in anholo._library.struct.items()}
    lines = [f'printf("{n} %zu{" %zu" * len(t._fields_)}\\n", sizeof({n}), ' +
             ", ".join(f"offsetof({n}, {f})" for f, _ in t._fields_) + ");" for n, t in structs.items()]
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder, "sizes.c")
        source.write_text("#include <anholo/anholo.h>\n#include <stdio.h>\nint main(void)\n{\n" + "\n".join(lines) + "\n}\n")
        subprocess.run([os.environ.get("AH_CC", "cc"), "-w", f"-I{tap.ROOT}/include", source, "-o", folder + "/sizes"],
                       check=True)
        said = subprocess.run([folder + "/sizes"], capture_output=True, text=True).stdout
    import ctypes
    wrong = []
    for line in said.splitlines():
        name, *numbers = line.split()
        kind = structs[name]
        if list(map(int, numbers)) != [ctypes.sizeof(kind), *(getattr(kind, f).offset for f, _ in kind._fields_)]:
            wrong.append(line)
    tap.check(len(said.splitlines()) == len(structs) > 40 and not wrong, "headers.sizes", *wrong)


def alike(a, b):
    """The same but for the last digits: the program has a LAPACK of its own, the library that of the system."""
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(alike(a[k], b[k]) for k in a)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(alike, a, b))
    if isinstance(a, float) and isinstance(b, float):
        return math.isclose(a, b, rel_tol=1e-12, abs_tol=1e-12)
    return a == b


def check_program():
    """The same numbers as `simulate`, the same words as the commands."""
    model = tap.ROOT / "models/tire.ah"
    m = anholo.read(model, set={"m": 2})
    rows = list(csv.DictReader(io.StringIO(program("simulate", model, "--set", "m=2", "--to", "3", "--every", "0.25"))))
    tr = m.system().simulate(to=3, every=0.25)
    wrong = [n for n in ("t", "x", "theta", "psi'", "w5", "lambda[across]", "energy") if len(rows) != len(tr) or
             not np.allclose(tr[n], [float(r[n]) for r in rows], rtol=1e-7, atol=1e-8)]
    tap.check(not wrong, "program.simulate", len(rows), len(tr), *wrong)
    tap.check(m.check().json == json.loads(program("check", model, "--set", "m=2", "--json")), "program.check")
    claims = [c["verdict"] for c in json.loads(program("verify", tap.ROOT / "models/sleigh_talamucci.ah", "--json"))["claims"]]
    mine = anholo.read(tap.ROOT / "models/sleigh_talamucci.ah").verify()
    tap.check([c.verdict.word for c in mine] == claims and mine.claims[0].verdict == claims[0], "program.verify")
    said = json.loads(program("stability", model, "--set", "m=2", "--at", "w5=5, psi=0, w3=0", "--json"))
    mine = m.stability(at="w5=5, psi=0, w3=0")
    size = len(mine.motion.variables)
    eigenvalues = np.linalg.eigvals(np.reshape(mine.jacobian, (size, size)))
    tap.check(mine.verdict == said["verdict"] and np.allclose(sorted(eigenvalues.real), sorted(mine.spectrum.re), atol=1e-6),
              "program.stability", mine.verdict, said.get("verdict"))
    tap.check(m.stability(at={"w5": 5, "psi": 0, "w3": "0"}).json == mine.json, "program.at_dictionary")
    for question in ("integrals", "steady", "crosscheck", "derive"):
        answer = getattr(anholo.read(tap.ROOT / "models/sleigh_talamucci.ah"), question)()
        said = json.loads(program(question, tap.ROOT / "models/sleigh_talamucci.ah",
                                  *(["--format", "json"] if question == "derive" else ["--json"])))
        tap.check(alike(answer.json, said) and vars(answer.values), f"program.{question}", answer.json, said)


def check_numbers():
    m = anholo.parse(OSCILLATOR)
    s = m.system()
    tr = s.simulate()
    tap.check(np.allclose(tr["x"], np.cos(2*tr.t), atol=1e-8) and len(tr) == 201, "numbers.closed_form")
    tap.check(np.allclose([e.t for e in tr.events], [(2*i + 1)*math.pi/4 for i in range(6)], atol=1e-8) and
              [e.direction for e in tr.events] == [-1, 1]*3, "numbers.events", tr.events)
    tap.check(np.allclose(s.rhs(0, [0.5, 2]), [2, -2]) and np.allclose(s.jacobian(0, [0.5, 2]), [[0, 1], [-4, 0]]) and
              np.allclose(s.by_parameter(0, [0.5, 2]), [[0], [-0.5]]), "numbers.derivatives")
    tap.check(np.allclose(s.simulate(to=1, set={"k": 9})["x"][-1], math.cos(3)) and s.parameters == {"k": 4.0} and
              s.set(k=9).rhs(0, np.array([1.0, 0]))[1] == -9, "numbers.parameters")
    s.set(k=4)
    back = s.simulate(to=-1, every=0.3)
    tap.check(np.allclose(back.t, [0, -0.3, -0.6, -0.9]) and np.allclose(back["x"], np.cos(2*back.t)), "numbers.every")
    tr = anholo.parse(OSCILLATOR.replace("record", "stop")).system().simulate(every=0.5)
    tap.check(math.isclose(tr.t[-1], math.pi/4, abs_tol=1e-9) and "event" in tr.why and tr.events[-1].stop, "numbers.stop", tr)
    last = tr["x"]
    array = tr.array
    del m, s, tr, back
    gc.collect()
    tap.check(abs(last[-1]) < 1e-9 and not array.flags.writeable and array.base is not None, "numbers.outlive")
    results, shared = {}, anholo.parse(OSCILLATOR).system()

    def many(i):
        results[i] = [shared.rhs(0, [float(i), k])[0] == k and shared.rhs(0, [float(i), k])[1] == -4.0*i for k in range(500)]

    threads = [threading.Thread(target=many, args=(i,)) for i in range(4)]
    [x.start() for x in threads], [x.join() for x in threads]
    tap.check(all(all(results.get(i, [False])) for i in range(4)), "numbers.threads")


BELT = """parameter m = 2, k = 8
input u = 5*sin(t), s = 0
coordinate x, y
kinetic m*(x'^2 + y'^2)/2
potential k*x^2/2
force x = u
constraint belt: y = s
start x = 0, x' = 0, y = 0, y' = 0
simulate t = 0 .. 3
"""


def check_inputs():
    """m x'' = u - k x, y = s, in closed form: by formulas, rows, numbers, functions; the model stays as it was."""
    m = anholo.parse(BELT)
    s = m.system()
    t = s.simulate().t
    want = 5*np.sin(t)/6 - 5*np.sin(2*t)/12
    tap.check(np.allclose(s.simulate()["x"], want, atol=1e-8) and np.allclose(s.rhs(1, np.zeros(4))[2], 2.5*math.sin(1)),
              "inputs.own")
    tr = s.simulate(inputs={"s": "t^2"})
    tap.check(np.allclose(tr["y"], t**2, atol=1e-9) and np.allclose(tr["x"], want, atol=1e-8), "inputs.formula")
    tap.check(np.allclose(s.simulate(inputs={"u": ([0, 3], [0, 6])})["x"], t/4 - np.sin(2*t)/8, atol=1e-8), "inputs.rows")
    tap.check(np.allclose(s.simulate(inputs={"u": 4}, set={"m": 8})["x"], (1 - np.cos(t))/2, atol=1e-8), "inputs.number")
    tap.check([str(u) for u in m.inputs.values()] == ["5*sin(t)", "0"], "inputs.restored", m.inputs)
    fed = m.system(driven=False)
    tap.check(fed.set(u=3.0).rhs(0, np.array([0.25, 0, 0, 0]))[2] == 0.5 and "s''" in fed.parameters, "inputs.parameters")
    tap.check(np.allclose(fed.by_parameter(0, np.zeros(4))[:, fed.names["parameter"].index("u")], [0, 0, 0.5, 0]),
              "inputs.derivative")
    cases = {"name": (anholo.InputError, {"nobody": 1}), "type": (TypeError, {"u": object()}),
             "lengths": (ValueError, {"u": ([0, 1], [1, 2, 3])}), "order": (anholo.InputError, {"u": ([1, 0], [1, 2])}),
             "formula": (anholo.InputError, {"u": "x"}), "nan": (anholo.InputError, {"u": ([0, 1], [math.nan, 2])})}
    for name, (kind, inputs) in cases.items():
        tap.check(raised(kind, s.simulate, inputs=inputs), f"inputs.refused.{name}")
    tap.check([str(u) for u in m.inputs.values()] == ["5*sin(t)", "0"], "inputs.restored_after_errors", m.inputs)
    if not FULL and not importlib.util.find_spec("scipy"):
        tap.skip("inputs.functions", "without SciPy")
        return
    tr = s.simulate(inputs={"u": lambda t: 5*math.sin(t), "s": lambda t, y: (t**3, 3*t**2, 6*t)})
    tap.check(np.allclose(tr["x"], want, atol=1e-8) and np.allclose(tr["y"], t**3, atol=1e-9) and
              np.allclose(tr["lambda[belt]"], 12*t, atol=1e-7), "inputs.functions")
    damped = s.simulate(inputs={"u": lambda t, y: -4*y[2]}, y=[1, 0, -1, 0], t=0)  # x'' = -2 x' - 4 x
    w = math.sqrt(3)
    tap.check(np.allclose(damped["x"], np.exp(-t)*np.cos(w*t), atol=1e-8), "inputs.feedback")
    tap.check(raised(ZeroDivisionError, s.simulate, inputs={"u": lambda t: 1/0}) and
              raised(ValueError, s.simulate, inputs={"u": lambda t: math.nan}) and
              raised(ValueError, s.simulate, inputs={"s": lambda t: t}), "inputs.functions_refused")
    for name, words in {"every": {"every": 0}, "samples": {"samples": 1}, "to": {"to": math.nan}}.items():
        tap.check(raised(ValueError, s.simulate, inputs={"u": lambda t: t}, **words), f"inputs.functions_refused.{name}")
    check_events_of_driven()


WATCHED = """
parameter m = 2, k = 8
input u = 5*sin(t)
coordinate x, y
constraint c: x' = 2*y'
kinetic m*(x'^2 + y'^2)/2
potential k*x^2/2
force x = u
start x = 0.1, x' = 0, y = 0
simulate t = 0 .. 3
record "at rest" when x' = 0
record "fast" when x' = 0.5 rising
record "slow" when x' = 0.5 falling
record "pushed" when u + x = 1
record "turned" when x'' = 0
record "tight" when lambda[c] = 0
stop "far" when y = 0.4
"""


def check_events_of_driven():
    """The same input as a formula, by the library, and as a function of Python."""
    s = anholo.parse(WATCHED).system()
    for name, words in {"forwards": {}, "backwards": {"to": -2.0}}.items():
        want, got = s.simulate(**words), s.simulate(inputs={"u": lambda t: 5*math.sin(t)}, **words)
        same = [(a.label, a.direction, a.stop) for a in want.events] == [(b.label, b.direction, b.stop) for b in got.events]
        tap.check(same and len(want.events) > 3 and
                  all(abs(a.t - b.t) < 1e-7 and abs(b.value) < 1e-9 for a, b in zip(want.events, got.events)),
                  f"inputs.events.{name}", [want.events, got.events])
        tap.check(got.why == want.why and len(got) == len(want) and np.allclose(got["x"], want["x"], atol=1e-8),
                  f"inputs.events.{name}.rows", [got.why, len(got), len(want)])
    bounced = s.simulate(inputs={"u": lambda t, y: 3 + 8*y[0]}, to=9)  # a constant force is left
    tap.check(bounced.why == 'event "far"' and abs(bounced["y"][-1] - 0.4) < 1e-9, "inputs.events.feedback", bounced)


def check_refusals():
    error = raised(anholo.InputError, anholo.parse, "coordinate x\nkinetic m*x'^2/2", name="a.ah")
    tap.check(error and (error.line, error.column, error.file) == (2, 9, "a.ah") and "^" in str(error), "refused.place")
    m = anholo.parse(OSCILLATOR)
    s = m.system()
    other = anholo.parse(OSCILLATOR).expression("x")
    cases = {
        "file": (OSError, anholo.read, "no/such/file.ah"), "type": (TypeError, anholo.parse, 5),
        "set": (TypeError, lambda: anholo.parse(OSCILLATOR, set={"k": [1]})),
        "unset": (anholo.InputError, lambda: anholo.parse(OSCILLATOR, set={"nobody": 1})),
        "nan": (ValueError, lambda: anholo.parse(OSCILLATOR, set={"k": math.nan})),
        "method": (anholo.Error, m.system, "nosuch"), "method.type": (TypeError, m.system, 7),
        "derive": (anholo.Error, m.derive, "nosuch"),
        "state": (ValueError, s.rhs, 0, [1.0]), "state.2": (ValueError, s.rhs, 0, np.zeros((2, 2))),
        "state.scalar": (ValueError, s.rhs, 0, 1.0), "state.text": ((TypeError, ValueError), s.rhs, 0, ["a", "b"]),
        "time": (Exception, s.rhs, "now", [1.0, 0.0]), "none": ((TypeError, ValueError), s.rhs, 0, None),
        "parameter": (ValueError, lambda: s.set(nobody=1)), "parameter.nan": (ValueError, lambda: s.set(k=math.nan)),
        "quantity": (ValueError, s.evaluate, "nosuch", 0, [1.0, 0.0]),
        "integrator": (anholo.Error, lambda: s.simulate(integrator="nosuch")),
        "rtol": (anholo.Error, lambda: s.simulate(rtol=-1)), "to": (TypeError, lambda: s.simulate(to="later")),
        "to.nan": (ValueError, lambda: s.simulate(to=math.nan)), "t.nan": (ValueError, lambda: s.simulate(y=[1, 0], t=math.nan)),
        "infinite": (anholo.Error, lambda: s.simulate(to=math.inf)), "every": (ValueError, lambda: s.simulate(every=0)),
        "every.tiny": (anholo.Error, lambda: s.simulate(every=1e-300)),
        "samples": (ValueError, lambda: s.simulate(samples=1)), "samples.type": (TypeError, lambda: s.simulate(samples="5")),
        "samples.nan": (TypeError, lambda: s.simulate(samples=math.nan)), "samples.half": (TypeError, lambda: s.simulate(samples=2.5)),
        "samples.wraps": (ValueError, lambda: s.simulate(samples=2**64 + 11)),
        "y": (ValueError, lambda: s.simulate(y=[1])), "column": (KeyError, lambda: s.simulate()["nobody"]),
        "foreign": (ValueError, lambda: m.expression("x") + other), "finished": (ValueError, m.kinetic, 1),
        "expression": (anholo.InputError, m.expression, "x +"), "nul": (ValueError, m.expression, "x\0"),
        "truth": (TypeError, lambda: bool(m.expression("x"))), "empty": (anholo.InputError, anholo.Model("").check),
        "vector": (ValueError, lambda: anholo.Model("").gravity([1, 2])),
        "wrong sum": (TypeError, lambda: m.expression("x") + "y"),
    }
    for name, (kind, function, *arguments) in cases.items():
        tap.check(raised(kind, function, *arguments), f"refused.{name}")
    falls = anholo.parse("coordinate x\nkinetic x'^2/2\npotential -x^4\nstart x = 1, x' = 1\nsimulate t = 0 .. 10\n")
    error = raised(anholo.NumericError, falls.system().simulate)
    tap.check(error and len(error.trajectory) > 1 and error.trajectory.t[-1] < 2 and str(error), "refused.blows_up", error)


def check_unsolved():
    """Equations whose left sides are sums: shown as they stand, with the names they use; nothing is looked up in them."""
    m = anholo.parse("""parameter A = 1, B = 2, C = 3
input M = 0.2
coordinate e0, e1, e2, e3
let w1 = 2*(e0*e1' - e1*e0' + e3*e2' - e2*e3')
let w2 = 2*(e0*e2' - e2*e0' + e1*e3' - e3*e1')
let w3 = 2*(e0*e3' - e3*e0' + e2*e1' - e1*e2')
kinetic 1/2*(A*w1^2 + B*w2^2 + C*w3^2)
constraint unit: e0^2 + e1^2 + e2^2 + e3^2 = 1
force e1 = M*e0
""")
    d = m.derive()
    shown = d._repr_latex_()
    tap.check(all(e.unknown is None for e in d.equations) and d.names, "unsolved.sums", d.equations)
    tap.check(shown.count("&=") == len(d.equations) + len(d.names), "unsolved.latex", shown)
    used = {s.text for e in d.equations for s in e.shown.symbols} - {s.text for e in d.equations for s in e.value.symbols}
    tap.check(used and used <= {n.name.text for n in d.names}, "unsolved.names", used)
    tap.check(raised(KeyError, lambda: d["e0''"]), "unsolved.unknown")


def check_interrupt():
    """Ctrl-C in the middle of many short steps, and of one long call."""
    script = f"""import signal, anholo
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background ignores it
s = anholo.parse({ENDLESS!r}).system()
print("ready", flush=True)
try:
    s.simulate()
except KeyboardInterrupt:
    print("interrupted", s.simulate(to=1)["x"][-1], flush=True)
"""
    run = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                           env={**os.environ, "PYTHONPATH": str(tap.ROOT / "python")})
    run.stdout.readline()
    time.sleep(0.5)
    run.send_signal(signal.SIGINT)
    try:
        out, err = run.communicate(timeout=20)
    except subprocess.TimeoutExpired:
        run.kill()
        out, err = run.communicate()
    tap.check(run.returncode == 0 and out.startswith("interrupted") and
              math.isclose(float(out.split()[1]), math.cos(2), abs_tol=1e-8), "interrupt", out, err)


def check_lifetimes():
    """Collected in any order, a hundred times over, the process stays as large as it was."""
    def resident():
        return int(pathlib.Path("/proc/self/statm").read_text().split()[1])*os.sysconf("SC_PAGE_SIZE")

    def once():
        m = anholo.parse(OSCILLATOR)
        s = m.system(engine="interpret")
        tr = s.simulate()
        answers = [m.check(), m.derive()]
        e = answers[1].equations[0].value
        cycle = [m, s, tr, answers, e]
        cycle.append(cycle)
        s.back = cycle
        s.rhs(0, [1.0, 2.0])

    for _ in range(10):
        once()
    gc.collect()
    before = resident()
    for _ in range(60):
        once()
    gc.collect()
    grown = resident() - before
    tap.check(grown < 8e6, "lifetimes.memory", grown)
    # Python that overwrites what it has freed: a page read from there is none.
    words = "import sys, anholo; print(anholo.parse(sys.stdin.read()).report().html.rstrip()[-7:])"
    said = subprocess.run([sys.executable, "-c", words], input=OSCILLATOR, capture_output=True, text=True,
                          env={**os.environ, "PYTHONMALLOC": "debug", "PYTHONPATH": str(tap.ROOT / "python")})
    tap.check(said.stdout == "</html>\n", "lifetimes.page", said.stdout, said.stderr[-500:])


def check_installed():
    """By pip, in an environment with the system's packages: it carries the library."""
    with tempfile.TemporaryDirectory() as folder:
        def run(*command, **more):
            return subprocess.run(list(map(str, command)), capture_output=True, text=True, **more)

        sources = pathlib.Path(folder, "anholo")  # pip leaves a folder behind where it builds
        for part in ("python/pyproject.toml", "python/setup.py", "CMakeLists.txt"):
            (sources / part).parent.mkdir(parents=True, exist_ok=True)
            (sources / part).write_text((tap.ROOT / part).read_text())
        shutil.copytree(tap.ROOT / "python/anholo", sources / "python/anholo", ignore=shutil.ignore_patterns("__pycache__"))
        run(DEBIAN, "-m", "venv", "--system-site-packages", folder + "/env")
        made = run(folder + "/env/bin/pip", "install", "--no-build-isolation", "--no-deps", ".", cwd=sources / "python")
        env = {k: v for k, v in os.environ.items() if k != "ANHOLO_LIBRARY"}
        said = run(folder + "/env/bin/python", "-c", "import anholo; print(anholo._lib._name, anholo.__version__)",
                   cwd=folder, env=env)
        tap.check(said.stdout.startswith(folder) and anholo.__version__ in said.stdout, "installed", made.stderr, said.stderr)


def check_types():
    """The hints hold together, as mypy sees it."""
    if not shutil.which("mypy"):
        tap.skip("types", "mypy is not there")
        return
    with tempfile.TemporaryDirectory() as folder:
        said = subprocess.run(["mypy", f"--cache-dir={folder}", "anholo"], cwd=tap.ROOT / "python", capture_output=True, text=True)
    tap.check(said.returncode == 0, "types", said.stdout, said.stderr)


def check_documented():
    """Everything public says what it is, and functions have types."""
    silent, loose = [], []
    for name, o in vars(anholo).items():
        if name.startswith("_") or not getattr(o, "__module__", "").startswith("anholo"):
            continue
        members = inspect.getmembers(o) if inspect.isclass(o) and not issubclass(o, Exception) else []
        for key, x in [(name, o), *((f"{name}.{k}", x) for k, x in members if not k.startswith("_"))]:
            silent += [key] if (callable(x) or isinstance(x, property)) and not inspect.getdoc(x) else []
            loose += [key] if inspect.isfunction(x) and not x.__annotations__ else []
    tap.check_none(silent, "documented")
    tap.check_none(loose, "typed")


def check_tutorial():
    """The cells of docs/python.md, one after the other, print what is shown."""
    page = (tap.ROOT / "docs/python.md").read_text()
    names, line, flags = {}, 0, doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    os.chdir(tap.ROOT)
    for block in page.split("```pycon\n")[1:]:
        line += 1
        cell = block.split("```")[0]
        missing = [w for w in ("scipy", "pandas", "matplotlib") if not importlib.util.find_spec(w) and
                   (w in cell or w == "pandas" and ".frame()" in cell)]
        if missing and not FULL:
            tap.skip(f"tutorial.{line}", f"without {missing[0]}")
            continue
        said = io.StringIO()
        test = doctest.DocTestParser().get_doctest(cell, names, f"cell {line}", "docs/python.md", 0)
        runner = doctest.DocTestRunner(optionflags=flags)
        runner.run(test, out=said.write, clear_globs=False)
        names = test.globs
        tap.check(runner.failures == 0 and runner.tries, f"tutorial.{line}", said.getvalue())


check_headers()
check_program()
check_numbers()
check_inputs()
check_sweep()
check_refusals()
check_unsolved()
check_interrupt()
check_lifetimes()
check_documented()
check_tutorial()
if FULL:
    check_installed()
    check_types()
tap.done()

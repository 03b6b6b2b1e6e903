#!/usr/bin/env python3
"""FMUs of both versions in a host of our own: they move as `simulate` does, by model exchange and by co-simulation, and
keep what the standard asks for."""
import math
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import zipfile

sys.path.insert(0, str(pathlib.Path(__file__).parent / "harness"))
import exports
import fmu_host as fmu
import tap

MODELS = tap.ROOT / "models"
ROWS = 11


LOADED = {}  # a library that is in use must not be written over


def make(scratch, name, version):
    if (name, version) in LOADED:
        return LOADED[name, version]
    path = scratch / f"{name}{version}.fmu"
    exports.must(exports.ANHOLO, "export", "fmu", MODELS / f"{name}.ah", "-o", path, f"--fmi={version}")
    LOADED[name, version] = fmu.VERSIONS[version](path, scratch / f"{name}{version}")
    return LOADED[name, version]


def check_motions(scratch, version):
    shared = {2: ("tire", "bead_on_wire"), 3: ("ball", "first_integral")}  # one of them in either version is enough for a check
    for name in tap.amount(shared[version], sum(shared.values(), ()), sum(shared.values(), ())):
        want = exports.reference(MODELS / f"{name}.ah", ROWS)
        x = make(scratch, name, version)
        tap.check_none(exports.complaints(want, fmu.by_cosimulation(x, ROWS)), f"fmi{version}.cosimulation.{name}")
        tap.check_none(exports.complaints(want, fmu.by_exchange(x, ROWS)), f"fmi{version}.exchange.{name}")


def check_stop(scratch, version):
    """The ball's motion ends at t = 1, where it reaches the ground."""
    x = make(scratch, "ball", version)
    last = fmu.by_cosimulation(x, 8)[-1]
    tap.check(abs(last["t"] - 1) < 1e-9 and len(fmu.by_exchange(x, 8)) < 8, f"fmi{version}.stop", last)


def check_description(scratch, version):
    x = make(scratch, "tire", version)
    names, references = ([v[k] for v in x.variables] for k in ("name", "reference"))
    wrong = []
    if len(set(names)) < len(names) or len(set(references)) < len(references):
        wrong.append("names or value references occur twice")
    wrong += [f"{v['name']} is the derivative of {v['derivative']}" for v in x.variables
              if v["derivative"] and v["name"] != f"der({v['derivative']})"]
    units = {u.get("name") for u in x.xml.iter("Unit")}
    wrong += [f"unit {v['unit']} is not defined" for v in x.variables if v.get("unit") and v["unit"] not in units]
    wrong += [f"{v['name']} has no start" for v in x.variables if v.get("initial") == "exact" and not v.get("start")]
    wrong += [n for n in x.names if "\\" in n]
    tap.check_none(wrong, f"fmi{version}.description")
    # The derivatives of the description are those of the calls, in their order.
    x.open()
    x.begin()
    rates = x.derivatives(x.start, x.continuous_states())
    tap.check(x.get(*(f"der({s})" for s in x.states)) == rates, f"fmi{version}.derivatives")
    x.close()


def check_symbols(scratch, version):
    x = make(scratch, "tire", version)
    library = next((scratch / f"tire{version}/binaries").rglob("*.so"))
    listed = subprocess.run(["nm", "-D", "--defined-only", library], capture_output=True, text=True).stdout
    found = {line.split()[-1] for line in listed.splitlines()}
    tap.check(found == {f"fmi{version}{f}" for f in x.FUNCTIONS}, f"fmi{version}.symbols",
              found ^ {f"fmi{version}{f}" for f in x.FUNCTIONS})
    tap.check(len(found) == {2: 44, 3: 75}[version], f"fmi{version}.number_of_functions", len(found))


def check_states(scratch, version):
    x = make(scratch, "tire", version)
    x.open(exchange=False)
    x.begin(exchange=False)
    x.do_step(0, 0.3)
    kept = x.state()
    x.do_step(0.3, 0.4)
    first = x.get(*x.states)
    text = x.bytes_of(kept)
    x.restore(kept)
    x.do_step(0.3, 0.4)
    second = x.get(*x.states)
    x.restore(x.state_of(text))
    x.do_step(0.3, 0.4)
    tap.check(first == second == x.get(*x.states), f"fmi{version}.states", first, second)
    # Reset: from the beginning, the same again.
    x.call("Reset")
    x.close()
    # Another GUID is another FMU.
    try:
        x.open(guid="{00000000-0000-0000-0000-000000000000}")
        tap.check(False, f"fmi{version}.guid")
    except RuntimeError:
        tap.check(True, f"fmi{version}.guid")


def check_parameters(scratch, version):
    """A parameter that was set counts, and a constraint's makes the state move to it."""
    x = make(scratch, "double_pendulum", version)
    x.open(exchange=False)
    x.set("m1", 2.5)
    x.set("g", 5.0)
    x.begin(exchange=False)
    x.do_step(0, 1.0)
    said = exports.run(exports.ANHOLO, "simulate", MODELS / "double_pendulum.ah", "--set=m1=2.5,g=5", "--to=1",
                       "--samples=2", "--rtol=1e-13", "--atol=1e-15")
    want = exports.table(said.stdout)[-1]
    wrong = [n for n, v in zip(x.states, x.get(*x.states)) if exports.apart(v, want[n]) > 1e-9]
    tap.check_none(wrong, f"fmi{version}.parameters")
    x.close()


def check_directional(scratch, version):
    x = make(scratch, "tire", version)
    x.open()
    x.begin()
    y = x.continuous_states()
    seed = [0.3 - 0.1 * i for i in range(len(y))]
    h = 1e-6
    up, down = (x.derivatives(x.start, [a + s * h * b for a, b in zip(y, seed)]) for s in (1, -1))
    x.derivatives(x.start, y)
    rates = [f"der({s})" for s in x.states]
    got = x.directional(rates, x.states, seed)
    wrong = [(a, (p - q) / (2 * h)) for a, p, q in zip(got, up, down) if abs(a - (p - q) / (2 * h)) > 1e-7 * (1 + abs(a))]
    tap.check_none(wrong, f"fmi{version}.directional")
    if version == 3:  # w (J v) = (w J) v
        weight = [1 + 0.2 * i for i in range(len(y))]
        back = x.directional(rates, x.states, weight, "GetAdjointDerivative")
        a, b = (sum(p * q for p, q in zip(*pair)) for pair in ((weight, got), (back, seed)))
        tap.check(abs(a - b) < 1e-10 * (1 + abs(a)), "fmi3.adjoint", a, b)
    x.close()


def check_sources(scratch, version):
    """They compile without a warning."""
    make(scratch, "ball", version)
    folder = scratch / f"ball{version}/sources"
    said = exports.run(exports.CC, "-O0", *exports.STRICT, "-fsyntax-only", folder / "fmu.c", folder / "ball.c")
    tap.check(said.returncode == 0, f"fmi{version}.sources", said.stderr[:2000])
    paths = [scratch / f"same{version}{turn}.fmu" for turn in "ab"]
    for path in paths:
        exports.must(exports.ANHOLO, "export", "fmu", MODELS / "ball.ah", "-o", path, f"--fmi={version}")
    tap.check(paths[0].read_bytes() == paths[1].read_bytes(), f"fmi{version}.same")
    said = exports.must(exports.ANHOLO, "export", "fmu", MODELS / "ball.ah", "-o", paths[0], f"--fmi={version}", "--sources")
    tap.check("no binary" in said, f"fmi{version}.sources_alone", said)
    for variable, why in (("TMPDIR", "no_folder_to_compile_in"), ("PATH", "no_compiler")):
        without = {**os.environ, variable: str(scratch / "nowhere")}
        said = exports.must(exports.ANHOLO, "export", "fmu", MODELS / "ball.ah", "-o", scratch / "without.fmu", f"--fmi={version}", env=without)
        names = zipfile.ZipFile(scratch / "without.fmu").namelist()
        tap.check("sources alone" in said and "sources/fmu.c" in names and not any(n.startswith("binaries") for n in names),
                  f"fmi{version}.{why}", said, names)


DRIVEN = """parameter m = 2, k = 3
input u = sin(t), s = 0.2*t^2
unit u = "N"
coordinate x, y
kinetic m*(x'^2 + y'^2)/2
potential k*x^2/2
force x = u - 0.5*x'
constraint belt: y = s + 0.1*x
start x = 0, x' = 0, y = 0
simulate t = 0 .. 1
output power = u*x'
"""


def check_inputs(scratch, version):
    """Inputs are inputs: the model's functions of time until they are set, with rates where a constraint needs them."""
    model = scratch / "driven.ah"
    model.write_text(DRIVEN)
    path = scratch / f"driven{version}.fmu"
    exports.must(exports.ANHOLO, "export", "fmu", model, "-o", path, f"--fmi={version}")
    x = fmu.VERSIONS[version](path, scratch / f"driven{version}")
    kinds = {v["name"]: v for v in x.variables if v["causality"] == "input"}
    tap.check(sorted(kinds) == ["s", "s'", "s''", "u"] and kinds["u"]["unit"] == "N" and float(kinds["s''"]["start"]) == 0.4
              and all(v["variability"] == "continuous" for v in kinds.values()), f"fmi{version}.inputs", kinds)
    want = exports.reference(model, ROWS)
    tap.check_none(exports.complaints(want, fmu.by_cosimulation(x, ROWS)), f"fmi{version}.inputs.own")
    tap.check_none(exports.complaints(want, fmu.by_exchange(x, ROWS)), f"fmi{version}.inputs.own_exchange")

    def simulated(*words):
        said = exports.must(exports.ANHOLO, "simulate", model, "--to=1", "--samples=2", "--rtol=1e-13", "--atol=1e-15", *words)
        return exports.table(said)[-1]

    def compare(want, name):
        wrong = [(n, v, want[n]) for n, v in zip(x.states, x.get(*x.states)) if exports.apart(v, want[n]) > 1e-9]
        tap.check_none(wrong, f"fmi{version}.inputs.{name}")

    # One is held, the other goes on as the model says; then both, one with its rates.
    x.open(exchange=False)
    x.set("u", 0.25)
    x.begin(exchange=False)
    x.do_step(0, 1.0)
    compare(simulated("--input=u=0.25"), "one_held")
    tap.check(abs(x.get("s")[0] - 0.2) < 1e-15 and x.get("u") == [0.25], f"fmi{version}.inputs.get", x.get("s", "u"))
    x.close()
    x.open(exchange=False)
    x.set("u", 0.25)
    x.set("s", 0.0)
    if version == 2:
        for order, rate in ((1, 0.0), (2, 1.5)):
            x.call("SetRealInputDerivatives", (fmu.REFS * 1)(x.reference("s")), fmu.c.c_size_t(1),
                   (fmu.c.c_int * 1)(order), fmu.doubles([rate]))
    else:
        x.set("s'", 0.0)
        x.set("s''", 1.5)
    x.begin(exchange=False)
    x.do_step(0, 1.0)
    compare(simulated("--input=u=0.25", "--input=s=0.75*t^2"), "rates")
    # In model exchange the host brings them at every time.
    x.close()
    x.open()
    x.begin()
    y, h = x.continuous_states(), 1e-5
    rates = [f"der({s})" for s in x.states]
    by_input = x.directional(rates, ["u"], [1.0])
    x.set("u", 0.25)
    one = x.derivatives(0.0, y)
    x.set("u", 0.25 + h)
    two = x.derivatives(0.0, y)
    wrong = [(a, (q - p) / h) for a, p, q in zip(by_input, one, two) if abs(a - (q - p) / h) > 1e-7]
    tap.check_none(wrong, f"fmi{version}.inputs.directional")
    out = x.directional(["power"], ["u"], [1.0])[0]
    tap.check(abs(out - x.get("x'")[0]) < 1e-8, f"fmi{version}.inputs.output_derivative", out)
    x.close()


SWITCHED = """parameter k = 40, a = 0.4, mu = 0.1, T = 1.2
input u = if(t < T, 2*t, T), s = 0.1*abs(sin(2*t + 0.3)) + 0.05*abs(t - T)
coordinate x, y, z
kinetic (x'^2 + y'^2 + z'^2)/2
potential k*max(0, abs(x) - a)^2/2 + (z - y)^2
force x = -mu*sign(x')*(1 + x^2) + u*clamp(sin(3*t), -0.5, 0.5)
constraint belt: y = s + 0.1*z
start x = 0.1, x' = 1, z = 0, z' = 0
simulate t = 0 .. 4
output rate = x'', pull = lambda[belt]
"""
RESTS = """coordinate x
kinetic x'^2/2
force x = -0.3*sign(x')
start x = 0, x' = 1
simulate t = 0 .. 6
"""


def check_switches(scratch, version):
    """What switches is an event: sides stay between events, times are known to the host, the velocities jump at a corner."""
    for name, text in (("switched", SWITCHED), ("rests", RESTS)):
        model = scratch / f"{name}.ah"
        model.write_text(text)
        path = scratch / f"{name}{version}.fmu"
        exports.must(exports.ANHOLO, "export", "fmu", model, "-o", path, f"--fmi={version}")
        x = fmu.VERSIONS[version](path, scratch / f"{name}{version}")
        want = exports.reference(model, 21)
        tap.check_none(exports.complaints(want, fmu.by_cosimulation(x, 21)), f"fmi{version}.switches.{name}.cosimulation")
        tap.check_none(exports.complaints(want, fmu.by_exchange(x, 21)), f"fmi{version}.switches.{name}.exchange")
        for compiler in filter(shutil.which, (exports.CC, "clang")):
            said = exports.run(compiler, "-O0", *exports.STRICT, "-fsyntax-only", scratch / f"{name}{version}/sources/fmu.c",
                               scratch / f"{name}{version}/sources/{name}.c")
            tap.check(said.returncode == 0, f"fmi{version}.switches.{name}.sources.{compiler}", said.stderr[:2000])


def check_end(scratch, version):
    """A motion that ends by itself gets as far as it can and is terminated there, also for a host that tries the same step again."""
    ends = {  # dry friction that holds on neither side; the bend of a wire
        "chatters": ("coordinate x\nkinetic x'^2/2\nforce x = 0.2 - 0.5*sign(x')\nstart x = 0, x' = 1\n", 10 / 3, 5 / 3),
        "bend": ("coordinate x, y\npoint P mass 1 at (x, y)\ngravity (0, -9.81)\nconstraint wire: y = abs(x)\nstart x = 1\n",
                 math.sqrt(4 / 9.81), 0),
    }
    for name, (text, end, place) in ends.items():
        model = scratch / f"{name}.ah"
        model.write_text(text + "simulate t = 0 .. 6\n")
        path = scratch / f"{name}{version}.fmu"
        exports.must(exports.ANHOLO, "export", "fmu", model, "-o", path, f"--fmi={version}")
        x = fmu.VERSIONS[version](path, scratch / f"{name}{version}")
        x.open(exchange=False)
        x.begin(exchange=False)
        last = []
        for t, step in ((0.0, 6.0), (0.0, 6.0), (end, 0.5)):
            try:
                x.do_step(t, step)
            except (RuntimeError, fmu.Stopped) as how:
                last += how.args
        tap.check(len(last) == 3 and all(isinstance(t, float) and abs(t - end) < 1e-9 for t in last) and abs(x.get("x")[0] - place) < 1e-9,
                  f"fmi{version}.end.{name}", last, x.get("x"))


def check_grazes(scratch, version):
    """A stop that comes and goes within a step, of the one direction or the other: x = sin t is above 0.9999 for 0.028."""
    top = math.asin(0.9999)
    which, end = {2: ("", top), 3: (" falling", math.pi - top)}[version]
    model = scratch / "grazes.ah"
    model.write_text(f"coordinate x\nkinetic x'^2/2\npotential x^2/2\nstop when x = 0.9999{which}\nstart x = 0, x' = 1\nsimulate t = 0 .. 6\n")
    exports.must(exports.ANHOLO, "export", "fmu", model, "-o", scratch / "grazes.fmu", f"--fmi={version}")
    x = fmu.VERSIONS[version](scratch / "grazes.fmu", scratch / "grazes")
    last = fmu.by_cosimulation(x, 2)[-1]
    tap.check(abs(last["t"] - end) < 1e-9, f"fmi{version}.grazes", last, end)


KINKS = {  # constraints, the speed at x = -1, and where the motion ends or goes on to: x'' = g/2 on the way to the bend
    "bend": ("y = abs(x)", "5", lambda t: abs(t - (math.sqrt(25 + 9.81) - 5) / (9.81 / 2)) < 1e-12),
    "begins": ("y = abs(x + 1)", "5", lambda t: t == 0),
    "smooth": ("y = -x*abs(x)/4", "6", lambda t: t == 0.5),
}


def check_kinks(scratch, version):
    """Model exchange ends where a constraint has a kink, as the motion has come to it, and passes where velocities go on; also where the
    host does not look for the place of the event."""
    for name, (wire, speed, right) in KINKS.items():
        if name == {2: "begins", 3: "smooth"}[version]:  # one of them in either version is enough
            continue
        model = scratch / f"{name}.ah"
        model.write_text(f"coordinate x, y\npoint P mass 1 at (x, y)\ngravity (0, -9.81)\nconstraint wire: {wire}\n"
                         f"start x = -1, x' = {speed}\nsimulate t = 0 .. 0.5\n")
        path = scratch / f"kink_{name}{version}.fmu"
        exports.must(exports.ANHOLO, "export", "fmu", model, "-o", path, f"--fmi={version}")
        x = fmu.VERSIONS[version](path, scratch / f"kink_{name}{version}")
        last, want = fmu.by_exchange(x, 3)[-1], exports.simulated(model, 3, 1e-12)[-1]
        tap.check(right(last["t"]), f"fmi{version}.kinks.{name}", last)
        if name == "bend":
            tap.check(abs(last["x'"] ** 2 - 25 - 9.81) < 1e-9, f"fmi{version}.kinks.{name}.speed", last)
        else:
            tap.check(all(abs(last[k] - want[k]) < 1e-9 for k in ("x", "y", "x'", "y'")), f"fmi{version}.kinks.{name}.state", last)
        rough = fmu.by_euler(x, 200)
        tap.check(0 <= rough - last["t"] < 0.005, f"fmi{version}.kinks.{name}.euler", rough)


def check_refused(scratch):
    model = scratch / "m.ah"
    model.write_text("coordinate x\nkinetic x'^2/2\n")
    said = exports.run(exports.ANHOLO, "export", "fmu", model, "-o", scratch / "m.fmu")
    tap.check(said.returncode == 1 and "start" in said.stderr and not (scratch / "m.fmu").exists(), "no_start", said.stderr)
    said = exports.run(exports.ANHOLO, "export", "fmu", model, "-o", scratch / "no" / "m.fmu")
    tap.check(said.returncode == 1, "no_folder", said.stderr)


for number in (2, 3):
    with tempfile.TemporaryDirectory() as folder:
        here = pathlib.Path(folder)
        for check in (check_motions, check_stop, check_description, check_symbols, check_states):
            check(here, number)
        # The same code in both versions: in ./check each of these in one of them.
        both = (check_parameters, check_directional, check_inputs, check_switches, check_end, check_grazes, check_kinks, check_sources)
        for check in tap.amount(both[number - 2::2], both, both):
            check(here, number)
        if number == 2:
            check_refused(here)
tap.done()

#!/usr/bin/env python3
"""`anholo export`: code in other languages moves as `simulate` does, compiles without a warning, is the
same every time, and bad input leaves nothing behind."""
import ctypes
import json
import math
import os
import pathlib
import re
import shutil
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent / "harness"))
import exports
import tap

MODELS = tap.ROOT / "models"
# Of every kind: holonomic, linear, affine, rheonomic, non-linear constraints; stops; bad pivots on the way; outputs.
TEN = ["tire", "double_pendulum", "skate_pendulum", "ball", "point_45", "rigid_body", "bead_on_wire", "boltzmann_hamel",
       "cart", "affine_constraint"]
ROWS = 11


def check_ten(scratch):
    for name in TEN:
        model = MODELS / f"{name}.ah"
        want = exports.reference(model, ROWS)
        for language in ("c", "js", "python"):
            lack = exports.missing(language)
            if lack:
                tap.skip(f"{language}.{name}", f"{lack} is not there")
                continue
            folder = scratch / f"{language}_{name}"
            exports.export(language, model, folder)
            got = exports.LANGUAGES[language](model, folder, ROWS)
            tap.check_none(exports.complaints(want, got), f"{language}.{name}")


def written_example(text, mark):
    """The lines of code that the first comment shows, without what is said beside them."""
    lines = [l[len(mark):] for l in text.split("State y")[0].splitlines() if l.startswith(mark + "     ")]
    return "\n".join(re.split(r"\s{2,}", l.strip())[0] for l in lines)


def check_examples(scratch):
    """What a file shows about its own use is code that runs."""
    python = scratch / "python_tire"
    shown = written_example((python / "tire.py").read_text(), "#")
    said = exports.run(sys.executable, "-c", "t, y = 0, [0.1]*10\n" + shown + "\nassert p.m == 2", cwd=python)
    tap.check("Parameters(m=2)" in shown and said.returncode == 0, "example.python", shown, said.stderr)
    c = scratch / "c_tire"
    shown = written_example((c / "tire.h").read_text(), " *")
    (c / "shown.c").write_text('#include "tire.h"\nint main(void)\n{\n    double t = 0, y[TIRE_STATES] = {0}, dy[TIRE_STATES];\n'
                               + shown + "\n    return p.m == 2 ? 0 : 1;\n}\n")
    said = exports.run(exports.CC, c / "shown.c", c / "tire.c", "-o", c / "shown", "-lm")
    tap.check(said.returncode == 0 and exports.run(c / "shown").returncode == 0, "example.c", shown, said.stderr)
    if not exports.missing("js"):
        shown = written_example((scratch / "js_tire" / "tire.js").read_text(), "//")
        said = exports.run("node", "-e", "const t = 0, y = new Float64Array(10), dy = new Float64Array(10);\n" + shown +
                           "\nif (p.m !== 2) throw 1;", cwd=scratch / "js_tire")
        tap.check(said.returncode == 0, "example.js", shown, said.stderr)


def check_compilers(scratch):
    """No warning of any compiler, as C and as C++, in double and in float."""
    for real in ("double", "float"):
        folder = scratch / f"strict_{real}"
        exports.export("c", MODELS / "skate_pendulum.ah", folder, f"--real={real}")
        for compiler in ("gcc", "clang"):
            if not shutil.which(compiler):
                tap.skip(f"strict.{real}.{compiler}", "it is not there")
                continue
            for extra in ([], ["-x", "c++", "-std=c++11", "-Wno-deprecated"]):
                flags = [f for f in exports.STRICT if not extra or f != "-std=c99"]
                files = [folder / "skate_pendulum.c", folder / "main.c"]
                said = exports.run(compiler, "-O1", *flags, *extra, "-fsyntax-only", *files)
                name = f"strict.{real}.{compiler}{'.c++' if extra else ''}"
                tap.check(said.returncode == 0, name, said.stderr[:2000])


def check_float(scratch):
    model = MODELS / "tire.ah"
    folder = scratch / "float"
    exports.export("c", model, folder, "--real=float")
    text = (folder / "tire.c").read_text()
    tap.check("double" not in text, "float.no_double")
    exports.must(exports.CC, "-O1", *exports.STRICT, folder / "tire.c", folder / "main.c", "-o", folder / "tire", "-lm")
    got = exports.table(exports.must(folder / "tire", "2", "3", "1e-5"))
    want = exports.table(exports.run(exports.ANHOLO, "simulate", model, "--to=2", "--samples=3").stdout)
    wrong = [k for k in got[-1] if k in want[-1] and exports.apart(got[-1][k], want[-1][k]) > 1e-4]
    tap.check_none(wrong, "float.motion")


def differences(f, x):
    """The columns of the derivatives of f by central differences."""
    columns = []
    for i in range(len(x)):
        h = 1e-6 * (1 + abs(x[i]))
        up, down = ([v + s * h * (j == i) for j, v in enumerate(x)] for s in (1, -1))
        columns.append([(a - b) / (2 * h) for a, b in zip(f(up), f(down))])
    return columns


def check_derivatives(scratch):
    """Jacobian and derivatives by parameters and time against differences; accelerations against y'."""
    for name in ("tire", "cart", "bead_on_wire"):
        model = MODELS / f"{name}.ah"
        folder = scratch / f"d_{name}"
        exports.export("python", model, folder)
        m = exports.load(model, folder)
        p, (t, y) = m.Parameters(), m.START
        y = m.advance(p, t, y, t + 0.3)[0]
        t += 0.3
        names = [n for n in p.__dict__ if n != "c"]
        by_parameters = differences(
            lambda x: m.rhs(m.Parameters(**dict(zip(names, x))), t, y), [getattr(p, n) for n in names])
        cases = {"jacobian": (m.jacobian, differences(lambda x: m.rhs(p, t, x), y)),
                 "by_parameters": (m.by_parameters, by_parameters),
                 "by_time": (m.by_time, differences(lambda x: m.rhs(p, x[0], y), [t]))}
        for what, (f, columns) in cases.items():
            exact, wide = f(p, t, y), len(columns)
            scale = 1 + max(map(abs, exact))
            wrong = [f"{i},{j}: {exact[i * wide + j]} is {columns[j][i]}" for i in range(m.STATES)
                     for j in range(wide) if abs(exact[i * wide + j] - columns[j][i]) > 1e-7 * scale]
            tap.check_none(wrong, f"{what}.{name}")
        # q'' along the motion: the change of q' by time.
        h = 1e-5
        ahead, behind = (m.velocities(p, t + s, m.advance(p, t, y, t + s, 1e-13, 1e-15)[0]) for s in (h, -h))
        slope = [(a - b) / (2 * h) for a, b in zip(ahead, behind)]
        found = m.accelerations(p, t, y)
        tap.check(all(abs(a - b) < 1e-7 * (1 + abs(b)) for a, b in zip(found, slope)), f"accelerations.{name}",
                  found, slope)
        # A state off the constraints comes back to them.
        moved = [v + 1e-3 * (i % 3 - 1) for i, v in enumerate(y)]
        m.project(p, t, moved)
        left = m.residuals(p, t, moved) if hasattr(m, "residuals") else [0.0]
        tap.check(max(map(abs, left)) < 1e-11, f"projection.{name}", left)
        # One step of RK4 is of order 4.
        errors = []
        for h in (0.02, 0.01):
            exact = m.advance(p, t, y, t + h, 1e-14, 1e-16)[0]
            errors.append(max(abs(a - b) for a, b in zip(m.rk4(p, t, h, y), exact)))
        tap.check(errors[1] < 1e-13 or 20 < errors[0] / errors[1] < 50, f"rk4.{name}", errors)


def check_parameters(scratch):
    """Other values: prepared code and a model that has them say the same; the start does not depend on them."""
    model = MODELS / "double_pendulum.ah"
    folder = scratch / "other"
    exports.export("python", model, folder)
    m = exports.load(model, folder)
    p = m.Parameters(m1=2.5, g=5)
    got = m.advance(p, *m.START, 1.0, 1e-13, 1e-15)[0]
    said = exports.run(exports.ANHOLO, "simulate", model, "--set=m1=2.5,g=5", "--to=1", "--samples=2", "--rtol=1e-13",
                       "--atol=1e-15")
    want = exports.table(said.stdout)[-1]
    wrong = [(n, v, want[n]) for n, v in zip(exports.names_of(m, "states"), got) if exports.apart(v, want[n]) > 1e-9]
    tap.check_none(wrong, "parameters")


KEYWORDS = """system "Names */ that are words ??/ of languages"
parameter double = 1, lambda = 2, end = 3, class = 4, c = 5, ℓ = 6, PART = 7, ALONE = 8, SELDOM = 9, M[1..2]
coordinate for, x[1..2], x_1
kinetic double*for'^2/2 + lambda*x[1]'^2/2 + class*x[2]'^2/2 + c*x_1'^2/2 + M[1]*for'*x[1]'/100
potential end*for^2/2 + ℓ*x[1]^2/2 + PART*x[2]^2 + ALONE*x_1^2 + SELDOM*for*x_1 + M[2]*x[2]
start for = 1, x[1] = 0.5, x[2] = 0.1, x_1 = 0.2
simulate t = 0 .. 1
output switch = for + x[1]
"""


DRIVEN = """parameter m = 2, k = 3, a = 0.7
input u = a*sin(t), s = 0.2*t^2, f = 1
coordinate x, y
kinetic m*(x'^2 + y'^2)/2
potential k*x^2/2
force x = u - 0.5*x' + f
constraint belt: y = s + 0.1*x
start x = 0, x' = 0, y = 0
simulate t = 0 .. 1
output power = u*x'
"""


def check_inputs(scratch):
    """By themselves inputs are what the model says; held and driven by a hook they are what `simulate --input` does with
    the same functions; rates of those that stand in constraints come with them."""
    model = scratch / "driven.ah"
    model.write_text(DRIVEN)
    own = exports.reference(model, ROWS)
    others = {"u": "3", "s": "t^3/4 + t^2", "f": "0"}
    said = exports.run(exports.ANHOLO, "simulate", model, "--to=1", "--samples=2", "--rtol=1e-13", "--atol=1e-15",
                       *(f"--input={name}={value}" for name, value in others.items()))
    want = exports.table(said.stdout)[-1]
    for language in ("c", "js", "python"):
        if not exports.missing(language):
            folder = scratch / f"driven_{language}"
            exports.export(language, model, folder)
            tap.check_none(exports.complaints(own, exports.LANGUAGES[language](model, folder, ROWS)), f"inputs.{language}")
    m = exports.load(model, scratch / "driven_python")

    def drive(p, t, y, u):
        u.s, u.s_dot, u.s_ddot, u.t_s_ = t**3 / 4 + t * t, 3 * t * t / 4 + 2 * t, 1.5 * t + 2, t

    def compare(got, name):
        wrong = [(n, v, want[n]) for n, v in zip(exports.names_of(m, "states"), got) if exports.apart(v, want[n]) > 1e-9]
        tap.check_none(wrong, name)

    p = m.Parameters()
    p.inputs.u, p.inputs.f, p.drive = 3, 0, drive
    y = m.START[1]
    compare(m.advance(p, 0.0, y, 1.0, 1e-13, 1e-15)[0], "inputs.hook")
    # Held with its rates: exact as long as the third one is nothing.
    p.drive = None
    p.inputs.s, p.inputs.s_dot, p.inputs.s_ddot, p.inputs.t_s_ = 0.0, 0.0, 1.5, 0.0
    held = exports.run(exports.ANHOLO, "simulate", model, "--to=1", "--samples=2", "--rtol=1e-13", "--atol=1e-15",
                       "--input=u=3", "--input=f=0", "--input=s=0.75*t^2")
    want = exports.table(held.stdout)[-1]
    compare(m.advance(p, 0.0, y, 1.0, 1e-13, 1e-15)[0], "inputs.held")


LINEAR_C = """#include "driven.h"
#include <stdio.h>
static void put(const char *name, const double *x, int count)
{
    int i;
    printf("\\"%s\\": [", name);
    for (i = 0; i < count; i++) printf("%s%.17g", i ? ", " : "", x[i]);
    printf("], ");
}
int main(void)
{
    enum { N = DRIVEN_LINEAR_STATES, M = DRIVEN_LINEAR_INPUTS, P = DRIVEN_LINEAR_OUTPUTS };
    const driven_linear_model *l = driven_linear();
    printf("{");
    put("A", l->A, N * N), put("B", l->B, N * M), put("C", l->C, P * N), put("D", l->D, P * M);
    put("rate", l->rate, N), put("y", l->y, N), put("u", l->u, M);
    printf("\\"o\\": []}");
    return 0;
}
"""
LINEAR_OCTAVE = """m = driven (); l = m.linear;
f = fieldnames (l);
printf ("{");
for i = 1:numel (f)
  x = l.(f{i})';
  printf ("\\"%s\\": [%s], ", f{i}, strjoin (arrayfun (@(v) sprintf ("%.17g", v), x(:)', "UniformOutput", false), ", "));
end
printf ("\\"o\\": []}");
"""


def flat(x):
    return [v for row in x for v in flat(row)] if isinstance(x, list) else [x]


def linear_of(language, model, folder):
    """The linear model as the exported code has it, every matrix row after row."""
    if language == "c":
        (folder / "linear.c").write_text(LINEAR_C)
        exports.must(exports.CC, *exports.STRICT, folder / "linear.c", folder / "driven.c", "-o", folder / "linear", "-lm")
        return json.loads(exports.must(folder / "linear"))
    if language == "octave":
        return json.loads(exports.must("octave-cli", "-q", "--no-init-file", "--path", folder, "--eval", LINEAR_OCTAVE))
    if language == "js":
        said = json.loads(exports.must("node", "-e", "console.log(JSON.stringify(require(process.argv[1]).linear))",
                                       folder / "driven.js"))
        at = {k: [x["value"] for x in said[n]] for k, n in (("y", "states"), ("u", "inputs"))}
    else:
        said = exports.load(model, folder).LINEAR
        at = {k: [x[2] for x in said[n]] for k, n in (("y", "states"), ("u", "inputs"))}
    return {k: flat(said[k]) for k in ("A", "B", "C", "D", "rate")} | at


def check_linear(scratch):
    """Linear models in exports are those of `linearise`; where there is none nothing is written."""
    model = scratch / "driven.ah"
    model.write_text(DRIVEN.replace("0.2*t^2", "0.2").replace("y = 0\n", "y = 0.2\n"))  # a belt that rests
    none = scratch / "falling.ah"
    none.write_text("parameter g = 9.81\ncoordinate z\nkinetic z'^2/2\npotential g*z\nstart z = 0\n")
    for kind, *words in (["inputs", "--inputs=u", "--outputs=x,2*x'"], ["all"], ["any", "--any-state", "--at=x=0.3,x'=0.2,y=0.23,y'=0.02"]):
        want = json.loads(exports.must(exports.ANHOLO, "linearise", model, "--json", *words))
        for language in ("c", "js", "python", "octave"):
            if exports.missing(language):
                continue
            folder = scratch / f"linear_{kind}_{language}"
            exports.export(language, model, folder, "--linear", *words)
            got = linear_of(language, model, folder)
            wrong = [f"{k}: {got[k]}, not {flat(want[k])}" for k in ("A", "B", "C", "D", "rate") if got[k] != flat(want[k])]
            wrong += [] if got["u"] == [i["value"] for i in want["inputs"]] else [f"u: {got['u']}"]
            wrong += [] if got["y"] == [want["state"][v] for v in want["variables"]] else [f"y: {got['y']}"]
            tap.check_none(wrong, f"linear.{kind}.{language}")
    for name, words, status, says in (("none", ["c", none, "--linear"], 1, "A0621"),
                                      ("fmu", ["fmu", model, "--linear"], 1, "directional"),
                                      ("option", ["c", model, "--whole"], 2, "is for `--linear`"),
                                      ("unknown", ["c", model, "--linear", "--inputs=nobody"], 1, "nobody")):
        said = exports.run(exports.ANHOLO, "export", *words, "-o", scratch / "no_linear")
        tap.check(said.returncode == status and says in said.stderr and not (scratch / "no_linear").exists(),
                  f"linear.refused.{name}", said.returncode, said.stderr)


CART = """parameter M = 2, m = 0.5, l = 0.8, g = 9.81
input F = 0
coordinate x, th
kinetic M*x'^2/2 + m*((x' + l*cos(th)*th')^2 + (l*sin(th)*th')^2)/2
potential m*g*l*cos(th)
force x = F
start x = 0, th = 0
output tip = x + l*sin(th)
"""
FORMULAS = {
    "c": """#include "NAME.h"
#include <stdio.h>
int main(void)
{
    NAME_parameters p;
    double y[] = {STATE}, out[COUNT];
    int i;
    NAME_defaults(&p);
    p.m = 3;
    NAME_prepare(&p);
    if (!NAME_linearised(&p, 0, y, out)) return 1;
    for (i = 0; i < COUNT; i++) printf("%.17g\\n", out[i]);
    return 0;
}
""",
    "js": """const m = require("./NAME.js"), p = m.defaults(), out = new Float64Array(COUNT);
p.m = 3; m.prepare(p);
if (!m.linearised(p, 0, [STATE], out)) throw 1;
console.log(Array.from(out).join("\\n"));""",
    "python": "import NAME\nprint(*NAME.linearised(NAME.Parameters(m=3), 0, [STATE]), sep='\\n')"}


def check_linear_formulas(scratch):
    """Where `linearise` has symbols, exports have the matrices for any parameters; what they keep of the state is read from it."""
    (scratch / "balanced.ah").write_text(CART)
    (scratch / "blade.ah").write_text((MODELS / "skate.ah").read_text())
    for name, words, state in (("balanced", ["--whole"], "0, 0, 0, 0"), ("blade", ["--any-state"], "0.1, 0.2, 0.3, 0.4, 0.5")):
        model = scratch / f"{name}.ah"
        at = ["--at=x=0.1,y=0.2,theta=0.3,z1=0.4,z2=0.5"] if name == "blade" else []
        said = json.loads(exports.must(exports.ANHOLO, "linearise", model, "--json", "--set=m=3", *words, *at))
        want = [v for k in "ABCD" for v in flat(said[k])]
        for language in ("c", "js", "python"):
            if exports.missing(language):
                continue
            folder = scratch / f"formulas_{name}_{language}"
            exports.export(language, model, folder, "--linear", *words)
            program = FORMULAS[language].replace("NAME", name).replace("STATE", state).replace("COUNT", str(len(want)))
            if language == "c":
                (folder / "use.c").write_text(program)
                exports.must(exports.CC, *exports.STRICT, folder / "use.c", folder / f"{name}.c", "-o", folder / "use", "-lm")
            start = {"c": [folder / "use"], "js": ["node", "-e", program], "python": [sys.executable, "-c", program]}[language]
            got = list(map(float, exports.must(*start, cwd=folder).split()))
            wrong = [(i, a, b) for i, (a, b) in enumerate(zip(got, want)) if exports.apart(a, b) > 1e-13]
            tap.check(len(got) == len(want) and not wrong, f"linear.formulas.{name}.{language}", wrong, len(got), len(want))


def check_names(scratch):
    """Names that are keywords are renamed, in every language."""
    model = scratch / "default_.ah"
    model.write_text(KEYWORDS.replace(", M[1..2]", "").replace(" + M[1]*for'*x[1]'/100", "").replace(" + M[2]*x[2]", ""))
    want = exports.reference(model, ROWS)
    for language in ("c", "js", "python"):
        if exports.missing(language):
            continue
        folder = scratch / f"names_{language}"
        exports.export(language, model, folder)
        tap.check_none(exports.complaints(want, exports.LANGUAGES[language](model, folder, ROWS)), f"names.{language}")
    # Macros of the headers, which strict C99 hides and C++ does not.
    model.write_text("input idle = 0\nparameter M_PI = 2, M_E = 3, OVERFLOW = 1, RAND_MAX = 1, BUFSIZ = 2\ncoordinate x\nkinetic M_PI*x'^2\n"
                     "potential M_E*OVERFLOW*RAND_MAX*BUFSIZ*x^2\nstart x = 1\nsimulate t = 0 .. 1\n")
    exports.export("c", model, scratch / "macros")
    for file in ("default_.c", "main.c"):
        done = exports.run(exports.CC, "-std=gnu17", "-D_GNU_SOURCE", "-Wall", "-Werror", "-c", scratch / "macros" / file, "-o", scratch / "macros/it.o")
        tap.check(done.returncode == 0, f"names.macros.{file}", done.stderr[-800:])


def check_parts(scratch):
    """Long functions in parts: a driven rattleback, whose derivatives are long, gives in C what it gives in Python, where nothing is
    cut; no function of the bicycle is long."""
    model = scratch / "driven_stone.ah"
    model.write_text((MODELS / "rattleback.ah").read_text() + "input push = 0.01*cos(t)\nforce alpha = push\n")
    exports.export("c", model, scratch / "parts_c")
    exports.export("python", model, scratch / "parts_python")
    library = scratch / "parts_c/stone.so"
    exports.must(exports.CC, *exports.STRICT, "-O1", "-ffp-contract=off", "-fPIC", "-shared", scratch / "parts_c/driven_stone.c",
                 "-o", library, "-lm")
    c, m = ctypes.CDLL(str(library)), exports.load(model, scratch / "parts_python")
    tap.check("jacobian_1(" in (scratch / "parts_c/driven_stone.c").read_text(), "parts.there")
    room = (ctypes.c_double * 100000)()  # more than the structure of the parameters
    c.driven_stone_defaults(room)
    p, y = m.Parameters(), list(m.START[1])
    y = [v + 0.01 * i for i, v in enumerate(y)]
    for name in ("rhs", "jacobian", "by_parameters"):
        want = getattr(m, name)(p, 0.3, y)
        out = (ctypes.c_double * len(want))()
        good = getattr(c, f"driven_stone_{name}")(room, ctypes.c_double(0.3), (ctypes.c_double * len(y))(*y), out)
        tap.check(good == 1 and list(out) == list(want), f"parts.{name}", good,
                  max(abs(a - b) for a, b in zip(out, want)))
    exports.export("c", MODELS / "bicycle.ah", scratch / "parts_bicycle")
    bodies = (scratch / "parts_bicycle/bicycle.c").read_text().split("\n}\n")
    tap.check(max(body.count("\n") for body in bodies) < 1500, "parts.short", max(body.count("\n") for body in bodies))


# Systems that switch: each kind of place, in forces, potentials, inputs and constraints.
SWITCHING = {
    "stops": """parameter m = 1, k = 40, a = 0.4, mu = 0.1
coordinate x
kinetic m*x'^2/2
potential k*max(0, abs(x) - a)^2/2
force x = -mu*sign(x')*(1 + x^2) + 2*clamp(sin(3*t), -0.5, 0.5)
start x = 0.1, x' = 1
simulate t = 0 .. 6
output side = if(x > 0.2, 1, 2)*x
""",
    "rests": """parameter mu = 0.3
coordinate x
kinetic x'^2/2
force x = -mu*sign(x')
start x = 0.1, x' = 1
simulate t = 0 .. 6
""",
    "rod": """parameter g = 9.81
coordinate x, y
kinetic (x'^2 + y'^2)/2
potential g*y + if(x > 0.3, 20*(x - 0.3)^2, 0)
force x = -0.5*step(x)*x' + max(0, y' - 0.5)
constraint rod: x^2 + y^2 = 1
start x = 0.8, y = -0.6, x' = 0, y' = 0
simulate t = 0 .. 5
""",
    "rows": """parameter T = 1
input u = if(t < T, 2*t, if(t < 2*T, 2, 1 - sin(t))), s = 0.1*abs(sin(2*t)) + 0.05*abs(t - 1.3)
coordinate x, y, z
kinetic (x'^2 + y'^2 + z'^2)/2
potential 3*x^2/2 + 3*(x - y)^2/2
force x = u - 0.2*x' + 3*max(0, t - 0.5) - 3*max(0, t - 0.7)
force z = 0.3*sign(u - 1)
constraint belt: y = s + 0.1*x
start x = 0, x' = 0, z = 0, z' = 0
simulate t = 0 .. 4
output force_ = u, rate = x'', pull = lambda[belt], power = u*x''
""",
    "skate": """parameter m = 1, J = 0.3, c = 0.2, T = 0.7
coordinate x, y, theta
kinetic m*(x'^2 + y'^2)/2 + J*theta'^2/2
constraint blade: x'*sin(theta) - y'*cos(theta) = 0
velocity v, w: x' = v*cos(theta), y' = v*sin(theta), theta' = w
force x = -c*x' + if(t < T, 2, 0)*cos(theta) - 0.4*step(x - 1)
force y = -c*abs(y')*y'
force theta = -0.1*sign(theta')*theta'^2 + 0.5*max(0, sin(5*t))
start x = 0, y = 0, theta = 0.2, v = 0.5, w = 0.3
simulate t = 0 .. 4
""",
    "narrow": """coordinate x, y
kinetic (x'^2 + y'^2)/2
potential x^2/2 + y^2/2
force y = 5*min(0, x + 0.99)
start x = 1, x' = 0, y = 0.3, y' = 0
simulate t = 0 .. 8
""",
    "redundant": """coordinate x, y, z
kinetic (x'^2 + y'^2 + z'^2)/2
potential 2*x^2 + (y - z)^2
constraint a: x' + y' - z' = 0.1*abs(sin(t))
constraint b: 2*x' + 2*y' - 2*z' = 0.2*abs(sin(t))
force z = -clamp(3*z', -0.3, 0.3)
start x = 0.5, y = 0, z = 0, x' = 0.2, y' = 0.1
simulate t = 0 .. 5
"""}
CHATTERS = """coordinate x
kinetic x'^2/2
force x = 0.2 - 0.5*sign(x')
start x = 0, x' = 1
simulate t = 0 .. 6
"""


def check_switches(scratch):
    """Where something switches steps end, as those of `simulate`: the same motions, to the last digits that it has itself."""
    for turn, (name, text) in enumerate(SWITCHING.items()):
        model = scratch / f"{name}.ah"
        model.write_text(text)
        want = exports.reference(model, 25)
        if name == "rows":  # forces that jump are shown just behind the time of a row, with what stands beside them
            row = next(r for r in want if r["t"] == 2)
            tap.check(abs(row["power"] - (1 - math.sin(2))*row["rate"]) < 1e-12 and abs(row["rate"]) > 0.1, "switches.behind", row)
        for language in tap.amount((("python", "c")[turn % 2],), ("c", "js", "python", "octave"), ("c", "js", "python", "octave")):
            if exports.missing(language):
                continue
            folder = scratch / f"switching_{name}_{language}"
            exports.export(language, model, folder)
            got = exports.LANGUAGES[language](model, folder, 25)
            wrong = [*exports.complaints(want, got), *([] if len(want) == 25 else ["`simulate` itself is not sure"])]
            tap.check_none(wrong, f"switches.{name}.{language}")
    for compiler in ("gcc", "clang"):
        for real in ("double", "float"):
            folder = scratch / f"strict_switches_{real}"
            exports.export("c", scratch / "rows.ah", folder, f"--real={real}")
            for extra in (["-std=c99"], ["-x", "c++", "-std=c++11", "-Wno-deprecated"]):
                if shutil.which(compiler):
                    flags = [f for f in exports.STRICT if f != "-std=c99"]
                    said = exports.run(compiler, "-O1", *flags, *extra, "-fsyntax-only", folder / "rows.c", folder / "main.c")
                    tap.check(said.returncode == 0, f"switches.strict.{real}.{compiler}.{extra[-1]}", said.stderr[:2000])
    (scratch / "chatters.ah").write_text(CHATTERS)
    exports.export("python", scratch / "chatters.ah", scratch / "chatters")
    m = exports.load(scratch / "chatters.ah", scratch / "chatters")
    p, (t, y) = m.Parameters(), m.START
    y, h = m.advance(p, t, y, 3.0)
    try:
        m.advance(p, 3.0, y, 6.0, h=h)
        tap.check(False, "switches.chatters")
    except ArithmeticError as why:
        tap.check("3.33333" in str(why) and p.sides is None, "switches.chatters", why)
    # backwards in time it comes back to where it began
    m2 = exports.load(scratch / "stops.ah", scratch / "switching_stops_python")
    q, (t0, y0) = m2.Parameters(), m2.START
    there = m2.advance(q, t0, y0, 1.0, 1e-13, 1e-15)[0]
    back = m2.advance(q, 1.0, there, t0, 1e-13, 1e-15)[0]
    tap.check(max(abs(a - b) for a, b in zip(back, y0)) < 1e-10, "switches.backwards", back, y0)


# Constraints with kinks, without events. A bead slides down to the bend of a wire, x'' = -g/2; a slot changes its direction; a can
# falls onto its side; of the last the slopes are the same on both sides.
KINKED = {
    "wire": ("""coordinate x, y
point P mass 1 at (x, y)
gravity (0, -9.81)
constraint wire: y = abs(x)
start x = 1
simulate t = 0 .. 3
""", math.sqrt(4 / 9.81)),
    "slot": ("""coordinate x, y
kinetic (x'^2 + y'^2)/2
constraint slot: y' = sign(x)*x'
force x = 1
start x = -1, y = 0, x' = 1, y' = -1
simulate t = 0 .. 3
""", 2 * (math.sqrt(2) - 1)),
    "can": ("""parameter m = 1, R = 0.1, l = 0.3
coordinate x, y, z, psi, theta, phi
body can mass m inertia (m*(3*R^2 + l^2)/12, m*(3*R^2 + l^2)/12, m*R^2/2) at (x, y, z) turn z psi, x theta, z phi
gravity (0, 0, -9.81)
shape can cylinder radius R length l
surface floor plane
roll can on floor
start x = 0, y = 0, psi = 0, theta = 1, phi = 0
simulate t = 0 .. 2
""", None),
    "begins": ("coordinate x, y\nkinetic (x'^2 + y'^2)/2\nconstraint wire: y = abs(x)\nstart x = 0, x' = 1\nsimulate t = 0 .. 1\n", 0),
    "bent": ("""coordinate x, y
point P mass 1 at (x, y)
gravity (0, -9.81)
constraint wire: y = -x*abs(x)/4
start x = -1, x' = 6
simulate t = 0 .. 0.5
""", 0.5),
}

ADVANCED = {"c": """#include "NAME.h"
#include <stdio.h>
int main(void)
{
    NAME_parameters p;
    double y[NAME_STATES], h = 0, t = NAME_start(y), from = 0;
    int good, steps = 0, k = 0;
    NAME_defaults(&p);
    good = NAME_advance(&p, &t, y, END, 1e-11, 1e-13, &h);
    while (NAME_gets_on(1e-12 * k, 1, &from, &steps)) k++;
    printf("%d %.17g\\n", good && k == 1000, t);
    return k != 1000;
}
""", "js": """
const m = require(process.argv[1]), p = m.defaults(), s = {t: m.start.t, y: Float64Array.from(m.start.y), h: 0};
console.log(Number(m.advance(p, s, m.start.end, 1e-11, 1e-13)), s.t);
""", "octave": """
m = NAME (); [t, y, h, good] = m.advance (m.defaults (), m.t0, m.y0, m.t1, 1e-11, 1e-13, 0);
printf ("%d %.17g\\n", good, t);
"""}


def advanced(language, model, folder, end):
    """Whether one call of `advance` gets to the end, and the time that it gets to."""
    name, text = model.stem, ADVANCED.get(language, "")
    if language == "python":
        m = exports.load(model, folder)
        try:
            return 1, m.advance(m.Parameters(), *m.START, m.END, 1e-11, 1e-13) and m.END
        except ArithmeticError as why:
            return 0, float(str(why).split("t = ")[-1].split(":")[0])
    if language == "c":
        (folder / "one.c").write_text(text.replace("NAME_STATES", name.upper() + "_STATES").replace("NAME", name)
                                      .replace("END", str(end)))
        exports.must(exports.CC, "-O1", *exports.STRICT, folder / "one.c", folder / f"{name}.c", "-o", folder / "one", "-lm")
        said = exports.must(folder / "one", timeout=60)
    elif language == "js":
        said = exports.must("node", "-e", text, folder / f"{name}.js", timeout=60)
    else:
        said = exports.must("octave-cli", "-q", "--no-init-file", "--path", folder, "--eval", text.replace("NAME", name), timeout=300)
    good, t = said.split()
    return int(good), float(t)


def check_kinks(scratch):
    """`advance` ends where a constraint has a kink, as `simulate` does, and nowhere else; and where steps do not get on."""
    for name, (text, end) in KINKED.items():
        model = scratch / f"{name}.ah"
        model.write_text(text)
        if end is None:  # the event that `simulate` ends by
            end = exports.simulated(model, 2, 1e-12)[-1]["t"]
        for language in ("c", "js", "python", "octave"):
            if exports.missing(language):
                continue
            folder = scratch / f"kinked_{name}_{language}"
            exports.export(language, model, folder)
            last = float(text.split("..")[-1])
            good, t = advanced(language, model, folder, last)
            tap.check(good == (end == last) and abs(t - end) < 1e-10, f"kinks.{name}.{language}", good, t, end)
    m = exports.load(scratch / "bent.ah", scratch / "kinked_bent_python")
    m.step = lambda p, t, y, *rest: (t + 1e-12, y, 0.0)
    try:
        m.advance(m.Parameters(), *m.START, 1.0)
        tap.check(False, "kinks.crawls")
    except ArithmeticError as why:
        at = float(str(why).split("t = ")[-1].split(":")[0])
        tap.check("does not get on" in str(why) and abs(at - 1e-9) < 1e-12, "kinks.crawls", why)
    folder = scratch / "kinked_float"
    exports.export("c", scratch / "can.ah", folder, "--real=float")
    for compiler, *language in (("gcc", "-std=c99"), ("clang", "-x", "c++", "-std=c++11", "-Wno-deprecated")):
        if shutil.which(compiler):
            flags = [f for f in exports.STRICT if f != "-std=c99"] + language
            said = exports.run(compiler, "-O1", *flags, "-fsyntax-only", folder / "can.c", folder / "main.c")
            tap.check(said.returncode == 0, f"kinks.strict.{compiler}", said.stderr[:2000])


# x = sin t is above 0.9999 for 0.028: no step of that tolerance ends there. The other one comes no nearer than 1e-6.
GRAZES = """coordinate x
kinetic x'^2/2
potential x^2/2
stop "top" when x = {}{}
start x = 0, x' = 1
simulate t = 0 .. 6
"""


def check_grazes(scratch):
    """A stop that comes and goes within a step ends the motion all the same."""
    model = scratch / "grazes.ah"
    for name, at, which, end in (("both", 0.9999, "", math.asin(0.9999)), ("falling", 0.9999, " falling", math.pi - math.asin(0.9999)),
                                 ("not", 1.000001, "", None)):
        model.write_text(GRAZES.format(at, which))
        exports.export("c", model, scratch / f"grazes_{name}")
        folder = scratch / f"grazes_{name}"
        exports.must(exports.CC, "-O1", *exports.STRICT, folder / "grazes.c", folder / "main.c", "-o", folder / "it", "-lm")
        said = exports.run(folder / "it", 6, 2, 1e-9)
        told = float(said.stderr.split("t = ")[1]) if "stopped" in said.stderr else None
        tap.check(told is None if end is None else told is not None and 0 <= told - end < 2, f"grazes.{name}.c", said.stderr)
        if exports.missing("js"):
            continue
        exports.export("js", model, folder)
        t = float(exports.must("node", "-e", """const m = require(process.argv[1]), p = m.defaults(), y = [Math.sin(1.4), Math.cos(1.4)];
            console.log(m.touches(p, 0, 1.4, y, 1.9, [Math.sin(1.9), Math.cos(1.9)]));""", folder / "grazes.js"))
        tap.check(math.isnan(t) if end is None else math.sin(t) > 0.9999, f"grazes.{name}.js", t)


def check_own_names():
    """Whatever the model is called: no name that C code has for itself could be one of the NAME_… of its header."""
    templates = {f.name: f.read_text() for f in (tap.ROOT / "src/export/templates").glob("*.[ch].in")}
    words = {w for text in templates.values() for w in re.findall(r"\b[A-Za-z_]\w*", text)}
    header = set(re.findall(r"\$(?:name|NAME)\$_(\w+)", templates["NAME.h.in"]))
    listed = (tap.ROOT / "src/export/exported.c").read_text().split("functions[MOTION_PROGRAMS] = {")[1].split("};")[0]
    names = re.findall(r'= \{"(\w+)"', listed)
    header |= set(names) | {"linearised"}
    taken = [(w, h) for w in words | set(names) for h in header if w.endswith(f"_{h}") and not w.startswith("_") and w not in header]
    tap.check(len(header) > 30 and not taken, "names.of_its_own", sorted(taken))


def check_page(scratch):
    """The code of a page with a table of hundreds of rows behind its input, every one of them a corner: as `simulate` with that table."""
    if exports.missing("js"):
        return
    model, table = scratch / "live_model.ah", scratch / "rows.csv"
    model.write_text("input u = 0\ncoordinate x\nkinetic x'^2/2\npotential x^2\nforce x = u\nstart x = 0, x' = 0\nsimulate t = 0 .. 3\n")
    table.write_text("t,u\n" + "".join(f"{k / 100},{(7 * k % 13) * (k % 3)}\n" for k in range(tap.amount(100, 300, 300))))
    page = exports.must(exports.ANHOLO, "report", model, f"--input=u={table}:u")
    code = page.split("const live_model")[1].split("</script>")[0]
    (scratch / "live_model.js").write_text(f"const live_model{code}")
    said = exports.must(exports.ANHOLO, "simulate", model, f"--input=u={table}:u", f"--samples={ROWS}", "--rtol=1e-13", "--atol=1e-15")
    got, want = exports.by_js(model, scratch, ROWS), exports.table(said)
    wrong = [(a["t"], k, a[k], b[k]) for a, b in zip(got, want) for k in ("x", "x'") if exports.apart(a[k], b[k]) > 1e-11]
    tap.check(len(got) == ROWS and not wrong, "page.table", len(got), wrong[:3])


def check_same(scratch):
    for language in ("c", "js", "python", "octave"):
        texts = []
        for turn in ("a", "b"):
            folder = scratch / f"same_{language}_{turn}"
            exports.export(language, MODELS / "bicycle.ah", folder)
            texts.append({f.name: f.read_bytes() for f in folder.iterdir()})
        tap.check(texts[0] == texts[1], f"same.{language}")


def check_bad_input(scratch):
    tire = MODELS / "tire.ah"
    full = scratch / "full"
    full.write_text("a file\n")
    for name, k, c, x in (("tiny", "1e-50", "1", "1"), ("huge", "1", "1", "1e50"), ("formula", "1", "1e-60", "1")):
        (scratch / f"{name}.ah").write_text(
            f"parameter k = {k}\ncoordinate x\nkinetic x'^2/2\npotential k*x^2 + {c}*x\nstart x = {x}\n")
    closed = scratch / "closed"
    closed.mkdir(mode=0o555)
    cases = [
        ("language", ["pascal", tire, "-o", scratch / "n1"], 2, "one of c|js"),
        ("no_model", ["c", "-o", scratch / "n1"], 2, "which model"),
        ("no_folder", ["c", tire], 2, "`-o` is missing"),
        ("keyword", ["c", tire, "-o", scratch / "n1", "--name=switch"], 1, "A0702"),
        ("no_name", ["c", tire, "-o", scratch / "n1", "--name=a b"], 1, "A0702"),
        ("keyword_python", ["python", tire, "-o", scratch / "n1", "--name=lambda"], 1, "A0702"),
        *((f"used_{language}_{word}", [language, tire, "-o", scratch / "n1", f"--name={word}"], 1, "A0702")
          for language, word in (("c", "math"), ("js", "Math"), ("python", "math"), ("python", "copy"), ("octave", "zeros"),
                                 ("octave", "rhs"), ("fmu", "fmi3"), ("fmu", "fmu"))),
        ("method", ["c", tire, "-o", scratch / "n1", "--method=nobody"], 2, "nobody"),
        ("refused_method", ["c", tire, "-o", scratch / "n1", "--method=lagrange"], 1, "lagrange"),
        ("second_class", ["c", MODELS / "second_class.ah", "-o", scratch / "n1"], 1, "A0502"),
        ("float_js", ["js", tire, "-o", scratch / "n1", "--real=float"], 2, "--real"),
        *((f"float_{name}", ["c", scratch / f"{name}.ah", "-o", scratch / "n1", "--real=float"], 1, says)
          for name, says in (("tiny", "k = 1e-50"), ("huge", "x = 1e+50"), ("formula", "1e-60 is no number"))),
        ("fmi_c", ["c", tire, "-o", scratch / "n1", "--fmi=2"], 2, "--fmi"),
        ("a_file", ["c", tire, "-o", full], 1, "Not a directory"),
        ("nowhere", ["c", tire, "-o", scratch / "no" / "where"], 1, "No such file"),
        ("proc", ["c", tire, "-o", "/proc/nothing"], 1, "/proc/nothing"),
    ]
    if os.geteuid():
        cases.append(("closed", ["c", tire, "-o", closed], 1, "Permission denied"))
    for name, words, status, says in cases:
        said = exports.run(exports.ANHOLO, "export", *words)
        tap.check(said.returncode == status and says in said.stderr, f"bad.{name}", said.returncode, said.stderr)
    left = [f.name for f in scratch.iterdir() if f.name == "n1"] + list(closed.iterdir())
    tap.check_none(left, "bad.nothing_left")
    # A file in the way of one of several: none of them is replaced.
    folder = scratch / "in_the_way"
    (folder / "main.c").mkdir(parents=True)
    said = exports.run(exports.ANHOLO, "export", "c", tire, "-o", folder)
    tap.check(said.returncode == 1 and [f.name for f in folder.iterdir()] == ["main.c"], "bad.in_the_way",
              said.stderr, list(folder.iterdir()))


def check_self_contained(scratch):
    """What the header of C promises: no allocation, no globals that can be written."""
    folder = scratch / "strict_double"
    exports.must(exports.CC, "-O0", "-c", folder / "skate_pendulum.c", "-o", folder / "skate_pendulum.o")
    symbols = exports.must("nm", folder / "skate_pendulum.o").splitlines()
    outside = {line.split()[-1] for line in symbols if " U " in line}
    written = [line for line in symbols if re.search(r" [BbDdCG] ", line)]
    known = {"sin", "cos", "sincos", "tan", "sqrt", "pow", "fabs", "atan2", "exp", "log", "__stack_chk_fail",
             "_GLOBAL_OFFSET_TABLE_"}
    tap.check_none(sorted(outside - known) + written, "self_contained")


with tempfile.TemporaryDirectory() as name:
    here = pathlib.Path(name)
    check_ten(here)
    check_examples(here)
    check_compilers(here)
    check_self_contained(here)
    check_float(here)
    check_derivatives(here)
    check_parameters(here)
    check_inputs(here)
    check_linear(here)
    check_linear_formulas(here)
    check_names(here)
    check_parts(here)
    check_switches(here)
    check_kinks(here)
    check_grazes(here)
    check_own_names()
    check_page(here)
    check_same(here)
    check_bad_input(here)
tap.done()

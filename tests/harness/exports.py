"""Models exported, built and run, against `simulate`: for tests/export.py and scripts/export-all.

A language is a row of LANGUAGES: how the folder of an export becomes rows of a table."""
import csv
import importlib.util
import io
import math
import os
import pathlib
import shutil
import subprocess
import sys

import fmu_host
import tap

ANHOLO = tap.BUILD / "anholo"
CC = os.environ.get("AH_CC", "cc")
STRICT = ["-std=c99", "-Wall", "-Wextra", "-Wconversion", "-pedantic", "-Werror"]
# Rows are compared as long as rtol 1e-11 and 1e-13 agree to AGREE, and then to SAME.
AGREE, SAME, FINE = 1e-10, 1e-9, 1e-13
# What the motion decides: forces of stiff feedback differ by hundreds of times what it does.
FOLLOWS = ("residual", "lambda[", "reaction[")


def run(*words, **options):
    return subprocess.run([str(w) for w in words], capture_output=True, text=True, **options)


def must(*words, **options):
    done = run(*words, **options)
    if done.returncode:
        raise RuntimeError(f"{' '.join(map(str, words))}: status {done.returncode}\n{done.stderr[-2000:]}")
    return done.stdout


def table(text):
    rows = [{k: float(v) if v else math.nan for k, v in row.items()} for row in csv.DictReader(io.StringIO(text))]
    return rows


def simulated(model, rows, rtol):
    return table(run(ANHOLO, "simulate", model, f"--samples={rows}", f"--rtol={rtol}", f"--atol={rtol / 100}").stdout)


def export(language, model, folder, *options):
    return must(ANHOLO, "export", language, model, "-o", folder, *options)


def words_of(language, model, folder):
    """What `export` is called with for a row of LANGUAGES."""
    if not language.startswith("fmu"):
        return [language, model, folder]
    folder.mkdir()
    return ["fmu", model, folder / "it.fmu", f"--fmi={language[3]}"]


# ---- Languages ---------------------------------------------------------------------------------


def by_c(model, folder, rows, compiler=None, flags=(), emulator=()):
    """The example, compiled without a warning; its end is the model's."""
    name = model.stem
    program = folder / "example"
    large = (folder / f"{name}.c").stat().st_size > 300_000  # the optimiser would take half a minute
    must(compiler or CC, "-O0" if large else "-O1", *STRICT, *flags, folder / f"{name}.c", folder / "main.c", "-o", program, "-lm")
    return table(must(*emulator, program, *end_of(folder, name), rows, FINE))


def end_of(folder, name):
    text = (folder / "main.c").read_text()
    return [text.split("t1 = argc > 1 ? (")[1].split(" : ")[1].split(";")[0].strip("()")]


NODE = """
const m = require(process.argv[1]), rows = Number(process.argv[2]), rtol = Number(process.argv[3]);
const p = m.defaults(), s = {t: m.start.t, y: Float64Array.from(m.start.y), h: 0};
const names = ["t", ...m.names.states.map(x => x.name), ...m.names.outputs.map(x => x.name), "energy"];
const out = new Float64Array(m.names.outputs.length), energy = new Float64Array(2);
const lines = [names.join(",")];
for (let i = 0; i < rows; i++) {
    const t = i === rows - 1 ? m.start.end : m.start.t + (m.start.end - m.start.t) * i / (rows - 1);
    if (!m.advance(p, s, t, rtol, rtol / 100)) break;
    if (m.outputs) (m.shown_outputs || m.outputs)(p, t, s.y, out);
    m.energy(p, m.shown ? m.shown(p, t) : t, s.y, energy);
    lines.push([t, ...s.y, ...out, energy[0]].join(","));
}
console.log(lines.join("\\n"));
"""


def by_js(model, folder, rows):
    return table(must("node", "-e", NODE, folder / f"{model.stem}.js", rows, FINE))


def load(model, folder):
    spec = importlib.util.spec_from_file_location(model.stem, folder / f"{model.stem}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def names_of(module, what):
    return [name for name, *_ in module.NAMES[what]]


def by_python(model, folder, rows):
    module = load(model, folder)
    p, (t, y), h, found = module.Parameters(), module.START, 0.0, []
    for i in range(rows):
        at = module.END if i == rows - 1 else module.START[0] + (module.END - module.START[0]) * i / (rows - 1)
        try:
            y, h = module.advance(p, t, y, at, FINE, FINE / 100, h)
        except ArithmeticError:
            break
        t = at
        beside = module.shown(p, t) if hasattr(module, "shown") else t
        row = {"t": t, **dict(zip(names_of(module, "states"), y)), "energy": module.energy(p, beside, y)[0]}
        for function, names in (("outputs", "outputs"), ("velocities", "velocities")):
            if hasattr(module, function):
                here = getattr(module, f"shown_{function}", getattr(module, function))
                row |= dict(zip(names_of(module, names), here(p, t, y)))
        if hasattr(module, "reactions"):
            row |= dict(zip(names_of(module, "multipliers") + names_of(module, "reactions"),
                            module.reactions(p, beside, y)))
        found.append(row)
    return found


OCTAVE = """
m = {name} (); p = m.defaults (); t = m.t0; y = m.y0; h = 0;
for i = 0:{rows} - 1
  at = m.t0 + (m.t1 - m.t0) * i / ({rows} - 1);
  if (i == {rows} - 1) at = m.t1; end
  [t, y, h, good] = m.advance (p, t, y, at, {rtol}, {rtol} / 100, h);
  if (! good) break; end
  beside = t;
  if (isfield (m, "shown")) beside = m.shown (p, t); end
  e = m.energy (p, beside, y);
  printf ("%.17g,", t, y); printf ("%.17g\\n", e(1));
end
"""


def by_octave(model, folder, rows):
    script = OCTAVE.format(name=model.stem, rows=rows, rtol=FINE)
    said = must("octave-cli", "-q", "--no-init-file", "--path", folder, "--eval", script)
    names = [line.split()[2] for line in (folder / f"{model.stem}.m").read_text().splitlines()
             if line.startswith("%     y(")]
    return table(",".join(["t", *names, "energy"]) + "\n" + said)


def by_fmu(version, drive):
    return lambda model, folder, rows: drive(fmu_host.VERSIONS[version](folder / "it.fmu", folder), rows)


# FMUs by co-simulation and, with an x, by model exchange.
LANGUAGES = {"c": by_c, "js": by_js, "python": by_python, "octave": by_octave,
             "fmu2": by_fmu(2, fmu_host.by_cosimulation), "fmu3": by_fmu(3, fmu_host.by_cosimulation),
             "fmu2x": by_fmu(2, fmu_host.by_exchange), "fmu3x": by_fmu(3, fmu_host.by_exchange)}
NEEDS = {"c": CC, "js": "node", "python": sys.executable, "octave": "octave-cli"}


def missing(language):
    """What the language needs and is not there, or None."""
    needed = NEEDS.get(language, CC)
    return None if shutil.which(needed) else needed


# ---- Comparison --------------------------------------------------------------------------------


def reference(model, rows):
    """Rows of the finer run, as far as the two agree."""
    coarse, fine = simulated(model, rows, 1e-11), simulated(model, rows, FINE)
    agreed = 0
    for a, b in zip(coarse, fine):
        if any(apart(a[k], b[k]) > AGREE for k in a if not k.startswith(FOLLOWS)):
            break
        agreed += 1
    return fine[:agreed]


def apart(a, b):
    if math.isnan(a) and math.isnan(b):
        return 0.0
    d = abs(a - b) / (1 + abs(b))
    return math.inf if math.isnan(d) else d


def complaints(want, got):
    """Where the exported rows differ. A row that only a stop has made is left out."""
    rows = list(want)
    if rows and (len(got) < len(rows) or apart(got[len(rows) - 1]["t"], rows[-1]["t"]) > SAME):
        rows.pop()
    if len(rows) < 2:
        yield f"only {len(rows)} rows to compare"
    if len(got) < len(rows):
        yield f"{len(got)} rows of {len(rows)}"
    for w, g in zip(rows, got):
        common = [k for k in g if k in w]
        if len(common) < 3:
            yield f"nothing in common: {sorted(g)} and {sorted(w)}"
            return
        worst = max(common, key=lambda k: apart(g[k], w[k]))
        if apart(g[worst], w[worst]) > SAME:
            yield f"t = {w['t']}: {worst} is {g[worst]!r}, simulate says {w[worst]!r}"
            return


def refusal(model):
    """Why the model cannot be exported, or None; "it has no motion" where there is nothing to compare."""
    said = run(ANHOLO, "simulate", model, "--samples=2")
    if said.returncode not in (0, 3):
        return "it has no motion"
    said = run(ANHOLO, "export", "js", model, "-o", "/dev/null/x")
    return said.stderr.splitlines()[0] if "A0502" in said.stderr else None

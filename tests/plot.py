#!/usr/bin/env python3
"""Figures read back: an XML parser takes them apart, the axes are gauged by their own tick labels, and
the curves are compared with the table that `simulate` writes."""
import csv
import json
import math
import pathlib
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

sys.path.insert(0, str(pathlib.Path(__file__).parent / "harness"))
import tap

ANHOLO = tap.BUILD / "anholo"
MODELS = tap.ROOT / "models"
SVG = "{http://www.w3.org/2000/svg}"
HALF = 0.5  # pixels


def run(*words, text=None):
    return subprocess.run([ANHOLO, *map(str, words)], input=text, capture_output=True, text=True)


# ---- Reading a figure ----------------------------------------------------------------------------

def number(label):
    """−1.5, 10⁻³ (as "10" and its exponent), 0."""
    label = label.replace("−", "-")
    power = re.fullmatch(r"10\^(-?\d+)", label)
    return 10.0 ** int(power[1]) if power else float(label)


def words(element):
    """A <text> as plain text, with ^ before what is raised."""
    out = ""
    for span in element.iter(SVG + "tspan"):
        out += ("^" if float(span.get("dy", 0)) < 0 and "font-size" in span.attrib else "") + span.text
    return out or "".join(element.itertext())


def path_points(d):
    """Runs of points; a run ends where the pen is lifted."""
    runs, x, y = [], 0.0, 0.0
    for command, rest in re.findall(r"([Mmlh])([^Mmlh]*)", d):
        values = [float(v) for v in re.findall(r"-?(?:\d+\.?\d*|\.\d+)", rest)]
        pairs = [(values[0], 0)] if command == "h" else zip(values[::2], values[1::2])
        for dx, dy in pairs:
            x, y = (dx, dy) if command == "M" else (x + dx, y + dy)
            if command in "Mm":
                runs.append([])
            runs[-1].append((x, y))
    return runs


class Axis:
    """value ↔ pixel, from the tick labels alone."""

    def __init__(self, ticks, factor):
        times, plus, self.log = 1.0, 0.0, any("10^" in text for _, text in ticks)
        self.zero = next((place for place, text in ticks if text == "0"), None)
        if factor:
            found = re.match(r"(?:×10\^(−?\d+))?\s*(?:([+−]) (.*))?$", factor)
            times = 10.0 ** int((found[1] or "0").replace("−", "-"))
            if found[2]:
                mantissa, _, power = found[3].partition("×10^")
                plus = float(mantissa) * 10.0 ** int(power.replace("−", "-") or 0)
                plus *= -1 if found[2] == "−" else 1
        pairs = [(number(text), place) for place, text in ticks]
        if self.log:
            pairs = [(math.log10(v), p) for v, p in pairs if v]
        else:
            pairs = [(v * times + plus, p) for v, p in pairs]
        (v0, p0), (v1, p1) = pairs[0], pairs[-1]
        self.v0, self.p0, self.slope = v0, p0, (p1 - p0) / (v1 - v0)

    def place(self, value):
        if self.log:
            if value == 0:
                return self.zero
            value = math.log10(abs(value))
        return self.p0 + (value - self.v0) * self.slope


class Panel:
    def __init__(self, group):
        frame = next(r for r in group.iter(SVG + "rect") if r.get("class") == "frame")
        self.left, self.top = float(frame.get("x")), float(frame.get("y"))
        self.right = self.left + float(frame.get("width"))
        self.bottom = self.top + float(frame.get("height"))
        plain = [t for t in group.findall(SVG + "text")]
        at = [(float(t.get("x", "nan")), float(t.get("y", "nan")), t) for t in plain]
        ticks_x = [(x, words(t)) for x, y, t in at if abs(y - self.bottom - 16) < 0.1]
        ticks_y = [(y - 4, words(t)) for x, y, t in at if abs(x - self.left + 7) < 0.1]
        factors = [(x, y, words(t)) for x, y, t in at if "×" in words(t) or "+ " in words(t)]
        self.x = Axis(ticks_x, next((w for x, y, w in factors if y > self.bottom), None))
        self.y = Axis(ticks_y, next((w for x, y, w in factors if y < self.top), None))
        self.curves = [path_points(p.get("d")) for p in group.findall(SVG + "path")
                       if p.get("class").startswith("curve")]
        self.curves.reverse()  # the first one is drawn last
        self.starts = [(float(c.get("cx")), float(c.get("cy"))) for c in group.findall(SVG + "circle")]
        self.legend = [words(t) for g in group.findall(SVG + "g") for t in g.iter(SVG + "text")]


def panels(svg):
    root = ElementTree.fromstring(svg)
    return [Panel(g) for g in root.iter(SVG + "g") if g.get("class") == "panel"]


def distance(point, run):
    """From a point to a polyline."""
    best = math.inf
    x, y = point
    for (ax, ay), (bx, by) in zip(run, run[1:] or run):
        dx, dy = bx - ax, by - ay
        s = ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy or 1)
        s = min(1, max(0, s))
        best = min(best, math.hypot(x - ax - s * dx, y - ay - s * dy))
    return best


def table(model, *options, text=None):
    rows = list(csv.reader(run("simulate", model, *options, text=text).stdout.splitlines()))
    return {name: [float(r[i]) if r[i] else math.nan for r in rows[1:]]
            for i, name in enumerate(rows[0])}


def curve_off(panel, curve, xs, ys):
    """How far, in pixels, the samples lie from the curve."""
    off = 0
    for x, y in zip(xs, ys):
        if math.isnan(x) or math.isnan(y):
            continue
        at = panel.x.place(x), panel.y.place(y)
        off = max(off, min(distance(at, r) for r in curve))
    return off


# ---- Tests ---------------------------------------------------------------------------------------

def check_values():
    """Curves of several kinds against simulate's own columns."""
    cases = [
        ("double_pendulum.ah", ["t,x1,x2", "x1,y1", "t,energy", "t,lambda[pivot]", "x1',y1'"], []),
        ("tire.ah", ["x,y", "t,reaction[theta],reaction[x]", "theta,psi'", "t,w5"], ["--to=4"]),
        ("skate.ah", ["t,speed", "t,z1,z2", "y,x", "t,theta"], []),
        ("heavy_top.ah", ["t,psi,chi", "phi,phi'"], ["--to=3"]),
        ("skate_incline.ah", ["x,y"], ["--to=1"]),
    ]
    for model, wanted, more in cases:
        told = table(MODELS / model, *more, "--samples=301")
        answer = run("plot", MODELS / model, *wanted, *more, "--samples=301")
        for text, panel in zip(wanted, panels(answer.stdout)):
            x, *ys = text.split(",")
            off = [curve_off(panel, c, told[x], told[y]) for c, y in zip(panel.curves, ys)]
            tap.check(len(panel.curves) == len(ys) and max(off) <= HALF, f"values.{model}.{text}", off)


def check_expressions():
    """Formulas, changes and the logarithm against the same done here."""
    told = table(MODELS / "double_pendulum.ah", "--samples=101")
    panel_texts = ["t,sqrt(x1'^2+y1'^2)", "t,change(x1)", "t,x1''", "t,2*lambda[pivot]", "t,residual"]
    answer = run("plot", MODELS / "double_pendulum.ah", *panel_texts, "--samples=101")
    got = panels(answer.stdout)
    t = told["t"]
    speed = [math.hypot(a, b) for a, b in zip(told["x1'"], told["y1'"])]
    change = [x - told["x1"][0] for x in told["x1"]]
    twice = [2 * x for x in told["lambda[pivot]"]]
    for name, panel, ys in (("root", got[0], speed), ("change", got[1], change),
                            ("times", got[3], twice), ("residual", got[4], told["residual"])):
        off = curve_off(panel, panel.curves[0], t, ys)
        tap.check(off <= HALF, f"expressions.{name}", off)
    tap.check(got[1].y.log and got[4].y.log and not got[0].y.log, "logarithmic_by_itself")
    middle = len(t) // 2  # x'' against differences of x'
    h = t[1] - t[0]
    slope = (told["x1'"][middle + 1] - told["x1'"][middle - 1]) / (2 * h)
    near = min((abs(p[0] - got[2].x.place(t[middle])), p) for r in got[2].curves[0] for p in r)[1]
    value = (near[1] - got[2].y.p0) / got[2].y.slope + got[2].y.v0
    tap.check(abs(value - slope) < 0.02 * abs(slope) + 0.02, "accelerations", value, slope)


FREE = """coordinate x, y
kinetic (x'^2 + y'^2)/2
start x = 1, y = 0, x' = 0, y' = 1
force x = -x
force y = -y
simulate t = 0 .. 10
output f = sqrt(x)
"""


def check_shapes():
    """A circle is round, a gap is a gap, a constant lies in the middle."""
    got = panels(run("plot", "-", "x,y", "t,f", "t,energy", "--samples=401", text=FREE).stdout)
    circle = [p for r in got[0].curves[0] for p in r]
    wide = max(x for x, _ in circle) - min(x for x, _ in circle)
    high = max(y for _, y in circle) - min(y for _, y in circle)
    tap.check(abs(wide - high) < 1, "equal_scales", wide, high)
    begin = got[0].x.place(1), got[0].y.place(0)
    tap.check(math.dist(got[0].starts[0], begin) < HALF, "start", got[0].starts, begin)
    tap.check(len(got[1].curves[0]) == 2, "gaps", len(got[1].curves[0]))
    flat = [y for r in got[2].curves[0] for _, y in r]
    tap.check(max(flat) - min(flat) < 0.01 and
              abs(flat[0] - (got[2].top + got[2].bottom) / 2) < 1, "constant", flat[:3])
    two = panels(run("plot", "-", "t,x,y", text=FREE).stdout)[0]
    tap.check(two.legend == ["x", "y"], "legend", two.legend)
    # Outputs are called by their names, however long what they stand for is, and a name keeps all its words.
    rolls = run("plot", MODELS / "rattleback.ah", "t,roll_stone_place[1],roll_stone_tangential,roll_stone_friction", "--to=0.1")
    names = ["roll" + index for index in ("stone_place[1]", "stone_tangential", "stone_friction")]
    tap.check(panels(rolls.stdout)[0].legend == names, "legend.outputs", panels(rolls.stdout)[0].legend)
    chosen = [p["y"] for p in json.loads(run("plot", "-", "--json", text=FREE).stdout)["panels"]]
    tap.check(["x'", "y'"] in chosen, "all_velocities", chosen)


def check_table():
    """The figure of a table is the figure of the run."""
    with tempfile.TemporaryDirectory() as folder:
        rows, model = pathlib.Path(folder, "run.csv"), MODELS / "tire.ah"
        run("simulate", model, "--samples=301", "-o", rows)
        wanted = ["x,y", "t,lambda[across],reaction[x]", "t,energy", "t,w5+2*psi'", "t,residual"]
        fresh = run("plot", model, *wanted, "--samples=301")
        again = run("plot", model, *wanted, "--from", rows)
        tap.check(fresh.stdout == again.stdout and fresh.stdout, "from_a_table", again.stderr)
        refused = run("plot", model, "t,x''", "--from", rows)
        tap.check(refused.returncode == 1 and "A0633" in refused.stderr, "table.accelerations",
                  refused.stderr)
        for name, text in (("empty", ""), ("word", "t,x\n0,abc\n"), ("short", "t,x\n0\n"),
                           ("names", "a,b\n1,2\n"), ("long", "t,x\n0,1,2\n")):
            rows.write_text(text)
            said = run("plot", model, "t,x", "--from", rows)
            tap.check(said.returncode == 1 and "A0632" in said.stderr, f"table.{name}", said.stderr)
        rows.write_text("t,x\r\n0,1\r\n1,\r\n2,4\r\n")
        said = run("plot", model, "t,x", "--from", rows)
        tap.check(said.returncode == 0 and len(panels(said.stdout)[0].curves[0]) == 2, "table.gap",
                  said.stderr)


def check_errors():
    model = MODELS / "double_pendulum.ah"
    for name, panel, expected in (
            ("unknown", "t,x1,enrgy", ["A0201", "panel 1:1:6", "did you mean `energy`"]),
            ("lonely", "x1", ["A0631", "'t,x1'"]),
            ("syntax", "t,x1+", ["A0106"]),
            ("beta", "t,beta[1,1,1]", ["A0633"]),
            ("vector", "t,position(P1)", ["A0205"]),
            ("empty", "", ["A0106"])):
        said = run("plot", model, panel)
        tap.check(said.returncode == 1 and not said.stdout and all(e in said.stderr for e in expected),
                  f"error.{name}", said.stderr)
    both = run("plot", model, "t,nn", "t,mm")
    tap.check("`nn`" in both.stderr and "`mm`" in both.stderr, "error.all_at_once", both.stderr)
    for name, words_ in (("size", ["--size=axb"]), ("small", ["--size=2x2"]), ("count", ["--columns=x"])):
        said = run("plot", model, "t,x1", *words_)
        tap.check(said.returncode in (1, 2) and not said.stdout, f"error.{name}", said.stderr)
    said = run("plot", model, "t,zz", "--json")
    tap.check(json.loads(said.stdout)["error"]["column"] == 3, "error.json", said.stdout)


def check_sizes():
    """Many panels in little room have frames nevertheless; values may be as large as numbers are."""
    for size in ("80x80", "300x200", "80x300", "20000x80"):
        for columns in (1, 2, 9):
            said = run("plot", MODELS / "rolling_disc_driven.ah", "--samples=3", f"--size={size}", f"--columns={columns}")
            frames = [e for e in ElementTree.fromstring(said.stdout or "<svg/>").iter(SVG + "rect") if e.get("class") == "frame"]
            tap.check(said.returncode == 0 and len(frames) == 7 and all(float(f.get(k)) > 20 for f in frames for k in ("width", "height")),
                      f"size.{size}, {columns} columns", said.stderr, len(frames))
    folder = pathlib.Path(tempfile.mkdtemp())
    large, tiny = folder / "large.csv", folder / "tiny.csv"
    large.write_text("t,x\n-1.7e308,1.7e308\n1.7e308,-1.7e308\n")
    tiny.write_text("t,x\n0,0\n5e-324,5e-324\n1e-323,0\n")
    for words_ in ((w[0], *([rows] if w[0] == "--from" else []), *w[1:]) for rows in (large, tiny)
                   for w in ((rows, "t,x"), (rows, "x"), (rows, "t,x,x"), ("--from", "-", "t,x"), ("--from", "-", "--equal", "t,x"))):
        said = run("plot", *words_, text=FREE)
        tap.check(said.returncode in (0, 1) and not re.search(r'"[^"<>]*\b(nan|inf)\b', said.stdout), f"size.of values, {words_[1:]}", said.returncode, said.stderr)


def check_escapes():
    nasty = '</svg><script>alert("1")</script>&amp;]]>'
    for name, words_ in (("title", ["--title", nasty]), ("control", ["--title", "a\x01b"])):
        said = run("plot", "-", "t,x", *words_, text=FREE).stdout
        root = ElementTree.fromstring(said)
        tap.check(not list(root.iter(SVG + "script")) and "<script" not in said, f"escape.{name}")
    root = ElementTree.fromstring(run("plot", "-", "t,x", "--title", nasty, text=FREE).stdout)
    tap.check(root.find(SVG + "title").text == nasty, "escape.read_back")
    tap.check(root.get("role") == "img" and root.find(SVG + "desc").text, "described")
    title = 'system "a <b> & c"\n' + FREE
    root = ElementTree.fromstring(run("plot", "-", text=title).stdout)
    tap.check(root.find(SVG + "title").text == "a <b> & c", "escape.system")


UNITS = FREE + """unit t = "s", x, y = "m", energy = "J", f = "<√m>"
"""


def axis_titles(svg):
    """Words below and beside the frames."""
    group = next(g for g in ElementTree.fromstring(svg).iter(SVG + "g") if g.get("class") == "panel")
    return [words(t) for t in group.findall(SVG + "text") if t.get("font-size") == "13.5"]


def check_units():
    for panel, expected in (("t,x", ["t (s)", "x (m)"]), ("x,x'", ["x (m)", "x˙ (m/s)"]),
                            ("t,y''", ["t (s)", "y¨ (m/s^2)"]), ("t,x,y", ["t (s)", "x, y (m)"]),
                            ("t,x,x'", ["t (s)", "x, x˙"]), ("t,energy", ["t (s)", "energy (J)"]),
                            ("t,reaction[x]", ["t (s)", "Rx (N)"]), ("t,f", ["t (s)", "f (<√m>)"]),
                            ("t,x*y", ["t (s)", "x y"])):
        got = axis_titles(run("plot", "-", panel, text=UNITS).stdout)
        tap.check(got == expected, f"unit.{panel}", got)
    answers = [json.loads(run("plot", "-", panel, "--json", text=UNITS).stdout)["panels"][0]["equal"]
               for panel in ("x,y", "x,x'", "x',y'", "t,x")]
    tap.check(answers == [True, False, True, False], "unit.one_scale", answers)


def check_models():
    """Without panels every model gives a figure that parses, is small, and keeps inside."""
    for file in sorted(MODELS.glob("*.ah")):
        said = run("plot", file, "--samples=501", "--max-time=60")
        if said.returncode == 1 and not said.stdout:  # refused: second class with branches, say
            tap.check("error" in said.stderr, f"model.{file.stem}", said.stderr)
            continue
        wrong = [] if len(said.stdout) < 200_000 else [len(said.stdout)]
        for k, panel in enumerate(panels(said.stdout)):
            for run_ in (r for c in panel.curves for r in c):
                if any(not (panel.left - 1 <= x <= panel.right + 1 and
                            panel.top - 1 <= y <= panel.bottom + 1) for x, y in run_):
                    wrong.append(f"panel {k} leaves its frame")
                    break
        tap.check_none(wrong, f"model.{file.stem}")


FILLS = """coordinate x, y
kinetic (x'^2 + y'^2)/2
potential x^2/2 + y^2 + x^2*y^2
start x = 1, y = 0.3, x' = 0, y' = 1
simulate t = 0 .. 3000
"""


def check_filled():
    """A curve that fills its plane: what is drawn lies where the curve is, and covers all of it."""
    said = run("plot", "-", "x,y", "y,x", "--samples=300000", text=FILLS)
    tap.check(len(said.stdout) < 200_000, "filled.small", len(said.stdout))
    told = table("-", "--samples=3001", text=FILLS)
    panel = panels(said.stdout)[0]
    cells = {(math.floor(x + i * 0.5), math.floor(y)) for r in panel.curves[0] if len(r) == 2
             for (x, y), (right, _) in [r] for i in range(int(2 * (right - x)) + 1)}
    places = [(panel.x.place(x), panel.y.place(y)) for x, y in zip(told["x"], told["y"])]
    near = [any((math.floor(x) + i, math.floor(y) + k) in cells for i in (-1, 0, 1) for k in (-1, 0, 1))
            for x, y in places]
    tap.check(all(near), "filled.covered", near.count(False))
    tap.check(math.dist(panel.starts[0], places[0]) < HALF, "filled.start", panel.starts, places[0])


def check_million():
    said = run("plot", "-", "t,x", "x,y", "--samples=1000000", "--to=1000", text=FREE)
    tap.check(said.returncode == 0 and len(said.stdout) < 200_000, "a_million_samples",
              len(said.stdout), said.stderr)


check_values()
check_expressions()
check_shapes()
check_table()
check_errors()
check_sizes()
check_escapes()
check_units()
check_models()
check_filled()
check_million()
tap.done()

#!/usr/bin/env python3
"""Pages of `anholo report`: well-formed, self-contained, safe, and saying what the other commands
say. What they look like in a browser: tests/browser."""
import base64
import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import urllib.parse
import xml.etree.ElementTree as ET

sys.path.insert(0, str(pathlib.Path(__file__).parent / "harness"))
import tap

ANHOLO = tap.BUILD / "anholo"
SANITIZED = os.environ.get("AH_SANITIZED") == "1"
MODELS = tap.models()
EVERY = tap.amount(15, 6, 1)
if EVERY > 1:
    MODELS = [m for i, m in enumerate(MODELS) if i % EVERY == 0 or m.stem in ("double_pendulum", "tire")
              or (m.stem == "bicycle" and EVERY < 10)]
if SANITIZED:  # ten times slower: some of each kind
    MODELS = [tap.ROOT / f"models/{n}.ah" for n in ("tire", "double_pendulum", "second_class", "shaft")]
LARGEST = 2_000_000  # bytes
SLOWEST = 9.0  # seconds: three times what is wanted, since machines differ and have their moods
MATH = "{http://www.w3.org/1998/Math/MathML}"
SVG = "{http://www.w3.org/2000/svg}"

# Children that an element of MathML must have; those not named may have any number.
ARITY = {"mfrac": 2, "msup": 2, "msub": 2, "msubsup": 3, "mover": 2, "munder": 2, "mroot": 2,
         "mi": 0, "mn": 0, "mo": 0, "mtext": 0, "mspace": 0}
MATHML = set(ARITY) | {"math", "mrow", "msqrt", "mtable", "mtr", "mtd"}


def run(*words, text=None):
    return subprocess.run([ANHOLO, *map(str, words)], input=text, capture_output=True, text=True)


def report(*words, text=None):
    """(page, exit status)."""
    said = run("report", *words, text=text)
    return said.stdout, said.returncode


def seconds_of(model):
    """Seconds of the processor that a page takes: others may be at work on the machine."""
    program = subprocess.Popen([ANHOLO, "report", model], stdout=subprocess.DEVNULL)
    used = os.wait4(program.pid, 0)[2]
    program.returncode = 0
    return used.ru_utime + used.ru_stime


def scripts(page):
    return re.findall(r"<script>(.*?)</script>", page, flags=re.S)


def parsed(page):
    """The page as XML: our markup is spelt so that it is, but for the texts of scripts and styles."""
    bare = re.sub(r"(<(script|style)(?: [^>]*)?>).*?(</\2>)", r"\1\3", page, flags=re.S)
    return ET.fromstring(bare.replace("<!DOCTYPE html>", "", 1))


def local(element):
    return element.tag.rsplit("}", 1)[-1]


def text_of(element):
    return "".join(element.itertext())


# ---- What every page must be ---------------------------------------------------------------------

def structure(root):
    """Language, headings in order, landmarks, labels that exist."""
    if root.get("lang") != "en":
        yield "no language"
    levels = [int(local(e)[1]) for e in root.iter() if re.fullmatch("h[1-6]", local(e))]
    if levels[:1] != [1] or levels.count(1) != 1:
        yield f"headings begin {levels[:3]}"
    for before, after in zip(levels, levels[1:]):
        if after > before + 1:
            yield f"a heading of level {after} after one of level {before}"
    for landmark in ("header", "nav", "main", "footer"):
        if len(list(root.iter(landmark))) != 1:
            yield f"not one <{landmark}>"
    ids = [e.get("id") for e in root.iter() if e.get("id")]
    yield from (f"id {i} twice" for i in set(ids) if ids.count(i) > 1)
    for element in root.iter():
        for name in ("aria-labelledby", "aria-describedby", "for"):
            for word in (element.get(name) or "").split():
                if word not in ids:
                    yield f"{name}={word} leads nowhere"
        href = element.get("href") or ""
        if href.startswith("#") and href[1:] not in ids:
            yield f"{href} leads nowhere"
    for picture in root.iter(SVG + "svg"):
        if picture.get("aria-hidden") != "true" and not (
                picture.get("aria-label") or picture.get("aria-labelledby")
                or picture.find(SVG + "title") is not None):
            yield "a picture without words"


def formulas(root):
    """MathML of known elements with the right number of children; what is copied is balanced."""
    if not list(root.iter(MATH + "math")):
        yield "no formula"
    for math in root.iter(MATH + "math"):
        for e in math.iter():
            if local(e) not in MATHML or not e.tag.startswith(MATH):
                yield f"<{local(e)}> in a formula"
            elif local(e) in ARITY and len(e) != ARITY[local(e)]:
                yield f"<{local(e)}> with {len(e)} children"
    copied = [e for e in root.iter() if e.get("class") == "formula"]
    if not copied:
        yield "nothing to copy"
    for e in copied:
        latex, plain = e.get("data-latex"), e.get("data-text")
        if latex is None and sum(1 for _ in e.iter()) > 5000:
            continue  # pages of it
        if not latex or not plain or not latex.strip() or not plain.strip():
            yield "a formula without text"
            continue
        if latex.count("{") != latex.count("}") or "<" in latex:
            yield f"unbalanced: {latex}"
        for left, right in ((r"\left", r"\right"), (r"\begin{", r"\end{")):
            if len(re.findall(re.escape(left) + r"(?![a-z])", latex)) != len(
                    re.findall(re.escape(right) + r"(?![a-z])", latex)):
                yield f"{left} without {right}: {latex}"


def equations(root):
    """Every section that promises formulas has some, or says why not."""
    for section in root.iter("section"):
        if section.get("id") not in ("system", "equations", "reactions"):
            continue
        said = text_of(section)
        if not any(e.get("class") == "formula" for e in section.iter()) and not any(
                words in said for words in ("They are not given", "above, with", "no equations here")):
            yield f"no formula in {section.get('id')}"


def self_contained(page, root):
    """Nothing is fetched, and only our scripts run."""
    for element in root.iter():
        for name, value in element.attrib.items():
            if local(element) != "meta" and name.lower().startswith("on"):
                yield f"{name} on <{local(element)}>"
            if name.rsplit("}", 1)[-1] in ("href", "src", "srcset", "action", "poster", "data"):
                if not value.startswith(("#", "data:")):
                    yield f"{name}={value[:40]}"
    unexplained = page.replace("http://www.w3.org/1998/Math/MathML", "")
    unexplained = unexplained.replace("http://www.w3.org/2000/svg", "")
    for found in re.findall(r"(?:https?|ftp|wss?)://\S{0,30}|@import|url\((?!#)", unexplained):
        yield found
    policy = next(m.get("content") for m in root.iter("meta")
                  if m.get("http-equiv") == "Content-Security-Policy")
    if "default-src 'none'" not in policy:
        yield policy
    wanted = {"'sha256-" + base64.b64encode(hashlib.sha256(s.encode()).digest()).decode() + "'"
              for s in scripts(page)}
    allowed = re.search("script-src([^;]*)", policy)[1].split()
    if wanted != set(allowed) or not wanted:
        yield f"the policy allows {allowed}, the page has {wanted}"
    data = re.sub(r"<script>.*?</script>", "", page, flags=re.S)
    for block in re.findall(r'<script type="application/json"[^>]*>(.*?)</script>', data, re.S):
        try:
            json.loads(block)
        except ValueError as wrong:
            yield f"embedded data: {wrong}"


def rows_of(root):
    """The rows that can be downloaded, as CSV text; None: there are none."""
    for link in root.iter("a"):
        if link.get("download"):
            head, _, data = link.get("href").partition(",")
            assert head == "data:text/csv;charset=utf-8", head
            return urllib.parse.unquote(data)
    return None


# ---- The models ----------------------------------------------------------------------------------

def same_rows(model, root):
    """The motion in the page is that of `simulate`, digit by digit."""
    rows = rows_of(root)
    said = run("simulate", "--samples=601", model)
    if rows is None:
        if said.returncode == 0:
            yield "no rows, but simulate has some"
        return
    simulated = said.stdout.splitlines()
    for line in rows.splitlines():
        if line not in simulated:
            yield f"not a row of simulate: {line[:80]}"
            return
    if len(rows.splitlines()) < 0.2 * len(simulated):
        yield f"{len(rows.splitlines())} of {len(simulated)} rows"


def same_claims(model, root):
    """Verdicts are those of `verify`."""
    claims = json.loads(run("verify", "--json", model).stdout)["claims"]
    shown = [text_of(e) for e in root.iter("span") if (e.get("class") or "").startswith("verdict")]
    said = ["refuted" if c["kind"] == "refute" and c["verdict"] == "false" else c["verdict"]
            for c in claims]
    if [s.split()[-1] for s in shown] != said:
        yield f"{shown} instead of {said}"


def same_text(model, root):
    """The model's text is shown as it was written, and its words are told apart."""
    shown = next(e for e in root.iter("details") if e.get("class") == "source-text")
    code = next(shown.iter("code"))
    if text_of(code) != model.read_text():
        yield "the text differs"
    marked = {(e.get("class"), e.text) for e in code.iter("span")}
    if not {("k", "coordinate"), ("k", "system")} <= marked:
        yield "no words are marked"
    for kind, text in marked:
        good = {"c": text.startswith("#"), "s": text.startswith('"'), "n": text[0] in ".0123456789",
                "k": text.islower() and text.isalpha(), "f": text.isalnum()}
        if not good[kind]:
            yield f"{text} is marked as {kind}"


def look_at(model):
    """Everything wrong with the page of one model."""
    page, status = report(model)
    if status != 0:
        return [f"exit status {status}"]
    wrong = []
    if "a kinematic model has no motion" in page and "A kinematic model" not in run("check", model).stdout:
        wrong.append("it is said to be kinematic")  # once the reason of a search that its time ended
    if len(page.encode()) >= LARGEST:
        wrong.append(f"{len(page.encode())} bytes")
    if not SANITIZED and seconds_of(model) >= SLOWEST:
        wrong.append(f"{seconds_of(model):.1f} s")
    try:
        root = parsed(page)
    except ET.ParseError as error:
        return wrong + [str(error)]
    for complaints in (structure(root), formulas(root), equations(root), self_contained(page, root),
                       same_rows(model, root), same_claims(model, root), same_text(model, root)):
        wrong.extend(complaints)
    return wrong


def check_models():
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for model, wrong in zip(MODELS, pool.map(look_at, MODELS)):
            tap.check_none(sorted(set(wrong))[:10], f"page.{model.stem}")


# ---- Odd models ----------------------------------------------------------------------------------

NASTY = """</script><script>alert(1)</script><img src=x onerror=alert(2)>&amp;'\u202Eevil\u2066 ]]> <!--"""
HOSTILE = f"""system "{NASTY}"
source "{NASTY}"
# {NASTY}
parameter m = 1, script
coordinate x, y
kinetic 1/2*m*(x'^2 + y'^2)
force x = script
constraint onerror: x' - y' = 0
start x = 0, y = 0, x' = 1
simulate t = 0 .. 1
output alert = x
claim "{NASTY}": x' = y'
claim "{NASTY}": x' = 2*y'
"""


def check_hostile():
    """Texts of a model are texts of the page, whatever they hold."""
    for extra in ([], ["--set", "script=1"], ["--set", "script=1", "--title", NASTY + '"']):
        name = "hostile." + "-".join(extra[::2]) if extra else "hostile.plain"
        page, status = report(*extra, "-", text=HOSTILE)
        if not tap.check(status == 0, f"{name}.made"):
            continue
        root = parsed(page)
        visible = NASTY.replace("\u202e", "[U+202E]").replace("\u2066", "[U+2066]")
        heading = text_of(next(root.iter("h1")))
        tap.check(heading == visible + ('"' if "--title" in extra else ""), f"{name}.title", heading)
        tap.check(not [e for e in root.iter() if local(e) == "img"], f"{name}.no_image")
        tap.check(len(scripts(page)) == len(re.findall(r"<script>", page)) <= 6
                  and "alert(" not in "".join(scripts(page)), f"{name}.no_script")
        tap.check(not re.search("[\u202a-\u202e\u2066-\u2069]", page), f"{name}.no_override")
        tap.check_none(list(structure(root)) + list(self_contained(page, root)), f"{name}.page")


BARE = "coordinate x, y\nparameter m, k\nkinetic 1/2*m*(x'^2 + y'^2)\npotential k*x^2/2\n"
ODD = {
    "no_start": (BARE, [], "No motion is shown"),
    "symbolic": (BARE + "start x = 1, y = 0\nsimulate t = 0 .. 1\n", [], "No motion is shown"),
    "set": (BARE + "start x = 1, y = 0\nsimulate t = 0 .. 1\n", ["--set", "m=1,k=2"], "Download"),
    "one_coordinate": ("coordinate x\nkinetic x'^2/2\nstart x = 1, x' = 2\nsimulate t = 0 .. 1\n", [],
                       "Download"),
    "redundant": ("coordinate x, y\nkinetic (x'^2 + y'^2)/2\nconstraint a: x' = y'\n"
                  "constraint b: 2*x' = 2*y'\nstart x = 0, y = 0, x' = 1\nsimulate t = 0 .. 1\n", [],
                  "Download"),
    "refused": (BARE, ["--method", "maggi,second-class"], "This method gives no equations here"),
    "all": (BARE, ["--method", "all"], 'id="method-hamilton"'),
    "blow_up": ("coordinate x\nkinetic x'^2/2\nforce x = x'^3\nstart x = 0, x' = 1\n"
                "simulate t = 0 .. 10\n", [], "Stopped"),
    "family": ("parameter n = 30\ncoordinate x[1..n]\nkinetic sum(i = 1 .. n, x[i]'^2)/2\n"
               "for i = 2 .. n:\n    constraint c[i]: x[i]' = i*x[1]'\n"
               "for i = 1 .. n:\n    start x[i] = 0\nstart x[1]' = 1\nsimulate t = 0 .. 1\n", [],
               "Equations of motion"),
    "mark": ("\ufeffsystem \"\u203b --\"\nsource \"\"\n" + BARE + "start x = 1, y = 0\nsimulate t = 0 .. 1\n",
             ["--set", "m=1,k=2"], 'download="motion.csv"'),
    "wrong_claims": (BARE + 'claim "no": x = y\nrefute "yes": x = x\n', [], "0 of 2 turn out as stated"),
    "events": ("coordinate x\nkinetic x'^2/2\nforce x = -400*x\nstart x = 1, x' = 0\nsimulate t = 0 .. 5\n"
               'record "down" when x = 0 falling\nrecord "top" when x = 1\n', [], "touched, not clearly crossed"),
    "more_events": ("coordinate x\nkinetic x'^2/2\nforce x = -400*x\nstart x = 1, x' = 0\nsimulate t = 0 .. 5\n"
                    'record "down" when x = 0 falling\nrecord "up" when x = 0 rising\n', [], "<p>… and 12 events more.</p>"),
    "waves": ("coordinate x\nkinetic x'^2/2\npotential cos(9*x) + cos(x)\n", [], " more.</li>"),
    "split": ("coordinate x, y\nkinetic (x'^2 + y'^2)/2\npotential x^2 + y^2\nconstraint a: x'*y' = 0\n", [], "components"),
    "elsewhere": ("coordinate x\nkinetic x'^2/2\nstart x = 1, x' = 2\nsimulate t = 0 .. 1\n", ["--at", "x=3"],
                  "it begins elsewhere than the model says"),
    "thinned": ("coordinate x\nkinetic x'^2/2\nstart x = 1, x' = 2\nsimulate t = 0 .. 1\n", ["--samples", "9001"],
                "one in 3 of 9001 rows"),
    "twice": (BARE, ["--method", " ,lagrange,,lagrange"], 'id="method-lagrange"'),
    "no_reactions": ("coordinate x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\nforce z = 3\nconstraint p: z'' = x''*y''\n", [],
                     "They are not given: "),
    "many_constraints": ("coordinate x[1..45]\nkinetic sum(i = 1 .. 45, x[i]'^2)/2\nfor i = 2 .. 45:\n"
                         "    constraint x[i]' = i*x[1]'\n", ["--method", "multipliers"], "<p>… and 4 more.</p>"),
    "no_character": ('system "a\uffffb\U0001fffe"\n' + BARE, [], "<bdi>a[U+FFFF]b\ufffd</bdi>"),
    "refuted_in_vain": (BARE + 'refute "e": constant energy\n', [], '<span class="verdict bad">✗ proved</span>'),
    "poles": ("coordinate th, ph\nkinetic (th'^2 + sin(th)^2*ph'^2)/2\npotential -cos(th)\n", [], "a pole of the angles"),
    "begins_by_formulas": ("parameter a = 1\ncoordinate x, y\nkinetic (x'^2 + y'^2)/2\nstart x = a, y = 2*x, x' = 1, y' = x\n"
                           "simulate t = 0 .. a\n", [], '"open":[]'),
    "open_velocity": ("parameter a = 1\ncoordinate x, y\nkinetic (x'^2 + y'^2)/2\nconstraint a*x' = y'\n"
                      "velocity u: x' = u, y' = a*u\nstart x = a, y = 0, u = 1\nsimulate t = 0 .. 1\n", [],
                      '"open":["x\'","y\'"]'),
    "undefined_output": ("coordinate x\nkinetic x'^2/2\nforce x = -1\noutput o = sqrt(x)\nstart x = 1, x' = 0\n"
                         "simulate t = 0 .. 2\n", ["--samples", "3"], ",0,,"),
    "long_label": ("coordinate x[1..30]\nkinetic sum(i = 1 .. 30, x[i]'^2)/2\n"
                   "constraint all: x[1]' = sum(i = 2 .. 30, (i + 0.5)*sin(x[i])*x[i]')\n", ["--method", "multipliers"],
                   "<mspace width=\"2em\"/><mtext>all</mtext>"),
    "parts": ("coordinate a[1..14]\nfor j = 1 .. 14:\n    point P[j] mass j at (sum(i = 1 .. j, sin(i*a[i])), "
              "sum(i = 1 .. j, cos(i*a[i])))\n", ["--method", "lagrange"], "v is the speed of a point"),
    "no_time": ("coordinate x\nkinetic x'^2/2\nstart x = 1\nsimulate t = 0 .. 1\n", ["--to", "0"], "The motion"),
    "unlike": ("coordinate x\nkinetic x'^2/2\nforce x = sign(x)\nclaim \"s\": x''*abs(x) = x\n", [], "verdict"),
    "counted": ("parameter n = 2, k = 3\ncoordinate x[1..n]\nkinetic sum(i = 1 .. n, x[i]'^2)/n\npotential k*x[1]^2\n"
                "for i = 1 .. n:\n    start x[i] = i\nsimulate t = 0 .. 1\n", [], '"fixed":["n"]'),
    "kinematic": ("input v = 1, w = 0.5*t\nparameter a = 1\ncoordinate x, y, th\nvelocity v, w: x' = v*cos(th), y' = a*v*sin(th), th' = w\n"
                  "start x = 0, y = 0, th = 0\nsimulate t = 0 .. 1\n", [], '"fixed":["x\'","y\'","th\'"]'),
    "told": ("parameter l = 1\ncoordinate x, y\nkinetic x'^2 + y'^2\nconstraint x = l\nconstraint y^2 = l\n"
             "start y near -1\nsimulate t = 0 .. 1\n", [], '"fixed":[]'),
    "function": ("function f(t)\ncoordinate x, y\nkinetic (x'^2 + y'^2)/2\nconstraint x' = f(t)*y'\n"
                 "start x = 0, y = 0, y' = 1\nsimulate t = 0 .. 1\n", [], "No motion is shown"),
}


if SANITIZED:  # the search has half a second
    del ODD["waves"]


def check_odd():
    for name, (text, words, wanted) in ODD.items():
        page, status = report(*words, "-", text=text)
        if not tap.check(status == 0, f"odd.{name}.made"):
            continue
        root = parsed(page)
        wrong = [*structure(root), *formulas(root), *equations(root), *self_contained(page, root)]
        if wanted not in page:
            wrong.append(f"it does not say {wanted}")
        tap.check_none(wrong, f"odd.{name}")


def check_command():
    """Files, wrong options, the same page twice."""
    tire = tap.ROOT / "models/double_pendulum.ah"
    words = ["--to", "0.5", "--samples", "11"]
    with tempfile.TemporaryDirectory() as folder:
        page = pathlib.Path(folder) / "it's a page.html"
        said = run("report", tire, "-o", page, *words)
        tap.check(said.returncode == 0 and "claims" in said.stdout, "file", said.stderr)
        again = run("report", tire, "-o", page, *words)
        first = page.read_text()
        run("report", tire, "-o", page, *words)
        tap.check(first == page.read_text() and again.returncode == 0, "same_again")
        shown = text_of(next(parsed(first).iter("footer")))
        quoted = str(page).replace("'", "'\\''")
        tap.check(f"--to 0.5 --samples 11 -o '{quoted}'" in shown, "command", shown)
        tap.check(len(rows_of(parsed(first)).splitlines()) == 12, "samples")
        said = run("report", tire, "-o", pathlib.Path(folder) / "none/page.html")
        tap.check(said.returncode == 1 and "none/page.html" in said.stderr, "no_folder", said.stderr)
    said = run("report", "--method", "hamell", tire)
    tap.check(said.returncode == 2 and "hamell" in said.stderr, "unknown_method", said.stderr)
    tap.check(run("report", "--json", tire).returncode == 2, "json_needs_a_file")
    tap.check(run("report", "--samples=1", tire).returncode == 2, "two_samples_at_least")


def check_assets():
    """Scripts and styles cannot end their element."""
    files = sorted((tap.ROOT / "src/report/web").iterdir())
    tap.check_none([f.name for f in files if re.search(r"</(script|style)|<!--", f.read_text(), re.I)],
                   "assets")


check_models()
check_hostile()
check_odd()
check_command()
check_assets()
tap.done()

#!/usr/bin/env python3
"""At the terminal: the first words, topics, starters, models, manual pages, completion."""
import json
import math
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent / "harness"))
import tap

ANHOLO = tap.BUILD / "anholo"
FOLDER = pathlib.Path(tempfile.mkdtemp(prefix="ah_terminal_"))


def run(*words, **more):
    return subprocess.run([ANHOLO, *map(str, words)], capture_output=True, text=True, cwd=FOLDER, **more)


COMMANDS = json.loads(run("help", "--json").stdout)
NAMES = [command["name"] for command in COMMANDS["commands"]]


# ---- Starters ------------------------------------------------------------------------------------

def check_new():
    made = run("new", "first.ah")
    tap.check(made.returncode == 0 and "anholo check first.ah" in made.stdout, "new.says_what_next", made.stdout)
    text = (FOLDER / "first.ah").read_text()
    again = run("new", "first.ah")
    tap.check(again.returncode == 1 and "already" in again.stderr, "new.leaves_files_alone", again.stderr)
    tap.check((FOLDER / "first.ah").read_text() == text, "new.file_is_as_it_was")
    for words, status in ((["new"], 2), (["new", "a.ah", "b.ah"], 2), (["new", "nowhere/a.ah"], 1),
                          (["new", "a.ah", "--like", "boat"], 2)):
        said = run(*words)
        tap.check(said.returncode == status and said.stderr.startswith("anholo: "), f"new.wrong: {words}",
                  said.stderr)
    tap.check(not (FOLDER / "a.ah").exists(), "new.nothing_half_made")


def check_starters():
    """Every starter is a whole model: all questions without an option, status 0."""
    choice = next(o for c in COMMANDS["commands"] if c["name"] == "new" for o in c["options"]
                  if o["name"] == "--like")
    for kind in choice["value"].split("|"):
        run("new", f"{kind}.ah", "--like", kind)
        for command in (["check"], ["verify"], ["crosscheck"], ["simulate", "-o", f"{kind}.csv"],
                        ["report", "-o", f"{kind}.html"]):
            said = run(*command, f"{kind}.ah")
            tap.check(said.returncode == 0, f"starter.{kind}.{command[0]}", said.stdout, said.stderr)
        proved = re.findall(r"^  ok   claim .*: (.*)$", run("verify", f"{kind}.ah").stdout, flags=re.M)
        tap.check(all(word.startswith("proved") for word in proved), f"starter.{kind}.claims_are_proved", *proved)


def check_vehicle():
    """Its heading against the integral of v tan(delta)/L, by Simpson's rule."""
    rows = (FOLDER / "vehicle.csv").read_text().splitlines()
    end = dict(zip(rows[0].split(","), map(float, rows[-1].split(","))))
    n, to = 20000, end["t"]
    rate = [math.tan(0.3*math.sin(to*k/n/2))/2.5 for k in range(n + 1)]
    theta = to/n/3*(rate[0] + rate[-1] + 4*sum(rate[1:-1:2]) + 2*sum(rate[2:-1:2]))
    tap.check(abs(end["theta"] - theta) < 1e-8, "starter.vehicle.heading", end["theta"], theta)


# ---- Help ----------------------------------------------------------------------------------------

def check_first_words():
    """What it says to somebody who types its name alone can be typed as it stands."""
    said = run()
    tap.check(said.returncode == 2, "first.status")
    commands = re.findall(r"^  anholo (\S+) (.*?)(?:  .*)?$", said.stdout, flags=re.M)
    tap.check(len(commands) >= 5, "first.commands", said.stdout)
    with tempfile.TemporaryDirectory(dir=FOLDER) as folder:
        for name, rest in commands:
            did = subprocess.run([ANHOLO, name, *rest.split()], cwd=folder, capture_output=True, text=True)
            tap.check(did.returncode == 0, f"first.{name}", did.stderr)


def check_topics():
    for topic in COMMANDS["topics"]:
        text = run("help", topic).stdout
        tap.check(text.splitlines()[0] in run("help").stdout, f"topic.{topic}.listed")
        model = "\n".join(re.findall(r"^    (.*)$", text, flags=re.M)) + "\n"
        if "coordinate" in model:
            said = run("check", "-", input=model)
            tap.check(said.returncode == 0, f"topic.{topic}.model", said.stderr, model)
            if topic == "claims":
                verdicts = run("verify", "-", input=model)
                tap.check(verdicts.returncode == 0, "topic.claims.verdicts", verdicts.stdout)
    for word in NAMES:
        tap.check(run("help", word).stdout == run(word, "-h").stdout, f"help.{word}")
    wrong = run("help", "claim")
    tap.check(wrong.returncode == 1 and "did you mean `claims`" in wrong.stderr, "help.did_you_mean", wrong.stderr)


# ---- Models --------------------------------------------------------------------------------------

def check_models():
    there = {p.relative_to(tap.ROOT / "models").with_suffix("").as_posix()
             for p in (tap.ROOT / "models").rglob("*.ah")}
    listed = json.loads(run("models", "--json").stdout)
    tap.check({m["name"] for m in listed["models"]} == there, "models.all")
    tap.check(all(m["title"] for m in listed["models"]), "models.titles")
    skate = (tap.ROOT / "models/skate.ah").read_text()
    tap.check(run("models", "skate").stdout == skate, "models.shown")
    tap.check(json.loads(run("models", "skate.ah", "--json").stdout)["text"] == skate, "models.shown_as_json")
    copied = run("models", "skate", "-o", "mine.ah")
    tap.check(copied.returncode == 0 and (FOLDER / "mine.ah").read_text() == skate, "models.copied", copied.stderr)
    near = run("models", "skat")
    tap.check(near.returncode == 1 and "did you mean `skate`" in near.stderr, "models.did_you_mean", near.stderr)
    own = FOLDER / "own"
    own.mkdir()
    shutil.copy(tap.ROOT / "models/tire.ah", own / "wheel.ah")
    said = run("models", env={**os.environ, "ANHOLO_MODELS": str(own)})
    tap.check("wheel" in said.stdout and "skate" not in said.stdout, "models.by_the_variable", said.stdout)
    none = run("models", env={**os.environ, "ANHOLO_MODELS": str(own / "none")})
    tap.check(none.returncode == 1 and "ANHOLO_MODELS" in none.stderr, "models.none", none.stderr)
    tap.check(run("models", "skate", "-o", tap.ROOT / "models/skate.ah").returncode == 2, "models.not_over_itself")


# ---- Manual pages --------------------------------------------------------------------------------

def check_manual():
    groff = shutil.which("groff")
    for name in [None, *NAMES]:
        page = run("help", "--format", "man", *([name] if name else [])).stdout
        tap.check(page.count(".SH") >= 5 and ".TH" in page, f"man.{name}")
        for option in next((c["options"] for c in COMMANDS["commands"] if c["name"] == name), []):
            escaped = option["name"].replace("-", "\\-")
            tap.check(f"\\fB{escaped}\\fR" in page, f"man.{name}.{option['name']}")
        if groff:
            said = subprocess.run([groff, "-man", "-Kutf8", "-Tutf8", "-ww", "-z"], input=page, text=True,
                                  capture_output=True)
            tap.check(said.stderr == "", f"man.{name}.groff", said.stderr)


# ---- Completion ----------------------------------------------------------------------------------

def complete(line):
    """What bash would offer at the end of the line."""
    script = ('source <("$ANHOLO" help --format bash); anholo() { "$ANHOLO" "$@"; }; '
              'COMP_LINE=$1 COMP_POINT=${#1}; COMP_WORDS=(); _anholo; printf "%s\\n" "${COMPREPLY[@]}"')
    said = subprocess.run(["bash", "-c", script, "-", line], capture_output=True, text=True, cwd=FOLDER,
                          env={**os.environ, "ANHOLO": str(ANHOLO)})
    tap.check(said.stderr == "", f"bash.quiet: {line}", said.stderr)
    return set(said.stdout.split())


def check_completion():
    (FOLDER / "m.ah").write_text("parameter mass = 1, drag = 2\ncoordinate x, theta\ninput u = 0\nfunction f(t)\n"
                                 "kinetic mass*(x'^2 + theta'^2)/2\nforce x = u + f(t) - drag*x'\n")
    offered = {
        "anholo ": {*NAMES, "--help", "--version"},
        "anholo sta": {"stability"},
        "anholo derive --meth": {"--method"},
        "anholo derive --method ham": {"hamel", "hamel-nonlinear", "hamilton"},
        "anholo derive --method=gau": {"gauss"},
        "anholo simulate m.ah --set ": {"mass=", "drag=", "f="},
        "anholo simulate m.ah --set mass=2,": {"2,mass=", "2,drag=", "2,f="},
        "anholo simulate m.ah --set=dr": {"drag="},
        "anholo simulate m.ah --at th": {"theta=", "theta'="},
        "anholo simulate m.ah --input ": {"u="},
        "anholo export fm": {"fmu"},
        "anholo help cl": {"claims"},
        "anholo check m": {"m.ah", "mine.ah"},
    }
    for line, wanted in offered.items():
        got = complete(line)
        tap.check(got == wanted, f"bash: {line}", got, wanted)
    for command in COMMANDS["commands"]:
        wanted = {option["name"] for option in command["options"]}
        tap.check(complete(f"anholo {command['name']} -") == wanted, f"bash.options: {command['name']}")
    for shell in ("zsh", "fish"):
        script = run("help", "--format", shell).stdout
        tap.check(all(f"{name}" in script for name in NAMES), f"{shell}.commands")
        if shutil.which(shell):
            said = subprocess.run([shell, "-n", "/dev/stdin"], input=script, text=True, capture_output=True)
            tap.check(said.returncode == 0 and not said.stderr, f"{shell}.reads_it", said.stderr)


# ---- Editors -------------------------------------------------------------------------------------

def check_editors():
    """The files are what the tables say; the grammar colours every model: words at the head of statements, comments."""
    again = subprocess.run([tap.ROOT / "scripts/editors", "--check"])
    tap.check(again.returncode == 0, "editors.files", "run scripts/editors")
    grammar = json.loads((tap.ROOT / "editors/vscode/anholo.tmLanguage.json").read_text())
    rules = [(rule["name"] if "name" in rule else rule["captures"]["1"]["name"], re.compile(rule["match"]))
             for rule in grammar["patterns"]]
    head = next(rule for name, rule in rules if name == "keyword.control.anholo")
    missed = set()
    for model in (tap.ROOT / "models").rglob("*.ah"):
        for line in model.read_text().splitlines():
            if re.match(r"[a-z]", line) and not head.match(line) and not re.match(r"\s*$|#", line):
                missed.add(line.split()[0])
    tap.check_none(missed, "editors.statements")
    # The fuzzers' dictionary has every word of the grammar and every function; letters they find by themselves.
    words = re.findall(r'"([a-z]{2,})"', (tap.ROOT / "docs/language.md").read_text().split("## Grammar")[1])
    words += re.findall(r'"(\w+)"', re.search(r"const names\[\] = \{(.*?)\};", (tap.ROOT / "src/lang/highlight.c").read_text(), flags=re.S)[1])
    known = {re.sub(r"[^a-z0-9].*", "", line.strip('"\n')) for line in (tap.ROOT / "fuzz/lang.dict").open()}
    tap.check_none(set(words) - known, "fuzz.words of the grammar")
    matcher = json.loads((tap.ROOT / "editors/vscode/package.json").read_text())["contributes"]["problemMatchers"][0]
    (FOLDER / "wrong.ah").write_text("coordinate x\nkinetic x'^2/2 + nobody\n")
    found = re.search(matcher["pattern"]["regexp"], run("check", "wrong.ah").stderr, flags=re.M)
    tap.check(found and found.group(1, 2, 3, 4) == ("wrong.ah", "2", "18", "error"), "editors.problem_matcher")


try:
    check_editors()
    check_new()
    check_starters()
    check_vehicle()
    check_first_words()
    check_topics()
    check_models()
    check_manual()
    check_completion()
finally:
    shutil.rmtree(FOLDER)
tap.done()

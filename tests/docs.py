#!/usr/bin/env python3
"""The documents tell the truth: models in them are accepted, commands print what is shown, links,
citations and lists resolve.

    tests/docs.py --update    puts what the commands print now into the documents
"""
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
TUTORIAL = tap.ROOT / "docs/tutorial"
LESSON = pathlib.Path(tempfile.mkdtemp(prefix="ah_lesson_"))  # where the tutorial's commands are typed
ELIDED = "…"  # a line of it in an example stands for any lines


def sources(*folders, kinds=(".c", ".h", ".def")):
    for folder in folders:
        yield from sorted(f for f in (tap.ROOT / folder).rglob("*") if f.suffix in kinds)


def documents():
    yield from sorted(tap.ROOT.glob("*.md"))
    yield from sorted((tap.ROOT / "docs").rglob("*.md"))


def blocks(document, kind):
    """Pairs (line number, text) of the fenced blocks of one kind."""
    text = document.read_text()
    for found in re.finditer(rf"^```{kind}\n(.*?)^```$", text, flags=re.S | re.M):
        yield text.count("\n", 0, found.start()) + 2, found[1]


def short(path):
    return path.relative_to(tap.ROOT).as_posix()


# ---- Examples ------------------------------------------------------------------------------------

def check_models():
    """Every ```ah block is a complete model that `anholo check` accepts."""
    for document in documents():
        for line, text in blocks(document, "ah"):
            with tempfile.NamedTemporaryFile("w", suffix=".ah") as file:
                file.write(text)
                file.flush()
                said = subprocess.run([ANHOLO, "check", file.name], capture_output=True, text=True)
            tap.check(said.returncode == 0, f"model.{short(document)}:{line}", said.stderr)


def matches(said, shown):
    """Whether the lines said are the lines shown, up to elisions."""
    pattern = "".join("(?:.*\n)*?" if line == ELIDED else re.escape(line) + "\n" for line in shown)
    return re.fullmatch(pattern, said) is not None


def transcript(text):
    """Pairs (command, lines shown) of a console block."""
    steps = []
    for line in text.splitlines():
        if line.startswith("$ "):
            steps.append((line[2:], []))
        else:
            steps[-1][1].append(line)
    return steps


def output(command, document):
    """What a command of a console block prints: in README and tutorial as after an installation, in a folder of its own."""
    run, folder, environment = command.replace("build/anholo", str(ANHOLO)), tap.ROOT, dict(os.environ)
    if lesson(document):
        run, folder = run.replace("python3 ", "/usr/bin/python3 "), LESSON
        environment.update(PATH=f"{tap.BUILD}:{tap.ROOT / 'tools'}:{os.environ['PATH']}", PYTHONPATH=str(tap.ROOT / "python"),
                           PYTHONDONTWRITEBYTECODE="1", ANHOLO_LIBRARY=str(tap.BUILD / "libanholo.so"),
                           PKG_CONFIG_PATH=str(LESSON), LD_LIBRARY_PATH=str(tap.BUILD))
    return subprocess.run(run, shell=True, cwd=folder, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          env=environment).stdout


def lesson(document):
    return document.parent == TUTORIAL or document == tap.ROOT / "README.md"


def prepare_lessons():
    """The models and programs that a reader has saved, and the library as if it were installed."""
    for file in (f for kind in ("ah", "py", "c") for f in TUTORIAL.glob(f"*.{kind}")):
        shutil.copy(file, LESSON)
    (LESSON / "anholo.pc").write_text(f"Name: anholo\nDescription: -\nVersion: 0\nCflags: -I{tap.ROOT}/include\n"
                                      f"Libs: -L{tap.BUILD} -lanholo\n")


def needs_plain_library(command):
    """What calls the shared library from a program without the sanitizers' run-time."""
    return re.match(r"python3 |cc ", command) is not None


def same_picture(a, b):
    """Up to half a pixel: the last digits of a motion are another machine's own."""
    number = r"-?\d+(?:\.\d+)?"
    a_numbers, b_numbers = (list(map(float, re.findall(number, text))) for text in (a, b))
    return re.sub(number, "0", a) == re.sub(number, "0", b) and all(
        abs(x - y) < 0.5 for x, y in zip(a_numbers, b_numbers))


def check_lessons():
    """The pictures of the tutorial are what its commands make; models and programs shown are those that are used."""
    for picture in sorted((TUTORIAL / "images").glob("*.svg")):
        made = LESSON / picture.name
        tap.check(made.exists() and same_picture(made.read_text(), picture.read_text()), f"lesson.{picture.name}",
                  "tests/docs.py --update puts what is made now there")
    for suffix, kind in (("ah", "ah"), ("py", "python"), ("c", "c")):
        texts = [text for document in documents() if lesson(document) for _, text in blocks(document, kind)]
        for file in sorted(TUTORIAL.glob(f"*.{suffix}")):
            tap.check(file.read_text() in texts, f"lesson.{file.name}")


def check_transcripts():
    """Every `$ command` in a ```console block prints what stands below it."""
    for document in documents():
        for line, text in blocks(document, "console"):
            for command, shown in transcript(text):
                if os.environ.get("AH_SANITIZED") == "1" and needs_plain_library(command):
                    continue
                said = output(command, document)
                tap.check(matches(said, shown), f"console.{short(document)}:{line}", command, said)


def update_transcripts():
    for document in documents():
        text = document.read_text()
        for _, block in blocks(document, "console"):
            if ELIDED not in block.splitlines():
                steps = [f"$ {command}\n{output(command, document)}" for command, _ in transcript(block)]
                text = text.replace(block, "".join(steps))
            else:
                for command, _ in transcript(block):
                    output(command, document)
        document.write_text(text)
    for picture in (TUTORIAL / "images").glob("*.svg"):
        shutil.copy(LESSON / picture.name, picture)


# ---- References ----------------------------------------------------------------------------------

def check_links():
    wrong = []
    for document in documents():
        text = re.sub(r"^```.*?^```$", "", document.read_text(), flags=re.S | re.M)
        for target in re.findall(r"\]\(([^)\s]+)\)", text):
            file, _, anchor = target.partition("#")
            if re.match(r"\w+:", target):
                continue
            found = (document.parent / file).resolve() if file else document
            if not found.exists():
                wrong.append(f"{short(document)}: {target}")
            elif anchor and anchor not in anchors(found):
                wrong.append(f"{short(document)}: no heading #{anchor}")
    tap.check_none(wrong, "links")


def anchors(document):
    """The anchors of a document's headings, as they are commonly made."""
    titles = re.findall(r"^#+ (.*)$", document.read_text(), flags=re.M)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def comments(text):
    return "\n".join(re.findall(r"/\*.*?\*/", text, flags=re.S))


def check_citations():
    """[Key, eq. n] in a comment, and .paper = "Key", name an entry of docs/papers.bib."""
    keys = set(re.findall(r"^@\w+\{(\w+),", (tap.ROOT / "docs/papers.bib").read_text(), flags=re.M))
    wrong, cited = [], 0
    for file in sources("src", "include"):
        text = file.read_text()
        used = re.findall(r"\[([A-Z]\w*),\s+(?:[A-Z]?[a-z]+[. ]|[§(\d])[^\]]*\]", comments(text))
        used += re.findall(r"\.paper = \"(\w+)\"", text)
        cited += len(used)
        wrong += [f"{short(file)}: [{key}]" for key in used if key not in keys]
    tap.check(cited > 0, "citations.some")
    tap.check_none(wrong, "citations.resolve")


# ---- Lists ---------------------------------------------------------------------------------------

def check_errors():
    made = subprocess.run([tap.ROOT / "scripts/error-list"], capture_output=True, text=True).stdout
    tap.check(made == (tap.ROOT / "docs/errors.md").read_text(), "errors.list",
              "run scripts/error-list >docs/errors.md")

    again = subprocess.run([tap.ROOT / "scripts/errata", "--check"])
    tap.check(again.returncode == 0, "errata", "run scripts/errata")

    codes = re.findall(r"^X\((A\d{4})", (tap.ROOT / "src/base/errors.def").read_text(), flags=re.M)
    tap.check(len(codes) == len(set(codes)), "errors.unique")
    tests = "".join(f.read_text(errors="replace")
                    for f in sources("src", "tests", kinds=(".c", ".ah", ".py"))
                    if "src" not in f.relative_to(tap.ROOT).parts[:1] or "test" in f.parts)
    tap.check_none([code for code in codes if code not in tests], "errors.each_has_a_test")


def check_versions():
    build = (tap.ROOT / "CMakeLists.txt").read_text()
    version = re.search(r"project\(anholo VERSION (\S+)", build)[1]
    said = subprocess.run([ANHOLO, "--version"], capture_output=True, text=True).stdout
    wrong = ["anholo --version"] if version not in said else []
    header = dict(re.findall(r"#define AH_VERSION_(\w+) (\d+)", (tap.ROOT / "include/anholo/base.h").read_text()))
    wrong += ["base.h"] if [header[n] for n in ("MAJOR", "MINOR", "PATCH")] != version.split(".") else []
    for file, form in (("CHANGELOG.md", r"^## (\d+\.\S+),"), ("CITATION.cff", r"^version: (.*)"),
                       ("debian/changelog", r"^anholo \((.*?)\)"), ("editors/vscode/package.json", r'^  "version": "(.*)"')):
        first = re.search(form, (tap.ROOT / file).read_text(), flags=re.M)
        wrong += [file] if not first or first[1] != version else []
    tap.check_none(wrong, "version_in_one_voice")


def check_packages():
    """CONTRIBUTING names every package that the set-up installs."""
    text = (tap.ROOT / "CONTRIBUTING.md").read_text()
    script = f". {tap.ROOT}/scripts/setup.sh; for g in build tests ci; do packages $g; done"
    names = subprocess.run(["sh", "-c", script], capture_output=True, text=True).stdout.split()
    wanted = [n for n in names if not re.search(rf"[ `]{re.escape(n)}[ `]", text)]
    tap.check(names and not wanted, "packages", *wanted)


def check_clean():
    """No path of somebody's machine, nothing left for later."""
    here = pathlib.Path(__file__)
    wrong = []
    for file in sources(".", kinds=(".c", ".h", ".def", ".md", ".ah", ".py", ".sh", ".json", ".txt",
                                    ".cmake")):
        top = file.relative_to(tap.ROOT).parts[0]
        if top.startswith("build") or top == ".git" or file == here:
            continue
        text = file.read_text(errors="replace")
        wrong += [f"{short(file)}: {found[0]}" for found in re.finditer(
            r"/(?:work|home|root)/\w+|/tmp/(?![\w.-]*XXXXXX)\w+|\b(?:TODO|FIXME|XXX)\b", text)]
    tap.check_none(wrong, "clean")


prepare_lessons()
if sys.argv[1:] == ["--update"]:
    update_transcripts()
    shutil.rmtree(LESSON)
    sys.exit()
check_models()
check_transcripts()
check_lessons()
shutil.rmtree(LESSON)
check_links()
check_citations()
check_errors()
check_versions()
check_packages()
check_clean()
tap.done()

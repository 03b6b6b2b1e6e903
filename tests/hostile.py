#!/usr/bin/env python3
"""What reaches a terminal, a page or a program that reads the answers: no control characters of titles and file
names, valid JSON whatever a file is called, numbers as they were written, a decimal point in every locale,
labels that a spreadsheet does not take for formulas, names that stay apart."""
import csv
import io
import json
import os
import pathlib
import re
import resource
import subprocess
import sys
import tempfile
import xml.dom.minidom
import zipfile

sys.path.insert(0, str(pathlib.Path(__file__).parent / "harness"))
import tap

ANHOLO = str(tap.BUILD / "anholo")
SKATE = str(tap.ROOT / "models/skate.ah")
# C0 but line end and tab, DEL, C1, marks and overrides of the writing direction, ends of lines of JavaScript, what XML may not have
HARMFUL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\uffff]")
EVIL = "a\u0085b\u009b31mc\u202edlrow\u2066e\u200ff\u2028g\uffff"


def run(*words, **options):
    return subprocess.run([os.fsencode(ANHOLO), *(w if isinstance(w, bytes) else str(w).encode() for w in words)],
                          capture_output=True, timeout=120, **options)


def said(answer):
    return (answer.stdout + answer.stderr).decode()


# ---- Control characters ---------------------------------------------------------------------------------------

MODEL = f"""system "{EVIL}"
source "{EVIL}"
parameter m = 1
coordinate x
unit x = "{EVIL[:6]}"
point P mass m at (x, 0)
start x = 1, x' = -1
simulate t = 0 .. 2
stop "{EVIL}" when x = 0.5
claim "{EVIL}": constant x'
draw point P label "{EVIL}"
"""


def check_controls(folder):
    model = folder / "m.ah"
    model.write_text(MODEL)
    commands = [["check"], ["derive", "--steps"], ["derive", "--format=latex"], ["derive", "--format=mathml"],
                ["eval"], ["simulate", "--events", "/dev/stderr"], ["plot"], ["report"], ["verify"], ["integrals"],
                ["steady"], ["stability"], ["linearise"], ["crosscheck"], *(["dump", f"--stage={s}"] for s in ("tokens", "syntax", "model", "expr", "names", "equations")),
                ["sweep", "--over", "m=1..2:2"], ["sweep", "--over", "m=1..2:2", "--output", f'first("{EVIL}").x']]
    for command in commands:
        for options in ([], ["--json"]):
            answer = run(*command, *options, *(["-o", folder / "page"] if command[0] == "report" else []), model)
            text = said(answer) + ((folder / "page").read_text() if command[0] == "report" else "")
            tap.check(answer.returncode in (0, 1) and not HARMFUL.search(text),
                      f"controls.{command[0]}{''.join(options)}", answer.returncode, ascii(text[:2000]))
    for language in ("c", "js", "python", "octave"):
        answer = run("export", language, model, "-o", folder / language)
        text = said(answer) + "".join(p.read_text() for p in (folder / language).iterdir())
        tap.check(answer.returncode == 0 and not HARMFUL.search(text), f"controls.export {language}", ascii(text[:2000]))
    answer = run("export", "fmu", "--sources", model, "-o", folder / "m.fmu")
    with zipfile.ZipFile(folder / "m.fmu") as archive:
        text = said(answer) + "".join(archive.read(n).decode() for n in archive.namelist())
        xml.dom.minidom.parseString(archive.read("modelDescription.xml"))
    tap.check(answer.returncode == 0 and not HARMFUL.search(text), "controls.export fmu", ascii(text[:2000]))
    evil = folder / f"{EVIL}.ah"
    evil.write_text(MODEL)
    for words in (["check", folder / EVIL], ["check", "--json", folder / EVIL], ["plot", SKATE, "-o", folder / EVIL],
                  ["plot", SKATE, "--title", EVIL], ["report", SKATE, "-o", folder / EVIL, "--title", EVIL],
                  ["report", SKATE, "--title", EVIL], [EVIL], ["check", "--" + EVIL], ["derive", SKATE, "--method", EVIL],
                  ["simulate", SKATE, "-o", folder / EVIL / EVIL], ["check", evil, "--set", EVIL],
                  ["linearise", SKATE, "--outputs", EVIL], ["linearise", SKATE, "--at", EVIL, "--json"],
                  ["export", "c", SKATE, "--name", EVIL, "-o", folder / "c"], ["export", EVIL, SKATE, "-o", folder / "c"],
                  ["export", "js", SKATE, "-o", folder / EVIL], ["export", "js", evil, "--json", "-o", folder / f"{EVIL}.js"],
                  ["simulate", evil, "--input", f"{EVIL}=1"], ["simulate", evil, "--input", f"u={EVIL}.csv:{EVIL}"],
                  ["verify", SKATE, "--certificate", folder / EVIL / EVIL]):
        answer = run(*words)
        tap.check(not HARMFUL.search(said(answer)), f"controls.words {words[0] if words[0] != EVIL else ''}",
                  ascii(said(answer)[:500]))
    (folder / "models").mkdir()
    (folder / "models" / f"\x1b[31m{EVIL}.ah").write_text(MODEL)
    for words in (["models"], ["models", "--json"], ["models", EVIL]):
        answer = run(*words, env={**os.environ, "ANHOLO_MODELS": str(folder / "models")})
        tap.check(said(answer) and not HARMFUL.search(said(answer)), f"controls.{' '.join(words[:2]) if EVIL not in words else 'models NAME'}",
                  ascii(said(answer)[:500]))


# ---- JSON -------------------------------------------------------------------------------------------------------

NAMES = [b"latin\xe9", b"\xff\xfe", b"surrogate\xed\xa0\x80", b"overlong\xc0\xaf", b"overlong\xe0\x80\xaf", b"past\xf4\x90\x80\x80",
         b"cut\xe2\x82", b'quote"back\\slash', b"line\nend\ttab\x01"]


def check_json(folder):
    for name in NAMES:
        path = os.fsencode(folder) + b"/" + name
        for words in (["check", "--json", path + b"/none"], ["report", "--json", SKATE, "-o", path],
                      ["plot", "--json", SKATE, "-o", path], ["check", "--json", path],
                      ["export", "js", "--json", SKATE, "-o", path + b".js"], ["linearise", "--json", SKATE, "--outputs", path]):
            answer = run(*words)
            try:
                json.loads(answer.stdout.decode("utf-8", "strict"))
                good, why = True, ""
            except ValueError as error:
                good, why = False, error
            tap.check(good, f"json.{words[0]}", why, answer.stdout[:200])
    for wrong in (["--method=nonsense"], ["--method", "lagrange"], ["--quasi=what"], ["--steps=1"], ["--set", "nobody=1"]):
        pair = [run("derive", SKATE, *way, *wrong) for way in (["--json"], ["--format=json"], ["--format", "json"])]
        same = all((p.returncode, p.stdout) == (pair[0].returncode, pair[0].stdout) for p in pair)
        tap.check(same and "error" in json.loads(pair[1].stdout), f"json.format alike {wrong[0]}",
                  *(p.stdout + p.stderr for p in pair))
    answer = run("derive", "--format=json", "-", input=b"coordinate x\n")
    tap.check("error" in json.loads(answer.stdout), "json.format, a model with errors", answer.stdout)


# ---- Numbers ----------------------------------------------------------------------------------------------------

def check_numbers():
    for command, option in (("simulate", "--samples"), ("verify", "--states"), ("verify", "--seed"), ("plot", "--columns"),
                            ("steady", "--starts"), ("eval", "--digits"), ("integrals", "--degree"), ("report", "--samples"),
                            ("simulate", "--branch"), ("crosscheck", "--states")):
        for value in ("18446744073709551615", "18446744073709551616", "9007199254740993", "1e3", "-1", "0x10", " 7", "1.5"):
            answer = run(command, SKATE, f"{option}={value}")
            tap.check(answer.returncode == 2 and b"whole number" in answer.stderr, f"counts.{option} {value}",
                      answer.returncode, answer.stderr[:300])
    for command in ("verify", "crosscheck"):
        for value in ("0", "1000000001", "9007199254740992"):
            answer = run(command, SKATE, f"--states={value}")
            tap.check(answer.returncode == 2 and b"from 1 to 1000000000" in answer.stderr, f"counts.states of {command} {value}",
                      answer.stderr)
    a = run("verify", tap.ROOT / "models/tire.ah", "--seed=9007199254740991", "--states=3")
    b = run("verify", tap.ROOT / "models/tire.ah", "--seed=9007199254740992", "--states=3")
    tap.check(a.returncode == b.returncode == 0, "counts.large seeds", a.stderr, b.stderr)
    for n in ("18446744073709551615", "99999999999999999999"):
        answer = run("stability", tap.ROOT / "models/tire.ah", f"--sweep=w5=1..2:{n}", "--max-time=20")
        tap.check(answer.returncode in (1, 2, 4) and answer.stderr, f"counts.sweep {n}", answer.returncode, answer.stderr)


# ---- High powers ------------------------------------------------------------------------------------------------

BLADE = """parameter m = 2, s = 0.3
coordinate x, y, theta
kinetic 1/2*m*(x'^{power} + y'^2) + m*s*theta'*(-x'*sin(theta) + y'*cos(theta)) + theta'^2
constraint edge: -x'*sin(theta) + y'*cos(theta) = 0
constraint speed: x'*cos(theta) + y'*sin(theta) = tanh(t)
constraint turning: theta' = s/cosh(t)
claim "energy": constant energy
"""


def check_powers():
    """Few terms, far apart: factors and common divisors would write all powers between them out, and not be interrupted."""
    for power in (399, 1999, 100000, 1000000, 1048570):
        for words in (("derive", "-", "--format=latex"), ("check", "-"), ("verify", "-", "--states=5")):
            try:
                answer = run(*words, "--max-time=20", input=BLADE.format(power=power).encode())
                tap.check(answer.returncode in (0, 1, 3, 4), f"powers.{words[0]} {power}", answer.returncode, answer.stderr[:300])
            except subprocess.TimeoutExpired:
                tap.check(False, f"powers.{words[0]} {power}", "did not end")


# ---- Time -------------------------------------------------------------------------------------------------------

POINT = "parameter m = 1\ncoordinate x, y\nkinetic m*(x'^2 + y'^2)/2\nstart x = 1, y = 0, x' = 0, y' = 1\nsimulate t = 0 .. 1\npotential "
LARGE = {"product": POINT + "*".join(f"(x + {i}*y)" for i in range(5000)),
         "sum": POINT + " + ".join(f"x^{i % 7}*y^{i % 5}*{i}" for i in range(100000)),
         "power": POINT + "(x + y + m + 1)^2000",
         "many angles": POINT + "0\nforce x = " + " + ".join(f"sin({i}*x)" for i in range(20000)),
         "doubled": POINT + "b59\n" + "".join(f"let b{i} = {f'b{i - 1} + sin(b{i - 1})' if i else 'x'}\n" for i in range(60))}


def check_time():
    """--max-time is kept in every phase of large systems. What is counted is the processor's time: a busy machine gives less
    of it, and never more."""
    over = 6 if os.environ.get("AH_SANITIZED") == "1" else 1.5
    for name, text in LARGE.items():
        for command in (["derive"], ["check"], ["verify", "--states=5"], ["simulate", "-o", "/dev/null"]):
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            answer = run(*command, "-", "--max-time=1", input=text.encode())
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
            tap.check(answer.returncode in (0, 1, 3, 4) and spent < 1 + over, f"time.{command[0]} of a large {name}", answer.returncode,
                      f"{spent:.2f} s", answer.stderr[:300])


# ---- Locale -----------------------------------------------------------------------------------------------------

# Everything that writes or reads numbers, in a host that has called setlocale; times are left out of its summaries.
PROGRAM = r"""
#include <anholo/anholo.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>
static bool show(void *user, const char *text, size_t length)
{
    (void) user;
    return fwrite(text, 1, length, stdout) == length;
}
static void show_bits(double x)
{
    unsigned long long bits;
    memcpy(&bits, &x, sizeof bits);
    printf("%llx\n", bits);
}
static bool show_rows(void *user, const ah_ensemble_part *part)
{
    const size_t columns = *(size_t *) user;
    for (size_t i = 0; i < part->count * columns; i++) show_bits(part->values[i]);
    return true;
}
static void write_answer(ah_status status, ah_answer *a)
{
    static const ah_format formats[] = {AH_TEXT, AH_JSON, AH_LATEX, AH_MATHML};
    const char *out = NULL;
    for (int i = 0; status == AH_OK && i < 4; i++)
        if (ah_answer_write(a, formats[i], &out) == AH_OK) puts(out);
    if (status == AH_OK) ah_answer_destroy(a);
}
static void motions(ah_model *m)
{
    const char *out = NULL;
    ah_simulate_options o = ah_simulate_defaults();
    o.samples = 7;
    o.to = "0.75";
    o.write = o.write_event = show;
    for (int json = 0; json < 2; json++)
        for (int i = 0; i < 3; i++) {
            o.json = json;
            o.engine = (const char *[]){"interpret", "tcc", "cc"}[i];
            ah_simulate(m, &o, AH_JSON, &out);
        }
    ah_ensemble *e = NULL;
    ah_ensemble_run_options r = ah_ensemble_run_defaults();
    ah_ensemble_options eo = ah_ensemble_defaults();
    eo.to = "0.25";
    if (ah_ensemble_create(m, &eo, &e) != AH_OK || ah_ensemble_over(e, "g=9.5..10.5:3") != AH_OK) puts("no ensemble");
    size_t columns = ah_ensemble_columns(e);
    r.rows = show_rows;
    r.user = &columns;
    ah_ensemble_run(e, &r, NULL);
    ah_ensemble_destroy(e);
}
static void pages(ah_model *m)
{
    const char *out = NULL, *svg = NULL;
    ah_plot_options p = ah_plot_defaults();
    if (ah_plot(m, &p, AH_TEXT, &svg, &out) == AH_OK) puts(svg);
    ah_report_options r = ah_report_defaults();
    const ah_page *page = NULL;
    r.samples = 11;
    if (ah_report(m, &r, &page) == AH_OK) puts(page->html);
    static const char *const languages[] = {"c", "js", "python", "octave"};
    for (int i = 0; i < 4; i++) {
        const ah_export *x = NULL;
        if (ah_export_model(m, languages[i], NULL, &x) != AH_OK) continue;
        for (size_t k = 0; k < x->files; k++) puts(x->file[k].data);
    }
}
int main(int argc, char **argv)
{
    static char text[100000];
    const char *out = NULL;
    ah_model *m = NULL;
    ah_answer *a = NULL;
    if (argc > 2 && !setlocale(LC_ALL, argv[2])) return 9;
    FILE *f = fopen(argv[1], "r");
    const size_t n = fread(text, 1, sizeof text - 1, f);
    ah_ctx *ctx = ah_ctx_create(NULL);
    if (ah_read(ctx, "m", text, n, "g=9.75", &m) != AH_OK) return 8;
    ah_eval_options e = ah_eval_defaults();
    if (ah_eval(m, &e, AH_TEXT, &out) == AH_OK) puts(out);
    if (ah_eval(m, &e, AH_JSON, &out) == AH_OK) puts(out);
    write_answer(ah_check(m, &a), a);
    write_answer(ah_derive(m, NULL, &a), a);
    write_answer(ah_verify(m, NULL, &a), a);
    write_answer(ah_integrals(m, NULL, &a), a);
    write_answer(ah_steady(m, NULL, &a), a);
    write_answer(ah_stability(m, NULL, &a), a);
    write_answer(ah_linearise(m, NULL, &a), a);
    write_answer(ah_crosscheck(m, NULL, &a), a);
    motions(m);
    pages(m);
    show_bits(ah_expr_number(ah_model_context(m), ah_number(ah_model_context(m), "-1.25e-3")));
    ah_ctx_destroy(ctx);
    printf("%g\n", 1.5);
    fclose(f);
    return 0;
}
"""


def make_locale(folder):
    """A locale with a decimal comma, from nothing but libc's own compiler of locales; its name, or None."""
    (folder / "ascii").write_text("<code_set_name> ANSI_X3.4-1968\n<comment_char> %\n<escape_char> /\nCHARMAP\n" +
                                  "".join(f"<U{i:04X}> /x{i:02x}\n" for i in range(128)) + "END CHARMAP\n")
    (folder / "comma").write_text("comment_char %\nescape_char /\nLC_NUMERIC\ndecimal_point \",\"\n"
                                  "thousands_sep \".\"\ngrouping 3;3\nEND LC_NUMERIC\n")
    try:
        subprocess.run(["localedef", "-c", "-i", folder / "comma", "-f", folder / "ascii", folder / "xx_XX"],
                       capture_output=True, check=False)
    except OSError:
        return None
    return "xx_XX" if (folder / "xx_XX/LC_NUMERIC").exists() else None


def check_locale(folder):
    name = make_locale(folder)
    (folder / "host.c").write_text(PROGRAM)
    flags = ["-fsanitize=address,undefined"] if os.environ.get("AH_SANITIZED") == "1" else []
    built = subprocess.run([os.environ.get("AH_CC", "cc"), *flags, f"-I{tap.ROOT}/include", folder / "host.c",
                            f"-L{tap.BUILD}", "-lanholo", f"-Wl,-rpath,{tap.BUILD}", "-o", folder / "host"],
                           capture_output=True, text=True)
    if not tap.check(built.returncode == 0, "locale.host", built.stderr):
        return
    if not name:
        tap.skip("locale", "no localedef")
        return
    model = str(tap.ROOT / "models" / tap.amount("bead_on_wire.ah", "tire.ah", "tire.ah"))
    environment = {**os.environ, "LOCPATH": str(folder)}

    def host(**options):
        return subprocess.run([folder / "host", model, *options.pop("words", [])], capture_output=True, text=True, **options)

    usual = host()
    tap.check(usual.returncode == 0 and usual.stdout.endswith("1.5\n") and "no ensemble" not in usual.stdout, "locale.usual", usual.returncode, usual.stderr)
    # One that is made here, and those of the machine: Turkish has letters of its own for I and i.
    there = subprocess.run(["locale", "-a"], capture_output=True, text=True).stdout.split()
    others = [x for x in there if x.split(".")[0] in ("de_DE", "fr_FR", "tr_TR")]
    for words, options in [([name], {"env": environment})] + [([x], {}) for x in others]:
        foreign = host(words=words, **options)
        tap.check(usual.stdout.splitlines()[:-1] == foreign.stdout.splitlines()[:-1], f"locale.the same answers {words[0]}",
                  *[f"{a[:200]} | {b[:200]}" for a, b in zip(usual.stdout.splitlines(), foreign.stdout.splitlines()) if a != b][:5])
        own = ["1,5"]
        tap.check(foreign.stdout.splitlines()[-1:] == own, f"locale.the host keeps its own {words[0]}", foreign.stdout[-50:])


# ---- Spreadsheets -----------------------------------------------------------------------------------------------

def check_spreadsheet(folder):
    out = folder / "events.csv"
    for label in ("=1+1", "+1", "-1", "@SUM(A1)", "＝1+1", "＠SUM(A1)", "plain", "'quoted", "it's =1", "２ = 1"):
        run("simulate", "-", "--events", out, "-o", "/dev/null", input=MODEL.replace(f'stop "{EVIL}"', f'stop "{label}"').encode())
        cell = list(csv.reader(io.StringIO(out.read_text())))[1][0]
        tap.check(cell == (label if label[0] not in "=+-@＝＠" else "'" + label), f"spreadsheet {label}", cell)


with tempfile.TemporaryDirectory() as name:
    check_controls(pathlib.Path(name))
with tempfile.TemporaryDirectory() as name:
    check_json(pathlib.Path(name))
check_numbers()
check_powers()
check_time()
with tempfile.TemporaryDirectory() as name:
    check_locale(pathlib.Path(name))
    check_spreadsheet(pathlib.Path(name))
tap.done()

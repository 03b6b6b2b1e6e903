#!/usr/bin/env python3
"""Every command with what it cannot take: models with errors, inputs that are not there, tables that are none, options
that contradict each other, files that cannot be. And what they take in unusual forms: quoted cells, names that begin
with a dash, a file that another program has opened, matrices without columns."""
import ast
import csv
import json
import math
import os
import pathlib
import re
import sqlite3
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent / "harness"))
import tap

ANHOLO = str(tap.BUILD / "anholo")
FOLDER = pathlib.Path(tempfile.mkdtemp(prefix="anholo_commands"))
DRIVEN = "input u = 0\ncoordinate x\nkinetic x'^2/2\nforce x = u\nstart x = 0, x' = 1\nsimulate t = 0 .. 1\n"
FALLS = "parameter g = 10\ncoordinate x, y\nkinetic (x'^2 + y'^2)/2\npotential g*y\nstart x = 0, y = 0, x' = 1, y' = 5\nsimulate t = 0 .. 1\n"
# Ends by itself at t = 1: x grows without bound.
BLOWS_UP = "parameter a = 6\ncoordinate x\nkinetic x'^2/2\nforce x = a*x^2\nstart x = 1, x' = 2\nsimulate t = 0 .. 3\n"


def run(*words, **options):
    options.setdefault("capture_output", True)
    return subprocess.run([ANHOLO, *map(str, words)], text=True, timeout=60, cwd=FOLDER, **options)


def model(name, text):
    (FOLDER / name).write_text(text)
    return name


def refuses(name, words, status, says, **options):
    """It ends with this status and says this; nothing goes to standard output."""
    said = run(*words, **options)
    tap.check(said.returncode == status and says in said.stderr and not said.stdout, name, said.returncode,
              said.stdout[-300:], said.stderr)


# ---- What is wrong before a command begins --------------------------------------------------------

def check_wrong_models():
    wrong = model("wrong.ah", "coordinate x\nkinetic x'^2 + nobody\n")
    kinds = {"export": ["c"], "dump": ["--stage=program"]}
    commands = [c["name"] for c in json.loads(run("help", "--json").stdout)["commands"] if c["model"]]
    for name in commands:
        said = run(name, *kinds.get(name, []), wrong, *(["-o", "out"] if name in ("export", "report") else []))
        tap.check(said.returncode == 1 and "wrong.ah:2:16: error[A0201]" in said.stderr, f"wrong_model.{name}",
                  said.stdout, said.stderr)
    driven = model("driven.ah", DRIVEN)
    for name in ("eval", "plot", "report", "simulate", "sweep"):
        refuses(f"wrong_input.{name}", [name, driven, "--input", "w=1"], 1, "`w`")


USAGE = {
    "verify.states": (["verify", "falls.ah", "--states", "0"], "a number from 1 to 1000000000"),
    "crosscheck.states": (["crosscheck", "falls.ah", "--states=0"], "a number from 1 to 1000000000"),
    "eval.digits": (["eval", "falls.ah", "--digits", "1001"], "1000"),
    "eval.method": (["eval", "falls.ah", "--method", "lagrang"], "did you mean `lagrange`"),
    "export.method": (["export", "c", "falls.ah", "-o", "out", "--method", "quite-different"], "there is no method"),
    "export.kind": (["export", "fortran", "falls.ah"], "makes no `fortran`"),
    "export.fmi": (["export", "c", "falls.ah", "-o", "out", "--fmi", "3"], "`--fmi` is for `export fmu`"),
    "export.sources": (["export", "c", "falls.ah", "-o", "out", "--sources"], "`--sources` is for `export fmu`"),
    "derive.fragment": (["derive", "falls.ah", "--fragment"], "latex"),
    "integrals.degree": (["integrals", "falls.ah", "--degree", "0"], "degree"),
    "integrals.high": (["integrals", "falls.ah", "--degree", "100"], "degree"),
    "integrals.coordinates": (["integrals", "falls.ah", "--coordinates-degree", "100"], "degree"),
    "linearise.ending": (["linearise", "falls.ah", "-o", "matrices"], "a file ends with .py"),
    "help.two": (["help", "check", "derive"], "one at a time"),
    "models.two": (["models", "skate", "tire"], "one model at a time"),
    "models.copy": (["models", "-o", "copy.ah"], "which model is to be copied?"),
    "plot.size": (["plot", "falls.ah", "--size", "800"], "800x500"),
    "plot.size_word": (["plot", "falls.ah", "--size", "axb"], "800x500"),
    "plot.size_cut": (["plot", "falls.ah", "--size", "800x"], "800x500"),
    "plot.size_more": (["plot", "falls.ah", "--size", "800x500x2"], "800x500"),
    "plot.size_negative": (["plot", "falls.ah", "--size", "-8x500"], "800x500"),
    "plot.size_zero": (["plot", "falls.ah", "--size", "8x0"], "800x500"),
    "simulate.samples": (["simulate", "falls.ah", "--samples", "1"], "at least 2"),
    "simulate.time": (["simulate", "falls.ah", "--max-time=1s"], "a positive number"),
    "simulate.endless": (["simulate", "falls.ah", "--max-time=inf"], "a positive number"),
    "simulate.hexadecimal": (["simulate", "falls.ah", "--rtol=0x10"], "a positive number"),
    "simulate.near": (["simulate", "falls.ah", "-zz"], "has no option `-zz`\n"),
    "simulate.input": (["simulate", "falls.ah", "--input", "u"], "u=sin(t)"),
    "sweep.samples": (["sweep", "falls.ah", "--run=0", "--samples=1"], "at least 2"),
    "sweep.journal": (["sweep", "falls.ah", "--run=0", "--journal=j.db"], "needs no `--journal`"),
    "new.two": (["new", "a.ah", "b.ah"], "which file?"),
    "report.method": (["report", "falls.ah", "--method="], "no method ``"),
    "report.samples": (["report", "falls.ah", "--samples=1"], "at least 2"),
}


def check_usage():
    model("falls.ah", FALLS)
    for name, (words, says) in USAGE.items():
        refuses(f"usage.{name}", words, 2, says)
    said = run("sweep", "falls.ah", "--run=0", "--json")
    tap.check(said.returncode == 2 and "table" in json.loads(said.stdout)["error"]["message"], "usage.run_as_json", said.stdout)
    refuses("help.nobody", ["help", "entirely-different"], 1, "there is no command or topic `entirely-different`;")
    tap.check(run("help", "--format", "text", "check").stdout == run("check", "-h").stdout, "help.as_text")
    model("-dash.ah", FALLS)
    tap.check(run("check", "--", "-dash.ah").stdout == run("check", "falls.ah").stdout, "after_two_dashes")
    tap.check(run("check", "--json", "--", "-dash.ah").stdout.startswith("{"), "json_before_two_dashes")


def check_large():
    """64 MiB are the most, of a file and of a pipe."""
    refuses("large.file", ["check", "/dev/zero"], 4, "/dev/zero: larger than 64 MiB")
    large = FOLDER / "large.ah"
    with large.open("wb") as f:
        f.truncate((64 << 20) + 1)
    with large.open("rb") as f:
        refuses("large.pipe", ["check", "-"], 4, "<stdin>: larger than 64 MiB", stdin=f)
    refuses("large.table", ["simulate", "driven.ah", "--input", "u=large.csv:u"], 1, "No such file")
    large.rename(FOLDER / "large.csv")
    refuses("large.table_there", ["simulate", "driven.ah", "--input", "u=large.csv:u"], 4, "larger than 16 MiB")


# ---- Tables ---------------------------------------------------------------------------------------

def force(t, value, of="driven.ah"):
    said = run("eval", of, "--at", f"t={t},x=0,x'=0", "--input", value, "--json")
    return json.loads(said.stdout)["methods"]["multipliers"]["qddot"][0]


def check_input_tables():
    """x'' = u: what the table says between its rows."""
    table = FOLDER / "u.csv"
    cases = {"plain": "t,u\n0,1\n2,5\n", "marked": "\ufefft,u\n0,1\n2,5\n", "quoted": '"u" , "t"\r\n"1", 0\r\n 5 ,"2" \r\n',
             "gaps": "t,w,u\n\n0,,1\n\n\n2,abc,5", "old": "t,u\r\r" + "".join(f"{i/500},{1 + i/250}\r" for i in range(1001)), "many": "t,u\n" + "".join(f"{i/500},{1 + i/250}\n" for i in range(1001))}
    for name, text in cases.items():
        table.write_bytes(text.encode())
        for how in ("", ":linear", ":smooth"):
            got = [force(t, f"u=u.csv:u{how}") for t in (-1, 0.5, 2, 7)]
            tap.check(all(abs(a - b) < 1e-12 for a, b in zip(got, (1, 2, 5, 5))), f"table.{name}{how}", got)
    table.write_text("t,u\n0,0\n1,1\n2,0\n")
    smooth, corner = force(0.5, "u=u.csv:u:smooth"), force(0.5, "u=u.csv:u")
    tap.check(abs(corner - 0.5) < 1e-15 and smooth > 0.55, "table.smooth_is_another", smooth, corner)
    two = model("two.ah", DRIVEN.replace("input u = 0", "input u = 0\ninput w = 0").replace("force x = u", "force x = u + 10*w"))
    for text in ("u=max(t,0.25),w=min(t,2)", "w=min(t,2),u=max(t,0.25)", "u=max(t,0.25),w=u.csv:u", "w=u.csv:u,u=max(t,0.25)"):
        tap.check(abs(force(0.5, text, two) - 5.5) < 1e-15, f"formula.commas.{text}")
    for name, text, says in (("no_time", "s,u\n0,1\n", "no column `t`"), ("no_column", "t,v\n0,1\n", "no column `u`"),
                             ("word", "t,u\n0,1\n1,one\n", "u.csv:3:3"), ("hex", "t,u\n0,1\n1,0x10\n", "u.csv:3:3"), ("HEX", "t,u\n0X0,1\n1,1\n", "u.csv:2:1"), ("time", "t,u\nzero,1\n", "u.csv:2:1"),
                             ("more", "t,u\n0,1\n1,2 3\n", "u.csv:3:3"), ("short", "t,u\n0,1\n\n1\n", "u.csv:4:1"),
                             ("empty_cell", "t,u\n0,\n", "u.csv:2:3"), ("infinite", "t,u\n0,inf\n", "u.csv:2:3"),
                             ("back", "t,u\n0,1\n0,2\n", "u.csv:3:1: error[A0433]: the times do not ascend"), ("none", "t,u\n", "two rows"),
                             ("commas", "t,u\n0,0,5\n1,1,5\n", "u.csv:2:5: error[A0433]: the line has more cells than there are names"),
                             ("twice", "t,u,u\n0,1,1\n1,1,1\n", "two columns `u`"), ("binary", "t,u\n0,1\0\n", "not a text"), ("one", "t,u\n0,1\n", "2"),
                             ("far", "t,u\n-1.7e308,1\n1.7e308,2\n", "beyond the range"), ("steep", "t,u\n0,1e308\n5e-324,-1e308\n", "beyond the range"),
                             ("too_many", "t,u\n" + "".join(f"{i},1\n" for i in range(5001)), "every second row")):
        table.write_text(text)
        refuses(f"table.{name}", ["eval", "driven.ah", "--input", "u=u.csv:u"], 1, says)
    table.write_text("t,u\n0,0\n1e-200,1\n2e-200,0\n")
    refuses("table.too_steep_for_a_cubic", ["eval", "driven.ah", "--input", "u=u.csv:u:smooth"], 1, "beyond the range")
    refuses("table.no_column", ["eval", "driven.ah", "--input", "u=u.csv"], 2, "u=u.csv:COLUMN")
    refuses("table.folder", ["eval", "driven.ah", "--input", "u=/tmp/.csv:u"], 1, "/tmp/.csv")
    (FOLDER / "sub.csv").mkdir()
    refuses("table.is_folder", ["eval", "driven.ah", "--input", "u=sub.csv:u"], 1, "not a regular file")
    table.write_text("t,u\n0,1\n2,5\n")
    for text in ("u = u.csv:u , w\t= 1", " w =1, u=u.csv: u :linear"):
        tap.check(abs(force(0.5, text, two) - 12) < 1e-12, f"table.blanks.{text}")
    for words in (["u=u.csv:u", "u =9"], ["u =9", "u=u.csv:u"], ["u=u.csv:u, u=9"], [" u = 9,u=u.csv:u"]):
        refuses(f"table.twice.{words}", ["eval", "two.ah", *(f"--input={w}" for w in words)], 2, "`--input` gives `u` twice")
    refuses("table.blanks_before_an_output", ["simulate", "two.ah", "--input", "w=1 , u = u.csv:u", "-o", "u.csv"], 2, "a table of `--input`")


def rows_of(text):
    return list(csv.DictReader(text.splitlines()))


def check_repeated_options():
    """The last one counts, and of outputs it is the only one that is made."""
    said = run("simulate", "falls.ah", "--samples", "3", "--samples=5", "-o", "one.csv", "-o", "two.csv")
    tap.check(said.returncode == 0 and len((FOLDER / "two.csv").read_text().splitlines()) == 6 and not (FOLDER / "one.csv").exists(),
              "repeated.the last counts", said.stderr)
    said = run("eval", "falls.ah", "--at", "x=1", "--at", "y=2", "--set", "g=5", "--set=g=6", "--json")
    answer = json.loads(said.stdout)
    state = dict(zip(answer["coordinates"], answer["q"]))
    tap.check((state["x"], state["y"], answer["parameters"]["g"]) == (1, 2, 6), "repeated.lists go on", said.stdout)
    refuses("repeated.--at", ["eval", "falls.ah", "--at", "x=1", "--at", "x=2"], 1, "--at:1:5: error[A0604]: `x` is given twice")


def check_lists():
    """y(1) = y' − g/2 for each row, however its cells are written."""
    table = FOLDER / "list.csv"
    for name, text in (("quotes", '"y\'",\t"g"\n\t"5" , "8"\n"4"x,10\n'), ("blanks", "y' , g \n5\t,8 \n4,10")):
        table.write_text(text)
        said = run("sweep", "falls.ah", "--list", "list.csv", "--output", "final.y")
        got = [float(r["final.y"]) for r in rows_of(said.stdout)]
        tap.check(len(got) == 2 and abs(got[0] - 1) < 1e-9 and abs(got[1] + 1) < 1e-9, f"list.{name}", said.stdout, said.stderr)
    for name, text, says in (("binary", "g\n1\0\n", "not a text"), ("doubled", '"g""h"\n1\n', "g"),
                             ("open", '"g\n1\n', "no rows"), ("hex", "g\n0x10\n", "line 2"), ("cell", "g\n1 2\n", "line 2"), ("no_cell", "g,x\n1,\n", "line 2")):
        table.write_text(text)
        refuses(f"list.{name}", ["sweep", "falls.ah", "--list", "list.csv"], 1, says)
    table.write_text("g\n1\n2\n")
    refuses("list.is_output", ["sweep", "falls.ah", "--list", "list.csv", "-o", "list.csv"], 2, "the file of `--list`")
    run("sweep", "falls.ah", "--over", "g=1..2:3", "--journal", "j.db")
    status = run("sweep", "falls.ah", "--journal", "j.db", "--status")
    tap.check(status.stdout == "3 runs, 3 done, 0 of them failed; it is complete\n", "journal.words", status.stdout)
    status = run("sweep", "falls.ah", "--journal", "j.db", "--status", "--json")
    tap.check(json.loads(status.stdout) == {"runs": 3, "done": 3, "failed": 0, "busy": False}, "journal.json", status.stdout)
    refuses("journal.is_output", ["sweep", "falls.ah", "--over", "g=1..2:3", "--journal", "j.db", "-o", "j.db"], 2, "`--journal`")


def check_journals():
    """Rows out of a journal are those of a sweep without one, whatever their columns are called; damage is told."""
    model("blows.ah", BLOWS_UP)
    for name, words in (("failed", ["--over", "a=0.25..6:3", "--to=2", "--output", "final.x"]),
                        ("list", ["--list", "list.csv", "--to=0.1", "--project", "--output", "final.x"])):
        (FOLDER / "list.csv").write_text("a,x\n1,2\n3,4\n")
        plain = run("sweep", "blows.ah", *words)
        first, again = (run("sweep", "blows.ah", *words, "--journal", f"{name}.db") for _ in range(2))
        tap.check(plain.returncode == 0 and first.stdout == again.stdout == plain.stdout and "0 computed" in again.stderr,
                  f"journal.{name}", first.stdout, again.stdout, again.stderr)
    (FOLDER / "list.csv").write_text("a,x\n1,2\n3,5\n")
    refuses("journal.other_list", ["sweep", "blows.ah", *words, "--journal", "list.db"], 1, "list: there")
    names = model("names.ah", "parameter m = 1, M = 1, run = 0, Failed = 2\ncoordinate x\nkinetic (m + M)*x'^2/2\nforce x = run\n"
                  "start x = Failed\nsimulate t = 0 .. 1\n")
    words = ["sweep", names, "--over", "m=1..2:2,M=1..3:2,run=0..8:2,Failed=1..2:2", "--output", "final.x", "--journal", "names.db"]
    rows = rows_of(run(*words).stdout)
    want = [float(r["Failed"]) + float(r["run"])/(float(r["m"]) + float(r["M"]))/2 for r in rows]
    with sqlite3.connect(FOLDER / "names.db") as db:
        columns = [c[1] for c in db.execute("PRAGMA table_info(runs)")]
        kept = [row[0] for row in db.execute('SELECT "final.x" FROM runs ORDER BY run')]
        db.execute("DELETE FROM runs WHERE run = 3")
        db.executemany("INSERT INTO runs(run) VALUES(?)", [(-1,), (16,)])  # no runs of this sweep
    tap.check(len(kept) == 16 and all(abs(a - b) < 1e-9 for a, b in zip(kept, want)), "journal.names", columns, kept, want)
    tap.check(len({c.lower() for c in columns}) == 7, "journal.columns", columns)
    said = run(*words)
    tap.check("1 computed" in said.stderr and len(rows_of(said.stdout)) == 16, "journal.one_is_missing", said.stderr, said.stdout)
    with sqlite3.connect(FOLDER / "names.db") as db:
        db.execute("DROP TABLE runs")
    refuses("journal.no_rows", words, 1, "A0643")
    with sqlite3.connect(FOLDER / "names.db") as db:
        db.execute("DROP TABLE sweep")
    refuses("journal.no_words", words, 1, "A0643")
    said = run("sweep", names, "--journal", "names.db", "--status")
    tap.check(said.returncode == 1 and said.stderr, "journal.status_of_ruins", said.stdout, said.stderr)
    with sqlite3.connect(FOLDER / "other.db") as db:
        db.execute("PRAGMA application_id=77")
    refuses("journal.of_others", [*words[:-1], "other.db"], 1, "is no journal of a sweep")
    (FOLDER / "byte.db").write_text("x")  # which SQLite takes for empty
    refuses("journal.of_one_byte", [*words[:-1], "byte.db"], 1, "is no journal of a sweep")
    tap.check((FOLDER / "byte.db").read_text() == "x", "journal.of_one_byte.left")
    os.mkfifo(FOLDER / "pipe.db")  # nobody writes to it, and nobody reads from it
    (FOLDER / "device.db").symlink_to("/dev/null")
    for file in ("pipe.db", "device.db"):
        refuses(f"journal.{file}", [*words[:-1], file], 1, "is no journal of a sweep")
        refuses(f"journal.{file}.status", ["sweep", names, "--journal", file, "--status"], 1, "is no journal of a sweep")
        refuses(f"journal.{file}.plot", ["plot", file, "final.x"], 1, "no journal")
    beside = [p.name for p in FOLDER.iterdir() if p.name.startswith(("pipe.db-", "device.db-"))] + \
        [str(p) for p in pathlib.Path("/dev").glob("null-*")]
    tap.check(not beside, "journal.nothing beside a device", *beside)
    refuses("journal.none", ["sweep", names, "--journal", "none.db", "--status"], 1, "none.db")


def array(path):
    """A structured array of NumPy, read by hand: [{name: value}]."""
    data = path.read_bytes()
    begin = {1: 10, 3: 12}[data[6]]
    assert data[:6] == b"\x93NUMPY" and data[7] == 0
    length = int.from_bytes(data[8:begin], "little")
    assert (begin + length) % 64 == 0 and data[begin + length - 1] == ord("\n")
    says = ast.literal_eval(data[begin:begin + length].decode("ascii" if begin == 10 else "utf-8"))
    form = "<" + "".join({"<i8": "q", "<f8": "d"}.get(kind, kind.strip("|S") + "s") for _, kind in says["descr"])
    rows = [dict(zip((name for name, _ in says["descr"]), row)) for row in struct.iter_unpack(form, data[begin + length:])]
    assert says["shape"] == (len(rows),) and not says["fortran_order"]
    return rows


def check_arrays():
    """The array says what the table says, and a name that needs quotes in Python is whole."""
    model("blows.ah", BLOWS_UP)
    os.mkfifo(FOLDER / "pipe.npy")
    reader = os.open(FOLDER / "pipe.npy", os.O_RDONLY | os.O_NONBLOCK)  # the rows fit into the pipe
    words = ["sweep", "blows.ah", "--over", "a=0.25..6:3", "--to=2", "--output", "final.x,max(x')"]
    said = run(*words, "-o", "a.npy")
    rows, table = array(FOLDER / "a.npy"), rows_of(run(*words).stdout)
    same = [r["run"] == i and r["a"] == float(s["a"]) and r["failed"].rstrip(b"\0") == s["failed"].encode()[:96]
            and (math.isnan(r["final.x"]) if s["final.x"] == "" else r["final.x"] == float(s["final.x"]))
            for i, (r, s) in enumerate(zip(rows, table))]
    tap.check(said.returncode == 0 and len(rows) == 3 == len(table) and all(same) and "max(x')" in rows[0], "array", rows, table)
    tap.check(bool(table[2]["failed"]) and not table[0]["failed"], "array.failed", table)
    for to, status in ("0.9", 0), ("2", 3):  # to its end, and until it blows up
        said = run("simulate", "blows.ah", "--to", to, "-o", "m.npy"), run("simulate", "blows.ah", "--to", to, "-o", "m.csv")
        rows, table = array(FOLDER / "m.npy"), rows_of((FOLDER / "m.csv").read_text())
        same = [list(r) == list(s) and all(math.isnan(r[k]) if s[k] == "" else r[k] == float(s[k]) for k in s) for r, s in zip(rows, table)]
        tap.check([x.returncode for x in said] == [status] * 2 and len(rows) == len(table) > 1 and all(same), f"array.motion.{status}", rows, table)
    refuses("array.pipe", ["simulate", "blows.ah", "-o", "pipe.npy"], 1, "could not be written")
    os.close(reader)
    motion = run("sweep", "blows.ah", "--over", "a=0.25..6:2", "--run=1", "--samples=11", "-o", "motion.csv")
    last = rows_of((FOLDER / "motion.csv").read_text())[-1]
    tap.check(motion.returncode == 3 and "it ended before its time" in motion.stderr and float(last["t"]) < 1.001, "run.ends",
              motion.stderr, last)
    with open("/dev/full", "w") as full:
        for name, words in (("sweep", ["--over", "g=1..2:3"]), ("run", ["--over", "g=1..2:3", "--run=1"])):
            said = run("sweep", "falls.ah", *words, capture_output=False, stdout=full, stderr=subprocess.PIPE)
            tap.check(said.returncode == 1 and "the rows could not be written" in said.stderr, f"full.{name}", said.stderr)
        said = run("simulate", "falls.ah", capture_output=False, stdout=full, stderr=subprocess.PIPE)
        tap.check(said.returncode == 1 and "the rows could not be written" in said.stderr, "full.simulate", said.stderr)
        said = run("check", "falls.ah", capture_output=False, stdout=full, stderr=subprocess.PIPE)
        tap.check(said.returncode == 1 and "the answer could not be written" in said.stderr, "full.check", said.stderr)


# ---- Files ----------------------------------------------------------------------------------------

def check_files():
    long_name = "n" * 255
    said = run("simulate", "falls.ah", "-o", long_name)
    tap.check(said.returncode == 0 and (FOLDER / long_name).exists(), "longest_name", said.stderr)
    before = set(FOLDER.iterdir())
    refuses("name_too_long", ["simulate", "falls.ah", "-o", long_name + "n"], 1, "name too long")
    refuses("folder_too_long", ["simulate", "falls.ah", "-o", f"{long_name}n/out"], 1, "name too long")
    refuses("twice", ["simulate", "falls.ah", "-o", "new.csv", "--events", "./new.csv"], 2, "the file of `-o` too")
    refuses("twice.other_way", ["simulate", "falls.ah", "-o", "./new.csv", "--events", "new.csv"], 2, "the file of `-o` too")
    refuses("no_table", ["plot", "falls.ah", "--from", "none.csv"], 1, "none.csv")
    refuses("no_folder", ["export", "c", "falls.ah", "-o", "driven.ah"], 1, "driven.ah")
    tap.check(set(FOLDER.iterdir()) == before, "nothing_left", set(FOLDER.iterdir()) - before)
    said = run("simulate", "falls.ah", "-o", "a.csv", "--events", "b.csv")
    tap.check(said.returncode == 0 and (FOLDER / "a.csv").exists(), "two_files", said.stderr)
    with (FOLDER / "open.csv").open("w") as f:
        f.write("earlier\n")
        f.flush()
        said = run("simulate", "falls.ah", "-o", f"/dev/fd/{f.fileno()}", pass_fds=[f.fileno()])
    tap.check((FOLDER / "open.csv").read_text().startswith("earlier\nt,x,y"), "opened_by_others", said.stderr)
    if os.geteuid() == 0:
        os.chown(FOLDER / "a.csv", 1234, 4321)
        run("simulate", "falls.ah", "-o", "a.csv")
        now = (FOLDER / "a.csv").stat()
        tap.check((now.st_uid, now.st_gid) == (1234, 4321), "owner_stays", now)
    (FOLDER / "full.svg").symlink_to("/dev/full")
    (FOLDER / "full.npy").symlink_to("/dev/full")
    for name, words in (("plot", ["plot", "falls.ah", "-o", "full.svg"]),
                        ("report", ["report", "falls.ah", "-o", "full.svg"]),
                        ("sweep", ["sweep", "falls.ah", "--over", "g=1..2:500", "--to=0.01", "-o", "full.npy"]),
                        ("certificate", ["verify", "falls.ah", "--certificate", "full.svg"]),
                        ("models", ["models", "skate", "-o", "full.svg"])):
        refuses(f"full.{name}", words, 1, "No space left on device")


def check_models():
    own = FOLDER / "models"
    (own / "inside" / "deeper").mkdir(parents=True)
    (own / "a.ah").write_text("coordinate x\n")
    (own / "b").write_text("no model\n")
    (own / "inside" / "skate.ah").write_text('system "S"\nsource "T"\n')
    (own / "inside" / "deeper" / "lost.ah").write_text('system "L"\n')
    (own / ("x" * 60 + ".ah")).write_text("#\n" * 50 + 'system "too late"\n')
    here = {**os.environ, "ANHOLO_MODELS": str(own)}
    names = {m["name"]: (m["title"], m["source"]) for m in json.loads(run("models", "--json", env=here).stdout)["models"]}
    tap.check(names == {"a": ("", ""), "inside/skate": ("S", "T"), "x" * 60: ("", "")}, "models.names", names)
    listed = run("models", env=here).stdout.splitlines()
    tap.check(any(re.fullmatch(r"  inside/skate +S \(T\)", line) for line in listed), "models.with_source", *listed)
    tap.check(run("models", "skate", env=here).stdout == 'system "S"\nsource "T"\n', "models.by_the_short_name")
    tap.check(run("models", "a.ah", env=here).stdout == "coordinate x\n", "models.by_the_file")
    refuses("models.unlike", ["models", "entirely-different"], 1, "`entirely-different`; `anholo models`", env=here)
    (own / "a.ah").unlink()
    (own / "a.ah").symlink_to("nowhere")
    refuses("models.cannot_be_read", ["models", "a"], 1, "No such file", env=here)
    tap.check("  a " in run("models", env=here).stdout, "models.listed_all_the_same")
    folder = run("models", "--folder", "--json", env=here)
    tap.check(json.loads(folder.stdout) == {"folder": str(own)}, "models.folder", folder.stdout)
    usual = run("models", "--folder", env={**os.environ, "ANHOLO_MODELS": ""})
    tap.check(usual.stdout == run("models", "--folder").stdout, "models.empty_variable", usual.stdout)


# ---- Matrices, exports, pages ----------------------------------------------------------------------

def check_matrices():
    """x'' = −2x: A = ((0, 1), (−2, 0)), no inputs."""
    model("swing.ah", "coordinate x\nkinetic x'^2/2\npotential x^2\nstart x = 0, x' = 0\nunit x = \"m\\\"\n")
    run("linearise", "swing.ah", "-o", "swing.py")
    names = {"array": lambda rows, *kind: Matrix(rows), "inf": math.inf, "nan": math.nan}
    text = (FOLDER / "swing.py").read_text().replace("from numpy import array, inf, nan\n", "").replace("float", "None")
    exec(text, names)
    tap.check(names["A"].rows == [[0, 1], [-2, 0]] and names["B"].shape == (2, 0) and names["D"].shape == (2, 0)
              and names["states"] == ["x", "x'"], "matrices.python", text)
    tap.check(names["state_units"][0] == "m\\", "matrices.unit", text)
    run("linearise", "swing.ah", "-o", "swing.m")
    text = (FOLDER / "swing.m").read_text()
    tap.check("A = [0, 1;\n     -2, 0];" in text and "B = zeros (2, 0);" in text, "matrices.octave", text)
    said = run("linearise", "swing.ah", "--any-state", "--at", "x=3,x'=0", "-o", "there.m")
    text = (FOLDER / "there.m").read_text()
    tap.check("y' = rate + A y" in text and "from the state" in text and "rate = [0;\n     -6];" in text, "matrices.any_state", text, said.stderr)
    run("linearise", "swing.ah", "-o", "swing.json")
    tap.check(json.loads((FOLDER / "swing.json").read_text())["A"] == [[0, 1], [-2, 0]], "matrices.json")


class Matrix:
    def __init__(self, rows):
        self.rows, self.shape = rows, (len(rows), len(rows[0]) if rows else 0)

    def reshape(self, *shape):
        self.shape = shape
        return self


def check_exports():
    """The name of what is made comes from the file's."""
    for path, name in (("2-Fälle.ah", "_2_F__lle"), ("UpperZ.ah", "UpperZ"), (".ah", "model")):
        model(path, FALLS)
        said = run("export", "js", path, "-o", f"made.{name}")
        tap.check(said.returncode == 0 and (FOLDER / f"made.{name}" / f"{name}.js").exists(), f"export.{path}", said.stdout, said.stderr)
    said = run("export", "js", "-", "-o", "piped", input=FALLS)
    tap.check(said.returncode == 0 and (FOLDER / "piped/model.js").exists(), "export.from_a_pipe", said.stdout, said.stderr)


def check_reports():
    bare = model("bare.ah", "parameter k\ncoordinate x\nkinetic x'^2/2\npotential k*x^2/2\n")
    said = run("report", bare, "-o", "bare.html")
    tap.check(said.returncode == 0 and "\nno motion: " in said.stdout and "claims" not in said.stdout, "report.words", said.stdout)
    said = json.loads(run("report", bare, "-o", "bare.html", "--json").stdout)
    tap.check(said["no_motion"] and said["claims"] == 0 and said["methods"], "report.json", said)
    said = run("report", bare, "-o", "bare.html", "--method", "multipliers")
    said = run("report", bare, "-o", "bare.html", "--method", "second-class")
    tap.check("equations by no method" in said.stdout, "report.no_method", said.stdout)
    (FOLDER / "kept.html").write_text("earlier")
    for name, words, says in (("to", ["--to", "nobody"], "A0201"), ("to_nowhere", ["--to", "1e400"], "not a finite number"),
                              ("at", ["--at", "nan"], "--at:1:"), ("at_nobody", ["--at", "nobody=1"], "`nobody`"),
                              ("at_nowhere", ["--at", "x=1/0"], "--at:1:")):
        refuses(f"report.{name}", ["report", "falls.ah", *words, "-o", "kept.html"], 1, says)
    tap.check((FOLDER / "kept.html").read_text() == "earlier", "report.earlier_page")
    said = run("report", bare, "-o", "bare.html", "--at", "x=1", "--to", "3")  # without values there is no motion at all
    tap.check(said.returncode == 0 and "\nno motion: " in said.stdout, "report.at_without_values", said.stdout, said.stderr)
    title = "T" * 9000
    run("report", "falls.ah", "--title", title, "--method", " ,lagrange,", "--project", "--set", "", "--samples=5", "-o", "long.html")
    page = (FOLDER / "long.html").read_text()
    again = re.search(r"<pre tabindex=\"0\"><code>(anholo report.*?)</code>", page, re.S)[1].replace("&#39;", "'")
    tap.check(again == f"anholo report falls.ah --set '' --project --method ' ,lagrange,' --samples 5 --title {title} -o long.html",
              "report.again", again[:200])


check_wrong_models()
check_usage()
check_large()
check_input_tables()
check_repeated_options()
check_lists()
check_journals()
check_arrays()
check_files()
check_models()
check_matrices()
check_exports()
check_reports()
tap.done()

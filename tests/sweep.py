#!/usr/bin/env python3
"""`anholo sweep`: tables, arrays, lists and journals from outside. Runs against closed forms and against `simulate`;
the same bytes for any number of threads; killed at random moments and started again it gives the uninterrupted table.

AH_FULL=1: a hundred kills; AH_KILLS=N: N of them."""
import base64
import csv
import importlib.util
import json
import math
import os
import pathlib
import random
import re
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import zlib

sys.path.insert(0, str(pathlib.Path(__file__).parent / "harness"))
import tap

DEBIAN = "/usr/bin/python3"  # has NumPy where the first python3 of the path may have none
if not importlib.util.find_spec("numpy") and pathlib.Path(DEBIAN).exists() \
        and pathlib.Path(sys.executable).resolve() != pathlib.Path(DEBIAN).resolve():
    os.execv(DEBIAN, [DEBIAN, *sys.argv])

ANHOLO = str(tap.BUILD / "anholo")
FOLDER = pathlib.Path(tempfile.mkdtemp(prefix="anholo_sweep"))
KILLS = 100 if os.environ.get("AH_FULL") == "1" else int(os.environ.get("AH_KILLS", "2"))
BALL = """parameter m = 1, g = 10
coordinate x, y
kinetic   1/2*m*(x'^2 + y'^2)
potential m*g*y
start  x = 0, y = 0, x' = 1, y' = 5
simulate t = 0 .. 3
record "top, high" when y' = 0
stop   "ground" when y = 0 falling
"""
# Ends by itself at t = 1/sqrt(a): x grows without bound.
BLOWS_UP = "parameter a = 1\ncoordinate x\nkinetic x'^2/2\nforce x = 6*a*x^2\nstart x = 1, x' = 2*sqrt(a)\nsimulate t = 0 .. 1\n"
# Long enough to be killed in the middle; chaotic enough that a wrong bit would show.
SWINGS = """parameter k = 1
coordinate x, y
kinetic x'^2/2 + y'^2/2
potential x^2/2 + y^2/2 + k*(x^2*y - y^3/3)
start x = 0.1, y = 0.1, x' = 0.3, y' = 0.2
simulate t = 0 .. 60
record "through" when x = 0
"""


def model(name, text):
    path = FOLDER / f"{name}.ah"
    path.write_text(text)
    return str(path)


def sweep(*words, **options):
    return subprocess.run([ANHOLO, "sweep", *map(str, words)], capture_output=True, text=True, timeout=280, **options)


def table(text):
    return list(csv.DictReader(text.splitlines()))


def check_table():
    said = sweep(model("ball", BALL), "--over", "y'=1..3:3,g=5..10:2",
                 "--output", 'final.t,max(y),first("top, high").t,count("top, high")')
    rows = table(said.stdout)
    wrong = [row for row in rows for v, g in [(float(row["y'"]), float(row["g"]))]
             if abs(float(row["final.t"]) - 2*v/g) > 1e-9 or abs(float(row["max(y)"]) - v*v/2/g) > 1e-9
             or abs(float(row['first("top, high").t']) - v/g) > 1e-9 or row['count("top, high")'] != "1"]
    tap.check(said.returncode == 0 and len(rows) == 6 and not wrong, "closed_form", said.stdout, said.stderr)
    tap.check([r["run"] for r in rows] == list("012345") and [r["g"] for r in rows] == ["5", "10"] * 3, "order", said.stdout)


def check_failed():
    said = sweep(model("blows", BLOWS_UP), "--over", "a=0.25..4:4", "--output", "final.x")
    rows = table(said.stdout)
    reasons = [r["failed"] for r in rows]
    tap.check(said.returncode == 0 and [bool(r) for r in reasons] == [False, True, True, True]
              and all(not r["final.x"] for r in rows[1:]) and all(r.startswith("t = 0.") for r in reasons[1:]),
              "failed", said.stdout, said.stderr)
    said = sweep(model("blows", BLOWS_UP), "--over", "a=2..4:4")
    tap.check(said.returncode == 3 and "4 failed" in said.stderr, "all_failed", said.stderr)


def check_list():
    path = FOLDER / "list.csv"
    path.write_text('\ufeff"g", y\'\r\n10,5\r\n\r\n"8",4\r\n')
    said = sweep(model("ball", BALL), "--list", path, "--output", "final.t")
    rows = table(said.stdout)
    tap.check([float(r["final.t"]) for r in rows] == [1, 1] or all(abs(float(r["final.t"]) - 1) < 1e-12 for r in rows)
              and len(rows) == 2, "list", said.stdout, said.stderr)
    for name, text, what in [("short", "g,x\n1\n", "line 2"), ("long", "g\n1\n1,2\n", "line 3"), ("word", "g\n1\none\n", "line 3"),
                             ("empty", "g\n", "no rows"), ("unknown", "gg\n1\n", "unknown"), ("huge", "g\n1e999\n", "finite")]:
        path.write_text(text)
        said = sweep(model("ball", BALL), "--list", path)
        tap.check(said.returncode == 1 and what in said.stderr and not said.stdout, f"list.{name}", said.stderr, said.stdout)
    said = sweep(model("ball", BALL), "--list", path, "-o", path)
    tap.check(said.returncode != 0, "list.is_not_written", said.stderr)


def check_array():
    try:
        import numpy
    except ImportError:
        return tap.skip("array", "python3-numpy is not installed")
    words = [model("blows", BLOWS_UP), "--over", "a=0.25..4:4", "--output", "final.x,max(x')"]
    said = sweep(*words, "-o", FOLDER / "a.npy")
    rows = table(sweep(*words).stdout)
    array = numpy.load(FOLDER / "a.npy")
    same = all(str(array["run"][i]) == r["run"] and repr(float(r["a"])) == repr(float(array["a"][i]))
               and (r["final.x"] == "" and numpy.isnan(array["final.x"][i]) or float(r["final.x"]) == array["final.x"][i])
               and r["failed"].encode()[:96] == array["failed"][i] for i, r in enumerate(rows))
    tap.check(said.returncode == 0 and len(array) == 4 and same and "max(x')" in array.dtype.names, "array", array, rows)


def check_run():
    words = [model("ball", BALL), "--over", "g=5..10:2"]
    said = sweep(*words, "--run", 1, "--samples", 6)
    own = subprocess.run([ANHOLO, "simulate", words[0], "--set", "g=10", "--samples", "6"], capture_output=True, text=True)
    a, b = table(said.stdout), table(own.stdout)
    near = len(a) == len(b) and all(abs(float(r["y"]) - float(s["y"])) < 1e-12 for r, s in zip(a, b))
    tap.check(near and "x'" in a[0], "run", said.stdout, own.stdout, said.stderr)
    said = sweep(*words, "--run", 2)
    tap.check(said.returncode == 2 and "0 to 1" in said.stderr, "run.none", said.stderr)
    said = sweep(model("root", BALL.replace("y = 0,", "y = sqrt(g - 7),", 1)), "--over", "g=5..10:2", "--run", 0)
    tap.check(said.returncode == 1 and "A0644" in said.stderr, "run.cannot_begin", said.stderr)


def check_usage():
    ball = model("ball", BALL)
    for name, words, status in [("status", ["--status"], 2), ("random", ["--random", "0"], 2), ("samples", ["--samples", "5"], 2),
                                ("method", ["--method", "lagrnge"], 2), ("over", ["--over", "g"], 1),
                                ("output", ["--output", "maximum(y)"], 1), ("integrator", ["--integrator", "euler"], 2),
                                ("too_many", ["--over", "g=1..2:1000000,m=1..2:1000000,x=0..1:1000000"], 4),
                                ("tolerance", ["--rtol", "-1"], 2)]:
        said = sweep(ball, *words)
        tap.check(said.returncode == status and said.stderr and not said.stdout, f"usage.{name}", said.returncode, said.stderr)
    said = sweep(ball, "--over", "g=1..2:3", "--output", "max(z)", "--json")
    tap.check(said.returncode == 1 and json.loads(said.stdout)["error"]["code"] == "A0201", "usage.json", said.stdout)


SWEEP = ["--random", "240", "--spread", "k=0.9..1,x'=0.25+-0.02", "--output", 'final.x,max(y),mean(x^2),count("through")']


def check_same_bytes():
    path = model("swings", SWINGS)
    said = [sweep(path, *SWEEP, "--to", 20, *how).stdout for how in
            (["--threads", 1], ["--threads", 2, "--chunk", 1], ["--threads", 4, "--chunk", 17])]
    tap.check(said[0].count("\n") == 241 and said[0] == said[1] == said[2], "same_bytes", *[s[:300] for s in said])


def check_lanes():
    """Rows on lanes: the same bytes for any number of threads, chunk and rank; every kind of lanes agrees with the runs one by
    one."""
    path = model("swings", SWINGS)
    words = [path, *SWEEP, "--to", 20]
    said = [sweep(*words, "--lanes", "on", *how) for how in
            (["--threads", 1], ["--threads", 2, "--chunk", 1], ["--threads", 4, "--chunk", 17])]
    tap.check(said[0].stdout.count("\n") == 241 and len({s.stdout for s in said}) == 1, "lanes.same_bytes", *[s.stderr for s in said])
    if shutil.which("mpirun"):
        together = ["mpirun", "--allow-run-as-root", "--oversubscribe", "-n", "2", ANHOLO, "sweep", *words, "--lanes", "on"]
        ranks = subprocess.run(list(map(str, together)), capture_output=True, text=True, timeout=200)
        tap.check(ranks.stdout == said[0].stdout, "lanes.ranks", ranks.stderr)
    alone = table(sweep(*words, "--lanes", "off").stdout)
    for kind in ("avx512", "avx2", "plain", "plain8"):
        out = sweep(*words, "--lanes", kind)
        if out.returncode == 1 and "does not have them" in out.stderr and "A0612" in out.stderr:
            continue  # not on this processor
        rows = table(out.stdout)
        wrong = [(a, b) for a, b in zip(alone, rows) for k in a if k != "failed" and abs(float(a[k] or 0) - float(b[k] or 0)) > 1e-6]
        tap.check(len(rows) == 240 and not wrong and "lanes: 0" not in out.stderr, f"lanes.{kind}", out.stderr, *wrong[:2])
    said = sweep(*words, "--lanes", "sse")
    tap.check(said.returncode == 2 and "avx2" in said.stderr, "lanes.unknown", said.stderr)


def check_each():
    """Where an event happened, time after time: sin(t) through zero."""
    path = model("sine", "coordinate x\nparameter w = 1\nkinetic x'^2/2\npotential w^2*x^2/2\nstart x = 0, x' = 1\n"
                         "simulate t = 0 .. 20\nrecord \"up\" when x = 0 rising\n")
    words = [path, "--over", "w=1..2:5", "--output", "each(\"up\", 8).t,each(\"up\", 8).x',count(\"up\")"]
    for lanes in ("off", "on"):
        said = sweep(*words, "--lanes", lanes, "--journal", FOLDER / f"each_{lanes}.db")
        rows = table(said.stdout)
        wrong = []
        for row in rows:
            w, n = float(row["w"]), int(row['count("up")'])
            for k in range(1, 9):
                t, v = row[f'each("up").t[{k}]'], row[f'each("up").x\'[{k}]']
                if k > n and (t or v) or k <= n and (abs(float(t) - 2*3.141592653589793*k/w) > 1e-8 or abs(float(v) - 1) > 1e-8):
                    wrong.append((w, k, t, v))
        tap.check(len(rows) == 5 and not wrong, f"each.{lanes}", said.stderr, *wrong[:3])
        picture = subprocess.run([ANHOLO, "plot", str(FOLDER / f"each_{lanes}.db"), 'each("up").t,w'], capture_output=True, text=True)
        points = sum(bool(row[f'each("up").t[{k}]']) for row in rows for k in range(1, 9))
        tap.check(picture.returncode == 0 and "<svg" in picture.stdout and points > 20, f"each.picture_{lanes}", picture.stderr)
    for output in ('each("up").t', 'each("up", 0).t', 'each("up", 5)', 'each("up", 9999).t', 'each("up", 2).t,each("up", 3).t', 'each(up, 3).t'):
        said = sweep(path, "--over", "w=1..2:5", "--output", output)
        tap.check(said.returncode == 1 and "A0642" in said.stderr, f"each.wrong {output}", said.stderr)
    said = sweep(path, "--over", "w=1..2:5", "--output", 'count("nobody")')
    tap.check('record "label" when e1 = e2' in said.stderr, "hint.as_the_language_has_it", said.stderr)
    (FOLDER / "none.db").write_text("nothing")
    picture = subprocess.run([ANHOLO, "plot", str(FOLDER / "none.db"), 'x'], capture_output=True, text=True)
    tap.check(picture.returncode == 1 and "A0641" in picture.stderr, "picture.no_journal", picture.stderr)


def check_kills(lanes):
    """Killed after a random time, again and again, until it is done."""
    path, journal, out = model("swings", SWINGS), FOLDER / "k.db", FOLDER / "k.csv"
    for file in FOLDER.glob("k.db*"):
        file.unlink()
    begun = time.monotonic()
    how = [*SWEEP, "--lanes", lanes]
    whole = sweep(path, *how, "--threads", 2)
    took = time.monotonic() - begun
    rng, done, lost = random.Random(1), 0, []
    for i in range(KILLS):
        child = subprocess.Popen([ANHOLO, "sweep", path, *how, "--journal", journal, "-o", out, "--threads", str(1 + i % 4)],
                                 stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(rng.uniform(0, 1.5 * max(took, 1.2)))
        child.kill()
        child.wait()
        if journal.exists() and journal.stat().st_size:
            said = sweep(path, "--journal", journal, "--status", "--json")
            now = json.loads(said.stdout).get("done", 0) if said.returncode == 0 else 0
            if now < done:
                lost.append(f"{done} runs were done, now {now}")
            done = now
            if done == 240:  # anew
                for file in FOLDER.glob("k.db*"):
                    file.unlink()
                done = 0
    said = sweep(path, *how, "--journal", journal, "-o", out)
    tap.check_none(lost, f"kills.nothing_lost.{lanes}")
    tap.check(said.returncode == 0 and out.read_text() == whole.stdout, f"kills.same_table.{lanes}", said.stderr)
    with sqlite3.connect(journal) as db:
        count, least, most = db.execute("SELECT count(*), min(run), max(run) FROM runs").fetchone()
    tap.check((count, least, most) == (240, 0, 239), f"kills.rows.{lanes}", count)
    said = sweep(path, *how, "--journal", journal, "-o", out, "--json")
    tap.check(json.loads(said.stdout)["computed"] == 0 and out.read_text() == whole.stdout, f"journal.nothing_twice.{lanes}", said.stdout)


def check_journal():
    path, journal = model("swings", SWINGS), FOLDER / "k.db"
    for name, words, what in [("options", [*SWEEP, "--rtol", "1e-9"], "rtol: there"), ("seed", [*SWEEP, "--seed", "2"], "seed: there"),
                              ("outputs", SWEEP[:-1] + ["final.x"], "outputs: there"), ("set", [*SWEEP, "--at", "y=0.2"], "model: there")]:
        said = sweep(path, *words, "--journal", journal)
        tap.check(said.returncode == 1 and what in said.stderr and "A0641" in said.stderr, f"journal.{name}", said.stderr)
    changed = model("changed", SWINGS.replace("y^3/3", "y^3/4"))
    said = sweep(changed, *SWEEP, "--journal", journal)
    tap.check(said.returncode == 1 and "y^3" in said.stderr, "journal.model", said.stderr)
    said = sweep(path, *SWEEP, "--journal", FOLDER / "nowhere" / "k.db")
    tap.check(said.returncode == 1 and "A0643" in said.stderr, "journal.no_folder", said.stderr)
    other = FOLDER / "other.db"
    other.write_text("this is no journal")
    said = sweep(path, *SWEEP, "--journal", other)
    tap.check(said.returncode == 1 and other.read_text() == "this is no journal", "journal.other_file", said.stderr)
    (FOLDER / "leads.db").symlink_to("to.db")
    for n, (name, rows) in enumerate((("new.db", "new.db"), ("new.db", "./new.db"), ("new.db", "new.db-wal"),
                                      ("new.db", "new.db-journal"), ("leads.db", "to.db"), ("to.db", "leads.db"))):
        said = sweep(path, *SWEEP, "--journal", FOLDER / name, "-o", f"{FOLDER}/{rows}")
        tap.check(said.returncode == 2 and "`--journal`" in said.stderr and not (FOLDER / "new.db").exists()
                  and not (FOLDER / "to.db").exists(), f"journal.not_the_rows.{n}", said.stderr)
    with sqlite3.connect(FOLDER / "foreign.db") as db:
        db.execute("CREATE TABLE t(x)")
    said = sweep(path, *SWEEP, "--journal", FOLDER / "foreign.db")
    tap.check(said.returncode == 1 and "no journal" in said.stderr, "journal.foreign", said.stderr)
    said = sweep(path, "--journal", other, "--status")
    tap.check(said.returncode == 1 and "no journal" in said.stderr, "journal.status_of_none", said.stderr)


def check_stopped():
    """SIGTERM: what is done is kept, the status is 143; two at one journal: the second is refused."""
    path, journal, out = model("swings", SWINGS), FOLDER / "s.db", FOLDER / "s.csv"
    out.write_text("earlier")
    many = [path, *SWEEP[2:], "--random", "100000", "--engine", "interpret", "--to", "5"]  # nothing is compiled
    words = [ANHOLO, "sweep", *many, "--journal", journal, "-o", out]
    child = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while child.poll() is None and not (journal.exists() and journal.stat().st_size):
        time.sleep(0.02)
    time.sleep(0.4)
    second = subprocess.run(words, capture_output=True, text=True)
    busy = json.loads(sweep(path, "--journal", journal, "--status", "--json").stdout)
    child.send_signal(signal.SIGTERM)
    _, said = child.communicate(timeout=30)
    after = json.loads(sweep(path, "--journal", journal, "--status", "--json").stdout)
    tap.check(second.returncode == 1 and "another sweep" in second.stderr, "stopped.one_writer", second.stderr)
    tap.check(busy["busy"] and not after["busy"] and after["done"] > 0 and after["runs"] == 100000, "stopped.status", busy, after)
    tap.check(child.returncode == 143 and "goes on" in said and out.read_text() == "earlier", "stopped.by_term", child.returncode, said)
    said = sweep(*many, "--max-time", "0.5", "-o", out)
    tap.check(said.returncode == 4 and out.read_text() == "earlier", "stopped.by_time", said.returncode, said.stderr)
    # no time even to compile: that is the reason, and the only one, whether the library tells it or the program whose clock was first
    said = sweep(*many[:-4], "--to", "5", "--engine", "cc", "--max-time", "0.05", "--json",
                 env={**os.environ, "XDG_CACHE_HOME": str(FOLDER / "none")})
    answer = json.loads(said.stdout)
    codes = [d["code"] for d in answer.get("diagnostics", [answer["error"]]) if d.get("severity", "error") == "error"]
    tap.check(said.returncode == 4 and codes in (["A0901"], [None]) and "the time" in answer["error"]["message"],
              "stopped.by_time while compiling", said.returncode, answer)
    left = [f for f in FOLDER.glob("s.csv.*.partial")]
    rows = table(left[0].read_text()) if left else []
    tap.check(rows and [r["run"] for r in rows] == [str(i) for i in range(len(rows))], "stopped.partial", len(rows), left)


def check_full_disk():
    """Files may have 60 kB: it ends with an error, and goes on where there is room again."""
    path, journal, out = model("ball", BALL), FOLDER / "f.db", FOLDER / "f.csv"
    words = [path, "--random", "1500", "--spread", "g=9..10,x=0..1,y'=5..6", "--rtol", "1e-4", "--engine", "interpret", "--output", "final.x"]

    def small_files():
        resource.setrlimit(resource.RLIMIT_FSIZE, (60000, 60000))

    said = sweep(*words, "--journal", journal, "-o", out, preexec_fn=small_files)
    tap.check(said.returncode == 1 and "A0643" in said.stderr and not out.exists(), "full_disk.told", said.returncode, said.stderr)
    said = sweep(*words, "--journal", journal, "-o", out)
    tap.check(said.returncode == 0 and out.read_text() == sweep(*words).stdout, "full_disk.goes_on", said.stderr)


def check_picture():
    """The pixels of a plane, read by zlib: z = i + 10 j in the place (i, j), the first row below; a cell without value is grey."""
    path, out = FOLDER / "p.csv", FOLDER / "p.svg"
    path.write_text('run,a,"max(b,c)",z,failed\n' + "".join(
        f"{k},{k % 5},{k // 5},{'' if k == 7 else k % 5 + 10 * (k // 5)},\n" for k in range(20)))
    plot = [ANHOLO, "plot", str(path)]
    said = subprocess.run([*plot, "a,max(b,c),z", "-o", str(out)], capture_output=True, text=True)
    image = base64.b64decode(out.read_text().split("base64,")[1].split('"')[0])
    data, at = b"", 8
    while at < len(image):
        length, name = int.from_bytes(image[at:at + 4], "big"), image[at + 4:at + 8]
        tap.check(zlib.crc32(image[at + 4:at + 8 + length]) == int.from_bytes(image[at + 8 + length:at + 12 + length], "big"),
                  f"picture.sum.{name.decode()}")
        data += image[at + 8:at + 8 + length] if name == b"IDAT" else b""
        at += 12 + length
    rows = zlib.decompress(data)
    want = [[255 if (i, j) == (2, 1) else round((i + 10 * j) / 34 * 254) for i in range(5)] for j in (3, 2, 1, 0)]
    got = [list(rows[6 * j + 1:6 * j + 6]) for j in range(4)]
    tap.check(said.returncode == 0 and got == want, "picture.pixels", got, want, said.stderr)
    counted = subprocess.run([*plot, "a"], capture_output=True, text=True).stdout
    tap.check(counted.count("#2a788e") == 5, "picture.histogram", counted[:300])
    said = subprocess.run([*plot, "a,nothing"], capture_output=True, text=True)
    tap.check(said.returncode == 2 and "nothing" in said.stderr, "picture.no_such_column", said.stderr)


def check_large_picture():
    """Tables of any length: each of 20 places is drawn once, the four values of `a` are equally often; words are no numbers."""
    path, rows = FOLDER / "large.csv", 40 * 850
    reason = '"' + 'a reason, with ""quotes""\n' * 80 + '"'
    path.write_text("\ufeffrun,a,b,failed\r\n" + "".join(f"{k},{k % 4},{k // 4 % 5},{reason}\r\n" for k in range(rows)))
    tap.check(path.stat().st_size > 64 << 20, "large.size", path.stat().st_size)
    said = subprocess.run([ANHOLO, "plot", str(path), "a,b"], capture_output=True, text=True)
    tap.check(said.returncode == 0 and said.stdout.count("h0") == 20, "large.points", said.stdout[:300], said.stderr)
    said = subprocess.run([ANHOLO, "plot", str(path), "a"], capture_output=True, text=True)
    bars = re.findall(r'height="([\d.]+)" fill="#2a788e"', said.stdout)
    tap.check(len(bars) == 4 and len(set(bars)) == 1, "large.histogram", bars, said.stderr)
    for name, words, text, answer in (
            ("large.words", ["failed"], None, "`failed` has no numbers"), ("large.names_alone", ["a"], "a,b\n", "no rows"),
            ("large.nothing", ["a"], "", "no rows"), ("large.no_text", ["a"], "a,b\n1,2\n\0,3\n", "line 3: not a text"),
            ("large.line", ["a"], "a" * (3 << 20), "line 1: longer than 2 MiB")):
        if text is not None:
            path.write_text(text)
        said = subprocess.run([ANHOLO, "plot", str(path), *words], capture_output=True, text=True)
        tap.check(said.returncode == 1 and answer in said.stderr and not said.stdout, name, said.returncode, said.stderr)
    path.unlink()


def check_ranks():
    """Two processes of mpirun: the bytes of one, journal included; without OpenMPI several processes are refused."""
    path, journal, out = model("blows", BLOWS_UP), FOLDER / "r.db", FOLDER / "r.csv"
    words = [path, "--over", "a=0.1..2:40", "--rtol", "1e-6", "--engine", "interpret", "--output", "final.x,max(x)"]
    for name, value in (("OMPI_COMM_WORLD_SIZE", "2"), ("PMI_SIZE", "2")) if shutil.which("mpirun") else (("PMI_SIZE", "2"),):
        said = sweep(*words, env={**os.environ, name: value})
        tap.check(said.returncode == 1 and "A0645" in said.stderr, f"ranks.{name}", said.returncode, said.stderr)
    if not shutil.which("mpirun"):
        return
    together = ["mpirun", "--allow-run-as-root", "--oversubscribe", "-n", "2", ANHOLO, "sweep", *words, "--journal", journal, "-o", out]
    alone = sweep(*words).stdout
    for name in ("ranks.same_bytes", "ranks.journal"):
        said = subprocess.run(list(map(str, together)), capture_output=True, text=True, timeout=100)
        tap.check(said.returncode == 0 and out.read_text() == alone and "ranks: 2" in said.stdout, name, said.stdout, said.stderr)
    check_uneven_ranks()
    check_wide_ranks()
    check_ranks_cut()


def ranked(count, *words):
    """A sweep of so many processes; those beyond the first say nothing."""
    return subprocess.run(["mpirun", "--allow-run-as-root", "--oversubscribe", "-n", str(count), ANHOLO, "sweep", *map(str, words)],
                          capture_output=True, text=True, timeout=200)


def check_uneven_ranks():
    """The first run takes as long as hundreds of others, which have to wait for their turn to be written."""
    path = model("uneven", "parameter T = 1, w = 1\ncoordinate x\nkinetic x'^2/2\npotential w^2*x^2/2\nstart x = 1, x' = 0\n"
                           "simulate t = 0 .. T\n")
    table_of_ends, out = FOLDER / "ends.csv", FOLDER / "uneven.csv"
    table_of_ends.write_text("T\n" + "20000\n" + "".join(f"{1 + i % 7}\n" for i in range(1500)))
    words = [path, "--list", table_of_ends, "--engine", "interpret", "--integrator", "dop853", "--rtol", "1e-9", "--chunk", "1",
             "--output", "final.x", "-o", out]
    sweep(*words, "--threads", "1")
    alone = out.read_text()
    out.unlink()
    said = ranked(3, *words)
    tap.check(said.returncode == 0 and out.read_text() == alone and "ranks: 3" in said.stdout, "ranks.uneven", said.stdout, said.stderr)
    rows = table(alone)
    bad = [r for r in rows[1:] if abs(float(r["final.x"]) - math.cos(float(r["T"]))) > 1e-6]
    tap.check(len(rows) == 1501 and not bad, "ranks.uneven.closed_form", bad[:3])


def check_wide_ranks():
    """Rows of which none, one or many go into a message, some of them with a reason."""
    path = model("wide", BLOWS_UP + 'record "through" when sin(80*t) = 0\n')
    for name, each, count in (("wide", 600, 40), ("some", 25, 300)):
        words = [path, "--over", f"a=0.2..1.1:{count}", "--rtol", "1e-6", "--engine", "interpret",
                 "--output", f'final.x,each("through", {each}).x', "-o", FOLDER / "wide.csv"]
        sweep(*words)
        alone = (FOLDER / "wide.csv").read_text()
        said = ranked(2, *words)
        failed = [bool(r["failed"]) for r in table(alone)]
        tap.check(said.returncode == 0 and (FOLDER / "wide.csv").read_text() == alone and any(failed) and not all(failed),
                  f"ranks.{name}_rows", said.stdout, said.stderr)


def check_ranks_cut():
    """A limit of time ends all of the processes, and what was done is kept: the sweep that goes on gives the usual table."""
    runs = 4000
    path, journal, out = model("swings", SWINGS), FOLDER / "cut.db", FOLDER / "cut.csv"
    words = [path, "--over", f"k=0.1..0.9:{runs}", "--to", "200", "--engine", "interpret", "--output", "final.x,count(\"through\")", "-o", out,
             "--journal", journal]
    done, seconds = 0, 0.2
    while not done and seconds < 50:  # a busy machine may have done nothing yet
        said = ranked(2, *words, "--max-time", seconds)
        done = json.loads(sweep(path, "--journal", journal, "--status", "--json").stdout).get("done", 0)
        seconds *= 2
    tap.check(said.returncode == 4 and not out.exists(), "ranks.cut", said.returncode, said.stdout, said.stderr)
    said = ranked(2, *words)
    tap.check(said.returncode == 0 and 0 < done < runs and f"{runs - done} computed" in said.stdout, "ranks.cut.goes_on", done, said.stdout)
    whole = out.read_text()
    sweep(*words[:-2])
    tap.check(out.read_text() == whole, "ranks.cut.same_bytes")


check_table()
check_failed()
check_list()
check_array()
check_run()
check_usage()
check_same_bytes()
check_lanes()
check_each()
check_kills("on")
check_kills("off")
check_journal()
check_stopped()
check_full_disk()
check_ranks()
check_picture()
check_large_picture()
shutil.rmtree(FOLDER)
tap.done()

#!/usr/bin/env python3
"""The journal of a sweep whose SQLite fails: each of its calls that can fail does so in turn, in a sweep that begins, in one
that is finished, and where only its state is asked for. Every run ends with the whole table or says which file and why and
leaves the earlier table alone; afterwards the same command with a sound SQLite gives the whole table. And one whose file was
damaged: no run is lost or there twice, whatever its numbers are."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent / "harness"))
import tap

ANHOLO = str(tap.BUILD / "anholo")
FOLDER = pathlib.Path(tempfile.mkdtemp(prefix="anholo_journal"))
MODEL = FOLDER / "oscillator.ah"
MODEL.write_text("parameter k = 1\ncoordinate x\nkinetic x'^2/2\npotential k*x^2/2\nstart x = 1, x' = 0\nsimulate t = 0 .. 1\n")
WORDS = [ANHOLO, "sweep", str(MODEL), "--over", "k=1..5:5", "--chunk=1", "--threads=1", "--engine=interpret", "--output=final.x"]
JOURNAL, ROWS, EARLIER = FOLDER / "k.db", FOLDER / "k.csv", "earlier\n"

# The FAIL_AT-th call of these four fails, once; how many there were is left in the file COUNTED. LACKING: a library that lacks
# a function (an old one).
SHIM = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
static int calls;
static void *real(const char *name)
{
    static void *library;
    if (!library) library = dlopen(getenv("REAL_SQLITE"), RTLD_NOW | RTLD_LOCAL);
    return dlsym(library, name);
}
static int fails(void)
{
    const char *at = getenv("FAIL_AT");
    return ++calls == (at ? atoi(at) : 0);
}
__attribute__((destructor)) static void count(void)
{
    FILE *f = getenv("COUNTED") ? fopen(getenv("COUNTED"), "w") : NULL;
    if (f) fprintf(f, "%d", calls), fclose(f);
}
#define F(name, result, parameters, arguments, failing)                          \
    result sqlite3_##name parameters                                       \
    {                                                                      \
        result (*f) parameters = (result (*) parameters) real("sqlite3_" #name); \
        failing return f arguments;                                        \
    }
typedef void V;
F(open_v2, int, (const char *a, V **b, int c, const char *d), (a, b, c, d), if (fails()) return (*b = NULL, 14);)
F(exec, int, (V *a, const char *b, V *c, V *d, char **e), (a, b, c, d, e), if (fails()) return 13;)
F(prepare_v2, int, (V *a, const char *b, int c, V **d, const char **e), (a, b, c, d, e), if (fails()) return (*d = NULL, 1);)
F(step, int, (V *a), (a), if (fails()) return 10;)
F(close, int, (V *a), (a), )
F(busy_handler, int, (V *a, int (*b)(void *, int), V *c), (a, b, c), )
F(progress_handler, void, (V *a, int b, int (*c)(V *), V *d), (a, b, c, d), )
F(errmsg, const char *, (V *a), (a), )
F(reset, int, (V *a), (a), )
F(finalize, int, (V *a), (a), )
F(bind_int64, int, (V *a, int b, int64_t c), (a, b, c), )
F(bind_double, int, (V *a, int b, double c), (a, b, c), )
F(bind_null, int, (V *a, int b), (a, b), )
F(bind_text, int, (V *a, int b, const char *c, int d, void (*e)(void *)), (a, b, c, d, e), )
F(column_count, int, (V *a), (a), )
F(column_name, const char *, (V *a, int b), (a, b), )
F(column_type, int, (V *a, int b), (a, b), )
F(column_int64, int64_t, (V *a, int b), (a, b), )
F(column_double, double, (V *a, int b), (a, b), )
#ifndef LACKING
F(column_text, const unsigned char *, (V *a, int b), (a, b), )
#endif
"""


def real_sqlite():
    said = subprocess.run(["/sbin/ldconfig", "-p"], capture_output=True, text=True)
    found = re.search(r"libsqlite3\.so\.0 .*=> (\S+)", said.stdout)
    return found and found[1]


def build(name, *options):
    folder = FOLDER / name
    folder.mkdir()
    (folder / "shim.c").write_text(SHIM)
    subprocess.run(["cc", "-shared", "-fPIC", "-w", *options, "-o", folder / "libsqlite3.so.0", folder / "shim.c", "-ldl"], check=True)
    return folder


def sweep(*words, library=None, fail_at=0):
    extra = {"LD_LIBRARY_PATH": str(library), "REAL_SQLITE": REAL, "FAIL_AT": str(fail_at), "COUNTED": str(FOLDER / "count")}
    return subprocess.run([*WORDS, "--journal", str(JOURNAL), *words], capture_output=True, text=True, timeout=100,
                          env={**os.environ, **(extra if library else {})})


def clear():
    for path in FOLDER.glob("k.*"):
        path.unlink()
    ROWS.write_text(EARLIER)


def fail_in_turn(name, prepare, words):
    """prepare(): the files before each run."""
    prepare()
    sweep(*words, library=BROKEN)
    calls = int((FOLDER / "count").read_text())
    tap.check(calls > 3, f"{name}.calls", calls)
    refused = 0
    for k in range(1, calls + 1, 1 if os.environ.get("AH_FULL") == "1" else 3):
        prepare()
        said = sweep(*words, library=BROKEN, fail_at=k)
        rows = ROWS.read_text()
        if said.returncode == 0:  # of no consequence
            good = rows == WHOLE or ("--status" in words and json.loads(said.stdout)["done"] == 5)
        else:
            refused += 1
            good = said.returncode == 1 and "A0643" in said.stderr + said.stdout and "k.db" in said.stderr + said.stdout and rows == EARLIER
        tap.check(good, f"{name}.call_{k}", said.returncode, said.stdout, said.stderr, rows)
        said = sweep("-o", str(ROWS))
        tap.check(said.returncode == 0 and ROWS.read_text() == WHOLE, f"{name}.after_call_{k}", said.stderr, ROWS.read_text())
    tap.check(refused > calls / 6, f"{name}.refused", refused, calls)


def finished():
    clear()
    sweep()


def leaf(data):
    """Where the page with the rows begins, and where its rows do: the leaf (13) whose rows are numbered from 0."""
    size = int.from_bytes(data[16:18], "big")
    for page in range(size, len(data), size):
        count = int.from_bytes(data[page + 3:page + 5], "big")
        rows = [page + int.from_bytes(data[page + 8 + 2 * k:page + 10 + 2 * k], "big") for k in range(count)]
        if data[page] == 13 and count == 5 and [data[at + 1] for at in rows] == list(range(5)):
            return page, rows
    return None, []


def damage():
    finished()
    sound = JOURNAL.read_bytes()
    page, rows = leaf(sound)
    tap.check(rows, "damage.rows found")
    for run in (0, 1, 4, 100):  # in the place of run 2
        data = bytearray(sound)
        data[rows[2] + 1] = run
        JOURNAL.write_bytes(data)
        ROWS.write_text(EARLIER)
        said = sweep("-o", str(ROWS))
        why = "it is damaged" if run < 5 else "A0643" # SQLite looks no further than that run
        tap.check(said.returncode == 1 and why in said.stderr and ROWS.read_text() == EARLIER, f"damage.run {run} for 2",
                  said.returncode, said.stderr, ROWS.read_text())
        drawn = subprocess.run([ANHOLO, "plot", str(JOURNAL), "run", "-o", os.devnull], capture_output=True, text=True)
        tap.check(drawn.returncode == 1 and "it is damaged" in drawn.stderr, f"damage.plot, run {run} for 2", drawn.returncode, drawn.stderr)
    for at in range(0, len(sound), tap.amount(41, 11, 1)):
        data = bytearray(sound)
        data[at] ^= 1 << at % 8
        JOURNAL.write_bytes(data)
        ROWS.write_text(EARLIER)
        said, there = sweep("-o", str(ROWS)), ROWS.read_text()
        runs = [line.split(",")[0] for line in there.splitlines()]
        good = runs == ["run", *map(str, range(5))] if said.returncode == 0 else said.returncode == 1 and there == EARLIER
        if not good: tap.check(False, f"damage.byte {at}", said.returncode, said.stderr, there)
        for path in FOLDER.glob("k.db-*"):
            path.unlink()
    tap.check(True, "damage.bytes")


REAL = real_sqlite()
if not REAL or not shutil.which("cc"):
    tap.skip("broken_journal", "there is no SQLite, or no compiler")
else:
    BROKEN, OLD = build("broken"), build("old", "-DLACKING")
    clear()
    WHOLE = subprocess.run(WORDS, capture_output=True, text=True).stdout
    tap.check(WHOLE.count("\n") == 6, "whole", WHOLE)
    fail_in_turn("begins", clear, ["-o", str(ROWS)])
    fail_in_turn("finished", finished, ["-o", str(ROWS)])
    fail_in_turn("status", finished, ["--status", "--json"])
    damage()
    clear()
    for words in (["-o", str(ROWS)], ["--status"]):
        said = sweep(*words, library=OLD)
        tap.check(said.returncode == 1 and "A064" in said.stderr and ROWS.read_text() == EARLIER, "too_old", said.stderr)
    BAD = FOLDER / "bad"
    BAD.mkdir()
    for name in ("libsqlite3.so.0", "libsqlite3.so"):
        (BAD / name).write_text("no library\n")
    said = sweep("-o", str(ROWS), library=BAD)
    tap.check(said.returncode == 1 and "cannot be loaded: " in said.stderr and str(BAD / "libsqlite3.so.0") in said.stderr and
              ROWS.read_text() == EARLIER, "cannot be loaded, and why", said.stderr)
shutil.rmtree(FOLDER)
tap.done()

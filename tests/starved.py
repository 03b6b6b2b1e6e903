#!/usr/bin/env python3
"""Allocations of the whole program fail in turn, those of the libraries included: each run ends with its answer or
says that there is no memory; none crashes. Some of them; all with AH_FULL=1."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent / "harness"))
import tap

ANHOLO = str(tap.BUILD / "anholo")
FULL = os.environ.get("AH_FULL") == "1"
SOME = 40

# The FAIL_AT-th allocation of the process fails, once; the number of all goes to standard error at the end.
SHIM = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <errno.h>
extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t);
static atomic_ulong count;
static unsigned long fail_at;
static int on;
__attribute__((constructor)) static void begin(void)
{
    const char *at = getenv("FAIL_AT");
    fail_at = at ? strtoul(at, NULL, 10) : 0;
    on = 1;
}
__attribute__((destructor)) static void end(void)
{
    on = 0;
    if (getenv("FAIL_COUNT")) fprintf(stderr, "\nallocations %lu\n", (unsigned long) count);
}
static int fails(void)
{
    if (!on || ++count != fail_at) return 0;
    errno = ENOMEM;
    return 1;
}
void *malloc(size_t n) { return fails() ? NULL : __libc_malloc(n); }
void *calloc(size_t n, size_t m) { return fails() ? NULL : __libc_calloc(n, m); }
void *realloc(void *p, size_t n) { return fails() ? NULL : __libc_realloc(p, n); }
"""

RUNS = [["simulate", "tire.ah", "--integrator=bdf", "--engine=interpret", "--samples=5", "--to=0.5"],
        ["simulate", "tire.ah", "--integrator=adams", "--engine=interpret", "--samples=5", "--to=0.5"],
        ["simulate", "double_pendulum.ah", "--integrator=ida", "--engine=interpret", "--samples=5", "--to=0.1"],
        ["simulate", "skate.ah", "--engine=tcc", "--samples=5", "--to=0.5"],
        ["stability", "tire.ah"], ["check", "skate.ah", "--json"], ["derive", "skate.ah"],
        ["plot", "skate.ah", "-o", "/dev/null", "--samples=11"]]


def run(shim, words, **environment):
    model = str(tap.ROOT / "models" / words[1])
    return subprocess.run([ANHOLO, words[0], model, *words[2:]], capture_output=True, timeout=120,
                          env={**os.environ, "LD_PRELOAD": str(shim), **environment})


def comparable(answer):
    """Without times, and without what engine was to be had."""
    text = re.sub(r"[\d.e-]+ s$|\((?:tcc|interpret|cc)\)", "", answer.stdout.decode(), flags=re.M)
    return answer.returncode, text


def check(shim, words):
    usual = run(shim, words, FAIL_COUNT="1")
    count = int(re.search(rb"allocations (\d+)", usual.stderr)[1])
    bad, hungry = [], 0
    for k in range(1, count + 1, 1 if FULL else max(1, count // SOME)):
        answer = run(shim, words, FAIL_AT=str(k))
        said = (answer.stdout + answer.stderr).decode("utf-8", "replace").lower()
        out_of_memory = answer.returncode in (1, 4) and "memory" in said
        hungry += out_of_memory
        if not out_of_memory and comparable(answer) != comparable(usual):
            bad.append(f"allocation {k} of {count}: status {answer.returncode}, {said[-300:]}")
    tap.check_none(bad, f"{words[0]} {words[1]} {words[2] if len(words) > 2 else ''}")
    tap.check(hungry, f"{words[0]} {words[1]}.some failed")


def main():
    if os.environ.get("AH_SANITIZED") == "1":
        tap.skip("starved", "the sanitizers have an allocator of their own")
        return
    with tempfile.TemporaryDirectory() as name:
        source, shim = pathlib.Path(name) / "shim.c", pathlib.Path(name) / "shim.so"
        source.write_text(SHIM)
        built = subprocess.run([os.environ.get("AH_CC", "cc"), "-O1", "-shared", "-fPIC", "-fno-builtin", source, "-o", shim],
                               capture_output=True, text=True)
        if built.returncode or run(shim, RUNS[-2], FAIL_COUNT="1").stderr.find(b"allocations") < 0:
            tap.skip("starved", "no such shim for this C library")
            return
        for words in RUNS:
            check(shim, words)


main()
tap.done()

#!/usr/bin/env python3
"""Allocations of the whole program fail in turn, those of the libraries included: each run ends with its answer or
says that there is no memory; none crashes. Some of them; all with AH_FULL=1. SUNDIALS also begins where there is no memory
left at all."""
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
SOME = 200
# Of the blocks of a context SUNDIALS 6 does not look at two (SUNHashMap_New), and nobody else can: the program asks for as much
# room before, and for two blocks of their sizes, which the C library then has at hand for the thread (src/integrate/sundials.c). So
# memory is not missing there unless one allocation alone is made to fail, as here. Where there is none from the first question on,
# nothing may crash.
UNSEEN, CONTEXT_BYTES = 2, 60 << 10

# At every FAIL_STEP-th allocation of the process (0: at none) a child is forked in which it fails; the process itself goes on
# as if nothing had been. So each of them costs what comes after it, which where memory is missing is little, and not
# another start. With FAIL_GONE, of those of so many bytes, and the child has no more memory from there on but what it frees: all
# that its heap has is taken, and it may not grow. What a child said goes to FAIL_REPORT unless it ended for want of memory; the
# counts come last.
SHIM = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t);
enum { FILES = 64, SAID = 1 << 20 };
static atomic_ulong count;
static unsigned long step, hungry;
static size_t gone;
static int on, in_child, report = -1, said = -1;

static void write_head(unsigned long k, int status, unsigned long length)
{
    char line[80];
    const int n = snprintf(line, sizeof line, "%lu %d %lu\n", k, status, length);
    (void) !write(report, line, (size_t) n);
}

static void end(void)
{
    if (!on || in_child) return;
    on = 0;
    write_head(count, 0, hungry);
}

__attribute__((constructor)) static void begin(void)
{
    if (!getenv("FAIL_REPORT")) return;
    step = strtoul(getenv("FAIL_STEP"), NULL, 10);
    gone = strtoul(getenv("FAIL_GONE"), NULL, 10);
    report = open(getenv("FAIL_REPORT"), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    said = memfd_create("said", MFD_CLOEXEC);
    unsetenv("LD_PRELOAD"); /* compilers that it starts are not meant */
    on = 1;
}

/* What comes after main and its handlers is not meant: where branches are counted libgcov allocates there, does not look
 * whether it got anything, and holds locks of its files, for which a child split off then would wait, and its parent for it. */
static int (*program)(int, char **, char **);

static int main_of_program(int count, char **words, char **environment)
{
    atexit(end);
    return program(count, words, environment);
}

int __libc_start_main(int (*main)(int, char **, char **), int count, char **words, void (*init)(void), void (*fini)(void),
                      void (*rtld_fini)(void), void *stack_end)
{
    __typeof__(__libc_start_main) *start;
    *(void **) &start = dlsym(RTLD_NEXT, "__libc_start_main");
    program = main;
    return start(main_of_program, count, words, init, fini, rtld_fini, stack_end);
}

/* But for one block of each size from 64 to 256 bytes: who asks for more than one of them, or for a smaller one, gets nothing. The
 * stack, which would grow within the same limit, has grown before. */
static void take_all(void)
{
    volatile char stack[4 << 20];
    char text[32] = "";
    void *left[13], *block;
    const int f = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    for (size_t i = 0; i < sizeof stack; i += 4096) stack[i] = 1;
    if (f < 0 || read(f, text, sizeof text - 1) <= 0) abort();
    close(f);
    const rlim_t bytes = strtoul(text, NULL, 10) * (rlim_t) sysconf(_SC_PAGESIZE);
    setrlimit(RLIMIT_AS, &(struct rlimit){bytes, bytes});
    for (size_t i = 0; i < 13; i++) left[i] = __libc_malloc(64 + 16 * i);
    for (size_t size = 1 << 20; size >= 16; size -= size > 1024 ? size / 2 : 16)
        while ((block = __libc_malloc(size))) memset(block, 0, 1);
    for (size_t i = 0; i < 13; i++) free(left[i]);
}

static void tell(unsigned long k, int status)
{
    static char text[SAID];
    const ssize_t n = pread(said, text, sizeof text - 1, 0);
    const int code = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
    text[n < 0 ? 0 : n] = 0;
    if ((code == 1 || code == 4) && (strstr(text, "memory") || strstr(text, "Memory"))) {
        hungry++;
        return;
    }
    write_head(k, code, n < 0 ? 0 : (unsigned long) n);
    if (n > 0) (void) !write(report, text, (size_t) n);
}

static int fails(size_t size)
{
    off_t places[FILES]; /* of open files: parent and child share them */
    const unsigned long k = on ? ++count : 0;
    if (!on || !step || k % step || (gone && size != gone) || ftruncate(said, 0)) return 0;
    lseek(said, 0, SEEK_SET);
    for (int f = 3; f < FILES; f++)
        places[f] = f == report || f == said ? -1 : lseek(f, 0, SEEK_CUR);
    const pid_t child = fork();
    if (child < 0) abort();
    if (child == 0) {
        on = 0;
        in_child = 1;
        dup2(said, 1);
        dup2(said, 2);
        setrlimit(RLIMIT_CPU, &(struct rlimit){60, 60});
        if (gone) take_all();
        errno = ENOMEM;
        return 1;
    }
    int status;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
    for (int f = 3; f < FILES; f++)
        if (places[f] >= 0) lseek(f, places[f], SEEK_SET);
    tell(k, status);
    return 0;
}

/* Forking is no work of the program's. */
int clock_gettime(clockid_t clock, struct timespec *out)
{
    if (on && step && clock == CLOCK_THREAD_CPUTIME_ID) {
        *out = (struct timespec){0};
        return 0;
    }
    return (int) syscall(SYS_clock_gettime, clock, out);
}
void *malloc(size_t n) { return fails(n) ? NULL : __libc_malloc(n); }
void *calloc(size_t n, size_t m) { return fails(n * m) ? NULL : __libc_calloc(n, m); }
void *realloc(void *p, size_t n) { return fails(n) ? NULL : __libc_realloc(p, n); }
"""

RUNS = [["simulate", "tire.ah", "--integrator=bdf", "--engine=interpret", "--samples=5", "--to=0.5"],
        ["simulate", "tire.ah", "--integrator=adams", "--engine=interpret", "--samples=5", "--to=0.5"],
        ["simulate", "double_pendulum.ah", "--integrator=ida", "--engine=interpret", "--samples=5", "--to=0.1"],
        ["simulate", "skate.ah", "--engine=tcc", "--samples=5", "--to=0.5"],
        ["stability", "tire.ah"], ["check", "skate.ah", "--json"], ["derive", "skate.ah"],
        ["derive", "double_pendulum.ah"], ["verify", "skate.ah"], ["verify", "tire.ah"],
        ["plot", "skate.ah", "-o", "/dev/null", "--samples=11"]]


def run(shim, words, step, gone=0):
    """What it says, its status, how many allocations there were, how often memory was missing, and what else children
    said: [(number of the allocation, status, text)]."""
    model = str(tap.ROOT / "models" / words[1])
    report = shim.parent / "report"
    done = subprocess.run([ANHOLO, words[0], model, *words[2:]], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          timeout=None if FULL else 280,
                          env={**os.environ, "LD_PRELOAD": str(shim), "FAIL_REPORT": str(report), "FAIL_STEP": str(step),
                               "FAIL_GONE": str(gone)})
    text, others = report.read_bytes() if report.exists() else b"", []
    while text:
        head, _, text = text.partition(b"\n")
        count, status, length = map(int, head.split())
        if not text:
            return done.stdout, done.returncode, count, length, others
        others.append((count, status, text[:length]))
        text = text[length:]
    return done.stdout, done.returncode, 0, 0, others


def comparable(text):
    """Without times, and without what engine was to be had."""
    return re.sub(r"[\d.e+-]+ s$|\((?:tcc|interpret|cc)\)", "", text.decode("utf-8", "replace"), flags=re.M)


def by_sundials(words):
    return any(w.startswith("--integrator") for w in words)


def check(shim, words, gone=0):
    count = run(shim, words, 0)[2]
    usual, status, again, hungry, others = run(shim, words, 1 if FULL or gone else max(1, count // SOME), gone)
    # What was written before the allocation the process has written itself.
    bad = [f"allocation {k} of {again}: status {code}, {text[-300:]}" for k, code, text in others
           if code != status or not comparable(usual).endswith(comparable(text))]
    crashes = [line for line in bad if ": status -11" in line]
    if by_sundials(words) and not gone and len(crashes) <= UNSEEN:
        bad = [line for line in bad if line not in crashes]
    name = f"{words[0]} {words[1]} {words[2] if len(words) > 2 else ''}{' no memory from there on' if gone else ''}"
    tap.check_none(bad, name)
    tap.check(status == 0 and hungry, f"{name}.some failed")


def main():
    if os.environ.get("AH_SANITIZED") == "1":
        tap.skip("starved", "the sanitizers have an allocator of their own")
        return
    with tempfile.TemporaryDirectory() as name:
        source, shim = pathlib.Path(name) / "shim.c", pathlib.Path(name) / "shim.so"
        source.write_text(SHIM)
        built = subprocess.run([os.environ.get("AH_CC", "cc"), "-O1", "-shared", "-fPIC", "-fno-builtin", source, "-o", shim],
                               capture_output=True, text=True)
        if built.returncode or not run(shim, RUNS[-1], 0)[2]:
            tap.skip("starved", "no such shim for this C library")
            return
        for words in RUNS:
            check(shim, words)
            if by_sundials(words):
                check(shim, words, gone=CONTEXT_BYTES)


main()
tap.done()

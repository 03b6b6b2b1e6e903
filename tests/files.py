#!/usr/bin/env python3
"""Files that the program writes: replaced as a whole or not at all, whatever ends the run; never the model,
never another output; and nothing that reads or writes waits past --max-time, Ctrl-C or SIGTERM.

With AH_FULL=1 the runs that are killed at random moments are a hundred of each kind."""
import csv
import json
import os
import pathlib
import random
import re
import resource
import shutil
import signal
import sqlite3
import stat
import struct
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent / "harness"))
import tap

ANHOLO = str(tap.BUILD / "anholo")
MODELS = tap.ROOT / "models"
SKATE = str(MODELS / "skate.ah")
KILLS = 100 if os.environ.get("AH_FULL") == "1" else 6
EARLIER = "earlier content\n"
PATIENCE = 60 if os.environ.get("AH_SANITIZED") == "1" else 20  # seconds; a run that hangs is one that fails

# What a shell starts in the background ignores Ctrl-C, and so would what this starts.
signal.signal(signal.SIGINT, signal.default_int_handler)

# Ends by itself at t = 1: x grows without bound.
BLOWS_UP = "coordinate x\nkinetic x'^2/2\nforce x = 6*x^2\nstart x = 1, x' = 2\nsimulate t = 0 .. 3\n"


def run(*words, **options):
    options.setdefault("capture_output", True)
    return subprocess.run([ANHOLO, *map(str, words)], text=True, timeout=PATIENCE, **options)


def hear():
    """What ignores a signal hands that on to what it starts, and `nohup` may have started this test."""
    for number in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)


def begin(*words, **options):
    options.setdefault("stderr", subprocess.PIPE)
    options.setdefault("stdout", subprocess.PIPE)
    options.setdefault("preexec_fn", hear)
    return subprocess.Popen([ANHOLO, *map(str, words)], **options)


def end(child):
    """Exit status and standard error of a child that should be ending."""
    try:
        _, err = child.communicate(timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        child.kill()
        _, err = child.communicate()
        return "hangs", (err or b"").decode()
    return child.returncode, (err or b"").decode()


def long_run(*words):
    """A motion that takes hours, with many rows."""
    return ["simulate", SKATE, "--to=1e7", "--every=0.01", "--engine=interpret", *words]


def wait_for(condition):
    limit = time.monotonic() + PATIENCE
    while time.monotonic() < limit:
        if condition():
            return True
        time.sleep(0.01)
    return False


def partials(folder):
    return sorted(folder.glob("*.partial"))


def size(path):
    try:
        return path.stat().st_size
    except OSError:
        return 0


# ---- What replaces a file -------------------------------------------------------------------------------

def check_replacing(folder):
    out = folder / "rows.csv"
    out.write_text(EARLIER)
    out.chmod(0o640)
    answer = run("simulate", SKATE, "-o", out)
    tap.check(answer.returncode == 0 and out.read_text().startswith("t,x,y"), "replaced", answer.stderr)
    tap.check(stat.S_IMODE(out.stat().st_mode) == 0o640, "permissions.kept", oct(out.stat().st_mode))
    tap.check(list(folder.iterdir()) == [out], "nothing.beside", *folder.iterdir())

    before = os.umask(0o027)
    run("simulate", SKATE, "-o", folder / "new.csv")
    os.umask(before)
    tap.check(stat.S_IMODE((folder / "new.csv").stat().st_mode) == 0o640, "permissions.new")

    for name in ("plot", "report"):
        page = folder / name
        page.write_text(EARLIER)
        answer = run(name, SKATE, "-o", page)
        tap.check(answer.returncode == 0 and "<svg" in page.read_text(), f"replaced.{name}", answer.stderr)

    ended = run("simulate", "-", "-o", out, input=BLOWS_UP)
    rows = list(csv.reader(out.open()))
    tap.check(ended.returncode == 3 and len(rows) > 10 and len(set(map(len, rows))) == 1,
              "a motion that ends by itself has a table", ended.stderr)


def access_list(group, *users):
    """A list of permissions as the kernel takes it: of the owner, users by number, the group, all others."""
    entries = [(1, 6, -1), *((2, bits, user) for user, bits in users), (4, group, -1), (16, 6, -1), (32, 0, -1)]
    return struct.pack("<I", 2) + b"".join(struct.pack("<HHi", *e) for e in entries)


def check_lists(folder):
    """Lists of permissions (setfacl) are kept; those that a folder gives to new files are not those of an old one."""
    name, out, plain = "system.posix_acl_access", folder / "listed.csv", folder / "plain.csv"
    out.write_text(EARLIER)
    plain.write_text(EARLIER)
    plain.chmod(0o640)
    try:
        os.setxattr(out, name, access_list(0, (65534, 6)))
        os.setxattr(folder, "system.posix_acl_default", access_list(6, (65534, 6)))
    except OSError as error:
        tap.skip("lists", str(error))
        return
    wanted = os.getxattr(out, name)
    for command in ("simulate", "report"):
        answer = run(command, SKATE, "-o", out)
        tap.check(answer.returncode == 0 and out.read_text() != EARLIER and os.getxattr(out, name) == wanted,
                  f"permissions.list kept by {command}", os.getxattr(out, name), wanted)
        answer = run(command, SKATE, "-o", plain)
        tap.check(plain.read_text() != EARLIER and name not in os.listxattr(plain) and stat.S_IMODE(plain.stat().st_mode) == 0o640,
                  f"permissions.no list of the folder, {command}", os.listxattr(plain), oct(plain.stat().st_mode))


def check_private(folder):
    """What replaces a private file cannot be opened by others while it is written, either."""
    out = folder / "private.csv"
    out.write_text(EARLIER)
    out.chmod(0o600)
    trace = folder / "trace"
    before = os.umask(0)
    child = begin(*long_run("-o", out))
    os.umask(before)
    tap.check(wait_for(lambda: partials(folder)) and stat.S_IMODE(partials(folder)[0].stat().st_mode) == 0o600,
              "permissions.private while it is written", *partials(folder))
    child.terminate()
    end(child)
    if shutil.which("strace"):
        subprocess.run(["strace", "-f", "-e", "trace=open,openat", "-o", trace, ANHOLO, "simulate", SKATE, "-o", out],
                       capture_output=True)
        made = [line for line in trace.read_text().splitlines() if ".partial" in line and "O_CREAT" in line]
        tap.check(made and all("0600" in line for line in made), "permissions.private from the beginning", *made)


def check_links(folder):
    (folder / "sub").mkdir()
    for words in (["simulate", SKATE, "-o", ""], ["report", SKATE, "-o", ""], ["verify", SKATE, "--certificate", ""]):
        done = run(*words)
        tap.check(done.returncode == 2 and "wants the name of a file" in done.stderr, f"no_name.{words[0]}", done.stderr)
    for words, says in ((["check", ""], "an empty word is no name"), (["new", ""], "an empty word is no name"),
                        (["export", "c", SKATE, "-o", ""], "wants the name of a folder")):
        done = run(*words)
        tap.check(done.returncode == 2 and says in done.stderr, f"no_name.{words[0]}", done.stderr)
    target, link, chain = folder / "sub" / "target.csv", folder / "link", folder / "chain"
    target.write_text(EARLIER)
    link.symlink_to("sub/target.csv")
    chain.symlink_to(link)
    run("simulate", SKATE, "-o", chain)
    tap.check(link.is_symlink() and chain.is_symlink() and target.read_text().startswith("t,x,y"),
              "links.followed")
    (folder / "dangling").symlink_to("sub/nothing.csv")
    run("simulate", SKATE, "-o", folder / "dangling")
    tap.check((folder / "sub/nothing.csv").read_text().startswith("t,x,y"), "links.dangling")
    (folder / "loop").symlink_to("loop")
    answer = run("simulate", SKATE, "-o", folder / "loop")
    tap.check(answer.returncode == 1 and "loop" in answer.stderr, "links.loop", answer.stderr)


def check_dash(folder):
    """`-` is standard output where an answer can go there, and nowhere the name of a file."""
    def shown(text):  # without times, and what a page says of its own making
        return re.sub(r"[\d.]+(?: s| a second)\b", "", text)

    for words in (["simulate", SKATE, "--samples=3"], ["plot", SKATE], ["models", "skate"], ["linearise", SKATE, "--any-state"],
                  ["report", SKATE], ["sweep", SKATE, "--over", "m=1..2:2"], ["simulate", SKATE, "--samples=3", "-o", "x.csv"]):
        usual, answer = run(*words[:3] if "-o" in words else words, cwd=folder), run(*words, "-o", "-", cwd=folder)
        tap.check(answer.returncode == usual.returncode == 0 and len(usual.stdout) > 50 and shown(answer.stdout) == shown(usual.stdout) and
                  not list(folder.iterdir()), f"dash.{words[0]} to standard output", answer.stderr, *folder.iterdir())
    for words, what in ((["simulate", SKATE, "--events", "-"], "file"), (["verify", SKATE, "--certificate", "-"], "file"),
                        (["export", "js", SKATE, "-o", "-"], "folder"), (["export", "fmu", SKATE, "--sources", "-o", "-"], "file"),
                        (["sweep", SKATE, "--over", "m=1..2:2", "--journal", "-"], "file"), (["new", "-"], "file")):
        answer = run(*words, cwd=folder)
        tap.check(answer.returncode == 2 and f"wants the name of a {what}, and `-` is none" in answer.stderr and not list(folder.iterdir()),
                  f"dash.{words[0]} wants a {what}", answer.stderr, *folder.iterdir())
    answer = run("simulate", SKATE, "-o", "./-", cwd=folder)
    tap.check(answer.returncode == 0 and (folder / "-").read_text().startswith("t,x,y"), "dash.a file of that name", answer.stderr)


def check_devices(folder):
    answer = run("simulate", SKATE, "-o", "/dev/null")
    tap.check(answer.returncode == 0 and stat.S_ISCHR(os.stat("/dev/null").st_mode), "device.null")
    answer = run("simulate", SKATE, "-o", "/dev/full")
    tap.check(answer.returncode == 1 and "/dev/full" in answer.stderr, "device.full", answer.stderr)
    log = folder / "log"
    log.write_text(EARLIER)
    with log.open("a") as stream:
        run("simulate", SKATE, "-o", "/dev/stdout", capture_output=False, stdout=stream,
            stderr=subprocess.DEVNULL)
    tap.check(log.read_text().startswith(EARLIER + "t,x,y"), "device.stdout is written through")
    fifo = folder / "fifo"
    os.mkfifo(fifo)
    child = begin("simulate", SKATE, "-o", fifo)
    text = fifo.read_text()
    status, _ = end(child)
    tap.check(status == 0 and text.startswith("t,x,y") and stat.S_ISFIFO(fifo.stat().st_mode),
              "device.pipe")


def check_closed(folder):
    """Standard streams that are closed: no file takes their number, so that nothing that is said gets into it."""
    def close(*streams):
        return {"capture_output": False, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL,
                "preexec_fn": lambda: [os.close(s) for s in streams]}

    words = ["sweep", SKATE, "--over", "theta=0..1:300", "--to=0.1", "--journal", folder / "j.db"]
    run(*words)
    answer = run(*words, **close(1))
    again = run(*words, "--status")
    tap.check(answer.returncode == 1 and "300 done" in again.stdout, "closed.the journal of a sweep is whole", again.stderr)
    for streams in ((1,), (2,), (0, 1, 2)):
        files = [folder / "rows.csv", folder / "events.csv"]
        answer = run("simulate", MODELS / "ball.ah", "-o", files[0], "--events", files[1], **close(*streams))
        texts = [list(csv.reader(f.open())) for f in files]
        tap.check(answer.returncode == (1 in streams) and all(len(t) > 3 and len({len(r) for r in t}) == 1 for t in texts),
                  f"closed.{streams} are not written into files", answer.returncode, texts)
    answer = run("check", "-", **close(0))
    tap.check(answer.returncode == 1, "closed.nothing to read", answer.returncode)


# ---- What leaves the earlier file as it was ----------------------------------------------------------------

def keeps(name, folder, words, statuses, **options):
    out = folder / "kept.csv"
    out.write_text(EARLIER)
    answer = run(*words, "-o", out, **options)
    tap.check(answer.returncode in statuses and out.read_text() == EARLIER and not partials(folder),
              f"kept.{name}", answer.returncode, answer.stderr, out.read_text()[:80])


def small_files():
    resource.setrlimit(resource.RLIMIT_FSIZE, (3000, 3000))


def check_keeping(folder):
    keeps("wrong option", folder, ["simulate", SKATE, "--to", "nonsense"], [1, 2])
    keeps("wrong method", folder, ["simulate", SKATE, "--method", "chaplygn"], [2])
    keeps("refused", folder, ["simulate", SKATE, "--method", "lagrange"], [1])
    keeps("wrong panel", folder, ["plot", SKATE, "t,nobody"], [1])
    keeps("full disk", folder, ["simulate", SKATE], [1], preexec_fn=small_files)
    keeps("full disk, page", folder, ["report", SKATE], [1], preexec_fn=small_files)
    keeps("no time", folder, ["report", MODELS / "tire.ah", "--max-time=0.001"], [4])
    locked = folder / "locked.csv"
    locked.write_text(EARLIER)
    locked.chmod(0o444)
    if os.geteuid() != 0:
        answer = run("simulate", SKATE, "-o", locked)
        tap.check(answer.returncode == 1 and locked.read_text() == EARLIER, "kept.read-only")
    answer = run("simulate", SKATE, "-o", folder / "no" / "such" / "folder.csv")
    tap.check(answer.returncode == 1 and "folder.csv" in answer.stderr, "no such folder", answer.stderr)
    long_name = folder / ("n" * 250 + ".csv")
    answer = run("simulate", SKATE, "-o", long_name)
    tap.check(answer.returncode == 0 and long_name.read_text().startswith("t,x,y"), "long name", answer.stderr)


def check_signals(folder):
    for number, wanted in ((signal.SIGTERM, 143), (signal.SIGINT, 130), (signal.SIGHUP, 129)):
        out = folder / f"out.{number.name}.json"
        out.write_text(EARLIER)
        child = begin(*long_run("-o", out))
        tap.check(wait_for(lambda: any(size(p) > 100000 for p in partials(folder))), f"{number.name}.begun")
        child.send_signal(number)
        status, err = end(child)
        tap.check(status == wanted and out.read_text() == EARLIER, f"{number.name}.earlier kept", status, err)
        left = partials(folder)
        named = re.search(r"`(.*\.partial)`", err)
        if tap.check(len(left) == 1 and named and named[1] == str(left[0]), f"{number.name}.partial named", err):
            tap.check(len(json.loads(left[0].read_text())["rows"]) > 100, f"{number.name}.partial is whole rows")
            left[0].unlink()
    child = begin(*long_run("-o", folder / "nohup.csv"), preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
    wait_for(lambda: any(size(p) > 100000 for p in partials(folder)))
    child.send_signal(signal.SIGHUP)
    time.sleep(0.3)
    tap.check(child.poll() is None, "nohup.goes on")
    child.send_signal(signal.SIGTERM)
    tap.check(end(child)[0] == 143, "nohup.ends by SIGTERM")
    for left in partials(folder):
        left.unlink()
    out = folder / "limited.csv"
    out.write_text(EARLIER)
    answer = run(*long_run("-o", out, "--max-time=1"))
    left = partials(folder)
    tap.check(answer.returncode == 4 and out.read_text() == EARLIER and len(left) == 1,
              "--max-time leaves a partial file", answer.stderr)


def check_unheard(folder):
    """Whoever reads has gone: nothing is said, and no file is left half written."""
    events = folder / "events.csv"
    events.write_text(EARLIER)
    for words in (["simulate", MODELS / "ball.ah", "--samples=100001", "--events", events], ["derive", SKATE], ["check", SKATE, "--json"]):
        reader, writer = os.pipe()
        os.close(reader)
        child = begin(*words, stdout=writer)
        os.close(writer)
        status, err = end(child)
        tap.check(status == 141 and err == "" and events.read_text() == EARLIER and not partials(folder),
                  f"unheard.{words[0]}", status, err, *folder.iterdir())
    for words in (["--version"], ["-h"], ["check", "-h"], ["help", "language"]):
        with open("/dev/full", "w") as full:
            answer = run(*words, capture_output=False, stdout=full, stderr=subprocess.PIPE)
        tap.check(answer.returncode == 1 and "could not be written" in answer.stderr, f"full.{words[0]}", answer.returncode)


def check_kills(folder):
    """Ended at random moments, some after the end: the file is the earlier one or the whole new one."""
    rng = random.Random(1)
    out = folder / "killed.csv"
    words = ["simulate", SKATE, "--samples=20001", "-o", out]
    began = time.monotonic()
    run(*words)
    whole, span = out.read_text(), time.monotonic() - began
    for number in (signal.SIGTERM, signal.SIGKILL):
        bad = []
        for i in range(KILLS):
            out.write_text(EARLIER)
            child = begin(*words)
            time.sleep(rng.uniform(0, 1.2 * span))
            child.send_signal(number)
            status, _ = end(child)
            text = out.read_text()
            if text not in (EARLIER, whole) or status not in (0, 143, -number) or (
                    status == 0 and text != whole):
                bad.append(f"run {i}: status {status}, {len(text)} bytes")
        tap.check_none(bad, f"kills.{number.name} {KILLS} times")


def check_rivals(folder):
    """Two runs to one file: it is one of the two, whole."""
    out = folder / "rivals.csv"
    a, b = ["--samples=3001"], ["--samples=4001", "--to=2"]
    texts = []
    for words in (a, b):
        run("simulate", SKATE, *words, "-o", out)
        texts.append(out.read_text())
    bad = []
    for i in range(5):
        pair = [begin("simulate", SKATE, *words, "-o", out) for words in (a, b)]
        if any(end(child)[0] != 0 for child in pair) or out.read_text() not in texts:
            bad.append(f"round {i}")
    tap.check_none(bad, "rivals")


# ---- What an output may not be --------------------------------------------------------------------------------

def refuses(name, words, folder, **options):
    before = {p: p.read_bytes() for p in folder.rglob("*") if p.is_file()}
    answer = run(*words, **options)
    after = {p: p.read_bytes() for p in folder.rglob("*") if p.is_file()}
    tap.check(answer.returncode == 2 and before == after, f"refused.{name}", answer.returncode, answer.stderr)


def check_conflicts(folder):
    model, table = folder / "m.ah", folder / "t.csv"
    model.write_text((MODELS / "skate.ah").read_text())
    os.link(model, folder / "hard.ah")
    (folder / "soft.ah").symlink_to("m.ah")
    for name in ("m.ah", "./m.ah", "hard.ah", "soft.ah"):
        for command in ("simulate", "plot", "report"):
            refuses(f"{command} to {name}", [command, "m.ah", "-o", name], folder, cwd=folder)
    refuses("events to the model", ["simulate", "m.ah", "--events", "m.ah"], folder, cwd=folder)
    with model.open() as stream:
        refuses("standard input", ["simulate", "-", "-o", "m.ah"], folder, cwd=folder, stdin=stream)
    with model.open("a") as stream:
        refuses("the model, opened before", ["simulate", "m.ah", "-o", f"/dev/fd/{stream.fileno()}"], folder, cwd=folder,
                pass_fds=[stream.fileno()])
        refuses("the model as standard output", ["simulate", "m.ah", "-o", "/dev/stdout"], folder, cwd=folder,
                capture_output=False, stdout=stream, stderr=subprocess.PIPE)
    for command in (["check"], ["simulate"], ["verify", "--json"]):
        with model.open("r+b") as stream: # as `>>` and `1<>` do; what `>` opens is empty already
            refuses(f"the model, to which {' '.join(command)} writes", [*command, "m.ah"], folder, cwd=folder,
                    capture_output=False, stdout=stream, stderr=subprocess.PIPE)
    with (folder / "j.db").open("ab") as stream:
        refuses("the journal as standard output", ["sweep", "m.ah", "--over", "m=1..2:3", "--journal", "j.db"], folder, cwd=folder,
                capture_output=False, stdout=stream, stderr=subprocess.PIPE)
    with (folder / "x.csv").open("ab") as stream:
        refuses("standard output as a file", ["simulate", "m.ah", "-o", "x.csv"], folder, cwd=folder,
                capture_output=False, stdout=stream, stderr=subprocess.PIPE)
    refuses("two outputs", ["simulate", "m.ah", "-o", "x.csv", "--events", "./x.csv"], folder, cwd=folder)
    run("simulate", model, "-o", table)
    refuses("two outputs that are there", ["simulate", "m.ah", "-o", "t.csv", "--events", table], folder,
            cwd=folder)
    refuses("--from", ["plot", "m.ah", "--from", "t.csv", "-o", "t.csv"], folder, cwd=folder)
    answer = run("simulate", model, "-o", "/dev/null", "--events", "/dev/null")
    tap.check(answer.returncode == 0, "two outputs to nowhere", answer.stderr)


def check_journal_in_use(folder):
    """A journal in which another program writes is waited for, yet not beyond --max-time and SIGTERM; what SQLite keeps beside it
    is no output."""
    journal = folder / "j.db"
    words = ["sweep", SKATE, "--over", "theta=0..1:300", "--to=0.1", "--journal", journal]
    run(*words)
    for name in (journal, f"{journal}-wal", f"{journal}-shm"):
        answer = run("plot", journal, "final.x", "-o", name)
        tap.check(answer.returncode == 2 and ("the model itself" if name == journal else "a file of the journal") in answer.stderr, f"journal.{os.path.basename(name)} is no output", answer.stderr)
        for call in (["plot", journal, "final.x"], words, [*words, "--status"]):
            with open(name, "ab") as stream:
                answer = run(*call, capture_output=False, stdout=stream, stderr=subprocess.PIPE)
            tap.check(answer.returncode == 2 and "standard output is " in answer.stderr, f"journal.{os.path.basename(name)} is no standard output of {call[0]}", answer.stderr)
            if name != journal:
                pathlib.Path(name).unlink(missing_ok=True)
    other = sqlite3.connect(journal, isolation_level=None)
    other.execute("DELETE FROM runs WHERE run > 10")
    other.execute("BEGIN EXCLUSIVE")
    begun = time.monotonic()
    answer = run(*words, "--max-time=1")
    took = time.monotonic() - begun
    tap.check(answer.returncode == 4 and took < 7, "journal.in use, --max-time", answer.returncode, took, answer.stderr)
    child = begin(*words)
    time.sleep(1)
    begun = time.monotonic()
    child.terminate()
    status, err = end(child)
    took = time.monotonic() - begun
    tap.check(status == 143 and took < 7, "journal.in use, SIGTERM", status, took, err)
    other.execute("ROLLBACK")
    other.close()
    answer = run(*words)
    tap.check(answer.returncode == 0 and "289 computed" in answer.stderr, "journal.in use, goes on", answer.stderr)
    other = sqlite3.connect(journal, isolation_level=None)  # nobody may read, either
    other.execute("PRAGMA locking_mode=EXCLUSIVE")
    other.execute("PRAGMA journal_mode=DELETE")
    other.execute("BEGIN EXCLUSIVE")
    check_journal_ends("locked", journal, words)
    other.execute("ROLLBACK")
    other.execute("ALTER TABLE runs RENAME TO kept")
    other.execute("CREATE VIEW runs AS WITH RECURSIVE c(run) AS (SELECT 0 UNION ALL SELECT run + 1 FROM c) SELECT run, NULL AS failed FROM c")
    other.close()
    check_journal_ends("without end", journal, words)


def check_journal_ends(name, journal, words):
    """Whoever reads it ends by the clock and by signals, and says that this is why."""
    for what, call in (("status", [*words, "--status"]), ("plot", ["plot", journal, "final.x", "-o", os.devnull]), ("sweep", words)):
        begun = time.monotonic()
        child = begin(*call, "--max-time=1")
        status, err = end(child)
        tap.check(status == 4 and "the time allowed" in err and "A0643" not in err and time.monotonic() - begun < 7,
                  f"journal.{name}, {what}, --max-time", status, err)
        child = begin(*call)
        time.sleep(0.7)
        child.terminate()
        begun = time.monotonic()
        status, err = end(child)
        tap.check(status == 143 and "A0643" not in err and time.monotonic() - begun < 7, f"journal.{name}, {what}, SIGTERM", status, err)


# ---- Exports, and tables that are read --------------------------------------------------------------------

def tree(folder):
    """Every file with its content, every folder and link: what a run that failed must leave alone."""
    return {str(p.relative_to(folder)): p.read_bytes() if p.is_file() else None for p in folder.rglob("*")}


# As compilers do: a temporary file, thrown away when told to end. No shell script: shells unblock the signals that they inherit blocked.
SLOW_COMPILER = f"""#!{sys.executable} -SE
import os, signal, time
path = os.environ["TMPDIR"] + "/cc.s"
def tidy(*_):
    os.unlink(path)
    os._exit(1)
signal.signal(signal.SIGTERM, tidy)
open(path, "w").close()
time.sleep(30)
"""


def slow_compiler(folder):
    """The environment in which it is cc."""
    slow = folder / "bin"
    slow.mkdir()
    (slow / "cc").write_text(SLOW_COMPILER)
    (slow / "cc").chmod(0o755)
    (folder / "tmp").mkdir()
    return {**os.environ, "PATH": f"{slow}:{os.environ['PATH']}", "TMPDIR": str(folder / "tmp"), "XDG_CACHE_HOME": str(folder / "cache")}


def check_exports(folder):
    out, fmu = folder / "c", folder / "x.fmu"
    out.mkdir()
    (out / "skate.c").write_text(EARLIER)
    (out / "skate.c").chmod(0o640)
    (out / "notes.txt").write_text("mine\n")
    fmu.write_text(EARLIER)
    before = tree(folder)
    for name, words, status in (
            ("full disk", ["c", SKATE, "-o", out], 1), ("full disk, fmu", ["fmu", "--sources", SKATE, "-o", fmu], 1),
            ("full disk, a new folder", ["c", SKATE, "-o", folder / "new"], 1)):
        answer = run("export", *words, preexec_fn=small_files)
        tap.check(answer.returncode == status and tree(folder) == before, f"export.{name}", answer.returncode, answer.stderr)
    for name, words, status in (
            ("refused", ["c", MODELS / "second_class.ah", "-o", out], 1), ("no time", ["c", SKATE, "-o", out, "--max-time=0.001"], 4),
            ("a file as folder", ["c", SKATE, "-o", fmu], 1), ("a folder as file", ["fmu", "--sources", SKATE, "-o", out], 1),
            ("below a file", ["js", SKATE, "-o", fmu / "x"], 1)):
        answer = run("export", *words)
        tap.check(answer.returncode == status and tree(folder) == before, f"export.{name}", answer.returncode, answer.stderr)
    (out / "main.c").mkdir()  # the third file cannot be written: neither are the others
    before = tree(folder)
    answer = run("export", "c", SKATE, "-o", out)
    tap.check(answer.returncode == 1 and tree(folder) == before, "export.all or none", answer.stderr)
    (out / "main.c").rmdir()
    answer = run("export", "c", SKATE, "-o", out)
    tap.check(answer.returncode == 0 and "skate" in (out / "skate.c").read_text() and (out / "notes.txt").exists() and
              stat.S_IMODE((out / "skate.c").stat().st_mode) == 0o640 and not partials(out), "export.replaced", answer.stderr)
    matrices = [folder / f"it_{k}.npy" for k in "ABCD"]
    for path in matrices:
        path.write_text(EARLIER)
    answer = run("linearise", SKATE, "--any-state", "--outputs", ",".join(["x"] * 100), "-o", folder / "it.npy", preexec_fn=small_files)
    tap.check(answer.returncode == 1 and "it_C.npy" in answer.stderr and all(p.read_bytes() == EARLIER.encode() for p in matrices) and
              not partials(folder), "linearise.all or none", answer.returncode, answer.stderr)
    model = folder / "skate.c"
    model.write_text((MODELS / "skate.ah").read_text())
    refuses("export to the model", ["export", "c", "skate.c", "-o", "."], folder, cwd=folder)
    refuses("export of an fmu to the model", ["export", "fmu", "--sources", "skate.c", "-o", "skate.c"], folder, cwd=folder)
    fmu.write_text(EARLIER)
    environment = slow_compiler(folder)
    child = begin("export", "fmu", SKATE, "-o", fmu, env=environment)
    begun = wait_for((folder / "tmp/cc.s").exists)
    child.send_signal(signal.SIGTERM)
    status, err = end(child)
    tap.check(begun and status == 143 and fmu.read_text() == EARLIER and not list((folder / "tmp").iterdir()) and not partials(folder),
              "export.fmu, SIGTERM while cc runs", status, err)


# The FAIL_AT-th rename fails, alone.
RENAMES = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
static int calls;
int rename(const char *from, const char *to)
{
    int (*real)(const char *, const char *);
    *(void **) &real = dlsym(RTLD_NEXT, "rename");
    if (++calls == atoi(getenv("FAIL_AT"))) return errno = EPERM, -1;
    return real(from, to);
}
"""


def check_renames(folder):
    """Of several files all are replaced or none, also where the last step fails for one of them."""
    if os.environ.get("AH_SANITIZED") == "1":
        tap.skip("renames", "the sanitizers want to be the first library")
        return
    shim = folder / "shim.so"
    made = subprocess.run([os.environ.get("AH_CC", "cc"), "-shared", "-fPIC", "-x", "c", "-", "-o", shim], input=RENAMES, text=True)
    if made.returncode:
        tap.skip("renames", "no such shim for this C library")
        return
    out = folder / "out"
    for name, words, there, files in (
            ("export", ["export", "c", SKATE, "-o", out], ["skate.c", "Makefile"], 4),
            ("linearise", ["linearise", SKATE, "--any-state", "-o", out / "it.npy"], ["it_B.npy"], 4),
            ("simulate", ["simulate", MODELS / "ball.ah", "-o", out / "x.csv", "--events", out / "e.csv"], ["x.csv", "e.csv"], 2)):
        for at in range(1, files + 2):
            shutil.rmtree(out, ignore_errors=True)
            out.mkdir()
            for file in there:
                (out / file).write_text(EARLIER)
            before = tree(out)
            answer = run(*words, env={**os.environ, "LD_PRELOAD": str(shim), "FAIL_AT": str(at)})
            after = tree(out)
            if at <= files:
                tap.check(answer.returncode == 1 and "could not be written" in answer.stderr and after == before,
                          f"renames.{name}, {at} fails: all are as before", answer.returncode, answer.stderr, *after)
            else:
                tap.check(answer.returncode == 0 and len(after) == files and EARLIER.encode() not in after.values(),
                          f"renames.{name}, none fails", answer.returncode, answer.stderr, *after)


def check_sticky(folder):
    """In a folder with the sticky bit a file of somebody else can be written, but not replaced: the others stay, and nothing is left."""
    if os.geteuid() != 0:
        tap.skip("sticky", "only root can be two users")
        return
    program, model, out = folder / "anholo", folder / "skate.ah", folder / "out"
    shutil.copy(ANHOLO, program)
    shutil.copy(SKATE, model)
    folder.chmod(0o755)
    out.mkdir()
    out.chmod(0o1777)
    for name, user in (("skate.c", 65534), ("Makefile", 0)):
        (out / name).write_text(EARLIER)
        (out / name).chmod(0o666)
        os.chown(out / name, user, user)
    before = tree(out)
    answer = subprocess.run([program, "export", "c", model, "-o", "out"], cwd=folder, capture_output=True, text=True, user=65534, group=65534,
                            extra_groups=[])
    tap.check(answer.returncode == 1 and "Makefile" in answer.stderr and tree(out) == before, "sticky.all or none", answer.stderr, *tree(out))


DRIVEN = "input u = 0\ncoordinate x\nkinetic x'^2/2\nforce x = u\nstart x = 0\nsimulate t = 0 .. 1\n"


def check_tables(folder):
    (folder / "m.ah").write_text(DRIVEN)
    table = folder / "u.csv"
    table.write_text("t,u\n0,1\n1,2\n")
    (folder / "soft").symlink_to("u.csv")
    for name in ("u.csv", "soft"):
        for command in ("simulate", "plot", "report"):
            refuses(f"{command} to a table of --input, {name}", [command, "m.ah", "--input", "u=sin(t)", "--input",
                    "u=./u.csv:u", "-o", name], folder, cwd=folder)
    refuses("events to a table of --input", ["simulate", "m.ah", "--input=u=u.csv:u", "--events", table], folder, cwd=folder)
    usual = run("simulate", "m.ah", "--input=u=u.csv:u", "-o", "/dev/stdout", cwd=folder)
    for name, content, status, word in (
            ("a mark of UTF-8", b"\xef\xbb\xbft,u\r\n0,1\r\n1,2\r\n", 0, ""), ("a NUL byte", b"t,u\n0,1\n0.5,9\n\0\n1,2\n", 1, "text"),
            ("empty", b"", 1, "column"), ("a header alone", b"t,u\n", 1, "row"), ("no such number", b"t,u\n0,1e999\n1,2\n", 1, ".csv:2:3"),
            ("short", b"t,u\n0\n1,2\n", 1, ".csv:2:1"), ("back in time", b"t,u\n0,1\n0,2\n", 1, ".csv:3:1"),
            ("evil", b"t,\x1b[31m\xe2\x80\xae\n", 1, "column")):
        table.write_bytes(content)
        answer = run("simulate", "m.ah", "--input=u=u.csv:u", "-o", "/dev/stdout", cwd=folder)
        same = status or re.sub(r"[\d.]+ s\n", "", answer.stdout) == re.sub(r"[\d.]+ s\n", "", usual.stdout)
        tap.check(answer.returncode == status and word in answer.stderr and same, f"table.{name}", answer.returncode, answer.stderr)
    fifo = folder / "pipe.csv"
    os.mkfifo(fifo)
    for path in ("pipe.csv", "none.csv", "."):
        answer = run("simulate", "m.ah", f"--input=u={path}:u", "--max-time=2", cwd=folder)
        tap.check(answer.returncode == 1 and answer.stderr, f"table.{path}", answer.returncode, answer.stderr)


# ---- What waits ---------------------------------------------------------------------------------------------------

def check_waits(folder):
    def ends(name, words, status, number=None, begun=None, after=0.7, **options):
        child = begin(*words, **options)
        if number and not (begun and wait_for(begun)):
            time.sleep(after)
        if number:
            child.send_signal(number)
        began = time.monotonic()
        try:
            child.wait(timeout=PATIENCE)
            found = child.returncode
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()
            found = "hangs"
        err = child.stderr.read().decode() if child.stderr else ""
        for stream in (child.stdout, child.stderr):
            if stream:
                stream.close()
        tap.check(found == status, f"waits.{name}", found, err, f"{time.monotonic() - began:.1f} s")

    reader, writer = os.pipe()  # nobody ever writes
    for name, words, status, number in (
            ("reading, --max-time", ["check", "-", "--max-time=0.5"], 4, None),
            ("reading, Ctrl-C", ["check", "-"], 130, signal.SIGINT),
            ("reading, SIGTERM", ["check", "-", "--json"], 143, signal.SIGTERM)):
        ends(name, words, status, number, stdin=reader)
    fifo = folder / "model"
    os.mkfifo(fifo)
    ends("a model that is a pipe", ["check", fifo, "--max-time=0.5"], 4)
    ends("an output that is a pipe", ["simulate", SKATE, "-o", fifo, "--max-time=1"], 4)
    # standard output is a pipe that nobody reads
    ends("writing, --max-time", long_run("--max-time=1"), 4)
    ends("writing, Ctrl-C", long_run(), 130, signal.SIGINT)
    ends("writing, SIGTERM", long_run(), 143, signal.SIGTERM)
    ends("writing a page, SIGTERM", ["report", SKATE], 143, signal.SIGTERM, after=3)
    os.set_blocking(writer, False)
    for piece in (65536, 1):  # until nothing goes into it
        try:
            while True:
                os.write(writer, bytes(piece))
        except BlockingIOError:
            pass
    os.set_blocking(writer, True)
    for name, words, status, number in (
            ("an error as JSON, --max-time", ["check", folder/"none", "--json", "--max-time=0.5"], 4, None),
            ("an error as JSON, SIGTERM", ["check", folder/"none", "--json"], 143, signal.SIGTERM),
            ("diagnostics as JSON, --max-time", ["check", SKATE, "--set", "nobody=1", "--json", "--max-time=0.5"], 4, None),
            ("diagnostics as JSON, Ctrl-C", ["check", SKATE, "--set", "nobody=1", "--json"], 130, signal.SIGINT)):
        ends(name, words, status, number, stdout=writer)
    os.close(reader)
    os.close(writer)
    # a pipe into which somebody drips
    child = begin("check", "-", "--max-time=1", stdin=subprocess.PIPE)
    began = time.monotonic()
    while child.poll() is None and time.monotonic() - began < PATIENCE:
        try:
            os.write(child.stdin.fileno(), b"#\n")
        except BrokenPipeError:
            break
        time.sleep(0.02)
    child.stdin.close()
    status = child.wait(timeout=PATIENCE)
    tap.check(status == 4 and time.monotonic() - began < 0.75 * PATIENCE, "waits.a pipe that drips", status)
    child.stdout.close()
    child.stderr.close()
    # the time that reading takes is no gift to what comes after it
    began = time.monotonic()
    child = begin("simulate", "-", "--to=1e9", "--every=1000", "-o", "/dev/null", "--max-time=4",
                  stdin=subprocess.PIPE)
    time.sleep(3.5)
    child.stdin.write((MODELS / "tire.ah").read_bytes())
    child.stdin.close()
    status = child.wait(timeout=PATIENCE)
    took = time.monotonic() - began
    tap.check(status == 4 and took < 6.5, "waits.one time for all of a command", status, f"{took:.1f} s")
    child.stdout.close()
    child.stderr.close()
    child = begin("sweep", "-", "--over", "m1=1..2:1000000", "-o", "/dev/null", "--max-time=2", stdin=subprocess.PIPE)
    time.sleep(1.7)
    child.stdin.write((MODELS / "double_pendulum.ah").read_bytes())
    child.stdin.close()
    status, err = child.wait(timeout=PATIENCE), child.stderr.read()
    tap.check(status == 4 and b"the time allowed" in err, "waits.nobody interrupted it", status, err)
    child.stdout.close()
    child.stderr.close()

    environment, begun = slow_compiler(folder), folder / "tmp" / "cc.s"
    by_cc = ["simulate", SKATE, "--engine=cc", "-o", "/dev/null"]
    on_threads = ["sweep", SKATE, "--over", "m=1..2:100000", "-o", "/dev/null"]
    ends("cc, --max-time", [*by_cc, "--max-time=1"], 4, env=environment)
    for name, words, status, number in (("cc, Ctrl-C", by_cc, 130, signal.SIGINT), ("cc, SIGTERM", by_cc, 143, signal.SIGTERM),
                                        ("cc of a sweep, SIGTERM", on_threads, 143, signal.SIGTERM)):
        begun.unlink(missing_ok=True)
        ends(name, words, status, number, begun.exists, env=environment)
        tap.check(not begun.exists(), f"waits.{name}, it has tidied up")
    tap.check(not list((folder / "cache").rglob("*.c")), "waits.cc leaves nothing")


def check_cache(folder):
    """Old code is thrown away when new code is made; what is used stays young; other files are no business
    of ours."""
    cache = folder / "cache2"
    mine = cache / "anholo"
    environment = {**os.environ, "XDG_CACHE_HOME": str(cache)}
    words = ["simulate", SKATE, "--engine=cc", "-o", "/dev/null"]
    run(*words, env=environment)
    made = sorted(mine.iterdir())
    if not made:
        tap.skip("cache", "there is no cc")
        return
    old = time.time() - 100 * 24 * 3600
    stale = mine / ("0" * 32 + ".so")
    left = mine / ("1" * 32 + ".4711.abc.c")
    other = mine / "notes.txt"
    for path in (stale, left, other, *made):
        path.touch()
        os.utime(path, (old, old))
    run(*words, env=environment)
    tap.check(all(p.stat().st_mtime > time.time() - 3600 for p in made), "cache.used is young again")
    run("simulate", MODELS / "tire.ah", "--engine=cc", "-o", "/dev/null", env=environment)
    tap.check(not stale.exists() and not left.exists(), "cache.stale files go")
    tap.check(other.exists() and all(p.exists() for p in made), "cache.others stay")
    for path in made:  # pipes in the place of code: nobody writes into them
        path.unlink()
        os.mkfifo(path)
    status, err = end(begin(*words, env=environment))
    tap.check(status == 0, "cache.pipes are not waited for", status, err)


for check in (check_replacing, check_lists, check_private, check_links, check_dash, check_devices, check_closed, check_keeping, check_signals, check_unheard, check_kills,
              check_rivals, check_conflicts, check_journal_in_use, check_exports, check_renames, check_sticky,
              check_tables, check_waits, check_cache):
    with tempfile.TemporaryDirectory() as name:
        check(pathlib.Path(name))
tap.done()

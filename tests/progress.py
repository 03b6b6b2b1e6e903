#!/usr/bin/env python3
"""A bar on a terminal for what takes long, gone at the end; none anywhere else. And colours of errors."""
import os
import pathlib
import pty
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "harness"))
import tap

ANHOLO = str(tap.BUILD / "anholo")
TIRE = str(tap.ROOT / "models/tire.ah")
LONG = [ANHOLO, "simulate", TIRE, "--to=1e9", "--max-time=2",
        "--engine=interpret", "-o", "/dev/null"]


TERMINAL = object()


def on_terminal(words, stdout=subprocess.DEVNULL, **environment):
    """What the program writes to standard error when that is a terminal; TERMINAL as stdout: to both."""
    main, end = pty.openpty()
    inherited = {k: v for k, v in os.environ.items() if k not in ("TERM", "NO_COLOR")}
    child = subprocess.Popen(words, stdout=end if stdout is TERMINAL else stdout, stderr=end,
                             env={**inherited, **(environment or {"TERM": "xterm"})})
    os.close(end)
    said = b""
    while True:
        try:
            more = os.read(main, 4096)
        except OSError:
            break
        if not more:
            break
        said += more
    child.wait()
    os.close(main)
    return said.decode()


def has_terminals():
    """Some containers have no /dev/ptmx."""
    try:
        for end in pty.openpty():
            os.close(end)
    except OSError:
        return False
    return True


if not has_terminals():
    tap.skip("bar", "no pseudo-terminal is to be had")
    tap.done()
said = on_terminal(LONG)
tap.check("simulate [" in said, "shown", said)
tap.check("\r\x1b[K" in said and not said.rstrip().endswith("left"), "erased", said)
tap.check(said.rsplit("\x1b[K", 1)[-1].find("simulate [") < 0, "last words", said)
short = on_terminal([ANHOLO, "simulate", TIRE, "--to=1", "-o", "/dev/null"])
tap.check("\x1b[K" not in short, "not for short work", short)
pipe = subprocess.run(LONG, capture_output=True, text=True)
tap.check("\x1b[K" not in pipe.stderr, "not into a pipe", pipe.stderr)
dumb = on_terminal(LONG + ["--json"], stdout=subprocess.DEVNULL)
tap.check("\x1b[K" not in dumb, "not with --json into a pipe", dumb)
rows = on_terminal([*LONG[:3], "--to=1e9", "--max-time=1.5", "--engine=interpret", "--every=1e6"], stdout=TERMINAL)
tap.check("t,x" in rows and "simulate [" not in rows, "not among rows", rows[-300:])
for name, environment, coloured in (("usual", {"TERM": "xterm"}, True), ("no TERM", {"A": "b"}, True),
                                    ("NO_COLOR empty", {"TERM": "xterm", "NO_COLOR": ""}, True),
                                    ("NO_COLOR", {"TERM": "xterm", "NO_COLOR": "1"}, False), ("dumb", {"TERM": "dumb"}, False)):
    said = on_terminal([ANHOLO, "check", "/dev/null"], **environment)
    tap.check("error" in said and ("\x1b[" in said) == coloured, f"colours.{name}", said)
tap.done()

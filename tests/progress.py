#!/usr/bin/env python3
"""A bar on a terminal for what takes long, gone at the end; none anywhere else."""
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


def on_terminal(words, stdout=subprocess.DEVNULL, term="xterm"):
    """What the program writes to standard error when that is a terminal."""
    main, end = pty.openpty()
    child = subprocess.Popen(words, stdout=stdout, stderr=end, env={**os.environ, "TERM": term})
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
tap.done()

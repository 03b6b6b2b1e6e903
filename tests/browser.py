#!/usr/bin/env python3
"""The pages of `anholo report` in Chromium: tests/browser/run.mjs, where Chromium and Node are there. The two
that are looked at closely; with AH_MORE=1 the largest and every 36th of the models, too, and motions from many starts; all with AH_FULL=1."""
import os
import pathlib
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "harness"))
import tap

HERE = tap.ROOT / "tests/browser"
INSTALLED = tap.BUILD / "browser"  # playwright-core, apart from the sources


def missing():
    """What is not there, for the line that says why nothing was tested; None: all is."""
    if os.environ.get("AH_SANITIZED") == "1":
        return "pages are the same with sanitizers"
    for program, name in (("chromium", "Chromium"), ("node", "Node"), ("npm", "npm")):
        if not shutil.which(program):
            return f"{name} is not installed; `make check-browser` installs it"
    return None if (INSTALLED / "node_modules/playwright-core").exists() else install()


def install():
    INSTALLED.mkdir(parents=True, exist_ok=True)
    for file in HERE.glob("package*.json"):
        shutil.copy(file, INSTALLED)
    said = subprocess.run(["npm", "ci", "--no-audit", "--no-fund", "--silent"], cwd=INSTALLED,
                          capture_output=True, text=True)
    return None if said.returncode == 0 else "npm could not install playwright-core"


why = missing()
if why:
    tap.skip("all", why)
    tap.done()
close = [tap.ROOT / f"models/{name}.ah" for name in ("double_pendulum", "tire")]
some = [tap.ROOT / "models/bicycle.ah", *tap.models()[::36]]
models = tap.amount(close, close + [m for m in some if m not in close], tap.models())
environment = dict(os.environ, AH_CHROMIUM=shutil.which("chromium"), AH_STARTS=tap.amount("", "1", "1"))
sys.exit(subprocess.run(["node", HERE / "run.mjs", tap.BUILD, *models], env=environment).returncode)

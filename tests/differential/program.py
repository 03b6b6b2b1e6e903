"""The program under test: asked through its command line, answering in JSON."""
import json
import os
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = pathlib.Path(os.environ.get("AH_BUILD_DIR", ROOT / "build")) / "anholo"
PATIENCE = 60  # seconds of the clock for one question; more is a fault


def ask(command, model, *options):
    """The answer as an object; {"error": …} where the program refused."""
    try:
        said = subprocess.run([PROGRAM, command, "--json", *options, "-"], input=model, timeout=PATIENCE,
                              capture_output=True, text=True)
    except subprocess.TimeoutExpired:
        return {"error": {"code": "timeout", "message": f"no answer in {PATIENCE} s"}}
    try:
        return json.loads(said.stdout)
    except ValueError:
        return {"error": {"code": "crash", "message": f"status {said.returncode}: {said.stderr[-500:]}"}}


def assignments(values):
    """For --at and --set."""
    return ",".join(f"{n}={x!r}" for n, x in values.items())

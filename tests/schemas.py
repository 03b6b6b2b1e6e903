#!/usr/bin/env python3
"""What every command answers with --json obeys its schema in docs/schema."""
import json
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "harness"))
import tap

try:
    import jsonschema
except ImportError:
    tap.skip("all", "python3-jsonschema is not installed")
    tap.done()

ANHOLO = tap.BUILD / "anholo"
SCHEMAS = tap.ROOT / "docs/schema"
REFERENCE = sorted((tap.ROOT / "tests/reference").glob("*.ah"))
MODELS = sorted((tap.ROOT / "models").glob("*.ah"))
PENDULUM = tap.ROOT / "models/double_pendulum.ah"


def load(name):
    schema = json.loads((SCHEMAS / f"{name}.json").read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def no_nan(text):
    raise ValueError(f"{text} is not JSON")


def ask(*words, text=None):
    """(exit status, the one object on standard output)."""
    said = subprocess.run([ANHOLO, *map(str, words)], input=text, capture_output=True, text=True)
    return said.returncode, json.loads(said.stdout, parse_constant=no_nan)


def complaints(schema, answer):
    return [f"{list(e.absolute_path)}: {e.message}" for e in schema.iter_errors(answer)]


def check_commands():
    """Every command of the program has a schema, and the other way round."""
    said = subprocess.run([ANHOLO, "-h"], capture_output=True, text=True).stdout
    listed = said.split("Commands:\n")[1].split("\n\n")[0].splitlines()
    commands = {line.split()[0] for line in listed}
    schemas = {file.stem for file in SCHEMAS.glob("*.json")}
    tap.check(schemas == commands | {"error"}, "one_for_each_command", schemas ^ commands)


def check_models():
    """`check` on every model; counts and names as the reference data say."""
    schema = load("check")
    for file in MODELS + REFERENCE:
        status, answer = ask("check", "--json", file)
        wrong = complaints(schema, answer) if status == 0 else [str(answer)]
        known = file.with_suffix(".json")
        if not wrong and known.exists():
            reference = json.loads(known.read_text())
            if answer["coordinates"] != reference["coordinates"]:
                wrong.append(f"coordinates {answer['coordinates']}")
            if answer["r"] != len(reference["constraints"]):
                wrong.append(f"{answer['r']} constraints")
        tap.check_none(wrong, f"check.{file.stem}")


def check_dumps():
    schema = load("dump")
    for stage in ("tokens", "syntax", "model", "expr"):
        status, answer = ask("dump", f"--stage={stage}", "--json", PENDULUM)
        tap.check(status == 0 and answer["stage"] == stage and answer["text"], f"dump.{stage}",
                  *complaints(schema, answer))


def check_errors():
    """Of every kind, with the exit status that docs/cli.md promises."""
    schema = load("error")
    cases = [
        ("model", 1, ["check", "--json", "-"], "coordinate x\nkinetic x'^2/2 +* y\n"),
        ("name", 1, ["check", "--json", "-"], "coordinate x\nkinetic x'^2/2 + zz\n"),
        ("utf8", 1, ["check", "--json", "-"], "coordinate é\x01\n"),
        ("no_file", 1, ["check", "--json", "no/such/file"], None),
        ("option", 2, ["check", "--json", "--nonsense", PENDULUM], None),
        ("command", 2, ["chek", "--json", PENDULUM], None),
        ("no_model", 2, ["check", "--json"], None),
        ("limit", 4, ["check", "--json", "--max-time=1e-9", PENDULUM], None),
    ]
    for name, wanted, words, text in cases:
        status, answer = ask(*words, text=text)
        tap.check(status == wanted and not complaints(schema, answer), f"error.{name}",
                  f"exit {status}", answer, *complaints(schema, answer))


check_commands()
check_models()
check_dumps()
check_errors()
tap.done()

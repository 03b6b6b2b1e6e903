#!/usr/bin/env python3
"""What every command answers with --json obeys its schema in docs/schema."""
import json
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent / "harness"))
import tap

try:
    import jsonschema
except ImportError:
    tap.skip("all", "python3-jsonschema is not installed")
    tap.done()

ANHOLO = tap.BUILD / "anholo"
SCHEMAS = tap.ROOT / "docs/schema"
REFERENCE = sorted((tap.ROOT / "tests/reference").glob("*.ah"))[::tap.amount(3, 1, 1)]
MODELS = tap.models()
PENDULUM = tap.ROOT / "models/double_pendulum.ah"

# Besides a plain call, or in its place where that takes long.
VARIANTS = {
    "derive": [[], ["--steps"], ["--method=multipliers"]],
    "eval": [[], ["--method=all"], ["--digits=30"]],
    "crosscheck": [["--states=5"]],
    "verify": [["--states=5"], ["--states=5", "--certificate=/dev/null"]],
    "simulate": [["--to=0.1"]],
    "sweep": [["--to=0.1"]],
    "report": [["--to=0.1", "-o", "/dev/null"]],
    "export": [["c", "-o", tempfile.gettempdir() + "/anholo_export"], ["fmu", "--sources", "-o", "/dev/null"]],
}


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


def commands():
    """The program's own list."""
    said = subprocess.run([ANHOLO, "-h"], capture_output=True, text=True).stdout
    listed = said.split("Commands:\n")[1].split("\n\n")[0].splitlines()
    return {line.split()[0] for line in listed}


def check_commands():
    """Every command has a schema, the other way round, and an answer that obeys it."""
    schemas = {file.stem for file in SCHEMAS.glob("*.json")} - {"error", "certificate"}
    tap.check(schemas == commands(), "one_for_each_command", schemas ^ commands())
    alone = {"new", "models", "help"}
    for command in sorted(schemas & commands() - {"check", "dump", "linearise", "stability"} - alone):  # see below
        schema = load(command)
        for words in VARIANTS.get(command, [[]]):
            _, answer = ask(command, "--json", *words, PENDULUM)
            tap.check_none(complaints(schema, answer), ".".join([command, *words]))


def check_alone():
    """Commands without a model."""
    with tempfile.TemporaryDirectory() as folder:
        for command, *words in (("new", folder + "/first.ah"), ("models",), ("models", "--folder"), ("models", "skate"),
                                ("help",), ("help", "verify"), ("help", "claims")):
            status, answer = ask(command, "--json", *words)
            tap.check(status == 0, f"alone.{command}", *complaints(load(command), answer))
            tap.check_none(complaints(load(command), answer), f"alone.{command}.schema")
        status, answer = ask("help", "--json", "nothing")
        tap.check(status == 1, "alone.error", *complaints(load("error"), answer))


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


def check_certificates():
    schema = load("certificate")
    for name in ("double_pendulum", "tire", "cone_of_velocities", "skate"):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "certificate.json"
            ask("verify", "--json", "--states=5", "--certificate", file, tap.ROOT / f"models/{name}.ah")
            tap.check_none(complaints(schema, json.loads(file.read_text())), f"certificate.{name}")


def check_dumps():
    schema = load("dump")
    for stage in ("tokens", "syntax", "model", "expr", "names", "equations", "program"):
        status, answer = ask("dump", f"--stage={stage}", "--json", PENDULUM)
        tap.check(status == 0 and answer["stage"] == stage and answer["text"], f"dump.{stage}",
                  *complaints(schema, answer))


def check_derivations():
    """Every method on some models of every kind: it answers, or refuses with an error."""
    schema, error = load("derive"), load("error")
    methods = [line.split()[0] for line in subprocess.run(
        [ANHOLO, "derive", "-h"], capture_output=True, text=True).stdout
        .split("Methods:\n")[1].split("\n\n")[0].splitlines()]
    for name in ("double_pendulum", "skate", "tire", "shaft", "heavy_top", "second_class"):
        wrong, answered = [], 0
        for method in methods:
            for steps in ([], ["--steps"]):
                status, answer = ask("derive", "--json", "--method", method, *steps,
                                     tap.ROOT / f"models/{name}.ah")
                answered += status == 0
                wrong += complaints(schema if status == 0 else error, answer)
                if ("steps" in answer) != (status == 0 and bool(steps)):
                    wrong.append(f"{method}: steps")
                if status not in (0, 1):
                    wrong.append(f"{method}: exit {status}")
        tap.check(answered, f"derive.{name}.some")
        tap.check_none(wrong, f"derive.{name}")


def check_numbers():
    """`eval` at the first state of every reference system, in doubles and with digits."""
    schema = load("eval")
    for file in REFERENCE:
        known = json.loads(file.with_suffix(".json").read_text())
        if not known["states"]:
            continue
        state = known["states"][0]
        at = ",".join([f"t={state['t']}"] + [f"{name}{dot}={value}" for key, dot in (("q", ""), ("qdot", "'"))
                                            for name, value in zip(known["coordinates"], state[key])])
        for more in ([], ["--digits=20"]):
            status, answer = ask("eval", "--json", "--method=all", f"--at={at}", *more, file)
            if status == 1 and more and file.stem == "second_class_252_k_1":
                continue  # its stationary point is degenerate
            tap.check(status == 0, f"eval.{file.stem}{''.join(more)}", answer,
                      *complaints(schema, answer))


def check_linearise():
    schema = load("linearise")
    for words in (["tire.ah"], ["tire.ah", "--whole"], ["bicycle.ah", "--at=x'=5", "--outputs=phi, 2*delta'"]):
        status, answer = ask("linearise", "--json", tap.ROOT / "models" / words[0], *words[1:])
        tap.check(status == 0 and not complaints(schema, answer), ".".join(["linearise", *words]), *complaints(schema, answer))


def check_stability():
    schema = load("stability")
    for words in (["tire.ah", "--at=psi=0,w3=0,w5=3", "--critical=w5=0.1..3"],
                  ["bicycle.ah", "--sweep=x'=0..10:11"], ["blade_free.ah"]):
        status, answer = ask("stability", "--json", tap.ROOT / "models" / words[0], *words[1:])
        tap.check(status == 0 and not complaints(schema, answer), f"stability.{words[0]}",
                  *complaints(schema, answer))


def check_steady():
    schema = load("steady")
    for name in ("tire", "rigid_body", "blade_free"):
        status, answer = ask("steady", "--json", tap.ROOT / f"models/{name}.ah")
        tap.check(status == 0 and not complaints(schema, answer), f"steady.{name}",
                  *complaints(schema, answer))


def check_integrals():
    schema = load("integrals")
    for name in ("double_pendulum", "rigid_body", "shaft"):
        status, answer = ask("integrals", "--json", tap.ROOT / f"models/{name}.ah")
        tap.check(status == 0 and not complaints(schema, answer), f"integrals.{name}",
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
        ("method", 2, ["derive", "--json", "--method=multiplier", PENDULUM], None),
        ("format", 2, ["derive", "--json", "--format=word", PENDULUM], None),
        ("refused", 1, ["derive", "--json", "--method=chaplygin", PENDULUM], None),
        ("eval_refused", 1, ["eval", "--json", "--method=chaplygin", PENDULUM], None),
        ("digits", 2, ["eval", "--json", "--digits=0", PENDULUM], None),
        ("inadmissible", 1, ["eval", "--json", "--at=x1=1,y1=0,x2=2,y2=0,x1'=1,y1'=2,x2'=3,y2'=5",
                             PENDULUM], None),
        ("singular", 3, ["eval", "--json", "--method=multipliers",
                         "--at=x1=1,y1=0,x2=2,y2=0,x1'=0,y1'=0,x2'=0,y2'=0", PENDULUM], None),
    ]
    for name, wanted, words, text in cases:
        status, answer = ask(*words, text=text)
        tap.check(status == wanted and not complaints(schema, answer), f"error.{name}",
                  f"exit {status}", answer, *complaints(schema, answer))


check_commands()
check_alone()
check_models()
check_certificates()
check_dumps()
check_derivations()
check_numbers()
check_linearise()
check_stability()
check_integrals()
check_steady()
check_errors()
tap.done()

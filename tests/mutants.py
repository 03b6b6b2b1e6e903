#!/usr/bin/env python3
"""Claims of the models say something: with a sign, a coefficient or an exponent changed they are no longer proved, and none
is true whatever the system is.

Each change that leaves a claim true must be explained in the model by a comment
    # also true: "label": why
and each such comment must be needed. All models but the slow ones, these too with `all` as argument, or those named."""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent / "harness"))
import tap

ANHOLO = tap.BUILD / "anholo"
FOLDER = tempfile.TemporaryDirectory()
SLOW = ["bicycle", "trailers"]
CLAIM = re.compile(r'^(\s*claim\s+"([^"]*)"\s*(?:by\s+[\w-]+\s*)?:\s*)(.*)$')
TOKEN = re.compile(r"\s+|[A-Za-z_][A-Za-z_0-9]*'*|\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|'+|.", re.S)
# What holds for ranges: another number may well be true.
RANGES = re.compile(r"^(stable|attracting|unstable|steady|equilibrium|holonomic|nonholonomic|measure)\b")
EXPLAINED = re.compile(r'^# also true: "([^"]*)": \S', re.M)


def changes(says):
    """What the claim says, with one sign, number or exponent changed; never an index or a condition."""
    says = re.sub(r"\s+#.*$", "", says)
    condition = re.search(r"\swhen\s", says)
    body, rest = (says[:condition.start()], says[condition.start():]) if condition else (says, "")
    towards = re.match(r"limit\b[^:]*:", body)
    before, body = (towards[0], body[towards.end():]) if towards else ("", body)
    tokens = TOKEN.findall(body)
    depth, found = 0, []
    for i, token in enumerate(tokens):
        depth += (token == "[") - (token == "]")
        if depth:
            continue
        if token in ("+", "-"):
            found.append((i, "-" if token == "+" else "+"))
        elif token.isdigit() and re.search(r"axis\(\w+,\s*$", "".join(tokens[:i])):  # of which there are three
            found.append((i, str(int(token) % 3 + 1)))
        elif token[0].isdigit():
            found.append((i, str(int(token) + 1) if token.isdigit() else f"(2*{token})"))
        elif token == "=" and not any(t in ("+", "-") or t[:1].isdigit() for t in tokens):
            found.append((i, "= 2*"))
    made = []
    for i, new in found:
        made.append(before + "".join(tokens[:i] + [new] + tokens[i + 1:]) + rest)
    return made


def mutants(text):
    """The model with a claim for each change in place of its claims; what each of these is a change of."""
    lines, labels = [], {}
    for line in text.splitlines():
        match = CLAIM.match(line)
        if re.match(r"\s*(claim|refute)\s", line) and not match or re.match(r"\s*refute\s", line):
            continue
        if not match:
            lines.append(line)
            continue
        head, label, says = match.groups()
        if RANGES.match(says):
            continue
        for k, changed in enumerate(changes(says)):
            name = f"{label} #{k + 1}"
            labels[name] = (label, changed)
            lines.append(head.replace(f'"{label}"', f'"{name}"', 1) + changed)
    return "\n".join(lines) + "\n", labels


# What the program makes, or reads out of the model: a claim without any of it may be about nothing but letters.
MADE = re.compile(r"''|\[|\b(der|kinetic|potential|energy|jacobi|velocity|position|omega|axis|constant|integral|identically|"
                  r"rank|growth|accessible|when|solution|singular|characteristic|limit)\b")


def verdicts(model, text):
    file = pathlib.Path(FOLDER.name) / model.name
    file.write_text(text)
    said = subprocess.run([ANHOLO, "verify", "--json", "--states=8", file], capture_output=True, text=True)
    try:
        return json.loads(said.stdout)["claims"]
    except (ValueError, KeyError):
        tap.check(False, f"mutants.{model.stem}", said.stdout, said.stderr)
        return None


def check_touch(model):
    """Claims that name nothing of the program must need the constraints at least."""
    lines = []
    for line in model.read_text().splitlines():
        match = CLAIM.match(line)
        if not re.match(r"\s*(claim|refute)\s", line):
            lines.append(line)
        elif match and not re.match(r".*\bby\b", match[1].rsplit('"', 1)[1]) and not MADE.search(match[3]) \
                and not RANGES.match(match[3]):
            lines.append(match[1] + "identically " + ("0 " if match[3][0] in "+-" else "") + match[3])
    claims = verdicts(model, "\n".join(lines) + "\n") or []
    idle = [c["label"] for c in claims if c["verdict"] == "proved"]
    tap.check(not idle, f"touch.{model.stem}", "true whatever the system is: " + ", ".join(idle))


def check_model(model):
    text = model.read_text()
    changed, labels = mutants(text)
    claims = verdicts(model, changed)
    if claims is None:
        return 0
    true = {}  # a vector equation is, when all its components are
    for claim in claims:
        label = claim["label"] if claim["label"] in labels else re.sub(r"\.\d$", "", claim["label"])
        true[label] = true.get(label, True) and claim["verdict"] in ("proved", "holds")
    alive = {}
    for label in (name for name in labels if true.get(name)):
        alive.setdefault(labels[label][0], []).append(labels[label][1])
    explained = set(EXPLAINED.findall(text))
    weak = [f'"{label}" is true as well as {what}' for label, all_of in alive.items()
            if label not in explained for what in all_of]
    idle = [f'"{label}" is explained, but no change of it is true' for label in explained - set(alive)]
    tap.check(not weak and not idle, f"mutants.{model.stem}", "\n".join(weak + idle))
    return len(labels)


wanted = sys.argv[1:]
models = [m for folder in ("models", "models/general") for m in sorted((tap.ROOT / folder).glob("*.ah"))
          if wanted == ["all"] or (m.stem in wanted if wanted else m.stem not in SLOW)]
tried = sum(check_model(m) for m in models)
for m in models:
    check_touch(m)
print(f"# {tried} changes")
tap.done()

#!/usr/bin/env python3
"""tests/reference/claims.map: every result of the works has an entry, and what the entries name is there.

That claims and refutes turn out as stated is what t_models.c looks at, model by model."""
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "harness"))
import tap

REFERENCE = tap.ROOT / "tests/reference"
MODELS = tap.ROOT / "models"


def results(file):
    """Lines of a list; what is indented goes on with the line before. Headings and rulers are none."""
    out = []
    for line in file.read_text().splitlines():
        if not line.strip() or line.startswith("#") or re.match(r"^\|[-|]+\|$", line) or line.startswith("| where |"):
            continue
        if line.startswith("| claim |"):
            continue
        if line.startswith("  ") and out:
            out[-1] += " " + line.strip()
        else:
            out.append(line)
    return out


def labels(model):
    file = MODELS / f"{model}.ah"
    if not file.exists():
        return None
    return set(re.findall(r'^\s*(?:claim|refute)\s+"([^"]*)"', file.read_text(), re.M))


def check_map():
    lines, covered, entry, where = {}, {}, None, None
    wrong, named, reasons = [], 0, 0
    known = {}

    def close():
        if entry and not entry[1]:
            wrong.append(f'"{entry[0]}" has neither a model nor a reason')

    for number, line in enumerate((REFERENCE / "claims.map").read_text().splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        if line.startswith("= "):
            close()
            entry, where = None, line[2:].strip()
            lines[where] = results(REFERENCE / where)
            covered[where] = set()
        elif line.startswith("> "):
            close()
            entry = [line[2:].strip(), 0]
            hits = [i for i, text in enumerate(lines[where]) if entry[0] in text]
            covered[where].update(hits)
            if not hits:
                wrong.append(f"line {number}: nothing is called `{entry[0]}` in {where}")
        elif line.startswith("- "):
            entry[1] += 1
            reasons += 1
        else:
            model, _, rest = line.partition(": ")
            if model not in known:
                known[model] = labels(model)
            entry[1] += 1
            if known[model] is None:
                wrong.append(f"line {number}: there is no model {model}")
                continue
            for label in re.findall(r'"((?:[^"])*)"', rest):
                named += 1
                if label not in known[model]:
                    wrong.append(f'line {number}: {model} does not say "{label}"')
    close()
    for where, all_of in lines.items():
        wrong += [f"{where} has no entry for: {all_of[i][:100]}" for i in range(len(all_of)) if i not in covered[where]]
    lists = {file.name for file in REFERENCE.glob("CLAIMS-*.md")}
    wrong += [f"{name} is not in the map" for name in sorted(lists - set(lines))]
    tap.check(not wrong, "map", "\n".join(wrong))
    print(f"# {sum(map(len, lines.values()))} lines of results, {named} claims and refutes named, {reasons} reasons")


check_map()
tap.done()

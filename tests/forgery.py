#!/usr/bin/env python3
"""tools/checkproof cannot be deceived: certificates that were changed at every number, at every place by what does not
belong there, and as files; and no certificate proves a claim that is false."""
import copy
import importlib.machinery
import importlib.util
import json
import pathlib
import random
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent / "harness"))
import tap

ANHOLO, CHECKPROOF = tap.BUILD / "anholo", tap.ROOT / "tools/checkproof"
FOLDER = pathlib.Path(tempfile.mkdtemp())
SLOW = 60  # seconds that no certificate may take, on a machine with other work
random.seed(1)
sys.dont_write_bytecode = True
loader = importlib.machinery.SourceFileLoader("checkproof_tool", str(CHECKPROOF))
TOOL = importlib.util.module_from_spec(importlib.util.spec_from_loader("checkproof_tool", loader))
loader.exec_module(TOOL)
sys.setrecursionlimit(20000)

# Of every part of a proof: branches, factors with every reason, squares, conditions, frames, parameters, places.
MODELS = {
    "branches": """
parameter m, I
assume m > 0, I > 0
coordinate x, y, theta
kinetic m*(x'^2 + y'^2)/2 + I*theta'^2/2
constraint blade: x'*sin(theta) - y'*cos(theta) = 0
velocity v, w: x' = v*cos(theta), y' = v*sin(theta), theta' = w
claim "across": x'^2*sin(theta)^2 = y'^2*cos(theta)^2
claim "along": x''*cos(theta) + y''*sin(theta) = 0
claim "divided": x''/x' = y''/x'*cos(theta)/sin(theta) - theta'/(sin(theta)*cos(theta))
claim "law": m*v' = 0
claim "G": G[1,1] = 1/m
claim "rank": rank 1
claim "growth": growth 2, 3
""",
    "real": """
coordinate x, y, z, w
kinetic (x'^2 + y'^2 + z'^2 + w'^2)/2
constraint a: (x' - y')*(x'^2 + x'*y' + y'^2 + 1) = 0
constraint b: z^3 - w^3 = 0
claim "a positive factor": x' = y'
claim "squares": z = w
claim "accelerations": x'' = y''
""",
    "conditions": """
parameter m1 = 1, m2 = 1.6
coordinate x1, y1, x2, y2
point P1 mass m1 at (x1, y1)
point P2 mass m2 at (x2, y2)
constraint pivot: x1*x1'*y2' - x2*x2'*y1' + (y1 - y2)*y1'*y2' = 0
claim "no force on P1": lambda[1] = 0 when x2' = 0, y2' = 0
claim "uniform motions": x1'' = 0 when y1'*(x2'^2 + y2'^2) = y2'*(x1'^2 + y1'^2), y1' != 0, y2' != 0
""",
    "assumed": """
coordinate x, y, z
parameter k
assume k <= 0, k != 0, x' != 0
kinetic (x'^2 + y'^2 + z'^2)/2
constraint a: k*(x' - z') = 0
constraint b: x'^3 = z'^2*y'
claim "by x'": y' = z'
claim "divided": x''/k = y''/k
""",
}
FILES = ["tests/proofs/gears.ah", "tests/proofs/axle.ah"]


def proofs_of(name, text):
    path = FOLDER / f"{name}.ah"
    path.write_text(text, encoding="utf-8")
    subprocess.run([ANHOLO, "verify", "--states=5", "--certificate", FOLDER / "it.json", path], capture_output=True)
    claims = [c for c in json.loads((FOLDER / "it.json").read_text())["claims"] if c["proof"]]
    return TOOL.Model(text), claims


def places(value, path=()):
    yield path, value
    for key, inner in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        yield from places(inner, path + (key,))


def at(value, path):
    for key in path:
        value = value[key]
    return value


def changed(proof, path, new):
    out = copy.deepcopy(proof)
    at(out, path[:-1])[path[-1]] = new
    return out


def judged(model, written, proof):
    """The verdict; an exception that is not caught counts as passed."""
    before = time.monotonic()
    try:
        answer = TOOL.judge(model, {**written, "proof": proof})[1]
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return answer if time.monotonic() - before < SLOW else "slow"


def explained(proof, path, other_sign):
    """Changes that leave a proof: numbers that nothing uses, signs of what is squared."""
    words = [k for k in path if isinstance(k, str)]
    if words == ["rows", "denominator"] and at(proof, path[:2])["polynomial"] == []:
        return True  # 0 = d·0
    if other_sign and words[-1] in ("squares", "factor") and path[-1] == 0 and len(at(proof, path[:-2])) == 1:
        return True  # (−s)² = s²; of a factor, where its powers are even
    if "place" in proof:
        return True  # another place, as general as the first
    if words[-1] == "multiplier" and path[-1] == 0 and words[0] == "branches":
        return at(proof, path[:-2])["proves"] == []  # 2·0 = 0
    if words[0] == "branches":
        branch = at(proof, path[:2])
        used = {f for step in branch["steps"] for f in step["multiplier"][1::2]}
        if words[1] == "kept":
            return not any(f["because"] in ("singular", "minor") for i, f in enumerate(branch["factors"]) if i in used)
        if words[1] == "factors":
            return path[3] not in used or (words[-1] == "assumption" and branch["factors"][path[3]]["because"] != "assumed")
    return False


def check_numbers(name, model, claims):
    """Every number of every proof, by one more and with the other sign."""
    passed, count = [], 0
    for written in claims:
        proof = written["proof"]
        if not tap.check(judged(model, written, proof) is True, f"unchanged.{name}.{written['label']}"):
            continue
        numbers = [(path, x) for path, x in places(proof) if type(x) is int]
        for path, x in random.sample(numbers, min(len(numbers), 30)):
            for new in {x + 1, -x} - {x}:
                count += 1
                if judged(model, written, changed(proof, path, new)) is not False and not explained(proof, path, new == -x):
                    passed.append(f"{written['label']}: {path} is {new}")
    tap.check(count > 40, f"numbers.{name}.some", str(count))
    tap.check_none(passed, f"numbers.{name}")


DEEP = []
for _ in range(2000):
    DEEP = [DEEP]
STRANGE = (None, True, 1.5, float("nan"), float("inf"), "", "x", "((((", "x'" + "+x'" * 3000, 10 ** 400, -1, [], {}, [[]],
           DEEP, {"a": DEEP}, [[1, 0, 10 ** 9]], [[1, 0, 9999]])


def check_strange(name, model, claims):
    """What does not belong there, at every kind of place: an answer, and never `checked` for what is a proof no more."""
    failed = []
    for written in claims:
        proof, kinds = written["proof"], {}
        for path, _ in places(proof):
            kinds.setdefault(tuple("#" if isinstance(k, int) else k for k in path), []).append(path)
        for paths in kinds.values():
            path = random.choice(paths)
            if not path:
                continue
            for new in random.sample(STRANGE, 5):
                answer = judged(model, written, changed(proof, path, new))
                if answer not in (True, False, TOOL.NOT_CHECKED):
                    failed.append(f"{written['label']}: {path} is {str(new)[:40]}: {answer}")
            out = copy.deepcopy(proof)
            del at(out, path[:-1])[path[-1]]
            if judged(model, written, out) not in (True, False, TOOL.NOT_CHECKED):
                failed.append(f"{written['label']}: {path} is missing")
    tap.check_none(failed, f"strange.{name}")


def check_false(name, text, claims):
    """The same claims with something added are false: no certificate, changed or not, is a proof of them."""
    lines = [line.replace(" when", " + x1/7 when") if " when" in line else line + " + 1/7"
             if line.startswith("claim") and " = " in line else line for line in text.splitlines()]
    model, passed = TOOL.Model("\n".join(lines)), []
    for written in claims:
        if "place" in written["proof"]:
            continue
        all_places = [path for path, x in places(written["proof"]) if path and isinstance(x, (int, list))]
        proofs = [written["proof"], dict(written["proof"], claim=[]), dict(written["proof"], rows=[])]
        for path in random.sample(all_places, min(40, len(all_places))):
            x = at(written["proof"], path)
            proofs.append(changed(written["proof"], path, x[:-1] if isinstance(x, list) else random.choice((0, -x, x + 1))))
        passed += [f"{written['label']} {i}" for i, proof in enumerate(proofs) if judged(model, written, proof) is True]
    tap.check_none(passed, f"false.{name}")


def check_files():
    """Files that are no certificates, or absurd ones: a status, a sentence, no traceback."""
    text = MODELS["branches"]
    _, claims = proofs_of("branches", text)
    whole = json.loads((FOLDER / "it.json").read_text())
    label = claims[0]["label"]

    def with_claims(new):
        return json.dumps({**whole, "claims": new}).encode()

    other = (0, 1, 2)
    files = {
        "empty": (b"", 2), "not utf-8": (b"\xff\xfe{\x80", 2), "nested": (b"[" * 200000, 2), "closed": (b"[" * 50000 + b"]" * 50000, 2),
        "a number": (b"3", 2), "a list": (b"[]", 2), "null": (b"null", 2), "no claims": (b'{"certificate": 1}', 2),
        "another version": (json.dumps({**whole, "certificate": 2}).encode(), 2),
        "claims are text": (with_claims("abc"), 2), "claims are numbers": (with_claims([1, 2]), 2),
        "label is no text": (with_claims([{**claims[0], "label": [1]}]), 2), "proof is text": (with_claims([{**claims[0], "proof": "yes"}]), 2),
        "an empty proof": (with_claims([{**claims[0], "proof": {}}]), 1),
        "no such claim": (with_claims([{**claims[0], "label": "none"}]), 1),
        "another kind": (with_claims([{**claims[0], "says": "rank"}]), 1),
        "twice": (with_claims([claims[0], claims[0]]), 1),
        "settings": (json.dumps({**whole, "set": 3}).encode(), 2), "settings deep": (json.dumps({**whole, "set": "m=" + "(" * 90000}).encode(), 2),
        "a long number": (with_claims([{**claims[0], "proof": {**claims[0]["proof"], "claim": [["#"]]}}]).replace(b'"#"', b"7" * 50000), 1),
        "too long a number": (json.dumps(whole).encode().replace(b'"certificate": 1', b'"certificate": ' + b"1" * 300000), 2),
        "a deep generator": (with_claims([{**claims[0], "proof": {**claims[0]["proof"], "generators": ["(" * 50000 + "x" + ")" * 50000]}}]), 1),
        "a huge exponent": (with_claims([{**claims[0], "proof": {**claims[0]["proof"], "generators": ["2^(10^9)", "x^(9^(9^9))"]}}]), other),
        "nothing": (with_claims([]), 0),
    }
    path, wrong = FOLDER / "file.json", []
    for name, (data, status) in files.items():
        path.write_bytes(data)
        try:
            said = subprocess.run([CHECKPROOF, FOLDER / "branches.ah", path], capture_output=True, text=True, timeout=SLOW)
        except subprocess.TimeoutExpired:
            wrong.append(f"{name}: no end")
            continue
        good = said.returncode in (status if isinstance(status, tuple) else (status,))
        if not good or "Traceback" in said.stderr or (said.returncode == 2 and not said.stderr):
            wrong.append(f"{name}: {said.returncode} {said.stdout[-200:]} {said.stderr[-300:]}")
    tap.check_none(wrong, "files")
    said = subprocess.run([CHECKPROOF, FOLDER / "branches.ah", path], capture_output=True, text=True)
    tap.check(f'unproved "{label}": it is not in the certificate' in said.stdout, "files.nothing", said.stdout)
    for name, data in (("model not utf-8", b"coordinate x\xff\n"), ("model of brackets", b"coordinate x\nkinetic " + b"(" * 60000)):
        (FOLDER / "odd.ah").write_bytes(data)
        said = subprocess.run([CHECKPROOF, FOLDER / "odd.ah", path], capture_output=True, text=True)
        tap.check(said.returncode == 2 and "Traceback" not in said.stderr and said.stderr, f"files.{name}", said.stderr[-300:])


if __name__ == "__main__":
    for name, text in MODELS.items():
        model, claims = proofs_of(name, text)
        check_numbers(name, model, claims)
        check_strange(name, model, claims)
        check_false(name, text, claims)
    for file in FILES:
        text = (tap.ROOT / file).read_text(encoding="utf-8")
        check_numbers(pathlib.Path(file).stem, *proofs_of(pathlib.Path(file).stem, text))
    check_files()
    tap.done()

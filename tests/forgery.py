#!/usr/bin/env python3
"""tools/checkproof cannot be deceived: certificates that were changed at every number, at every place by what does not
belong there, and as files; and no certificate proves a claim that is false. With AH_MORE=1 and AH_FULL=1 more of each."""
import copy
import importlib.machinery
import importlib.util
import json
import os
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
NUMBERS, ODD, FALSE = tap.amount((4, 1, 4), (12, 2, 12), (30, 5, 40))  # changes of each proof, of each kind of place, of false claims
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
MODELS["objects"] = """
parameter m, I, Z
assume m > 0, I > 0
coordinate x, y, theta
kinetic m*(x'^2 + y'^2)/2 + I*theta'^2/2
force x = Z*cos(theta)
velocity v, w: x' = v*cos(theta), y' = v*sin(theta), theta' = w + t
claim "Psi" by parametric: Psi[2,1] = sin(theta)
claim "G up" by parametric: G_up[1,1] = 1/m
claim "Z" by parametric: Z[1] = Z*cos(theta)^2
claim "law" by parametric: m*v' = Z[1]
"""
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
        for path, x in random.sample(numbers, min(len(numbers), NUMBERS)):
            for new in {x + 1, -x} - {x}:
                count += 1
                if judged(model, written, changed(proof, path, new)) is not False and not explained(proof, path, new == -x):
                    passed.append(f"{written['label']}: {path} is {new}")
    tap.check(count > NUMBERS * len(claims), f"numbers.{name}.some", str(count))
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
            for new in random.sample(STRANGE, ODD):
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
        for path in random.sample(all_places, min(FALSE, len(all_places))):
            x = at(written["proof"], path)
            proofs.append(changed(written["proof"], path, x[:-1] if isinstance(x, list) else random.choice((0, -x, x + 1))))
        passed += [f"{written['label']} {i}" for i, proof in enumerate(proofs) if judged(model, written, proof) is True]
    tap.check_none(passed, f"false.{name}")


# ---- Proofs of false claims, every identity in them true: a reason must be found out --------------------------------

PLANE = "coordinate x, y\nkinetic (x'^2 + y'^2)/2\n"
SPACE = "coordinate x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\n"
EQUAL = [[1, 0, 1], [-1, 1, 1]]  # x' − y', with the generators x', y', …
FIVE = [[1, 0, 1], [-5]]


def velocity(label, polynomial):
    return {"is": "velocity", "constraint": label, "polynomial": polynomial, "denominator": [[1]]}


def forged(generators, rows, claim, branches, relations=()):
    return {"states": "velocities", "generators": generators, "relations": list(relations), "rows": rows, "claim": claim,
            "denominator": {"polynomial": [[1]], "multiplier": [1], "factors": []}, "branches": branches}


def divided(claim, factor, of, by, kept, **more):
    """One branch with one step: factor·claim = by·(what has the number `of`)."""
    step = {"proves": claim, "multiplier": [1, 0, 1], "sum": [[of, by]]}
    return {"kept": kept, "factors": [factor], "steps": [step], **more}


def domains():
    """(x' + 1)(x' − y') = 0 proves x' = y' where a generator keeps x' = −1 away."""
    text = PLANE + "constraint a: (x' + 1)*(x' - y') = 0\nclaim \"c\": x' = y'\n"
    row = velocity("a", [[1, 0, 2], [-1, 0, 1, 1, 1], [1, 0, 1], [-1, 1, 1]])
    positive = {"factor": [[1, 0, 1], [1]], "because": "positive", "scale": 1, "sum": [[0, [[-1]]]]}
    for root in ("sqrt(x')", "x'^(1/2)", "exp(log(x')/2)", "sqrt(sqrt(x')^2)"):
        factor = {**positive, "form": [[1, 2, 2], [1]]}
        yield root, text, forged(["x'", "y'", root], [row], EQUAL, [divided(EQUAL, factor, 1, [[1]], [0])], [[[1, 2, 2], [-1, 0, 1]]])
    factor = {**positive, "form": [[1, 2, 1], [1]]}
    yield "exp(log(x'))", text, forged(["x'", "y'", "exp(log(x'))"], [row], EQUAL, [divided(EQUAL, factor, 1, [[1]], [0])],
                                       [[[1, 2, 1], [-1, 0, 1]]])
    for inverse in ("1/(x' + 1)", "(x' + 1)^(-1)", "1/(2*x' + 2)*2"):
        step = {"proves": EQUAL, "multiplier": [1], "sum": [[1, [[1, 2, 1]]], [0, [[-1, 0, 1], [1, 1, 1]]]]}
        yield inverse, text, forged(["x'", "y'", inverse], [row], EQUAL, [{"kept": [0], "factors": [], "steps": [step]}],
                                    [[[1, 0, 1, 2, 1], [1, 2, 1], [-1]]])
    step = {"proves": EQUAL, "multiplier": [1], "squares": [[1, [[1, 0, 1, 2, 1], [-1, 1, 1, 2, 1]]]],
            "sum": [[1, EQUAL], [0, [[1, 0, 2], [-2, 0, 1, 1, 1], [1, 1, 2]]]]}
    yield "squares", text, forged(["x'", "y'", "sqrt(x')"], [row], EQUAL, [{"kept": [0], "factors": [], "steps": [step]}],
                                  [[[1, 2, 2], [-1, 0, 1]]])


def ranks():
    """Minors, and matrices, that vanish at all states say nothing."""
    rows = [velocity("a", EQUAL), velocity("b", EQUAL + [[1, 0, 1, 2, 1], [-1, 1, 1, 2, 1]])]
    columns = ([0, 1], [0, 2], [1, 2])
    minor = {"factor": EQUAL, "because": "minor"}
    text = SPACE + "constraint a: x' - y' = 0\nconstraint b: (x' - y')*(1 + z') = 0\nclaim \"c\": x' = 5\n"
    yield "a rank beside the constraints", text, forged(
        ["x'", "y'", "z'"], rows, FIVE, [divided(FIVE, minor, 0, FIVE, [0, 1], minor=c) for c in columns])
    text = SPACE + "constraint a: x'*y' = 0\nconstraint b: y'*z' = 0\nclaim \"c\": x' = 0\n"
    minor = {"factor": [[1, 1, 1]], "because": "minor"}
    rows = [velocity("a", [[1, 0, 1, 1, 1]]), velocity("b", [[1, 1, 1, 2, 1]])]
    yield "the rank of another component", text, forged(
        ["x'", "y'", "z'"], rows, [[1, 0, 1]], [divided([[1, 0, 1]], minor, 0, [[1]], [0, 1], minor=c) for c in columns])
    of_x = {"is": "motion", "of": "x", "polynomial": [[1, 3, 1], [-1, 4, 1, 1, 1]], "denominator": [[1]]}
    yield "singular on another component", text, forged(
        ["x'", "y'", "z'", "x''", "lambda[1]"], rows + [of_x], [[1, 0, 1]],
        [divided([[1, 0, 1]], {"factor": [[1, 1, 1]], "because": "singular"}, 0, [[1]], [0, 1])])
    singular = {"factor": EQUAL, "because": "singular"}
    text = PLANE + "constraint a: x' - y' = 0\nconstraint b: 2*x' - 2*y' = 0\nclaim \"c\": x' = 5\n"
    motion = [{"is": "motion", "of": "x", "polynomial": [[1, 2, 1], [-1, 4, 1], [-2, 5, 1]], "denominator": [[1]]},
              {"is": "motion", "of": "y", "polynomial": [[1, 3, 1], [1, 4, 1], [2, 5, 1]], "denominator": [[1]]}]
    yield "dependent rows", text, forged(["x'", "y'", "x''", "y''", "lambda[1]", "lambda[2]"], [velocity("a", EQUAL)] + motion,
                                         FIVE, [divided(FIVE, singular, 0, FIVE, [0, 1])])
    text = "coordinate x, y\nkinetic x'^2/2\nconstraint a: x' - y' = 0\nclaim \"c\": x' = 5\n"
    inverse = {"is": "inverse", "of": "x", "constraint": "a", "polynomial": [[1, 2, 1], [-1]], "denominator": [[1]]}
    yield "a singular M", text, forged(["x'", "y'", "W[1,1]", "W[1,2]"], [velocity("a", EQUAL), inverse], FIVE,
                                       [divided(FIVE, singular, 0, FIVE, [0])])


def contradictions():
    """Rows that define what does not exist, M W = Jᵀ with a singular M, contradict each other, and would prove anything."""
    anything = [{"kept": [0], "factors": [], "steps": [{"proves": FIVE, "multiplier": [1], "sum": [[0, [[-1, 0, 1], [5]]]]}]}]
    text = "coordinate x, y\nkinetic x'^2/2\nconstraint a: x' + y' = 0\nclaim \"c\": x' = 5\n"
    row = {"is": "inverse", "of": "y", "constraint": "a", "polynomial": [[-1]], "denominator": [[1]]}
    yield "M W = J with a singular M", text, forged(["x'", "y'"], [row], FIVE, anything)
    text = PLANE + "quasivelocity w1 = x', w2 = 0*y'\nclaim \"c\": x' = 5\n"
    row = {"is": "frame", "of": "2,2", "polynomial": [[-1]], "denominator": [[1]]}
    yield "b B = 1 with a singular b", text, forged(["x'", "y'"], [row], FIVE, anything)
    text = PLANE + "constraint a: x' - y' = 0\nconstraint b: 2*x' - 2*y' = 0\nclaim \"c\": x' = 5\n"
    rows = [{"is": "unit", "of": "1,1", "polynomial": [[1, 2, 1], [-1, 3, 1], [-1]], "denominator": [[1]]},
            {"is": "unit", "of": "2,1", "polynomial": [[2, 2, 1], [-2, 3, 1]], "denominator": [[1]]}]
    step = {"proves": FIVE, "multiplier": [2], "sum": [[0, [[-2, 0, 1], [10]]], [1, [[1, 0, 1], [-5]]]]}
    yield "J X = 1 with dependent rows", text, forged(["x'", "y'", "lift[1,1]", "lift[2,1]"], rows, FIVE,
                                                      [{"kept": [0], "factors": [], "steps": [step]}])


def names():
    """Parameters that are called as a multiplier or an unknown of proofs is: x'' = λ₁ would bind them."""
    rows = [{"is": "motion", "of": "x", "polynomial": [[1, 1, 1], [-1, 3, 1], [1]], "denominator": [[1]]},
            {"is": "acceleration", "constraint": "a", "polynomial": [[1, 1, 1]], "denominator": [[1]]}]
    text = "parameter lambda[1..2]\n" + PLANE + "potential x\nconstraint a: x' = 0\nclaim \"c\": lambda[1] = 1\n"
    one = [[1, 3, 1], [-1]]
    step = {"proves": one, "multiplier": [1], "sum": [[0, [[-1]]], [1, [[1]]]]}
    yield "lambda", text, forged(["x'", "x''", "y''", "lambda[1]"], rows, one, [{"kept": [0], "factors": [], "steps": [step]}])
    half = [[2, 0, 1], [-1]]
    rows = [{"is": "frame", "of": "1,1", "polynomial": half, "denominator": [[1]]}]
    step = {"proves": half, "multiplier": [1], "sum": [[0, [[1]]]]}
    text = "parameter B[1,1], B[1,2], B[2,1], B[2,2]\n" + PLANE + "quasivelocity w1 = 2*x', w2 = y'\nclaim \"c\": 2*B[1,1] = 1\n"
    yield "B", text, forged(["B[1,1]"], rows, half, [{"kept": [], "factors": [], "steps": [step]}])


def forms():
    """A velocity form that gives the velocities of one component alone."""
    text = SPACE + "constraint a: (x' - 5)*(y' - z') = 0\nvelocity p, q: x' = p, y' = q, z' = q\nclaim \"c\": p*(y' - z') = 0\n"
    yield "one component", text, {**forged(["p", "q"], [], [], EMPTY), "states": "parameters"}


def reasons():
    """(x' − 5)(y' − z') = 0 proves y' = z' with x' − 5 divided by, whatever the reason."""
    text = "parameter k\n" + SPACE + "assume k > 0, x' != 6\nconstraint a: (x' - 5)*(y' - z') = 0\nclaim \"c\": y' = z'\n"
    row = velocity("a", [[1, 0, 1, 1, 1], [-1, 0, 1, 2, 1], [-5, 1, 1], [5, 2, 1]])
    claim, generators = [[1, 1, 1], [-1, 2, 1]], ["x'", "y'", "z'", "k"]
    for because in ("singular", "minor", "undefined", "assumed", "positive"):
        for assumption in (0, 1):
            factor = {"factor": FIVE, "because": because, "assumption": assumption, "scale": 1, "form": FIVE, "sum": []}
            yield f"{because} {assumption}", text, forged(generators, [row], claim, [divided(claim, factor, 0, [[1]], [0])])
            yield f"{because} {assumption}, a minor", text, forged(
                generators, [row], claim, [divided(claim, factor, 0, [[1]], [0], minor=[c]) for c in range(3)])
    square = {"factor": FIVE, "because": "positive", "scale": 1, "form": [], "squares": [[1, FIVE]], "sum": []}
    yield "no positive term", text, forged(generators, [row], claim, [divided(claim, square, 0, [[1]], [0])])
    for c in (0, -1):
        step = {"proves": claim, "multiplier": [1], "squares": [[c, claim]], "sum": []}
        yield f"squares with {c}", text, forged(generators, [row], claim, [{"kept": [0], "factors": [], "steps": [step]}])
    step = {"proves": claim, "multiplier": [1, 0, 1], "sum": [[0, [[1]]]]}
    yield "no factor", text, forged(generators, [row], claim, [{"kept": [0], "factors": [], "steps": [{**step, "multiplier": [1]}]}])
    yield "no such factor", text, forged(generators, [row], claim, [{"kept": [0], "factors": [], "steps": [step]}])
    swapped = [generators[0], generators[2], generators[1], "k"]
    yield "swapped generators", text, forged(swapped, [row], claim, [{"kept": [0], "factors": [], "steps": [{**step, "multiplier": [1]}]}])
    root = forged(["x'", "sqrt(x'^2)"], [], [], [{"kept": [], "factors": [], "steps": [
        {"proves": [[1, 1, 1], [-1, 0, 1]], "multiplier": [1], "sum": [[0, [[1]]]]}]}], [[[1, 1, 1], [-1, 0, 1]]])
    root["claim"] = [[1, 1, 1], [-1, 0, 1]]
    yield "a relation of one sign", SPACE + "claim \"c\": sqrt(x'^2) = x'\n", root


def special():
    """For a = 0, or a = b, there are fewer constraints."""
    row = velocity("a", [[1, 2, 1, 0, 1], [-1, 2, 1, 1, 1]])
    text = "parameter a\n" + PLANE + "constraint a: a*x' = a*y'\nclaim \"c\": x' = y'\n"
    minor = {"factor": [[1, 2, 1]], "because": "minor"}
    yield "no constraint", text, forged(["x'", "y'", "a"], [row], EQUAL,
                                        [divided(EQUAL, minor, 0, [[1]], [0], minor=[c]) for c in (0, 1)])
    text = "parameter a, b\n" + PLANE + "constraint a: x' + a*y' = 0\nconstraint b: x' + b*y' = 0\nclaim \"c\": y' = 0\n"
    rows = [velocity("a", [[1, 0, 1], [1, 1, 1, 2, 1]]), velocity("b", [[1, 0, 1], [1, 1, 1, 3, 1]])]
    for because in ("minor", "singular"):
        factor = {"factor": [[1, 2, 1], [-1, 3, 1]], "because": because}
        step = {"proves": [[1, 1, 1]], "multiplier": [1, 0, 1], "sum": [[0, [[1]]], [1, [[-1]]]]}
        yield f"one constraint, {because}", text, forged(["x'", "y'", "a", "b"], rows, [[1, 1, 1]], [
            {"kept": [0, 1], "factors": [factor], "steps": [step], "minor": [0, 1]}])


def of_the_rate(system, e):
    """The proof of der(e) = 0, which is true where it exists."""
    return proofs_of("rate", f"{system}claim \"c\": der({e}) = 0\n")[1][0]["proof"]


EMPTY = [{"kept": [], "factors": [], "steps": [{"proves": [], "multiplier": [1], "sum": []}]}]


def signs():
    """Numbers, and powers, that a field may take for negative or for zero: by fixed primes 23 was one, and their product zero."""
    product = 2305843009213690799 * 2305843009213612679 * 2305843009213609319
    for says in ("abs(23) = -23", "abs(23*x) = -23*abs(x)", "sqrt((20*x + 3*x)^2) = -23*sqrt(x^2)", "abs(x^2*(x - x + 23)) = -23*x^2",
                 "sin(abs(23*x)) = -sin(23*abs(x))", f"{product}*x = 0", f"x/{product} = y/{product}"):
        yield says, f"{PLANE}claim \"c\": {says}\n", forged(["x"], [], [], EMPTY)


def exponents():
    """x^n is not positive for all n: no proof says so without x > 0."""
    for says in ("abs(x^n) = x^n", "sqrt(x^(2*n)) = x^n", "x^(2*n) = abs(x)^(2*n)", "(x^2)^n = x^(2*n)", "sqrt(x^n)^2 = x^n + abs(x^n)"):
        yield says, f"parameter n\n{PLANE}claim \"c\": {says}\n", forged(["x"], [], [], EMPTY)


def nothing():
    """What exists nowhere, and what jumps, is not confirmed."""
    empty = forged(["x"], [], [], EMPTY)
    for says in ("0*sqrt(-1 - x^2) = 0", "0*log(-1 - x^2) = 0", "x - x = 0*acos(1 + exp(x))", "constant sign(x)", "0/(x - x) = 0",
                 "constant atan2(sin(x), cos(x)) - x", "constant sqrt(x^2)/x", "constant abs(x)/x", "constant sign(x)^2",
                 "constant exp(log(x^2)/2)/x", "constant sqrt(1 + 1/x^2)*x/sqrt(x^2 + 1)"):
        yield says, f"{PLANE}claim \"c\": {says}\n", empty
    # the rate vanishes wherever there is one, and motions go through x = 0
    across = [(f"potential {V}", "energy") for V in ("atan(1/x)", "tanh(1/x)", "cos(1/x)", "step(x)", "if(t < 1, x, 2*x)", "atan2(x, y)",
                                                     "1/(1 + exp(1/x))", "abs(x)/x", "x/sqrt(x^2) + y")]
    across += [("force y = x'*y'/x", "y'/x + atan(1/x) + atan(x)"), ("potential k/x", "energy + atan(1/x) + atan(x)"),
               ("force x = sign(x)/sqrt(abs(x))", "y' + atan(1/abs(x)) + atan(abs(x))"), ("potential exp(-1/x^2)/x", "y' + atan(1/x) + atan(x)")]
    for pole, e in across:
        system = f"parameter k\ncoordinate x, y\nkinetic (x'^2 + y'^2)/2\n{pole}\n"
        yield f"{pole}, {e}", f"{system}claim \"c\": constant {e}\n", of_the_rate(system, e)


def check_labels():
    """Two claims with one label: the proof of one of them, twice, is none of the other."""
    model, it = FOLDER / "labels.ah", FOLDER / "labels.json"
    model.write_text(PLANE + "claim \"c\": x = x\nclaim \"c\": x = y\n")
    once = {"label": "c", "says": "equation", "proof": forged(["x"], [], [], EMPTY)}
    for count, wanted in ((1, "1 checked, 0 wrong, 0 not checked, 1 without"), (2, "1 checked, 1 wrong")):
        it.write_text(json.dumps({"certificate": 1, "claims": [once] * count}))
        said = subprocess.run([CHECKPROOF, model, it], capture_output=True, text=True).stdout
        tap.check(wanted in said, f"forged.labels.{count}", said)


def check_forged():
    for make in (domains, ranks, contradictions, forms, reasons, special, signs):
        passed = [name for name, text, proof in make() for _ in range(tap.amount(1, 3, 3))
                  if judged(TOOL.Model(text), {"label": "c", "says": "equation"}, proof) is not False]
        tap.check_none(passed, f"forged.{make.__name__}")
    for name, text, proof in names():
        try:
            said = judged(TOOL.Model(text), {"label": "c", "says": "equation"}, proof)
        except TOOL.Unchecked:
            said = None
        tap.check(said is not True, f"forged.names.{name}", str(said))
    for make in (nothing, exponents):
        passed = [name for name, text, proof in make() if judged(TOOL.Model(text), {"label": "c", "says": "equation"}, proof) is True]
        tap.check_none(passed, f"forged.{make.__name__}")
    check_labels()
    # |y| + y is one or the other at half of the places
    for switch in ("abs(y)", "sqrt(y^2)"):
        text = SPACE + f"constraint a: z' = ({switch} + y)*x'\nclaim \"c\": growth 2, 3\n"
        place = {"place": {q: ["1", "1"] for q in "xyz"}}
        seen = {judged(TOOL.Model(text), {"label": "c", "says": "growth"}, place) for _ in range(12)}
        tap.check(seen == {False}, f"forged.growth.{switch}", str(seen))


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
        if name == "branches" or tap.amount(False, True, True):
            check_strange(name, model, claims)
        check_false(name, text, claims)
    for file in FILES:
        text = (tap.ROOT / file).read_text(encoding="utf-8")
        check_numbers(pathlib.Path(file).stem, *proofs_of(pathlib.Path(file).stem, text))
    check_forged()
    check_files()
    tap.done()

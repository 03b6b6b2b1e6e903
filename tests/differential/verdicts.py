"""`verify` against the truth, and every counter-example against the constraints and the claim."""
import pathlib
import re
import subprocess
import tempfile

import claims
import numbers_agree
import program
import referee
from terms import NOT_DEFINED

SAMPLES = 16  # states of a component that decide whether a claim is false
ORDINARY = 1e10  # the greatest number of a counter-example: velocities follow from parameters times coordinates


def samples(case):
    """Surroundings of random states, by component: some near, some farther away."""
    result = []
    for component in case.components:
        near = []  # at least one: the first state that was found
        for k in range(SAMPLES):
            try:
                reach = 2.0 if k % 2 else 5.0
                state, found = referee.regular_state(case.referee, component, case.rng, reach, 2)
                near.append(claims.surroundings(case.system, state, found))
            except referee.NoState:
                pass
        result.append(near or [claims.surroundings(case.system, *case.states[len(result) * case.EACH])])
    return result


def precisely(case):
    def surroundings(values, k):
        state = {n: values[n] for n in case.states[0][0]}
        exact = case.components[k].settle(referee.exactly(state), precise=True)
        return claims.surroundings(case.system, exact, case.referee.motion(exact, precise=True))
    return surroundings


def words(case):
    """Statements about the kind of the system, with their truth."""
    result = []
    rates = [abs(found["H'"]) / (1 + max(map(abs, found["R"] + found["L"]))) for _, found in case.states]
    if max(rates) > 1e-4:
        result.append(("constant jacobi", False))
    elif max(rates) < 1e-11:
        result.append(("constant jacobi", True))
    ranks = {len(found["chosen"]) for _, found in case.states}
    if len(ranks) == 1:
        rank = ranks.pop()
        result += [(f"rank {rank}", True), (f"rank {rank + 1}", False), (f"rank {max(rank, 1) - 1}", rank == 0)]
    kinds = {numbers_agree.kind_of(case.system, c.what) for c in case.system.constraints}
    if kinds and "nonlinear" not in kinds and len(case.components) == 1:
        found = {numbers_agree.growth(case.system, state) for state, _ in case.states[:3]}
        if len(found) == 1:
            n, first, second = found.pop()
            result += [("holonomic", first == second), ("nonholonomic", first < second)]
            if second in (first, n):
                wanted = f"{first}, {second}" if second > first else f"{first}"
                result += [(f"growth {wanted}", True), (f"growth {first}, {second + 1}", False)]
    return result


def random_claims(case, count):
    """Claims, the model with them, and the options that its functions need."""
    maker = claims.Claims(case.system, case.rng, samples(case), precisely(case))
    made = maker.make(count, words(case))
    given = [word for f in case.system.functions.items() for word in ("--set", "=".join(f))]
    return maker, made, case.system.text([c.line(str(k)) for k, c in enumerate(made)]), given


def compare_verify(case, count):
    maker, made, model, given = random_claims(case, count)
    for claim in made:
        if claim.true and claim.left is not None:
            if any((claim.gap(v) or 0) > 1e-6 and claim.apart(v) > 1e-6 for s in maker.samples for v in s):
                yield f"THE TEST ERRS: this is not true: ({claim.how}) {claim.says()}"
    answer = program.ask("verify", model, *given)
    if "error" in answer:
        yield f"verify: {answer['error']}"
        yield from (f"    {claim.line('')}" for claim in made)
        return
    for claim, said in zip(made, answer["claims"]):
        yield from compare_verdict(case, claim, said)


def compare_proofs(case):
    """What is proved has a certificate, and tools/checkproof agrees with it."""
    if case.system.functions:
        return  # the certificate speaks of the model as it is written
    _, _, model, given = random_claims(case, 4)
    with tempfile.TemporaryDirectory() as folder:
        certificate = pathlib.Path(folder, "certificate.json")
        program.ask("verify", model, *given, "--certificate", str(certificate))
        pathlib.Path(folder, "model.ah").write_text(model)
        if not certificate.exists():
            return
        said = subprocess.run([program.ROOT / "tools/checkproof", f"{folder}/model.ah", certificate],
                              capture_output=True, text=True)
    for number, what in re.findall(r"(\d+) (checked|wrong|not checked|without a proof to check)", said.stdout):
        case.count(f"proofs {what}", int(number))
    if said.returncode:
        yield f"checkproof: {said.stdout[-600:]}{said.stderr[-300:]}\n{model}"


def compare_verdict(case, claim, said):
    verdict, truth = said["verdict"], "true" if claim.true else "false"
    case.count(f"{truth} claims {verdict}")
    if verdict == "unknown":
        case.count(f"unknown: {claim.how}")
    fault = claim.true and verdict == "false" or not claim.true and verdict == "proved" or \
        claim.plain and verdict == "holds"
    if fault and claim.true and claim.says() == "constant jacobi" and energy_changes(case, said["counterexample"]):
        case.count("energies that change on a part that the test did not meet")
    elif fault:
        yield f"{truth} but {verdict}: ({claim.how}) {claim.line('')} {said['counterexample'] or ''}"
    passes = verdict == "false" if claim.refute else verdict in ("proved", "holds")
    if said["pass"] != passes:
        yield f"pass is {said['pass']} for {claim.line('')}, {verdict}"
    if verdict == "false" and claim.left is not None and not claim.true:
        yield from compare_counterexample(case, claim, said["counterexample"])


def energy_changes(case, shown):
    """At a state of another factor of the constraints, modulo each other, than those that the test has found."""
    state = referee.random_values(case.system, case.rng, 1.0)
    state.update({n: x for n, x in (shown or {}).items() if n in state and x is not None})
    try:
        found = case.referee.motion(settled(case, state), precise=True)
    except (referee.NoState, *NOT_DEFINED):
        return False
    rate = float(found["H'"])
    return abs(rate - shown["left"]) < 1e-9 * (1 + abs(shown["left"])) and abs(rate) > 1e-9


def compare_counterexample(case, claim, shown):
    """A state that the constraints admit, where both sides are defined and differ."""
    if not shown:
        yield f"no counter-example: {claim.line('')}"
        return
    state = referee.random_values(case.system, case.rng, 1.0)
    state.update({n: x for n, x in shown.items() if n in state and x is not None})
    told = f"{claim.line('')} at {shown}"
    if max(map(abs, state.values())) > ORDINARY:
        yield f"not of ordinary size: {told}"
    identically = claim.how.startswith("kinetic")
    try:
        precise = referee.exactly(state) if identically else settled(case, state)
        found = case.referee.motion(precise, precise=True)
        values = claims.surroundings(case.system, precise, found)
        gap = claim.gap(values, precise=True)
        left, right = map(float, claim.difference.precise(values)[:2])
    except referee.NoState:
        yield f"not admissible: {told}"
        return
    except NOT_DEFINED:
        yield f"not defined: {told}"
        return
    case.count("counter-examples looked at")
    if gap is None or gap < 1e-40 or claim.apart(values, precise=True) < 1e-40 * max(abs(left), abs(right), 1e-300):
        yield f"the sides agree there: {told}"
    elif abs(left - (shown["left"] or 0)) + abs(right - (shown["right"] or 0)) > \
            1e-5 * (abs(left) + abs(right)) + 1e-9:
        yield f"the sides are {left} and {right} there: {told}"


def settled(case, state):
    """The admissible state beside the one that is shown in 17 digits."""
    best = None
    for component in case.everywhere:
        moved = referee.exactly(state)
        try:
            component.settle(moved, precise=True)
        except referee.NoState:
            continue
        away = max(abs(float(moved[n]) - state[n]) / (1 + abs(state[n])) for n in state)
        if best is None or away < best[0]:
            best = away, moved
    if best is None or best[0] > 1e-9:
        raise referee.NoState
    return best[1]

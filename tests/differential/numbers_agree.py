"""`eval` by every method, and the words of `check`, against the referee."""
import matrices
import program
from terms import NOT_DEFINED, Functions, name, slope, total

AGREE = 1e-7  # relative to the largest number of its kind: states are clearly regular (referee.py)


def near(got, wanted, scale):
    return got is not None and abs(got - wanted) <= AGREE * (scale + 1)


def compare_eval(case, state, found):
    """Complaints about one state: accelerations, reactions, multipliers, energy."""
    system = case.system
    at = {n: state[n] for n in ["t", *system.coordinates, *system.velocities()]}
    free = system.settings(state)
    answer = program.ask("eval", case.text, "--at", program.assignments(at), "--method", "all", *free)
    if "error" in answer:
        yield f"eval refuses an admissible, regular state {at}: {answer['error']}"
        return
    if not near(answer["energy"], found["energy"], abs(found["energy"])):
        yield f"energy {answer['energy']}, not {found['energy']}"
    wanted = {"qddot": found["a"], "qddot_form_II": found["a"], "reaction": found["R"],
              "multipliers": found["lambda"]}
    count = 0
    rates, _ = case.referee.rates(state, found)
    for method, numbers in answer["methods"].items():
        count += "qddot" in numbers
        for o, rate in rates.items():
            got = {**numbers.get("omegadot", {}), **numbers.get("zdot", {})}.get(o, rate)
            if not near(got, rate, max(map(abs, found["a"] + [rate]))):
                yield f"{method}: the rate of {o} is {got}, not {rate} at {at} {free}"
        for key, right in wanted.items():
            if right is None or key not in numbers:
                continue
            scale = max(map(abs, right + found["a"] + found["L"]), default=0)
            if key == "multipliers":
                scale = scale / min(1, found["least"]) + max(map(abs, right), default=0)
            if not all(near(g, w, scale) for g, w in zip(numbers[key], right)):
                yield f"{method} {key} {numbers[key]}, not {right} at {at} {free}"
    case.count("numbers by a method", count)
    if not count:
        yield "no method applies"


def kind_of(system, term):
    """The class of a constraint, from its derivatives at random values."""
    if system.holonomic(term):
        return "holonomic"
    v = system.velocities()
    if any(not _zero(slope(slope(term, a), b)) for a in v for b in v):
        return "nonlinear"
    free = total([term]) - total(slope(term, w) * name(w) for w in v)
    return "linear" if _zero(free) else "affine"


def _zero(term):
    f, found = Functions([term]), []
    for k in range(3):
        values = {n: 0.3 + 0.37 * ((7 * i + 5 * k) % 11) / 3 for i, n in enumerate(sorted(term.names()))}
        try:
            found.append(abs(f(values)[0]))
        except NOT_DEFINED:
            pass
    return bool(found) and max(found) < 1e-11


def growth(system, place):
    """dim D and dim D + [D, D] of linear rows at a place, in (q, t) or in q: the brackets of fields of D
    have the components d w_a(X_i, X_j) along the forms w_a."""
    q = system.coordinates
    rows = [system.on_velocities(c.what) for c in system.constraints]
    forms = [[slope(row, k + "'") for k in q] for row in rows]
    rest = [row - total(a * name(k + "'") for a, k in zip(form, q)) for row, form in zip(rows, forms)]
    axes = list(q)
    if any(not _zero(b) for b in rest) or any("t" in row.names() for row in rows):
        axes.append("t")
        forms = [form + [b] for form, b in zip(forms, rest)]
    n = len(axes)
    at = dict(place, **{k + "'": 0.0 for k in q})
    numbers = Functions([e for form in forms for e in form] +
                        [slope(e, k) for form in forms for e in form for k in axes])(at)
    values = [numbers[i * n:i * n + n] for i in range(len(forms))]
    slopes = numbers[len(forms) * n:]
    chosen = matrices.independent(values)[0]
    fields = matrices.null_space(values, n)
    curls = []
    for i, X in enumerate(fields):
        for Y in fields[:i]:
            curls.append([_curl(slopes[a * n * n:(a + 1) * n * n], X, Y, n) for a in chosen])
    big = [c for c in curls if max(map(abs, c), default=0) > 1e-9]
    return len(axes), len(fields), len(fields) + len(matrices.independent(big)[0]) if big else len(fields)


def _curl(slopes, X, Y, n):
    return sum((slopes[j * n + i] - slopes[i * n + j]) * X[i] * Y[j] for i in range(n) for j in range(n))


def compare_check(case):
    """Complaints about the words of `check`."""
    system = case.system
    answer = program.ask("check", case.text)
    if "error" in answer:
        yield f"check: {answer['error']}"
        return
    ranks = {len(found["chosen"]) for _, found in case.states}
    if len(ranks) == 1 and answer["m"] != len(system.coordinates) - max(ranks):
        yield f"m = {answer['m']}, but the rank is {ranks}"
    for constraint, said in zip(system.constraints, answer["constraints"]):
        kind = kind_of(system, constraint.what)
        if said["class"] != kind or said["rheonomic"] != ("t" in constraint.what.names()):
            yield f"{constraint.line} is {kind}, not {said['class']} (rheonomic: {said['rheonomic']})"
    yield from compare_energy(case, answer["energy"]["conserved"], len(answer["components"]) > 1)
    if all(kind_of(system, c.what) != "nonlinear" for c in system.constraints) and system.constraints:
        yield from compare_growth(case, answer["integrability"])


def compare_energy(case, conserved, several):
    """several: of the components our states may have met one only, psi' = 0 of a psi' = psi'^2."""
    rates = [abs(found["H'"]) / (1 + max(map(abs, found["R"] + found["L"])))
             for _, found in case.states]
    case.count(f"energy conserved: {conserved}")
    if conserved is True and max(rates) > 1e-6:
        yield f"the energy is not constant: rates {rates}"
    if conserved is False and max(rates) < 1e-11 and len(rates) > 2 and not several:
        yield "the energy is constant at all states"


def compare_growth(case, said):
    if not said["found"]:
        case.count("integrability not found")
        return
    found = set()
    for state, _ in case.states[:3]:
        found.add(growth(case.system, state))
    if len(found) > 1 or len(case.components) > 1:
        return  # not the same everywhere, or a place where only a part of the rows counts
    n, first, second = found.pop()
    wanted = [first, second] if second > first else [first]
    if (said["dimension"], said["growth"][:2]) != (n, wanted):
        yield f"growth {said['growth']} in {said['dimension']}, not {wanted}… in {n}"

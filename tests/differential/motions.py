"""`simulate` against an integration of the referee's accelerations, with rows that depend on each other."""
import program
from terms import NOT_DEFINED, Functions

SPANS = (1.0, 1.0, 3.0)
INTEGRATORS = ("auto", "auto", "dop853", "taylor", "adams", "bdf", "ida")
ENGINES = ("auto", "interpret")
STEP = 0.25  # the first one
ERROR = 1e-10  # of a step
AGREE = 1e-6
LOOSE = ["--rtol", "1e-7", "--atol", "1e-7"]
AGREE_LOOSELY = 1e-3


class Stuck(Exception):
    """The motion comes near a singular state, or is not defined further on."""


def pivot(rows, sizes, rank):
    """The last of so many pivots of Gram and Schmidt, the largest first, the rows measured by `sizes`."""
    left = [[a / size for a in row] for row, size in zip(rows, sizes)]
    for k in range(rank):
        norms = [sum(a * a for a in row) ** 0.5 for row in left]
        best = max(norms)
        if best == 0 or k == rank - 1:
            return best
        unit = [a / best for a in left[norms.index(best)]]
        along = [sum(a * b for a, b in zip(row, unit)) for row in left]
        left = [[a - c * b for a, b in zip(row, unit)] for row, c in zip(left, along)]
    return 1.0


class Motion:
    """Gragg's midpoint rule, extrapolated (Bulirsch and Stoer), for q' = v, v' = a(q, v, t)."""

    COUNTS = (2, 4, 6, 8, 12, 16, 24)

    def __init__(self, judge, state):
        self.judge, self.state = judge, dict(state)
        system = judge.system
        self.names = system.coordinates + system.velocities()
        self.half = len(system.coordinates)
        several = [f for c in system.constraints
                   if len(c.factors) > 1 for f in c.factors]
        self.factors = Functions(several)
        self.signs = self.sides()
        first = judge.motion(state)
        self.rank, self.sizes = len(first["chosen"]), [max(map(abs, row)) for row in first["J"]]

    def sides(self):
        """On which side of the other components the state lies: between them all states are singular."""
        return [0 if abs(f) < 1e-3 else 1 if f > 0 else -1 for f in self.factors(self.state)]

    def slope(self, t, y):
        self.state.update(zip(self.names, y))
        self.state["t"] = t
        if self.sides() != self.signs:
            raise Stuck
        found = self.judge.motion(self.state)
        if pivot(found["J"], self.sizes, self.rank) < 1e-3 or max(map(abs, found["a"])) > 1e4:
            raise Stuck
        return y[self.half:] + found["a"]

    def midpoint(self, t, y, size, count):
        h, start = size / count, self.slope(t, y)
        before, now = y, [a + h * b for a, b in zip(y, start)]
        for k in range(1, count):
            moved = self.slope(t + k * h, now)
            before, now = now, [a + 2 * h * b for a, b in zip(before, moved)]
        last = self.slope(t + size, now)
        return [(a + b + h * c) / 2 for a, b, c in zip(before, now, last)]

    def step(self, t, y, size):
        """The new state, or None where the extrapolation does not settle."""
        table = []
        for k, count in enumerate(self.COUNTS):
            row = [self.midpoint(t, y, size, count)]
            for j in range(1, k + 1):
                weight = (count / self.COUNTS[k - j]) ** 2 - 1
                row.append([a + (a - b) / weight for a, b in zip(row[j - 1], table[k - 1][j - 1])])
            table.append(row)
            if k > 2:
                error = max(abs(a - b) / (1 + abs(a)) for a, b in zip(row[-1], row[-2]))
                if error < ERROR:
                    return row[-1]
        return None

    def run(self, t, end):
        y, size = [self.state[n] for n in self.names], STEP
        while t < end - 1e-12:
            size = min(size, end - t)
            try:
                moved = self.step(t, y, size)
            except NOT_DEFINED as error:
                raise Stuck from error
            if moved is None:
                size /= 2
                if size < 1e-4:
                    raise Stuck
                continue
            t, y, size = t + size, moved, size * 1.5
        return y


def spread(judge, state, t, end, final):
    """How far an error grows, of the start or of a place on the way: what flows together first may part later."""
    most = 0
    for part in (0, 0.25, 0.5, 0.75):
        run, begin = Motion(judge, state), t + part * (end - t)
        try:
            here = dict(state, **dict(zip(run.names, run.run(t, begin))), t=begin)
            for name in run.names if part else judge.system.coordinates:
                here[name] += 1e-7
            other = Motion(judge, here).run(begin, end)
        except Stuck:
            return float("inf")
        most = max([most] + [abs(a - b) / 1e-7 for a, b in zip(other, final)])
    return most


def is_singular(judge, state, t):
    """Do the rows lose rank at the time t, by our own motion until then?"""
    run = Motion(judge, state)
    try:
        run.state.update(zip(run.names, run.run(state["t"], t)), t=t)
        rows = judge.mechanics(run.state)["J"]
    except (Stuck, *NOT_DEFINED):
        return True
    return pivot(rows, run.sizes, run.rank) < 1e-2


def text(system, state, end):
    values = ", ".join(f"{n} = {state[n]!r}" for n in system.coordinates + system.velocities())
    return system.text(tail=[f"start {values}", f"simulate t = {state['t']!r} .. {end!r}"])


def compare_motion(case):
    state, _ = case.rng.choice(case.states)
    end = state["t"] + case.rng.choice(SPANS)
    try:
        final = Motion(case.referee, state).run(state["t"], end)
    except Stuck:
        case.count("motions that come near a singular state")
        return
    case.count("motions")
    for kind, system in (("as it is", case.system), ("with redundant rows", case.with_redundant_rows())):
        if system is None:
            continue
        model = text(system, state, end)
        ways = ["--integrator", case.rng.choice(INTEGRATORS), "--engine", case.rng.choice(ENGINES)]
        if system.omegas and not system.velocity_line:  # they may lose their independence on the way
            ways += ["--method", "multipliers"]
        answer = program.ask("simulate", model, *system.settings(state), *ways)
        agree = AGREE
        if "cannot reach the tolerances" in str(answer.get("stopped")):  # then it must reach others
            case.count("motions whose integrator says that its tolerances are too tight")
            answer = program.ask("simulate", model, *system.settings(state), *ways, *LOOSE)
            agree = AGREE_LOOSELY
        for complaint in compare_end(case, answer, state, end, final, agree):
            yield f"simulate {' '.join(ways)}, {kind}: {complaint}\n" + model


def compare_end(case, answer, state, end, final, agree):
    if "error" in answer:
        yield f"{answer['error']}"
    elif answer["stopped"]:
        if is_singular(case.referee, state, answer["stopped"]["t"]):
            case.count("motions that stop at a singular state, rightly")
        else:
            yield f"stopped: {answer['stopped']}"
    else:
        got = answer["final"]["q"] + answer["final"]["qdot"]
        away = max(abs(a - b) / (1 + abs(b)) for a, b in zip(got, final))
        if away > agree and away > agree * spread(case.referee, state, state["t"], end, final):
            yield f"ends at {got}, not {final}"

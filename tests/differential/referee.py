"""What a random system does, by the formulas of mechanics and nothing else: Lagrange's equations with
multipliers, d/dt dT/dv - dT/dq + dV/dq = F + J^T lambda and J a + gamma = 0, solved as they stand."""
from fractions import Fraction

import digits
import matrices
from terms import NOT_DEFINED, Functions, name, rate, slope, total


class NoState(Exception):
    """No admissible state, or none that is clearly regular, was found."""


class Constraint:
    """`what` = 0; `factors`: terms one of which vanishes with it, each a component."""

    def __init__(self, label, what, left=None, right=None, factors=None):
        self.label, self.what = label, what
        self.left, self.right = (what, 0) if left is None else (left, right)
        self.factors = factors or [what]
        self.line = f"constraint {label}: {self.left} = {self.right}"


class System:
    """Coordinates, energies, forces and constraints as terms, and the lines of the model that say so."""

    def __init__(self):
        self.coordinates, self.lines = [], []
        self.values = {}  # of parameters; None: free
        self.positive = []  # parameters that are assumed to be
        self.T = self.V = total([])
        self.F = {}
        self.functions = {}  # of time, left to the command line: their bodies by what is written
        self.constraints = []
        self.omegas = {}  # quasi-velocities or velocity parameters: terms by name
        self.velocity_line = ""

    def velocities(self):
        return [q + "'" for q in self.coordinates]

    def holonomic(self, term):
        return not any("'" in n for n in term.names())

    def on_velocities(self, term):
        """The equation on velocities that it is or has as a consequence."""
        return rate(term, self.coordinates) if self.holonomic(term) else term

    def momenta(self):
        return [slope(self.T, v) for v in self.velocities()]

    def jacobi(self):
        return total(name(v) * p for v, p in zip(self.velocities(), self.momenta())) - self.T + self.V

    def forces(self):
        """Of the free motion: M a = L with L = F - V_q + T_q - p_q v - p_t."""
        result = []
        for q, p in zip(self.coordinates, self.momenta()):
            away = slope(p, "t") + total(slope(p, k) * name(k + "'") for k in self.coordinates)
            result.append(self.F.get(q, 0) - slope(self.V, q) + slope(self.T, q) - away)
        return result

    def text(self, claims=(), tail=()):
        omegas = "quasivelocity " + ", ".join(f"{o} = {form}" for o, form in self.omegas.items())
        speeds = (self.velocity_line or omegas) if self.omegas else ""
        lines = [*self.lines, *(c.line for c in self.constraints), speeds, *tail, *claims]
        return "\n".join(line for line in lines if line) + "\n"

    def settings(self, state):
        """Options that give values to what has none."""
        free = [f"{p}={state[p]!r}" for p, value in self.values.items() if value is None]
        free += [f"{written}={body}" for written, body in self.functions.items()]
        return [word for setting in free for word in ("--set", setting)]


class Referee:
    """Numbers of a system; a state is a dictionary of values by name, parameters included."""

    def __init__(self, system):
        self.system = system
        n, v = len(system.coordinates), system.velocities()
        rows = [system.on_velocities(c.what) for c in system.constraints]
        self.sizes = (n, len(rows))
        M = [slope(p, w) for p in system.momenta() for w in v]
        J = [slope(row, w) for row in rows for w in v]
        gamma = [slope(row, "t") + total(slope(row, q) * name(q + "'") for q in system.coordinates)
                 for row in rows]
        H = system.jacobi()
        power = -slope(system.T - system.V, "t") + total(
            system.F.get(q, 0) * name(q + "'") for q in system.coordinates)
        self.omegas = Functions([e for form in system.omegas.values() for e in
                                 [rate(form, system.coordinates), *(slope(form, w) for w in v)]])
        self.all = Functions([*M, *system.forces(), *J, *gamma, *rows,
                              *(c.what for c in system.constraints), system.T + system.V, H, power])

    def mechanics(self, state, precise=False):
        """All that is needed of a state: M, L, J, gamma, the residuals, T + V, H and the power of what is
        not a constraint."""
        numbers = self.all.precise(state) if precise else self.all(state)
        n, r = self.sizes
        at = 0

        def take(count):
            nonlocal at
            at += count
            return numbers[at - count:at]

        def block(count):
            flat = take(count * n)
            return [flat[i * n:i * n + n] for i in range(count)]

        return {"M": block(n), "L": take(n), "J": block(r), "gamma": take(r),
                "rows": take(r), "residuals": take(r), "energy": take(1)[0], "H": take(1)[0],
                "power": take(1)[0]}

    def motion(self, state, precise=False):
        """Adds accelerations a, reactions R, multipliers (None where rows depend on each other), the rate
        of H, and how far the rows are from another rank."""
        found = self.mechanics(state, precise)
        n = self.sizes[0]
        M, J = found["M"], found["J"]
        chosen, found["least"], found["dropped"] = matrices.independent(J) if J else ([], 1.0, 0.0)
        kkt = [M[i] + [J[c][i] for c in chosen] for i in range(n)]
        kkt += [J[c] + [0] * len(chosen) for c in chosen]
        answer = matrices.solve(kkt, found["L"] + [-found["gamma"][c] for c in chosen])
        found["a"] = answer[:n]
        found["R"] = [force - free for force, free in zip(matrices.times(M, answer[:n]), found["L"])]
        found["chosen"] = chosen
        found["lambda"] = [-y for y in answer[n:]] if len(chosen) == len(J) else None
        v = [state[w] for w in self.system.velocities()]
        found["H'"] = found["power"] + sum(R * w for R, w in zip(found["R"], v))
        return found

    def rates(self, state, found):
        """The rates of the quasi-velocities, and whether these and the constraints are independent."""
        numbers = self.omegas({**state, **{w + "'": a for w, a in
                                           zip(self.system.velocities(), found["a"])}})
        n = self.sizes[0] + 1
        rows = [numbers[i + 1:i + n] for i in range(0, len(numbers), n)]
        chosen, least, _ = matrices.independent(rows + found["J"])
        clear = least > matrices.CLEAR * 10 and len(chosen) == self.sizes[0]
        return dict(zip(self.system.omegas, numbers[::n])), clear


class Component:
    """One choice of factors, one from each constraint: the states on which these vanish."""

    def __init__(self, system, factors):
        self.system, self.factors = system, factors
        holonomic = [f for f in factors if system.holonomic(f)]
        rows = [system.on_velocities(f) for f in factors]
        q, v = system.coordinates, system.velocities()
        self.places = Functions(holonomic + [slope(f, k) for f in holonomic for k in q])
        self.speeds = Functions(rows + [slope(f, k) for f in rows for k in v])
        self.count = (len(holonomic), len(rows))

    def _newton(self, functions, count, names, state, precise):
        n, goal = len(names), 1e-45 if precise else 1e-13
        last = None
        for _ in range(60):
            numbers = functions.precise(state) if precise else functions(state)
            residuals, flat = numbers[:count], numbers[count:]
            if count == 0:
                return
            step = matrices.least_step([flat[i * n:i * n + n] for i in range(count)], residuals)
            size = max(map(abs, step))
            if size > 1e6:
                break
            for k, d in zip(names, step):
                state[k] += d
            if size < goal and (last is not None and size >= last / 4 or size == 0 or precise):
                if float(max(map(abs, residuals))) > 1e-8:
                    break  # rows that contradict each other
                return
            last = size
        raise NoState

    def rank(self, state):
        """Of the factors, which a row may lose where two of them vanish together (the square of one, modulo
        the other rows): such a state is singular, whatever rank the rows have left."""
        n, count = len(self.system.coordinates), self.count[1]
        flat = self.speeds(state)[count:]
        return len(matrices.independent([flat[i * n:i * n + n] for i in range(count)])[0]) if count else 0

    def settle(self, state, precise=False):
        """Moves the state onto the component."""
        try:
            self._newton(self.places, self.count[0], self.system.coordinates, state, precise)
            self._newton(self.speeds, self.count[1], self.system.velocities(), state, precise)
        except NOT_DEFINED as error:
            raise NoState from error
        for n in [] if precise else state:
            if abs(state[n]) < 1e-14:
                state[n] = 0.0  # what is left of a number that the constraints make zero
        return state


def components(system):
    """All choices of factors, as lists of terms."""
    choices = [[]]
    for constraint in system.constraints:
        choices = [chosen + [f] for chosen in choices for f in constraint.factors]
    return [Component(system, chosen) for chosen in choices]


def random_values(system, rng, reach):
    state = {"t": rng.uniform(-reach, reach)}
    for parameter, value in system.values.items():
        state[parameter] = float(value) if value is not None else rng.uniform(0.3, 3)
    for q in system.coordinates:
        state[q], state[q + "'"] = rng.uniform(-reach, reach), rng.uniform(-reach, reach)
    return state


def regular_state(referee, component, rng, reach=2.0, tries=12):
    """A random admissible state of the component, clearly regular and with a motion of ordinary size."""
    for _ in range(tries):
        try:
            state = component.settle(random_values(referee.system, rng, reach))
            found = referee.motion(state)
            rank = component.rank(state)
        except NOT_DEFINED + (NoState,):
            continue
        sizes = [abs(state[n]) for n in state] + [abs(a) / 100 for a in found["a"]]
        rows = [max(map(abs, row)) for row in found["J"]]
        if found["least"] > matrices.CLEAR and found["dropped"] < 1e-11 and max(sizes) < 50 and \
                min(rows, default=1) > 1e-6 and rank == len(found["chosen"]):
            return state, found
    raise NoState


def exactly(state):
    """The same state in decimals."""
    return {k: digits.number(Fraction(x)) for k, x in state.items()}

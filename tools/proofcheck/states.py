"""Does the system have a regular state? A factor that vanishes on the constraints would prove anything, and so would
constraints without states. Searched by Newton's method, in doubles."""
import math
import random

from . import Again
from .expressions import diff, gradient, nodes, substituted
from .model import When
from .points import RealPoint, somewhere, vanishes
from .rings import Reals, rank_of

STATES = 40         # random states from which a regular one is searched
SIZES = (1, 1, 4, 16)  # of the numbers that are drawn
NEARBY = 3          # states near one at which fewer constraints are independent than elsewhere
FORMS = 1000        # attempts to solve a velocity form that is not linear
SMALL = 1e-7        # what counts as zero of a pivot of size 1


def numeric_rank(matrix):
    """Of doubles: pivots of an elimination, rows scaled to 1, the largest pivot first."""
    a, rank = [], 0
    for row in matrix:
        size = max(map(abs, row), default=0)
        a.append([x / size for x in row] if size > SMALL else list(row))
    while a and a[0]:
        i, j = max(((i, j) for i in range(len(a)) for j in range(len(a[0]))), key=lambda ij: abs(a[ij[0]][ij[1]]))
        pivot = a.pop(i)
        if abs(pivot[j]) <= SMALL:
            break
        rank += 1
        a = [[x - row[j] / pivot[j] * y for k, (x, y) in enumerate(zip(row, pivot)) if k != j] for row in a]
    return rank


def least_norm(A, b):
    """x with A x = b and x in the row space, by Gram and Schmidt; rows that add nothing are left out."""
    basis, out = [], [0.0] * len(A[0])
    for row, value in zip(A, b):
        size = math.sqrt(sum(x * x for x in row))
        if size <= SMALL:
            continue
        row, value = [x / size for x in row], value / size
        for q, c in basis:
            along = sum(x * y for x, y in zip(row, q))
            row, value = [x - along * y for x, y in zip(row, q)], value - along * c
        size = math.sqrt(sum(x * x for x in row))
        if size > SMALL:
            basis.append(([x / size for x in row], value / size))
    for q, c in basis:
        out = [x + c * y for x, y in zip(out, q)]
    return out


def least_squares(A, b, damping):
    """x that makes |A x − b|² + damping |x|² least, by elimination in AᵀA + damping."""
    n = len(A[0])
    a = [[sum(row[i] * row[j] for row in A) + damping * (i == j) for j in range(n)] + [sum(row[i] * y for row, y in zip(A, b))]
         for i in range(n)]
    for k in range(n):
        pivot = a[k]  # the matrix is positive definite: no exchange is needed
        if not pivot[k] > 0:
            return [0.0] * n
        for i in range(k + 1, n):
            factor = a[i][k] / pivot[k]
            if factor:
                a[i] = [x - factor * y for x, y in zip(a[i], pivot)]
    out = [0.0] * n
    for k in reversed(range(n)):
        out[k] = (a[k][n] - sum(a[k][j] * out[j] for j in range(k + 1, n))) / a[k][k]
    return out


def equations_of(levels):
    """Positions and velocities alone: what a state satisfies."""
    return [e for level in levels for e in level[:2] if e is not None]


def solve_constraints(model, point, when, levels=None, damped=False):
    """Newton's method from the state of the point; whether it arrived at a solution of all constraints, or of some. Damped
    it is that of Levenberg and Marquardt, for constraints of which fewer are independent at states than elsewhere: from
    everywhere else Newton's steps lead past x'y' = y'z' = z'x' = 0 to rest, which is singular."""
    unknowns = model.coordinates + model.v
    equations = equations_of(model.levels if levels is None else levels) + when.zeros()
    slopes = [gradient(e, unknowns) for e in equations]
    for _ in range(100):
        point.memo.clear()
        rest = [point.eval(e) for e in equations]
        matrix = [[point.eval(s) for s in row] for row in slopes]
        damping = sum(x * x for x in rest)
        step = least_squares(matrix, rest, damping) if damped and damping else least_norm(matrix, rest) if equations else []
        for x, d in zip(unknowns, step):
            point.values[x] = point.value(x) - d
        # at a multiple zero the steps only halve: the last ones show that the gradient vanishes there
        if all(abs(d) < 1e-13 * (1 + abs(point.values[x])) for x, d in zip(unknowns, step)):
            point.memo.clear()
            return all(abs(x) < 1e-9 for x in rest)
    return False


def holds(value, relation, small=0):
    """An assumption `value relation 0`, of a number that is exact up to `small`."""
    return {">": value > 0, ">=": value >= -small, "!=": abs(value) > small}[relation]


def rest_follows(model, point, values):
    """Do all constraints hold at states nearby that satisfy as many of them as are independent at this one? Then the
    admissible states are, here, those of these alone: (x' + 2 y') (y' - z') = 0 beside x' = 0 and y' = 0."""
    kept = []
    for a in range(len(values)):
        if numeric_rank([values[i] for i in kept + [a]]) > len(kept):
            kept.append(a)
    here = dict(point.values)
    unknowns = model.coordinates + model.v
    try:
        for k in range(NEARBY):
            point.values = dict(here)
            for i, x in enumerate(unknowns):
                point.values[x] = point.value(x) + 0.1 * math.sin(1 + 7 * k + 3 * i)
            if not solve_constraints(model, point, When(), [model.levels[a] for a in kept]):
                return False
            if any(abs(point.eval(e)) > 1e-9 for e in equations_of(model.levels)):
                return False
        return True
    finally:
        point.values = here
        point.memo.clear()


def some_state(model, when, generic, size=1, damped=False):
    """A random state, regular and as it is assumed, with its rank; None if what was drawn is none."""
    J, positive = model.J, {e.args[0] for e, relation in model.assumptions if e.op == "symbol" and relation != "!="}
    point = RealPoint(Reals(size), positive)
    try:
        if not solve_constraints(model, point, when, damped=damped):
            return None
        if any(not holds(point.eval(e), relation, SMALL) for e, relation in model.assumptions + when.relations):
            return None
        values = [[point.eval(x) for x in row] for row in J]
        M = [[point.eval(x) for x in row] for row in model.M]
        rank = numeric_rank(values)
        if rank < generic and not rest_follows(model, point, values):
            return None
    except (Again, OverflowError, ValueError, ZeroDivisionError, TypeError):  # a complex power is of another type
        return None
    whole = [row + [values[a][i] for a in range(len(J))] for i, row in enumerate(M)]
    whole += [row + [0.0] * len(J) for row in values]
    return (rank, point) if numeric_rank(whole) >= len(M) + min(rank, generic) else None


def generic_rank(model):
    J = model.J
    return somewhere(lambda point: rank_of([[point.eval(x) for x in row] for row in J])) if J else 0


def regular_state(model, when=When()):
    """Does the system have a regular state that satisfies what it assumes, and the conditions? One of them."""
    if model.psi and not model.constraints:
        return True  # the matrix of a random point is looked at with the proof
    generic, best, most = generic_rank(model), False, -1
    for k in range(2 * STATES):  # ordinary ones first; conditions may ask for others
        found = some_state(model, when, generic, *(SIZES[k % len(SIZES)],) * (k >= STATES // 2))
        if found and found[0] > most:
            most, best = found
        if most >= generic:
            break
    return best if best or not model.J else next((point for _, point in damped_states(model, when, generic)), False)


def damped_states(model, when, generic):
    found = (some_state(model, when, generic, SIZES[k % len(SIZES)], True) for k in range(STATES // 2))
    return (state for state in found if state)


def regular_states(model, when=When()):
    """Many of them, with their ranks: on components with other ranks, too."""
    generic = generic_rank(model)
    found = (some_state(model, when, generic, SIZES[k % len(SIZES)]) for k in range(STATES))
    return [state for state in found if state] or list(damped_states(model, when, generic))


def exist(point, expressions):
    try:
        return all(not isinstance(point.eval(e), complex) for e in expressions)
    except (Again, OverflowError, ValueError, ZeroDivisionError, TypeError):
        return False


def gives_all_velocities(model):
    """Is there at regular states, of other components too, always a z with ψ(q, z, t) = v?"""
    slopes = [gradient(model.psi[q], model.speeds) for q in model.coordinates]

    def rest(point):
        point.memo.clear()
        return [point.eval(model.psi[q]) - point.value(v) for q, v in zip(model.coordinates, model.v)]

    def is_solved(point, k):
        size = 1 + max(abs(point.value(v)) for v in model.v)
        for z in model.speeds:  # of all sizes, one held at first: a pivot may be far away
            point.values[z] = point.ring.random() * 4.0 ** random.uniform(-(k % 12), k % 12)
        left, held = rest(point), random.choice(model.speeds)
        for turn in range(50):
            if max(map(abs, left)) < 1e-8 * size:
                return True
            A = [[point.eval(s) if turn > 1 or z != held else 0.0 for s, z in zip(row, model.speeds)] for row in slopes]
            scale = [max(map(abs, column)) or 1 for column in zip(*A)]
            A = [[x / y for x, y in zip(row, scale)] for row in A]
            step = [x / y for x, y in zip(least_norm(*whole_rows(A, left)), scale)]
            before, share = [point.value(z) for z in model.speeds], 1.0
            for _ in range(6):  # a step that makes it worse is too long
                for z, x, d in zip(model.speeds, before, step):
                    point.values[z] = x - share * d
                new = rest(point)
                if max(map(abs, new)) < max(map(abs, left)):
                    break
                share /= 4
            left = new
        return False

    def is_given(point):
        for k in range(FORMS):
            try:
                if is_solved(point, k):
                    return True
            except (Again, ArithmeticError, ValueError):  # cosh of what is large
                continue
        return False
    return all(is_given(point) for _, point in regular_states(model))


def whole_rows(A, b):
    """AᵀA and Aᵀb: more equations than unknowns."""
    columns = list(zip(*A))

    def product(u, v):
        return sum(x * y for x, y in zip(u, v))
    return [[product(u, v) for v in columns] for u in columns], [product(u, b) for u in columns]


def says_it_always(model, e):
    """Does it say something whatever the free parameters and functions are? Where no slope by a velocity holds one, nor a
    constraint, and these slopes alone are no combination of the constraints'."""
    def has_free(roots):
        return any(x.op in ("symbol", "function") and model.is_value(x) for x in nodes(roots))
    slopes, rows = gradient(e, model.v), equations_of(model.levels)
    if not has_free([e] + rows):
        return True
    if has_free(slopes + rows) or (model.psi and not model.constraints):
        return False
    by_rows = [[model.regular.eval(s) for s in gradient(c, model.v)] for c in rows]
    return numeric_rank(by_rows + [[model.regular.eval(s) for s in slopes]]) > numeric_rank(by_rows)


def says_something(model, e):
    """Is e not constant on the constraints alone: at a regular state, of one component at least, its gradient is no
    combination of theirs."""
    if model.psi and not model.constraints:
        e = substituted(e, {x: model.psi[q] for q, x in zip(model.coordinates, model.v)})
        return any(not vanishes(diff(e, x)) for x in model.coordinates + model.speeds)
    unknowns, rows = model.coordinates + model.v, equations_of(model.levels)
    if any(z in e.symbols for z in model.speeds):  # in the parameters of the velocities, which are free at a place
        e = substituted(e, {x: model.psi[q] for q, x in zip(model.coordinates, model.v)})
        unknowns, rows = model.coordinates + model.speeds, [level[0] for level in model.levels if level[0] is not None]

    def at(point):
        slopes = [[point.eval(s) for s in gradient(c, unknowns)] for c in rows]
        return numeric_rank(slopes + [[point.eval(s) for s in gradient(e, unknowns)]]) > numeric_rank(slopes)
    if at(model.regular):
        return True
    generic = generic_rank(model)
    others = (some_state(model, When(), generic) for _ in range(STATES))
    return any(found and at(found[1]) for found in others)

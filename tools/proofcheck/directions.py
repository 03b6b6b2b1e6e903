"""Claims about directions: ranks and brackets at a rational place and at random points."""
from fractions import Fraction

from . import Unchecked, Wrong
from .expressions import ONE, ZERO, diff, gradient, nodes, symbol, total
from .points import Point, SIGNED, primes_for, refine, somewhere, uses_signs, vanishes
from .rings import Rationals, rank_of

MOST = 6            # constraints, by Cramer's rule


def symbolic_determinant(matrix):
    if not matrix:
        return ONE
    return total((-1) ** j * x * symbolic_determinant([row[:j] + row[j + 1:] for row in matrix[1:]])
                 for j, x in enumerate(matrix[0]) if x is not ZERO)


class Directions:
    """The velocities that constraints a(q)·q' = 0 allow, as vector fields."""

    def __init__(self, model, constraints, alone):
        self.m, self.q, self.alone = model, model.coordinates, alone
        rows = [model.levels[i][1] for i in constraints]
        J = [gradient(c, model.v) for c in rows]
        for c, row in zip(rows, J):
            parts = total(a * symbol(x) for a, x in zip(row, model.v))
            if not all(vanishes(s) for a in row for s in gradient(a, model.v + ["t"])) or not vanishes(c - parts):
                raise Wrong("a constraint is not linear and homogeneous in the velocities")
        entries = [x for row in J for x in row]
        if any(e.op in ("symbol", "function") and model.is_value(e) for e in nodes(entries)):
            raise Unchecked("ranks for special values of the parameters are not looked at here")
        refine(entries)
        self.signed, self.primes = uses_signs(entries), primes_for(entries)
        values = somewhere(lambda point: [[point.eval(x) for x in row] for row in J])
        kept = [i for i in range(len(J)) if rank_of(values[:i + 1]) > rank_of(values[:i])]
        columns = list(zip(*(values[i] for i in kept)))
        pivots = [j for j in range(len(self.q)) if rank_of(columns[:j + 1]) > rank_of(columns[:j])]
        if len(kept) > MOST:
            raise Unchecked("there are too many constraints to be checked")
        self.fields = []
        square = [[J[i][j] for j in pivots] for i in kept]
        det = symbolic_determinant(square)
        for free in range(len(self.q)):
            if free in pivots:
                continue
            field = [ZERO] * len(self.q)
            field[free] = det  # and by Cramer's rule:
            for k, j in enumerate(pivots):
                field[j] = -symbolic_determinant([row[:k] + [J[i][free]] + row[k + 1:] for i, row in zip(kept, square)])
            self.fields.append(field)

    def bracket(self, X, Y):
        return [total(X[j] * diff(Y[i], q) - Y[j] * diff(X[i], q) for j, q in enumerate(self.q))
                for i in range(len(self.q))]

    def growth(self, point):
        """Dimensions of D, D + [D, D], … at a point; of D alone where no more is asked."""
        values, newest, out = [], self.fields, []
        while True:
            kept = []
            for X in newest:
                row = [point.eval(x) for x in X]
                if rank_of(values + [row]) > len(values):
                    values.append(row)
                    kept.append(X)
            if not kept:
                return out
            out.append(len(values))
            if self.alone:
                return out
            newest = [self.bracket(X, Y) for X in self.fields for Y in kept]


def check_directions(model, claim, proof):
    """The ranks at the certificate's rational place, where minors that are not zero prove them from below, and
    at random points, where they would be larger if they were larger anywhere."""
    named = claim.e if claim.says in ("holonomic", "nonholonomic") else range(len(model.constraints))
    if not model.constraints or any(model.levels[i][0] is not None or model.levels[i][1] is None for i in named):
        raise Wrong("the constraints are not all on velocities")
    d = Directions(model, list(named), claim.says == "rank")
    place = Point(Rationals())
    if set(proof["place"]) != set(d.q):
        raise Wrong("the place does not have every coordinate, or others")
    for name, (value, tangent) in proof["place"].items():
        place.values[name] = Fraction(value)
        place.turns[symbol(name)] = place.circle(Fraction(tangent))
    try:
        growth = d.growth(place)
    except Unchecked:  # a root is not rational there: a minor that is not zero in a field is not zero, either
        growth = somewhere(d.growth)
    for i in range(SIGNED if d.signed else len(d.primes)):  # |y| has one sign at half of the points
        if somewhere(d.growth, d.primes[i % len(d.primes)]) != growth:
            raise Wrong("the ranks at the place are not those of a general one")
    answer = {"rank": [len(d.q) - growth[0] if growth else len(d.q)] == claim.e, "growth": growth == claim.e,
              "accessible": growth[-1:] == claim.e, "holonomic": len(growth) <= 1, "nonholonomic": len(growth) > 1}
    if not answer.get(claim.says):
        raise Wrong(f"the growth vector is {growth}")

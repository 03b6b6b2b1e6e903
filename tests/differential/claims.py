"""Claims of known truth about a random system."""
from fractions import Fraction

import terms
from rewriting import half_truths, identities, mutate, rewrite, split
from terms import NOT_DEFINED, Functions, name, number, rate, slope, total, written

ROUNDING = 1e-14  # relative to the summands: more may be a difference
VIOLATED = 1e-40  # and is one if it is still there in 60 digits
NOTICEABLE = 1e-6  # a difference that no random state of ordinary size should miss
SHARE = 0.25  # of the states of a component on which a noticeable one is to be seen


def first(pair):
    return pair[0]


class Claim:
    """`true` or not; `plain` false ones may not even be said to hold at random states."""

    def __init__(self, how, left=None, right=None, words=None, true=None):
        self.how, self.left, self.right, self.words, self.true = how, left, right, words, true
        self.plain, self.refute = False, False
        if left is not None:
            self.difference = Functions([left, right, terms.magnitude(left) + terms.magnitude(right)])

    def says(self):
        return self.words or f"{self.left} = {self.right}"

    def line(self, label):
        return f'{"refute" if self.refute else "claim"} "{label}": {self.says()}'

    def apart(self, values, precise=False):
        left, right, _ = (self.difference.precise if precise else self.difference)(values)
        return abs(left - right)

    def gap(self, values, precise=False):
        """left - right, relative to the summands; None where a side is not defined."""
        try:
            left, right, size = (self.difference.precise if precise else self.difference)(values)
            return abs(left - right) / size if size else abs(left - right)
        except NOT_DEFINED:
            return None


def surroundings(system, state, found):
    """The values of everything that a claim may name."""
    values = dict(state)
    for q, a, R in zip(system.coordinates, found["a"], found["R"]):
        values[q + "''"], values[f"reaction[{q}]"] = a, R
    for k, force in enumerate(found["lambda"] or []):
        values[f"lambda[{k + 1}]"] = force
    return values


class Claims:
    """Makes claims about one system; `samples` are surroundings by component,
    `precisely` has them in decimals."""

    def __init__(self, system, rng, samples, precisely):
        self.system, self.rng, self.samples, self.precisely = system, rng, samples, precisely
        self.unique = not samples or "lambda[1]" in samples[0][0]
        self.state_names = system.coordinates + system.velocities()
        self.rows = [system.on_velocities(c.what) for c in system.constraints]

    def judge(self, claim):
        """Sets the truth from the samples; None where they leave it open."""
        worst = None
        for k, samples in enumerate(self.samples):
            gaps = [(gap, values) for values in samples if (gap := claim.gap(values)) is not None]
            if gaps and (worst is None or max(gaps, key=first)[0] > worst[0]):
                worst = *max(gaps, key=first), k
            if sum(gap > NOTICEABLE and claim.apart(values) > NOTICEABLE for gap, values in gaps) > \
                    SHARE * len(gaps):
                claim.plain = True
        if worst and worst[0] > ROUNDING:
            exact = self.precisely(worst[1], worst[2])
            if (claim.gap(exact, precise=True) or 0) > VIOLATED < claim.apart(exact, precise=True):
                claim.true = False
        return claim

    def factor(self):
        """Something to multiply with that does not vanish everywhere."""
        x = name(self.rng.choice(self.state_names))
        return self.rng.choice([number(1), number(3), x, 1 + x ** 2, terms.sin(x) + 2, x - 1])

    def consequence(self):
        rows = [c.what for c in self.system.constraints] + self.rows
        chosen = self.rng.sample(rows, min(len(rows), self.rng.choice([1, 2])))
        return total(self.factor() * row for row in chosen)

    def accelerated(self):
        row = self.rng.choice(self.rows)
        what = rate(row, self.system.coordinates)
        return self.factor() * (written(f"der({row})", what) if self.rng.random() < 0.5 else what)

    def on_components(self):
        """A product that vanishes because on each component one factor does."""
        several = [c for c in self.system.constraints if len(c.factors) > 1]
        constraint = self.rng.choice(several)
        first, *others = self.rng.sample(constraint.factors, len(constraint.factors))
        moved = rate(self.system.on_velocities(first), self.system.coordinates)
        result = moved if self.rng.random() < 0.6 else self.system.on_velocities(first)
        for other in others:
            result = result * other
        return result

    def equations(self):
        """Lagrange's equation of one coordinate with its reaction."""
        system = self.system
        k = self.rng.randrange(len(system.coordinates))
        q, p = system.coordinates[k], system.momenta()[k]
        moved = rate(p, system.coordinates)
        moved = written(f"der({p})", moved) if self.rng.random() < 0.5 else moved
        return moved - slope(system.T, q) + slope(system.V, q) - system.F.get(q, 0) - \
            name(f"reaction[{q}]")

    def reactions(self):
        k = self.rng.randrange(len(self.system.coordinates))
        v = self.system.velocities()[k]
        return name(f"reaction[{self.system.coordinates[k]}]") - total(
            name(f"lambda[{a + 1}]") * slope(row, v) for a, row in enumerate(self.rows))

    def balance(self):
        system = self.system
        H = written("der(jacobi)", rate(system.jacobi(), system.coordinates))
        return H + slope(system.T - system.V, "t") - total(
            (system.F.get(q, 0) + name(f"reaction[{q}]")) * name(q + "'") for q in system.coordinates)

    def solved(self):
        """The acceleration of a coordinate from the constraints' one row and a constant diagonal M."""
        system, v = self.system, self.system.velocities()
        masses = [slope(p, w) for p, w in zip(system.momenta(), v)]
        row, L = self.rows[0], system.forces()
        J = [slope(row, w) for w in v]
        gamma = slope(row, "t") + total(slope(row, q) * name(q + "'") for q in system.coordinates)
        G = total(j ** 2 / m for j, m in zip(J, masses))
        force = -(total(j * f / m for j, f, m in zip(J, L, masses)) + gamma) / G
        k = self.rng.randrange(len(v))
        return (L[k] + J[k] * force) / masses[k] - name(v[k] + "'")

    def is_simple(self):
        system, v = self.system, self.system.velocities()
        bound = set(system.coordinates) | set(v) | {"t"}
        M = [[slope(p, w) for w in v] for p in system.momenta()]
        return len(self.rows) == 1 and all(
            not M[i][j].names() & bound and (i == j or terms.is_number(M[i][j], 0))
            for i in range(len(v)) for j in range(len(v)))

    def kinetic(self):
        """T in other words: as a function of all velocities."""
        return written("kinetic", self.system.T) - rewrite(self.system.T, self.rng, self.state_names)

    def trues(self):
        """Makers of things that vanish."""
        makers = [self.balance, self.equations]
        if self.rows:
            makers += [self.consequence, self.consequence, self.accelerated, self.equations]
            if self.unique:
                makers.append(self.reactions)
        if any(len(c.factors) > 1 for c in self.system.constraints):
            makers += [self.on_components] * 2
        if self.is_simple():
            makers += [self.solved] * 3
        return makers

    def true(self):
        maker = self.rng.choice(self.trues())
        what = maker()
        if self.rng.random() < 0.6:
            what = rewrite(what, self.rng, self.state_names, 0.06)
        left, right = split(what, self.rng)
        return Claim(maker.__name__, left, right, true=True)

    def mutated(self):
        maker = self.rng.choice(self.trues())
        left, right = split(maker(), self.rng)
        left, right, how = mutate(left, right, self.rng, self.state_names)
        return self.judge(Claim(f"{maker.__name__}, {how}", left, right))

    def identity(self):
        x, y = (name(n) for n in self.rng.sample(self.state_names, 2))
        return Claim("identity", *self.rng.choice(identities(x, y)), true=True)

    def half_true(self):
        x, y = (name(n) for n in self.rng.sample(self.state_names, 2))
        pairs = half_truths(x, y)
        k = self.rng.randrange(len(pairs))
        return self.judge(Claim(f"half true {k}", *pairs[k]))

    def one_component(self):
        """What holds on one component only."""
        several = [c for c in self.system.constraints if len(c.factors) > 1]
        if not several:
            return self.mutated()
        what = self.system.on_velocities(self.rng.choice(self.rng.choice(several).factors))
        if self.rng.random() < 0.5:
            what = rate(what, self.system.coordinates)
        return self.judge(Claim("one component", *split(self.factor() * what, self.rng)))

    def tiny(self):
        """A polynomial in coordinates that nothing binds, with a coefficient near zero: to be refuted."""
        bound = set().union(*[c.what.names() for c in self.system.constraints if
                              self.system.holonomic(c.what)])
        free = [q for q in self.system.coordinates if q not in bound]
        if not free:
            return self.half_true()
        x, y = name(self.rng.choice(free)), name(self.rng.choice(free))
        left = x * y * (1 + Fraction(1, 10 ** self.rng.choice([9, 15, 30])))
        claim = Claim("tiny", left, x * y, true=False)
        claim.plain = True
        return claim

    def kinetic_true(self):
        claim = Claim("kinetic", *split(self.kinetic(), self.rng), true=True)
        return claim

    def kinetic_false(self):
        """T changed by what vanishes on the constraints: another function."""
        T = self.system.T
        change = self.factor() * self.rng.choice(self.rows) if self.rows else name(self.state_names[-1])
        claim = Claim("kinetic, on the constraints", written("kinetic", T), T + change, true=False)
        claim.plain = True
        return claim

    def word(self, found):
        """Words with their truth, as the referee found it: pairs of words and truth."""
        words, true = self.rng.choice(found)
        claim = Claim("words", words=words, true=true)
        claim.plain = not true
        return claim

    def make(self, count, words):
        """A mixed list; those whose truth the samples leave open are dropped."""
        makers = [self.true, self.true, self.mutated, self.mutated, self.identity, self.half_true,
                  self.one_component, self.tiny, self.kinetic_true, self.kinetic_false]
        if words:
            makers.append(lambda: self.word(words))
        made = []
        self.rng.shuffle(makers)
        for maker in makers[:count]:
            claim = maker()
            if claim.true is None or len(claim.says()) > 1200:
                continue
            claim.refute = self.rng.random() < 0.3
            made.append(claim)
        return made

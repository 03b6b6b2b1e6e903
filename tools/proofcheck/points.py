"""The value of a formula at a random point: of a prime field, a line, rational or real."""
import decimal
import math
from fractions import Fraction

from . import Again, Unchecked, Wrong
from .expressions import Expr, ONE, is_number, nodes, num, symbol
from .rings import Decimals, Field, PRIMES, drawn_primes, small_rational

POINTS = 3          # random points at which functions are compared
SIGNED = 40         # the same where roots and absolute values are: there a false sign passes half of the points
TRIES = 400         # random points until all roots exist
LARGEST = 10 ** 4   # of an exponent that is a number

# ---- Arguments of sines and exponentials, as sums of atoms ---------------------------------------------

form_memo, atom_memo, atoms = {}, {}, []


def linear_form(e):
    """{atom: rational}, e = Σ rational·atom; atoms that are multiples of each other are one."""
    if e.id not in form_memo:
        out = {}
        for atom, c in terms_of(e).items():
            atom, by = representative(atom)
            out[atom] = out.get(atom, 0) + c * by
        form_memo[e.id] = {atom: c for atom, c in out.items() if c}
    return form_memo[e.id]


def terms_of(e):
    """{atom: rational} as it is written; the number 1 is an atom."""
    if is_number(e):
        return {ONE: e.args[0]} if e.args[0] else {}
    a = e.args
    if e.op == "+":
        out = dict(terms_of(a[0]))
        for atom, c in terms_of(a[1]).items():
            out[atom] = out.get(atom, 0) + c
        return {k: c for k, c in out.items() if c}
    if e.op == "*" and is_number(a[0]):
        return {k: c * a[0].args[0] for k, c in terms_of(a[1]).items()}
    if e.op in ("*", "/") and is_number(a[1]) and a[1].args[0]:
        q = a[1].args[0] if e.op == "*" else 1 / a[1].args[0]
        return {k: c * q for k, c in terms_of(a[0]).items()}
    if e.op in ("*", "/"):
        number, product = product_form(e)
        if number != 1:
            return {product: number}
    return {e: Fraction(1)}


def product_form(e):
    """number × the product without its numbers, factors in one order."""
    numbers, factors, stack = Fraction(1), {}, [(e, 1)]
    while stack:
        f, sign = stack.pop()
        if f.op in ("*", "/"):
            stack += [(f.args[0], sign), (f.args[1], sign if f.op == "*" else -sign)]
        elif is_number(f) and f.args[0]:
            numbers *= f.args[0] ** sign
        elif f.op == "^" and is_number(f.args[1]) and f.args[1].args[0].denominator == 1 and f.args[0].op != "^":
            stack.append((f.args[0], sign * int(f.args[1].args[0])))
        else:
            factors[f] = factors.get(f, 0) + sign
    out = ONE
    for f in sorted(factors, key=lambda g: g.id):
        if factors[f]:
            out = out * f ** factors[f]
    return numbers, out


def representative(atom):
    """(b, c) with atom = c·b: the same function as a symbol in it, or as an atom before, but for a number."""
    if atom.op not in ("*", "/", "^"):
        return atom, Fraction(1)
    if atom.id not in atom_memo:
        known = [symbol(name) for name in sorted(atom.symbols)] + atoms
        found = [(b, c) for b, c in ((b, multiple(atom, b)) for b in known) if c]
        atom_memo[atom.id] = found[0] if found else (atom, Fraction(1))
        if not found:
            atoms.append(atom)
    return atom_memo[atom.id]


def multiple(a, b):
    """The number c with a = c·b at all trial points where both are defined, and enough of them; or None."""
    pairs = [(x, y) for x, y in zip(trial(a), trial(b)) if x and y]
    if len(pairs) < Trial.ENOUGH:
        return None
    x, y = pairs[0]
    c = small_rational((x / y).v, x.p)
    return c if c is not None and all(x * c.denominator == y * c.numerator for x, y in pairs) else None


def trial(e):
    """Values of e at the trial points, None where it has none."""
    if e.id not in Trial.memo:
        Trial.memo[e.id] = [point.try_eval(e) for point in Trial.points()]
    return Trial.memo[e.id]


def refine(roots):
    """Finds into how many parts each angle and exponent is divided in these expressions."""
    for e in nodes(roots):
        if e.op in ("sin", "cos", "tan", "exp", "sinh", "cosh", "tanh") or (e.op == "^" and not is_number(e.args[1])):
            for atom, c in linear_form(e.args[-1]).items():
                Point.fineness[atom] = math.lcm(Point.fineness.get(atom, 1), c.denominator)


# ---- Points of a field ------------------------------------------------------------------------------------

class Point:
    """Random values of symbols, angles, exponentials, unspecified functions; in a field or on a line.

    An angle's cosine and sine are a random point of the circle, independent of the angle itself."""
    fineness = {}  # of angles and exponents: the random point is that of angle/fineness
    most = 500     # multiples of an angle

    def __init__(self, ring, positive=()):
        self.ring, self.positive, self.memo = ring, positive, {}
        self.values, self.turns, self.exps, self.unknowns = {}, {}, {}, {}

    def value(self, name):
        if name not in self.values:
            x = self.ring.random()
            self.values[name] = x * x if name in self.positive else x
        return self.values[name]

    def eval(self, e):
        if e.id not in self.memo:
            self.memo[e.id] = self.compute(e)
        return self.memo[e.id]

    def compute(self, e):
        a, op = e.args, e.op
        if op == "number":
            return self.ring.number(a[0])
        if op == "symbol":
            return self.value(a[0])
        if op == "+":
            return self.eval(a[0]) + self.eval(a[1])
        if op == "*":
            return self.eval(a[0]) * self.eval(a[1])
        if op == "/":
            return self.eval(a[0]) / self.eval(a[1])
        if op == "^":
            return self.power(a[0], a[1])
        if op in ("sin", "cos", "tan"):
            c, s = self.angle(a[0])
            return c if op == "cos" else s if op == "sin" else s / c
        if op in ("exp", "sinh", "cosh", "tanh"):
            x = self.exponential(a[0])
            return {"exp": lambda: x, "sinh": lambda: (x - 1 / x) / 2, "cosh": lambda: (x + 1 / x) / 2,
                    "tanh": lambda: (x * x - 1) / (x * x + 1)}[op]()
        if op == "abs":
            return self.ring.absolute(self.eval(a[0]))
        if op == "sign":
            return self.sign(a[0])
        return self.unknown(op, *(self.eval(x) if isinstance(x, Expr) else x for x in a))

    def unknown(self, *key):
        """π, log, inverse functions, unspecified ones: the same of the same arguments, nothing else is known."""
        if key not in self.unknowns:
            self.unknowns[key] = self.ring.random()
        return self.unknowns[key]

    def sign(self, arg):
        """Beside its switch: the checker notes that nothing was seen of the switch."""
        x = self.eval(arg)
        return self.ring.absolute(x) / x

    def is_positive(self, x):
        """Surely?"""
        try:
            return self.ring.absolute(x) == x
        except Unchecked:
            return False

    def power(self, base, exponent):
        if not is_number(exponent):
            return self.exponential(exponent, self.eval(base))
        n, x = exponent.args[0], self.eval(base)
        if abs(n.numerator) > LARGEST or n.denominator > LARGEST:
            raise Unchecked("an exponent is too large")
        if n.denominator > 1:
            x = self.ring.root(x, n.denominator)
        return x ** n.numerator if n >= 0 else 1 / x ** -n.numerator

    # -- angles, as points (cosine, sine) of the circle

    def circle(self, tau):
        below = 1 + tau * tau
        return (1 - tau * tau) / below, 2 * tau / below

    @staticmethod
    def rotate(a, b):
        return a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]

    def turned(self, a, n):
        """n times the angle of a."""
        if n < 0:
            a, n = (a[0], -a[1]), -n
        out = (self.ring.number(1), self.ring.number(0))
        while n:
            if n & 1:
                out = self.rotate(out, a)
            a, n = self.rotate(a, a), n >> 1
        return out

    def angle(self, arg):
        out = self.turned((0, 0), 0)
        for atom, c in linear_form(arg).items():
            if atom.op in ("atan2", "atan", "asin", "acos"):
                unit, n = self.inverse_angle(atom), c
            else:
                unit, n = self.unit(atom), c * self.parts_of(atom)
            if n.denominator != 1 or abs(n) > self.most:
                raise Unchecked("an angle is divided too finely")
            out = self.rotate(out, self.turned(unit, int(n)))
        return out

    def inverse_angle(self, atom):
        """cos and sin of atan2(y, x), atan u, asin u, acos u."""
        u = self.eval(atom.args[0])
        if atom.op in ("atan2", "atan"):
            x = self.eval(atom.args[1]) if atom.op == "atan2" else self.ring.number(1)
            r = self.ring.root(x * x + u * u, 2)
            return x / r, u / r
        v = self.ring.root(1 - u * u, 2)
        return (v, u) if atom.op == "asin" else (u, v)

    def parts_of(self, atom):
        known = self.fineness.get(atom, 1)
        return 12 if atom.op == "pi" and 12 % known == 0 else known

    def unit(self, atom):
        """cos and sin of the angle divided into its parts."""
        if atom not in self.turns:
            number, root = self.ring.number, self.ring.root
            if atom.op == "pi" and 12 % self.fineness.get(atom, 1):
                self.turns[atom] = self.part_of_circle(2 * self.fineness[atom])
            elif atom.op == "pi":  # 15° = 60° − 45°
                both = root(number(2), 2) / 2
                self.turns[atom] = self.rotate((number(1) / 2, root(number(3), 2) / 2), (both, -both))
            else:
                self.turns[atom] = self.circle(self.ring.random())
        return self.turns[atom]

    def part_of_circle(self, n):
        """A turn of the order n, any of them."""
        p = self.ring.p
        if (p + 1) % n:
            raise Unchecked("π is divided too finely")
        plain = Point(Field(p))
        while True:
            w = plain.turned(plain.circle(plain.ring.random()), (p + 1) // n)
            if all(plain.turned(w, n // q) != (1, 0) for q in range(2, n + 1) if n % q == 0):
                return tuple(self.ring.number(x.v) for x in w)

    # -- exponentials

    def exponential(self, arg, key=None):
        out = self.ring.number(1)
        for atom, c in linear_form(arg).items():
            if key is None and atom.op == "log":  # exp(c log u) = u^c
                out = out * self.power(atom.args[0], num(c))
                continue
            if (key, atom) not in self.exps:
                x = self.ring.random()
                self.exps[key, atom] = x * x if key is None or self.is_positive(key) else x  # x^n is x for n = 1
            n = c * self.fineness.get(atom, 1)
            if n.denominator != 1 or abs(n) > self.most:
                raise Unchecked("an exponent is divided too finely")
            x = self.exps[key, atom] ** abs(int(n))
            out = out * x if n > 0 else out / x
        return out


class Odd(Point):
    """Here `sign` is any odd function: what holds for it holds at the switch, too."""

    def sign(self, arg):
        form = linear_form(arg)
        if not form:
            return self.ring.number(0)
        x = self.eval(arg) / self.ring.number(abs(form[min(form, key=lambda atom: atom.id)]))  # a positive factor
        return self.unknown("sign", x) if x.v < (-x).v else -self.unknown("sign", -x)


class Trial(Point):
    """Points at which atoms of angles and exponents are compared: all are divided into as many parts."""
    COUNT, ENOUGH, PARTS = 80, 12, 5040
    most, memo, made = 10 ** 6, {}, []

    class fineness:
        get = staticmethod(lambda atom, one: 1 if atom.op == "pi" else Trial.PARTS)

    @classmethod
    def points(cls):
        if not cls.made:
            primes = drawn_primes(())
            cls.made += [cls(Field(primes[i % len(primes)])) for i in range(cls.COUNT)]
        return cls.made

    def try_eval(self, e):
        try:
            return self.eval(e)
        except (Again, ZeroDivisionError, Unchecked):
            return None


# ---- Real points --------------------------------------------------------------------------------------------

class RealPoint(Point):
    """Here angles and exponents have the values that their symbols say; unspecified functions are sines of all their arguments:
    Newton's method follows their slopes."""

    def angle(self, arg):
        x = self.eval(arg)
        return self.series(x, 0), self.series(x, 1)

    def series(self, x, n):
        return math.sin(x) if n else math.cos(x)

    def exponential(self, arg, key=None):
        return math.exp(self.eval(arg)) if key is None else super().exponential(arg, key)

    def sign(self, arg):
        x = self.eval(arg)
        return self.ring.number((x > 0) - (x < 0))

    def compute(self, e):
        if e.op == "pi":
            return math.pi
        if e.op in ("log", "asin", "acos", "atan", "atan2"):
            return getattr(math, e.op)(*(self.eval(a) for a in e.args))
        if e.op == "function":
            return self.sample(e)
        if e.op == "^" and not is_number(e.args[1]):
            return self.eval(e.args[0]) ** self.eval(e.args[1])
        return super().compute(e)

    def sample(self, e):
        """f = sin(φ + Σ kᵢ xᵢ) with random kᵢ and φ; its derivatives."""
        name, orders, args = e.args[0], e.args[1], e.args[2:]
        x, factor = self.unknown(name), self.ring.number(1)
        for i, (n, arg) in enumerate(zip(orders, args)):
            k = self.unknown(name, i)
            x, factor = x + k * self.eval(arg), factor * k ** n
        turn = sum(orders) % 4
        return factor * self.series(x, 1 if turn % 2 == 0 else 0) * (1 if turn < 2 else -1)


class Precise(RealPoint):
    """The same with many digits."""

    def angle(self, arg):
        x = self.eval(arg)
        if abs(x) > 50:  # the series would lose its digits
            raise Again
        return self.series(x, 0), self.series(x, 1)

    def series(self, x, n):
        """Σ (−1)^k x^(2k + n)/(2k + n)!: cosine and sine."""
        term, out = x if n else decimal.Decimal(1), decimal.Decimal(0)
        while abs(term) > Decimals.SMALL ** 2:
            out += term
            term *= -x * x / ((n + 1) * (n + 2))
            n += 2
        return out

    def arctangent(self, y, x):
        """atan2(y, x) by tan(φ/2) = y/(r + x), halved until the series converges quickly."""
        r = (x * x + y * y).sqrt()
        if y == 0 and x <= 0:
            raise Again
        u, factor = y / (r + x), 2
        for _ in range(8):
            u, factor = u / (1 + (1 + u * u).sqrt()), 2 * factor
        term, out, n = u, decimal.Decimal(0), 1
        while abs(term) > Decimals.SMALL ** 2:
            out += term / n
            term, n = -term * u * u, n + 2
        return factor * out

    def exponential(self, arg, key=None):
        x = self.eval(arg)
        return x.exp() if key is None else key ** x

    def compute(self, e):
        one = decimal.Decimal(1)
        if e.op == "pi":
            return 4 * self.arctangent(one, one)
        if e.op not in ("log", "asin", "acos", "atan", "atan2"):
            return super().compute(e)
        x = self.eval(e.args[0])
        if e.op == "log":
            return x.ln()
        if e.op in ("atan2", "atan"):
            return self.arctangent(x, self.eval(e.args[1]) if e.op == "atan2" else one)
        other = (one - x * x).sqrt()
        return self.arctangent(x, other) if e.op == "asin" else self.arctangent(other, x)


# ---- Questions at random points ----------------------------------------------------------------------------

def uses_signs(roots):
    """Are there roots or absolute values, where the field sees signs at half of its points only?"""
    return any(e.op in ("abs", "sign") or (e.op == "^" and is_number(e.args[1]) and e.args[1].args[0].denominator > 1)
               for e in nodes(roots))


def primes_for(roots):
    """Primes for comparing these: where there are signs, such that the numbers in them are positive."""
    if not uses_signs(roots):
        return PRIMES
    numbers = [e.args[0] for e in nodes(roots) if is_number(e) and e.args[0]]
    return drawn_primes([abs(n) for q in numbers for n in (q.numerator, q.denominator)])


def uses_unknown(roots):
    """Are there functions of which the field does not know everything that is true of real numbers?"""
    def beyond(e):
        if e.op in ("sin", "cos", "tan", "exp", "sinh", "cosh", "tanh"):
            return any(atom.op not in ("number", "symbol", "pi") for atom in terms_of(e.args[0]))
        return e.op in ("log", "asin", "acos", "atan", "atan2", "function") or \
            (e.op == "^" and not is_number(e.args[1]))
    return uses_signs(roots) or any(beyond(e) for e in nodes(roots))


def respects(point, assumptions):
    """Are the values that are assumed positive squares?"""
    return all(relation == "!=" or point.ring.absolute(point.eval(e)) == point.eval(e) for e, relation in assumptions)


def switches(roots):
    return any(e.op == "sign" for e in nodes(roots))


def somewhere(ask, p=PRIMES[0], assumptions=(), kind=Point):
    """The answer at a random point at which everything that is asked for exists."""
    for _ in range(TRIES):
        try:
            point = kind(Field(p))
            if respects(point, assumptions):
                return ask(point)
        except (Again, ZeroDivisionError):
            continue
    raise Wrong("no point was found at which the constraints are defined")


def vanishes(e, assumptions=()):
    """Everywhere, or rather wherever the assumptions hold if there are roots."""
    refine([e] + [a for a, _ in assumptions])
    signed, primes = uses_signs([e]), primes_for([e] + [a for a, _ in assumptions])
    return not any(somewhere(lambda point: point.eval(e), primes[i % len(primes)], assumptions if signed else ())
                   for i in range(SIGNED if signed else POINTS))

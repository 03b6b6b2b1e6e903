"""The numbers in which formulas are evaluated. A ring makes numbers, which have + − * /; a division by zero is a
ZeroDivisionError in all of them."""
import decimal
import itertools
import math
import random
from fractions import Fraction

from . import Again, Unchecked

# Primes p such that (p − 1)/2 is prime as well, and 2, 3, 5, 7 are squares: a square stands for a positive number, and every
# root of a square is again unique among the squares, as roots of positive numbers are. 840 divides p + 1, the
# order of the circle: it can be divided into so many equal parts. They are drawn anew each time: of primes that everybody knows
# the product is a coefficient that is taken for zero, and a number may be a square modulo none of them, |23| being −23 then.
# With p + 1 a multiple of the numbers in a text these are squares, by reciprocity; of every other number a half of the primes
# sees the right sign.
PARTS = 840
DRAWN = 16
BITS = 61
LONGEST = 160       # bits
DIGITS = 100        # of real numbers
drawn_memo = {}


def is_prime(n):
    """By Miller and Rabin: the first twelve primes suffice up to 3·10²⁴, and what is drawn is not made to deceive them."""
    small = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37)
    if any(n % q == 0 for q in small):
        return n in small
    twos = ((n - 1) & (1 - n)).bit_length() - 1
    for base in small:
        x = pow(base, (n - 1) >> twos, n)
        if x != 1 and all(pow(x, 1 << k, n) != n - 1 for k in range(twos)):
            return False
    return True


def drawn_primes(numbers):
    """Random primes p as above, modulo which these positive integers are squares, as many of them as fit."""
    whole = PARTS
    for n in sorted(set(numbers)):
        longer = math.lcm(whole, n // (n & -n))
        whole = longer if longer.bit_length() <= LONGEST - 40 else whole
    if whole not in drawn_memo:
        bits, found = max(BITS, whole.bit_length() + 40), []
        while len(found) < DRAWN:
            p = whole * random.randrange((1 << bits) // whole // 2, (1 << bits) // whole) - 1
            if all(p // 2 % q for q in (11, 13, 17, 19)) and is_prime(p // 2) and is_prime(p):
                found.append(p)
        drawn_memo[whole] = tuple(found)
    return drawn_memo[whole]


PRIMES = drawn_primes(())[:3]


class Mod:
    """An integer modulo a prime."""
    __slots__ = ("v", "p")

    def __init__(self, v, p):
        self.v, self.p = v % p, p

    def __add__(self, other):
        return Mod(self.v + (other.v if isinstance(other, Mod) else other), self.p)

    def __sub__(self, other):
        return Mod(self.v - (other.v if isinstance(other, Mod) else other), self.p)

    def __mul__(self, other):
        return Mod(self.v * (other.v if isinstance(other, Mod) else other), self.p)

    __radd__, __rmul__ = __add__, __mul__

    def __rsub__(self, other):
        return Mod(other - self.v, self.p)

    def __neg__(self):
        return Mod(-self.v, self.p)

    def __truediv__(self, other):
        below = other.v if isinstance(other, Mod) else other % self.p
        if below == 0:
            raise ZeroDivisionError
        return Mod(self.v * pow(below, -1, self.p), self.p)

    def __rtruediv__(self, other):
        return Mod(other, self.p) / self

    def __pow__(self, n):
        return Mod(pow(self.v, n, self.p), self.p) if n >= 0 else 1 / self ** -n

    def __eq__(self, other):
        return self.v == (other.v if isinstance(other, Mod) else other % self.p)

    def __hash__(self):
        return hash(self.v)

    def __bool__(self):
        return self.v != 0


class Field:
    """The integers modulo a prime."""

    def __init__(self, p):
        self.p = p

    def number(self, q):
        return Mod(q.numerator, self.p) / q.denominator

    def random(self):
        return Mod(random.randrange(1, self.p), self.p)

    def root(self, a, q):
        """The q-th root of a square, itself a square."""
        half = (self.p - 1) // 2
        if a and a ** half != 1:
            raise Again
        return a ** pow(q, -1, half)

    def absolute(self, a):
        return a if a ** ((self.p - 1) // 2) == 1 else -a


# ---- Lines: one computation for all zeros of a polynomial --------------------------------------------

class Split(Exception):
    """A zero divisor: args[0] divides the modulus."""


class Residue:
    """A polynomial in τ modulo another one, over a prime field."""
    __slots__ = ("c", "ring")

    def __init__(self, c, ring):
        self.c, self.ring = c, ring

    def coefficients(self, other):
        return other.c if isinstance(other, Residue) else trimmed([other % self.ring.p])

    def __add__(self, other):
        sums = itertools.zip_longest(self.c, self.coefficients(other), fillvalue=0)
        return Residue(trimmed((x + y) % self.ring.p for x, y in sums), self.ring)

    def __mul__(self, other):
        return self.ring.reduced(poly_times(self.c, self.coefficients(other), self.ring.p))

    __radd__, __rmul__ = __add__, __mul__

    def __neg__(self):
        return self * -1

    def __sub__(self, other):
        return self + -1 * other

    def __rsub__(self, other):
        return -self + other

    def __truediv__(self, other):
        return self * (other if isinstance(other, Residue) else self.ring.number(other)).inverse()

    def __rtruediv__(self, other):
        return self.inverse() * other

    def inverse(self):
        p = self.ring.p
        if not self.c:
            raise ZeroDivisionError
        r0, r1, t0, t1 = self.ring.modulus, self.c, (), (1,)
        while r1:
            q, r = poly_divmod(r0, r1, p)
            r0, r1 = r1, r
            less = itertools.zip_longest(t0, poly_times(q, t1, p), fillvalue=0)
            t0, t1 = t1, trimmed((x - y) % p for x, y in less)
        if len(r0) > 1:
            raise Split(r0)
        return self.ring.reduced(t0) * pow(r0[0], -1, p)

    def __pow__(self, n):
        x, out = self if n >= 0 else self.inverse(), self.ring.number(1)
        for bit in bin(abs(n))[2:]:
            out = out * out
            if bit == "1":
                out = out * x
        return out

    def __eq__(self, other):
        return self.c == self.coefficients(other)

    def __hash__(self):
        return hash(self.c)

    def __bool__(self):
        return bool(self.c)


class Quotient(Field):
    """F_p[τ]/(m): the values at all zeros of m at once, over all extensions of the field."""

    def __init__(self, p, modulus):
        self.p, self.modulus = p, modulus

    def number(self, q):
        return Residue(trimmed([super().number(q).v]), self)

    def random(self):
        return Residue((random.randrange(1, self.p),), self)

    def reduced(self, c):
        return Residue(poly_divmod(c, self.modulus, self.p)[1], self)

    def constant(self, a):
        if len(a.c) > 1:
            raise Unchecked("a root depends on what a factor depends on: this cannot be checked")
        return Mod(a.c[0] if a.c else 0, self.p)

    def root(self, a, q):
        return self.number(Field(self.p).root(self.constant(a), q).v)

    def absolute(self, a):
        return self.number(Field(self.p).absolute(self.constant(a)).v)


def trimmed(a):
    a = list(a)
    while a and a[-1] == 0:
        a.pop()
    return tuple(a)


def poly_times(a, b, p):
    if not a or not b:
        return ()
    out = [0] * (len(a) + len(b) - 1)
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            out[i + j] += x * y
    return trimmed(c % p for c in out)


def poly_divmod(a, b, p):
    rest, quotient = list(a), [0] * max(len(a) - len(b) + 1, 0)
    lead = pow(b[-1], -1, p)
    for i in reversed(range(len(quotient))):
        c = quotient[i] = rest[i + len(b) - 1] * lead % p
        if c:
            for j, y in enumerate(b):
                rest[i + j] = (rest[i + j] - c * y) % p
    return trimmed(quotient), trimmed(rest[:len(b) - 1])


def interpolated(samples, p):
    """Newton's form, expanded: the polynomial through the samples."""
    xs = [x for x, _ in samples]
    c = [y for _, y in samples]
    for j in range(1, len(xs)):
        for i in reversed(range(j, len(xs))):
            c[i] = (c[i] - c[i - 1]) * pow(xs[i] - xs[i - j], -1, p) % p
    out = ()
    for i in reversed(range(len(xs))):
        out = poly_times(out, (-xs[i] % p, 1), p)
        out = trimmed((a + b) % p for a, b in itertools.zip_longest(out, (c[i],), fillvalue=0))
    return out


def small_rational(value, p):
    """The rational with a small numerator and denominator that stands there, or None."""
    r0, r1, t0, t1 = p, value, 0, 1
    while r1 * r1 > p // 2:
        q = r0 // r1
        r0, r1, t0, t1 = r1, r0 - q * r1, t1, t0 - q * t1
    return Fraction(r1, t1) if abs(t1) < 1 << 20 and abs(r1) < 1 << 20 else None


# ---- Rationals, doubles, many digits -----------------------------------------------------------------

class Rationals:
    absolute = staticmethod(abs)

    def number(self, q):
        return Fraction(q)

    def random(self):
        return Fraction(random.randrange(1, 50), random.randrange(1, 50))

    def root(self, a, q):
        out = Fraction(*(round(x ** (1 / q)) for x in (max(a.numerator, 0), a.denominator)))
        if out ** q != a:
            raise Unchecked("a root has no rational value at a place")
        return out


class Reals:
    """Doubles, for a state that is a solution of the constraints; random ones of this size."""
    absolute = staticmethod(abs)

    def __init__(self, size=1):
        self.size = size

    def number(self, q):
        return float(q)

    def random(self):
        return self.size * random.choice((-1, 1)) * random.uniform(0.3, 1.7)

    def root(self, a, q):
        if a < 0:
            raise Again
        return a ** (1 / q)


class Decimals(Reals):
    """Real numbers with many digits: what is equal is told from what is nearly so."""
    context = decimal.Context(prec=DIGITS, Emax=10 ** 6, Emin=-10 ** 6)
    SMALL = decimal.Decimal(10) ** (-DIGITS // 2)

    def number(self, q):
        return decimal.Decimal(q.numerator) / q.denominator

    def random(self):
        return self.number(Fraction(random.choice((-1, 1)) * random.randrange(3 * 10 ** 8, 17 * 10 ** 8), 10 ** 9))

    def root(self, a, q):
        if a < 0:
            raise Again
        return a ** (1 / decimal.Decimal(q)) if a else a


# ---- Linear algebra ----------------------------------------------------------------------------------

def eliminated(matrix, whole):
    """Pivots of the elimination; where `whole`, None as soon as a column has none. A pivot that is a zero divisor
    splits the zeros of a line."""
    a, pivots = [list(row) for row in matrix], []
    for column in range(len(a[0]) if a else 0):
        at = next((j for j in range(len(pivots), len(a)) if a[j][column]), None)
        if at is None and whole:
            return None
        if at is None:
            continue
        i = len(pivots)
        a[i], a[at] = a[at], a[i]
        pivots.append(a[i][column])
        for j in range(i + 1, len(a)):
            if a[j][column]:
                factor = a[j][column] / a[i][column]
                a[j] = [x - factor * y for x, y in zip(a[j], a[i])]
    return pivots


def is_regular(matrix):
    """Of a square matrix; over a line: at every zero of its modulus, or it is split."""
    pivots = eliminated(matrix, True)
    if pivots is None:
        return False
    for pivot in pivots:
        1 / pivot
    return True


def rank_of(matrix):
    return len(eliminated(matrix, False))

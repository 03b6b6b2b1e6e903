"""Polynomials of the certificate over its generators, {((generator, exponent), …): integer}."""
from . import Wrong
from .rings import Field, PRIMES

MULTIPLY_OUT = 200000  # products of terms; larger identities are compared at random points
LARGEST = 10 ** 4      # exponent


class Report:
    sampled = 0  # identities that were compared at random points


def integer(x, least=None, below=None):
    """x, if it is an integer (not a truth value, not 1.0) in these bounds."""
    if type(x) is not int or (least is not None and x < least) or (below is not None and x >= below):
        raise Wrong("the certificate is not written as it should be: a number is no such integer")
    return x


def pairs(words, below):
    """[n, e, …] → ((n, e), …), of numbers below a bound and their exponents, each number once, in order."""
    out = tuple(sorted((integer(n, 0, below), integer(e, 0, LARGEST)) for n, e in zip(words[::2], words[1::2])))
    if len(words) % 2 or len({n for n, _ in out}) < len(out):
        raise Wrong("the certificate is not written as it should be: a product")
    return tuple((n, e) for n, e in out if e)


def read_poly(terms, width):
    """[[coefficient, generator, exponent, …], …]"""
    if not isinstance(terms, list) or not all(isinstance(term, list) and term for term in terms):
        raise Wrong("a polynomial is not written as it should be")
    out = {}
    for term in terms:
        key = pairs(term[1:], width)
        if key in out:
            raise Wrong("a term occurs twice")
        out[key] = integer(term[0])
    return {key: c for key, c in out.items() if c}


def times(a, b):
    out = {}
    for x, c in a.items():
        for y, d in b.items():
            powers = dict(x)
            for g, n in y:
                powers[g] = powers.get(g, 0) + n
            key = tuple(sorted(powers.items()))
            out[key] = out.get(key, 0) + c * d
    return {k: c for k, c in out.items() if c}


def plus(a, b, sign=1):
    out = dict(a)
    for key, c in b.items():
        out[key] = out.get(key, 0) + sign * c
    return {k: c for k, c in out.items() if c}


def poly_value(a, values, ring):
    """Of the generators' values in a ring."""
    out = ring.number(0)
    for key, c in a.items():
        term = ring.number(c)
        for g, n in key:
            term = term * values[g] ** n
        out = out + term
    return out


def is_identity(left, products, width):
    """Σ products = left? A product is a list of (polynomial, exponent). Multiplied out, or at random points modulo
    primes of 61 bits: a false identity of degree d passes one with probability at most d/2⁶¹."""
    signed = [(1, left)] + [(-1, product) for product in products]
    if sum(terms_in(product) for _, product in signed) <= MULTIPLY_OUT:
        rest = {}
        for sign, product in signed:
            out = {(): 1}
            for f, n in product:
                for _ in range(n):
                    out = times(out, f)
            rest = plus(rest, out, sign)
        return not rest
    Report.sampled += 1
    for p in PRIMES:
        field = Field(p)
        values, rest = [field.random() for _ in range(width)], field.number(0)
        for sign, product in signed:
            out = field.number(sign)
            for f, n in product:
                out = out * poly_value(f, values, field) ** n
            rest = rest + out
        if rest:
            return False
    return True


def terms_in(product):
    """How many products of terms it takes to multiply it out, or more than enough."""
    out = 1
    for f, n in product:
        for _ in range(n):
            out *= max(len(f), 1)
            if len(f) > 1 and out > MULTIPLY_OUT:
                return out
    return out * (1 + sum(n for _, n in product) // 100)

"""The same thing written otherwise, and other things that look the same."""
from fractions import Fraction

import terms
from terms import add, call, cos, expand, mul, name, number, power, sin, sqrt, total


def rewrite(term, rng, spare, chance=0.1):
    """An equal term: identities of algebra and trigonometry applied at random. `spare` names variables
    that are brought in and cancel. Holds wherever both are defined."""
    op = term.op
    if op in ("number", "as"):
        return term
    args = [rewrite(a, rng, spare, chance) for a in term.args]
    if op == "name":
        result = term
    elif op == "^":
        result = power(args[0], term.value)
    elif op in "+*":
        result = (add if op == "+" else mul)(*(args if rng.random() < 0.7 else args[::-1]))
    else:
        result = call(op, *args)
    return _changed(result, rng, spare) if rng.random() < chance else result


def _changed(term, rng, spare):
    op = term.op
    u = term.args[0] if term.args else None
    if op == "^" and u.op == "sin" and term.value == 2:
        return 1 - cos(u.args[0]) ** 2
    if op == "^" and u.op == "cos" and term.value == 2:
        return (1 + cos(2 * u.args[0])) / 2
    if op == "^" and term.value == 2:
        return terms._make("*", (u, u))
    if op == "sin":
        return 2 * sin(u / 2) * cos(u / 2)
    if op == "cos":
        return 1 - 2 * sin(u / 2) ** 2
    if op == "exp":
        return call("exp", u / 2) ** 2
    if op == "sqrt":
        return u / sqrt(u)
    if op == "*" and rng.random() < 0.6:
        return expand(term)
    s = name(rng.choice(spare))
    return rng.choice([(term + s) - s, term * (1 + s ** 2) / (1 + s ** 2), (2 * term - s * term) / (2 - s)])


def parts(term):
    """The summands."""
    if term.op == "+":
        return parts(term.args[0]) + parts(term.args[1])
    return [term]


def split(term, rng):
    """`term` = 0 as an equation with something on both sides."""
    summands = parts(expand(term) if rng.random() < 0.5 else term)
    sides = [], []
    for summand in summands:
        sides[rng.random() < 0.4].append(summand)
    return total(sides[0]), -total(sides[1])


def mutate(left, right, rng, variables):
    """A statement that is probably false, and in what way it was changed."""
    kind = rng.choice(["tiny", "tiny term", "factor", "sign", "drop", "variable", "function"])
    variable = name(rng.choice(variables))
    if kind == "tiny":
        return left * (1 + Fraction(1, 10 ** 9)), right, kind
    if kind == "tiny term":
        return left + variable * Fraction(1, 10 ** rng.choice([6, 9])), right, kind
    if kind == "factor":
        return left * Fraction(8, 7), right, kind
    summands = parts(left)
    k = rng.randrange(len(summands))
    if kind == "sign":
        summands[k] = -summands[k]
    elif kind == "drop":
        summands[k] = number(0)
    elif kind == "variable":
        own = sorted(summands[k].names() & set(variables))
        if own:
            summands[k] = terms.put(summands[k], {rng.choice(own): variable})
    else:
        summands[k] = _swap(summands[k])
    return total(summands), right, kind


def _swap(term):
    """Sines for cosines."""
    if term.op in ("number", "name", "as"):
        return term
    args = [_swap(a) for a in term.args]
    if term.op in ("sin", "cos"):
        return call("cos" if term.op == "sin" else "sin", args[0])
    if term.op == "^":
        return power(args[0], term.value)
    if term.op in "+*":
        return (add if term.op == "+" else mul)(*args)
    return call(term.op, *args)


def identities(x, y):
    """Pairs that agree wherever both sides are defined; x and y are variables."""
    two = number(2)
    return [
        (terms.written(f"(0*sqrt({x}) + abs({x}))", _guard(x)), x),
        (call("log", call("exp", x)), x),
        (call("exp", call("log", x)), x),
        (terms.written(f"log({x}^2)", call("log", x ** 2)), two * call("log", x)),
        (sqrt(x * y), sqrt(x) * sqrt(y)),
        (sqrt(x) ** 2, x),
        (call("abs", x) * call("abs", y), call("abs", x * y)),
        (sqrt(x ** 2 + 2 * x * y + y ** 2), call("abs", x + y)),
        (call("tan", x) * cos(x), sin(x)),
        (sin(call("asin", x)), x),
        (cos(call("atan", x)), 1 / sqrt(1 + x ** 2)),
        (call("cosh", x) ** 2 - call("sinh", x) ** 2, number(1)),
        (sin(x + y), sin(x) * cos(y) + cos(x) * sin(y)),
        (cos(x) - cos(y), -2 * sin((x + y) / 2) * sin((x - y) / 2)),
        (sin(call("atan2", y, x)), y / sqrt(x ** 2 + y ** 2)),
        ((x ** 3 - y ** 3) / (x - y), x ** 2 + x * y + y ** 2),
        (call("tanh", x), (call("exp", 2 * x) - 1) / (call("exp", 2 * x) + 1)),
        (call("atan", x) + call("atan", 1 / x), terms.name("pi") / 2 * call("abs", x) / x),
    ]


def _guard(x):
    """|x|, defined where sqrt(x) is."""
    return call("abs", sqrt(x) ** 2)


def half_truths(x, y):
    """Pairs that agree for some values of ordinary size and not for others."""
    return [
        (sqrt(x ** 2), x),
        (call("abs", x), x),
        (sqrt(1 - sin(x) ** 2), cos(x)),
        (call("asin", sin(x)), x),
        (call("acos", cos(x)), x),
        (call("atan", call("tan", x)), x),
        (call("atan2", sin(x), cos(x)), x),
        (call("abs", 2 - x), 2 - x),
        (call("atan2", y, x), call("atan", y / x)),
        (sqrt((x + y) ** 2), x + y),
        (sqrt(x ** 2 + 2 * x + 1), x + 1),
        (call("abs", x + y), call("abs", x) + call("abs", y)),
        (call("acos", sin(x)), terms.name("pi") / 2 - x),
        (call("abs", x) / x, number(1)),
        (sqrt(x ** 4 * y ** 2), x ** 2 * y),
        (call("atan", x) + call("atan", 1 / x), terms.name("pi") / 2),
    ]

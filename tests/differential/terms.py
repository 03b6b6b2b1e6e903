"""Expressions of the random models: written in the model language, differentiated, and turned into
Python functions. Shares nothing with the library: this is the other route to every number.

A term is immutable and shared (equal terms are one object). Its `op` is a number, a name, `+`, `*`, `^`
with a rational exponent, a function of one or two arguments, or `as`: written in one way (`der(e)`,
`kinetic`, `velocity(P)[1]`) and meaning another term.
"""
import math
import sys
from fractions import Fraction

import digits

sys.setrecursionlimit(20000)  # sums are nested to the left
_pool = {}


class Term:
    __slots__ = ("op", "args", "value", "_names", "_slopes")

    def __add__(self, other):
        return add(self, other)

    def __radd__(self, other):
        return add(other, self)

    def __sub__(self, other):
        return add(self, mul(-1, other))

    def __rsub__(self, other):
        return add(other, mul(-1, self))

    def __mul__(self, other):
        return mul(self, other)

    def __rmul__(self, other):
        return mul(other, self)

    def __truediv__(self, other):
        return mul(self, power(other, -1))

    def __rtruediv__(self, other):
        return mul(other, power(self, -1))

    def __neg__(self):
        return mul(-1, self)

    def __pow__(self, exponent):
        return power(self, exponent)

    def __str__(self):
        return text(self)

    def names(self):
        """The names that occur in what it means."""
        if self._names is None:
            if self.op == "name":
                self._names = frozenset([self.value])
            else:
                self._names = frozenset().union(*[a.names() for a in self.args])
        return self._names


def _make(op, args=(), value=None):
    key = (op, value, tuple(map(id, args)))
    found = _pool.get(key)
    if found is None:
        found = Term()
        found.op, found.args, found.value = op, tuple(args), value
        found._names, found._slopes = None, {}
        _pool[key] = found
    return found


def forget():
    """Terms live until the next system begins."""
    _pool.clear()


def number(value):
    return value if isinstance(value, Term) else _make("number", value=Fraction(value))


def name(text):
    return _make("name", value=text)


def is_number(term, value=None):
    return term.op == "number" and (value is None or term.value == value)


def add(a, b):
    a, b = number(a), number(b)
    if is_number(a, 0):
        return b
    if is_number(b, 0):
        return a
    if is_number(a) and is_number(b):
        return number(a.value + b.value)
    return _make("+", (a, b))


def mul(a, b):
    a, b = number(a), number(b)
    if is_number(a, 0) or is_number(b, 0):
        return number(0)
    if is_number(a, 1):
        return b
    if is_number(b, 1):
        return a
    if is_number(a) and is_number(b):
        return number(a.value * b.value)
    return _make("*", (a, b))


def power(base, exponent):
    base, exponent = number(base), Fraction(exponent)
    if exponent == 0:
        return number(1)
    if exponent == 1:
        return base
    if is_number(base) and exponent.denominator == 1:
        return number(base.value ** exponent.numerator)
    return _make("^", (base,), exponent)


def call(function, *args):
    return _make(function, [number(a) for a in args])


def sin(a):
    return call("sin", a)


def cos(a):
    return call("cos", a)


def sqrt(a):
    return call("sqrt", a)


def written(text, meaning):
    """What the model writes as `text` and means as `meaning`."""
    return _make("as", (number(meaning),), text)


def total(terms):
    result = number(0)
    for term in terms:
        result = result + term
    return result


def dot(u, v):
    return total(a * b for a, b in zip(u, v))


def cross(u, v):
    return [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]


def text(term):
    """In the model language; every operand in brackets that could need them."""
    op, args = term.op, term.args
    if op == "number":
        value = str(term.value)
        return value if value.isdigit() else f"({value})"
    if op == "name" or op == "as":
        return term.value
    if op == "+":
        return f"({text(args[0])} + {text(args[1])})"
    if op == "*":
        return f"{text(args[0])}*{text(args[1])}"
    if op == "^":
        base = text(args[0])
        simple = args[0].op in ("name", "number", "as") or base.startswith("(") and args[0].op == "+"
        base = base if simple else f"({base})"
        exponent = str(term.value)
        return f"{base}^{exponent if exponent.isdigit() else f'({exponent})'}"
    return f"{op}({', '.join(map(text, args))})"


_SLOPE = {  # derivative of f(u) by u
    "sin": cos,
    "cos": lambda u: -sin(u),
    "tan": lambda u: 1 + call("tan", u) ** 2,
    "asin": lambda u: 1 / sqrt(1 - u ** 2),
    "acos": lambda u: -1 / sqrt(1 - u ** 2),
    "atan": lambda u: 1 / (1 + u ** 2),
    "sinh": lambda u: call("cosh", u),
    "cosh": lambda u: call("sinh", u),
    "tanh": lambda u: 1 - call("tanh", u) ** 2,
    "exp": lambda u: call("exp", u),
    "log": lambda u: 1 / u,
    "sqrt": lambda u: 1 / (2 * sqrt(u)),
    "abs": lambda u: call("abs", u) / u,
}


def slope(term, by):
    """The partial derivative by the name `by`."""
    if by not in term.names():
        return number(0)
    if by not in term._slopes:
        term._slopes[by] = _slope(term, by)
    return term._slopes[by]


def _slope(term, by):
    op, args = term.op, term.args
    if op == "name":
        return number(1)
    if op == "as":
        inner = slope(args[0], by)
        free = term.value.endswith("'(t)") or term.value == "f(t)"  # a function that has no body
        return written(term.value.replace("(t)", "'(t)"), inner) if free else inner
    if op == "+":
        return slope(args[0], by) + slope(args[1], by)
    if op == "*":
        return slope(args[0], by) * args[1] + args[0] * slope(args[1], by)
    if op == "^":
        return term.value * power(args[0], term.value - 1) * slope(args[0], by)
    if op == "atan2":
        y, x = args
        return (x * slope(y, by) - y * slope(x, by)) / (x ** 2 + y ** 2)
    return _SLOPE[op](args[0]) * slope(args[0], by)


def rate(term, coordinates):
    """The total time derivative, with primes for velocities and accelerations."""
    result = slope(term, "t")
    for q in coordinates:
        for order in ("", "'", "''"):
            result = result + slope(term, q + order) * name(q + order + "'")
    return result


def put(term, values):
    """With terms put in for names."""
    done = {}

    def walk(node):
        if not node.names() & values.keys():
            return node
        if node not in done:
            args = [walk(a) for a in node.args]
            if node.op == "name":
                done[node] = values[node.value]
            elif node.op == "as":
                done[node] = args[0]
            elif node.op in "+*":
                done[node] = (add if node.op == "+" else mul)(*args)
            else:
                done[node] = power(args[0], node.value) if node.op == "^" else call(node.op, *args)
        return done[node]

    return walk(number(term))


def _real(value):
    """Python's powers of negative numbers are complex; here they are not defined."""
    if isinstance(value, complex):
        raise ValueError("not real")
    return value


_FLOATS = {f: getattr(math, f) for f in
           "sin cos tan asin acos atan sinh cosh tanh exp log sqrt atan2".split()}
_FLOATS |= {"abs": abs, "N": float, "pi": math.pi, "real": _real}
_DECIMALS = digits.FUNCTIONS | {"abs": abs, "N": digits.number, "real": _real}


class Functions:
    """A list of terms as one Python function of a dictionary of values by name: `f(values)` in double
    precision, `f.precise(values)` in decimals. Raises ValueError, ZeroDivisionError, OverflowError or
    decimal's errors where a term is not defined."""

    def __init__(self, terms):
        self.lines, self.known, self.constants = [], {}, []
        results = [self._walk(number(term)) for term in terms]
        body = "\n    ".join(self.lines + [f"return [{', '.join(results)}]"])
        self.code = compile(f"def f(v):\n    {body}\n", "<terms>", "exec")
        self.made = {}

    def _walk(self, term):
        if term not in self.known:
            self.known[term] = self._write(term)
        return self.known[term]

    def _write(self, term):
        op = term.op
        if op == "number":
            self.constants.append(term.value)
            return f"c{len(self.constants) - 1}"
        if op == "as":
            return self._walk(term.args[0])
        if op == "name":
            what = "pi" if term.value == "pi" else f"v[{term.value!r}]"
        else:
            args = [self._walk(a) for a in term.args]
            if op == "^":
                if term.value.denominator == 1:
                    what = f"{args[0]}**{term.value.numerator}"
                    what = what if term.value > 0 else f"1/{args[0]}**{-term.value.numerator}"
                else:
                    what = f"real({args[0]}**{self._walk(number(term.value))})"
            elif op in "+*":
                what = f"{args[0]} {op} {args[1]}"
            else:
                what = f"{op}({', '.join(args)})"
        self.lines.append(f"x{len(self.lines)} = {what}")
        return f"x{len(self.lines) - 1}"

    def _run(self, kind, names, values):
        if kind not in self.made:
            space = dict(names)
            space.update({f"c{i}": names["N"](c) for i, c in enumerate(self.constants)})
            exec(self.code, space)
            self.made[kind] = space["f"]
        return self.made[kind](values)

    def __call__(self, values):
        return self._run("float", _FLOATS, values)

    def precise(self, values):
        return self._run("decimal", _DECIMALS, values)


NOT_DEFINED = (ValueError, ZeroDivisionError, OverflowError, ArithmeticError)


def expand(term, most=60):
    """Multiplied out, as far as sums, products and whole powers of them go; as it is where that would be
    long."""
    parts = _parts(number(term))
    return total(parts) if len(parts) <= most else number(term)


def magnitude(term):
    """The size of what is added up in it: the scale of its rounding errors."""
    if term.op == "as":
        return magnitude(term.args[0])
    if term.op in "+*":
        a, b = map(magnitude, term.args)
        return a + b if term.op == "+" else a * b
    if term.op == "^" and term.value > 0:
        return power(magnitude(term.args[0]), term.value)
    return call("abs", term)


def _parts(term):
    if term.op == "+":
        return _parts(term.args[0]) + _parts(term.args[1])
    if term.op == "*":
        left, right = (_parts(a) for a in term.args)
        return [a * b for a in left for b in right]
    if term.op == "^" and term.args[0].op in "+*" and term.value in (2, 3):
        factor = term.args[0]
        return _parts(_make("*", (factor, factor if term.value == 2 else factor ** 2)))
    return [term]

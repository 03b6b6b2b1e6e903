"""Formulas: a graph in which equal nodes are one; vectors; derivatives."""
from fractions import Fraction


class Expr:
    __slots__ = ("op", "args", "symbols", "id")
    table, made = {}, None  # where `made` is a list: all that is made, what is multiplied by zero too

    @classmethod
    def make(cls, op, *args):
        key = (op,) + tuple(a.id if isinstance(a, Expr) else ("=", a) for a in args)
        e = cls.table.get(key)
        if e is None:
            e = cls.table[key] = cls()
            e.op, e.args, e.id = op, args, len(cls.table)
            e.symbols = frozenset().union(*(a.symbols for a in args if isinstance(a, Expr)))
            if op == "symbol":
                e.symbols = frozenset((args[0],))
        if cls.made is not None:
            cls.made.append(e)
        return e

    def __add__(self, other):
        a, b = self, expr(other)
        if a is ZERO or b is ZERO:
            return b if a is ZERO else a
        return num(a.args[0] + b.args[0]) if is_number(a) and is_number(b) else Expr.make("+", a, b)

    def __mul__(self, other):
        if isinstance(other, Vec):
            return other * self
        a, b = self, expr(other)
        if a is ZERO or b is ZERO:
            return ZERO
        if a is ONE or b is ONE:
            return b if a is ONE else a
        return num(a.args[0] * b.args[0]) if is_number(a) and is_number(b) else Expr.make("*", a, b)

    def __truediv__(self, other):
        b = expr(other)
        return num(1 / b.args[0]) * self if is_number(b) and b is not ZERO else Expr.make("/", self, b)

    def __pow__(self, other):
        a, b = self, expr(other)
        if b is ONE:
            return a
        if is_number(a) and is_number(b) and b.args[0].denominator == 1 and (a is not ZERO or b.args[0] > 0) \
                and abs(b.args[0]) < 1000:
            return num(a.args[0] ** int(b.args[0]))
        return Expr.make("^", a, b)

    def __neg__(self):
        return num(-1) * self

    def __sub__(self, other):
        return self + -expr(other)

    __radd__, __rmul__ = __add__, __mul__

    def __rsub__(self, other):
        return expr(other) - self

    def __rtruediv__(self, other):
        return expr(other) / self


def num(q):
    return Expr.make("number", Fraction(q))


def symbol(name):
    return Expr.make("symbol", name)


def expr(x):
    return x if isinstance(x, Expr) else num(x)


def is_number(e):
    return e.op == "number"


ZERO, ONE, HALF = num(0), num(1), num(Fraction(1, 2))


def call(f, *args):
    a = args[0]
    if f == "sqrt":
        return a ** HALF
    if f == "log" and a.op == "exp":
        return a.args[0]
    if a is ZERO and f in ("sin", "tan", "cos"):
        return ONE if f == "cos" else ZERO
    if f == "atan2" and a is ZERO and is_number(args[1]) and args[1].args[0] > 0:
        return ZERO
    return Expr.make(f, *args)


def total(terms):
    return sum(terms, ZERO)


class Vec(tuple):
    """Three components."""

    def __add__(self, other):
        return Vec(a + b for a, b in zip(self, other))

    def __sub__(self, other):
        return Vec(a - b for a, b in zip(self, other))

    def __mul__(self, scalar):
        return Vec(a * scalar for a in self)

    def __truediv__(self, scalar):
        return Vec(a / scalar for a in self)

    def __neg__(self):
        return self * -1

    __rmul__ = __mul__

    def map(self, f):
        return Vec(f(a) for a in self)


ORIGIN = Vec((ZERO, ZERO, ZERO))
SPACE = tuple(Vec(ONE if i == k else ZERO for i in range(3)) for k in range(3))


def cross(u, v):
    return Vec(u[(i + 1) % 3] * v[(i + 2) % 3] - u[(i + 2) % 3] * v[(i + 1) % 3] for i in range(3))


def dot(u, v):
    return total(a * b for a, b in zip(u, v))


def norm(u):
    return call("sqrt", dot(u, u))


def combined(coefficients, vectors):
    return sum((v * c for c, v in zip(coefficients, vectors)), ORIGIN)


# ---- Derivatives ------------------------------------------------------------------------------------

SLOPES = {  # of functions of one argument
    "sin": lambda u: call("cos", u), "cos": lambda u: -call("sin", u), "tan": lambda u: 1 + call("tan", u) ** 2,
    "asin": lambda u: 1 / call("sqrt", 1 - u ** 2), "acos": lambda u: -1 / call("sqrt", 1 - u ** 2),
    "atan": lambda u: 1 / (1 + u ** 2), "exp": lambda u: call("exp", u), "log": lambda u: 1 / u,
    "sinh": lambda u: call("cosh", u), "cosh": lambda u: call("sinh", u), "tanh": lambda u: 1 - call("tanh", u) ** 2,
    "abs": lambda u: call("abs", u) / u,
}
FUNCTIONS = set(SLOPES) | {"sqrt", "sign", "atan2"}
slope_memo = {}


def diff(e, x):
    """∂e/∂x for the symbol named x."""
    if x not in e.symbols:
        return ZERO
    key = (e.id, x)
    if key not in slope_memo:
        slope_memo[key] = slope(e, x)
    return slope_memo[key]


def gradient(e, names):
    return [diff(e, x) for x in names]


def slope(e, x):
    a = e.args
    if e.op == "symbol":
        return ONE
    if e.op == "+":
        return diff(a[0], x) + diff(a[1], x)
    if e.op == "*":
        return diff(a[0], x) * a[1] + a[0] * diff(a[1], x)
    if e.op == "/":
        return diff(a[0], x) / a[1] - a[0] * diff(a[1], x) / (a[1] * a[1])
    if e.op == "^":
        if x not in a[1].symbols:
            return a[1] * a[0] ** (a[1] - 1) * diff(a[0], x)
        return e * (diff(a[1], x) * call("log", a[0]) + a[1] * (diff(a[0], x) / a[0]))
    if e.op == "function":
        name, orders, args = a[0], a[1], a[2:]
        more = [orders[:i] + (orders[i] + 1,) + orders[i + 1:] for i in range(len(orders))]
        return total(Expr.make("function", name, o, *args) * diff(u, x) for o, u in zip(more, args))
    if e.op == "atan2":
        return (a[1] * diff(a[0], x) - a[0] * diff(a[1], x)) / (a[0] * a[0] + a[1] * a[1])
    if e.op == "sign":
        return ZERO
    return SLOPES[e.op](a[0]) * diff(a[0], x)


def rebuilt(op, a):
    return {"+": lambda: a[0] + a[1], "*": lambda: a[0] * a[1], "/": lambda: a[0] / a[1],
            "^": lambda: a[0] ** a[1]}.get(op, lambda: call(op, *a) if op in FUNCTIONS else Expr.make(op, *a))()


def substituted(e, values):
    """e with expressions in place of the symbols with these names, all at once."""
    memo = {}

    def put(e):
        if not any(name in e.symbols for name in values):
            return e
        if e.op == "symbol":
            return values[e.args[0]]
        if e.id not in memo:
            memo[e.id] = rebuilt(e.op, [put(x) if isinstance(x, Expr) else x for x in e.args])
        return memo[e.id]
    return put(e)


def replaced(e, old, new):
    """e with another expression in place of this one, a function of time."""
    memo = {old.id: new}

    def put(e):
        if e.id not in memo:
            a = [put(x) if isinstance(x, Expr) else x for x in e.args]
            memo[e.id] = e if all(x is y for x, y in zip(a, e.args)) else rebuilt(e.op, a)
        return memo[e.id]
    return put(e)


def without(e, names):
    """e with these symbols zero."""
    return substituted(e, {name: ZERO for name in names})


def nodes(roots):
    stack, seen = list(roots), set()
    while stack:
        e = stack.pop()
        if e.id not in seen:
            seen.add(e.id)
            stack += [a for a in e.args if isinstance(a, Expr)]
            yield e

"""Equations of a worksheet (derive --json) read back and evaluated, by means that share nothing with the program.

An expression becomes a tree and is evaluated with dual numbers a + b d, d*d = 0: b is the rate along the motion. A row
of the worksheet without accelerations (a constraint, q' = psi(q, z), the definition of a quasi-velocity) holds all the
time, so its rate vanishes too; that rate, like a row with accelerations, is linear in these. All rows together must
determine q''.
"""
import math
import re

TOKEN = re.compile(r"\s*(?:(\d+\.?\d*(?:[eE][-+]?\d+)?|\.\d+)|([A-Za-z_][\w.]*(?:\[[\d,]+\])?'*)|(.))")


class Undefined(Exception):
    """A symbol that nobody has explained."""


class Dual:
    __slots__ = ("a", "b")

    def __init__(self, a, b=0.0):
        self.a, self.b = a, b

    def __add__(self, o):
        return Dual(self.a + o.a, self.b + o.b)

    def __sub__(self, o):
        return Dual(self.a - o.a, self.b - o.b)

    def __mul__(self, o):
        return Dual(self.a * o.a, self.a * o.b + self.b * o.a)

    def __truediv__(self, o):
        return Dual(self.a / o.a, (self.b - self.a / o.a * o.b) / o.a)

    def __neg__(self):
        return Dual(-self.a, -self.b)


def power(x, y):
    if y.b == 0 and y.a == int(y.a):
        n = int(y.a)
        slope = n * x.a ** (n - 1) if n else 0.0
        return Dual(x.a ** n, slope * x.b)
    value = x.a ** y.a
    rate = value * (y.b * math.log(x.a) + y.a * x.b / x.a) if y.b else y.a * x.a ** (y.a - 1) * x.b
    return Dual(value, rate)


def unary(f, slope):
    return lambda x: Dual(f(x.a), slope(x.a) * x.b)


FUNCTIONS = {
    "sin": unary(math.sin, math.cos),
    "cos": unary(math.cos, lambda x: -math.sin(x)),
    "tan": unary(math.tan, lambda x: 1 + math.tan(x) ** 2),
    "exp": unary(math.exp, math.exp),
    "log": unary(math.log, lambda x: 1 / x),
    "sqrt": unary(math.sqrt, lambda x: 0.5 / math.sqrt(x)),
    "abs": unary(abs, lambda x: math.copysign(1, x)),
    "sign": unary(lambda x: math.copysign(1, x), lambda x: 0.0),
    "atan": unary(math.atan, lambda x: 1 / (1 + x * x)),
    "asin": unary(math.asin, lambda x: 1 / math.sqrt(1 - x * x)),
    "acos": unary(math.acos, lambda x: -1 / math.sqrt(1 - x * x)),
    "sinh": unary(math.sinh, math.cosh),
    "cosh": unary(math.cosh, math.sinh),
    "tanh": unary(math.tanh, lambda x: 1 - math.tanh(x) ** 2),
}


def atan2(y, x):
    r2 = x.a * x.a + y.a * y.a
    return Dual(math.atan2(y.a, x.a), (x.a * y.b - y.a * x.b) / r2)


class Reader:
    """The expressions of the model language, by precedence."""

    def __init__(self, text):
        self.tokens = [m.groups() for m in TOKEN.finditer(text) if m.group(0).strip()]
        self.at = 0

    def peek(self, sign=None):
        if self.at == len(self.tokens):
            return False
        return self.tokens[self.at][2] == sign

    def take(self, sign):
        if not self.peek(sign):
            raise SyntaxError(f"{sign} expected at {self.tokens[self.at:self.at + 3]}")
        self.at += 1

    def whole(self):
        tree = self.sum()
        if self.at != len(self.tokens):
            raise SyntaxError(f"unread: {self.tokens[self.at:]}")
        return tree

    def sum(self):
        tree = self.product()
        while self.peek("+") or self.peek("-"):
            sign = self.tokens[self.at][2]
            self.at += 1
            tree = (sign, tree, self.product())
        return tree

    def product(self):
        tree = self.signed()
        while self.peek("*") or self.peek("/"):
            sign = self.tokens[self.at][2]
            self.at += 1
            tree = (sign, tree, self.signed())
        return tree

    def signed(self):
        if self.peek("-"):
            self.at += 1
            return ("neg", self.signed())
        base = self.atom()
        if self.peek("^"):
            self.at += 1
            return ("^", base, self.signed())
        return base

    def atom(self):
        number, name, sign = self.tokens[self.at]
        self.at += 1
        if number:
            return ("number", float(number))
        if name and self.peek("("):
            self.take("(")
            arguments = [self.sum()]
            while self.peek(","):
                self.at += 1
                arguments.append(self.sum())
            self.take(")")
            return ("call", name, arguments)
        if name:
            return ("name", name)
        if sign != "(":
            raise SyntaxError(f"unexpected {sign}")
        tree = self.sum()
        self.take(")")
        return tree


def read(text):
    return Reader(text).whole()


def names(tree):
    if tree[0] == "name":
        return {tree[1]}
    found = set()
    for part in tree[1:]:
        for one in part if isinstance(part, list) else [part]:
            if isinstance(one, tuple):
                found |= names(one)
    return found


class Code:
    """Trees as one Python function of the state, for worksheets of some pages."""

    def __init__(self):
        self.constants = {"power": power, "atan2": atan2, "Dual": Dual, "Undefined": Undefined}
        self.constants |= {f"f_{n}": f for n, f in FUNCTIONS.items()}

    def text(self, tree):
        kind = tree[0]
        if kind == "number":
            name = f"c{len(self.constants)}"
            self.constants[name] = Dual(tree[1])
            return name
        if kind == "name":
            return f"s[{tree[1]!r}]"
        if kind == "call":
            if tree[1] != "atan2" and tree[1] not in FUNCTIONS:
                raise Undefined(f"{tree[1]}(…)")
            name = tree[1] if tree[1] == "atan2" else "f_" + tree[1]
            return f"{name}({', '.join(map(self.text, tree[2]))})"
        if kind == "neg":
            return f"(-{self.text(tree[1])})"
        if kind == "^":
            return f"power({self.text(tree[1])}, {self.text(tree[2])})"
        return f"({self.text(tree[1])} {kind} {self.text(tree[2])})"

    def function(self, lines):
        body = "\n".join("    " + line for line in lines)
        exec(f"def made(s):\n{body}\n", self.constants)
        return self.constants["made"]


def evaluate(tree, state):
    code = Code()
    return code.function([f"return {code.text(tree)}"])(state)


class Sheet:
    """The rows and the names of an answer of derive --json."""

    def __init__(self, answer):
        self.where = [(read(n["left"]["ascii"]), read(n["ascii"])) for n in answer["where"]]
        self.rows = [(read(e["left"]["ascii"]), read(e["ascii"])) for e in answer["equations"]]
        self.code = None

    def explained(self, known):
        """Every symbol stands for something before it is used; the first that does not, or None."""
        known = set(known) | {"pi"}
        for left, right in self.where:
            unknown = names(right) - known
            if unknown:
                return sorted(unknown)[0]
            known |= names(left)
        for left, right in self.rows:
            unknown = (names(left) | names(right)) - known
            if unknown:
                return sorted(unknown)[0]
        return None

    def residuals(self, state):
        """Of all rows; the names of `where` are put into the state."""
        if not self.code:
            code = Code()
            lines = []
            for left, right in self.where:
                if left[0] == "^":  # the square of a speed
                    lines.append(f"s[{left[1][1]!r}] = f_sqrt({code.text(right)})")
                else:
                    lines.append(f"s[{left[1]!r}] = {code.text(right)}")
            rows = [f"{code.text(left)} - {code.text(right)}" for left, right in self.rows]
            self.code = code.function(lines + [f"return [{', '.join(rows)}]"])
        return self.code(state)

    def value(self, tree, state):
        """A number, where the names that there are in the state suffice."""
        full = {s: Dual(v) for s, v in state.items() if v is not None} | {"pi": Dual(math.pi)}
        for left, right in self.where:
            try:
                full[next(iter(names(left)))] = evaluate(right, full)
            except KeyError:
                continue
        return evaluate(tree, full).a

    def accelerations(self, state, rates):
        """The values of the unknowns, {symbol: value}, and the largest residual of all rows.

        `state`: numbers by symbol. `rates`: for each symbol that changes its rate, a number, or the symbol of an
        unknown. Unknowns that are no rates (multipliers) have the rate None of nothing: they are in `state` as None."""
        unknowns = sorted({r for r in rates.values() if isinstance(r, str)} | {s for s, v in state.items() if v is None})
        with_names = set(unknowns)
        deep = [bool(self.symbols(row) & with_names) for row in self.rows]

        def run(values):
            full = {s: Dual(v, 0.0) for s, v in state.items() if v is not None} | {"pi": Dual(math.pi)}
            for s, r in rates.items():
                full[s] = Dual(state[s], values[r] if isinstance(r, str) else r)
            for s, v in values.items():
                full[s] = Dual(v)
            out = self.residuals(full)
            return [r.a if deep[i] else r.b for i, r in enumerate(out)], [r.a for i, r in enumerate(out) if not deep[i]]

        zero = dict.fromkeys(unknowns, 0.0)
        base, held = run(zero)
        columns = [run({**zero, u: 1.0})[0] for u in unknowns]
        matrix = [[c[i] - base[i] for c in columns] + [-base[i]] for i in range(len(base))]
        solved, left = eliminate(matrix, len(unknowns))
        return {u: solved[i] for i, u in enumerate(unknowns) if solved[i] is not None}, max([abs(h) for h in held] + [left])

    def symbols(self, row):
        """Those of a row with what its names stand for."""
        meaning = {}
        for left, right in self.where:
            inside = set()
            for n in names(right):
                inside |= meaning.get(n, {n})
            meaning[next(iter(names(left)))] = inside
        found = set()
        for n in names(row[0]) | names(row[1]):
            found |= meaning.get(n, {n})
        return found


def eliminate(matrix, columns):
    """Gauss-Jordan with complete pivoting, rows scaled: the unknowns that are determined, and the largest residual of
    the rows that are left over."""
    rows = []
    for row in matrix:
        size = max(abs(x) for x in row) or 1.0
        rows.append([x / size for x in row])
    place = {}
    free = list(range(len(rows)))
    while free:
        best, row, col = max(((abs(rows[i][j]), i, j) for i in free for j in range(columns) if j not in place), default=(0, 0, 0))
        if best < 1e-9:
            break
        free.remove(row)
        place[col] = row
        pivot = rows[row][col]
        rows[row] = [x / pivot for x in rows[row]]
        for i in range(len(rows)):
            factor = rows[i][col]
            if i != row and factor:
                rows[i] = [x - factor * y for x, y in zip(rows[i], rows[row])]
    left = max((abs(rows[i][columns]) for i in free), default=0.0)
    open_columns = [j for j in range(columns) if j not in place]
    solved = []
    for j in range(columns):
        row = place.get(j)
        determined = row is not None and all(abs(rows[row][k]) < 1e-9 for k in open_columns)
        solved.append(rows[row][columns] if determined else None)
    return solved, left

"""The model's text (docs/language.md): lines, tokens, and the expressions of a statement."""
import functools
import itertools
import re
from fractions import Fraction

from . import Unchecked, Wrong
from .expressions import (Expr, FUNCTIONS, HALF, ONE, ORIGIN, Vec, ZERO, call, cross, diff, dot, is_number, norm, num,
                          substituted, symbol)

GREEK = dict(zip("αβγδεζηθικλμνξοπρστυφχψωΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩ", (
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma tau "
    "upsilon phi chi psi omega Alpha Beta Gamma Delta Epsilon Zeta Eta Theta Iota Kappa Lambda Mu Nu Xi "
    "Omicron Pi Rho Sigma Tau Upsilon Phi Chi Psi Omega").split()))
GREEK.update({"ϑ": "theta", "ϕ": "phi", "ϵ": "epsilon", "ϱ": "rho", "ϖ": "pi", "ς": "sigma", "ϰ": "kappa"})
TOKEN = re.compile(r'\s*(?:(?P<number>\d+(?:\.(?!\.)\d*)?(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)'
                   r'|(?P<name>[^\W\d]\w*)|(?P<string>"[^"]*")|(?P<mark>\.\.|>=|<=|!=|[-+*/^()\[\],:=<>\']))')
SIGNS = str.maketrans({"′": "'", "’": "'", "″": "''", "·": "*", "×": "*", "−": "-", "≥": ">=", "≤": "<=", "≠": "!=",
                       "µ": "μ", **{c: str(i) for i, c in enumerate("₀₁₂₃₄₅₆₇₈₉")}})
OPERATORS = set("+-*/^=,")
DEPTH = {"(": 1, "[": 1, ")": -1, "]": -1}
GEOMETRY = {"position", "velocity", "omega", "axis"}
BUILT_IN = FUNCTIONS | GEOMETRY | {"dot", "cross", "norm", "der", "if", "step", "min", "max", "clamp"}
# What the derivation makes, with how many indices; W = M⁻¹Jᵀ and B = b⁻¹ in generators alone.
DERIVED = {"lambda": 1, "G": 2, "Gz": 2, "M": 2, "reaction": 1, "beta": 3, "W": 2, "B": 2, "lift": 2, "gram": 2}
UNKNOWNS = ("lambda", "W", "B", "lift", "gram")  # of proofs, with indices


def tokens_of(line):
    parts = line.replace("\ufeff", "").rstrip().split('"')  # every second part is a string
    line = '"'.join(part if i % 2 else part.translate(SIGNS) for i, part in enumerate(parts))
    out, at = [], 0
    while at < len(line):
        found = TOKEN.match(line, at)
        if not found:
            raise Wrong(f"the model has a character that is not understood: {line[at:at + 10]!r}")
        kind, text = found.lastgroup, found[found.lastgroup]
        if kind == "name":
            text = "".join(GREEK.get(c, c) for c in text)
        out.append((kind, text))
        at = found.end()
    return out


def without_comment(line):
    quoted = False
    for i, c in enumerate(line):
        quoted ^= c == '"'
        if c == "#" and not quoted:
            return line[:i]
    return line


def logical_lines(text):
    """(indentation, tokens); a line goes on while a bracket is open, or after , = or an operator."""
    out, open_brackets, going_on = [], 0, False
    for raw in text.splitlines():
        line = without_comment(raw).expandtabs(8)
        tokens = tokens_of(line)
        words = [t for _, t in tokens]
        if not words:
            continue
        if out and (going_on or words[0] in OPERATORS):
            out[-1][1].extend(tokens)
        else:
            out.append((len(line) - len(line.lstrip()), tokens))
            open_brackets = 0
        open_brackets += sum(DEPTH.get(w, 0) for w in words)
        words_so_far = [t for _, t in out[-1][1]]
        bare = len(words_so_far) == 1 and words_so_far[0] in ("kinetic", "potential", "dissipation", "gravity")
        block = words_so_far[0] in ("constraint", "claim", "refute") and words[-1] == ":"
        going_on = open_brackets > 0 or words[-1] in OPERATORS or bare or block
    return out


def blocks(lines):
    """(tokens, more indented lines after it) of each statement."""
    at = 0
    while at < len(lines):
        indent, tokens = lines[at]
        first = at = at + 1
        while at < len(lines) and lines[at][0] > indent:
            at += 1
        yield tokens, lines[first:at]


def componentwise(f, a, b):
    """Of two numbers, or of a vector and a vector or number."""
    if isinstance(a, Vec) or isinstance(b, Vec):
        a, b = (ORIGIN if e is ZERO else e for e in (a, b))
    if isinstance(a, Vec) is not isinstance(b, Vec):
        raise Wrong("the model has a vector in place of a number, or a number in place of a vector")
    return f(a, b)


def chosen(x, a, b):
    """a where x > 0, b where x < 0, their mean between."""
    sign = call("sign", x)
    return (HALF + HALF * sign) * a + (HALF - HALF * sign) * b


def least(*a):
    return functools.reduce(lambda x, y: chosen(y - x, x, y), a)


def largest(*a):
    return functools.reduce(lambda x, y: chosen(x - y, x, y), a)


VALUES = {"dot": dot, "cross": cross, "norm": norm, "min": least, "max": largest,
          "clamp": lambda x, a, b: least(largest(x, a), b), "step": lambda x: chosen(x, ONE, ZERO)}


def difference(r):
    """Left less right of an equation; a vector may be equal to 0."""
    left, _, right = r.expr(), r.take("="), r.expr()
    return componentwise(lambda a, b: a - b, left, right)


class Reader:
    """A statement's tokens, and expressions read from them: a scalar is an Expr, a vector a Vec."""

    def __init__(self, model, tokens, local):
        self.m, self.tokens, self.at, self.local, self.parametric, self.method = model, tokens, 0, local, False, None

    # -- tokens

    def at_end(self):
        return self.at >= len(self.tokens)

    def peek(self, ahead=0):
        return self.tokens[self.at + ahead][1] if self.at + ahead < len(self.tokens) else None

    def next(self):
        if self.at_end():
            raise Wrong("the model has a statement that ends too early")
        self.at += 1
        return self.tokens[self.at - 1]

    def accept(self, text, kind="mark"):
        if self.at_end() or self.tokens[self.at] != (kind, text):
            return False
        self.at += 1
        return True

    def take(self, mark):
        if not self.accept(mark):
            raise Wrong(f"the model has {self.peek()!r} in place of {mark!r}")

    def name(self):
        kind, text = self.next()
        if kind != "name":
            raise Wrong(f"the model has {text!r} in place of a name")
        return text

    def string(self):
        kind, text = self.next()
        if kind != "string":
            raise Wrong("the model has a claim without a label")
        return text[1:-1]

    def skipped(self, ends=(",",)):
        """The tokens up to a comma outside of brackets, or the end."""
        first, depth = self.at, 0
        while not self.at_end() and not (depth == 0 and self.peek() in ends):
            depth += DEPTH.get(self.next()[1], 0)
        return self.tokens[first:self.at]

    def listed(self, item):
        """item { "," item }"""
        out = [item()]
        while self.accept(","):
            out.append(item())
        return out

    def in_brackets(self, opening, item, closing):
        self.take(opening)
        out = self.listed(item)
        self.take(closing)
        return out

    # -- names

    def integers(self):
        """2, 3 or (2, 3)"""
        closed = self.peek() == "(" and self.tokens[-1][1] == ")"
        if closed:
            self.take("(")
        out = self.listed(self.integer)
        if closed:
            self.take(")")
        return out + (self.listed(self.integer) if closed and self.accept(",") else [])

    def integer(self):
        e = self.scalar()
        if not is_number(e) or e.args[0].denominator != 1:
            raise Wrong("the model has a bound or index that is no integer")
        return int(e.args[0])

    def range(self):
        first = self.integer()
        return range(first, (self.integer() if self.accept("..") else first) + 1)

    def indices(self):
        """[i, j] after a name, as the text of the name goes on."""
        return f"[{','.join(map(str, self.in_brackets('[', self.integer, ']')))}]" if self.peek() == "[" else ""

    def spelled(self):
        return self.name() + self.indices()

    def spelled_range(self):
        """x, or x[1..n], x[1..n, 1..k]: all names."""
        name = self.name()
        if self.peek() != "[":
            return [name]
        return [f"{name}[{','.join(map(str, i))}]" for i in itertools.product(*self.in_brackets("[", self.range, "]"))]

    def label(self):
        """`name:` or `name[i]:` before an equation; None without it."""
        at = self.at + 1
        if self.peek(1) == "[":
            while at < len(self.tokens) and self.tokens[at][1] != "]":
                at += 1
            at += 1
        if at >= len(self.tokens) or self.tokens[at][1] != ":":
            return None
        out, _ = self.spelled(), self.take(":")
        return out

    def loop(self, block):
        """`i = a .. b:` after `for`: name, numbers, and the lines that are repeated."""
        i, _, numbers, _ = self.name(), self.take("="), self.range(), self.take(":")
        rest = self.tokens[self.at:]
        return i, numbers, ([(0, rest)] if rest else []) + block

    # -- expressions

    def scalar(self):
        e = self.expr()
        if not isinstance(e, Expr):
            raise Wrong("the model has a vector in place of a number")
        return e

    def vector(self):
        e = self.expr()
        if not isinstance(e, Vec):
            raise Wrong("the model has a number in place of a vector")
        return e

    def whole(self):
        e = self.scalar()
        if not self.at_end():
            raise Wrong("an expression is not understood")
        return e

    def expr(self):
        left = self.term()
        while self.peek() in ("+", "-"):
            plus, right = self.next()[1] == "+", self.term()
            left = componentwise(lambda a, b: a + b if plus else a - b, left, right)
        return left

    def term(self):
        left = self.factor()
        while self.peek() in ("*", "/"):
            divide, right = self.next()[1] == "/", self.factor()
            if isinstance(right, Vec) and (divide or isinstance(left, Vec)):
                raise Wrong("the model has a vector in place of a number")
            left = left / right if divide else left * right
        return left

    def factor(self):
        if self.accept("-"):
            return -self.factor()
        if self.accept("+"):
            return self.factor()
        base = self.primary()
        return base ** self.factor() if self.accept("^") else base

    def primary(self):
        kind, text = self.next()
        if kind == "number":
            return num(Fraction(text))
        if text == "(":
            self.at -= 1
            parts = self.in_brackets("(", self.expr, ")")
            if len(parts) == 6:
                return parts  # an inertia
            return self.component(parts[0] if len(parts) == 1 else Vec((parts + [ZERO])[:3]))
        if kind != "name":
            raise Wrong(f"the model has {text!r} where an expression should be")
        return self.component(self.named(text))

    def component(self, e):
        while isinstance(e, Vec) and self.accept("["):
            k, _ = self.integer(), self.take("]")
            e = e[k - 1]
        return e

    def named(self, name):
        m = self.m
        if name in self.local:
            return self.local[name]
        if name in ("sum", "product") and self.peek() == "(" and self.peek(2) == "=":
            return self.repeated(name)
        primes = 0
        while self.peek(primes) == "'":
            primes += 1
        if name in m.functions and primes == 1 and self.peek(1) == "[":  # V'[1,0](x, y), of generators
            self.take("'")
            orders = tuple(self.in_brackets("[", self.integer, "]"))
            return Expr.make("function", name, orders, *self.arguments())
        if self.peek(primes) == "(" and (name in m.lets or name in m.functions or name in BUILT_IN):
            self.at += primes
            return self.called(name, primes)
        if self.peek() == "[" and isinstance(m.names.get(name), Vec):
            return m.names[name]  # its component is taken next
        family = any(known.startswith(name + "[") for known in m.names)
        known = name in DERIVED or self.method
        if not known or family or self.peek() != "[":
            return self.variable(name)
        return m.derived(self, name)

    def variable(self, name):
        m = self.m
        if name not in m.names:
            if name == "t":
                return symbol("t")
            if name == "pi":
                return Expr.make("pi")
            if name in m.energies:
                return m.energies[name]
            name += self.indices()
        if name not in m.names and self.method:
            raise Unchecked(f"what {self.method} calls {name} is not known here")
        if name not in m.names:
            raise Wrong(f"the model uses a name that is not declared: {name}")
        e = m.names[name]
        while self.accept("'"):
            e = m.dt(e)
        return e

    def repeated(self, name):
        self.take("(")
        i, _, numbers, _ = self.name(), self.take("="), self.range(), self.take(",")
        start, before, out = self.at, self.local, ZERO if name == "sum" else ONE
        self.skipped((")",))
        for n in numbers:
            self.at, self.local = start, {**before, i: num(n)}
            e = self.scalar()
            out = out + e if name == "sum" else out * e
        self.local = before
        self.take(")")
        return out

    def arguments(self):
        return self.in_brackets("(", self.expr, ")")

    def called(self, name, primes):
        m = self.m
        if name in m.lets:
            names, body, local = m.lets[name]
            args = self.arguments()
            if primes == 0:
                return Reader(m, body, {**local, **dict(zip(names, args))}).expr()
            e = Reader(m, body, {**local, **dict(zip(names, args)), names[0]: symbol("*argument*")}).scalar()
            for _ in range(primes):
                e = diff(e, "*argument*")
            return substituted(e, {"*argument*": args[0]})
        if name in m.functions:
            args = self.arguments()
            return Expr.make("function", name, (primes,) + (0,) * (len(args) - 1), *args)
        if name in GEOMETRY:
            return self.geometry(name)
        if name == "if":
            return self.choice()
        args = self.arguments()
        if name == "der":
            return m.dt(args[0])
        return VALUES.get(name, lambda *a: call(name, *a))(*args)

    def choice(self):
        """if(x > y, a, b)"""
        self.take("(")
        left, relation, right, _ = self.scalar(), self.next()[1], self.scalar(), self.take(",")
        a, _, b, _ = self.expr(), self.take(","), self.expr(), self.take(")")
        x = right - left if relation in ("<", "<=") else left - right
        return componentwise(lambda a, b: chosen(x, a, b), a, b)

    def part(self):
        name = self.spelled()
        if name not in self.m.parts:
            raise Wrong(f"the model has no body or point {name}")
        return self.m.parts[name]

    def geometry(self, name):
        self.take("(")
        p = self.part()
        out = {"position": p.place, "velocity": p.velocity, "omega": p.omega, "axis": None}[name]
        if name == "axis":
            self.take(",")
            out = p.axes[self.integer() - 1]
        elif name == "velocity" and self.accept(","):
            out = p.velocity_at(self.vector())
        self.take(")")
        return out

    def index(self, names):
        """A number or the name of what is numbered, counted from 0; "t" for time."""
        start = self.at
        if self.tokens[self.at][0] == "name":
            try:
                spelled = self.spelled()
                if spelled in names:
                    return names.index(spelled)
            except Wrong:
                pass
            self.at = start
        return "t" if self.accept("t", "name") else self.integer() - 1

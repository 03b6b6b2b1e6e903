"""Exact expressions: made with operators, looked at, differentiated, printed."""
from __future__ import annotations

import ctypes
import fractions
import math
import numbers
from typing import Any, Mapping, Union

from ._headers import ENUMS
from ._library import CODE, encoded, lib, text

Number = Union[int, float, fractions.Fraction]


def decimal(value: Number) -> str:
    """A number as the library reads it: exactly; of a float the shortest decimal that is it, so that 0.1 is 1/10."""
    if isinstance(value, bool):
        raise TypeError("a bool is not a number here")
    if isinstance(value, numbers.Rational):
        return str(fractions.Fraction(value.numerator, value.denominator))
    if isinstance(value, numbers.Real):
        value = float(value)
        if not math.isfinite(value):
            raise ValueError(f"{value} is not a finite number")
        return repr(value)
    raise TypeError(f"{type(value).__name__} is neither a number nor an expression")


class Space:
    """Where expressions live: a model's context, or an answer's. `keep` is what must live as long."""

    def __init__(self, session, ctx: int, keep):
        self.session, self.ctx, self.keep = session, ctx, keep

    def number(self, value: Number) -> "Expr":
        """A number as an expression of this space."""
        return self.made(lib.ah_number, encoded(decimal(value)))

    def take(self, value) -> "Expr":
        """An expression of this space, or a number."""
        if not isinstance(value, Expr):
            return self.number(value)
        if value.space.ctx == self.ctx:
            return value
        here = Expr(self, value.handle)
        if value.space.session is self.session and here._identity() == value._identity() is not None:
            return here  # a symbol of the model is the same in its answers
        raise ValueError("the expression belongs to another model or answer")

    def made(self, function, *arguments) -> "Expr":
        return Expr(self, self.session.expression(function, self.ctx, *arguments))

    def handles(self, values):
        return (ctypes.c_uint32 * len(values))(*[self.take(v).handle for v in values])


class Expr:
    """An expression of a model or an answer. Equal ones are one: `==` compares structure."""

    __slots__ = ("space", "handle")

    def __init__(self, space: Space, handle: int):
        self.space, self.handle = space, handle

    # ---- Making ----

    def _with(self, function, other, turned: bool = False):
        try:
            other = self.space.take(other)
        except TypeError:
            return NotImplemented
        a, b = (other, self) if turned else (self, other)
        return self.space.made(function, a.handle, b.handle)

    def __add__(self, other):
        return self._with(lib.ah_add, other)

    def __radd__(self, other):
        return self._with(lib.ah_add, other, True)

    def __sub__(self, other):
        return self._with(lib.ah_sub, other)

    def __rsub__(self, other):
        return self._with(lib.ah_sub, other, True)

    def __mul__(self, other):
        return self._with(lib.ah_mul, other)

    def __rmul__(self, other):
        return self._with(lib.ah_mul, other, True)

    def __truediv__(self, other):
        return self._with(lib.ah_div, other)

    def __rtruediv__(self, other):
        return self._with(lib.ah_div, other, True)

    def __pow__(self, other):
        return self._with(lib.ah_pow, other)

    def __rpow__(self, other):
        return self._with(lib.ah_pow, other, True)

    def __abs__(self):
        return _function("abs", 1)(self)

    def __neg__(self):
        return self.space.made(lib.ah_neg, self.handle)

    def __pos__(self):
        return self

    @property
    def dot(self) -> "Expr":
        """The time derivative: of x it is x', of x' it is x''."""
        return self.space.made(lib.ah_total_derivative, self.handle)

    def diff(self, symbol: "Expr") -> "Expr":
        """The partial derivative by a symbol, all others held."""
        return self.space.made(lib.ah_diff, self.handle, self.space.take(symbol).handle)

    def subs(self, values: Mapping["Expr", Union["Expr", Number]]) -> "Expr":
        """With other expressions in the place of symbols, all at once."""
        symbols = self.space.handles(list(values))
        return self.space.made(lib.ah_substitute, self.handle, len(values), symbols,
                               self.space.handles(list(values.values())))

    # ---- Looking ----

    def __call__(self, values: Mapping[Union["Expr", str], float]) -> float:
        """Its value, given those of its symbols (or of their names); NaN when one is missing or it does not exist."""
        named = {str(s.text): s for s in self.symbols}
        pairs = [(named.get(k) if isinstance(k, str) else self.space.take(k), float(v)) for k, v in values.items()]
        pairs = [(s, v) for s, v in pairs if s is not None]
        symbols = self.space.handles([s for s, _ in pairs])
        numbers_ = (ctypes.c_double * len(pairs))(*[v for _, v in pairs])
        with self.space.session.using():
            return lib.ah_evaluate(self.space.ctx, self.handle, len(pairs), symbols, numbers_)

    @property
    def children(self) -> tuple["Expr", ...]:
        """The operands, in their order."""
        count = lib.ah_expr_children(self.space.ctx, self.handle)
        return tuple(Expr(self.space, lib.ah_expr_child(self.space.ctx, self.handle, i)) for i in range(count))

    @property
    def kind(self) -> str:
        """"number", "pi", "symbol", "sum", "product", "power", "call" or "unknown"."""
        return ENUMS["ah_node"][lib.ah_expr_kind(self.space.ctx, self.handle)][0].removeprefix("AH_NODE_").lower()

    @property
    def symbols(self) -> tuple["Expr", ...]:
        """Those that occur in it, each once."""
        found, seen, stack = {}, set(), [self]
        while stack:
            e = stack.pop()
            if e.handle in seen:
                continue
            seen.add(e.handle)
            if e.kind == "symbol":
                found[e.handle] = e
            stack.extend(e.children)
        return tuple(found[h] for h in sorted(found))

    def _identity(self):
        """What a symbol is called and of which kind it is; None of anything else."""
        name = lib.ah_expr_name(self.space.ctx, self.handle)
        return (name, lib.ah_expr_symbol_kind(self.space.ctx, self.handle)) if name and self.kind == "symbol" else None

    def _printed(self, format: str) -> str:
        with self.space.session.using():
            return text(lib.ah_print(self.space.ctx, self.handle, CODE[format])) or ""

    @property
    def text(self) -> str:
        """In the model language: reads back as the same expression."""
        return self._printed("AH_ASCII")

    @property
    def latex(self) -> str:
        """As a formula of LaTeX."""
        return self._printed("AH_LATEX")

    @property
    def mathml(self) -> str:
        """As a formula of a page."""
        return self._printed("AH_MATHML")

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return self.text

    def _repr_latex_(self) -> str:
        return f"$\\displaystyle {self.latex}$"

    def __eq__(self, other) -> bool:
        if isinstance(other, Expr):
            return self.space.ctx == other.space.ctx and self.handle == other.handle
        try:
            return self.space.number(other).handle == self.handle
        except (TypeError, ValueError):
            return NotImplemented

    def __hash__(self) -> int:
        return hash((self.space.ctx, self.handle))

    def __bool__(self) -> bool:
        raise TypeError("an expression is neither true nor false")

    def __float__(self) -> float:
        value = self({})
        if math.isnan(value):
            raise TypeError(f"{self.text} is not a number")
        return value


def _function(name: str, arity: int):
    code = CODE["AH_" + name.upper()]

    def call(*arguments: Expr | Number) -> Any:
        if len(arguments) != arity:
            raise TypeError(f"{name} takes {arity} argument{'s' if arity > 1 else ''}, not {len(arguments)}")
        space = next((a.space for a in arguments if isinstance(a, Expr)), None)
        if space is None:
            return getattr(math, {"abs": "fabs"}.get(name, name))(*arguments)
        return space.made(lib.ah_call, code, space.handles(arguments))

    call.__name__ = call.__qualname__ = name
    call.__doc__ = f"{name} of an expression, or of a number."
    return call


sin, cos, tan = (_function(n, 1) for n in ("sin", "cos", "tan"))
asin, acos, atan, atan2 = (*(_function(n, 1) for n in ("asin", "acos", "atan")), _function("atan2", 2))
sinh, cosh, tanh = (_function(n, 1) for n in ("sinh", "cosh", "tanh"))
exp, log, sqrt = (_function(n, 1) for n in ("exp", "log", "sqrt"))

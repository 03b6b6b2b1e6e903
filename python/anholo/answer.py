"""Answers of the library as Python objects: what the structs of the headers hold, field by field."""
from __future__ import annotations

import ctypes
import enum
import json
import os
from types import SimpleNamespace
from typing import Any

from ._headers import ENUMS, STRUCTS
from ._library import CODE, lib, text
from .expr import Expr, Space


class Word(enum.IntEnum):
    """A kind or a verdict: equal to its word, too: `claim.verdict == "proved"`."""

    @property
    def word(self) -> str:
        return _words[type(self).__name__][self.value]

    def __str__(self) -> str:
        return self.word

    def __repr__(self) -> str:
        return repr(self.word)

    def __eq__(self, other) -> bool:
        return self.word == other if isinstance(other, str) else int(self) == other

    __hash__ = enum.IntEnum.__hash__


_words: dict[str, tuple[str, ...]] = {}


def _enumeration(name: str, public: str) -> type[Word]:
    codes = ENUMS[name]
    first = os.path.commonprefix([c for c, _ in codes])
    cut = first.rfind("_") + 1
    _words[public] = tuple(word or code[cut:].lower().replace("_", " ") for code, word in codes)
    make: Any = Word  # with two arguments it makes an enumeration
    return make(public, {code[cut:]: number for number, (code, _) in enumerate(codes)})


Verdict = _enumeration("ah_verdict", "Verdict")
Stability = _enumeration("ah_stability_verdict", "Stability")
Form = _enumeration("ah_form", "Form")
Power = _enumeration("ah_power_kind", "Power")
Speeds = _enumeration("ah_speeds", "Speeds")
Says = _enumeration("ah_says", "Says")
KINDS = {"ah_verdict": Verdict, "ah_stability_verdict": Stability, "ah_form": Form, "ah_power_kind": Power,
         "ah_speeds": Speeds, "ah_says": Says}
TRUTH = (False, True, None)  # None: unknown

# An array's length is the size_t field before it, but here: one thing alone (1), another field, or a formula.
LENGTH: dict[tuple[str, str], Any] = {
    ("ah_classification", "constraints"): lambda s: s.r,
    ("ah_check_values", "kind"): 1, ("ah_check_values", "distribution"): 1, ("ah_check_values", "singular"): 1,
    ("ah_check_values", "energy"): 1,
    ("ah_characteristic", "coefficient"): lambda s: s.degree + 1,
    ("ah_derived", "entry"): lambda s: s.rows * s.columns,
    ("ah_steady_motion", "symbolic"): lambda s: s.variables.count,
    ("ah_family", "characteristic"): 1, ("ah_stability_values", "characteristic"): 1,
    ("ah_stability_values", "jacobian"): lambda s: s.motion.variables.count ** 2,
    ("ah_linearise_values", "A"): lambda s: s.states ** 2,
    ("ah_linearise_values", "B"): lambda s: s.states * s.inputs,
    ("ah_linearise_values", "C"): lambda s: s.outputs * s.states,
    ("ah_linearise_values", "D"): lambda s: s.outputs * s.inputs,
    ("ah_linearise_values", "symbolic"): 1,
    ("ah_linear_symbols", "A"): lambda s: s.states ** 2,
    ("ah_linear_symbols", "B"): lambda s: s.states * s.inputs,
    ("ah_linear_symbols", "C"): lambda s: s.outputs * s.states,
    ("ah_linear_symbols", "D"): lambda s: s.outputs * s.inputs,
    ("ah_linear_symbols", "rate"): lambda s: s.states,
    ("ah_linearise_values", "rate"): lambda s: s.states, ("ah_linearise_values", "unit"): lambda s: s.states,
}

# Lists that are not called like their count.
LISTS = {("ah_verify_values", "at"): "claims", ("ah_integrals_values", "at"): "integrals",
         ("ah_steady_values", "at"): "families", ("ah_distribution", "growth"): "growth",
         ("ah_spectrum", "re"): "re", ("ah_singular", "at"): "cases"}


class Values(SimpleNamespace):
    """Fields of an answer; lists and dictionaries in the place of counted arrays."""


class Reader:
    def __init__(self, space: Space):
        self.space = space

    def expression(self, handle: int):
        return Expr(self.space, handle) if handle else None

    def value(self, kind: str, value):
        kind = kind.replace("const ", "").strip()
        if kind == "char*":
            return text(value)
        if kind == "ah_expr":
            return self.expression(value)
        if kind == "ah_truth":
            return TRUTH[value]
        if kind in KINDS:
            return KINDS[kind](value)
        if kind == "ah_values":
            return {self.expression(value.symbol[i]): value.value[i] for i in range(value.count)}
        if kind == "ah_span":
            return self.place(value)
        return self.struct(kind, value) if kind in STRUCTS else value

    def place(self, span):
        if not span.file:
            return None
        place = lib.ah_span_place(self.space.session.ctx, span)
        return (text(place.file), place.line, place.column)

    def struct(self, name: str, s) -> Values:
        """A counted array is a list under the name of its count: `size_t parts; const ah_family_part *part` is `parts`."""
        out, count, counted = Values(), 0, ""
        for field, kind in STRUCTS[name]:
            value = getattr(s, field)
            if kind == "size_t":
                count, counted = value, field
            if not kind.endswith("*") or kind == "const char*":
                setattr(out, field, self.value(kind, value))
                continue
            length = LENGTH.get((name, field))
            inner = kind.removeprefix("const ").removesuffix("*").removesuffix(" const")
            if length == 1:
                value = self.value(inner, value.contents) if value else None
            elif length:
                value = [self.value(inner, value[i]) for i in range(length(s))] if value else None
            else:
                value = [self.value(inner, value[i]) for i in range(count)] if value else []
                field = LISTS.get((name, field)) or counted or field
                vars(out).pop(counted, None)
                counted = ""
            setattr(out, field, value)
        return out


class Answer:
    """An answer of the library. `bool(answer)` is its yes or no, `values` all that is in it; `text`, `latex`, `mathml`
    and `json` are as the command line writes it."""

    def __init__(self, model, question: str, function, *arguments):
        self.model = model
        self.question = question
        session = model._session
        self._node = session.make(function, model._ready(), *arguments, destroy=lib.ah_answer_destroy, holder=self,
                                  parent=model._node)
        self._space = Space(session, lib.ah_answer_context(self._node.pointer), self)
        pointer = getattr(lib, f"ah_answer_{question}")(self._node.pointer)
        self._values = Reader(self._space).struct(f"ah_{question}_values", pointer.contents)
        self.yes: bool = lib.ah_answer_yes(self._node.pointer)

    @property
    def values(self) -> Values:
        """The fields of the answer's C struct."""
        return self._values

    def __getattr__(self, name: str):
        try:
            return getattr(self.__dict__["_values"], name)
        except (KeyError, AttributeError):
            raise AttributeError(f"an answer to {self.__dict__.get('question')} has no {name}") from None

    def __dir__(self):
        return [*super().__dir__(), *vars(self._values)]

    def __bool__(self) -> bool:
        return self.yes

    def write(self, format: str) -> str:
        """As "text", "latex", "mathml" or "json"."""
        code = CODE.get("AH_" + str(format).upper())
        if code is None:
            raise ValueError(f"there is no format {format!r}: text, latex, mathml, json")
        out = ctypes.c_char_p()
        self.model._session.call(lib.ah_answer_write, self._node.pointer, code, ctypes.byref(out))
        return text(out.value) or ""

    @property
    def text(self) -> str:
        """What the program prints."""
        return self.write("text")

    @property
    def latex(self) -> str:
        """A document that compiles as it stands."""
        return self.write("latex")

    @property
    def mathml(self) -> str:
        """Part of a page."""
        return self.write("mathml")

    @property
    def json(self) -> dict:
        """The object that the command line writes with --json (docs/schema)."""
        return json.loads(self.write("json"))

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<{self.question}: {'yes' if self.yes else 'no'}>"

    def _repr_html_(self) -> str:
        return self.mathml


class Equations(Answer):
    """The equations of motion: `equations` are pairs unknown = value, `latex` the document."""

    def __getitem__(self, unknown) -> Expr:
        """The value of an unknown: an acceleration "x''", a multiplier "lambda[label]", …"""
        for e in self.equations:
            if e.unknown is not None and (e.unknown == unknown or e.unknown.text == unknown):
                return e.value
        raise KeyError(unknown)

    def _repr_latex_(self) -> str:
        rows = [f"{e.left.latex} &= {e.shown.latex}" for e in self.equations]
        rows += [f"{n.name.latex} &= {n.meaning.latex}" for n in self.names]
        return "$\\begin{aligned}" + r" \\ ".join(rows) + "\\end{aligned}$"


class Linear(Answer):
    """y' = A y + B u, o = C y + D u near a steady motion: `A`, `B`, `C`, `D` are arrays, `states`, `inputs` and `outputs`
    say what is what. `symbolic` (None where it is too large) has the same as arrays of expressions."""

    def __init__(self, *arguments):
        import numpy as np
        super().__init__(*arguments)
        v = self._values
        n, k, o = len(v.states), len(v.inputs), len(v.outputs)
        for name, shape in (("A", (n, n)), ("B", (n, k)), ("C", (o, n)), ("D", (o, k))):
            setattr(v, name, np.array(getattr(v, name) or [], dtype=float).reshape(shape))
            if v.symbolic:
                formulas = np.empty(shape, dtype=object)
                formulas.ravel()[:] = getattr(v.symbolic, name) or []
                setattr(v.symbolic, name, formulas)


class Verification(Answer):
    """The verdicts on a model's claims, one for each: `claims`, or by label."""

    def __getitem__(self, label: str) -> Values:
        for claim in self.claims:
            if claim.label == label:
                return claim
        raise KeyError(label)

    def __iter__(self):
        return iter(self.claims)

    def __len__(self) -> int:
        return len(self.claims)

"""Models: read from text, or built by calls."""
from __future__ import annotations

import ctypes
import html
import os
import pathlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Iterable, Mapping, Sequence, Union

from ._headers import ENUMS
from ._library import CODE, encoded, lib, options, struct, text
from ._session import Session
from .answer import Answer, Equations, Linear, Verification
from .expr import Expr, Number, Space, decimal

if TYPE_CHECKING:
    from .sweep import Sweep

Value = Union[Expr, Number]
Settings = Union[str, Mapping[str, Union[Number, str]], None]  # {"m": 2, "x'": "v"}, or as --set and --at have it
ITEMS = {code.removeprefix("AH_ITEM_").lower(): number for number, (code, _) in enumerate(ENUMS["ah_item_kind"])}


@dataclass(frozen=True)
class Item:
    """Something that a model says: a parameter, a coordinate, a constraint, …"""

    name: str
    kind: str
    unit: str | None
    symbol: Expr | None
    value: Expr | None
    start: Expr | None
    start_rate: Expr | None


class Page:
    """A page of HTML that needs no other file."""

    def __init__(self, source: str):
        self.html = source

    def save(self, path: str | os.PathLike) -> None:
        """Into a file."""
        pathlib.Path(path).write_text(self.html, encoding="utf-8")

    def __repr__(self) -> str:
        return f"<page of {len(self.html)} characters>"

    def _repr_html_(self) -> str:
        return (f'<iframe srcdoc="{html.escape(self.html)}" width="100%" height="640" '
                'style="border:0" sandbox="allow-scripts"></iframe>')


class Figure:
    """A figure as SVG."""

    def __init__(self, svg: str):
        self.svg = svg

    def save(self, path: str | os.PathLike) -> None:
        """Into a file."""
        pathlib.Path(path).write_text(self.svg, encoding="utf-8")

    def _repr_svg_(self) -> str:
        return self.svg


def _settings(given: Settings, what: str) -> str | None:
    """As --set and --at want it: "a=1.5,f(t)=sin(t)"; a text is what it is."""
    if given is None or isinstance(given, str):
        return given
    if not isinstance(given, Mapping):
        raise TypeError(f"{what} must be a dictionary, not {type(given).__name__}")
    return ",".join(f"{name}={value if isinstance(value, str) else decimal(value)}" for name, value in given.items()) or None


def _listed(given: str | Iterable[str] | None) -> str | None:
    """Several names or formulas as a text of them."""
    return given if given is None or isinstance(given, str) else ",".join(map(str, given))


def parse(source: str, set: Settings = None, name: str = "<text>") -> "Model":
    """A model from text. `set` overrides parameters, as --set does: {"m": 2, "f(t)": "sin(t)"}."""
    if not isinstance(source, str):
        raise TypeError(f"the text of a model is a str, not {type(source).__name__}")
    return Model._read(source.encode("utf-8", "surrogatepass"), encoded(name, "name"), set)


def read(path: str | os.PathLike, set: Settings = None) -> "Model":
    """A model from a file."""
    return Model._read(pathlib.Path(path).read_bytes(), os.fsencode(os.fspath(path)), set)


class Model:
    """A mechanical system. `read` and `parse` make one from text; `Model("title")` begins an empty one, which calls
    fill and the first question finishes."""

    def __init__(self, title: str = ""):
        self._begin()
        pointer = lib.ah_model_create(self._session.ctx, encoded(title, "title"))
        if not pointer:
            raise MemoryError("libanholo: out of memory")
        self._own(self._session.node(pointer, lib.ah_model_destroy).owned_by(self), finished=False)

    def _begin(self) -> None:
        self._session = Session()
        self._session.root.owned_by(self)

    def _own(self, node, finished: bool) -> None:
        self._node, self._finished = node, finished
        self._space = Space(self._session, lib.ah_model_context(node.pointer), self)

    @classmethod
    def _read(cls, source: bytes, name: bytes, set) -> "Model":
        settings = _settings(set, "set")
        self = cls.__new__(cls)
        self._begin()
        self._own(self._session.make(lib.ah_read, self._session.ctx, name, source, len(source),
                                     encoded(settings, "set") if settings else None,
                                     destroy=lib.ah_model_destroy, holder=self), finished=True)
        return self

    def _ready(self) -> int:
        self.finish()
        return self._node.pointer

    def finish(self) -> "Model":
        """Checks the whole of a model that was built by calls; every question does that first."""
        if not self._finished:
            self._session.call(lib.ah_model_finish, self._node.pointer)
            self._finished = True
        return self

    # ---- Building ----

    def _add(self, function, *arguments) -> None:
        if self._finished:
            raise ValueError("the model is finished: nothing can be added")
        self._session.call(function, self._node.pointer, *arguments)

    def _symbol(self, function, *arguments) -> Expr:
        if self._finished:
            raise ValueError("the model is finished: nothing can be added")
        return Expr(self._space, self._session.expression(function, self._node.pointer, *arguments))

    def _handle(self, value: Value | None) -> int:
        return 0 if value is None else self._space.take(value).handle

    def _vector(self, values: Sequence[Value]):
        values = list(values)
        if len(values) != 3:
            raise ValueError(f"a vector has 3 components, not {len(values)}")
        return struct["ah_vector"](tuple(map(self._handle, values)))

    @property
    def t(self) -> Expr:
        """Time."""
        return self._space.made(lib.ah_time)

    def number(self, value: Number) -> Expr:
        """An exact number as an expression of this model: 0.1 is a tenth."""
        return self._space.number(value)

    def parameter(self, name: str, value: Value | None = None) -> Expr:
        """A constant; without a value it stays a symbol."""
        return self._symbol(lib.ah_model_parameter, encoded(name, "name"), self._handle(value))

    def coordinate(self, name: str) -> Expr:
        """Its velocity is `.dot` of it."""
        return self._symbol(lib.ah_model_coordinate, encoded(name, "name"))

    def coordinates(self, names: str) -> tuple[Expr, ...]:
        """Several: "x y th"."""
        return tuple(self.coordinate(n) for n in names.replace(",", " ").split())

    def input(self, name: str, value: Value | None = None) -> Expr:
        """What drives the system from outside."""
        return self._symbol(lib.ah_model_input, encoded(name, "name"), self._handle(value))

    def kinetic(self, e: Value) -> None:
        """Adds to the kinetic energy."""
        self._add(lib.ah_model_kinetic, self._handle(e))

    def potential(self, e: Value) -> None:
        """Adds to the potential energy."""
        self._add(lib.ah_model_potential, self._handle(e))

    def force(self, coordinate: Expr, e: Value) -> None:
        """Adds to the generalised force on the coordinate."""
        self._add(lib.ah_model_force, self._handle(coordinate), self._handle(e))

    def gravity(self, g: Sequence[Value]) -> None:
        """A uniform field that acts on all points and bodies."""
        self._add(lib.ah_model_gravity, self._vector(g))

    def point(self, name: str, mass: Value, place: Sequence[Value]) -> None:
        """A mass point at a place, a vector of expressions."""
        self._add(lib.ah_model_point, encoded(name, "name"), self._handle(mass), self._vector(place))

    def body(self, name: str, mass: Value, inertia: Sequence[Value], place: Sequence[Value],
             turn: Iterable[tuple[str, Value]] = ()) -> None:
        """A rigid body: inertia (xx, yy, zz[, yz, zx, xy]) about its centre; turned about its own axes in order,
        [("z", theta), ("x", psi)]."""
        inertia = list(inertia)
        if len(inertia) not in (3, 6):
            raise ValueError("inertia has 3 or 6 components")
        axes = {"x": 1, "y": 2, "z": 3}
        turns = [struct["ah_turn"](axes[axis], self._handle(angle)) for axis, angle in turn]
        made = struct["ah_body"](name=encoded(name, "name"), mass=self._handle(mass),
                                 inertia=(ctypes.c_uint32 * 6)(*map(self._handle, inertia)),
                                 place=self._vector(place), turns=len(turns),
                                 turn=(struct["ah_turn"] * len(turns))(*turns))
        self._add(lib.ah_model_body, ctypes.byref(made))

    def constraint(self, left: Value, right: Value = 0, label: str | None = None) -> None:
        """left = right, of coordinates, velocities or accelerations."""
        self._add(lib.ah_model_constraint, None if label is None else encoded(label, "label"), self._handle(left),
                  self._handle(right))

    def speed(self, name: str) -> Expr:
        """A velocity parameter."""
        return self._symbol(lib.ah_model_speed, encoded(name, "name"))

    def speed_equation(self, coordinate: Expr, e: Value) -> None:
        """A coordinate's velocity in velocity parameters."""
        self._add(lib.ah_model_speed_equation, self._handle(coordinate), self._handle(e))

    def quasivelocity(self, name: str, definition: Value) -> Expr:
        """A velocity parameter of Hamel's, by its definition in velocities."""
        return self._symbol(lib.ah_model_quasivelocity, encoded(name, "name"), self._handle(definition))

    def assume(self, e: Value, positive: bool = True) -> None:
        """e > 0; not positive: e != 0."""
        self._add(lib.ah_model_assume, self._handle(e), bool(positive))

    def start(self, values: Mapping[Expr, Value]) -> None:
        """{x: 0, x.dot: 1}."""
        for symbol, value in values.items():
            self._add(lib.ah_model_start, self._handle(symbol), self._handle(value))

    def span(self, begin: Value, end: Value) -> None:
        """How long `simulate` goes."""
        self._add(lib.ah_model_span, self._handle(begin), self._handle(end))

    def output(self, name: str, e: Value) -> None:
        """One more column of motions."""
        self._add(lib.ah_model_output, encoded(name, "name"), self._handle(e))

    def unit(self, name: str, unit: str) -> None:
        """What numbers of this name are measured in; it changes none of them."""
        self._add(lib.ah_model_unit, encoded(name, "name"), encoded(unit, "unit"))

    def event(self, label: str, e: Value, direction: int = 0, stop: bool = False) -> None:
        """Recorded where e = 0: growing (1), falling (-1) or either (0); `stop` ends a motion there."""
        self._add(lib.ah_model_event, encoded(label, "label"), self._handle(e), int(direction), bool(stop))

    def claim(self, label: str, left: Value, right: Value = 0, refute: bool = False) -> None:
        """left = right in every admissible motion; with `refute`: not so."""
        self._add(lib.ah_model_claim, encoded(label, "label"), self._handle(left), self._handle(right), bool(refute))

    # ---- Looking ----

    @property
    def title(self) -> str:
        """What the model calls itself."""
        return text(lib.ah_model_title(self._node.pointer)) or ""

    def items(self, kind: str) -> list[Item]:
        """All of one kind: "parameter", "coordinate", "speed", "quasivelocity", "constraint", "output", "event",
        "claim", "function" (and inputs), "part"."""
        if kind not in ITEMS or kind == "kinds":
            raise ValueError(f"there is no kind {kind!r}: {', '.join(k for k in ITEMS if k != 'kinds')}")
        model, out = self._ready(), []
        expression = lambda handle: Expr(self._space, handle) if handle else None
        for i in range(lib.ah_model_count(model, ITEMS[kind])):
            item = struct["ah_item"]()
            self._session.call(lib.ah_model_item, model, ITEMS[kind], i, ctypes.byref(item))
            out.append(Item(text(item.name) or "", text(item.kind) or "", text(item.unit), expression(item.symbol),
                            expression(item.value), expression(item.start), expression(item.start_rate)))
        return out

    @property
    def inputs(self) -> dict[str, Expr]:
        """What drives the system, as functions of t."""
        local = Expr(self._space, self._session.expression(lib.ah_symbol, self._space.ctx, CODE["AH_LOCAL"], b"t"))
        return {i.name: i.value.subs({local: self.t}) for i in self.items("function")
                if i.kind == "input" and i.value is not None}

    def expression(self, source: str) -> Expr:
        """An expression in the model's names: "m*x'^2/2"."""
        out = ctypes.c_uint32()
        self._session.call(lib.ah_read_expression, self._ready(), b"expression", encoded(source, "expression"),
                           ctypes.byref(out))
        return Expr(self._space, out.value)

    def set(self, name: str, value: Value | str) -> None:
        """Another value of a parameter: systems made from now on have it."""
        e = self.expression(value) if isinstance(value, str) else self._space.take(value)
        self._session.call(lib.ah_model_set, self._ready(), encoded(name, "name"), e.handle)

    def __repr__(self) -> str:
        return f"<Model {self.title!r}>"

    def _repr_html_(self) -> str:
        return self.check()._repr_html_()

    # ---- Questions ----

    def check(self) -> Answer:
        """What kind of system it is."""
        return Answer(self, "check", lib.ah_check)

    def derive(self, method: str | None = None, steps: bool = False, orthonormal: bool = False) -> Equations:
        """The equations of motion by a method (None: the default one)."""
        return Equations(self, "derive", lib.ah_derive, ctypes.byref(options(
            "ah_derive", method=method, steps=steps, orthonormal=orthonormal)))

    def verify(self, states: int | None = None, seed: int | None = None, certificate: bool = False) -> Verification:
        """The model's claims, each proved, found to hold, false or unknown."""
        return Verification(self, "verify", lib.ah_verify, ctypes.byref(options(
            "ah_verify", states=states, seed=seed, certificate=certificate)))

    def integrals(self, degree: int | None = None, coordinates_degree: int | None = None,
                  seed: int | None = None) -> Answer:
        """First integrals and an invariant measure."""
        return Answer(self, "integrals", lib.ah_integrals, ctypes.byref(options(
            "ah_integrals", degree=degree, coordinates_degree=coordinates_degree, seed=seed)))

    def steady(self, at: Settings = None, starts: int | None = None, seed: int | None = None) -> Answer:
        """Families of steady motions."""
        return Answer(self, "steady", lib.ah_steady, ctypes.byref(options(
            "ah_steady", at=_settings(at, "at"), starts=starts, seed=seed)))

    def stability(self, at: Settings = None, sweep: str | None = None, critical: str | None = None,
                  numbers: bool = False) -> Answer:
        """The stability of a steady motion."""
        return Answer(self, "stability", lib.ah_stability, ctypes.byref(options(
            "ah_stability", at=_settings(at, "at"), sweep=sweep, critical=critical, numbers=numbers)))

    def linearise(self, at: Settings = None, inputs: str | Iterable[str] | None = None,
                  outputs: str | Iterable[str] | None = None, whole: bool = False, any_state: bool = False) -> Linear:
        """A, B, C, D near the steady motion that `stability` takes; `whole`: with the ignorable coordinates; `any_state`:
        about `at` (as `eval` takes it) or the start, y' = rate + A y + B u."""
        return Linear(self, "linearise", lib.ah_linearise, ctypes.byref(options(
            "ah_linearise", at=_settings(at, "at"), inputs=_listed(inputs), outputs=_listed(outputs), whole=whole,
            any_state=any_state)))

    def crosscheck(self, states: int | None = None, seed: int | None = None) -> Answer:
        """All methods against each other."""
        return Answer(self, "crosscheck", lib.ah_crosscheck, ctypes.byref(options(
            "ah_crosscheck", states=states, seed=seed)))

    def system(self, method: str | None = None, engine: str | None = None, project: bool = False, driven: bool = True):
        """Ready for numbers, by a method (None: the default one). Not `driven`: the model's inputs are parameters that
        one sets, u, and where constraints hold them u', u'' and the time t(u) of these numbers."""
        from .system import System
        return System(self, method, engine, project, driven)

    def sweep(self, over: str | Mapping | None = None, **given: Any) -> Sweep:
        """Many motions, as arrays: the arguments of `anholo.sweep`."""
        from .sweep import sweep
        return sweep(self, over, **given)

    def report(self, methods: str | None = None, title: str | None = None, to: str | None = None) -> Page:
        """One page that tells everything, with the motion; a notebook shows it."""
        out = ctypes.POINTER(struct["ah_page"])()
        said = options("ah_report", methods=methods, title=title, to=to)
        self._session.call(lib.ah_report, self._ready(), ctypes.byref(said), ctypes.byref(out))
        return Page(text(out.contents.html) or "")

    def plot(self, *panels: str, title: str | None = None, to: str | None = None) -> Figure:
        """Figures of a motion: "t, x, y" is a panel."""
        said = options("ah_plot", title=title)
        texts = [encoded(p, "panel") for p in panels]
        said.panels, said.panel_count = (ctypes.c_char_p * len(texts))(*texts), len(texts)
        if to is not None:
            said.run.to = encoded(to, "to")
        svg, summary = ctypes.c_char_p(), ctypes.c_char_p()
        self._session.call(lib.ah_plot, self._ready(), ctypes.byref(said), CODE["AH_TEXT"], ctypes.byref(svg),
                           ctypes.byref(summary))
        return Figure(text(svg.value) or "")

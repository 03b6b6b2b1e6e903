"""What drives a system from outside: formulas, rows of numbers, functions of Python."""
from __future__ import annotations

import ctypes
import inspect
from contextlib import contextmanager

import numpy as np

from . import errors
from ._library import CODE, encoded, lib
from .expr import Expr


def given(model, inputs) -> dict:
    """Checked: every name is an input."""
    own = model.inputs
    for name in inputs:
        if name not in own:
            raise errors.InputError(f"there is no input {name!r}" + (f": {', '.join(own)}" if own else " in this model"))
    return dict(inputs)


def _rows(name: str, value) -> tuple[np.ndarray, np.ndarray]:
    try:
        t, u = (np.ascontiguousarray(part, dtype=float) for part in value)
    except (TypeError, ValueError):
        raise TypeError(f"input {name!r} is a number, a formula, a pair (times, values) or a function") from None
    if t.ndim != 1 or t.shape != u.shape:
        raise ValueError(f"input {name!r}: times and values are arrays of the same length")
    return t, u


def _expression(model, value) -> Expr:
    return model.expression(value) if isinstance(value, str) else model._space.take(value)


def _set(model, name: str, value) -> None:
    call, pointer = model._session.call, model._node.pointer
    if isinstance(value, (str, Expr)) or np.isscalar(value):
        call(lib.ah_model_set_input, pointer, encoded(name), _expression(model, value).handle)
        return
    t, u = _rows(name, value)
    call(lib.ah_model_set_input_rows, pointer, encoded(name), len(t), t.ctypes.data, u.ctypes.data, False)


@contextmanager
def set_for_now(model, inputs):
    """The model with other inputs, for what is made meanwhile."""
    before = {name: model.inputs[name] for name in inputs}
    try:
        for name, value in inputs.items():
            _set(model, name, value)
        yield
    finally:
        for name, value in before.items():
            _set(model, name, value)


# ---- Functions of Python ---------------------------------------------------------------------------------------------

def _arguments(function) -> int:
    try:
        kinds = [p.kind for p in inspect.signature(function).parameters.values() if p.default is p.empty]
    except (TypeError, ValueError):
        return 1
    return 2 if sum(k in (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD) for k in kinds) > 1 else 1


RATES = ("u", "(u, u')", "(u, u', u'')")


def _source(model, name: str, value, rates: int, parameters):
    """A function of (t, y) that gives u, u', … as many as the system needs."""
    if callable(value) and not isinstance(value, Expr):
        with_state = _arguments(value) == 2

        def called(t, y):
            said = np.atleast_1d(np.asarray(value(t, y.copy()) if with_state else value(t), dtype=float))
            if said.ndim != 1 or not 1 + rates <= said.size <= (3 if rates else 1):
                raise ValueError(f"input {name!r} stands in a constraint: its function returns {RATES[rates]}"
                                 if rates else f"the function of input {name!r} returns one number")
            return said[:1 + rates]

        return called
    if isinstance(value, (str, Expr)) or np.isscalar(value):
        formulas = [_expression(model, value)]
        for _ in range(rates):
            formulas.append(formulas[-1].dot)
        return lambda t, y: [f({**parameters, "t": t}) for f in formulas]
    times, values = _rows(name, value)
    if rates:
        raise errors.RefusedError(f"input {name!r} stands in a constraint: with functions of Python beside it, it must be "
                                  "a formula or a function, too")
    return lambda t, y: [np.interp(t, times, values)]


class Feed:
    """Hands the inputs of a fed system in, before each evaluation."""

    def __init__(self, system, inputs, parameters: np.ndarray):
        names = system.names["parameter"]
        self.system, self.values, self.sources = system, parameters.copy(), []
        now = dict(zip(names, parameters.tolist()))
        for name, own in system.model.inputs.items():
            if name not in names:
                raise errors.RefusedError(f"input {name!r} is a velocity of a kinematic model: give a formula or rows")
            rates = sum(name + "'" * k in names for k in (1, 2, 3))
            places = [names.index(name + "'" * k) for k in range(rates + 1)]
            since = names.index(f"t({name})") if rates else None
            self.sources.append((_source(system.model, name, inputs.get(name, own), rates, now), places, since))

    def __call__(self, t: float, y: np.ndarray) -> None:
        for source, places, since in self.sources:
            self.values[places] = source(t, y)
            if since is not None:
                self.values[since] = t
        if not np.isfinite(self.values).all():
            raise ValueError(f"an input is not finite at t = {t:g}")
        work = self.system._work()
        work.version = -1  # not those of the system
        lib.ah_work_set_parameters(work.pointer, self.values.ctypes.data)


class Watch:
    """The model's events in the steps of a motion of a fed system: where what is zero at them changes its sign, looked at in
    some places of each step. What only touches zero is not told."""

    PLACES = np.linspace(0, 1, 9)

    def __init__(self, system, values):
        self.items, self.values = system.model.items("event"), values
        unknown = [i.name for i in self.items if i.name not in system.names["event"]]
        if unknown:
            raise errors.RefusedError(f"event {unknown[0]!r} is no formula of the state: it cannot be watched where inputs are "
                                      "functions of Python")
        self.direction = [lib.ah_system_event_direction(system._node.pointer, i) for i in range(len(self.items))]
        self.begun, self.side = False, list[float]()
        self.last: list[tuple[float, float]] = []

    def _begin(self, t: float, first: np.ndarray, largest: np.ndarray) -> None:
        """What is zero to rounding has no side yet."""
        self.begun = True
        self.side = [float(np.sign(g)) if abs(g) > 1e-12 * size else 0.0 for g, size in zip(first, largest)]
        self.last = [(t, float(g)) for g in first]

    def step(self, begin: float, end: float) -> list[tuple]:
        """(label, t, what is left of zero, direction, stop) in the order of the motion, up to a stop."""
        from scipy.optimize import brentq

        times = begin + (end - begin) * self.PLACES
        times[-1] = end
        rows = np.array([self.values(t) for t in times])
        if not self.begun:
            self._begin(begin, rows[0], np.nanmax(abs(rows), axis=0, initial=0))
        way = 1 if end >= begin else -1
        found: list[tuple] = []
        for i, item in enumerate(self.items):
            for t, g in zip(times[1:], rows[1:, i]):
                if not abs(g) > 0:  # zero, or not there
                    continue
                sign, (before, g_before) = float(np.sign(g)), self.last[i]
                if sign == -self.side[i]:
                    at = brentq(lambda x: self.values(x)[i], before, t, xtol=1e-15, rtol=1e-14) if g_before * g < 0 else t
                    if self.direction[i] * way * sign >= 0:
                        found.append((item.name, at, float(self.values(at)[i]), int(way * sign), item.kind == "stop"))
                self.side[i], self.last[i] = sign, (t, float(g))
        found.sort(key=lambda e: (way * e[1], e[4]))
        stops = [k for k, e in enumerate(found) if e[4]]
        return found[:stops[0] + 1] if stops else found


BLOCKS = ("state", "velocity", "multiplier", "reaction", "output", "energy")


def simulate(system, inputs, parameters: np.ndarray, t0: float, y: np.ndarray, times: np.ndarray, rtol: float, atol: float):
    """Names, units, rows, events and why it failed of a motion of a fed system under functions of Python: SciPy's DOP853,
    brought back to the constraints after each step."""
    try:
        from scipy.integrate import DOP853
    except ImportError:
        raise ImportError("inputs that are functions of Python need SciPy (python3-scipy)") from None
    feed = Feed(system, inputs, parameters)
    work = system._work()

    def rate(t, y):
        feed(t, y)
        work.y[:] = y
        lib.ah_work_evaluate(work.pointer, CODE["AH_Q_RATE"], t, work.y_at, work.rate_at)
        return work.rate.copy()

    def on_constraints(t, y):
        feed(t, y)
        work.y[:] = y
        lib.ah_work_project(work.pointer, t, work.y_at, None)
        return work.y.copy()

    blocks = [b for b in BLOCKS if system.names[b] and not (b == "velocity" and set(system.names[b]) <= set(system.state))]

    def row(t, y):
        y = on_constraints(t, y)
        feed(t, y)
        return np.concatenate([[t], *(system._numbers(work, b, t, y) for b in blocks)])

    def zeros(t):
        y = on_constraints(t, between(t))
        feed(t, y)
        return system._numbers(work, "event", t, y)

    watch = Watch(system, zeros) if system.model.items("event") else None
    rows, events, until = [row(t0, y)], [], None
    solver = DOP853(rate, t0, y, times[-1], rtol=rtol, atol=atol)
    way = 1 if times[-1] >= t0 else -1
    why = None
    while len(rows) < len(times) and until is None:
        message = solver.step()
        if solver.status == "failed":
            why = message
            break
        between = solver.dense_output()
        if watch:
            events += watch.step(solver.t_old, solver.t)
            until = events[-1][1] if events and events[-1][4] else None
        end = solver.t if until is None else until
        while len(rows) < len(times) and way * (times[len(rows)] - end) <= 0:
            rows.append(row(times[len(rows)], between(times[len(rows)])))
        if until is not None and rows[-1][0] != until:
            rows.append(row(until, between(until)))
        solver.y = on_constraints(solver.t, solver.y)
        solver.f = rate(solver.t, solver.y)
    names = ("t", *(n for b in blocks for n in system.names[b]))
    units = (None, *(system.unit(b, i) for b in blocks for i in range(len(system.names[b]))))
    array = np.array(rows)
    array.flags.writeable = False
    return names, units, array, events, why

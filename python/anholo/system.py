"""Systems: numbers in, numbers out. Motions as columns."""
from __future__ import annotations

import ctypes
import math
import operator
import threading
from dataclasses import dataclass
from typing import Any, Mapping

import numpy as np

from . import errors, inputs as driving
from ._headers import ENUMS
from ._library import CODE, encoded, lib, options, struct, text
from ._session import OK
from .expr import Expr

QUANTITY = {name: number for number, (_, name) in enumerate(ENUMS["ah_quantity"])}
RATE, BY_STATE, BY_PARAMETER = QUANTITY["rate"], QUANTITY["by state"], QUANTITY["by parameter"]
NUMERIC = CODE["AH_E_NUMERIC"]


class _Work:
    """A work space of one thread, with arrays in which numbers go to and fro."""

    def __init__(self, system: "System", parameters: np.ndarray):
        pointer = lib.ah_work_create(system._node.pointer)
        if not pointer:
            raise MemoryError("libanholo: out of memory")
        self.node = system.model._session.node(pointer, lib.ah_work_destroy, system._node).owned_by(self)
        self.pointer = pointer
        self.y = np.zeros(system.size)
        self.y_at = self.y.ctypes.data
        self.out = {}
        for what in QUANTITY.values():
            out = np.zeros(max(lib.ah_system_count(system._node.pointer, what), 1))
            self.out[what] = (out, out.ctypes.data)
        self.rate, self.rate_at = self.out[RATE]
        self.version = -1


class System:
    """A model by one method. The state is y = (q, s): coordinates, then velocities, or velocity parameters or free
    quasi-velocities where the method is written in them; `state` has the names. Any number of threads may use it.

    Numbers that do not exist (at a singular state, outside a function's domain) are NaN."""

    def __init__(self, model, method: str | None = None, engine: str | None = None, project: bool = False,
                 driven: bool = True):
        self.model = model
        self._made: dict[str, Any] = {"method": method, "engine": engine, "project": project}
        self.driven = bool(driven)
        said = options("ah_system", method=method, engine=engine, jacobians=True, project=project, driven=self.driven)
        self._node = model._session.make(lib.ah_system_create, model._ready(), ctypes.byref(said),
                                         destroy=lib.ah_system_destroy, holder=self, parent=model._node)
        system = self._node.pointer
        self.names: dict[str, tuple[str, ...]] = {
            name: tuple(text(lib.ah_system_name(system, what, i)) or "" for i in
                        range(lib.ah_system_count(system, what)))
            for name, what in QUANTITY.items() if not name.startswith("by ")}
        self.state: tuple[str, ...] = self.names["state"]
        self.size = len(self.state)
        self.method: str = text(lib.ah_system_method(system)) or ""
        self.engine: str = text(lib.ah_system_engine(system)) or ""
        self._shape = (self.size,)
        self._values = np.zeros(len(self.names["parameter"]))
        lib.ah_system_parameters(system, self._values.ctypes.data)
        self._version = 0
        self._local = threading.local()

    # ---- What there is ----

    def unit(self, quantity: str, index: int) -> str | None:
        """The unit of one of a quantity's numbers, None where the model names none."""
        return text(lib.ah_system_unit(self._node.pointer, self._quantity(quantity), index))

    @staticmethod
    def _quantity(name: str) -> int:
        if name not in QUANTITY:
            raise ValueError(f"there is no quantity {name!r}: {', '.join(QUANTITY)}")
        return QUANTITY[name]

    @property
    def start(self) -> tuple[float, np.ndarray]:
        """Time and state at which the model begins."""
        t, y = ctypes.c_double(), np.zeros(self.size)
        if lib.ah_system_start(self._node.pointer, ctypes.byref(t), y.ctypes.data) != OK:
            raise errors.RefusedError("the model has no start")
        return t.value, y

    @property
    def parameters(self) -> dict[str, float]:
        """Their values; `set` changes them."""
        return dict(zip(self.names["parameter"], self._values.tolist()))

    def set(self, values: Mapping[str, float] | None = None, **more: float) -> "System":
        """Other values of parameters; nothing is derived or compiled anew."""
        new = self._with({**(values or {}), **more})
        self._values, self._version = new, self._version + 1
        return self

    def _with(self, values: Mapping[str, float] | None) -> np.ndarray:
        new = self._values.copy()
        for name, value in (values or {}).items():
            if name not in self.names["parameter"]:
                raise errors.InputError(f"there is no parameter {name!r}: {', '.join(self.names['parameter'])}")
            new[self.names["parameter"].index(name)] = value
        if not np.isfinite(new).all():
            raise errors.InputError("a parameter is not finite")
        return new

    # ---- Numbers ----

    def _work(self) -> _Work:
        try:
            work = self._local.work
        except AttributeError:
            work = self._local.work = _Work(self, self._values)
        if work.version != self._version:
            work.version, values = self._version, self._values
            lib.ah_work_set_parameters(work.pointer, values.ctypes.data)
        return work

    def _wrong(self, y):
        return ValueError(f"the state has {self.size} numbers, {', '.join(self.state)}; this is an array of shape "
                          f"{np.shape(y)}")

    def rhs(self, t: float, y, _evaluate=lib.ah_work_evaluate) -> np.ndarray:
        """y' at (t, y): what scipy.integrate.solve_ivp wants."""
        work = self._work()
        try:
            if y.shape != self._shape:
                raise self._wrong(y)
        except AttributeError:
            if np.shape(y) != self._shape:
                raise self._wrong(y) from None
        work.y[:] = y
        _evaluate(work.pointer, RATE, t, work.y_at, work.rate_at)
        return work.rate.copy()

    def evaluate(self, quantity: str, t: float, y) -> np.ndarray:
        """"velocity", "acceleration", "multiplier", "reaction", "energy" (T + V, T, V), "residual", "output", "rate":
        `names` tells what is what."""
        return self._evaluate(self._quantity(quantity), t, y)

    def _evaluate(self, what: int, t: float, y) -> np.ndarray:
        work = self._work()
        if np.shape(y) != self._shape:
            raise self._wrong(y)
        count = lib.ah_system_count(self._node.pointer, what)
        work.y[:] = y
        out, at = work.out[what]
        status = lib.ah_work_evaluate(work.pointer, what, float(t), work.y_at, at)
        if status not in (OK, NUMERIC) and count:
            raise errors.KINDS.get(status, errors.Error)(text(lib.ah_status_text(status)) or "")
        return out[:count].copy()

    def jacobian(self, t: float, y) -> np.ndarray:
        """∂y'/∂y, exact: `jac` of solve_ivp."""
        return self._derivative(BY_STATE, t, y)

    def by_parameter(self, t: float, y) -> np.ndarray:
        """∂y'/∂p, exact; columns as `names["parameter"]`."""
        return self._derivative(BY_PARAMETER, t, y)

    def _derivative(self, what: int, t: float, y) -> np.ndarray:
        flat = self._evaluate(what, t, y)
        if not flat.size and not (what == BY_PARAMETER and not self._values.size):
            raise errors.RefusedError(f"the method {self.method} has no exact derivatives of this system")
        return flat.reshape(self.size, -1)

    def project(self, t: float, y) -> np.ndarray:
        """The nearest state on the constraints."""
        work = self._work()
        if np.shape(y) != self._shape:
            raise self._wrong(y)
        work.y[:] = y
        if lib.ah_work_project(work.pointer, float(t), work.y_at, None) != OK:
            raise errors.NumericError("no admissible state was found nearby")
        return work.y.copy()

    def linearise(self, at=None, inputs=None, outputs=None, whole: bool = False, any_state: bool = False):
        """The linear model near a steady motion, in minimal variables: the same by all methods. Of the model's parameters,
        not of those that were `set` here."""
        return self.model.linearise(at, inputs, outputs, whole, any_state)

    # ---- Motions ----

    def simulate(self, to: float | None = None, every: float | None = None, samples: int | None = None, y=None,
                 t: float | None = None, set: Mapping[str, float] | None = None, inputs: Mapping | None = None,
                 integrator: str | None = None, rtol: float | None = None, atol: float | None = None,
                 project: bool = False) -> "Trajectory":
        """A motion as columns: from the model's start (or y at t) to the time `to` (or where the model says), with rows
        `every` so often, or `samples` of them. A motion that cannot go on raises NumericError, whose `trajectory` has
        the rows so far; one that an event of the model stops is complete.

        `inputs` drive it: {"u": 3.0, "v": "sin(t)", "w": (times, values), "f": lambda t, y: …}; between rows of numbers
        are straight lines. What a function raises ends the motion and is raised."""
        _check_numbers(every, samples, rtol, atol, to=to, t=t)
        said = dict(to=to, every=every, samples=samples, y=y, t=t, integrator=integrator, rtol=rtol, atol=atol,
                    project=project)
        if not inputs:
            return Trajectory(self, parameters=self._with(set), **said)
        inputs = driving.given(self.model, inputs)
        if any(callable(u) and not isinstance(u, Expr) for u in inputs.values()):
            fed = System(self.model, **self._made, driven=False) if self.driven else self
            values = fed._with({**{n: v for n, v in self.parameters.items() if n in fed.names["parameter"]}, **(set or {})})
            return Trajectory._called(self, fed, inputs, values, **said)
        with driving.set_for_now(self.model, inputs):
            other = System(self.model, **self._made)
        own = {n: v for n, v in self.parameters.items() if n in other.names["parameter"]}
        return Trajectory(other, parameters=other._with({**own, **(set or {})}), **said)

    def _numbers(self, work: _Work, quantity: str, t: float, y: np.ndarray) -> np.ndarray:
        """With the parameters that the work space has."""
        out, at = work.out[QUANTITY[quantity]]
        work.y[:] = y
        lib.ah_work_evaluate(work.pointer, QUANTITY[quantity], t, work.y_at, at)
        return out.copy()

    def __repr__(self) -> str:
        return f"<System by {self.method}: {', '.join(self.state)}>"


class _Columns:
    """The memory of a trajectory, which is there as long as an array looks into it."""

    def __init__(self, node):
        self.node = node.owned_by(self)

    def show(self, pointer: int, shape, strides) -> np.ndarray:
        self.__array_interface__ = {"version": 3, "typestr": "<f8", "data": (pointer, True), "shape": shape,
                                    "strides": strides}
        return np.asarray(self)


@dataclass(frozen=True)
class Event:
    """Something that happened in a motion."""

    label: str
    t: float
    value: float
    direction: int
    touched: bool
    stop: bool


def _check_numbers(every, samples, rtol, atol, **times) -> None:
    """What a motion is asked for makes sense."""
    if every is not None and samples is not None:
        raise ValueError("every or samples, not both")
    if every is not None and not (math.isfinite(every) and every > 0):
        raise ValueError("every must be positive and finite")
    for name, value in {"rtol": rtol, "atol": atol}.items():
        if value is not None and not (math.isfinite(value) and value > 0):
            raise errors.InputError(f"{name} must be positive and finite")
    if samples is not None and not 2 <= operator.index(samples) <= 2**53:
        raise ValueError("samples must be 2 or more, both ends, and at most 2**53")
    for name, value in times.items():
        if value is not None and math.isnan(value):  # to the library: not given
            raise ValueError(f"{name} is not a number")


class Trajectory:
    """A motion: `tr["x"]` is a column, `tr.t` the times, `tr.array` all of it (rows, columns). The arrays are the
    library's own memory, not copies, and cannot be written to."""

    def __init__(self, system: System, to, every, samples, y, t, parameters, integrator, rtol, atol, project):
        self.system = system
        if y is not None:
            y = np.array(y, dtype=float)
            if y.shape != system._shape:
                raise system._wrong(y)
        said = options("ah_motion", integrator=integrator, rtol=rtol, atol=atol, t=t, end=to, project=project)
        pointer = ctypes.POINTER(ctypes.c_double)
        said.y = ctypes.cast(y.ctypes.data, pointer) if y is not None else None
        said.parameters = ctypes.cast(parameters.ctypes.data, pointer)
        if every is not None:
            said.every, samples = float(every), 0
        self._make(said, 201 if samples is None else samples)

    @classmethod
    def _called(cls, asker: System, system: System, inputs, parameters, to, every, samples, y, t, integrator, rtol, atol,
                project) -> "Trajectory":
        """Under functions of Python."""
        if integrator is not None:
            raise ValueError("with functions of Python as inputs the integrator is SciPy's DOP853")
        begin, start = system.start if y is None or t is None else (t, y)
        begin = begin if t is None else float(t)
        y = np.array(start if y is None else y, dtype=float)
        if y.shape != system._shape:
            raise system._wrong(y)
        if project:
            y = system.project(begin, y)
        end = to
        if end is None:
            last = lib.ah_model_span_to(system.model._node.pointer)
            if not last:
                raise errors.InputError("nothing says where the motion ends")
            end = Expr(system.model._space, last)(dict(zip(system.names["parameter"], parameters)))
        if not (math.isfinite(begin) and math.isfinite(end)):
            raise ValueError("a motion begins and ends at finite times")
        if every is None:
            times = np.linspace(begin, end, 201 if samples is None else samples)
        else:
            count = math.floor(abs(end - begin) / every * (1 + 1e-15)) + 1
            times = begin + math.copysign(every, end - begin) * np.arange(count)
        self = cls.__new__(cls)
        self.system = asker
        self.names, self.units, self.array, events, self.why = driving.simulate(
            system, inputs, parameters, begin, y, times, 1e-10 if rtol is None else rtol, 1e-12 if atol is None else atol)
        self.events = tuple(Event(label, at, left, way, False, stop) for label, at, left, way, stop in events)
        if self.why:
            error = errors.NumericError(self.why)
            error.trajectory = self
            raise error
        if self.events and self.events[-1].stop:
            self.why = f'event "{self.events[-1].label}"'
        return self

    def _make(self, said, samples: int) -> None:
        session = self.system.model._session
        out = ctypes.c_void_p()
        failure = None
        try:
            session.call(lib.ah_trajectory_create, self.system._node.pointer, ctypes.byref(said), samples,
                         ctypes.byref(out))
        except (errors.NumericError, errors.LimitError) as error:
            failure = error
        finally:
            if out.value:
                self._take(session.node(out.value, lib.ah_trajectory_destroy, self.system._node))
        if failure is None:
            return
        if out.value:
            failure.trajectory = self
            if self.why and not failure.diagnostics:
                failure.args = (self.why,)
                failure.message = self.why
        raise failure

    def _take(self, node) -> None:
        self._columns, pointer = _Columns(node), node.pointer
        rows, columns = lib.ah_trajectory_rows(pointer), lib.ah_trajectory_columns(pointer)
        self.names = tuple(text(lib.ah_trajectory_name(pointer, i)) or "" for i in range(columns))
        self.units = tuple(text(lib.ah_trajectory_unit(pointer, i)) for i in range(columns))
        self.why: str | None = text(lib.ah_trajectory_why(pointer))
        first = lib.ah_trajectory_column(pointer, 0)
        apart = lib.ah_trajectory_column(pointer, 1) - first if columns > 1 else 8 * rows
        self.array: np.ndarray = self._columns.show(first, (rows, columns), (8, apart))
        self.events: tuple[Event, ...] = tuple(self._event(i) for i in range(lib.ah_trajectory_events(pointer)))

    def _event(self, index: int) -> Event:
        e = struct["ah_event"]()
        lib.ah_trajectory_event(self._columns.node.pointer, index, ctypes.byref(e))
        return Event(text(e.label) or "", e.t, e.value, e.direction, e.touched, e.stop)

    @property
    def t(self) -> np.ndarray:
        """The times of the rows."""
        return self.array[:, 0]

    def __getitem__(self, name: str) -> np.ndarray:
        try:
            return self.array[:, self.names.index(name)]
        except ValueError:
            raise KeyError(f"{name!r}: there are {', '.join(self.names)}") from None

    def __contains__(self, name) -> bool:
        return name in self.names

    def __iter__(self):
        return iter(self.names)

    def __len__(self) -> int:
        return self.array.shape[0]

    def keys(self) -> tuple[str, ...]:
        """The names of all columns."""
        return self.names

    def frame(self) -> Any:
        """As a table of pandas, with the times as its index."""
        try:
            import pandas
        except ImportError:
            raise ImportError("frame() needs pandas (python3-pandas)") from None
        return pandas.DataFrame(self.array[:, 1:], index=pandas.Index(self.t, name="t"), columns=list(self.names[1:]))

    def plot(self, *names: str, against: str = "t", ax=None):
        """Columns (none named: the coordinates) against another one, by matplotlib; returns the axes."""
        try:
            import matplotlib.pyplot as pyplot
        except ImportError:
            raise ImportError("plot() needs matplotlib (python3-matplotlib)") from None
        ax = ax or pyplot.subplots()[1]
        for name in names or self.system.names["state"][: len(self.system.names["velocity"])]:
            unit = self.units[self.names.index(name)] if name in self.names else None
            ax.plot(self[against], self[name], label=f"{name} [{unit}]" if unit else name)
        unit = self.units[self.names.index(against)]
        ax.set_xlabel(f"{against} [{unit}]" if unit else against)
        ax.legend()
        return ax

    def __repr__(self) -> str:
        return f"<Trajectory: {len(self)} rows, t = {self.t[0]:g} .. {self.t[-1]:g}{', ' + self.why if self.why else ''}>"

"""Many motions of one model, as arrays."""
from __future__ import annotations

import ctypes
import math
import os
from collections.abc import Mapping, Sequence

import numpy as np

from . import errors
from ._library import CODE, encoded, lib, options, struct, text
from .model import _listed, _settings

ROWS = ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_void_p, ctypes.POINTER(struct["ah_ensemble_part"]))


def _number(value) -> str:
    return value if isinstance(value, str) else repr(float(value))


def _ranges(given, form: str, count: int) -> str:
    """{"m": (1, 2, 101)} as "m=1.0..2.0:101"; a text is what it is."""
    if isinstance(given, str):
        return given
    written = []
    for name, ends in given.items():
        if isinstance(ends, str):
            written.append(f"{name}={ends}")
            continue
        ends = tuple(ends)
        if len(ends) != count:
            raise ValueError(f"{name}: {form} is wanted, not {ends!r}")
        written.append(f"{name}={_number(ends[0])}..{_number(ends[1])}" + (f":{int(ends[2])}" if count == 3 else ""))
    return ",".join(written)


class Sweep:
    """The rows of a sweep: `s["final.x"]` is a column, what varies included; NaN in runs that failed. `s.failed` has the
    reasons by the number of the run, `s.shape` is that of list, grid and draws, and `s.grid("final.x")` a column in it."""

    def __init__(self, model, over, spread, random, seed, list, output, threads, journal, at, to, method, engine,
                 integrator, rtol, atol, max_steps, project, lanes):
        self.model = model
        session = model._session
        said = options("ah_ensemble", method=method, engine=engine, integrator=integrator, rtol=rtol, atol=atol,
                       to=None if to is None else _number(to), at=_settings(at, "at"), project=project, most_steps=max_steps,
                       random=random, seed=seed, lanes=lanes)
        self._node = session.make(lib.ah_ensemble_create, model._ready(), ctypes.byref(said),
                                  destroy=lib.ah_ensemble_destroy, holder=self, parent=model._node)
        self._sizes: tuple[int, ...] = ()
        if list is not None:
            self._give_list(list)
        if over is not None:
            words = _ranges(over, "(from, to, how many)", 3)
            session.call(lib.ah_ensemble_over, self._node.pointer, encoded(words, "over"))
            self._sizes += tuple(int(piece.rsplit(":", 1)[1]) for piece in _pieces(words))
        if spread is not None:
            words = _ranges(spread, "(from, to)", 2)
            session.call(lib.ah_ensemble_spread, self._node.pointer, encoded(words, "spread"))
        if output is not None:
            session.call(lib.ah_ensemble_outputs, self._node.pointer, encoded(_listed(output), "output"))
        if random:
            self._sizes += (int(random),)
        self._run(threads, journal)

    def _give_list(self, table: Mapping[str, Sequence[float]]) -> None:
        lengths = {name: len(column) for name, column in table.items()}
        if len(set(lengths.values())) != 1:
            raise ValueError(f"list: columns of the same length are wanted, not {lengths}")
        columns = np.ascontiguousarray(np.column_stack([np.asarray(c, dtype=float) for c in table.values()]))
        names = (ctypes.c_char_p * len(table))(*[encoded(name, "list") for name in table])
        self._sizes += (len(columns),)
        self.model._session.call(lib.ah_ensemble_list, self._node.pointer, len(table), names, len(columns),
                                 columns.ctypes.data)

    def _run(self, threads, journal) -> None:
        session, pointer = self.model._session, self._node.pointer
        with session.using() as ctx:
            lib.ah_ctx_reset_status(ctx)
            count, width = lib.ah_ensemble_count(pointer), lib.ah_ensemble_columns(pointer)
            if not count:
                raise errors.error_of(lib.ah_ctx_status(ctx) or CODE["AH_E_INPUT"], ctx)
            names = [text(lib.ah_ensemble_name(pointer, i)) or "" for i in range(width)]
            self.varied: tuple[str, ...] = tuple(names[:lib.ah_ensemble_varied(pointer)])
        self.names: tuple[str, ...] = tuple(names)
        self.array = np.full((count, width), math.nan)
        self.failed: dict[int, str] = {}
        self.shape: tuple[int, ...] = self._sizes or (1,)

        @ROWS
        def take(user, part):
            p = part.contents
            rows = np.ctypeslib.as_array(p.values, (p.count, width))
            self.array[p.first:p.first + p.count] = rows
            for i in range(p.count):
                if p.failed[i] is not None:
                    self.failed[p.first + i] = text(p.failed[i]) or ""
            return True

        said = options("ah_ensemble_run", threads=threads, journal=None if journal is None else os.fspath(journal))
        said.rows = ctypes.cast(take, ctypes.c_void_p)
        summary = struct["ah_ensemble_summary"]()
        session.call(lib.ah_ensemble_run, pointer, ctypes.byref(said), ctypes.byref(summary))
        self.computed: int = summary.computed
        self.seconds: float = summary.seconds
        self.engine: str | None = text(summary.engine)
        self.method: str | None = text(summary.method)
        self.lanes: int = summary.lanes
        self.array.flags.writeable = False

    def __len__(self) -> int:
        return len(self.array)

    def __getitem__(self, name: str) -> np.ndarray:
        try:
            return self.array[:, self.names.index(name)]
        except ValueError:
            raise KeyError(f"{name!r}: there are {', '.join(self.names)}") from None

    def grid(self, name: str) -> np.ndarray:
        """A column in the shape of what was varied."""
        return self[name].reshape(self.shape)

    def to_dict(self) -> dict[str, np.ndarray]:
        """For pandas: DataFrame(s.to_dict())."""
        return {name: self[name] for name in self.names}

    def __repr__(self) -> str:
        return f"<{len(self)} runs, {len(self.failed)} failed: {', '.join(self.names)}>"


def _pieces(words: str) -> list[str]:
    """Between commas outside brackets."""
    out, depth, piece = [], 0, ""
    for c in words:
        depth += (c in "([") - (c in ")]")
        if c == "," and not depth:
            out.append(piece)
            piece = ""
        else:
            piece += c
    return [*out, piece]


def sweep(model, over: str | Mapping | None = None, *, spread: str | Mapping | None = None, random: int | None = None,
          seed: int | None = None, list: Mapping[str, Sequence[float]] | None = None,
          output: str | Sequence[str] | None = None, threads: int | None = None, journal: str | os.PathLike | None = None,
          at: str | Mapping | None = None, to: float | str | None = None, method: str | None = None, engine: str | None = None,
          integrator: str | None = None, rtol: float | None = None, atol: float | None = None,
          max_steps: int | None = None, project: bool = False, lanes: str | None = None) -> Sweep:
    """Many motions: `anholo.sweep(m, {"g": (9, 10, 101)}, output="final.x, max(energy)")["final.x"]`."""
    return Sweep(model, over, spread, random, seed, list, output, threads, journal, at, to, method, engine, integrator,
                 rtol, atol, max_steps, project, lanes)

"""What goes wrong, as exceptions: message, code, place, and the text with the caret."""
from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ._library import CODE, lib, text

if TYPE_CHECKING:
    from .system import Trajectory

SEVERITY = ("error", "warning", "note", "hint")


@dataclass(frozen=True)
class Diagnostic:
    """One message. Notes and hints follow the error or warning they belong to."""

    severity: str
    code: str | None
    message: str
    label: str | None
    file: str | None
    line: int | None
    column: int | None

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}:{self.column}: " if self.file else ""
        return f"{place}{self.severity}{f'[{self.code}]' if self.code else ''}: {self.message}"


class Error(Exception):
    """Something that the library refused. `diagnostics` are its messages, `text` is how the command line shows them,
    with the line and a caret; `code`, `file`, `line`, `column` are those of the first error."""

    def __init__(self, message: str, diagnostics: tuple[Diagnostic, ...] = (), text: str = ""):
        super().__init__(text.rstrip() or message)
        self.diagnostics = diagnostics
        self.text = text
        first = next((d for d in diagnostics if d.severity == "error"), None)
        self.message = first.message if first else message
        self.code = first.code if first else None
        self.file = first.file if first else None
        self.line = first.line if first else None
        self.column = first.column if first else None


class InputError(Error, ValueError):
    """The model or an argument is wrong."""


class RefusedError(Error):
    """An assumption of the method fails, or the question has no answer."""


class NumericError(Error, ArithmeticError):
    """A number does not exist, or a motion cannot go on; then `trajectory` has the rows so far."""

    trajectory: Trajectory | None = None


class LimitError(Error):
    """Time or memory or steps are used up; of a motion `trajectory` has the rows so far."""

    trajectory: Trajectory | None = None


class ModelWarning(UserWarning):
    """The library warns of something in a model."""


KINDS = {CODE["AH_E_INPUT"]: InputError, CODE["AH_E_REFUSED"]: RefusedError, CODE["AH_E_NUMERIC"]: NumericError,
         CODE["AH_E_LIMIT"]: LimitError}


def diagnostics_of(ctx) -> tuple[Diagnostic, ...]:
    found = []
    for i in range(lib.ah_diagnostic_count(ctx)):
        d = lib.ah_diagnostic_get(ctx, i).contents
        place = lib.ah_span_place(ctx, d.span) if d.span.file else None
        found.append(Diagnostic(SEVERITY[d.severity], text(d.code), text(d.message) or "", text(d.label),
                                text(place.file) if place else None, place.line if place else None,
                                place.column if place else None))
    return tuple(found)


def error_of(status: int, ctx) -> BaseException:
    """The exception for a status other than AH_OK."""
    if status == CODE["AH_E_MEMORY"]:
        return MemoryError("libanholo: out of memory")
    if status == CODE["AH_E_INTERRUPTED"]:
        return KeyboardInterrupt()
    kind = KINDS.get(status, Error)
    return kind(text(lib.ah_status_text(status)) or "", diagnostics_of(ctx), text(lib.ah_diagnostics_text(ctx, False)) or "")

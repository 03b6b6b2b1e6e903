"""Anholo: constrained, above all non-holonomic, mechanics.

    import anholo
    m = anholo.read("tire.ah", set={"m": 2})
    print(m.check())
    s = m.system("hamel")
    tr = s.simulate(to=10, every=0.01)
    tr["x"]
"""
from ._library import lib as _lib
from .answer import Answer, Equations, Form, Linear, Says, Stability, Values, Verdict, Verification
from .errors import Diagnostic, Error, InputError, LimitError, ModelWarning, NumericError, RefusedError
from .expr import Expr, acos, asin, atan, atan2, cos, cosh, exp, log, sin, sinh, sqrt, tan, tanh
from .model import Figure, Item, Model, Page, parse, read
from .sweep import Sweep, sweep
from .system import Event, System, Trajectory

__version__: str = _lib.ah_version().decode()

methods: tuple[str, ...] = tuple(_lib.ah_method_name(i).decode() for i in range(_lib.ah_method_count()))

__all__ = ["Answer", "Diagnostic", "Equations", "Error", "Event", "Expr", "Figure", "Form", "InputError", "Item",
           "LimitError", "Linear", "Model", "ModelWarning", "NumericError", "Page", "RefusedError", "Says", "Stability", "Sweep", "System",
           "Trajectory", "Values", "Verdict", "Verification", "acos", "asin", "atan", "atan2", "cos", "cosh", "exp",
           "log", "methods", "parse", "read", "sin", "sinh", "sqrt", "sweep", "tan", "tanh"]

"""libanholo, found and declared: every function of the headers with its types."""
from __future__ import annotations

import ctypes
import os
import pathlib
import re
from ctypes import POINTER, c_bool, c_char_p, c_double, c_int, c_size_t, c_ssize_t, c_uint, c_uint32, c_uint64, c_void_p

from ._headers import ENUMS, FUNCTIONS, STRUCTS

NUMBERS = {"bool": c_bool, "int": c_int, "unsigned": c_uint, "long": ctypes.c_long, "double": c_double,
           "size_t": c_size_t, "ptrdiff_t": c_ssize_t, "uint32_t": c_uint32, "uint64_t": c_uint64,
           "ah_expr": c_uint32, **{name: c_int for name in ENUMS}}
PROGRESS = ctypes.CFUNCTYPE(None, c_void_p, c_double, c_bool)

CODE = {code: number for codes in ENUMS.values() for number, (code, _) in enumerate(codes)}
struct: dict[str, type[ctypes.Structure]] = {name: type(name, (ctypes.Structure,), {}) for name in STRUCTS}


def _field(kind: str):
    """The type of a field: what is behind a pointer matters."""
    kind = kind.replace("const ", "").replace(" const", "")
    array = re.fullmatch(r"(.*) \[(\d+)\]", kind)
    if array:
        return _field(array[1]) * int(array[2])
    if kind == "char*":
        return c_char_p
    if kind == "char**":
        return POINTER(c_char_p)
    base = kind.removesuffix("*")
    if base in struct or base in NUMBERS:
        known = struct.get(base) or NUMBERS[base]
        return POINTER(known) if kind.endswith("*") else known
    return c_void_p  # opaque, or a function


def _argument(kind: str):
    """The type of an argument: an address is an address."""
    if kind == "const char*":
        return c_char_p
    return c_void_p if kind.endswith("*") or "(" in kind else _field(kind)


def _result(kind: str):
    if kind == "void":
        return None
    return c_void_p if kind == "const double*" else _field(kind)


def _places():
    """Where the library may be, best first: as one says, inside this package, in the build folder, installed below the
    same prefix, installed where the system looks."""
    said = os.environ.get("ANHOLO_LIBRARY")
    if said:
        return [said]
    here = pathlib.Path(__file__).resolve().parent
    below = []
    if here.parents[1].name.startswith("python3"):  # PREFIX/lib/python3.x/dist-packages/anholo
        below = [str(p) for form in ("lib*/libanholo.so.0", "lib/*/libanholo.so.0") for p in here.parents[3].glob(form)]
    return [str(here / "libanholo.so"), str(here.parents[1] / "build/libanholo.so"), *below, "libanholo.so.0",
            "libanholo.so"]


def _load() -> ctypes.CDLL:
    tried = []
    for place in _places():
        if "/" in place and not os.path.exists(place):
            tried.append(f"{place}: there is no such file")
            continue
        try:
            return ctypes.CDLL(place)
        except OSError as error:
            tried.append(str(error))
    raise ImportError("libanholo was not found; build it (make), install it, or set ANHOLO_LIBRARY to its file\n  "
                      + "\n  ".join(tried))


def _define(name: str) -> None:
    """Those that it holds by value come first."""
    if hasattr(struct[name], "_fields_"):
        return
    for _, kind in STRUCTS[name]:
        if kind.split(" [")[0] in struct:
            _define(kind.split(" [")[0])
    struct[name]._fields_ = [(field, _field(kind)) for field, kind in STRUCTS[name]]


for _name in STRUCTS:
    _define(_name)

lib = _load()
for _name, (_kind, _arguments) in FUNCTIONS.items():
    try:
        _function = getattr(lib, _name)
    except AttributeError:
        raise ImportError(f"{lib._name} has no {_name}: it is another version than this package") from None
    _function.argtypes = [_argument(kind) for kind in _arguments]
    _function.restype = _result(_kind)


def text(value: bytes | None) -> str | None:
    return None if value is None else value.decode("utf-8", "replace")


def options(name: str, **given):
    """`name`_options with its defaults, but what is given (None: the default); texts are encoded."""
    made = getattr(lib, f"{name}_defaults")()
    kinds = dict(made._fields_)
    for key, value in given.items():
        if value is None:
            continue
        if kinds[key] is c_char_p:
            value = encoded(value, key)
        try:
            setattr(made, key, value)
        except TypeError as error:
            raise TypeError(f"{key}: {error}") from None
        if isinstance(value, int) and getattr(made, key) != value:  # ctypes keeps as many bits as there are, and is silent
            raise ValueError(f"{key} cannot be {value}")
    return made


def encoded(value, what: str = "text") -> bytes:
    if not isinstance(value, str):
        raise TypeError(f"{what} must be a str, not {type(value).__name__}")
    if "\0" in value:
        raise ValueError(f"{what} contains a NUL character")
    return value.encode("utf-8", "surrogatepass")

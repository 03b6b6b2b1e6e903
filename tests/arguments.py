#!/usr/bin/env python3
"""Every function of the public headers with arguments that make no sense, one at a time and all at once: NULL, NaN,
infinities, indices and handles of nothing, sizes of other versions, texts that are no names. None crashes or loops: each
call is made in a process of its own, which must come back. The list is that of the headers, so that a new function is
tried without being named here."""
import ctypes
import importlib.util
import os
import pathlib
import resource
import signal
import sys

sys.path[0] = str(pathlib.Path(__file__).parent / "harness")  # not tests/: its html.py is not Python's
import tap

if os.environ.get("AH_SANITIZED") == "1":
    tap.skip("arguments", "the interpreter would need the sanitizers' run-time library")
    tap.done()
DEBIAN = "/usr/bin/python3"
if not importlib.util.find_spec("numpy") and pathlib.Path(sys.executable).resolve() != pathlib.Path(DEBIAN).resolve():
    os.execv(DEBIAN, [DEBIAN, *sys.argv])

os.environ["ANHOLO_LIBRARY"] = str(tap.BUILD / "libanholo.so")
sys.path.insert(0, str(tap.ROOT / "python"))
from anholo import _library
from anholo._headers import ENUMS, FUNCTIONS, STRUCTS

LIB = _library.lib
SECONDS, PATIENCE = 20, 200  # of a call: of processor time, and of waiting on a busy machine
MODEL = b"""parameter m = 2
input u = 0
coordinate x, y, th
kinetic m*(x'^2 + y'^2)/2 + th'^2/2
force x = u
constraint blade: sin(th)*x' = cos(th)*y'
start x = 0, y = 0, th = 0, x' = 1, th' = 1
simulate t = 0 .. 0.1
record "e" when x = 0.05
output far = x^2
claim "c": constant th'
"""
ROOM = 1 << 16  # bytes behind a pointer


def made(make, *arguments):
    """What a call leaves in its last argument."""
    out = ctypes.c_void_p()
    status = make(*arguments, ctypes.byref(out))
    assert status == 0, (make.__name__, status)
    return out.value


def read(ctx):
    return made(LIB.ah_read, ctx, b"m.ah", MODEL, len(MODEL), None)


def handles():
    """One of each kind that the library makes, by the name of its type; models also unfinished and of another context."""
    ctx, other = LIB.ah_ctx_create(None), LIB.ah_ctx_create(None)
    m = read(ctx)
    started = LIB.ah_model_create(ctx, b"started")
    LIB.ah_model_coordinate(started, b"x")
    system = made(LIB.ah_system_create, m, None)
    motion = made(LIB.ah_motion_create, system, None)
    return {"ah_ctx": [ctx, other], "ah_model": [m, started, read(other)], "ah_system": [system],
            "ah_work": [LIB.ah_work_create(system)], "ah_motion": [motion],
            "ah_trajectory": [made(LIB.ah_trajectory_create, system, None, 11)], "ah_ensemble": [made(LIB.ah_ensemble_create, m, None)],
            "ah_answer": [made(LIB.ah_check, m), made(LIB.ah_linearise, m, None)], "ah_ranks": []}


NUMBERS = {"ah_expr": [1, 2, 0, 7, 999999, 0xFFFFFFFF], "bool": [False, True],
           "double": [0.5, 0.0, -1.0, float("nan"), float("inf"), float("-inf"), 5e-324, 1.7e308],
           "size_t": [0, 1, 2, 1 << 63, (1 << 64) - 1], "uint64_t": [0, 1, 1 << 53, (1 << 64) - 1],
           "int": [0, 1, -1, 2 ** 31 - 1, -2 ** 31], "long": [1, 0, -1, 2 ** 63 - 1, -2 ** 63]}
TEXTS = [b"x", None, b"", b"\xff\xfe", b"x'", b"x=", b"no such thing", b"\xe2\x80\xae", b"(" * 5000, b"x" * 100000]


def records(kind):
    """What a pointer to a struct may be: nothing, zeros, and where it has a size those of other versions, over zeros and
    over what is no pointer of ours and no number."""
    rooms = [None, ctypes.create_string_buffer(ROOM)]
    if STRUCTS[kind][0][0] == "size":
        defaults = getattr(LIB, kind.removesuffix("_options") + "_defaults", None)
        if defaults:
            room = ctypes.create_string_buffer(ROOM)
            usual = defaults()
            ctypes.memmove(room, ctypes.byref(usual), ctypes.sizeof(usual))
            rooms.insert(0, room)
        for size in (1, 8, 12, ctypes.sizeof(_library.struct[kind]) + 8, ROOM, (1 << 64) - 1):
            room = ctypes.create_string_buffer(ROOM)
            ctypes.c_size_t.from_buffer(room).value = size
            rooms.append(room)
    return rooms


def choices(kind, have):
    """Values of an argument, the sensible one first."""
    plain = kind.replace("const ", "").replace(" const", "")
    if kind == "const char*":
        return TEXTS
    if plain in NUMBERS:
        return NUMBERS[plain]
    if plain in ENUMS:
        return [0, 1, len(ENUMS[plain]) - 1, len(ENUMS[plain]), -1, 2 ** 31 - 1]
    base = plain.removesuffix("*")
    if base in have and plain != base:
        return [*have[base], None]
    if base in STRUCTS and plain == base:
        return [_library.struct[base](), _library.struct[base].from_buffer_copy(b"\xff" * ctypes.sizeof(_library.struct[base]))]
    if base in STRUCTS:
        return records(base)
    return [ctypes.create_string_buffer(ROOM), None]  # room for what comes out, or an array of zeros


def comes_back(function, arguments):
    """Whether a process that makes the call ends by itself; if not, what ended it."""
    child = os.fork()
    if child == 0:
        signal.alarm(PATIENCE)
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 1)
        os.dup2(nowhere, 2)
        function(*arguments)
        os._exit(0)
    status = os.waitpid(child, 0)[1]
    return signal.Signals(os.WTERMSIG(status)).name if os.WIFSIGNALED(status) else None


def show(value):
    if isinstance(value, ctypes.Structure):
        return bytes(value).hex()[:16]
    if isinstance(value, ctypes.Array):
        return f"record of {ctypes.c_size_t.from_buffer(value).value}"
    return repr(value)[:24]


def check(name, kinds, have):
    function = getattr(LIB, name)
    lists = [choices(kind, have) for kind in kinds]
    usual = [values[0] if values else None for values in lists]
    tried = [usual, [values[-1] if values else None for values in lists]]
    for i, values in enumerate(lists):
        tried += [[*usual[:i], value, *usual[i + 1:]] for value in values[1:]]
    bad = []
    for arguments in tried:
        ended = comes_back(function, arguments)
        if ended:
            bad.append(f"{ended}: {name}({', '.join(map(show, arguments))})")
    tap.check_none(bad, f"{name}, {len(tried)} calls")


def main():
    have = handles()
    only = sys.argv[1:]
    for name, (_, kinds) in FUNCTIONS.items():
        if not only or name in only:
            check(name, kinds, have)


main()
tap.done()

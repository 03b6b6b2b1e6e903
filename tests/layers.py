#!/usr/bin/env python3
"""Includes point downward only (docs/architecture.md), and a library's headers stay in the files
that wrap it."""
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "harness"))
import tap

# The ranks stand in one place: "module:rank" in CMakeLists.txt.
LISTED = re.search(r"set\(modules ([^)]*)\)", (tap.ROOT / "CMakeLists.txt").read_text())[1]
RANK = {name: int(rank) for name, rank in (entry.split(":") for entry in LISTED.split())}
RANK |= {"cli": max(RANK.values()) + 1, "studio": max(RANK.values()) + 1}
# Public headers that are not called like their module: the one that makes the values in them. Those that
# several answers have are made from `real` upward.
PUBLIC = {"model": "written", "motion": "system", "analyse": "kind", "answer": "model", "eval": "answer", "simulate": "trajectory", "stability": "flow", "linearise": "flow",
          "integrals": "analyse", "plot": "figure", "ensemble": "many"}
# Each module has one header for the others, src/<module>/<module>.h. These bring the types of a library
# with them, so only those who need the library include them.
APART = {"algebra/ring.h", "algebra/minors.h", "expr/ball.h", "real/real_roots.h", "sheet/enclose.h", "state/enclosed.h"}
CUSTOMERS = {"cli", "studio"}  # they see the public headers alone
LARGEST = 7000  # lines of a module
TOP = "anholo"  # anholo/anholo.h gathers the public headers

SYSTEM = set("""assert complex ctype errno fenv float inttypes iso646 limits locale math setjmp
    signal stdalign stdarg stdatomic stdbool stddef stdint stdio stdlib stdnoreturn string tgmath
    threads time uchar wchar wctype
    dirent dlfcn fcntl glob poll pthread sched spawn strings sys/file sys/mman sys/resource sys/stat sys/time
    sys/types sys/wait sys/xattr termios unistd""".split())

# Libraries by their headers, and the files of src/ that may speak to them.
LIBRARIES = {"FLINT": r"flint/|a[cr][bf]\w*\.h", "LAPACK": r"lapacke\.h",
             "libtcc": r"libtcc\.h", "KLU": r"klu\.h",
             "SUNDIALS": r"cvode/|ida/|nvector/|sundials/|sunlinsol/|sunmatrix/|sunnonlinsol/",
             "sanitizers": r"sanitizer/"}
WRAPPERS = {
    "FLINT": {"expr/ball.h", "algebra/algebra.c", "algebra/modp.c", "algebra/modp.h",
              "algebra/ring.h", "algebra/shorten.c", "algebra/test/t_algebra_support.c",
              "sheet/sparse_balls.h", "real/real_roots.h", "real/split_points.c", "proof/proof_squares.c"},
    "LAPACK": {"numeric/linear.c", "numeric/linear_solve.c", "numeric/test/t_dense.c"},
    "libtcc": {"compile/engine_tcc.c"},
    "KLU": {"numeric/sparse.c"},
    "SUNDIALS": {"integrate/sundials_inside.h", "integrate/cvode.c", "integrate/ida.c"},
    "sanitizers": {"base/arena.c", "base/test/t_arena.c"},
}


def includes(text):
    """Pairs (name, public): public for <…>."""
    for line in text.splitlines():
        found = re.match(r'\s*#\s*include\s*(?:<([^>]+)>|"([^"]+)")', line)
        if found:
            yield (found[1], True) if found[1] else (found[2], False)


def complaint(path, name, public):
    """Why `path` (relative to the root, as posix text) must not include `name`, or None."""
    parts = path.split("/")
    inner = parts[0] == "src"
    module = parts[1] if inner else owner(path)
    in_test = inner and "test" in parts[2:-1]
    if module != TOP and module not in RANK:
        return f"{module} is not a module"
    rank = 99 if module == TOP else RANK[module]

    if public and name.startswith("anholo/"):
        target = owner(name)
        if module in CUSTOMERS or target == module:
            return None
        if target == TOP:
            return None if in_test else "only cli and studio may include anholo/anholo.h"
        return downward(module, rank, target, in_test)
    if public:
        if name.removesuffix(".h") in SYSTEM:
            return None
        library = next((k for k, v in LIBRARIES.items() if re.match(v, name)), None)
        if library and path.removeprefix("src/") in WRAPPERS[library]:
            return None
        return f"<{name}> is neither the system's nor allowed here (WRAPPERS in tests/layers.py)"
    if in_test and (name == "harness.h" or "tests/harness/" in name):
        return None
    if not inner:
        return f'"{name}": a public header includes public headers as <anholo/…>'
    target = resolve(parts, name)
    if target == module:
        return None
    if module in CUSTOMERS:
        return f'"{name}" is not a public header'
    if not in_test and "/".join(name.split("/")[-2:]) not in APART | {f"{target}/{target}.h"}:
        return f'"{name}": of {target} others see {target}/{target}.h alone'
    return downward(module, rank, target, in_test)


def owner(header):
    """The module of a public header."""
    stem = pathlib.PurePosixPath(header).stem
    return PUBLIC.get(stem, stem)


def resolve(parts, name):
    """The module that "name" lies in, seen from the file; tests may write module/file.h."""
    first = name.split("/")[0]
    if first in RANK:
        return first
    folder = parts[:-1]
    for step in name.split("/")[:-1]:
        folder = folder[:-1] if step == ".." else folder + [step]
    return folder[1] if len(folder) > 1 and folder[0] == "src" else "/".join(folder)


def downward(module, rank, target, in_test):
    if target not in RANK:
        return f"{target} is not a module"
    if RANK[target] < rank or (in_test and RANK[target] == rank):
        return None
    return f"{target} (rank {RANK[target]}) is not below {module} (rank {rank})"


def check_tree():
    files = [f for folder in ("src", "include") for f in (tap.ROOT / folder).rglob("*.[ch]")]
    for module in sorted({f.relative_to(tap.ROOT).parts[1] for f in files}):
        wrong = []
        for file in files:
            path = file.relative_to(tap.ROOT)
            if path.parts[1] != module:
                continue
            for name, public in includes(file.read_text()):
                why = complaint(path.as_posix(), name, public)
                if why:
                    wrong.append(f"{path}: {why}")
        tap.check_none(wrong, f"downward.{module}")


def check_rules():
    """The test must be able to fail: planted includes, right and wrong."""
    cases = [
        ("src/expr/a.c", "../base/base.h", False, True),
        ("src/expr/a.c", "../model/model.h", False, False),
        ("src/lang/a.c", "../derive/derive.h", False, False),
        ("src/lang/test/t_a.c", "../../sheet/sheet.h", False, True),
        ("src/expr/test/t_a.c", "../../algebra/algebra.h", False, False),
        ("src/expr/test/t_a.c", "model/model.h", False, False),
        ("src/expr/a.c", "anholo/model.h", True, False),
        ("src/model/a.c", "anholo/expr.h", True, True),
        ("src/model/a.c", "anholo/anholo.h", True, False),
        ("src/model/a.c", "../expr/mat.h", False, False),
        ("src/state/a.c", "../expr/ball.h", False, True),
        ("src/model/test/t_a.c", "../../expr/mat.h", False, True),
        ("src/cli/a.c", "anholo/anholo.h", True, True),
        ("src/cli/a.c", "../base/base.h", False, False),
        ("src/cli/a.c", "cli.h", False, True),
        ("src/cli/a.c", "flint/flint.h", True, False),
        ("src/base/a.c", "math.h", True, True),
        ("src/base/a.c", "flint/flint.h", True, False),
        ("include/anholo/expr.h", "anholo/base.h", True, True),
        ("include/anholo/expr.h", "anholo/model.h", True, False),
        ("include/anholo/expr.h", "../../src/expr/expr.h", False, False),
        ("include/anholo/anholo.h", "anholo/lang.h", True, True),
    ]
    wrong = [f"{path} includes {name}: {complaint(path, name, public)}"
             for path, name, public, good in cases
             if (complaint(path, name, public) is None) != good]
    tap.check_none(wrong, "rules")


def lines_of(module):
    return sum(len(f.read_text().splitlines()) for f in (tap.ROOT / "src" / module).glob("*.[ch]"))


def check_sizes():
    """Past LARGEST lines a module holds two things."""
    modules = [f.name for f in (tap.ROOT / "src").iterdir() if f.is_dir()]
    tap.check_none([f"{m}: {lines_of(m)} lines" for m in modules if lines_of(m) > LARGEST], "sizes")


def check_names():
    """A file's name says its topic and occurs once."""
    seen = {}
    for file in (tap.ROOT / "src").rglob("*.[ch]"):
        seen.setdefault(file.name, []).append(str(file.relative_to(tap.ROOT)))
    tap.check_none([" and ".join(v) for v in seen.values() if len(v) > 1], "names")


def check_page():
    """The table of modules in docs/architecture.md is what scripts/architecture writes."""
    run = subprocess.run([sys.executable, tap.ROOT / "scripts/architecture", "--check"],
                         capture_output=True, text=True)
    tap.check_none(run.stdout.splitlines() + run.stderr.splitlines(), "page")


check_rules()
check_tree()
check_page()
check_sizes()
check_names()
tap.done()

"""TAP lines for the tests that are scripts: the same form as harness.h prints."""
import os
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("AH_BUILD_DIR", ROOT / "build"))
SUITE = pathlib.Path(sys.argv[0]).stem

_passed = _failed = 0


def amount(some, more, everything):
    """How much of a long test: in ./check, with AH_MORE=1 as .ci/run has it, with AH_FULL=1."""
    return everything if os.environ.get("AH_FULL") == "1" else more if os.environ.get("AH_MORE") == "1" else some


def some(items, every):
    """Each so many-th of a list in ./check, all of it otherwise."""
    return list(items)[::amount(every, 1, 1)]


def models():
    """models/*.ah, of which ./check has a part, another one for every suite. Machines (joints, contacts, attitudes, inputs)
    take longest: fewer of them."""
    files, others, machines = sorted((ROOT / "models").glob("*.ah")), amount(2, 1, 1), amount(6, 3, 1)
    machine = re.compile(r"^(roll|slide|hinge|ball|weld|input) |^body .* (free|on) ", re.M)
    return [m for i, m in enumerate(files)
            if (i + sum(map(ord, SUITE))) % (machines if machine.search(m.read_text()) else others) == 0]


def check(condition, name, *notes):
    """One test: `notes` say what was found when it fails."""
    global _passed, _failed
    if condition:
        _passed += 1
    else:
        _failed += 1
        for note in notes:
            for line in str(note).splitlines():
                print(f"# {line}")
    print(f"{'ok' if condition else 'not ok'} {_passed + _failed} - {SUITE}.{name}")
    return condition


def check_none(found, name):
    """Passes when the list of complaints is empty."""
    found = list(found)
    return check(not found, name, *found)


def skip(name, reason):
    global _passed
    _passed += 1
    print(f"ok {_passed + _failed} - {SUITE}.{name} # SKIP {reason}")


def done():
    print(f"1..{_passed + _failed}\n{_passed} passed, {_failed} failed")
    sys.exit(_failed > 0)

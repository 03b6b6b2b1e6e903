"""TAP lines for the tests that are scripts: the same form as harness.h prints."""
import os
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("AH_BUILD_DIR", ROOT / "build"))
SUITE = pathlib.Path(sys.argv[0]).stem

_passed = _failed = 0


def models():
    """models/*.ah. Machines (joints, contacts, attitudes, inputs) take longest: a third of them, another one for every
    suite, unless AH_FULL=1."""
    files = sorted((ROOT / "models").glob("*.ah"))
    if os.environ.get("AH_FULL") == "1":
        return files
    machine = re.compile(r"^(roll|slide|hinge|ball|weld|input) |^body .* (free|on) ", re.M)
    return [m for i, m in enumerate(files)
            if not machine.search(m.read_text()) or (i + sum(map(ord, SUITE))) % 3 == 0]


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

#!/usr/bin/env python3
"""Random systems against an evaluation that shares no code with the library.

    tests/differential.py                        200 systems of seed 1, as ./check does
    tests/differential.py -n 5000 -s 7           others (make differential N=5000 SEED=7)
    tests/differential.py -s 7 --case 123        one of them again; --show prints the model
"""
import argparse
import collections
import copy
import os
import pathlib
import random
import re
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent / "harness"))
sys.path.insert(0, str(pathlib.Path(__file__).parent / "differential"))
import motions
import nowhere
import numbers_agree
import referee
import systems
import tap
import terms
import verdicts

SYSTEMS = 20 if os.environ.get("AH_SANITIZED") == "1" else 200  # of ./check
# How many claims about a system, and one system of how many is checked, moved, accompanied by one without
# regular states: in ./check, and by hand.
QUICK = {"claims": 2, "check": 2, "motions": 5, "nowhere": 40, "proofs": 40}
SINGLE = {"claims": 6, "check": 1, "motions": 1, "nowhere": 1, "proofs": 1}
THOROUGH = {"claims": 6, "check": 1, "motions": 2, "nowhere": 8, "proofs": 4}


# Known and not yet mended: counted, but no failures; --strict makes them such.
OPEN = {}  # what: pattern of the complaint


class Case:
    """One random system with its referee and random admissible states of all components."""

    EACH = 3  # states of a component

    def __init__(self, seed, number, counts):
        terms.forget()
        self.rng = random.Random(f"{seed}/{number}")
        self.counts, self.seed, self.number = counts, seed, number
        maker = systems.Maker(self.rng)
        self.system, self.has = maker.make(), maker.has
        self.referee = referee.Referee(self.system)
        self.components, self.states = [], []
        self.everywhere = referee.components(self.system)
        for component in self.everywhere:
            try:
                found = [referee.regular_state(self.referee, component, self.rng) for _ in range(self.EACH)]
            except referee.NoState:
                self.count("components without a regular state found")
                continue
            self.components.append(component)
            self.states += found
        self.keep_full_rank()
        if not all(self.referee.rates(*found)[1] for found in self.states if self.system.omegas):
            self.system.omegas = {}
            self.referee = referee.Referee(self.system)
        self.text = self.system.text()

    def keep_full_rank(self):
        """Leaves out components on which fewer rows are independent: their states count as singular."""
        ranks = [len(found["chosen"]) for _, found in self.states]
        kept = [k for k in range(len(self.components)) if
                min(ranks[k * self.EACH:(k + 1) * self.EACH]) == max(ranks)]
        self.states = [s for k in kept for s in self.states[k * self.EACH:(k + 1) * self.EACH]]
        self.components = [self.components[k] for k in kept]

    def with_redundant_rows(self):
        """The same system with one or two more rows that follow from the others."""
        if not any(len(c.factors) == 1 for c in self.system.constraints):
            return None
        more = copy.copy(self.system)
        more.constraints = list(more.constraints)
        maker = systems.Maker(self.rng)
        maker.system, maker.rheonomic, maker.free = more, False, False
        for _ in range(self.rng.choice([1, 2])):
            maker.redundant()
        self.rng.shuffle(more.constraints)
        return more

    def count(self, what, times=1):
        self.counts[what] += times


def numbers(case, _):
    for state, found in case.states[::Case.EACH]:
        yield from numbers_agree.compare_eval(case, state, found)


def one_of(compare):
    """A part that looks at one system of so many."""
    return lambda case, each: compare(case) if case.number % each == 0 else ()


PARTS = {"numbers": numbers, "check": one_of(numbers_agree.compare_check),
         "claims": verdicts.compare_verify, "motions": one_of(motions.compare_motion),
         "nowhere": one_of(nowhere.compare_nowhere), "proofs": one_of(verdicts.compare_proofs)}


def complaints(case, parts, effort):
    """Each part draws its own random numbers, so that a case is the same with and without the others."""
    for part in parts:
        case.rng = random.Random(f"{case.seed}/{case.number}/{part}")
        yield from PARTS[part](case, effort.get(part))


def is_open(complaint, counts):
    known = [what for what, pattern in OPEN.items() if re.search(pattern, complaint)]
    counts.update(f"OPEN: {what}" for what in known)
    return bool(known)


def run(options, cases, effort):
    counts, failed = collections.Counter(), []
    for number in cases:
        case = Case(options.s, number, counts)
        if options.show:
            print(case.text)
        if not case.states:
            counts["systems without a regular state found"] += 1
            continue
        for kind in case.has:
            counts[f"with {kind}"] += 1
        found = [c for c in complaints(case, options.only, effort) if
                 options.strict or not is_open(c, counts)]
        if found:
            failed.append(number)
            print(f"# -s {options.s} --case {number}: {sorted(case.has)}")
            print("\n".join(f"#   {line}" for line in case.text.splitlines()))
            print("\n".join(f"#   ! {line}" for line in found), flush=True)
    return counts, failed


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("-n", type=int)
    parser.add_argument("-s", default="1")
    parser.add_argument("--case", type=int)
    parser.add_argument("--from", type=int, default=0, dest="first")
    parser.add_argument("--only", choices=PARTS, nargs="+", default=list(PARTS))
    parser.add_argument("--quick", action="store_true", help="fewer questions about each, as ./check")
    parser.add_argument("--strict", action="store_true", help="what is known to be open fails, too")
    parser.add_argument("--show", action="store_true")
    options = parser.parse_args()
    cases = [options.case] if options.case is not None else range(options.first, options.n or SYSTEMS)
    quick = options.quick or options.n is None
    effort = SINGLE if options.case is not None else QUICK if quick else THOROUGH
    counts, failed = run(options, cases, effort)
    for what, count in sorted(counts.items()):
        print(f"# {count:7} {what}")
    print(f"# {time.process_time():.1f} s of processor time besides the program's")
    tap.check(not failed, f"systems.{len(cases)}", f"differ: {failed}")
    tap.done()


main()

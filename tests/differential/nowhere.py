"""Systems without a regular state: nothing may be proved of them, nothing refuted."""
import program
from referee import Constraint
from systems import Maker
from terms import call, expand, name, number


def rows(maker):
    """Constraints that no state satisfies, or singular ones only; and whether any state does."""
    f, g = maker.linear_form(), maker.linear_form()
    q = name(maker.rng.choice(maker.system.coordinates))
    more = maker.coefficient()
    return maker.rng.choice([
        lambda: ([f ** 2], True),
        lambda: ([f ** 2 + maker.positive() * g ** 2], True),
        lambda: ([(f - more) ** 2 + (g + f) ** 2], True),
        lambda: ([f ** 2 + 1 + q ** 2], False),
        lambda: ([f, f - more], False),
        lambda: ([f, call("exp", 5 * q) * f - 3], False),
        lambda: ([f - more, g, f * (1 + q ** 2) + q * g], False),
        lambda: ([q ** 2 + maker.positive()], False),
    ])()


def compare_nowhere(case):
    maker = Maker(case.rng)
    system = maker.system
    maker.rheonomic = maker.free = False
    system.coordinates = ["x", "y", "theta"]
    system.lines.append("coordinate x, y, theta")
    maker.written_kinetic()
    terms, possible = rows(maker)
    for k, what in enumerate(terms):
        shown = expand(what) if case.rng.random() < 0.5 else what
        system.constraints.append(Constraint(f"k{k + 1}", what, shown, number(0)))
    claims = ['claim "0": x = x + 1', "claim \"1\": x'' = y''", 'claim "2": constant energy',
              "refute \"3\": x' = 2"]
    answer = program.ask("verify", system.text(claims))
    case.count("systems that no regular state satisfies")
    if "error" in answer:
        if possible or answer["error"]["code"] in ("timeout", "crash"):
            yield f"verify: {answer['error']}\n{system.text()}"
        return
    for said in answer["claims"]:
        case.count(f"claims about nothing {said['verdict']}")
        if said["verdict"] != "unknown" or said["pass"]:
            yield f"{said['verdict']} of no regular state: {said}\n{system.text(claims)}"

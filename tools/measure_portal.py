"""Measures the tiers of portal chambers: ``python tools/measure_portal.py``.

Prints the table of ``docs/portal.md``: for each difficulty of ``portal-100`` plans, and how many
chambers are solved within their budgets by taking any listed action, by taking the first, and by
looking at all plans of up to four actions.
"""

from collections.abc import Callable, Iterator
from random import Random

from pysim.families.portal.chamber import Chamber
from pysim.families.portal.planner import search
from pysim.families.portal.rules import PortalRules
from pysim.families.portal.state import ChamberState
from pysim.puzzle import Action, Level, Proof
from pysim.suites import find_suite, load_levels

RULES = PortalRules()
DEEP = 4
Choice = Callable[[Iterator[Action], Random], Action | None]


def main() -> None:
    """Print the table."""
    levels = list(load_levels(find_suite("portal-100")))
    for difficulty in range(1, 6):
        print(row(difficulty, [x for x in levels if x.facts["difficulty"] == difficulty]))


def row(difficulty: int, levels: list[Level[Chamber]]) -> str:
    """Return a row of the table."""
    plans = [level.plan for level in levels if level.plan is not None]
    lengths = [len(plan) for plan in plans]
    cells = [
        difficulty,
        f"{min(lengths)}, {sum(lengths) / len(lengths):.1f}, {max(lengths)}",
        sum(plan.proof is Proof.OPTIMAL for plan in plans),
        sum(solved(level, any_of) for level in levels),
        sum(solved(level, first_of) for level in levels),
        sum(search(level.puzzle, every=True, deepest=DEEP).plan is not None for level in levels),
    ]
    return f"| {' | '.join(map(str, cells))} |"


def any_of(actions: Iterator[Action], random: Random) -> Action | None:
    """Return any of them; None if there is none."""
    listed = list(actions)
    return random.choice(listed) if listed else None


def first_of(actions: Iterator[Action], random: Random) -> Action | None:
    """Return the first one."""
    return next(actions, None)


def solved(level: Level[Chamber], choose: Choice) -> bool:
    """Return whether a level is solved within its budget."""
    state: ChamberState = RULES.initial(level)
    random = Random(level.id)
    for _ in range(level.budget):
        action = choose(RULES.legal(level, state), random)
        if action is None:
            return False
        state = RULES.apply(level, state, action).state
        if RULES.outcome(level, state) is not None:
            return True
    return False


if __name__ == "__main__":
    main()

"""Facts measured of a lock, and the tier that follows from them.

``pieces``
    How many there are.
``level``
    Moves to the first separation and then of the parts, as designers write it (``9.3``).
``moves``
    Actions of the plan.
``legal_moves``
    Legal actions at the start, as :meth:`pysim.puzzle.Rules.legal` lists them.
``dead_ends``
    Legal actions along the plan that lead nowhere: in each state in which the plan separates
    something, those that separate nothing; in each other state all but the plan's own.
``choices``
    Bits that it takes to pick the plan's way: the sum over its actions of ``log2(legal / good)``,
    where ``good`` are the legal actions that are no dead ends. ``2 ** -choices`` is the chance that
    a player who picks legal actions at random goes this way.

The score is ``moves + choices``: every action counts one, and one more for each doubling of what
there is to choose from. A lock is easy up to :data:`EASY`, hard from :data:`HARD` on.
"""

from collections.abc import Mapping
from math import log2

from pysim.errors import InputError
from pysim.families.burr.lock import Lock
from pysim.families.burr.rules import BurrRules
from pysim.families.burr.solver import format_level
from pysim.families.burr.solver.assembled import compute_level
from pysim.families.burr.state import LockState, Loose
from pysim.puzzle import Action, Fact, Level, Tier

__all__ = ["EASY", "HARD", "classify_tier", "measure", "score_of"]

EASY = 18.0
"""Highest score of an easy lock."""
HARD = 40.0
"""Lowest score of a hard lock."""


def measure(level: Level[Lock]) -> dict[str, Fact]:
    """Return the facts of a level with a plan; the same whenever they are measured.

    Raises:
        InputError: it has no plan, or the lock does not come apart.
        SearchTooLarge: see :func:`pysim.families.burr.solver.assembled.compute_level`.
    """
    if level.plan is None:
        raise InputError(f"{level.id}: facts are measured along a plan, and there is none")
    apart = compute_level(level.puzzle)
    if not apart:
        raise InputError(f"{level.id}: the lock does not come apart")
    steps = _choices(level, level.plan.actions)
    return {
        "pieces": len(level.puzzle.pieces),
        "level": format_level(apart),
        "moves": len(steps),
        "legal_moves": steps[0][0],
        "dead_ends": sum(legal - good for legal, good in steps),
        "choices": round(sum(log2(legal / good) for legal, good in steps), 1),
    }


def score_of(facts: Mapping[str, Fact]) -> float:
    """Score a level with such facts; grows with the plan and with the dead ends beside it.

    Raises:
        ValueError: they are not the facts of a lock.
    """
    moves, choices = facts.get("moves"), facts.get("choices")
    if not isinstance(moves, int) or not isinstance(choices, int | float):
        raise ValueError("a lock's facts have the numbers 'moves' and 'choices'")
    return moves + choices


def classify_tier(facts: Mapping[str, Fact]) -> Tier:
    """Return the tier of a level with such facts.

    Raises:
        ValueError: they are not the facts of a lock.
    """
    score = score_of(facts)
    return Tier.EASY if score <= EASY else Tier.MEDIUM if score < HARD else Tier.HARD


def _choices(level: Level[Lock], actions: tuple[Action, ...]) -> list[tuple[int, int]]:
    """For each action of a plan the number of legal ones before it, and of the good ones."""
    rules = BurrRules()
    state = rules.initial(level)
    found = []
    for action in actions:
        after = rules.apply(level, state, action).state
        parts = [_parts(rules.apply(level, state, a).state) for a in rules.legal(level, state)]
        before = _parts(state)
        good = sum(p > before for p in parts) if _parts(after) > before else 1
        # The listed actions are enough to solve a level, but a plan may join two of them in one.
        found.append((max(len(parts), good, 1), max(good, 1)))
        state = after
    return found


def _parts(state: LockState) -> int:
    """Return the number of parts that the lock is in."""
    return len(state.list_benches()) + sum(isinstance(place, Loose) for place in state.places)

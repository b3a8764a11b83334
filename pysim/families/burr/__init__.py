"""Interlocking burrs: Kongming (Lu Ban) locks.

What stands here is imported when it is asked for: designs can be read and solved without rules,
worlds and planner, whose libraries take longer to load than most designs take to solve.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pysim.families.burr.actions import Bring, Rotate, Slide
    from pysim.families.burr.family import FAMILY
    from pysim.families.burr.lock import Goal, Lock, Piece
    from pysim.families.burr.rules import BurrRules
    from pysim.families.burr.state import LockState

__all__ = ["FAMILY", "Bring", "BurrRules", "Goal", "Lock", "LockState", "Piece", "Rotate", "Slide"]

_HOMES = {
    "FAMILY": "family",
    "Bring": "actions",
    "BurrRules": "rules",
    "Goal": "lock",
    "Lock": "lock",
    "LockState": "state",
    "Piece": "lock",
    "Rotate": "actions",
    "Slide": "actions",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)

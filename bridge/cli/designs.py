"""Designs and locks that commands are given."""

from typing import TYPE_CHECKING

from bridge.cli.failing import CommandError
from pysim.families.burr.design import Design, Problem

if TYPE_CHECKING:
    from pysim.families.burr import Lock
    from pysim.puzzle import Level

__all__ = ["find_lock", "pick_problem"]


def find_lock(name: str) -> "Level[Lock]":
    """The level with an id, or in a file, called ``name``, which must be a lock.

    Raises:
        LevelError: there is none.
        CommandError: it is another kind of puzzle.
    """
    from pysim.catalog import find_level
    from pysim.families.burr import Lock

    level = find_level(name)
    if not isinstance(level.puzzle, Lock):
        raise CommandError(f"{level.id} is no lock")
    return level


def pick_problem(target: str, design: Design, number: int) -> Problem:
    """A problem of the design that ``target`` holds.

    Raises:
        CommandError: there is none with that number.
    """
    count = len(design.problems)
    if count == 0:
        raise CommandError(f"{target} has no problem, only shapes")
    if not 0 <= number < count:
        raise CommandError(f"{target} has problems 0 to {count - 1}, no {number}")
    return design.problems[number]

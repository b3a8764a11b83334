"""The level that an environment is made of."""

from typing import Any

from bridge.episode.choices import MAX_BUDGET
from pysim.catalog import list_shipped_levels
from pysim.errors import InputError
from pysim.level_selection import load_level
from pysim.puzzle import Level

__all__ = ["own_level", "own_levels"]


def own_levels(family: str) -> list[Level[Any]]:
    """Return the levels of a family that ship, those with the shortest plans first."""
    return sorted(
        list_shipped_levels(family),
        key=lambda one: (len(one.plan) if one.plan else MAX_BUDGET, one.id),
    )


def own_level(family: str, name: str | None) -> Level[Any]:
    """Return the level of a family that has a name, or its shortest one.

    Raises:
        InputError: there is none, or it is of another family.
    """
    if name is None:
        return own_levels(family)[0]
    level = load_level(name)
    if level.family != family:
        raise InputError(f"{level.id} is of the family {level.family}, not {family}")
    return level

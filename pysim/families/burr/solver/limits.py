"""Limits that the compiled and the plain way to take assemblies apart share."""

from collections.abc import Iterable

from pysim.families.burr.files.design import DesignError
from pysim.geometry import Cell

__all__ = [
    "FAR",
    "MAX_ASSEMBLIES",
    "MAX_CONFIGURATIONS",
    "MAX_PIECES",
    "MAX_SETS",
    "MAX_SPREAD",
    "MAX_TRIES",
    "BurrLevel",
    "SearchTooLarge",
    "check_drawing",
    "check_rows",
    "check_spread",
    "describe_too_many",
    "describe_too_wide",
]

MAX_ROWS = 2_000_000
"""Ways to lay pieces into a goal."""
MAX_LAID = 2**24
"""Cells that all placements cover together."""
MAX_TABLE = 2**31
"""Placements times cells of the goal: bits of the table that is searched, 256 MiB."""
MAX_TRIES = 2**25
"""Places at which shapes are tried."""
MAX_SIDE = 4096
"""Cells of a drawing along an axis; coordinates are packed into 16 bits."""
BurrLevel = tuple[int, ...]
"""Moves of the separations that are told; empty if there is but one piece, or no need to part."""
MAX_PIECES = 62
MAX_SPREAD = 2000
"""Units over which interlocked pieces can spread; relative positions are packed into 12 bits."""
FAR = 1 << 20
"""Units that a piece can go which never hits the other one."""
MAX_SETS = 4096
"""Sets of pieces that may move in one direction from one configuration."""
MAX_ASSEMBLIES = 5_000_000
"""Covers that may be found from one start."""
MAX_CONFIGURATIONS = 5_000_000
"""Configurations that one group may have before its search is given up."""


class SearchTooLarge(DesignError):
    """A group has more configurations than the search may visit."""


def check_drawing(number: int, size: Cell) -> None:
    """Refuse a shape, given by its number from 0, that is drawn too long.

    Raises:
        DesignError: it is.
    """
    if max(size) > MAX_SIDE:
        raise DesignError(f"shape S{number + 1} is drawn longer than {MAX_SIDE:,} cells")


def check_rows(rows: int, cells: int, laid: int) -> None:
    """Refuse more placements than can be searched.

    Args:
        rows: placements so far.
        cells: of the goal.
        laid: cells that they cover together.

    Raises:
        DesignError: there are.
    """
    if rows > min(MAX_ROWS, MAX_TABLE // cells) or laid > MAX_LAID:
        raise DesignError(
            f"there are more than {rows - 1:,} ways to lay the pieces into a goal of {cells:,} "
            "cells, and so many can't be searched"
        )


def check_spread(lengths: Iterable[int]) -> None:
    """Refuse a group of pieces, given by their lengths in units.

    Raises:
        SearchTooLarge: there are too many, or they can spread too far.
    """
    known = list(lengths)
    if len(known) > MAX_PIECES or sum(known) > MAX_SPREAD:
        raise SearchTooLarge(describe_too_wide(len(known)))


def describe_too_wide(pieces: int) -> str:
    """Describe a group that is too long."""
    return f"{pieces} pieces that can spread over more than {MAX_SPREAD:,} units"


def describe_too_many(pieces: int, limit: int = MAX_CONFIGURATIONS) -> str:
    """Describe a group that has too many configurations."""
    return f"more than {limit:,} configurations of {pieces} pieces"

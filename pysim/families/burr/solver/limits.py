"""What the compiled and the plain way to take assemblies apart share."""

from collections.abc import Iterable

from pysim.families.burr.files.design import DesignError

__all__ = [
    "FAR",
    "MAX_ASSEMBLIES",
    "MAX_CONFIGURATIONS",
    "MAX_PIECES",
    "MAX_SETS",
    "MAX_SPREAD",
    "BurrLevel",
    "SearchTooLarge",
    "check_spread",
    "too_many",
    "too_wide",
]

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


def check_spread(lengths: Iterable[int]) -> None:
    """Refuse a group of pieces, given by their lengths in units.

    Raises:
        SearchTooLarge: there are too many, or they can spread too far.
    """
    known = list(lengths)
    if len(known) > MAX_PIECES or sum(known) > MAX_SPREAD:
        raise SearchTooLarge(too_wide(len(known)))


def too_wide(pieces: int) -> str:
    """What is said of a group that is too long."""
    return f"{pieces} pieces that can spread over more than {MAX_SPREAD:,} units"


def too_many(pieces: int, limit: int = MAX_CONFIGURATIONS) -> str:
    """What is said of a group that has too many configurations."""
    return f"more than {limit:,} configurations of {pieces} pieces"

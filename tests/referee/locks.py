"""Locks to judge: small boxes with voids, as level documents."""

import random
from typing import Any

from pysim.catalog import encode_level
from pysim.families.burr.lock import Goal
from tests.families.burr.locks import LockLevel, level_of, random_lock

__all__ = ["document_of", "small_lock"]

SIZES = ((3, 3, 3), (3, 3, 2), (4, 3, 3))


def small_lock(seed: int, goal: Goal | None = None) -> LockLevel:
    """Two or three pieces in a box of 3 x 3 x 3, more in others; some cells stay empty."""
    rng = random.Random(f"referee {seed}")
    count = rng.choice((2, 2, 3, 3, 3, 4))
    size = SIZES[0] if count < 4 else rng.choice(SIZES)
    while True:
        try:
            lock = random_lock(rng, goal or rng.choice(list(Goal)), count, size)
        except ValueError:
            continue  # A piece that can't lie on a table.
        return level_of(lock)


def document_of(level: LockLevel) -> dict[str, Any]:
    """The level as a document."""
    return dict(encode_level(level))

"""Splits: which tasks are for training, and which for evaluation.

The split of a task follows from its canonical form alone. So tasks that are the same up to symmetry
are in one split, whatever their seeds, difficulties and generators are.
"""

import hashlib
from enum import StrEnum
from functools import cache

from pysim.catalog import (
    AnyFamily,
    AnyLevel,
    LevelError,
    find_family,
    list_shipped_levels,
    list_unlisted_levels,
)

__all__ = [
    "PUBLIC",
    "Split",
    "TaskError",
    "assign_split",
    "compute_digest",
    "list_shipped_digests",
]

DIGEST_BYTES = 16


class TaskError(LevelError):
    """A task can't be had; the message says why."""


class Split(StrEnum):
    """A split of the tasks of a family."""

    TRAIN = "train"
    VAL = "val"
    TEST = "test"
    PRIVATE = "private"
    """Tasks of secret seeds."""


PUBLIC = (Split.TRAIN, Split.VAL, Split.TEST)
"""Splits of the tasks of seeds that anybody may know."""
_BOUNDS = ((160, Split.TRAIN), (192, Split.VAL), (224, Split.TEST), (256, Split.PRIVATE))
"""Of the 256 values of a digest's first byte, the end of those of each split."""


def compute_digest(level: AnyLevel) -> bytes:
    """Return 16 bytes that are equal for levels that are the same up to symmetry.

    Raises:
        TaskError: the family has no canonical form.
    """
    family: AnyFamily = find_family(level)
    if family.canonical_form is None:
        raise TaskError(f"the family {family.name} has no tasks: it has no canonical form")
    content = f"{family.name}\n{family.canonical_form(level.puzzle)}".encode()
    return hashlib.sha256(content).digest()[:DIGEST_BYTES]


def assign_split(digest: bytes) -> Split:
    """Return the split of a task by its digest: five eighths for training, an eighth for others."""
    return next(split for bound, split in _BOUNDS if digest[0] < bound)


@cache
def list_shipped_digests(family: str) -> frozenset[bytes]:
    """Return the digests of all levels of a family that ship; none of them is a task."""
    levels = (*list_shipped_levels(family), *list_unlisted_levels(family))
    return frozenset(map(compute_digest, levels))

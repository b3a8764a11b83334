"""Kinds of violations in a video."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

__all__ = ["MAGNITUDES", "Violation", "ViolationKind", "stretches"]


class ViolationKind(StrEnum):
    """Kind of a violation."""

    PERMANENCE = "permanence"
    """A piece vanishes, or is there again."""
    RIGIDITY = "rigidity"
    """A piece changes its shape or size, or is mirrored."""
    SWAP = "swap"
    """Two pieces change places at once."""
    MERGE = "merge"
    """A piece goes into another one and is gone."""
    SPLIT = "split"
    """Part of a piece is elsewhere."""
    EXTRA = "extra"
    """There is more of a piece than there was, or something that is no piece."""
    TELEPORT = "teleport"
    """A piece is elsewhere in the next frame."""
    INTERPENETRATION = "interpenetration"
    """Two pieces are in one place."""
    DIAGONAL = "diagonal"
    """A piece that is held moves along two axes at once."""
    ROTATION = "rotation"
    """A piece is turned before it is free."""
    ILLEGAL = "illegal-move"
    """A move that the rules of the puzzle refuse."""
    ORDER = "wrong-order"
    """A piece comes free before those that hold it."""
    BACKGROUND = "background"
    """What stands behind the pieces changes."""


MAGNITUDES: dict[ViolationKind, str] = {
    ViolationKind.PERMANENCE: "frames",
    ViolationKind.RIGIDITY: "share",
    ViolationKind.SWAP: "units",
    ViolationKind.MERGE: "units",
    ViolationKind.SPLIT: "units",
    ViolationKind.EXTRA: "faces",
    ViolationKind.TELEPORT: "units",
    ViolationKind.INTERPENETRATION: "units",
    ViolationKind.DIAGONAL: "units",
    ViolationKind.ROTATION: "degrees",
    ViolationKind.ILLEGAL: "units",
    ViolationKind.ORDER: "pieces",
    ViolationKind.BACKGROUND: "share",
}
"""In what the magnitude of each kind is counted."""


@dataclass(frozen=True, slots=True)
class Violation:
    """One thing that is wrong.

    Attributes:
        kind: what.
        first, last: frames from and to which it is seen, both included.
        pieces: which, the culprit first; empty for the background.
        magnitude: how much, in the unit of :data:`MAGNITUDES`.
        note: what else there is to say.
    """

    kind: ViolationKind
    first: int
    last: int
    pieces: tuple[str, ...]
    magnitude: float
    note: str = ""


def stretches(mask: NDArray[np.bool_], least: int) -> Iterator[tuple[int, int]]:
    """First and last index of each run of at least ``least`` that are true, both included."""
    edges = np.flatnonzero(np.diff(np.concatenate([[0], mask.astype(np.int8), [0]])))
    for first, end in zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True):
        if end - first >= least:
            yield first, end - 1

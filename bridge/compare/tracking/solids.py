"""Whether pieces are taken to be in each other: then what is taken of them may be wrong."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from bridge.compare.judging.depths import depth_between

__all__ = ["is_in_others"]

_Array = NDArray[np.float64]

_DEEP = 0.3
"""Units; positions are known to a tenth or two."""


def is_in_others(
    cells: Sequence[_Array], poses: _Array, there: NDArray[np.bool_], piece: int
) -> bool:
    """Whether a piece is in others, so that it has not gone to where it is by any lawful way.

    Args:
        cells: of each piece (m, 3), in body coordinates.
        poses: (P, 4, 4) of all at one time.
        there: (P,) which are there at all.
    """
    others = [other for other in np.flatnonzero(there).tolist() if other != piece]
    return any(
        depth_between(cells[piece], poses[piece], cells[other], poses[other]) > _DEEP
        for other in others
    )

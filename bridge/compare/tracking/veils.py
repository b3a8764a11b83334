"""What hides pieces and is none: too much of another piece, in front of them."""

from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from bridge.compare.tracking.search import FEWEST, Sight
from bridge.compare.tracking.weighing import WeighedFrame

__all__ = ["behind_veil"]

_Array = NDArray[np.float64]
_Mask = NDArray[np.bool_]

_LEAST = 0.5
"""Share of its usual fit that is left of a piece that is hidden in part."""
_LITTLE = 0.15
"""Share of a piece's pixels that says nothing of it: its rim looks like what is next to it."""
_RIM = np.ones((5, 5), np.uint8)
"""Around a veil nothing is seen well."""


def behind_veil(
    frame: WeighedFrame, piece: int, poses: _Array, there: NDArray[np.bool_], usual: float
) -> Sight | None:
    """What a piece is weighed against whose place looks like another one, if something hides it.

    Who has another one's colours is no larger than before. What hides a piece goes beyond it; what
    it leaves of the piece has to look as usual, or enough of it has to: what is in the shade of a
    veil is not known from it.
    """
    veil = _veil(frame, piece, poses, there)
    if veil is None:
        return None
    sight = frame.sight(piece, poses, there)
    hidden = replace(sight, behind=np.where(veil, np.float32(np.inf), sight.behind))
    here = hidden.weigh(poses[piece])
    speaks = (here.fit >= _LEAST * usual and here.cost < 0.0) or here.cost < -FEWEST
    little = here.seen < max(FEWEST, _LITTLE * sight.weigh(poses[piece]).seen)
    return hidden if little or speaks else None


def _veil(frame: WeighedFrame, piece: int, poses: _Array, there: NDArray[np.bool_]) -> _Mask | None:
    """(H, W) where others' colours are that reach into a piece's place and far beyond it."""
    everybody = there.copy()
    everybody[piece] = True
    _, labels = frame.board.draw(poses, everybody)
    cost = frame.cost_of(labels)
    own = (labels >= 0) & (labels >> 2 == piece)
    beyond = cv2.dilate(own.astype(np.uint8), _RIM) == 0
    veil = np.zeros(own.shape, np.uint8)
    for other in range(len(poses)):
        if other != piece:
            odd = frame.unexplained(other, labels, cost)
            count, parts = cv2.connectedComponents(odd)
            for part in range(1, count):
                mask = parts == part
                if (mask & own).sum() >= FEWEST / 2 and (mask & beyond).sum() >= FEWEST:
                    veil |= mask
    return cv2.dilate(veil, _RIM) > 0 if veil.any() else None

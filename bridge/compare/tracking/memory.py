"""What has been seen, for as long as it stays: a better template than painted faces are."""

import cv2
import numpy as np
from numpy.typing import NDArray

from bridge.compare.tracking.colours import Looks

__all__ = ["Memory"]

_Picture = NDArray[np.float32]
_Labels = NDArray[np.int16]

_REST = 2
"""Frames for which everything has to stay before what is seen is remembered."""
_NEAR = 7
"""Pixels around what has changed that are not known well."""


class Memory:
    """A picture, and what was said to be where when it was taken; parts of it are of other frames.

    Args:
        picture: (H, W, 3) the first true frame.
        labels: (H, W) what is where in it.
    """

    def __init__(self, picture: _Picture, labels: _Labels) -> None:
        self._picture, self._labels = picture.copy(), labels.copy()
        self._last, self._still = labels, 0

    def expected(
        self, labels: _Labels, looks: Looks, wears: NDArray[np.int64]
    ) -> tuple[_Picture, NDArray[np.bool_]]:
        """What is expected under some labels (H, W, 3), and where (H, W) it is known well."""
        other = labels != self._labels
        if not other.any():
            return self._picture, np.ones(labels.shape, bool)
        expected = np.where(other[..., None], looks.expected(labels, wears), self._picture)
        near = cv2.dilate(other.astype(np.uint8), np.ones((_NEAR, _NEAR), np.uint8))
        return expected.astype(np.float32), near == 0

    def note(self, picture: _Picture, labels: _Labels, shown: NDArray[np.bool_]) -> None:
        """A frame was seen, as the true camera would have; what is new and stays is remembered.

        Args:
            shown: (H, W) what it shows at all.
        """
        self._still = self._still + 1 if np.array_equal(labels, self._last) else 0
        self._last = labels
        if self._still >= _REST:
            other = labels != self._labels
            near = cv2.dilate(other.astype(np.uint8), np.ones((_NEAR, _NEAR), np.uint8)) > 0
            near &= shown
            self._picture[near] = picture[near]
            self._labels = labels.copy()

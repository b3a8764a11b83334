"""Motion of a video's camera: pictures are put straight before they are compared.

A camera that turns a little or zooms moves its picture by a map that is nearly affine. It is found
by the enhanced correlation coefficient (Evangelidis and Psarakis, PAMI 2008), which light and
contrast do not change, against the picture of the film that was found for the frame before.
"""

from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

__all__ = ["CameraMotion"]

_Picture = NDArray[np.uint8]

_ROUNDS = (cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, 20, 1e-4)
_BLUR = 5
"""Edge in pixels of the filter that both pictures pass first."""
_MOST = 0.12
"""Turn and zoom beyond which it is no mild motion of the camera."""


@dataclass(eq=False)
class CameraMotion:
    """Motion of a camera from the true one, frame by frame."""

    _map: NDArray[np.float32] = field(default_factory=lambda: np.eye(2, 3, dtype=np.float32))

    def straighten(self, picture: _Picture, expected: _Picture) -> _Picture:
        """Return a picture (H, W, 3) as the true camera would have seen it.

        Args:
            expected: roughly what the true camera sees.
        """
        gray, target = (cv2.cvtColor(p, cv2.COLOR_RGB2GRAY) for p in (picture, expected))
        everywhere = np.full(gray.shape, 255, np.uint8)
        try:
            _, found = cv2.findTransformECC(
                target, gray, self._map.copy(), cv2.MOTION_AFFINE, _ROUNDS, everywhere, _BLUR
            )
        except cv2.error:
            found = self._map  # They have nothing in common.
        if np.abs(found[:, :2] - np.eye(2)).max() < _MOST:
            self._map = np.asarray(found, np.float32)
        size = (picture.shape[1], picture.shape[0])
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        straight = cv2.warpAffine(
            picture, self._map, size, flags=flags, borderMode=cv2.BORDER_REPLICATE
        )
        return np.asarray(straight, np.uint8)

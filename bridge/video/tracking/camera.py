"""Motion of a video's camera: pictures are put straight before they are compared.

A camera that turns a little or zooms moves its picture by a map that is nearly affine. It is found
by the enhanced correlation coefficient (Evangelidis and Psarakis, PAMI 2008), which light and
contrast do not change, against a picture of the film that shows nearly the same.
"""

from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from bridge.video.thresholds import LIMITS

__all__ = ["CameraMotion", "Map", "apply_map", "measure_roll", "measure_zoom"]

_Picture = NDArray[np.uint8]
Map = NDArray[np.float32]
"""An affine map of pixels."""

_ROUNDS = (cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, 30, 1e-4)


def _identity() -> Map:
    return np.eye(2, 3, dtype=np.float32)


@dataclass(eq=False)
class CameraMotion:
    """Motion of a camera from the true one, frame by frame.

    Attributes:
        map: (2, 3) from pixels of the true camera to those of the last picture.
        left: fewest pixels that the film left unexplained of a picture since a map was fitted.
    """

    map: Map = field(default_factory=_identity)
    left: float = 0.0

    def is_kept(self, left: float) -> bool:
        """Return whether a picture of which so many pixels are left needs no other map."""
        return left < max(LIMITS.moved_pixels, LIMITS.still_factor * self.left)

    def keep(self, left: float) -> None:
        """Note that so many pixels are left of a picture that needs no other map."""
        self.left = min(self.left, left)

    def straighten(
        self, picture: _Picture, expected: _Picture, ignored: NDArray[np.bool_] | None = None
    ) -> _Picture:
        """Return a picture (H, W, 3) as the true camera would have seen it.

        Args:
            expected: roughly what the true camera sees.
            ignored: (H, W) pixels of it that tell nothing of the camera.
        """
        gray, target = (cv2.cvtColor(p, cv2.COLOR_RGB2GRAY) for p in (picture, expected))
        use = np.full(gray.shape, 255, np.uint8)
        np.copyto(use, 0, where=False if ignored is None else ignored)
        for start in (self.map, _identity()):
            try:
                _, found = cv2.findTransformECC(
                    target, gray, start.copy(), cv2.MOTION_AFFINE, _ROUNDS, use, LIMITS.camera_blur
                )
            except cv2.error:
                continue  # They have nothing in common from there.
            if _is_mild(np.asarray(found, np.float32)):
                self.map = np.asarray(found, np.float32)
                break
        return apply_map(picture, self.map)[0]


def measure_roll(map_: Map) -> float:
    """Return the radians by which a picture is turned."""
    return float(np.arctan2(map_[1, 0] - map_[0, 1], map_[0, 0] + map_[1, 1]))


def measure_zoom(map_: Map) -> float:
    """Return how much larger a picture is than it should be."""
    return float(np.sqrt(abs(np.linalg.det(map_[:, :2]))))


def apply_map(picture: _Picture, map_: Map) -> tuple[_Picture, NDArray[np.bool_]]:
    """Return a picture (H, W, 3) as the true camera would have seen it, and what of it was seen.

    Args:
        map_: (2, 3) from pixels of the true camera to those of the picture.
    """
    height, width = picture.shape[:2]
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    straight = cv2.warpAffine(
        picture, map_, (width, height), flags=flags, borderMode=cv2.BORDER_REPLICATE
    )
    whole = np.zeros((height, width), np.uint8)
    whole[2:-2, 2:-2] = 255
    seen = cv2.warpAffine(whole, map_, (width, height), flags=flags)
    return np.asarray(straight, np.uint8), seen > 254


def _is_mild(found: Map) -> bool:
    turn, zoom = measure_roll(found), measure_zoom(found)
    c, s = zoom * np.cos(turn), zoom * np.sin(turn)
    shear = np.abs(found[:, :2] - np.array([[c, -s], [s, c]])).max()
    is_near = abs(zoom - 1.0) < LIMITS.most_zoom and abs(turn) < np.radians(LIMITS.most_turn)
    return bool(is_near and shear < LIMITS.most_shear)

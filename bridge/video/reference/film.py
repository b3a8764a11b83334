"""The true film of a bundle as a video is held against it: small pictures, masks and travel."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from bridge.video.reference.bundle import Bundle
from bridge.video.reference.colors import find_largest, measure_differences
from bridge.video.reference.pictures import PackedPictures
from bridge.video.thresholds import LIMITS
from pysim.catalog import find_family
from pysim.scene import Body

__all__ = [
    "BLUR",
    "Doubt",
    "TrueFilm",
    "find_local_speeds",
    "measure_travel",
    "read_true_film",
    "smooth",
]

_WIDTH = 416
"""Width of pictures in pixels that is enough."""
_MOST_BYTES = 300_000_000
"""Size of all pictures; those of a longer film are smaller."""
BLUR = 1.0
"""Deviation in pixels by which pictures are smoothed: rims differ from codec to codec."""


class Doubt(NamedTuple):
    """Doubts about a picture that was composed of the look of bodies.

    Attributes:
        spread: (H, W) how far off each pixel may be, squared; infinity where nothing is known.
        cost: pixels that the same bodies leave unexplained where the film shows them.
    """

    spread: NDArray[np.float32]
    cost: float


@dataclass(frozen=True, slots=True, eq=False)
class TrueFilm:
    """The film of a bundle.

    Attributes:
        bundle: the bundle.
        pictures: P of (H, W, 3) uint8 sRGB, smoothed: one of each rest, and all in which anything
            changes.
        frames: (P,) the first frame of the film that each picture shows.
        travel: (P,) units that the fastest corners of all bodies have gone until then.
        doubts: about those pictures that were composed.
        blur: deviation in pixels by which pictures were smoothed once more.
    """

    bundle: Bundle
    pictures: Sequence[NDArray[np.uint8]]
    frames: NDArray[np.int64]
    travel: NDArray[np.float64]
    doubts: Mapping[int, Doubt] = field(default_factory=dict)
    blur: float = 0.0

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the pictures in pixels."""
        return self.pictures[0].shape[1], self.pictures[0].shape[0]

    @property
    def speeds(self) -> NDArray[np.float64]:
        """(P,) units that any corner goes from the picture before to each, at most."""
        return np.diff(self.travel, prepend=self.travel[:1])

    @property
    def top_speed(self) -> float:
        """Units that any corner goes from a picture to the next, at most, but for leaps.

        Through a gate a body leaps; no motion is as fast as that for two frames.
        """
        return float(np.minimum(self.speeds, np.roll(self.speeds, 1)).max(initial=0.0))

    def find_local_speeds(self, reach: float) -> NDArray[np.float64]:
        """Return units (P,) that any corner goes in a frame, at most, about each position.

        Args:
            reach: frames before and after it that are near it.
        """
        steps = np.diff(self.travel) / np.diff(self.frames)
        return np.asarray(find_local_speeds(self.frames, steps, reach).max(axis=0))

    def find_position(self, frames: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the positions of the pictures that show frames of the film."""
        return np.asarray(np.searchsorted(self.frames, frames, side="right") - 1)

    def find_poses(self, positions: int | NDArray[np.int64]) -> NDArray[np.float64]:
        """Return where bodies are (..., B, 4, 4) at positions; NaN where one is not there."""
        return self.bundle.poses[self.frames[positions]]

    def count_unknown(self, position: int) -> int:
        """Return how many pixels of the picture at a position have a look that is not known."""
        doubt = self.doubts.get(position)
        return 0 if doubt is None else int(np.isinf(doubt.spread).sum())


def read_true_film(bundle: Bundle) -> TrueFilm:
    """Read the film of a bundle, at a size that is enough to compare it."""
    camera = bundle.camera
    most = np.sqrt(_MOST_BYTES / 3.0 / len(bundle.poses) * camera.width / camera.height)
    width = int(min(camera.width, _WIDTH, most))
    size = width, max(1, round(width * camera.height / camera.width))
    frames: list[int] = []
    pictures = PackedPictures(_read_pictures(bundle, size, frames))
    travel = measure_travel(bundle)
    return TrueFilm(bundle, pictures, np.array(frames), travel[frames])


def _read_pictures(
    bundle: Bundle, size: tuple[int, int], frames: list[int]
) -> Iterator[NDArray[np.uint8]]:
    """Yield pictures of a width and height that differ from the last one, and add their frames.

    What differs by a part of a pixel is lost by any codec: it is the same picture.
    """
    last: NDArray[np.uint8] | None = None
    for number, frame in enumerate(bundle.frames()):
        small = cv2.resize(frame, size, interpolation=cv2.INTER_AREA)
        picture = smooth(np.asarray(small, np.uint8))
        if last is None or _count_changed(picture, last) > LIMITS.same_picture:
            frames.append(number)
            yield picture
            last = picture


def _count_changed(picture: NDArray[np.uint8], last: NDArray[np.uint8]) -> float:
    """Return how many pixels of two pictures (H, W, 3) differ; a small difference is a part."""
    changed = find_largest(picture != last)
    off = measure_differences(picture[changed].astype(np.float64) - last[changed])
    return float(np.minimum(1.0, off / LIMITS.far_colors[1] ** 2).sum())


def smooth(picture: NDArray[np.uint8], blur: float = BLUR) -> NDArray[np.uint8]:
    """Return a picture (H, W, 3) with soft rims; ``blur`` is a deviation in pixels."""
    return picture if blur == 0.0 else np.asarray(cv2.GaussianBlur(picture, (0, 0), blur), np.uint8)


def find_local_speeds(
    frames: NDArray[np.int64] | NDArray[np.float64], steps: NDArray[np.float64], reach: float
) -> NDArray[np.float64]:
    """Return the top speeds (2, P) before and after each position.

    Args:
        frames: (P,) those at which positions begin.
        steps: (P - 1,) units a frame that are gone from each position to the next.
        reach: frames before and after it that are near a position.
    """
    speeds = np.append(steps, 0.0)
    ends = np.append(frames[1:], frames[-1] + 1.0)
    low = np.searchsorted(ends, frames - reach, side="left").tolist()
    high = np.searchsorted(frames, ends + reach, side="right").tolist()
    before = [speeds[a : k + 1].max() for k, a in enumerate(low)]
    return np.array([before, [speeds[k:b].max() for k, b in enumerate(high)]])


def measure_travel(bundle: Bundle) -> NDArray[np.float64]:
    """Return how far the fastest corners of all bodies have gone until each frame."""
    rules = find_family(bundle.level).rules
    scene = rules.scene(bundle.level, rules.initial(bundle.level))
    fastest = np.zeros(len(bundle.poses) - 1)
    for index, name in enumerate(bundle.names):
        poses = np.nan_to_num(bundle.poses[:, index])
        corners = _list_corners(scene.find_body(name))
        placed = poses[:, :3, :3] @ corners + poses[:, :3, 3:]
        steps = np.linalg.norm(np.diff(placed, axis=0), axis=1)
        fastest = np.maximum(fastest, steps.max(axis=1))
    return np.concatenate([[0.0], np.cumsum(fastest)])


def _list_corners(body: Body) -> NDArray[np.float64]:
    """Return the corners (3, 8) of the box around a body, in its own coordinates."""
    bounds = body.shape.bounds
    ends = [(low - 0.5, high + 0.5) for low, high in zip(bounds.low, bounds.high, strict=True)]
    return np.array(np.meshgrid(*ends), np.float64).reshape(3, -1)

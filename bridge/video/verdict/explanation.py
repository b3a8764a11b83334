"""Explanation of a video by the true film: where it holds, nothing is wrong."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from bridge.video.reference.film import TrueFilm, smooth
from bridge.video.tracking.alignment import AlignedFrames, FilmAlignment
from bridge.video.tracking.camera import CameraMotion
from bridge.video.tracking.comparison import ColorCalibration, compare_pixels, sum_differences

__all__ = ["FilmExplanation", "Leap", "StepFrames", "explain_by_film"]

_LEAST_PIXELS = 20.0
_LEAST_SHARE = 0.08
"""Pixels, and share of those that show a body, that have to be left unexplained."""
_USUAL = 0.3
"""Share of a body's pixels, at most, that may stay unexplained throughout a video."""
_BLURS = (0.0, 0.7, 1.2, 2.0, 3.0)
"""Deviations in pixels by which a video may be less sharp than the film."""
_MOVED = 0.05
"""Share of the frames that may stay unexplained before the camera is taken to have moved."""
_EXPLAINED = 0.9
"""Share of the frames that have to be explained for the film's plan to be the video's."""


@dataclass(frozen=True, slots=True)
class StepFrames:
    """Frames of a video in which a step of the film begins and ends; its place among the steps."""

    step: int
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Leap:
    """Bodies that are elsewhere from one frame of a video to the next, as they may be later.

    Attributes:
        frame: the frame in which they are there.
        names: the bodies, the one that goes farthest first.
        distance: how far that one is from where it was, in units.
    """

    frame: int
    names: tuple[str, ...]
    distance: float


@dataclass(frozen=True, slots=True, eq=False)
class FilmExplanation:
    """Explanation of a video by the true film, frame by frame.

    Attributes:
        film: the film.
        aligned: its pictures that explain the frames best.
        unexplained: (F, B + 1) whether clearly more of the background, and of each body, stays
            unexplained than in most frames of the video.
    """

    film: TrueFilm
    aligned: AlignedFrames
    unexplained: NDArray[np.bool_]

    def count_unexplained(self, names: Sequence[str], first: int, last: int) -> int:
        """Return the frames from first to last that the film leaves unexplained.

        Args:
            names: the bodies that are looked at, beside the background.
        """
        bodies = [0, *(1 + self.film.bundle.names.index(name) for name in names)]
        wrong = self.unexplained[first : last + 1, bodies].any(axis=1)
        return int((wrong | self.aligned.leaps[first : last + 1]).sum())

    @property
    def is_whole(self) -> bool:
        """Whether the film explains all that is seen, so that its plan is the video's."""
        wrong = np.asarray(self.unexplained.any(axis=1))
        most = wrong.mean() <= 1.0 - _EXPLAINED and not wrong[-1]
        return bool(most and not self.aligned.leaps.any())

    def find_leaps(self) -> list[Leap]:
        """Return the leaps between two frames that are both explained."""
        wrong = np.asarray(self.unexplained.any(axis=1))
        sure = ~(wrong | np.concatenate([[True], wrong[:-1]]))
        return [self._measure_leap(int(k)) for k in np.flatnonzero(self.aligned.leaps & sure)]

    def _measure_leap(self, frame: int) -> Leap:
        shown = self.film.frames[self.aligned.positions[frame - 1 : frame + 1]]
        before, after = self.film.bundle.poses[shown]
        far = np.nan_to_num(np.linalg.norm(after[:, :3, 3] - before[:, :3, 3], axis=1))
        moved = np.nan_to_num(np.abs(after - before).max(axis=(1, 2))) > 0.05
        order = [int(k) for k in np.argsort(-far, kind="stable") if moved[k]]
        names = tuple(self.film.bundle.names[k] for k in order)
        return Leap(frame, names, float(far.max()))

    def find_steps(self) -> list[StepFrames]:
        """Return the steps that are over at the end of the video.

        A step of which the film shows nothing is over when a later one is that is seen, or, at the
        end of the film, when all that is seen of it is over.
        """
        last_frames = [step.last_frame for step in self.film.bundle.manifest.steps]
        ends = self.film.find_position(np.array(last_frames, np.int64)).tolist()
        reached = np.maximum.accumulate(self.aligned.positions)
        found: list[StepFrames] = []
        first = seen = 0
        for place, end in enumerate(ends):
            if self.aligned.positions[-1] < end:
                break
            last = int(np.searchsorted(reached, end, side="left"))
            begin = int(np.searchsorted(reached, ends[place - 1] + 1 if place else 1, side="left"))
            found.append(StepFrames(place, max(first, min(begin, last)), last))
            first, seen = last, len(found) if end > (ends[place - 1] if place else 0) else seen
        return found if seen and len(found) == len(ends) else found[:seen]


def explain_by_film(
    film: TrueFilm, pictures: Iterable[NDArray[np.float32]], fps: float
) -> FilmExplanation:
    """Explain a video by the true film, as well as that can be done.

    Where much stays unexplained, the camera may have moved: its pictures are put straight then, if
    that explains more of them.

    Args:
        pictures: (H, W, 3) sRGB from 0 to 255, of the size of the film's pictures.
        fps: frames per second of the video.
    """
    soft = [smooth(np.clip(picture + 0.5, 0.0, 255.0).astype(np.uint8)) for picture in pictures]
    # All is where the puzzle has it in the first frame.
    film = _match_sharpness(film, soft[0])
    calibration = ColorCalibration.fit(soft[0], film.pictures[0])
    seen = [calibration.apply(picture) for picture in soft]
    found = _explain(film, seen, fps, None)
    if found.unexplained.any(axis=1).mean() <= _MOVED:
        return found
    moved = _explain(film, seen, fps, CameraMotion())
    return min(found, moved, key=lambda one: one.unexplained.any(axis=1).sum())


def _explain(
    film: TrueFilm, pictures: Sequence[NDArray[np.uint8]], fps: float, camera: CameraMotion | None
) -> FilmExplanation:
    alignment = FilmAlignment(film, film.bundle.manifest.fps / fps)
    seen = []
    for picture in pictures:
        if camera is not None:
            picture = camera.straighten(picture, film.pictures[alignment.position])
        alignment.advance(picture)
        seen.append(picture)
    aligned = alignment.trace()
    return FilmExplanation(film, aligned, _find_unexplained(film, seen, aligned.positions))


def _match_sharpness(film: TrueFilm, first: NDArray[np.uint8]) -> TrueFilm:
    """Return the film, blurred as the first picture of a video is."""

    def compare(blur: float) -> float:
        expected = smooth(film.pictures[0], blur)
        return sum_differences(ColorCalibration.fit(first, expected).apply(first), expected)

    blur = min(_BLURS, key=compare)
    if blur == 0.0:
        return film
    return replace(film, pictures=np.stack([smooth(picture, blur) for picture in film.pictures]))


def _find_unexplained(
    film: TrueFilm, seen: Sequence[NDArray[np.uint8]], positions: NDArray[np.int64]
) -> NDArray[np.bool_]:
    count = 1 + len(film.bundle.names)
    masks = film.read_masks(positions)
    cost = np.empty(seen[0].shape[:2], np.float32)
    left, area = np.zeros((len(seen), count)), np.zeros((len(seen), count))
    for frame, (picture, position) in enumerate(zip(seen, positions.tolist(), strict=True)):
        compare_pixels(picture, film.pictures[position], cost)
        labels = masks[position].ravel()
        left[frame] = np.bincount(labels, cost.ravel(), count)
        area[frame] = np.bincount(labels, minlength=count)
    area[:, 0] = 0.0  # The background is large: its share tells nothing.
    share = left / np.maximum(area, _LEAST_PIXELS)
    usual = np.minimum(np.median(share, axis=0), np.r_[np.inf, np.full(count - 1, _USUAL)])
    more = left - usual * np.maximum(area, _LEAST_PIXELS)
    return np.asarray(more > np.maximum(_LEAST_PIXELS, _LEAST_SHARE * area))

"""Films of lawful branches: composed of a film's pictures, and of the look of its bodies."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

import cv2
import numpy as np
from numpy.typing import NDArray

from bridge.video.reference.film import BLUR, Doubt, TrueFilm, measure_travel, smooth
from bridge.video.reference.look import Look
from bridge.video.reference.pictures import Recent
from bridge.video.thresholds import LIMITS
from bridge.video.tracking.comparison import FULL, compare_pixels
from bridge.video.tracking.course import Course

__all__ = ["compose_branch"]

_Array = NDArray[np.float64]
_Plane = NDArray[np.float32]
_Picture = NDArray[np.uint8]

_RIM = np.ones((9, 9), np.uint8)
"""Around a body the pictures of the film are mixed with it."""
_KEPT = 40
"""Pictures that are kept."""


def compose_branch(film: TrueFilm, look: Look, course: Course, steps: int) -> TrueFilm:
    """Return the film of a course whose first steps are those of a film.

    It has the film's own pictures where all bodies are where some picture of the film has them.
    """
    own = Course.of_film(film)
    end = int(own.step_ends[steps - 1]) if steps else 0
    begin = int(course.step_ends[steps - 1]) if steps else 0
    shift = int(film.frames[end] - course.frames[begin])
    frames = np.concatenate([film.frames[: end + 1], shift + course.frames[begin + 1 :]])
    frames = frames.astype(np.int64)
    places = np.concatenate([own.poses[: end + 1], course.poses[begin + 1 :]])
    poses = np.repeat(places, np.diff(frames, append=frames[-1] + 1), axis=0)
    moved = [
        replace(step, first_frame=step.first_frame + shift, last_frame=step.last_frame + shift)
        for step in course.steps[steps:]
    ]
    all_steps = (*film.bundle.manifest.steps[:steps], *moved)
    manifest = replace(
        film.bundle.manifest, steps=all_steps, solved=course.solved, frames=len(poses)
    )
    bundle = replace(film.bundle, manifest=manifest, poses=poses)
    before = film.pictures
    root = before.root if isinstance(before, _ComposedPictures) else film
    pictures = _ComposedPictures(root, look, before, film.doubts, places, end)
    travel = measure_travel(bundle)[frames]
    doubts = _ComposedDoubts(pictures)
    return replace(
        film, bundle=bundle, pictures=pictures, frames=frames, travel=travel, doubts=doubts
    )


@dataclass(eq=False)
class _ComposedPictures(Sequence[_Picture]):
    """Pictures of a branch; each is composed when it is first looked at.

    Attributes:
        root: the film of which they are composed.
        before, doubts: pictures of the film that the branch leaves, and doubts about them.
        places: (P, B, 4, 4) of bodies.
        end: last position that is that film's.
    """

    root: TrueFilm
    look: Look
    before: Sequence[_Picture]
    doubts: Mapping[int, Doubt]
    places: _Array
    end: int
    _composed: Recent[tuple[_Picture, Doubt | None]] = field(default_factory=partial(Recent, _KEPT))

    def __post_init__(self) -> None:
        self._known = self.root.bundle.poses[self.root.frames]
        self._certain = Doubt(np.zeros(self.look.size, np.float32), 0.0)

    def __len__(self) -> int:
        return len(self.places)

    def __getitem__(self, position: int) -> _Picture:  # type: ignore[override]
        return self.find(position)[0]

    def find(self, position: int) -> tuple[_Picture, Doubt | None]:
        """Return a picture (H, W, 3), and doubts about it."""
        return self._composed.get(position, self._make)

    def _make(self, position: int) -> tuple[_Picture, Doubt | None]:
        if position <= self.end:
            return self.before[position], self.doubts.get(position)
        return self._compose(self.places[position])

    def _compose(self, poses: _Array) -> tuple[_Picture, Doubt]:
        """Compose a picture of bodies at poses (B, 4, 4) out of the one that has most there."""
        look, known = self.look, self._known
        same = np.isclose(known, poses, rtol=0.0, atol=LIMITS.same_pose, equal_nan=True)
        off = ~same.all(axis=(2, 3)) & look.drawn
        base = int(off.sum(axis=1).argmin())
        picture = self.root.pictures[base]
        if not off[base].any():
            return picture, self._certain
        before, wide, own = self._draw(known[base], off[base])
        after, spread, shown = self._draw(poses, off[base])
        cost = compare_pixels(
            picture, np.where(own[..., None], before, picture), wide, FULL, np.empty_like(wide)
        )
        touched = own | shown
        mixed = np.where(touched[..., None], after, picture)
        return mixed, Doubt(np.where(touched, spread, np.float32(0.0)), cost)

    def _draw(
        self, poses: _Array, bodies: NDArray[np.bool_]
    ) -> tuple[_Picture, _Plane, NDArray[np.bool_]]:
        """Draw all at poses; return that, how far off it may be, and (H, W) where some bodies are.

        Args:
            bodies: (B,) whether each is one of these.
        """
        look = self.look
        present = look.find_present(poses)
        drawing = look.draw(present, poses[present])
        shown = np.append(bodies, False)[look.label(drawing)]
        shown = cv2.dilate(shown.astype(np.uint8), _RIM) > 0
        fresh = np.clip(look.background.bright, 0.0, 255.0).astype(np.uint8)
        look.light(drawing, fresh)
        spread = look.find_spread(drawing)
        spread[look.find_unseen(drawing) | look.find_dim(drawing)] = np.inf
        return smooth(fresh, float(np.hypot(BLUR, self.root.blur))), spread, shown


@dataclass(frozen=True, eq=False)
class _ComposedDoubts(Mapping[int, Doubt]):
    """Doubts about the pixels of a branch's pictures."""

    pictures: _ComposedPictures

    def __getitem__(self, position: int) -> Doubt:
        doubt = self.pictures.find(position)[1]
        if doubt is None:
            raise KeyError(position)
        return doubt

    def __iter__(self) -> Iterator[int]:
        return (k for k in range(len(self.pictures)) if k in self)

    def __len__(self) -> int:
        return sum(1 for _ in self)

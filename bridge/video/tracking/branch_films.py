"""Films of lawful branches: composed of a film's pictures, and of the look of its bodies."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from bridge.video.reference.bundle import BundleStep
from bridge.video.reference.film import BLUR, Doubt, TrueFilm, measure_travel, smooth
from bridge.video.reference.look import Look
from bridge.video.reference.pictures import Recent
from bridge.video.thresholds import LIMITS
from bridge.video.tracking.comparison import FULL, compare_pixels
from bridge.video.tracking.course import Course
from pysim.catalog import find_family
from pysim.scene import Sticker

__all__ = ["compose_branch"]

_Array = NDArray[np.float64]
_Plane = NDArray[np.float32]
_Picture = NDArray[np.uint8]

_RIM = np.ones((9, 9), np.uint8)
"""Around a body the pictures of the film are mixed with it."""
_KEPT, _KEPT_WHOLE = 100, 16
"""Pictures that are kept packed, and whole."""


class _Packed(NamedTuple):
    """A picture that is composed.

    Attributes:
        base: position in the film of the picture of which it is.
        touched: (N,) other pixels, row by row.
        colors: (N, 3) of these.
        spread: (N,) how far off each may be, squared.
        cost: of the base, drawn in the same way.
    """

    base: int
    touched: NDArray[np.int32]
    colors: _Picture
    spread: _Plane
    cost: float


class _Drawn(NamedTuple):
    """Bodies, drawn on the ground.

    Attributes:
        picture: (H, W, 3) of them.
        spread: (H, W) how far off it may be, squared.
        labels: (H, W) the body of each pixel; -1 for the ground.
    """

    picture: _Picture
    spread: _Plane
    labels: NDArray[np.int64]

    def find(self, bodies: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Return the pixels (H, W) at some bodies (B + 1,), the last the ground, or beside them."""
        shown = bodies[self.labels].view(np.uint8)
        return np.asarray(cv2.dilate(shown, _RIM) > 0)


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
    all_steps = (*_cut_steps(film.bundle.manifest.steps[:steps], moved[0].first_frame), *moved)
    manifest = replace(
        film.bundle.manifest, steps=all_steps, solved=course.solved, frames=len(poses)
    )
    bundle = replace(film.bundle, manifest=manifest, poses=poses)
    before = film.pictures
    root = before.root if isinstance(before, _ComposedPictures) else film
    known = _list_signs(Course.of_film(root), root.frames)
    signs = _list_signs(replace(course, steps=all_steps), frames)
    is_like = np.array([[one is not None and one == other for other in known] for one in signs])
    pictures = _ComposedPictures(root, look, before, film.doubts, places, end, is_like)
    travel = measure_travel(bundle)[frames]
    doubts = _ComposedDoubts(pictures)
    return replace(
        film, bundle=bundle, pictures=pictures, frames=frames, travel=travel, doubts=doubts
    )


def _cut_steps(steps: Sequence[BundleStep], end: int) -> list[BundleStep]:
    """Return steps that are over before a frame; the last one may take in a rest behind it."""
    return [replace(step, last_frame=min(step.last_frame, end - 1)) for step in steps]


def _list_signs(
    course: Course, frames: NDArray[np.int64]
) -> list[frozenset[tuple[str, tuple[Sticker, ...]]] | None]:
    """Return the stickers of bodies at each position; None while some come or go.

    Args:
        frames: (P,) in which positions begin.
    """
    rules = find_family(course.level).rules
    scenes = [rules.scene(course.level, state) for state in course.list_states()]
    signs = [frozenset((body.name, body.stickers) for body in scene.bodies) for scene in scenes]
    ends = np.append(frames[1:] - 1, np.iinfo(np.int64).max)
    begun = np.searchsorted([step.first_frame for step in course.steps], ends, side="right")
    over = np.searchsorted([step.last_frame for step in course.steps], ends, side="right")
    return [
        signs[one] if signs[one] == signs[other] else None
        for one, other in zip(begun.tolist(), over.tolist(), strict=True)
    ]


@dataclass(eq=False)
class _ComposedPictures(Sequence[_Picture]):
    """Pictures of a branch; each is composed when it is first looked at.

    Attributes:
        root: the film of which they are composed.
        before, doubts: pictures of the film that the branch leaves, and doubts about them.
        places: (P, B, 4, 4) of bodies.
        end: last position that is that film's.
        is_like: (P, R) whether the signs on bodies are those of pictures of the root.
    """

    root: TrueFilm
    look: Look
    before: Sequence[_Picture]
    doubts: Mapping[int, Doubt]
    places: _Array
    end: int
    is_like: NDArray[np.bool_]
    _packed: Recent[int, _Packed] = field(default_factory=partial(Recent, _KEPT))
    _whole: Recent[int, tuple[_Picture, Doubt]] = field(
        default_factory=partial(Recent, _KEPT_WHOLE)
    )
    _bases: Recent[int, _Drawn] = field(default_factory=partial(Recent, 1))

    def __post_init__(self) -> None:
        self._known = self.root.bundle.poses[self.root.frames]

    def __len__(self) -> int:
        return len(self.places)

    def __getitem__(self, position: int) -> _Picture:  # type: ignore[override]
        return self.find(position)[0]

    def find(self, position: int) -> tuple[_Picture, Doubt | None]:
        """Return a picture (H, W, 3), and doubts about it."""
        if position <= self.end:
            return self.before[position], self.doubts.get(position)
        return self._whole.get(position, self._unpack)

    def _unpack(self, position: int) -> tuple[_Picture, Doubt]:
        packed = self._packed.get(position, self._compose)
        picture = self.root.pictures[packed.base].copy()
        spread = np.zeros(self.look.size, np.float32)
        picture.reshape(-1, 3)[packed.touched] = packed.colors
        spread.reshape(-1)[packed.touched] = packed.spread
        return picture, Doubt(spread, packed.cost)

    def _compose(self, position: int) -> _Packed:
        """Compose a picture out of the one of the film that has most bodies where they are.

        Signs as they are come first.
        """
        poses = self.places[position]
        same = np.isclose(self._known, poses, rtol=0.0, atol=LIMITS.same_pose, equal_nan=True)
        off = ~same.all(axis=(2, 3)) & self.look.drawn
        unlike = len(poses) * ~self.is_like[position]
        base = int((off.sum(axis=1) + unlike).argmin())
        picture, moved = self.root.pictures[base], np.append(off[base], False)
        if not moved.any():
            nothing = np.zeros(0, np.int32)
            return _Packed(base, nothing, picture[:0, 0], np.zeros(0, np.float32), 0.0)
        before = self._bases.get(base, lambda base: self._draw(self._known[base]))
        own, after = before.find(moved), self._draw(poses)
        covered = np.where(own[..., None], before.picture, picture)
        cost = compare_pixels(picture, covered, before.spread, FULL, np.empty_like(before.spread))
        touched = np.flatnonzero(own | after.find(moved)).astype(np.int32)
        colors = after.picture.reshape(-1, 3)[touched]
        return _Packed(base, touched, colors, after.spread.ravel()[touched], cost)

    def _draw(self, poses: _Array) -> _Drawn:
        """Draw all bodies at poses (B, 4, 4)."""
        look = self.look
        present = look.find_present(poses)
        drawing = look.draw(present, poses[present])
        fresh = np.clip(look.background.bright, 0.0, 255.0).astype(np.uint8)
        look.light(drawing, fresh)
        spread = look.find_spread(drawing)
        is_unseen = np.where(drawing.faces < 0, ~look.background.known, look.find_unseen(drawing))
        spread[is_unseen | look.find_dim(drawing)] = np.inf
        fresh = smooth(fresh, float(np.hypot(BLUR, self.root.blur)))
        return _Drawn(fresh, spread, look.label(drawing))


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

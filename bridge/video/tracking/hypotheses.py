"""Hypotheses about a frame: a picture of the true film, but for some bodies."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from bridge.video.reference.film import TrueFilm
from bridge.video.reference.look import Drawing, Lens, Look
from bridge.video.tracking.comparison import Tolerance, compare_pixels
from bridge.video.tracking.weighing import UNSEEN_COST, weigh_body

__all__ = ["Behind", "Composer", "Placed", "Weight"]

_Array = NDArray[np.float64]
_Plane = NDArray[np.float32]
_Picture = NDArray[np.uint8]
_Index = NDArray[np.int64]

_RIM = np.ones((5, 5), np.uint8)
"""Around a body the pictures of the film are mixed with it."""
_GROUND = 25.0
"""Levels by which the ground, in any light, may look otherwise."""
_KEPT = 64
"""Drawings that are kept."""


@dataclass(frozen=True, slots=True, eq=False)
class Placed:
    """A body in a hypothesis, where the film does not have it.

    Attributes:
        body: which.
        pose: (4, 4) where; with a scale other than 1 in its axes, perhaps.
        texture: (T, 3) of all bodies, if it looks otherwise.
        alpha: how much it covers what is behind it.
    """

    body: int
    pose: _Array
    texture: _Plane | None = None
    alpha: float = 1.0


class Behind(NamedTuple):
    """Hypothesis without a body.

    Attributes:
        depth: (H, W) inverse depth, 0 where nothing is.
        picture: (H, W, 3) how it should look.
        cost: (H, W) what that costs.
        total: sum of these.
    """

    depth: _Plane
    picture: _Picture
    cost: _Plane
    total: float

    def halve(self) -> "Behind":
        """Return every other pixel of every other row."""
        depth, cost = (np.ascontiguousarray(plane[::2, ::2]) for plane in (self.depth, self.cost))
        return Behind(depth, np.ascontiguousarray(self.picture[::2, ::2]), cost, self.total)


class Weight(NamedTuple):
    """Weight of a body at a pose.

    Attributes:
        gain: cost of the picture with it, less that without it.
        seen: number of pixels that show it.
        own: what these cost.
    """

    gain: float
    seen: int
    own: float


class _Scratch(NamedTuple):
    """Room for the compiled renderer."""

    depth: _Plane
    texels: NDArray[np.int32]
    faces: NDArray[np.int32]
    columns: _Index
    normals: _Array

    @staticmethod
    def make(shape: tuple[int, int], rectangles: int) -> "_Scratch":
        return _Scratch(
            np.zeros(shape, np.float32),
            np.empty(shape, np.int32),
            np.empty(shape, np.int32),
            np.zeros((2, shape[0]), np.int64),
            np.zeros((rectangles, 3)),
        )


@dataclass(eq=False)
class Composer:
    """Composes hypotheses about frames of a video of a film, and weighs them.

    Args:
        film: the true film, in the colours of the video, and as sharp.
        look: how its bodies look.
        tolerance: how pixels may differ.
    """

    film: TrueFilm
    look: Look
    tolerance: Tolerance
    seen: _Picture = field(init=False)
    _ground: _Picture = field(init=False)
    _drawings: dict[tuple[int, frozenset[int]], tuple[Drawing, _Index]] = field(init=False)

    def __post_init__(self) -> None:
        self._drawings = {}
        background = self.look.background
        self._bright = background.bright.astype(np.float32)
        self._way = (background.dark - background.bright).astype(np.float32)
        length = np.maximum((self._way**2).sum(axis=2), 1.0)
        self._slope = self._way / length[..., None]
        height, width = self.look.size
        self._whole = _Scratch.make((height, width), len(self.look.surfaces.normals))
        self._half = _Scratch.make(((height + 1) // 2, (width + 1) // 2), len(self._whole.normals))
        focal, column, row = self.look.lens.values
        # The middle of the first pixel that is kept is a quarter of a larger one.
        values = np.array([focal, column + 0.5, row + 0.5]) / 2.0
        self._half_lens = Lens(self.look.lens.view, values)

    def show(self, picture: _Picture) -> None:
        """Take the next picture (H, W, 3) that hypotheses are to explain."""
        self.seen = picture
        self._seen_half = np.ascontiguousarray(picture[::2, ::2])
        off = picture - self._bright
        share = np.clip(np.einsum("hwc,hwc->hw", off, self._slope), 0.0, 1.0)
        ground = cv2.add(self._bright, self._way * share[..., None])
        self._ground = np.asarray(np.clip(ground, 0.0, 255.0), np.uint8)
        self._is_ground = cv2.absdiff(self._ground, picture).max(axis=2) < _GROUND

    def find_poses(self, position: int) -> _Array:
        """Return where the film has all bodies (B, 4, 4) at a position."""
        return np.asarray(np.nan_to_num(self.film.find_poses(position)))

    def draw(self, position: int, removed: frozenset[int]) -> tuple[Drawing, _Index]:
        """Draw all bodies of the film at a position but some; also which one a pixel shows."""
        key = position, removed
        if key not in self._drawings:
            if len(self._drawings) >= _KEPT:
                self._drawings.clear()
            present = self.find_present(position)
            bodies = np.array([k for k in present if k not in removed], np.int64)
            drawing = self.look.draw(bodies, self.find_poses(position)[bodies])
            self._drawings[key] = drawing, self.look.label(drawing)
        return self._drawings[key]

    def find_present(self, position: int) -> list[int]:
        """Return the bodies that are drawn and in the film at a position."""
        there = np.isfinite(self.film.find_poses(position)).all(axis=(1, 2))
        return [int(k) for k in np.flatnonzero(there & self.look.drawn)]

    def compose(
        self, position: int, removed: frozenset[int], placed: Sequence[Placed] = ()
    ) -> Behind:
        """Compose the film's picture with some bodies removed, and some put elsewhere."""
        _, labels = self.draw(position, frozenset())
        drawing, _ = self.draw(position, removed)
        picture = self.film.pictures[position].copy()
        unseen = np.zeros(self.look.size, bool)
        spread = np.zeros(self.look.size, np.float32)
        depth = drawing.depth
        if removed:
            hole = cv2.dilate(np.isin(labels, list(removed)).astype(np.uint8), _RIM) > 0
            others = self._ground.copy()
            self.look.light(drawing, others)
            picture[hole] = others[hole]
            spread[hole] = self._find_spread(drawing)[hole]
            unseen |= self._find_unseen(drawing, self.look.texture) & hole
        np.copyto(
            picture, self._ground, where=(self._is_ground & (drawing.depth == 0.0))[..., None]
        )
        for one in placed:
            depth = self._place(one, position, depth, picture, spread, unseen)
        picture[unseen] = self.seen[unseen]
        return self._price(depth, picture, spread, unseen)

    def _price(
        self, depth: _Plane, picture: _Picture, spread: _Plane, unseen: NDArray[np.bool_]
    ) -> Behind:
        cost = np.empty(self.look.size, np.float32)
        total = compare_pixels(self.seen, picture, spread, self.tolerance, cost)
        cost[unseen] = UNSEEN_COST
        return Behind(depth, picture, cost, total + UNSEEN_COST * int(unseen.sum()))

    def _find_spread(self, drawing: Drawing) -> _Plane:
        """Return by how much what is drawn differs from picture to picture (H, W), squared."""
        spread = self.look.spread[np.maximum(drawing.texels, 0)]
        return np.where(drawing.faces >= 0, spread, np.float32(0.0))

    def _find_unseen(self, drawing: Drawing, texture: _Plane) -> NDArray[np.bool_]:
        """Return the pixels (H, W) of which the film never shows what is there."""
        shown = texture[np.maximum(drawing.texels, 0), 0] < 0.0
        return np.asarray(shown & (drawing.faces >= 0))

    def _place(
        self,
        one: Placed,
        position: int,
        depth: _Plane,
        picture: _Picture,
        spread: _Plane,
        unseen: NDArray[np.bool_],
    ) -> _Plane:
        """Put a body into a picture; return the inverse depth with it."""
        drawing = self.look.draw(np.array([one.body]), one.pose[None])
        front = drawing.depth > depth
        upon = picture.copy()
        texture = self.look.texture if one.texture is None else one.texture
        self.look.light(drawing, upon, texture)
        wide = self._find_spread(drawing)
        if self.is_home(position, one):
            self._paint_home(position, drawing, upon)
            wide = wide if one.texture is not None else np.zeros_like(wide)
        if one.alpha < 1.0:
            mixed = cv2.addWeighted(upon, one.alpha, picture, 1.0 - one.alpha, 0.0)
            picture[front] = mixed[front]
            return depth
        picture[front] = upon[front]
        spread[front] = wide[front]
        unseen[front] = self._find_unseen(drawing, texture)[front]
        return np.maximum(depth, drawing.depth)

    def is_home(self, position: int, placed: Placed) -> bool:
        """Whether a body is where the film has it at a position."""
        return bool(np.array_equal(placed.pose, self.find_poses(position)[placed.body]))

    def _paint_home(self, position: int, drawing: Drawing, upon: _Picture) -> None:
        """Change what is lit upon a picture by how the film looks there otherwise than its look."""
        plain = upon.copy()
        self.look.light(drawing, plain)
        at = drawing.faces >= 0
        off = upon[at].astype(np.int16) - plain[at]
        upon[at] = np.clip(self.film.pictures[position][at] + off, 0, 255).astype(np.uint8)

    def weigh(self, behind: Behind, placed: Placed) -> Weight:
        """Weigh a body at a pose against what is behind it, or against half of it."""
        look = self.look
        texture = look.texture if placed.texture is None else placed.texture
        whole = behind.depth.shape == look.size
        lens, scratch = (look.lens, self._whole) if whole else (self._half_lens, self._half)
        gain, seen, own = weigh_body(
            *look.surfaces, np.array([placed.body], np.int64), placed.pose[None], *lens,
            behind.depth, scratch.depth, scratch.texels, scratch.faces, scratch.columns,
            scratch.normals, texture, look.spread, look.shade, placed.alpha,
            self.seen if whole else self._seen_half, behind.picture, behind.cost,
            *self.tolerance,
        )  # fmt: skip
        many = 1 if whole else 4
        return Weight(many * gain, many * seen, many * own)

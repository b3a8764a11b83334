"""Hypotheses about a frame: a picture of the true film, but for some bodies."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from bridge.video.reference.film import BLUR, TrueFilm
from bridge.video.reference.look import Drawing, Lens, Look
from bridge.video.thresholds import LIMITS
from bridge.video.tracking.comparison import WIDE, Tolerance, compare_pixels
from bridge.video.tracking.weighing import weigh_body, weigh_each
from pysim.kernels import kernel

__all__ = ["Behind", "Composer", "Placed", "Weight"]

_Array = NDArray[np.float64]
_Plane = NDArray[np.float32]
_Picture = NDArray[np.uint8]
_Index = NDArray[np.int64]

_RIM = np.ones((5, 5), np.uint8)
"""Around a body the pictures of the film are mixed with it."""
_KEPT = 8
"""Drawings that are kept."""
_KEPT_COMPOSED = 8
"""Hypotheses about the last picture that are kept."""


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
        tolerance: how pixels may differ.
        unseen: number of pixels whose look is not known.
    """

    depth: _Plane
    picture: _Picture
    cost: _Plane
    total: float
    tolerance: Tolerance
    unseen: int

    def halve(self) -> "Behind":
        """Return every other pixel of every other row."""
        depth, cost = (np.ascontiguousarray(plane[::2, ::2]) for plane in (self.depth, self.cost))
        picture = np.ascontiguousarray(self.picture[::2, ::2])
        return self._replace(depth=depth, picture=picture, cost=cost)


class Weight(NamedTuple):
    """Weight of a body at a pose.

    Attributes:
        gain: cost of the picture with it, less that without it.
        seen: number of pixels that show it.
        own: what these cost.
        unseen: number of those whose look is not known.
    """

    gain: float
    seen: int
    own: float
    unseen: int


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
    _composed: dict[tuple[int, frozenset[int], tuple[Placed, ...]], Behind] = field(init=False)

    def __post_init__(self) -> None:
        self._drawings = {}
        self._composed = {}
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
        self._composed.clear()
        self._seen_half = np.ascontiguousarray(picture[::2, ::2])
        self._ground, self._is_ground = self.look.background.shade(picture)

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
        return [int(k) for k in self.look.find_present(self.film.find_poses(position))]

    def compose(
        self, position: int, removed: frozenset[int], placed: Sequence[Placed] = ()
    ) -> Behind:
        """Compose the film's picture with some bodies removed, and some put elsewhere."""
        key = position, removed, tuple(placed)
        if key not in self._composed:
            if len(self._composed) >= _KEPT_COMPOSED:
                self._composed.clear()
            self._composed[key] = self._compose(position, removed, placed)
        return self._composed[key]

    def _compose(self, position: int, removed: frozenset[int], placed: Sequence[Placed]) -> Behind:
        _, labels = self.draw(position, frozenset())
        drawing, shown = self.draw(position, removed)
        picture = self.film.pictures[position].copy()
        unseen = np.zeros(self.look.size, bool)
        doubt = self.film.doubts.get(position)
        spread = np.zeros(self.look.size, np.float32) if doubt is None else doubt.spread.copy()
        depth = drawing.depth
        if removed:
            hole = cv2.dilate(np.isin(labels, list(removed)).astype(np.uint8), _RIM)
            others = self._ground.copy()
            self.look.light(drawing, others)
            cv2.copyTo(others, hole, picture)
            np.copyto(spread, self.look.find_spread(drawing), where=hole > 0)
            unseen |= self.look.find_unseen(drawing) & (hole > 0)
        bare = self._is_ground & (drawing.depth == 0.0)
        cv2.copyTo(self._ground, bare.view(np.uint8), picture)
        for one in placed:
            depth = self._place(one, position, depth, picture, spread, unseen)
        picture[unseen] = self.seen[unseen]
        if doubt is not None:
            _relight(picture, self.seen, depth, LIMITS.least_light)
        elif len(self.look.fixtures):
            bare = np.isin(shown, self.look.fixtures) & (depth == drawing.depth)
            _relight(picture, self.seen, np.where(bare, depth, np.float32(0.0)), LIMITS.least_light)
        # The look of what the film never shows may be otherwise than thought.
        tolerance = self.tolerance if doubt is None else WIDE
        return self._price(depth, picture, spread, unseen, tolerance)

    def _price(
        self,
        depth: _Plane,
        picture: _Picture,
        spread: _Plane,
        unseen: NDArray[np.bool_],
        tolerance: Tolerance,
    ) -> Behind:
        cost = np.empty(self.look.size, np.float32)
        total = compare_pixels(self.seen, picture, spread, tolerance, cost)
        cost[unseen] = LIMITS.unseen_cost
        count = int(unseen.sum())
        return Behind(depth, picture, cost, total + LIMITS.unseen_cost * count, tolerance, count)

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
        wide = self.look.find_spread(drawing)
        if self.is_home(position, one):
            self._paint_home(position, drawing, upon)
            wide = wide if one.texture is not None else np.zeros_like(wide)
            rim = cv2.dilate(front.astype(np.uint8), _RIM)
            mixed = cv2.addWeighted(upon, one.alpha, picture, 1.0 - one.alpha, 0.0)
            cv2.copyTo(mixed, rim, picture)
        else:
            self._mix(picture, upon, front, one.alpha)
        if one.alpha < 1.0:
            return depth
        np.copyto(spread, wide, where=front)
        np.copyto(unseen, self.look.find_unseen(drawing, texture), where=front)
        return np.maximum(depth, drawing.depth)

    def _mix(
        self, picture: _Picture, upon: _Picture, front: NDArray[np.bool_], alpha: float
    ) -> None:
        """Put pixels of a sharp drawing upon a picture, with rims as soft as the film's."""
        if not front.any():
            return
        blur = self._blur
        reach = math.ceil(3.0 * blur)
        left, top, width, height = cv2.boundingRect(front.astype(np.uint8))
        rows = slice(max(0, top - reach), top + height + reach)
        columns = slice(max(0, left - reach), left + width + reach)
        box = rows, columns
        matte = np.where(front[box], np.float32(alpha), np.float32(0.0))[..., None]
        layers = cv2.GaussianBlur(np.concatenate([matte * upon[box], matte], axis=2), (0, 0), blur)
        mixed = layers[..., :3] + (1.0 - layers[..., 3:]) * picture[box]
        picture[box] = np.clip(mixed + 0.5, 0.0, 255.0)

    @property
    def _blur(self) -> float:
        """Deviation in pixels by which the film's pictures were smoothed."""
        return float(np.hypot(BLUR, self.film.blur))

    def is_home(self, position: int, placed: Placed) -> bool:
        """Whether a body is where the film has it at a position."""
        return bool(np.array_equal(placed.pose, self.find_poses(position)[placed.body]))

    def _paint_home(self, position: int, drawing: Drawing, upon: _Picture) -> None:
        """Change the film's picture by how what is lit upon another differs from its look."""
        plain = upon.copy()
        self.look.light(drawing, plain)
        off = cv2.subtract(upon, plain, dtype=cv2.CV_32F)
        if off.any():
            off = cv2.GaussianBlur(off, (0, 0), self._blur)
        upon[:] = np.clip(self.film.pictures[position] + off + 0.5, 0.0, 255.0)

    def weigh(self, behind: Behind, placed: Placed) -> Weight:
        """Weigh a body at a pose against what is behind it, or against half of it."""
        bodies = np.array([placed.body], np.int64)
        return self.weigh_bodies(behind, bodies, placed.pose[None], placed.texture, placed.alpha)

    def weigh_bodies(
        self,
        behind: Behind,
        bodies: _Index,
        poses: _Array,
        texture: _Plane | None = None,
        alpha: float = 1.0,
    ) -> Weight:
        """Weigh bodies (N,) at poses (N, 4, 4) together."""
        arguments = self.list_arguments(behind, bodies, poses, texture, alpha)
        gain, seen, own, unseen = weigh_body(*arguments)
        many = self.count_pixels(behind)
        return Weight(many * gain, many * seen, many * own, many * unseen)

    def weigh_each(
        self, behind: Behind, bodies: _Index, poses: _Array, alpha: float = 1.0
    ) -> _Array:
        """Return (P, 2) the gains of bodies (N,) at each of some poses (P, N, 4, 4).

        Beside each is the number of pixels that show what the film never does.
        """
        gains = np.zeros((len(poses), 2))
        weigh_each(gains, *self.list_arguments(behind, bodies, poses, None, alpha))
        return self.count_pixels(behind) * gains

    def count_pixels(self, behind: Behind) -> int:
        """Return how many pixels each one stands for that is weighed."""
        return 1 if behind.depth.shape == self.look.size else 4

    def list_arguments(
        self, behind: Behind, bodies: _Index, poses: _Array, texture: _Plane | None, alpha: float
    ) -> tuple[Any, ...]:
        """Return the arguments of :func:`~bridge.video.tracking.weighing.weigh_body`."""
        look = self.look
        whole = behind.depth.shape == look.size
        lens, scratch = (look.lens, self._whole) if whole else (self._half_lens, self._half)
        return (
            *look.surfaces, bodies, np.ascontiguousarray(poses), *lens,
            behind.depth, scratch.depth, scratch.texels, scratch.faces, scratch.columns,
            scratch.normals, look.texture if texture is None else texture, look.spread,
            look.shade, alpha, self.seen if whole else self._seen_half, behind.picture,
            behind.cost, *behind.tolerance,
        )  # fmt: skip


@kernel(nogil=True)
def _relight(picture: _Picture, seen: _Picture, depth: _Plane, least: float) -> None:
    """Give bodies in a composed picture (H, W, 3) the light that they have now, within limits.

    It lacks the shadows of other bodies, or has those of the film.

    Args:
        seen: (H, W, 3) the picture of the video.
        depth: (H, W) more than 0 where a body is.
        least: share of the light that they have at least, and of which they have the inverse at
            most.
    """
    for row in range(picture.shape[0]):
        for column in range(picture.shape[1]):
            if depth[row, column] <= 0.0:
                continue
            product, square = 0.0, 0.0
            for c in range(3):
                bright = float(picture[row, column, c])
                product += bright * float(seen[row, column, c])
                square += bright * bright
            share = min(max(product / max(square, 1.0), least), 1.0 / least)
            for c in range(3):
                picture[row, column, c] = int(min(share * picture[row, column, c], 255.0))

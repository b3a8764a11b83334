"""The place in which pieces roam: how far away it is in every pixel, and how it may look there.

How it looks is learned from the whole true film, since pieces hide other parts of it in every
frame, and since lights and signs on it change. A pixel may look in any of the ways in which it did.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from bridge.compare.tracking.colours import Looks, colour_costs
from bridge.compare.turning.board import PaintedFrame, PaintedPieces
from bridge.compare.turning.outlines import Outlines
from bridge.compare.turning.patches import draw_patches, paints_of, patches_of
from pysim.render.palette import PALETTE, parse_color
from pysim.scene import Body

__all__ = ["Plates", "StagedFrame", "StagedPieces", "Terrain"]

_Array = NDArray[np.float64]
_Picture = NDArray[np.float32]
_Plane = NDArray[np.float32]
_Labels = NDArray[np.int16]

_MOST = 4
"""Ways in which a pixel may look."""
_OTHER = 18.0
"""Levels of 255 by which it has to look otherwise for that to be another way."""
_AROUND = np.ones((5, 5), np.uint8)
"""Around pieces what is behind them is not seen well."""
_LINES = 24.0
"""Levels of 255 between neighbours where there is a line or an edge, and codecs blur."""
_SHARE = 0.5
"""Share of what one sees through in what is seen: it covers half of the samples of each pixel."""
_NEXT = np.ones((3, 3), np.uint8)


@dataclass(frozen=True, slots=True, eq=False)
class Terrain:
    """All that never moves.

    Attributes:
        names: of these bodies.
        solid: of those that one does not see through.
        depth: (H, W) inverse depth; 0 where nothing is, or what one sees through.
        tints: (H, W) 4 times which thing one sees through in front of that, and the axis along
            which it looks; -1 for none.
        paints: (n, 3) how these things are painted, in sRGB.
        owners: (H, W) which of the solid ones is seen; -1 for none.
        labels: (H, W) the axis of the world along which it looks; -1 for none.
    """

    names: tuple[str, ...]
    solid: tuple[str, ...]
    depth: _Plane
    tints: _Labels
    paints: NDArray[np.float32]
    owners: _Labels
    labels: _Labels

    @staticmethod
    def of(
        bodies: Sequence[Body],
        lights: Sequence[Body],
        view: _Array,
        lens: _Array,
        size: tuple[int, int],
    ) -> "Terrain":
        """Some bodies where the scene has them.

        Args:
            lights: what may be there at times, and one sees through.
        """
        solid = [body for body in bodies if not body.translucent]
        depth, labels = _drawn(solid, view, lens, size)
        clear = [body for body in (*bodies, *lights) if body.translucent]
        veil, veils = _drawn(clear, view, lens, size)
        owners = np.where(labels >= 0, labels >> 2, -1).astype(np.int16)
        axes = np.where(labels >= 0, labels & 3, -1).astype(np.int16)
        tints = np.where(veil > depth, veils, -1).astype(np.int16)
        paints = np.array([parse_color(body.colour, PALETTE) for body in clear], np.float32)
        names = tuple(body.name for body in bodies), tuple(body.name for body in solid)
        return Terrain(*names, depth, tints, paints.reshape(-1, 3), owners, axes)


def _drawn(
    bodies: Sequence[Body], view: _Array, lens: _Array, size: tuple[int, int]
) -> tuple[_Plane, _Labels]:
    """Inverse depth, and 4 times which body plus the axis (H, W)."""
    depth, labels = np.zeros(size, np.float32), np.full(size, -1, np.int16)
    plain = [replace(body, stickers=()) for body in bodies]
    if plain:
        patches = patches_of(plain, paints_of(plain))
        draw_patches(
            patches.corners,
            patches.normals,
            patches.pieces,
            4 * patches.pieces,
            np.stack([body.pose.transform() for body in plain]),
            np.ones(len(plain), bool),
            view,
            lens,
            depth,
            labels,
        )
    return depth, labels


@dataclass(frozen=True, slots=True, eq=False)
class StagedPieces(PaintedPieces):
    """Pieces in front of and behind what never moves.

    Attributes:
        terrain: what never moves.
    """

    terrain: Terrain

    @staticmethod
    def among(
        bodies: Sequence[Body], terrain: Terrain, view: _Array, lens: _Array
    ) -> "StagedPieces":
        """Some bodies; what sticks on them in their own colour does not tell."""
        size = terrain.depth.shape
        bare = PaintedPieces.of([_bare(body) for body in bodies], view, lens, (size[0], size[1]))
        own = {field.name: getattr(bare, field.name) for field in fields(bare)}
        return StagedPieces(**own, terrain=terrain)

    def draw(self, poses: _Array, which: NDArray[np.bool_]) -> tuple[_Plane, _Labels]:
        """Inverse depth, also of what never moves, and labels (H, W) of some pieces."""
        return self.draw_on(self.terrain.depth.copy(), poses, which)


def _bare(body: Body) -> Body:
    return replace(body, stickers=tuple(s for s in body.stickers if s.colour != body.colour))


class Plates:
    """How what is behind the pieces may look.

    Args:
        size: height and width of pictures.
    """

    def __init__(self, size: tuple[int, int]) -> None:
        self._looks = np.zeros((_MOST, *size, 3), np.float32)
        self._count = np.zeros(size, np.int64)
        self._lines = np.zeros(size, np.bool_)
        self._others: list[tuple[int, tuple[NDArray[np.int64], ...]]] = []

    def learn(self, picture: _Picture, labels: _Labels) -> None:
        """A true frame (H, W, 3), and which piece is seen where in it."""
        bare = cv2.dilate((labels >= 0).astype(np.uint8), _AROUND) == 0
        known = np.zeros_like(bare)
        for k in range(_MOST):
            alike = np.abs(picture - self._looks[k]).max(axis=2) < _OTHER
            known |= alike & (self._count > k)
        rows, columns = np.nonzero(bare & ~known & (self._count < _MOST))
        self._looks[self._count[rows, columns], rows, columns] = picture[rows, columns]
        self._count[rows, columns] += 1

    def learned(self) -> None:
        """No more frames come: what was never seen looks as what is around it."""
        never = (self._count == 0).astype(np.uint8)
        first = np.clip(self._looks[0], 0, 255).astype(np.uint8)
        if never.any():
            filled = cv2.inpaint(first, never, 5, cv2.INPAINT_TELEA)
            self._looks[0][never > 0] = filled[never > 0]
        self._count = np.maximum(self._count, 1)
        grey = self._looks[0].mean(axis=2)
        steps = cv2.dilate(grey, _NEXT) - cv2.erode(grey, _NEXT)
        self._lines = np.asarray(steps > _LINES)
        self._others = [(k, np.nonzero(self._count > k)) for k in range(1, _MOST)]

    @property
    def usual(self) -> _Picture:
        """(H, W, 3) how it looks at first."""
        return np.asarray(self._looks[0])

    def likest(self, picture: _Picture) -> _Picture:
        """(H, W, 3) of the ways in which each pixel may look that which is most like a picture."""
        best, least = self._looks[0].copy(), _apart(picture, self._looks[0])
        for k, there in self._others:
            off = _apart(picture[there], self._looks[k][there])
            nearer = off < least[there]
            chosen = tuple(part[nearer] for part in there)
            best[chosen], least[chosen] = self._looks[k][chosen], off[nearer]
        return np.asarray(best)

    def costs(self, picture: _Picture, usual: _Plane) -> _Plane:
        """(H, W) what a pixel costs if no piece is seen there.

        Args:
            usual: what it costs to look as at first.
        """
        least = usual.copy()
        nobody = np.zeros((0, 3, 3), np.float32), np.zeros(0, np.float32)
        for k, there in self._others:
            looks = Looks(*nobody, self._looks[k][there][None])
            cost = colour_costs(looks, picture[there][None])[1][0]
            least[there] = np.minimum(least[there], cost)
        soft = cv2.erode(least, _NEXT)
        return np.where(self._lines, soft, least).astype(np.float32)


def _apart(one: _Picture, other: _Picture) -> _Plane:
    """How far colours (..., 3) are apart."""
    off = np.abs(one - other)
    return np.asarray(off[..., 0] + off[..., 1] + off[..., 2], np.float32)


class StagedFrame(PaintedFrame):
    """One picture, in which what is behind the pieces may look in several ways.

    Args:
        bright: (3,) how bright sides along each axis are, beside their paint.
    """

    def __init__(
        self,
        board: StagedPieces,
        looks: Looks,
        plates: Plates,
        bright: _Array,
        picture: _Picture,
        shown: NDArray[np.bool_],
    ) -> None:
        super().__init__(board, looks, picture, shown, Outlines.none())
        self.empty = plates.costs(picture, self.empty)
        self.empty[~shown] = 0.0
        self._unmix(board.terrain, looks, bright, picture)

    def _unmix(self, terrain: Terrain, looks: Looks, bright: _Array, picture: _Picture) -> None:
        """Pieces may be behind what one sees through, or in front of it."""
        there = np.nonzero(terrain.tints >= 0)
        if not len(there[0]):
            return
        tints = terrain.tints[there]
        veil = terrain.paints[tints >> 2] * bright[tints & 3][:, None]
        behind = (picture[there] - _SHARE * np.clip(veil, 0.0, 255.0)) / (1.0 - _SHARE)
        row = np.clip(behind, 0.0, 255.0).astype(np.float32)[None]
        alone = Looks(looks.sides, looks.spread * np.float32(1.0 / (1.0 - _SHARE)), row)
        along = colour_costs(alone, row)[0][:, :, 0]
        # What looks along no axis may be as light as any of its sides.
        costs = np.concatenate([along, along.min(axis=1, keepdims=True)], axis=1)
        rows, columns = there
        mixed = np.minimum(self.costs[:, :, rows, columns], costs)
        self.costs[:, :, rows, columns] = mixed

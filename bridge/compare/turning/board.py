"""All painted pieces together in one frame: who is in front of whom, and what that costs."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from bridge.compare.tracking.colours import Looks, colour_costs, learn_looks
from bridge.compare.tracking.search import FEWEST, Found, Sight
from bridge.compare.tracking.zbuffer import GOOD, PieceFaces, Scratch
from bridge.compare.turning.outlines import Outlines, edge_pixels
from bridge.compare.turning.patches import (
    ASKEW,
    Buffers,
    Patches,
    draw_patches,
    paints_of,
    patches_of,
    weigh_patches,
)
from bridge.compare.turning.shades import cost_under, shaded_costs, toned
from pysim.render.palette import PALETTE, parse_color
from pysim.scene import Body

__all__ = ["GroupSight", "PaintedFrame", "PaintedLooks", "PaintedPieces", "PatchFits"]

_Array = NDArray[np.float64]
_Labels = NDArray[np.int16]
_Plane = NDArray[np.float32]
_Flags = NDArray[np.bool_]

_BAD = 0.75
"""A pixel that costs more than this is not what it is taken for."""
_SHARE = 0.25
"""Share of its largest side that has to be seen of a piece before it is said to look wrong."""
_SHADOW = 0.7
"""Brightness of what turns away from the light or is in a shadow, beside what is known of it."""
_RIM = np.ones((5, 5), np.uint8)
_UNEVEN = 26.0
"""Deviation of colours at least: what is as narrow as a sticker is blurred by codecs, and what is
under stickers is darker at their rims."""


@dataclass(frozen=True, slots=True, eq=False)
class PaintedPieces:
    """The pieces, and how they are seen.

    Attributes:
        patches: of all pieces.
        codes: (n,) labels of patches, without their axes.
        paints: (C, 3) sRGB of all colours that there are.
        under: which of them are under stickers.
        middles: (P, 3) middles of their blocks, in body coordinates.
        areas: (P,) of the largest sides of these blocks, in faces of a cell.
        view, lens: of the camera, as :class:`~bridge.compare.tracking.search.Sight` has them.
        size: height and width in pixels.
        buffers, scratch: empty buffers.
    """

    patches: Patches
    codes: NDArray[np.int64]
    paints: NDArray[np.float32]
    under: NDArray[np.int64]
    middles: _Array
    areas: _Array
    view: _Array
    lens: _Array
    size: tuple[int, int]
    buffers: Buffers
    scratch: Scratch

    @staticmethod
    def of(
        bodies: Sequence[Body], view: _Array, lens: _Array, size: tuple[int, int]
    ) -> "PaintedPieces":
        """Some bodies, painted as the scene says."""
        names = paints_of(bodies)
        patches = patches_of(bodies, names)
        blocks = [body.shape.bounds for body in bodies]
        return PaintedPieces(
            patches,
            4 * (patches.pieces * len(names) + patches.paints),
            np.array([parse_color(name, PALETTE) for name in names], np.float32),
            np.array(sorted({names.index(body.colour) for body in bodies if body.stickers}), int),
            np.array([np.add(b.low, b.high) / 2.0 for b in blocks]),
            np.array([np.prod(sorted(b.size)[1:]) for b in blocks], np.float64),
            view,
            lens,
            size,
            Buffers.of(*size),
            Scratch.of(*size),
        )

    def draw(self, poses: _Array, which: _Flags) -> tuple[_Plane, _Labels]:
        """Inverse depth and labels (H, W) of some pieces."""
        return self.draw_on(np.zeros(self.size, np.float32), poses, which)

    def draw_on(self, depth: _Plane, poses: _Array, which: _Flags) -> tuple[_Plane, _Labels]:
        """The same where something else, which has no labels, may be in front."""
        labels = np.full(self.size, -1, np.int16)
        draw_patches(
            self.patches.corners,
            self.patches.normals,
            self.patches.pieces,
            self.codes,
            poses,
            which,
            self.view,
            self.lens,
            depth,
            labels,
        )
        return depth, labels

    def by_paint(self, labels: _Labels) -> _Labels:
        """Labels that tell paints and axes, but no pieces."""
        paints = 4 * ((labels >> 2) % len(self.paints)) + (labels & 3)
        return np.where(labels >= 0, paints, -1).astype(np.int16)

    def by_piece(self, labels: _Labels) -> _Labels:
        """Labels that tell pieces and axes, but no paints."""
        pieces = 4 * ((labels >> 2) // len(self.paints)) + (labels & 3)
        return np.where(labels >= 0, pieces, -1).astype(np.int16)

    def pixels_per_unit(self, pose: _Array, piece: int) -> float:
        """How large a unit is where a piece is."""
        middle = pose[:3, :3] @ self.middles[piece] + pose[:3, 3]
        return float(self.lens[0] / max(0.1, self.view[2, :3] @ middle + self.view[2, 3]))

    def faces(self, piece: int) -> PieceFaces:
        """The patches of a piece."""
        mine = self.patches.pieces == piece
        return PieceFaces(self.patches.corners[mine], self.patches.normals[mine])


class PaintedLooks(Looks):
    """What each paint looks like, and the background.

    ``sides`` and ``spread`` are by paint; labels are those of a board.
    """

    @staticmethod
    def learned(
        board: PaintedPieces, picture: NDArray[np.float32], labels: _Labels
    ) -> "PaintedLooks":
        """Learn them from a true frame (H, W, 3).

        Narrow rims around stickers are darker than what stickers stick on, and tell nothing of it.
        """
        flat, count = board.by_paint(labels), len(board.paints)
        low, high = (f(labels.astype(np.float32), _RIM) for f in (cv2.erode, cv2.dilate))
        rims = (low != high) & np.isin(flat >> 2, board.under) & (flat >= 0)
        flat[rims] = 4 * count
        looks = learn_looks(picture, flat, np.vstack([board.paints, board.paints[:1]]))
        spread = np.maximum(looks.spread[:count], np.float32(_UNEVEN))
        return PaintedLooks(looks.sides[:count], spread, looks.background)

    def expected(self, labels: _Labels, wears: NDArray[np.int64]) -> NDArray[np.float32]:
        """The picture (H, W, 3) of some labels."""
        count = len(self.sides)
        paints = 4 * ((labels >> 2) % count) + (labels & 3)
        flat = np.where(labels >= 0, paints, -1).astype(np.int16)
        picture = Looks.expected(self, flat, np.arange(count))
        askew = (labels >= 0) & (labels & 3 == ASKEW)
        picture[askew] = self.sides.mean(axis=1)[(labels[askew] >> 2) % count]
        return picture


@dataclass(frozen=True, slots=True, eq=False)
class PatchFits:
    """How well pieces look like themselves.

    Attributes:
        seen: (P,) pixels of each piece.
        worst: (P,) share of its pixels that look right, of the stickers of one paint on one side
            of a piece that look worst, or of the whole piece; 1 where nothing of it is seen well.
    """

    seen: NDArray[np.int64]
    worst: _Array


@dataclass(frozen=True, slots=True, eq=False)
class PaintedSight(Sight):
    """What one painted piece is weighed against."""

    board: PaintedPieces
    which: _Flags
    poses: _Array
    every: _Plane
    edges: _Plane

    def weigh(self, pose: _Array) -> Found:
        """Put the piece there."""
        self.poses[self.which] = pose
        group = GroupSight(
            self.board, self.which, self.every, self.edges, self.behind, self.cost_behind
        )
        return group.found(self.poses, pose)


@dataclass(frozen=True, slots=True, eq=False)
class GroupSight:
    """What some pieces together are weighed against.

    Attributes:
        board: all pieces.
        which: (P,) these ones.
        costs: (C, 4, H, W) what a pixel costs if a paint is seen there.
        edges: (H, W) what it costs besides if a side ends there.
        behind: (H, W) inverse depth of all others.
        cost_behind: (H, W) what a pixel costs if these are not there.
    """

    board: PaintedPieces
    which: _Flags
    costs: _Plane
    edges: _Plane
    behind: _Plane
    cost_behind: _Plane

    def found(self, poses: _Array, pose: _Array, every: int = 1) -> Found:
        """Put them there; ``pose`` is what is told of it.

        Args:
            every: 1 if all rows are looked at, 2 for every second one, and so on.
        """
        board = self.board
        shown = (*board.patches[:3], board.codes, poses, self.which, board.view, board.lens)
        planes = (self.costs, self.edges, self.behind, self.cost_behind, *board.buffers)
        total, seen, good, covered = weigh_patches(*shown, *planes, every)
        return Found(pose, total, seen, good, covered)


class PaintedFrame:
    """One picture, and what each of its pixels may be.

    Args:
        board: the pieces.
        looks: what paints look like.
        picture: (H, W, 3), as the true camera would have seen it, in the true colours.
        shown: (H, W) which part of that it saw; the rest may look like anything.
        outlines: how dark lines at edges are.
    """

    def __init__(
        self,
        board: PaintedPieces,
        looks: Looks,
        picture: NDArray[np.float32],
        shown: _Flags,
        outlines: Outlines,
    ) -> None:
        self.board, self.shown = board, shown
        self.edges = outlines.costs(picture)
        light, self.empty = colour_costs(looks, picture)
        shadow = replace(looks, sides=looks.sides * np.float32(_SHADOW))
        dark, _ = colour_costs(shadow, picture)
        grey = np.ascontiguousarray(picture.mean(axis=2))
        under = np.isin(np.arange(len(light)), board.under)
        self.costs = shaded_costs(light, dark, grey, looks.sides.mean(axis=2), under)
        self.empty += toned(grey, np.ascontiguousarray(looks.background.mean(axis=2)))
        self._unseen = None if shown.all() else ~shown
        if self._unseen is not None:
            self.costs[..., self._unseen] = 0.0
            self.empty[self._unseen] = 0.0
            self.edges[self._unseen] = 0.0

    def cost_of(self, labels: _Labels) -> _Plane:
        """What each pixel costs under some labels."""
        return cost_under(self.costs, self.empty, labels)

    def total(self, poses: _Array, which: _Flags) -> float:
        """What the whole picture costs."""
        return float(self._with_edges(*self.board.draw(poses, which)).sum())

    def _with_edges(self, depth: _Plane, labels: _Labels) -> _Plane:
        """What each pixel costs if sides end where they are said to end."""
        ends = edge_pixels(depth, labels, len(self.board.paints))
        return self.cost_of(labels) + np.where(ends, self.edges, np.float32(0.0))

    def group(self, pieces: _Flags, poses: _Array, there: _Flags) -> GroupSight:
        """What some pieces are weighed against, all others where they are."""
        behind, labels = self.board.draw(poses, there & ~pieces)
        cost = self._with_edges(behind, labels)
        if self._unseen is not None:
            behind[self._unseen] = np.inf
        return GroupSight(self.board, pieces, self.costs, self.edges, behind, cost)

    def sight(self, piece: int, poses: _Array, there: _Flags) -> PaintedSight:
        """What one piece is weighed against, all others where they are."""
        which = np.arange(len(poses)) == piece
        group = self.group(which, poses, there)
        return PaintedSight(
            self.board.faces(piece),
            self.board.middles[piece],
            self.board.view,
            self.board.lens,
            self.costs[0],
            group.behind,
            group.cost_behind,
            self.board.scratch,
            self.board,
            which,
            poses.copy(),
            self.costs,
            self.edges,
        )

    def fits(self, labels: _Labels, cost: _Plane, poses: _Array) -> PatchFits:
        """How well pieces look like themselves; lines between cells and rims are no misfit.

        What is under stickers may be in deep shadow where little of a piece is seen.
        """
        soft = cv2.erode(cost, np.ones((3, 3), np.uint8)) < GOOD
        board, paints, count = self.board, len(self.board.paints), len(poses)
        size = 4 * paints * count
        where = np.where(labels >= 0, labels, size).ravel()
        seen = np.bincount(where, minlength=size + 1)[:-1].reshape(count, paints, 4)
        good = np.bincount(where, soft.ravel(), minlength=size + 1)[:-1].reshape(count, paints, 4)
        told = seen >= FEWEST
        told[:, board.under] = False
        worst = np.where(told, good / np.maximum(seen, 1), 1.0).min(axis=(1, 2))
        pixels = seen.sum(axis=(1, 2))
        whole = good.sum(axis=(1, 2)) / np.maximum(pixels, 1)
        density = np.array([board.pixels_per_unit(poses[p], p) for p in range(count)])
        least = np.maximum(FEWEST, _SHARE * board.areas * density**2)
        return PatchFits(pixels, np.where(pixels >= least, np.minimum(worst, whole), worst))

    def unexplained(self, labels: _Labels, cost: _Plane) -> NDArray[np.uint8]:
        """(H, W) where it looks like a paint, and not at all like what is said to be there."""
        like = self.costs.min(axis=(0, 1))
        there = ((like < GOOD) & (cost > _BAD)).astype(np.uint8)
        opened = cv2.morphologyEx(there, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
        return np.asarray(opened, np.uint8)

    def changed_background(self, labels: _Labels, cost: _Plane) -> float:
        """Share of the background, away from pieces, that looks like nothing known."""
        near = cv2.dilate((labels >= 0).astype(np.uint8), np.ones((9, 9), np.uint8))
        far = near == 0
        odd = far & (cost > _BAD) & (self.costs.min(axis=(0, 1)) > GOOD)
        return float(odd.sum() / max(1, far.sum()))

"""All pieces together in one frame: who is in front of whom, and what that costs."""

from dataclasses import dataclass
from typing import cast

import cv2
import numpy as np
from numba import njit
from numpy.typing import NDArray

from bridge.compare.tracking.colours import Looks, colour_costs, pixel_costs
from bridge.compare.tracking.search import Sight
from bridge.compare.tracking.zbuffer import GOOD, PieceFaces, Scratch, draw_piece

__all__ = ["TrackedPieces", "WeighedFrame", "components"]

_Array = NDArray[np.float64]
_Labels = NDArray[np.int16]
_Plane = NDArray[np.float32]

_BAD = 0.75
"""A pixel that costs more than this is not what it is taken for."""


@dataclass(frozen=True, slots=True, eq=False)
class TrackedPieces:
    """The pieces, and how they are seen.

    Attributes:
        faces: of each piece; other ones where one has come apart.
        middles: (P, 3) middles of their blocks, in body coordinates.
        view, lens: of the camera, as :class:`~bridge.compare.tracking.search.Sight` has them.
        size: height and width in pixels.
        scratch: empty buffers.
    """

    faces: list[PieceFaces]
    middles: _Array
    view: _Array
    lens: _Array
    size: tuple[int, int]
    scratch: Scratch

    def draw(self, poses: _Array, which: NDArray[np.bool_]) -> tuple[_Plane, _Labels]:
        """Inverse depth and labels (H, W) of some pieces."""
        depth = np.zeros(self.size, np.float32)
        labels = np.full(self.size, -1, np.int16)
        for piece in np.flatnonzero(which).tolist():
            self.draw_on(depth, labels, piece, poses[piece])
        return depth, labels

    def draw_on(self, depth: _Plane, labels: _Labels, piece: int, pose: _Array) -> None:
        """Draw one more piece."""
        faces = self.faces[piece]
        draw_piece(
            faces.corners, faces.normals, pose, self.view, self.lens, 4 * piece, depth, labels
        )

    def pixels_per_unit(self, pose: _Array, piece: int) -> float:
        """How large a unit is where a piece is."""
        middle = pose[:3, :3] @ self.middles[piece] + pose[:3, 3]
        return float(self.lens[0] / max(0.1, self.view[2, :3] @ middle + self.view[2, 3]))


class WeighedFrame:
    """One picture, and what each of its pixels may be.

    Args:
        board: the pieces.
        looks: what they look like.
        picture: (H, W, 3), as the true camera would have seen it, in the true colours.
        shown: (H, W) which part of that it saw; the rest may look like anything.
        wears: (P,) whose colours each piece has; its own, unless something is wrong.
    """

    def __init__(
        self,
        board: TrackedPieces,
        looks: Looks,
        picture: NDArray[np.float32],
        shown: NDArray[np.bool_],
        wears: NDArray[np.int64],
    ) -> None:
        self.board, self.wears = board, wears
        self.costs, self.empty = colour_costs(looks, picture)
        self._unseen = None if shown.all() else ~shown
        if self._unseen is not None:
            self.costs[..., self._unseen] = 0.0
            self.empty[self._unseen] = 0.0

    def cost_of(self, labels: _Labels) -> _Plane:
        """What each pixel costs under some labels."""
        return pixel_costs(self.costs, self.empty, labels, self.wears)

    def sight(self, piece: int, poses: _Array, which: NDArray[np.bool_]) -> Sight:
        """What a piece is weighed against, all others where they are."""
        others = which.copy()
        others[piece] = False
        behind, labels = self.board.draw(poses, others)
        if self._unseen is not None:
            behind[self._unseen] = np.inf
        return Sight(
            self.board.faces[piece],
            self.board.middles[piece],
            self.board.view,
            self.board.lens,
            self.costs[self.wears[piece]],
            behind,
            self.cost_of(labels),
            self.board.scratch,
        )

    def total(self, poses: _Array, which: NDArray[np.bool_]) -> float:
        """What the whole picture costs."""
        return float(self.cost_of(self.board.draw(poses, which)[1]).sum())

    def unexplained(self, piece: int, labels: _Labels, cost: _Plane) -> NDArray[np.uint8]:
        """Where it looks as a piece did at first, and not at all like what is said to be there."""
        like = self.costs[piece].min(axis=0)
        mine = ((labels >= 0) & (labels >> 2 == piece)).astype(np.uint8)
        near = cv2.dilate(mine, np.ones((5, 5), np.uint8))
        there = (like < GOOD / 2.0) & (cost > _BAD) & (near == 0)
        opened = cv2.morphologyEx(there.astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
        # Lines between cells are part of it.
        closed = cv2.morphologyEx(opened, cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
        return cast("NDArray[np.uint8]", np.where(near == 0, closed, 0).astype(np.uint8))

    def fits(self, labels: _Labels, cost: _Plane) -> _Array:
        """(P,) share of the pixels of each piece that look like it, or are next to one that do.

        Lines between cells are no misfit.
        """
        soft = cv2.erode(cost, np.ones((3, 3), np.uint8)) < GOOD
        seen, good = _counts(labels, soft, len(self.costs))
        shares: _Array = good / np.maximum(seen, 1)
        return shares

    def changed_background(self, labels: _Labels, cost: _Plane) -> float:
        """Share of the background, away from pieces, that looks like nothing known."""
        near = cv2.dilate((labels >= 0).astype(np.uint8), np.ones((9, 9), np.uint8))
        far = near == 0
        odd = far & (cost > _BAD) & (self.costs.min(axis=(0, 1)) > GOOD)
        return float(odd.sum() / max(1, far.sum()))


@njit(cache=True)
def _counts(
    labels: _Labels, soft: NDArray[np.bool_], pieces: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """(pieces,) how many pixels each piece has, and how many of them are marked."""
    seen, good = np.zeros(pieces, np.int64), np.zeros(pieces, np.int64)
    for row in range(labels.shape[0]):
        for column in range(labels.shape[1]):
            label = labels[row, column]
            if label >= 0:
                seen[label >> 2] += 1
                good[label >> 2] += soft[row, column]
    return seen, good


def components(mask: NDArray[np.uint8], least: float) -> list[tuple[float, _Array]]:
    """Area and middle (column, row) of each connected part that is large enough, largest first."""
    if cv2.countNonZero(mask) < least:
        return []
    count, _, stats, middles = cv2.connectedComponentsWithStats(mask, connectivity=8)
    parts = [
        (float(stats[i, cv2.CC_STAT_AREA]), middles[i] + 0.5)
        for i in range(1, count)
        if stats[i, cv2.CC_STAT_AREA] >= least
    ]
    return sorted(parts, key=lambda part: -part[0])

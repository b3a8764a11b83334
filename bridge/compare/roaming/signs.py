"""Signs on what never moves: which of them are to be seen, and whether they have changed."""

from collections.abc import Mapping
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from bridge.compare.roaming.surroundings import StagedPieces
from pysim.geometry import Cell, Direction
from pysim.render.palette import PALETTE, parse_color
from pysim.scene import Scene

__all__ = ["SignChange", "SignReader", "changes_between"]

_Array = NDArray[np.float64]
_Picture = NDArray[np.float32]

_HALF = 0.33
"""Half of the width of the part of a sign that is looked at."""
_FEWEST = 8
"""Pixels of it that tell."""
_SAME = 0.6
"""Units by which a sign may be nearer or farther than what is seen."""
_SURE = 0.6
"""By how many times it has to be more like one colour than the other."""


@dataclass(frozen=True, slots=True)
class SignChange:
    """The side of a cell that looks otherwise after an action.

    Attributes:
        cell, side: where.
        before, after: colours by name.
    """

    cell: Cell
    side: Direction
    before: str
    after: str


_Signs = Mapping[tuple[Cell, Direction], str]


def _signs_of(scene: Scene, names: tuple[str, ...]) -> _Signs:
    """The colours that stick on some bodies that are at home."""
    return {
        (one.cell, one.side): str(one.colour)
        for body in scene.bodies
        if body.name in names
        for one in body.stickers
    }


def changes_between(scene: Scene, after: Scene, names: tuple[str, ...]) -> tuple[SignChange, ...]:
    """How signs on some bodies change."""
    here, there = _signs_of(scene, names), _signs_of(after, names)
    paints = {c: str(b.colour) for b in scene.bodies if b.name in names for c in b.shape.cells}
    found = []
    for at in sorted({*here.items()} ^ {*there.items()}, key=repr):
        (cell, side), plain = at[0], paints.get(at[0][0], "")
        change = SignChange(cell, side, here.get(at[0], plain), there.get(at[0], plain))
        if change not in found:
            found.append(change)
    return tuple(found)


class SignReader:
    """Looks at signs in pictures.

    Args:
        board: pieces, and what never moves.
        bright: (3,) how bright sides along each axis are, beside their paint.
    """

    def __init__(self, board: StagedPieces, bright: _Array) -> None:
        self._board, self._bright = board, bright
        self._seen: dict[tuple[Cell, Direction], tuple[NDArray[np.int64], ...]] = {}

    def speaks_for(
        self, change: SignChange, picture: _Picture, pieces: NDArray[np.bool_]
    ) -> bool | None:
        """Whether a side looks as it does after a change; None if it is not seen well.

        Args:
            picture: (H, W, 3) in true colours.
            pieces: (H, W) where pieces are, or near.
        """
        at = change.cell, change.side
        if at not in self._seen:
            self._seen[at] = np.nonzero(_seen(change, self._board))
        rows, columns = self._seen[at]
        pixels = picture[rows, columns][~pieces[rows, columns]]
        if len(pixels) < _FEWEST:
            return None
        colour = np.median(pixels, axis=0)
        before, after = (
            float(np.abs(colour - self._paint(name, change.side)).sum())
            for name in (change.before, change.after)
        )
        if after < _SURE * before:
            return True
        return False if before < _SURE * after else None

    def _paint(self, name: str, side: Direction) -> _Array:
        paint = np.array(parse_color(name, PALETTE)) * self._bright[side.axis.number]
        return np.asarray(np.clip(paint, 0.0, 255.0))


def _seen(change: SignChange, board: StagedPieces) -> NDArray[np.bool_]:
    """(H, W) where the middle of a side is seen."""
    mask = np.zeros(board.size, np.uint8)
    corners = _corners(change)
    seen = corners @ board.view[:3, :3].T + board.view[:3, 3]
    middle = seen.mean(axis=0)
    normal = board.view[:3, :3] @ np.array(change.side.vector, np.float64)
    if middle[2] < 0.1 or normal @ middle >= 0.0:
        return mask > 0
    flat = board.lens[0] * seen[:, :2] / seen[:, 2:] + board.lens[1:] - 0.5
    cv2.fillConvexPoly(mask, np.round(flat).astype(np.int32), 1)
    terrain = board.terrain
    away = 1.0 / np.maximum(terrain.depth, 1e-6)
    there = (np.abs(away - middle[2]) < _SAME) & (terrain.tints < 0)
    return np.asarray((mask > 0) & there)


def _corners(change: SignChange) -> _Array:
    """(4, 3) in the world."""
    normal = np.array(change.side.vector, np.float64)
    number = change.side.axis.number
    u, v = np.eye(3)[[(number + 1) % 3, (number + 2) % 3]]
    middle = np.array(change.cell) + normal / 2.0
    signs = ((-1, -1), (1, -1), (1, 1), (-1, 1))
    return np.array([middle + _HALF * (a * u + b * v) for a, b in signs])

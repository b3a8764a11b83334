"""What looks like stickers and belongs to no piece: more of one than there is."""

import cv2
import numpy as np
from numpy.typing import NDArray

from bridge.compare.tracking.zbuffer import GOOD
from bridge.compare.turning.board import PaintedFrame

__all__ = ["spare_faces"]

_Array = NDArray[np.float64]

_NEAR = np.ones((7, 7), np.uint8)
"""Around pieces nothing is told: who has gone a little is no more than before."""
_BETWEEN = np.ones((5, 5), np.uint8)
"""As wide as what is between the stickers of a piece."""
_LEAST = 0.5
"""Faces of a cell that tell whose a spare part is."""


def spare_faces(
    frame: PaintedFrame, labels: NDArray[np.int16], cost: NDArray[np.float32], poses: _Array
) -> _Array:
    """(P,) area that looks like stickers of a piece where there is none, in faces of a cell."""
    board, found = frame.board, np.zeros(len(poses))
    density = np.median([board.pixels_per_unit(pose, p) for p, pose in enumerate(poses)])
    away = cv2.dilate((labels >= 0).astype(np.uint8), _NEAR) == 0
    stuck = np.array([c for c in range(len(board.paints)) if c not in board.under])
    like = frame.costs[stuck].min(axis=1)
    spare = frame.unexplained(labels, cost) & away & (like.min(axis=0) < GOOD)
    if not spare.any():
        return found
    parts, names = cv2.connectedComponents(cv2.morphologyEx(spare, cv2.MORPH_CLOSE, _BETWEEN))
    paints = np.where(spare > 0, stuck[like.argmin(axis=0)], -1)
    for part in range(1, parts):
        mask = names == part
        faces = float(mask.sum()) / (0.7 * float(density) ** 2)
        if faces >= _LEAST:
            shares = np.bincount(paints[mask & (paints >= 0)], minlength=len(board.paints))
            found[_likeliest(frame, shares / shares.sum(), mask, poses)] += faces
    return found


def _likeliest(frame: PaintedFrame, shares: _Array, mask: NDArray[np.bool_], poses: _Array) -> int:
    """The piece with most of some colours; of several the nearest."""
    board = frame.board
    has = np.zeros((len(poses), len(shares)))
    has[board.patches.pieces, board.patches.paints] = 1.0
    there = (poses[:, :3, :3] @ board.middles[:, :, None])[:, :, 0] + poses[:, :3, 3]
    seen = there @ board.view[:3, :3].T + board.view[:3, 3]
    at = board.lens[0] * seen[:, :2] / seen[:, 2:] + board.lens[1:]
    rows, columns = np.nonzero(mask)
    off = np.hypot(at[:, 0] - columns.mean(), at[:, 1] - rows.mean())
    return int((has @ shares - 0.05 * off / off.max()).argmax())

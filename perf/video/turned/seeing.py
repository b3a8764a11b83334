"""Count pixels of a false frame that differ from the true one: the rest nobody can see."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from bridge.compare.turning.board import PaintedPieces
from bridge.video.reference.bundle import Bundle
from perf.video.turned.cases import TurnedKind
from perf.video.turned.forging import FalseFilm
from pysim.scene import Body

__all__ = ["differing_pixels"]

_LIGHT = np.array([0.8, 0.9, 1.0, 0.9], np.float32)
"""How bright what looks along each axis, and along none, may be."""
_OTHER = 40.0
"""Levels by which a pixel looks otherwise."""
_GROUND = np.array([225.0, 225.0, 220.0], np.float32)
_DENSITY = 12.0
"""Pixels to a unit at which pictures are looked at, of small pieces."""


def differing_pixels(
    bundle: Bundle, bodies: Mapping[str, Body], false: FalseFilm, frame: int
) -> int:
    """Return the pixels that differ, at 12 pixels to a unit or fewer, as pictures are looked at.

    Of two pieces that change places both have to be seen: it is those where fewer differ.
    """
    names = list(bundle.names)
    true_bodies = [bodies[name] for name in names]
    shown = [false.looks.get(name, bodies[name]) for name in names]
    truth = bundle.poses[min(frame, len(bundle.poses) - 1)]
    poses = false.poses[frame]
    if false.label.first_frame > frame:
        return 0
    if false.extra is not None:
        shown, poses = [*shown, false.extra[0]], np.concatenate([poses, false.extra[1][None]])
    if false.label.kind is TurnedKind.ILLEGAL:
        truth = bundle.poses[false.label.first_frame - 1]
    one, pieces = _drawn(bundle, true_bodies, truth)
    other, _ = _drawn(bundle, shown, poses)
    differ = np.abs(one - other).max(axis=2) > _OTHER
    if false.label.kind is TurnedKind.SWAP:
        both = [names.index(name) for name in false.label.pieces]
        return min(int((differ & (pieces == piece)).sum()) for piece in both)
    return int(differ.sum())


def _drawn(
    bundle: Bundle, bodies: Sequence[Body], poses: NDArray[np.float64]
) -> tuple[NDArray[np.float32], NDArray[np.int16]]:
    """Return the picture (H, W, 3), and which body is seen where (H, W), -1 for none."""
    camera = bundle.camera
    scale = min(1.0, _DENSITY / bundle.manifest.pixels_per_unit)
    size = round(camera.height * scale), round(camera.width * scale)
    inside = camera.intrinsics * scale
    lens = np.array([inside[0, 0], inside[0, 2], inside[1, 2]])
    board = PaintedPieces.of(bodies, np.ascontiguousarray(camera.extrinsics), lens, size)
    there: NDArray[np.bool_] = np.asarray(np.isfinite(poses).all(axis=(1, 2)))
    _, labels = board.draw(np.ascontiguousarray(np.nan_to_num(poses)), there)
    picture = np.tile(_GROUND, (*size, 1))
    seen = labels >= 0
    paints = board.paints[(labels[seen] >> 2) % len(board.paints)]
    picture[seen] = paints * _LIGHT[labels[seen] & 3][:, None]
    return picture, np.where(seen, (labels >> 2) // len(board.paints), -1).astype(np.int16)

"""Stickers put on a picture that was drawn without them, for renderers that know none."""

import numpy as np
from numpy.typing import NDArray

from pysim.geometry import Cell, Direction
from pysim.render.camera import Camera
from pysim.render.glyphs import choose_ink, find_ink
from pysim.render.inputs import DrawList
from pysim.render.mesh import Model, Patch

__all__ = ["paint_stickers"]

_FLAT, _ROUND = 0.27, 0.15
"""A sticker is a square with round corners: from its middle to where an edge begins to be round,
and the radius there. As the OpenGL renderer has it."""

_OFF = 0.02
"""How far off its plane, in units, a point of a face may seem to be."""

Points = NDArray[np.float64]


def paint_stickers(
    rgb: NDArray[np.uint8],
    ids: NDArray[np.uint16],
    depth: NDArray[np.float32],
    camera: Camera,
    job: DrawList,
) -> None:
    """Paint the bodies that bear stickers; of them a picture (H, W) shows only how bright they are.

    Where on its body each pixel lies is worked out from its depth. ``rgb`` is changed.
    """
    for number, model in enumerate(job.models, start=1):
        seen = ids == number
        if not model.stickers or not seen.any():
            continue
        points = _points(camera, depth, seen)
        local = np.linalg.solve(
            job.transforms[number - 1], np.column_stack([points, np.ones(len(points))]).T
        ).T[:, :3]
        rgb[seen] = np.rint(rgb[seen] / 255.0 * _paints(local, model, job.colours[number - 1]))


def _points(camera: Camera, depth: NDArray[np.float32], seen: NDArray[np.bool_]) -> Points:
    """World points (n, 3) of some pixels of a picture."""
    rows, columns = np.nonzero(seen)
    x = 2.0 * (columns + 0.5) / depth.shape[1] - 1.0
    y = 1.0 - 2.0 * (rows + 0.5) / depth.shape[0]
    weights = np.column_stack([np.ones(len(x)), x, y])
    starts, ways = (weights @ part for part in camera.compute_rays())
    points: Points = starts + ways * depth[seen][:, None]
    return points


def _paints(local: Points, model: Model, colour: NDArray[np.uint8]) -> NDArray[np.float64]:
    """Return the paint (n, 3), sRGB, at points of a body."""
    paints = np.tile(colour.astype(np.float64), (len(local), 1))
    for patch in model.stickers:
        covered = _covered(local, patch.cell, patch.side)
        paints[covered] = patch.paint
        if patch.glyph:
            u, v = _across(local, patch)
            paints[covered & find_ink(patch.glyph, patch.lie, u, v)] = choose_ink(patch.paint)
    return paints


def _across(local: Points, patch: Patch) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the positions of a body's points along the axes u and v of a face, from its middle."""
    away, axis = local - np.array(patch.cell), patch.side.axis.number
    return away[:, (axis + 1) % 3], away[:, (axis + 2) % 3]


def _covered(local: Points, cell: Cell, side: Direction) -> NDArray[np.bool_]:
    """Return the points of a body that lie under a sticker."""
    away = local - np.array(cell)
    across = np.delete(away, side.axis.number, axis=1)
    corner = np.abs(across) - _FLAT
    outside = np.linalg.norm(np.maximum(corner, 0.0), axis=1) + np.minimum(corner.max(axis=1), 0.0)
    off = np.abs(away[:, side.axis.number] * side.sign - 0.5)
    covered: NDArray[np.bool_] = (outside <= _ROUND) & (off < _OFF)
    return covered

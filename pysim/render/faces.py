"""Faces of all bodies of a scene: those that other bodies cover, and flat ones in one piece."""

from functools import lru_cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from pysim.render.mesh import Model, build_quads

__all__ = ["CORNER", "Faces", "build_corners", "find_covered", "list_faces", "merge_faces"]

FACE = np.dtype(
    [
        ("body", "<i8"),
        ("side", "<i8"),
        ("level", "<i8"),
        ("u", "<i8"),
        ("v", "<i8"),
        ("width", "<i8"),
        ("height", "<i8"),
        ("normal", "u1"),
        ("edges", "u1"),
        ("glyph", "u1"),
        ("openness", "u1"),
        ("paint", "u1", 4),
    ]
)
"""A flat rectangle of a body's surface, in body coordinates.

- body: its number; side: index in the order of ``Direction``.
- level: twice the coordinate of its plane; u, v: its first cell, along the axes of ``VERTEX``.
- width, height: cells along u and v.
- normal, edges, openness, paint: as ``VERTEX`` has them; glyph: the upper bits of its corner.
"""

CORNER = np.dtype(
    [
        ("position", "<f4", 3),
        ("normal", "u1"),
        ("edges", "u1"),
        ("corner", "u1"),
        ("openness", "u1"),
        ("paint", "u1", 4),
        ("extent", "u1", 2),
        ("body", "<u2"),
    ]
)
"""One corner of a rectangle, 24 bytes: as ``VERTEX``, with the rectangle's cells and its body."""

Faces = NDArray[np.void]
"""An array of ``FACE``."""

_LONGEST = 255
"""Most cells of a rectangle along u or v."""

_CORNERS = np.array([(0, 0), (1, 0), (1, 1), (0, 1)])
_WINDING = np.array([[0, 1, 2, 3], [0, 3, 2, 1]])
"""Order of the corners of faces that look along an axis and against it."""


@lru_cache(maxsize=256)
def list_faces(models: tuple[Model, ...]) -> Faces:
    """Return the visible cell faces of bodies, in their order; read-only."""
    quads = [build_quads(model) for model in models]
    counts = [len(own) for own in quads]
    faces = np.zeros(sum(counts), dtype=FACE)
    if len(faces):
        corners = np.concatenate(quads)
        first = corners[:, 0]
        middle = np.rint(2.0 * corners["position"].astype(np.float64).mean(axis=1)).astype(np.int64)
        faces["body"] = np.repeat(np.arange(len(models)), counts)
        faces["side"] = side = first["normal"] & 7
        rows = np.arange(len(faces))
        faces["level"] = middle[rows, side // 2]
        faces["u"] = middle[rows, (side // 2 + 1) % 3] // 2
        faces["v"] = middle[rows, (side // 2 + 2) % 3] // 2
        faces["glyph"] = first["corner"] >> 2
        for name in ("normal", "edges", "openness", "paint"):
            faces[name] = first[name]
    faces["width"] = faces["height"] = 1
    faces.flags.writeable = False
    return faces


def find_covered(
    faces: Faces, transforms: NDArray[np.float64], solid: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """Return for S arrangements of N bodies which cell faces lie against another body's (S, F).

    Args:
        faces: of cells, as :func:`list_faces` has them.
        transforms: (S, N, 4, 4) from body to world. Bodies off the lattice cover nothing.
        solid: (N,) bodies that can't be seen through.
    """
    count = len(transforms)
    covered = np.zeros((count, len(faces)), dtype=bool)
    whole = np.rint(transforms)
    fixed = (np.abs(transforms - whole).max(axis=(2, 3)) < 1e-6) & solid
    if not len(faces) or np.abs(whole).max() > 1 << 16 or np.abs(faces["level"]).max() > 1 << 16:
        return covered
    keys = _locate_faces(faces, whole, fixed).ravel()
    order = np.argsort(keys)
    pairs = np.flatnonzero(keys[order[1:]] == keys[order[:-1]] ^ 1)
    covered.reshape(-1)[order[np.concatenate([pairs, pairs + 1])]] = True
    return covered


def _locate_faces(
    faces: Faces, whole: NDArray[np.float64], fixed: NDArray[np.bool_]
) -> NDArray[np.int64]:
    """Return a number (S, F) for the place of each face: odd against an axis, even along it."""
    middles = _middles(faces)
    signs = 1.0 - 2.0 * (faces["side"] % 2)
    places = np.empty((len(whole), len(faces), 3))
    along = np.empty((len(whole), len(faces)))
    starts = np.searchsorted(faces["body"], np.arange(whole.shape[1] + 1))
    for body, (start, end) in enumerate(pairwise(starts.tolist())):
        turn, shift = whole[:, body, :3, :3], whole[:, body, None, :3, 3]
        places[:, start:end] = middles[start:end] @ turn.transpose(0, 2, 1) + 2.0 * shift
        axes = faces["side"][start:end] // 2
        along[:, start:end] = turn.sum(axis=1)[:, axes] * signs[start:end]
    low = places.min(axis=(0, 1))
    span = (places.max(axis=(0, 1)) - low + 1.0).astype(np.int64)
    x, y, z = np.moveaxis((places - low).astype(np.int64), -1, 0)
    scene = np.arange(len(whole))[:, None]
    keys = (((scene * span[0] + x) * span[1] + y) * span[2] + z) * 2 + (along < 0.0)
    alone = -4 * np.arange(1, keys.size + 1).reshape(keys.shape)  # No number but one is near it.
    return np.where(fixed[:, faces["body"]], keys, alone)


def _middles(faces: Faces) -> NDArray[np.float64]:
    """Return twice the middles (F, 3) of cell faces."""
    axis, rows = faces["side"] // 2, np.arange(len(faces))
    middles = np.empty((len(faces), 3))
    middles[rows, axis] = faces["level"]
    middles[rows, (axis + 1) % 3] = 2 * faces["u"]
    middles[rows, (axis + 2) % 3] = 2 * faces["v"]
    return middles


def merge_faces(faces: Faces) -> Faces:
    """Return rectangles that look like some cell faces together, in the order of their bodies.

    Faces with a sticker, or in whose corners there is less light, stay alone.
    """
    rows = _join(faces, "u", "v", "width", "height", (0, 1))
    return _join(rows, "v", "u", "height", "width", (2, 3))


def _join(
    faces: Faces, along: str, across: str, length: str, other: str, bits: tuple[int, int]
) -> Faces:
    """Join faces that follow each other along an axis.

    Args:
        along, across, length, other: names of fields.
        bits: of ``edges``, at the low and the high end of that axis.
    """
    if len(faces) < 2:
        return faces
    names = (other, across, "level", "side", "body")
    faces = faces[np.lexsort([faces[name] for name in (along, *names)])]
    low, high = (faces["edges"] >> bit & 1 for bit in bits)
    sides = faces["edges"] & (0b1111 ^ (1 << bits[0] | 1 << bits[1]))
    free = (faces["openness"] == 255) & (faces["paint"][:, 3] == 0)
    joined = free[1:] & free[:-1] & (low[1:] == 0) & (high[:-1] == 0) & (sides[1:] == sides[:-1])
    joined &= faces[along][1:] == faces[along][:-1] + faces[length][:-1]
    for name in names:
        joined &= faces[name][1:] == faces[name][:-1]
    starts = np.flatnonzero(np.concatenate([[True], ~joined]))
    ends = np.append(starts[1:], len(faces)) - 1
    merged = faces[starts]
    merged[length] = faces[along][ends] + faces[length][ends] - merged[along]
    merged["edges"] = sides[starts] | low[starts] << bits[0] | high[ends] << bits[1]
    return faces if (merged[length] > _LONGEST).any() else merged


def build_corners(faces: Faces, bodies: int) -> NDArray[np.void]:
    """Return the corners (F, 4) of ``CORNER``, counter-clockwise seen from outside.

    Args:
        bodies: in an arrangement; numbers of bodies beyond are those of the next one.
    """
    axis, rows = faces["side"] // 2, np.arange(len(faces))
    order = _WINDING[faces["side"] % 2]
    extent = np.stack([faces["width"], faces["height"]], axis=-1)
    ends = _CORNERS[order] * extent[:, None] - 0.5
    corners, position = np.empty((len(faces), 4), CORNER), np.empty((len(faces), 4, 3))
    position[rows, :, axis] = faces["level"][:, None] / 2.0
    position[rows, :, (axis + 1) % 3] = faces["u"][:, None] + ends[..., 0]
    position[rows, :, (axis + 2) % 3] = faces["v"][:, None] + ends[..., 1]
    corners["position"] = position
    corners["corner"] = order | faces["glyph"][:, None] << 2
    corners["extent"] = extent[:, None]
    corners["body"] = (faces["body"] % bodies)[:, None]
    for name in ("normal", "edges", "openness", "paint"):
        corners[name] = faces[name][:, None]
    return corners

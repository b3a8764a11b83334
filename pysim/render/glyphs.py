"""Glyphs on the faces of cells, for every renderer that draws stickers.

A glyph is inked in a square of ``SIDE`` x ``SIDE`` small squares in the middle of its face. What
is inked where follows from its number in the order of :data:`pysim.glyphs.GLYPHS`, and from three
bits that say how the face's axes u and v (see :mod:`pysim.render.mesh`) lie to the glyph's own:
1, they change places; 2, the first then runs to the left; 4, the second then runs down.
"""

import numpy as np
from numpy.typing import NDArray

from pysim.geometry import Direction
from pysim.glyphs import GLYPHS, HEIGHT, WIDTH, Glyph
from pysim.render.palette import Rgb

__all__ = [
    "DARK",
    "LIGHT",
    "MIDDLE",
    "REACH",
    "SIDE",
    "build_patterns",
    "choose_ink",
    "encode_orientation",
    "find_ink",
    "index_glyph",
]

SIDE = HEIGHT
REACH = 0.29
"""From the middle of a face to the border of the square that a glyph has, in edges of a cell."""

DARK, LIGHT = (20, 20, 20), (240, 240, 240)
MIDDLE = 0.45
"""Stickers that are brighter bear dark glyphs."""
_SWAPPED, _LEFTWARDS, _DOWNWARDS = 1, 2, 4


def index_glyph(glyph: Glyph | None) -> int:
    """From 1 up; 0 for none."""
    return 0 if glyph is None else 1 + list(GLYPHS).index(glyph.sign)


def encode_orientation(glyph: Glyph, side: Direction) -> int:
    """Return the three bits of a glyph on a side of a cell."""
    normal = np.array(side.vector)
    axis = side.axis.number
    up = np.eye(3, dtype=int)[1 if axis == 2 else 2]
    right = np.cross(up, normal)
    for _ in range(glyph.turns):
        up, right = right, -up
    u, v = (axis + 1) % 3, (axis + 2) % 3
    swapped = bool(up[v] == 0)
    across, along = (v, u) if swapped else (u, v)
    leftwards, downwards = bool(right[across] < 0), bool(up[along] < 0)
    return _SWAPPED * swapped | _LEFTWARDS * leftwards | _DOWNWARDS * downwards


def build_patterns() -> NDArray[np.bool_]:
    """(glyphs, SIDE, SIDE): what is inked, in rows from the bottom and columns from the left."""
    found = np.zeros((len(GLYPHS), SIDE, SIDE), dtype=bool)
    left = (SIDE - WIDTH) // 2
    for pattern, rows in zip(found, GLYPHS.values(), strict=True):
        pattern[:, left : left + WIDTH] = [[sign == "#" for sign in row] for row in reversed(rows)]
    return found


_PATTERNS = build_patterns()


def find_ink(
    number: int, lie: int, u: NDArray[np.float64], v: NDArray[np.float64]
) -> NDArray[np.bool_]:
    """Find the ink of a glyph, at places from the middle of its face, in edges of a cell."""
    across, up = (v, u) if lie & _SWAPPED else (u, v)
    across = -across if lie & _LEFTWARDS else across
    up = -up if lie & _DOWNWARDS else up
    column, row = ((np.floor((x + REACH) / (2.0 * REACH) * SIDE)).astype(int) for x in (across, up))
    within = (column >= 0) & (column < SIDE) & (row >= 0) & (row < SIDE)
    last = SIDE - 1
    found: NDArray[np.bool_] = (
        within & _PATTERNS[number - 1, row.clip(0, last), column.clip(0, last)]
    )
    return found


def choose_ink(paint: Rgb) -> Rgb:
    """Dark on bright stickers, light on dark ones."""
    red, green, blue = (value / 255.0 for value in paint)
    return DARK if 0.3 * red + 0.6 * green + 0.1 * blue > MIDDLE else LIGHT

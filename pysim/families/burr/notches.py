"""Burr sticks from piece numbers.

A burr stick is a bar of 2 x 2 cells with notches cut near its middle. Its number is one more than
the sum of the values of the removed cells (the convention of W. Cutler's tables, also used on the
IBM burr pages). On a stick of length 6, lying along x::

    top layer     back  row, x = 1..4:  16  32  64 128
                  front row, x = 1..4:   1   2   4   8
    under layer   back  row, x = 2, 3:     1024 2048
                  front row, x = 2, 3:      256  512

Longer sticks have the same notches in the middle and longer ends.
"""

from functools import lru_cache

from pysim.errors import InputError
from pysim.geometry import Cell, Voxels

__all__ = ["MAX_LENGTH", "MIN_LENGTH", "make_stick"]

MIN_LENGTH = 6
MAX_LENGTH = 24

_NOTCHES: dict[int, Cell] = {
    1: (1, 0, 1),
    2: (2, 0, 1),
    4: (3, 0, 1),
    8: (4, 0, 1),
    16: (1, 1, 1),
    32: (2, 1, 1),
    64: (3, 1, 1),
    128: (4, 1, 1),
    256: (2, 0, 0),
    512: (3, 0, 0),
    1024: (2, 1, 0),
    2048: (3, 1, 0),
}
"""Value of a removed cell -> the cell, on a stick of length 6."""


@lru_cache(maxsize=4096)
def make_stick(number: int, length: int = 6) -> Voxels:
    """The stick with a piece number, along x, its top layer at z = 1, its front row at y = 0.

    Raises:
        InputError: no such number, a length that is odd or outside 6..24, or notches that cut the
            stick apart.
    """
    if not 1 <= number <= 4096:
        raise InputError(f"burr piece numbers run from 1 to 4096, not {number}")
    if not MIN_LENGTH <= length <= MAX_LENGTH or length % 2:
        raise InputError(f"a stick's length is even, {MIN_LENGTH} to {MAX_LENGTH}, not {length}")
    shift = (length - 6) // 2
    removed = {(x + shift, y, z) for value, (x, y, z) in _NOTCHES.items() if (number - 1) & value}
    stick = Voxels.from_cells(
        cell for cell in Voxels.make_block((length, 2, 2)).cells if cell not in removed
    )
    if not stick.is_connected:
        raise InputError(f"burr piece {number} falls apart")
    return stick

"""Sets as the bits of a word, in compiled code.

Compilers know these loops: of each they make one instruction, where the processor has it.
"""

import numpy as np

from pysim.kernels import kernel

__all__ = ["find_highest", "find_lowest", "is_single"]


@kernel(borrowing=True, inline=True)
def find_lowest(bits: np.uint64) -> int:
    """Return the place of the lowest bit: the number of those below it."""
    below, place = (bits & (~bits + np.uint64(1))) - np.uint64(1), 0
    while below:
        below &= below - np.uint64(1)
        place += 1
    return place


@kernel(borrowing=True, inline=True)
def find_highest(bits: np.uint64) -> int:
    """Return the place of the highest bit, -1 if there is none."""
    place = -1
    while bits:
        bits >>= np.uint64(1)
        place += 1
    return place


@kernel(borrowing=True, inline=True)
def is_single(bits: np.uint64) -> bool:
    """Return whether a set has one piece."""
    return bool(bits & (bits - np.uint64(1)) == 0)

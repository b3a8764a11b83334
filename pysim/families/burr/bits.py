"""Sets as the bits of a word, in compiled code."""

import numpy as np

from pysim.kernels import kernel

__all__ = ["find_highest", "find_lowest", "is_single"]

_PLACES = np.zeros(64, np.int64)
"""Place of a bit by the highest six bits of its product with de Bruijn's sequence."""
_PLACES[[(0x03F79D71B4CB0A89 << k) % (1 << 64) >> 58 for k in range(64)]] = range(64)


@kernel(borrowing=True, inline=True)
def find_lowest(bits: np.uint64) -> int:
    """Return the place of the lowest bit, by de Bruijn's sequence."""
    lowest = bits & (~bits + np.uint64(1))
    return int(_PLACES[lowest * np.uint64(0x03F79D71B4CB0A89) >> np.uint64(58)])


@kernel(borrowing=True, inline=True)
def find_highest(bits: np.uint64) -> int:
    """Return the place of the highest bit."""
    bits |= bits >> np.uint64(1)
    bits |= bits >> np.uint64(2)
    bits |= bits >> np.uint64(4)
    bits |= bits >> np.uint64(8)
    bits |= bits >> np.uint64(16)
    bits |= bits >> np.uint64(32)
    return find_lowest(bits - (bits >> np.uint64(1)))


@kernel(borrowing=True, inline=True)
def is_single(bits: np.uint64) -> bool:
    """Return whether a set has one piece."""
    return bool(bits & (bits - np.uint64(1)) == 0)

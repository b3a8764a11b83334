"""Random numbers that compiled searches draw: the same for a seed on every machine.

The generator is SplitMix64 (Steele, Lea and Flood, 2014): a counter and a mixing function.
"""

import numpy as np
from numpy.typing import NDArray

from pysim.kernels import kernel

__all__ = ["create_rng", "draw_below", "draw_unit"]


def create_rng(seed: int) -> NDArray[np.uint64]:
    """(1,) the state that the functions below read and change."""
    return np.array([seed % (1 << 64)], np.uint64)


@kernel
def _next(state: NDArray[np.uint64]) -> np.uint64:
    state[0] += np.uint64(0x9E3779B97F4A7C15)
    mixed: np.uint64 = state[0]
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return mixed ^ (mixed >> np.uint64(31))


@kernel
def draw_below(state: NDArray[np.uint64], count: int) -> np.int64:
    """Return a whole number from 0 to ``count`` - 1."""
    # int() of an unsigned number is unsigned in compiled code, and mixes badly with others.
    return np.int64((_next(state) >> np.uint64(32)) * np.uint64(count) >> np.uint64(32))


@kernel
def draw_unit(state: NDArray[np.uint64]) -> float:
    """Return a number from 0 up to, but not including, 1."""
    return float(_next(state) >> np.uint64(11)) / 9007199254740992.0

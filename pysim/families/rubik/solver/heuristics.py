"""Lower bounds of a state's distance along the three axes, which prune most of a search.

The bounds are the first phase's of the two-phase algorithm (:mod:`.phases`): how many face turns
twist and slice, or flip and slice, need to come into the subgroup. Quarter turns are no fewer.
"""

from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pysim.families.rubik.cube import Cube
from pysim.families.rubik.solver.coordinates import (
    build_coordinates,
    index_flip,
    index_slice,
    index_twist,
)
from pysim.families.rubik.solver.phases import load_phases
from pysim.families.rubik.solver.storing import Bytes
from pysim.families.rubik.solver.symmetry import list_thirds, stack_facelets, transform_states
from pysim.kernels import kernel

__all__ = [
    "NO_HEURISTICS",
    "Heuristics",
    "build_heuristics",
    "compute_lower_bound",
    "index_axes",
    "move_coordinates",
]

Numbers = NDArray[np.int64]
"""(3, 3) along each axis twist, flip and slice."""


class Heuristics(NamedTuple):
    """Tables of moves and bounds.

    Attributes:
        moves: (3, 18) each move as seen along each axis.
        twist, flip, slice: (n, 18) the number after a move.
        twist_far, flip_far: (n, 495) moves that twist and slice, or flip and slice, need at least.
        known: whether there are bounds at all.
    """

    moves: NDArray[np.int64]
    twist: NDArray[np.uint16]
    flip: NDArray[np.uint16]
    slice: NDArray[np.uint16]
    twist_far: Bytes
    flip_far: Bytes
    known: bool


@cache
def build_heuristics() -> Heuristics:
    """Return the tables; the first call in a process makes them in a moment."""
    seen, tables = build_coordinates().axis_moves.astype(np.int64), load_phases()
    return Heuristics(
        seen, tables.twist, tables.flip, tables.slice, tables.twist_far, tables.flip_far, True
    )


_NONE, _NOWHERE = np.zeros((1, 18), dtype=np.uint16), np.zeros((1, 1), dtype=np.uint8)
NO_HEURISTICS = Heuristics(
    np.zeros((3, 18), dtype=np.int64), _NONE, _NONE, _NONE, _NOWHERE, _NOWHERE, False
)
"""No tables and no bounds, for searches so short that they are not worth making."""


def index_axes(cube: Cube) -> Numbers:
    """Twist, flip and slice along each axis."""
    facelets = stack_facelets([cube])
    views = [transform_states(facelets, third) for third in list_thirds()]
    rows = [
        [int(number(seen)[0]) for number in (index_twist, index_flip, index_slice)]
        for seen in views
    ]
    return np.array(rows, dtype=np.int64)


@kernel(nogil=True, inline=True)
def move_coordinates(guide, before, move, after):  # type: ignore[no-untyped-def]
    """Write what a move makes of the numbers of a state to ``after``."""
    for axis in range(3):
        seen = guide.moves[axis, move]
        after[axis, 0] = guide.twist[before[axis, 0], seen]
        after[axis, 1] = guide.flip[before[axis, 1], seen]
        after[axis, 2] = guide.slice[before[axis, 2], seen]


@kernel(nogil=True, inline=True)
def compute_lower_bound(guide, numbers):  # type: ignore[no-untyped-def]
    """No fewer moves lead home."""
    bound = 0
    for axis in range(3):
        twist, flip, place = numbers[axis]
        bound = max(bound, guide.twist_far[twist, place], guide.flip_far[flip, place])
    return bound

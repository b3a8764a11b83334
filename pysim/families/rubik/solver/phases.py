"""Tables of the two phases: what moves do to their numbers, and how far these are from home.

The first phase leads into the subgroup <U, D, R2, L2, F2, B2>, by twist, flip and slice (see
:mod:`pysim.families.rubik.solver.coordinates`). The second one stays in it and leads home, by the
permutations of the corners, of the eight edges of the layers U and D, and of the four between them.
"""

from functools import cache
from itertools import permutations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pysim.families.rubik.cube import CORNERS, EDGES, turn_of
from pysim.families.rubik.moves import list_moves
from pysim.families.rubik.solver.arrays import pack_arrays, unpack_arrays
from pysim.families.rubik.solver.coordinates import build_coordinates, rank_of
from pysim.families.rubik.solver.states import list_cubie_moves
from pysim.families.rubik.solver.storing import Bytes, has_table, load_table
from pysim.kernels import kernel

__all__ = ["Phases", "keep_phases", "load_phases"]

_NAME = "phases"

_UNSEEN = 255

Words16 = NDArray[np.uint16]


class Phases(NamedTuple):
    """The tables of a search.

    Attributes:
        twist, flip, slice: (n, 18) the number after a move.
        twist_far, flip_far: (n, 495) moves that a twist and a slice, or a flip and a slice, need at
            least to come into the subgroup.
        inner: (10,) the moves of the subgroup.
        is_inner: (18,) whether a move is one of them.
        corners, edges, middle: (n, 10) the permutation after a move of the subgroup.
        corners_far, edges_far: (40320, 24) moves of the subgroup that the corners, or the edges of
            U and D, need at least to come home together with the edges between.
        corner_moves, edge_moves: (18, 24) the states of cubies after a move.
    """

    twist: Words16
    flip: Words16
    slice: Words16
    twist_far: Bytes
    flip_far: Bytes
    inner: NDArray[np.int64]
    is_inner: NDArray[np.bool_]
    corners: Words16
    edges: Words16
    middle: Words16
    corners_far: Bytes
    edges_far: Bytes
    corner_moves: Bytes
    edge_moves: Bytes


@cache
def load_phases() -> Phases:
    """Return the tables, 6 MB: read where they are kept, else made."""
    if not has_table(_NAME):
        return _made()
    # Copied, for code is compiled anew for arrays that can't be written.
    return Phases(**{name: array.copy() for name, array in unpack_arrays(_kept()).items()})


def keep_phases() -> None:
    """Keep the tables on the disk for other processes, which read them sooner than make them."""
    if not has_table(_NAME):
        _kept()


def _kept() -> Bytes:
    return load_table(_NAME, lambda: pack_arrays(_made()._asdict()))


def _made() -> Phases:
    numbers = build_coordinates()
    is_inner = _inner()
    inner = np.flatnonzero(is_inner)
    twist, flip, place = (_words(t) for t in (numbers.twist, numbers.flip, numbers.slice))
    corners = _words(numbers.permutation[:, inner])
    edges, middle = _order_moves(inner, 0, 8), _order_moves(inner, 8, EDGES)
    return Phases(
        twist=twist,
        flip=flip,
        slice=place,
        twist_far=_distances(twist, place),
        flip_far=_distances(flip, place),
        inner=inner,
        is_inner=is_inner,
        corners=corners,
        edges=edges,
        middle=middle,
        corners_far=_distances(corners, middle),
        edges_far=_distances(edges, middle),
        corner_moves=list_cubie_moves(CORNERS, 3),
        edge_moves=list_cubie_moves(EDGES, 2),
    )


def _words(table: NDArray[np.int32]) -> Words16:
    return np.ascontiguousarray(table, dtype=np.uint16)


def _inner() -> NDArray[np.bool_]:
    """(18,) which moves twist no corner, flip no edge and keep the edges of the middle layer."""
    numbers = build_coordinates()
    home = [table[0] == 0 for table in (numbers.twist, numbers.flip, numbers.slice)]
    inner: NDArray[np.bool_] = np.all(home, axis=0)
    return inner


def _order_moves(moves: NDArray[np.int64], low: int, high: int) -> Words16:
    """(n!, moves) orders of the edges in some slots after moves that keep them there."""
    orders = np.array(list(permutations(range(high - low))), dtype=np.int64)
    taken = [np.array(turn_of(list_moves()[move]).edges[low:high]) - low for move in moves]
    return np.stack([rank_of(orders[:, slots]) for slots in taken], axis=1).astype(np.uint16)


def _distances(one: Words16, other: Words16) -> Bytes:
    """(n, m) how many moves two numbers are from 0 together, counted breadth first."""
    table = np.full((len(one), len(other)), _UNSEEN, dtype=np.uint8)
    table[0, 0] = 0
    depth = 0
    while _step(table, depth, one, other):
        depth += 1
    return table


@kernel
def _step(table, depth, one, other):  # type: ignore[no-untyped-def]
    """Write ``depth + 1`` to all unseen neighbours of entries at ``depth``; how many."""
    found = 0
    for a in range(table.shape[0]):
        for b in range(table.shape[1]):
            if table[a, b] != depth:
                continue
            for move in range(one.shape[1]):
                if table[one[a, move], other[b, move]] == _UNSEEN:
                    table[one[a, move], other[b, move]] = depth + 1
                    found += 1
    return found

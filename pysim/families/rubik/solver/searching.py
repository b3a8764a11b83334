"""The inner loop of the optimal solver: depth-first search below a bound.

Three tables of the same kind are asked, one for each axis of the cube: how far is it to the
subgroup <U, D, R2, L2, F2, B2> and to its two copies? If all three say n > 0 the cube is at least
n + 1 away, since the last move of a shortest way into one of them leaves another one (de Bondt).
The same is asked of the inverse state, which is as far from home.

A look into a table mostly waits for memory. All moves of a state are therefore looked up in one
loop without branches, axis by axis, so that the processor waits for many of them at once.
"""

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from pysim.families.rubik.solver.coordinates import SLICES, TWISTS

__all__ = ["DEEPEST", "Tables", "search"]

DEEPEST = 40
"""No sequence has more moves than this: twenty turns of 90 or 180 degrees always do, and 26 quarter
turns (Rokicki and others 2010, 2014)."""


class Tables(NamedTuple):
    """Everything that the search reads.

    Attributes:
        costs: (18,) what each move costs.
        next_moves: (7, 18) the moves worth trying after a move of each face (6: at the start), then
            -1.
        flip, slice, twist, permutation: (n, 18) coordinates after a move.
        axis_moves: (3, 18) each move as seen along each axis.
        seen_twist: (2187, 16) twists as seen through symmetries.
        corner_moves, edge_moves: (18, 24) where a move takes a cubie: a corner from and to the
            states ``3 * slot + twist``, an edge ``2 * slot + flip``.
        inverse_words: (3, 20, 24) what a cubie in a state adds to the word of the inverse along an
            axis: twist, flip, and slice as bits.
        slice_ranks: (4096,) the slice coordinate of its bits.
        edges, edge_where, corners, corner_where: packed distances and their classes.
    """

    costs: NDArray[np.int64]
    next_moves: NDArray[np.int64]
    flip: NDArray[np.uint16]
    slice: NDArray[np.uint16]
    twist: NDArray[np.uint16]
    permutation: NDArray[np.uint16]
    axis_moves: NDArray[np.int64]
    seen_twist: NDArray[np.uint16]
    corner_moves: NDArray[np.uint8]
    edge_moves: NDArray[np.uint8]
    inverse_words: NDArray[np.int64]
    slice_ranks: NDArray[np.int64]
    edges: NDArray[np.uint8]
    edge_where: NDArray[np.uint32]
    corners: NDArray[np.uint8]
    corner_where: NDArray[np.uint32]


@njit(cache=True, nogil=True)
def search(t, start, bound):  # type: ignore[no-untyped-def]
    """A sequence that solves ``start`` and costs ``bound`` altogether, if there is one.

    Args:
        t: the tables.
        start: (30,) flip, slice and twist as seen along each axis, the permutation of the corners,
            and the states of the 8 corners and 12 edges.
        bound: to be used up exactly.

    Returns:
        The moves, the last entry their number, or -1 if there is no such sequence; and how many
        states were expanded.
    """
    # Of the state after so many moves: coordinates and cubies, what may still be spent, the moves
    # that are still to be tried, how many they are, and the cubies after each of them.
    numbers = np.zeros((DEEPEST + 1, 10), dtype=np.int64)
    cubies = np.zeros((DEEPEST + 1, 20), dtype=np.int64)
    left = np.zeros(DEEPEST + 1, dtype=np.int64)
    good = np.zeros((DEEPEST + 1, 18), dtype=np.int64)
    count = np.zeros(DEEPEST + 1, dtype=np.int64)
    around = np.zeros((DEEPEST + 1, 18, 20), dtype=np.int64)
    scratch = np.zeros((4, 18), dtype=np.int64)
    path = np.full(DEEPEST + 1, -1, dtype=np.int64)
    numbers[0], cubies[0], left[0] = start[:10], start[10:], bound
    count[0] = _good_moves(t, numbers, cubies, around, 0, 6, bound, good, scratch)
    nodes, ply = 1, 0
    while ply >= 0:
        if count[ply] == 0:
            ply -= 1
            continue
        count[ply] -= 1
        move = good[ply, count[ply]]
        rest = left[ply] - t.costs[move]
        path[ply] = move
        if rest == 0:
            if _is_home(around, ply, count[ply]):
                path[DEEPEST] = ply + 1
                return path, nodes
            continue
        for k in range(20):
            cubies[ply + 1, k] = around[ply, count[ply], k]
        _turn_numbers(t, numbers, ply, move)
        ply += 1
        nodes += 1
        left[ply] = rest
        count[ply] = _good_moves(t, numbers, cubies, around, ply, move // 3, rest, good, scratch)
    path[DEEPEST] = -1
    return path, nodes


@njit(cache=True, inline="always")
def _good_moves(t, numbers, cubies, around, ply, face, rest, good, scratch):  # type: ignore[no-untyped-def]
    """The moves after which the tables still allow to get home, into ``good``; how many.

    The cubies after each of them are written into ``around``.
    """
    number, twist, far, equal = scratch[0], scratch[1], scratch[2], scratch[3]
    count = 0
    for k in range(18):
        move = t.next_moves[face, k]
        if move < 0:
            break
        good[ply, count] = move
        equal[count] = 0
        count += 1
    for axis in range(3):
        flip, place = numbers[ply, 3 * axis], numbers[ply, 3 * axis + 1]
        turned = numbers[ply, 3 * axis + 2]
        for k in range(count):
            seen = t.axis_moves[axis, good[ply, k]]
            number[k] = np.int64(t.flip[flip, seen]) * SLICES + t.slice[place, seen]
            twist[k] = t.twist[turned, seen]
        _look_up(t.edges, t.edge_where, t.seen_twist, number, twist, count, far)
        count = _keep(t, good, ply, rest, far, equal, count)
    for k in range(count):
        number[k] = t.permutation[numbers[ply, 9], good[ply, k]]
        twist[k] = t.twist[numbers[ply, 2], good[ply, k]]
        equal[k] = -3
    _look_up(t.corners, t.corner_where, t.seen_twist, number, twist, count, far)
    count = _keep(t, good, ply, rest, far, equal, count)
    for k in range(count):
        equal[k] = 0
    for axis in range(3):
        for k in range(count):
            move, word = good[ply, k], 0
            for cubie in range(8):
                after = t.corner_moves[move, cubies[ply, cubie]]
                word += t.inverse_words[axis, cubie, after]
            for cubie in range(8, 20):
                after = t.edge_moves[move, cubies[ply, cubie]]
                word += t.inverse_words[axis, cubie, after]
            number[k] = (word >> 12 & 2047) * SLICES + t.slice_ranks[word >> 23]
            twist[k] = word & 4095
        _look_up(t.edges, t.edge_where, t.seen_twist, number, twist, count, far)
        count = _keep(t, good, ply, rest, far, equal, count)
    for k in range(count):
        move = good[ply, k]
        for cubie in range(8):
            around[ply, k, cubie] = t.corner_moves[move, cubies[ply, cubie]]
        for cubie in range(8, 20):
            around[ply, k, cubie] = t.edge_moves[move, cubies[ply, cubie]]
    return count


@njit(cache=True, inline="always")
def _look_up(packed, where, seen_twist, number, twist, count, far):  # type: ignore[no-untyped-def]
    """The distances of some entries; short loops, so that many looks into memory overlap."""
    for k in range(count):
        number[k] = where[number[k]]
    for k in range(count):
        number[k] = (number[k] >> 4) * TWISTS + seen_twist[twist[k], number[k] & 15]
    for k in range(count):
        far[k] = packed[number[k] >> 1] >> ((number[k] & 1) << 2) & 15


@njit(cache=True, inline="always")
def _keep(t, good, ply, rest, far, equal, count):  # type: ignore[no-untyped-def]
    """Keep the moves that may do; ``equal`` counts the axes that need all that is left."""
    kept = 0
    for k in range(count):
        move = good[ply, k]
        spare = rest - t.costs[move] - far[k]
        good[ply, kept] = move
        equal[kept] = equal[k] + (spare == 0 and far[k] > 0)
        kept += spare >= 0 and equal[kept] < 3
    return kept


@njit(cache=True, inline="always")
def _turn_numbers(t, numbers, ply, move):  # type: ignore[no-untyped-def]
    """The coordinates after a move, into the next row."""
    for axis in range(3):
        seen = t.axis_moves[axis, move]
        numbers[ply + 1, 3 * axis] = t.flip[numbers[ply, 3 * axis], seen]
        numbers[ply + 1, 3 * axis + 1] = t.slice[numbers[ply, 3 * axis + 1], seen]
        numbers[ply + 1, 3 * axis + 2] = t.twist[numbers[ply, 3 * axis + 2], seen]
    numbers[ply + 1, 9] = t.permutation[numbers[ply, 9], move]


@njit(cache=True, inline="always")
def _is_home(around, ply, k):  # type: ignore[no-untyped-def]
    """Whether every cubie is in its own slot, unturned."""
    home = True
    for corner in range(8):
        home &= around[ply, k, corner] == 3 * corner
    for edge in range(12):
        home &= around[ply, k, 8 + edge] == 2 * edge
    return home

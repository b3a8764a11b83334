"""Stacks of states of the optimal search: those still to be expanded, and those just reached."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["BATCH", "WIDEST", "Around", "Waiting", "create_around", "create_waiting"]

BATCH = 256
"""States expanded at once."""
WIDEST = 18 * BATCH


class Waiting(NamedTuple):
    """States that are still to be expanded, one row for each number of moves made.

    Attributes:
        waiting: (plies,) how many are left in each row.
        numbers: (plies, n, 10) flip, place and twist as seen along each axis, and the permutation.
        cubies: (plies, n, 20) the states of the 8 corners and 12 edges.
        move, parent: (plies, n) the last move, and from which state of the row above.
        root: (plies, n) from which part of the search they come.
        left: (plies, n) what may still be spent.
        first: (plies, n) the axis along which the state is farthest from home.
        behind: (plies, n, 3) the distances of the inverse.
    """

    waiting: NDArray[np.int64]
    numbers: NDArray[np.uint16]
    cubies: NDArray[np.uint8]
    move: NDArray[np.uint8]
    parent: NDArray[np.uint16]
    root: NDArray[np.uint16]
    left: NDArray[np.uint8]
    first: NDArray[np.uint8]
    behind: NDArray[np.uint8]


class Around(NamedTuple):
    """The states after each move of some states, as far as they are known.

    Attributes:
        parent, move: (n,) from which state of the row on the stack they come, and how.
        rest: (n,) what may be spent after the move.
        equal: (n,) how many axes need all of it.
        ahead: (n,) the distances along the axes, four bits each.
        flip, place, twist: (n,) what is looked up now,
        need: (n,) what may be spent then,
        where, entry: (n,) where in the table,
        far: (n,) and what is found.
        alive: (n,) which of the states are near enough so far.
        words: (n, 3) of the inverse along each axis.
        cubies, behind: as on the stack.
    """

    parent: NDArray[np.uint32]
    move: NDArray[np.uint32]
    rest: NDArray[np.int32]
    equal: NDArray[np.int32]
    ahead: NDArray[np.int32]
    flip: NDArray[np.uint32]
    place: NDArray[np.uint32]
    twist: NDArray[np.uint32]
    need: NDArray[np.int32]
    where: NDArray[np.uint32]
    entry: NDArray[np.uint64]
    far: NDArray[np.int32]
    alive: NDArray[np.uint32]
    words: NDArray[np.int64]
    cubies: NDArray[np.uint8]
    behind: NDArray[np.uint8]


def create_waiting(bound: int) -> Waiting:
    """Room for the states of a search of some length."""
    # One row more than there are moves and states: what follows solutions, nothing, is noted too.
    shape = (bound + 2, WIDEST)
    return Waiting(
        waiting=np.zeros(bound + 2, dtype=np.int64),
        numbers=np.zeros((*shape, 10), dtype=np.uint16),
        cubies=np.zeros((*shape, 20), dtype=np.uint8),
        move=np.zeros(shape, dtype=np.uint8),
        parent=np.zeros(shape, dtype=np.uint16),
        root=np.zeros(shape, dtype=np.uint16),
        left=np.zeros(shape, dtype=np.uint8),
        first=np.zeros(shape, dtype=np.uint8),
        behind=np.zeros((*shape, 3), dtype=np.uint8),
    )


def create_around() -> Around:
    """Room for all that a batch of states leads to."""
    parent, move, alive, flip, place, twist, where = np.zeros((7, WIDEST), dtype=np.uint32)
    rest, equal, ahead, need, far = np.zeros((5, WIDEST), dtype=np.int32)
    return Around(
        parent=parent,
        move=move,
        rest=rest,
        equal=equal,
        ahead=ahead,
        flip=flip,
        place=place,
        twist=twist,
        need=need,
        where=where,
        entry=np.zeros(WIDEST, dtype=np.uint64),
        far=far,
        alive=alive,
        words=np.zeros((WIDEST, 3), dtype=np.int64),
        cubies=np.zeros((WIDEST, 20), dtype=np.uint8),
        behind=np.zeros((WIDEST, 3), dtype=np.uint8),
    )

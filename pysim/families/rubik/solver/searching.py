"""The inner loop of the optimal solver: depth-first search below a bound.

Three tables of the same kind are asked, one for each axis of the cube: how far is it to the
subgroup <U, D, R2, L2, F2, B2> and to its two copies? If all three say n > 0 the cube is at least
n + 1 away, since the last move of a shortest way into one of them leaves another one (de Bondt).
The same is asked of the inverse state, which is as far from home.

A move that is in one of the three subgroups leaves what the inverse's table says for that axis as
it was: it only turns the cube on its coset. So where the inverse needs all that is left, all moves
of that subgroup are left out unseen (10 of 18), and other distances of inverses are taken over.

A look into a table mostly waits for memory. States are therefore expanded a batch at a time, in
short loops with few branches, so that the processor waits for many of them at once. The batch is
always taken from the deepest states there are, so that the search is depth-first and stays small.
"""

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from pysim.families.rubik.solver.coordinates import SLICES, TWISTS

__all__ = ["PausableSearch", "Tables", "search"]

BATCH = 256
"""States expanded at once."""
_WIDEST = 18 * BATCH
_FACELESS = 18
"""What stands for the last move at the start: of a seventh face."""


class Tables(NamedTuple):
    """Everything that the search reads.

    Attributes:
        costs: (18,) what each move costs.
        follows: (7,) the moves worth trying after a move of each face (6: at the start), as bits.
        changes: (3, 18) whether a move changes the inverse's distance along each axis.
        spared: (3, 3) the moves that need not be left out, as bits, if along an axis (columns) so
            much more may be spent than the inverse needs: nothing, 1, or more.
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
    follows: NDArray[np.int64]
    changes: NDArray[np.bool_]
    spared: NDArray[np.int64]
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


class _Stack(NamedTuple):
    """States that are still to be expanded, one row for each number of moves made.

    Attributes:
        waiting: (plies,) how many are left in each row.
        numbers: (plies, n, 10) flip, slice and twist as seen along each axis, and the permutation.
        cubies: (plies, n, 20) the states of the 8 corners and 12 edges.
        move, parent: (plies, n) the last move, and from which state of the row above.
        left: (plies, n) what may still be spent.
        first: (plies, n) the axis along which the state is farthest from home.
        behind: (plies, n, 3) the distances of the inverse.
    """

    waiting: NDArray[np.int64]
    numbers: NDArray[np.uint16]
    cubies: NDArray[np.uint8]
    move: NDArray[np.int32]
    parent: NDArray[np.int32]
    left: NDArray[np.int32]
    first: NDArray[np.int32]
    behind: NDArray[np.int32]


class _Batch(NamedTuple):
    """The states after each move of some states, as far as they are known.

    Attributes:
        parent, move: (n,) from which state of the row on the stack they come, and how.
        rest: (n,) what may be spent after the move.
        equal: (n,) how many axes need all of it.
        ahead: (n,) the distances along the axes, four bits each.
        number, twist, far: (n,) what is looked up now, and what is found.
        chosen: (n,) which of the states are looked up now, where it is not all of them.
        cubies, behind: as on the stack.
    """

    parent: NDArray[np.int32]
    move: NDArray[np.int32]
    rest: NDArray[np.int32]
    equal: NDArray[np.int32]
    ahead: NDArray[np.int32]
    number: NDArray[np.int32]
    twist: NDArray[np.int32]
    far: NDArray[np.int32]
    chosen: NDArray[np.int32]
    cubies: NDArray[np.uint8]
    behind: NDArray[np.int32]


def search(t: Tables, start: NDArray[np.int64], bound: int) -> tuple[list[int] | None, int]:
    """A sequence that solves ``start`` and costs ``bound`` altogether, if there is one.

    Args:
        t: the tables.
        start: (30,) flip, slice and twist as seen along each axis, the permutation of the corners,
            and the states of the 8 corners and 12 edges.
        bound: at least 1, to be used up exactly.

    Returns:
        The numbers of the moves, None if there is no such sequence; and how many states were
        expanded.
    """
    one = PausableSearch(t, start, bound)
    while not one.over:
        found = one.go(_ENDLESS)
        if found:
            return found[0], one.nodes
    return None, one.nodes


_ENDLESS = 1 << 62


class PausableSearch:
    """A search of one bound that stops and goes on; see :func:`search`.

    Args:
        last: the move that led to ``start``; what could have come before it does not come after.

    Attributes:
        nodes: states expanded so far.
        over: whether all is searched.
    """

    def __init__(
        self, t: Tables, start: NDArray[np.int64], bound: int, last: int = _FACELESS
    ) -> None:
        self._tables, self._stack, self._batch = t, _stack_for(start, bound, last), _new_batch()
        self._ply = 0
        self.nodes, self.over = 0, False

    def go(self, most: int) -> list[list[int]]:
        """Expand some ``most`` states more, or until solutions are met; those, as moves' numbers.

        Called again and again it gives every solution once.
        """
        self._ply, met, nodes = _search(self._tables, self._stack, self._batch, self._ply, most)
        self.nodes += nodes
        self.over = self._ply < 0
        if not met:
            return []
        waiting, left = int(self._stack.waiting[self._ply]), self._stack.left[self._ply]
        return [self._path(row) for row in range(waiting) if left[row] == 0]

    def _path(self, row: int) -> list[int]:
        path: list[int] = []
        for ply in range(self._ply, 0, -1):
            path.insert(0, int(self._stack.move[ply, row]))
            row = self._stack.parent[ply, row]
        return path


def _stack_for(start: NDArray[np.int64], bound: int, last: int) -> _Stack:
    # One row more than there are moves and states: what follows solutions, nothing, is noted too.
    shape = (bound + 2, _WIDEST)
    stack = _Stack(
        waiting=np.zeros(bound + 2, dtype=np.int64),
        numbers=np.zeros((*shape, 10), dtype=np.uint16),
        cubies=np.zeros((*shape, 20), dtype=np.uint8),
        move=np.zeros(shape, dtype=np.int32),
        parent=np.zeros(shape, dtype=np.int32),
        left=np.zeros(shape, dtype=np.int32),
        first=np.zeros(shape, dtype=np.int32),
        behind=np.zeros((*shape, 3), dtype=np.int32),
    )
    stack.numbers[0, 0], stack.cubies[0, 0] = start[:10], start[10:]
    stack.move[0, 0], stack.left[0, 0], stack.waiting[0] = last, bound, 1
    return stack


def _new_batch() -> _Batch:
    words = np.zeros((9, _WIDEST), dtype=np.int32)
    parent, move, rest, equal, ahead, number, twist, far, chosen = words
    return _Batch(
        parent=parent,
        move=move,
        rest=rest,
        equal=equal,
        ahead=ahead,
        number=number,
        twist=twist,
        far=far,
        chosen=chosen,
        cubies=np.zeros((_WIDEST, 20), dtype=np.uint8),
        behind=np.zeros((_WIDEST, 3), dtype=np.int32),
    )


@njit(cache=True, nogil=True)
def _search(t, s, b, ply, most):  # type: ignore[no-untyped-def]
    """At which row of the stack to go on (-1: nowhere), whether cubes there are home, and nodes."""
    nodes = 0
    while ply >= 0 and nodes < most:
        if s.waiting[ply] == 0:
            ply -= 1
            continue
        taken = min(BATCH, s.waiting[ply])
        s.waiting[ply] -= taken
        nodes += taken
        count = _look_ahead(t, s, b, ply, _moves(t, s, b, ply, taken))
        _look_behind(t, s, b, ply, count)
        home = _push(t, s, b, ply, count)
        ply += 1
        if home:
            return ply, True, nodes
    return ply, False, nodes


@njit(cache=True)
def _moves(t, s, b, ply, taken):  # type: ignore[no-untyped-def]
    """All moves of the last ``taken`` states (after the ones that are left); how many."""
    count = 0
    for parent in range(s.waiting[ply], s.waiting[ply] + taken):
        left = s.left[ply, parent]
        good = t.follows[s.move[ply, parent] // 3]
        for axis in range(3):
            good &= t.spared[min(left - s.behind[ply, parent, axis], 2), axis]
        for move in range(18):
            rest = left - t.costs[move]
            b.parent[count] = parent
            b.move[count] = move
            b.rest[count] = rest
            count += (good >> move & 1) & (rest >= 0)
    return count


@njit(cache=True)
def _look_ahead(t, s, b, ply, count):  # type: ignore[no-untyped-def]
    """Keep the states that are near enough, the axis first that is likely to tell; how many."""
    for turn in range(3):
        for k in range(count):
            parent, move = b.parent[k], b.move[k]
            axis = _next_axis(s.first[ply, parent], turn)
            numbers, seen = s.numbers[ply, parent], t.axis_moves[axis, move]
            flip, place = t.flip[numbers[3 * axis], seen], t.slice[numbers[3 * axis + 1], seen]
            b.number[k] = np.int32(flip) * SLICES + place
            b.twist[k] = t.twist[numbers[3 * axis + 2], seen]
        _look_up(t.edges, t.edge_where, t.seen_twist, b, count)
        count = _keep(s, b, ply, turn, count)
    for k in range(count):
        numbers, move = s.numbers[ply, b.parent[k]], b.move[k]
        b.number[k] = t.permutation[numbers[9], move]
        b.twist[k] = t.twist[numbers[2], move]
    _look_up(t.corners, t.corner_where, t.seen_twist, b, count)
    kept = 0
    for k in range(count):
        b.parent[kept], b.move[kept], b.rest[kept] = b.parent[k], b.move[k], b.rest[k]
        b.ahead[kept] = b.ahead[k]
        kept += b.far[k] <= b.rest[k]
    return kept


@njit(cache=True)
def _look_behind(t, s, b, ply, count):  # type: ignore[no-untyped-def]
    """Turn the cubies, and find the distances of the inverses."""
    for k in range(count):
        cubies, move = s.cubies[ply, b.parent[k]], b.move[k]
        for cubie in range(8):
            b.cubies[k, cubie] = t.corner_moves[move, cubies[cubie]]
        for cubie in range(8, 20):
            b.cubies[k, cubie] = t.edge_moves[move, cubies[cubie]]
    for axis in range(3):
        some = 0
        for k in range(count):
            b.chosen[some] = k
            b.behind[k, axis] = s.behind[ply, b.parent[k], axis]
            some += t.changes[axis, b.move[k]]
        for k in range(some):
            word = 0
            for cubie in range(20):
                word += t.inverse_words[axis, cubie, b.cubies[b.chosen[k], cubie]]
            b.number[k] = (word >> 12 & 2047) * SLICES + t.slice_ranks[word >> 23]
            b.twist[k] = word & 4095
        _look_up(t.edges, t.edge_where, t.seen_twist, b, some)
        for k in range(some):
            b.behind[b.chosen[k], axis] = b.far[k]


@njit(cache=True)
def _look_up(packed, where, seen_twist, b, count):  # type: ignore[no-untyped-def]
    """The distances of some entries; short loops, so that many looks into memory overlap."""
    for k in range(count):
        b.number[k] = where[b.number[k]]
    for k in range(count):
        b.number[k] = (b.number[k] >> 4) * TWISTS + seen_twist[b.twist[k], b.number[k] & 15]
    for k in range(count):
        b.far[k] = packed[b.number[k] >> 1] >> ((b.number[k] & 1) << 2) & 15


@njit(cache=True)
def _keep(s, b, ply, turn, count):  # type: ignore[no-untyped-def]
    """Keep the states that are near enough along an axis, and note how near; how many."""
    kept = 0
    for k in range(count):
        parent, rest, far = b.parent[k], b.rest[k], b.far[k]
        axis = _next_axis(s.first[ply, parent], turn)
        equal = (b.equal[k] if turn else 0) + ((far == rest) & (rest > 0))
        b.ahead[kept] = (b.ahead[k] if turn else 0) | far << 4 * axis
        b.equal[kept] = equal
        b.parent[kept] = parent
        b.move[kept] = b.move[k]
        b.rest[kept] = rest
        kept += (far <= rest) & (equal < 3)
    return kept


@njit(cache=True)
def _next_axis(first, turn):  # type: ignore[no-untyped-def]
    """The axis that comes so many places after another one."""
    axis = first + turn
    return axis - 3 * (axis > 2)


@njit(cache=True)
def _push(t, s, b, ply, count):  # type: ignore[no-untyped-def]
    """Put the states on the stack whose inverses are near enough too; whether one is home."""
    home, kept = False, 0
    for k in range(count):
        rest = b.rest[k]
        x, y, z = b.behind[k]
        if max(x, y, z) > rest or min(x, y, z) == rest > 0:
            continue
        if rest == 0:
            if not _is_home(b.cubies[k]):
                continue
            home = True
        s.parent[ply + 1, kept] = b.parent[k]
        s.move[ply + 1, kept] = b.move[k]
        s.left[ply + 1, kept] = rest
        s.first[ply + 1, kept] = _largest(b.ahead[k])
        s.cubies[ply + 1, kept] = b.cubies[k]
        s.behind[ply + 1, kept] = b.behind[k]
        _turn_numbers(t, s.numbers[ply, b.parent[k]], b.move[k], s.numbers[ply + 1, kept])
        kept += 1
    s.waiting[ply + 1] = kept
    return home


@njit(cache=True)
def _largest(ahead):  # type: ignore[no-untyped-def]
    """The axis with the largest of three distances."""
    x, y, z = ahead & 15, ahead >> 4 & 15, ahead >> 8 & 15
    if x >= y:
        return 0 if x >= z else 2
    return 1 if y >= z else 2


@njit(cache=True)
def _turn_numbers(t, numbers, move, after):  # type: ignore[no-untyped-def]
    """The coordinates after a move."""
    for axis in range(3):
        seen = t.axis_moves[axis, move]
        after[3 * axis] = t.flip[numbers[3 * axis], seen]
        after[3 * axis + 1] = t.slice[numbers[3 * axis + 1], seen]
        after[3 * axis + 2] = t.twist[numbers[3 * axis + 2], seen]
    after[9] = t.permutation[numbers[9], move]


@njit(cache=True)
def _is_home(cubies):  # type: ignore[no-untyped-def]
    """Whether every cubie is in its own slot, unturned."""
    home = True
    for corner in range(8):
        home &= cubies[corner] == 3 * corner
    for edge in range(12):
        home &= cubies[8 + edge] == 2 * edge
    return home

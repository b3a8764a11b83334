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

import numpy as np
from numpy.typing import NDArray

from pysim.families.rubik.solver.ida_star.stacks import BATCH, WIDEST, create_around, create_waiting
from pysim.families.rubik.solver.ida_star.table_lookup import look_up, look_up_corners
from pysim.families.rubik.solver.ida_star.tables import Tables
from pysim.kernels import is_interpreting, kernel

__all__ = ["BEGINNING", "Beginnings", "PausableSearch", "search", "search_briefly"]

_FACELESS = 18
"""What stands for the last move at the start: of a seventh face."""
BEGINNING = 3
"""So many moves begin the parts of a search: no more than fit into a row of the stack."""


def search(t: Tables, start: NDArray[np.int64], bound: int) -> tuple[list[int] | None, int]:
    """Return a sequence that solves ``start`` and costs ``bound`` altogether, if there is one.

    Args:
        t: the tables.
        start: (30,) flip, place and twist as seen along each axis, the permutation of the corners,
            and the states of the 8 corners and 12 edges.
        bound: at least 1, to be used up exactly.

    Returns:
        The numbers of the moves, None if there is no such sequence; and how many states were
        expanded.
    """
    one = PausableSearch(t, start, bound)
    while not one.over:
        found = one.run(_ENDLESS)
        if found:
            return found[0], one.nodes
    return None, one.nodes


_ENDLESS = 1 << 62
_INTERPRETED = 128
"""States that a call expands at most while kernels are interpreted."""


def search_briefly(
    t: Tables, start: NDArray[np.int64], bound: int, *, everything: bool
) -> tuple[list[list[int]] | None, int]:
    """Return the sequences that :func:`search` finds, if compiled code isn't worth loading for it.

    Args:
        everything: whether all are wanted, and not only the first.

    Returns:
        The sequences, None if there is too much to search; and how many states were expanded.
    """
    one, found = PausableSearch(t, start, bound), list[list[int]]()
    while not one.over and (everything or not found):
        if not is_interpreting():
            return None, one.nodes
        found += one.run(_ENDLESS)
    return found, one.nodes


_BEGUN = 18 ** (BEGINNING - 1)
"""No more states than these come before the parts."""


class PausableSearch:
    """A search of one bound that stops and goes on; see :func:`search`.

    Attributes:
        nodes: states expanded so far.
        counts: (n,) the same for each part that was taken.
        over: whether all is searched.
    """

    def __init__(self, t: Tables, start: NDArray[np.int64], bound: int) -> None:
        self._tables, self._stack, self._batch = t, create_waiting(bound), create_around()
        self._ply, self.counts = 0, np.zeros(WIDEST, dtype=np.int64)
        self.nodes, self.over = 0, False
        _begin.run(t, self._stack, start, bound)

    def take(self, begun: "Beginnings", parts: NDArray[np.int64]) -> None:
        """Search some parts next, given by their numbers, and nothing else."""
        for name in self._stack._fields[1:]:
            own, other = getattr(self._stack, name), getattr(begun.stack, name)
            own[:BEGINNING, :_BEGUN] = other[:BEGINNING, :_BEGUN]
            own[BEGINNING, : len(parts)] = other[BEGINNING, parts]
        self._stack.waiting[:] = 0
        self._stack.waiting[BEGINNING] = len(parts)
        self._ply, self.over = BEGINNING, False
        self.counts[parts] = 0

    def run(self, most: int) -> list[list[int]]:
        """Expand at most some ``most`` states more; the solutions met, as the numbers of moves.

        Called again and again it gives every solution once.
        """
        if is_interpreting():
            most = min(most, _INTERPRETED)
        self._ply, met, nodes = _search.run(
            self._tables, self._stack, self._batch, self.counts, self._ply, most
        )
        self.nodes += int(nodes)  # Of NumPy, where the kernel is interpreted.
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


class Beginnings:
    """The states after the first three moves, as far as they are near enough: parts of a search.

    Attributes:
        count: how many.
        codes: (count,) the three moves' numbers as one number.
        stack: where they are, in the row :data:`BEGINNING`.
    """

    def __init__(self, t: Tables, start: NDArray[np.int64], bound: int) -> None:
        self.stack = stack = create_waiting(max(bound, BEGINNING))
        _begin(t, stack, start, bound)
        _widen(t, stack, create_around())
        self.count = int(stack.waiting[BEGINNING])
        stack.root[BEGINNING, : self.count] = np.arange(self.count)
        rows, self.codes = np.arange(self.count), np.zeros(self.count, dtype=np.int64)
        for ply in range(BEGINNING, 0, -1):
            moves = stack.move[ply, rows].astype(np.int64)
            self.codes += moves * 18 ** (BEGINNING - ply)
            rows = stack.parent[ply, rows]


@kernel(nogil=True)
def _begin(t, s, start, bound):  # type: ignore[no-untyped-def]
    """Put a state on the stack."""
    for k in range(10):
        s.numbers[0, 0, k] = start[k]
    for k in range(20):
        s.cubies[0, 0, k] = start[10 + k]
    s.move[0, 0], s.left[0, 0], s.waiting[0] = _FACELESS, bound, 1


@kernel(nogil=True)
def _widen(t, s, b):  # type: ignore[no-untyped-def]
    """Make the moves that begin: each row is expanded as a whole."""
    for ply in range(BEGINNING):
        taken = s.waiting[ply]
        s.waiting[ply] = 0
        count = _look_ahead(t, s, b, ply, _moves(t, s, b, ply, taken))
        _push(t, s, b, ply, _look_behind(t, s, b, ply, count))


@kernel(nogil=True)
def _search(t, s, b, counts, ply, most):  # type: ignore[no-untyped-def]
    """At which row of the stack to go on (-1: nowhere), whether cubes there are home, and nodes."""
    nodes = 0
    while ply >= 0 and nodes < most:
        if s.waiting[ply] == 0:
            ply -= 1
            continue
        taken = min(BATCH, s.waiting[ply])
        s.waiting[ply] -= taken
        nodes += taken
        for k in range(s.waiting[ply], s.waiting[ply] + taken):
            counts[s.root[ply, k]] += 1
        count = _look_ahead(t, s, b, ply, _moves(t, s, b, ply, taken))
        home = _push(t, s, b, ply, _look_behind(t, s, b, ply, count))
        ply += 1
        if home:
            return ply, True, nodes
    return ply, False, nodes


@kernel
def _moves(t, s, b, ply, taken):  # type: ignore[no-untyped-def]
    """Return all moves of the last ``taken`` states (after the ones that are left); how many.

    What is looked up first is noted at once.
    """
    parents, moves, rests, needs = b.parent, b.move, b.rest, b.need
    flips, places, twists, numbers = b.flip, b.place, b.twist, s.numbers
    flip_moves, place_moves, twist_moves = t.flip, t.place, t.twist
    axis_moves, costs, spared, behind = t.axis_moves, t.costs, t.spared, s.behind
    count = 0
    for parent in range(s.waiting[ply], s.waiting[ply] + taken):
        left = np.int64(s.left[ply, parent])
        good = t.follows[s.move[ply, parent] // 3]
        for axis in range(3):
            good &= spared[min(left - np.int64(behind[ply, parent, axis]), 2), axis]
        first = np.uint64(s.first[ply, parent])
        flip = numbers[ply, parent, 3 * first]
        place = numbers[ply, parent, 3 * first + np.uint64(1)]
        twist = numbers[ply, parent, 3 * first + np.uint64(2)]
        for move in range(18):
            rest = left - costs[move]
            if good >> move & 1 and rest >= 0:
                seen = axis_moves[first, move]
                parents[count], moves[count], rests[count] = parent, move, rest
                flips[count], places[count] = flip_moves[flip, seen], place_moves[place, seen]
                twists[count], needs[count] = twist_moves[twist, seen], rest
                count += 1
    return count


@kernel
def _look_ahead(t, s, b, ply, count):  # type: ignore[no-untyped-def]
    """Keep the states that are near enough, the axis first that is likely to tell; how many."""
    parents, moves, rests, ahead, far = b.parent, b.move, b.rest, b.ahead, b.far
    flips, places, twists, numbers, needs = b.flip, b.place, b.twist, s.numbers, b.need
    flip_moves, place_moves, twist_moves, axis_moves = t.flip, t.place, t.twist, t.axis_moves
    permutation_moves, firsts = t.permutation, s.first
    for turn in range(3):
        if turn:
            for k in range(count):
                parent = parents[k]
                axis = _next_axis(firsts[ply, parent], turn)
                first, seen = 3 * axis, axis_moves[axis, moves[k]]
                flips[k] = flip_moves[numbers[ply, parent, first], seen]
                places[k] = place_moves[numbers[ply, parent, first + np.uint64(1)], seen]
                twists[k] = twist_moves[numbers[ply, parent, first + np.uint64(2)], seen]
                needs[k] = rests[k]
        look_up(t, b, count)
        count = _keep(t, s, b, ply, turn, count)
    for k in range(count):
        parent, move = parents[k], moves[k]
        flips[k] = permutation_moves[numbers[ply, parent, 9], move]
        twists[k] = twist_moves[numbers[ply, parent, 2], move]
    look_up_corners(t, b, count)
    kept = 0
    for k in range(count):
        parents[kept], moves[kept], rests[kept] = parents[k], moves[k], rests[k]
        ahead[kept] = ahead[k]
        kept += far[k] <= rests[k]
    return kept


@kernel
def _keep(t, s, b, ply, turn, count):  # type: ignore[no-untyped-def]
    """Keep the states that are near enough along an axis, and note how near; how many."""
    parents, moves, rests, equals = b.parent, b.move, b.rest, b.equal
    aheads, fars, firsts, enough = b.ahead, b.far, s.first, t.enough
    kept = 0
    for k in range(count):
        parent, rest, far = parents[k], rests[k], fars[k]
        axis = np.int64(_next_axis(firsts[ply, parent], turn))
        equal = (equals[k] if turn else 0) + ((far == rest) & (rest > 0))
        aheads[kept] = (aheads[k] if turn else 0) | far << 4 * axis
        equals[kept], parents[kept], moves[kept], rests[kept] = equal, parent, moves[k], rest
        kept += (far <= rest) & (equal < enough)
    return kept


@kernel
def _look_behind(t, s, b, ply, count):  # type: ignore[no-untyped-def]
    """Turn the cubies, and keep the states whose inverses are near enough; how many."""
    _turn(t, s, b, ply, count)
    parents, moves, rests, equals, alive = b.parent, b.move, b.rest, b.equal, b.alive
    flips, places, twists, needs, fars = b.flip, b.place, b.twist, b.need, b.far
    behind, before, words, changes, enough = b.behind, s.behind, b.words, t.changes, t.enough
    edge_ranks, corner_ranks = t.edge_ranks, t.corner_ranks
    for axis in range(3):
        some = 0
        for j in range(count):
            k = alive[j]
            word = np.uint64(words[k, axis])
            edges = edge_ranks[word >> np.uint64(23) & np.uint64(65535)]
            flips[some] = word >> np.uint64(12) & np.uint64(2047)
            places[some] = edges + corner_ranks[word >> np.uint64(39)]
            twists[some] = word & np.uint64(4095)
            needs[some] = rests[k]
            some += changes[axis, moves[k]]
        look_up(t, b, some)
        some = kept = 0
        for j in range(count):
            k = alive[j]
            rest, changed = rests[k], changes[axis, moves[k]]
            far = fars[some] if changed else np.int32(before[ply, parents[k], axis])
            some += changed
            behind[k, axis] = far
            equals[k] += (far == rest) & (rest > 0)
            alive[kept] = k
            kept += (far <= rest) & (equals[k] < enough)
        count = kept
    return count


@kernel
def _turn(t, s, b, ply, count):  # type: ignore[no-untyped-def]
    """The cubies after the moves, and the words of the inverses."""
    corner_moves, edge_moves, words = t.corner_moves, t.edge_moves, t.inverse_words
    before, after, moves, parents = s.cubies, b.cubies, b.move, b.parent
    for k in range(count):
        b.alive[k], b.equal[k] = k, 0
        parent, move = parents[k], moves[k]
        x, y, z = 0, 0, 0
        for cubie in range(20):
            state = before[ply, parent, cubie]
            state = corner_moves[move, state] if cubie < 8 else edge_moves[move, state]
            after[k, cubie] = state
            x += words[cubie, state, 0]
            y += words[cubie, state, 1]
            z += words[cubie, state, 2]
        b.words[k, 0], b.words[k, 1], b.words[k, 2] = x, y, z


@kernel
def _next_axis(first, turn):  # type: ignore[no-untyped-def]
    """Return the axis that comes so many places after another one."""
    axis = np.uint64(first) + np.uint64(turn)
    return axis - (np.uint64(3) if axis > np.uint64(2) else np.uint64(0))


@kernel
def _push(t, s, b, ply, count):  # type: ignore[no-untyped-def]
    """Put the states on the stack; whether one is home."""
    home, kept, after = False, 0, ply + 1
    numbers, flip_moves, place_moves, twist_moves = s.numbers, t.flip, t.place, t.twist
    axis_moves, cubies, own_cubies, alive = t.axis_moves, s.cubies, b.cubies, b.alive
    for j in range(count):
        k = alive[j]
        rest, parent, move = b.rest[k], b.parent[k], b.move[k]
        if rest == 0:
            if not _is_home(own_cubies, k):
                continue
            home = True
        s.parent[after, kept], s.move[after, kept], s.left[after, kept] = parent, move, rest
        s.root[after, kept] = s.root[ply, parent]
        s.first[after, kept] = _largest(b.ahead[k])
        for cubie in range(20):
            cubies[after, kept, cubie] = own_cubies[k, cubie]
        for axis in range(3):
            s.behind[after, kept, axis] = b.behind[k, axis]
            seen, n = axis_moves[axis, move], 3 * axis
            numbers[after, kept, n] = flip_moves[numbers[ply, parent, n], seen]
            numbers[after, kept, n + 1] = place_moves[numbers[ply, parent, n + 1], seen]
            numbers[after, kept, n + 2] = twist_moves[numbers[ply, parent, n + 2], seen]
        numbers[after, kept, 9] = t.permutation[numbers[ply, parent, 9], move]
        kept += 1
    s.waiting[after] = kept
    return home


@kernel
def _largest(ahead):  # type: ignore[no-untyped-def]
    """Return the axis with the largest of three distances."""
    x, y, z = ahead & 15, ahead >> 4 & 15, ahead >> 8 & 15
    if x >= y:
        return 0 if x >= z else 2
    return 1 if y >= z else 2


@kernel
def _is_home(cubies, k):  # type: ignore[no-untyped-def]
    """Return whether every cubie is in its own slot, unturned."""
    home = True
    for corner in range(8):
        home &= cubies[k, corner] == 3 * corner
    for edge in range(12):
        home &= cubies[k, 8 + edge] == 2 * edge
    return home

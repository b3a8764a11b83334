"""Simulated annealing over the ways to share out cells among pieces.

A step gives one to three cells, near each other, to other pieces or to none, such that every piece
stays connected. What counts is the number of moves up to the first separation. Where the pieces
never come apart, the moves to the remotest configuration count instead, less a penalty: one cell
less in the right place makes a lock of them. Between equals more configurations are better, and
fewer ways out; an assembly in which nothing moves is no place to search from.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pysim.families.burr.generator.rng import draw_below, draw_unit
from pysim.families.burr.generator.rows import create_rows, flip
from pysim.families.burr.generator.takedown import (
    SearchBuffers,
    Takedown,
    create_buffers,
    take_down,
)
from pysim.kernels import kernel

__all__ = [
    "MOST_CELLS",
    "PER_DOUBLING",
    "PER_EXIT",
    "Annealed",
    "Cooling",
    "Sharing",
    "anneal",
    "change",
    "give",
    "is_touching",
    "keeps_together",
    "undo",
]

MORE_CELLS = 0.35
"""Chance that a step changes one more cell."""
MOST_CELLS = 3
"""Cells that a step changes at most."""
PER_DOUBLING = 0.05
"""Moves that twice as many configurations are worth."""
PER_EXIT = 0.1
"""Moves that one way out less is worth."""
_STUCK = 2.0
"""Moves that assemblies cost which do not come apart."""
_DEAD = -50.0


class Cooling(NamedTuple):
    """Schedule of a search, and its daring.

    Attributes:
        steps: cells that it tries to share out anew, from each start.
        hot, cold: temperatures at the first and the last step, in moves.
        configurations: most configurations that are looked at of one assembly.
    """

    steps: int = 100_000
    hot: float = 0.25
    cold: float = 0.15
    configurations: int = 3000


class Sharing(NamedTuple):
    """Cells, and who has them; owners are pieces by number, and ``pieces`` for nobody.

    Attributes:
        cells: (m, 3) int32 from 0.
        neighbours: (m, 6) int32, cells that touch a cell by a face, -1 where there is none.
        allowed: (m,) uint64, bit p set if owner p may have the cell.
        free: cells that more than one owner may have.
        label: (m,) int32, the owner of each cell; changed by a search.
        rows: the pieces as :func:`~pysim.families.burr.generator.rows.create_rows` says.
        stack, mark: (m,) scratch.
    """

    cells: NDArray[np.int32]
    neighbours: NDArray[np.int32]
    allowed: NDArray[np.uint64]
    free: NDArray[np.int32]
    label: NDArray[np.int32]
    rows: NDArray[np.uint64]
    stack: NDArray[np.int32]
    mark: NDArray[np.bool_]

    @staticmethod
    def from_labels(
        cells: NDArray[np.int32],
        neighbours: NDArray[np.int32],
        allowed: NDArray[np.uint64],
        label: NDArray[np.int32],
        pieces: int,
    ) -> "Sharing":
        """Return cells that are shared out as ``label`` says."""
        free = np.nonzero(allowed & (allowed - np.uint64(1)))[0].astype(np.int32)
        rows = create_rows(pieces, int(cells.max()) + 1)
        for (x, y, z), owner in zip(cells.tolist(), label.tolist(), strict=True):
            if owner < pieces:
                flip(rows, owner, x, y, z)
        stack, mark = np.empty(len(cells), np.int32), np.empty(len(cells), np.bool_)
        return Sharing(cells, neighbours, allowed, free, label.copy(), rows, stack, mark)

    def share(self, label: NDArray[np.int32]) -> "Sharing":
        """Return the same cells, shared out as ``label`` says."""
        pieces = len(self.rows)
        return Sharing.from_labels(self.cells, self.neighbours, self.allowed, label, pieces)


class Annealed(NamedTuple):
    """Result of a search.

    Attributes:
        level: moves to the first separation; 0 if nothing was found that comes apart.
        label: (m,) int32 owners of the cells.
        tried: number of assemblies that were taken apart.
    """

    level: int
    label: NDArray[np.int32]
    tried: int


def anneal(
    sharing: Sharing, least: int, cooling: Cooling, target: int, rng: NDArray[np.uint64]
) -> Annealed:
    """Look for an assembly that comes apart in as many moves as possible, and give the best one.

    Once there is one of ``target`` moves, the search goes on for as long again as it took so far.

    Args:
        sharing: where to start; changed.
        least: cells that every piece keeps.
        rng: see :mod:`pysim.families.burr.generator.rng`; changed.
    """
    room = create_buffers(len(sharing.rows), cooling.configurations)
    level, label, tried = _anneal(sharing, least, cooling, target, rng, room)
    return Annealed(int(level), label, int(tried))


@kernel
def _anneal(
    sharing: Sharing,
    least: int,
    cooling: Cooling,
    target: int,
    rng: NDArray[np.uint64],
    room: SearchBuffers,
) -> tuple[int, NDArray[np.int32], int]:
    found = take_down(sharing.rows, room)
    current = _worth(found)
    best, best_label, tried = 0, sharing.label.copy(), 0
    changed = np.empty((MOST_CELLS, 2), np.int32)
    end = cooling.steps
    for step in range(cooling.steps):
        if step >= end:
            break
        count = change(sharing, rng, changed, False)
        if not keeps_together(sharing, changed, count, least):
            undo(sharing, changed, count)
            continue
        found = take_down(sharing.rows, room)
        tried += 1
        worth = _worth(found)
        heat = cooling.hot * (cooling.cold / cooling.hot) ** (step / cooling.steps)
        if worth < current and draw_unit(rng) >= np.exp((worth - current) / heat):
            undo(sharing, changed, count)
            continue
        current = worth
        if found.apart and found.level > best:
            best = found.level
            for cell in range(len(best_label)):
                best_label[cell] = sharing.label[cell]
            if best >= target and end == cooling.steps:
                end = min(end, 2 * step + 1)
    return best, best_label, tried


@kernel(borrowing=True)
def _worth(found: Takedown) -> float:
    if found.level < 0 or (found.level == 0 and found.visited == 1):
        return _DEAD
    moves = found.level if found.level > 0 else found.depth
    more = PER_DOUBLING * np.log2(found.visited) if found.apart or found.level == 0 else 0.0
    return moves + more - PER_EXIT * found.exits - (0.0 if found.apart else _STUCK)


@kernel(borrowing=True)
def give(sharing: Sharing, cell: int | np.integer, owner: int | np.integer) -> None:
    """Give a cell to a piece, or to nobody."""
    x, y, z = sharing.cells[cell]
    if sharing.label[cell] < len(sharing.rows):
        flip(sharing.rows, sharing.label[cell], x, y, z)
    if owner < len(sharing.rows):
        flip(sharing.rows, owner, x, y, z)
    sharing.label[cell] = owner


@kernel(borrowing=True)
def change(
    sharing: Sharing, rng: NDArray[np.uint64], changed: NDArray[np.int32], is_picky: bool
) -> int:
    """Give some cells away, and write each with its last owner; their number.

    Args:
        is_picky: whether only owners are drawn that may have a cell. Else none is given away where
            another one is drawn.
    """
    wanted, count, owners = 1, 0, len(sharing.rows) + 1
    while wanted < MOST_CELLS and draw_unit(rng) < MORE_CELLS:
        wanted += 1
    while count < wanted:
        cell = sharing.free[draw_below(rng, len(sharing.free))]
        if count > 0:
            near = sharing.neighbours[changed[count - 1, 0], draw_below(rng, 6)]
            cell = near if near >= 0 else cell
        owner = _draw_owner(sharing, cell, rng) if is_picky else draw_below(rng, owners)
        if owner < 0 or not _may_get(sharing, cell, owner) or not is_touching(sharing, cell, owner):
            undo(sharing, changed, count)
            return 0
        changed[count, 0], changed[count, 1] = cell, sharing.label[cell]
        give(sharing, cell, owner)
        count += 1
    return count


@kernel(borrowing=True)
def _draw_owner(sharing: Sharing, cell: int | np.integer, rng: NDArray[np.uint64]) -> int:
    """Return another owner that a cell may have; -1 if there is none."""
    others = 0
    for owner in range(len(sharing.rows) + 1):
        others += _may_get(sharing, cell, owner)
    if others == 0:
        return -1
    pick = draw_below(rng, others)
    for owner in range(len(sharing.rows) + 1):
        if _may_get(sharing, cell, owner):
            if pick == 0:
                return owner
            pick -= 1
    return -1


@kernel(borrowing=True)
def _may_get(sharing: Sharing, cell: int | np.integer, owner: int | np.integer) -> bool:
    """Return whether a cell may have an owner, and has another one."""
    may = sharing.allowed[cell] >> np.uint64(owner) & np.uint64(1)
    return bool(may) and bool(owner != sharing.label[cell])


@kernel(borrowing=True)
def undo(sharing: Sharing, changed: NDArray[np.int32], count: int) -> None:
    """Give cells back to their last owners."""
    for k in range(count - 1, -1, -1):
        give(sharing, changed[k, 0], changed[k, 1])


@kernel(borrowing=True)
def is_touching(sharing: Sharing, cell: int | np.integer, owner: int | np.integer) -> bool:
    """Return whether a cell touches one of an owner's by a face; nobody's may be anywhere."""
    if owner == len(sharing.rows):
        return True
    for k in range(6):
        near = sharing.neighbours[cell, k]
        if near >= 0 and sharing.label[near] == owner:
            return True
    return False


@kernel(borrowing=True)
def keeps_together(sharing: Sharing, changed: NDArray[np.int32], count: int, least: int) -> bool:
    """Return whether every piece that was changed is whole; False if none was."""
    for k in range(count):
        for piece in (changed[k, 1], sharing.label[changed[k, 0]]):
            if piece < len(sharing.rows) and not _is_whole(sharing, piece, least):
                return False
    return count > 0


@kernel(borrowing=True)
def _is_whole(sharing: Sharing, piece: int, least: int) -> bool:
    """Return whether a piece is connected and has enough cells."""
    label, stack, mark = sharing.label, sharing.stack, sharing.mark
    total = 0
    for cell in range(len(label)):
        mark[cell] = False
        if label[cell] == piece:
            total += 1
            stack[0] = cell
    if total < least:
        return False
    mark[stack[0]] = True
    top, seen = 1, 1
    while top:
        top -= 1
        cell = stack[top]
        for k in range(6):
            near = sharing.neighbours[cell, k]
            if near >= 0 and label[near] == piece and not mark[near]:
                mark[near] = True
                stack[top] = near
                top += 1
                seen += 1
    return seen == total

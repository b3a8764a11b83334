"""Boxes that come apart one piece after another, in one order only.

After P. Song, C.-W. Fu and D. Cohen-Or, *Recursive Interlocking Puzzles* (2012): pieces are cut
from a full box one by one. What is cut can be taken out of the rest straight away in one direction;
but as long as the piece before it is there it can't, for that is in its way. So if each piece, the
one before it and the rest taken as one are locked but for the one before, then at every stage one
piece alone can move. :func:`find_forced_order` checks this for all pieces, and knows nothing of
how they were made.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from random import Random

from pysim.geometry import IDENTITY, Cell, Direction, Voxels, add, subtract
from pysim.geometry.resting import find_stable_rotation

__all__ = ["LEAST_CELLS", "Exit", "cut", "find_forced_order"]

LEAST_CELLS = 4
"""Cells of the smallest piece."""
TRIALS = 400
"""Pieces that are grown at each stage."""
CHOICE = 6
"""Pieces that fit, of which the one is taken that leaves the most compact rest."""
MOST_DEAD_ENDS = 60
"""Stages at which nothing was found, before an attempt is given up."""
SHARES = (0.4, 0.8)
"""Least and greatest size of a piece, as shares of the box for each piece: the last one gets more,
for of a rest that is all thin walls and loose ends nothing can be cut.
"""

Exit = tuple[int, Direction]
"""A piece, and where to it can be taken out."""
CellSet = frozenset[Cell]


@dataclass(frozen=True, slots=True)
class _Cut:
    """Part that was cut from the rest, its goal, and the parts that are left."""

    piece: CellSet
    direction: Direction
    rest: CellSet


def cut(pieces: int, size: Cell, rng: Random) -> list[Voxels] | None:
    """Pieces that fill a box, in the order in which they come out; None if it did not work out."""
    cuts: list[_Cut] = []
    dead_ends = 0
    box = rest = Voxels.make_block(size).cell_set
    low, high = (max(LEAST_CELLS, round(share * len(box) / pieces)) for share in SHARES)
    while len(cuts) < pieces - 1:
        found = _next(cuts, rest, (low, high), pieces - len(cuts) - 1, rng)
        if found is not None:
            cuts.append(found)
        else:
            dead_ends += 1
            if dead_ends > MOST_DEAD_ENDS:
                return None
            del cuts[-min(len(cuts), 1 + dead_ends // 10) :]
        rest = cuts[-1].rest if cuts else box
    return [*(Voxels.from_cells(c.piece) for c in cuts), Voxels.from_cells(rest)]


def _next(
    cuts: Sequence[_Cut], rest: CellSet, sizes: tuple[int, int], after: int, rng: Random
) -> _Cut | None:
    """The next piece, if one is found; ``after`` pieces are to be made of what is left then."""
    fits: list[_Cut] = []
    for _ in range(TRIALS):
        trial = _grow(cuts, rest, sizes, rng)
        if trial is not None and _is_good(cuts, trial, after):
            fits.append(trial)
            if len(fits) == CHOICE:
                break
    return max(fits, key=lambda c: _contacts(c.rest), default=None)


def _grow(cuts: Sequence[_Cut], rest: CellSet, sizes: tuple[int, int], rng: Random) -> _Cut | None:
    """Return a connected piece that nothing of the rest keeps from going its way."""
    ways = [d for d in Direction if not cuts or d.axis is not cuts[-1].direction.axis]
    direction = rng.choice(ways)
    seeds = _seeds(cuts, rest, direction)
    if not seeds:
        return None
    wanted = rng.randint(*sizes)
    piece = set(_column(rng.choice(seeds), direction, rest))
    while len(piece) < wanted:
        around = sorted(_around(piece, rest))
        if not around:
            return None
        piece.update(_column(rng.choice(around), direction, rest))
    if len(piece) > sizes[1]:
        return None
    return _Cut(frozenset(piece), direction, rest - piece)


def _seeds(cuts: Sequence[_Cut], rest: CellSet, direction: Direction) -> list[Cell]:
    """Return cells to begin with: the piece before must be in their way."""
    if not cuts:
        return sorted(cell for cell in rest if add(cell, direction.vector) not in rest)
    back = direction.vector
    return sorted(c for cell in cuts[-1].piece if (c := subtract(cell, back)) in rest)


def _column(cell: Cell, direction: Direction, rest: CellSet) -> list[Cell]:
    """Return a cell, and all of the rest that is in front of it."""
    step = direction.vector
    reach = max(max(c) for c in rest) + 1
    line = [cell]
    at = cell
    for _ in range(reach):
        at = add(at, step)
        if at in rest:
            line.append(at)
    return line


def _around(piece: Iterable[Cell], rest: CellSet) -> set[Cell]:
    """Return cells of the rest that touch a piece."""
    cells = set(piece)
    near = {add(cell, direction.vector) for cell in cells for direction in Direction}
    return (near & rest) - cells


def _is_good(cuts: Sequence[_Cut], trial: _Cut, after: int) -> bool:
    """Return whether a piece is one to go on with."""
    if len(trial.rest) < LEAST_CELLS * after:
        return False
    last = after == 1
    if _ways_out([trial.piece, trial.rest]) != [(0, trial.direction)] and not last:
        return False
    if cuts:
        before = cuts[-1]
        if _ways_out([before.piece, trial.piece, trial.rest]) != [(0, before.direction)]:
            return False
    return (
        Voxels(tuple(trial.piece)).is_connected
        and Voxels(tuple(trial.rest)).is_connected
        and _lies(trial.piece)
        and (not last or _lies(trial.rest))
    )


def _lies(piece: CellSet) -> bool:
    """Return whether it can be laid on a table."""
    try:
        find_stable_rotation(Voxels.from_cells(piece).move_to_origin(), IDENTITY)
    except ValueError:
        return False
    return True


def _contacts(cells: CellSet) -> int:
    """Return faces that cells of a shape have in common: the more, the more compact it is."""
    steps = [d.vector for d in Direction if d.sign > 0]
    return sum(add(cell, step) in cells for cell in cells for step in steps)


def find_forced_order(pieces: Sequence[Voxels]) -> list[Exit] | None:
    """Return the only order in which the pieces come apart; None if there is not just one.

    At each stage it is checked that one piece can move alone (or all others the other way, which is
    the same), in one direction, and no other set of pieces can move by even one unit. Of the last
    two, the first piece is the one that is taken.
    """
    left = list(range(len(pieces)))
    order: list[Exit] = []
    while len(left) > 1:
        shapes = [pieces[i].cell_set for i in left]
        ways = _ways_out(shapes)
        if not ways or min(ways)[0] < 0 or (len(left) > 2 and len(ways) > 1):
            return None
        clear = [way for way in ways if _is_clear(shapes, *way)]
        if not clear:
            return None
        place, direction = clear[0]
        order.append((left.pop(place), direction))
    return order


def _is_clear(pieces: Sequence[CellSet], place: int, direction: Direction) -> bool:
    """Return whether nothing is in the way of a piece, however far it goes."""
    others = frozenset().union(*(p for i, p in enumerate(pieces) if i != place))
    return all(len(_column(cell, direction, others)) == 1 for cell in pieces[place])


def _ways_out(pieces: Sequence[CellSet]) -> list[Exit]:
    """Single pieces that can move by one unit, and where to; place -1 stands for other sets.

    A set that can move is a union of the smallest ones with each piece. All others moving one way
    is the piece moving the other way, and is told as that; of two pieces the first is told.
    """
    owner = {cell: i for i, piece in enumerate(pieces) for cell in piece}
    everything = frozenset(range(len(pieces)))
    found: dict[Exit, None] = {}
    for direction in Direction:
        ahead = [
            {owner[c] for cell in piece if (c := add(cell, direction.vector)) in owner}
            for piece in pieces
        ]
        for start in everything:
            moving = _pushed(start, ahead)
            staying = everything - moving
            if not staying:
                continue
            sides = ((moving, direction), (staying, direction.opposite))
            alone = sorted((min(side), way) for side, way in sides if len(side) == 1)
            found[alone[0] if alone else (-1, direction)] = None
    return sorted(found)


def _pushed(start: int, ahead: Sequence[set[int]]) -> frozenset[int]:
    """Return the smallest set with a piece that can move by one unit."""
    moving, frontier = {start}, [start]
    while frontier:
        added = ahead[frontier.pop()] - moving
        moving |= added
        frontier.extend(added)
    return frozenset(moving)

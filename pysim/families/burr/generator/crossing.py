"""Rods and boards that cross: each has its place, and where places cross, one has the cell.

Cells of one place only are filled for sure. A cell in several places belongs to one of their
pieces, or stays empty: it is a notch of all others.
"""

from collections.abc import Mapping, Sequence
from random import Random

from pysim.families.burr.generator.canvas import NOBODY, is_whole
from pysim.geometry import Bounds, Cell, subtract

__all__ = ["count_by_axis", "find_owners", "make_block", "share_cells", "to_origin"]


def make_block(low: Sequence[int], size: Sequence[int], along: int) -> frozenset[Cell]:
    """Return a block of cells whose coordinates are counted from axis ``along`` on, cyclically."""
    cells = []
    for p in range(size[0]):
        for q in range(size[1]):
            for r in range(size[2]):
                cell = [0, 0, 0]
                for k, value in enumerate((p, q, r)):
                    cell[(along + k) % 3] = low[k] + value
                cells.append((cell[0], cell[1], cell[2]))
    return frozenset(cells)


def count_by_axis(pieces: int) -> list[int]:
    """Return pieces along x, y and z: as many of each as possible."""
    return [(pieces + 2 - axis) // 3 for axis in range(3)]


def to_origin(places: Sequence[frozenset[Cell]]) -> list[frozenset[Cell]]:
    """Return the places, moved together so that the low corner of the whole is the origin."""
    low = Bounds.cover(Bounds(c, c) for place in places for c in place).low
    return [frozenset(subtract(cell, low) for cell in place) for place in places]


def find_owners(places: Sequence[frozenset[Cell]]) -> dict[Cell, frozenset[int]]:
    """See :attr:`pysim.families.burr.generator.canvas.Canvas.owners`."""
    owners: dict[Cell, set[int]] = {}
    for piece, place in enumerate(places):
        for cell in place:
            owners.setdefault(cell, set()).add(piece)
    return {
        cell: frozenset(who | {NOBODY}) if len(who) > 1 else frozenset(who)
        for cell, who in owners.items()
    }


def share_cells(
    places: Sequence[frozenset[Cell]], kept: Mapping[Cell, int], empty: float, rng: Random
) -> Mapping[Cell, int] | None:
    """Return a random way to give every shared cell to one piece or none, all pieces staying whole.

    Each piece begins with its whole place; a shared cell is taken from all but one of its pieces.
    None if a cell was left that two pieces can't do without.

    Args:
        kept: cells that are given to a certain piece.
        empty: share of the other shared cells that stays empty, as far as possible.
    """
    owned = [set(place) for place in places]
    owners = find_owners(places)
    shared = sorted(cell for cell, who in owners.items() if NOBODY in who)
    rng.shuffle(shared)
    shared.sort(key=lambda cell: cell not in kept)
    for cell in shared:
        who = sorted(owners[cell] - {NOBODY})
        rng.shuffle(who)
        order = [NOBODY, *who] if rng.random() < empty else [*who, NOBODY]
        order = [kept[cell]] if cell in kept else order
        keeper = next((k for k in order if _can_keep(owned, who, cell, k)), None)
        if keeper is None:
            return None
        for piece in who:
            if piece != keeper:
                owned[piece].discard(cell)
    found = dict.fromkeys(owners, NOBODY)
    return found | {cell: piece for piece, cells in enumerate(owned) for cell in cells}


def _can_keep(owned: list[set[Cell]], who: list[int], cell: Cell, keeper: int) -> bool:
    """Return whether all others stay whole without the cell."""
    return all(piece == keeper or is_whole(owned[piece] - {cell}) for piece in who)

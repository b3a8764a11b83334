"""Putting six burr sticks together: all assemblies of the classic six-piece burr.

The sticks lie in three crossing pairs around the middle of a cube of the sticks' length. Cells in
which sticks cross may stay empty; all others must be filled.
"""

from collections.abc import Iterator, Sequence

from pysim.errors import InputError
from pysim.families.burr.files.design import Design, DrawnShape, PartUse, Problem
from pysim.families.burr.notches import make_stick
from pysim.geometry import Cell, Pose, Voxels, list_rotations
from pysim.search.exact_cover import CoverMatrix, enumerate_exact_covers

__all__ = ["enumerate_six_piece_assemblies", "make_six_piece_design"]


def enumerate_six_piece_assemblies(
    numbers: Sequence[int], length: int = 6
) -> Iterator[tuple[Pose, ...]]:
    """Yield the poses of the six sticks in every assembly, copies turned as a whole left out.

    Mirrored copies count as different. Sticks with equal numbers are interchangeable.

    Args:
        numbers: six burr piece numbers.
        length: length of all sticks.

    Raises:
        InputError: not six numbers, or a number that is no piece.
    """
    if len(numbers) != 6:
        raise InputError(f"a six-piece burr has six pieces, not {len(numbers)}")
    sticks = [make_stick(number, length) for number in numbers]
    slots = [slot.cell_set for slot in _slots(length)]
    # Columns are the six pieces, the cells of one stick only, and those of several.
    cells = sorted(set().union(*slots), key=lambda c: (sum(c in s for s in slots) > 1, c))
    column = {cell: 6 + i for i, cell in enumerate(cells)}
    primary = 6 + sum(sum(c in s for s in slots) == 1 for c in cells)
    placements = [
        (piece, pose, placed)
        for piece, stick in enumerate(sticks)
        for pose, placed in _placements(stick, slots)
    ]
    rows = [[p, *(column[c] for c in placed)] for p, _, placed in placements]
    matrix = CoverMatrix.from_rows(rows, primary, optional=6 + len(cells) - primary)
    seen: set[frozenset[frozenset[Cell]]] = set()
    for chosen in enumerate_exact_covers(matrix):
        by_piece = sorted(placements[row][:2] for row in chosen)
        assembly = frozenset(placements[row][2] for row in chosen)
        if assembly not in seen:
            seen.update(_turned_copies(assembly, length))
            yield tuple(pose for _, pose in by_piece)


def make_six_piece_design(numbers: Sequence[int], length: int = 6) -> Design:
    """Return the classic six-piece burr as a design to be solved, equal sticks as one part.

    Raises:
        InputError: not six numbers, or a number that is no piece.
    """
    if len(numbers) != 6:
        raise InputError(f"a six-piece burr has six pieces, not {len(numbers)}")
    slots = [slot.cell_set for slot in _slots(length)]
    cells = frozenset().union(*slots)
    filled = frozenset(cell for cell in cells if sum(cell in slot for slot in slots) == 1)
    distinct = sorted(set(numbers))
    sticks = [make_stick(number, length) for number in distinct]
    shapes = [DrawnShape((length, length, length), filled, cells - filled)]
    shapes += [
        DrawnShape((length, 2, 2), stick.cell_set, name=str(number))
        for number, stick in zip(distinct, sticks, strict=True)
    ]
    counts = [list(numbers).count(number) for number in distinct]
    parts = tuple(PartUse(i + 1, count, count) for i, count in enumerate(counts))
    return Design(tuple(shapes), (Problem("", parts, 0),))


def _slots(length: int) -> list[Voxels]:
    """Return the six full sticks of an assembled burr."""
    middle = length // 2
    pair = [(middle - 2, middle - 1), (middle, middle + 1)]
    slots = []
    for along in range(3):
        across, stacked = (along + 1) % 3, (along + 2) % 3
        for levels in pair:
            cells = []
            for position in range(length):
                for a in (middle - 1, middle):
                    for b in levels:
                        cell = [0, 0, 0]
                        cell[along], cell[across], cell[stacked] = position, a, b
                        cells.append((cell[0], cell[1], cell[2]))
            slots.append(Voxels.from_cells(cells))
    return slots


def _placements(
    stick: Voxels, slots: Sequence[frozenset[Cell]]
) -> Iterator[tuple[Pose, frozenset[Cell]]]:
    """Yield ways to lay a stick into a slot, each set of cells once."""
    seen: set[frozenset[Cell]] = set()
    for slot in slots:
        corner = Voxels.from_cells(slot).bounds.low
        for rotation in list_rotations():
            pose = Pose.place_corner(stick, rotation, corner)
            placed = pose.place(stick).cell_set
            if placed <= slot and placed not in seen:
                seen.add(placed)
                yield pose, placed


def _turned_copies(
    assembly: frozenset[frozenset[Cell]], length: int
) -> Iterator[frozenset[frozenset[Cell]]]:
    """Yield the assembly turned in the 24 ways about the middle of the cube."""
    for rotation in list_rotations():
        corner = Voxels.make_block((length, length, length)).rotate(rotation).bounds.low
        yield frozenset(
            frozenset(
                (c[0] - corner[0], c[1] - corner[1], c[2] - corner[2])
                for c in map(rotation.apply, piece)
            )
            for piece in assembly
        )

"""Packing puzzles in words: the task and the state, for agents."""

from pysim.families.packing.box import Packing
from pysim.families.packing.grid import Spot, list_cells
from pysim.families.packing.moves import find_world_pose
from pysim.families.packing.state import PackingState
from pysim.geometry import Cell

__all__ = ["describe_state", "write_instruction"]


def write_instruction(packing: Packing, *, pictures: bool = True) -> str:
    """Return the task in words.

    Args:
        pictures: whether it goes with some.
    """
    a, b, c = packing.size
    fall = (
        "There is gravity: a piece has to be supported where it is put, by the floor or by pieces "
        "below it, or it would tip or fall. "
        if packing.gravity
        else "There is no gravity: a piece stays where it is put. "
    )
    return (
        f"This is a box of {a} x {b} x {c} unit cells and {len(packing.pieces)} rigid pieces made "
        f"of unit cubes, which lie on the table: {', '.join(packing.colours)}. Fill the box "
        f"exactly: every cell is to be covered once, and every piece used. Cells are named [x, y, "
        f"z], from [0, 0, 0] to [{a - 1}, {b - 1}, {c - 1}]; z points up. The box has walls and "
        f"a floor{', drawn as lines' if pictures else ''}; its open sides are: "
        f"{', '.join(packing.exits)}. A piece moves in and out through an open side in a straight "
        f"line, turned as it is to be, and can't pass through others. {fall}"
        f"A piece that is in the way can be picked up again."
    )


def describe_state(packing: Packing, state: PackingState) -> str:
    """Return one line per piece with its cells, then one per layer of the box, lowest first."""
    pieces = [
        f"{piece.colour}: {_whereabouts(packing, i, place)}"
        for i, (piece, place) in enumerate(zip(packing.pieces, state.places, strict=True))
    ]
    return "\n".join([*pieces, *_layers(packing, state)])


def _whereabouts(packing: Packing, piece: int, place: Spot | None) -> str:
    shape = packing.pieces[piece].shape
    if place is None:
        return f"on the table, its own cells {_cells(shape.cells)}"
    cells = find_world_pose(packing, piece, place).place(shape).cells
    return f"in the box, rotation {place.rotation.name}, cells {_cells(cells)}"


def _cells(cells: tuple[Cell, ...]) -> str:
    return " ".join(f"({x},{y},{z})" for x, y, z in cells)


def _layers(packing: Packing, state: PackingState) -> list[str]:
    """Return rows along x, from y = 0 on; a dot is an empty cell."""
    names = {
        cell: piece.colour
        for piece, place in zip(packing.pieces, state.places, strict=True)
        if place is not None
        for cell in list_cells(packing.size, place.mask)
    }
    a, b, c = packing.size
    return [
        f"layer z={z}: "
        + " / ".join(
            f"y={y}: " + " ".join(names.get((x, y, z), ".") for x in range(a)) for y in range(b)
        )
        for z in range(c)
    ]

"""Six-piece burrs: six sticks with numbers in W. Cutler's convention."""

from dataclasses import replace
from functools import cache

from pysim.families.burr.generator.annealing import Cooling
from pysim.families.burr.generator.canvas import Canvas, Drawn, Filling
from pysim.families.burr.generator.rods import make_canvas as rods_canvas
from pysim.families.burr.notches import make_stick
from pysim.geometry import Cell, Voxels, list_rotations

__all__ = ["find_stick", "make_canvas"]

COOLING = Cooling(steps=20_000, configurations=2000)


def make_canvas(length: int) -> Canvas:
    """The classic burr of sticks of some length: all that can be cut from it has a number."""
    rods = rods_canvas(6, length)
    return replace(rods, drawn=find_stick, cooling=COOLING, filling=Filling.IF_AMBIGUOUS)


def find_stick(cells: Voxels) -> Drawn:
    """Return a stick as its number says, the lowest of them if there are several; and the number.

    Raises:
        ValueError: it is no burr stick.
    """
    length = max(cells.bounds.size)
    numbers = []
    for rotation in list_rotations():
        turned = cells.rotate(rotation).move_to_origin()
        if turned.bounds.size == (length, 2, 2):
            missing = Voxels.make_block((length, 2, 2)).cell_set - turned.cell_set
            values = [_values(length).get(cell, 0) for cell in missing]
            if all(values):
                numbers.append(1 + sum(values))
    if not numbers:
        raise ValueError("this is no burr stick")
    number = min(numbers)
    return make_stick(number, length), str(number)


@cache
def _values(length: int) -> dict[Cell, int]:
    """Return a cell that may be notched -> what it adds to the number."""
    full = make_stick(1, length).cell_set
    values = [1 << k for k in range(12)]
    return {cell: v for v in values for cell in full - make_stick(1 + v, length).cell_set}

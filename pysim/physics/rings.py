"""What a turning set of bodies could touch: the rings that their cells sweep in a whole turn."""

import math
from collections.abc import Iterable, Sequence

from pysim.geometry import Axis, Cell

__all__ = ["Rings", "reach_of"]


def reach_of(axis: Axis, centre: Cell, cells: Iterable[Sequence[float]]) -> float:
    """How far from an axis some cells reach with their corners, in units."""
    across = [i for i in range(3) if i != axis.number]
    return max(math.hypot(*(abs(cell[i] - centre[i]) + 0.5 for i in across)) for cell in cells)


class Rings:
    """For each layer of cells across an axis, the ring around the axis that some cells sweep.

    Exact in whole numbers: squares of distances are those of doubled coordinates, in which a cell
    reaches 1 to each side of its middle.
    """

    def __init__(self, axis: Axis, centre: Cell, cells: Iterable[Cell]) -> None:
        self._axis, self._centre = axis.number, centre
        self._spans: dict[int, list[tuple[int, int]]] = {}
        for cell in cells:
            self._spans.setdefault(cell[self._axis], []).append(self._span(cell))

    def touch(self, cell: Cell) -> bool:
        """Whether a cell reaches into one of the rings; touching its border does not count."""
        spans = self._spans.get(cell[self._axis])
        if spans is None:
            return False
        low, high = self._span(cell)
        return any(low < outer and inner < high for inner, outer in spans)

    def _span(self, cell: Cell) -> tuple[int, int]:
        """Squares of the least and the greatest distance of a cell from the axis, doubled."""
        far = [2 * abs(cell[i] - self._centre[i]) for i in range(3) if i != self._axis]
        return (
            sum(max(0, distance - 1) ** 2 for distance in far),
            sum((distance + 1) ** 2 for distance in far),
        )

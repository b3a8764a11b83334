"""Volume that turning bodies could touch: the rings that their cells sweep."""

import math
from collections.abc import Iterable, Sequence

from pysim.geometry import Axis, Cell
from pysim.motion import Turn

__all__ = ["SWEEP_STEP", "SweptRings", "list_angles", "measure_reach"]

_TURN_STEP = 10.0
"""Degrees between two looks at bodies that turn; a corner 2 units from the axis goes 0.35 units."""
SWEEP_STEP = 0.35
"""Units that no cell of a body which turns in free air, or on a hinge, goes between two looks."""


def measure_reach(axis: Axis, centre: Cell, cells: Iterable[Sequence[float]]) -> float:
    """Measure the reach of some cells from an axis, with their corners, in units."""
    across = [i for i in range(3) if i != axis.number]
    return max(math.hypot(*(abs(cell[i] - centre[i]) + 0.5 for i in across)) for cell in cells)


def list_angles(turn: Turn, reach: float) -> list[float]:
    """Return the angles at which bodies that turn are looked at, in degrees.

    A whole turn is looked at, as the lattice does: the ring must be free. What is hinged goes its
    own way only, and no corner farther than ``SWEEP_STEP`` at a time.
    """
    if not turn.hinged:
        return [step * _TURN_STEP for step in range(1, math.ceil(360.0 / _TURN_STEP))]
    count = math.ceil(math.radians(abs(turn.degrees)) * reach / SWEEP_STEP)
    return [turn.degrees * step / count for step in range(1, count + 1)]


class SweptRings:
    """For each layer of cells across an axis, the ring around the axis that some cells sweep.

    Exact in whole numbers: squares of distances are those of doubled coordinates, in which a cell
    reaches 1 to each side of its middle.
    """

    def __init__(self, axis: Axis, centre: Cell, cells: Iterable[Cell]) -> None:
        self._axis, self._centre = axis.number, centre
        self._spans: dict[int, list[tuple[int, int]]] = {}
        for cell in cells:
            self._spans.setdefault(cell[self._axis], []).append(self._span(cell))

    def overlaps(self, cell: Cell) -> bool:
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

"""Motions that a world executes."""

from dataclasses import dataclass

from pysim.geometry import Axis, Cell, Direction, Pose, add, make_quarter_turn, subtract
from pysim.path import Path

__all__ = ["Carry", "Motion", "Sweep", "Turn"]


@dataclass(frozen=True, slots=True)
class Sweep:
    """Translate ``bodies`` together, as one, along a straight path of ``distance`` >= 1 units.

    It goes the whole way or not at all; what stands in the way is reported.
    """

    bodies: frozenset[str]
    direction: Direction
    distance: int


@dataclass(frozen=True, slots=True)
class Carry:
    """Take ``bodies`` up together, as one, bring them along a way and put them down.

    They go the whole way or not at all, and like a sweep's bodies they may enter no other one on
    it; what stands in the way is reported. The table is in the way as well: nothing is carried
    through it.

    Attributes:
        bodies: their names.
        way: leg by leg; where they are put follows from it. No legs: they stay where they are.
        loose: True if they are set down and let go, False if they are held there.
    """

    bodies: frozenset[str]
    path: Path
    loose: bool


@dataclass(frozen=True, slots=True)
class Turn:
    """Turn ``bodies`` together, as one, about an axis through the middle of a cell.

    It goes the whole way or not at all. Nothing else may reach into the ring that the bodies would
    sweep in a whole turn, or, if they are hinged, into what they pass on their way.

    Attributes:
        bodies: their names.
        axis: its direction.
        centre: a cell on the axis.
        quarters: right-handed quarter turns: 1, 2 or 3, where 3 is shown as one the other way.
        hinged: whether they turn as on a hinge: beside what they pass, the ring may be full.
    """

    bodies: frozenset[str]
    axis: Axis
    centre: Cell
    quarters: int
    hinged: bool = False

    @property
    def degrees(self) -> int:
        """The angle by which they turn: 90, 180 or -90."""
        return 90 * self.quarters if self.quarters < 3 else -90

    def apply(self, pose: Pose) -> Pose:
        """Return the pose of a body in ``pose`` afterwards."""
        rotation = make_quarter_turn(self.axis, self.quarters)
        offset = rotation.apply(subtract(pose.offset, self.centre))
        return Pose(rotation.compose(pose.rotation), add(offset, self.centre))


Motion = Sweep | Carry | Turn

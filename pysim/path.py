"""The legs of a way on which bodies are carried: straight shifts, and turns in free air.

All of it is whole numbers. A block's middle, which may lie between two cells, is told by doubled
coordinates, in which a cell reaches 1 to each side of its own middle.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from math import isqrt

from pysim.geometry import Bounds, Cell, Direction, Pose, Rotation, add, scale

__all__ = ["Path", "Segment", "Shift", "Spin", "double_middle", "rotate_block"]


@dataclass(frozen=True, slots=True)
class Shift:
    """Go straight on by ``distance`` >= 1 units."""

    direction: Direction
    distance: int

    @property
    def vector(self) -> Cell:
        """The whole translation."""
        return scale(self.direction.vector, self.distance)

    def apply(self, pose: Pose) -> Pose:
        """Return the pose of a body in ``pose`` afterwards."""
        return pose.translate(self.vector)

    def apply_to_block(self, block: Bounds) -> Bounds:
        """Return the bounds of a block of cells afterwards."""
        return block.translate(self.vector)

    def sweep_block(self, block: Bounds) -> Bounds:
        """Return the block around all that a block of cells goes through."""
        return block.union(block.translate(self.vector))


@dataclass(frozen=True, slots=True)
class Spin:
    """Turn in free air: every point p of the world that moves along gets to R p + ``offset``.

    What is carried turns about the middle of the block around it, the shorter way round, while that
    middle goes straight to its new place. No farther from it than the corners of the block may
    anything else be.

    Attributes:
        rotation: R, not the identity.
        offset: translation after it.
    """

    rotation: Rotation
    offset: Cell

    def apply(self, pose: Pose) -> Pose:
        """Return the pose of a body in ``pose`` afterwards."""
        there = add(self.rotation.apply(pose.offset), self.offset)
        return Pose(self.rotation.compose(pose.rotation), there)

    def apply_to_block(self, block: Bounds) -> Bounds:
        """Return the bounds of a block of cells afterwards."""
        return rotate_block(block, self.rotation).translate(self.offset)

    def sweep_block(self, block: Bounds) -> Bounds:
        """The cells that the ball around ``block`` comes near on its way; they have to be free.

        It is the block around the balls at both ends, so it holds some cells that the balls miss.
        """
        here, there = double_middle(block), double_middle(self.apply_to_block(block))
        reach = _ceiling_of_root(sum(size * size for size in block.size))
        ends = [
            _cells_within(min(here[i], there[i]) - reach, max(here[i], there[i]) + reach)
            for i in range(3)
        ]
        (x0, x1), (y0, y1), (z0, z1) = ends
        return Bounds((x0, y0, z0), (x1, y1, z1))


Segment = Shift | Spin


class Path:
    """Legs, one after another, equal if the legs are; often made only when somebody asks for them.

    Args:
        legs: the legs, or a function that finds them when they are first asked for: rules answer
            many questions about moves that are never made.
    """

    __slots__ = ("_legs", "_make")

    def __init__(self, legs: Iterable[Segment] | Callable[[], Iterable[Segment]] = ()) -> None:
        self._make = legs if callable(legs) else lambda: legs
        self._legs: tuple[Segment, ...] | None = None

    @property
    def segments(self) -> tuple[Segment, ...]:
        """The legs."""
        if self._legs is None:
            self._legs = tuple(self._make())
        return self._legs

    def apply(self, pose: Pose) -> Pose:
        """Return the pose of a body in ``pose`` afterwards."""
        for leg in self.segments:
            pose = leg.apply(pose)
        return pose

    def __iter__(self) -> Iterator[Segment]:
        return iter(self.segments)

    def __len__(self) -> int:
        return len(self.segments)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Path) and self.segments == other.segments

    def __hash__(self) -> int:
        return hash(self.segments)

    def __repr__(self) -> str:
        return f"Path({list(self.segments)!r})"


def double_middle(block: Bounds) -> Cell:
    """Twice the coordinates of the middle of a block."""
    return add(block.low, block.high)


def rotate_block(block: Bounds, rotation: Rotation) -> Bounds:
    """Return a block of cells, turned about the origin."""
    (a, b, c), (d, e, f) = rotation.apply(block.low), rotation.apply(block.high)
    return Bounds((min(a, d), min(b, e), min(c, f)), (max(a, d), max(b, e), max(c, f)))


def _ceiling_of_root(square: int) -> int:
    """Return the least whole number whose square is at least ``square`` >= 1."""
    return isqrt(square - 1) + 1


def _cells_within(low: int, high: int) -> tuple[int, int]:
    """Return the first and the last cell of which a part lies between two doubled coordinates."""
    return (low + 1) // 2, high // 2

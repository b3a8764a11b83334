"""A bar, a wall and a stone, and ways to move them."""

from pysim.geometry import Direction, Voxels
from pysim.motion import Carry, Sweep
from pysim.path import Path, Shift
from tests.physics.scenes import named, scene_of

__all__ = ["BAR", "SCENE", "STICK", "STONE", "carry", "sweep"]

BAR = Voxels.make_block((4, 1, 1))
STICK = Voxels.make_block((1, 5, 1))
STONE = Voxels.make_block((2, 2, 2))
SCENE = scene_of(
    named("bar", BAR, (0, 0, 0)),
    named("wall", Voxels.make_block((1, 3, 3)), (6, 0, 0)),
    named("stone", STONE, (25, 0, 0), loose=True),
)


def sweep(direction: str, distance: int, *bodies: str) -> Sweep:
    return Sweep(frozenset(bodies), Direction(direction), distance)


def carry(bodies: str, *legs: tuple[str, int], loose: bool = False) -> Carry:
    way = Path([Shift(Direction(direction), distance) for direction, distance in legs])
    return Carry(frozenset(bodies.split()), way, loose)

"""Locks of `luban generate burr` that ship with names of their own."""

from dataclasses import dataclass, replace

from bridge.generating import make_level
from pysim.families.burr.generator import LockGenerator, LockKind, Settings
from pysim.families.burr.lock import Lock
from pysim.generation import Rejected
from pysim.puzzle import Level
from pysim.render.palette import PALETTE
from pysim.scene import Colour

__all__ = ["GENERATED", "Generated", "generated_level"]


@dataclass(frozen=True)
class Generated:
    """A lock that the generator makes in one numbered attempt.

    Attributes:
        name: empty for the title that the generator gives.
    """

    id: str
    name: str
    settings: Settings
    attempt: int


GENERATED = (
    Generated(
        "generated-box-8",
        "Box of three, level 8",
        Settings(LockKind.CUBE, seed=7, pieces=3, level=8, size=(4, 4, 4)),
        1,
    ),
    Generated(
        "generated-box-21",
        "Box of four, level 21",
        Settings(LockKind.CUBE, seed=3, pieces=4, level=14, size=(5, 5, 5)),
        2,
    ),
    Generated(
        "generated-sequence-32",
        "Box of thirty-two in one order",
        Settings(LockKind.CUBE, seed=1, pieces=32, size=(8, 8, 8), sequential=True),
        0,
    ),
)
KEPT = ("generated-sticks-4",)
"""Levels of older versions of their generators, which can't be made any more."""


def generated_level(made: Generated) -> Level[Lock]:
    """Return the level, made again.

    Raises:
        ValueError: the attempt makes no lock any more.
    """
    generator = LockGenerator(made.settings, tuple(map(Colour, PALETTE)))
    attempt = generator.attempt(made.attempt)
    if isinstance(attempt, Rejected):
        raise ValueError(f"{made.id}: attempt {made.attempt} is rejected: {attempt.reason}")
    level: Level[Lock] = make_level(generator, attempt, made.attempt)
    return replace(level, id=f"burr-{made.id}", name=made.name or level.name)

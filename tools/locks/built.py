"""Locks of our own making: joints, furniture, and bars that are notched by a search."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pysim.families.burr.generator.carving import Bar, carve
from pysim.families.burr.generator.stacks import crossing_bars
from pysim.puzzle import Source
from tools.locks.building import lock_of
from tools.locks.drafts import Draft
from tools.locks.frames import boards
from tools.locks.joints import cabinet, half_lap, labyrinth, tusk_tenon
from tools.locks.tightening import climb, depth_cost, looseness

__all__ = ["BURRS", "JOINTS", "Burr", "Joint", "burr_draft", "joint_draft"]

REFERENCE = "python tools/build_assets.py {}"


@dataclass(frozen=True)
class Joint:
    """A lock that is drawn cell by cell."""

    id: str
    name: str
    designer: str
    pieces: Callable[[], Sequence[Bar]]


JOINTS = (
    Joint("half-lap", "Half-lap cross", "traditional", half_lap),
    Joint("tusk-tenon", "Tusk tenon", "traditional", tusk_tenon),
    Joint("labyrinth", "Labyrinth plate", "luban", labyrinth),
    Joint("cabinet-2", "Cabinet of two drawers", "luban", lambda: cabinet((1, 2))),
    Joint("cabinet-3", "Cabinet of three drawers", "luban", lambda: cabinet((2, 1, 3))),
)


@dataclass(frozen=True)
class Burr:
    """A lock of crossing bars.

    Attributes:
        seed: of the search that notches the bars.
        rounds: changes that it tries to make the lock tighter.
        deep: whether many moves between separations are sought, too.
    """

    id: str
    name: str
    bars: tuple[Bar, ...]
    seed: int
    rounds: int
    deep: bool = False


BURRS = (
    Burr("three-bars", "Three-bar knot", crossing_bars((1, 1, 1), (1, 1, 1)), 0, 200),
    Burr("five-bars", "Five-bar knot", crossing_bars((1, 1, 1), (2, 2, 1)), 1, 300),
    Burr("six-boards", "Six boards", boards(6, 4, 2), 4, 300),
    Burr("nine-bar-burr", "Nine-bar burr", crossing_bars((1, 2, 1), (3, 2, 2)), 4, 600),
    Burr(
        "eleven-bars-deep",
        "Eleven-bar burr with gaps",
        crossing_bars((1, 2, 2), (3, 3, 1)),
        15,
        1200,
        deep=True,
    ),
    Burr("sixteen-bars", "Sixteen-bar burr", crossing_bars((1, 3, 2), (5, 3, 1)), 1, 1000),
    Burr("eighteen-bars", "Eighteen-bar burr", crossing_bars((2, 2, 2), (3, 3, 3)), 5, 1500),
    Burr(
        "thirty-four-bars", "Thirty-four-bar burr", crossing_bars((3, 3, 2), (5, 3, 5)), 160, 1500
    ),
)


def joint_draft(joint: Joint) -> Draft:
    """Return the level of a joint."""
    level_id = f"burr-{joint.id}"
    source = Source(joint.designer, REFERENCE.format(level_id))
    return Draft(level_id, joint.name, source, lock_of(joint.pieces()))


def burr_draft(burr: Burr) -> Draft:
    """Return the level of a burr.

    Raises:
        ValueError: its seed leads nowhere.
    """
    pieces = carve(burr.bars, random.Random(burr.seed))
    if pieces is None:
        raise ValueError(f"{burr.id}: seed {burr.seed} leads to no lock")
    cost = depth_cost if burr.deep else looseness
    pieces = climb(burr.bars, pieces, cost, burr.rounds, random.Random(burr.seed), holes=burr.deep)
    level_id = f"burr-{burr.id}"
    source = Source("luban", REFERENCE.format(level_id), burr.seed, "tools/locks 1")
    return Draft(level_id, burr.name, source, lock_of(pieces))

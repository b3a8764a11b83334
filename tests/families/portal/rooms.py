"""Small rooms to test with."""

from typing import Any

from pysim.catalog import compute_content_hash, discover_families
from pysim.families.portal.chamber import Chamber
from pysim.puzzle import Level, Source, Tier
from pysim.scene import Colour

__all__ = ["level_of", "room"]


def room(changes: dict[tuple[int, int, int], str], **parts: Any) -> Chamber:
    """A room of 6 x 3 free cells on a floor at z = 4, five high, with some cells changed."""
    signs = {
        (x, y, z): "." for x in range(1, 7) for y in range(1, 4) for z in range(5, 10)
    } | changes
    layers = tuple(
        tuple("".join(signs.get((x, y, z), "#") for x in range(8)) for y in range(5))
        for z in range(11)
    )
    usual = {"agent": Colour("green"), "start": (1, 2, 5), "exit": (6, 2, 5)}
    return Chamber(layers=layers, **(usual | parts))


def level_of(chamber: Chamber) -> Level[Chamber]:
    """A level with a chamber, without a plan."""
    hashed = compute_content_hash(discover_families()["portal"], chamber, 50)
    source = Source("luban", "a test")
    return Level("t", "portal", "t", Tier.EASY, 50, chamber, chamber.colours, None, source, hashed)

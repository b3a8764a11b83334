"""What a level's picture sheet shows: the room from two corners, and its lower floors."""

from pysim.families.portal.chamber import Chamber
from pysim.families.portal.scene import FRONT_RIGHT, Cutaway, scene_of
from pysim.families.portal.state import start_of
from pysim.geometry import Direction
from pysim.puzzle import Panel
from pysim.scene import Scene

__all__ = ["sheet_of"]

_CORNERS = {
    "front right": (Direction.MINUS_Y, Direction.PLUS_X),
    "back left": (Direction.PLUS_Y, Direction.MINUS_X),
}


def sheet_of(chamber: Chamber) -> tuple[Panel, ...]:
    """Panels of scenes with cut-away walls."""
    state = start_of(chamber)
    corners = tuple(
        Panel(f"from the {name}", scene_of(chamber, state, Cutaway(frozenset(sides))))
        for name, sides in _CORNERS.items()
    )
    return (
        *corners,
        *(Panel(f"floors up to {top}", _floors(chamber, top)) for top in _tops(chamber)),
    )


def _floors(chamber: Chamber, top: int) -> Scene:
    """The room up to a layer, the nearer walls left out."""
    return scene_of(chamber, start_of(chamber), Cutaway(FRONT_RIGHT.sides, top))


def _tops(chamber: Chamber) -> tuple[int, ...]:
    """The layer of the agent's head at first, if there is something above it."""
    low = chamber.start[2] + 1
    return (low,) if low < chamber.size[2] - 2 else ()

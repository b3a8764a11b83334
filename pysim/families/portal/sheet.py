"""What a level's picture sheet shows: the room from two corners, and each floor from above."""

from pysim.families.portal.chamber import Chamber
from pysim.families.portal.scene import Cut, scene_of
from pysim.families.portal.state import start_of
from pysim.geometry import Direction
from pysim.puzzle import Panel

__all__ = ["sheet_of"]

_CORNERS = {
    "front right": (Direction.MINUS_Y, Direction.PLUS_X),
    "front left": (Direction.MINUS_Y, Direction.MINUS_X),
}


def sheet_of(chamber: Chamber) -> tuple[Panel, ...]:
    """Panels of scenes with cut-away walls."""
    state = start_of(chamber)
    return tuple(
        Panel(f"from the {name}", scene_of(chamber, state, Cut(frozenset(sides))))
        for name, sides in _CORNERS.items()
    )

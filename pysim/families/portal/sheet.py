"""What a level's picture sheet shows: the room from two corners, plans, and the agent's view."""

from collections.abc import Mapping
from dataclasses import replace

from pysim.families.portal.chamber import Chamber
from pysim.families.portal.scene import Cutaway, looks_from, scene_of
from pysim.families.portal.state import start_of
from pysim.geometry import Direction
from pysim.puzzle import Panel
from pysim.scene import Scene
from pysim.shots import Shot, Tile, Vector

__all__ = ["sheet_of"]

_CORNERS: Mapping[str, tuple[Direction, Direction, Vector]] = {
    "front right": (Direction.MINUS_Y, Direction.PLUS_X, (1.0, -1.3, 1.1)),
    "back left": (Direction.PLUS_Y, Direction.MINUS_X, (-1.0, 1.3, 1.1)),
}
_ABOVE = Tile((0.0, 0.0, 1.0), (0.0, 1.0, 0.0), parallel=True)


def sheet_of(chamber: Chamber) -> tuple[Panel, ...]:
    """Panels of scenes with cut-away walls, and what the agent sees."""
    corners = (
        Panel(f"from the {name}", _cut(chamber, {one, two}, Shot(name, (_from(towards),))))
        for name, (one, two, towards) in _CORNERS.items()
    )
    plans = (
        Panel(f"up to z = {top}", _cut(chamber, set(), Shot("plan", (_ABOVE,)), top))
        for top in dict.fromkeys((chamber.start[2], chamber.size[2] - 2))
    )
    own = _cut(chamber, set(), looks_from(chamber.start), chamber.size[2] - 1)
    return (*corners, *plans, Panel("first person", own))


def _from(towards: Vector) -> Tile:
    return Tile(towards, (0.0, 0.0, 1.0))


def _cut(chamber: Chamber, sides: set[Direction], shot: Shot, top: int | None = None) -> Scene:
    scene = scene_of(chamber, start_of(chamber), Cutaway(frozenset(sides), top))
    return replace(scene, shots=(shot,))

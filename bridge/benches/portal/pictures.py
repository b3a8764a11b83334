"""Pictures of a chamber: from two corners, from above, its lower floors, and its key surfaces."""

from dataclasses import replace

from pysim.families.portal import Chamber, Surface
from pysim.families.portal.scene import SHOTS, Cutaway, scene_of
from pysim.families.portal.state import start_of
from pysim.geometry import Direction
from pysim.glyphs import Glyph
from pysim.items import Picture
from pysim.puzzle import Level
from pysim.scene import Body, Colour, Scene, Sticker
from pysim.shots import Shot, Tile

__all__ = ["hint_of", "key_surfaces", "pictures_of"]

_BEHIND = Cutaway(frozenset((Direction.PLUS_Y, Direction.MINUS_X)))
_FROM_BEHIND = (Shot("from behind", (Tile((-1.0, 1.3, 1.1), (0.0, 0.0, 1.0)),)),)
_LOW = Cutaway(frozenset((Direction.MINUS_Y, Direction.PLUS_X)), top=6)
_FLOORS = (Shot("lower floors", (Tile((0.6, -1.0, 2.0), (0.0, 0.0, 1.0)),)),)
_MARK = Colour("fuchsia")


def pictures_of(level: Level[Chamber]) -> tuple[Picture, ...]:
    """What is shown of a chamber."""
    chamber, state = level.puzzle, start_of(level.puzzle)
    behind = replace(scene_of(chamber, state, _BEHIND), shots=_FROM_BEHIND)
    low = replace(scene_of(chamber, state, _LOW), shots=_FLOORS)
    scenes = (scene_of(chamber, state), behind, low)
    return tuple(Picture("chamber", scene, level.hash) for scene in scenes)


def hint_of(level: Level[Chamber]) -> Picture:
    """The chamber with its key surfaces marked, as far as its walls are drawn."""
    scene = scene_of(level.puzzle, start_of(level.puzzle))
    keys = key_surfaces(level)
    bodies = tuple(_marked(body, keys) for body in scene.bodies)
    marked = Scene(bodies, scene.work, shots=SHOTS[:1])
    return Picture("hint", marked, f"hint {level.hash}")


def key_surfaces(level: Level[Chamber]) -> tuple[Surface, ...]:
    """The surfaces that a chamber is about, from its facts."""
    words = str(level.facts.get("key", "-")).split()
    return tuple(_surface(word) for word in words if word != "-")


def _surface(word: str) -> Surface:
    x, y, z = map(int, word[:-2].split(","))
    return Surface((x, y, z), Direction(word[-2:]))


def _marked(body: Body, keys: tuple[Surface, ...]) -> Body:
    cells = body.placed().cell_set
    marks = tuple(Sticker(k.cell, k.side, _MARK, Glyph("X")) for k in keys if k.cell in cells)
    if body.name != "panels" or not marks:
        return body
    return replace(body, stickers=(*body.stickers, *marks))

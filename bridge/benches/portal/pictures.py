"""Pictures of a chamber: from two corners, from above by floors, with the agent's eyes, hints."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from math import isqrt

from pysim.families.portal import Chamber, Surface
from pysim.families.portal.scene import SHOTS, Cutaway, looks_from, scene_of
from pysim.families.portal.state import start_of
from pysim.geometry import Axis, Direction, add
from pysim.glyphs import Glyph
from pysim.items import Picture
from pysim.puzzle import Level
from pysim.scene import Body, Colour, Scene, Sticker
from pysim.shots import Shot, Tile

__all__ = ["hints_of", "key_surfaces", "marked", "near", "pictures_of"]

_BEHIND = Cutaway(frozenset((Direction.PLUS_Y, Direction.MINUS_X)))
_FROM_BEHIND = (Shot("from behind", (Tile((-1.0, 1.3, 1.1), (0.0, 0.0, 1.0)),)),)
_LOW = Cutaway(frozenset((Direction.MINUS_Y, Direction.PLUS_X)), top=6)
_FLOORS = (Shot("lower floors", (Tile((0.6, -1.0, 2.0), (0.0, 0.0, 1.0)),)),)
_ABOVE = Tile((0.0, 0.0, 1.0), (0.0, 1.0, 0.0), parallel=True)
_MARK = Colour("fuchsia")
_FAR = 2


@lru_cache(maxsize=32)
def pictures_of(level: Level[Chamber]) -> tuple[Picture, ...]:
    """What is shown of a chamber."""
    chamber = level.puzzle
    scenes = (*_corners(chamber), *_plans(chamber), *_looks(chamber))
    return tuple(Picture("chamber", scene, level.hash) for scene in scenes)


def _corners(chamber: Chamber) -> Iterator[Scene]:
    """From the front right, from behind, and without what is high."""
    state = start_of(chamber)
    yield replace(scene_of(chamber, state), shots=SHOTS[:1])
    yield replace(scene_of(chamber, state, _BEHIND), shots=_FROM_BEHIND)
    yield replace(scene_of(chamber, state, _LOW), shots=_FLOORS)


def _plans(chamber: Chamber) -> Iterator[Scene]:
    """From above: the floor on which one starts, and all but the ceiling."""
    for top in dict.fromkeys((chamber.start[2], chamber.size[2] - 2)):
        scene = scene_of(chamber, start_of(chamber), Cutaway(frozenset(), top))
        yield replace(scene, shots=(Shot(f"plan up to z = {top}", (_ABOVE,)),))


def _looks(chamber: Chamber) -> Iterator[Scene]:
    """As the agent sees it, walls and ceiling all there: at the start, then in each field."""
    whole = Cutaway(frozenset(), chamber.size[2] - 1)
    for cell in (chamber.start, *chamber.fields):
        scene = scene_of(chamber, start_of(chamber), whole)
        yield replace(scene, shots=(looks_from(cell),))


@lru_cache(maxsize=32)
def hints_of(level: Level[Chamber]) -> tuple[Picture, ...]:
    """The chamber from the same corners with its key surfaces marked, then each from nearby."""
    keys = key_surfaces(level)
    scenes = (*_corners(level.puzzle), near(level.puzzle, keys))
    return tuple(Picture("hint", marked(scene, keys), f"hint {level.hash}") for scene in scenes)


def near(chamber: Chamber, keys: Sequence[Surface]) -> Scene:
    """A whole chamber, with a picture of a tile for each of some surfaces."""
    columns = isqrt(max(len(keys) - 1, 0)) + 1
    tiles = tuple(_facing(chamber, key, *divmod(k, columns)) for k, key in enumerate(keys))
    whole = scene_of(chamber, start_of(chamber), Cutaway(frozenset(), chamber.size[2] - 1))
    return replace(whole, shots=(Shot("near", tiles),))


def _facing(chamber: Chamber, key: Surface, row: int, column: int) -> Tile:
    """Straight at a surface, from as far as there is room, but at most three cells."""
    cell = key.front
    for _ in range(_FAR):
        ahead = add(cell, key.side.vector)
        cell = ahead if ahead in chamber.free else cell
    up = (0, 1, 0) if key.side.axis is Axis.Z else (0, 0, 1)
    return Tile(key.side.vector, up, row=row, column=column, eye=cell)


def marked(scene: Scene, keys: tuple[Surface, ...]) -> Scene:
    """A scene with some surfaces marked."""
    return replace(scene, bodies=tuple(_marked(body, keys) for body in scene.bodies))


def key_surfaces(level: Level[Chamber]) -> tuple[Surface, ...]:
    """The surfaces that a chamber is about, from its facts."""
    words = str(level.facts.get("key", "-")).split()
    return tuple(_surface(word) for word in words if word != "-")


def _surface(word: str) -> Surface:
    x, y, z = map(int, word[:-2].split(","))
    return Surface((x, y, z), Direction(word[-2:]))


def _marked(body: Body, keys: tuple[Surface, ...]) -> Body:
    cells = body.placed().cell_set
    if body.name not in ("panels", "room"):
        return body
    marks = tuple(Sticker(k.cell, k.side, _MARK, Glyph("X")) for k in keys if k.cell in cells)
    faces = {(mark.cell, mark.side) for mark in marks}
    left = (one for one in body.stickers if (one.cell, one.side) not in faces)
    return replace(body, stickers=(*left, *marks))

"""Pictures of a chamber: from two corners, from above by floors, with the agent's eyes, hints."""

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from math import isqrt

from pysim.families.portal.chamber import Chamber, Surface
from pysim.families.portal.gates import find_up
from pysim.families.portal.scene import make_scene
from pysim.families.portal.state import start_of
from pysim.families.portal.views import list_scenery, list_views, lower_floors, make_eye_view
from pysim.geometry import Direction, add
from pysim.glyphs import Glyph
from pysim.items import Picture
from pysim.puzzle import Level
from pysim.scene import Body, Colour, Scene, Sticker
from pysim.viewpoints import Panel, View

__all__ = ["find_key_surfaces", "make_close_ups", "make_hints", "make_pictures", "mark_surfaces"]

_MARK = Colour("fuchsia")
_FAR = 2


@lru_cache(maxsize=32)
def make_pictures(level: Level[Chamber]) -> tuple[Picture, ...]:
    """Make the pictures of a chamber: corners, floors, and the view from start and fields."""
    chamber, state = level.puzzle, start_of(level.puzzle)
    front, behind, *plans, own = list_views(chamber, state)
    scene = make_scene(chamber, state)
    named = {shot.name: shot for shot in (front, behind, lower_floors(chamber, state), *plans)}
    named["first person from the start"] = own
    for x, y, z in chamber.fields:
        named[f"first person from the field ({x},{y},{z})"] = make_eye_view(
            chamber, state, (x, y, z)
        )
    return tuple(
        Picture("chamber", replace(scene, views=(shot,)), level.hash, title=title)
        for title, shot in named.items()
    )


@lru_cache(maxsize=32)
def make_hints(level: Level[Chamber]) -> tuple[Picture, ...]:
    """Return the chamber with its key surfaces marked, then each from nearby; () without any."""
    chamber, state, keys = level.puzzle, start_of(level.puzzle), find_key_surfaces(level)
    if not keys:
        return ()
    front, behind = list_views(chamber, state)[:2]
    shots = (front, behind, lower_floors(chamber, state))
    start = make_scene(chamber, state)
    scenes = (*(replace(start, views=(shot,)) for shot in shots), make_close_ups(chamber, keys))
    titles = (*(f"hint, {shot.name}" for shot in shots), "hint, from nearby")
    return tuple(
        Picture("hint", mark_surfaces(scene, keys), f"hint {level.hash}", title=title)
        for title, scene in zip(titles, scenes, strict=True)
    )


def make_close_ups(chamber: Chamber, keys: Sequence[Surface]) -> Scene:
    """Return a whole chamber, with a picture of a tile for each of some surfaces."""
    columns = isqrt(max(len(keys) - 1, 0)) + 1
    tiles = tuple(_facing(chamber, key, *divmod(k, columns)) for k, key in enumerate(keys))
    return replace(make_scene(chamber, start_of(chamber)), views=(View("near", tiles),))


def _facing(chamber: Chamber, key: Surface, row: int, column: int) -> Panel:
    """Straight at a surface, from as far as there is room, but at most three cells."""
    cell = key.front
    for _ in range(_FAR):
        ahead = add(cell, key.side.vector)
        cell = ahead if ahead in chamber.free else cell
    look, adds = key.side.vector, list_scenery(chamber)
    return Panel(look, find_up(key.side), row=row, column=column, eye=cell, adds=adds)


def mark_surfaces(scene: Scene, keys: tuple[Surface, ...]) -> Scene:
    """Return a scene with some surfaces marked."""
    bodies, scenery = (
        tuple(_marked(body, keys) for body in some) for some in (scene.bodies, scene.scenery)
    )
    return replace(scene, bodies=bodies, scenery=scenery)


def find_key_surfaces(level: Level[Chamber]) -> tuple[Surface, ...]:
    """Return the surfaces that a chamber is about, from its facts."""
    words = str(level.facts.get("key", "-")).split()
    return tuple(_surface(word) for word in words if word != "-")


def _surface(word: str) -> Surface:
    x, y, z = map(int, word[:-2].split(","))
    return Surface((x, y, z), Direction(word[-2:]))


def _marked(body: Body, keys: tuple[Surface, ...]) -> Body:
    if body.colour not in ("white", "slate"):
        return body  # Neither panels nor walls.
    cells = body.place().cell_set
    marks = tuple(Sticker(k.cell, k.side, _MARK, Glyph("X")) for k in keys if k.cell in cells)
    faces = {(mark.cell, mark.side) for mark in marks}
    left = (one for one in body.stickers if (one.cell, one.side) not in faces)
    return replace(body, stickers=(*left, *marks))

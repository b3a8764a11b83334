"""The pictures of items: two canonical views, and what may be done to them (3.2).

All that is drawn at random depends on the item's depth and seed alone.
"""

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from random import Random

from bridge.benches.cube_bench.condition import (
    Condition,
    Perturbation,
    PictureType,
    StickerColors,
)
from bridge.benches.cube_bench.scrambling import create_rng
from pysim.families.rubik.cube import Cube
from pysim.families.rubik.faces import Face
from pysim.families.rubik.pictures import Net, make_net_view
from pysim.families.rubik.scene import WHOLE, make_bodies
from pysim.families.rubik.strings import format_cube
from pysim.items import Brightness, Cover, Picture, Retouch, Shade
from pysim.scene import Body, Colour, Scene, hex_color
from pysim.viewpoints import Panel, Vector, View

__all__ = ["PAPER_COLORS", "make_picture"]

NAMES = {
    Face.U: "Up", Face.R: "Right", Face.F: "Front", Face.D: "Down", Face.L: "Left", Face.B: "Back"
}  # fmt: skip
FRONT_VIEW = Panel(towards=(0.42, -1.0, 0.36), up=(0.0, 0.0, 1.0))
"""From the front, a little from the right and from above: R and U are seen at an angle."""

SHADES: Mapping[str, tuple[str, ...]] = {
    "white": ("white",),
    "yellow": ("yellow",),
    "orange": ("orange",),
    "red": ("red", "maroon"),
    "green": ("green", "emerald", "forest"),
    "blue": ("blue", "azure", "navy"),
}
"""What each sticker colour may be painted with instead: shades that are called by its name."""

PAPER_COLORS: Mapping[str, tuple[int, int, int]] = {
    "white": (255, 255, 255),
    "yellow": (255, 255, 0),
    "orange": (255, 128, 0),
    "red": (255, 0, 0),
    "green": (0, 255, 0),
    "blue": (0, 0, 255),
}
"""sRGB of the paper's stickers (B.1)."""

TILT = 12.0
"""Degrees by which a camera is moved at most, to the side and up or down."""
BARS = 3
_BAR = {PictureType.NET: 0.02, PictureType.FRONT: 0.045}
"""Width of bars in shares of the picture: a quarter of a sticker."""


def make_picture(cube: Cube, condition: Condition, seed: int) -> Picture:
    """Return the picture of an item."""
    shades: tuple[tuple[str, str], ...] = ()
    if condition.colors is StickerColors.PAPER:
        shades = tuple((name, hex_color(values)) for name, values in PAPER_COLORS.items())
    shot = _shot(condition.picture)
    retouches: list[Retouch] = []
    for perturbation in condition.perturb:
        random = create_rng("picture", condition.depth, seed, perturbation)
        match perturbation:
            case Perturbation.CAMERA:
                shot = _tilted(shot, random)
            case Perturbation.RECOLOUR:
                shades = tuple((name, random.choice(others)) for name, others in SHADES.items())
            case Perturbation.LIGHTING:
                retouches.append(Shade(random.uniform(0.0, 360.0), random.uniform(0.2, 0.4)))
            case Perturbation.BRIGHTNESS:
                retouches.append(Brightness(random.choice((0.7, 0.85, 1.15))))
            case Perturbation.OCCLUSION:
                retouches += _bars(_BAR[condition.picture], random)
    bodies = (
        tuple(_painted(body, shades) for body in make_bodies(cube)) if shades else make_bodies(cube)
    )
    key = " ".join([format_cube(cube), *(f"{a}:{b}" for a, b in shades)])
    return Picture(
        condition.picture.value, Scene(bodies, WHOLE, views=(shot,)), key, tuple(retouches)
    )


@cache
def _shot(look: PictureType) -> View:
    if look is PictureType.FRONT:
        return View("front", (FRONT_VIEW,))
    return make_net_view(Net.STRIP, names=NAMES)


def _tilted(shot: View, random: Random) -> View:
    """Return the shot with its cameras moved to the side and up, all of them alike."""
    aside, above = (math.tan(math.radians(random.uniform(-TILT, TILT))) for _ in range(2))
    return replace(shot, panels=tuple(_moved(tile, aside, above) for tile in shot.panels))


def _moved(tile: Panel, aside: float, above: float) -> Panel:
    right = _cross(tile.up, tile.towards)
    length = math.hypot(*tile.towards)
    sideways = aside * length / math.hypot(*right)
    upwards = above * length
    x, y, z = (
        t + sideways * r + upwards * u for t, r, u in zip(tile.towards, right, tile.up, strict=True)
    )
    return replace(tile, towards=(x, y, z))


def _cross(a: Vector, b: Vector) -> Vector:
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def _bars(width: float, random: Random) -> Iterator[Cover]:
    """Bars across the whole picture, one in each part of it, so thin that all stickers are seen."""
    for part in range(BARS):
        place = (part + random.uniform(0.0, 1.0 - 2 * BARS * width)) / BARS
        if random.random() < 0.5:
            yield Cover(place, 0.0, width, 1.0)
        else:
            yield Cover(0.0, place, 1.0, width)


def _painted(body: Body, shades: tuple[tuple[str, str], ...]) -> Body:
    paint = dict(shades)
    stickers = tuple(replace(s, colour=Colour(paint[s.colour])) for s in body.stickers)
    return replace(body, stickers=stickers)

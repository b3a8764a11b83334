"""Visuals of a scene, to and from the messages of scene.proto: paint, stickers, boxes."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from bridge.rpc._pb.luban.v1 import scene_pb2
from bridge.unity.poses import (
    decode_block,
    decode_cell,
    decode_direction,
    encode_block,
    encode_cell,
    encode_direction,
)
from pysim.errors import InputError
from pysim.geometry import Direction
from pysim.glyphs import GLYPHS, Glyph
from pysim.render.glyphs import build_patterns, encode_orientation, index_glyph
from pysim.render.palette import PALETTE
from pysim.scene import Colour, Container, Sticker

__all__ = [
    "decode_container",
    "decode_paint",
    "decode_sticker",
    "encode_container",
    "encode_paint",
    "encode_sticker",
]

_UNPAINTED: Final = 0x808080
"""What a body is painted with whose colour is not in the palette; only worlds take such bodies."""

_NUMBER_OF: Mapping[str, int] = {
    name: (r << 16) + (g << 8) + b for name, (r, g, b) in PALETTE.items()
}
_COLOUR_OF = {number: name for name, number in _NUMBER_OF.items()}


def encode_paint(colour: str) -> int:
    """sRGB, as 0xRRGGBB."""
    return _NUMBER_OF.get(colour, _UNPAINTED)


def decode_paint(paint: int) -> Colour:
    """Return the colour of the palette, or ``#rrggbb``."""
    return Colour(_COLOUR_OF.get(paint, f"#{paint:06x}"))


def encode_sticker(sticker: Sticker) -> scene_pb2.SceneSticker:
    """Return a sticker, with what stands on it square by square."""
    glyph = sticker.glyph
    return scene_pb2.SceneSticker(
        cell=encode_cell(sticker.cell),
        side=encode_direction(sticker.side),
        rgb=encode_paint(sticker.colour),
        ink=0 if glyph is None else _inks()[index_glyph(glyph) - 1],
        lie=0 if glyph is None else encode_orientation(glyph, sticker.side),
    )


def decode_sticker(message: scene_pb2.SceneSticker) -> Sticker:
    """Return the sticker.

    Raises:
        InputError: what stands on it is no glyph of ours.
    """
    side = decode_direction(message.side)
    glyph = _glyph(message.ink, message.lie, side) if message.ink else None
    return Sticker(decode_cell(message.cell), side, decode_paint(message.rgb), glyph)


def encode_container(container: Container) -> scene_pb2.SceneContainer:
    """Return a box; its open sides in the order of Direction."""
    sides = [encode_direction(side) for side in Direction if side in container.open]
    return scene_pb2.SceneContainer(inside=encode_block(container.bounds), open=sides)


def decode_container(message: scene_pb2.SceneContainer) -> Container:
    """Return the box."""
    return Container(decode_block(message.inside), frozenset(map(decode_direction, message.open)))


@lru_cache(maxsize=1)
def _inks() -> tuple[int, ...]:
    """For each glyph the bits of its squares, from the bottom left, row by row."""
    rows = build_patterns().reshape(len(GLYPHS), -1).tolist()
    return tuple(sum(bit << place for place, bit in enumerate(row)) for row in rows)


def _glyph(ink: int, lie: int, side: Direction) -> Glyph:
    if ink in _inks():
        sign = list(GLYPHS)[_inks().index(ink)]
        for glyph in (Glyph(sign, turns) for turns in range(4)):
            if encode_orientation(glyph, side) == lie:
                return glyph
    raise InputError(f"a sticker bears ink {ink:#x}, lying as {lie}, which is none of the glyphs")

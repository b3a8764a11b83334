"""Named colours of pieces, and the palettes that paint them."""

import re
from collections.abc import Mapping
from difflib import get_close_matches
from types import MappingProxyType

from pysim.errors import InputError
from pysim.limits import quote
from pysim.scene import Colour

__all__ = ["COLOURS", "COLOUR_BLIND", "PALETTE", "PALETTES", "Rgb", "parse_color"]

_HEX = re.compile("#([0-9a-f]{6})")
Rgb = tuple[int, int, int]
"""sRGB components, 0..255 each."""

PALETTE: Mapping[str, Rgb] = MappingProxyType(
    {
        "red": (233, 0, 50),
        "blue": (40, 100, 204),
        "green": (1, 151, 37),
        "yellow": (255, 236, 28),
        "cyan": (49, 192, 213),
        "orange": (252, 138, 19),
        "pink": (254, 167, 208),
        "purple": (134, 7, 154),
        "brown": (111, 74, 20),
        "mint": (188, 254, 215),
        "maroon": (87, 13, 30),
        "navy": (35, 36, 91),
        "lavender": (193, 186, 238),
        "teal": (10, 139, 133),
        "lime": (147, 254, 10),
        "tan": (189, 159, 121),
        "olive": (124, 114, 16),
        "magenta": (213, 19, 142),
        "turquoise": (40, 206, 181),
        "salmon": (253, 156, 144),
        "forest": (4, 63, 23),
        "pine": (21, 79, 84),
        "mauve": (166, 133, 166),
        "slate": (100, 105, 133),
        "khaki": (167, 189, 76),
        "azure": (26, 154, 245),
        "moss": (90, 113, 76),
        "sage": (128, 171, 139),
        "periwinkle": (145, 139, 248),
        "emerald": (49, 208, 106),
        "lemon": (246, 244, 180),
        "chocolate": (61, 29, 6),
        "amber": (255, 196, 94),
        "sky": (166, 212, 253),
        "fuchsia": (235, 8, 246),
        "peach": (255, 210, 185),
        "rust": (167, 60, 1),
        "rose": (253, 88, 132),
        "plum": (130, 70, 105),
        "violet": (124, 66, 255),
        "copper": (172, 116, 92),
        "lilac": (230, 136, 255),
        "coral": (253, 101, 60),
        "indigo": (15, 9, 171),
        "gold": (194, 152, 7),
        "white": (250, 253, 253),
        "grey": (133, 134, 131),
        "black": (26, 28, 27),
    }
)
"""48 names -> sRGB, in the order in which pieces take them.

The order is 8 basic colours, 12 common ones, then the rest. White, grey and black come last, as
they resemble the background and the edge lines. Within a group, the next colour is the farthest
from those before it. The minimum pairwise CIEDE2000 distance is 14, and 12.6 between faces in the
darkest light or shadow of the OpenGL renderer. The values were found by simulated annealing around
the usual meaning of each name.
"""

COLOURS = tuple(map(Colour, PALETTE))
"""Names of pieces, in order. A generated level has at most as many pieces."""

COLOUR_BLIND: Mapping[str, Rgb] = MappingProxyType(
    {
        **PALETTE,
        "red": (255, 18, 118),
        "blue": (101, 92, 208),
        "green": (7, 124, 101),
        "yellow": (255, 236, 27),
        "cyan": (5, 197, 243),
        "orange": (249, 156, 76),
        "pink": (207, 170, 181),
        "purple": (52, 1, 154),
        "brown": (120, 84, 25),
        "mint": (186, 254, 198),
        "maroon": (67, 4, 16),
        "navy": (18, 0, 48),
    }
)
"""The palette with its first 12 colours replaced by ones that everybody can distinguish.

Their pairwise CIEDE2000 distance is at least 12 on faces in any light, for full colour vision and
under simulated protanopia, deuteranopia and tritanopia (Machado, Oliveira and Fernandes, 2009). The
others are as in :data:`PALETTE`: without red and green, 48 colours can't all differ. Use labels for
more than 12 pieces.
"""

PALETTES: Mapping[str, Mapping[str, Rgb]] = MappingProxyType(
    {"standard": PALETTE, "colour-blind": COLOUR_BLIND}
)
"""Palettes by name."""


def parse_color(name: str, palette: Mapping[str, Rgb] = PALETTE) -> Rgb:
    """Return the sRGB components of a colour, given its name or ``#rrggbb``.

    Raises:
        InputError: the name is unknown; the message lists the closest and all known ones.
    """
    if match := _HEX.fullmatch(name):
        red, green, blue = bytes.fromhex(match[1])
        return red, green, blue
    try:
        return palette[name]
    except KeyError:
        close = get_close_matches(name[:64], palette, n=1)
        hint = f"did you mean {close[0]!r}? " if close else ""
        known = ", ".join(palette)
        raise InputError(f"{quote(name)} is no colour; {hint}known: {known}") from None

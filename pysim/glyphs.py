"""Signs that stickers may carry: letters, digits and an arrow, in 5 x 7 squares.

Turned by a half, H, I, N, O, S, X, Z and 0 look as before, and M, W, 6 and 9 like each other or
nearly so: where orientation counts, take others.
"""

from dataclasses import dataclass

from pysim.errors import InputError

__all__ = ["ARROW", "GLYPHS", "HEIGHT", "WIDTH", "Glyph"]

WIDTH, HEIGHT = 5, 7
ARROW = "↑"

_ROWS = {
    "A": "0e 11 11 1f 11 11 11", "B": "1e 11 11 1e 11 11 1e", "C": "0e 11 10 10 10 11 0e",
    "D": "1c 12 11 11 11 12 1c", "E": "1f 10 10 1e 10 10 1f", "F": "1f 10 10 1e 10 10 10",
    "G": "0e 11 10 17 11 11 0f", "H": "11 11 11 1f 11 11 11", "I": "0e 04 04 04 04 04 0e",
    "J": "07 02 02 02 02 12 0c", "K": "11 12 14 18 14 12 11", "L": "10 10 10 10 10 10 1f",
    "M": "11 1b 15 15 11 11 11", "N": "11 11 19 15 13 11 11", "O": "0e 11 11 11 11 11 0e",
    "P": "1e 11 11 1e 10 10 10", "Q": "0e 11 11 11 15 12 0d", "R": "1e 11 11 1e 14 12 11",
    "S": "0f 10 10 0e 01 01 1e", "T": "1f 04 04 04 04 04 04", "U": "11 11 11 11 11 11 0e",
    "V": "11 11 11 11 11 0a 04", "W": "11 11 11 15 15 15 0a", "X": "11 11 0a 04 0a 11 11",
    "Y": "11 11 11 0a 04 04 04", "Z": "1f 01 02 04 08 10 1f",
    "0": "0e 11 13 15 19 11 0e", "1": "04 0c 04 04 04 04 0e", "2": "0e 11 01 02 04 08 1f",
    "3": "1f 02 04 02 01 11 0e", "4": "02 06 0a 12 1f 02 02", "5": "1f 10 1e 01 01 11 0e",
    "6": "06 08 10 1e 11 11 0e", "7": "1f 01 02 04 08 08 08", "8": "0e 11 11 0e 11 11 0e",
    "9": "0e 11 11 0f 01 02 0c", ARROW: "04 0e 15 04 04 04 04",
}  # fmt: skip
"""Rows from the top, each as five bits, the leftmost the highest."""

GLYPHS: dict[str, tuple[str, ...]] = {
    name: tuple(f"{int(row, 16):05b}".replace("1", "#").replace("0", ".") for row in rows.split())
    for name, rows in _ROWS.items()
}
"""How each looks: rows from the top, ``#`` where it is inked."""


@dataclass(frozen=True, slots=True)
class Glyph:
    """A sign on a sticker.

    Attributes:
        sign: which, one of :data:`GLYPHS`.
        turns: quarter turns clockwise, seen from outside, 0 to 3. Upright means: its top is towards
            +z of the body, and on the sides +z and -z towards +y.

    Raises:
        InputError: there is no such sign, or turns are out of range.
    """

    sign: str
    turns: int = 0

    def __post_init__(self) -> None:
        if self.sign not in GLYPHS:
            raise InputError(f"there is no glyph {self.sign[:20]!r}; there are {''.join(GLYPHS)}")
        if not 0 <= self.turns <= 3:
            raise InputError(f"a glyph is turned 0 to 3 times, not {self.turns}")

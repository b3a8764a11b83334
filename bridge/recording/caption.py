"""The strip of text under the pictures of a film: what is done, and what comes of it."""

from dataclasses import dataclass
from enum import Enum

import numpy as np
from numpy.typing import NDArray

__all__ = ["Caption", "Tone", "draw_caption", "strip_height"]


class Tone(Enum):
    """The colour of a result, sRGB: dark enough to read on the strip."""

    PLAIN = (70, 74, 82)
    GOOD = (8, 110, 62)
    BAD = (176, 30, 30)


@dataclass(frozen=True, slots=True)
class Caption:
    """What the strip says.

    Attributes:
        line: what is done, in large letters.
        result: what came of it, after ``line``; empty while that is open.
        tone: how the result is coloured.
        before: what was said before, in small letters above.
        corner: a few words at the top right.
    """

    line: str
    result: str = ""
    tone: Tone = Tone.PLAIN
    before: str = ""
    corner: str = ""


_PAPER = (246, 246, 244)
_RULE = (206, 206, 202)
_INK = (24, 26, 30)
_FAINT = (112, 116, 124)
_BOLD, _REGULAR = 600, 400
"""Weights of letters."""


def strip_height(width: int) -> int:
    """Pixels that the strip under a picture is high; even."""
    return 2 * round(width * 0.07)


def draw_caption(caption: Caption, width: int) -> NDArray[np.uint8]:
    """The strip as a picture (:func:`strip_height`, ``width``, 3) uint8, sRGB."""
    strip = np.full((strip_height(width), width, 3), _PAPER, dtype=np.uint8)
    strip[: max(1, width // 512)] = _RULE
    pen = _Pen(strip)
    large, small, margin = width / 24.0, width / 34.0, width / 40.0
    upper, lower = 0.36 * len(strip), 0.82 * len(strip)
    right = width - margin
    corner = pen.fitted(caption.corner, width / 3, small, _REGULAR)
    right -= pen.width(corner, small, _REGULAR)
    pen.write(corner, (right, upper), small, _REGULAR, _FAINT)
    before = pen.fitted(caption.before, right - 2 * margin, small, _REGULAR)
    pen.write(before, (margin, upper), small, _REGULAR, _FAINT)
    room = width - 3 * margin
    left_over = room - pen.width(pen.fitted(caption.line, room / 2, large, _BOLD), large, _BOLD)
    result = pen.fitted(caption.result, left_over, large, _BOLD)
    line = pen.fitted(caption.line, room - pen.width(result, large, _BOLD), large, _BOLD)
    pen.write(line, (margin, lower), large, _BOLD, _INK)
    start = margin + pen.width(line, large, _BOLD) + margin
    pen.write(result, (start, lower), large, _BOLD, caption.tone.value)
    return strip


class _Pen:
    """Writes words with OpenCV's own letters, which know no fewer signs than agents write."""

    def __init__(self, picture: NDArray[np.uint8]) -> None:
        import cv2

        self._cv2 = cv2
        self._picture = picture
        self._font = cv2.FontFace("sans")

    def write(
        self,
        words: str,
        at: tuple[float, float],
        size: float,
        weight: int,
        colour: tuple[int, int, int],
    ) -> None:
        """Words from a point (column, row) of their base line."""
        if words:
            where = (round(at[0]), round(at[1]))
            self._cv2.putText(self._picture, words, where, colour, self._font, round(size), weight)

    def width(self, words: str, size: float, weight: int) -> float:
        """Pixels that words take up."""
        if not words:
            return 0.0
        box = self._cv2.getTextSize((0, 0), words, (0, 0), self._font, round(size), weight)
        return float(box[2])

    def fitted(self, words: str, room: float, size: float, weight: int) -> str:
        """Words, with dots in place of what takes more than ``room`` pixels."""
        words = _drawable(words)
        if self.width(words, size, weight) <= room:
            return words
        while words and self.width(words + "…", size, weight) > room:
            words = words[:-1]
        return words.rstrip() + "…" if words else ""


def _drawable(words: str) -> str:
    """One line of signs that can be drawn."""
    line = " ".join(words[:_MOST].split())
    return "".join(sign if sign.isprintable() else "?" for sign in line)


_MOST = 200
"""Characters that are looked at; no strip has room for more."""

"""The strip of text under the pictures of a film: what is done, and what comes of it."""

from dataclasses import dataclass
from enum import Enum

import numpy as np
from numpy.typing import NDArray

__all__ = ["Caption", "Lettering", "Tone", "draw_caption", "lettered", "strip_height"]


class Tone(Enum):
    """The colour of a result, sRGB: dark enough to read on the strip."""

    PLAIN = (70, 74, 82)
    GOOD = (8, 110, 62)
    BAD = (176, 30, 30)


@dataclass(frozen=True, slots=True)
class Caption:
    """Text of the strip.

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
    """Return pixels that the strip under a picture is high; even."""
    return 2 * round(width * 0.07)


@dataclass(frozen=True, slots=True)
class Lettering:
    """Words of a caption as they are drawn.

    Attributes:
        words: as much of what was said as there is room for.
        left, bottom: where their base line begins, in pixels.
        size: height of the letters in pixels.
        weight: how bold they are.
        colour: sRGB.
    """

    words: str
    left: float
    bottom: float
    size: float
    weight: int
    colour: tuple[int, int, int]


def draw_caption(caption: Caption, width: int) -> NDArray[np.uint8]:
    """Return the strip as a picture (:func:`strip_height`, ``width``, 3) uint8, sRGB."""
    strip = np.full((strip_height(width), width, 3), _PAPER, dtype=np.uint8)
    strip[: max(1, width // 512)] = _RULE
    pen = _Pen(strip)
    for lettering in lettered(caption, width):
        pen.write(lettering)
    return strip


def lettered(caption: Caption, width: int) -> tuple[Lettering, ...]:
    """Place the texts of a strip.

    Letters are made smaller, down to half, before anything is left out.
    """
    pen = _Pen(np.zeros((1, 1, 3), dtype=np.uint8))
    large, small, margin = width / 24.0, width / 34.0, width / 40.0
    upper, lower = (share * strip_height(width) for share in (0.36, 0.82))
    corner, corner_size = pen.fitted(caption.corner, width / 3, small, _REGULAR)
    corner_left = width - margin - pen.width(corner, corner_size, _REGULAR)
    before, before_size = pen.fitted(caption.before, corner_left - 2 * margin, small, _REGULAR)
    room = width - 3 * margin
    line, result, size = pen.fitted_pair(caption.line, caption.result, room, large)
    right = margin + pen.width(line, size, _BOLD) + margin
    tone = caption.tone.value
    return (
        Lettering(corner, corner_left, upper, corner_size, _REGULAR, _FAINT),
        Lettering(before, margin, upper, before_size, _REGULAR, _FAINT),
        Lettering(line, margin, lower, size, _BOLD, _INK),
        Lettering(result, right, lower, size, _BOLD, tone),
    )


class _Pen:
    """Writes words with OpenCV's own letters, which know no fewer signs than agents write."""

    def __init__(self, picture: NDArray[np.uint8]) -> None:
        import cv2

        self._cv2 = cv2
        self._picture = picture
        self._font = cv2.FontFace("sans")

    def write(self, what: Lettering) -> None:
        """Draw words."""
        if what.words:
            where = (round(what.left), round(what.bottom))
            size = round(what.size)
            self._cv2.putText(
                self._picture, what.words, where, what.colour, self._font, size, what.weight
            )

    def width(self, words: str, size: float, weight: int) -> float:
        """Return pixels that words take up."""
        if not words:
            return 0.0
        box = self._cv2.getTextSize((0, 0), words, (0, 0), self._font, round(size), weight)
        return float(box[2])

    def fitted(self, words: str, room: float, size: float, weight: int) -> tuple[str, float]:
        """Words and the size at which they fit; with dots for what half the size has no room."""
        words = _drawable(words)
        small = self._size(words, room, size, weight)
        return self._cut(words, room, small, weight), small

    def fitted_pair(
        self, line: str, result: str, room: float, size: float
    ) -> tuple[str, str, float]:
        """Two texts side by side, of one size; if need be each is cut, the second one first."""
        line, result = _drawable(line), _drawable(result)
        small = self._size(line + result, room, size, _BOLD)
        least = min(self.width(line, small, _BOLD), room / 2)
        result = self._cut(result, room - least, small, _BOLD)
        line = self._cut(line, room - self.width(result, small, _BOLD), small, _BOLD)
        return line, result, small

    def _size(self, words: str, room: float, size: float, weight: int) -> float:
        """Return the largest size, not below half of it, at which words fit."""
        sizes = [float(k) for k in range(round(size), round(size / 2.0), -1)]
        fits = (k for k in sizes if self.width(words, k, weight) <= room)
        return next(fits, max(1.0, size / 2.0))

    def _cut(self, words: str, room: float, size: float, weight: int) -> str:
        if self.width(words, size, weight) <= room:
            return words
        while words and self.width(words + "…", size, weight) > room:
            words = words[:-1]
        return words.rstrip() + "…" if words else ""


def _drawable(words: str) -> str:
    """Return one line of signs that can be drawn."""
    line = " ".join(words[:_MOST].split())
    return "".join(sign if sign.isprintable() else "?" for sign in line)


_MOST = 200
"""Characters that are looked at; no strip has room for more."""

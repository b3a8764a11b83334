"""Cases to be tried: clean clips and forged ones, numbered, each with its own random numbers."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from zlib import crc32

import numpy as np

from bridge.recording.dataset.forging.forge import strengths
from bridge.recording.dataset.forging.forgeries import ForgeryKind
from perf.video.clips import CLEAN

__all__ = ["BLOCK", "CLEAN_CLIP", "Case", "Sizes", "planned"]

CLEAN_CLIP = "clean"
"""The kind of a case in which nothing is forged."""
BLOCK = 40
"""Cases of every kind and strength that come before more of any; if all of them are found, Wilson's
lower bound of the recall is 91 %."""


@dataclass(frozen=True, slots=True)
class Case:
    """A clip to be made and scored.

    Attributes:
        kind: of the forgery; ``clean`` for none.
        strength: of the forgery; 0 for none.
        number: from 0, among those of its kind and strength.
    """

    kind: str
    strength: float
    number: int

    @property
    def sort(self) -> str:
        """Name the change made to a clean clip, or the kind and amount of forgery in another."""
        if self.kind == CLEAN_CLIP:
            return CLEAN[self.number % len(CLEAN)]
        return f"{self.kind} {self.strength:g}"

    def make_rng(self, seed: int) -> np.random.Generator:
        """Return the random numbers of this case, independent of all other cases."""
        words = [seed, crc32(self.kind.encode()), round(1000 * self.strength), self.number]
        return np.random.default_rng(words)


@dataclass(frozen=True, slots=True)
class Sizes:
    """Numbers of cases.

    Attributes:
        clips: clean ones.
        strongest: forgeries of each kind at its greatest strength.
        weaker: the same of each of its other strengths.
    """

    clips: int
    strongest: int
    weaker: int


def planned(sizes: Sizes, only: Sequence[str] = ()) -> list[Case]:
    """Return all cases, in an order in which it may be stopped anywhere.

    The strongest forgeries of all kinds come first, case by case, then the weaker ones; clean clips
    lie evenly between.

    Args:
        only: kinds; none for all.
    """
    wanted = [kind for kind in ForgeryKind if not only or kind.value in only]
    clean = [] if only and CLEAN_CLIP not in only else range(sizes.clips)
    clips = [Case(CLEAN_CLIP, 0.0, number) for number in clean]
    return _mixed(list(_forged(wanted, sizes)), clips)


def _forged(kinds: Sequence[ForgeryKind], sizes: Sizes) -> Iterator[Case]:
    most = max(sizes.strongest, sizes.weaker)
    for first in range(0, most, BLOCK):
        for below in range(max((len(strengths(kind)) for kind in kinds), default=0)):
            count = min(first + BLOCK, sizes.weaker if below else sizes.strongest)
            for number in range(first, count):
                for kind in kinds:
                    if below < len(strengths(kind)):
                        yield Case(kind.value, strengths(kind)[-1 - below], number)


def _mixed(forged: list[Case], clean: list[Case]) -> list[Case]:
    """Return the ones evenly between the others, in the order of both."""
    places = [(k / len(some), case) for some in (clean, forged) for k, case in enumerate(some)]
    return [case for _, case in sorted(places, key=lambda place: place[0])]

"""Agents of the sight canary: one that reads pixels, and one that guesses."""

import random
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from bridge.episode.choices import Obs
from bridge.episode.episode import Episode
from bridge.episode.observation import View
from bridge.episode.records import Options
from bridge.episode.rendering import SharedRenderer
from bridge.episode.tools import ToolCall
from bridge.operations.sight.protocol import IMAGE_SIZE, Received
from pysim.catalog import AnyLevel

__all__ = ["PixelReader", "measure_difference", "rescale"]

_EDGE = 64
"""Edge in pixels at which pictures are compared."""
_MOST_DIFFERENT = 15.0
"""Mean difference of grey levels up to which a picture can be read."""

Pixels = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class _Reference:
    """The picture of a state, and the next action there."""

    pixels: Pixels
    call: ToolCall


class PixelReader:
    """An agent that knows the states along plans by their first picture, and nothing else of them.

    It acts on the newest pictures alone. Where there is none, or none that it can read, it guesses.

    Args:
        levels: the levels whose plans it knows.
        rng: draws guesses.
    """

    def __init__(self, levels: Sequence[AnyLevel], rng: random.Random) -> None:
        self._references = list(_draw_references(levels))
        self._calls = [
            one.call
            for number, one in enumerate(self._references)
            if one.call not in [earlier.call for earlier in self._references[:number]]
        ]
        self._rng = rng

    @property
    def chance(self) -> float:
        """Probability that a guess is the next action."""
        return 1 / len(self._calls)

    def decide(self, received: Received) -> ToolCall:
        """Return the action that the picture calls for, or a guess."""
        return self.read(received.views) or self.guess(received)

    def guess(self, received: Received) -> ToolCall:
        """Return an action without looking."""
        return self._rng.choice(self._calls)

    def read(self, views: Sequence[View]) -> ToolCall | None:
        """Return the action that the first picture calls for; None if it can't be read."""
        if not views or not views[0].width:
            return None
        pixels = rescale(views[0].rgb(), _EDGE)
        found = min(self._references, key=lambda one: measure_difference(one.pixels, pixels))
        is_read = measure_difference(found.pixels, pixels) <= _MOST_DIFFERENT
        return found.call if is_read else None


def _draw_references(levels: Sequence[AnyLevel]) -> Iterator[_Reference]:
    options = Options(Obs.IMAGE, picture_size=IMAGE_SIZE)
    with closing(SharedRenderer()) as renderer:
        for level in levels:
            assert level.plan is not None
            episode = Episode(level, renderer=renderer, options=options, image_format="raw")
            for action in level.plan.actions:
                pixels = rescale(episode.observe().views[0].rgb(), _EDGE)
                yield _Reference(pixels, ToolCall.of(action))
                episode.step(action)


def rescale(picture: NDArray[np.uint8], edge: int) -> Pixels:
    """Return a picture scaled to (edge, edge, 3) float32."""
    scaled = cv2.resize(picture, (edge, edge), interpolation=cv2.INTER_AREA)
    return scaled.astype(np.float32)


def measure_difference(one: Pixels, other: Pixels) -> float:
    """Return the mean difference of two pictures of the same size, in grey levels."""
    return float(np.abs(one - other).mean())

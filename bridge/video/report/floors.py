"""Floors and ceiling of a leaderboard: clips that any program can make of a bundle.

They are scored as the videos of models are. A still picture, a cross-fade and a slideshow carry
nothing out; the true film, encoded once more, does everything.
"""

from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bridge.recording.video import VideoWriter
from bridge.video.reference.bundle import VIDEO, Bundle

__all__ = ["FloorKind", "write_floor"]

_Picture = NDArray[np.uint8]


class FloorKind(StrEnum):
    """A clip that is made of a bundle."""

    STILL = "still-picture"
    """The first frame of the film, all the time."""
    FADE = "cross-fade"
    """The first frame turns into the last one, pixel by pixel."""
    SLIDES = "slideshow"
    """A picture before the first step and one after each, with nothing between them."""
    TRUE = "true-film"
    """The ceiling: the true film, compressed twice."""


def write_floor(bundle: Bundle, kind: FloorKind, path: Path) -> None:
    """Write a floor as a video of the film's size, rate and length.

    Raises:
        RecordingError: it can't be written.
    """
    size = bundle.camera.width, bundle.camera.height
    with VideoWriter(path, size, bundle.manifest.fps) as video:
        for picture in _draw(bundle, kind):
            video.write(picture)


def _draw(bundle: Bundle, kind: FloorKind) -> Iterator[_Picture]:
    if kind is FloorKind.TRUE:
        yield from bundle.frames(VIDEO)
        return
    count = bundle.manifest.frames
    ends = [step.last_frame for step in bundle.manifest.steps]
    shown = {FloorKind.STILL: [0], FloorKind.FADE: [0, count - 1], FloorKind.SLIDES: [0, *ends]}
    pictures = _read(bundle, shown[kind])
    for frame in range(count):
        if kind is FloorKind.FADE:
            share = frame / max(1, count - 1)
            mixed = (1.0 - share) * pictures[0] + share * pictures[-1]
            yield np.asarray(mixed + 0.5, np.uint8)
        else:
            yield pictures[frame * len(pictures) // count]


def _read(bundle: Bundle, frames: list[int]) -> list[_Picture]:
    found = {number: picture for number, picture in enumerate(bundle.frames()) if number in frames}
    return [found[frame] for frame in frames]

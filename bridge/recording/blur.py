"""Films as a camera sees them whose shutter stays open for a while."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from bridge.recording.frames import Filming, FilmPicture
from bridge.recording.layout import HeldFrame
from pysim.render.renderer import Pass, Renderer
from pysim.trajectory import Keyframe, Trajectory, Transform

__all__ = ["draw_blurred"]

_OPEN = 0.5
"""Share of a frame's time for which the shutter is open: 180 degrees, as in the cinema."""
_LEAP = 1.0
"""What is this many units away in the next frame did not go there: it is not blurred."""
_GAMMA = 2.2
"""Light adds up in linear values; sRGB is nearly this power of them."""


def draw_blurred(filming: Filming, renderer: Renderer, samples: int = 4) -> Iterator[FilmPicture]:
    """Yield the frames of a film, what moves blurred along its way to the next frame.

    Ids, depths and poses are those of the moment at which the shutter opens.

    Args:
        samples: moments for which the picture is drawn.
    """
    following = iter([*(later for _, later in pairwise(_frames(filming))), None])
    timeline = iter(_frames(filming))
    for picture, held, later in zip(filming.draw(renderer), timeline, following, strict=True):
        if later is None or later is held or held.looks_like(later):
            yield picture
        else:
            yield replace(picture, rgb=_blurred(filming, renderer, held, later, samples))


def _frames(filming: Filming) -> list[HeldFrame]:
    return [held for held in filming.timeline for _ in range(held.frames)]


def _blurred(
    filming: Filming, renderer: Renderer, held: HeldFrame, later: HeldFrame, samples: int
) -> NDArray[np.uint8]:
    square, window = filming.make_square_camera()
    way = _way(held.transforms, later.transforms)
    shares = [_OPEN * k / samples for k in range(samples)]
    moments = [{**held.transforms, **way.sample(share)} for share in shares]
    edge = max(filming.camera.width, filming.camera.height)
    seen = renderer.render_batch([held.scene] * samples, [square], edge, [Pass.RGB], moments).rgb[
        :, 0
    ]
    light = np.mean([(window.crop(rgb) / 255.0) ** _GAMMA for rgb in seen], axis=0)
    blurred: NDArray[np.uint8] = np.rint(light ** (1.0 / _GAMMA) * 255.0).astype(np.uint8)
    return blurred


def _way(before: Mapping[str, Transform], after: Mapping[str, Transform]) -> Trajectory:
    """From where bodies are to where they are a frame later; those that leap stay."""
    near = {
        name: place
        for name, place in after.items()
        if name in before and np.abs(place - before[name])[:3, 3].max() < _LEAP
    }
    return Trajectory([Keyframe(0.0, {name: before[name] for name in near}), Keyframe(1.0, near)])

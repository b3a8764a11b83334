"""Bundles of short films, and videos made of them."""

from collections.abc import Sequence
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from bridge.recording.blur import draw_blurred
from bridge.recording.dataset.forging.forgeries import ForgedFilm
from bridge.recording.dataset.forging.showing import forged_filming
from bridge.video.reference.bundle import read_bundle
from bridge.video.reference.bundle_making import BundleRequest, make_bundle
from bridge.video.reference.film import TrueFilm, read_true_film
from bridge.video.reference.look import Look, learn_look
from perf.clips.bundle_films import read_scenes
from pysim.catalog import find_level
from pysim.render.scenery import DIAGRAM, Scenery, create_dressed
from tests.needs import usable_renderer
from tests.scratch import find_scratch

__all__ = ["film_of", "look_of", "play", "redraw"]

Picture = NDArray[np.float32]


def film_of(level: str, *, steps: int = 2, width: int = 208, fps: int = 12) -> TrueFilm:
    """The film of a level's first steps, at a small size; each is made once in a process."""
    return _make_film(level, steps, width, fps)  # Defaults that are given are the same film.


@cache
def _make_film(level: str, steps: int, width: int, fps: int) -> TrueFilm:
    request = BundleRequest(size=(width, width * 15 // 26 // 2 * 2), fps=fps, first_steps=steps)
    out = find_scratch() / f"{steps}-steps-{width}-wide-{fps}-fps" / level
    with usable_renderer() as renderer:
        make_bundle(find_level(level), out, request, renderer)
    return read_true_film(read_bundle(out))


@cache
def look_of(film: TrueFilm) -> Look:
    """The look of a film."""
    return learn_look(film)


def play(film: TrueFilm, frames: Sequence[int] | NDArray[np.int64]) -> list[Picture]:
    """The pictures of some frames of a film, one after another."""
    return [film.pictures[k].astype(np.float32) for k in film.find_position(np.asarray(frames))]


def redraw(
    film: TrueFilm,
    poses: NDArray[np.float64],
    scenery: Scenery = DIAGRAM,
    *,
    is_blurred: bool = False,
) -> list[Picture]:
    """The pictures of a film with its bodies at other poses (F, B, 4, 4), by the real renderer.

    A body is absent where its pose is NaN. Scenery after the film's end is that of its last frame.

    Args:
        is_blurred: whether the shutter is open for half a frame.
    """
    bundle = film.bundle
    paints = np.tile(np.arange(len(bundle.names)), (len(poses), 1))
    forged = ForgedFilm(bundle.names, poses, paints, ())
    with usable_renderer() as renderer:
        scenes = list(read_scenes(bundle))
        scenes = scenes[: len(poses)] + scenes[-1:] * (len(poses) - len(scenes))
        dressed = create_dressed(renderer, scenery)
        filming = forged_filming(scenes, bundle.camera, forged)
        frames = list(draw_blurred(filming, dressed) if is_blurred else filming.draw(dressed))
    return [
        cv2.resize(frame.rgb, film.size, interpolation=cv2.INTER_AREA).astype(np.float32)
        for frame in frames
    ]

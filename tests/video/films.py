"""Bundles of short films, and videos made of them."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

import numpy as np
from numpy.typing import NDArray

from bridge.video.reference.bundle import read_bundle
from bridge.video.reference.bundle_making import BundleRequest, make_bundle
from bridge.video.reference.film import TrueFilm, read_true_film
from pysim.catalog import find_level
from tests.needs import usable_renderer

__all__ = ["film_of", "play"]

Picture = NDArray[np.float32]


@cache
def film_of(level: str, *, steps: int = 2, width: int = 208, fps: int = 12) -> TrueFilm:
    """The film of a level's first steps, at a small size; each is made once in a process."""
    request = BundleRequest(size=(width, width * 15 // 26 // 2 * 2), fps=fps, first_steps=steps)
    out = Path(mkdtemp(prefix="luban-film-")) / level
    with usable_renderer() as renderer:
        make_bundle(find_level(level), out, request, renderer)
    return read_true_film(read_bundle(out))


def play(film: TrueFilm, frames: Sequence[int] | NDArray[np.int64]) -> list[Picture]:
    """The pictures of some frames of a film, one after another."""
    return [film.pictures[k].astype(np.float32) for k in film.find_position(np.asarray(frames))]

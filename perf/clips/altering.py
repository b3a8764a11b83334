"""Films that are not as the true one, and their pictures."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from bridge.recording.caption import Caption
from bridge.recording.dataset.forging.forgeries import ForgedFilm
from bridge.recording.dataset.forging.showing import spare_colour
from bridge.recording.frames import Filming
from bridge.recording.layout import HeldFrame
from perf.clips.sources import Source
from perf.clips.takes import Frames, Picture
from pysim.geometry import HOME, Voxels
from pysim.render.renderer import Renderer
from pysim.scene import Body

__all__ = ["AlteredFilm", "Extra", "count_extra_pixels", "draw_film", "from_forged"]

Poses = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Extra:
    """A body that no true film has.

    Attributes:
        poses: (F, 4, 4); NaN where it is not there.
    """

    body: Body
    poses: Poses


@dataclass(frozen=True, slots=True, eq=False)
class AlteredFilm:
    """A film in which something may be false.

    Attributes:
        shown: (F,) the frame of the true film that each is, but for what is altered.
        poses: (F, B, 4, 4) of the bodies; NaN where one is gone.
        looks: bodies that look otherwise from a frame on, by name.
        since: that frame.
        extras: what is there besides.
    """

    shown: Frames
    poses: Poses
    looks: Mapping[str, Body] = field(default_factory=dict)
    since: int = 0
    extras: Sequence[Extra] = ()

    @staticmethod
    def cut(source: Source, shown: Frames) -> "AlteredFilm":
        """Return frames of the true film in another order."""
        return AlteredFilm(shown, source.bundle.poses[shown].copy())


def from_forged(source: Source, forged: ForgedFilm) -> AlteredFilm:
    """Return a forged film in this form."""
    own = np.arange(len(forged.names))
    painted = np.flatnonzero((forged.paints != own).any(axis=1))
    looks = {}
    if len(painted):
        colours = [source.bodies[name].colour for name in forged.names]
        colours.append(spare_colour(source.scenes[0]))
        for place in np.flatnonzero(forged.paints[-1] != own).tolist():
            name = forged.names[place]
            paint = colours[int(forged.paints[-1, place])]
            looks[name] = replace(source.bodies[name], colour=paint)
    extras = []
    for number, extra in enumerate(forged.extras):
        cells = Voxels.from_cells((x, y, z) for x, y, z in extra.cells.tolist())
        whole = source.bodies[extra.paint]
        body = Body(f"extra-{number + 1}", cells, HOME, whole.colour)
        extras.append(Extra(body, extra.poses))
    since = int(painted[0]) if len(painted) else 0
    return AlteredFilm(np.arange(len(forged.poses)), forged.poses, looks, since, extras)


def draw_film(source: Source, film: AlteredFilm, renderer: Renderer) -> list[Picture]:
    """Return the pictures of a film; frames that are true are taken as they are."""
    changed = _find_changed(source, film)
    timeline = [_hold_frame(source, film, frame) for frame in np.flatnonzero(changed).tolist()]
    filming = Filming(timeline, _list_names(source, film), source.bundle.camera)
    drawn = iter(_draw(filming, renderer))
    return [
        next(drawn) if changed[frame] else source.pictures[shown]
        for frame, shown in enumerate(film.shown.tolist())
    ]


def count_extra_pixels(source: Source, film: AlteredFilm, frame: int, renderer: Renderer) -> int:
    """Return how many pixels show the extras of a film in a frame, without their shadows."""
    held = _hold_frame(source, film, frame)
    (picture,) = Filming([held], _list_names(source, film), source.bundle.camera).draw(renderer)
    return int((picture.ids > len(source.bundle.names)).sum())


def _list_names(source: Source, film: AlteredFilm) -> tuple[str, ...]:
    return (*source.bundle.names, *(extra.body.name for extra in film.extras))


def _draw(filming: Filming, renderer: Renderer) -> Iterator[Picture]:
    if filming.timeline:
        yield from (picture.rgb for picture in filming.draw(renderer))


def _find_changed(source: Source, film: AlteredFilm) -> NDArray[np.bool_]:
    """Return (F,) whether a frame is not one of the true film."""
    true = source.bundle.poses[film.shown]
    same = np.isclose(film.poses, true, atol=1e-9, equal_nan=True).all(axis=(1, 2, 3))
    changed: NDArray[np.bool_] = np.asarray(~same)
    if film.looks:
        changed[film.since :] = True
    for extra in film.extras:
        changed |= np.asarray(np.isfinite(extra.poses).all(axis=(1, 2)))
    return changed


def _hold_frame(source: Source, film: AlteredFilm, frame: int) -> HeldFrame:
    scene = source.scenes[int(film.shown[frame])]
    looks = film.looks if frame >= film.since else {}
    places = dict(zip(source.bundle.names, film.poses[frame], strict=True))
    bodies = [
        looks.get(body.name, body) for body in scene.bodies if np.isfinite(places[body.name]).all()
    ]
    for extra in film.extras:
        if np.isfinite(extra.poses[frame]).all():
            bodies.append(extra.body)
            places[extra.body.name] = extra.poses[frame]
    there = {body.name: places[body.name] for body in bodies}
    return HeldFrame(replace(scene, bodies=tuple(bodies)), there, Caption(""), 1)

"""Films that are wrong, ready to be drawn as their true films were."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from bridge.recording.caption import Caption
from bridge.recording.dataset.forging.forgeries import ForgedFilm
from bridge.recording.frames import Filming
from bridge.recording.layout import HeldFrame
from pysim.geometry import HOME, Voxels
from pysim.render.palette import PALETTE
from pysim.render.pinhole import Pinhole
from pysim.scene import Body, Colour, Scene
from pysim.trajectory import Transform

__all__ = ["forged_filming", "spare_colour"]


def forged_filming(scenes: Scene | Sequence[Scene], camera: Pinhole, film: ForgedFilm) -> Filming:
    """A film that can be drawn, frame by frame as long as the true one.

    Bodies that no true film has are called ``extra-1``, and so on; their ids come last.

    Args:
        scenes: that of the true film, on the ground of the whole film, or that of each frame.
        camera: that of the true film, or another one.
    """
    extras = tuple(f"extra-{number + 1}" for number in range(len(film.extras)))
    each = [scenes] * len(film.poses) if isinstance(scenes, Scene) else scenes
    timeline = [_hold_frame(each[frame], film, frame) for frame in range(len(film.poses))]
    return Filming(timeline, (*film.names, *extras), camera)


def spare_colour(scene: Scene) -> Colour:
    """The first colour of the palette that no body of a scene has."""
    used = {body.colour for body in scene.bodies}
    return next(Colour(name) for name in PALETTE if name not in used)


def _hold_frame(scene: Scene, film: ForgedFilm, frame: int) -> HeldFrame:
    parts = list(_parts(scene, film, frame))
    bodies = tuple(body for body, _ in parts)
    transforms = {body.name: transform for body, transform in parts}
    return HeldFrame(replace(scene, bodies=bodies), transforms, Caption(""), 1)


def _parts(scene: Scene, film: ForgedFilm, frame: int) -> Iterator[tuple[Body, Transform]]:
    """Yield the bodies of a frame, with their transforms."""
    colours = [*(scene.find_body(name).colour for name in film.names), spare_colour(scene)]
    for number, name in enumerate(film.names):
        pose = film.poses[frame, number]
        if np.isfinite(pose).all():
            body = scene.find_body(name)
            yield replace(body, colour=colours[film.paints[frame, number]]), pose
    for number, extra in enumerate(film.extras):
        if np.isfinite(extra.poses[frame]).all():
            cells = Voxels.from_cells((x, y, z) for x, y, z in extra.cells.tolist())
            colour = scene.find_body(extra.paint).colour
            yield Body(f"extra-{number + 1}", cells, HOME, colour), extra.poses[frame]

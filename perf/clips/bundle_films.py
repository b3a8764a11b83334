"""Films of bundles, as forgeries are made of them."""

import numpy as np

from bridge.recording.dataset.forging.forgeries import TrueFilm
from bridge.recording.frames import replay_timeline
from bridge.recording.layout import HeldFrame
from bridge.recording.log import read_log
from bridge.recording.movers import movers_of
from bridge.video.reference.bundle import LOG, Bundle
from pysim.catalog import find_family
from pysim.scene import Body, Scene

__all__ = ["list_bodies", "read_scene", "read_scenes", "read_true_film"]


def read_true_film(bundle: Bundle) -> TrueFilm:
    """Return how bodies move in the film of a bundle."""
    bodies = list_bodies(bundle)
    cells = {name: np.array(bodies[name].shape.cells, np.float64) for name in bundle.names}
    stickered = frozenset(name for name, body in bodies.items() if body.stickers)
    fixed = frozenset(cells) - {*movers_of(bundle.level, _start(bundle))}
    return TrueFilm(cells, bundle.poses, bundle.manifest.fps, stickered, fixed)


def list_bodies(bundle: Bundle) -> dict[str, Body]:
    """Return the bodies of a bundle's level at the start, by name."""
    return {body.name: body for body in _start(bundle).bodies}


def read_scene(bundle: Bundle) -> Scene:
    """Return the scene of a bundle's first frame, on the ground of the whole film."""
    return _replay(bundle)[0].scene


def read_scenes(bundle: Bundle) -> list[Scene]:
    """Return the scenes of a bundle's frames, which may differ in signs and lights."""
    return [held.scene for held in _replay(bundle) for _ in range(held.frames)]


def _replay(bundle: Bundle) -> list[HeldFrame]:
    """Return the timeline of a bundle's film."""
    log, manifest = read_log(bundle.path / LOG), bundle.manifest
    return replay_timeline(log, manifest.fps, manifest.speed, seconds=manifest.seconds)


def _start(bundle: Bundle) -> Scene:
    rules = find_family(bundle.level).rules
    return rules.scene(bundle.level, rules.initial(bundle.level))

"""Clips of cubes and nets: true ones, made worse, and forged ones, drawn anew."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

import cv2
import numpy as np

from bridge.recording.dataset.forging.forgeries import ForgedFilm, ForgeryError
from bridge.recording.dataset.forging.showing import forged_filming
from bridge.recording.frames import Filming
from bridge.video.reference.bundle import Bundle, read_bundle
from bridge.video.reference.bundle_making import BundleRequest, make_bundle
from perf.video.bundle_films import list_bodies, read_scene
from perf.video.clips import AFTER, WITHIN, Picture, bordered, drifting, encode, tinted
from perf.video.turned.cases import TurnedKind
from perf.video.turned.forging import FalseFilm, TurnedLabel, forged_film
from perf.video.turned.seeing import differing_pixels
from pysim.catalog import find_level
from pysim.render.factory import create_renderer
from pysim.render.renderer import Renderer

__all__ = [
    "FPS",
    "TurnedClip",
    "clean_turned",
    "false_filming",
    "forged_turned",
    "turned_bundles",
]

FPS = 12
"""Frames a second; half of what those of locks have, since nets take twice as long."""
CUBES = (
    ("cubebench-d02-1-full-symbolic", (256, 160)),
    ("cubebench-d03-2-full-symbolic", (320, 200)),
    ("cubebench-d04-3-full-symbolic", (256, 256)),
    ("checkerboard", (320, 200)),
)
"""Levels, and the sizes of their pictures."""
NETS = (
    ("nets-easy-01", (832, 480)),
    ("nets-easy-06", (832, 480)),
    ("nets-medium-01", (832, 480)),
    ("nets-hard-01", (832, 480)),
)
STEPS = 2
"""Steps of their plans that are filmed."""
SPEED = 2.0
"""How many times as fast as usual nets are folded."""
_SMALLEST = 10.5
"""Pixels to a unit that small clips of nets have at least."""
_FEWEST = 60
"""Pixels that have to look otherwise in a false frame."""
_TRIES = 60
"""Places that are looked for."""


@dataclass(frozen=True, slots=True, eq=False)
class TurnedClip:
    """A video of a cube or a net.

    Attributes:
        unseen: how many that can't be seen were forged before it.
    """

    bundle: Bundle
    video: Path
    unseen: int = 0


def turned_bundles(folder: Path) -> list[Bundle]:
    """Bundles of all films, cubes before nets; those that are in the folder are not made anew."""
    renderer: Renderer | None = None
    found = []
    for name, size in CUBES + NETS:
        out = folder / f"turned-{name}"
        if not out.exists():
            renderer = renderer or create_renderer()[0]
            speed = SPEED if (name, size) in NETS else 1.0
            request = BundleRequest(size, FPS, STEPS, speed)
            make_bundle(find_level(name), out, request, renderer)
        found.append(read_bundle(out))
    return found


def clean_turned(known: list[Bundle], what: str, rng: np.random.Generator, out: Path) -> TurnedClip:
    """Return a true film, made worse."""
    bundle = _one(known, rng)
    every = what == "all at once"
    frames: Iterable[Picture] = bundle.frames()
    if what == "tinted" or every:
        frames = tinted(frames, rng)
    if what == "drifting" or every:
        frames = drifting(frames, bundle, rng)
    if what == "small" or every:
        frames = _smaller(frames, bundle)
    if what == "letterboxed" or every:
        frames = bordered(frames)
    preset = "medium" if what == "slow preset" else "veryfast"
    encode(out, frames, FPS, int(rng.integers(18, 29)), preset=preset, threads="1")
    return TurnedClip(bundle, out)


def forged_turned(
    known: list[Bundle],
    kind: TurnedKind,
    renderer: Renderer,
    rng: np.random.Generator,
    out: Path,
) -> tuple[TurnedClip, TurnedLabel]:
    """A film with something impossible that can be seen, compressed; and what and where that is.

    Raises:
        ForgeryError: there is no place for it.
    """
    unseen = 0
    for _ in range(_TRIES):
        bundle = _one(known, rng)
        false = forged_film(bundle, list_bodies(bundle), kind, rng)
        if false is None:
            continue
        if differing_pixels(bundle, list_bodies(bundle), false, false.label.reached) < _FEWEST:
            unseen += 1
            continue
        _draw(bundle, false, renderer, rng, out)
        return TurnedClip(bundle, out, unseen), false.label
    raise ForgeryError(f"no place for a {kind.value}, {unseen} that can't be seen")


def _one(known: list[Bundle], rng: np.random.Generator) -> Bundle:
    """Return a cube as often as a net."""
    half = len(CUBES)
    some = known[:half] if rng.integers(2) else known[half:]
    return some[int(rng.integers(len(some)))]


def _smaller(frames: Iterable[Picture], bundle: Bundle) -> Iterator[Picture]:
    scale = max(0.6, min(1.0, _SMALLEST / bundle.manifest.pixels_per_unit))
    camera = bundle.camera
    size = 2 * round(camera.width * scale / 2.0), 2 * round(camera.height * scale / 2.0)
    for frame in frames:
        yield np.asarray(cv2.resize(frame, size, interpolation=cv2.INTER_AREA), np.uint8)


def _draw(
    bundle: Bundle, false: FalseFilm, renderer: Renderer, rng: np.random.Generator, out: Path
) -> None:
    frames = min(len(false.poses), _last(false.label) + 1)
    filming = false_filming(bundle, false)
    pictures = (picture.rgb for picture in islice(filming.draw(renderer), frames))
    encode(out, pictures, FPS, int(rng.integers(18, 29)), threads="1")


def _last(label: TurnedLabel) -> int:
    """Return the last frame that a clip needs."""
    return label.reached + WITHIN + AFTER * FPS // 24


def false_filming(bundle: Bundle, false: FalseFilm) -> Filming:
    """Return a false film, ready to be drawn."""
    paints = np.tile(np.arange(len(bundle.names)), (len(false.poses), 1))
    film = ForgedFilm(bundle.names, false.poses, paints, ())
    filming = forged_filming(read_scene(bundle), bundle.camera, film)
    timeline = list(filming.timeline)
    for frame in range(false.label.first_frame, len(timeline)):
        scene, places = timeline[frame].scene, dict(timeline[frame].transforms)
        bodies = tuple(false.looks.get(body.name, body) for body in scene.bodies)
        if false.extra is not None:
            bodies = (*bodies, false.extra[0])
            places[false.extra[0].name] = false.extra[1]
        scene = replace(scene, bodies=bodies)
        timeline[frame] = replace(timeline[frame], scene=scene, transforms=places)
    more = () if false.extra is None else (false.extra[0].name,)
    return replace(filming, timeline=timeline, names=(*filming.names, *more))

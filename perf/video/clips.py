"""Clips for :mod:`perf.video_score`: true ones, made worse, and forged ones.

A forged clip ends a second after the last frame in which it has to be found: what comes later is
not asked for, and neither a tracker nor a judge of violations looks back from it.
"""

import math
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import islice
from pathlib import Path
from shutil import rmtree
from typing import cast

import av
import cv2
import numpy as np
from numpy.typing import NDArray

from bridge.video.report.measures import true_frames
from bridge.compare.tracking.alignment import Drift
from bridge.compare.tracking.tracker import Tracker
from bridge.recording.dataset.forging.forge import forge
from bridge.recording.dataset.forging.forgeries import (
    ForgedFilm,
    Forgery,
    ForgeryError,
    ForgeryKind,
    TrueFilm,
)
from bridge.recording.dataset.forging.showing import forged_filming
from bridge.recording.frames import Filming
from bridge.recording.log import read_log
from bridge.video.reference.bundle import LOG, Bundle, read_bundle
from bridge.video.reference.bundle_making import BundleRequest, make_bundle
from perf.video.bundle_films import read_scene, read_true_film
from perf.video.telling import is_telling
from pysim.catalog import find_level
from pysim.errors import LubanError
from pysim.render.factory import create_renderer
from pysim.render.renderer import Renderer
from pysim.render.scenery import Finish, Scenery, create_dressed

__all__ = [
    "AFTER",
    "CLEAN",
    "WITHIN",
    "Clip",
    "Picture",
    "bordered",
    "bundles",
    "clean_clip",
    "drifting",
    "encode",
    "forged_clip",
    "last_frame",
    "tinted",
]

Picture = NDArray[np.uint8]

FILMS = (
    ("burr-piston", 3),
    ("burr-generated-sticks-4", 2),
    ("burr-chinese-cross", 1),
    ("burr-half-lap", 1),
)
"""Locks, of six pieces but for the last one, and how many steps of their plans are filmed."""
MORE_FILMS = (
    ("burr-piston", 6),
    ("burr-philippe-dubois", 5),
    ("burr-computers-choice-unique-10", 8),
    ("burr-artifactory-5-4", 4),
    ("burr-loves-dozen-key", 8),
)
"""Others in the usual look alone: some forgeries have a single place in each film, or none."""
SIZE, FPS = (256, 256), 24
DENSITY = 12.0
"""Pixels to a unit at least; pictures are made larger where they have fewer."""
WITHIN = 3
"""Frames by which a violation may be found too early or too late."""
AFTER = FPS
"""Frames that a forged clip goes on after the last one in which it has to be found."""
TRIES = 40
"""Films in which a place for a forgery is looked for."""
CLEAN = (
    "compressed",
    "slow",
    "quick",
    "letterboxed",
    "tinted",
    "drifting",
    "wood",
    "plain",
    "blurred",
    "all at once",
    "tiny",
)
"""What was done to clean clips."""


@dataclass
class Clip:
    """A video, and what it should show.

    Attributes:
        what: was done to it.
        poses: (frames, pieces, 4, 4) what it shows, in the order of the scene's bodies.
        unseen: how many that can't be seen were forged before it.
    """

    what: str
    bundle: Bundle
    video: Path
    renderer: Renderer
    poses: NDArray[np.float64] = field(default_factory=lambda: np.zeros((0, 0, 4, 4)))
    unseen: int = 0


def bundles(folder: Path) -> list[Clip]:
    """Bundles of all levels in each look; renderers that can't be had are left out.

    Those that are in the folder already are not made anew.
    """
    renderer, _ = create_renderer()
    looks: dict[str, Renderer] = {"diagram": renderer}
    for finish in (Finish.WOOD, Finish.PLAIN):
        try:
            looks[finish.value] = create_dressed(renderer, Scenery(finish=finish))
        except LubanError:
            continue
    with suppress(LubanError):
        looks["tiny"] = create_renderer("tiny")[0]
    found = []
    for look, drawn in looks.items():
        films = {"diagram": FILMS + MORE_FILMS, "tiny": FILMS[:1]}.get(look, FILMS)
        for name, steps in films:
            out = folder / f"{name}-{steps}-{look}"
            found.append(Clip(look, _bundle(name, out, steps, drawn), out / "video.mp4", drawn))
    return found


def _bundle(name: str, out: Path, steps: int, renderer: Renderer) -> Bundle:
    """Return a bundle with enough pixels to a unit."""
    if out.exists():
        return read_bundle(out)
    density = make_bundle(
        find_level(name), out, BundleRequest(SIZE, FPS, steps), renderer
    ).pixels_per_unit
    if density < DENSITY:
        rmtree(out)
        edge = 2 * math.ceil(SIZE[0] * DENSITY / density / 2.0 + 1.0)
        make_bundle(find_level(name), out, BundleRequest((edge, edge), FPS, steps), renderer)
    return read_bundle(out)


def clean_clip(known: list[Clip], what: str, rng: np.random.Generator, out: Path) -> Clip:
    """Return a true film, made worse."""
    look = what if what in ("wood", "plain", "tiny") else "diagram"
    base = _one([clip for clip in known if clip.what == look] or known[:1], rng)
    every = what == "all at once"
    fps = {"slow": 12, "quick": 30}.get(what, int(rng.choice([15, 24])) if every else FPS)
    frames: Iterable[Picture] = base.bundle.frames()
    if what == "blurred":
        frames = _blurred(base)
    if what == "tinted" or every:
        frames = tinted(frames, rng)
    if what == "drifting" or every:
        frames = drifting(frames, base.bundle, rng)
    if what == "letterboxed" or every:
        frames = bordered(frames)
    numbers = _resampled(base.bundle.manifest.frames, fps)
    encode(out, _picked(frames, numbers), fps, int(rng.integers(18, 29)))
    poses = base.bundle.poses[_shown(base.bundle, len(numbers), fps)]
    return Clip(what, base.bundle, out, base.renderer, poses)


def forged_clip(
    known: list[Clip],
    kind: ForgeryKind,
    strength: float,
    rng: np.random.Generator,
    out: Path,
    *,
    whole: bool = False,
) -> tuple[Clip, Forgery]:
    """A film with something impossible that can be seen, compressed; and what and where that is.

    Args:
        whole: whether it goes on to the end.

    Raises:
        ForgeryError: there is no place for it.
    """
    unseen = 0
    for _ in range(TRIES):
        base = _one([clip for clip in known if clip.what == "diagram"], rng)
        truth = read_true_film(base.bundle)
        with suppress(ForgeryError):
            film = forge(truth, kind, strength, rng)
            if _is_seen(base.bundle, truth, film):
                (label,) = film.forgeries
                frames = truth.frames if whole else last_frame(label) + 1
                clip = _drawn(base, film, rng, out, frames)
                return replace(clip, unseen=unseen), label
            unseen += 1
    raise ForgeryError(f"no place for a {kind.value} of {strength:g}, {unseen} that can't be seen")


def last_frame(label: Forgery) -> int:
    """Return the last frame that a clip needs in which something has to be found."""
    return label.reached + WITHIN + AFTER


def _is_seen(bundle: Bundle, truth: TrueFilm, film: ForgedFilm) -> bool:
    """Whether enough pixels tell of it, by the frame in which it has to be found at the latest."""
    (label,) = film.forgeries
    tracker = Tracker(bundle, 0.0)
    last = min(label.last_frame, label.reached + WITHIN)
    return is_telling(tracker, truth, film, {label.reached, last})


def _drawn(base: Clip, film: ForgedFilm, rng: np.random.Generator, out: Path, frames: int) -> Clip:
    filming = forged_filming(read_scene(base.bundle), base.bundle.camera, film)
    pictures = (picture.rgb for picture in islice(filming.draw(base.renderer), frames))
    encode(out, pictures, FPS, int(rng.integers(18, 29)))
    return Clip(film.forgeries[0].kind.value, base.bundle, out, base.renderer)


def _one(clips: list[Clip], rng: np.random.Generator) -> Clip:
    return clips[int(rng.integers(len(clips)))]


def _resampled(frames: int, fps: int) -> list[int]:
    """Select the frames of a film at FPS that are shown at another rate."""
    times = (np.arange(frames * fps // FPS) + 0.5) / fps
    return [int(number) for number in np.minimum(np.floor(times * FPS), frames - 1)]


def _shown(bundle: Bundle, frames: int, fps: int) -> NDArray[np.int64]:
    numbers = true_frames(frames, fps, bundle)
    return numbers[numbers >= 0]


def _picked(frames: Iterable[Picture], numbers: list[int]) -> Iterator[Picture]:
    """Yield frames by their numbers, which do not fall; some are left out, or come twice."""
    at = -1
    source = iter(frames)
    picture = np.zeros((2, 2, 3), np.uint8)
    for number in numbers:
        while at < number:
            picture = next(source)
            at += 1
        yield picture


def tinted(frames: Iterable[Picture], rng: np.random.Generator) -> Iterator[Picture]:
    """In a slightly other light, the same in all frames."""
    mix = (np.eye(3) + rng.uniform(-0.06, 0.06, (3, 3))).astype(np.float32)
    more = rng.uniform(-8.0, 8.0, 3)
    for frame in frames:
        mixed = cv2.transform(frame.astype(np.float32), mix) + more
        yield np.clip(mixed, 0, 255).astype(np.uint8)


def drifting(
    frames: Iterable[Picture], bundle: Bundle, rng: np.random.Generator
) -> Iterator[Picture]:
    """Yield the camera swings slowly, by up to two degrees and three per cent of zoom."""
    most = rng.uniform(-1.0, 1.0, 4) * [np.radians(2), np.radians(2), np.radians(2), 0.03]
    inside = bundle.camera.intrinsics
    lens = np.array([inside[0, 0], inside[0, 2], inside[1, 2]])
    count = max(2, bundle.manifest.frames)
    for number, frame in enumerate(frames):
        drift = Drift(most * np.sin(np.pi * number / count))
        size = frame.shape[1::-1]
        matrix = drift.homography(lens)
        swung = cv2.warpPerspective(frame, matrix, size, borderMode=cv2.BORDER_REPLICATE)
        yield cast("Picture", swung)


def bordered(frames: Iterable[Picture]) -> Iterator[Picture]:
    """With black borders left and right."""
    for frame in frames:
        wide = frame.shape[1]
        framed = cv2.copyMakeBorder(frame, 0, 0, wide // 4, wide // 4, cv2.BORDER_CONSTANT)
        yield cast("Picture", framed)


def _blurred(base: Clip) -> Iterator[Picture]:
    """Each frame is the mean of three, as with a shutter that stays open."""
    log = read_log(base.bundle.path / LOG)
    filming = Filming.of(log, base.bundle.camera, 3 * FPS)
    some: list[NDArray[np.float32]] = []
    count = 0
    for picture in filming.draw(base.renderer):
        some.append(picture.rgb.astype(np.float32))
        if len(some) == 3 and count < base.bundle.manifest.frames:
            yield np.mean(some, axis=0).astype(np.uint8)
            some, count = [], count + 1
    while count < base.bundle.manifest.frames:
        yield picture.rgb
        count += 1


def encode(path: Path, frames: Iterable[Picture], fps: int, crf: int, **options: str) -> None:
    """Write a video in H.264; further options are those of x264."""
    with av.open(str(path), "w") as container:
        stream = None
        for frame in frames:
            if stream is None:
                stream = container.add_stream("libx264", rate=Fraction(fps))
                stream.height, stream.width = frame.shape[:2]
                stream.pix_fmt = "yuv420p"
                stream.options = {"crf": str(crf), "preset": "veryfast", **options}
            container.mux(stream.encode(av.VideoFrame.from_ndarray(frame, format="rgb24")))
        if stream is not None:
            container.mux(stream.encode())

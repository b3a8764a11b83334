"""Making bundles."""

import json
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from numpy.typing import NDArray

from bridge.episode.episode import Episode
from bridge.episode.records import Options, StepKind
from bridge.recording.dataset.folder import new_folder
from bridge.recording.files import named, write_whole
from bridge.recording.frames import Filming, FilmPicture, replay_recording
from bridge.recording.instructions import instruction
from bridge.recording.layout import Phase
from bridge.recording.lines import LogInMemory
from bridge.recording.log import Log, read_log
from bridge.recording.timeline import count_steps_within
from bridge.recording.video import Codec, VideoWriter
from bridge.video.reference import bundle as names
from bridge.video.reference.bundle import (
    BundleError,
    BundleStep,
    Manifest,
    MaskWriter,
    manifest_to_json,
)
from bridge.video.thresholds import LIMITS
from pysim.catalog import AnyLevel, encode_level
from pysim.errors import InputError
from pysim.physics.factory import create_world
from pysim.puzzle import Outcome
from pysim.render.palette import PALETTE, Rgb, parse_color
from pysim.render.renderer import Renderer
from pysim.render.scenery import Finish, Scenery, create_dressed
from pysim.render.views import encode

__all__ = ["BundleRequest", "fits", "make_bundle", "play_plan"]


@dataclass(frozen=True, slots=True)
class BundleRequest:
    """Settings of a bundle.

    Attributes:
        size: width and height of its pictures in pixels, both even.
        fps: frames a second.
        first_steps: of the plan, as many; None for the whole, or for as many as fit ``seconds``.
        speed: how many times as fast as usual.
        seconds: how long the film may be; None for as long as it takes. Rests are shorter then and
            carries faster.
        clip_seconds: how much of the film the conditioning clip shows.
        finish: what bodies seem to be made of.
    """

    size: tuple[int, int] = (832, 480)
    fps: int = 24
    first_steps: int | None = None
    speed: float = 1.0
    seconds: float | None = None
    clip_seconds: float = 1.5
    finish: Finish = Finish.DIAGRAM

    def __post_init__(self) -> None:
        if self.fps < LIMITS.least_fps:
            raise BundleError(
                f"a bundle has {LIMITS.least_fps:g} frames a second or more, not {self.fps}: no "
                "video of fewer can be scored"
            )
        if self.seconds is not None and not 0.5 <= self.seconds <= 3600.0:
            raise BundleError(f"a film lasts 0.5 to 3600 seconds, not {self.seconds:g}")


def make_bundle(
    level: AnyLevel,
    out: Path,
    request: BundleRequest,
    renderer: Renderer,
    *,
    progress: Callable[[int, int], None] | None = None,
) -> Manifest:
    """Make the bundle of a level's plan; the folder appears whole or not at all.

    Raises:
        BundleError: the level has no plan, the folder is there already, or so many steps can't be
            shown in so many seconds.
        RecordingError, OSError: something can't be written.
    """
    if out.exists():
        raise BundleError(f"{out} exists; give another folder")
    with new_folder(out, force=False) as folder:
        log = play_plan(level, folder / names.LOG, count_steps(level, request))
        filming = _plan_film(log, request)
        _write_texts(level, folder, filming, log)
        painter = create_dressed(renderer, Scenery(finish=request.finish))
        taken = _film(filming, folder, request, painter, progress)
        manifest = _manifest(log, filming, taken, folder, request, renderer)
        document = json.dumps(manifest_to_json(manifest), indent=1)
        write_whole(folder / names.MANIFEST, document.encode() + b"\n")
    return manifest


def _plan_film(log: Log, request: BundleRequest) -> Filming:
    try:
        return Filming.of(
            log,
            fps=request.fps,
            speed=request.speed,
            seconds=request.seconds,
            size=request.size,
        )
    except InputError as error:
        raise BundleError(f"{log.header.level.id}: {error}") from None


def count_steps(level: AnyLevel, request: BundleRequest) -> int:
    """Return the number of first steps of a plan that a film shows."""
    steps = 0 if level.plan is None else len(level.plan.actions[: request.first_steps])
    if request.seconds is None or request.first_steps is not None or steps <= 1:
        return steps
    with TemporaryDirectory(prefix="luban-plan-") as folder:
        recording = replay_recording(play_plan(level, Path(folder, names.LOG)), request.fps)
    return count_steps_within(recording, request.fps, request.speed, seconds=request.seconds)


def fits(manifest: Manifest, level: AnyLevel, request: BundleRequest) -> bool:
    """Whether a bundle is the one of a level that is asked for, so far as its manifest tells."""
    told = (manifest.level_hash, (manifest.camera.width, manifest.camera.height))
    wanted = (level.hash, request.size)
    more = (manifest.fps, manifest.speed, manifest.seconds, manifest.look)
    asked = (request.fps, request.speed, request.seconds, request.finish.value)
    is_alike = (*told, *more) == (*wanted, *asked)
    return is_alike and len(manifest.steps) == count_steps(level, request)


def play_plan(level: AnyLevel, path: Path, first_steps: int | None = None) -> Log:
    """The log of an episode that follows a level's plan, or its first steps; written to ``path``.

    Raises:
        BundleError: the level has no plan.
        RecordingError: it can't be written.
    """
    if level.plan is None:
        raise BundleError(f"{level.id} has no plan, so there is nothing to film")
    budget = max(level.budget, len(level.plan.actions))
    options = Options(agent="oracle", budget=budget)
    world = create_world("lattice")
    try:
        lines = LogInMemory()
        episode = Episode(level, world, options=options, listener=lines)
        for action in level.plan.actions[:first_steps]:
            episode.step(action)
        lines.save(path)
    finally:
        world.close()
    return read_log(path)


def _write_texts(level: AnyLevel, folder: Path, filming: Filming, log: Log) -> None:
    document = json.dumps(encode_level(level), indent=1)
    write_whole(folder / names.LEVEL, document.encode() + b"\n")
    words = instruction(level, turning=filming.turning, whole=_solved(log))
    write_whole(folder / names.INSTRUCTION, words.encode())


def _solved(log: Log) -> bool:
    return log.ending is not None and log.ending.outcome is Outcome.SOLVED


@dataclass
class _Taken:
    """Notes taken while a film is drawn."""

    poses: list[NDArray[np.float64]] = field(default_factory=list)
    shown: list[tuple[int, Phase]] = field(default_factory=list)

    def note(self, picture: FilmPicture, bodies: tuple[str, ...]) -> None:
        nowhere = np.full((4, 4), np.nan)
        self.poses.append(np.stack([picture.poses.get(name, nowhere) for name in bodies]))
        self.shown.append((picture.step, picture.phase))

    def frames_of(self, step: int) -> tuple[int, int]:
        """The first and the last frame in which a step moves something."""
        moving = [
            frame
            for frame, (number, phase) in enumerate(self.shown)
            if number == step and phase in (Phase.MOVE, Phase.CARRY)
        ]
        here = moving or [f for f, (number, _) in enumerate(self.shown) if number == step]
        return here[0], here[-1]


def _film(
    filming: Filming,
    folder: Path,
    request: BundleRequest,
    renderer: Renderer,
    progress: Callable[[int, int], None] | None,
) -> _Taken:
    taken = _Taken()
    clip_frames = round(request.clip_seconds * request.fps)
    with ExitStack() as open_files:
        # The files of masks tells no name when the disk is full.
        open_files.enter_context(named(folder / names.IDS))
        masks = open_files.enter_context(MaskWriter(folder / names.IDS))
        web, lossless, clip = (
            open_files.enter_context(VideoWriter(folder / name, request.size, request.fps, codec))
            for name, codec in (
                (names.VIDEO, Codec.WEB),
                (names.LOSSLESS, Codec.LOSSLESS),
                (names.CLIP, Codec.WEB),
            )
        )
        for number, picture in enumerate(filming.draw(renderer)):
            if not number:
                png = encode(picture.rgb, "png", renderer=f"{renderer.name} {renderer.version}")
                write_whole(folder / names.REFERENCE, png)
            web.write(picture.rgb)
            lossless.write(picture.rgb)
            if number < clip_frames:
                clip.write(picture.rgb)
            masks.write(picture.ids)
            taken.note(picture, filming.names)
            if progress is not None:
                progress(number + 1, filming.frames)
    with named(folder / names.POSES), (folder / names.POSES).open("xb") as file:
        bodies = np.array(filming.names, dtype=np.str_)
        np.savez_compressed(file, names=bodies, poses=np.stack(taken.poses))
    return taken


def _manifest(
    log: Log,
    filming: Filming,
    taken: _Taken,
    folder: Path,
    request: BundleRequest,
    renderer: Renderer,
) -> Manifest:
    level = log.header.level
    steps = [
        BundleStep(
            step.step, step.call.name, dict(step.call.arguments), *taken.frames_of(step.step)
        )
        for step in log.steps
        if step.kind is StepKind.OK
    ]
    return Manifest(
        level=level.id,
        level_hash=level.hash,
        family=level.family,
        fps=request.fps,
        speed=request.speed,
        seconds=request.seconds,
        frames=filming.frames,
        camera=filming.camera,
        renderer=f"{renderer.name} {renderer.version}",
        look=request.finish.value,
        palette=_palette(filming),
        pixels_per_unit=filming.pixels_per_unit(),
        steps=tuple(steps),
        solved=_solved(log),
        sha256={name: names.file_hash(folder / name) for name in names.FILES},
    )


def _palette(filming: Filming) -> dict[str, Rgb]:
    colours = {body.name: body.colour for held in filming.timeline for body in held.scene.bodies}
    return {name: parse_color(colours[name], PALETTE) for name in filming.names}

"""Frames of a film as arrays: colours, ids, depths and poses, from any camera."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from bridge.episode.engines import LOCAL, Engines
from bridge.recording.framing import block_corners, closest_pinhole
from bridge.recording.layout import HeldFrame, Phase, blocks_of
from bridge.recording.log import Log
from bridge.recording.replay import replay
from bridge.recording.timeline import EpisodeRecording, make_timeline
from pysim.errors import InputError
from pysim.geometry import Bounds
from pysim.render.camera import Camera
from pysim.render.pinhole import Pinhole, Window
from pysim.render.renderer import Renderer
from pysim.trajectory import Transform

__all__ = [
    "FilmPicture",
    "Filming",
    "film_frames",
    "film_timeline",
    "mask_name",
    "replay_recording",
    "replay_timeline",
]


@dataclass(frozen=True, slots=True, eq=False)
class FilmPicture:
    """One frame of a film; the top row comes first.

    Attributes:
        rgb: (H, W, 3) uint8, sRGB.
        ids: (H, W) uint16; 0 for no body, else the body's index among ``poses``, from 1.
        depth: (H, W) float32; distance from the camera plane in units, infinity for no body.
        poses: 4x4 transform from body to world by body name, in one order for all frames.
        camera: K, E and the image size.
        step: number of the present or last step; 0 before the first.
        phase: phase of the film.
    """

    rgb: NDArray[np.uint8]
    ids: NDArray[np.uint16]
    depth: NDArray[np.float32]
    poses: Mapping[str, Transform]
    camera: Pinhole
    step: int
    phase: Phase

    @property
    def intrinsics(self) -> NDArray[np.float64]:
        """K, 3x3; see :class:`~pysim.render.pinhole.Pinhole`."""
        return self.camera.intrinsics

    @property
    def extrinsics(self) -> NDArray[np.float64]:
        """E, 4x4, from world to camera."""
        return self.camera.extrinsics


@dataclass(frozen=True, slots=True, eq=False)
class Filming:
    """A film to render.

    Attributes:
        timeline: the distinct frames, each held for a while.
        names: names of bodies in the order of their ids.
        camera: camera for all frames.
    """

    timeline: Sequence[HeldFrame]
    names: tuple[str, ...]
    camera: Pinhole

    @property
    def frames(self) -> int:
        """Number of frames."""
        return sum(held.frames for held in self.timeline)

    @staticmethod
    def of(
        log: Log,
        camera: Camera | Pinhole | None = None,
        fps: int = 24,
        speed: float = 1.0,
        *,
        seconds: float | None = None,
        size: tuple[int, int] = (832, 480),
        world: str | None = None,
        engines: Engines = LOCAL,
    ) -> "Filming":
        """Return the film of a log; see :func:`film_frames` and :func:`replay_timeline`."""
        timeline = replay_timeline(log, fps, speed, seconds=seconds, world=world, engines=engines)
        return film_timeline(timeline, camera, size)

    @property
    def turning(self) -> bool:
        """Whether any body rotates other than while it is carried."""
        return any(_has_rotation(*pair) for pair in pairwise(self.timeline))

    def pixels_per_unit(self) -> float:
        """Return the size of a unit in pixels at the body farthest from the camera."""
        return self.camera.focal / float(
            _compute_depths(self.camera, blocks_of(self.timeline)).max()
        )

    def make_square_camera(self) -> tuple[Camera, Window]:
        """Return a camera for square pictures, and the film's crop window in them."""
        return self.camera.make_square(*_compute_clipping_planes(self.camera, self.timeline))

    def draw(self, renderer: Renderer) -> Iterator[FilmPicture]:
        """Yield the frames; a frame that looks like the previous one is not rendered again."""
        square, window = self.make_square_camera()
        last: HeldFrame | None = None
        for held in self.timeline:
            if last is None or not held.looks_like(last):
                picture = self._render(renderer, held, square, window)
            last = held
            frame = replace(picture, step=held.step, phase=held.phase)
            for _ in range(held.frames):
                yield frame

    def _render(
        self, renderer: Renderer, held: HeldFrame, square: Camera, window: Window
    ) -> FilmPicture:
        edge = max(self.camera.width, self.camera.height)
        view = renderer.render(held.scene, [square], edge, held.transforms)[0]
        ids = [self.names.index(body.name) + 1 for body in held.scene.bodies]
        table = np.array([0, *ids], dtype=np.uint16)
        return FilmPicture(
            rgb=np.ascontiguousarray(window.crop(view.rgb)),
            ids=table[window.crop(view.ids)],
            depth=np.ascontiguousarray(window.crop(view.depth)),
            poses={name: held.transforms[name] for name in self.names if name in held.transforms},
            camera=self.camera,
            step=held.step,
            phase=held.phase,
        )


def film_frames(
    log: Log,
    camera: Camera | Pinhole | None = None,
    fps: int = 24,
    speed: float = 1.0,
    *,
    renderer: Renderer,
    size: tuple[int, int] = (832, 480),
    world: str | None = None,
    engines: Engines = LOCAL,
) -> Iterator[FilmPicture]:
    """Yield the frames of an episode's film, without captions, as arrays.

    Motions are those executed by the world, eased, at up to 12 units per second at speed 1. The
    film rests before, between and after them.

    Args:
        camera: a camera of observations, for square pictures of the shorter edge of ``size``; or
            matrices, which include the size. None chooses a camera that always sees every body:
            from the front, or where a unit is small there, from the largest view.
        fps: frames per second.
        speed: playback speed; 1 is the usual one.
        size: width and height in pixels.
        world, engines: as in :func:`~bridge.recording.replay.replay`.

    Raises:
        ReplayMismatch, WorldUnavailable: as :func:`~bridge.recording.replay.replay`.
        InputError: likewise; also if the frame rate, speed or camera is not valid.
    """
    film = Filming.of(log, camera, fps, speed, size=size, world=world, engines=engines)
    yield from film.draw(renderer)


def replay_timeline(
    log: Log,
    fps: int,
    speed: float = 1.0,
    *,
    seconds: float | None = None,
    world: str | None = None,
    engines: Engines = LOCAL,
) -> list[HeldFrame]:
    """Replay a log and return the timeline of its film.

    Args:
        seconds: how long the film may be; None for as long as it takes.

    Raises:
        InputError: it can't be shown in so many seconds, or as :func:`film_frames`.
    """
    recording = replay_recording(log, fps, speed, world=world, engines=engines)
    return make_timeline(recording, fps, speed, seconds)


def replay_recording(
    log: Log,
    fps: int,
    speed: float = 1.0,
    *,
    world: str | None = None,
    engines: Engines = LOCAL,
) -> EpisodeRecording:
    """Replay a log and return what a film of it is made of.

    Raises:
        As :func:`film_frames`.
    """
    if not 1 <= fps <= 240:
        raise InputError(f"a film has 1 to 240 pictures a second, not {fps}")
    if not 0.01 <= speed <= 100.0:
        raise InputError(f"a film is 0.01 to 100 times as fast as usual, not {speed}")
    recording = EpisodeRecording()
    replay(log, world=world, listener=recording, engines=engines)
    return recording


def film_timeline(
    timeline: Sequence[HeldFrame], camera: Camera | Pinhole | None, size: tuple[int, int]
) -> Filming:
    """Return the film of a timeline; ``camera`` and ``size`` as in :func:`film_frames`."""
    names = dict.fromkeys(body.name for held in timeline for body in held.scene.bodies)
    if camera is None:
        camera = closest_pinhole(blocks_of(timeline), size)
    elif isinstance(camera, Camera):
        camera = Pinhole.from_camera(camera, min(size))
    return Filming(timeline, tuple(names), camera)


def _has_rotation(before: HeldFrame, after: HeldFrame) -> bool:
    return after.phase is Phase.MOVE and any(
        name in before.transforms
        and np.abs(transform[:3, :3] - before.transforms[name][:3, :3]).max() > 1e-6
        for name, transform in after.transforms.items()
    )


def _compute_clipping_planes(camera: Pinhole, timeline: Sequence[HeldFrame]) -> tuple[float, float]:
    """Return near and far clipping planes around all bodies, for precise depths."""
    depths = _compute_depths(camera, blocks_of(timeline))
    return max(0.25, float(depths.min()) - 1.0), max(4000.0, 2.0 * float(depths.max()))


def _compute_depths(camera: Pinhole, blocks: Sequence[Bounds]) -> NDArray[np.float64]:
    """Return distances of the blocks' corners from the camera plane; 1 if there are none."""
    if not blocks:
        return np.ones(1)
    return camera.project(block_corners(blocks))[:, 2]


def mask_name(frame: int) -> str:
    """Return the name of the masks of a frame in ``ids.npz``."""
    return f"{frame:06d}"

"""The frames of a film as numbers: colours, ids, depths and poses, seen by any camera."""

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

__all__ = ["FilmPicture", "Filming", "film_frames", "film_timeline", "replay_timeline"]


@dataclass(frozen=True, slots=True, eq=False)
class FilmPicture:
    """One frame of a film; the top row comes first.

    Attributes:
        rgb: (H, W, 3) uint8, sRGB.
        ids: (H, W) uint16; 0 where no body is seen, else its place among ``poses``, from 1.
        depth: (H, W) float32; distance from the camera plane in units, infinity for no body.
        poses: body name -> 4x4 transform from body to world, in the same order in every frame.
        camera: K, E and the size of the picture.
        step: number of the step that is shown, or of the last one; 0 before the first.
        phase: what goes on.
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
    """A film that can be drawn.

    Attributes:
        stills: what is shown, moment by moment.
        names: bodies in the order of their ids.
        camera: from where.
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
        size: tuple[int, int] = (832, 480),
        world: str | None = None,
        engines: Engines = LOCAL,
    ) -> "Filming":
        """Return the film of a log; see :func:`film_frames`."""
        return film_timeline(
            replay_timeline(log, fps, speed, world=world, engines=engines), camera, size
        )

    @property
    def turning(self) -> bool:
        """Whether anything turns that is not being carried."""
        return any(_turned(*both) for both in pairwise(self.timeline))

    def pixels_per_unit(self) -> float:
        """Return the size of a unit in pixels where a body is farthest from the camera."""
        return self.camera.focal / float(_depths(self.camera, blocks_of(self.timeline)).max())

    def lens(self) -> tuple[Camera, Window]:
        """Return the camera for square pictures, and which part of them is the film's."""
        return self.camera.make_square(*_planes(self.camera, self.timeline))

    def draw(self, renderer: Renderer) -> Iterator[FilmPicture]:
        """Yield the frames; what looks like the one before is not drawn anew."""
        square, window = self.lens()
        last: HeldFrame | None = None
        for held in self.timeline:
            if last is None or not held.looks_like(last):
                picture = self._drawn(renderer, held, square, window)
            last = held
            shown = replace(picture, step=held.step, phase=held.phase)
            for _ in range(held.frames):
                yield shown

    def _drawn(
        self, renderer: Renderer, held: HeldFrame, square: Camera, window: Window
    ) -> FilmPicture:
        edge = max(self.camera.width, self.camera.height)
        seen = renderer.render(held.scene, [square], edge, held.transforms)[0]
        own = [self.names.index(body.name) + 1 for body in held.scene.bodies]
        table = np.array([0, *own], dtype=np.uint16)
        return FilmPicture(
            rgb=np.ascontiguousarray(window.crop(seen.rgb)),
            ids=table[window.crop(seen.ids)],
            depth=np.ascontiguousarray(window.crop(seen.depth)),
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
    """Yield the frames of an episode's film, without captions, as numbers.

    Motions are those that the world made, at most 12 units a second fast at the usual speed, each
    eased; the film rests before, between and after them.

    Args:
        camera: from where: a camera of observations, for square pictures of the shorter edge of
            ``size``; matrices, which say the size themselves; or None for one that sees every body
            all the time: from the front, or if a unit is small there, from where it looks largest.
        fps: frames a second.
        speed: how many times as fast as usual.
        size: width and height in pixels.
        world, engines: as in :func:`~bridge.recording.replay.replay`.

    Raises:
        ReplayMismatch, WorldUnavailable: as :func:`~bridge.recording.replay.replay`.
        InputError: likewise; also for a rate, speed or camera that can't be.
    """
    film = Filming.of(log, camera, fps, speed, size=size, world=world, engines=engines)
    yield from film.draw(renderer)


def replay_timeline(
    log: Log,
    fps: int,
    speed: float = 1.0,
    *,
    world: str | None = None,
    engines: Engines = LOCAL,
) -> list[HeldFrame]:
    """Return the moments that the film of a log shows.

    Raises:
        As :func:`film_frames`.
    """
    if not 1 <= fps <= 240:
        raise InputError(f"a film has 1 to 240 pictures a second, not {fps}")
    if not 0.01 <= speed <= 100.0:
        raise InputError(f"a film is 0.01 to 100 times as fast as usual, not {speed}")
    recorded = EpisodeRecording()
    replay(log, world=world, listener=recorded, engines=engines)
    return make_timeline(recorded, fps, speed)


def film_timeline(
    timeline: Sequence[HeldFrame], camera: Camera | Pinhole | None, size: tuple[int, int]
) -> Filming:
    """Return a film of some stills; ``camera`` and ``size`` as in :func:`film_frames`."""
    names = dict.fromkeys(body.name for held in timeline for body in held.scene.bodies)
    if camera is None:
        camera = closest_pinhole(blocks_of(timeline), size)
    elif isinstance(camera, Camera):
        camera = Pinhole.from_camera(camera, min(size))
    return Filming(timeline, tuple(names), camera)


def _turned(before: HeldFrame, after: HeldFrame) -> bool:
    return after.phase is Phase.MOVE and any(
        name in before.transforms
        and np.abs(place[:3, :3] - before.transforms[name][:3, :3]).max() > 1e-6
        for name, place in after.transforms.items()
    )


def _planes(camera: Pinhole, timeline: Sequence[HeldFrame]) -> tuple[float, float]:
    """Distances of clipping planes between which all bodies are, so that depths are precise."""
    depths = _depths(camera, blocks_of(timeline))
    return max(0.25, float(depths.min()) - 1.0), max(4000.0, 2.0 * float(depths.max()))


def _depths(camera: Pinhole, blocks: Sequence[Bounds]) -> NDArray[np.float64]:
    """Return distances of the corners of some blocks from the camera plane; 1 if there are none."""
    if not blocks:
        return np.ones(1)
    return camera.project(block_corners(blocks))[:, 2]

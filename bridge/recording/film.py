"""Making the video of an episode from its log alone."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bridge.episode.engines import LOCAL, Engines
from bridge.recording.caption import draw_caption, strip_height
from bridge.recording.layout import HeldFrame, Layout
from bridge.recording.log import Log
from bridge.recording.pngs import film_writer
from bridge.recording.replay import replay
from bridge.recording.timeline import EpisodeRecording, make_timeline
from bridge.recording.video import Codec
from pysim.render.renderer import Renderer

__all__ = ["FilmInfo", "film_episode"]


@dataclass(frozen=True, slots=True)
class FilmInfo:
    """Facts of a finished film.

    Attributes:
        frames: number of pictures.
        seconds: how long it plays.
    """

    frames: int
    seconds: float


def film_episode(
    log: Log,
    renderer: Renderer,
    out: Path,
    *,
    fps: int = 24,
    size: int = 512,
    world: str | None = None,
    engines: Engines = LOCAL,
    codec: Codec = Codec.WEB,
    camera: str = "",
    progress: Callable[[int, int], None] | None = None,
) -> FilmInfo:
    """Replay a log and write its video: moves as they went, a strip of text below.

    One camera stands still for the whole film and sees every body at every moment. Where that keeps
    it far away, an upper corner in which nothing rests shows the work from close by. A step takes
    half a second or more: nothing goes faster than 12 units a second, and only what hardly moves,
    such as pieces coming to rest, is shown faster than it went.

    Args:
        out: the video, in MP4; an older one is replaced. For PNGs, a new folder.
        fps: pictures a second.
        size: edge of the square pictures in pixels, even; the strip comes on top of that.
        world, engines: as in :func:`~bridge.recording.replay.replay`.
        codec: how pictures are written.
        camera: ``EYE`` or ``EYE:TARGET``, as :func:`~pysim.render.camera.place_camera` reads it;
            empty for the episode's own, or else the one that sees every body.
        progress: is called now and then with the number of frames done and of all.

    Raises:
        ReplayMismatch, InputError, WorldUnavailable: as
            :func:`~bridge.recording.replay.replay`; also InputError for a size or rate that can't
            be encoded.
        RecordingError: the video can't be written.
    """
    recorded = EpisodeRecording()
    with film_writer(out, (size, size + strip_height(size)), fps, codec) as video:
        replay(log, world=world, listener=recorded, engines=engines)
        film = make_timeline(recorded, fps)
        own = camera or log.header.options.camera
        layout = Layout.for_film(film, size, log.header.level.name, own)
        total = sum(held.frames for held in film)
        for frame, count in _frames(film, renderer, layout):
            video.write(frame, count)
            if progress is not None:
                progress(video.frames, total)
    return FilmInfo(total, total / fps)


def _frames(
    film: Sequence[HeldFrame], renderer: Renderer, layout: Layout
) -> Iterator[tuple[NDArray[np.uint8], int]]:
    """Yield held frames as pictures with their strips; equal ones in a row are drawn once."""
    last: HeldFrame | None = None
    for held in film:
        if last is None or not held.looks_like(last):
            picture = layout.draw(renderer, held)
        if last is None or held.caption != last.caption:
            strip = draw_caption(held.caption, layout.size)
        last = held
        yield np.concatenate([picture, strip]), held.frames

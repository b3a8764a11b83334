"""Refusal of videos that can't be scored: cut off, stretched, or of too few pixels or frames."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from bridge.video.reference.bundle import Bundle, Manifest
from bridge.video.thresholds import LIMITS
from bridge.video.tracking.footage import VIDEO_FILE, Footage
from pysim.catalog import AnyLevel, find_family
from pysim.errors import InputError
from pysim.untrusted import open_untrusted

if TYPE_CHECKING:
    from av.container import InputContainer
    from av.video.stream import VideoStream

__all__ = ["LEAST_PIXELS", "UnscorableError", "check_scorable", "compute_density"]

LEAST_PIXELS = LIMITS.least_unit
"""Pixels to a unit with which pieces are told from each other and from their places."""
_STRETCH = 0.06
"""Share by which the proportions of a picture may differ: sizes of models are multiples of 16."""
_MISSING = 0.02, 0.1
"""Share of the time of a video, and seconds, that may lack pictures: containers round."""


class UnscorableError(InputError):
    """A video can't be scored; the message names it and says why."""


def check_scorable(bundle: Bundle, footage: Footage) -> None:
    """Refuse a video of which nothing can be said.

    Raises:
        UnscorableError: it is cut off, stretched, too small, or has too few frames a second.
    """
    _check_whole(footage.path, footage.frames)
    if footage.fps < LIMITS.least_fps:
        raise UnscorableError(
            f"{footage.path} has {footage.fps:g} frames a second, not {LIMITS.least_fps:g} or "
            "more: steps can't be told from leaps"
        )
    camera = bundle.camera
    width, height = footage.crop[2] * _measure_pixel_aspect(footage.path), footage.crop[3]
    if abs(width / height * camera.height / camera.width - 1.0) > _STRETCH:
        raise UnscorableError(
            f"{footage.path} is stretched or cut: its pictures are {width:.0f} x {height}, and the "
            f"film's {camera.width} x {camera.height}; keep that, with borders if need be"
        )
    density = compute_density(bundle.level, bundle.manifest, footage.crop[2])
    if density < LEAST_PIXELS:
        wide = footage.crop[2] * LEAST_PIXELS / density
        raise UnscorableError(
            f"{footage.path} is too small: it has {density:.1f} pixels to a unit, not "
            f"{LEAST_PIXELS:g} or more; make it {-(-wide // 16) * 16:.0f} wide or more"
        )


def compute_density(level: AnyLevel, manifest: Manifest, width: float) -> float:
    """Return the pixels to a unit of a video, where a piece is farthest from the camera.

    Pieces with stickers are told by these, so that of large ones fewer pixels to a unit are enough:
    their second longest edge counts in place of a unit.

    Args:
        width: of its pictures in pixels, without borders.
    """
    rules = find_family(level).rules
    scene = rules.scene(level, rules.initial(level))
    stickered = [body for body in scene.bodies if body.stickers and not scene.scenery]
    large = min((sorted(body.shape.bounds.size)[1] for body in stickered), default=1)
    return large * manifest.pixels_per_unit * width / manifest.camera.width


@dataclass(frozen=True, slots=True)
class _Contents:
    """Contents of a video's file.

    Attributes:
        pictures: how many it holds whole.
        end: seconds at which the last one is over.
        promised: seconds that its head says it takes; 0 if it doesn't.
    """

    pictures: int
    end: float
    promised: float


def _check_whole(path: Path, frames: int) -> None:
    """Refuse a file that holds less than its head says.

    Raises:
        UnscorableError: it does.
    """
    found = _read_contents(path)
    if found.pictures < frames:
        raise UnscorableError(
            f"{path} is truncated: it holds {found.pictures} of {frames} frames; copy it again"
        )
    share, seconds = _MISSING
    if found.end < found.promised * (1.0 - share) - seconds:
        raise UnscorableError(
            f"{path} is truncated: it ends after {found.end:.1f} of {found.promised:.1f} s; "
            "copy it again"
        )


def _read_contents(path: Path) -> _Contents:
    import av

    pictures, end = 0, 0.0
    with open_untrusted(path, VIDEO_FILE) as file, av.open(file, "r") as container:
        stream = container.streams.video[0]
        promised = 0.0 if stream.frames else _read_duration(container, stream)
        try:
            for packet in container.demux(stream):
                if packet.size and not packet.is_corrupt:
                    pictures += 1
                    time = packet.pts if packet.pts is not None else packet.dts
                    if time is not None:
                        last = time + (packet.duration or 0)
                        end = max(end, float(last * packet.time_base))
        except av.error.FFmpegError:
            pass  # It breaks off here.
    return _Contents(pictures, end, promised)


def _read_duration(container: "InputContainer", stream: "VideoStream") -> float:
    """Return the seconds that a head says its pictures take; 0 if it says nothing of these alone.

    Matroska has a tag for each stream, ``00:00:04.000000000``.
    """
    tag = stream.metadata.get("DURATION", "")
    if match := re.fullmatch(r"(\d+):(\d+):(\d+(?:\.\d+)?)", tag):
        hours, minutes, seconds = map(float, match.groups())
        return 3600.0 * hours + 60.0 * minutes + seconds
    return (container.duration or 0) / 1e6 if len(container.streams) == 1 else 0.0


def _measure_pixel_aspect(path: Path) -> float:
    """Return width by height of a pixel of a video."""
    import av

    with open_untrusted(path, VIDEO_FILE) as file, av.open(file, "r") as container:
        return float(container.streams.video[0].sample_aspect_ratio or 1.0)

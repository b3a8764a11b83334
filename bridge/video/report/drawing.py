"""Pictures of a video with outlines of its pieces, and red where something is wrong."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import cast

import cv2
import numpy as np
from numpy.typing import NDArray

from bridge.recording.files import write_whole
from bridge.recording.video import VideoWriter
from bridge.video.reference.bundle import Bundle
from bridge.video.reference.look import Look
from bridge.video.report.measures import label_pieces
from bridge.video.report.scores import TrackedVideo
from bridge.video.tracking.camera import apply_map
from bridge.video.verdict.tracks import Tracks
from bridge.video.verdict.violations import Violation

__all__ = ["OUTLINED", "choose_rate", "chosen_frames", "draw_frames"]

OUTLINED = "outlined.mp4"
"""The whole video with outlines, beside its page."""

_EVENLY = 8
"""Pictures spread over the video, besides those in which something begins to be wrong."""
_MOST = 24
_SMALLEST = 480
"""Width of the pictures at least."""
_WRONG = (235, 20, 20)


def chosen_frames(frames: int, violations: Sequence[Violation]) -> list[int]:
    """The frames worth showing: some evenly spread, and where something is wrong."""
    even = np.linspace(0, frames - 1, min(_EVENLY, frames)).round().astype(int).tolist()
    wrong = [frame for v in violations for frame in (v.first, (v.first + v.last) // 2)]
    room = max(0, _MOST - len(even))
    return sorted({*even, *list(dict.fromkeys(wrong))[:room]})


def draw_frames(
    bundle: Bundle,
    tracked: TrackedVideo,
    violations: Sequence[Violation],
    folder: Path,
) -> list[tuple[int, str]]:
    """Write the pictures and the outlined video; the video is read once more.

    Returns:
        The frames and the names of their files.
    """
    judged = tracked.judged
    tracks, look = judged.tracks, judged.explained.look
    wanted = set(chosen_frames(len(tracks), violations))
    written = []
    maps = judged.explained.prepared.maps
    width, height = (edge * _magnify(look.size[1]) // 2 * 2 for edge in look.size[::-1])
    rate = choose_rate(tracked.footage.fps)
    with VideoWriter(folder / OUTLINED, (width, height), rate) as video:
        for number, picture in enumerate(tracked.footage.pictures(*look.size[::-1])):
            if number >= len(tracks):
                break
            straight = apply_map(picture, maps[number])[0] if maps else picture
            wrong = {name for v in violations if v.first <= number <= v.last for name in v.pieces}
            drawn = _outlined(look, tracks, number, straight, wrong, bundle.manifest.palette)
            video.write(np.ascontiguousarray(drawn[:height, :width]))
            if number in wanted:
                written.append((number, _write_picture(folder, number, drawn)))
    return written


def choose_rate(fps: float) -> int:
    """Return the frames a second of the outlined video: whole ones, as near as can be."""
    return min(240, max(1, round(fps)))


def _write_picture(folder: Path, number: int, drawn: NDArray[np.uint8]) -> str:
    name = f"frame-{number:06d}.jpg"
    options = [cv2.IMWRITE_JPEG_QUALITY, 85]
    _, data = cv2.imencode(".jpg", cv2.cvtColor(drawn, cv2.COLOR_RGB2BGR), options)
    write_whole(folder / name, data.tobytes())
    return name


def _magnify(width: int) -> int:
    """Return how many times as large a picture is drawn."""
    return max(1, -(-_SMALLEST // width))


def _outlined(
    look: Look,
    tracks: Tracks,
    number: int,
    picture: NDArray[np.uint8],
    wrong: set[str],
    palette: Mapping[str, tuple[int, int, int]],
) -> NDArray[np.uint8]:
    labels = label_pieces(look, tracks, number)
    times = _magnify(picture.shape[1])
    shape = (picture.shape[1] * times, picture.shape[0] * times)
    canvas = cv2.resize(picture, shape, interpolation=cv2.INTER_CUBIC)
    for name in tracks.names:
        mask = (labels == look.names.index(name)).astype(np.uint8)
        large = cv2.resize(mask, shape, interpolation=cv2.INTER_NEAREST)
        lines, _ = cv2.findContours(large, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
        cv2.drawContours(canvas, lines, -1, (255, 255, 255), 3)
        colour = tuple(int(part) for part in palette[name])
        cv2.drawContours(canvas, lines, -1, _WRONG if name in wrong else colour, 2)
        if name in wrong and lines:
            x, y, w, h = cv2.boundingRect(np.concatenate(lines))
            cv2.rectangle(canvas, (x - 4, y - 4), (x + w + 4, y + h + 4), _WRONG, 2)
    return cast("NDArray[np.uint8]", canvas)

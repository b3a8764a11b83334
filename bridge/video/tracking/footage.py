"""Videos of others: of any size, rate, codec and letterbox, or refused in one line."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from bridge.recording.video import decode_pictures
from pysim.errors import InputError
from pysim.untrusted import GIB, FileKind, open_untrusted

__all__ = ["Footage", "FootageError", "open_footage"]

_Crop = tuple[int, int, int, int]
"""Left, top, width and height of a part of a picture."""

VIDEO_FILE = FileKind(
    "a video",
    4 * GIB,
    (
        *((4, kind) for kind in (b"ftyp", b"moov", b"mdat", b"free", b"skip", b"wide", b"pnot")),
        (0, b"\x1aE\xdf\xa3"),  # Matroska, WebM
        *((0, kind) for kind in (b"RIFF", b"GIF8", b"OggS", b"FLV\x01", b"DKIF", b"YUV4MPEG2 ")),
        (0, b"0&\xb2u"),  # ASF, WMV
        (0, b"\x00\x00\x01\xba"),  # MPEG program stream
        (0, b"G@"),  # MPEG transport stream
        (0, b"\x89PNG"),  # APNG
    ),
)
"""No format is among them that names other files, as playlists do."""
_DAMAGED = (OSError, ValueError, IndexError)
"""Besides its own errors PyAV raises these for damaged files."""
MOST_PIXELS = 4096
"""Width and height at most."""
MOST_SECONDS = 300.0
MOST_FRAMES = 20_000
_FEWEST_FRAMES = 2
_PROBED = 12
"""Frames at which borders are looked for, spread over the video."""
_PLAIN = 18
"""Levels by which a border's colours differ, less than that."""
_CLEAR = 3 * _PLAIN
"""Levels by which colours differ in a picture that is not dark."""
_SPOTS = 0.02
"""Share of a plain line that is not plain, less than that."""
_STRAIGHT = 0.5
"""Share of a line at the edge of a picture that has other colours than a border, more than that."""
_ALIKE = 0.02
"""Share by which the same proportions differ, less than that."""


class FootageError(InputError):
    """A video can't be compared; the message names it and says why."""


@dataclass(frozen=True, slots=True)
class Footage:
    """A video.

    Attributes:
        path: the file.
        fps: frames a second.
        frames: how many there are.
        width, height: of its pictures in pixels.
        crop: left, top, width and height of what is no border.
    """

    path: Path
    fps: float
    frames: int
    width: int
    height: int
    crop: tuple[int, int, int, int]

    def pictures(self, width: int, height: int) -> Iterator[NDArray[np.uint8]]:
        """Yield the pictures (height, width, 3) inside the border, sRGB from 0 to 255.

        Raises:
            FootageError: it breaks off where it can't be read.
        """
        left, top, wide, high = self.crop
        for picture in _decoded(self.path, self.width, self.height):
            inside = picture[top : top + high, left : left + wide]
            way = cv2.INTER_AREA if wide >= width else cv2.INTER_LINEAR
            yield np.asarray(cv2.resize(inside, (width, height), interpolation=way), np.uint8)


def open_footage(path: Path, proportion: float) -> Footage:
    """Look at a video as a whole: how long it is, and where its border ends.

    Args:
        proportion: width by height of the picture that is expected inside a border.

    Raises:
        FootageError: it is no video, or too short, too long or too large.
    """
    fps, width, height = _described(path)
    frames = _count(path)
    if frames < _FEWEST_FRAMES:
        raise FootageError(f"{path} has {frames} frame; a video needs {_FEWEST_FRAMES} or more")
    crop = _crop(path, frames, width, height, proportion)
    return Footage(path, fps, frames, width, height, crop)


def _described(path: Path) -> tuple[float, int, int]:
    import av

    if not path.exists():
        raise FootageError(f"there is no video {path}")
    try:
        with open_untrusted(path, VIDEO_FILE) as file, av.open(file, "r") as container:
            if not container.streams.video:
                raise FootageError(f"{path} has no pictures, only sound or nothing")
            stream = container.streams.video[0]
            if stream.codec_context is None:
                raise ValueError("its pictures have a coding that is not known")
            rate = stream.average_rate or stream.guessed_rate
            fps, width, height = float(rate or 0.0), stream.width, stream.height
            length = container.duration or 0
    except (av.error.FFmpegError, *_DAMAGED) as error:
        raise FootageError(f"{path} is no video that can be read ({_reason(error)})") from None
    _check_limits(path, fps, width, height, length / 1e6)
    return fps, width, height


def _check_limits(path: Path, fps: float, width: int, height: int, seconds: float) -> None:
    if not 1.0 <= fps <= 240.0:
        raise FootageError(f"{path} has {fps:g} frames a second; 1 to 240 can be compared")
    if max(width, height) > MOST_PIXELS or min(width, height) < 16:
        raise FootageError(
            f"{path} is {width} x {height}; 16 to {MOST_PIXELS} pixels each way can be compared"
        )
    if seconds > MOST_SECONDS:
        raise FootageError(f"{path} takes {seconds:.0f} s; at most {MOST_SECONDS:.0f} s do")


def _count(path: Path) -> int:
    import av

    try:
        with open_untrusted(path, VIDEO_FILE) as file, av.open(file, "r") as container:
            told = container.streams.video[0].frames
            if 0 < told <= MOST_FRAMES:
                return int(told)
            count = sum(1 for packet in container.demux(video=0) if packet.size)
    except (av.error.FFmpegError, *_DAMAGED) as error:
        raise FootageError(f"{path} can't be read ({_reason(error)})") from None
    if count > MOST_FRAMES:
        raise FootageError(f"{path} has {count:,} frames; at most {MOST_FRAMES:,} can be compared")
    return count


def _decoded(path: Path, width: int, height: int) -> Iterator[NDArray[np.uint8]]:
    import av

    try:
        with open_untrusted(path, VIDEO_FILE) as file, av.open(file, "r") as container:
            container.streams.video[0].thread_type = "AUTO"
            picture = None
            for picture in decode_pictures(container):
                if picture.shape != (height, width, 3):
                    raise ValueError("its pictures change their size")
                yield picture
            if picture is None:
                raise ValueError("it holds no picture")
    except (av.error.FFmpegError, *_DAMAGED) as error:
        raise FootageError(f"{path} breaks off: it is damaged ({_reason(error)})") from None


def _reason(error: Exception) -> str:
    return str(getattr(error, "strerror", None) or error).splitlines()[0]


def _crop(path: Path, frames: int, width: int, height: int, proportion: float) -> _Crop:
    """The part inside a border; the whole picture if that fits or there is none."""
    whole = (0, 0, width, height)
    if _unlike(whole, proportion) < _ALIKE:
        inside = _find_framed(path, width, height)
        return inside if inside and _unlike(inside, proportion) < _ALIKE else whole
    plain_rows, plain_columns = np.ones(height, bool), np.ones(width, bool)
    ever = np.zeros((height, width), bool)
    step = max(1, frames // _PROBED)
    for picture in islice(_decoded(path, width, height), 0, step * _PROBED + 1, step):
        off = _differs(picture)
        plain_rows &= _plain(off, 1)
        plain_columns &= _plain(off, 0)
        ever |= off
    top, bottom = _edges(plain_rows)
    left, right = _edges(plain_columns)
    if right - left < 16 or bottom - top < 16:
        return whole
    # Subtitles may be in one border, and a border is one only if what it leaves fits better.
    ends = ((top, height - top), (height - bottom, bottom))
    even = [(left, low, right - left, high - low) for low, high in ends if high - low >= 16]
    insides = [(left, top, right - left, bottom - top), *(c for c in even if _is_framed(ever, c))]
    return min((whole, *insides), key=lambda one: _unlike(one, proportion))


def _find_framed(path: Path, width: int, height: int) -> _Crop | None:
    """The part inside a border on all sides of the first picture that is not dark, if any."""
    for picture in _decoded(path, width, height):
        off = _differs(picture)
        (top, bottom), (left, right) = _edges(_plain(off, 1)), _edges(_plain(off, 0))
        inside = (left, top, right - left, bottom - top)
        is_inner = min(left, top, width - right, height - bottom) > 0 and min(inside[2:]) >= 16
        if is_inner and _is_framed(off, inside):
            return inside
        if _differs(picture, _CLEAR).mean() > _SPOTS:
            break
    return None


def _is_framed(off: NDArray[np.bool_], crop: _Crop) -> bool:
    """Whether a crop has other colours than a border all along its edges.

    A piece before a plain ground has plain lines beside it, too, but no straight edges.
    """
    left, top, wide, high = crop
    inside = off[top : top + high, left : left + wide]
    rims = inside[1], inside[-2], inside[:, 1], inside[:, -2]
    return min(float(rim.mean()) for rim in rims) > _STRAIGHT


def _unlike(crop: _Crop, proportion: float) -> float:
    return float(abs(np.log(crop[2] / crop[3] / proportion)))


def _differs(picture: NDArray[np.uint8], levels: int = _PLAIN) -> NDArray[np.bool_]:
    """Whether pixels have another colour than a corner."""
    off = np.abs(picture.astype(np.int16) - picture[0, 0].astype(np.int16)).max(axis=2)
    return np.asarray(off >= levels)


def _plain(off: NDArray[np.bool_], axis: int) -> NDArray[np.bool_]:
    """Rows (1), or columns (0), that have the colour of a corner all along, more or less."""
    return np.asarray(off.mean(axis=axis) < _SPOTS)


def _edges(plain: NDArray[np.bool_]) -> tuple[int, int]:
    """The first line that is not plain, and the one after the last."""
    other = np.flatnonzero(~plain)
    return (int(other[0]), int(other[-1]) + 1) if len(other) else (0, len(plain))

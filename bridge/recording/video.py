"""Writing videos, H.264 in MP4 for browsers or without loss, and reading their pictures."""

import contextlib
import os
import secrets
from collections.abc import Iterator, Mapping
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import numpy as np
from numpy.typing import NDArray

from bridge.recording.errors import RecordingError, reason_of
from pysim.errors import InputError
from pysim.extras import require_extra
from pysim.limits import quote

if TYPE_CHECKING:
    from av import VideoFrame, VideoStream
    from av.container import InputContainer, OutputContainer

__all__ = ["Codec", "FrameConverter", "VideoWriter", "decode_pictures"]


class Codec(StrEnum):
    """Encoding of pictures."""

    WEB = "web"
    """H.264 that every browser plays."""
    LOSSLESS = "lossless"
    """H.264 of which every pixel comes back as it was; desktop players know it, browsers don't."""
    PNG = "png"
    """A folder with a PNG for each frame."""

    @classmethod
    def _missing_(cls, value: object) -> NoReturn:
        raise InputError(f"a codec is one of {', '.join(cls)}, not {quote(value)}")


_ENCODERS: Mapping[Codec, tuple[str, str, Mapping[str, str]]] = {
    Codec.WEB: (
        "libx264",
        "yuv420p",
        {"crf": "20", "preset": "veryfast", "bf": "0", "sc_threshold": "0"},
    ),
    Codec.LOSSLESS: ("libx264rgb", "rgb24", {"qp": "0", "preset": "veryfast"}),
}
"""FFmpeg's encoder, its pixels and options.

Without frames between two others: with such frames x264 encodes the same pictures as these bytes
now, and as others then. Keyframes come at their times alone, not where a picture is new as well.
"""


_BT709 = 1
"""The number of BT.709 in H.264's lists of matrices, primaries and transfer functions."""


class VideoWriter:
    """Writes pictures as one video; a context manager.

    The file appears whole or not at all: it is written beside its place under another name, and
    put there by :meth:`close`, in place of an older video. An error, also one in the body of a
    ``with``, removes what was written.

    For browsers, colours are encoded as BT.709 and marked so, that players show the palette as it
    is. There is a keyframe every second, and the index comes first, so that a player can start at
    once and jump.

    Args:
        path: where the video is to be, in a folder that exists.
        size: width and height in pixels, both even.
        fps: pictures a second.
        codec: how they are encoded: for browsers, or without loss.

    Raises (from every method):
        InputError: a size or rate that can't be encoded, or a picture of another size.
        RecordingError: the video can't be written.
        MissingPackage: PyAV is not installed.
    """

    def __init__(
        self, path: Path, size: tuple[int, int], fps: int, codec: Codec = Codec.WEB
    ) -> None:
        require_extra("videos", "video")
        width, height = size
        if min(size) < 2 or width % 2 or height % 2:
            raise InputError(f"a video's width and height are even, not {width} x {height}")
        if not 1 <= fps <= 240:
            raise InputError(f"a video has 1 to 240 pictures a second, not {fps}")
        if not path.name:
            raise InputError(f"a video is a file, not {path}")
        self.path = path
        self.frames = 0
        self._shape = size
        self._draft = path.with_name(f".{path.name}.{secrets.token_hex(4)}.tmp")
        self._container: OutputContainer | None = None
        with self._guarded():
            self._container, self._stream = _open(self._draft, size, fps, codec)
            self._converter = None if codec is Codec.LOSSLESS else FrameConverter(width, height)

    @property
    def size(self) -> int:
        """Bytes that are on the disk by now; some more are on their way."""
        file = self.path if self._container is None else self._draft
        return file.stat().st_size if file.exists() else 0

    def write(self, rgb: NDArray[np.uint8], times: int = 1) -> None:
        """Add a picture (H, W, 3) uint8, sRGB, top row first, for one frame or several."""
        width, height = self._shape
        if rgb.shape != (height, width, 3) or rgb.dtype != np.uint8:
            raise ValueError(
                f"a picture is {height} x {width} x 3 bytes, not {rgb.shape} of {rgb.dtype}"
            )
        container = self._open_container()
        with self._guarded():
            frame = self._make_frame(rgb)
            for _ in range(times):
                frame.pts = self.frames
                container.mux(self._stream.encode(frame))
                self.frames += 1

    def close(self) -> None:
        """Finish the video and put it in its place; does nothing if that was done."""
        if self._container is None:
            return
        with self._guarded():
            if not self.frames:
                raise RecordingError(f"can't write {self.path}: a video needs a picture")
            self._container.mux(self._stream.encode(None))
            self._container.close()
            self._draft.replace(self.path)
        self._container = None

    def abandon(self) -> None:
        """Stop, and remove what was written."""
        container, self._container = self._container, None
        if container is not None:
            # Closing writes what is left; on a full disk it can't, and need not.
            with contextlib.suppress(OSError, ValueError):
                container.close()
        self._draft.unlink(missing_ok=True)

    def __enter__(self) -> "VideoWriter":
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is None:
            self.close()
        else:
            self.abandon()

    def _make_frame(self, rgb: NDArray[np.uint8]) -> "VideoFrame":
        from av import VideoFrame

        if self._converter is None:
            return VideoFrame.from_ndarray(np.ascontiguousarray(rgb), format="rgb24")
        return self._converter.convert(rgb)

    def _open_container(self) -> "OutputContainer":
        if self._container is None:
            raise RecordingError(f"can't write {self.path}: the video is closed")
        return self._container

    @contextlib.contextmanager
    def _guarded(self) -> Iterator[None]:
        """Abandon the video if something fails, and say so in our own words."""
        try:
            yield
        except BaseException as error:
            with contextlib.suppress(OSError):
                self.abandon()
            if isinstance(error, RecordingError) or not isinstance(error, _engine_errors()):
                raise
            raise RecordingError(f"can't write {self.path}: {reason_of(error)}") from error


def _engine_errors() -> tuple[type[Exception], ...]:
    """Return the errors of the system and of FFmpeg, some of which are no OSError."""
    from av import FFmpegError

    return OSError, FFmpegError


def _open(
    path: Path, size: tuple[int, int], fps: int, codec: Codec
) -> "tuple[OutputContainer, VideoStream]":
    import av

    encoder, pixels, options = _ENCODERS[codec]
    container = av.open(os.fspath(path), "w", format="mp4", options={"movflags": "+faststart"})
    stream = container.add_stream(encoder, rate=fps, options=dict(options))
    assert isinstance(stream, av.VideoStream)
    stream.width, stream.height = size
    stream.pix_fmt = pixels
    context = stream.codec_context
    context.gop_size = fps
    if codec is Codec.WEB:
        context.colorspace = context.color_primaries = context.color_trc = _BT709
        context.color_range = 1  # "MPEG": 16..235, which is what players expect
    container.start_encoding()  # else a folder that can't be written to would show later
    return container, stream


_BESIDE = 4
"""Rows beside one on which its colours in a frame depend; and some more."""


class FrameConverter:
    """Makes frames with 12 bits a pixel; converts only the rows of a picture that have changed."""

    def __init__(self, width: int, height: int) -> None:
        from av.video.reformatter import VideoReformatter

        self._reformatter = VideoReformatter()
        self._shown = np.zeros((height, width, 3), np.uint8)
        self._planes = np.empty((height * 3 // 2, width), np.uint8)
        self._light = self._planes[:height]
        self._colours = self._planes[height:].reshape(2, height // 2, width // 2)
        self._update(0, height)

    def convert(self, rgb: NDArray[np.uint8]) -> "VideoFrame":
        """Return a picture (H, W, 3) as a frame."""
        from av import VideoFrame

        changed = np.flatnonzero((rgb != self._shown).any(axis=(1, 2))).tolist()
        if changed:
            first, end = changed[0], changed[-1] + 1
            self._shown[first:end] = rgb[first:end]
            self._update(first, end)
        frame = VideoFrame.from_ndarray(self._planes, format="yuv420p")
        frame.colorspace = _BT709
        return frame

    def _update(self, first: int, end: int) -> None:
        """Convert the rows on which some changed ones have an effect."""
        start, stop = self._reach(first, end)
        low, high = self._reach(start, stop)
        found = self._convert(self._shown[low:high])
        light, colours = np.split(found, [high - low])
        colours = colours.reshape(2, -1, self._colours.shape[2])
        self._light[start:stop] = light[start - low : stop - low]
        rows = slice((start - low) // 2, (stop - low) // 2)
        self._colours[:, start // 2 : stop // 2] = colours[:, rows]

    def _reach(self, first: int, end: int) -> tuple[int, int]:
        """Return some rows with those beside them, by pairs."""
        low, high = first // 2 * 2 - _BESIDE, (end + 1) // 2 * 2 + _BESIDE
        return max(0, low), min(len(self._light), high)

    def _convert(self, rgb: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Return rows (n, W, 3) as (3 n / 2, W): brightness, and two planes of colours."""
        from av import VideoFrame
        from av.video.reformatter import Colorspace

        frame = VideoFrame.from_ndarray(rgb, format="rgb24")
        # To start more threads for each picture takes as long as they save.
        found = self._reformatter.reformat(
            frame, format="yuv420p", dst_colorspace=Colorspace.ITU709, threads=1
        )
        return np.asarray(found.to_ndarray(), np.uint8)


def decode_pictures(container: "InputContainer") -> Iterator[NDArray[np.uint8]]:
    """Yield the pictures (H, W, 3) of a video, sRGB, one frame after another.

    Raises:
        av.error.FFmpegError: it is damaged.
    """
    from av.video.reformatter import VideoReformatter

    # One for each frame, with its threads, takes longer than the conversion.
    reformatter = VideoReformatter()
    for frame in container.decode(video=0):
        picture = reformatter.reformat(frame, format="rgb24", threads=1)
        yield np.asarray(picture.to_ndarray(), np.uint8)

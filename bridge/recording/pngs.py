"""Films as folders of pictures."""

import shutil
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from bridge.recording.errors import RecordingError, reason_of
from bridge.recording.video import Codec, VideoWriter
from pysim.errors import InputError
from pysim.render.views import encode

__all__ = ["FilmWriter", "PngWriter", "film_writer"]


class FilmWriter(Protocol):
    """Writes the pictures of a film; a context manager that leaves all of them, or none."""

    frames: int

    def write(self, rgb: NDArray[np.uint8], times: int = 1) -> None:
        """Add a picture (H, W, 3) uint8, sRGB, for one frame or several."""

    def __enter__(self) -> "FilmWriter":
        """Begin."""

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """Put the film into its place, or after an error remove what was written."""


class PngWriter:
    """Writes the frames of a film as ``000000.png``, ``000001.png``, ...; a context manager.

    The folder appears whole or not at all.

    Args:
        path: the folder, which must not be there yet.

    Raises (from every method):
        InputError: it is there.
        RecordingError: it can't be written.
    """

    def __init__(self, path: Path) -> None:
        if path.exists():
            raise InputError(f"{path} exists; frames go into a new folder")
        self.path = path
        self.frames = 0
        self._draft = path.with_name(f".{path.name}.part")
        try:
            shutil.rmtree(self._draft, ignore_errors=True)
            self._draft.mkdir()
        except OSError as error:
            raise RecordingError(f"can't make {path}: {reason_of(error)}") from error

    def write(self, rgb: NDArray[np.uint8], times: int = 1) -> None:
        """Add a picture (H, W, 3) uint8, sRGB, for one frame or several."""
        png = encode(rgb, "png")
        try:
            for _ in range(times):
                (self._draft / f"{self.frames:06d}.png").write_bytes(png)
                self.frames += 1
        except OSError as error:
            raise RecordingError(f"can't write {self.path}: {reason_of(error)}") from error

    def __enter__(self) -> "PngWriter":
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        try:
            if kind is None:
                self._draft.rename(self.path)
        except OSError as failed:
            raise RecordingError(f"can't make {self.path}: {reason_of(failed)}") from failed
        finally:
            shutil.rmtree(self._draft, ignore_errors=True)


def film_writer(path: Path, size: tuple[int, int], fps: int, codec: Codec) -> FilmWriter:
    """Open a :class:`PngWriter` or a :class:`~bridge.recording.video.VideoWriter`.

    Raises:
        InputError, RecordingError: as these do.
    """
    return PngWriter(path) if codec is Codec.PNG else VideoWriter(path, size, fps, codec)

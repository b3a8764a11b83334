"""The files of a LeRobot dataset that hold several episodes each."""

from pathlib import Path

from bridge.recording.dataset.cameras import RgbArray
from bridge.recording.dataset.statistics import PixelCount
from bridge.recording.dataset.tables import guarded
from bridge.recording.video import VideoWriter

__all__ = ["CHUNK", "PLACE", "FileSeries", "VideoSeries"]

PLACE = "chunk-{chunk_index:03d}/file-{file_index:03d}"
CHUNK = 1000
"""Files of a chunk."""


class FileSeries:
    """The names of the files of one sort, one after the other."""

    def __init__(self, pattern: str) -> None:
        self._pattern = pattern
        self._number = 0

    @property
    def place(self) -> dict[str, int]:
        """``chunk_index`` and ``file_index`` of the present one."""
        return {"chunk_index": self._number // CHUNK, "file_index": self._number % CHUNK}

    @property
    def name(self) -> str:
        """The name of the present one, from the folder of the dataset."""
        return self._pattern.format(**self.place)

    def next(self) -> None:
        """Go on to the next one."""
        self._number += 1


class VideoSeries:
    """The videos of one camera: episodes one after the other, in a new file when one is full.

    Args:
        folder: of the dataset.
        key: of the camera among the features.
        size: edge of the pictures in pixels.
        fps: pictures a second.
        full: bytes from which on a file takes no further episode.

    Raises (from every method):
        RecordingError: a video can't be written.
    """

    def __init__(self, folder: Path, key: str, size: int, fps: int, full: int) -> None:
        self._folder, self._size, self._fps, self._full = folder, size, fps, full
        self._files = FileSeries(f"videos/{key}/{PLACE}.mp4")
        self._video: VideoWriter | None = None
        self._start = 0
        self.pixels = PixelCount()
        self.episode_pixels = PixelCount()

    def begin(self) -> None:
        """Begin an episode."""
        if self._video is not None and self._video.size >= self._full:
            self.close()
            self._files.next()
        if self._video is None:
            path = self._folder / self._files.name
            with guarded(path):
                path.parent.mkdir(parents=True, exist_ok=True)
            self._video = VideoWriter(path, (self._size, self._size), self._fps)
        self._start = self._video.frames
        self.episode_pixels = PixelCount()

    def add(self, picture: RgbArray) -> None:
        """Add a frame."""
        assert self._video is not None
        self._video.write(picture)
        self.episode_pixels.add(picture)

    def end(self) -> dict[str, int | float]:
        """End an episode; says in which file it lies, and from when to when in seconds."""
        assert self._video is not None
        self.pixels += self.episode_pixels
        return {
            **self._files.place,
            "from_timestamp": self._start / self._fps,
            "to_timestamp": self._video.frames / self._fps,
        }

    def close(self) -> None:
        """Finish the last file; may be called twice."""
        video, self._video = self._video, None
        if video is not None:
            video.close()

    def abandon(self) -> None:
        """Stop, and remove the last file."""
        if self._video is not None:
            self._video.abandon()

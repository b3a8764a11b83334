"""The plain layout: two Parquet files, and a video for each episode and camera.

::

    dataset.json                 format, frames a second, cameras, renderer
    steps.parquet                a row for each frame
    episodes.parquet             a row for each episode, its level's document included
    videos/CAMERA/000000.mp4     the frames of episode 0

Levels may be of any families. Frame i of an episode is frame i of its videos, shown from i / fps
on.
"""

import json
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from bridge.recording.dataset.cameras import RgbStream
from bridge.recording.dataset.episodes import ColumnData, Moments, facts_of
from bridge.recording.dataset.request import Contents, DatasetRequest
from bridge.recording.dataset.tables import ParquetFile, guarded, rows_table, table_of, write_table
from bridge.recording.video import VideoWriter
from pysim.scene import Scene

if TYPE_CHECKING:
    import pyarrow

__all__ = ["FORMAT", "PlainWriter"]

FORMAT = "luban-dataset/1"


class PlainWriter:
    """Writes episodes into a folder; :meth:`finish` writes what is known only at the end.

    Args:
        renderer: name and version of what makes the pictures; empty if nothing does.
    """

    def __init__(
        self, folder: Path, request: DatasetRequest, contents: Contents, renderer: str = ""
    ) -> None:
        self._folder, self._request, self._contents = folder, request, contents
        self._renderer = renderer
        self._steps = ParquetFile(folder / "steps.parquet")
        self._episodes: list[dict[str, Any]] = []
        self._frames = 0

    def add(self, moments: Moments, pictures: RgbStream) -> None:
        """Write an episode.

        Raises:
            RecordingError: it can't be written.
        """
        number, frames = len(self._episodes), len(moments.scenes)
        videos = self._film(number, pictures)
        steps = np.arange(frames, dtype=np.int64)
        columns: dict[str, ColumnData] = {
            "index": steps + self._frames,
            "episode_index": np.full(frames, number, dtype=np.int64),
            "timestamp": (steps / self._request.fps).astype(np.float32),
            **moments.columns(),
        }
        table = table_of(columns)
        if self._request.obs.has_state:
            table = table.append_column("bodies", _bodies(moments.scenes))
        self._steps.add(table)
        self._episodes.append(
            {
                "episode_index": number,
                **facts_of(moments),
                "task": moments.task,
                "from_index": self._frames,
                "to_index": self._frames + frames,
                **videos,
            }
        )
        self._frames += frames

    def finish(self) -> None:
        """Write everything that is left.

        Raises:
            RecordingError: it can't be written.
        """
        self._steps.close()
        write_table(self._folder / "episodes.parquet", rows_table(self._episodes))
        path = self._folder / "dataset.json"
        with guarded(path):
            path.write_text(json.dumps(self._about(), indent=1) + "\n", encoding="utf-8")

    def abandon(self) -> None:
        """Stop; what was written is of no use."""
        self._steps.abandon()

    def _film(self, number: int, pictures: RgbStream) -> dict[str, str]:
        """Film an episode; says where the video of each camera lies."""
        names = {camera: f"videos/{camera}/{number:06d}.mp4" for camera in self._request.filmed}
        with ExitStack() as stack:
            videos = {c: stack.enter_context(self._video(name)) for c, name in names.items()}
            for moment in pictures:
                for camera, video in videos.items():
                    video.write(moment[camera])
        return {f"video/{camera}": name for camera, name in names.items()}

    def _video(self, name: str) -> VideoWriter:
        path = self._folder / name
        with guarded(path):
            path.parent.mkdir(parents=True, exist_ok=True)
        return VideoWriter(path, (self._request.size, self._request.size), self._request.fps)

    def _about(self) -> dict[str, object]:
        return {
            "format": FORMAT,
            "families": list(self._contents.families),
            "episodes": len(self._episodes),
            "frames": self._frames,
            "fps": self._request.fps,
            "size": self._request.size,
            "cameras": list(self._request.filmed),
            "renderer": self._renderer,
        }


def _bodies(scenes: tuple[Scene, ...]) -> "pyarrow.Array":
    """Return the poses of all bodies, scene by scene: a list of records."""
    import pyarrow

    body = pyarrow.struct(
        [
            ("name", pyarrow.string()),
            ("x", pyarrow.int32()),
            ("y", pyarrow.int32()),
            ("z", pyarrow.int32()),
            ("rotation", pyarrow.string()),
            ("loose", pyarrow.bool_()),
        ]
    )
    rows = [
        [
            {
                "name": one.name,
                **dict(zip("xyz", one.pose.offset, strict=True)),
                "rotation": one.pose.rotation.name,
                "loose": one.loose,
            }
            for one in scene.bodies
        ]
        for scene in scenes
    ]
    return pyarrow.array(rows, pyarrow.list_(body))

"""LeRobot's layout, version 3.0.

::

    meta/info.json, stats.json, tasks.parquet
    meta/episodes/chunk-000/file-000.parquet     where each episode lies, and its statistics
    meta/luban.json                              what the numbers of an action mean
    data/chunk-000/file-000.parquet              a row for each frame, a row group for each episode
    videos/KEY/chunk-000/file-000.mp4            the episodes one after the other

It is that of ``lerobot.datasets`` in LeRobot 0.4 (``CODEBASE_VERSION`` v3.0). A file is full when
an episode takes it past its size; the next episode begins a new one.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from bridge.recording.dataset.cameras import RgbStream
from bridge.recording.dataset.episodes import ColumnData, Moments, facts_of, vectors_of
from bridge.recording.dataset.errors import DatasetError
from bridge.recording.dataset.file_series import CHUNK, PLACE, FileSeries, VideoSeries
from bridge.recording.dataset.request import Contents, DatasetRequest
from bridge.recording.dataset.statistics import ColumnSummary, column_summary
from bridge.recording.dataset.tables import ParquetFile, guarded, rows_table, table_of, write_table
from bridge.recording.dataset.vectors import ActionVector, state_names
from pysim.catalog import discover_families

if TYPE_CHECKING:
    import pyarrow

__all__ = ["VERSION", "LeRobotWriter"]

VERSION = "v3.0"
_DATA_MB, _VIDEO_MB = 100, 200
_FIRST = {"chunk_index": 0, "file_index": 0}


class LeRobotWriter:
    """Writes episodes into a folder; :meth:`finish` writes what is known only at the end.

    Args:
        renderer: name and version of what makes the pictures; empty if nothing does.
        data_mb, video_mb: size of a full file in mebibytes.

    Raises:
        DatasetError: the levels are of several families: their states and actions differ.
    """

    def __init__(
        self,
        folder: Path,
        request: DatasetRequest,
        contents: Contents,
        renderer: str = "",
        *,
        data_mb: float = _DATA_MB,
        video_mb: float = _VIDEO_MB,
    ) -> None:
        self._folder, self._request, self._contents = folder, request, contents
        self._renderer, self._mb = renderer, (data_mb, video_mb)
        self._family = discover_families()[_only(contents.families)]
        self._actions = ActionVector(self._family.actions, contents.sizes)
        self._files = FileSeries(f"data/{PLACE}.parquet")
        self._data = ParquetFile(folder / self._files.name)
        self._series = {camera: self._make_series(camera) for camera in request.filmed}
        self._schema: Any = None
        self._tasks: dict[str, int] = {}
        self._episodes: list[dict[str, Any]] = []
        self._columns: list[dict[str, ColumnData]] = []
        self._frames = 0

    def add(self, moments: Moments, pictures: RgbStream) -> None:
        """Write an episode.

        Raises:
            RecordingError: it can't be written.
        """
        columns = self._columns_of(moments)
        videos = self._film(pictures)
        if self._data.size >= self._mb[0] * 2**20:
            self._data.close()
            self._files.next()
            self._data = ParquetFile(self._folder / self._files.name)
        table = table_of(columns)
        self._data.add(table)
        self._schema = table.schema
        self._note(moments, columns, videos)

    def finish(self) -> None:
        """Write everything that is left.

        Raises:
            RecordingError: it can't be written.
        """
        self._data.close()
        for series in self._series.values():
            series.close()
        meta = self._folder / "meta"
        write_table(meta / f"episodes/{PLACE.format(**_FIRST)}.parquet", rows_table(self._episodes))
        write_table(meta / "tasks.parquet", _tasks_table(self._tasks))
        _write_json(meta / "info.json", self._info())
        _write_json(meta / "stats.json", self._statistics())
        _write_json(meta / "luban.json", self._about())

    def abandon(self) -> None:
        """Stop; what was written is of no use."""
        self._data.abandon()
        for series in self._series.values():
            series.abandon()

    def _make_series(self, camera: str) -> VideoSeries:
        full = round(self._mb[1] * 2**20)
        return VideoSeries(self._folder, _key(camera), self._request.size, self._request.fps, full)

    def _columns_of(self, moments: Moments) -> dict[str, ColumnData]:
        frames = len(moments.scenes)
        steps = np.arange(frames, dtype=np.int64)
        task = self._tasks.setdefault(moments.task, len(self._tasks))
        vectors = dict(vectors_of(moments, self._actions, self._contents.sizes))
        if not self._request.obs.has_state:
            del vectors["observation.state"]
        return {
            **vectors,
            **moments.columns(),
            "timestamp": (steps / self._request.fps).astype(np.float32),
            "episode_index": np.full(frames, len(self._episodes), dtype=np.int64),
            "index": steps + self._frames,
            "task_index": np.full(frames, task, dtype=np.int64),
        }

    def _film(self, pictures: RgbStream) -> dict[str, int | float]:
        """Film an episode; says where it lies in the videos of each camera."""
        for series in self._series.values():
            series.begin()
        for moment in pictures:
            for camera, series in self._series.items():
                series.add(moment[camera])
        ends = {_key(camera): series.end() for camera, series in self._series.items()}
        return {f"videos/{key}/{name}": v for key, end in ends.items() for name, v in end.items()}

    def _note(
        self,
        moments: Moments,
        columns: dict[str, ColumnData],
        videos: Mapping[str, int | float],
    ) -> None:
        end = self._frames + len(moments.scenes)
        numbers = {k: column for k, column in columns.items() if isinstance(column, np.ndarray)}
        found: dict[str, ColumnSummary] = {key: column_summary(c) for key, c in numbers.items()}
        found |= {
            _key(name): series.episode_pixels.summary() for name, series in self._series.items()
        }
        self._episodes.append(
            {
                "episode_index": len(self._episodes),
                "tasks": [moments.task],
                "length": len(moments.scenes),
                **{f"data/{name}": number for name, number in self._files.place.items()},
                "dataset_from_index": self._frames,
                "dataset_to_index": end,
                **videos,
                **{f"stats/{key}/{n}": v for key, one in found.items() for n, v in one.items()},
                **{f"meta/episodes/{name}": number for name, number in _FIRST.items()},
                **{f"luban/{name}": fact for name, fact in facts_of(moments).items()},
            }
        )
        self._columns.append({**numbers})
        self._frames = end

    def _statistics(self) -> dict[str, ColumnSummary]:
        found: dict[str, ColumnSummary] = {
            key: column_summary(np.concatenate([np.asarray(one[key]) for one in self._columns]))
            for key in self._columns[0]
        }
        return found | {
            _key(name): series.pixels.summary() for name, series in self._series.items()
        }

    def _info(self) -> dict[str, object]:
        names = {
            "observation.state": state_names(self._contents.sizes),
            "action": self._actions.names,
        }
        features = {field.name: _feature(field, names.get(field.name)) for field in self._schema}
        return {
            "codebase_version": VERSION,
            "robot_type": f"luban_{self._family.name}",
            "total_episodes": len(self._episodes),
            "total_frames": self._frames,
            "total_tasks": len(self._tasks),
            "chunks_size": CHUNK,
            "data_files_size_in_mb": self._mb[0],
            "video_files_size_in_mb": self._mb[1],
            "fps": self._request.fps,
            "splits": {"train": f"0:{len(self._episodes)}"},
            "data_path": f"data/{PLACE}.parquet",
            "video_path": f"videos/{{video_key}}/{PLACE}.mp4" if self._series else None,
            "features": {**features, **{_key(name): self._video() for name in self._series}},
        }

    def _video(self) -> dict[str, object]:
        size, fps = self._request.size, self._request.fps
        return {
            "dtype": "video",
            "shape": [size, size, 3],
            "names": ["height", "width", "channels"],
            "info": {
                "video.height": size,
                "video.width": size,
                "video.codec": "h264",
                "video.pix_fmt": "yuv420p",
                "video.is_depth_map": False,
                "video.fps": fps,
                "video.channels": 3,
                "has_audio": False,
            },
        }

    def _about(self) -> dict[str, object]:
        sizes = self._contents.sizes
        return {
            "format": "luban-lerobot/1",
            "family": self._family.name,
            "bodies": sizes.bodies,
            "colours": sizes.colours,
            "cells": sizes.cells,
            "words": self._actions.words,
            "cameras": list(self._series),
            "renderer": self._renderer,
        }


def _only(families: tuple[str, ...]) -> str:
    if len(families) > 1:
        raise DatasetError(
            "in LeRobot's layout all states and actions are vectors of one length, so a dataset "
            f"holds one family, and these logs are of {', '.join(families)}; make one of "
            f"each, as with --family {families[0]}, or use --format parquet"
        )
    return families[0]


def _key(camera: str) -> str:
    """Return the feature that a camera's pictures are."""
    return f"observation.images.{camera}"


def _feature(field: "pyarrow.Field", names: list[str] | None) -> dict[str, object]:
    """Return LeRobot's description of a column."""
    from pyarrow import types

    many = types.is_fixed_size_list(field.type)
    kind = str(field.type.value_type if many else field.type)
    return {
        "dtype": {"float": "float32"}.get(kind, kind),
        "shape": [field.type.list_size if many else 1],
        "names": names,
    }


def _tasks_table(tasks: Mapping[str, int]) -> "pyarrow.Table":
    """Task -> number, the tasks as the index of a pandas data frame, as LeRobot reads them."""
    import pyarrow

    index = "__index_level_0__"
    table = pyarrow.table({"task_index": list(tasks.values()), index: list(tasks)})
    text = {"pandas_type": "unicode", "numpy_type": "object", "metadata": None}
    whole = {"pandas_type": "int64", "numpy_type": "int64", "metadata": None}
    about = {
        "index_columns": [index],
        "column_indexes": [],
        "columns": [
            {"name": "task_index", "field_name": "task_index", **whole},
            {"name": None, "field_name": index, **text},
        ],
        "creator": {"library": "pyarrow", "version": pyarrow.__version__},
        "pandas_version": "2.2.0",
    }
    return table.replace_schema_metadata({"pandas": json.dumps(about)})


def _write_json(path: Path, document: object) -> None:
    with guarded(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(document, indent=4) + "\n", encoding="utf-8")

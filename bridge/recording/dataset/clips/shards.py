"""Datasets of clips: shards as WebDataset reads them, made in parallel, resumed where they stop.

A shard is a tar file; the files of clip 12 lie side by side in it as ``000012.mp4``,
``000012.json``, ... (https://github.com/webdataset/webdataset). It appears whole or not at all.
"""

import io
import json
import os
import tarfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from importlib.metadata import version
from itertools import islice
from pathlib import Path
from typing import ClassVar

from bridge.jobs.threads import Inline
from bridge.jobs.work import Executor, WorkerLost, yield_in_order
from bridge.recording.dataset.clips.making import make_clip
from bridge.recording.dataset.clips.request import ClipsRequest
from bridge.recording.dataset.errors import DatasetError
from bridge.recording.errors import RecordingError, reason_of
from bridge.recording.files import named, write_whole
from pysim.render.factory import create_renderer
from pysim.render.renderer import Renderer
from pysim.render.scenery import Finish, Scenery, create_dressed
from pysim.untrusted import MIB, FileKind, read_untrusted

__all__ = ["ABOUT", "FORMAT", "ClipsMade", "make_clips", "shard_name"]

FORMAT = "luban-clips/1"
ABOUT = "dataset.json"
ABOUT_FILE = FileKind("a description of clips", 16 * MIB)


@dataclass(frozen=True, slots=True)
class ClipsMade:
    """Summary of a dataset.

    Attributes:
        clips: how many there are.
        shards: in how many files.
        resumed: how many of the clips were there before.
    """

    clips: int
    shards: int
    resumed: int


def make_clips(
    request: ClipsRequest,
    out: Path,
    renderer: str = "auto",
    *,
    executor: Executor | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> ClipsMade:
    """Make a dataset, or the shards that it lacks.

    Args:
        out: its folder; one that another command began is left alone.
        renderer: name of the renderer.
        executor: makes the clips; None to make them in this thread. They are written here.
        progress: is told of the clips that are done, and of all.

    Raises:
        DatasetError: ``out`` holds something else.
        InputError: the renderer can't draw clips.
        RecordingError, OSError: something can't be written.
        WorkerLost: two processes ended in the middle of one clip.
    """
    _check_renderer(renderer)
    _begin(request, out)
    missing = [k for k in range(request.shards) if not (out / shard_name(k)).exists()]
    numbers = [number for shard in missing for number in request.numbers(shard)]
    done = resumed = request.count - len(numbers)
    with closing((executor or Inline()).run(_ClipWork(request, renderer), numbers)) as made:
        clips = yield_in_order(made, numbers)
        for shard in missing:
            with _open_shard(out / shard_name(shard)) as tar:
                for number, files in islice(clips, len(request.numbers(shard))):
                    _add_clip(tar, number, files)
                    done += 1
                    if progress is not None:
                        progress(done, request.count)
    return ClipsMade(request.count, request.shards, resumed)


def shard_name(shard: int) -> str:
    """The file of a shard."""
    return f"clips-{shard:06d}.tar"


def _check_renderer(name: str) -> None:
    """Find out before anything is written whether a renderer can draw clips."""
    renderer, _ = create_renderer(name)
    try:
        create_dressed(renderer, Scenery(Finish.WOOD))
    finally:
        renderer.close()


def _begin(request: ClipsRequest, out: Path) -> None:
    """Make the folder, or see that it holds a part of the same dataset."""
    about = {"format": FORMAT, "luban": version("luban"), **request.to_json()}
    document = json.dumps(about, indent=1, sort_keys=True).encode() + b"\n"
    try:
        there = read_untrusted(out / ABOUT, ABOUT_FILE, out)
    except FileNotFoundError:
        if out.exists() and any(out.iterdir()):
            raise DatasetError(f"{out} holds no clips; give another folder") from None
        out.mkdir(parents=True, exist_ok=True)
        write_whole(out / ABOUT, document)
        return
    except OSError as error:
        raise RecordingError(f"can't read {out / ABOUT}: {reason_of(error)}") from error
    if there != document:
        raise DatasetError(
            f"{out} holds clips that were made with other options; give these, or another folder"
        )


@dataclass(frozen=True, slots=True)
class _ClipWork:
    """Makes clips by their numbers; see :class:`~bridge.jobs.work.Work`."""

    request: ClipsRequest
    renderer: str
    can_pause: ClassVar[bool] = False

    def open(self, stopped: Callable[[], bool]) -> "_ClipMaker":
        return _ClipMaker(self.request, create_renderer(self.renderer)[0])

    def report_lost(self, number: int, message: str) -> Mapping[str, bytes]:
        raise WorkerLost(f"clip {number}: {message}; the same command makes what is missing")


@dataclass(frozen=True, slots=True)
class _ClipMaker:
    """Makes clips with a renderer of its own."""

    request: ClipsRequest
    renderer: Renderer

    def perform(self, number: int) -> Mapping[str, bytes]:
        return dict(make_clip(self.request, number, self.renderer))

    def close(self) -> None:
        """Free the renderer."""
        self.renderer.close()


@contextmanager
def _open_shard(path: Path) -> Iterator[tarfile.TarFile]:
    """Open a shard to be written; it appears under its name when it is whole."""
    draft = path.with_name(f".{path.name}.part")
    try:
        with named(path), draft.open("wb") as file, tarfile.open(fileobj=file, mode="w") as tar:
            yield tar
            tar.close()
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    except BaseException:
        with suppress(OSError):
            draft.unlink(missing_ok=True)
        raise


def _add_clip(tar: tarfile.TarFile, number: int, files: Mapping[str, bytes]) -> None:
    for ending, content in files.items():
        entry = tarfile.TarInfo(f"{number:06d}.{ending}")
        entry.size = len(content)
        tar.addfile(entry, io.BytesIO(content))

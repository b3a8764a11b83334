"""Datasets of clips: shards as WebDataset reads them, made in parallel, resumed where they stop.

A shard is a tar file; the files of clip 12 lie side by side in it as ``000012.mp4``,
``000012.json``, ... (https://github.com/webdataset/webdataset). It appears whole or not at all.
"""

import io
import json
import multiprocessing
import os
import signal
import tarfile
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from importlib.metadata import version
from pathlib import Path

from bridge.cluster import WorkerLost
from bridge.compare.bundles.format import BundleError
from bridge.compare.clips.making import make_clip
from bridge.compare.clips.request import ClipsRequest
from bridge.recording.errors import RecordingError, reason_of
from bridge.recording.files import named, write_whole
from pysim.render.factory import create_renderer
from pysim.render.renderer import Renderer
from pysim.render.scenery import Finish, Scenery, create_dressed

__all__ = ["ABOUT", "FORMAT", "ClipsMade", "make_clips", "shard_name"]

FORMAT = "luban-clips/1"
ABOUT = "dataset.json"


@dataclass(frozen=True, slots=True)
class ClipsMade:
    """What has become of a dataset.

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
    workers: int = 1,
    progress: Callable[[int, int], None] | None = None,
) -> ClipsMade:
    """Make a dataset, or what is missing of it.

    Args:
        out: its folder; one that another command began is left alone.
        renderer: name of the renderer.
        workers: processes that make shards; 1 for none but this one.
        progress: is told of the clips that are done, and of all.

    Raises:
        BundleError: ``out`` holds something else.
        InputError: the renderer can't draw clips.
        RecordingError, OSError: something can't be written.
        WorkerLost: a process ended by itself, or was killed.
    """
    _check_renderer(renderer)
    _begin(request, out)
    missing = [k for k in range(request.shards) if not (out / shard_name(k)).exists()]
    done = resumed = request.count - sum(len(request.numbers(k)) for k in missing)
    for made in _made(request, out, renderer, missing, min(workers, len(missing))):
        done += made
        if progress is not None:
            progress(done, request.count)
    return ClipsMade(done, request.shards, resumed)


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
        there = (out / ABOUT).read_bytes()
    except FileNotFoundError:
        if out.exists() and any(out.iterdir()):
            raise BundleError(f"{out} holds no clips; give another folder") from None
        out.mkdir(parents=True, exist_ok=True)
        write_whole(out / ABOUT, document)
        return
    except OSError as error:
        raise RecordingError(f"can't read {out / ABOUT}: {reason_of(error)}") from error
    if there != document:
        raise BundleError(
            f"{out} holds clips that were made with other options; give these, or another folder"
        )


def _made(
    request: ClipsRequest, out: Path, renderer: str, shards: list[int], workers: int
) -> Iterator[int]:
    """The number of clips of each shard, as they are finished."""
    if workers <= 1:
        drawn, _ = create_renderer(renderer)
        try:
            for shard in shards:
                yield _make_shard(request, out, shard, drawn)
        finally:
            drawn.close()
        return
    before = set(multiprocessing.active_children())
    # New processes, not forks: threads and graphics contexts do not survive that.
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(workers, context, initializer=partial(_begin_worker, renderer))
    try:
        futures = [pool.submit(_work, request, out, shard) for shard in shards]
        for future in as_completed(futures):
            yield future.result()
    except BrokenProcessPool:
        raise WorkerLost(
            "a worker ended by itself or was killed; the same command makes what is missing"
        ) from None
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
        for process in set(multiprocessing.active_children()) - before:
            process.terminate()
            process.join()
        _sweep(out)


_renderer: Renderer | None = None
"""That of a worker."""


def _begin_worker(name: str) -> None:
    global _renderer
    # Ctrl-C reaches every process of a terminal; the one that asks decides what it means.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _renderer, _ = create_renderer(name)


def _work(request: ClipsRequest, out: Path, shard: int) -> int:
    assert _renderer is not None
    return _make_shard(request, out, shard, _renderer)


def _make_shard(request: ClipsRequest, out: Path, shard: int, renderer: Renderer) -> int:
    """Make a shard beside its place, and put it there; the number of its clips."""
    path = out / shard_name(shard)
    draft = out / f".{path.name}.part"
    numbers = request.numbers(shard)
    try:
        with named(path), draft.open("wb") as file, tarfile.open(fileobj=file, mode="w") as tar:
            for number in numbers:
                for ending, content in make_clip(request, number, renderer).items():
                    entry = tarfile.TarInfo(f"{number:06d}.{ending}")
                    entry.size = len(content)
                    tar.addfile(entry, io.BytesIO(content))
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    except BaseException:
        with suppress(OSError):
            draft.unlink(missing_ok=True)
        raise
    return len(numbers)


def _sweep(out: Path) -> None:
    """Remove what workers that were stopped have left."""
    for draft in out.glob(".clips-*.part"):
        with suppress(OSError):
            draft.unlink()

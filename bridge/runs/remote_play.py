"""Episodes that are played in processes which share no folder with the run.

An episode is played in a folder of its own over there; its files come back as bytes and are put
into the run's folder here, all of them or none.
"""

import shutil
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import ClassVar

from bridge.jobs.cluster import Cluster
from bridge.runs.settings import RunSettings
from bridge.runs.store import JOURNAL_NAMES, VIDEO_NAME, RunFolder, find_earlier_notes
from bridge.runs.worker import Job, JobResult, PlayWork, PlayWorker, Unfilmed
from pysim.untrusted import GIB, FileKind, read_untrusted

__all__ = ["play_remotely"]

FileContents = Mapping[str, bytes]
"""The files of an episode's folder, by name."""
EPISODE_FILE = FileKind("a file of an episode", 4 * GIB)


@dataclass(frozen=True, slots=True)
class _RemoteJob:
    """One attempt to be played.

    Attributes:
        job: which.
        files: of the episode, if it has been played and a video of it is missing.
        earlier: journals of its earlier tries, by their paths from the level's folder.
    """

    job: Job
    files: FileContents
    earlier: FileContents


@dataclass(frozen=True, slots=True)
class _RemoteResult:
    """An attempt that was played.

    Attributes:
        job: which.
        done: what came of it; None if it was stopped at a limit.
        files: that were made.
    """

    job: Job
    done: JobResult | Unfilmed | None
    files: FileContents


def play_remotely(
    cluster: Cluster, work: PlayWork, jobs: Sequence[Job]
) -> Generator[JobResult | Unfilmed]:
    """Play some attempts on a cluster, and keep the files of each as it is done.

    An attempt that two processes ended in is a failure. What is under way when somebody stops the
    run leaves nothing behind.

    Raises:
        OSError: files can't be written here.
    """
    folder = work.folder
    orders = (_RemoteJob(job, _played_files(folder, job), _journals(folder, job)) for job in jobs)
    with closing(cluster.run(_RemoteWork(work), orders)) as played:
        for _, one in played:
            if one.files:
                _keep(folder, one.job, one.files)
            if one.done is not None:
                yield one.done


@dataclass(frozen=True, slots=True)
class _RemoteWork:
    work: PlayWork
    can_pause: ClassVar[bool] = True

    def open(self, stopped: Callable[[], bool]) -> "_RemoteWorker":
        return _RemoteWorker(self.work.open(stopped), self.work.folder.settings)

    def report_lost(self, order: _RemoteJob, message: str) -> _RemoteResult:
        return _RemoteResult(order.job, self.work.report_lost(order.job, message), {})


@dataclass(frozen=True, slots=True)
class _RemoteWorker:
    """Has one renderer, and what it has worked out of the levels, for all its episodes."""

    worker: PlayWorker
    settings: RunSettings

    def perform(self, order: _RemoteJob) -> _RemoteResult:
        job = order.job
        with TemporaryDirectory(prefix="luban-") as path:
            run = RunFolder(Path(path), self.settings)
            there = run.locate_episode(job.level, job.attempt)
            if order.files:
                _write_files(there, order.files)
            for name, data in order.earlier.items():
                _write_files(there.parent / Path(name).parent, {Path(name).name: data})
            done = self.worker.copy_to(run).perform(job)
            found = _read_files(there) if there.exists() else {}
            made = {name: data for name, data in found.items() if name not in order.files}
            return _RemoteResult(job, done, made)

    def close(self) -> None:
        self.worker.close()


def _played_files(folder: RunFolder, job: Job) -> FileContents:
    if folder.read_result(job.level, job.attempt) is None:
        return {}
    return _read_files(folder.locate_episode(job.level, job.attempt))


def _journals(folder: RunFolder, job: Job) -> FileContents:
    """Journals of earlier tries at an episode, and of one that has just failed."""
    if folder.read_result(job.level, job.attempt) is not None:
        return {}
    folder.set_aside(job.level, job.attempt)
    there = folder.locate_episode(job.level, job.attempt)
    paths = (path for name in JOURNAL_NAMES for path in find_earlier_notes(there, name).paths)
    found = {str(path.relative_to(there.parent)): path for path in paths if path.exists()}
    return {name: read_untrusted(path, EPISODE_FILE) for name, path in found.items()}


def _keep(folder: RunFolder, job: Job, files: FileContents) -> None:
    """Put files of an episode into the run: beside those of a finished one, else all at once."""
    final = folder.locate_episode(job.level, job.attempt)
    draft = final.with_name(f".{final.name}.part")
    shutil.rmtree(draft, ignore_errors=True)
    _write_files(draft, files)
    if folder.read_result(job.level, job.attempt) is None:
        folder.set_aside(job.level, job.attempt)
        draft.rename(final)
        return
    for name in sorted(files, key=lambda name: name == VIDEO_NAME):  # The video says: complete.
        (draft / name).replace(final / name)
    draft.rmdir()


def _read_files(path: Path) -> FileContents:
    found = (file for file in sorted(path.iterdir()) if file.is_file())
    return {file.name: read_untrusted(file, EPISODE_FILE) for file in found}


def _write_files(path: Path, files: FileContents) -> None:
    path.mkdir(parents=True, exist_ok=True)
    for name, data in files.items():
        (path / name).write_bytes(data)

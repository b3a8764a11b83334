"""Episodes that are played in processes which share no folder with the run.

An episode is played in a folder of its own over there; its files come back as bytes and are put
into the run's folder here, all of them or none.
"""

import shutil
from collections.abc import Generator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bridge.cluster import Cluster, Lost
from bridge.episode.engines import OpenEngines
from bridge.runs.options import VideoPolicy
from bridge.runs.results import EpisodeResult
from bridge.runs.settings import RunSettings
from bridge.runs.store import VIDEO_NAME, RunFolder
from bridge.runs.worker import Failure, Job, Worker
from pysim.puzzle import Level

__all__ = ["DistantWork", "play_on_cluster"]

Files = Mapping[str, bytes]
"""The files of an episode's folder, by name."""


@dataclass(frozen=True, slots=True)
class _Order:
    """One attempt to be played.

    Attributes:
        job: which.
        files: of the episode, if it has been played and a video of it is missing.
    """

    job: Job
    files: Files


@dataclass
class DistantWork:
    """What every process needs to play episodes of a run; sent once to each.

    Attributes:
        settings, levels: of the run.
        video, renderer, open_engines: as for :class:`~bridge.runs.worker.Worker`.
    """

    settings: RunSettings
    levels: Sequence[Level[Any]]
    video: VideoPolicy
    renderer: str
    open_engines: OpenEngines
    _worker: Worker | None = field(default=None, init=False)

    def perform(self, order: _Order) -> tuple[EpisodeResult | Failure, Files]:
        """Play one attempt; its files."""
        job = order.job
        with TemporaryDirectory(prefix="luban-") as path:
            run = RunFolder(Path(path), self.settings)
            if order.files:
                _write_files(run.episode(job.level, job.attempt), order.files)
            done = self._hired(run).elsewhere(run).perform(job)
            assert done is not None, "nobody stops it between two steps"
            return done, _read_files(run.episode(job.level, job.attempt))

    def _hired(self, run: RunFolder) -> Worker:
        """The worker of this process, which keeps its renderer and what it has worked out."""
        if self._worker is None:
            self._worker = Worker(
                run, self.levels, self.video, self.renderer, lambda: False, self.open_engines
            )
        return self._worker


def play_on_cluster(
    cluster: Cluster, work: DistantWork, folder: RunFolder, jobs: Sequence[Job]
) -> Generator[EpisodeResult | Failure]:
    """Play some attempts on a cluster, and keep the files of each as it is done.

    An attempt whose process was lost twice is a failure. What is under way when somebody stops the
    run leaves nothing behind.

    Raises:
        OSError: files can't be written here.
    """
    orders = (_Order(job, _played_files(folder, job)) for job in jobs)
    with closing(cluster.completed(DistantWork.perform, work, orders)) as completed:
        for order, answer in completed:
            job = order.job
            if isinstance(answer, Lost):
                message = f"its worker was lost twice: {answer.message}"
                yield Failure(job.level, job.attempt, message)
                continue
            done, files = answer
            _keep(folder, job, {n: data for n, data in files.items() if n not in order.files})
            yield done


def _played_files(folder: RunFolder, job: Job) -> Files:
    if folder.result(job.level, job.attempt) is None:
        return {}
    return _read_files(folder.episode(job.level, job.attempt))


def _keep(folder: RunFolder, job: Job, files: Files) -> None:
    """Put files of an episode into the run: beside those of a finished one, else all at once."""
    final = folder.episode(job.level, job.attempt)
    draft = final.with_name(f".{final.name}.part")
    shutil.rmtree(draft, ignore_errors=True)
    _write_files(draft, files)
    if folder.result(job.level, job.attempt) is None:
        folder.set_aside(job.level, job.attempt)
        draft.rename(final)
        return
    for name in sorted(files, key=lambda name: name == VIDEO_NAME):  # The video says: complete.
        (draft / name).replace(final / name)
    draft.rmdir()


def _read_files(path: Path) -> Files:
    return {file.name: file.read_bytes() for file in sorted(path.iterdir()) if file.is_file()}


def _write_files(path: Path, files: Files) -> None:
    path.mkdir(parents=True)
    for name, data in files.items():
        (path / name).write_bytes(data)

"""Playing a whole run: many episodes at once, resumed after a kill."""

import warnings
from collections.abc import Generator, Sequence
from contextlib import closing
from dataclasses import replace
from typing import Any

from bridge.agents.registry import find_agent
from bridge.agents.usage import NO_USAGE
from bridge.agents.usage_meter import SpendingLimit
from bridge.episode.engines import OpenEngines, open_local_engines
from bridge.jobs.cluster import Cluster
from bridge.jobs.processes import Processes
from bridge.jobs.threads import Threads
from bridge.jobs.work import Executor
from bridge.runs.options import VideoPolicy
from bridge.runs.provenance import record_session
from bridge.runs.remote_play import play_remotely
from bridge.runs.results import Watch
from bridge.runs.store import VIDEO_NAME, RunFolder
from bridge.runs.worker import Failure, Job, JobResult, PlayWork, Unfilmed
from pysim.puzzle import Level

__all__ = ["play_run"]


def play_run(
    folder: RunFolder,
    levels: Sequence[Level[Any]],
    *,
    workers: int = 1,
    video: VideoPolicy = VideoPolicy.NONE,
    renderer: str = "auto",
    watch: Watch[JobResult] = lambda done: None,
    report_unfilmed: Watch[Unfilmed] | None = None,
    open_engines: OpenEngines = open_local_engines,
    cluster: Cluster | None = None,
    allowance: SpendingLimit | None = None,
) -> list[JobResult]:
    """Play what is left of a run, and give everything that is finished, level by level.

    With several workers agents that compute get a process each; agents that wait for a server
    share this process. An interrupt stops all of them between two steps, and so does a failure that
    would meet every episode. What was under way is played from its beginning when the run is
    resumed, with the answers that were paid for; everything else is kept.

    Args:
        folder: of the run.
        levels: those of the settings, in order.
        workers: episodes that are played at once.
        report_unfilmed: receives each episode whose video could not be made, besides its result;
            None to warn of it.
        open_engines: gives the worlds and renderers, in every process anew.
        cluster: plays the episodes in place of workers of this machine; nothing that comes out
            depends on it.

    Raises:
        KeyboardInterrupt: somebody wants to stop; all is written down.
        RunError: another process plays this run.
        WorkerLost: worker processes end again and again.
    """
    attempts = range(1, folder.settings.attempts + 1)
    jobs = [Job(level.id, attempt) for attempt in attempts for level in levels]
    done: dict[tuple[str, int], JobResult] = {}
    report = report_unfilmed or _warn

    def finish(one: JobResult) -> None:
        done[one.level, one.attempt] = one
        watch(one)

    with folder.lock():
        paid = NO_USAGE if allowance is None else folder.read_usage()
        work = PlayWork(folder, levels, video, renderer, open_engines, allowance, paid)
        left = [job for job in jobs if not _is_done(folder, job, video, finish)]
        if left:
            record_session(folder.path)
        with closing(_played(work, left, workers, cluster)) as played:
            for made in played:
                one = made.result if isinstance(made, Unfilmed) else made
                finish(one)
                if isinstance(made, Unfilmed):
                    report(made)
                if isinstance(one, Failure) and one.ends_run:
                    break
    order = [(level.id, attempt) for level in levels for attempt in attempts]
    return [done[key] for key in order if key in done]


def _played(
    work: PlayWork, jobs: Sequence[Job], workers: int, cluster: Cluster | None
) -> Generator[JobResult | Unfilmed]:
    """Play attempts at once, or one after another where each has the notes of the one before."""
    if not work.folder.settings.notes:
        yield from _play_at_once(work, jobs, workers, cluster)
        return
    for attempt in sorted({job.attempt for job in jobs}):
        ready = [
            replace(job, notes=work.folder.read_kept_notes(job.level, attempt))
            for job in jobs
            if job.attempt == attempt and _is_ready(work.folder, job)
        ]
        yield from _play_at_once(work, ready, workers, cluster)


def _is_ready(folder: RunFolder, job: Job) -> bool:
    """Return whether the attempt before is finished; one that failed is played again first."""
    return job.attempt == 1 or folder.read_result(job.level, job.attempt - 1) is not None


def _play_at_once(
    work: PlayWork, jobs: Sequence[Job], workers: int, cluster: Cluster | None
) -> Generator[JobResult | Unfilmed]:
    if not jobs:
        return
    if cluster is not None:
        yield from play_remotely(cluster, work, jobs)
        return
    count = min(workers, len(jobs))
    in_threads = count == 1 or find_agent(work.folder.settings.agent).waits
    executor: Executor = Threads(count) if in_threads else Processes(count)
    results: Generator[tuple[Job, JobResult | Unfilmed]] = executor.run(work, jobs)
    with closing(results) as played:
        for _, one in played:
            yield one


def _warn(unfilmed: Unfilmed) -> None:
    result = unfilmed.result
    warnings.warn(
        f"no video of {result.level}, attempt {result.attempt}: {unfilmed.message}; its outcome "
        f"stays {result.outcome.value}, and the same run again tries the video again",
        RuntimeWarning,
        stacklevel=3,
    )


def _is_done(folder: RunFolder, job: Job, video: VideoPolicy, finish: Watch[JobResult]) -> bool:
    result = folder.read_result(job.level, job.attempt)
    if result is None:
        return False
    has_video = (folder.locate_episode(job.level, job.attempt) / VIDEO_NAME).exists()
    if video.needs_video(solved=result.solved) and not has_video:
        return False
    finish(result)
    return True

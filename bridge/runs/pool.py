"""Playing a whole run: many episodes at once, gone on with after a kill."""

import multiprocessing
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import (
    FIRST_COMPLETED,
    Executor,
    Future,
    ProcessPoolExecutor,
    ThreadPoolExecutor,
    wait,
)
from concurrent.futures.process import BrokenProcessPool
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any

from bridge.agents.registry import agent_kind
from bridge.cluster import Cluster, before_interrupts
from bridge.episode.engines import OpenEngines, local_engines
from bridge.runs.options import VideoPolicy
from bridge.runs.remote import DistantWork, play_on_cluster
from bridge.runs.results import EpisodeResult
from bridge.runs.settings import RunError
from bridge.runs.store import VIDEO_NAME, RunFolder
from bridge.runs.worker import (
    ABANDON,
    Failure,
    Job,
    Worker,
    begin_process,
    perform_in_process,
)
from pysim.puzzle import Level

__all__ = ["Done", "Watch", "play_run"]

Done = EpisodeResult | Failure
Watch = Callable[[Done], None]
"""Told of every episode as it is finished, those of earlier processes first."""

Perform = Callable[[Sequence[Job]], list[Done | None]]
"""Does the first jobs, one at least."""

SHARE = 16
"""Jobs that a process gets at once: sending each alone takes long where episodes are short."""

PATIENCE = 3
"""So many times in a row workers may die without an episode finished between."""


@dataclass(frozen=True, slots=True)
class _Crew:
    """Those who do the work.

    Attributes:
        executor: has the threads or processes.
        places: shares of the work that are handed out, so that nobody waits for the next one.
        share: the most jobs of one. What is not done in a moment is handed out again.
        perform: what each of them does.
        stop: tells all of them to stop between two steps.
        abandon: ends those that are left when one has died.
        close: frees what they had.
    """

    executor: Executor
    places: int
    share: int
    perform: Perform
    stop: Callable[[], None]
    abandon: Callable[[], None]
    close: Callable[[], None]


Hire = Callable[[int], AbstractContextManager[_Crew]]


def play_run(
    folder: RunFolder,
    levels: Sequence[Level[Any]],
    *,
    workers: int = 1,
    video: VideoPolicy = VideoPolicy.NONE,
    renderer: str = "auto",
    watch: Watch = lambda done: None,
    open_engines: OpenEngines = local_engines,
    cluster: Cluster | None = None,
) -> list[Done]:
    """Play what is left of a run, and give everything that is finished, level by level.

    With several workers agents that compute get a process each; agents that wait for a server
    share this process. An interrupt stops all of them between two steps; what was under way is
    played from its beginning when the run is gone on with, everything else is kept.

    Args:
        folder: of the run.
        levels: those of the settings, in order.
        workers: episodes that are played at once.
        open_engines: gives the worlds and renderers, in every process anew.
        cluster: plays the episodes in place of workers of this machine; nothing that comes out
            depends on it.

    Raises:
        KeyboardInterrupt: somebody wants to stop; all is written down.
        RunError: another process plays this run, or the workers die again and again.
    """
    attempts = range(1, folder.settings.attempts + 1)
    jobs = [Job(level.id, attempt) for attempt in attempts for level in levels]
    done: dict[tuple[str, int], Done] = {}

    def finish(one: Done) -> None:
        done[one.level, one.attempt] = one
        watch(one)

    with folder.lock():
        left = [job for job in jobs if not _is_done(folder, job, video, finish)]
        if cluster is None:
            hire = partial(_crew, folder, levels, video, renderer, open_engines)
            _play(hire, left, workers, finish)
        else:
            work = DistantWork(folder.settings, levels, video, renderer, open_engines)
            with closing(play_on_cluster(cluster, work, folder, left)) as played:
                for one in played:
                    finish(one)
    order = [(level.id, attempt) for level in levels for attempt in attempts]
    return [done[key] for key in order if key in done]


def _is_done(folder: RunFolder, job: Job, video: VideoPolicy, finish: Watch) -> bool:
    result = folder.result(job.level, job.attempt)
    if result is None:
        return False
    has_video = (folder.episode(job.level, job.attempt) / VIDEO_NAME).exists()
    if video.wants(solved=result.solved) and not has_video:
        return False
    finish(result)
    return True


def _play(hire: Hire, jobs: Sequence[Job], workers: int, finish: Watch) -> None:
    left = {(job.level, job.attempt): job for job in jobs}
    deaths = 0
    while left:
        before = len(left)
        try:
            with hire(min(workers, len(left))) as crew:
                for one in _performed(crew, list(left.values())):
                    del left[one.level, one.attempt]
                    finish(one)
            return
        except BrokenProcessPool:
            deaths = deaths + 1 if len(left) == before else 1
            if deaths == PATIENCE:
                raise RunError(
                    "the worker processes were killed again and again; with fewer --workers there "
                    "is more memory for each"
                ) from None


def _performed(crew: _Crew, jobs: Sequence[Job]) -> Iterator[Done]:
    waiting, under_way = deque(jobs), dict[Future[list[Done | None]], list[Job]]()
    while waiting or under_way:
        while waiting and len(under_way) < crew.places:
            share = [waiting.popleft() for _ in range(_share(len(waiting), crew))]
            with before_interrupts():
                future = crew.executor.submit(crew.perform, share)
            under_way[future] = share
        for future in wait(under_way, return_when=FIRST_COMPLETED).done:
            share, done = under_way.pop(future), future.result()
            waiting.extendleft(reversed(share[len(done) :]))
            yield from (one for one in done if one is not None)


def _share(waiting: int, crew: _Crew) -> int:
    """Less towards the end, when somebody would be left without work."""
    return min(crew.share, -(-waiting // crew.places))


@contextmanager
def _crew(
    folder: RunFolder,
    levels: Sequence[Level[Any]],
    video: VideoPolicy,
    renderer: str,
    open_engines: OpenEngines,
    workers: int,
) -> Iterator[_Crew]:
    """Workers; whatever ends the body stops them between two steps, and waits for that."""
    if workers == 1 or agent_kind(folder.settings.agent).waits:
        flag = threading.Event()
        worker = Worker(folder, levels, video, renderer, flag.is_set, open_engines)
        threads = ThreadPoolExecutor(workers, thread_name_prefix="luban-eval")
        crew = _Crew(threads, workers, 1, worker.perform_some, flag.set, flag.set, worker.close)
    else:
        context = multiprocessing.get_context("spawn")
        # Without a lock: a worker that is killed while it looks must not keep it.
        shared = context.RawValue("b", 0)
        processes = ProcessPoolExecutor(
            workers, context, begin_process, (folder, levels, video, renderer, shared, open_engines)
        )
        crew = _Crew(
            processes,
            2 * workers,
            SHARE,
            perform_in_process,
            partial(setattr, shared, "value", 1),
            partial(setattr, shared, "value", ABANDON),
            _nothing,
        )
    before = set(multiprocessing.active_children())
    try:
        yield crew
    except BrokenProcessPool:
        crew.abandon()
        # A broken pool waits for a worker that was started while it broke, and that for work.
        for process in set(multiprocessing.active_children()) - before:
            process.kill()
        raise
    except BaseException:
        crew.stop()
        raise
    finally:
        crew.executor.shutdown(wait=True, cancel_futures=True)
        crew.close()


def _nothing() -> None:
    """Worker processes free what they have when they end."""

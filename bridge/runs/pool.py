"""Many jobs at once, in threads or processes of this machine."""

import multiprocessing
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import (
    FIRST_COMPLETED,
    Executor,
    Future,
    ProcessPoolExecutor,
    ThreadPoolExecutor,
    wait,
)
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Generic, TypeVar

from bridge.cluster import before_interrupts
from bridge.runs.folders import RunError
from bridge.runs.processes import (
    ABANDON,
    STOP,
    begin_process,
    perform_in_process,
    perform_some,
)
from bridge.runs.work import Work

__all__ = ["perform_jobs"]

Job = TypeVar("Job")
Result = TypeVar("Result")

MAX_BATCH = 16
"""Most jobs sent to a process at once: sending each alone takes long where they are short."""

MAX_CRASHES = 3
"""Crashes of workers in a row, without a job finished between them, that end the work."""


def perform_jobs(
    work: Work[Job, Result], jobs: Sequence[Job], *, workers: int, threads: bool
) -> Generator[Result]:
    """Yield the results of jobs, as they come.

    An interrupt stops all workers between two steps of a job; so does leaving the iterator, which
    is why it stands in ``contextlib.closing``. A job whose process died is begun again.

    Args:
        jobs: unlike each other, and hashable.
        workers: jobs that are done at once.
        threads: whether workers share this process, as those do best that wait for a server. One
            worker needs no process of its own either.

    Raises:
        KeyboardInterrupt: somebody wants to stop. Jobs that are done by then come before it.
        RunError: processes die again and again.
    """
    left, deaths = dict.fromkeys(jobs), 0
    # Chosen once: a job that killed a process is never tried again in this one, even as the last.
    make = _threads if threads or min(workers, len(left)) == 1 else _processes
    while left:
        before = len(left)
        try:
            with _opened(make(work, min(workers, len(left)))) as pool:
                for job, result in _results(pool, list(left)):
                    del left[job]
                    yield result
            return
        except BrokenProcessPool:
            deaths = deaths + 1 if len(left) == before else 1
            if deaths == MAX_CRASHES:
                raise RunError(
                    "the worker processes were killed again and again; with fewer --workers there "
                    "is more memory for each"
                ) from None


@dataclass(frozen=True, slots=True)
class _WorkerPool(Generic[Job, Result]):
    """Workers of a pool.

    Attributes:
        executor: has the threads or processes.
        max_in_flight: most batches that are submitted at a time, so that no worker is idle.
        max_batch: most jobs of a batch. Jobs that a worker has not begun are queued again.
        perform: does the first of some jobs, one at least. The result of a job that was stopped
            before its end is None, and such a job is not done again.
        stop: makes all workers stop between two steps.
        abandon: ends the workers that are left when one has died.
        close: frees resources of the workers.
    """

    executor: Executor
    max_in_flight: int
    max_batch: int
    perform: Callable[[Sequence[Job]], list[Result | None]]
    stop: Callable[[], None]
    abandon: Callable[[], None]
    close: Callable[[], None]


_POLL_SECONDS = 1.0
"""Longest wait for results: an interrupt that comes just when a wait begins is noticed after it."""


def _results(pool: _WorkerPool[Job, Result], jobs: Sequence[Job]) -> Iterator[tuple[Job, Result]]:
    waiting, under_way = deque(jobs), dict[Future[list[Result | None]], list[Job]]()
    try:
        while waiting or under_way:
            while waiting and len(under_way) < pool.max_in_flight:
                size = _choose_batch_size(len(waiting), pool)
                batch = [waiting.popleft() for _ in range(size)]
                with before_interrupts():
                    future = pool.executor.submit(pool.perform, batch)
                under_way[future] = batch
            for future in wait(under_way, _POLL_SECONDS, return_when=FIRST_COMPLETED).done:
                batch, done = under_way.pop(future), future.result()
                waiting.extendleft(reversed(batch[len(done) :]))
                yield from _finished(batch, done)
    except KeyboardInterrupt:
        pool.stop()
        for future, batch in under_way.items():
            if not future.cancel():
                yield from _finished(batch, future.result())
        raise


def _finished(batch: list[Job], done: list[Result | None]) -> Iterator[tuple[Job, Result]]:
    return ((job, one) for job, one in zip(batch, done, strict=False) if one is not None)


def _choose_batch_size(waiting: int, pool: _WorkerPool[Job, Result]) -> int:
    """Return the size of the next batch: smaller towards the end, so that no worker is idle."""
    return min(pool.max_batch, -(-waiting // pool.max_in_flight))


@contextmanager
def _opened(pool: _WorkerPool[Job, Result]) -> Iterator[_WorkerPool[Job, Result]]:
    """Open the workers; whatever ends the body stops them between two steps, and waits for that."""
    before = set(multiprocessing.active_children())  # They begin with the first job.
    try:
        yield pool
    except BrokenProcessPool:
        pool.abandon()
        # A broken pool waits for a worker that was started while it broke, and that for work.
        for process in set(multiprocessing.active_children()) - before:
            process.kill()
        raise
    except BaseException:
        pool.stop()
        raise
    finally:
        pool.executor.shutdown(wait=True, cancel_futures=True)
        pool.close()


def _threads(work: Work[Job, Result], workers: int) -> _WorkerPool[Job, Result]:
    stop = threading.Event()
    worker = work.open(stop.is_set)
    executor = ThreadPoolExecutor(workers, thread_name_prefix="luban-worker")
    perform = partial(perform_some, worker)
    return _WorkerPool(executor, workers, 1, perform, stop.set, stop.set, worker.close)


def _processes(work: Work[Job, Result], workers: int) -> _WorkerPool[Job, Result]:
    context = multiprocessing.get_context("spawn")
    # Without a lock: a worker that is killed while it looks must not keep it.
    stop = context.RawValue("b", 0)
    return _WorkerPool(
        ProcessPoolExecutor(workers, context, begin_process, (work, stop)),
        2 * workers,
        MAX_BATCH,
        perform_in_process,
        partial(setattr, stop, "value", STOP),
        partial(setattr, stop, "value", ABANDON),
        _nothing,
    )


def _nothing() -> None:
    """Worker processes free what they have when they end."""

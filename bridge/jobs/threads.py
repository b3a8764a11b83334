"""Jobs in this process: in the calling thread, or in several."""

import threading
from collections.abc import Generator, Iterable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import ExitStack, closing
from dataclasses import dataclass
from itertools import islice
from typing import TypeVar

from bridge.jobs.work import Work

__all__ = ["Inline", "Threads"]

Job = TypeVar("Job")
Result = TypeVar("Result")

_POLL_SECONDS = 1.0
"""Longest wait for results: an interrupt that comes just when a wait begins is noticed after it."""


@dataclass(frozen=True, slots=True)
class Inline:
    """Performs one job after another in the calling thread.

    See :class:`~bridge.jobs.work.Executor`. An interrupt ends a job at once.
    """

    def run(self, work: Work[Job, Result], jobs: Iterable[Job]) -> Generator[tuple[Job, Result]]:
        """Yield jobs with their results."""
        with ExitStack() as stack:
            worker = None
            for job in jobs:
                if worker is None:
                    worker = stack.enter_context(closing(work.open(lambda: False)))
                if (result := worker.perform(job)) is not None:
                    yield job, result


@dataclass(frozen=True, slots=True)
class Threads:
    """Performs jobs in threads with one worker, for jobs that wait for a server.

    See :class:`~bridge.jobs.work.Executor`.

    Attributes:
        count: number of threads.
    """

    count: int

    def run(self, work: Work[Job, Result], jobs: Iterable[Job]) -> Generator[tuple[Job, Result]]:
        """Yield jobs with their results, as they come."""
        left = iter(jobs)
        first = list(islice(left, self.count))
        if not first:
            return
        stop = threading.Event()
        under_way: dict[Future[Result | None], Job] = {}
        with closing(work.open(stop.is_set)) as worker:
            executor = ThreadPoolExecutor(self.count, thread_name_prefix="luban-worker")
            try:
                under_way |= {executor.submit(worker.perform, job): job for job in first}
                while under_way:
                    for future in wait(under_way, _POLL_SECONDS, FIRST_COMPLETED).done:
                        for following in islice(left, 1):
                            under_way[executor.submit(worker.perform, following)] = following
                        if (result := future.result()) is not None:
                            yield under_way[future], result
                        del under_way[future]
            except KeyboardInterrupt:
                stop.set()
                for future, job in under_way.items():
                    if not future.cancel() and (result := future.result()) is not None:
                        yield job, result
                raise
            finally:
                stop.set()
                executor.shutdown(wait=True, cancel_futures=True)

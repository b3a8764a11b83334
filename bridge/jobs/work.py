"""Protocols of jobs: values that are sent out, done by workers, and come back as results."""

from collections.abc import Callable, Generator, Iterable
from typing import Protocol, TypeVar

from pysim.errors import LubanError

__all__ = ["Executor", "Work", "Worker", "WorkerLost", "yield_in_order"]

Job = TypeVar("Job")
Result = TypeVar("Result")
JobIn = TypeVar("JobIn", contravariant=True)
ResultOut = TypeVar("ResultOut", covariant=True)


class WorkerLost(LubanError, RuntimeError):
    """Worker processes ended in the middle of a job; the message says of which, and how."""


class Worker(Protocol[JobIn, ResultOut]):
    """Does one job after another; safe to use from many threads."""

    def perform(self, job: JobIn, /) -> ResultOut | None:
        """Return the result of a job; None if the worker was stopped before there was one.

        A failure of this job alone is told in its result. An exception ends the work as a whole.
        """

    def close(self) -> None:
        """Free the worker's resources."""


class Work(Protocol[JobIn, ResultOut]):
    """Makes workers. It is picklable, as are jobs and results: each process is sent it once.

    Attributes:
        can_pause: whether workers ask ``stopped`` between the steps of a job. Others are ended in
            the middle of a job when work is interrupted.
    """

    @property
    def can_pause(self) -> bool: ...

    def open(self, stopped: Callable[[], bool], /) -> Worker[JobIn, ResultOut]:
        """Return a worker for this process.

        Args:
            stopped: says whether to stop; for a job to ask between its steps.
        """

    def report_lost(self, job: JobIn, message: str, /) -> ResultOut:
        """Return the result of a job that two processes ended in.

        Raises:
            WorkerLost: nothing that follows has a meaning without this job.
        """


class Executor(Protocol):
    """Performs jobs in this thread, in many threads or processes, or on a cluster.

    Every executor keeps the same contract:

    - Jobs are taken from their iterable as there is room for them, so that there may be no end.
    - Results come as they are ready. A job whose worker had to stop has none.
    - A process that ends in the middle of a job is replaced, and the job is begun again. If that
      process ends, too, the work reports the job as lost, and goes on with the others.
    - An interrupt stops all workers. The results of jobs that are finished by then come first, and
      then KeyboardInterrupt is raised.
    - Closing the iterator stops all workers as well, and waits for their end.
    """

    def run(self, work: Work[Job, Result], jobs: Iterable[Job], /) -> Generator[tuple[Job, Result]]:
        """Yield jobs with their results, as they come; to be used in ``contextlib.closing``.

        Raises:
            KeyboardInterrupt: the user wants to stop.
            WorkerLost: processes end again and again, or a job is lost that nothing can do without.
            Exception: the exception of a worker.
        """


def yield_in_order(
    results: Iterable[tuple[Job, Result]], order: Iterable[Job]
) -> Generator[tuple[Job, Result]]:
    """Yield jobs with their results in a given order, each as soon as none before it is missing.

    Args:
        results: jobs, unlike each other and hashable, with their results.
        order: the same jobs in the order that is wanted.
    """
    ahead: dict[Job, Result] = {}
    left = iter(order)
    upcoming = next(left, None)
    for job, result in results:
        ahead[job] = result
        while upcoming is not None and upcoming in ahead:
            yield upcoming, ahead.pop(upcoming)
            upcoming = next(left, None)

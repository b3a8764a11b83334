"""Work of a pool: jobs, each by itself, in any thread or process."""

from collections.abc import Callable
from typing import Protocol, TypeVar

__all__ = ["Watch", "Work", "Worker"]

Job = TypeVar("Job", contravariant=True)
Result = TypeVar("Result", covariant=True)
Event = TypeVar("Event")

Watch = Callable[[Event], None]
"""Told of everything as it is finished, what earlier processes finished first."""


class Worker(Protocol[Job, Result]):
    """Does one job after another; safe to use from many threads."""

    def perform(self, job: Job, /) -> Result | None:
        """Return the result of a job; None if the worker was stopped before there was one.

        What goes wrong with this job alone is told in its result. What is raised ends everything.
        """

    def close(self) -> None:
        """Free what it had."""


class Work(Protocol[Job, Result]):
    """Makes workers; picklable, for it is sent once to each process.

    Jobs and results are values that can be sent, too.
    """

    def open(self, stopped: Callable[[], bool], /) -> Worker[Job, Result]:
        """Return a worker for this process.

        Args:
            stopped: asked between the steps of a job whether to stop.
        """

    def report_lost(self, job: Job, message: str, /) -> Result:
        """Return the result of a job whose process on a cluster was lost twice."""

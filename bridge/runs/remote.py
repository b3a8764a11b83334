"""Many jobs at once, in processes of a cluster."""

from collections.abc import Generator, Iterable
from contextlib import closing
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from bridge.cluster import Cluster, Lost
from bridge.runs.work import Work, Worker

__all__ = ["perform_remotely"]

Job = TypeVar("Job")
Result = TypeVar("Result")


def perform_remotely(
    cluster: Cluster, work: Work[Job, Result], jobs: Iterable[Job]
) -> Generator[Result]:
    """Yield the results of jobs, as they come, from processes that share nothing with this one.

    A job that a process has no means left for has no result.

    What is under way when somebody leaves the iterator is ended at once.

    Args:
        jobs: taken as there is room for them.
    """
    with closing(cluster.completed(_Remote.perform, _Remote(work), jobs)) as completed:
        for job, result in completed:
            if isinstance(result, Lost):
                yield work.report_lost(job, f"its worker was lost twice: {result.message}")
            elif result is not None:
                yield result


@dataclass
class _Remote(Generic[Job, Result]):
    """Data that every process of the cluster gets once, with its own worker."""

    work: Work[Job, Result]
    _worker: Worker[Job, Result] | None = field(default=None, init=False)

    def perform(self, job: Job) -> Result | None:
        if self._worker is None:
            self._worker = self.work.open(lambda: False)
        return self._worker.perform(job)

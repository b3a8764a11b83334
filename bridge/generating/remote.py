"""Attempts that are made on a cluster, in the order of their numbers."""

from collections import abc
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from itertools import count

from bridge.cluster import Cluster, Lost, WorkerLost
from bridge.generating.workers import AttemptDone, make_attempt
from pysim.generation import Generator

__all__ = ["run_attempts_on_cluster"]


@contextmanager
def run_attempts_on_cluster(
    cluster: Cluster, generator: Generator, first: int
) -> Iterator[Iterator[AttemptDone]]:
    """As :func:`bridge.generating.workers.run_attempts`.

    Raises:
        WorkerLost: the process of an attempt was lost twice.
    """
    with (
        closing(cluster.completed(make_attempt, generator, count(first))) as completed,
        closing(_in_order(completed, first)) as attempts,
    ):
        yield attempts


def _in_order(
    completed: Iterable[tuple[int, AttemptDone | Lost]], first: int
) -> abc.Generator[AttemptDone]:
    ahead: dict[int, AttemptDone] = {}
    upcoming = first
    for number, done in completed:
        if isinstance(done, Lost):
            raise WorkerLost(
                f"the process that made attempt {number} was lost twice ({done.message}); run "
                "the command again to resume"
            )
        ahead[number] = done
        while upcoming in ahead:
            yield ahead.pop(upcoming)
            upcoming += 1

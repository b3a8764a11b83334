"""Executors of jobs, as options choose them."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext

from bridge.jobs.cluster import Cluster, open_cluster
from bridge.jobs.processes import Processes
from bridge.jobs.threads import Inline
from bridge.jobs.work import Executor

__all__ = ["open_executor", "open_optional_cluster"]


def open_optional_cluster(address: str, workers: int) -> AbstractContextManager[Cluster | None]:
    """Return the cluster at an address, open in a context; None for the empty address."""
    return open_cluster(address, workers) if address else nullcontext()


@contextmanager
def open_executor(address: str, workers: int) -> Iterator[Executor]:
    """Open the cluster at an address; with the empty address, use processes of this machine.

    Args:
        address: address of a Ray cluster, or empty.
        workers: number of processes; 1 for none but this one.

    Raises:
        ClusterError: there is no cluster.
    """
    with open_optional_cluster(address, workers) as cluster:
        yield cluster or (Inline() if workers == 1 else Processes(workers))

"""Open the cluster that an option names."""

from contextlib import AbstractContextManager, nullcontext

from bridge.cluster import Cluster, open_cluster

__all__ = ["open_optional_cluster"]


def open_optional_cluster(address: str, workers: int) -> AbstractContextManager[Cluster | None]:
    """Return the cluster at an address, open in a context; None for the empty address."""
    return open_cluster(address, workers) if address else nullcontext()

"""Clusters as commands are given them."""

from contextlib import AbstractContextManager, nullcontext

from bridge.cluster import Cluster, open_cluster

__all__ = ["optional_cluster"]


def optional_cluster(address: str, workers: int) -> AbstractContextManager[Cluster | None]:
    """The cluster at an address, while it is open; None for the empty address."""
    return open_cluster(address, workers) if address else nullcontext()

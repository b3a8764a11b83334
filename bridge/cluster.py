"""Work on the machines of a Ray cluster, or on processes of this machine that Ray starts.

Needs the extra ``ray`` here, and Luban on every machine. Nothing is shared but what is sent: work
goes out as values, and its results come back as values. Where a process or a machine is lost, its
work is done again, once.
"""

import os
import signal
import socket
import sys
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass
from itertools import islice
from typing import Any, TypeVar

from pysim.errors import LubanError
from pysim.machine import count_cores

__all__ = [
    "LOCAL",
    "Cluster",
    "ClusterError",
    "Lost",
    "WorkerLost",
    "before_interrupts",
    "ignore_interrupts",
    "open_cluster",
    "use_one_core",
]

LOCAL = "local"
"""The address that starts processes on this machine."""

Shared = TypeVar("Shared")
Item = TypeVar("Item")
Result = TypeVar("Result")


class ClusterError(LubanError, ValueError):
    """There is no cluster to work on; the message says why and what to do."""


class WorkerLost(LubanError, RuntimeError):
    """A worker process ended in the middle of its work; the message says of what."""


@dataclass(frozen=True, slots=True)
class Lost:
    """In place of a result: the work was begun twice, and its process was lost both times.

    Attributes:
        message: what Ray says of it.
    """

    message: str


class Cluster:
    """A cluster that is open.

    Attributes:
        workers: pieces of work that are done at once.
    """

    def __init__(self, ray: Any, workers: int) -> None:
        self._ray = ray
        self.workers = workers

    def completed(
        self,
        function: Callable[[Shared, Item], Result],
        shared: Shared,
        items: Iterable[Item],
    ) -> Generator[tuple[Item, Result | Lost]]:
        """Yield the results of ``function(shared, item)``, as they come, each with its item.

        Leaving the iterator ends what is under way.

        Args:
            function: of a module, so that its name is known everywhere.
            shared: sent to each process once, which keeps it.
            items: taken as there is room for them, so that there may be no end of them.

        Raises:
            Exception: what ``function`` raised.
        """
        ray = self._ray
        task = ray.remote(num_cpus=1, max_retries=1, retry_exceptions=False)(_perform)
        box = [ray.put(shared)]
        left = iter(items)
        under_way = {task.remote(function, box, i): i for i in islice(left, self.workers)}
        try:
            while under_way:
                (done,), _ = ray.wait(list(under_way))
                item = under_way.pop(done)
                for following in islice(left, 1):
                    under_way[task.remote(function, box, following)] = following
                yield item, self._result(done)
        finally:
            for reference in under_way:
                ray.cancel(reference, force=True)

    def _result(self, reference: Any) -> Any:
        exceptions = self._ray.exceptions
        try:
            return self._ray.get(reference)
        except exceptions.RayTaskError as error:
            raise error.cause from None
        except (
            exceptions.WorkerCrashedError,
            exceptions.NodeDiedError,
            exceptions.OutOfMemoryError,
        ) as error:
            return Lost(str(error).strip().partition("\n")[0])


@contextmanager
def open_cluster(address: str, workers: int = 0) -> Iterator[Cluster]:
    """Connect to a cluster, or start processes here.

    Args:
        address: ``local``, or ``HOST:PORT`` of a cluster's head.
        workers: pieces of work at once; 0 for one on each core.

    Raises:
        ClusterError: Ray is not installed, or there is no cluster.
    """
    if address != LOCAL:
        _require_answer(address)
    ray = _load_ray()
    # Ray prints what it has to say, of lost workers for instance, where results belong.
    with redirect_stdout(sys.stderr):
        try:
            ray.init(address=address, **_options(address, workers))
            yield Cluster(ray, workers or max(1, int(ray.cluster_resources().get("CPU", 1))))
        except (ConnectionError, TimeoutError) as error:
            raise ClusterError(f"no Ray at {address[:80]!r}: {_first_line(error)}") from None
        finally:
            ray.shutdown()


def _require_answer(address: str) -> None:
    """Find out that nobody is there, which Ray does by ending the process after a minute."""
    host, _, port = address.rpartition(":")
    try:
        socket.create_connection((host, int(port)), timeout=10).close()
    except (OSError, ValueError, OverflowError) as error:
        raise ClusterError(
            f"there is no Ray at {address[:80]!r} ({_first_line(error)}); give HOST:PORT of a "
            f"cluster's head, or {LOCAL}"
        ) from None


def _options(address: str, workers: int) -> dict[str, object]:
    quiet: dict[str, object] = {"log_to_driver": False, "logging_level": "ERROR"}
    if address != LOCAL:
        return quiet
    here = {"num_cpus": workers or count_cores(), "object_store_memory": STORE}
    return {**quiet, **here, "include_dashboard": False}


STORE = 256 * 2**20
"""Bytes that processes on this machine share for what is sent; results are small."""

_kept: dict[bytes, object] = {}
"""In a process of the cluster: what it was sent to share."""


def _perform(function: Callable[[Any, Any], object], box: list[Any], item: object) -> object:
    """In a process of the cluster: one piece of work."""
    import ray

    use_one_core()
    key = box[0].binary()
    if key not in _kept:
        _kept.clear()
        _kept[key] = ray.get(box[0])
    return function(_kept[key], item)


def _load_ray() -> Any:
    # Before it is imported: it reports its use to its makers otherwise.
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    try:
        import ray
    except ImportError:
        raise ClusterError("work on a cluster needs Ray: pip install 'luban[ray]'") from None
    return ray


def use_one_core() -> None:
    """Let a renderer in software that this process starts draw in the thread that asks it.

    For processes that have a core each: Mesa's llvmpipe takes all cores if it may.
    """
    os.environ.setdefault("LP_NUM_THREADS", "0")


@contextmanager
def before_interrupts() -> Iterator[None]:
    """Processes that are started in the block hear no Ctrl-C until :func:`ignore_interrupts`.

    It reaches every process of a terminal, also one that is still importing what it needs. Whoever
    starts the processes hears it after the block at the latest.
    """
    from multiprocessing import resource_tracker

    resource_tracker.ensure_running()  # Starting it lets interrupts through.
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def ignore_interrupts() -> None:
    """In a process that was started so: leave Ctrl-C to its parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})


def _first_line(error: Exception) -> str:
    return str(error).strip().partition("\n")[0][:200]

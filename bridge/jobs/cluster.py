"""Jobs on the machines of a Ray cluster, or in processes of this machine that Ray starts.

Needs the extra ``ray`` here, and Luban on every machine. Processes share no folder with this one:
jobs and results are all that is sent.
"""

import os
import socket
import sys
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager, redirect_stdout
from itertools import islice
from typing import Any, TypeVar

from bridge.jobs.work import Work, Worker
from bridge.jobs.worker_process import use_one_core
from pysim.errors import LubanError
from pysim.machine import count_cores

__all__ = ["LOCAL", "Cluster", "ClusterError", "open_cluster"]

LOCAL = "local"
"""The address that starts processes on this machine."""

Job = TypeVar("Job")
Result = TypeVar("Result")


class ClusterError(LubanError, ValueError):
    """There is no cluster to work on; the message says why and what to do."""


class Cluster:
    """A cluster that is open; see :class:`~bridge.jobs.work.Executor`.

    What is under way when somebody leaves the results is ended at once.

    Attributes:
        workers: number of jobs at once.
    """

    def __init__(self, ray: Any, workers: int) -> None:
        self._ray = ray
        self.workers = workers

    def run(self, work: Work[Job, Result], jobs: Iterable[Job]) -> Generator[tuple[Job, Result]]:
        """Yield jobs with their results, as they come.

        Each process is sent the work once, and keeps its worker.
        """
        ray = self._ray
        task = ray.remote(num_cpus=1, max_retries=1, retry_exceptions=False)(_perform)
        box = [ray.put(work)]
        left = iter(jobs)
        under_way = {task.remote(box, job): job for job in islice(left, self.workers)}
        try:
            while under_way:
                (done,), _ = ray.wait(list(under_way))
                job = under_way.pop(done)
                for following in islice(left, 1):
                    under_way[task.remote(box, following)] = following
                if (result := self._result(work, job, done)) is not None:
                    yield job, result
        finally:
            for reference in under_way:
                ray.cancel(reference, force=True)

    def _result(self, work: Work[Job, Result], job: Job, reference: Any) -> Result | None:
        exceptions = self._ray.exceptions
        try:
            result: Result | None = self._ray.get(reference)
        except exceptions.RayTaskError as error:
            raise error.cause from None
        except (
            exceptions.RayError
        ) as error:  # A process, a node, or what lay in its memory is lost.
            said = str(error).strip().partition("\n")[0]
            return work.report_lost(job, f"its worker process ended twice ({said})")
        return result


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
            _connect(ray, address, workers)
            yield Cluster(ray, workers or max(1, int(ray.cluster_resources().get("CPU", 1))))
        finally:
            ray.shutdown()


def _connect(ray: Any, address: str, workers: int) -> None:
    refusals = (ConnectionError, TimeoutError, ray.exceptions.AuthenticationError)
    try:
        ray.init(address=address, **_options(address, workers))
    except refusals as error:
        # Ray reports a key that is missing here as a cluster that it can't reach.
        reason = _first_line(error).partition(". ")[0]
        raise ClusterError(
            f"no Ray at {address[:80]!r}: {reason}; if that cluster has a key, copy "
            "~/.ray/auth_token from its head and set RAY_AUTH_MODE=token"
        ) from None
    except Exception as error:  # Ray's own processes fail in any way, and it raises as plain ones.
        raise ClusterError(
            f"Ray does not start here ({_first_line(error)}); if this machine is busy, try again, "
            "or work without --ray"
        ) from None


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

_workers: dict[bytes, Worker[Any, Any]] = {}
"""The worker of a process of the cluster, by the work that it was opened for."""


def _perform(box: list[Any], job: object) -> object:
    """Perform a job in a process of the cluster."""
    import ray

    use_one_core()
    key = box[0].binary()
    if key not in _workers:
        for other in _workers.values():
            other.close()
        _workers.clear()
        _workers[key] = ray.get(box[0]).open(lambda: False)
    return _workers[key].perform(job)


def _load_ray() -> Any:
    # Before it is imported: it reports its use to its makers otherwise.
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    try:
        import ray
    except ImportError:
        raise ClusterError("work on a cluster needs Ray: pip install 'luban[ray]'") from None
    return ray


def _first_line(error: Exception) -> str:
    return str(error).strip().partition("\n")[0][:200]

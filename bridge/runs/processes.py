"""Worker processes of a pool."""

import multiprocessing
import os
import threading
import time
from collections.abc import Sequence
from ctypes import c_byte
from multiprocessing.connection import wait
from typing import Any, TypeVar

from bridge.cluster import ignore_interrupts, use_one_core
from bridge.runs.work import Work, Worker

__all__ = ["ABANDON", "STOP", "begin_process", "perform_in_process", "perform_some"]

Job = TypeVar("Job")
Result = TypeVar("Result")

MOMENT = 0.05
"""Seconds after which a worker says what it has done."""
STOP = 1
"""The flag's value when workers are to stop between two steps."""
ABANDON = 2
"""Its value when they are to end at once."""

_worker: Worker[Any, Any] | None = None


def begin_process(work: Work[Any, Any], stop: c_byte) -> None:
    """Make a fresh process a worker."""
    global _worker
    ignore_interrupts()  # The parent hears them, and says when to stop.
    use_one_core()
    threading.Thread(target=_die_with_pool, args=(stop,), name="luban-parent", daemon=True).start()
    _worker = work.open(lambda: bool(stop.value))


def perform_in_process(jobs: Sequence[Any]) -> list[Any]:
    """:func:`perform_some` by this process's worker."""
    assert _worker is not None
    return perform_some(_worker, jobs)


def perform_some(worker: Worker[Job, Result], jobs: Sequence[Job]) -> list[Result | None]:
    """Return the results of the first of some jobs, and of those after it until a moment is over.

    Short jobs would otherwise keep the process that hands them out busier than it need be.
    """
    until = time.monotonic() + MOMENT
    done = [worker.perform(jobs[0])]
    for job in jobs[1:]:
        if time.monotonic() >= until:
            break
        done.append(worker.perform(job))
    return done


def _die_with_pool(stop: c_byte) -> None:
    """A worker whose run was killed must not go on beside the one that resumes it.

    Nor may one that its broken pool started last: nobody else would end it.
    """
    parent = multiprocessing.parent_process()
    assert parent is not None
    while stop.value != ABANDON and not wait([parent.sentinel], timeout=0.2):
        pass
    os._exit(1)

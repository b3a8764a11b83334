"""The inside of a worker process."""

import copy
import multiprocessing
import os
import threading
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from ctypes import c_byte
from multiprocessing.connection import Connection, wait
from multiprocessing.reduction import ForkingPickler
from typing import Any

from bridge.jobs.interrupts import ignore_interrupts
from bridge.jobs.work import Work, Worker

__all__ = ["FAILED", "FINISHED", "calculate_in_one_thread", "serve_jobs", "use_one_core"]

FINISHED = "finished"
"""A message with the result of a job."""
FAILED = "failed"
"""A message with the exception that a job raised."""


def serve_jobs(work: Work[Any, Any], stop: c_byte, pipe: Connection) -> None:
    """Perform the jobs that come from a pipe, until its other end is closed."""
    ignore_interrupts()  # The parent hears them, and says when to stop.
    use_one_core()
    threading.Thread(target=_exit_with_parent, name="luban-parent", daemon=True).start()
    worker: Worker[Any, Any] | None = None
    try:
        while True:
            data = pipe.recv_bytes()
            try:
                job = ForkingPickler.loads(data)
                if worker is None:
                    worker = work.open(lambda: bool(stop.value))
                _send(pipe, FINISHED, None if stop.value else worker.perform(job))
            except Exception as error:
                _send(pipe, FAILED, _make_sendable(error, traceback.format_exc()))
    except (EOFError, BrokenPipeError, ConnectionResetError):
        return
    finally:
        if worker is not None:
            worker.close()


@contextmanager
def calculate_in_one_thread() -> Iterator[None]:
    """Have processes that are started in the block calculate in one thread, if none is set.

    OpenBLAS reads its number of threads when NumPy is loaded. They spin while they wait for each
    other, which with a process for each core takes many times the arithmetic.
    """
    name = "OPENBLAS_NUM_THREADS"
    is_set = name in os.environ
    os.environ.setdefault(name, "1")
    try:
        yield
    finally:
        if not is_set:
            del os.environ[name]


def use_one_core() -> None:
    """Let a software renderer of this process draw in the thread that asks it.

    For processes that have a core each: Mesa's llvmpipe takes all cores if it may.
    """
    os.environ.setdefault("LP_NUM_THREADS", "0")


def _make_sendable(error: Exception, trace: str) -> Exception:
    """Return an exception with its trace, as another one if the parent could not unpickle it."""
    try:
        copy.copy(error)  # It is made anew from its arguments, as by unpickling.
    except Exception:
        error = RuntimeError(f"{type(error).__name__}: {error}")
    error.add_note(f"In a worker process:\n{trace}")
    return error


def _send(pipe: Connection, kind: str, value: object) -> None:
    try:
        pipe.send((kind, value))
    except (EOFError, OSError):
        raise
    except Exception as error:  # It can't be pickled, and nothing of it was sent.
        pipe.send((FAILED, RuntimeError(f"a worker can't send {value!r:.200}: {error}")))


def _exit_with_parent() -> None:
    """End this process with its parent: a run that was killed must not go on beside the next."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    wait([parent.sentinel])
    os._exit(1)

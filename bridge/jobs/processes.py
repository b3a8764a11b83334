"""Jobs in processes of this machine."""

import multiprocessing
import signal
from collections import deque
from collections.abc import Generator, Iterable, Iterator
from contextlib import suppress
from ctypes import c_byte
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from multiprocessing.reduction import ForkingPickler
from time import monotonic
from typing import Generic, TypeVar

from bridge.jobs.interrupts import before_interrupts, interrupt_later
from bridge.jobs.work import Work, WorkerLost
from bridge.jobs.worker_process import FINISHED, calculate_in_one_thread, serve_jobs

__all__ = ["Processes"]

Job = TypeVar("Job")
Result = TypeVar("Result")

MAX_DEATHS = 2
"""Processes that may end in the middle of one job before it is lost."""
MAX_LOST_IN_A_ROW = 3
"""Lost jobs, without a finished one between them, that end the work."""
SHORT_SECONDS = 0.05
"""A process whose last job was shorter is sent the next one ahead, so that it never waits."""
MAX_AHEAD_BYTES = 2**16
"""Longest job that is sent ahead. It fits into the pipe's buffer while its reader is at work."""
_POLL_SECONDS = 1.0
"""Longest wait for results: an interrupt that comes just when a wait begins is noticed after it."""


@dataclass(frozen=True, slots=True)
class Processes:
    """Performs jobs in processes of this machine; see :class:`~bridge.jobs.work.Executor`.

    Processes are started afresh, and not forked: threads and graphics contexts do not survive that.
    There are never more than there are jobs.

    Attributes:
        count: number of processes.
    """

    count: int

    def run(self, work: Work[Job, Result], jobs: Iterable[Job]) -> Generator[tuple[Job, Result]]:
        """Yield jobs with their results, as they come."""
        pool = _Pool(work, jobs)
        finished = False
        try:
            pool.start(self.count)
            while pool.processes:
                yield from pool.receive()
            finished = True
        except KeyboardInterrupt:
            if work.can_pause:
                pool.stop()
                while pool.processes:
                    yield from pool.receive()
            raise
        finally:
            pool.close(at_once=not (finished or work.can_pause))


@dataclass(eq=False)
class _Sent(Generic[Job]):
    """A job that is sent to processes.

    Attributes:
        job: the job.
        data: the same, pickled.
        deaths: number of processes that have ended in the middle of it.
    """

    job: Job
    data: memoryview
    deaths: int = 0


@dataclass(eq=False)
class _Process(Generic[Job]):
    """A worker process.

    Attributes:
        sent: the jobs that it was sent and has not answered; it is at work on the first.
        began: when it began that one.
        sends_ahead: whether its jobs are so short that it gets another one ahead.
    """

    process: SpawnProcess
    pipe: Connection
    sent: deque[_Sent[Job]] = field(default_factory=deque)
    began: float = 0.0
    sends_ahead: bool = False


class _Pool(Generic[Job, Result]):
    """Worker processes with the jobs that are left for them.

    Attributes:
        processes: those that have jobs or may still get some, by their pipes.
    """

    def __init__(self, work: Work[Job, Result], jobs: Iterable[Job]) -> None:
        self.processes: dict[Connection, _Process[Job]] = {}
        self._idle: list[_Process[Job]] = []
        self._work = work
        self._left = iter(jobs)
        self._again: deque[_Sent[Job]] = deque()
        self._context = multiprocessing.get_context("spawn")
        # Without a lock: a process that is killed while it looks must not keep it.
        self._stop: c_byte = self._context.RawValue("b", 0)
        self._lost_in_a_row = 0

    def start(self, count: int) -> None:
        """Start at most so many processes, each with its first job."""
        with interrupt_later():
            for _ in range(count):
                if (sent := self._take()) is None:
                    return
                self._start_process(sent)

    def receive(self) -> Iterator[tuple[Job, Result]]:
        """Wait for results, yield them, and send new jobs in their place.

        An exception is raised after the results that came with it.
        """
        errors = []
        for pipe in wait(list(self.processes), _POLL_SECONDS):
            assert isinstance(pipe, Connection)
            try:
                with interrupt_later():
                    found = self._receive_from(self.processes[pipe])
            except Exception as error:
                errors.append(error)
                continue
            if found is not None:
                yield found
        if errors:
            raise errors[0]

    def stop(self) -> None:
        """Have all workers stop between two steps; they get no more jobs."""
        self._stop.value = 1

    def close(self, at_once: bool) -> None:
        """End all processes: at once, or when their workers have stopped and freed their resources.

        A second interrupt ends them at once in any case.
        """
        self.stop()
        every = [*self.processes.values(), *self._idle]
        try:
            for one in every:
                if at_once:
                    one.process.terminate()
                one.pipe.close()
            for one in every:
                one.process.join()
        except KeyboardInterrupt:
            for one in every:
                one.process.kill()
            raise

    def _take(self) -> _Sent[Job] | None:
        if self._stop.value:
            return None
        if self._again:
            return self._again.popleft()
        return next((_Sent(job, ForkingPickler.dumps(job)) for job in self._left), None)

    def _start_process(self, sent: _Sent[Job]) -> None:
        pipe, its_pipe = self._context.Pipe()
        process = self._context.Process(
            target=serve_jobs, args=(self._work, self._stop, its_pipe), name="luban-worker"
        )
        with before_interrupts(), calculate_in_one_thread():
            process.start()
        its_pipe.close()
        self.processes[pipe] = started = _Process[Job](process, pipe)
        self._send(started, sent)

    def _send(self, to: _Process[Job], sent: _Sent[Job]) -> None:
        if not to.sent:
            to.began = monotonic()
        to.sent.append(sent)
        with suppress(BrokenPipeError):  # If it has ended, the next look at its pipe tells so.
            to.pipe.send_bytes(sent.data)

    def _receive_from(self, one: _Process[Job]) -> tuple[Job, Result] | None:
        try:
            kind, value = one.pipe.recv()
        except (EOFError, OSError):
            return self._replace(one)
        if kind != FINISHED:
            raise value
        sent, now = one.sent.popleft(), monotonic()
        one.sends_ahead, one.began = now - one.began < SHORT_SECONDS, now
        self._supply(one)
        self._lost_in_a_row = 0
        return None if value is None else (sent.job, value)

    def _supply(self, one: _Process[Job]) -> None:
        """Send jobs to a process; one that gets none is idle."""
        while len(one.sent) < 1 + one.sends_ahead:
            if (sent := self._take()) is None:
                break
            if one.sent and len(sent.data) > MAX_AHEAD_BYTES:
                self._again.appendleft(sent)
                break
            self._send(one, sent)
        if not one.sent:
            self._idle.append(self.processes.pop(one.pipe))

    def _replace(self, one: _Process[Job]) -> tuple[Job, Result] | None:
        """Put another process in the place of one that has ended, or report its job as lost."""
        del self.processes[one.pipe]
        one.pipe.close()
        one.process.join()
        first = one.sent.popleft()
        first.deaths += 1
        self._again.extendleft(reversed(one.sent))
        lost = first.deaths == MAX_DEATHS
        if not lost:
            self._again.appendleft(first)
        if (sent := self._take()) is not None:
            self._start_process(sent)
        return (first.job, self._report_lost(first.job, one.process)) if lost else None

    def _report_lost(self, job: Job, process: SpawnProcess) -> Result:
        self._lost_in_a_row += 1
        if self._lost_in_a_row == MAX_LOST_IN_A_ROW:
            raise WorkerLost(
                f"worker processes end again and again ({_describe_exit(process.exitcode)}); with "
                "fewer --workers there is more memory for each"
            )
        return self._work.report_lost(
            job, f"its worker process ended twice ({_describe_exit(process.exitcode)})"
        )


def _describe_exit(code: int | None) -> str:
    if code is not None and code < 0:
        return f"killed by {signal.Signals(-code).name}"
    return f"exit status {code}"

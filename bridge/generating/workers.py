"""Processes that make attempts, and their results in the order of the attempts."""

from collections import abc
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from time import perf_counter

from bridge.cluster import WorkerLost, before_interrupts, ignore_interrupts
from pysim.generation import GenerationResult, Generator

__all__ = ["AttemptDone", "make_attempt", "run_attempts"]


@dataclass(frozen=True, slots=True)
class AttemptDone:
    """An attempt that was made.

    Attributes:
        number: its number.
        attempt: what it gave.
        seconds: how long it took.
    """

    number: int
    attempt: GenerationResult
    seconds: float


@dataclass(frozen=True, slots=True)
class _Worker:
    process: SpawnProcess
    pipe: Connection


@contextmanager
def run_attempts(generator: Generator, first: int, workers: int) -> Iterator[Iterator[AttemptDone]]:
    """The attempts from number ``first`` on, without end, in their order.

    Leaving the context ends the processes, in whatever attempts they are.

    Raises:
        WorkerLost: a process ended by itself, or was killed.
    """
    pool: list[_Worker] = []
    try:
        for _ in range(workers):
            pool.append(_start_worker(generator))
        with closing(_in_order(pool, first)) as attempts:
            yield attempts
    finally:
        for worker in pool:
            worker.process.terminate()
        for worker in pool:
            worker.process.join()
            worker.pipe.close()


def _start_worker(generator: Generator) -> _Worker:
    # A new process, not a fork: threads and graphics contexts do not survive that.
    context = get_context("spawn")
    mine, its = context.Pipe()
    process = context.Process(target=_work, args=(generator, its), daemon=True)
    with before_interrupts():
        process.start()
    its.close()
    return _Worker(process, mine)


def _work(generator: Generator, pipe: Connection) -> None:
    """Make the attempts that are asked for, until nobody is there to ask."""
    ignore_interrupts()  # The one that asks decides what they mean.
    try:
        while True:
            pipe.send(make_attempt(generator, pipe.recv()))
    except (EOFError, BrokenPipeError):
        return


def make_attempt(generator: Generator, number: int) -> AttemptDone:
    """Make one attempt."""
    began = perf_counter()
    attempt = generator.attempt(number)
    return AttemptDone(number, attempt, perf_counter() - began)


def _in_order(pool: list[_Worker], first: int) -> abc.Generator[AttemptDone]:
    """Keep every worker at work, and hand over results as soon as none before them is missing."""
    asked = {worker.pipe: first + i for i, worker in enumerate(pool)}
    processes = {worker.pipe: worker.process for worker in pool}
    for pipe, number in asked.items():
        pipe.send(number)
    ahead: dict[int, AttemptDone] = {}
    upcoming, following = first, first + len(pool)
    while True:
        for pipe in [pipe for pipe in wait(list(asked)) if isinstance(pipe, Connection)]:
            done = _receive(pipe, asked[pipe], processes[pipe])
            ahead[done.number] = done
            asked[pipe] = following
            pipe.send(following)
            following += 1
        while upcoming in ahead:
            yield ahead.pop(upcoming)
            upcoming += 1


def _receive(pipe: Connection, number: int, process: SpawnProcess) -> AttemptDone:
    try:
        done = pipe.recv()
    except (EOFError, ConnectionResetError):
        process.join()
        raise WorkerLost(
            f"the process that made attempt {number} ended with status {process.exitcode}; "
            "run the command again to resume, with fewer workers if memory was short"
        ) from None
    assert isinstance(done, AttemptDone)
    return done

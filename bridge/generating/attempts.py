"""Attempts at levels, as jobs."""

import logging
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass
from multiprocessing import parent_process
from time import perf_counter
from typing import ClassVar

from bridge.jobs.work import WorkerLost
from pysim.generation import GenerationResult, Generator
from pysim.kernels import COMPILING, watch_compiling

__all__ = ["AttemptDone", "AttemptWork"]


@dataclass(frozen=True, slots=True)
class AttemptDone:
    """An attempt that was made.

    Attributes:
        number: its number.
        attempt: the result.
        seconds: how long it took.
    """

    number: int
    attempt: GenerationResult
    seconds: float


@dataclass(frozen=True, slots=True)
class AttemptWork:
    """Makes the attempts of a generator, by their numbers; see :class:`~bridge.jobs.work.Work`.

    Attributes:
        generator: makes them.
        first: number of the one whose process logs that it compiles, unless it is the user's own,
            which watches that itself. Others compile at the same time.
    """

    generator: Generator
    first: int = -1
    can_pause: ClassVar[bool] = False

    def open(self, stopped: Callable[[], bool]) -> "AttemptWork":
        """Return this object, which is its own worker."""
        return self

    def perform(self, number: int) -> AttemptDone:
        """Make one attempt."""
        began = perf_counter()
        is_first = number == self.first and parent_process() is not None
        with watch_compiling(_log_compiling) if is_first else nullcontext():
            attempt = self.generator.attempt(number)
        return AttemptDone(number, attempt, perf_counter() - began)

    def close(self) -> None:
        """Free nothing: a generator holds no resources."""

    def report_lost(self, number: int, message: str) -> AttemptDone:
        """Refuse to go on: later levels depend on this attempt.

        Raises:
            WorkerLost: always.
        """
        raise WorkerLost(
            f"attempt {number}: {message}; run the command again to resume, with fewer workers if "
            "memory was short"
        )


def _log_compiling(count: int) -> None:
    if count == 1:
        logging.getLogger(__name__).warning("note: %s", COMPILING)

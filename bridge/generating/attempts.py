"""Attempts at levels, as jobs."""

from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter
from typing import ClassVar

from bridge.jobs.work import WorkerLost
from pysim.generation import GenerationResult, Generator

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
    """Makes the attempts of a generator, by their numbers; see :class:`~bridge.jobs.work.Work`."""

    generator: Generator
    can_pause: ClassVar[bool] = False

    def open(self, stopped: Callable[[], bool]) -> "AttemptWork":
        """Return this object, which is its own worker."""
        return self

    def perform(self, number: int) -> AttemptDone:
        """Make one attempt."""
        began = perf_counter()
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

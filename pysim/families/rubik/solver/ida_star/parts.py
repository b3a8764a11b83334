"""A bound of the optimal search in parts, one for each way to begin, on all cores.

The first three moves are made at once; the states that they lead to are the parts. Those below
which the bound before had most states to look at come first: there a solution is likeliest. (H48's
solver has this from vcube and Chen Shuang.)
"""

from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from threading import Event

import numpy as np
from numpy.typing import NDArray

from pysim.families.rubik.solver.ida_star.search import BEGINNING, Beginnings, PausableSearch
from pysim.families.rubik.solver.ida_star.tables import Tables
from pysim.machine import count_cores

__all__ = ["Bound", "Word"]

_TOGETHER = 32
"""Parts that a thread takes at once."""
_MOMENT = 100_000
"""States that a thread looks at before it gives word: a few hundredths of a second."""
_PAUSE = 0.02
"""Seconds between two looks at the threads."""


@dataclass(frozen=True, slots=True)
class Word:
    """Findings since the last report.

    Attributes:
        solutions: new ones, as the numbers of their moves.
        nodes: states looked at.
        share: how many of the parts are done, from 0 to 1.
    """

    solutions: list[list[int]]
    nodes: int
    share: float


@dataclass(eq=False)
class Bound:
    """All ways of one length.

    Args:
        start: as :func:`~.search.search` takes it.
        before: of the bound before, how many states were looked at after each beginning.

    Attributes:
        looked: (18^3,) the same of this one.
    """

    tables: Tables
    start: NDArray[np.int64]
    bound: int
    before: NDArray[np.int64] | None = None
    looked: NDArray[np.int64] = field(
        default_factory=lambda: np.zeros(18**BEGINNING, dtype=np.int64)
    )

    def search(self, *, everything: bool) -> Iterator[Word]:
        """Search; ends with the first solution, unless all are asked for."""
        begun = Beginnings(self.tables, self.start, self.bound)
        stop = Event()
        crew = [_Worker(self, begun, stop) for _ in range(count_cores())]
        jobs = iter(self._jobs(begun))
        total, done = max(begun.count, 1), 0
        with ThreadPoolExecutor(len(crew)) as pool:
            try:
                running = {pool.submit(worker.run, jobs) for worker in crew}
                while running:
                    over, running = wait(running, _PAUSE, FIRST_COMPLETED)
                    for future in over:
                        future.result()
                    done = sum(worker.done for worker in crew)
                    found = [way for worker in crew for way in worker.take()]
                    nodes = sum(worker.take_nodes() for worker in crew)
                    yield Word(found, nodes, done / total)
                    if found and not everything:
                        return
            finally:
                stop.set()

    def _jobs(self, begun: Beginnings) -> list[NDArray[np.int64]]:
        """Return the parts, some at a time, the likeliest first."""
        order = np.arange(begun.count)
        if self.before is not None:
            order = np.argsort(-self.before[begun.codes], kind="stable")
        return [order[k : k + _TOGETHER] for k in range(0, len(order), _TOGETHER)]


class _Worker:
    """A thread that takes part after part."""

    def __init__(self, bound: Bound, begun: Beginnings, stop: Event) -> None:
        self._bound, self._begun, self._stop = bound, begun, stop
        self._found: list[list[int]] = []
        self._nodes = 0
        self.done = 0

    def run(self, jobs: Iterator[NDArray[np.int64]]) -> None:
        """Search, until nothing is left or all are to stop."""
        one = PausableSearch(self._bound.tables, self._bound.start, self._bound.bound)
        for job in jobs:
            one.take(self._begun, job)
            while not one.over:
                if self._stop.is_set():
                    return
                before = one.nodes
                self._found += one.run(_MOMENT)
                self._nodes += one.nodes - before
            self._bound.looked[self._begun.codes[job]] = one.counts[job]
            self.done += len(job)

    def take(self) -> list[list[int]]:
        """Return the solutions since this was asked last."""
        taken = self._found[:]
        del self._found[: len(taken)]
        return taken

    def take_nodes(self) -> int:
        """Return states looked at since this was asked last; about right while it runs."""
        taken, self._nodes = self._nodes, 0
        return taken

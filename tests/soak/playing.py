"""Many episodes on one server, played by some threads of clients until the budget is spent."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Protocol, TypeVar

from tests.soak.budget import Budget, Finding, Row
from tests.soak.servers import ServerProcess, running_server

__all__ = ["LANES", "play"]

LANES = 8
"""Threads of the clients."""


class Lane(Protocol):
    """Some of the episodes, played by one thread in turn."""

    def begin(self) -> None:
        """Begin them."""

    def step(self) -> None:
        """Make some steps in each."""

    def end(self) -> None:
        """End them."""


L = TypeVar("L", bound=Lane)


def play(
    budget: Budget,
    row: Row,
    seed: int,
    make: Callable[[ServerProcess, int, int], L],
    steps: int,
    count: Callable[[Sequence[L]], None],
) -> Row:
    """Play until the budget is spent or the server is gone; return the row.

    Args:
        make: a lane of a server, the seed and its number.
        steps: that all lanes make between two looks at the budget.
        count: puts into the row what the lanes have come to.
    """
    with running_server(budget.work(row.attack)) as server, ThreadPoolExecutor(LANES) as pool:
        lanes = [make(server, seed, number) for number in range(LANES)]
        list(pool.map(lambda lane: lane.begin(), lanes))
        for _ in budget.cases(steps):
            list(pool.map(lambda lane: lane.step(), lanes))
            count(lanes)
            row.worst = max(row.worst, server.peak)
            budget.watch(row)
            if not server.alive:
                budget.tell(row, Finding(row.number, "crashed", server.complaints()), seed)
                return row
        list(pool.map(lambda lane: lane.end(), lanes))
        count(lanes)
    return row

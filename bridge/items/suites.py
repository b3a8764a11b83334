"""Suites of items: what a run asks, and what becomes of the answers; benches offer them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from bridge.report.parts import Table
from bridge.runs.protocol import offering
from pysim.items import Trial
from pysim.kinds import Json

__all__ = ["Asker", "Ended", "ItemSuite", "Part", "ScoredRun", "find_suite"]


@dataclass(frozen=True, slots=True)
class Part:
    """Trials of one kind; it names them whole, so that they can be made again.

    Attributes:
        variant: the kind, in the suite's own notation.
        depth: how hard.
        count: seeds are 0 to ``count - 1``.
    """

    variant: str
    depth: int
    count: int


@dataclass(frozen=True, slots=True)
class Ended:
    """A trial that is over, and the state in which it ended."""

    trial: Trial[Any]
    state: Any


@dataclass(frozen=True, slots=True)
class ScoredRun:
    """The scores of a run, for tables.

    Attributes:
        name: of the run, which stands in front of its row.
        scores: of each part; shares are from 0 to 1, None is undefined.
    """

    name: str
    scores: Sequence[tuple[Part, Mapping[str, Json]]]


class ItemSuite(Protocol):
    """A named set of tasks that ask items."""

    @property
    def name(self) -> str:
        """As users write it."""

    @property
    def version(self) -> str:
        """Of what is asked; raised with every change that makes other items."""

    @property
    def tasks(self) -> tuple[str, ...]:
        """What can be asked for, in order."""

    def parts(
        self, task: str, depths: Sequence[int], options: Mapping[str, str], count: int
    ) -> tuple[Part, ...]:
        """What a task consists of.

        Args:
            depths: empty for the usual ones.
            options: of the task, name -> text.

        Raises:
            ValueError: there is no such task or option, or a value is out of range.
        """

    def trials(self, part: Part) -> list[Trial[Any]]:
        """The trials of a part, in the order of their seeds.

        Raises:
            ValueError: there is no such part.
        """

    def scores(self, part: Part, ended: Sequence[Ended]) -> Mapping[str, Json]:
        """The metrics of a part."""

    def tables(self, runs: Sequence[ScoredRun]) -> list[Table]:
        """The metrics of several runs, a row for each."""


@runtime_checkable
class Asker(Protocol):
    """A bench that asks items.

    Attributes:
        item_suites: makes each of its suites, by name.
    """

    name: str
    item_suites: Mapping[str, Callable[[], ItemSuite]]


def find_suite(name: str) -> ItemSuite:
    """The suite of a name.

    Raises:
        ValueError: there is none.
    """
    suites = {n: make for bench in offering(Asker) for n, make in bench.item_suites.items()}
    if name not in suites:
        raise ValueError(f"there is no suite of items {name[:80]!r}; there are {', '.join(suites)}")
    return suites[name]()

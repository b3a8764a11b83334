"""Suites of items: what a run asks, and what becomes of the answers; benches offer them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol, runtime_checkable

from bridge.agents.journal import AnswerCost
from bridge.agents.usage import NO_USAGE, Usage
from bridge.report.parts import Figure, Table
from bridge.runs.manifests import find_manifest
from bridge.runs.protocol import Bench, load_benches, select_benches
from bridge.scoring.judged import Judged
from pysim.errors import InputError
from pysim.field_types import Json
from pysim.items import Trial

__all__ = [
    "Asker",
    "Charting",
    "EndedTrial",
    "ItemSuite",
    "ScoredRun",
    "Subset",
    "find_asker",
    "find_suite",
    "limit_subsets",
    "list_suites",
]

_TAKEN = ("variant", "count", "scores")


@dataclass(frozen=True, slots=True)
class Subset:
    """Trials of one kind; it names them whole, so that they can be made again.

    Attributes:
        variant: the kind, in the suite's own notation.
        count: seeds are 0 to ``count - 1``.
        options: what else the suite needs to know, by name; JSON values.

    Raises:
        InputError: an option has a name that means something else in logs.
    """

    variant: str
    count: int
    options: Mapping[str, Json] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if taken := [name for name in self.options if name in _TAKEN]:
            raise InputError(f"an option of a subset can't be called {taken[0]}")

    def __hash__(self) -> int:
        return hash((self.variant, self.count, *self.options))

    def to_document(self) -> dict[str, Json]:
        """Return the document that :meth:`from_document` reads: the options are among the rest."""
        return {"variant": self.variant, **self.options, "count": self.count}

    @staticmethod
    def from_document(document: Mapping[str, Any]) -> "Subset":
        """Return the subset that a header names.

        Raises:
            KeyError, TypeError, InputError: it names none.
        """
        if not isinstance(document, Mapping):
            raise InputError("a part of a run is an object")
        options = {name: value for name, value in document.items() if name not in _TAKEN}
        return Subset(str(document["variant"]), int(document["count"]), options)


def limit_subsets(subsets: Sequence[Subset], most: int) -> tuple[Subset, ...]:
    """Return the first ``most`` trials of each subset; all of them if it is 0."""
    return tuple(replace(s, count=min(s.count, most or s.count)) for s in subsets)


@dataclass(frozen=True, slots=True)
class EndedTrial:
    """A trial that is over, and the state in which it ended.

    Attributes:
        judged: its answers, without those to items that do not count.
    """

    trial: Trial[Any]
    state: Any
    judged: tuple[Judged, ...] = ()


@dataclass(frozen=True, slots=True)
class ScoredRun:
    """The scores of a run, for tables.

    Attributes:
        name: of the run, which stands in front of its row.
        scores: of each subset; shares are from 0 to 1, None is undefined.
        usage: what a model was asked and said, for all subsets together.
        costs: the same, answer by answer.
        agent: that answered.
    """

    name: str
    scores: Sequence[tuple[Subset, Mapping[str, Json]]]
    usage: Usage = NO_USAGE
    costs: Sequence[AnswerCost] = ()
    agent: str = ""


class ItemSuite(Protocol):
    """A named set of tasks that ask items; picklable, for it is sent to worker processes."""

    @property
    def name(self) -> str:
        """As users write it."""

    @property
    def version(self) -> str:
        """Of what is asked; raised with every change that makes other items."""

    @property
    def tasks(self) -> tuple[str, ...]:
        """Tasks, in order."""

    def subsets(self, options: Any) -> tuple[Subset, ...]:
        """Return the subsets of the items.

        Args:
            options: of its bench, an instance of its dataclass.

        Raises:
            InputError: there is no such task or option, or a value is out of range.
        """

    def trials(self, subset: Subset) -> Sequence[Trial[Any]]:
        """Return the trials of a subset, in the order of their seeds; equal in every process.

        Raises:
            InputError: there is no such subset.
        """

    def scores(self, subset: Subset, ended: Sequence[EndedTrial]) -> Mapping[str, Json]:
        """Return the metrics of a subset.

        See :func:`bridge.items.tables.compute_common_scores` for those of every suite.
        """

    def tables(self, runs: Sequence[ScoredRun]) -> list[Table]:
        """Return the metrics of several runs, a row for each; see :mod:`bridge.items.tables`."""


@runtime_checkable
class Charting(Protocol):
    """Suite that draws charts for reports."""

    def charts(self, runs: Sequence[ScoredRun]) -> list[Figure]:
        """Return the figures of several runs."""


@runtime_checkable
class Asker(Bench, Protocol):
    """A bench that asks items; its options are AskOptions, or what extends them.

    Attributes:
        item_suites: makes each of its suites, by name.
    """

    item_suites: Mapping[str, Callable[[], ItemSuite]]


def list_suites() -> tuple[str, ...]:
    """Return the names of all suites of items that are installed."""
    return tuple(name for asker in _askers() for name in asker.item_suites)


def find_asker(name: str) -> Asker:
    """Return the bench that offers a suite.

    Raises:
        InputError: there is none.
    """
    manifest = find_manifest(name)
    first = () if manifest is None else (load_benches()[manifest.name],)
    for asker in (*first, *_askers()):
        if isinstance(asker, Asker) and name in asker.item_suites:
            return asker
    known = ", ".join(list_suites())
    raise InputError(f"there is no suite of items {name[:80]!r}; there are {known}")


def find_suite(name: str) -> ItemSuite:
    """Return the suite of a name.

    Raises:
        InputError: there is none.
    """
    return find_asker(name).item_suites[name]()


def _askers() -> list[Asker]:
    return select_benches(Asker)

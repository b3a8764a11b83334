"""Suites of items that come from a file: a bench asks them as those of one of its own suites."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from bridge.items.suites import EndedTrial, ItemSuite, ScoredRun, Subset, find_asker
from bridge.report.parts import Table
from pysim.catalog.suite_files import OwnSuite
from pysim.errors import InputError
from pysim.field_types import Json
from pysim.items import Trial

__all__ = ["GivenItems", "OwnItems", "TakesItems", "make_suite"]


@dataclass(frozen=True, slots=True)
class GivenItems:
    """Items of a file.

    Attributes:
        name: of the suite, which stands in the variants of its subsets.
        items: as the bench writes them.
    """

    name: str
    items: Sequence[Mapping[str, Json]]


@runtime_checkable
class TakesItems(ItemSuite, Protocol):
    """A suite whose items may be given.

    The subsets hold the items whole, so that a log of a run needs no other file.
    """

    def subsets_of(self, given: GivenItems, options: Any) -> tuple[Subset, ...]:
        """Return what is asked of given items.

        Raises:
            InputError: an item is damaged, or an option does not fit.
        """


@dataclass(frozen=True, slots=True)
class OwnItems:
    """A bench's suite with the items of a file; see :class:`~bridge.items.suites.ItemSuite`."""

    base: TakesItems
    given: GivenItems

    @property
    def name(self) -> str:
        """The name of the bench's suite, by which reports find it again."""
        return self.base.name

    @property
    def version(self) -> str:
        """That of the bench's suite."""
        return self.base.version

    @property
    def tasks(self) -> tuple[str, ...]:
        """The tasks of the bench's suite."""
        return self.base.tasks

    def subsets(self, options: Any) -> tuple[Subset, ...]:
        """Return the given items by condition."""
        return self.base.subsets_of(self.given, options)

    def trials(self, subset: Subset) -> Sequence[Trial[Any]]:
        """Return the trials of a subset."""
        return self.base.trials(subset)

    def scores(self, subset: Subset, ended: Sequence[EndedTrial]) -> Mapping[str, Json]:
        """Return the metrics of a subset."""
        return self.base.scores(subset, ended)

    def tables(self, runs: Sequence[ScoredRun]) -> list[Table]:
        """Return the tables of the bench's suite."""
        return self.base.tables(runs)


def make_suite(own: OwnSuite) -> OwnItems:
    """Return the suite that asks the items of a file.

    Raises:
        InputError: no bench has a suite that takes them.
    """
    base = find_asker(own.suite).item_suites[own.suite]()
    if not isinstance(base, TakesItems):
        raise InputError(f"{own.name}: the suite {own.suite} takes no items of one's own")
    return OwnItems(base, GivenItems(own.name, own.items))

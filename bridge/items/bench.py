"""Benches whose suites ask items."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from bridge.items.suites import ItemSuite
from bridge.runs.declared_bench import DeclaredBench

__all__ = ["ItemBench"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemBench(DeclaredBench):
    """A bench that asks items; see :class:`~bridge.items.suites.Asker`.

    Attributes:
        item_suites: makes each of its suites, by name.
    """

    item_suites: Mapping[str, Callable[[], ItemSuite]]

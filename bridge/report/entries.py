"""Entries of a report besides play: things to unfold one by one, such as trials of questions.

Floors above say what there is (:class:`Listed`); the report knows how a page shows it.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from bridge.report.parts import Exhibit

__all__ = ["Entry", "Listed", "Shown"]


@dataclass(frozen=True, slots=True)
class Shown:
    """A step of an entry.

    Attributes:
        pictures: names and PNG files, which come first.
        texts: what is said, each with its title.
        right: whether it came out well; None if that can't be said.
    """

    pictures: Sequence[tuple[str, bytes]]
    texts: Sequence[tuple[str, str]]
    right: bool | None = None


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing to unfold.

    Attributes:
        title: no two of a run have the same.
        steps: in order.
    """

    title: str
    steps: Sequence[Shown]

    @property
    def right(self) -> bool | None:
        """Whether all its steps came out well; None if that can't be said of any."""
        told = [step.right for step in self.steps if step.right is not None]
        return all(told) if told else None


class Listed(Protocol):
    """Runs of one sort, for a report."""

    @property
    def title(self) -> str:
        """Of their section."""

    def build_parts(self) -> Iterable[Exhibit]:
        """Their tables and figures."""

    def list_entries(self) -> Iterable[tuple[str, Sequence[Entry], int]]:
        """For each run its name, the entries that are shown, and how many there are."""

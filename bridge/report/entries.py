"""Entries of a report besides play: things to unfold one by one, such as trials of questions.

Floors above say what there is (:class:`Listed`); the report knows how a page shows it.
"""

import base64
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from typing import Protocol

from bridge.report.parts import Exhibit
from bridge.report.transcript_html import fold_text

__all__ = ["Entry", "Listed", "Shown", "format_entries"]


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


def format_entries(listed: Listed) -> Iterator[str]:
    """Yield the entries of some runs, folded but for the first of each; no markup gets through."""
    yield f"<h2>{escape(listed.title)}</h2>"
    for run, entries, total in listed.list_entries():
        left_out = f"; the log has all {total:,}" if total > len(entries) else ""
        yield f"<h3>{escape(run)}</h3>\n<p>{len(entries):,} shown{left_out}.</p>"
        yield from (_entry(entry, unfolded=number == 0) for number, entry in enumerate(entries))


def _entry(entry: Entry, *, unfolded: bool) -> str:
    steps = "\n".join(map(_step, entry.steps))
    title = f"{_mark(entry.right)}{escape(entry.title)}"
    opened = " open" if unfolded else ""
    return f'<details class="entry"{opened}><summary>{title}</summary>\n{steps}\n</details>'


def _step(step: Shown) -> str:
    pictures = "".join(
        f'<figure><img loading="lazy" alt="{escape(name)}" '
        f'src="data:image/png;base64,{base64.b64encode(data).decode("ascii")}">'
        f"<figcaption>{escape(name)}</figcaption></figure>"
        for name, data in step.pictures
    )
    texts = "".join(
        f"<dt>{escape(name)}</dt><dd>{fold_text(text)}</dd>" for name, text in step.texts
    )
    return f'<div class="pictures">{pictures}</div>\n<dl>{texts}</dl>\n<p>{_mark(step.right)}</p>'


def _mark(right: bool | None) -> str:
    if right is None:
        return ""
    return '<span class="ok">✓ right</span> ' if right else '<span class="no">✗ wrong</span> '

"""Parts of a report: the runs that go in, the tables and figures that come out."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

from bridge.runs.protocol import select_benches
from bridge.runs.results import EpisodeResult
from bridge.runs.store import RunFolder
from bridge.scoring.metrics import Price

__all__ = [
    "Exhibit",
    "Figure",
    "ReportedRun",
    "Reporter",
    "Section",
    "Table",
    "collect_bench_documents",
    "collect_bench_sections",
    "collect_bench_summaries",
    "list_families",
]


@dataclass(frozen=True, slots=True)
class ReportedRun:
    """A run in a report.

    Attributes:
        name: no two of a report have the same.
        folder: where it lies.
        results: its finished episodes.
        price: of its model's tokens, or None if it is not known.
        scorer_price: of those of its search's scorer.
    """

    name: str
    folder: RunFolder
    results: Sequence[EpisodeResult]
    price: Price | None = None
    scorer_price: Price | None = None


@dataclass(frozen=True, slots=True)
class Table:
    """A table; it stands on the page, in ``report.json`` and in the CSV of the tables.

    Attributes:
        title: above it.
        note: what its columns are.
        head: names of the columns.
        rows: as many texts in each; the page escapes them.
        groups: what stands above the head: (text, number of columns); none if empty.
    """

    title: str
    note: str
    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    groups: Sequence[tuple[str, int]] = field(default_factory=tuple)


@dataclass(frozen=True, slots=True)
class Figure:
    """A plot, as :mod:`bridge.report.charts` draws it."""

    title: str
    svg: str


Exhibit = Table | Figure
"""What a section gives; a table without rows is left out."""

Section = Callable[[Sequence[ReportedRun]], Iterable[Exhibit]]
"""Makes the parts that some runs give, in the order of the page; none where there is nothing to
say. What it needs besides results it reads from the folders of the runs."""


@runtime_checkable
class Reporter(Protocol):
    """A bench with tables, figures and numbers of its own."""

    name: str

    def sections(self, runs: Sequence[ReportedRun]) -> Iterable[Exhibit]:
        """Return the sections about some runs, in the order of the page."""

    def document(self, results: Sequence[EpisodeResult]) -> Mapping[str, object] | None:
        """Its figures for ``results.json``, under its name; None if there is nothing to say."""

    def summary(self, results: Sequence[EpisodeResult]) -> Table | None:
        """Return the table that ``luban eval`` prints at the end; None for none."""


def collect_bench_documents(results: Sequence[EpisodeResult]) -> dict[str, object]:
    """Collect the documents of benches about some results, by their names."""
    found = ((r.name, r.document(results)) for r in _find_reporters(results))
    return {name: document for name, document in found if document is not None}


def collect_bench_sections(runs: Sequence[ReportedRun]) -> Iterator[Exhibit]:
    """Collect the sections of benches about some runs, bench by bench."""
    for reporter in select_benches(Reporter):
        yield from reporter.sections(runs)


def collect_bench_summaries(results: Sequence[EpisodeResult]) -> list[Table]:
    """Collect the summaries of benches at the end of a run."""
    found = (reporter.summary(results) for reporter in _find_reporters(results))
    return [table for table in found if table is not None]


def _find_reporters(results: Sequence[EpisodeResult]) -> list[Reporter]:
    """Return the benches that may play levels of the families that were played."""
    return select_benches(Reporter, {result.family for result in results})


def list_families(runs: Sequence[ReportedRun]) -> list[str]:
    """Return the families that occur, in the order in which they are first met."""
    return list(dict.fromkeys(result.family for run in runs for result in run.results))

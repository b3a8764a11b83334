"""Base of a small bench, which plays as usual and reports one table."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from bridge.recording.log import Log
from bridge.report.parts import Exhibit, ReportedRun, Table
from bridge.runs.direct import DirectPlay
from bridge.runs.options import PlayOptions
from bridge.runs.play import Mode
from bridge.runs.protocol import Measures, Play
from bridge.runs.results import EpisodeResult
from bridge.runs.settings import RunSettings
from pysim.catalog import AnyLevel
from pysim.suites import find_suite

__all__ = ["PlainBench"]


class PlainBench:
    """A bench whose levels are played; see :class:`~bridge.runs.protocol.PlayedBench`.

    A bench sets ``name``, ``title`` and ``suites``, and whatever else is not as usual.
    """

    name: str
    title: str
    suites: Mapping[str, str]
    options: type[Any] = PlayOptions
    modes: Sequence[str] = tuple(Mode)
    extras: Sequence[str] = ()
    columns: Sequence[str] = ()
    general: bool = False

    def figures(self, log: Log) -> Measures:
        """Measure an episode of one of its levels, by column."""
        return {}

    def table(self, runs: Sequence[ReportedRun]) -> Table | None:
        """Build the table about some runs; None for none."""
        return None

    def plays(self, level: AnyLevel) -> bool:
        """None but those of its suites, which are played so only if a suite is named."""
        return False

    def configured(self, settings: RunSettings, options: Any) -> RunSettings:
        """As they are."""
        return settings

    def check(self, settings: RunSettings, levels: Sequence[AnyLevel]) -> None:
        """Everything fits."""

    def play(self, settings: RunSettings) -> Play:
        """Step by step, or at once."""
        return DirectPlay(Mode(settings.mode))

    def describe(self, settings: RunSettings) -> str:
        """Return the mode."""
        return settings.mode

    def measure(self, log: Log) -> Measures:
        """Return the figures, of its own levels."""
        level = log.header.level.id
        own = any(level in find_suite(suite).level_ids for suite in self.suites.values())
        return self.figures(log) if own else {}

    def sections(self, runs: Sequence[ReportedRun]) -> Iterable[Exhibit]:
        """Return the table, of runs of its own."""
        own = [run for run in runs if run.folder.settings.bench == self.name]
        table = self.table(own) if own else None
        return () if table is None else (table,)

    def document(self, results: Sequence[EpisodeResult]) -> Mapping[str, object] | None:
        """Return nothing besides what is known of every run."""
        return None

    def summary(self, results: Sequence[EpisodeResult]) -> Table | None:
        """Return nothing besides what is known of every run."""
        return None

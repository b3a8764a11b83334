"""Published figures beside those of runs, as ``--beside`` asks for them."""

from collections.abc import Mapping, Sequence

from bridge.cli.options import Beside
from bridge.items.reporting import ListedItems
from bridge.items.suites import asker_of
from bridge.report.beside import ComparedRun, TableComparison, beside_paper
from bridge.report.parts import ReportedRun, families_of
from bridge.runs.protocol import Bench, bench_of

__all__ = ["comparison_of", "comparison_of_items"]


def comparison_of(
    beside: Beside | None, runs: Sequence[ReportedRun], listed: Sequence[ListedItems]
) -> TableComparison:
    """Return the comparison for a report of played runs and of runs of items."""
    if beside is None:
        return list
    asked = {name: one.suite for one in listed for name in one.runs}
    return beside_paper([*map(_played, runs), *_asked(asked)])


def comparison_of_items(beside: Beside | None, suites: Mapping[str, str]) -> TableComparison:
    """Return the comparison for runs of items, given the suite of each run by its name."""
    return list if beside is None else beside_paper(_asked(suites))


def _played(run: ReportedRun) -> ComparedRun:
    settings = run.folder.settings
    return _compared(run.name, bench_of(settings), settings.suite, families_of([run]))


def _asked(suites: Mapping[str, str]) -> list[ComparedRun]:
    return [_compared(name, asker_of(suite), suite) for name, suite in suites.items()]


def _compared(name: str, bench: Bench, suite: str, families: Sequence[str] = ()) -> ComparedRun:
    return ComparedRun(name, bench.name, suite, families, bench.title.partition(":")[0])

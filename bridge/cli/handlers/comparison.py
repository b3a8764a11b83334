"""Published figures beside those of runs, as ``--beside`` asks for them."""

from collections.abc import Mapping, Sequence

from bridge.cli.options import Beside
from bridge.items.suites import find_asker
from bridge.report.paper_comparison import ComparedRun, TableComparison, compare_with_papers
from bridge.report.parts import ReportedRun, list_families
from bridge.runs.protocol import Bench, find_bench_of_run

__all__ = ["build_comparison"]


def build_comparison(
    beside: Beside | None, runs: Sequence[ReportedRun], asked: Mapping[str, str]
) -> TableComparison:
    """Return the comparison for a report.

    Args:
        beside: the figures to add; None for none.
        runs: that were played.
        asked: the suite of each run of items, by the run's name.
    """
    return list if beside is None else compare_with_papers([*map(_played, runs), *_asked(asked)])


def _played(run: ReportedRun) -> ComparedRun:
    settings = run.folder.settings
    return _compared(run.name, find_bench_of_run(settings), settings.suite, list_families([run]))


def _asked(suites: Mapping[str, str]) -> list[ComparedRun]:
    return [_compared(name, find_asker(suite), suite) for name, suite in suites.items()]


def _compared(name: str, bench: Bench, suite: str, families: Sequence[str] = ()) -> ComparedRun:
    return ComparedRun(name, bench.name, suite, families, bench.title.partition(":")[0])

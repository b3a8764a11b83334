"""Bench of a suite, and its part of ``luban eval``."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bridge.cli.errors import CommandError
from bridge.cli.handlers.eval.targets import find_levels
from bridge.cli.requests import SharedRequest
from bridge.items.suites import Asker
from bridge.runs.protocol import Bench, PlayedBench, find_bench, load_benches, select_benches
from pysim.catalog import AnyLevel
from pysim.catalog.suite_files import read_suite_file

__all__ = ["find_suite", "resolve_bench", "run_bench"]


def resolve_bench(target: str) -> Bench:
    """Return the bench that is meant by its name, by a suite or by levels.

    Raises:
        CommandError: there is no such bench, suite or level.
    """
    by_name = find_bench(target) or find_bench(target.replace("-", "_"))
    by_suite = next((b for b in load_benches().values() if target in b.suites.values()), None)
    by_file = _bench_of_file(target) if target.endswith(".json") else None
    return by_name or by_suite or by_file or _bench_of_levels(find_levels(target))


def find_suite(target: str, bench: Bench) -> str:
    """Return the suite that is meant: the main one, if only the bench is named."""
    named = find_bench(target.replace("-", "_")) is bench
    return next(iter(bench.suites.values())) if named and bench.suites else target


def run_bench(bench: Bench, shared: SharedRequest, options: Any) -> None:
    """Play or ask what is meant.

    Raises:
        CommandError: the bench has neither levels nor items.
    """
    suite = find_suite(shared.suite, bench)
    if isinstance(bench, Asker):
        from bridge.cli.handlers.eval.items import run_ask

        run_ask(bench, shared, suite, options)
    elif isinstance(bench, PlayedBench):
        from bridge.cli.handlers.eval.levels import run_eval

        run_eval(bench, shared, suite, options)
    else:
        raise CommandError(f"the bench {bench.name} has neither levels nor items")


def _bench_of_file(target: str) -> Bench | None:
    """Return the bench of a suite of one's own; None if the file holds something else."""
    own = None if "," in target else read_suite_file(Path(target))
    if own is None:
        return None
    bench = find_bench(own.bench)
    if bench is None:
        raise CommandError(f"{target}: there is no bench {own.bench[:60]!r}; install its package")
    return bench


def _bench_of_levels(levels: Sequence[AnyLevel]) -> Bench:
    """Return the bench that claims all of some levels; else one that plays anything."""
    played = select_benches(PlayedBench)
    special = [b for b in played if not b.general and all(map(b.plays, levels))]
    return next(iter((*special, *(b for b in played if b.general))))

"""Which bench a suite is of, and what ``luban eval`` does with it."""

import difflib
from collections.abc import Sequence
from typing import Any

from bridge.cli.eval import SharedRequest
from bridge.cli.failing import CommandError
from bridge.items.suites import Asker
from bridge.runs.protocol import Bench, PlayedBench, benches, offering
from pysim.catalog import AnyLevel
from pysim.selecting import select_levels
from pysim.suites import SuiteError

__all__ = ["bench_for", "levels_named", "run_bench", "suite_of"]


def bench_for(target: str) -> Bench:
    """The bench that is meant by its name, by a suite or by levels.

    Raises:
        CommandError: there is no such bench, suite or level.
    """
    known = benches()
    by_name = known.get(target) or known.get(target.replace("-", "_"))
    by_suite = next((b for b in known.values() if target in b.suites.values()), None)
    return by_name or by_suite or _bench_of_levels(levels_named(target))


def suite_of(target: str, bench: Bench) -> str:
    """The suite that is meant: the main one, if only the bench is named."""
    named = target.replace("-", "_") == bench.name
    return next(iter(bench.suites.values())) if named and bench.suites else target


def run_bench(bench: Bench, shared: SharedRequest, options: Any) -> None:
    """Play or ask what is meant.

    Raises:
        CommandError: the bench has nothing to play and nothing to ask.
    """
    suite = suite_of(shared.suite, bench)
    if isinstance(bench, Asker):
        from bridge.cli.asking import run_ask

        run_ask(shared, suite, options)
    elif isinstance(bench, PlayedBench):
        from bridge.cli.evaluating import run_eval

        run_eval(bench, shared, suite, options)
    else:
        raise CommandError(f"the bench {bench.name} has nothing to play and nothing to ask")


def levels_named(name: str) -> tuple[AnyLevel, ...]:
    """A suite, or levels by id, by a pattern of ids or by file, separated by commas.

    Raises:
        CommandError: there is none, or one is named twice.
    """
    try:
        found = tuple(level for part in name.split(",") for level in select_levels(part))
    except SuiteError as error:
        known = [*benches(), *(suite for b in benches().values() for suite in b.suites.values())]
        close = difflib.get_close_matches(name, known, n=1, cutoff=0.6)
        hint = f"; did you mean {close[0]}?" if close and close[0] not in str(error) else ""
        raise CommandError(f"{error}{hint}") from None
    if len({level.id for level in found}) < len(found):
        raise CommandError("a level is named twice; --k plays each several times")
    return found


def _bench_of_levels(levels: Sequence[AnyLevel]) -> Bench:
    """The bench that claims all of some levels; else one that plays anything."""
    played = offering(PlayedBench)
    special = [b for b in played if not b.general and all(map(b.plays, levels))]
    return next(iter((*special, *(b for b in played if b.general))))

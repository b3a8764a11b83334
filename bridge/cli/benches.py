"""Which bench a suite is of, and what ``luban eval`` does with it."""

import difflib
import fnmatch
from collections.abc import Sequence
from itertools import chain
from typing import Any

from bridge.cli.eval import SharedRequest
from bridge.cli.failing import CommandError
from bridge.items.suites import Asker
from bridge.runs.protocol import Bench, PlayedBench, benches, offering
from pysim.catalog import AnyLevel, LevelError, find_level, level_paths
from pysim.suites import find_suite, levels_of, suite_names

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
    if name in suite_names():
        return levels_of(find_suite(name))
    try:
        found = tuple(map(find_level, chain.from_iterable(map(_ids, name.split(",")))))
    except LevelError as error:
        suites = [*suite_names(), *(s for bench in benches().values() for s in _suites(bench))]
        close = difflib.get_close_matches(name, suites, n=1, cutoff=0.5)
        hint = f"did you mean {close[0]}" if close else f"there are {', '.join(suite_names())}"
        raise CommandError(f"there is no suite {name[:80]!r} ({hint}?), and {error}") from None
    ids = [level.id for level in found]
    if len(set(ids)) < len(ids):
        raise CommandError("a level is named twice; --k plays each several times")
    return found


def _suites(bench: Bench) -> Sequence[str]:
    return [*bench.suites.values()]


def _ids(part: str) -> list[str]:
    """The shipped levels that a pattern like ``*-d0?-*`` means; else the part itself."""
    part = part.strip()
    if not any(sign in part for sign in "*?["):
        return [part]
    found = fnmatch.filter((path.stem for path in level_paths()), part)
    return sorted(found) or [part]


def _bench_of_levels(levels: Sequence[AnyLevel]) -> Bench:
    """The bench that claims all of some levels; else one that plays anything."""
    played = offering(PlayedBench)
    special = [b for b in played if not b.general and all(map(b.plays, levels))]
    return next(iter((*special, *(b for b in played if b.general))))

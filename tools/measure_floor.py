"""Measure how often random actions solve levels: ``python -m tools.measure_floor SUITE ...``.

Writes the facts ``random_passes`` and ``random_attempts`` into the files of the levels, and prints
a table of the suite's tiers. Levels that have been measured with as many attempts are passed over,
so that the same command resumes. ``--table`` measures nothing and prints the tables only.
"""

import argparse
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path
from statistics import mean

from bridge.generating.walks import is_solved_by_first_legal, plan_shape, random_passes
from bridge.report.floors import ATTEMPTS, PASSES
from bridge.scoring.statistics import compute_wilson_interval
from pysim.catalog import AnyLevel, find_shipped_level, read_level
from pysim.puzzle import Tier
from pysim.suites import find_suite, load_levels
from tools.floor_facts import with_facts

ROOT = Path(__file__).resolve().parent.parent


def main() -> None:
    """Measure what is missing, and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("suites", nargs="+", metavar="SUITE")
    parser.add_argument("--attempts", type=int, default=100)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--table", action="store_true", help="measure nothing")
    given = parser.parse_args()
    for suite in given.suites:
        if not given.table:
            _measure(load_levels(find_suite(suite)), given.attempts, given.workers)
        levels = [_fresh(level) for level in load_levels(find_suite(suite))]
        print(f"\n{suite}", *rows(levels), sep="\n")


def _measure(levels: Sequence[AnyLevel], attempts: int, workers: int) -> None:
    left = [one.id for one in levels if _fresh(one).facts.get(ATTEMPTS) != attempts]
    with ProcessPoolExecutor(workers) as pool:
        jobs = {pool.submit(_passes, level_id, attempts): level_id for level_id in left}
        for number, job in enumerate(as_completed(jobs), start=1):
            level = find_shipped_level(jobs[job])
            path = _path(level)
            path.write_text(
                with_facts(path.read_text(), {PASSES: job.result(), ATTEMPTS: attempts})
            )
            print(f"{number} of {len(left)}: {level.id} {job.result()}", flush=True)


def _passes(level_id: str, attempts: int) -> int:
    return random_passes(find_shipped_level(level_id), attempts, seed=1)


def _path(level: AnyLevel) -> Path:
    return ROOT / "assets" / level.family / f"{level.id}.json"


def _fresh(level: AnyLevel) -> AnyLevel:
    """Return the level as its file has it now."""
    return read_level(_path(level))


def rows(levels: Sequence[AnyLevel]) -> Iterator[str]:
    """Yield the rows of the tiers of each family, as Markdown."""
    families = dict.fromkeys(level.family for level in levels)
    for family in families:
        for tier in Tier:
            some = [one for one in levels if (one.family, one.tier) == (family, tier)]
            if some:
                yield _line([family, tier.value], some)
    for tier in Tier:
        some = [one for one in levels if one.tier is tier]
        if some and len(families) > 1:
            yield _line(["all", tier.value], some)
    yield _line(["all", "all"], levels)


def _line(names: Sequence[str], levels: Sequence[AnyLevel]) -> str:
    shapes = [plan_shape(level) for level in levels]
    passes = sum(int(level.facts[PASSES]) for level in levels)
    attempts = sum(int(level.facts[ATTEMPTS]) for level in levels)
    interval = compute_wilson_interval(passes, attempts)
    cells = [
        *names,
        str(len(levels)),
        f"{mean(shape.moves for shape in shapes):.1f}",
        f"{mean(shape.branching for shape in shapes):.1f}",
        f"{mean(shape.bits for shape in shapes):.1f}",
        f"{passes / attempts:.1%} ({interval.low:.1%} to {interval.high:.1%})",
        str(sum(map(is_solved_by_first_legal, levels))),
    ]
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    main()

"""What is tried by day, and what by night: nothing else leaves out what is many.

Where a test runs over many things of the same sort, ``make test`` takes a few of each kind, the
same ones every time. ``make nightly`` takes all of them: the others have the marker ``slow``, or
are not even collected where ``-m "not slow"`` would leave them out. Where a test draws things, it
draws more by night.
"""

import os
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any, TypeVar

import pytest

from luban.testing.contract import few_levels
from pysim.catalog import AnyLevel, list_shipped_levels

__all__ = [
    "BY_DAY",
    "DRAWN",
    "EXAMPLES",
    "by_day",
    "collect_without_slow",
    "levels_by_day",
    "mark_rest_slow",
    "more",
    "rest",
    "sample",
    "these_by_day",
]

BY_DAY = 40
EXAMPLES = int(os.environ.get("LUBAN_EXAMPLES", BY_DAY))
"""Scale of everything that is drawn: 40 by day, and ``make nightly`` sets 200."""
DRAWN = 10 if EXAMPLES == BY_DAY else EXAMPLES
"""Examples of a law, where its test does not ask for another number."""

_without_slow = False

T = TypeVar("T")


def sample() -> str:
    """Return a line that says which sample these tests are, and the setting that repeats it."""
    return (
        f"Sample: LUBAN_EXAMPLES={EXAMPLES}, and the same cases on every run. "
        "`make nightly` sets 200 and runs the slow cases, too."
    )


def collect_without_slow() -> None:
    """Leave out of parameters whatever is slow: 24,000 cases take a worker seconds to collect."""
    global _without_slow
    _without_slow = True


def rest() -> pytest.MarkDecorator | None:
    """Return the mark of the cases beyond a sample; None where they are not collected."""
    return None if _without_slow else pytest.mark.slow


def mark_rest_slow(items: Iterable[pytest.Item]) -> None:
    """Mark the cases beyond the sample that a test asks for with ``@pytest.mark.by_day(n)``.

    The n cases that stay are spread evenly over all, beginning with the first. A chosen sample of
    parameters (:func:`by_day`) is the first choice; this is for tests whose cases are a product, or
    come from a fixture.
    """
    cases: dict[str, list[pytest.Item]] = {}
    for item in items:
        if item.get_closest_marker("by_day"):
            cases.setdefault(item.nodeid.partition("[")[0], []).append(item)
    for same in cases.values():
        marker = same[0].get_closest_marker("by_day")
        assert marker is not None
        kept = {k * len(same) // marker.args[0] for k in range(marker.args[0])}
        for number, item in enumerate(same):
            if number not in kept:
                item.add_marker(pytest.mark.slow)


def more(count: int, *, night: int | None = None) -> int:
    """Return how many things a test draws: ``count`` by day, and more with more examples.

    Args:
        count: number by day.
        night: number where there are more examples; None for as many times more.
    """
    if night is not None and EXAMPLES > BY_DAY:
        return night
    return max(1, count * EXAMPLES // BY_DAY)


def by_day(
    cases: Iterable[T],
    kind: Callable[[T], Hashable] = lambda case: None,
    *,
    each: int = 1,
    name: Callable[[T], str] = str,
) -> list[Any]:
    """Parameters of a test: the first ``each`` of every kind are for the day, all for the night."""
    seen: Counter[Hashable] = Counter()
    made = []
    for case in cases:
        seen[kind(case)] += 1
        made += _parameter(case, name(case), seen[kind(case)] <= each)
    return made


def these_by_day(
    few: Iterable[T], cases: Iterable[T], *, name: Callable[[T], str] = str
) -> list[Any]:
    """Parameters of a test: the chosen few are for the day, all for the night."""
    chosen = list(few)
    return [one for case in cases for one in _parameter(case, name(case), case in chosen)]


def levels_by_day(chosen: Sequence[AnyLevel] | None = None) -> list[Any]:
    """Levels as parameters: by day one of every tier of every family, no two of a kind."""
    cases = list_shipped_levels() if chosen is None else chosen
    few = few_levels(1)
    return these_by_day([v for v in cases if v.id in few], cases, name=lambda level: level.id)


def _parameter(case: object, name: str, stays: bool) -> list[Any]:
    if stays:
        return [pytest.param(case, id=name)]
    return [] if _without_slow else [pytest.param(case, id=name, marks=[pytest.mark.slow])]

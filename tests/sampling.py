"""What is tried by day, and what by night: nothing else leaves out what is many.

Where a test runs over many things of the same sort, ``make test`` takes a few of each kind, the
same ones every time. ``make nightly`` takes all of them: the others have the marker ``slow``. Where
it draws things, it draws more by night.
"""

import os
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any, TypeVar

import pytest

from luban.testing.contract import few_levels
from pysim.catalog import AnyLevel, list_shipped_levels

__all__ = ["EXAMPLES", "by_day", "levels_by_day", "more", "sample", "these_by_day"]

BY_DAY = 40
EXAMPLES = int(os.environ.get("LUBAN_EXAMPLES", BY_DAY))
"""Examples of a law, where its test does not ask for another number; ``make nightly`` sets 200."""

T = TypeVar("T")


def sample() -> str:
    """Return a line that says which sample these tests are, and the setting that repeats it."""
    return (
        f"Sample: LUBAN_EXAMPLES={EXAMPLES}, and the same cases on every run. "
        "`make nightly` sets 200 and runs the slow cases, too."
    )


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
        marks = [pytest.mark.slow] if seen[kind(case)] > each else []
        made.append(pytest.param(case, id=name(case), marks=marks))
    return made


def these_by_day(
    few: Iterable[T], cases: Iterable[T], *, name: Callable[[T], str] = str
) -> list[Any]:
    """Parameters of a test: the chosen few are for the day, all for the night."""
    chosen = list(few)
    return [
        pytest.param(case, id=name(case), marks=[] if case in chosen else [pytest.mark.slow])
        for case in cases
    ]


def levels_by_day(chosen: Sequence[AnyLevel] | None = None, *, each: int = 1) -> list[Any]:
    """Levels as parameters: by day ``each`` of every tier of every family, no two of a kind."""
    cases = list_shipped_levels() if chosen is None else chosen
    few = few_levels(each)
    return these_by_day([v for v in cases if v.id in few], cases, name=lambda level: level.id)

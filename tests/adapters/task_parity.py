"""Parity on tasks: an adapter gives the hashes, the outcome and the reward of Python."""

from collections.abc import Callable, Iterator

from bridge.episode.choices import Obs
from bridge.episode.tools import ToolCall
from bridge.operations.sight.adapters import python
from bridge.operations.sight.protocol import Decide, Play, Route, find_adapter
from pysim.catalog import AnyLevel, discover_families
from pysim.level_selection import load_level

__all__ = ["FAMILIES", "check_parity", "list_tasks"]

FAMILIES = tuple(discover_families())
NIGHT = 100
"""Tasks of each family by night."""


def list_tasks(family: str, count: int) -> Iterator[AnyLevel]:
    """Tasks spread over a split."""
    for index in range(count):
        yield load_level(f"{family}:test:{index}")


def script(level: AnyLevel) -> Callable[[], Decide]:
    """The last action of the plan too early, the plan, and the last action until the end."""
    assert level.plan is not None
    plan = [ToolCall.of(action) for action in level.plan.actions]

    def begin() -> Decide:
        calls = iter([plan[-1], *plan])
        return lambda received: next(calls, plan[-1])

    return begin


def check_parity(name: str, levels: Iterator[AnyLevel]) -> int:
    """Play levels on a surface and in Python, and return how many they were."""
    count = 0
    with find_adapter(name).open(Route()) as play, python.ADAPTER.open(Route()) as reference:
        for level in levels:
            compare(level, play, reference)
            count += 1
    return count


def compare(level: AnyLevel, play: Play, reference: Play) -> None:
    begin = script(level)
    found, expected = play(level, Obs.STATE, begin()), reference(level, Obs.STATE, begin())
    assert found.hashes == expected.hashes, level.id
    assert found.solved == expected.solved, level.id
    assert abs(found.reward - expected.reward) < 1e-12, level.id
    assert len(set(expected.hashes)) > 1

"""``luban solve`` of levels: the actions that it prints solve them."""

import pytest

from bridge.episode.tools import build_action_space
from pysim.catalog import AnyLevel, find_family
from pysim.level_selection import load_level
from pysim.puzzle import Outcome
from tests.commands import Luban

SEARCHED = ("jigsaw-easy-1", "nets-easy-01", "packing-easy-01", "portal-01", "nets:train:3")
LOCKS = ("burr-piston", "burr-chinese-cross-assemble")


def play_lines(level: AnyLevel, lines: list[str]) -> Outcome | None:
    """Play actions as a person types them, by the bare rules."""
    rules, actions = find_family(level).rules, build_action_space(level)
    state = rules.initial(level)
    for line in lines:
        state = rules.apply(level, state, actions.parse(actions.parse_line(line))).state
    return rules.outcome(level, state)


@pytest.mark.parametrize("reference", SEARCHED)
def test_a_level_without_a_design_is_solved_by_its_plan(luban: Luban, reference: str) -> None:
    level = load_level(reference)
    *lines, last = luban("solve", reference).out.splitlines()
    assert play_lines(level, lines) is Outcome.SOLVED
    assert level.plan is not None and len(lines) == len(level.plan)
    assert last.startswith(f"{len(lines)} steps, no fewer (")
    told = luban("solve", reference, "--json").json()
    assert [*told] == ["plan", "at_least", "at_most", "seconds"]
    assert (told["plan"], told["at_least"], told["at_most"]) == (lines, len(lines), len(lines))


@pytest.mark.parametrize("reference", LOCKS)
def test_a_lock_is_solved_by_the_moves_below_its_level(luban: Luban, reference: str) -> None:
    first, second, *lines = luban("solve", reference).out.splitlines()
    assert first.startswith("a solution of level ")
    assert second == f"the level's plan, {len(lines)} steps, no fewer:"
    assert play_lines(load_level(reference), lines) is Outcome.SOLVED


@pytest.mark.parametrize("option", [("--all",), ("--problem", 1), ("--seconds", 3)])
def test_options_of_designs_are_refused(luban: Luban, option: tuple[str, ...]) -> None:
    assert "are for designs and cubes" in luban("solve", "portal-01", *option).complaint()

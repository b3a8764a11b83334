"""CubeBench's test split as it ships: its layout, and its certificates checked again."""

from collections import Counter

import pytest

from pysim.catalog import AnyLevel
from pysim.families.rubik import FAMILY, Setting
from pysim.families.rubik.cube import Cube
from pysim.families.rubik.moves import Metric, parse_moves
from pysim.families.rubik.solver.optimal import has_tables, solve_optimally
from pysim.families.rubik.solver.shallow import shallow
from pysim.puzzle import Outcome, Proof
from pysim.suites import find_suite, levels_of

LEVELS = levels_of(find_suite("cubebench-160"))
SYMBOLIC = [lv for lv in LEVELS if lv.puzzle.setting is Setting.FULL_SYMBOLIC]
each_state = pytest.mark.parametrize("level", SYMBOLIC, ids=[level.id for level in SYMBOLIC])


def depth_of(level: AnyLevel) -> int:
    return int(level.facts["depth_htm"])


def certify(cube: Cube, depth: int) -> None:
    """Check that no shorter solution exists, with the tables if they are there."""
    if depth <= 8:
        assert shallow(Metric.HTM, 4).distance(cube) == depth
    elif has_tables(Metric.HTM):
        assert solve_optimally(cube, at_most=depth).lower_bound == depth
    else:
        pytest.skip("NOT TESTED: the htm tables are not made (benchmarks.rubik makes them)")


def test_there_are_five_states_of_each_depth_in_each_setting() -> None:
    counts = Counter((depth_of(level), level.puzzle.setting) for level in LEVELS)
    assert set(counts.values()) == {5}
    assert {depth for depth, _ in counts} == {1, 2, 3, 4, 8, 12, 16, 20}
    assert {setting for _, setting in counts} == set(Setting) and len(LEVELS) == 160


def test_the_settings_share_their_states() -> None:
    states = [{lv.puzzle.start for lv in LEVELS if lv.puzzle.setting is s} for s in Setting]
    assert all(found == states[0] for found in states) and len(states[0]) == 40


@each_state
def test_the_certificates_solve_and_the_plans_are_what_they_say(level: AnyLevel) -> None:
    cube: Cube = level.puzzle.start
    solution = parse_moves(str(level.facts["solution_htm"]))
    assert cube.after(solution).solved and len(solution) == depth_of(level)
    assert level.plan is not None
    state = FAMILY.rules.initial(level)
    for action in level.plan.actions:
        state = FAMILY.rules.apply(level, state, action).state
    assert FAMILY.rules.outcome(level, state) is Outcome.SOLVED
    assert len(level.plan) == level.facts["quarter_turns"]
    assert level.plan.lower_bound == level.facts["quarter_turns_at_least"] >= depth_of(level) - 8
    assert (level.plan.proof is Proof.OPTIMAL) == (level.plan.lower_bound == len(level.plan))


@pytest.mark.parametrize(
    "level", [lv for lv in SYMBOLIC if depth_of(lv) <= 8], ids=lambda level: level.id
)
def test_depths_up_to_8_are_certified_again(level: AnyLevel) -> None:
    certify(level.puzzle.start, depth_of(level))


@pytest.mark.slow
@pytest.mark.parametrize(
    "level", [lv for lv in SYMBOLIC if 8 < depth_of(lv) <= 16], ids=lambda level: level.id
)
def test_depths_up_to_16_are_certified_again(level: AnyLevel) -> None:
    certify(level.puzzle.start, depth_of(level))


@pytest.mark.parametrize(
    "level", [lv for lv in SYMBOLIC if 4 <= depth_of(lv) <= 12], ids=lambda level: level.id
)
def test_quarter_turns_are_certified_again(level: AnyLevel) -> None:
    if not has_tables(Metric.QTM):
        pytest.skip("NOT TESTED: the qtm tables are not made (benchmarks.rubik makes them)")
    assert level.plan is not None and level.plan.proof is Proof.OPTIMAL
    most = min(len(level.plan), 14)
    found = solve_optimally(level.puzzle.start, Metric.QTM, at_most=most)
    assert found.lower_bound == len(level.plan) or found.moves is None

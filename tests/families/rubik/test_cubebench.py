"""CubeBench's test split as it ships: its layout, and its certificates checked again."""

import importlib.util
import sys
from collections import Counter
from collections.abc import Sequence
from itertools import permutations, product
from pathlib import Path
from typing import Any

import pytest

from pysim.catalog import AnyLevel, decode_level, find_shipped_level
from pysim.families.rubik.cube import Cube, make_cube
from pysim.families.rubik.faces import Face
from pysim.families.rubik.family import FAMILY
from pysim.families.rubik.moves import Metric, Move, invert_moves, parse_moves
from pysim.families.rubik.puzzle import Setting
from pysim.families.rubik.solver.mapping import has_tables
from pysim.families.rubik.solver.meet_in_middle import create_meet_in_middle
from pysim.families.rubik.solver.optimal import solve_optimally
from pysim.geometry import Direction
from pysim.puzzle import Outcome, Proof
from pysim.suites import find_suite, load_levels

LEVELS = load_levels(find_suite("cubebench-160"))
SYMBOLIC = [lv for lv in LEVELS if lv.puzzle.setting is Setting.FULL_SYMBOLIC]
each_state = pytest.mark.parametrize("level", SYMBOLIC, ids=[level.id for level in SYMBOLIC])


def depth_of(level: AnyLevel) -> int:
    return int(level.facts["depth_htm"])


def certify(cube: Cube, depth: int) -> None:
    """Check that no shorter solution exists, with the tables if they are there."""
    if depth <= 8:
        assert create_meet_in_middle(Metric.HTM, 4).find_distance(cube) == depth
    elif has_tables(Metric.HTM):
        assert solve_optimally(cube, at_most=depth).lower_bound == depth
    else:
        pytest.skip("NOT TESTED: the htm tables are not made (perf.rubik makes them)")


def test_there_are_five_states_of_each_depth_in_each_setting() -> None:
    counts = Counter((depth_of(level), level.puzzle.setting) for level in LEVELS)
    assert set(counts.values()) == {5}
    assert {depth for depth, _ in counts} == {1, 2, 3, 4, 8, 12, 16, 20}
    assert {setting for _, setting in counts} == set(Setting) and len(LEVELS) == 160


def turned_and_mirrored(moves: tuple[Move, ...]) -> set[Cube]:
    """The cube after some moves, as the 48 symmetries show it; a mirror turns faces backwards."""
    seen = set()
    sides = {side.vector: side for side in Direction}
    for order, signs in product(permutations(range(3)), product((1, -1), repeat=3)):

        def shown(face: Face, order: Sequence[int] = order, signs: Sequence[int] = signs) -> Face:
            x, y, z = (signs[k] * face.side.vector[order[k]] for k in range(3))
            return Face.from_direction(sides[(x, y, z)])

        mirrors = (order in ((0, 1, 2), (1, 2, 0), (2, 0, 1))) is (signs.count(-1) % 2 == 1)
        turned = (Move(shown(m.face), 4 - m.turns if mirrors else m.turns) for m in moves)
        seen.add(make_cube(turned))
    return seen


def test_the_states_at_depth_20_are_all_different_and_the_superflip_is_none_of_them() -> None:
    """Turned, mirrored or gone through backwards they remain so (CubeBench, appendix G)."""
    superflip = find_shipped_level("superflip")
    deepest = [lv for lv in SYMBOLIC if depth_of(lv) == 20]
    assert superflip not in LEVELS and depth_of(superflip) == 20 and len(deepest) == 5
    classes = []
    for level in (superflip, *deepest):
        moves = parse_moves(str(level.facts["solution_htm"]))
        alike = turned_and_mirrored(moves) | turned_and_mirrored(invert_moves(moves))
        assert level.puzzle.start in alike
        classes.append(alike)
    assert len(classes[0]) == 1  # The superflip looks alike from everywhere, and is its inverse.
    assert sum(map(len, classes)) == len(set().union(*classes))


def tool() -> Any:
    """tools/build_cubebench.py as a module."""
    file = Path(__file__).parents[3] / "tools" / "build_cubebench.py"
    spec = importlib.util.spec_from_file_location("build_cubebench", file)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def test_a_private_split_follows_from_its_seed(tmp_path: Path) -> None:
    build = tool()

    def made(seed: int, depth: int) -> list[tuple[Cube, tuple[Move, ...]]]:
        split = build.private_split(seed, tmp_path)
        return [(sample.cube, sample.solution) for sample in build.samples(depth, split)]

    shipped = {lv.puzzle.start for lv in SYMBOLIC}
    for depth in (3, 20):
        one, other = made(5, depth), made(6, depth)
        assert one == made(5, depth) and len({cube for cube, _ in one}) == 5
        assert one != other
        if depth < 20:  # There the positions are published ones, turned; some look alike turned.
            assert not {cube for cube, _ in one} & ({cube for cube, _ in other} | shipped)
        for cube, solution in one:
            assert cube.turn(solution).solved and len(solution) == depth
    split = build.private_split(5, tmp_path)
    (sample, *_) = build.samples(2, split)
    documents = list(build._documents(sample, split))
    assert [decode_level(document).id for document in documents] == [
        f"private-5-d02-1-{setting}" for setting in Setting
    ]


def test_the_settings_share_their_states() -> None:
    states = [{lv.puzzle.start for lv in LEVELS if lv.puzzle.setting is s} for s in Setting]
    assert all(found == states[0] for found in states) and len(states[0]) == 40


@each_state
def test_the_certificates_solve_and_the_plans_are_what_they_say(level: AnyLevel) -> None:
    cube: Cube = level.puzzle.start
    solution = parse_moves(str(level.facts["solution_htm"]))
    assert cube.turn(solution).solved and len(solution) == depth_of(level)
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
        pytest.skip("NOT TESTED: the qtm tables are not made (perf.rubik makes them)")
    assert level.plan is not None and level.plan.proof is Proof.OPTIMAL
    most = min(len(level.plan), 14)
    found = solve_optimally(level.puzzle.start, Metric.QTM, at_most=most)
    assert found.lower_bound == len(level.plan) or found.moves is None

"""What the pages about cubes say: depths, settings, views, sizes of tables, options, rewards."""

import re
from fnmatch import fnmatch

import pytest

from bridge.benches.cube_bench.condition import (
    Abstention,
    Criterion,
    Modality,
    Perturbation,
    PictureType,
    Reflection,
    Serialization,
    Task,
    Template,
)
from bridge.benches.cubebench.protocol import Setup
from bridge.benches.cubebench.sandbox.interpreter import Strength
from bridge.report import transcript_view
from pysim.catalog import list_shipped_levels
from pysim.families.rubik.choices import ViewShift
from pysim.families.rubik.cube import SOLVED
from pysim.families.rubik.faces import Face
from pysim.families.rubik.moves import Metric, list_moves
from pysim.families.rubik.puzzle import Setting
from pysim.families.rubik.rewards import Reward
from pysim.families.rubik.solver.building import build_corner_classes, build_edge_classes
from pysim.families.rubik.solver.coordinates import build_coordinates
from pysim.families.rubik.solver.ida_star.places import TableSize
from pysim.families.rubik.solver.ida_star.table_builder import count_row_entries
from pysim.families.rubik.solver.phases import load_phases
from pysim.families.rubik.state import CubeState
from pysim.families.rubik.validity import Defect
from pysim.puzzle import Tier
from pysim.suites import find_suite, load_levels
from tests.pages import PAGES, sentences, table
from tests.recording.test_hostile import WIDEST


def code(text: str) -> list[str]:
    return re.findall(r"`([^`]+)`", text)


def test_cubes_are_at_the_documented_depths_in_the_documented_tiers() -> None:
    cubes = load_levels(find_suite("cubebench-160"))
    told = re.search(r"depths ([\d, ]+ and \d+), five states each", sentences("rubik"))
    assert told is not None
    depths = list(map(int, re.findall(r"\d+", told[1])))
    for setting in Setting:
        found = [int(v.facts["depth_htm"]) for v in cubes if v.puzzle.setting is setting]
        assert sorted(found) == sorted(5 * depths)
    (bounds,) = re.findall(
        r"Up to depth (\d+) a level is easy, up to (\d+) medium", sentences("rubik")
    )
    easy, medium = map(int, bounds)
    for level in cubes:
        depth = int(level.facts["depth_htm"])
        tier = Tier.EASY if depth <= easy else Tier.MEDIUM if depth <= medium else Tier.HARD
        assert level.tier is tier


@pytest.mark.slow
def test_the_tables_of_the_solvers_are_as_large_as_the_page_says() -> None:
    numbers = build_coordinates()
    edges, corners = len(build_edge_classes(numbers).rows), len(build_corner_classes(numbers).rows)
    text = sentences("rubik")
    assert f"each of {edges} x 2187 classes" in text
    # Half a byte for each.
    assert f"{(edges + corners) * 2187 // 2 / 1e6:.0f} MB for each metric" in text
    assert f"Its tables, {sum(part.nbytes for part in load_phases()) / 1e6:.0f} MB" in text


def test_the_larger_tables_are_as_large_as_the_page_says() -> None:
    small = 80
    for row in table("rubik", "`LUBAN_CUBE_TABLES` | kinds"):
        size = TableSize(code(row[0])[0])
        assert int(row[1]) == size.kinds
        if size is not TableSize.SMALL:
            assert int(row[3]) == size.base
            small = count_row_entries(size.kinds) * 64430 // 4 // 10**6 + 80
        number, unit = row[4].split()
        assert float(number) * {"MB": 1, "GB": 1000}[unit] == pytest.approx(small, rel=0.02)


def test_settings_and_moves_are_the_documented_ones() -> None:
    assert [code(row[0])[0] for row in table("rubik", "setting | pictures")] == list(Setting)
    told = re.search(r"by 90 degrees: (.*?) \(Singmaster", sentences("rubik"))
    assert told is not None
    assert sorted(told[1].split()) == sorted(str(m) for m in list_moves() if m in Metric.QTM.moves)


def test_views_change_as_the_table_says() -> None:
    face, corner = table("rubik", "from | up")
    start = CubeState(SOLVED)
    for shift, of_a_face, of_a_corner in zip(ViewShift, face[1:], corner[1:], strict=True):
        after = start.shift(shift)
        front, above, right = (
            Face.from_direction(s) for s in (after.front, after.above, after.right)
        )
        assert of_a_face == f"{front}, {above} above"
        assert of_a_corner == f"{front} {right} {above}"


def test_options_of_turns_name_every_value() -> None:
    rows = {code(row[0])[0]: code(row[1]) for row in table("cubebench", "option | what it is")}
    assert rows["--setup"] == list(Setup)
    assert rows["--reward"] == list(Reward)
    assert rows["--sandbox"][:2] == list(Strength)
    told = re.search(r"An error names its kind: (.*?)\.", sentences("cubebench"))
    assert told is not None and code(told[1])[2:] == list(Defect)


def test_what_a_log_takes_for_a_move_is_what_a_test_measures() -> None:
    text = sentences("cubebench")
    assert f"takes 300 bytes for each, and at most {WIDEST:,} for one that was refused" in text
    assert transcript_view.MOST_TURNS == 2 * 1000
    assert "A report shows the first and the last thousand moves" in text


def test_patterns_of_the_page_name_as_many_levels_as_it_says() -> None:
    (pattern, count) = re.findall(
        r"`'(cubebench-.*?)'` are the (\d+) symbolic", sentences("cubebench")
    )[0]
    assert sum(fnmatch(level.id, pattern) for level in list_shipped_levels()) == int(count)


@pytest.mark.parametrize(
    ("setting", "values"),
    [
        ("metric", Metric),
        ("picture", PictureType),
        ("text", Serialization),
        ("perturb", Perturbation),
        ("template", [*Template, "all"]),
        ("reflection", Reflection),
        ("abstain", Abstention),
        ("criterion", Criterion),
    ],
)
def test_settings_of_items_name_every_value(setting: str, values: list[str]) -> None:
    rows = {code(row[0])[0]: code(row[2]) for row in table("cube-bench", "setting | tasks")}
    assert set(rows[setting]) - {"+"} == set(map(str, values))


def test_tasks_and_modes_of_items_are_the_documented_ones() -> None:
    commands = re.findall(r"`luban eval cube-bench --task ([\w-]+)`", PAGES["cube-bench"])
    assert sorted(commands) == sorted(Task)
    rows = {row[0]: row[1] for row in table("cube-bench", "option | what it is")}
    assert code(rows["`--observation`"]) == list(Modality)

"""The noise floor of a report."""

from pathlib import Path
from typing import Any

from bridge.episode.records import Obs
from bridge.report.floors import build_floor_tables
from bridge.report.parts import ReportedRun
from bridge.runs.settings import RunSettings
from bridge.runs.store import RunFolder
from pysim.suites import find_suite, load_levels
from tests.runs.cases import result

LEVELS = tuple((f"level-{number}", f"sha256:{number}") for number in range(20))


def run(agent: str, solved: int, obs: Obs = Obs.IMAGE, **settings: Any) -> ReportedRun:
    """A run at twenty levels, ten of them hard, of which the first ones are solved."""
    given = RunSettings("twenty", LEVELS, agent, obs=obs, **settings)
    results = [
        result(level, solved=number < solved, tier="easy" if number < 10 else "hard")
        for number, (level, _) in enumerate(LEVELS)
    ]
    return ReportedRun(f"{agent}-{obs}", RunFolder(Path(agent), given), results)


def rows(*runs: ReportedRun) -> dict[tuple[str, str], list[str]]:
    [table] = build_floor_tables(runs)
    assert table.title == "Noise floor: twenty"
    assert list(table.head) == ["Agent", "Arm", "All", "easy", "hard"]
    return {(row[0], row[1]): list(row[2:]) for row in table.rows}


def test_floor_arms_of_an_agent_stand_beside_those_that_know_nothing() -> None:
    found = rows(
        run("openai:m", 18),
        run("openai:m", 2, Obs.NONE),
        run("openai:m", 3, Obs.WRONG),
        run("random", 1),
        run("first-legal", 0),
        run("oracle", 20),
    )
    assert list(found) == [
        ("openai:m", "pictures"),
        ("openai:m", "none"),
        ("openai:m", "wrong"),
        ("random", "–"),
        ("first-legal", "–"),
        ("oracle", "–"),
    ]
    assert found["oracle", "–"][0].startswith("100.0 (")
    assert found["random", "–"][0] == "5.0 (0.0–23.6)"


def test_floor_figure_that_reaches_down_to_it_is_marked() -> None:
    seen = rows(run("openai:m", 12), run("random", 1))["openai:m", "pictures"]
    assert ["≈" in cell for cell in seen] == [False, False, True]


def test_floor_blind_arm_is_the_floor_without_a_random_agent() -> None:
    seen = rows(run("openai:m", 6), run("openai:m", 5, Obs.NONE))
    assert "≈" in seen["openai:m", "pictures"][0]
    assert "≈" not in "".join(seen["openai:m", "none"])


def test_floor_runs_with_other_budgets_are_not_compared() -> None:
    runs = [run("openai:m", 12), run("random", 1, budget=3)]
    assert list(build_floor_tables(runs)) == []


def test_floor_without_any_that_knows_nothing_is_left_out() -> None:
    assert list(build_floor_tables([run("openai:m", 12), run("oracle", 20)])) == []


def test_floor_of_shipped_levels_is_known_without_a_run_of_random() -> None:
    shipped = load_levels(find_suite("locks-32"))
    pairs = tuple((level.id, level.hash) for level in shipped)
    results = [result(level.id, solved=True, tier=level.tier.value) for level in shipped]
    given = RunSettings("locks-32", pairs, "oracle")
    [table] = build_floor_tables([ReportedRun("a", RunFolder(Path("a"), given), results)])
    measured = next(row for row in table.rows if row[0] == "random, as measured")
    assert measured[2].startswith("49.4 (") and measured[3].startswith("98.9 (")

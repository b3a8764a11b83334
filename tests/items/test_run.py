"""``luban eval cube-bench``: known answers, tables, and what a run keeps."""

import json
import re
from collections import Counter
from pathlib import Path

import pytest
from scipy.stats import binomtest

from bridge.benches.cube_bench.condition import Condition
from bridge.items.log import LOG_NAME, ItemLog
from bridge.items.suites import find_suite
from tests.commands import Luban
from tests.items.answering import ask, scores
from tests.sampling import more

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.slow
def test_the_oracle_is_perfect_in_every_task(luban: Luban) -> None:
    document = ask(luban, "--task", "all", "--agent", "oracle", "--n", 24)
    found = scores(document)
    perfect = {
        "face-reconstruction": {"element_accuracy": 1, "matrix_accuracy": 1, "parse_rate": 1},
        "verification": {"balanced_accuracy": 1, "parse_rate": 1, "yes_rate": 0.5, "bias": 0},
        "move-prediction": {"accuracy": 1, "parse_rate": 1},
        "reflection": {
            "initial_accuracy": 1, "final_accuracy": 1, "gain": 0, "error_fix_rate": None,
            "overthink_rate": 0,
        },
        "closed-loop": {"teacher_adherence": 1, "perfect": 1, "unread": 0},
        "move-effect": {"micro_accuracy": 1, "macro_f1": 1, "kappa": 1},
        "learning-curve": {"episodes": 0, "solve_rate": None, "unread": 0},
    }  # fmt: skip
    assert {variant.partition(",")[0] for variant, _ in found} == set(perfect)
    for (variant, _), part in found.items():
        expected = perfect[variant.partition(",")[0]]
        assert part["trials"] == 24
        assert {name: part[name] for name in expected} == expected
    assert [table["title"][:8] for table in document["tables"]] == [
        "Table 3,", "Table 3,", "Table 4:", "Table 5:", "Figure 3", "Table 6:", "Table 7:"
    ]  # fmt: skip


def test_the_oracle_solves_from_the_start_in_as_many_attempts_as_there_are_moves(
    luban: Luban,
) -> None:
    asked = (
        "--task",
        "learning-curve",
        "--task-setting",
        "from=start",
        "--agent",
        "oracle",
        "--n",
        24,
    )
    (part,) = scores(ask(luban, *asked)).values()
    expected = {"solve_rate": 1, "p_1": 0, "p_3": 1, "med_at_solved": 3, "avg_at_all": 3}
    assert {name: part[name] for name in expected} == expected


FROM_START = ["--task-setting", "max_attempts=3", "--task-setting", "from=start"]


@pytest.mark.by_day(3)
@pytest.mark.parametrize(
    ("task", "options", "metric", "chance", "cases"),
    [
        ("face-reconstruction", ["--depth", 2], "element_accuracy", 1 / 6, 9),
        ("verification", ["--depth", 5], "balanced_accuracy", 1 / 2, 1),
        ("move-prediction", ["--observation", "text"], "accuracy", 1 / 4, 1),
        ("reflection", ["--task-setting", "reflection=redacted"], "final_accuracy", 1 / 4, 1),
        ("closed-loop", ["--depth", 1], "teacher_adherence", 1 / 4, 1),
        ("move-effect", ["--depth", 2], "micro_accuracy", 1 / 3, 4),
        ("learning-curve", ["--depth", 1, *FROM_START], "p_1", 1 / 4, 1),
        ("learning-curve", ["--depth", 3, *FROM_START], "p_3", 1 / 4**3, 1),
    ],
)
def test_random_is_at_chance(
    luban: Luban, task: str, options: list[object], metric: str, chance: float, cases: int
) -> None:
    """By the exact binomial test at the level of 0.1 %; the seed is fixed."""
    n = more(120, night=400)
    document = ask(luban, "--task", task, "--agent", "random", "--n", n, *options)
    part = next(iter(scores(document).values()))
    total = n * cases
    assert binomtest(round(part[metric] * total), total, chance).pvalue > 0.001


@pytest.mark.slow
def test_random_agrees_with_the_right_labels_no_more_than_by_chance(luban: Luban) -> None:
    document = ask(luban, "--task", "move-effect", "--agent", "random", "--n", 300)
    for part in scores(document).values():
        assert abs(part["kappa"]) < 0.1
        assert part["expected_dot"] == pytest.approx(1 / 3, abs=0.02)
        assert all(divergence < 0.01 for divergence in part["slot_divergence"].values())
        assert part["class_divergence"] < 0.001


def test_noise_lies_between_the_oracle_and_chance(luban: Luban) -> None:
    options = ["--task", "move-prediction", "--observation", "text", "--n", 400]
    document = ask(luban, *options, "--agent", "noisy-oracle:0.4")
    (part,) = scores(document).values()
    assert binomtest(round(part["accuracy"] * 400), 400, 0.6 + 0.4 / 4).pvalue > 0.001


def test_abstention_has_its_table(luban: Luban) -> None:
    options = [
        "--task",
        "closed-loop",
        "--task-setting",
        "abstain=skip-item",
        "--depth",
        1,
        "--depth",
        2,
    ]
    result = luban("eval", "cube-bench", *options, "--agent", "oracle", "--n", 10)
    assert "Table 8: abstention" in result.out
    rows = [line.split() for line in result.out.splitlines()]
    assert ["oracle", "100.00", "100.00", "0.00", "1.000"] in rows


def test_an_agent_that_never_knows_covers_nothing(luban: Luban, notes: Path) -> None:
    options = ["--task", "closed-loop", "--depth", 3, "--observation", "text", "--n", 4]
    for policy, decisions in (("teacher-on-abstain", 12), ("skip-item", 4)):
        document = ask(luban, *options, "--agent", "doubter", "--task-setting", f"abstain={policy}")
        (part,) = scores(document).values()
        assert (part["teacher_adherence"], part["perfect"], part["coverage"]) == (0, 0, 0)
        assert (part["selective_accuracy"], part["idk_rate"], part["apa"]) == (None, 1, 0.25)
        assert (part["decisions"], part["idk"], part["unread"]) == (decisions, decisions, 0)
    (part,) = scores(ask(luban, *options, "--agent", "doubter")).values()
    assert (part["decisions"], part["unread"]) == (4, 4)  # IDK was not offered.


def test_tables_are_laid_out_as_in_the_paper(luban: Luban) -> None:
    result = luban("eval", "cube-bench", "--task", "face-reconstruction", "--n", 3)
    title, groups, head, row, *_ = result.out.splitlines()
    assert title == "Table 3, left: face reconstruction"
    assert groups.split("  ")[-1].strip() == "Matrix Acc. (%)"
    assert head.split() == ["Model", *["d", "=", "1", "d", "=", "2", "d", "=", "3"] * 2]
    assert row.split() == ["oracle", *["100.00"] * 6]


def test_several_runs_stand_in_one_table(luban: Luban) -> None:
    for agent in ("oracle", "random"):
        ask(luban, "--task", "move-effect", "--n", 10, "--agent", agent, "--out", agent)
    table, *_ = luban("report", "oracle", "random", "--json").json()["tables"]
    assert table["title"] == "Table 6: causal move effect"
    assert table["groups"] == [["", 1], ["d = 1", 3], ["d = 2", 3], ["d = 3", 3]]
    assert [row[0] for row in table["rows"]] == ["oracle", "random"]
    assert table["rows"][0][1:] == ["100.00", "1.000", "1.000"] * 3
    printed = luban("report", "oracle", "random").out.splitlines()
    assert [line.split()[0] for line in printed[2:5]] == ["Model", "oracle", "random"]
    assert "holds no run" in luban("report", "oracle", "nowhere").complaint()


def test_each_command_of_the_page_makes_its_table(luban: Luban) -> None:
    page = (ROOT / "docs" / "cube-bench.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (Table \d|Figure 3).*?\| `luban (eval cube-bench [^`]*)`", page, re.M)
    assert len(rows) == 8
    for title, command in rows:
        tables = ask(luban, *command.split()[2:], "--n", 2)["tables"]
        assert title in [table["title"][: len(title)] for table in tables]


@pytest.mark.slow
def test_all_items_follow_from_the_log_alone(luban: Luban, tmp_path: Path) -> None:
    ask(luban, "--task", "all", "--agent", "random", "--n", 5, "--out", "run")
    header, *answers = map(json.loads, (tmp_path / "run" / LOG_NAME).read_text().splitlines())
    suite = find_suite(header["suite"])
    log = ItemLog.read(tmp_path / "run")
    digests = {(a["trial"], a["step"]): a["digest"] for a in answers}
    made = {}
    for part in log.settings.parts:
        for trial in suite.trials(part):
            state = trial.start()
            for told in log.answers[trial.id]:
                item = trial.ask(state)
                assert item is not None
                made[trial.id, told.step] = item.digest
                state = trial.after(state, told.text)
            assert trial.ask(state) is None
    assert made == digests
    for part in header["parts"]:
        assert Condition.parse(part["variant"], part["depth"]).variant == part["variant"]


def test_what_is_done_to_pictures_is_written_down(luban: Luban, tmp_path: Path) -> None:
    options = ["--task", "face-reconstruction", "--depth", 2, "--n", 2, "--out", "run"]
    ask(luban, *options, "--task-setting", "perturb=camera+lighting+occlusion+brightness+recolour")
    lines = [json.loads(x) for x in (tmp_path / "run" / LOG_NAME).read_text().splitlines()[1:]]
    one, other = (line["pictures"][0] for line in lines)
    assert [r["kind"] for r in one["retouches"]] == [
        "Shade",
        "Cover",
        "Cover",
        "Cover",
        "Brightness",
    ]
    assert one["towards"] != other["towards"]
    assert "green:" in one["key"]


def test_a_run_is_the_same_whoever_asks_and_however_many(
    luban: Luban, tmp_path: Path, notes: Path
) -> None:
    options = [
        "--task",
        "learning-curve",
        "--observation",
        "text",
        "--n",
        12,
        "--agent",
        f"scribe:{notes}",
    ]
    one, many = (ask(luban, *options, "--workers", n, "--out", f"run{n}") for n in (1, 6))
    assert one["parts"] == many["parts"]
    lines = [sorted((tmp_path / f"run{n}" / LOG_NAME).read_text().splitlines()) for n in (1, 6)]
    assert lines[0] == lines[1]
    assert set(Counter((notes / "asked").read_text().splitlines()).values()) == {2}


def test_agents_of_other_packages_are_shown_pictures(
    luban: Luban, tmp_path: Path, notes: Path
) -> None:
    options = ["--task", "move-prediction", "--n", 2, "--image-size", 64, "--out", "run"]
    document = ask(luban, *options, "--agent", "onlooker")
    assert {part["parse_rate"] for part in scores(document).values()} == {1.0}
    lines = [json.loads(x) for x in (tmp_path / "run" / LOG_NAME).read_text().splitlines()[1:]]
    (renderer,) = [line for line in lines if line["type"] == "renderer"]
    assert renderer["name"]
    seen = Counter(line["text"].partition("\n")[0] for line in lines if line["type"] == "answer")
    assert seen == {"[('net', 64, 'png', '89504e47')]": 4, "[]": 2}

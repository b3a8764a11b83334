"""The bench as a whole: baselines whose scores are known, arms, tables and sealed items."""

import json
from pathlib import Path
from typing import Any

import pytest

from bridge.benches.euclifold.bench import BENCH
from bridge.benches.euclifold.condition import EuclifoldCondition, EuclifoldTask
from bridge.benches.euclifold.cubes import TURNINGS, make_cube
from bridge.benches.euclifold.options import EuclifoldOptions
from bridge.benches.euclifold.sealing import FORMAT, list_sealed_conditions, make_sealed_file
from bridge.benches.euclifold.suite import EuclifoldSuite
from bridge.benches.euclifold.trials import make_trials
from bridge.items.log import ItemLog, ItemRunSettings
from bridge.items.reporting import list_items
from bridge.items.results import ItemResults, compute_results
from bridge.items.runner import run_items
from bridge.items.suites import Asker, Subset, limit_subsets
from bridge.report.parts import Figure
from luban.testing import BenchContract
from pysim.catalog import find_assets
from pysim.errors import InputError
from tests.commands import Luban

SUITE = EuclifoldSuite()
ALL = EuclifoldOptions(wording="all", prompting="all", negatives="all", observation="all")


class TestEuclifold(BenchContract):
    bench = "euclifold"


def ask(
    folder: Path, agent: str, options: EuclifoldOptions, most: int = 0, seed: int = 0
) -> ItemResults:
    subsets = limit_subsets(SUITE.subsets(options), most)
    settings = ItemRunSettings(SUITE.name, SUITE.version, subsets, agent, seed=seed)
    assert run_items(ItemLog.begin(folder, settings), SUITE) == []
    return compute_results(folder, SUITE)


def scores(found: ItemResults) -> dict[str, Any]:
    return {subset.variant: dict(part) for subset, part in found.scores}


def test_it_asks() -> None:
    assert isinstance(BENCH, Asker)
    assert SUITE.tasks == ("colour", "orientation", "operation", "folding", "matching")


def test_the_usual_size_is_the_papers() -> None:
    subsets = SUITE.subsets(EuclifoldOptions())
    assert [(s.variant, s.count) for s in subsets] == [(task, 2400) for task in EuclifoldTask]


def test_the_oracle_is_right_however_it_is_asked(tmp_path: Path) -> None:
    found = ask(tmp_path, "oracle", ALL, most=8)
    assert found.make_summary()["accuracy"] == 1.0
    for part in scores(found).values():
        assert part["wino_accuracy"] == part["true_belief"] == part["parse_rate"] == 1.0
        assert part["true_rate"] == 0.5 and part["true_bias"] == 0.0
        assert part["pairs"] == 4 and part["items"] == 8


@pytest.mark.slow
def test_who_guesses_is_at_chance_in_every_metric(tmp_path: Path) -> None:
    found = ask(tmp_path, "random", EuclifoldOptions(n=120), seed=2)
    right = sum(part["both_answered"]["right"] for part in scores(found).values())
    wrong = sum(part["both_answered"]["wrong"] for part in scores(found).values())
    assert abs(right - wrong) < 3 * (right + wrong) ** 0.5
    for part in scores(found).values():
        low, high = part["joint_interval"]
        assert low - 0.03 <= part["chance"]["wino_accuracy"] <= high + 0.03
        assert abs(part["accuracy"] - part["chance"]["accuracy"]) < 0.1
        assert abs(part["true_rate"] - part["chance"]["true_rate"]) < 0.1
        assert part["p_value"] > 1e-3


def test_a_pair_of_which_one_half_was_asked_counts_for_the_accuracy_alone(tmp_path: Path) -> None:
    found = ask(tmp_path, "oracle", EuclifoldOptions(task="folding"), most=5)
    (part,) = scores(found).values()
    assert (part["items"], part["pairs"], part["accuracy"]) == (5, 2, 1.0)


def test_every_face_that_is_asked_about_is_scored(tmp_path: Path) -> None:
    found = scores(ask(tmp_path, "oracle", EuclifoldOptions(), most=60))
    for task in ("colour", "orientation", "operation"):
        faces = found[task]["by_face"]
        assert list(faces) == ["top", "front", "right"]
        assert sum(face["pairs"] for face in faces.values()) == 30
    assert found["folding"]["by_face"] == found["matching"]["by_face"] == {}


@pytest.mark.slow
def test_tables_have_the_papers_layouts(tmp_path: Path) -> None:
    found = ask(tmp_path, "oracle", ALL, most=12)
    tables = {table.title: table for table in found.tables}
    main = next(t for t in found.tables if t.title.startswith("Table 2"))
    assert list(main.head) == ["Model", "Perception", "Operation", "Folding", "Matching"]
    assert list(main.rows[0]) == ["Chance", *["0.000"] * 4]
    assert list(main.rows[1]) == ["oracle", *["1.000 [1.000, 1.000]"] * 4]
    assert list(tables["Table 3: accuracy on true and on false statements"].head) == [
        "Model", "question (pos+neg)", "Positive Acc", "Negative Acc", "WinoAcc"
    ]  # fmt: skip
    wording = tables["Figure 5: wording and prompting"]
    assert list(wording.groups) == [
        ("", 1), ("Orientation, CoT", 2), ("Orientation, direct", 2),
        ("Operation, CoT", 2), ("Operation, direct", 2),
    ]  # fmt: skip
    leaked = tables["Figure 6: folding, ablations"]
    assert list(leaked.groups) == [("", 1), ("Proper", 2), ("Leaked", 2)]
    assert [t for t in tables if t.startswith(("Figure 3", "Figure 4", "Appendix H", "Arms"))]
    for table in found.tables:
        assert all(len(row) == len(table.head) for row in table.rows)
        assert not table.groups or sum(width for _, width in table.groups) == len(table.head)


def test_blind_arms_are_scored_beside_the_pictures(tmp_path: Path) -> None:
    found = ask(tmp_path, "random", EuclifoldOptions(task="matching", observation="all"), most=40)
    (arms,) = (table for table in found.tables if table.title.startswith("Arms"))
    assert list(arms.head) == ["Model", "picture", "text", "nothing", "wrong-picture"]


def test_system_prompts_are_the_papers_four_and_say_less_and_less() -> None:
    options = EuclifoldOptions(task="folding", system="all", prompting="all", n=1)
    subsets = SUITE.subsets(options)
    assert [subset.variant for subset in subsets] == [
        "folding",
        "folding,system=short",
        "folding,system=base",
        "folding,prompting=direct",
    ]
    full, short, base, direct = (SUITE.trials(subset)[0].item for subset in subsets)
    assert full.system.startswith(short.system) and direct.system.startswith(short.system)
    assert "step by step" in full.system and "nothing else" in direct.system
    assert "picture" in short.system and "picture" not in base.system
    # Only there does the question itself say how to answer.
    for item in (short, base):
        assert item.text == f"{full.text}\nIs this statement true? " + (
            "End with 'Answer: True' or 'Answer: False'."
        )
        assert item.check(item.form.format(item.gold))


def test_short_system_prompt_with_direct_answers_is_refused() -> None:
    with pytest.raises(InputError, match="does not explain the form of answers"):
        SUITE.subsets(EuclifoldOptions(system="short", prompting="direct"))


@pytest.mark.parametrize("look", ["luban", "paper"])
def test_figure_5_is_a_table_and_a_chart_in_every_look(tmp_path: Path, look: str) -> None:
    options = EuclifoldOptions(
        task="orientation,operation", wording="all", prompting="all", look=look, n=12
    )
    found = ask(tmp_path / "run", "random", options)
    (table,) = (table for table in found.tables if table.title.startswith("Figure 5"))
    assert [name for name, _ in table.groups] == [
        "",
        "Orientation, CoT",
        "Orientation, direct",
        "Operation, CoT",
        "Operation, direct",
    ]
    (listed,) = list_items({"random": tmp_path / "run"}, with_pictures=False)
    (chart,) = (part for part in listed.build_parts() if isinstance(part, Figure))
    assert chart.title.startswith("Figure 5") and chart.svg.count("<title>") == 8


def test_words_that_nobody_knows_are_refused() -> None:
    with pytest.raises(InputError, match="--observation is one of picture, text"):
        SUITE.subsets(EuclifoldOptions(observation="film"))
    with pytest.raises(InputError, match="a seed is a whole number"):
        SUITE.trials(Subset("colour", 2, {"seed": "x"}))


def test_one_command_asks_and_tells(luban: Luban) -> None:
    words = ("eval", "euclifold", "--agent", "oracle", "--limit", "4", "--json")
    told = luban(*words).json()
    assert (told["suite"], told["agent"]) == ("euclifold", "oracle")
    assert (told["items"], told["accuracy"]) == (20, 1.0)
    assert all("wino_accuracy" in part["scores"] for part in told["parts"])


def test_a_report_shows_the_items_with_their_pictures(tmp_path: Path) -> None:
    ask(tmp_path / "run", "oracle", EuclifoldOptions(look="paper", n=2))
    (listed,) = list_items({"run": tmp_path / "run"})
    ((_, entries, count),) = listed.list_entries()
    assert count == len(entries) == 20
    pictures = [len(shown.pictures) for entry in entries for shown in entry.steps]
    assert pictures == [1] * 12 + [2] * 8


FILES = sorted((find_assets() / "nets" / "items").glob("*.json"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_sealed_files_hold_the_cubes_of_their_seeds(path: Path) -> None:
    document = json.loads(path.read_text())
    assert document["format"] == FORMAT and path.stem.endswith(f"-{document['seed']}")
    cubes = [str(make_cube(document["seed"], TURNINGS * k)) for k in range(50)]
    assert document["cubes"] == cubes
    assert [part["variant"] for part in document["parts"]] == [
        condition.variant for condition in list_sealed_conditions()
    ]
    assert {part["items"] for part in document["parts"]} == {2400}


@pytest.mark.slow
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_sealed_items_are_made_again_to_the_last_bit(path: Path) -> None:
    document = json.loads(path.read_text())
    assert make_sealed_file(document["seed"]) == document


def test_a_changed_item_breaks_the_seal() -> None:
    digests = [t.item.digest for t in make_trials(EuclifoldCondition(EuclifoldTask.COLOUR), 0, 4)]
    others = [t.item.digest for t in make_trials(EuclifoldCondition(EuclifoldTask.COLOUR), 1, 4)]
    assert not set(digests) & set(others)
    one, other = make_sealed_file(0, cubes=1), make_sealed_file(1, cubes=1)
    assert one["parts"] != other["parts"] and make_sealed_file(0, cubes=1) == one

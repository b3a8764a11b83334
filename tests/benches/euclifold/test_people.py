"""The study of people: statements that are dealt to persons, and their pooled scores."""

import csv
import json
from pathlib import Path

import pytest

from bridge.benches.euclifold.bench import PAPER
from bridge.benches.euclifold.condition import EuclifoldCondition, EuclifoldTask
from bridge.benches.euclifold.options import EuclifoldOptions, Protocol
from bridge.benches.euclifold.people import DEALT, PEOPLE_TASKS, merge_people, select_statements
from bridge.benches.euclifold.suite import EuclifoldSuite
from bridge.benches.euclifold.trials import make_trials
from bridge.items.suites import ScoredRun, Subset
from pysim.catalog import find_assets
from pysim.errors import InputError
from pysim.field_types import Json
from tests.commands import Luban

SUITE = EuclifoldSuite()
MATCHING = EuclifoldCondition(EuclifoldTask.MATCHING)


def hand(task: EuclifoldTask, person: int, seed: int = 0) -> list[str]:
    return [trial.id for trial in select_statements(EuclifoldCondition(task), seed, person)]


@pytest.mark.parametrize("task", PEOPLE_TASKS)
def test_deal_of_fifteen_persons_is_the_whole_pool_without_a_pair(task: EuclifoldTask) -> None:
    dealt = [name for person in range(1, 16) for name in hand(task, person)]
    assert len(dealt) == len(set(dealt)) == 60
    assert len({name.rstrip("ab") for name in dealt}) == 60
    again = [name for person in range(16, 31) for name in hand(task, person)]
    assert sorted(again) == sorted(dealt) and again != dealt


def test_deal_depends_on_person_and_seed_alone() -> None:
    assert hand(MATCHING.task, 3) == hand(MATCHING.task, 3)
    assert hand(MATCHING.task, 3) != hand(MATCHING.task, 3, seed=1)
    direct = EuclifoldCondition.parse("matching,prompting=direct")
    ends = [trial.id.rpartition("/")[2] for trial in select_statements(direct, 0, 3)]
    assert ends == [name.rpartition("/")[2] for name in hand(MATCHING.task, 3)]


def test_dealt_statement_equals_that_of_the_bench() -> None:
    task = EuclifoldTask.ORIENTATION
    (first, *_) = select_statements(EuclifoldCondition(task), 0, 1)
    number = int(first.item.group.rpartition("/")[2])
    asked = make_trials(EuclifoldCondition(task), 0, 2 * number + 2)
    assert first.item.digest in {trial.item.digest for trial in asked[-2:]}


def test_subsets_of_a_person_are_the_papers_four_questions() -> None:
    subsets = SUITE.subsets(EuclifoldOptions(protocol=Protocol.PEOPLE, person="7"))
    assert [(s.variant, s.count) for s in subsets] == [(task, DEALT) for task in PEOPLE_TASKS]
    assert {s.options["person"] for s in subsets} == {7}
    colour = EuclifoldOptions(protocol=Protocol.PEOPLE, person="7", task="colour")
    assert [s.variant for s in SUITE.subsets(colour)] == ["colour"]


@pytest.mark.parametrize("person", ["", "0", "-1", "one", "1.5", "²", "1" * 30])
def test_study_without_a_number_of_a_person_is_refused(person: str) -> None:
    with pytest.raises(InputError, match="--person 1"):
        SUITE.subsets(EuclifoldOptions(protocol=Protocol.PEOPLE, person=person))


def test_study_with_a_number_of_pairs_is_refused() -> None:
    with pytest.raises(InputError, match="leave out --n"):
        SUITE.subsets(EuclifoldOptions(protocol=Protocol.PEOPLE, person="1", n=3))


def test_preset_deals_to_people_and_asks_models_pairs() -> None:
    assert PAPER.resolve({"agent": "human"})[0] == {"look": "matplotlib", "protocol": "people"}
    assert "protocol" not in PAPER.resolve({"agent": "openai:m"})[0]


def scored(person: int, counts: dict[str, Json], items: int) -> ScoredRun:
    subset = Subset("folding", 4, {"seed": 0, "person": person})
    return ScoredRun(f"run {person}", [(subset, {"items": items, "counts": counts})], agent="human")


def test_pool_of_the_papers_counts_has_the_papers_accuracies() -> None:
    """Folding in Table 3; WinoAcc by its Equation 4 is 0.832, the printed 0.816 is not."""
    runs = [
        scored(1, {"true": [38, 44], "false": [31, 31], "said_true": [38, 75]}, 75),
        scored(2, {"true": [0, 0], "false": [0, 1], "said_true": [1, 1]}, 1),
    ]
    (pooled,) = merge_people(runs)
    (scores,) = [found for _, found in pooled.scores]
    assert pooled.name == "Human" and scores["persons"] == 2
    assert scores["positive_accuracy"] == 38 / 44 and scores["negative_accuracy"] == 31 / 32
    assert scores["wino_accuracy"] == pytest.approx(38 / 44 + 31 / 32 - 1)
    cells = [row[1:4] for row in _halves(runs)]
    path = find_assets() / "published" / "euclifold-table-3.csv"
    with path.open() as file:
        paper = {row["Model"]: list(row.values())[1:4] for row in csv.DictReader(file)}
    assert cells == [paper["Human: folding"]]


def _halves(runs: list[ScoredRun]) -> list[list[str]]:
    tables = {table.title.partition(":")[0]: table for table in SUITE.tables(runs)}
    return [list(row) for row in tables["Table 3"].rows]


def test_interval_of_equal_persons_is_their_value_and_of_unlike_ones_is_wide() -> None:
    half: dict[str, Json] = {"true": [1, 2], "false": [2, 2], "said_true": [1, 4]}
    worse: dict[str, Json] = {"true": [0, 2], "false": [0, 2], "said_true": [2, 4]}
    (equal,) = merge_people([scored(person, half, 4) for person in (1, 2, 3)])
    assert equal.scores[0][1]["wino_interval"] == [0.5, 0.5]
    (unlike,) = merge_people([scored(1, half, 4), scored(2, worse, 4), scored(3, half, 4)])
    assert unlike.scores[0][1]["wino_interval"] == [-1.0, 0.5]
    (alone,) = merge_people([scored(1, half, 4)])
    assert alone.scores[0][1]["wino_interval"] is None


@pytest.mark.slow
def test_study_by_one_command_for_oracle_and_random(luban: Luban, tmp_path: Path) -> None:
    for agent in ("oracle", "random"):
        for person in (1, 2, 3):
            study = ["--protocol", "people", "--person", person, "--out", f"{agent}-{person}"]
            assert luban("eval", "euclifold", "--agent", agent, *study).status == 0
    runs = sorted(path.name for path in tmp_path.iterdir())
    tables = {one["title"]: one for one in luban("report", *runs, "--json").json()["tables"]}
    rows = {row[0]: row[1:] for row in tables["Table 2: WinoAcc by task"]["rows"]}
    assert rows["oracle, dealt"] == ["1.000 [1.000, 1.000]"] * 4
    assert set(rows) == {"Chance", "oracle, dealt", "random, dealt"}
    results = json.loads((tmp_path / "oracle-1" / "results.json").read_text())
    assert [part["scores"]["items"] for part in results["parts"]] == [4, 4, 4, 4]

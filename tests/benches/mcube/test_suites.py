"""What M-Cube asks, what is right, and what chance gives."""

import json
import pickle
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bridge.agents.usage import Usage
from bridge.benches.mcube.chance import BLIND_CELLS, CHANCE_CELLS, CHANCE_PIECES, compute_chance
from bridge.benches.mcube.condition import (
    CubeCondition,
    Presentation,
    RoundFeedback,
    Style,
    Subtask,
)
from bridge.benches.mcube.cubes import find_cube
from bridge.benches.mcube.frozen_items import freeze_items
from bridge.benches.mcube.options import MCubeOptions
from bridge.benches.mcube.suite import SUITES, MCubeSuite
from bridge.items.rescore import judge
from bridge.items.suites import EndedTrial, ScoredRun, Subset, find_suite
from bridge.scoring.statistics import compute_wilson_interval
from pysim.errors import InputError
from pysim.families.jigsaw.cutting import cut_cube
from pysim.families.jigsaw.solving import Placing, count_assemblies, solve
from pysim.items import Item
from tests.families.jigsaw.cubes import by_brute_force
from tests.sampling import more

ROOT = Path(__file__).parents[3]


def subset(name: str, **options: Any) -> Subset:
    return MCubeSuite(name).subsets(MCubeOptions(**{"n": 20} | options))[0]


def answered(name: str, part: Subset, agent: Any) -> list[EndedTrial]:
    """Trials that an agent has answered: a function of an item."""
    ended = []
    for trial in MCubeSuite(name).trials(part):
        state, judged = trial.start(), []
        while (item := trial.ask(state)) is not None:
            text = item.form.format(agent(item))
            judged.append(judge(item, text))
            state = trial.after(state, text)
        ended.append(EndedTrial(trial, state, tuple(judged)))
    return ended


def oracle(item: Item[Any]) -> Any:
    return item.gold


def by_chance(item: Item[Any]) -> Any:
    return item.form.draw(Random(f"chance {item.id}"))


def scores(name: str, part: Subset, agent: Any) -> Any:
    return MCubeSuite(name).scores(part, answered(name, part, agent))


def test_suites_are_found_by_their_names() -> None:
    for name in SUITES:
        suite = find_suite(name)
        assert suite.name == name and pickle.loads(pickle.dumps(suite)) == suite


@pytest.mark.by_day(8)
@pytest.mark.parametrize("name", SUITES)
@pytest.mark.parametrize(
    "arm",
    [
        Presentation.USUAL,
        Presentation.NO_PICTURE,
        Presentation.WRONG_PICTURE,
        Presentation.PICTURES,
    ],
)
def test_the_oracle_is_always_right(name: str, arm: Presentation) -> None:
    for part in MCubeSuite(name).subsets(MCubeOptions(n=8, observation=arm)):
        found = scores(name, part, oracle)
        assert found["accuracy"] == found["parse_rate"] == 1.0
        assert found.get("solve_rate", 1.0) == found.get("cell_accuracy", 1.0) == 1.0


@pytest.mark.slow
def test_who_guesses_cube_easy_is_right_once_in_32() -> None:
    part = subset("mcube-easy", n=1500)
    found = scores("mcube-easy", part, by_chance)
    assert found["search_space"] == 32 and found["chance"] == pytest.approx(1 / 32, rel=0.03)
    interval = compute_wilson_interval(round(1500 * found["accuracy"]), 1500, confidence=0.999)
    assert interval.low <= found["chance"] <= interval.high


@pytest.mark.slow
def test_who_guesses_cube_is_never_right() -> None:
    found = scores("mcube", subset("mcube", n=100), by_chance)
    assert found["search_space"] == 7_864_320 and found["accuracy"] == 0.0
    # Turned and mirrored cubes are right as well: 48 of 6! * 8^6, more where pieces are symmetric.
    assert 1 <= found["chance"] * 720 * 8**6 / 48 < 2


@pytest.mark.slow
def test_who_guesses_pieces_has_68_percent_of_the_cells() -> None:
    found = scores("mcube-perception", subset("mcube-perception", n=400), by_chance)
    assert found["cell_accuracy"] == pytest.approx(CHANCE_CELLS, abs=0.02)
    assert found["cell_chance"] == CHANCE_CELLS == 0.68
    assert found["piece_chance"] == CHANCE_PIECES == 1 / 65536


def test_without_looking_no_constant_answer_has_more_than_71_percent_of_the_cells() -> None:
    assert pytest.approx((9 + 6 + 8 / 3) / 25) == BLIND_CELLS
    blind = (".....", ".###.", ".###.", ".###.", ".....")
    found = scores("mcube-perception", subset("mcube-perception", n=600), lambda item: blind)
    assert found["cell_accuracy"] == pytest.approx(BLIND_CELLS, abs=0.02)


@pytest.mark.slow
def test_rounds_give_more_chances() -> None:
    count = more(160, night=400)
    part = subset("mcube-rounds", task="cube-easy-binary", n=count)
    found = scores("mcube-rounds", part, by_chance)
    within = found["solved_within"]
    assert within == sorted(within) and within[-1] == found["solve_rate"]
    for k, (share, expected) in enumerate(zip(within, found["chance_within"], strict=True), 1):
        assert expected == pytest.approx(1 - (31 / 32) ** k, rel=0.03)
        interval = compute_wilson_interval(round(count * share), count, confidence=0.999)
        assert interval.low <= expected <= interval.high


@pytest.mark.parametrize("flips", [False, True])
@pytest.mark.parametrize("missing", [1, 2])
def test_the_chance_is_the_share_of_all_answers_that_brute_force_finds(
    missing: int, flips: bool
) -> None:
    part = subset("mcube-easy", missing=(missing,), flips=flips)
    condition = CubeCondition.of(part.options)
    for seed in range(3):
        random = Random(f"mcube 1 {condition.puzzle} {seed}")
        cut, asked = cut_cube(random, flipped=flips), find_cube(condition, seed)
        assert (cut.pieces, cut.places) == (asked.pieces, asked.places)
        right = by_brute_force(cut, asked.missing, flips=flips)
        every = {1: 1, 2: 2}[missing] * (8 if flips else 4) ** missing
        assert compute_chance(condition, seed) == len(right) / every


def test_cube_easy_needs_no_flips_and_gives_four_pieces() -> None:
    for trial in MCubeSuite("mcube-easy").trials(subset("mcube-easy")):
        assert len(trial.cube.missing) == 2 and len(trial.cube.given) == 4
        assert not any(place.flipped for place in trial.cube.places)
        item = trial.ask(())
        assert not item.pictures and "[[" in item.text
        assert "turned over" in item.system and len(item.form.faces) == 2


def test_arms_ask_the_same_and_show_something_else() -> None:
    items = {}
    for arm in (
        Presentation.PICTURES,
        Presentation.TEXT,
        Presentation.NO_PICTURE,
        Presentation.WRONG_PICTURE,
    ):
        part = subset("mcube", observation=arm, n=3)
        items[arm] = [trial.ask(()) for trial in MCubeSuite("mcube").trials(part)]
    for seed in range(3):
        right, text, none, wrong = (items[arm][seed] for arm in items)
        assert right.gold == text.gold == none.gold == wrong.gold
        assert right.text == none.text == wrong.text != text.text
        assert len(right.pictures) == len(wrong.pictures) == 6
        assert not text.pictures and not none.pictures
        pairs = zip(right.pictures, wrong.pictures, strict=True)
        assert any(a.key != b.key for a, b in pairs)
        assert len({one.digest for one in (right, text, none, wrong)}) == 4


def test_cubes_with_one_solution_can_be_asked_for() -> None:
    for trial in MCubeSuite("mcube").trials(subset("mcube", unique=True, n=25)):
        found = solve(Placing(trial.cube.pieces, {})).found
        assert count_assemblies(trial.cube.pieces, found) == 1


def test_other_seeds_make_other_cubes() -> None:
    cubes = {
        trial.cube.pieces
        for seed in (0, 1)
        for trial in MCubeSuite("mcube").trials(subset("mcube", item_seed=seed))
    }
    assert len(cubes) == 40


def test_a_subset_names_its_condition_whole() -> None:
    options = MCubeOptions(n=3, look=Style.PAPER, missing=(1, 4), flips=True, item_seed=7)
    parts = MCubeSuite("mcube-easy").subsets(options)
    assert [p.variant for p in parts] == [
        "cube-easy,look=paper,missing=1,flips,items=7",
        "cube-easy,look=paper,missing=4,flips,items=7",
    ]
    for part in parts:
        again = Subset.from_document(json.loads(json.dumps(part.to_document())))
        assert CubeCondition.of(again.options) == CubeCondition.of(part.options)


def test_what_can_not_be_asked_is_refused() -> None:
    for name, options, word in (
        ("mcube", MCubeOptions(missing=(2,)), "missing"),
        ("mcube-perception", MCubeOptions(flips=True), "flips"),
        ("mcube-perception", MCubeOptions(observation=Presentation.TEXT), "pictures"),
        ("mcube-easy", MCubeOptions(task="cube"), "task"),
        ("mcube-easy", MCubeOptions(missing=(7,)), "missing"),
    ):
        with pytest.raises(InputError, match=word):
            MCubeSuite(name).subsets(options)
    with pytest.raises(InputError, match="condition"):
        MCubeSuite("mcube").trials(Subset("cube", 1, {"task": "cube"}))


@pytest.mark.parametrize("name", ["mcube", "mcube-easy", "mcube-perception"])
def test_the_sealed_items_are_made_again_to_the_byte(name: str) -> None:
    file = ROOT / "assets" / "mcube" / f"{name}-seed0.jsonl"
    assert freeze_items(name, MCubeOptions(n=100)) == file.read_text()


def test_the_paper_s_tables_have_a_row_for_chance_and_one_for_each_run() -> None:
    def table_rows(name: str, **options: Any) -> list[Sequence[str]]:
        suite = MCubeSuite(name)
        parts = suite.subsets(MCubeOptions(**{"n": 6} | options))
        found = [(part, scores(name, part, oracle)) for part in parts]
        runs = [ScoredRun("one", found), ScoredRun("two", found, Usage(6, 100, 9000))]
        tables = suite.tables(runs)
        assert all(len(row) == len(table.head) for table in tables for row in table.rows)
        return [row for table in tables for row in (table.title.split(":")[:1], *table.rows)]

    rows = table_rows("mcube")
    assert [row[0] for row in rows] == ["Tables 3 and 5", "Random (computed)", "one", "two"]
    assert [row[3] for row in rows[1:]] == ["–", "–", "1.5"]
    assert table_rows("mcube-easy")[1][2] == "3.1"
    rows = table_rows("mcube-easy", missing=(1, 2, 6), flips=True)
    spaces = [row[3] for row in rows[rows.index(["Figure 7"]) + 1 :]]
    assert spaces == ["8", "128", "7,864,320"] * 2
    rows = table_rows("mcube-perception")
    assert [row[0] for row in rows[1:3]] == ["Random (computed)", "Blind (computed)"]
    rows = table_rows("mcube-rounds")
    assert rows[0] == ["Figure 8"] and rows[2][3:] == ["100.0"] * 5


def test_conditions_say_what_is_not_as_usual() -> None:
    usual = CubeCondition(
        Subtask.CUBE, Presentation.PICTURES, Style.LUBAN, 6, True, False, RoundFeedback.NONE, 0
    )
    assert usual.variant == "cube"
    other = CubeCondition(
        Subtask.CUBE, Presentation.TEXT, Style.PAPER, 6, True, True, RoundFeedback.DETAILED, 9
    )
    assert other.variant == "cube,detailed,text,look=paper,unique,items=9"


@pytest.mark.slow
def test_the_figures_of_the_page_are_those_of_the_first_thousand_cubes() -> None:
    page = " ".join((ROOT / "docs" / "jigsaw.md").read_text().split())
    cube = CubeCondition.of(subset("mcube", n=1000).options)
    right = [round(compute_chance(cube, seed) * 720 * 8**6) for seed in range(1000)]
    assert f"the mean of the first thousand cubes is {sum(right) / 1000:.0f}." in page
    assert min(right) == 48
    easy = CubeCondition.of(subset("mcube-easy", n=1000).options)
    answers = [round(compute_chance(easy, seed) * 32) for seed in range(1000)]
    assert answers.count(2) == 6 and "six cubes of the first thousand have two answers" in page
    several = sum(
        count_assemblies(find_cube(cube, seed).pieces, found) > 1
        for seed in range(1000)
        if (found := solve(Placing(find_cube(cube, seed).pieces, {})).found)
    )
    assert several == 17 and "a cube in sixty has several solutions" in page

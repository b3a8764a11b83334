"""What M-Portal asks, that mistakes are mistakes, and what chance gives."""

import hashlib
import pickle
from dataclasses import replace
from itertools import combinations
from math import perm
from random import Random
from typing import Any

import pytest

from bridge.benches.portal.answer_formats import LettersForm
from bridge.benches.portal.frozen_items import AskedChamber, load_chambers, load_generated_chambers
from bridge.benches.portal.mistakes import (
    COUNT,
    apply_mistakes,
    enumerate_fillings,
    enumerate_subsets,
    is_filled_one_way,
    is_solution,
)
from bridge.benches.portal.options import ITEMS, PortalOptions, PortalShown
from bridge.benches.portal.scores import (
    compute_always_yes_f1,
    compute_chance_f1,
    compute_minority_f1,
)
from bridge.benches.portal.steps import format_step
from bridge.benches.portal.suite import SUITES, PortalSuite
from bridge.benches.portal.trials import make_blanks_trial, make_plan_trial
from bridge.items.forms import BinaryForm
from bridge.items.rescore import judge
from bridge.items.suites import EndedTrial, Subset, find_suite
from pysim.errors import InputError
from pysim.items import Item

CHAMBERS = load_chambers()
SOME_GENERATED = load_generated_chambers()[3::37]


def subset(name: str, **options: Any) -> Subset:
    return PortalSuite(name).subsets(PortalOptions(**options))[0]


def answered(name: str, part: Subset, agent: Any) -> list[EndedTrial]:
    """Trials that an agent has answered: a function of an item."""
    ended = []
    for trial in PortalSuite(name).trials(part):
        item = trial.ask(trial.start())
        assert item is not None
        text = item.form.format(agent(item))
        ended.append(EndedTrial(trial, trial.after(trial.start(), text), (judge(item, text),)))
    return ended


def by_chance(item: Item[Any]) -> Any:
    return item.form.draw(Random(f"chance {item.id}"))


def scores(name: str, part: Subset, agent: Any) -> Any:
    return PortalSuite(name).scores(part, answered(name, part, agent))


def test_suites_are_found_and_can_be_sent() -> None:
    for name in SUITES:
        assert find_suite(name) == pickle.loads(pickle.dumps(PortalSuite(name)))


def name_of(one: AskedChamber) -> str:
    return f"{one.level.id}-{one.number}"


@pytest.mark.parametrize("one", [*CHAMBERS, *SOME_GENERATED], ids=name_of)
def test_the_plan_leads_out_and_with_any_of_its_mistakes_it_does_not(one: AskedChamber) -> None:
    chamber = one.level.puzzle
    assert is_solution(chamber, one.plan)
    assert len({mistake.step for mistake in one.mistakes}) == COUNT
    for count in range(1, COUNT + 1):
        for some in combinations(one.mistakes, count):
            assert not is_solution(chamber, apply_mistakes(one.plan, some))


@pytest.mark.parametrize("one", [*CHAMBERS, *SOME_GENERATED], ids=name_of)
def test_blanks_can_be_filled_in_one_way(one: AskedChamber) -> None:
    steps = [mistake.step for mistake in one.mistakes]
    options = [*(one.plan[k] for k in steps), *(m.action for m in one.mistakes)]
    assert len({format_step(option) for option in options}) == 2 * COUNT
    found = enumerate_fillings(one.level.puzzle, one.plan, steps, options)
    assert list(found) == [tuple(range(COUNT))]
    assert is_filled_one_way(one.level.puzzle, one.plan, one.mistakes)


def test_steps_that_an_option_of_another_step_fills_as_well_are_told() -> None:
    one = CHAMBERS[0]
    twin = replace(one.mistakes[0], action=one.plan[one.mistakes[0].step])
    assert not is_filled_one_way(one.level.puzzle, one.plan, (twin, *one.mistakes[1:]))


@pytest.mark.parametrize("one", CHAMBERS, ids=lambda one: one.level.id)
def test_a_mistake_changes_one_value_of_a_step(one: AskedChamber) -> None:
    for mistake in one.mistakes:
        assert type(mistake.action) is type(one.plan[mistake.step])
        assert mistake.action != one.plan[mistake.step]


@pytest.mark.by_day(3)
@pytest.mark.parametrize("name", SUITES)
@pytest.mark.parametrize("shown", PortalShown)
def test_there_are_512_unlike_items_and_the_oracle_is_always_right(name: str, shown: str) -> None:
    part = subset(name, observation=str(shown), n=ITEMS if shown is PortalShown.TEXT else 32)
    trials = PortalSuite(name).trials(part)
    items = [trial.ask(trial.start()) for trial in trials]
    assert len({item.id for item in items if item}) == len(items) == part.count
    assert len({item.text for item in items if item}) == len(items)
    found = scores(name, part, lambda item: item.gold)
    assert found["accuracy"] == 1.0 and found.get("f1", 1.0) == 1.0


def groups(part: Subset, name: str = "portal-blanks") -> set[str]:
    trials = PortalSuite(name).trials(part)
    return {trial.item.group for trial in trials}  # type: ignore[attr-defined]


def test_items_of_one_chamber_and_one_set_of_blanks_are_one_group() -> None:
    for blanks, questions in ((1, 80), (3, 153), (5, 16)):
        assert len(groups(subset("portal-blanks", observation="text", blanks=blanks))) == questions
    plans = subset("portal-plans", observation="text")
    assert groups(plans, "portal-plans") == {f"plans/text/{one.level.id}" for one in CHAMBERS}


def test_unique_items_are_the_first_ones_of_each_group() -> None:
    for blanks, questions in ((3, 153), (5, 16)):
        part = subset("portal-blanks", observation="text", blanks=blanks, unique=True)
        found = PortalSuite("portal-blanks").trials(part)
        every = PortalSuite("portal-blanks").trials(
            subset("portal-blanks", observation="text", blanks=blanks)
        )
        first = {trial.item.group: trial.id for trial in reversed(every)}  # type: ignore[attr-defined]
        assert len(found) == len(groups(part)) == questions
        assert {trial.id for trial in found} == set(first.values())


def test_interval_of_blanks_draws_questions_and_is_wider_than_that_of_items() -> None:
    known = {one.level.id for one in CHAMBERS[:8]}
    answers = scores(
        "portal-blanks",
        subset("portal-blanks", observation="text"),
        lambda item: item.gold if item.id.split("/")[3] in known else by_chance(item),
    )
    low, high = answers["interval"]
    assert answers["accuracy"] == pytest.approx(0.5, abs=0.01) and answers["groups"] == 16
    assert high - low > 0.4 and answers["std"] == pytest.approx(0.125, abs=0.01)


def test_interval_of_f1_contains_it_and_chance_is_exact() -> None:
    part = subset("portal-plans", observation="text")
    found = scores("portal-plans", part, by_chance)
    low, high = found["f1_interval"]
    assert low < found["f1"] < high and found["std"] > 0
    assert (
        found["always_yes_f1"]
        == pytest.approx(2 / 33)
        == compute_always_yes_f1([True] + [False] * 31)
    )
    none = scores(
        "portal-plans", subset("portal-plans", observation="text", n=1), lambda item: False
    )
    assert none["f1"] is None and none["f1_interval"] is None
    alike = scores("portal-plans", part, lambda item: False)
    assert (alike["f1"], alike["std"], alike["f1_interval"]) == (0.0, 0.0, None)


def test_generated_chambers_have_512_unlike_questions_of_four_difficulties() -> None:
    assert len(load_generated_chambers()) == ITEMS
    assert [one.level.id for one in load_generated_chambers()[:4]] == [
        f"portal-d{k}-01" for k in (2, 3, 4, 5)
    ]
    part = subset("portal-blanks-100", observation="text")
    trials = PortalSuite("portal-blanks-100").trials(part)
    assert len(groups(part, "portal-blanks-100")) == ITEMS == len({trial.id for trial in trials})
    plans = PortalSuite("portal-plans-100").trials(subset("portal-plans-100", observation="text"))
    right = [number for number, trial in enumerate(plans) if trial.item.gold]  # type: ignore[attr-defined]
    assert [number // 32 for number in right] == list(range(16))
    assert len({trial.id for trial in plans}) == ITEMS


@pytest.mark.slow
def test_all_mistakes_in_generated_plans_are_mistakes() -> None:
    for one in load_generated_chambers():
        chamber = one.level.puzzle
        assert is_filled_one_way(chamber, one.plan, one.mistakes)
        for made in list(enumerate_subsets())[1:]:
            some = [m for m, is_made in zip(one.mistakes, made, strict=True) if is_made]
            assert not is_solution(chamber, apply_mistakes(one.plan, some))


def test_one_candidate_of_32_is_right() -> None:
    trials = PortalSuite("portal-plans").trials(subset("portal-plans", observation="text"))
    right = [trial.id for trial in trials if trial.item.gold]  # type: ignore[attr-defined]
    assert len(right) == len(CHAMBERS) == 16 and len(trials) == 16 * len(list(enumerate_subsets()))
    assert {name.split("/")[2] for name in right} == {one.level.id for one in CHAMBERS}


def test_chance_is_what_is_computed() -> None:
    plans = scores("portal-plans", subset("portal-plans", observation="text"), by_chance)
    assert plans["chance_f1"] == pytest.approx(1 / 17)
    assert plans["f1"] == pytest.approx(1 / 17, abs=0.04)
    blanks = scores("portal-blanks", subset("portal-blanks", observation="text"), by_chance)
    assert blanks["chance"] == pytest.approx(1 / 30240) and blanks["accuracy"] < 0.01
    one = scores("portal-blanks", subset("portal-blanks", observation="text", blanks=1), by_chance)
    assert one["chance"] == pytest.approx(0.1) == 1 / perm(10, 1)
    assert one["accuracy"] == pytest.approx(0.1, abs=0.04)


def test_text_tells_all_and_shows_nothing_and_pictures_tell_no_walls() -> None:
    for shown, pictures in ((PortalShown.TEXT, 0), ("pictures", 6), ("hint", 10)):
        trial = PortalSuite("portal-blanks").trials(
            subset("portal-blanks", observation=str(shown))
        )[0]
        item = trial.ask(trial.start())
        assert item is not None and len(item.pictures) == pictures
        assert ("Layers from the lowest" in item.text) is (pictures == 0)


def test_answers_are_read_as_they_are_written() -> None:
    for blanks in range(1, 6):
        form = LettersForm(blanks)
        drawn = form.draw(Random(blanks))
        assert form.parse(form.format(drawn)) == drawn
    assert LettersForm(2).parse("I think so.\nAnswer: A, A") is None
    assert LettersForm(2).parse("Answer: A, B\nno:\nAnswer: J, C") == (9, 2)
    verdict = BinaryForm("yes", "no")
    assert verdict.parse("**Answer: yes**") is True and verdict.parse("No.") is False
    assert (
        verdict.parse("Answer: yes or no") is None
        and verdict.parse("Answer: yes, Answer: no") is None
    )


def test_f1_is_that_of_the_rarer_answer() -> None:
    assert compute_minority_f1([(True, True), (True, False), (False, False)]) == pytest.approx(
        2 / 3
    )
    assert compute_minority_f1([(None, True), (False, False)]) == 0
    assert compute_minority_f1([(False, False)]) is None
    assert compute_chance_f1([True] + [False] * 31) == pytest.approx(1 / 17)


@pytest.mark.parametrize("options", [{"observation": "smell"}, {"task": "cube"}, {"blanks": 3}])
def test_what_can_not_be_asked_is_refused(options: dict[str, Any]) -> None:
    with pytest.raises(InputError):
        subset("portal-plans", **options)


DIGESTS = "cc6a29229d30afa2a8e41d15a4eb38477bfa322578b318d196ecddb03f4e6c1a"
"""Of the first 32 items of each task and condition, as version 1 of the suites had them."""


def test_items_have_the_digests_of_their_version() -> None:
    found = hashlib.sha256()
    for number in range(32):
        for shown in PortalShown:
            found.update(make_plan_trial(number, shown).item.digest.encode())
            found.update(make_blanks_trial(number, shown, 5).item.digest.encode())
    assert found.hexdigest() == DIGESTS


@pytest.mark.parametrize("one", range(len(CHAMBERS)))
def test_pictures_of_an_item_have_names_of_their_own_that_tell_the_view(one: int) -> None:
    pictures = make_plan_trial(one, PortalShown.HINT).item.pictures
    titles = [picture.title for picture in pictures]
    assert len(set(titles)) == len(titles) and all(titles)
    fields = CHAMBERS[one % len(CHAMBERS)].level.puzzle.fields
    assert sum("first person from the field" in title for title in titles) == len(fields)
    assert titles[:3] == ["overview", "from behind", "lower floors"]

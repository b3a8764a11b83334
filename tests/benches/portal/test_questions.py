"""What M-Portal asks, that mistakes are mistakes, and what chance gives."""

import hashlib
import pickle
from itertools import combinations
from math import perm
from random import Random
from typing import Any

import pytest

from bridge.benches.portal.forms import LettersForm, VerdictForm
from bridge.benches.portal.mistakes import COUNT, fillings, leads_out, subsets, with_mistakes
from bridge.benches.portal.options import ITEMS, PortalOptions, PortalShown
from bridge.benches.portal.scores import chance_f1, minority_f1
from bridge.benches.portal.sealed import AskedChamber, asked
from bridge.benches.portal.steps import told_step
from bridge.benches.portal.suite import SUITES, PortalSuite
from bridge.benches.portal.trials import blanks_trial, plans_trial
from bridge.items.retracing import judge
from bridge.items.suites import Ended, Subset, find_suite
from pysim.errors import InputError
from pysim.items import Item

CHAMBERS = asked()


def subset(name: str, **options: Any) -> Subset:
    return PortalSuite(name).subsets(PortalOptions(**options))[0]


def answered(name: str, part: Subset, agent: Any) -> list[Ended]:
    """Trials that an agent has answered: a function of an item."""
    ended = []
    for trial in PortalSuite(name).trials(part):
        item = trial.ask(trial.start())
        assert item is not None
        text = item.form.format(agent(item))
        ended.append(Ended(trial, trial.after(trial.start(), text), (judge(item, text),)))
    return ended


def by_chance(item: Item[Any]) -> Any:
    return item.form.draw(Random(f"chance {item.id}"))


def scores(name: str, part: Subset, agent: Any) -> Any:
    return PortalSuite(name).scores(part, answered(name, part, agent))


def test_suites_are_found_and_can_be_sent() -> None:
    for name in SUITES:
        assert find_suite(name) == pickle.loads(pickle.dumps(PortalSuite(name)))


@pytest.mark.parametrize("one", CHAMBERS, ids=lambda one: one.level.id)
def test_the_plan_leads_out_and_with_any_of_its_mistakes_it_does_not(one: AskedChamber) -> None:
    chamber = one.level.puzzle
    assert leads_out(chamber, one.plan)
    assert len({mistake.step for mistake in one.mistakes}) == COUNT
    for count in range(1, COUNT + 1):
        for some in combinations(one.mistakes, count):
            assert not leads_out(chamber, with_mistakes(one.plan, some))


@pytest.mark.parametrize("one", CHAMBERS, ids=lambda one: one.level.id)
def test_blanks_can_be_filled_in_one_way(one: AskedChamber) -> None:
    steps = [mistake.step for mistake in one.mistakes]
    options = [*(one.plan[k] for k in steps), *(m.action for m in one.mistakes)]
    assert len({told_step(option) for option in options}) == 2 * COUNT
    found = fillings(one.level.puzzle, one.plan, steps, options)
    assert list(found) == [tuple(range(COUNT))]


@pytest.mark.parametrize("one", CHAMBERS, ids=lambda one: one.level.id)
def test_a_mistake_changes_one_value_of_a_step(one: AskedChamber) -> None:
    for mistake in one.mistakes:
        assert type(mistake.action) is type(one.plan[mistake.step])
        assert mistake.action != one.plan[mistake.step]


@pytest.mark.parametrize("name", SUITES)
@pytest.mark.parametrize("shown", PortalShown)
def test_there_are_512_unlike_items_and_the_oracle_is_always_right(name: str, shown: str) -> None:
    part = subset(name, shown=str(shown), n=ITEMS if shown is PortalShown.TEXT else 32)
    trials = PortalSuite(name).trials(part)
    items = [trial.ask(trial.start()) for trial in trials]
    assert len({item.id for item in items if item}) == len(items) == part.count
    assert len({item.text for item in items if item}) == len(items)
    found = scores(name, part, lambda item: item.gold)
    assert found["accuracy"] == 1.0 and found.get("f1", 1.0) == 1.0


def test_one_candidate_of_32_is_right() -> None:
    trials = PortalSuite("portal-plans").trials(subset("portal-plans", shown="text"))
    right = [trial.id for trial in trials if trial.item.gold]  # type: ignore[attr-defined]
    assert len(right) == len(CHAMBERS) == 16 and len(trials) == 16 * len(list(subsets()))
    assert {name.split("/")[2] for name in right} == {one.level.id for one in CHAMBERS}


def test_chance_is_what_is_computed() -> None:
    plans = scores("portal-plans", subset("portal-plans", shown="text"), by_chance)
    assert plans["chance_f1"] == pytest.approx(1 / 17)
    assert plans["f1"] == pytest.approx(1 / 17, abs=0.04)
    blanks = scores("portal-blanks", subset("portal-blanks", shown="text"), by_chance)
    assert blanks["chance"] == pytest.approx(1 / 30240) and blanks["accuracy"] < 0.01
    one = scores("portal-blanks", subset("portal-blanks", shown="text", blanks=1), by_chance)
    assert one["chance"] == pytest.approx(0.1) == 1 / perm(10, 1)
    assert one["accuracy"] == pytest.approx(0.1, abs=0.04)


def test_text_tells_all_and_shows_nothing_and_pictures_tell_no_walls() -> None:
    for shown, pictures in ((PortalShown.TEXT, 0), ("pictures", 6), ("hint", 10)):
        trial = PortalSuite("portal-blanks").trials(subset("portal-blanks", shown=str(shown)))[0]
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
    verdict = VerdictForm()
    assert verdict.parse("**Answer: yes**") is True and verdict.parse("No.") is False
    assert (
        verdict.parse("Answer: yes or no") is None
        and verdict.parse("Answer: yes, Answer: no") is None
    )


def test_f1_is_that_of_the_rarer_answer() -> None:
    assert minority_f1([(True, True), (True, False), (False, False)]) == pytest.approx(2 / 3)
    assert minority_f1([(None, True), (False, False)]) == 0
    assert minority_f1([(False, False)]) is None
    assert chance_f1([True] + [False] * 31) == pytest.approx(1 / 17)


@pytest.mark.parametrize("options", [{"shown": "smell"}, {"task": "cube"}, {"blanks": 3}])
def test_what_can_not_be_asked_is_refused(options: dict[str, Any]) -> None:
    with pytest.raises(InputError):
        subset("portal-plans", **options)


DIGESTS = "cc6a29229d30afa2a8e41d15a4eb38477bfa322578b318d196ecddb03f4e6c1a"
"""Of the first 32 items of each task and condition, as version 1 of the suites had them."""


def test_items_have_the_digests_of_their_version() -> None:
    found = hashlib.sha256()
    for number in range(32):
        for shown in PortalShown:
            found.update(plans_trial(number, shown).item.digest.encode())
            found.update(blanks_trial(number, shown, 5).item.digest.encode())
    assert found.hexdigest() == DIGESTS


@pytest.mark.parametrize("one", range(len(CHAMBERS)))
def test_pictures_of_an_item_have_names_of_their_own_that_tell_the_view(one: int) -> None:
    pictures = plans_trial(one, PortalShown.HINT).item.pictures
    titles = [picture.title for picture in pictures]
    assert len(set(titles)) == len(titles) and all(titles)
    fields = CHAMBERS[one % len(CHAMBERS)].level.puzzle.fields
    assert sum("first person from the field" in title for title in titles) == len(fields)
    assert titles[:3] == ["overview", "from behind", "lower floors"]

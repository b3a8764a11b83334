"""Samples of the tests by day: the same on every run, and printed."""

import subprocess
import sys
from typing import Any

import pytest
from hypothesis import settings

from tests.sampling import by_day, more, sample, these_by_day
from tools.mutations import ROOT


def slow(parameters: list[Any]) -> list[bool]:
    return [bool(parameter.marks) for parameter in parameters]


def test_by_day_first_of_each_kind_stays_and_all_others_are_slow() -> None:
    words = ["apple", "ant", "bee", "axe", "bat", "cow"]
    kept = [False, True, False, True, True, False]
    assert slow(by_day(words, lambda word: word[0])) == kept
    assert slow(by_day(words, lambda word: word[0])) == kept
    assert slow(by_day(words, lambda word: word[0], each=2)) == [False] * 3 + [True] + [False] * 2


def test_these_by_day_chosen_cases_stay_and_all_others_are_slow() -> None:
    parameters = these_by_day([3], range(4))
    assert slow(parameters) == [True, True, True, False]
    assert [parameter.id for parameter in parameters] == ["0", "1", "2", "3"]


@pytest.mark.parametrize(("examples", "drawn"), [(None, (3, 10)), (200, (30, 50))])
def test_more_follows_the_setting_that_the_sample_names(
    examples: int | None, drawn: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.sampling.EXAMPLES", examples or 40)
    assert (more(3, night=30), more(10)) == drawn
    assert f"LUBAN_EXAMPLES={examples or 40}," in sample()


def test_a_failure_prints_the_example_and_the_sample_that_repeat_it() -> None:
    assert settings.get_profile("patient").print_blob
    test = f"{__file__}::{test_these_by_day_chosen_cases_stay_and_all_others_are_slow.__name__}"
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", test],
        cwd=ROOT, capture_output=True, text=True,
    )  # fmt: skip
    assert sample() in done.stdout

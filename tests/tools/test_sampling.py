"""Samples of the tests by day: the same on every run, and printed."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from tests.sampling import by_day, more, sample, these_by_day
from tools.mutations import ROOT


@pytest.fixture
def every_case(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cases beyond a sample are made, as by night."""
    monkeypatch.setattr("tests.sampling._without_slow", False)


def slow(parameters: list[Any]) -> list[bool]:
    return [bool(parameter.marks) for parameter in parameters]


@pytest.mark.usefixtures("every_case")
def test_by_day_first_of_each_kind_stays_and_all_others_are_slow() -> None:
    words = ["apple", "ant", "bee", "axe", "bat", "cow"]
    kept = [False, True, False, True, True, False]
    assert slow(by_day(words, lambda word: word[0])) == kept
    assert slow(by_day(words, lambda word: word[0])) == kept
    assert slow(by_day(words, lambda word: word[0], each=2)) == [False] * 3 + [True] + [False] * 2


@pytest.mark.usefixtures("every_case")
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


CASES = """
import pytest

from tests.sampling import by_day


@pytest.mark.by_day(2)
@pytest.mark.parametrize("number", range(10))
@pytest.mark.parametrize("letter", "ab")
def test_product(letter: str, number: int) -> None:
    pass


@pytest.mark.parametrize("number", by_day(range(7)))
def test_sample(number: int) -> None:
    pass
"""


@pytest.mark.parametrize(
    ("chosen", "collected", "run"),
    [
        ("not slow", 21, 3),
        ("slow", 27, 24),
        pytest.param("", 27, 27, marks=pytest.mark.slow),
    ],
)
def test_day_and_night_together_run_every_case_once(
    chosen: str, collected: int, run: int, tmp_path: Path
) -> None:
    (tmp_path / "test_cases.py").write_text(CASES)
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-p", "tests.conftest"]
    done = subprocess.run(
        [*command, "-m", chosen, "-c", ROOT / "pyproject.toml", tmp_path],
        cwd=ROOT, capture_output=True, text=True,
    )  # fmt: skip
    assert f"{run} passed" in done.stdout, done.stdout
    left_out = f"{collected - run} deselected" if collected > run else "passed"
    assert left_out in done.stdout


def test_a_failure_prints_the_example_and_the_sample_that_repeat_it() -> None:
    assert settings.get_profile("patient").print_blob
    test = f"{__file__}::{test_these_by_day_chosen_cases_stay_and_all_others_are_slow.__name__}"
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", test],
        cwd=ROOT, capture_output=True, text=True,
    )  # fmt: skip
    assert sample() in done.stdout

"""The page of thresholds of video scores, and how they are compared with what was measured."""

from dataclasses import fields

import numpy as np
import pytest

from bridge.video.measured_thresholds import MEASURED, MeasuredThreshold
from bridge.video.thresholds import LIMITS, Thresholds
from tools.measure_video_thresholds import DATA, PAGE, list_notes, make_data, make_page, summarize


def test_every_threshold_has_a_unit_and_a_meaning_on_the_page() -> None:
    notes = list(list_notes())
    assert [name for name, *_ in notes] == [field.name for field in fields(Thresholds)]
    assert all(unit and text for _, unit, _, text in notes)
    assert {name for name, _, sort, _ in notes if sort == "measured"} == set(MEASURED)
    assert PAGE.read_text(encoding="utf-8") == make_page(MEASURED)


def test_measured_thresholds_are_those_of_the_data() -> None:
    for name, one in MEASURED.items():
        assert getattr(LIMITS, name) == one.value
    assert make_data(MEASURED) == DATA.read_text(encoding="utf-8")


@pytest.mark.parametrize(("name", "keeps"), [("most_noise", 0.99), ("least_contrast", 0.01)])
def test_threshold_is_moved_away_from_what_true_videos_keep(name: str, keeps: float) -> None:
    values = np.linspace(0.1, 0.5, 101)
    rows = [{name: float(value), "is_film": 0.0} for value in values]
    found = summarize(name, MeasuredThreshold(0.3), rows, 2.0)
    extreme = float(np.quantile(values, keeps))
    wanted = extreme / 2.0 if name == "least_contrast" else extreme * 2.0
    assert found.value == pytest.approx(wanted, rel=0.05)
    assert found.extreme == pytest.approx(extreme, rel=0.01) and found.videos == 101

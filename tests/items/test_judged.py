"""Answers in pairs and groups: by hand, against statsmodels, and by laws."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.proportion import proportion_confint

from bridge.scoring.judged import Judged, Tally

ANSWERS = st.lists(
    st.builds(Judged, st.booleans(), st.booleans(), st.sampled_from(["", "a", "b", "c"])),
    min_size=1,
)


def of(*groups: str) -> Tally:
    """Groups as texts: ``+`` is right, ``-`` wrong."""
    return Tally([Judged(c == "+", group=f"{k}") for k, g in enumerate(groups) for c in g])


def test_pairs_by_hand() -> None:
    found = of("++", "+-", "-+", "--", "++")
    assert found.accuracy == 6 / 10
    assert found.compute_paired_accuracy() == found.group_accuracy == 2 / 5
    assert found.groups == 5


def test_groups_of_unlike_sizes_by_hand() -> None:
    found = of("+++", "+---", "-")
    assert found.accuracy == 4 / 8
    assert found.group_accuracy == 1 / 3
    assert found.mean_of_groups == pytest.approx((1 + 1 / 4 + 0) / 3)
    with pytest.raises(ValueError, match="0 is no pair: it has 3 answers"):
        found.compute_paired_accuracy()


def test_who_guesses_is_right_in_half_of_the_answers_and_a_quarter_of_the_pairs() -> None:
    rng = np.random.default_rng(0)
    guessed = rng.integers(2, size=(4000, 2)).astype(bool).tolist()
    found = Tally([Judged(right, group=f"{k}") for k, pair in enumerate(guessed) for right in pair])
    assert found.accuracy == pytest.approx(1 / 2, abs=0.02)
    assert found.compute_paired_accuracy() == pytest.approx(1 / 4, abs=0.02)


@given(ANSWERS)
def test_intervals_of_groups_are_those_of_statsmodels(answers: list[Judged]) -> None:
    found = Tally(answers)
    if not found.groups:
        assert found.group_accuracy is None
        assert found.group_interval is None
        assert found.mean_interval is None
        return
    assert found.group_accuracy is not None
    assert found.group_interval is not None
    right = round(found.group_accuracy * found.groups)
    low, high = proportion_confint(right, found.groups, method="wilson")
    assert found.group_interval.low == pytest.approx(low, abs=1e-9)
    assert found.group_interval.high == pytest.approx(high, abs=1e-9)


@given(st.lists(st.booleans(), min_size=1, max_size=60))
def test_answers_that_stand_alone_have_wilsons_interval(right: list[bool]) -> None:
    found = Tally([Judged(one) for one in right])
    assert found.interval is not None
    low, high = proportion_confint(sum(right), len(right), method="wilson")
    assert (found.interval.low, found.interval.high) == pytest.approx((low, high), abs=1e-9)


def test_answers_that_go_together_tell_less() -> None:
    """Fifty groups of ten equal answers are worth about fifty answers, not five hundred."""
    rng = np.random.default_rng(1)
    groups = ["+" * 10 if right else "-" * 10 for right in rng.integers(2, size=50)]
    together, alone = of(*groups).interval, of(*"".join(groups)).interval
    assert together is not None
    assert alone is not None
    ratio = (together.high - together.low) / (alone.high - alone.low)
    assert ratio == pytest.approx(10**0.5, rel=0.15)


@given(ANSWERS)
def test_no_group_is_right_more_often_than_its_answers(answers: list[Judged]) -> None:
    found = Tally(answers)
    if found.groups:
        assert found.group_accuracy is not None
        assert found.mean_of_groups is not None
        assert found.group_accuracy <= found.mean_of_groups


def test_nothing_has_no_share() -> None:
    found = Tally([])
    assert [found.accuracy, found.parse_rate, found.group_accuracy] == [None] * 3
    assert [found.interval, found.group_interval, found.mean_interval] == [None] * 3
    assert Tally([Judged(False, read=False), Judged(True)]).parse_rate == 0.5

"""The metrics by hand, by other libraries, and on what the paper prints."""

import math
from collections import Counter
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.distance import jensenshannon
from statsmodels.stats.inter_rater import cohens_kappa
from statsmodels.stats.proportion import proportion_confint

from bridge.scoring.answers import (
    Adherence,
    Attempts,
    Binary,
    Confusion,
    Grids,
    Revision,
    Selective,
    compute_js_divergence,
    share,
)


def test_faces_count_by_sticker_and_as_a_whole() -> None:
    gold = tuple("GWRYGBOGW")
    almost = tuple("GWRYGBOGR")
    found = Grids([(gold, gold), (almost, gold), (None, gold)])
    assert found.element_accuracy == (9 + 8 + 0) / 27
    assert found.matrix_accuracy == 1 / 3
    assert found.parse_rate == 2 / 3


def test_yes_and_no_by_hand() -> None:
    found = Binary(
        [(True, True)] * 3 + [(False, True)] + [(True, False)] * 2 + [(False, False)] * 2
    )
    assert (found.compute_rate(True), found.compute_rate(False)) == (3 / 4, 2 / 4)
    assert found.balanced_accuracy == 5 / 8
    assert (found.yes_rate, found.bias, found.parse_rate, found.accuracy) == (
        5 / 8,
        1 / 8,
        1,
        5 / 8,
    )


def test_answers_that_cant_be_read_count_as_in_the_papers_table_3() -> None:
    """Qwen 2.5-VL-7B: 71.3, 98 and 57.1, from 98 answers of 100 that could be read."""
    answers = [(True, True)] * 39 + [(False, True)] * 11 + [(True, False)] * 17
    answers += [(False, False)] * 31
    found = Binary([*answers, (None, False), (None, False)])
    assert (found.balanced_accuracy, found.parse_rate) == (pytest.approx(0.713, abs=5e-4), 0.98)
    assert found.yes_rate == pytest.approx(0.571, abs=5e-4)
    assert found.accuracy == 0.70


def test_a_reflection_mends_and_spoils() -> None:
    pairs = [(True, True)] * 3 + [(True, False)] * 2 + [(False, True)] + [(False, False)] * 4
    found = Revision(pairs)
    assert (found.initial, found.final) == (0.5, 0.4)
    assert found.gain == pytest.approx(-0.1)
    assert (found.error_fix_rate, found.overthink_rate) == (1 / 5, 2 / 5)
    assert Revision([(True, True)]).error_fix_rate is None
    assert Revision([(False, True)]).overthink_rate is None


@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1))
def test_mended_and_spoilt_answers_make_up_the_gain(pairs: list[tuple[bool, bool]]) -> None:
    found = Revision(pairs)
    assert found.initial is not None
    mended = (found.error_fix_rate or 0.0) * (1 - found.initial)
    spoilt = (found.overthink_rate or 0.0) * found.initial
    assert found.gain == pytest.approx(mended - spoilt)


def test_steps_that_were_not_reached_are_wrong() -> None:
    found = Adherence([(3, [True, True, True]), (3, [True, False]), (2, []), (4, [True])])
    assert found.teacher_adherence == pytest.approx((1 + 1 / 3 + 0 + 1 / 4) / 4)
    assert found.perfect == 1 / 4


def test_abstention_by_hand() -> None:
    found = Selective(correct=6, wrong=2, abstained=4, unread=0)
    assert (found.coverage, found.selective_accuracy, found.idk_rate) == (8 / 12, 6 / 8, 4 / 12)
    assert found.compute_apa(0.25) == 7 / 12
    assert Selective(6, 2, 4, 4).compute_apa(0.25) == 7 / 16
    assert Selective(0, 0, 0, 3).selective_accuracy is None


@given(*[st.integers(0, 50)] * 3, st.floats(0, 1))
def test_apa_decomposes_where_all_answers_could_be_read(
    correct: int, wrong: int, idk: int, weight: float
) -> None:
    found = Selective(correct, wrong, idk, 0)
    apa, coverage = found.compute_apa(weight), found.coverage
    if apa is None or coverage is None:
        assert found.total == 0
        return
    selected = found.selective_accuracy or 0.0
    assert apa == pytest.approx(coverage * selected + (1 - coverage) * weight)
    assert found.compute_apa(0.0) == pytest.approx(correct / found.total)
    assert found.compute_apa(1.0) == pytest.approx(1 - wrong / found.total)


LABELS = ("DECREASE", "NO_CHANGE", "INCREASE")


def test_labels_by_hand() -> None:
    counts: Counter[tuple[str, str | None]] = Counter(
        {("DECREASE", "DECREASE"): 2, ("DECREASE", "INCREASE"): 1, ("DECREASE", None): 1,
         ("NO_CHANGE", "NO_CHANGE"): 3, ("NO_CHANGE", "INCREASE"): 1, ("INCREASE", "INCREASE"): 4}
    )  # fmt: skip
    found = Confusion(LABELS, counts)
    assert found.micro_accuracy == 9 / 12
    # Precision and recall: 2/2 and 2/4; 3/3 and 3/4; 4/6 and 4/4.
    assert found.macro_f1 == pytest.approx((2 / 3 + 6 / 7 + 4 / 5) / 3)
    assert found.expected_dot == pytest.approx((4 * 2 + 4 * 3 + 4 * 6) / 144)
    assert found.kappa == pytest.approx((9 / 12 - 44 / 144) / (1 - 44 / 144))


@given(st.integers(0, 2**32))
def test_kappa_is_that_of_statsmodels(seed: int) -> None:
    random = Random(seed)
    matrix = np.array([[random.randint(0, 9) + (i == j) for j in range(3)] for i in range(3)])
    counts = {(a, b): int(matrix[i, j]) for i, a in enumerate(LABELS) for j, b in enumerate(LABELS)}
    assert Confusion(LABELS, counts).kappa == pytest.approx(
        cohens_kappa(matrix, return_results=False)
    )


def test_kappa_is_nothing_where_it_is_undefined_and_f1_counts_classes_that_occur() -> None:
    one = Confusion(LABELS, {("DECREASE", "DECREASE"): 5})
    assert (one.kappa, one.macro_f1, one.micro_accuracy) == (None, 1.0, 1.0)
    none = Confusion(LABELS, {})
    assert (none.kappa, none.macro_f1, none.micro_accuracy, none.expected_dot) == (None,) * 4
    blind = Confusion(LABELS, {(label, "INCREASE"): 3 for label in LABELS})
    assert blind.kappa == 0.0


@pytest.mark.parametrize(
    ("solved", "trials", "printed"),
    [(1, 25, (0.7, 19.5)), (1, 50, (0.35, 10)), (3, 50, (2.1, 16.2)), (2, 25, (2.2, 25.0)),
     (0, 25, (0.0, 13.3)), (2, 5, (11.76, 76.93))],
)  # fmt: skip
def test_solve_rates_have_the_intervals_of_the_papers_table_7(
    solved: int, trials: int, printed: tuple[float, float]
) -> None:
    found = Attempts([3] * solved + [None] * (trials - solved), 6).interval
    assert found is not None
    assert (100 * found.low, 100 * found.high) == pytest.approx(printed, abs=0.5)
    assert (found.low, found.high) == pytest.approx(
        proportion_confint(solved, trials, method="wilson")
    )


def test_attempts_by_hand() -> None:
    found = Attempts([1, 3, 4, 6, None], 6)
    assert found.solve_rate == 4 / 5
    assert (found.compute_share_within(1), found.compute_share_within(3)) == (1 / 5, 2 / 5)
    assert found.median_at_solved == 3.5
    assert found.average_at_all == (1 + 3 + 4 + 6 + 6) / 5
    assert Attempts([2, 2], 2).compute_share_within(3) == 1.0
    unsolved = Attempts([None, None], 6)
    assert (unsolved.median_at_solved, unsolved.average_at_all, unsolved.solve_rate) == (None, 6, 0)
    nothing = Attempts([], 6)
    assert nothing.interval is nothing.solve_rate is nothing.average_at_all is None


@given(st.lists(st.tuples(st.integers(0, 50), st.integers(1, 50)), min_size=1, max_size=6))
def test_divergence_is_that_of_scipy(pairs: list[tuple[int, int]]) -> None:
    first, second = zip(*[(a + 1, b) for a, b in pairs], strict=True)
    expected = jensenshannon(first, second, base=2) ** 2
    assert compute_js_divergence(first, second) == pytest.approx(expected, abs=1e-9)


def test_shares_of_nothing_are_nothing() -> None:
    assert share([]) is None
    assert math.isclose(share([True, False, True]) or 0, 2 / 3)
    assert Grids([]).matrix_accuracy is None
    assert Binary([]).balanced_accuracy is Binary([]).bias is None
    assert Adherence([]).teacher_adherence is None
    with pytest.raises(ValueError, match="weights above 0"):
        compute_js_divergence([0, 0], [1, 1])

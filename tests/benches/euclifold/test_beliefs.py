"""Winograd-style accuracy: by hand, by laws, and against figures that the paper prints."""

import math
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridge.benches.euclifold.beliefs import AnswerPair, Beliefs, compute_guess_scores

ANSWERS = st.sampled_from([True, False, None])
PAIRS = st.lists(st.builds(AnswerPair, ANSWERS, ANSWERS), min_size=1, max_size=60)
READ = st.lists(st.builds(AnswerPair, st.booleans(), st.booleans()), min_size=1, max_size=60)


def of(right: int, wrong: int, true: int, false: int) -> Beliefs:
    kinds = (
        AnswerPair(True, False),
        AnswerPair(False, True),
        AnswerPair(True, True),
        AnswerPair(False, False),
    )
    return Beliefs(
        [k for k, n in zip(kinds, (right, wrong, true, false), strict=True) for _ in range(n)]
    )


def test_beliefs_by_hand() -> None:
    found = of(5, 2, 2, 1)
    assert found.true_belief == 0.5 and found.false_belief == 0.2
    assert found.wino_accuracy == pytest.approx(0.3)
    assert found.interval is not None and found.joint_interval is not None
    reach = 1.959964 * math.sqrt((0.25 + 0.16) / 10)
    assert found.interval.low == pytest.approx(0.3 - reach)
    joint = 1.959964 * math.sqrt((0.7 - 0.09) / 10)
    assert found.joint_interval.high == pytest.approx(0.3 + joint)


def test_what_appendix_h_counts_gives_the_accuracy_that_table_2_prints() -> None:
    """InternVL 78B, folding: 719 pairs right, 264 wrong, 579 all True, 838 all False.

    That is 2,400 pairs, and 0.190; Table 2 prints 0.196 of 240 or so.
    """
    found = of(719, 264, 579, 838)
    assert len(found.pairs) == 2400
    assert found.wino_accuracy == pytest.approx(0.190, abs=5e-4)
    assert found.interval is not None and found.interval.low > 0.16


def test_humans_are_scored_as_table_3_prints_it() -> None:
    """Where all is answered, WinoAcc is the sum of both accuracies less 1; so is Equation 4."""
    rows = [(44, 46, 27, 30, 0.868), (24, 33, 40, 43, 0.684), (38, 44, 31, 32, 0.816)]
    rows += [(25, 36, 30, 40, 0.447)]
    for right, positives, rejected, negatives, printed in rows:
        p, n = right / positives, rejected / negatives
        assert p * n - (1 - p) * (1 - n) == pytest.approx(p + n - 1)
        assert p + n - 1 == pytest.approx(printed, abs=0.03)


@given(READ)
def test_it_is_the_sum_of_both_accuracies_less_one(pairs: list[AnswerPair]) -> None:
    positive = sum(pair.true is True for pair in pairs) / len(pairs)
    negative = sum(pair.false is False for pair in pairs) / len(pairs)
    assert Beliefs(pairs).wino_accuracy == pytest.approx(positive + negative - 1)


@given(READ)
def test_who_answers_the_opposite_gets_the_opposite(pairs: list[AnswerPair]) -> None:
    turned = [AnswerPair(not pair.true, not pair.false) for pair in pairs]
    here, there = Beliefs(pairs).wino_accuracy, Beliefs(turned).wino_accuracy
    assert here is not None and there is not None and here == pytest.approx(-there)


@given(PAIRS)
def test_intervals_hold_the_value_and_lie_in_range(pairs: list[AnswerPair]) -> None:
    found = Beliefs(pairs)
    assert found.wino_accuracy is not None
    assert found.interval is not None and found.joint_interval is not None
    for interval in (found.interval, found.joint_interval):
        assert -1.0 <= interval.low <= found.wino_accuracy + 1e-12
        assert found.wino_accuracy - 1e-12 <= interval.high <= 1.0
    assert found.joint_interval.low <= found.interval.low + 1e-12


@given(PAIRS)
def test_an_answer_that_cant_be_read_is_no_belief(pairs: list[AnswerPair]) -> None:
    for pair in pairs:
        assert pair.belief == 0 or None not in (pair.true, pair.false)
        assert pair.belief == {(True, False): 1, (False, True): -1}.get(
            (pair.true, pair.false),  # type: ignore[arg-type]
            0,
        )


def test_constant_answers_tell_nothing_and_are_no_better_than_chance() -> None:
    for answer in (True, False):
        found = Beliefs([AnswerPair(answer, answer)] * 20)
        assert found.wino_accuracy == 0.0 and found.p_value == 1.0


def test_the_p_value_is_that_of_mcnemar() -> None:
    """Of n pairs with a belief k are true: the exact two-sided binomial test."""
    for right, wrong in product(range(6), repeat=2):
        n, k = right + wrong, max(right, wrong)
        tail = sum(math.comb(n, i) for i in range(k, n + 1)) / 2**n
        expected = min(1.0, 2 * tail) if right != wrong else 1.0
        assert of(right, wrong, 3, 2).p_value == pytest.approx(expected)


def test_nothing_is_known_of_no_pairs() -> None:
    found = Beliefs([])
    assert found.wino_accuracy is found.interval is found.joint_interval is found.p_value is None


def test_chance_is_worked_out_over_all_answers() -> None:
    assert compute_guess_scores() == {
        "wino_accuracy": 0.0,
        "true_belief": 0.25,
        "false_belief": 0.25,
        "accuracy": 0.5,
        "true_rate": 0.5,
        "true_bias": 0.0,
        "positive_accuracy": 0.5,
        "negative_accuracy": 0.5,
    }

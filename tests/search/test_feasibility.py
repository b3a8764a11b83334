"""Exact feasibility of linear systems, against proofs that are checked and against floats."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from pysim.search.feasibility import find_farkas_certificate
from tests.sampling import more

Columns = list[dict[int, int]]


@st.composite
def systems(draw: st.DrawFn) -> tuple[Columns, list[int]]:
    """Up to 6 equations in up to 9 unknowns, small numbers, many zeros; half of them solvable."""
    height = draw(st.integers(1, 6))
    entries = st.sampled_from([0, 0, 0, 1, -1, 2, -3, 7])
    column = st.lists(entries, min_size=height, max_size=height)
    drawn = draw(st.lists(column, max_size=9))
    columns = [dict(enumerate(values)) for values in drawn]
    if drawn and draw(st.booleans()):
        shares = draw(st.lists(st.integers(0, 3), min_size=len(drawn), max_size=len(drawn)))
        return columns, (np.array(drawn).T @ np.array(shares)).tolist()
    return columns, draw(column)


@settings(max_examples=more(60))
@given(systems())
def test_a_refusal_comes_with_a_proof_and_floats_agree(system: tuple[Columns, list[int]]) -> None:
    columns, target = system
    proof = find_farkas_certificate(columns, target)
    if proof is not None:
        assert sum(y * value for y, value in zip(proof, target, strict=True)) > 0
        for column in columns:
            assert sum(proof[i] * value for i, value in column.items()) <= 0
    matrix = np.array([[c.get(i, 0) for c in columns] for i in range(len(target))], float)
    if columns:
        found = linprog(np.zeros(len(columns)), A_eq=matrix, b_eq=target, method="highs")
        assert (proof is None) == (found.status == 0)
    else:
        assert (proof is None) == (not any(target))


@given(st.integers(2, 12), st.integers(0, 2**32))
def test_systems_full_of_ties_come_to_an_end(height: int, seed: int) -> None:
    """All but one right side is zero, so that nearly every pivot makes no progress."""
    rng = np.random.default_rng(seed)
    columns = [
        {i: int(v) for i, v in enumerate(rng.integers(-1, 2, height))} for _ in range(3 * height)
    ]
    target = [0] * (height - 1) + [1]
    proof = find_farkas_certificate(columns, target)
    assert proof is None or proof[-1] > 0


def test_numbers_far_beyond_machine_words_stay_exact() -> None:
    big = 10**40
    assert find_farkas_certificate([{0: big, 1: 1}, {0: 1, 1: 1}], [big + 1, 2]) is None
    assert find_farkas_certificate([{0: big, 1: 1}, {0: 1, 1: 1}], [2 * big + 1, 2]) is not None


def test_nothing_is_a_sum_of_no_columns_and_anything_else_is_not() -> None:
    assert find_farkas_certificate([], [0, 0]) is None
    assert find_farkas_certificate([], [0, -2]) == (1, -1)

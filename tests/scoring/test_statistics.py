"""Statistics against scipy, against counting everything, and against figures worked out by hand."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.regression.linear_model import OLS
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.proportion import proportion_confint

from bridge.scoring.statistics import (
    bootstrap_clusters,
    compute_pass_at_k,
    compute_wilson_interval,
    sign_flip_test,
)

ATTEMPTS = st.integers(1, 7).flatmap(
    lambda n: st.tuples(st.just(n), st.integers(0, n), st.integers(1, n))
)


@given(ATTEMPTS)
def test_pass_at_k_is_the_share_of_choices_with_a_solved_attempt(
    case: tuple[int, int, int],
) -> None:
    attempts, solved, k = case
    choices = list(itertools.combinations([True] * solved + [False] * (attempts - solved), k))
    assert compute_pass_at_k(attempts, solved, k) == pytest.approx(
        sum(map(any, choices)) / len(choices), abs=1e-15
    )


@pytest.mark.parametrize(
    ("n", "c", "k", "value"), [(4, 1, 1, 0.25), (4, 1, 2, 0.5), (4, 2, 2, 5 / 6)]
)
def test_pass_at_k_by_hand(n: int, c: int, k: int, value: float) -> None:
    assert compute_pass_at_k(n, c, k) == pytest.approx(value, abs=1e-15)


@pytest.mark.parametrize(("n", "c", "k"), [(4, 5, 1), (4, -1, 1), (4, 2, 0), (4, 2, 5), (0, 0, 1)])
def test_pass_at_k_refuses_what_can_not_be(n: int, c: int, k: int) -> None:
    with pytest.raises(ValueError, match=r"pass@|can't be solved"):
        compute_pass_at_k(n, c, k)


@given(st.integers(1, 500).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_the_wilson_interval_is_that_of_scipy(case: tuple[int, int]) -> None:
    successes, trials = case
    mine = compute_wilson_interval(successes, trials)
    theirs = stats.binomtest(successes, trials).proportion_ci(method="wilson")
    assert (mine.low, mine.high) == pytest.approx((theirs.low, theirs.high), abs=1e-12)
    assert (mine.low, mine.high) == pytest.approx(
        proportion_confint(successes, trials, method="wilson"), abs=1e-12
    )
    assert 0 <= mine.low <= successes / trials <= mine.high <= 1


@pytest.mark.parametrize(("successes", "trials"), [(0, 0), (3, 2), (-1, 2)])
def test_a_share_of_nothing_has_no_interval(successes: int, trials: int) -> None:
    with pytest.raises(ValueError, match="trials"):
        compute_wilson_interval(successes, trials)


def test_the_bootstrap_of_single_values_is_that_of_scipy() -> None:
    values = np.random.default_rng(1).integers(0, 2, 80).astype(float)
    mine = bootstrap_clusters([[value] for value in values])
    theirs = stats.bootstrap(
        (values,), np.mean, method="percentile", n_resamples=10_000, rng=2
    ).confidence_interval
    assert (mine.low, mine.high) == pytest.approx((theirs.low, theirs.high), abs=0.015)


def test_the_bootstrap_of_clusters_is_that_of_scipy_over_their_means() -> None:
    rng = np.random.default_rng(5)
    clusters = [rng.integers(0, 2, 4).astype(float).tolist() for _ in range(60)]
    mine = bootstrap_clusters(clusters)
    theirs = stats.bootstrap(
        ([np.mean(cluster) for cluster in clusters],), np.mean, method="percentile", rng=6
    ).confidence_interval
    assert (mine.low, mine.high) == pytest.approx((theirs.low, theirs.high), abs=0.015)


def test_the_bootstrap_is_as_wide_as_cluster_robust_errors_say() -> None:
    rng = np.random.default_rng(3)
    ease = rng.random(200)
    tries = [(rng.random(4) < p).astype(float).tolist() for p in ease]
    mine = bootstrap_clusters(tries)
    fit = OLS(np.concatenate(tries), np.ones(800)).fit(
        cov_type="cluster", cov_kwds={"groups": np.repeat(np.arange(200), 4)}
    )
    ((low, high),) = fit.conf_int()
    assert (mine.low, mine.high) == pytest.approx((low, high), abs=0.006)
    alone = OLS(np.concatenate(tries), np.ones(800)).fit().conf_int()[0]
    assert mine.high - mine.low > 1.2 * (alone[1] - alone[0])


def test_attempts_that_are_all_alike_tell_no_more_than_one() -> None:
    single = [[1.0], [0.0], [1.0], [0.0], [0.0], [1.0], [0.0], [0.0]]
    assert bootstrap_clusters([cluster * 4 for cluster in single]) == bootstrap_clusters(single)


def test_the_bootstrap_is_the_same_each_time_and_refuses_nothing() -> None:
    assert bootstrap_clusters([[1.0, 0.0], [1.0]]) == bootstrap_clusters([[1.0, 0.0], [1.0]])
    for clusters in ([], [[1.0], []]):
        with pytest.raises(ValueError, match="clusters"):
            bootstrap_clusters(clusters)


@given(st.lists(st.sampled_from([-1.0, 0.0, 1.0]), max_size=40))
def test_the_sign_flip_test_of_single_attempts_is_mcnemars(differences: list[float]) -> None:
    wins, losses = differences.count(1.0), differences.count(-1.0)
    expected = stats.binomtest(wins, wins + losses).pvalue if wins + losses else 1.0
    assert sign_flip_test(differences) == pytest.approx(expected, rel=1e-9)
    table = mcnemar([[0, wins], [losses, 0]], exact=True)
    assert sign_flip_test(differences) == pytest.approx(min(1.0, table.pvalue), rel=1e-9)


@given(st.lists(st.integers(-4, 4).map(lambda n: n / 4), max_size=9))
def test_the_sign_flip_test_counts_all_signs(differences: list[float]) -> None:
    found = abs(math.fsum(differences))
    sums = [
        abs(math.fsum(s * d for s, d in zip(signs, differences, strict=True)))
        for signs in itertools.product([1, -1], repeat=len(differences))
    ]
    share = sum(total >= found for total in sums) / len(sums)
    assert sign_flip_test(differences) == pytest.approx(share, rel=1e-12)


def test_the_sign_flip_test_is_the_permutation_test_of_scipy() -> None:
    differences = [0.75, 0.25, -0.25, 0.5, 0.0, 0.25, -0.5, 1.0, 0.25]
    theirs = stats.permutation_test(
        (differences,),
        lambda values, axis: np.abs(np.sum(values, axis=axis)),
        permutation_type="samples",
        vectorized=True,
        n_resamples=np.inf,
        alternative="greater",
    )
    assert sign_flip_test(differences) == pytest.approx(theirs.pvalue, rel=1e-12)


@pytest.mark.parametrize("shift", [0.0, 0.1])
def test_what_takes_too_long_to_count_is_estimated(shift: float) -> None:
    rng = np.random.default_rng(4)
    attempts = [997, 991, 983, 977, 1000, 999]
    shares = [rng.integers(0, n) / n for n in attempts * 20]
    others = [min(n, rng.integers(0, n) + int(n * shift)) / n for n in attempts[::-1] * 20]
    differences = [a - b for a, b in zip(shares, others, strict=True)]
    spread = math.sqrt(math.fsum(d * d for d in differences))
    normal = 2 * stats.norm.sf(abs(math.fsum(differences)) / spread)
    found = sign_flip_test(differences)
    assert found == pytest.approx(normal, abs=0.01)
    assert sign_flip_test(differences) == found


def test_thirds_are_exact_and_other_numbers_are_refused() -> None:
    assert sign_flip_test([1 / 3, 2 / 3, -1 / 3]) == 0.75
    with pytest.raises(ValueError, match="shares"):
        sign_flip_test([math.pi])

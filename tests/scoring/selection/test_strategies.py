"""What choosing is worth, against known answers and against counting every draw."""

from itertools import combinations
from statistics import fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridge.agents.usage import Usage
from bridge.runs.results import EpisodeResult, SearchCost
from bridge.scoring.metrics import Price, compute_mean_pass_at
from bridge.scoring.selection.strategies import (
    compute_solve_probability,
    evaluate_average,
    evaluate_selection,
)
from bridge.scoring.statistics import compute_pass_at_k
from pysim.errors import InputError
from tests.runs.cases import result

ATTEMPTS = st.lists(st.tuples(st.integers(0, 3), st.booleans()), min_size=1, max_size=6)


def by_counting(scores: list[int], solved: list[bool], k: int) -> float:
    """Every draw of k, and every one of its best with the same chance."""
    chances = []
    for drawn in combinations(range(len(scores)), k):
        best = [i for i in drawn if scores[i] == max(scores[j] for j in drawn)]
        chances.append(fmean(solved[i] for i in best))
    return fmean(chances)


@given(ATTEMPTS, st.data())
def test_the_chance_is_what_counting_all_draws_gives(
    attempts: list[tuple[int, bool]], data: st.DataObject
) -> None:
    k = data.draw(st.integers(1, len(attempts)))
    scores, solved = map(list, zip(*attempts, strict=True))
    assert float(compute_solve_probability(scores, solved, k)) == pytest.approx(
        by_counting(scores, solved, k)
    )


@given(st.lists(st.booleans(), min_size=1, max_size=12), st.data())
def test_a_verifier_gives_pass_at_k_and_a_scorer_that_knows_nothing_the_average(
    solved: list[bool], data: st.DataObject
) -> None:
    k = data.draw(st.integers(1, len(solved)))
    count = len(solved)
    assert float(
        compute_solve_probability([float(s) for s in solved], solved, k)
    ) == compute_pass_at_k(count, sum(solved), k)
    assert float(compute_solve_probability([7.0] * count, solved, k)) == sum(solved) / count
    worst = compute_solve_probability([-float(s) for s in solved], solved, k)
    assert worst == 1 - compute_solve_probability(
        [-float(s) for s in solved], [not s for s in solved], k
    )


def test_a_choice_needs_scores_and_attempts_enough() -> None:
    with pytest.raises(ValueError, match="there are 1 scores for 2 attempts"):
        compute_solve_probability([1.0], [True, False], 1)
    for k in (0, 3):
        with pytest.raises(ValueError, match=f"a choice among {k} needs at least {k} attempts"):
            compute_solve_probability([1.0, 2.0], [True, False], k)


def run(*, usage: Usage = Usage()) -> list[EpisodeResult]:  # noqa: B008
    """Two locks and a box, four attempts each: solved 2, 0 and 1 times."""
    solved = {"a": (1, 3), "b": (), "box": (4,)}
    return [
        result(
            level,
            n,
            solved=n in wins,
            steps=10 * n,
            family="packing" if level == "box" else "burr",
            usage=usage,
        )
        for level, wins in solved.items()
        for n in range(1, 5)
    ]


def test_scores_that_a_damaged_file_has_too_many_of_are_refused_by_level() -> None:
    scores = {"a": [1.0] * 4, "b": [1.0] * 5, "box": [1.0] * 4}
    with pytest.raises(InputError, match="'random' has 5 scores of b for 4 attempts; remove"):
        evaluate_selection("random", run(), scores, 2)


def test_a_run_is_worked_out_by_hand() -> None:
    results = run(usage=Usage(1, 100, 10))
    truth = {"a": [1, 0, 1, 0], "b": [0] * 4, "box": [0, 0, 0, 1]}
    found = evaluate_selection("verifier", results, truth, 2, Usage(3, 600, 30))
    assert (found.name, found.k, found.attempts, found.levels) == ("verifier@2", 2, 4, 3)
    # C(2,2)/C(4,2) draws miss both solved attempts at a, and half of the draws the one at the box.
    assert found.by_family == {"burr": pytest.approx(5 / 12), "packing": 0.5}
    assert (
        found.accuracy == pytest.approx((5 / 6 + 0 + 1 / 2) / 3) == compute_mean_pass_at(results, 2)
    )
    assert found.gain == pytest.approx(found.accuracy - 3 / 12)
    assert found.steps == 2 * (10 + 20 + 30 + 40) / 4
    assert found.tokens == 2 * 110 + 630 / 3
    assert found.agent_usage == Usage(12, 1200, 120)
    price, judge = Price(1.0, 10.0), Price(2.0, 0.0)
    assert found.compute_usd(price, judge) == pytest.approx((0.5 * 2400 + 1200) / 1e6 / 3)
    assert found.compute_usd(price, None) is found.compute_usd(None, judge) is None
    assert evaluate_average(run()).compute_usd(None, None) == 0


def test_the_average_is_an_attempt_chosen_by_chance() -> None:
    found = evaluate_average(run())
    assert (found.name, found.k, found.accuracy, found.gain) == ("Avg@4", 1, 3 / 12, 0)
    assert found.steps == 25


def test_steps_of_a_search_are_counted() -> None:
    searched = [
        EpisodeResult(**{**_fields(one), "search": SearchCost(100, Usage(1, 5, 1))})
        for one in run()
    ]
    found = evaluate_average(searched)
    assert (found.steps, found.tokens) == (100, 6)


def _fields(one: EpisodeResult) -> dict[str, object]:
    return {name: getattr(one, name) for name in EpisodeResult.__slots__}


def test_levels_with_unequal_attempts_are_refused() -> None:
    with pytest.raises(InputError, match="the same number of them"):
        evaluate_average(run()[:-1])
    with pytest.raises(InputError, match="needs attempts at every level"):
        evaluate_average([])

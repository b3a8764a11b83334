"""Metrics against cases that were worked out by hand, CHAIN's own examples among them."""

from pathlib import Path

import pytest

from bridge.agents.registry import create_agent
from bridge.agents.usage import Usage
from bridge.episode.episode import Episode
from bridge.episode.records import Obs, Options
from bridge.recording.log import EpisodeLog, read_log
from bridge.runs.play import play_episode
from bridge.runs.results import make_result
from bridge.scoring.metrics import (
    PlanDistance,
    Price,
    compare,
    compute_mean_pass_at,
    compute_solved_within,
    count_errors,
    count_errors_by_colour,
    score,
)
from pysim.catalog import find_level
from pysim.families.burr.actions import Slide
from pysim.puzzle import Outcome
from tests.runs.cases import refused, result


def test_no_results_have_no_means() -> None:
    nothing = score([])
    assert (nothing.levels, nothing.episodes, nothing.solved) == (0, 0, 0)
    assert nothing.pass_at_1 is nothing.avg_steps is nothing.dist2opt is nothing.wilson is None


def test_success_weighs_levels_alike() -> None:
    found = score(
        [
            result("a", 1, solved=True),
            result("a", 2),
            result("a", 3),
            result("a", 4),
            result("b", 1, solved=True),
        ]
    )
    assert (found.levels, found.episodes, found.solved) == (2, 5, 2)
    assert found.pass_at_1 == (1 / 4 + 1) / 2


def test_plan_efficiency_counts_solved_episodes_only() -> None:
    found = score(
        [
            result("a", solved=True, steps=15, plan=10),  # CHAIN's example: 0.5
            result("b", solved=True, steps=4, plan=3),  # CHAIN's example: 1/3
            result("c", solved=True, steps=5, plan=3),  # CHAIN's example: 2 extra steps
            result("d", steps=30, plan=3),
        ]
    )
    assert found.avg_steps == (15 + 4 + 5) / 3
    assert found.dist2opt == PlanDistance((5 + 1 + 2) / 3, (5 + 1 + 2) / 3)
    assert found.normdist is not None
    assert found.normdist.low == pytest.approx((0.5 + 1 / 3 + 2 / 3) / 3)
    assert found.normdist.exact


def test_plans_that_are_only_bounds_give_a_range() -> None:
    found = score(
        [
            result("a", solved=True, steps=12, plan=10, bound=6),
            result("b", solved=True, steps=9, plan=10, bound=0),
        ]
    )
    assert found.dist2opt == PlanDistance((2 + 0) / 2, (6 + 9) / 2)
    assert found.normdist == PlanDistance((0.2 + 0) / 2, (1 + 9) / 2)
    assert not found.dist2opt.exact


def test_levels_without_a_plan_have_no_distance() -> None:
    assert score([result(solved=True, plan=None)]).dist2opt is None
    mixed = score([result("a", solved=True, plan=None), result("b", solved=True, steps=7, plan=5)])
    assert mixed.dist2opt == PlanDistance(2, 2)


def test_steps_are_judged() -> None:
    found = score(
        [
            result("a", steps=10, refusals=(refused(3), refused(4)), repeated=2),
            result("b", steps=10, refusals=(refused(5),), repeated=0),
            result("c", steps=20),
        ]
    )
    assert found.legality == 37 / 40
    assert found.repeated == 2 / 37
    assert found.first_error == 4
    assert found.faultless == 1 / 3


def test_tokens_and_cost_are_chains() -> None:
    usage = Usage(calls=3, tokens_in=300_000, tokens_out=100_000)
    found = score([result("a", solved=True, usage=usage), result("b", usage=usage)])
    assert found.usage == Usage(6, 600_000, 200_000)
    assert found.solved_per_million_tokens == 1 / 0.8
    price = Price(tokens_in=1.0, tokens_out=10.0)
    assert price.compute_cost(found.usage) == pytest.approx(0.6 + 2.0)
    assert found.compute_solved_per_usd(price) == pytest.approx(1 / 2.6)
    assert score([result()]).solved_per_million_tokens is None
    assert score([result()]).compute_solved_per_usd(price) is None


def test_pass_at_k_is_the_mean_over_levels() -> None:
    results = [
        *(result("a", n, solved=n == 1) for n in (1, 2, 3, 4)),
        *(result("b", n) for n in (1, 2, 3, 4)),
    ]
    assert [compute_mean_pass_at(results, k) for k in (1, 2, 4)] == [0.125, 0.25, 0.5]
    for k in (0, 5):
        with pytest.raises(ValueError, match="pass@"):
            compute_mean_pass_at(results, k)
    with pytest.raises(ValueError, match="no results"):
        compute_mean_pass_at([], 1)


def test_the_curve_says_how_many_were_solved_within_so_many_steps() -> None:
    results = [result(solved=True, steps=2), result(solved=True, steps=4), result(steps=1)]
    assert compute_solved_within([*results, result()]) == [0, 0, 0.25, 0.25, 0.5]
    assert compute_solved_within([result()]) == []


def test_errors_are_counted_by_rule_and_by_colour() -> None:
    results = [
        result(refusals=(refused(1, "BLOCKED", "red", "blue"), refused(2, "BLOCKED", "red"))),
        result(refusals=(refused(1, "MALFORMED"),)),
    ]
    assert count_errors(results) == {"BLOCKED": 2, "MALFORMED": 1}
    assert count_errors_by_colour(results) == {("BLOCKED", "red"): 2, ("BLOCKED", "blue"): 1}


def test_runs_are_compared_on_the_levels_that_both_have() -> None:
    first = [result(name, solved=name != "c") for name in "abcde"]
    second = [result(name, solved=name == "c") for name in "abcdf"]
    found = compare(first, second)
    assert (found.levels, found.difference) == (4, 0.5)
    assert (found.only_first, found.only_second) == (3, 1)
    assert found.p_value == 0.625  # 3 against 1: twice (1 + 4) / 16
    assert found.interval.low <= 0.5 <= found.interval.high
    with pytest.raises(ValueError, match="no level in common"):
        compare(first, [result("z")])


def test_a_run_does_not_differ_from_itself() -> None:
    run = [result(name, n, solved=n == 1) for name in "abc" for n in (1, 2)]
    found = compare(run, run)
    assert (found.difference, found.p_value) == (0, 1)
    assert (found.interval.low, found.interval.high) == (0, 0)


def test_a_result_is_made_from_the_log(tmp_path: Path) -> None:
    level = find_level("burr-chinese-cross")
    assert level.plan is not None
    script = tmp_path / "script.txt"
    script.write_text(
        "slide red -x 1\nslide red +x 1\nslide red +x 9\nslide mauve +x 1\nnonsense\n"
    )
    path = tmp_path / "episode.jsonl"
    options = Options(obs=Obs.STATE)
    with Episode(level, options=options, listener=EpisodeLog(path)) as episode:
        play_episode(episode, create_agent(f"scripted:{script}", level))
    found = make_result(read_log(path), 2, Usage(1, 2, 3))
    assert (found.level, found.family, found.attempt) == (level.id, "burr", 2)
    assert (found.outcome, found.steps, found.budget) == (Outcome.GAVE_UP, 5, level.budget)
    assert (found.plan, found.plan_bound) == (len(level.plan), level.plan.lower_bound)
    reasons = [(refusal.step, refusal.reason) for refusal in found.refusals]
    assert reasons[-2:] == [(4, "UNKNOWN_COLOUR"), (5, "UNKNOWN_ACTION")]
    assert found.legal_steps == 5 - len(reasons)
    assert found.usage.tokens == 5
    assert not found.solved


def test_a_step_back_repeats_a_state(tmp_path: Path) -> None:
    level = find_level("burr-piston")
    assert level.plan is not None
    path = tmp_path / "episode.jsonl"
    there = level.plan.actions[0]
    assert isinstance(there, Slide)
    back = Slide(there.pieces, there.direction.opposite, there.distance)
    options = Options(obs=Obs.STATE)
    with Episode(level, options=options, listener=EpisodeLog(path)) as episode:
        for action in (there, back, there):
            episode.step(action)
        episode.end()
    assert make_result(read_log(path), 1).repeated == 2


def test_an_episode_that_was_cut_off_has_no_result(tmp_path: Path) -> None:
    level = find_level("burr-piston")
    path = tmp_path / "episode.jsonl"
    with EpisodeLog(path) as log:
        Episode(level, options=Options(obs=Obs.STATE), listener=log).leave()
    with pytest.raises(ValueError, match="cut off"):
        make_result(read_log(path), 1)

"""Metrics of a run: pure functions of its results.

Task success, plan efficiency and cost are those of CHAIN (section 2.3, equations 1 to 7). Where a
plan is only an upper bound of the shortest, distances are given as a range: the shortest plan has
some length from the proven bound to that of the plan.
"""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from bridge.agents.usage import Usage
from bridge.runs.results import EpisodeResult
from bridge.scoring.statistics import (
    Interval,
    bootstrap_clusters,
    compute_mean,
    compute_pass_at_k,
    compute_wilson_interval,
    sign_flip_test,
)
from pysim.errors import InputError

__all__ = [
    "AttemptGain",
    "Comparison",
    "PlanDistance",
    "Price",
    "Score",
    "compare",
    "compute_attempt_gain",
    "compute_mean_pass_at",
    "compute_pass_at_1",
    "compute_pass_by_attempt",
    "compute_solved_within",
    "count_errors",
    "count_errors_by_colour",
    "group_by",
    "group_by_level",
    "score",
]


@dataclass(frozen=True, slots=True)
class Price:
    """Price of a model, in USD for a million tokens.

    Attributes:
        tokens_in, tokens_out: asked and said.
        tokens_cached: asked, of those that the provider had in its cache; None: like all others.
    """

    tokens_in: float
    tokens_out: float
    tokens_cached: float | None = None

    def compute_cost(self, usage: Usage) -> float:
        """USD."""
        cached = self.tokens_in if self.tokens_cached is None else self.tokens_cached
        asked = self.tokens_in * (usage.tokens_in - usage.tokens_cached)
        return (asked + cached * usage.tokens_cached + self.tokens_out * usage.tokens_out) / 1e6


@dataclass(frozen=True, slots=True)
class PlanDistance:
    """A mean distance from the shortest plans.

    Attributes:
        low: measured against the certified plans; the distance, if they are all optimal.
        high: measured against the proven lower bounds.
    """

    low: float
    high: float

    @property
    def exact(self) -> bool:
        """Whether every plan that counts is optimal."""
        return self.low == self.high


@dataclass(frozen=True, slots=True)
class Score:
    """Score of some episodes. Means over no episode are None.

    Attributes:
        levels, episodes, solved: counts.
        pass_at_1: share of attempts that solve their level, each level weighing the same; with
            several attempts at each this is avg@k.
        wilson: of ``pass_at_1``, attempts taken as independent.
        bootstrap: of ``pass_at_1``, whole levels drawn.
        progress: the furthest share of the certified plan that an episode came to, on average over
            those whose level has one; 1 for solved ones.
        avg_steps: of the solved episodes.
        dist2opt: steps beyond the shortest plan, of the solved episodes whose level has a plan.
        normdist: the same divided by the length of that plan.
        legality: share of steps that were legal.
        repeated: share of legal steps that led back to a state seen before.
        first_error: mean number of the first refused step, of the episodes that have one.
        faultless: share of episodes without a refused step.
        disagreements: how often a world did not confirm the rules.
        usage: what models were asked.
        tried: steps made in all, those of searches too.
        scorer_usage: what the models of searches' scorers were asked.
        solved_per_million_tokens: CHAIN's Solved/Tokens, scorers' tokens among them; None without
            tokens.
    """

    levels: int
    episodes: int
    solved: int
    pass_at_1: float | None
    wilson: Interval | None
    bootstrap: Interval | None
    progress: float | None
    avg_steps: float | None
    dist2opt: PlanDistance | None
    normdist: PlanDistance | None
    legality: float | None
    repeated: float | None
    first_error: float | None
    faultless: float | None
    disagreements: int
    usage: Usage
    tried: int
    scorer_usage: Usage
    solved_per_million_tokens: float | None

    def compute_cost(self, price: Price | None, scorer_price: Price | None = None) -> float | None:
        """Return USD of agents and scorers; None if one of them used tokens of unknown price."""
        paid = [(self.usage, price), (self.scorer_usage, scorer_price)]
        if any(usage.tokens and each is None for usage, each in paid):
            return None
        return math.fsum(each.compute_cost(usage) for usage, each in paid if each is not None)

    def compute_solved_per_usd(
        self, price: Price | None, scorer_price: Price | None = None
    ) -> float | None:
        """CHAIN's Solved/USD, scorers' tokens among them; None if nothing is known to be paid."""
        cost = self.compute_cost(price, scorer_price)
        return self.solved / cost if cost else None


def score(results: Sequence[EpisodeResult]) -> Score:
    """Return the score of some episodes."""
    solved = [result for result in results if result.solved]
    levels = group_by_level(results)
    usage = sum((result.usage for result in results), Usage())
    scorer_usage = sum((result.scorer_usage for result in results), Usage())
    tokens = usage.tokens + scorer_usage.tokens
    steps = sum(result.steps for result in results)
    legal = sum(result.legal_steps for result in results)
    return Score(
        levels=len(levels),
        episodes=len(results),
        solved=len(solved),
        pass_at_1=compute_pass_at_1(results),
        wilson=compute_wilson_interval(len(solved), len(results)) if results else None,
        bootstrap=_bootstrap(levels) if results else None,
        progress=compute_mean(r.progress for r in results if r.progress is not None),
        avg_steps=compute_mean(result.steps for result in solved),
        dist2opt=_distance(solved, lambda beyond, plan: beyond),
        normdist=_distance(solved, lambda beyond, plan: beyond / max(1, plan)),
        legality=legal / steps if steps else None,
        repeated=sum(result.repeated for result in results) / legal if legal else None,
        first_error=compute_mean(r.first_error for r in results if r.first_error is not None),
        faultless=compute_mean(not result.refusals for result in results),
        disagreements=sum(result.disagreements for result in results),
        usage=usage,
        tried=sum(result.tried for result in results),
        scorer_usage=scorer_usage,
        solved_per_million_tokens=len(solved) / tokens * 1e6 if tokens else None,
    )


def compute_pass_at_1(results: Iterable[EpisodeResult]) -> float | None:
    """Return the share of attempts that solve their level, each level weighing the same."""
    return compute_mean(_share_solved(group) for group in group_by_level(results).values())


def group_by_level(results: Iterable[EpisodeResult]) -> dict[str, list[EpisodeResult]]:
    """Return the attempts at each level, levels in the order of the first."""
    return group_by(results, lambda result: result.level)


def group_by(
    results: Iterable[EpisodeResult], key: Callable[[EpisodeResult], str]
) -> dict[str, list[EpisodeResult]]:
    """Results by something, in the order in which it is first met."""
    groups: dict[str, list[EpisodeResult]] = {}
    for result in results:
        groups.setdefault(key(result), []).append(result)
    return groups


def compute_mean_pass_at(results: Sequence[EpisodeResult], k: int) -> float:
    """Return the mean over levels of the unbiased pass@k.

    Raises:
        InputError: there are no results, or a level has fewer than ``k`` attempts.
    """
    levels = group_by_level(results)
    if not levels:
        raise InputError("there are no results")
    values = [compute_pass_at_k(len(r), sum(one.solved for one in r), k) for r in levels.values()]
    return math.fsum(values) / len(values)


def compute_pass_by_attempt(results: Iterable[EpisodeResult]) -> list[float]:
    """Return the share of levels that the first attempt solved, the second one, and so on.

    An attempt without a result counts for no level, so that an unfinished run is no failure.
    """
    attempts = group_by(results, lambda result: str(result.attempt))
    in_order = sorted(attempts.values(), key=lambda some: some[0].attempt)
    return [sum(result.solved for result in some) / len(some) for some in in_order]


@dataclass(frozen=True, slots=True)
class AttemptGain:
    """Gain from the first attempt to the last, over levels that have both.

    Attributes:
        difference: share that the last attempt solved less that of the first.
        interval: of the difference, levels drawn.
    """

    difference: float
    interval: Interval


def compute_attempt_gain(results: Iterable[EpisodeResult], attempts: int) -> AttemptGain | None:
    """Return the gain from the first attempt to the last; None where no level has both.

    Args:
        results: of a run.
        attempts: number of the last attempt.
    """
    differences = []
    for some in group_by_level(results).values():
        solved = {result.attempt: float(result.solved) for result in some}
        if {1, attempts} <= solved.keys():
            differences.append(solved[attempts] - solved[1])
    if not differences:
        return None
    interval = bootstrap_clusters([[difference] for difference in differences])
    return AttemptGain(math.fsum(differences) / len(differences), interval)


def compute_solved_within(results: Sequence[EpisodeResult]) -> list[float]:
    """The share of episodes solved within 0, 1, 2, ... steps, up to the longest solved one."""
    ends = Counter(result.steps for result in results if result.solved)
    shares, solved = [], 0
    for step in range(max(ends, default=-1) + 1):
        solved += ends[step]
        shares.append(solved / len(results))
    return shares


def count_errors(results: Iterable[EpisodeResult]) -> Counter[str]:
    """Count how often each rule was broken."""
    return Counter(refusal.reason for result in results for refusal in result.refusals)


def count_errors_by_colour(results: Iterable[EpisodeResult]) -> Counter[tuple[str, str]]:
    """Count how often each rule was broken because of each colour (or field)."""
    return Counter(
        (refusal.reason, culprit)
        for result in results
        for refusal in result.refusals
        for culprit in refusal.culprits
    )


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two runs on the levels that both have finished.

    Attributes:
        levels: how many those are.
        difference: pass@1 of the first less that of the second.
        interval: of the difference, levels drawn.
        p_value: of the exact sign-flip test over levels, two-sided.
        only_first, only_second: levels that only one of them ever solved.
    """

    levels: int
    difference: float
    interval: Interval
    p_value: float
    only_first: int
    only_second: int


def compare(first: Sequence[EpisodeResult], second: Sequence[EpisodeResult]) -> Comparison:
    """Compare two runs, level by level.

    Raises:
        InputError: they have no level in common.
    """
    one, two = group_by_level(first), group_by_level(second)
    common = [level for level in one if level in two]
    if not common:
        raise InputError("these runs have no level in common")
    pairs = [(_share_solved(one[level]), _share_solved(two[level])) for level in common]
    differences = [a - b for a, b in pairs]
    return Comparison(
        levels=len(common),
        difference=math.fsum(differences) / len(common),
        interval=bootstrap_clusters([[difference] for difference in differences]),
        p_value=sign_flip_test(differences),
        only_first=sum(a > 0 and b == 0 for a, b in pairs),
        only_second=sum(b > 0 and a == 0 for a, b in pairs),
    )


def _share_solved(attempts: Sequence[EpisodeResult]) -> float:
    return sum(result.solved for result in attempts) / len(attempts)


def _bootstrap(levels: Mapping[str, Sequence[EpisodeResult]]) -> Interval:
    return bootstrap_clusters([[_share_solved(attempts)] for attempts in levels.values()])


def _distance(
    solved: Sequence[EpisodeResult], measure: Callable[[int, int], float]
) -> PlanDistance | None:
    """The mean of ``measure(steps beyond the plan, length of the plan)``, for both lengths."""
    low = compute_mean(
        measure(max(0, r.steps - r.plan), r.plan) for r in solved if r.plan is not None
    )
    high = compute_mean(
        measure(max(0, r.steps - r.plan_bound), r.plan_bound)
        for r in solved
        if r.plan_bound is not None
    )
    return None if low is None or high is None else PlanDistance(low, high)

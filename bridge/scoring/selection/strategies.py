"""Value of strategies of selection: pure functions of results and scores (CHAIN, Table 4).

A strategy plays k attempts at a level and hands in one of them. Its accuracy is the expectation
over all choices of k among the n attempts that were played, which is exact and needs no luck: with
a scorer that knows the truth it is the unbiased pass@k, with one that knows nothing avg@n.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from bridge.agents.usage import NO_USAGE, Usage
from bridge.runs.results import EpisodeResult
from bridge.scoring.metrics import Price, group_by, group_by_level
from pysim.errors import InputError
from pysim.limits import quote

__all__ = ["Strategy", "compute_solve_probability", "evaluate_average", "evaluate_selection"]

Scores = Mapping[str, Sequence[float]]
"""For each level a score for each of its attempts, in their order."""


@dataclass(frozen=True, slots=True)
class Strategy:
    """Success and cost of a way to choose.

    Attributes:
        name: as in ``Avg@4`` or ``verifier@4``.
        k: attempts that it chooses from.
        attempts: that were played at each level.
        levels: how many there are.
        accuracy: expected share of levels whose chosen attempt is solved.
        by_family: the same for the levels of each family.
        gain: what that is more than an attempt chosen by chance.
        family_mean: the mean of ``by_family``, so that families weigh the same.
        family_gain: what that is more than for an attempt chosen by chance.
        steps: that agents make for a level, on average, all k attempts and searches together.
        tokens: for a level, on average: of k attempts, and of choosing.
        agent_usage: what models were asked for all attempts that were played.
        scorer_usage: what models were asked to choose, for all levels.
    """

    name: str
    k: int
    attempts: int
    levels: int
    accuracy: float
    by_family: Mapping[str, float]
    gain: float
    family_mean: float
    family_gain: float
    steps: float
    tokens: float
    agent_usage: Usage
    scorer_usage: Usage

    def compute_usd(self, agent: Price | None, scorer: Price | None) -> float | None:
        """Compute the mean cost of a level; None where a request has no price."""
        share = self.k / self.attempts
        parts = [(self.agent_usage, agent, share), (self.scorer_usage, scorer, 1.0)]
        asked = [(usage, price, weight) for usage, price, weight in parts if usage.tokens]
        if any(price is None for _, price, _ in asked):
            return None
        return math.fsum(w * p.compute_cost(u) for u, p, w in asked if p is not None) / self.levels


def evaluate_average(results: Sequence[EpisodeResult]) -> Strategy:
    """Avg@n: one attempt, chosen by chance.

    Raises:
        InputError: as for :func:`evaluate_selection`.
    """
    scores = {level: [0.0] * len(group) for level, group in group_by_level(results).items()}
    found = evaluate_selection("Avg", results, scores, 1)
    return replace(found, name=f"Avg@{found.attempts}")


def evaluate_selection(
    name: str,
    results: Sequence[EpisodeResult],
    scores: Scores,
    k: int,
    scorer_usage: Usage = NO_USAGE,
) -> Strategy:
    """The best of ``k`` attempts by ``scores``; of equally good ones each with the same chance.

    Raises:
        InputError: there are no results, levels have different numbers of attempts or fewer than
            ``k``, or there are not as many scores as attempts.
    """
    levels = group_by_level(results)
    counts = {len(group) for group in levels.values()}
    if len(counts) != 1:
        raise InputError(
            f"the choice {quote(name)} needs attempts at every level, and the same number of them"
        )
    attempts = counts.pop()
    for level in levels:
        if (given := len(scores.get(level, ()))) != attempts:
            raise InputError(
                f"the choice {quote(name)} has {given} scores of {level} for {attempts} attempts; "
                "remove its file, or let `luban select` choose again"
            )
    chances = {
        level: compute_solve_probability(scores.get(level, ()), [r.solved for r in group], k)
        for level, group in levels.items()
    }
    families = group_by([group[0] for group in levels.values()], lambda result: result.family)
    by_family = {f: _mean([chances[r.level] for r in group]) for f, group in families.items()}
    family_mean = _mean(list(by_family.values()))
    usage = sum((result.usage + result.scorer_usage for result in results), Usage())
    accuracy, share = _mean(list(chances.values())), Fraction(k, attempts)
    by_chance = Fraction(sum(result.solved for result in results), len(results))
    played = group_by(results, lambda result: result.family).values()
    family_chance = _mean([Fraction(sum(r.solved for r in some), len(some)) for some in played])
    return Strategy(
        name=f"{name}@{k}",
        k=k,
        attempts=attempts,
        levels=len(levels),
        accuracy=float(accuracy),
        by_family={family: float(share) for family, share in by_family.items()},
        gain=float(accuracy - by_chance),
        family_mean=float(family_mean),
        family_gain=float(family_mean - family_chance),
        steps=float(share * sum(result.tried for result in results) / len(levels)),
        tokens=float((share * usage.tokens + scorer_usage.tokens) / len(levels)),
        agent_usage=usage,
        scorer_usage=scorer_usage,
    )


def compute_solve_probability(scores: Sequence[float], solved: Sequence[bool], k: int) -> Fraction:
    """Compute the probability that the best of ``k`` attempts is solved.

    The attempts are drawn from all without repeats.

    The best of the k is one of a group of t equally good attempts, a better ones left out, in
    C(n-a, k) - C(n-a-t, k) of all C(n, k) draws, and then each of the t with the same chance.

    Raises:
        ValueError: not as many scores as attempts, or not 1 <= k <= attempts.
    """
    attempts = len(solved)
    if len(scores) != attempts:
        raise ValueError(f"there are {len(scores)} scores for {attempts} attempts")
    if not 1 <= k <= attempts:
        raise InputError(f"a choice among {k} needs at least {k} attempts, there are {attempts}")
    chance, left = Fraction(0), attempts
    for value in sorted(set(scores), reverse=True):
        tied = [one for score, one in zip(scores, solved, strict=True) if score == value]
        draws = math.comb(left, k) - math.comb(left - len(tied), k)
        chance += Fraction(draws * sum(tied), len(tied))
        left -= len(tied)
    return chance / math.comb(attempts, k)


def _mean(values: Sequence[Fraction]) -> Fraction:
    return sum(values, Fraction(0)) / len(values)

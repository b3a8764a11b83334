"""Statistics of successes, with the papers that they are from. Pure functions of numbers."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from pysim.errors import InputError

__all__ = [
    "Bootstrap",
    "Interval",
    "bootstrap_clustered_ratio",
    "bootstrap_clusters",
    "compute_mean",
    "compute_pass_at_k",
    "compute_wilson_interval",
    "sign_flip_test",
]

CONFIDENCE = 0.95
SAMPLES = 10_000


@dataclass(frozen=True, slots=True)
class Interval:
    """A confidence interval, both ends included."""

    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Bootstrap:
    """A percentile interval of a statistic, and the standard deviation of its draws."""

    interval: Interval
    deviation: float


def compute_mean(values: Iterable[float]) -> float | None:
    """Return the arithmetic mean; None of nothing."""
    numbers = list(values)
    return math.fsum(numbers) / len(numbers) if numbers else None


def compute_pass_at_k(attempts: int, solved: int, k: int) -> float:
    """Return the unbiased estimate of the chance that one of ``k`` attempts solves a level.

    1 - C(n-c, k) / C(n, k): Chen et al., "Evaluating Large Language Models Trained on Code"
    (2021), equation 1.

    Raises:
        InputError: not 0 <= solved <= attempts, or not 1 <= k <= attempts.
    """
    if not 0 <= solved <= attempts:
        raise ValueError(f"of {attempts} attempts {solved} can't be solved")
    if not 1 <= k <= attempts:
        raise InputError(f"pass@{k} needs at least {k} attempts, and there are {attempts}")
    return float(1 - Fraction(math.comb(attempts - solved, k), math.comb(attempts, k)))


def compute_wilson_interval(
    successes: int, trials: int, confidence: float = CONFIDENCE
) -> Interval:
    """Wilson's score interval of a share: E. B. Wilson, JASA 22 (1927), 209-212.

    It takes trials as independent; attempts at one level are not, see :func:`bootstrap_clusters`.

    Raises:
        ValueError: not 0 <= successes <= trials, or no trials.
    """
    if trials < 1 or not 0 <= successes <= trials:
        raise ValueError(f"of {trials} trials {successes} can't be successes")
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    share, weight = successes / trials, z * z / trials
    centre = (share + weight / 2) / (1 + weight)
    reach = z / (1 + weight) * math.sqrt(share * (1 - share) / trials + weight / trials / 4)
    low = 0.0 if successes == 0 else centre - reach
    high = 1.0 if successes == trials else centre + reach
    return Interval(low, high)


def bootstrap_clusters(
    clusters: Sequence[Sequence[float]],
    *,
    confidence: float = CONFIDENCE,
    samples: int = SAMPLES,
    seed: int = 0,
) -> Interval:
    """Percentile bootstrap of the mean of all values, in which whole clusters are drawn.

    Attempts at one level resemble each other, so levels are drawn, with all their attempts:
    Davison and Hinkley, "Bootstrap Methods and their Application" (1997), section 3.8.

    Raises:
        ValueError: no clusters, or an empty one.
    """
    if not clusters or not all(clusters):
        raise ValueError("the bootstrap needs clusters, each with at least one value")
    parts = [(math.fsum(cluster), float(len(cluster))) for cluster in clusters]
    return bootstrap_clustered_ratio(
        parts, confidence=confidence, samples=samples, seed=seed
    ).interval


def bootstrap_clustered_ratio(
    parts: Sequence[tuple[float, float]],
    *,
    confidence: float = CONFIDENCE,
    samples: int = SAMPLES,
    seed: int = 0,
) -> Bootstrap:
    """Bootstrap a ratio of sums over clusters: a mean of values, an F1.

    Args:
        parts: numerator and denominator of each cluster; draws whose denominators sum to 0 are left
            out.

    Raises:
        ValueError: no cluster has a denominator above 0.
    """
    if not any(below > 0 for _, below in parts):
        raise ValueError("the bootstrap needs a cluster with a denominator above 0")
    drawn = _drawn_ratios(parts, samples, seed)
    tail = (1 - confidence) / 2
    low, high = np.quantile(drawn, [tail, 1 - tail]).tolist()
    return Bootstrap(Interval(low, high), float(drawn.std()))


def _drawn_ratios(
    parts: Sequence[tuple[float, float]], samples: int, seed: int
) -> NDArray[np.float64]:
    """Return the ratio in each of so many draws of as many clusters as there are."""
    above, below = np.array(parts, dtype=np.float64).T
    rng = np.random.default_rng(seed)
    found = []
    for start in range(0, samples, _BLOCK):
        size = (min(_BLOCK, samples - start), len(parts))
        drawn = rng.integers(len(parts), size=size)
        sums = below[drawn].sum(axis=1)
        kept = sums > 0
        found.append(above[drawn].sum(axis=1)[kept] / sums[kept])
    return np.concatenate(found)


def sign_flip_test(differences: Sequence[float]) -> float:
    """Return the two-sided p-value of paired differences under random signs (Fisher, 1935).

    The share of all 2^n choices of signs whose sum is at least as far from 0 as the one found. For
    differences of -1, 0 and 1 this is the exact test of McNemar. It is exact, unless shares of so
    many different numbers of attempts come together that counting would take minutes: then it is
    estimated from 100,000 choices of signs, always the same ones.

    Args:
        differences: numbers that are whole after multiplying by a number up to a million, such as
            differences of shares of up to 1000 attempts.

    Raises:
        ValueError: they are not.
    """
    exact = [Fraction(d).limit_denominator(1_000_000) for d in differences]
    if any(abs(float(e) - d) > 1e-14 for e, d in zip(exact, differences, strict=True)):
        raise ValueError("the exact test needs differences of shares")
    unit = math.lcm(1, *(e.denominator for e in exact))
    sizes = [size for e in exact if (size := abs(int(e * unit)))]
    found = abs(int(sum(exact) * unit))
    if sum(sizes) * len(sizes) > _COUNTED:
        return _sampled_p_value(sizes, found)
    # ways[i]: in how many ways the flipped sizes sum up to i; the sum found is total - 2 i.
    ways, total = [1], sum(sizes)
    for size in sizes:
        moved = [0] * size + ways
        ways = [a + b for a, b in zip(ways + [0] * size, moved, strict=True)]
    extreme = sum(count for i, count in enumerate(ways) if abs(total - 2 * i) >= found)
    return float(Fraction(extreme, 2 ** len(sizes)))


_COUNTED = 50_000_000
"""Sums that are counted at most: about ten seconds."""
_DRAWN, _BLOCK = 100_000, 1_000


def _sampled_p_value(sizes: Sequence[int], found: int) -> float:
    """The estimate from random signs, the signs found counted among them, so that it is never 0.

    Davison and Hinkley (1997), equation 4.11.
    """
    rng = np.random.default_rng(0)
    weights = np.array(sizes, dtype=np.float64)
    extreme = 0
    for _ in range(_DRAWN // _BLOCK):
        signs = 1.0 - 2.0 * rng.integers(2, size=(_BLOCK, len(sizes)))
        extreme += int(np.count_nonzero(np.abs(signs @ weights) >= found))
    return (1 + extreme) / (1 + _DRAWN)

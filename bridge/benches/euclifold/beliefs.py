"""Winograd-style accuracy: what pairs of answers tell of beliefs (section 4.3).

Pure functions of counts; None is undefined.
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from bridge.scoring.answers import share
from bridge.scoring.statistics import Interval, sign_flip_test

__all__ = ["AnswerPair", "Beliefs", "compute_guess_scores"]

Variance = Callable[[float, float], float]
"""Of the difference of two shares, times the number of pairs."""
_Z = 1.959963984540054
"""Of a 95 % interval of the normal distribution."""


@dataclass(frozen=True, slots=True)
class AnswerPair:
    """The answers to a true statement and to its false twin; None could not be read."""

    true: bool | None
    false: bool | None

    @property
    def belief(self) -> int:
        """1 if both are right, -1 if both are wrong, 0 if the two are not told apart.

        An answer that could not be read tells of no belief.
        """
        if self.true is None or self.false is None:
            return 0
        return int(self.true) - int(self.false)


@dataclass(frozen=True, slots=True)
class Beliefs:
    """Pairs of answers, counted.

    Attributes:
        pairs: in any order.
    """

    pairs: Sequence[AnswerPair]

    @property
    def true_belief(self) -> float | None:
        """P[true belief]: the share of pairs in which both answers are right."""
        return share(pair.belief > 0 for pair in self.pairs)

    @property
    def false_belief(self) -> float | None:
        """P[false belief]: the share of pairs in which both answers are wrong."""
        return share(pair.belief < 0 for pair in self.pairs)

    @property
    def wino_accuracy(self) -> float | None:
        """Equation 3: the difference of the two, from -1 to 1."""
        true, false = self.true_belief, self.false_belief
        return None if true is None or false is None else true - false

    @property
    def interval(self) -> Interval | None:
        """The paper's 95 %: both shares are taken as independent, and their difference as normal.

        They are not independent, for no pair shows both beliefs; see :attr:`joint_interval`.
        """
        return self._around(lambda p, q: p * (1 - p) + q * (1 - q))

    @property
    def joint_interval(self) -> Interval | None:
        """95 % with the covariance of the shares, -p q / n, taken into account; never smaller."""
        return self._around(lambda p, q: p + q - (p - q) ** 2)

    @property
    def p_value(self) -> float | None:
        """Of no belief at all: McNemar's exact test."""
        return sign_flip_test([float(pair.belief) for pair in self.pairs]) if self.pairs else None

    def _around(self, variance: Variance) -> Interval | None:
        true, false = self.true_belief, self.false_belief
        if true is None or false is None:
            return None
        reach = _Z * math.sqrt(max(0.0, variance(true, false)) / len(self.pairs))
        return Interval(max(-1.0, true - false - reach), min(1.0, true - false + reach))


def compute_guess_scores(answers: Iterable[bool] = (True, False)) -> Mapping[str, float | None]:
    """Compute the mean score of uniformly random answers, metric by metric.

    Worked out over all equally likely pairs of answers.
    """
    drawn = [AnswerPair(*pair) for pair in product(list(answers), repeat=2)]
    beliefs = Beliefs(drawn)
    return {
        "wino_accuracy": beliefs.wino_accuracy,
        "true_belief": beliefs.true_belief,
        "false_belief": beliefs.false_belief,
        "accuracy": share(right for p in drawn for right in (p.true is True, p.false is False)),
        "true_rate": share(bool(answer) for pair in drawn for answer in (pair.true, pair.false)),
        "true_bias": 0.0,
        "positive_accuracy": share(pair.true is True for pair in drawn),
        "negative_accuracy": share(pair.false is False for pair in drawn),
    }

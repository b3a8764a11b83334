"""Metrics of answers, as Cube Bench defines them. Pure functions of counts; None is undefined."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from statistics import median

from bridge.scoring.statistics import Interval, compute_wilson_interval

__all__ = [
    "Adherence",
    "Attempts",
    "Binary",
    "Confusion",
    "Grids",
    "Revision",
    "Selective",
    "compute_js_divergence",
    "share",
]


def share(hits: Iterable[bool]) -> float | None:
    """Return the share of hits; None of nothing."""
    values = list(hits)
    return _ratio(sum(values), len(values))


def _ratio(part: float, whole: float) -> float | None:
    return part / whole if whole else None


@dataclass(frozen=True, slots=True)
class Grids:
    """Faces as they were read and as they are (A.1.1).

    Attributes:
        pairs: answer and gold, (9,) tokens each; an answer that could not be read is None, and
            wrong in every place.
    """

    pairs: Sequence[tuple[Sequence[str] | None, Sequence[str]]]

    @property
    def element_accuracy(self) -> float | None:
        """The share of stickers that are right."""
        return share(
            answer is not None and answer[k] == token
            for answer, gold in self.pairs
            for k, token in enumerate(gold)
        )

    @property
    def matrix_accuracy(self) -> float | None:
        """The share of faces that are right as a whole."""
        return share(answer == gold for answer, gold in self.pairs)

    @property
    def parse_rate(self) -> float | None:
        """The share of answers that could be read."""
        return share(answer is not None for answer, _ in self.pairs)


@dataclass(frozen=True, slots=True)
class Binary:
    """Answers yes and no, yes being the positive class (4.3.2).

    Answers that could not be read are in none of the rates but the parse rate: with them left out,
    the figures that the paper prints (Table 3, Qwen 2.5-VL-7B: 71.3, 98, 57.1) are those of whole
    numbers of answers, and with them as errors they are not.

    Attributes:
        answers: answer (None: could not be read) and truth.
    """

    answers: Sequence[tuple[bool | None, bool]]

    def compute_rate(self, truth: bool) -> float | None:
        """Return the share of ``truth`` that is answered so: the true positive or negative rate."""
        return share(answer is truth for answer, gold in self._read if gold is truth)

    @property
    def balanced_accuracy(self) -> float | None:
        """The mean of both rates; None if one of them has no cases."""
        positive, negative = self.compute_rate(True), self.compute_rate(False)
        return None if positive is None or negative is None else (positive + negative) / 2

    @property
    def parse_rate(self) -> float | None:
        """The share of answers that could be read."""
        return _ratio(len(self._read), len(self.answers))

    @property
    def yes_rate(self) -> float | None:
        """Share of yes among the answers; what Table 3 prints as bias."""
        return share(bool(answer) for answer, _ in self._read)

    @property
    def bias(self) -> float | None:
        """Difference of the share of yes from the true one."""
        prior = share(gold for _, gold in self.answers)
        return None if self.yes_rate is None or prior is None else abs(self.yes_rate - prior)

    @property
    def accuracy(self) -> float | None:
        """The share of all answers that are right."""
        return share(answer is gold for answer, gold in self.answers)

    @property
    def _read(self) -> list[tuple[bool | None, bool]]:
        return [pair for pair in self.answers if pair[0] is not None]


@dataclass(frozen=True, slots=True)
class Revision:
    """Effect of a second answer on a first one (A.4.1).

    Attributes:
        pairs: whether the first and whether the second answer was right.
    """

    pairs: Sequence[tuple[bool, bool]]

    @property
    def initial(self) -> float | None:
        """Accuracy before."""
        return share(first for first, _ in self.pairs)

    @property
    def final(self) -> float | None:
        """Accuracy after."""
        return share(second for _, second in self.pairs)

    @property
    def gain(self) -> float | None:
        """After less before."""
        before, after = self.initial, self.final
        return None if before is None or after is None else after - before

    @property
    def error_fix_rate(self) -> float | None:
        """EFR: of the wrong ones, the share that was put right."""
        return share(second for first, second in self.pairs if not first)

    @property
    def overthink_rate(self) -> float | None:
        """OTR: of the right ones, the share that was made wrong."""
        return share(not second for first, second in self.pairs if first)


@dataclass(frozen=True, slots=True)
class Adherence:
    """Steps of closed-loop episodes (4.3.5); steps that were not reached are wrong.

    Attributes:
        episodes: of each, how many steps it should have, and which of those made were correct.
    """

    episodes: Sequence[tuple[int, Sequence[bool]]]

    @property
    def teacher_adherence(self) -> float | None:
        """TA: the mean over episodes of correct steps by all steps."""
        if not self.episodes:
            return None
        parts = sum(Fraction(sum(steps), depth) for depth, steps in self.episodes)
        return float(parts / len(self.episodes))

    @property
    def perfect(self) -> float | None:
        """The share of episodes with all steps correct."""
        return share(sum(steps) == depth for depth, steps in self.episodes)


@dataclass(frozen=True, slots=True)
class Selective:
    """Decisions of an agent that may abstain (A.6.1).

    Attributes:
        correct, wrong: of the options that were chosen.
        abstained: IDK.
        unread: that could not be read; they count among all decisions.
    """

    correct: int
    wrong: int
    abstained: int
    unread: int

    @property
    def total(self) -> int:
        """All decisions."""
        return self.correct + self.wrong + self.abstained + self.unread

    @property
    def coverage(self) -> float | None:
        """The share of decisions that chose an option."""
        return _ratio(self.correct + self.wrong, self.total)

    @property
    def selective_accuracy(self) -> float | None:
        """Of those, the share that is correct."""
        return _ratio(self.correct, self.correct + self.wrong)

    @property
    def idk_rate(self) -> float | None:
        """The share of abstentions."""
        return _ratio(self.abstained, self.total)

    def compute_apa(self, weight: float = 0.25) -> float | None:
        """Abstention-penalised accuracy: an abstention counts ``weight``, 0 to 1."""
        return _ratio(self.correct + weight * self.abstained, self.total)


@dataclass(frozen=True, slots=True)
class Confusion:
    """Labels that were given and right ones (4.3.6).

    Attributes:
        classes: those that are right somewhere or could be.
        counts: (right, given) -> how often; given is None where a label is missing.
    """

    classes: Sequence[str]
    counts: Mapping[tuple[str, str | None], int]

    @property
    def total(self) -> int:
        """All labels."""
        return sum(self.counts.values())

    @property
    def micro_accuracy(self) -> float | None:
        """p_o: the share that is right."""
        return _ratio(sum(self.counts.get((c, c), 0) for c in self.classes), self.total)

    @property
    def expected_dot(self) -> float | None:
        """p_e = q . pi: how much would be right if labels were given blindly in this mix."""
        if not self.total:
            return None
        return sum(self._gold(c) * self._given(c) for c in self.classes) / self.total**2

    @property
    def kappa(self) -> float | None:
        """Cohen's (p_o - p_e) / (1 - p_e); missing labels agree with nothing."""
        agreed, expected = self.micro_accuracy, self.expected_dot
        if agreed is None or expected is None or expected == 1.0:
            return None
        return (agreed - expected) / (1.0 - expected)

    @property
    def macro_f1(self) -> float | None:
        """The mean F1 of the classes that are right or given somewhere.

        F1 is 2 TP / (2 TP + FP + FN); a missing label is a false negative of the right class.
        """
        present = [c for c in self.classes if self._gold(c) + self._given(c)]
        scores = [
            2 * self.counts.get((c, c), 0) / (self._gold(c) + self._given(c)) for c in present
        ]
        return _ratio(math.fsum(scores), len(scores))

    def _gold(self, label: str) -> int:
        return sum(n for (gold, _), n in self.counts.items() if gold == label)

    def _given(self, label: str) -> int:
        return sum(n for (_, given), n in self.counts.items() if given == label)


@dataclass(frozen=True, slots=True)
class Attempts:
    """Episodes with several attempts (4.3.7, A.8.1).

    Attributes:
        solved_after: T of each episode; None if it was not solved.
        most: attempts allowed.
    """

    solved_after: Sequence[int | None]
    most: int

    @property
    def solve_rate(self) -> float | None:
        """SR: the share of episodes that were solved."""
        return share(t is not None for t in self.solved_after)

    @property
    def interval(self) -> Interval | None:
        """Wilson's 95 % interval of the solve rate."""
        solved = sum(t is not None for t in self.solved_after)
        return (
            compute_wilson_interval(solved, len(self.solved_after)) if self.solved_after else None
        )

    def compute_share_within(self, attempts: int) -> float | None:
        """P(<= attempts): the share of all episodes solved by then."""
        limit = min(attempts, self.most)
        return share(t is not None and t <= limit for t in self.solved_after)

    @property
    def median_at_solved(self) -> float | None:
        """Med@Solved: of the episodes that were solved."""
        solved = [t for t in self.solved_after if t is not None]
        return float(median(solved)) if solved else None

    @property
    def average_at_all(self) -> float | None:
        """Avg@All: the mean number of attempts, all of them where an episode was not solved."""
        used = [self.most if t is None else t for t in self.solved_after]
        return _ratio(sum(used), len(used))


def compute_js_divergence(first: Sequence[float], second: Sequence[float]) -> float:
    """The Jensen-Shannon divergence of two distributions in bits, 0 (the same) to 1 (J. Lin, 1991).

    Raises:
        ValueError: one does not sum to more than 0, or they are of unlike lengths.
    """
    p, q = _normalised(first), _normalised(second)
    middle = [(a + b) / 2 for a, b in zip(p, q, strict=True)]
    return (_divergence(p, middle) + _divergence(q, middle)) / 2


def _normalised(weights: Sequence[float]) -> list[float]:
    total = math.fsum(weights)
    if not total > 0.0:
        raise ValueError("a distribution needs weights above 0")
    return [weight / total for weight in weights]


def _divergence(p: Sequence[float], q: Sequence[float]) -> float:
    return math.fsum(a * math.log2(a / b) for a, b in zip(p, q, strict=True) if a > 0.0)

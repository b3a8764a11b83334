"""Counts over any answers: right ones, alone and with those they belong to.

Items that differ in one point make a contrastive pair. Whoever guesses is right in half of all
answers, but in few pairs: so did H. Levesque, "The Winograd Schema Challenge" (2011), and T. Thrush
et al., "Winoground" (2022), count pairs and groups in which all is right.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bridge.scoring.statistics import (
    Interval,
    bootstrap_clustered_ratio,
    bootstrap_clusters,
    compute_mean,
    compute_wilson_interval,
)
from pysim.errors import InputError

__all__ = ["Judged", "Tally"]


@dataclass(frozen=True, slots=True)
class Judged:
    """One answer.

    Attributes:
        right: whether it is.
        read: whether it could be read; what can't be is wrong.
        group: shared by answers that belong together; empty if it stands alone.
    """

    right: bool
    read: bool = True
    group: str = ""


@dataclass(frozen=True, slots=True)
class Tally:
    """Some answers, counted; shares of nothing are None.

    Attributes:
        answers: in any order.
    """

    answers: Sequence[Judged]

    @property
    def accuracy(self) -> float | None:
        """The share of answers that are right."""
        return compute_mean(float(one.right) for one in self.answers)

    @property
    def interval(self) -> Interval | None:
        """95 % of the accuracy: Wilson's, or where there are groups from drawing whole groups.

        Where all answers are right, or all wrong, every draw is alike: then it is Wilson's of as
        many answers as there are groups.
        """
        if not self.answers:
            return None
        clusters = self._clusters
        if len(clusters) == len(self.answers) or self.accuracy in (0.0, 1.0):
            return compute_wilson_interval(
                round((self.accuracy or 0.0) * len(clusters)), len(clusters)
            )
        return bootstrap_clusters(clusters)

    @property
    def deviation(self) -> float | None:
        """Standard deviation of the accuracy, as bootstrapping estimates it, groups drawn whole."""
        if not self.answers:
            return None
        parts = [(sum(cluster), float(len(cluster))) for cluster in self._clusters]
        return bootstrap_clustered_ratio(parts).deviation

    @property
    def parse_rate(self) -> float | None:
        """The share of answers that could be read."""
        return compute_mean(float(one.read) for one in self.answers)

    @property
    def groups(self) -> int:
        """Number of groups."""
        return len(self._grouped)

    @property
    def group_accuracy(self) -> float | None:
        """The share of groups in which every answer is right; of pairs: in which both are."""
        return compute_mean(float(all(group)) for group in self._grouped.values())

    @property
    def group_interval(self) -> Interval | None:
        """Wilson's 95 % of :attr:`group_accuracy`."""
        if not self.groups:
            return None
        return compute_wilson_interval(sum(map(all, self._grouped.values())), self.groups)

    @property
    def mean_of_groups(self) -> float | None:
        """The mean over groups of the share that is right in each, so that all weigh the same."""
        return compute_mean(sum(group) / len(group) for group in self._grouped.values())

    @property
    def mean_interval(self) -> Interval | None:
        """95 % of :attr:`mean_of_groups`, from drawing groups."""
        if not self.groups:
            return None
        return bootstrap_clusters([[sum(g) / len(g)] for g in self._grouped.values()])

    def compute_paired_accuracy(self) -> float | None:
        """:attr:`group_accuracy` of contrastive pairs.

        Raises:
            InputError: some group has not two answers.
        """
        sizes = Counter(one.group for one in self.answers if one.group)
        odd = [name for name, size in sizes.items() if size != 2]
        if odd:
            raise InputError(f"{odd[0]} is no pair: it has {sizes[odd[0]]} answers")
        return self.group_accuracy

    @property
    def _grouped(self) -> Mapping[str, list[bool]]:
        found: dict[str, list[bool]] = {}
        for one in self.answers:
            if one.group:
                found.setdefault(one.group, []).append(one.right)
        return found

    @property
    def _clusters(self) -> list[list[float]]:
        """The groups, and each answer that stands alone."""
        alone = [[float(one.right)] for one in self.answers if not one.group]
        return [[float(right) for right in group] for group in self._grouped.values()] + alone

"""EucliFold as a suite of items."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bridge.benches.euclifold.options import EuclifoldOptions
from bridge.benches.euclifold.scores import scores_of
from bridge.benches.euclifold.tables import AskedScores, charts_of, tables_of
from bridge.items.suites import Ended, ScoredRun, Subset
from bridge.report.parts import Figure, Table
from pysim.errors import InputError
from pysim.families.nets.euclifold import EuclifoldCondition, EuclifoldTask, Statement, make_trials
from pysim.kinds import Json

__all__ = ["EuclifoldSuite"]


@dataclass(frozen=True, slots=True)
class EuclifoldSuite:
    """See :class:`~bridge.items.suites.ItemSuite` and :class:`~bridge.items.suites.Charting`."""

    name: str = "euclifold"
    version: str = "1"

    @property
    def tasks(self) -> tuple[str, ...]:
        """The five questions, in the paper's order."""
        return tuple(EuclifoldTask)

    def subsets(self, options: EuclifoldOptions) -> tuple[Subset, ...]:
        """Both items of each pair, condition by condition."""
        chosen = options.chosen(self.name, self.tasks)
        return tuple(
            Subset(condition.variant, 2 * options.n, {"seed": options.item_seed})
            for condition in options.conditions(chosen)
        )

    def trials(self, subset: Subset) -> list[Statement]:
        """The items of a condition, pair by pair."""
        seed = subset.options.get("seed")
        if not isinstance(seed, int):
            raise InputError(f"a seed is a whole number, not {seed!r}")
        return make_trials(EuclifoldCondition.parse(subset.variant), seed, subset.count)

    def scores(self, subset: Subset, ended: Sequence[Ended]) -> Mapping[str, Json]:
        """The paper's metrics, and what guessing would give."""
        return scores_of(ended)

    def tables(self, runs: Sequence[ScoredRun]) -> list[Table]:
        """The paper's tables and the figures behind its plots, as far as was asked."""
        return tables_of(_by_condition(runs))

    def charts(self, runs: Sequence[ScoredRun]) -> list[Figure]:
        """Return the paper's Figure 5, where both wordings were asked."""
        return charts_of(_by_condition(runs))


def _by_condition(runs: Sequence[ScoredRun]) -> list[AskedScores]:
    return [
        AskedScores(run.name, [(EuclifoldCondition.parse(s.variant), f) for s, f in run.scores])
        for run in runs
    ]

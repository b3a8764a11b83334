"""EucliFold as a suite of items."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bridge.benches.euclifold.condition import EuclifoldCondition, EuclifoldTask
from bridge.benches.euclifold.options import EuclifoldOptions
from bridge.benches.euclifold.people import (
    DEALT,
    PEOPLE_TASKS,
    PERSON,
    compute_person_scores,
    find_person,
    merge_people,
    select_statements,
)
from bridge.benches.euclifold.scores import compute_scores
from bridge.benches.euclifold.tables import AskedScores, make_charts, make_tables
from bridge.benches.euclifold.trials import Statement, make_trials
from bridge.items.suites import EndedTrial, ScoredRun, Subset
from bridge.report.parts import Figure, Table
from pysim.field_types import Json
from pysim.options import check_whole

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
        """Return both items of each pair, or those of one person, condition by condition."""
        person = options.person_number
        tasks = self.tasks if person is None else tuple(PEOPLE_TASKS)
        chosen = tasks if options.task == "all" else options.choose_tasks(self.name, self.tasks)
        count = 2 * options.n if person is None else DEALT
        dealt: dict[str, Json] = {} if person is None else {PERSON: person}
        return tuple(
            Subset(condition.variant, count, {"seed": options.item_seed, **dealt})
            for condition in options.list_conditions(chosen)
        )

    def trials(self, subset: Subset) -> list[Statement]:
        """Return the items of a condition: pair by pair, or those that are dealt to a person."""
        seed = check_whole("a seed", subset.options.get("seed"))
        condition = EuclifoldCondition.parse(subset.variant)
        if (person := find_person(subset)) is not None:
            return select_statements(condition, seed, person)[: subset.count]
        return make_trials(condition, seed, subset.count)

    def scores(self, subset: Subset, ended: Sequence[EndedTrial]) -> Mapping[str, Json]:
        """Return the paper's metrics, and what guessing would give."""
        return (
            compute_scores(ended) if find_person(subset) is None else compute_person_scores(ended)
        )

    def tables(self, runs: Sequence[ScoredRun]) -> list[Table]:
        """Return the paper's tables and the figures behind its plots, as far as was asked."""
        return make_tables([*_asked_in_pairs(runs), *merge_people(runs)])

    def charts(self, runs: Sequence[ScoredRun]) -> list[Figure]:
        """Return the paper's Figure 5, where both wordings were asked."""
        return make_charts(_asked_in_pairs(runs))


def _asked_in_pairs(runs: Sequence[ScoredRun]) -> list[AskedScores]:
    """Return the scores of the runs that asked pairs."""
    return [AskedScores(run.name, scores) for run in runs if (scores := _of_pairs(run))]


def _of_pairs(run: ScoredRun) -> list[tuple[EuclifoldCondition, Mapping[str, Json]]]:
    """Return the scores of the subsets that hold pairs, by condition."""
    return [
        (EuclifoldCondition.parse(s.variant), found)
        for s, found in run.scores
        if find_person(s) is None
    ]

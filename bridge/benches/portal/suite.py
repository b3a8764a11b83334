"""M-Portal's two questions as suites of items."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bridge.benches.portal.options import ITEMS, MOST_BLANKS, PortalOptions, PortalShown
from bridge.benches.portal.scores import compute_blank_scores, compute_plan_scores
from bridge.benches.portal.tables import make_charts, make_tables
from bridge.benches.portal.trials import (
    Pool,
    find_first_numbers,
    make_blanks_trial,
    make_plan_trial,
)
from bridge.items.suites import EndedTrial, ScoredRun, Subset
from bridge.report.parts import Figure, Table
from pysim.errors import InputError
from pysim.field_types import Json
from pysim.items import Trial
from pysim.options import check_whole

__all__ = ["SUITES", "PortalSuite"]

SUITES: Mapping[str, str] = {
    "portal-plans": "plans",
    "portal-blanks": "blanks",
    "portal-plans-100": "plans-100",
    "portal-blanks-100": "blanks-100",
}
"""The task of each suite: of the 16 chambers, and of generated ones."""


@dataclass(frozen=True, slots=True)
class PortalSuite:
    """See :class:`~bridge.items.suites.ItemSuite` and :class:`~bridge.items.suites.Charting`."""

    name: str
    version: str = "1"

    @property
    def tasks(self) -> tuple[str, ...]:
        """The suite's only one."""
        return (SUITES[self.name],)

    @property
    def pool(self) -> Pool:
        """The chambers that are asked about."""
        return Pool.GENERATED if self.name.endswith(Pool.GENERATED) else Pool.DRAWN

    def subsets(self, options: PortalOptions) -> tuple[Subset, ...]:
        """Return a subset for each way to show chambers and each number of blanks."""
        (task,) = options.choose_tasks(self.name, self.tasks)
        numbers = options.list_blank_counts()
        if task.startswith("plans"):
            if options.unique or numbers != (MOST_BLANKS,):
                raise InputError(
                    f"{self.name} masks no steps and asks nothing twice: leave --blanks and "
                    "--unique to the suites of blanks"
                )
            return tuple(
                Subset(f"{task}/{shown}", options.n, {"shown": str(shown)})
                for shown in _ways(options.observation)
            )
        return tuple(
            self._masked(f"{task}/{shown}", blanks, options)
            for shown in _ways(options.observation)
            for blanks in numbers
        )

    def _masked(self, variant: str, blanks: int, options: PortalOptions) -> Subset:
        more: dict[str, Json] = {"shown": variant.rpartition("/")[2], "blanks": blanks}
        name = variant if blanks == MOST_BLANKS else f"{variant}/{blanks}"
        if not options.unique:
            return Subset(name, options.n, more)
        count = min(options.n, len(find_first_numbers(blanks, ITEMS, self.pool)))
        return Subset(name, count, {**more, "unique": True})

    def trials(self, subset: Subset) -> Sequence[Trial[Any]]:
        """Return the first items, chambers in turns."""
        if subset.count > ITEMS:
            raise InputError(f"there are {ITEMS} items, not {subset.count}")
        shown, numbers = _shown(subset.options.get("shown")), range(subset.count)
        if subset.variant.startswith("plans"):
            return [make_plan_trial(number, shown, self.pool) for number in numbers]
        blanks = check_whole(
            "the number of masked steps", subset.options.get("blanks"), 1, MOST_BLANKS
        )
        asked: Sequence[int] = numbers
        if subset.options.get("unique") is True:
            asked = find_first_numbers(blanks, ITEMS, self.pool)[: subset.count]
        return [make_blanks_trial(number, shown, blanks, self.pool) for number in asked]

    def scores(self, subset: Subset, ended: Sequence[EndedTrial]) -> Mapping[str, Json]:
        """Return the paper's metric with its interval, and what chance gives."""
        if subset.variant.startswith("blanks"):
            return compute_blank_scores(ended)
        return compute_plan_scores(ended)

    def tables(self, runs: Sequence[ScoredRun]) -> list[Table]:
        """Return a table for each question, and accuracy by number of blanks."""
        return make_tables(runs)

    def charts(self, runs: Sequence[ScoredRun]) -> list[Figure]:
        """Return the paper's Figure 4, where several numbers of blanks were asked."""
        return make_charts(runs)


def _ways(word: str) -> Sequence[PortalShown]:
    return list(PortalShown) if word == "all" else [_shown(word)]


def _shown(word: object) -> PortalShown:
    try:
        return PortalShown(str(word))
    except ValueError:
        raise InputError(
            f"--observation is one of {', '.join(PortalShown)}, all, not {word!r:.40}"
        ) from None

"""M-Portal's two questions as suites of items."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bridge.benches.portal.options import ITEMS, PortalOptions, PortalShown
from bridge.benches.portal.scores import blanks_scores, plans_scores
from bridge.benches.portal.tables import tables_of
from bridge.benches.portal.trials import blanks_trial, plans_trial
from bridge.items.suites import Ended, ScoredRun, Subset
from bridge.report.parts import Table
from pysim.errors import InputError
from pysim.items import Trial
from pysim.kinds import Json

__all__ = ["SUITES", "PortalSuite"]

SUITES: Mapping[str, str] = {"portal-plans": "plans", "portal-blanks": "blanks"}
"""The task of each suite."""


@dataclass(frozen=True, slots=True)
class PortalSuite:
    """See :class:`~bridge.items.suites.ItemSuite`."""

    name: str
    version: str = "1"

    @property
    def tasks(self) -> tuple[str, ...]:
        """The suite's only one."""
        return (SUITES[self.name],)

    def subsets(self, options: PortalOptions) -> tuple[Subset, ...]:
        """What is asked: one subset for each way to show chambers."""
        (task,) = options.chosen(self.name, self.tasks)
        more: dict[str, Json] = {"blanks": options.blanks} if task == "blanks" else {}
        if task == "plans" and options.blanks != PortalOptions().blanks:
            raise InputError("--blanks is for portal-blanks")
        return tuple(
            Subset(f"{task}/{shown}", options.n, {"shown": str(shown), **more})
            for shown in (PortalShown if options.shown == "all" else [_shown(options.shown)])
        )

    def trials(self, subset: Subset) -> Sequence[Trial[Any]]:
        """The first items, chambers in turns."""
        if subset.count > ITEMS:
            raise InputError(f"there are {ITEMS} items, not {subset.count}")
        shown = _shown(subset.options.get("shown"))
        if not subset.variant.startswith("blanks/"):
            return [plans_trial(number, shown) for number in range(subset.count)]
        blanks = subset.options.get("blanks")
        if not isinstance(blanks, int) or not 1 <= blanks <= 5:
            raise InputError(f"1 to 5 steps are masked, not {blanks!r:.40}")
        return [blanks_trial(number, shown, blanks) for number in range(subset.count)]

    def scores(self, subset: Subset, ended: Sequence[Ended]) -> Mapping[str, Json]:
        """The paper's metric, and what chance gives."""
        if subset.variant.startswith("blanks/"):
            return blanks_scores(ended)
        return plans_scores(ended)

    def tables(self, runs: Sequence[ScoredRun]) -> list[Table]:
        """A table for each question."""
        return tables_of(runs)


def _shown(word: object) -> PortalShown:
    try:
        return PortalShown(str(word))
    except ValueError:
        raise InputError(
            f"--shown is one of {', '.join(PortalShown)}, all, not {word!r:.40}"
        ) from None

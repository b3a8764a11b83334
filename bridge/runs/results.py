"""Results of an episode for the metrics, from the episode's log alone."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from bridge.agents.journal import sum_usage
from bridge.agents.usage import NO_USAGE, Usage
from bridge.episode.progress import measure_progress
from bridge.episode.records import StepKind
from bridge.recording.files import whole_lines
from bridge.recording.log import Log
from pysim.errors import InputError
from pysim.puzzle import Outcome
from pysim.untrusted import GIB, FileKind, parse_json

__all__ = [
    "SEARCH_NAME",
    "EpisodeResult",
    "Measures",
    "Refusal",
    "SearchCost",
    "Watch",
    "make_result",
    "read_search_cost",
]

Event = TypeVar("Event")

Watch = Callable[[Event], None]
"""Told of everything as it is finished, beginning with what earlier processes finished."""

Measures = Mapping[str, str | int | float | bool | None]
"""What benches measure of one episode, by column."""

SEARCH_NAME = "search.jsonl"
SEARCH_FILE = FileKind("a journal of a search", GIB)
"""The journal of a search, beside the log of the episode that it has led to."""


@dataclass(frozen=True, slots=True)
class SearchCost:
    """Cost of a search for the steps of an episode, besides the requests of its agents.

    Attributes:
        tried: steps made in all, in forks that were given up too.
        scorer: what the scorer's model was asked.
    """

    tried: int
    scorer: Usage


@dataclass(frozen=True, slots=True)
class Refusal:
    """A step that was refused.

    Attributes:
        step: its number, from 1.
        kind: INVALID or ILLEGAL.
        reason: which rule was broken.
        culprits: the colours or fields that stood in the way.
    """

    step: int
    kind: StepKind
    reason: str
    culprits: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class EpisodeResult:
    """One attempt at one level, finished.

    Attributes:
        level, family, tier: what was played.
        attempt: its number among the attempts at this level, from 1.
        outcome: how it ended.
        steps: steps made, refused ones too.
        budget: steps allowed.
        plan: length of the level's certified plan, or None.
        plan_bound: no plan is shorter; equal to ``plan`` if that is optimal, None without a plan.
        disagreements: how often the world did not confirm the rules.
        refusals: the steps that were refused, in order.
        repeated: legal steps that led to a state that the episode had been in before.
        progress: the furthest share of the certified plan that it came to, 1 if it was solved by
            whatever way; None without a plan.
        usage: what the model was asked, if there is one.
        search: what a search for these steps cost; None if the agent just played.
        note: why it ended, where the outcome leaves it open.
        extras: what benches measure besides, by column.
    """

    level: str
    family: str
    tier: str
    attempt: int
    outcome: Outcome
    steps: int
    budget: int
    plan: int | None
    plan_bound: int | None
    disagreements: int
    refusals: tuple[Refusal, ...]
    repeated: int
    progress: float | None = None
    usage: Usage = NO_USAGE
    search: SearchCost | None = None
    note: str = ""
    extras: Measures = field(default_factory=dict)

    @property
    def solved(self) -> bool:
        """Whether the level was solved."""
        return self.outcome is Outcome.SOLVED

    @property
    def legal_steps(self) -> int:
        """Steps that were carried out."""
        return self.steps - len(self.refusals)

    @property
    def tried(self) -> int:
        """Steps made in all, those of a search too."""
        return self.steps if self.search is None else self.search.tried

    @property
    def scorer_usage(self) -> Usage:
        """Usage of the model of a search's scorer."""
        return Usage() if self.search is None else self.search.scorer

    @property
    def first_error(self) -> int | None:
        """The first step that was refused; None if none was."""
        return self.refusals[0].step if self.refusals else None


def make_result(
    log: Log,
    attempt: int,
    usage: Usage = NO_USAGE,
    search: SearchCost | None = None,
    extras: Measures | None = None,
) -> EpisodeResult:
    """Return the result of a log.

    Raises:
        InputError: the log has no end.
    """
    if log.ending is None:
        raise InputError(f"{log.path}: the episode was cut off, it has no result")
    level = log.header.level
    plan = level.plan
    return EpisodeResult(
        level=level.id,
        family=level.family,
        tier=level.tier.value,
        attempt=attempt,
        outcome=log.ending.outcome,
        steps=log.ending.steps,
        budget=log.header.budget,
        plan=None if plan is None else len(plan),
        plan_bound=None if plan is None else plan.lower_bound,
        disagreements=log.ending.disagreements,
        refusals=tuple(
            Refusal(line.step, line.kind, str(line.reason), line.culprits)
            for line in log.steps
            if line.reason is not None
        ),
        repeated=_repeated(log),
        progress=_progress(log),
        usage=usage,
        search=search,
        note=log.ending.note,
        extras=dict(extras or {}),
    )


def _progress(log: Log) -> float | None:
    if log.ending is not None and log.ending.outcome is Outcome.SOLVED:
        return None if log.header.level.plan is None else 1.0
    return measure_progress(log.header.level, (line.state_hash for line in log.steps))


def _repeated(log: Log) -> int:
    seen = {log.header.state_hash}
    count = 0
    for line in log.steps:
        if line.kind is StepKind.OK:
            count += line.state_hash in seen
            seen.add(line.state_hash)
    return count


def read_search_cost(path: Path) -> SearchCost | None:
    """Read the cost of a search from its journal; None if there is none.

    Raises:
        InputError: a line of it is damaged.
    """
    if not path.exists():
        return None
    try:
        lines = [parse_json(line) for line in whole_lines(path, SEARCH_FILE)]
        tried = sum(len(line["tried"]) for line in lines if line["type"] == "step")
    except (ValueError, KeyError, TypeError, OverflowError, RecursionError) as error:
        raise InputError(f"{path}: no journal of a search ({error})") from None
    return SearchCost(tried, sum_usage(path))

"""M-Cube's subtasks as suites of items."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import product
from typing import Any, TypeVar

from bridge.benches.mcube.condition import (
    CubeCondition,
    Presentation,
    RoundFeedback,
    Style,
    Subtask,
    get_usual_presentation,
)
from bridge.benches.mcube.given import AskedCube, GivenCubes, read_cube
from bridge.benches.mcube.options import MCubeOptions
from bridge.benches.mcube.scores import compute_scores
from bridge.benches.mcube.tables import make_tables
from bridge.benches.mcube.trials import make_trial
from bridge.items.suite_files import GivenItems
from bridge.items.suites import EndedTrial, ScoredRun, Subset
from bridge.report.parts import Table
from pysim.errors import InputError
from pysim.field_types import Json
from pysim.items import Trial

__all__ = ["SUITES", "MCubeSuite"]

W = TypeVar("W", bound=StrEnum)
_Kind = tuple[Subtask, RoundFeedback]

SUITES: Mapping[str, Mapping[str, _Kind]] = {
    "mcube": {"cube": (Subtask.CUBE, RoundFeedback.NONE)},
    "mcube-easy": {"cube-easy": (Subtask.EASY, RoundFeedback.NONE)},
    "mcube-perception": {"perception": (Subtask.PERCEPTION, RoundFeedback.NONE)},
    "mcube-rounds": {
        f"{task}-{feedback}": (task, feedback)
        for task, feedback in product(
            (Subtask.CUBE, Subtask.EASY), (RoundFeedback.BINARY, RoundFeedback.DETAILED)
        )
    },
}
"""The tasks of each suite."""


@dataclass(frozen=True, slots=True)
class MCubeSuite:
    """See :class:`~bridge.items.suites.ItemSuite`."""

    name: str
    version: str = "1"

    @property
    def tasks(self) -> tuple[str, ...]:
        """The suite's subtask, or those with feedback."""
        return tuple(SUITES[self.name])

    def subsets(self, options: MCubeOptions) -> tuple[Subset, ...]:
        """List the subsets that are asked, one for each condition."""
        kinds = [SUITES[self.name][task] for task in options.choose_tasks(self.name, self.tasks)]
        if (options.missing or options.flips) and not any(
            task is Subtask.EASY for task, _ in kinds
        ):
            raise InputError(f"--missing and --flips are for CUBE-easy, not for {self.name}")
        return tuple(
            condition.make_subset(options.n)
            for kind in kinds
            for condition in _conditions(*kind, options)
        )

    def subsets_of(self, given: GivenItems, options: MCubeOptions) -> tuple[Subset, ...]:
        """Return given cubes by the number of pieces that are missing."""
        kinds = [SUITES[self.name][task] for task in options.choose_tasks(self.name, self.tasks)]
        cubes = [read_cube(item) for item in given.items]
        return tuple(
            replace(condition, given=GivenCubes(given.name, some)).make_subset(len(some))
            for kind in kinds
            for missing in sorted({len(cube.missing) for cube in cubes})
            if (some := tuple(cube for cube in cubes if len(cube.missing) == missing))
            for condition in _conditions(*kind, _fitting(options, some, missing))
        )

    def trials(self, subset: Subset) -> list[Trial[Any]]:
        """Return the trials of a condition."""
        condition = CubeCondition.of(subset.options)
        return [make_trial(condition, seed) for seed in range(subset.count)]

    def scores(self, subset: Subset, ended: Sequence[EndedTrial]) -> Mapping[str, Json]:
        """Return all metrics, and what they are by chance."""
        return compute_scores(CubeCondition.of(subset.options), ended)

    def tables(self, runs: Sequence[ScoredRun]) -> list[Table]:
        """Return the paper's tables, as far as was asked."""
        return make_tables(runs)


def _fitting(options: MCubeOptions, cubes: Sequence[AskedCube], missing: int) -> MCubeOptions:
    """Return the options with what given cubes ask for."""
    flips = any(cube.places[i].flipped for cube in cubes if cube.places for i in cube.missing)
    return replace(options, missing=(missing,), flips=options.flips or flips)


def _conditions(
    task: Subtask, feedback: RoundFeedback, options: MCubeOptions
) -> Iterator[CubeCondition]:
    arm, style = _word(Presentation, options.observation), _word(Style, options.look)
    for missing in _missing(task, options):
        yield CubeCondition(
            task=task,
            arm=get_usual_presentation(task) if arm is Presentation.USUAL else arm,
            look=style,
            missing=missing,
            flips=options.flips if task is Subtask.EASY else True,
            unique=options.unique,
            feedback=feedback,
            items=options.item_seed,
        )


def _word(words: type[W], value: str) -> W:
    """Return an option's word; adapters that read no options of commands give it as a text."""
    try:
        return words(value)
    except ValueError:
        raise InputError(f"{value[:40]!r} is none of {', '.join(words)}") from None


def _missing(task: Subtask, options: MCubeOptions) -> Sequence[int]:
    if task is Subtask.EASY:
        return options.missing or (2,)
    return (1,) if task is Subtask.PERCEPTION else (6,)

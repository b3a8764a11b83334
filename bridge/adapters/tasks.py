"""Tasks that environments draw at each reset."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from numbers import Integral
from types import NoneType
from typing import Any

from pysim.errors import InputError
from pysim.level_selection import load_level
from pysim.limits import quote
from pysim.puzzle import Level
from pysim.tasks import TaskSettings, TaskSource

__all__ = ["TaskChoice", "TaskDraws"]


@dataclass(frozen=True, slots=True)
class TaskChoice:
    """The tasks from which one is drawn.

    Attributes:
        split: name of the split; None for the first that there is.
        difficulty: from 1; None for all.
        task: one task, by its index in the split or by name; None for a random one.
    """

    split: str | None = None
    difficulty: int | None = None
    task: int | str | None = None

    def update(self, options: Mapping[str, Any]) -> "TaskChoice":
        """Return the choice with the options of a reset.

        Raises:
            InputError: there is no such option, or a value is of another type.
        """
        unknown = [name for name in options if name not in _TYPES]
        if unknown:
            raise InputError(
                f"reset() has no option {quote(unknown[0])}; there are {', '.join(_TYPES)}"
            )
        for name, value in options.items():
            if isinstance(value, bool) or not isinstance(value, _TYPES[name]):
                raise InputError(f"{quote(value)} is no {name}")
        made: Mapping[str, Any] = {
            name: int(value) if isinstance(value, Integral) else value
            for name, value in options.items()
        }
        return replace(self, **made)


_TYPES: Mapping[str, Any] = {
    "split": (str, NoneType),
    "difficulty": (Integral, NoneType),
    "task": (Integral, str, NoneType),
}


class TaskDraws:
    """Draws the tasks of an environment.

    Args:
        family: name of the family.
        pool: file of a pool; None for the one that ships.
    """

    def __init__(self, family: str, pool: str | None) -> None:
        self._family, self._pool = family, pool

    def draw(self, choice: TaskChoice, draw: Callable[[int], int]) -> Level[Any]:
        """Return the level of a task.

        Args:
            draw: a whole number below its argument.

        Raises:
            InputError: there is no such task, or it is of another family.
        """
        if isinstance(choice.task, str):
            return self._load(choice.task)
        source = self._find_source(choice)
        split = choice.split or source.splits[0]
        if choice.task is None:
            return source.draw_task(split, draw).level
        return source.get_task(split, choice.task).level

    def find_first(self, choice: TaskChoice) -> Level[Any]:
        """Return the first of the tasks, which determines the spaces before the first reset."""
        return self.draw(replace(choice, task=0), lambda below: 0)

    def count(self, choice: TaskChoice) -> int:
        """Return how many tasks there are to draw from, not counting those that are not prepared.

        Raises:
            InputError: there is none.
        """
        source = self._find_source(choice)
        split = choice.split or source.splits[0]
        source.draw_task(split, lambda below: 0)
        return source.count_prepared(split)

    def _find_source(self, choice: TaskChoice) -> TaskSource:
        return _open_source(self._family, choice.difficulty, self._pool)

    def _load(self, name: str) -> Level[Any]:
        level = load_level(name)
        if level.family != self._family:
            raise InputError(f"{level.id} is of the family {level.family}, not {self._family}")
        return level


@cache
def _open_source(family: str, difficulty: int | None, pool: str | None) -> TaskSource:
    """Return a source; environments of one process share it."""
    difficulties = () if difficulty is None else (difficulty,)
    return TaskSource(family, TaskSettings(difficulties), pool=pool)

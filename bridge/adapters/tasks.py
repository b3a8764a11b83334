"""Tasks that environments draw at each reset."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from numbers import Integral
from pathlib import Path
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
        if not isinstance(options, Mapping):
            raise InputError(
                f"options of reset() are as in {{'split': 'test'}}, not {quote(options)}"
            )
        unknown = [name for name in options if name not in _TYPES]
        if unknown:
            raise InputError(
                f"reset() has no option {quote(unknown[0])}; there are {', '.join(_TYPES)}"
            )
        for name, value in options.items():
            if isinstance(value, bool) or not isinstance(value, _TYPES[name]):
                raise InputError(f"{name} is {_WORDS[name]}, not {quote(value)}")
        made: Mapping[str, Any] = {
            name: int(value) if isinstance(value, Integral) else value
            for name, value in options.items()
        }
        return replace(self, **made)

    @classmethod
    def read(
        cls, split: str | None, difficulty: int | None, pool: Path | str | None
    ) -> "TaskChoice | None":
        """Return the tasks that an environment is made with; None if it plays no tasks.

        Raises:
            InputError: a value is of another type.
        """
        if pool is not None and not isinstance(pool, str | Path):
            raise InputError(f"pool is the file of a pool of tasks, not {quote(pool)}")
        choice = cls().update({"split": split, "difficulty": difficulty})
        return choice if pool is not None or choice != cls() else None


_WORDS = {
    "split": "the name of a split, or None",
    "difficulty": "a whole number from 1, or None for all",
    "task": "an index in the split, a name such as FAMILY:SPLIT:7, or None for a random one",
}
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

    def __init__(self, family: str, pool: Path | str | None) -> None:
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
        source, split = self._find_source(choice)
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
        source, split = self._find_source(choice)
        source.draw_task(split, lambda below: 0)
        return source.count_prepared(split)

    def _find_source(self, choice: TaskChoice) -> tuple[TaskSource, str]:
        """Return the source of the tasks, and their split."""
        source = _open_source(self._family, choice.difficulty, self._pool)
        return source, source.splits[0] if choice.split is None else choice.split

    def _load(self, name: str) -> Level[Any]:
        level = load_level(name)
        if level.family != self._family:
            raise InputError(f"{level.id} is of the family {level.family}, not {self._family}")
        return level


@cache
def _open_source(family: str, difficulty: int | None, pool: Path | str | None) -> TaskSource:
    """Return a source; environments of one process share it."""
    difficulties = () if difficulty is None else (difficulty,)
    return TaskSource(family, TaskSettings(difficulties), pool=pool)

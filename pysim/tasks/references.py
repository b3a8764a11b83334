"""Names of prepared tasks: ``family:split``, ``family:split:7``, ``family:split:0-99``.

In place of a family a file of a pool may be named, alone or with a split. Tasks of pools that ship
are also found by their ids, such as ``family-split-7``.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import overload

from pysim.limits import MAX_PATTERN, quote
from pysim.tasks.pool import SUFFIX, Pool, find_pool
from pysim.tasks.recipe import has_tasks
from pysim.tasks.source import Task, TaskSettings, TaskSource
from pysim.tasks.splits import PUBLIC, Split, TaskError

__all__ = ["TaskList", "TaskReference", "find_task_by_id", "parse_reference"]

_SPLITS = "|".join(Split)
_REFERENCE = re.compile(
    rf"(?P<source>[^:]+|.+{re.escape(SUFFIX)})"
    rf"(:(?P<split>{_SPLITS})(:(?P<first>\d{{1,9}})(-(?P<last>\d{{1,9}}))?)?)?",
    re.ASCII,
)
_ID = re.compile(
    rf"(?P<family>.+)-(?P<split>{'|'.join(PUBLIC)})-(?P<index>0|[1-9]\d{{0,8}})", re.ASCII
)


@dataclass(frozen=True, slots=True)
class TaskReference:
    """Prepared tasks that are named.

    Attributes:
        source: a family, or the file of a pool.
        split: their split; None for all splits.
        first, last: the first and the last index; None for all of a split.
    """

    source: str
    split: Split | None = None
    first: int | None = None
    last: int | None = None

    @property
    def is_file(self) -> bool:
        """Whether the source is a file."""
        return self.source.endswith(SUFFIX)

    def list_tasks(self, settings: TaskSettings | None = None) -> "TaskList":
        """Return the tasks in order, split by split.

        Raises:
            TaskError: there are no such tasks.
        """
        path = Path(self.source) if self.is_file else None
        family = self.source if path is None else Pool(path).family
        source = TaskSource(family, settings, pool=path)
        places = [
            (split, index)
            for split in (source.splits if self.split is None else (self.split,))
            for index in self._list_indexes(source, split)
        ]
        return TaskList(source, tuple(places))

    def _list_indexes(self, source: TaskSource, split: Split) -> range:
        prepared = source.count_prepared(split) if split in source.splits else 0
        if not prepared:
            others = _find_others(source, split)
            raise TaskError(f"no task of {self.source}:{split} is prepared{others}")
        if self.first is None:
            return range(prepared)
        last = self.first if self.last is None else self.last
        if last < self.first:
            raise TaskError(f"a range counts up: {last}-{self.first}, not {self.first}-{last}")
        if last >= prepared:
            raise TaskError(
                f"{self.source}:{split} has tasks from 0 to {prepared - 1}; "
                "luban.TaskSource makes more"
            )
        return range(self.first, last + 1)


def _find_others(source: TaskSource, missing: Split) -> str:
    """Return which splits have prepared tasks, or how to make some, as the end of a sentence."""
    if missing is Split.PRIVATE and missing not in source.splits:
        return ": name a pool that `luban generate --pool --private` makes"
    others = [split for split in source.splits if source.count_prepared(split)]
    if not others:
        return ": `luban generate --pool` makes some"
    return f"; there are tasks of {', '.join(others)}"


@dataclass(frozen=True, slots=True)
class TaskList(Sequence[Task]):
    """Prepared tasks, each of which is read when it is asked for.

    Attributes:
        source: the source of the tasks.
        places: split and index of each.
    """

    source: TaskSource
    places: tuple[tuple[Split, int], ...]

    def __len__(self) -> int:
        return len(self.places)

    @overload
    def __getitem__(self, place: int) -> Task: ...

    @overload
    def __getitem__(self, place: slice) -> "TaskList": ...

    def __getitem__(self, place: int | slice) -> "Task | TaskList":
        if isinstance(place, slice):
            return TaskList(self.source, self.places[place])
        return self.source.get_task(*self.places[place])


def parse_reference(text: str) -> TaskReference | None:
    """Return the tasks that a text names; None if it is no name of tasks.

    Raises:
        TaskError: it looks like one, and is none.
    """
    if ":" not in text and not text.endswith(SUFFIX):
        return None
    found = _REFERENCE.fullmatch(text) if len(text) <= MAX_PATTERN else None
    if found is None:
        raise TaskError(
            "tasks are named FAMILY:SPLIT, FAMILY:SPLIT:7 or FAMILY:SPLIT:0-99, "
            f"not {quote(text, 80)}; SPLIT is {', '.join(PUBLIC)} or {Split.PRIVATE}"
        )
    first, last = (None if found[key] is None else int(found[key]) for key in ("first", "last"))
    split = None if found["split"] is None else Split(found["split"])
    return TaskReference(found["source"], split, first, last)


def find_task_by_id(level_id: str) -> Task | None:
    """Return the task of a pool that ships, by the id of its level; None if there is none."""
    found = _ID.fullmatch(level_id)
    if found is None or not has_tasks(found["family"]) or find_pool(found["family"]) is None:
        return None
    source, split = TaskSource(found["family"]), Split(found["split"])
    index = int(found["index"])
    return source.get_task(split, index) if index < source.count_prepared(split) else None

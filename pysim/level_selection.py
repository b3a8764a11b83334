"""Selection of levels by a text: a suite, a family, ids, patterns of ids, files."""

import difflib
import fnmatch
from collections.abc import Iterator
from pathlib import Path

from pysim.catalog import (
    AnyLevel,
    LevelError,
    discover_families,
    find_level,
    find_shipped_level,
    has_level,
    list_level_paths,
    list_shipped_levels,
)
from pysim.catalog.suite_files import read_levels
from pysim.limits import MAX_PATTERN, MAX_SELECTION, quote
from pysim.suites import SuiteError, find_suite, list_suites, load_levels
from pysim.tasks.references import TaskReference, find_task_by_id, parse_reference
from pysim.tasks.splits import TaskError

__all__ = ["is_level_folder", "load_level", "read_level_folder", "select_levels"]


def load_level(name: str, *, files: bool = True) -> AnyLevel:
    """Return the level with an id, of a task, or in a file whose name ends with ``.json``.

    Args:
        name: an id, a file, or a task such as ``family:split:7``.
        files: whether files may be named.

    Raises:
        LevelError: there is no such level; the message names similar ids.
        TaskError: there is no such task, or several are named.
    """
    if not isinstance(name, str):
        raise LevelError(f"a level is named by its id, file or task, not {quote(name)}")
    if (reference := parse_reference(name)) is not None:
        _check_file(reference, files)
        if reference.first is None or reference.last is not None:
            raise TaskError(f"{quote(name)} names several tasks: name one, as in FAMILY:SPLIT:7")
        return reference.list_tasks()[0].level
    if files and name.endswith(".json"):
        return find_level(name)
    return _find_level_or_task(name)


def _find_level_or_task(level_id: str) -> AnyLevel:
    try:
        return find_shipped_level(level_id)
    except LevelError:
        if (task := find_task_by_id(level_id)) is None:
            raise
        return task.level


def _check_file(reference: TaskReference, files: bool) -> None:
    if reference.is_file and not files:
        raise TaskError(f"{quote(reference.source)} is a file, and only tasks that ship are taken")


def select_levels(text: str = "", *, files: bool = True) -> tuple[AnyLevel, ...]:
    """Return the levels that a text means, each once.

    Args:
        text: a suite, a family, an id, a pattern of ids such as ``*-d01-*``, a level file, a folder
            of them or a suite of one's own, tasks such as ``family:split`` or
            ``family:split:0-99``, a pool of tasks, or several with commas between them; empty for
            all that ship, by family and then
            by id.
        files: whether files may be named.

    Raises:
        SuiteError: something is none of these; the message names what is like it.
        LevelError: a file can't be read or holds no level.
        TaskError: there are no such tasks.
    """
    if len(text) > MAX_SELECTION:
        raise SuiteError(
            f"levels are named in at most {MAX_SELECTION:,} characters, not {len(text):,}"
        )
    if not text.strip():
        return list_shipped_levels()
    found = (level for part in text.split(",") for level in _meant(part.strip(), files))
    return tuple({(level.id, level.hash): level for level in found}.values())


def is_level_folder(name: str) -> bool:
    """Return whether a name is that of a folder with levels, and of nothing that ships."""
    if not name or len(name) > MAX_PATTERN or not Path(name).is_dir():
        return False
    return not (name in list_suites() or name in discover_families() or has_level(name))


def read_level_folder(folder: Path) -> Iterator[AnyLevel]:
    """Read the levels of a folder, or of the folders in it, by their files' names.

    ``luban generate`` and ``luban level add`` write such.

    Raises:
        LevelError: there is none, or a file holds no level.
    """
    flat, nested = sorted(folder.glob("*.json")), sorted(folder.glob("*/*.json"))
    paths = [path for path in flat or nested if path.name not in _BESIDE]
    if not paths:
        raise LevelError(
            f"the folder {quote(str(folder))} holds no level: make some with `luban generate`"
        )
    return (level for path in paths for level in read_levels(path))


_BESIDE = ("summary.json", "timings.json")
"""Files of a batch that are no levels."""


def _meant(name: str, files: bool) -> Iterator[AnyLevel]:
    if files and name.endswith(".json"):
        return iter(read_levels(Path(name)))
    if len(name) > MAX_PATTERN:
        raise SuiteError(
            f"a suite, family or pattern of ids has at most {MAX_PATTERN} characters; "
            f"{quote(name)} has {len(name):,}"
        )
    if (reference := parse_reference(name)) is not None:
        _check_file(reference, files)
        return (task.level for task in reference.list_tasks())
    if name in list_suites():
        return iter(load_levels(find_suite(name)))
    if name in discover_families():
        return iter(list_shipped_levels(name))
    if files and is_level_folder(name):
        return read_level_folder(Path(name))
    return map(_find_level_or_task, _ids(name))


def _ids(pattern: str) -> list[str]:
    ids = sorted(path.stem for path in list_level_paths())
    found = fnmatch.filter(ids, pattern)
    if not found and (has_level(pattern) or find_task_by_id(pattern) is not None):
        return [pattern]
    if not found:
        close = difflib.get_close_matches(
            pattern, [*list_suites(), *discover_families(), *ids], 3, 0.4
        )
        hint = f"did you mean {', '.join(close)}?" if close else "`luban levels` lists the levels"
        raise SuiteError(f"there is no suite, family or level {pattern[:80]!r}; {hint}")
    return found

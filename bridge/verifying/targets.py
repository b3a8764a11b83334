"""Targets of ``luban verify``: levels by id or file, suites, folders, tasks."""

import difflib
import fnmatch
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from pysim.catalog import AnyLevel, encode_level, list_level_paths
from pysim.catalog.documents import read_bytes
from pysim.errors import InputError
from pysim.limits import MAX_PATTERN, quote
from pysim.suites import find_suite, list_suites
from pysim.tasks.references import find_task_by_id, parse_reference
from pysim.untrusted import GIB, FileKind, open_untrusted

__all__ = ["LevelFile", "find_level_files"]

FOLDER_FILE = FileKind("a file in a folder of levels", GIB)


@dataclass(frozen=True, slots=True)
class LevelFile:
    """A level to be verified.

    Attributes:
        path: its file; of a task, what its file would be called.
        level: the task; None for a file.
    """

    path: Path
    level: AnyLevel | None = None

    @property
    def stem(self) -> str:
        """Name of the file, without its suffix."""
        return self.path.stem

    def read(self) -> bytes:
        """Return the level's document.

        Raises:
            OSError, LevelError: the file can't be read.
        """
        if self.level is None:
            return read_bytes(self.path)
        return json.dumps(encode_level(self.level)).encode()


def find_level_files(targets: Sequence[str]) -> list[LevelFile]:
    """Return the levels that are meant, each once, in order.

    Raises:
        InputError: a target is none of these; the message says what there is.
    """
    found = (one for target in targets for one in _targets(target))
    return list({(one.path, one.level and one.level.hash): one for one in found}.values())


def _targets(target: str) -> Iterator[LevelFile]:
    if (reference := parse_reference(target)) is not None:
        yield from (_task_file(task.level) for task in reference.list_tasks())
    elif (task := find_task_by_id(target)) is not None:
        yield _task_file(task.level)
    else:
        yield from map(LevelFile, _files(target))


def _task_file(level: AnyLevel) -> LevelFile:
    return LevelFile(Path(f"{level.id}.json"), level)


def _files(target: str) -> Iterator[Path]:
    path, shipped = Path(target), {path.stem: path for path in list_level_paths()}
    if target in list_suites():
        yield from (shipped[level] for level in find_suite(target).level_ids)
    elif path.is_dir():
        found = [file for file in sorted(path.rglob("*.json")) if _is_level(file, path)]
        if not found:
            raise InputError(f"{target}: there is no level in this folder")
        yield from found
    elif path.suffix == ".json" or path.is_file():
        yield path
    elif named := fnmatch.filter(sorted(shipped), target):
        yield from (shipped[level] for level in named)
    else:
        close = difflib.get_close_matches(
            target[:MAX_PATTERN], [*shipped, *list_suites()], n=3, cutoff=0.4
        )
        hint = f"did you mean {', '.join(close)}?" if close else "`luban levels` lists the levels"
        raise InputError(f"there is no level, suite or folder {quote(target)}; {hint}")


def _is_level(file: Path, folder: Path) -> bool:
    """Return whether a file looks like a level; folders of batches hold a summary as well."""
    with open_untrusted(file, FOLDER_FILE, folder) as opened:
        return b'"luban-level/' in opened.read(4096)

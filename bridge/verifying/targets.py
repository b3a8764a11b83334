"""Targets of ``luban verify``: levels by id or file, suites, folders."""

import difflib
import fnmatch
from collections.abc import Iterator, Sequence
from pathlib import Path

from pysim.catalog import list_level_paths
from pysim.errors import InputError
from pysim.limits import MAX_PATTERN, quote
from pysim.suites import find_suite, list_suites
from pysim.untrusted import GIB, FileKind, open_untrusted

__all__ = ["find_level_files"]

FOLDER_FILE = FileKind("a file in a folder of levels", GIB)


def find_level_files(targets: Sequence[str]) -> list[Path]:
    """Return the level files that are meant, each once, in order.

    Raises:
        InputError: a target is none of these; the message says what there is.
    """
    return list(dict.fromkeys(path for target in targets for path in _files(target)))


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

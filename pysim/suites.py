"""Suites: named, ordered lists of levels that ship, with Luban or with other packages.

A suite document is one JSON object, ``assets/suites/<name>.json``, in Luban or in another package
that offers anything, be it families, benches or agents::

    {"format": "luban-suite/1", "name", "title", "rule", "suites": [...], "levels": [...]}

``rule`` says in words which levels are in it, and how hard they are. The levels of the suites that
it includes come first, in the order of ``suites``, then its own ``levels`` (ids), in order.
"""

import difflib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import TypeVar

from pysim.catalog import AnyLevel, LevelError, find_assets, find_shipped_level
from pysim.catalog.index import LevelSummary, find_level_summary
from pysim.discovery import list_external
from pysim.errors import InputError
from pysim.limits import MAX_PATTERN, quote

__all__ = [
    "FORMAT",
    "Suite",
    "SuiteError",
    "find_suite",
    "list_suites",
    "load_levels",
    "load_summaries",
]

FORMAT = "luban-suite/1"
T = TypeVar("T")


class SuiteError(InputError):
    """A suite can't be found or read; the message says which and why."""


@dataclass(frozen=True, slots=True)
class Suite:
    """A named, ordered list of levels.

    Attributes:
        name: unique, the name of its file.
        title: what people call it.
        rule: in words, which levels are in it.
        level_ids: in order, those of included suites first; none twice.
    """

    name: str
    title: str
    rule: str
    level_ids: tuple[str, ...]


def list_suites(folder: Path | None = None) -> tuple[str, ...]:
    """Return the names of the suites, in alphabetical order.

    Args:
        folder: where the documents lie; by default those that ship.

    Raises:
        SuiteError: two suites have the same name.
    """
    return tuple(_paths(folder))


def find_suite(name: str, folder: Path | None = None) -> Suite:
    """Return the suite called ``name``, those that it includes written out.

    Raises:
        SuiteError: there is none, or its document is faulty; the message says why.
    """
    return _read(name, _paths(folder), ())


def load_levels(suite: Suite) -> tuple[AnyLevel, ...]:
    """Return the levels of a suite, in order.

    Raises:
        SuiteError: it names a level that does not exist.
    """
    return _load_each(suite, find_shipped_level)


def load_summaries(suite: Suite) -> tuple[LevelSummary, ...]:
    """Return the summaries of the levels of a suite, in order.

    Raises:
        SuiteError: it names a level that does not exist.
    """
    return _load_each(suite, find_level_summary)


def _load_each(suite: Suite, load: Callable[[str], T]) -> tuple[T, ...]:
    try:
        return tuple(map(load, suite.level_ids))
    except LevelError as error:
        raise SuiteError(f"suite {suite.name}: {error}") from None


def _paths(folder: Path | None) -> Mapping[str, Path]:
    """Return the suites' documents by name, in alphabetical order."""
    folders = _folders() if folder is None else (folder,)
    paths = sorted((path for one in folders for path in one.glob("*.json")), key=lambda p: p.stem)
    for one, other in pairwise(paths):
        if one.stem == other.stem:
            raise SuiteError(f"two suites are called {one.stem}: {one} and {other}")
    return {path.stem: path for path in paths}


def _folders() -> tuple[Path, ...]:
    """Return the folders of suites: Luban's own, and those that other packages offer."""
    assets = (offer.find_folder("assets") for offer in list_external())
    places = (find_assets(), *(folder for folder in assets if folder is not None))
    return tuple(dict.fromkeys(place / "suites" for place in places))


def _read(name: str, paths: Mapping[str, Path], outer: tuple[str, ...]) -> Suite:
    """Return the suite called ``name``, met while the suites ``outer`` are read."""
    if name in outer:
        raise SuiteError(f"suites include each other in a circle: {' > '.join([*outer, name])}")
    if name not in paths:
        raise SuiteError(_unknown(name, tuple(paths), outer))
    document = _load(paths[name])
    own = _names(document, "levels", name)
    included = [_read(inner, paths, (*outer, name)) for inner in _names(document, "suites", name)]
    ids = (*(i for suite in included for i in suite.level_ids), *own)
    twice = sorted({i for i in ids if ids.count(i) > 1})
    if twice:
        raise SuiteError(f"suite {name} names levels twice: {', '.join(twice)}")
    if not ids:
        raise SuiteError(f"suite {name} names no level")
    return Suite(name, _text(document, "title", name), _text(document, "rule", name), ids)


def _unknown(name: str, known: Sequence[str], outer: Sequence[str]) -> str:
    close = difflib.get_close_matches(name[:MAX_PATTERN], known, n=1, cutoff=0.4)
    hint = f"did you mean {close[0]}?" if close else f"there are {', '.join(known) or 'none'}"
    where = f"suite {outer[-1]} includes {name[:80]!r}, but " if outer else ""
    return f"{where}there is no suite {name[:80]!r}; {hint}"


def _load(path: Path) -> Mapping[str, object]:
    try:
        document = json.loads(path.read_bytes())
    except OSError as error:
        raise SuiteError(f"{path}: {error.strerror}") from None
    except (ValueError, RecursionError) as error:
        raise SuiteError(f"{path}: this is not JSON ({error})") from None
    if not isinstance(document, dict):
        raise SuiteError(f"{path}: a suite is a JSON object")
    if document.get("format") != FORMAT:
        said = quote(document.get("format"))
        raise SuiteError(f"{path}: its format is {said}; this version reads {FORMAT}")
    if document.get("name") != path.stem:
        raise SuiteError(f"{path}: its name is {quote(document.get('name'))}, unlike its file's")
    return document


def _text(document: Mapping[str, object], key: str, name: str) -> str:
    value = document.get(key)
    if not isinstance(value, str) or not value:
        raise SuiteError(f"suite {name}: {key!r} is missing or no text")
    return value


def _names(document: Mapping[str, object], key: str, name: str) -> list[str]:
    value = document.get(key, [])
    if not isinstance(value, list) or not all(isinstance(entry, str) for entry in value):
        raise SuiteError(f"suite {name}: {key!r} is a list of names")
    return value

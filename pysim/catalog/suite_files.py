"""Suites of one's own: a file that holds its levels or its items, and where they come from.

``luban import --bench`` writes them, one JSON object::

    {"format": "luban-own-suite/1", "name", "title", "bench", "source": {"reader", "files"},
     "levels": [level documents], "suite", "items": [...], "hash": "sha256:..."}

A suite has ``levels``, or ``items`` that its bench asks as those of one of its own suites,
``suite``. ``source`` names the files by name and SHA-256. The hash covers the bench and all that is
played or asked, and is checked at every reading.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from pysim.catalog import (
    OWN_SUITE,
    AnyLevel,
    LevelError,
    decode_level,
    encode_level,
)
from pysim.catalog.documents import check_id, parse_document, read_bytes, read_text
from pysim.field_types import Json
from pysim.limits import quote

__all__ = [
    "OwnSuite",
    "compute_suite_hash",
    "format_suite_file",
    "read_levels",
    "read_suite_file",
]

JsonObject = Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class OwnSuite:
    """A suite in a file.

    Attributes:
        name: of ``a-z 0-9 -``, as ids of levels are.
        title: for people.
        bench: the name of the bench whose suite it is.
        source: the reader that made it and the files that it was made of.
        levels: in order; none where items are asked.
        suite: the bench's suite that asks the items; empty where levels are played.
        items: in order, each as the bench writes it.
    """

    name: str
    title: str
    bench: str
    source: JsonObject
    levels: tuple[AnyLevel, ...] = ()
    suite: str = ""
    items: tuple[JsonObject, ...] = ()

    @property
    def hash(self) -> str:
        """``sha256:`` and 64 hexadecimal digits over all that is played or asked."""
        return compute_suite_hash(self)


def compute_suite_hash(suite: OwnSuite) -> str:
    """Return the content hash of a suite; title and source are not part of it."""
    levels = [[level.id, level.hash] for level in suite.levels]
    content = [suite.bench, suite.suite, levels, list(suite.items)]
    text = json.dumps(content, sort_keys=True, separators=(",", ":"))
    return "sha256:" + hashlib.sha256(text.encode()).hexdigest()


def format_suite_file(suite: OwnSuite) -> bytes:
    """Return the file that :func:`read_suite_file` reads."""
    levels = [encode_level(level) for level in suite.levels]
    content = {"levels": levels} if levels else {"suite": suite.suite, "items": list(suite.items)}
    document = {
        "format": OWN_SUITE,
        "name": suite.name,
        "title": suite.title,
        "bench": suite.bench,
        "source": suite.source,
        **content,
        "hash": suite.hash,
    }
    return (json.dumps(document, indent=1, ensure_ascii=False) + "\n").encode()


def read_suite_file(path: Path) -> OwnSuite | None:
    """Read a suite of one's own; None of a file that says it is something else.

    Raises:
        LevelError: the file can't be read or is damaged; the message names the file.
    """
    document = _document(path)
    if not isinstance(document, Mapping) or document.get("format") != OWN_SUITE:
        return None
    try:
        return _suite(document)
    except LevelError as error:
        raise LevelError(f"{path}: {error}") from None


def read_levels(path: Path) -> tuple[AnyLevel, ...]:
    """Read the level of a file, or the levels of a suite of one's own.

    Raises:
        LevelError: it can't be read, holds neither, or a hash does not match.
    """
    suite = read_suite_file(path)
    if suite is None:
        try:
            return (decode_level(_document(path)),)
        except LevelError as error:
            raise LevelError(f"{path}: {error}") from None
    if not suite.levels:
        raise LevelError(f"{path}: this suite consists of items: run them with `luban eval {path}`")
    return suite.levels


def _document(path: Path) -> object:
    try:
        return parse_document(read_bytes(path))
    except OSError as error:
        raise LevelError(f"{path}: {error.strerror}") from None
    except LevelError as error:
        raise LevelError(f"{path}: {error}") from None


def _suite(document: Mapping[str, object]) -> OwnSuite:
    levels, items = _objects(document, "levels"), _objects(document, "items")
    if bool(levels) == bool(items):
        raise LevelError("a suite of one's own has levels or items, one of the two")
    source = document.get("source")
    if not isinstance(source, Mapping):
        raise LevelError("its 'source' is no object")
    suite = OwnSuite(
        name=check_id(read_text(document, "name")),
        title=read_text(document, "title"),
        bench=read_text(document, "bench"),
        source=cast(JsonObject, source),
        levels=tuple(map(decode_level, levels)),
        suite=read_text(document, "suite") if items else "",
        items=tuple(cast(Sequence[JsonObject], items)),
    )
    _check(suite, document.get("hash"))
    return suite


def _objects(document: Mapping[str, object], key: str) -> Sequence[Mapping[str, object]]:
    value = document.get(key, [])
    if not isinstance(value, list) or not all(isinstance(one, Mapping) for one in value):
        raise LevelError(f"its {key!r} are no list of objects")
    return value


def _check(suite: OwnSuite, said: object) -> None:
    ids = [level.id for level in suite.levels]
    twice = sorted({one for one in ids if ids.count(one) > 1})
    if twice:
        raise LevelError(f"it has two levels with the id {twice[0]}")
    if said != suite.hash:
        raise LevelError(
            f"the content does not match its hash (it says {quote(said, 80)}, its content gives "
            f"{suite.hash!r}); it was changed or damaged: import it again"
        )

"""Journal of an agent: its requests to a model, the answers, and their cost.

A journal is the file ``agent.jsonl`` beside the log of an episode, in JSON Lines. Each object holds
one answer, or another note of the agent:

- ``usage``: tokens, as ``tokens_in``, ``tokens_out``, ``tokens_cached`` and ``tokens_reasoning``;
- ``from_cache``: true if the answer comes from an earlier journal, and cost nothing now;
- ``asked``: a digest of the request. An episode that was interrupted is tried again with the
  answers of the earlier journal, as long as the requests have the same digests;
- ``at``: the time of writing (UTC, ISO 8601), always the last key.

The log itself has none of this, so that equal play gives equal logs. Searches and scorers write
journals under other names and without times, so that equal choices give equal files.
"""

import json
import re
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bridge.agents.usage import Usage
from bridge.agents.usage_meter import UsageMeter
from bridge.recording.files import append_line, whole_lines
from bridge.recording.times import now
from pysim.errors import InputError
from pysim.field_types import Json
from pysim.untrusted import GIB, FileKind

__all__ = [
    "JOURNAL_FILE",
    "JOURNAL_NAME",
    "AnswerCost",
    "EarlierNotes",
    "Journal",
    "read_costs",
    "read_kept_notes",
    "read_notes",
    "sum_paid_usage",
    "sum_usage",
]

JOURNAL_NAME = "agent.jsonl"
JOURNAL_FILE = FileKind("a journal", GIB)
_DIGEST = re.compile(rb'"asked":"([0-9a-f]+)"[,}]')
"""Finds the digest in a line. Texts contain no match, since their quotation marks are escaped."""


@dataclass(frozen=True, slots=True)
class EarlierNotes:
    """Journals of earlier tries of an episode, whose answers are used again.

    Attributes:
        paths: the journals, earliest first.
        used: for each item, the number of its first answers that the log holds already.
    """

    paths: tuple[Path, ...] = ()
    used: Mapping[str, int] = field(default_factory=dict)


class Journal:
    """Writer of a journal. The file is created with the first note.

    Args:
        path: the file, or None to write nothing.
        meter: adds up the usage of new answers.
        earlier: the journals of earlier tries.
    """

    def __init__(
        self,
        path: Path | None = None,
        meter: UsageMeter | None = None,
        earlier: EarlierNotes | None = None,
    ) -> None:
        self._path = path
        self._meter = meter
        self.earlier = earlier or EarlierNotes()
        self._noted = _read_digests(path) if path in self.earlier.paths else frozenset()
        self._lock = threading.Lock()

    def open_beside(self, path: Path, earlier: EarlierNotes) -> "Journal":
        """Return a journal in another file with the same meter."""
        return Journal(path, self._meter, earlier)

    def record(self, document: Mapping[str, Json]) -> None:
        """Append an object as one line, wholly or not at all.

        An answer that was read from this same file is not written again.

        Raises:
            OSError: the file can't be written; the error names it.
            InputError: the object can't be written as JSON.
        """
        usage = document.get("usage")
        if self._meter is not None and isinstance(usage, dict) and not document.get("from_cache"):
            self._meter.count(Usage.parse_note(usage))
        known = document.get("from_cache") and document.get("asked") in self._noted
        if self._path is None or known:
            return
        timed = {**document, "at": now()} if self._path.name == JOURNAL_NAME else document
        line = json.dumps(timed, separators=(",", ":"), allow_nan=False) + "\n"
        with self._lock:
            append_line(self._path, line.encode("ascii"))


def _read_digests(path: Path | None) -> frozenset[str]:
    """Return the digests of the requests that a journal has answers to."""
    if path is None or not path.exists():
        return frozenset()
    found = (_DIGEST.search(line) for line in whole_lines(path, JOURNAL_FILE))
    return frozenset(match[1].decode() for match in found if match)


@dataclass(frozen=True, slots=True)
class AnswerCost:
    """Cost of one answer.

    Attributes:
        item: id of the item that it answers; empty where the journal has none.
        usage: tokens of the request and the answer.
        seconds: from the request to the end of the answer.
        from_cache: whether an earlier journal held the answer, so that it cost nothing.
    """

    item: str
    usage: Usage
    seconds: float
    from_cache: bool


def read_costs(path: Path) -> list[AnswerCost]:
    """Return the costs of the answers of a journal, in order; none if there is no journal.

    Answers without a usage are left out, and so is an incomplete last line.

    Raises:
        InputError: a line is damaged.
    """
    if not path.exists():
        return []
    lines = enumerate(whole_lines(path, JOURNAL_FILE), 1)
    found = (_cost(path, number, line) for number, line in lines)
    return [cost for cost in found if cost is not None]


def read_notes(path: Path) -> list[Mapping[str, Json]]:
    """Return the objects of a journal in order; none if there is no journal.

    Lines that hold no object are left out: agents of other packages may write such.
    """
    if not path.exists():
        return []
    return [note for line in whole_lines(path, JOURNAL_FILE) if (note := _object(line)) is not None]


def read_kept_notes(path: Path) -> str | None:
    """Return what an agent kept for its next attempt; None if it has kept nothing yet."""
    kept = [note.get("kept") for note in read_notes(path) if note.get("type") == "kept"]
    return str(kept[-1]) if kept else None


def _object(line: bytes) -> Mapping[str, Json] | None:
    try:
        note = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return note if isinstance(note, dict) else None


def sum_usage(path: Path) -> Usage:
    """Return the total usage of a journal; zero if there is no journal.

    Raises:
        InputError: a line is damaged.
    """
    return sum((cost.usage for cost in read_costs(path)), Usage())


def sum_paid_usage(path: Path) -> Usage:
    """Return the total usage as :func:`sum_usage`, without answers from earlier journals."""
    return sum((cost.usage for cost in read_costs(path) if not cost.from_cache), Usage())


def _cost(path: Path, number: int, line: bytes) -> AnswerCost | None:
    try:
        note: Mapping[str, Any] = json.loads(line)
        usage = note.get("usage")
        if usage is None:
            return None
        item, seconds = str(note.get("item", "")), float(note.get("seconds") or 0.0)
        return AnswerCost(item, Usage.parse_note(usage), seconds, bool(note.get("from_cache")))
    except (
        ValueError,
        KeyError,
        TypeError,
        AttributeError,
        OverflowError,
        RecursionError,
    ) as error:
        raise InputError(f"{path}, line {number}: no line of a journal ({error})") from None

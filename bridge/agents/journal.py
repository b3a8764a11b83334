"""The journal of an agent: the questions that it was asked, its answers and their cost.

JSON Lines, one object a line, in ``agent.jsonl`` beside the log. An object may have ``"usage":
{"tokens_in", "tokens_out"}``, and in it ``tokens_cached`` and ``tokens_reasoning``: those are
summed up. With ``"from_cache": true`` they were paid for earlier. Each object ends with ``"at"``,
the time at which it was written (UTC, ISO 8601). The log of the episode stays free of all this, so
that equal play gives equal logs. Searches and scorers write journals under other names, which hold
no times: equal choices give equal files.

A note of an answer also has ``asked``, a digest of the question. When an episode that was cut off
is tried again, its agent gets the answers of the earlier journal as long as it asks the same.
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

__all__ = [
    "JOURNAL_NAME",
    "AnswerCost",
    "EarlierNotes",
    "Journal",
    "read_costs",
    "read_notes",
    "sum_paid_usage",
    "sum_usage",
]

JOURNAL_NAME = "agent.jsonl"
_QUESTION = re.compile(rb'"asked":"([0-9a-f]+)"[,}]')
"""A part of a note of an answer. It can't stand in a text, where quotation marks are escaped."""


@dataclass(frozen=True, slots=True)
class EarlierNotes:
    """Journals of earlier tries, whose answers have been paid for.

    Attributes:
        paths: of the journals, the earliest first.
        used: for each item, the number of its first answers that are in a log already.
    """

    paths: tuple[Path, ...] = ()
    used: Mapping[str, int] = field(default_factory=dict)


class Journal:
    """Writes an agent's journal; the file is made with the first note.

    Args:
        path: the file, or None to write nothing.
        meter: counts what is noted, if there is one.
        earlier: the notes of earlier tries.
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
        self._noted = _questions(path) if path in self.earlier.paths else frozenset()
        self._lock = threading.Lock()

    def open_beside(self, path: Path, earlier: EarlierNotes) -> "Journal":
        """Return a journal in another file that is counted by the same meter."""
        return Journal(path, self._meter, earlier)

    def record(self, document: Mapping[str, Json]) -> None:
        """Write one object; when this returns, the operating system has all of it, or nothing.

        An answer that is taken from this very journal is not noted again.

        Raises:
            OSError: it can't be written; the error names the file.
            InputError: it is no JSON.
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


def _questions(path: Path | None) -> frozenset[str]:
    """Return the digests of the questions whose answers a journal notes."""
    if path is None or not path.exists():
        return frozenset()
    found = (_QUESTION.search(line) for line in whole_lines(path))
    return frozenset(match[1].decode() for match in found if match)


@dataclass(frozen=True, slots=True)
class AnswerCost:
    """Cost of one answer.

    Attributes:
        item: which question it answers; empty where the journal says none.
        usage: tokens.
        seconds: until it was there.
        from_cache: whether it was there before, and cost nothing.
    """

    item: str
    usage: Usage
    seconds: float
    from_cache: bool


def read_costs(path: Path) -> list[AnswerCost]:
    """The answers of a journal whose tokens are known, in order; none if there is no journal.

    A last line that was cut off is left out.

    Raises:
        InputError: a line is damaged.
    """
    if not path.exists():
        return []
    lines = enumerate(whole_lines(path), 1)
    found = (_cost(path, number, line) for number, line in lines)
    return [cost for cost in found if cost is not None]


def read_notes(path: Path) -> list[Mapping[str, Json]]:
    """Return the objects of a journal in order; none if there is no journal.

    Agents of other packages write journals of their own, so lines that hold no object are left out.
    """
    if not path.exists():
        return []
    return [note for line in whole_lines(path) if (note := _object(line)) is not None]


def _object(line: bytes) -> Mapping[str, Json] | None:
    try:
        note = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return note if isinstance(note, dict) else None


def sum_usage(path: Path) -> Usage:
    """Sum the usage that a journal notes; zero if there is no journal.

    Raises:
        InputError: a line is damaged.
    """
    return sum((cost.usage for cost in read_costs(path)), Usage())


def sum_paid_usage(path: Path) -> Usage:
    """As :func:`sum_usage`, without what came from a cache."""
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

"""The folder of a batch: its levels, their pictures, and a summary from which it is resumed.

``summary.json`` is replaced as a whole after the files of a level, never before: what it names is
there, and what it does not name is made again, the same.
"""

import fcntl
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from bridge.recording.fields import FieldError, Fields, json_object
from bridge.recording.files import draft_of
from pysim.errors import LubanError
from pysim.generation import Generator
from pysim.puzzle import Fact
from pysim.untrusted import MIB, FileKind, FileRefused, read_untrusted, refuse_leaving_links

__all__ = [
    "FORMAT",
    "SUMMARY",
    "TIMINGS",
    "BatchError",
    "BatchSummary",
    "LevelEntry",
    "open_folder",
]

FORMAT = "luban-batch/1"
SUMMARY, TIMINGS = "summary.json", "timings.json"
_TIMINGS = ("seconds", "attempt_seconds")
TIMINGS_FILE = FileKind("a file of timings", 16 * MIB)
SUMMARY_FILE = FileKind("a summary of a batch", 64 * MIB)


class BatchError(LubanError, ValueError):
    """A batch can't be made in a folder; the message says why and what to do."""


@dataclass(frozen=True, slots=True)
class LevelEntry:
    """A level of a batch.

    Attributes:
        id: the level's id.
        attempt: the attempt that made it.
        key: see :attr:`pysim.generation.Draft.key`.
        hash: the level's hash.
        score: see :attr:`pysim.generation.Draft.score`.
    """

    id: str
    attempt: int
    key: str
    hash: str
    score: int


@dataclass(frozen=True, slots=True)
class BatchSummary:
    """The progress of a batch.

    Attributes:
        generator: name and version of the generator.
        settings: the generator's.
        command: what makes the same levels again, but for how many and where to.
        attempts: the attempts before this number are done.
        rejected: reason -> attempts that came to nothing because of it.
        best: greatest score of any attempt.
        levels: in the order of their attempts.
        seconds: how long the runs took in all; differs from run to run.
        attempt_seconds: how long the attempts took, added up over the processes.
    """

    generator: str
    settings: Mapping[str, Fact]
    command: str
    attempts: int = 0
    rejected: Mapping[str, int] = field(default_factory=dict)
    best: int = 0
    levels: tuple[LevelEntry, ...] = ()
    seconds: float = 0.0
    attempt_seconds: float = 0.0

    @staticmethod
    def of(generator: Generator) -> "BatchSummary":
        """Return the summary of a batch that has not begun."""
        return BatchSummary(generator.name, dict(generator.settings), generator.command)

    def to_document(self) -> dict[str, object]:
        """As JSON, without what differs from run to run."""
        content = asdict(self)
        return {"format": FORMAT, **{key: content[key] for key in content if key not in _TIMINGS}}

    def list_timings(self) -> dict[str, object]:
        """Return what differs from run to run, for a file of its own."""
        return {name: round(getattr(self, name), 3) for name in _TIMINGS}


@contextmanager
def open_folder(folder: Path, generator: Generator) -> Iterator[BatchSummary]:
    """Make a folder, or resume one, that no other run uses; gives how far its batch is.

    Raises:
        BatchError: it can't be written, holds something else or another batch, or is in use.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        handle = os.open(folder, os.O_RDONLY)
    except OSError as error:
        raise BatchError(f"{folder} can't be a folder for levels: {error.strerror}") from None
    try:
        _lock(handle, folder)
        yield _begin(folder, generator)
    finally:
        os.close(handle)


def _lock(handle: int, folder: Path) -> None:
    """Keep other runs out until the folder is closed, or this process ends."""
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise BatchError(f"another run is at work in {folder}; choose another folder") from None
    except OSError as error:
        raise BatchError(f"{folder} can't be locked: {error.strerror}") from None
    if not os.access(folder, os.W_OK | os.X_OK):
        raise BatchError(f"{folder} can't be written; choose another folder")


def _begin(folder: Path, generator: Generator) -> BatchSummary:
    refuse_leaving_links(folder)
    begun = BatchSummary.of(generator)
    if not (folder / SUMMARY).exists():
        if any(entry != draft_of(folder / SUMMARY) for entry in folder.iterdir()):
            raise BatchError(f"{folder} is not empty and holds no batch; choose another folder")
        return begun
    found = _read(folder / SUMMARY)
    if found.generator != begun.generator:
        raise BatchError(
            f"{folder} holds levels of {found.generator}, not of {begun.generator}; choose another "
            "folder"
        )
    differing = [k for k, v in begun.settings.items() if found.settings.get(k) != v]
    if differing or len(found.settings) != len(begun.settings):
        told = ", ".join(f"{k} {found.settings.get(k)}" for k in differing)
        raise BatchError(f"{folder} holds levels made with {told}; choose another folder")
    for left in folder.glob(".*.part"):  # By a run that was killed while it wrote.
        left.unlink()
    return found


def _read(path: Path) -> BatchSummary:
    try:
        document = json_object(read_untrusted(path, SUMMARY_FILE))
        if document.pop("format") != FORMAT:
            raise BatchError(f"{path} was written by another version; choose another folder")
        _check_types(document)
        timings = document.pop("timings", None) or _read_timings(path.with_name(TIMINGS))
        levels = tuple(LevelEntry(**entry) for entry in document.pop("levels"))
        return replace(BatchSummary(**document), levels=levels, **timings)
    except (OSError, KeyError, TypeError, AttributeError, ValueError) as error:
        if isinstance(error, BatchError | FileRefused):
            raise
        raise BatchError(f"{path} is no summary of a batch; choose another folder") from None


def _check_types(document: Mapping[str, Any]) -> None:
    said = Fields(document)
    for name in ("generator", "command"):
        said.text(name)
    for name in ("attempts", "best"):
        said.integer(name)
    said.mapping("settings")
    rejected = said.inner("rejected")
    for name in said.mapping("rejected"):
        rejected.whole(name, 0)
    if said.has("timings"):  # Earlier versions had them here.
        _check_timings(said.inner("timings"))
    for entry in map(Fields, document["levels"]):
        for name in ("id", "key", "hash"):
            entry.text(name)
        for name in ("attempt", "score"):
            entry.integer(name)


def _read_timings(path: Path) -> dict[str, float]:
    """Return the times of a batch so far; zero where a kill came before they were written.

    Raises:
        BatchError: the file is damaged.
    """
    try:
        fields = Fields(json_object(read_untrusted(path, TIMINGS_FILE)))
        return _check_timings(fields)
    except FileNotFoundError:
        return dict.fromkeys(_TIMINGS, 0.0)
    except FieldError as error:
        raise BatchError(f"{path}: {error}; remove it") from None


def _check_timings(fields: Fields) -> dict[str, float]:
    return {name: fields.number(name) for name in _TIMINGS}

"""The log of a run of items: ``items.jsonl`` in the run's folder, JSON Lines.

The first line is the header: everything that the items and the answers of a deterministic agent
depend on. Each further line is one answer, in the order in which they were given::

    {"type": "answer", "trial", "step", "item", "digest", "pictures", "text", "read", "gold",
     "right"}

In the header each of ``parts`` has the ``variant`` and ``count`` of a subset, and its options
between them. ``digest`` is the item's; ``pictures`` describe those it has, with all that was done
to them; ``read`` is what was understood, None if nothing. Besides, a line ``{"type": "renderer",
"name", "version"}`` says what drew pictures. What becomes of a trial follows from its answers, so
that a run which was killed resumes with the next question of each. A line that was cut off is taken
away when the next one is written.
"""

import json
import threading
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from bridge.items.answerers import find_answerer_kind
from bridge.items.suites import Subset
from bridge.recording.fields import Fields, json_object
from bridge.recording.files import append_line, whole_lines, write_whole
from bridge.runs.folders import RunError, RunLock, begin_file
from pysim.errors import InputError
from pysim.field_types import Json
from pysim.items import Item
from pysim.limits import quote
from pysim.untrusted import GIB, FileKind, FileRefused, refuse_leaving_links

__all__ = ["FORMAT", "LOG_NAME", "AnswerRecord", "ItemLog", "ItemRunSettings", "format_answer"]

FORMAT = "luban-items/1"
LOG_NAME = "items.jsonl"
ITEMS_FILE = FileKind("a log of items", GIB)


@dataclass(frozen=True, slots=True)
class ItemRunSettings:
    """Questions, agent and settings of a run: everything that results depend on.

    Attributes:
        suite, version: of the items.
        parts: the subsets that are asked, in order.
        agent: its name, with its argument.
        seed: for agents that draw random numbers.
        picture_size: edge of pictures in pixels.
        options: what the agent was given besides, name -> text.
        luban: version of the program.
    """

    suite: str
    version: str
    parts: tuple[Subset, ...]
    agent: str
    seed: int = 0
    picture_size: int = 512
    options: Mapping[str, str] = field(default_factory=dict)
    luban: str = ""

    def to_document(self) -> dict[str, Any]:
        """Return the document that :meth:`from_document` reads."""
        plain = asdict(replace(self, parts=()))
        plain["parts"] = [subset.to_document() for subset in self.parts]
        return {"type": "run", "format": FORMAT, **json.loads(json.dumps(plain))}

    @staticmethod
    def from_document(document: Mapping[str, Any]) -> "ItemRunSettings":
        """Return the settings in a header.

        Raises:
            RunError: it is none.
        """
        if document.get("type") != "run" or document.get("format") != FORMAT:
            raise RunError(
                f"its format is {quote(document.get('format'))}; this version reads {FORMAT}"
            )
        try:
            _check_types(Fields(document))
            values = {f.name: document[f.name] for f in fields(ItemRunSettings)}
            values["parts"] = tuple(map(Subset.from_document, values["parts"]))
            return ItemRunSettings(**values)
        except (KeyError, TypeError, ValueError, OverflowError) as error:
            raise RunError(f"its header is damaged: {error}") from None


def _check_types(header: Fields) -> None:
    for name in ("suite", "version", "agent", "luban"):
        header.text(name)
    header.integer("seed")
    header.whole("picture_size", 0)
    options = header.inner("options")
    for name in header.mapping("options"):
        options.text(name)


@dataclass(frozen=True, slots=True)
class AnswerRecord:
    """One answer.

    Attributes:
        trial: its id.
        step: which of the trial's questions, from 0.
        digest: of the item.
        text: what was said.
        item: its id.
    """

    trial: str
    step: int
    digest: str
    text: str
    item: str = ""


class ItemLog:
    """The log of a run on disk; safe to write from many threads.

    Attributes:
        path: the run's folder.
        settings: of the run.
        answers: what was answered before, by trial, in the order of the steps.
    """

    def __init__(
        self, path: Path, settings: ItemRunSettings, answers: Mapping[str, list[AnswerRecord]]
    ) -> None:
        self.path = path
        self.settings = settings
        self.answers = answers
        self._lock = threading.Lock()

    @staticmethod
    def begin(path: Path, settings: ItemRunSettings) -> "ItemLog":
        """Return the log for these settings: a new one, or one in which the same run was begun.

        As long as nothing is answered the settings may be other ones: what a model's server refuses
        may be corrected.

        Raises:
            RunError: there is something else in the folder, or another process is at work on it.
            OSError: it can't be made.
        """
        begin_file(path, LOG_NAME, _line(settings.to_document()))
        log = ItemLog.read(path)
        before, now = _lasting(log.settings), _lasting(settings)
        differing = [name for name in now if before[name] != now[name]]
        if differing and not log.answers:
            with log.lock():
                if not ItemLog.read(path).answers:
                    write_whole(path / LOG_NAME, _line(settings.to_document()).encode())
                    return ItemLog(path, settings, {})
        if differing:
            names = ", ".join(differing)
            raise RunError(f"{path} holds another run (other {names}); give --out another folder")
        return log.merge_options(settings.options)

    @staticmethod
    def read(path: Path) -> "ItemLog":
        """Return the log in a folder; a last line that was cut off is left out.

        Raises:
            RunError: there is none, or it is damaged.
        """
        file = path / LOG_NAME
        try:
            refuse_leaving_links(path)
            lines = whole_lines(file, ITEMS_FILE)
        except FileRefused:
            raise
        except OSError as error:
            raise RunError(f"{path} holds no run: {file.name}: {error.strerror}") from None
        try:
            settings = ItemRunSettings.from_document(json_object(lines[0]) if lines else {})
        except InputError as error:
            raise RunError(f"{file}: {error}") from None
        return ItemLog(path, settings, _by_trial(file, lines[1:]))

    def merge_options(self, options: Mapping[str, str]) -> "ItemLog":
        """Return the same with other settings of the agent, on which no answer depends."""
        return ItemLog(self.path, replace(self.settings, options=options), self.answers)

    def lock(self) -> RunLock:
        """Keeps other processes from working on this run; a context manager."""
        return RunLock(self.path)

    def append(self, document: Mapping[str, Json]) -> None:
        """Write a line; it is with the operating system when this returns, whole or not at all.

        Raises:
            OSError: it can't be written.
        """
        with self._lock:
            append_line(self.path / LOG_NAME, _line(document).encode())


def _by_trial(file: Path, lines: list[bytes]) -> dict[str, list[AnswerRecord]]:
    """Return the answers of each trial, in the order of its steps."""
    answers: dict[str, list[AnswerRecord]] = {}
    for answer in _answers(file, lines):
        told = answers.setdefault(answer.trial, [])
        if answer.step != len(told):
            raise RunError(f"{file}: step {answer.step} of {answer.trial} is out of order")
        told.append(answer)
    return answers


def _lasting(settings: ItemRunSettings) -> dict[str, Any]:
    """Return the settings on which answers depend."""
    document = settings.to_document()
    try:
        options = find_answerer_kind(settings.agent).select_lasting(settings.options)
    except InputError:  # It is of a package that is gone.
        return document
    return document | {"options": options}


def format_answer(answered: AnswerRecord, item: Item[Any]) -> dict[str, Json]:
    """Format an answer for a log."""
    read = item.form.parse(answered.text)
    return {
        "type": "answer",
        "trial": answered.trial,
        "step": answered.step,
        "item": item.id,
        "digest": answered.digest,
        "pictures": [picture.to_document() for picture in item.pictures],
        "text": answered.text,
        "read": None if read is None else item.form.format(read),
        "gold": item.form.format(item.gold),
        "right": item.check(answered.text),
    }


def _line(document: Mapping[str, Json]) -> str:
    return json.dumps(document, separators=(",", ":"), allow_nan=False) + "\n"


def _answers(file: Path, lines: list[bytes]) -> Iterator[AnswerRecord]:
    for number, line in enumerate(lines, 2):
        try:
            document = json.loads(line)
            if document["type"] == "answer":
                yield AnswerRecord(
                    str(document["trial"]),
                    int(document["step"]),
                    str(document["digest"]),
                    str(document["text"]),
                    str(document.get("item", "")),
                )
        except (ValueError, KeyError, TypeError, OverflowError, RecursionError) as error:
            raise RunError(f"{file}, line {number}: no line of a log ({error})") from None

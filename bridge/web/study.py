"""Studies: people who play the levels of a study, each in an order of a Latin square.

A study is a JSON file. What is played lies in an ordinary folder of a run, in which the attempts
are the participants, with a journal ``study.jsonl`` beside it: who has joined, agreed, begun and
finished, and when. A participant is a number; nothing personal is asked for or written down.
"""

import hashlib
import json
import secrets
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from bridge.episode.choices import Obs
from bridge.recording.fields import Fields, json_object
from bridge.recording.files import append_line, whole_lines
from bridge.recording.times import now
from bridge.runs.settings import RunSettings
from bridge.runs.store import STUDY_NAME, RunFolder
from bridge.web.games import AGENT_OF_PICTURES, AGENT_OF_SCENE, WINDOW
from pysim.catalog import AnyLevel
from pysim.errors import InputError, LubanError
from pysim.level_selection import load_level, select_levels
from pysim.limits import quote
from pysim.untrusted import GIB, MIB, FileKind, read_untrusted

__all__ = [
    "Event",
    "Participant",
    "Study",
    "StudyError",
    "StudyFolder",
    "StudyFull",
    "UnknownCode",
    "list_orders",
    "read_study",
]

FORMAT = "luban-study/1"
STUDY_FILE = FileKind("a study", MIB)
JOURNAL_FILE = FileKind("the journal of a study", GIB)
_MOST_LEVELS = 200
_CODE_LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
"""Letters and digits that are not taken for each other."""
_CODE_LENGTH = 12


class StudyError(InputError):
    """A file is no study, or the study can't be begun."""


class StudyFull(LubanError):
    """The study has all its participants."""


class UnknownCode(LubanError):
    """No participant has that code."""


class Event(StrEnum):
    """An event that a journal notes of a participant."""

    JOINED = "joined"
    AGREED = "agreed"
    READ = "read"
    PRACTICED = "practiced"
    BEGAN = "began"
    ENDED = "ended"


@dataclass(frozen=True, slots=True)
class Study:
    """A study as its file describes it.

    Attributes:
        title: for participants.
        levels: that everybody plays.
        pictures: whether participants see an agent's pictures alone.
        participants: places that there are.
        consent: what one agrees to before anything else.
        instructions: what one reads then.
        practice: a level to try first, which doesn't count; None for none.
        budget: steps at each level; None for each level's own.
    """

    title: str
    levels: tuple[AnyLevel, ...]
    pictures: bool
    participants: int
    consent: str
    instructions: str
    practice: AnyLevel | None
    budget: int | None

    def make_settings(self) -> RunSettings:
        """Return the settings of the run in which it is played."""
        return RunSettings(
            suite=self.title,
            levels=tuple((level.id, level.hash) for level in self.levels),
            agent=AGENT_OF_PICTURES if self.pictures else AGENT_OF_SCENE,
            attempts=self.participants,
            obs=Obs.IMAGE if self.pictures else Obs.IMAGE_STATE,
            budget=self.budget,
            history_window=WINDOW,
        )


def read_study(path: Path) -> Study:
    """Read a study.

    Raises:
        StudyError: the file holds none.
    """
    document = read_untrusted(path, STUDY_FILE)
    try:
        return _parse(Fields(json_object(document)))
    except InputError as error:
        raise StudyError(f"{path}: {error}") from None


def _parse(fields: Fields) -> Study:
    if fields.text("format") != FORMAT:
        raise StudyError(f"its format is not {FORMAT}")
    levels = select_levels(fields.text("levels"))
    if not 1 <= len(levels) <= _MOST_LEVELS:
        raise StudyError(f"a study has 1 to {_MOST_LEVELS} levels, not {len(levels)}")
    shown = fields.text("shown")
    if shown not in ("pictures", "scene"):
        raise StudyError(f"'shown' is pictures or scene, not {quote(shown)}")
    study = Study(
        title=fields.text("title"),
        levels=levels,
        pictures=shown == "pictures",
        participants=fields.whole("participants", 1),
        consent=fields.text("consent"),
        instructions=fields.text("instructions"),
        practice=load_level(fields.text("practice")) if fields.has("practice") else None,
        budget=fields.whole("budget", 1) if fields.has("budget") else None,
    )
    study.make_settings()  # Says what is out of range.
    return study


def list_orders(count: int) -> list[tuple[int, ...]]:
    """Return the rows of a Latin square of Williams (1949), balanced for what comes before.

    Each number stands in each place equally often, and follows each other one equally often. An
    odd count needs twice as many rows.
    """
    zigzag = [(-(place // 2) if place % 2 == 0 else place // 2 + 1) for place in range(count)]
    rows = [tuple((step + row) % count for step in zigzag) for row in range(count)]
    return rows if count % 2 == 0 else rows + [row[::-1] for row in rows]


@dataclass(slots=True)
class Participant:
    """A participant, and how far it has come.

    Attributes:
        number: from 1.
        order: numbers of the levels in the order in which they are played.
        agreed, read, practiced: what it has done before the levels.
    """

    number: int
    order: tuple[int, ...]
    agreed: bool = False
    read: bool = False
    practiced: bool = False


class StudyFolder:
    """The folder of a study, its participants and its journal. Safe to use from many threads.

    Args:
        study: what is played.
        path: the folder, a new one or that of the same study.

    Raises:
        RunError: there is something else in it.
    """

    def __init__(self, study: Study, path: Path) -> None:
        self.study = study
        self.run = RunFolder.begin(path, study.make_settings())
        self._journal = path / STUDY_NAME
        self._lock = threading.Lock()
        self._orders = list_orders(len(study.levels))
        self._known: dict[str, Participant] = {}
        for note in self._read():
            self._remember(note)

    def join(self) -> tuple[str, Participant]:
        """Return the code of a new participant, which is kept nowhere but as a digest.

        Raises:
            StudyFull: all places are taken.
            OSError: it can't be written down.
        """
        with self._lock:
            number = len(self._known) + 1
            if number > self.study.participants:
                raise StudyFull("this study has all its participants: thank you for coming")
            code = "".join(secrets.choice(_CODE_LETTERS) for _ in range(_CODE_LENGTH))
            note = {"type": Event.JOINED, "participant": number, "code": _digest(code)}
            self._write(note)
            self._remember(note)
            return code, self._known[_digest(code)]

    def find(self, code: str) -> Participant:
        """Return the participant with a code.

        Raises:
            UnknownCode: there is none.
        """
        with self._lock:
            known = self._known.get(_digest(code.strip().upper()[:40]))
        if known is None:
            raise UnknownCode("no participant has this code: check each letter")
        return known

    def note(self, participant: Participant, event: Event, level: AnyLevel | None = None) -> None:
        """Write down what a participant has done.

        Raises:
            OSError: it can't be written down; it is as if it had not been done.
        """
        note: dict[str, object] = {"type": event, "participant": participant.number}
        if level is not None:
            note["level"] = level.id
        with self._lock:
            self._write(note)
            _apply(participant, event)

    def locate(self, participant: Participant, place: int) -> tuple[AnyLevel, Path]:
        """Return the level that a participant plays at a place, and the folder of its episode."""
        level = self.study.levels[participant.order[place]]
        return level, self.run.locate_episode(level.id, participant.number)

    def _write(self, note: Mapping[str, object]) -> None:
        append_line(self._journal, json.dumps({**note, "at": now()}).encode() + b"\n")

    def _read(self) -> list[Mapping[str, object]]:
        if not self._journal.exists():
            return []
        return [json_object(line) for line in whole_lines(self._journal, JOURNAL_FILE)]

    @property
    def participants(self) -> tuple[Participant, ...]:
        """Participants so far, by their numbers."""
        with self._lock:
            return tuple(sorted(self._known.values(), key=lambda one: one.number))

    def _remember(self, note: Mapping[str, object]) -> None:
        """Take over a note of the journal.

        Raises:
            StudyError: it is none.
        """
        fields = Fields(note)
        number = fields.whole("participant", 1)
        try:
            event = Event(fields.text("type"))
        except ValueError:
            raise StudyError(f"{self._journal}: there is no such event in a study") from None
        if event is Event.JOINED:
            order = self._orders[(number - 1) % len(self._orders)]
            self._known[fields.digest("code")] = Participant(number, order)
            return
        for participant in self._known.values():
            if participant.number == number:
                _apply(participant, event)


def _apply(participant: Participant, event: Event) -> None:
    match event:
        case Event.AGREED:
            participant.agreed = True
        case Event.READ:
            participant.read = True
        case Event.PRACTICED:
            participant.practiced = True


def _digest(code: str) -> str:
    return hashlib.sha256(f"luban study\n{code}".encode("utf-8", "replace")).hexdigest()

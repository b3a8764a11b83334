"""Worker that puts the questions of one trial after another to an agent."""

import threading
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, ClassVar

from bridge.agents.chat import ModelRefusal
from bridge.agents.journal import JOURNAL_NAME, EarlierNotes, Journal
from bridge.agents.usage import NO_USAGE, Usage
from bridge.agents.usage_meter import SpendingLimit, UsageMeter
from bridge.episode.engines import OpenEngines
from bridge.episode.rendering import SharedRenderer
from bridge.episode.sanitize import sanitize_text
from bridge.items.answerers import Answerer, make_answerer
from bridge.items.log import AnswerRecord, ItemLog, ItemRunSettings, format_answer
from bridge.items.person import AnsweringPerson, AskPerson
from bridge.items.questions import Before, Question, make_question, show_item
from bridge.items.suites import ItemSuite
from pysim.errors import MissingPackage
from pysim.field_types import Json
from pysim.items import Item, Trial
from pysim.limits import MAX_ANSWER
from pysim.scene import Scene

__all__ = ["AskJob", "AskResult", "AskWork", "TrialCache"]

LogLine = Mapping[str, Json]
Note = Callable[[LogLine], None]


@dataclass
class TrialCache:
    """The trials of a run by subset, made when they are first asked for, in each process anew."""

    suite: ItemSuite
    settings: ItemRunSettings
    _made: dict[int, Sequence[Trial[Any]]] = field(default_factory=dict, init=False)

    def get(self, subset: int) -> Sequence[Trial[Any]]:
        """Return the trials of the subset with this number."""
        if subset not in self._made:
            self._made[subset] = self.suite.trials(self.settings.parts[subset])
        return self._made[subset]

    def __reduce__(self) -> tuple[type["TrialCache"], tuple[ItemSuite, ItemRunSettings]]:
        return TrialCache, (self.suite, self.settings)


@dataclass(frozen=True, slots=True)
class AskJob:
    """A trial that is not over.

    Attributes:
        trial: its id.
        subset, number: where it stands among the run's.
        answers: that were given.
    """

    trial: str
    subset: int
    number: int
    answers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AskResult:
    """Result of a job.

    Attributes:
        trial: its id.
        over: whether the trial is.
        failed: why it can't continue; empty if it could, or was stopped.
        ends_run: whether every other trial would fail for the same reason.
        lines: of the log, that are not written yet.
        journal: of the agent, that is not written yet.
    """

    trial: str
    over: bool = False
    failed: str = ""
    ends_run: bool = False
    lines: tuple[LogLine, ...] = ()
    journal: bytes = b""


@dataclass(frozen=True, slots=True)
class AskWork:
    """Asks the items of a run; see :class:`~bridge.jobs.work.Work`.

    Attributes:
        trials: of the run.
        renderer: as for :class:`~bridge.episode.rendering.SharedRenderer`.
        open_engines: gives the renderers, in every process anew.
        log: where answers are written the moment they are given; None where they are only told.
        allowance: what may be used up in all; None for any amount.
        paid: what was used up before.
        person: shows the questions to a person; None for every other agent.
    """

    trials: TrialCache
    renderer: str
    open_engines: OpenEngines
    log: ItemLog | None = None
    allowance: SpendingLimit | None = None
    paid: Usage = NO_USAGE
    person: AskPerson | None = None
    can_pause: ClassVar[bool] = True

    def open(self, stopped: Callable[[], bool]) -> "AskWorker":
        """Asks in this process.

        Raises:
            InputError: the agent can't be made.
        """
        return AskWorker(self, stopped)

    def report_lost(self, job: AskJob, message: str) -> AskResult:
        """The trial has failed."""
        return AskResult(job.trial, failed=message)


class AskWorker:
    """Asks what is left of trials; safe to use from many threads if there is a log."""

    def __init__(self, work: AskWork, stopped: Callable[[], bool]) -> None:
        settings = work.trials.settings
        self._work = work
        self._interrupted = stopped
        self._meter = UsageMeter(work.allowance, work.paid)
        self._size = settings.picture_size
        self._open = ExitStack()
        engines = self._open.enter_context(work.open_engines())
        self._renderer = SharedRenderer(work.renderer, engines)
        self._open.callback(self._renderer.close)
        self._journal = self._folder() / JOURNAL_NAME
        self._agent = partial(self._responder, settings)
        # In a process of its own a worker can't say what is wrong before it has a trial.
        self._respond = None if work.log is None else self._agent()
        self._lock = threading.Lock()
        self._named = False

    def _responder(self, settings: ItemRunSettings) -> Answerer:
        journal = Journal(self._journal, self._meter, self._earlier())
        if self._work.person is not None:
            return AnsweringPerson(self._work.person, journal).respond
        return make_answerer(settings.agent, settings.seed, settings.options, journal)

    def perform(self, job: AskJob) -> AskResult | None:
        """Ask what is left of a trial; None if there was no time for anything."""
        if self._stopped():
            return None
        lines: list[LogLine] = []
        note = lines.append if self._work.log is None else self._work.log.append
        trial = self._work.trials.get(job.subset)[job.number]
        over, error = self._ask(trial, job.answers, note)
        failed = "" if error is None else sanitize_text(f"{type(error).__name__}: {error}")
        ends_run = error is not None and self._concerns_all(error)
        return AskResult(job.trial, over, failed, ends_run, tuple(lines), self._noted())

    def close(self) -> None:
        """Free the renderer and the engines."""
        self._open.close()

    def _stopped(self) -> bool:
        return self._interrupted() or self._meter.is_spent

    def _folder(self) -> Path:
        if self._work.log is not None:
            return self._work.log.path
        return Path(self._open.enter_context(TemporaryDirectory(prefix="luban-")))

    def _noted(self) -> bytes:
        """Return the agent's journal entries since the last call, if the journal is its own."""
        if self._work.log is not None or not self._journal.exists():
            return b""
        noted = self._journal.read_bytes()
        self._journal.unlink()
        return noted

    def _earlier(self) -> EarlierNotes:
        """Notes of answers that did not come into the log: a kill came between the two."""
        if self._work.log is None:
            return EarlierNotes()
        logged = (one.item for told in self._work.log.answers.values() for one in told)
        return EarlierNotes((self._journal,), Counter(logged))

    def _concerns_all(self, error: Exception) -> bool:
        """Return whether an error would meet every question: a wrong key, model or setting."""
        if isinstance(error, ModelRefusal):
            return error.certain or not self._meter.has_counted
        return isinstance(error, MissingPackage)

    def _ask(
        self, trial: Trial[Any], answers: Sequence[str], note: Note
    ) -> tuple[bool, Exception | None]:
        """Return whether the trial is over now, and if it failed why."""
        state, before = trial.start(), list[tuple[Item[Any], str]]()
        while (item := trial.ask(state)) is not None:
            step = len(before)
            if step < len(answers):
                text = answers[step]
            elif self._stopped():
                return False, None
            else:
                try:
                    text = self._answer(item, before, note)
                except Exception as error:
                    return False, error
                # What can't be written down ends the run: answers may be dear.
                note(format_answer(AnswerRecord(trial.id, step, item.digest, text), item))
            before.append((item, text))
            state = trial.after(state, text)
        return True, None

    def _answer(self, item: Item[Any], before: Before, note: Note) -> str:
        if self._respond is None:
            self._respond = self._agent()
        show = partial(self._shown, note=note)
        said = self._respond(item, lambda: make_question(item, before, show))
        if not isinstance(said, str):
            raise TypeError(f"an answer is a text, not a {type(said).__name__}")
        # As of a model whose answer can't be read: it is an answer in which nothing is said.
        return sanitize_text(said) if len(said) <= MAX_ANSWER else ""

    def _shown(self, item: Item[Any], note: Note) -> Question:
        question = show_item(item, self._renderer, self._size)
        if any(isinstance(picture.of, Scene) for picture in item.pictures):
            self._name_renderer(note)
        return question

    def _name_renderer(self, note: Note) -> None:
        """Write down, once, what draws the pictures."""
        with self._lock:
            if not self._named:
                name, version = self._renderer.name, self._renderer.version
                note({"type": "renderer", "name": name, "version": version})
                self._named = True

"""Asking a whole run: many trials at once, gone on with after a kill, no question asked twice."""

import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from typing import Any

from bridge.episode.harmless import harmless
from bridge.items.drawing import draw
from bridge.items.log import Answered, ItemLog
from bridge.items.responders import Question, Respond
from bridge.items.suites import Ended, ItemSuite, Part
from bridge.runs.settings import RunError
from pysim.items import Item, Trial
from pysim.render.renderer import Renderer

__all__ = ["Failed", "Finished", "Watch", "ended_trials", "run_items"]


@dataclass(frozen=True, slots=True)
class Failed:
    """A trial that could not be brought to its end.

    Attributes:
        trial: its id.
        message: what went wrong.
    """

    trial: str
    message: str


@dataclass(frozen=True, slots=True)
class Finished:
    """A trial that is over."""

    trial: str


Watch = Callable[[Finished | Failed], None]
"""Told of every trial as it is finished, those of earlier processes first."""


def run_items(
    log: ItemLog,
    suite: ItemSuite,
    respond: Respond,
    renderer: Renderer,
    *,
    workers: int = 1,
    watch: Watch = lambda done: None,
) -> list[Failed]:
    """Ask what is left to ask of a run; the answers are in its log, the failures are returned.

    An interrupt stops all workers between two questions. A failure concerns its trial alone.

    Args:
        renderer: for agents that look; used from many threads.
        workers: trials under way at once.

    Raises:
        KeyboardInterrupt: somebody wants to stop; all answers are written down.
        RunError: another process is at work on this run, or its items are not those of this
            version of the suite.
    """
    with log.lock():
        log.mend()
        # What another process wrote before the lock was free counts too.
        now = ItemLog.read(log.path)
        left = []
        for trial in (trial for part in now.settings.parts for trial in suite.trials(part)):
            if trial.ask(_state_of(now, trial)) is None:
                watch(Finished(trial.id))
            else:
                left.append(trial)
        worker = _Worker(now, respond, renderer)
        return [one for one in _performed(worker, left, workers, watch) if isinstance(one, Failed)]


def ended_trials(log: ItemLog, suite: ItemSuite) -> list[tuple[Part, list[Ended]]]:
    """The trials of each part that are over, from the log alone.

    Raises:
        RunError: its items are not those of this version of the suite.
    """
    result = []
    for part in log.settings.parts:
        reached = [Ended(trial, _state_of(log, trial)) for trial in suite.trials(part)]
        result.append((part, [one for one in reached if one.trial.ask(one.state) is None]))
    return result


def _state_of(log: ItemLog, trial: Trial[Any]) -> Any:
    """The state of a trial after the answers in a log."""
    state = trial.start()
    for answered in log.answers.get(trial.id, ()):
        item = trial.ask(state)
        if item is None or item.digest != answered.digest:
            raise RunError(
                f"{log.path}: step {answered.step} of {trial.id} is not what this version asks; "
                "give --out another folder"
            )
        state = trial.after(state, answered.text)
    return state


class _Worker:
    """Asks the questions of trials; safe to use from many threads."""

    def __init__(self, log: ItemLog, respond: Respond, renderer: Renderer) -> None:
        self._log = log
        self._respond = respond
        self._renderer = renderer
        self._stop = threading.Event()
        self._lock = threading.Lock()
        self._named = False

    def stop(self) -> None:
        """Ask no further question."""
        self._stop.set()

    def perform(self, trial: Trial[Any]) -> Finished | Failed | None:
        """Ask what is left of a trial; None if it was stopped."""
        step = len(self._log.answers.get(trial.id, ()))
        state = _state_of(self._log, trial)
        while (item := trial.ask(state)) is not None:
            if self._stop.is_set():
                return None
            try:
                text = self._answer(item)
            except Exception as error:
                return Failed(trial.id, harmless(f"{type(error).__name__}: {error}"))
            # What can't be written down ends the run: answers may be dear.
            self._log.add(Answered(trial.id, step, item.digest, text), item)
            state, step = trial.after(state, text), step + 1
        return Finished(trial.id)

    def _answer(self, item: Item[Any]) -> str:
        said = self._respond(item, lambda: self._question(item))
        if not isinstance(said, str):
            raise TypeError(f"an answer is a text, not a {type(said).__name__}")
        return harmless(said)

    def _question(self, item: Item[Any]) -> Question:
        size = self._log.settings.picture_size
        pictures = tuple(draw(self._renderer, picture, size) for picture in item.pictures)
        if pictures:
            self._name_renderer(self._renderer)
        return Question(item.system, item.text, pictures)

    def _name_renderer(self, renderer: Renderer) -> None:
        """Write down, once, what draws the pictures."""
        with self._lock:
            if not self._named:
                name, version = renderer.name, renderer.version
                self._log.note({"type": "renderer", "name": name, "version": version})
                self._named = True


def _performed(
    worker: _Worker, trials: Sequence[Trial[Any]], workers: int, watch: Watch
) -> Iterator[Finished | Failed]:
    if workers == 1:
        for trial in trials:
            yield from _told(worker.perform(trial), watch)
        return
    with ThreadPoolExecutor(workers, thread_name_prefix="luban-items") as crew:
        try:
            for future in as_completed([crew.submit(worker.perform, trial) for trial in trials]):
                yield from _told(future.result(), watch)
        except BaseException:
            worker.stop()
            crew.shutdown(wait=True, cancel_futures=True)
            raise


def _told(one: Finished | Failed | None, watch: Watch) -> Iterator[Finished | Failed]:
    if one is not None:
        watch(one)
        yield one

"""Playing a log again, and checking at every step that the same happens."""

from collections.abc import Callable
from dataclasses import dataclass

from bridge.episode.engines import LOCAL, Engines
from bridge.episode.episode import Episode
from bridge.episode.records import (
    Ending,
    Listener,
    LiveStep,
    Start,
    StepKind,
    StepRecord,
    StepResult,
)
from bridge.episode.sanitize import REPLACEMENT
from bridge.episode.tools import ToolCall
from bridge.recording.log import Log
from pysim.errors import InputError, LubanError
from pysim.limits import quote
from pysim.physics.world import World
from pysim.puzzle import ActionError, InvalidAction, Outcome, Reason

__all__ = ["Checker", "Replay", "ReplayMismatch", "make_step", "repeat_step", "replay"]


class ReplayMismatch(LubanError, RuntimeError):
    """A replay went another way than its log says.

    Attributes:
        step: the first step that differs; 0 for the start.
        field: what differs, as the log calls it.
        expected: what the log says.
        found: what the replay gave.
    """

    def __init__(self, step: int, field: str, expected: object, found: object) -> None:
        super().__init__(
            f"step {step}: the log says {field} = {_shown(expected)}, "
            f"but the replay gave {_shown(found)}"
        )
        self.step = step
        self.field = field
        self.expected = expected
        self.found = found


@dataclass(frozen=True, slots=True)
class Replay:
    """Result of a replay.

    Attributes:
        outcome: how the episode ended; None if the log stops before.
        steps: steps made.
        state_hash: of the last state.
        disagreements: steps in which this replay's world did not confirm the rules.
        world: name and version of this replay's world.
    """

    outcome: Outcome | None
    steps: int
    state_hash: str
    disagreements: int
    world: tuple[str, str]


def replay(
    log: Log,
    *,
    world: str | None = None,
    listener: Listener | None = None,
    engines: Engines = LOCAL,
) -> Replay:
    """Play a log's calls in a fresh episode; everything comes from the log.

    At every step kind, reason, culprits, travel, budget and state hash must be as in the log. What
    a world measured is not compared, so that any world may replay what another one recorded.

    Args:
        world: name of the world; None for the one in the log.
        listener: is told what happens, as in any episode; the end only if there is one.
        engines: those that the log was played with, to make the world.

    Raises:
        ReplayMismatch: something differs.
        InputError: no world has that name.
        WorldUnavailable, WorldError: the world's engine is not installed, or fails.
    """
    engine = _create_world(log, world, engines)
    try:
        episode = Episode(
            log.header.level, engine, options=log.header.options, listener=Checker(log, listener)
        )
        for line in log.steps:
            if episode.outcome is not None:
                raise ReplayMismatch(line.step, "outcome", None, episode.outcome)
            make_step(episode, line)
        if log.ending is not None and episode.outcome is None:
            _end(episode, log.ending)
        return Replay(
            episode.outcome,
            episode.steps,
            episode.state_hash,
            episode.disagreements,
            (engine.name, engine.version),
        )
    finally:
        engine.close()


def _create_world(log: Log, name: str | None, engines: Engines) -> World:
    played_in = log.header.world[0]
    if name is None and played_in not in engines.list_worlds():
        raise InputError(
            f"there is no world {quote(played_in)}; known are {', '.join(engines.list_worlds())}. "
            f"{log.path.name} was played in it: replay it in another world, or with its engines"
        )
    return engines.create_world(name or played_in)


class Checker:
    """Compares an episode with a log step by step, and passes everything on."""

    def __init__(self, log: Log, listener: Listener | None) -> None:
        self._log = log
        self._listener = listener

    def record_start(self, start: Start) -> None:
        """The beginning must be as it was."""
        header = self._log.header
        _compare(0, "budget", header.budget, start.budget)
        _compare(0, "state_hash", header.state_hash, start.state_hash)
        if self._listener is not None:
            self._listener.record_start(start)

    def record_step(self, record: LiveStep) -> None:
        """So must each step."""
        line = self._log.steps[record.step - 1]
        for field in ("kind", "reason", "culprits", "travel", "budget_left", "state_hash"):
            _compare(record.step, field, getattr(line, field), getattr(record, field))
        if self._listener is not None:
            self._listener.record_step(record)

    def record_end(self, ending: Ending) -> None:
        """So must the end, if the log has one."""
        expected = self._log.ending
        if expected is not None and ending.steps == expected.steps:
            for field in ("outcome", "state_hash"):
                _compare(ending.steps, field, getattr(expected, field), getattr(ending, field))
        if self._listener is not None:
            self._listener.record_end(ending)


def make_step(episode: Episode, line: StepRecord) -> StepResult | ActionError:
    """Make a step of a log again; what came of it. A checker sees whether that is as it was."""
    return repeat_step(line, episode.step, episode.refuse)


def repeat_step(
    line: StepRecord,
    step: Callable[[ToolCall], StepResult],
    refuse: Callable[[str, str, InvalidAction], None],
) -> StepResult | ActionError:
    """Make a step of a log again, by two methods of an :class:`~bridge.episode.episode.Episode`."""
    refusal = _refusal(line)
    if refusal is not None:
        text = line.call.arguments.get("unreadable", line.call.arguments_json())
        refuse(line.call.name, str(text), refusal)
        return refusal
    try:
        return step(line.call)
    except ActionError as error:
        return error


def _refusal(line: StepRecord) -> InvalidAction | None:
    """Why a call could not even be read, if it could not: then there is nothing to carry out."""
    if line.kind is not StepKind.INVALID or not _is_lost(line.call):
        return None
    reason = line.reason or Reason.MALFORMED
    return InvalidAction(reason, line.message, culprits=line.culprits, travel=line.travel)


def _is_lost(call: ToolCall) -> bool:
    """Return whether a call is not in the log as it was made: cut short, or made harmless."""
    cut = set(call.arguments) == {"unreadable"}
    return cut or REPLACEMENT in call.name or "\\ufffd" in call.arguments_json()


def _end(episode: Episode, ending: Ending) -> None:
    """Give up, or stop at a limit, where the log's episode was; nothing else ends one here."""
    if ending.outcome is Outcome.GAVE_UP:
        episode.give_up(ending.note)
    elif ending.outcome is Outcome.OUT_OF_BUDGET and ending.note:
        episode.run_out(ending.note)
    else:
        raise ReplayMismatch(ending.steps, "outcome", ending.outcome, None)


def _compare(step: int, field: str, expected: object, found: object) -> None:
    if expected != found:
        raise ReplayMismatch(step, field, expected, found)


def _shown(value: object) -> str:
    return str(value) if isinstance(value, str) else repr(value)

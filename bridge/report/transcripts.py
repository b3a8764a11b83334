"""Transcripts of episodes: the questions, answers and results of each turn.

They are read from the log of the episode, the agent's journal and the times beside it. Journals of
earlier versions and of other packages may lack anything, so each field is read by itself.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

from bridge.agents.journal import JOURNAL_NAME, read_notes
from bridge.agents.usage import Usage
from bridge.episode.records import StepRecord
from bridge.episode.sanitize import sanitize_text
from bridge.recording.log import Log
from bridge.recording.times import TIMES_NAME, EpisodeTimes, read_times
from bridge.runs.results import SEARCH_NAME
from pysim.field_types import Json
from pysim.options import is_whole

__all__ = [
    "Exchange",
    "ShownPicture",
    "Transcript",
    "TranscriptTurn",
    "read_exchange",
    "read_transcript",
]

JournalNote = Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class ShownPicture:
    """A picture that an agent was shown.

    Attributes:
        name: of the view; empty for all views of the observation.
        after: the steps made before it.
    """

    name: str
    after: int


@dataclass(frozen=True, slots=True)
class Exchange:
    """A question to a model and its answer.

    Attributes:
        system, given: the prompts. The system prompt is empty where an earlier one still holds.
        pictures: names of those that were sent.
        reasoning, words: of the answer.
        calls: names and arguments.
        finish: why the answer ended, in the provider's word.
        usage: tokens; None where they aren't known.
        seconds: until the answer was there.
        from_cache: whether it had been paid for before.
        others: fields that are not known here, as the journal has them.
    """

    system: str
    given: str
    pictures: tuple[str, ...]
    reasoning: str
    words: str
    calls: tuple[tuple[str, str], ...]
    finish: str
    usage: Usage | None
    seconds: float | None
    from_cache: bool
    others: Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class TranscriptTurn:
    """A turn: the questions that led to some steps, and what came of them.

    Attributes:
        exchanges: none for agents without a journal.
        pictures: those that the agent was shown.
        steps: that followed.
        observed: what an agent that carries on a conversation was told of them.
        seconds: wall-clock time of all of it; None where it isn't known.
    """

    exchanges: tuple[Exchange, ...] = ()
    pictures: tuple[ShownPicture, ...] = ()
    steps: Sequence[StepRecord] = ()
    observed: str = ""
    seconds: float | None = None

    @property
    def tokens(self) -> int | None:
        """The tokens of all its exchanges; None where none are known."""
        known = [one.usage.tokens for one in self.exchanges if one.usage is not None]
        return sum(known) if known else None


@dataclass(frozen=True, slots=True)
class Transcript:
    """An episode as it went.

    Attributes:
        log: of the episode.
        turns: in order.
        times: when it was played.
        has_journal: whether its agent kept one.
        was_searched: whether the steps were found by a search, whose questions were asked about
            many more states.
        remarks: notes of the journal that belong to no turn.
    """

    log: Log
    turns: Sequence[TranscriptTurn]
    times: EpisodeTimes = field(default_factory=EpisodeTimes)
    has_journal: bool = False
    was_searched: bool = False
    remarks: Sequence[JournalNote] = ()


def read_transcript(folder: Path, log: Log) -> Transcript:
    """Read the transcript of the episode in a folder."""
    notes = read_notes(folder / JOURNAL_NAME)
    times = read_times(folder / TIMES_NAME)
    searched = (folder / SEARCH_NAME).exists()
    by_turn, by_step = _grouped(notes, "turn"), _grouped(notes, "step")
    if by_turn:
        turns = _conversation(log, by_turn, times)
    else:
        turns = _questions(log, by_step, times, shows=not searched)
    remarks = [note for note in notes if _number(note, "turn") is None and not _is_asked(note)]
    return Transcript(log, turns, times, bool(notes), searched, remarks)


def _is_asked(note: JournalNote) -> bool:
    return _number(note, "step") is not None


def _grouped(notes: Iterable[JournalNote], key: str) -> dict[int, list[JournalNote]]:
    """Notes by a number that they bear, in the order of the numbers."""
    groups: dict[int, list[JournalNote]] = {}
    for note in notes:
        number = _number(note, key)
        if number is not None:
            groups.setdefault(number, []).append(note)
    return dict(sorted(groups.items()))


def _questions(
    log: Log, groups: Mapping[int, Sequence[JournalNote]], times: EpisodeTimes, *, shows: bool
) -> list[TranscriptTurn]:
    """Return turns of an agent that is asked anew for a step, or for all that follow."""
    starts = [*groups, len(log.steps) + 1]
    lone = _steps_alone(log, min(starts[0], len(log.steps) + 1), times)
    turns, system = list(lone), ""
    for start, end in pairwise(starts):
        exchanges = []
        for note in groups[start]:
            exchanges.append(read_exchange(note, system))
            system = _text(note, "system") or system
        names = [name for one in exchanges[:1] for name in one.pictures] if shows else []
        pictures = tuple(ShownPicture(name, start - 1) for name in names)
        turns.append(_turn(log, exchanges, pictures, (start, end), times))
    return turns


def _steps_alone(log: Log, end: int, times: EpisodeTimes) -> Iterator[TranscriptTurn]:
    """Yield a turn for each of the steps before ``end``, none of which a journal tells of."""
    shown = log.header.options.obs.has_images
    for line in log.steps[: end - 1]:
        pictures = (ShownPicture("", line.step - 1),) if shown else ()
        yield _turn(log, [], pictures, (line.step, line.step + 1), times)


def _conversation(
    log: Log, groups: Mapping[int, Sequence[JournalNote]], times: EpisodeTimes
) -> list[TranscriptTurn]:
    """Return turns of a conversation that carries on; each may make many steps."""
    turns, system, made = [], "", 0
    seen: Sequence[int] = ()
    for number, notes in groups.items():
        before = made
        asked = [note for note in notes if note.get("type") != "turn"]
        told = [note for note in notes if note.get("type") == "turn"]
        exchanges = [read_exchange(note, system) for note in asked] or [_own_words(n) for n in told]
        system = next((text for n in asked if (text := _text(n, "system"))), system)
        names = [name for one in exchanges[:1] for name in one.pictures]
        after = [*seen, *[made] * len(names)]
        made = max([made, *map(_steps_made, told)]) if told else made
        made = len(log.steps) if number == max(groups) else min(made, len(log.steps))
        seen = [n for note in told for n in _numbers(note, "seen")]
        shown = tuple(map(ShownPicture, names, after))
        turn = _turn(log, exchanges, shown, (before + 1, made + 1), times)
        turns.append(_with_observation(turn, told))
    return turns


def _with_observation(turn: TranscriptTurn, told: Sequence[JournalNote]) -> TranscriptTurn:
    observed = "\n".join(_text(note, "observation") for note in told)
    return TranscriptTurn(turn.exchanges, turn.pictures, turn.steps, observed, turn.seconds)


def _turn(
    log: Log,
    exchanges: Sequence[Exchange],
    pictures: tuple[ShownPicture, ...],
    span: tuple[int, int],
    times: EpisodeTimes,
) -> TranscriptTurn:
    first, end = span
    steps = log.steps[first - 1 : end - 1]
    seconds = times.step_seconds(first, end - 1) if steps else None
    if seconds is None:
        known = [one.seconds for one in exchanges if one.seconds is not None]
        seconds = sum(known) if known else None
    return TranscriptTurn(tuple(exchanges), pictures, steps, "", seconds)


def _steps_made(note: JournalNote) -> int:
    """The steps made up to the end of a turn; journals of earlier versions count legal ones."""
    made = _number(note, "steps")
    if made is not None:
        return made
    return (_number(note, "moves") or 0) + (_number(note, "looks") or 0)


_READ = frozenset(
    ("type", "agent", "model", "step", "turn", "item", "system", "user", "pictures", "reasoning")
    + ("text", "answer", "calls", "finish", "usage", "seconds", "tries", "from_cache", "at")
    + ("observation", "moves", "looks", "steps", "seen", "asked", "reasoning_text")
)
"""Fields of a note that have a place of their own, or are of no use to a reader."""


def read_exchange(note: JournalNote, system: str = "") -> Exchange:
    """Read a note of a journal.

    Args:
        system: the system prompt that holds so far.
    """
    told = _text(note, "system")
    return Exchange(
        system="" if told == system else told,
        given=_text(note, "user"),
        pictures=tuple(str(name) for name in _list(note, "pictures")),
        reasoning=_reasoning(note),
        words=_text(note, "text"),
        calls=tuple(_call(call) for call in _list(note, "calls")),
        finish=_text(note, "finish"),
        usage=_usage(note),
        seconds=_seconds(note),
        from_cache=bool(note.get("from_cache")),
        others={name: value for name, value in note.items() if name not in _READ},
    )


def _own_words(note: JournalNote) -> Exchange:
    """Return the answer of an agent that keeps no journal of its own, as the run noted it."""
    words, calls = _text(note, "answer"), tuple(map(_call, _list(note, "calls")))
    return Exchange("", "", (), "", words, calls, "", None, None, False, {})


def _call(call: Json) -> tuple[str, str]:
    if not isinstance(call, dict):
        return "", sanitize_text(str(call))
    arguments = call.get("arguments", "")
    text = arguments if isinstance(arguments, str) else json.dumps(arguments)
    return sanitize_text(str(call.get("name", ""))), sanitize_text(text)


def _usage(note: JournalNote) -> Usage | None:
    usage = note.get("usage")
    if not isinstance(usage, dict):
        return None
    try:
        return Usage.parse_note(usage)
    except (KeyError, TypeError, ValueError, OverflowError):
        return None


def _seconds(note: JournalNote) -> float | None:
    value = note.get("seconds")
    return float(value) if isinstance(value, int | float) else None


def _reasoning(note: JournalNote) -> str:
    """Return the reasoning that a provider showed: its text, or the summaries that it gave."""
    told = _text(note, "reasoning_text") or _text(note, "reasoning")
    parts = [part for item in _list(note, "reasoning") for part in _summaries(item)]
    return told or "\n\n".join(parts)


def _summaries(item: Json) -> Iterator[str]:
    for name in ("summary", "content"):
        for part in _list(item, name) if isinstance(item, dict) else []:
            yield _text(part, "text") if isinstance(part, dict) else ""


def _text(note: JournalNote, name: str) -> str:
    value = note.get(name)
    return sanitize_text(value) if isinstance(value, str) else ""


def _list(note: JournalNote, name: str) -> list[Json]:
    value = note.get(name)
    return value if isinstance(value, list) else []


def _number(note: JournalNote, name: str) -> int | None:
    value = note.get(name)
    return value if is_whole(value, 0) else None


def _numbers(note: JournalNote, name: str) -> list[int]:
    return [n for n in _list(note, name) if is_whole(n)]

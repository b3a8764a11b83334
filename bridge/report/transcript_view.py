"""Transcripts as the template of an episode shows them: each turn is folded, and long texts are."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from bridge.episode.records import StepKind, StepRecord
from bridge.episode.sanitize import sanitize_text
from bridge.episode.tools import ActionSpace, build_action_space
from bridge.report.pictures import DrawnPicture, EpisodePictures
from bridge.report.transcripts import Exchange, ShownPicture, Transcript, TranscriptTurn
from bridge.runs.play import format_call

__all__ = [
    "FoldedText",
    "TextBudget",
    "fold_text",
    "format_cost",
    "format_seconds",
    "format_settings",
    "list_notes",
    "list_pictures",
    "list_remarks",
    "list_turns",
]

T = TypeVar("T")

SHORT = 4_000
"""Characters of a text that are shown at once."""
LONG = 200_000
"""Characters that are on the page at all; the rest is in the journal."""
PAGE_TEXT = 40_000_000
"""Characters of all texts of a page."""
MOST_TURNS = 2_000
"""Turns of an episode that are shown, and steps of all of them together."""
LEAST_STEPS = 10
"""Steps of a turn that are shown in any case."""


class TextBudget:
    """The room that a page has for what agents read and wrote."""

    def __init__(self, characters: int = PAGE_TEXT) -> None:
        self._left = characters

    def take(self, text: str) -> bool:
        """Count a text, and return whether it goes onto the page."""
        has_room = self._left > 0
        self._left -= min(len(text), LONG) * has_room
        return has_room


@dataclass(frozen=True, slots=True)
class FoldedText:
    """A text of which the rest is folded if it is long.

    Attributes:
        start, rest: what is shown at once, and what is folded.
        length: characters of the whole text.
        left_out: characters that are not on the page.
    """

    start: str
    rest: str
    length: int
    left_out: int


def format_seconds(seconds: float | None) -> str:
    """Return a duration for people: ``0.4 s``, ``72 s``, ``12 min``; empty if it isn't known."""
    if seconds is None:
        return ""
    if seconds < 10:
        return f"{seconds:.1f} s"
    return f"{seconds:.0f} s" if seconds < 600 else f"{seconds / 60:.0f} min"


def fold_text(text: str) -> FoldedText:
    """Divide a text into what is shown, what is folded and what is left out."""
    text = sanitize_text(text)
    left_out = max(0, len(text) - LONG)
    return FoldedText(text[:SHORT], text[SHORT:LONG], len(text), left_out)


@dataclass(frozen=True, slots=True)
class _ShownStep:
    """A step as a row of a table."""

    number: int
    refused: bool
    action: str
    told: str
    left: int


@dataclass(frozen=True, slots=True)
class _ShownTurn:
    """A turn.

    Attributes:
        refused: whether its last step was.
        summary: texts of its line, by the class that they have there.
        pictures: drawn ones, and those that couldn't be, which have no source.
        exchanges: the questions and answers.
        steps: with their number in place of those that are left out.
        observed: what the agent was told of them.
    """

    refused: bool
    summary: Mapping[str, str]
    pictures: Sequence[DrawnPicture]
    exchanges: Sequence[Exchange]
    steps: Sequence[_ShownStep | int]
    observed: str


def list_turns(transcript: Transcript, pictures: EpisodePictures) -> Iterator[_ShownTurn | int]:
    """Yield the turns of an episode, with their number in place of those that are left out."""
    actions = build_action_space(transcript.log.header.level)
    most_steps = max(LEAST_STEPS, MOST_TURNS // max(1, len(transcript.turns)))
    for turn in _some(transcript.turns, MOST_TURNS):
        if isinstance(turn, int):
            yield turn
            continue
        some = _some(turn.steps, most_steps)
        steps = [one if isinstance(one, int) else _show_step(one, actions) for one in some]
        yield _ShownTurn(
            refused=bool(turn.steps) and turn.steps[-1].kind is not StepKind.OK,
            summary=_summarize(turn, actions),
            pictures=list(list_pictures(turn.pictures, pictures)),
            exchanges=turn.exchanges,
            steps=steps,
            observed=turn.observed,
        )


def _show_step(step: StepRecord, actions: ActionSpace) -> _ShownStep:
    action = _line(format_call(actions, step.call))
    refused = step.kind is not StepKind.OK
    return _ShownStep(step.step, refused, action, sanitize_text(step.told), step.budget_left)


def list_remarks(transcript: Transcript) -> Iterator[str]:
    """Yield the notes of the journal that belong to no turn."""
    for remark in _some(transcript.remarks, 50):
        yield f"{remark} more" if isinstance(remark, int) else json.dumps(remark)


def list_notes(transcript: Transcript, pictures: EpisodePictures) -> Iterator[str]:
    """Yield what has to be known of an episode's transcript."""
    if transcript.was_searched:
        yield (
            "The steps were found by a search, which asked about many more states; questions have "
            "no pictures here. search.jsonl has all that was tried."
        )
    if not transcript.has_journal and transcript.log.steps:
        yield "The agent keeps no journal, so there are no words of it."
    if pictures.problem:
        yield f"No pictures are drawn: {sanitize_text(pictures.problem)}"
    elif pictures.left_out:
        yield (
            f"Pictures of {pictures.left_out:,} observations are left out; "
            "`luban report --pictures N` draws up to N on a page."
        )


def _summarize(turn: TranscriptTurn, actions: ActionSpace) -> dict[str, str]:
    steps = turn.steps
    return {
        "no": _span(steps),
        "what": _line(_action(turn, actions)),
        "came": _line(steps[-1].told if steps else "no step was made"),
        "cost": " · ".join(_cost(turn)),
    }


def _span(steps: Sequence[StepRecord]) -> str:
    if not steps:
        return "–"
    first, last = steps[0].step, steps[-1].step
    return str(first) if first == last else f"{first}–{last}"


def _action(turn: TranscriptTurn, actions: ActionSpace) -> str:
    if len(turn.steps) == 1:
        return format_call(actions, turn.steps[0].call)
    return f"{len(turn.steps)} steps" if turn.steps else "an answer"


def _cost(turn: TranscriptTurn) -> Iterator[str]:
    if turn.steps:
        yield f"{turn.steps[-1].budget_left} left"
    if turn.seconds is not None:
        yield format_seconds(turn.seconds)
    if turn.tokens:
        yield f"{turn.tokens:,} tokens"


def _line(text: str) -> str:
    """Return one line, shortened."""
    line = " ".join(sanitize_text(text).split())
    return line if len(line) <= 160 else f"{line[:159]}…"


def format_cost(exchange: Exchange) -> Iterator[str]:
    """Give what an answer took in words: why it ended, tokens and time."""
    usage = exchange.usage
    if exchange.finish:
        yield f"ended by {sanitize_text(exchange.finish)[:80]}"
    if usage is not None:
        reasoning = f", {usage.tokens_reasoning:,} of reasoning" * bool(usage.tokens_reasoning)
        yield f"{usage.tokens_in:,} tokens in, {usage.tokens_out:,} out{reasoning}"
    if exchange.seconds is not None:
        yield f"answered in {format_seconds(exchange.seconds)}"
    if exchange.from_cache:
        yield "from the cache"


def format_settings(others: Mapping[str, object]) -> str:
    """Return the fields of an answer's note that have no place of their own, a line for each."""
    return "\n".join(f"{name}: {json.dumps(value)}" for name, value in others.items())


def list_pictures(shown: Sequence[ShownPicture], drawn: EpisodePictures) -> Iterator[DrawnPicture]:
    """Yield the pictures that an agent was shown; one that was not drawn has no source."""
    met: Counter[ShownPicture] = Counter()  # Views of one observation may share a name.
    for one in shown:
        found = [p for p in drawn.observed.get(one.after, ()) if one.name in ("", p.name)]
        for picture in found[met[one] :][:1] if one.name else found:
            yield replace(picture, name=sanitize_text(picture.name))
        if one.name and len(found) <= met[one]:
            yield DrawnPicture(sanitize_text(one.name)[:80], "", 0, 0)
        met[one] += 1


def _some(things: Sequence[T], most: int) -> Iterator[T | int]:
    """Give things, with the number of those left out in place of the middle ones of many."""
    if len(things) <= most:
        yield from things
        return
    half = most // 2
    yield from things[:half]
    yield len(things) - 2 * half
    yield from things[-half:]

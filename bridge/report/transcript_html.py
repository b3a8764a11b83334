"""Transcripts as HTML: each turn is folded, and no markup of an agent gets through."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import TypeVar

from bridge.episode.records import StepKind, StepRecord
from bridge.episode.sanitize import sanitize_text
from bridge.episode.tools import ActionSpace, build_action_space
from bridge.report.pictures import DrawnPicture, EpisodePictures
from bridge.report.transcripts import Exchange, ShownPicture, Transcript, TranscriptTurn
from bridge.runs.play import format_call

__all__ = ["TextBudget", "fold_text", "format_cost", "format_seconds", "format_transcript"]

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

    @property
    def is_spent(self) -> bool:
        """Whether no more texts go onto the page."""
        return self._left <= 0

    def take(self, text: str) -> None:
        """Count a text."""
        self._left -= min(len(text), LONG)


def format_seconds(seconds: float | None) -> str:
    """Return a duration for people: ``0.4 s``, ``72 s``, ``12 min``; empty if it isn't known."""
    if seconds is None:
        return ""
    if seconds < 10:
        return f"{seconds:.1f} s"
    return f"{seconds:.0f} s" if seconds < 600 else f"{seconds / 60:.0f} min"


def fold_text(text: str) -> str:
    """Return a text as HTML. The rest of a long one is folded, and its length is told."""
    text = sanitize_text(text)
    if len(text) <= SHORT:
        return f"<pre>{escape(text)}</pre>"
    rest = escape(text[SHORT:LONG])
    cut = f"<p>{len(text) - LONG:,} more characters are in agent.jsonl.</p>"
    return (
        f"<pre>{escape(text[:SHORT])}</pre><details><summary>show all {len(text):,} characters"
        f"</summary><pre>{rest}</pre>{cut if len(text) > LONG else ''}</details>"
    )


def format_transcript(
    transcript: Transcript, pictures: EpisodePictures, budget: TextBudget
) -> Iterator[str]:
    """Give the turns of an episode, and what else its journal holds."""
    level = transcript.log.header.level
    actions = build_action_space(level)
    most = max(LEAST_STEPS, MOST_TURNS // max(1, len(transcript.turns)))
    context = _Context(actions, pictures, budget, most)
    yield from (f'<p class="note">{escape(text)}</p>' for text in _notes(transcript, pictures))
    for turn in _some(transcript.turns, MOST_TURNS):
        if isinstance(turn, int):
            yield f'<p class="note">{turn:,} turns are left out; the log has them.</p>'
        else:
            yield _turn(turn, context)
    for remark in _some(transcript.remarks, 50):
        text = f"{remark} more" if isinstance(remark, int) else json.dumps(remark)
        yield _section("Note of the agent", fold_text(text))


def _notes(transcript: Transcript, pictures: EpisodePictures) -> Iterator[str]:
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


@dataclass(frozen=True, slots=True)
class _Context:
    """All that the turns of an episode have in common.

    Attributes:
        actions: of the level.
        pictures: of the episode.
        budget: of the page.
        most_steps: of a turn.
    """

    actions: ActionSpace
    pictures: EpisodePictures
    budget: TextBudget
    most_steps: int


def _turn(turn: TranscriptTurn, context: _Context) -> str:
    refused = " refused" if turn.steps and turn.steps[-1].kind is not StepKind.OK else ""
    body = "\n".join(_body(turn, context))
    return (
        f'<details class="turn{refused}"><summary>{_summary(turn, context.actions)}</summary>\n'
        f"{body}\n</details>"
    )


def _summary(turn: TranscriptTurn, actions: ActionSpace) -> str:
    steps = turn.steps
    words = [
        ("no", _span(steps)),
        ("what", _action(turn, actions)),
        ("came", steps[-1].told if steps else "no step was made"),
        ("cost", " · ".join(_cost(turn))),
    ]
    return " ".join(f'<span class="{name}">{_line(text)}</span>' for name, text in words)


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
    """Return one line of HTML, shortened."""
    line = " ".join(sanitize_text(text).split())
    return escape(line if len(line) <= 160 else f"{line[:159]}…")


def _body(turn: TranscriptTurn, context: _Context) -> Iterator[str]:
    budget = context.budget
    shown = _pictures(turn.pictures, context.pictures)
    if not turn.exchanges and shown:
        yield _section("Shown to the agent", shown)
    for number, exchange in enumerate(turn.exchanges):
        yield from _exchange(exchange, shown if number == 0 else "", budget)
    if turn.steps:
        yield _section("What came of it", _steps(turn.steps, context))
    if turn.observed:
        yield _section("What the agent was told of it", _text(turn.observed, budget))


def _exchange(exchange: Exchange, pictures: str, budget: TextBudget) -> Iterator[str]:
    if exchange.system:
        yield _folded("System prompt", _text(exchange.system, budget))
    if exchange.given or pictures:
        yield _section("Given to the agent", _text(exchange.given, budget) + pictures)
    if exchange.reasoning:
        yield _section("Reasoning", _text(exchange.reasoning, budget))
    yield _section("The agent's words", _text(exchange.words, budget) or "<p>none</p>")
    if exchange.calls:
        calls = (_text(f"{name} {arguments}", budget) for name, arguments in exchange.calls)
        yield _section("Calls" if len(exchange.calls) > 1 else "Call", "".join(calls))
    if exchange.others:
        yield _folded("Settings", _text(_plain(exchange.others), budget))
    yield f'<p class="note">{escape(" · ".join(format_cost(exchange)))}</p>'


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


def _steps(steps: Sequence[StepRecord], context: _Context) -> str:
    rows = "".join(_row(one, context.actions) for one in _some(steps, context.most_steps))
    head = '<tr><th>step</th><th class="text">action</th><th class="text">result</th><th>left</th>'
    return f'<div class="wide"><table>{head}</tr>{rows}</table></div>'


def _row(step: StepRecord | int, actions: ActionSpace) -> str:
    if isinstance(step, int):
        words = f"{step:,} steps are left out; the log has them"
        return f'<tr><td></td><td class="text" colspan="3">{words}</td></tr>'
    refused = "" if step.kind is StepKind.OK else ' class="refused"'
    action, told = _line(format_call(actions, step.call)), escape(sanitize_text(step.told))
    texts = f'<td class="text">{action}</td><td class="text">{told}</td>'
    return f"<tr{refused}><td>{step.step}</td>{texts}<td>{step.budget_left}</td></tr>"


def _pictures(shown: Sequence[ShownPicture], drawn: EpisodePictures) -> str:
    met: Counter[ShownPicture] = Counter()  # Views of one observation may share a name.
    figures = []
    for one in shown:
        found = [p for p in drawn.observed.get(one.after, ()) if one.name in ("", p.name)]
        figures += [_figure(p) for p in (found[met[one] :][:1] if one.name else found)]
        if one.name and len(found) <= met[one]:
            figures.append(_undrawn(one.name))
        met[one] += 1
    return f'<div class="pictures">{"".join(figures)}</div>' if figures else ""


def _undrawn(name: str) -> str:
    caption = escape(sanitize_text(name)[:80])
    return f'<figure class="undrawn"><figcaption>{caption} (not drawn)</figcaption></figure>'


def _figure(picture: DrawnPicture) -> str:
    name = escape(sanitize_text(picture.name))
    return (
        f'<figure><img loading="lazy" alt="{name}" width="{picture.width}" '
        f'height="{picture.height}" src="{escape(picture.source)}">'
        f"<figcaption>{name}</figcaption></figure>"
    )


def _text(text: str, budget: TextBudget) -> str:
    if not text:
        return ""
    if budget.is_spent:
        return (
            f"<p>{len(text):,} characters are left out: the page is full, agent.jsonl has them</p>"
        )
    budget.take(text)
    return fold_text(text)


def _plain(others: Mapping[str, object]) -> str:
    return "\n".join(f"{name}: {json.dumps(value)}" for name, value in others.items())


def _section(title: str, body: str) -> str:
    return f"<section><h4>{escape(title)}</h4>{body}</section>"


def _folded(title: str, body: str) -> str:
    return f"<details><summary>{escape(title)}</summary>{body}</details>"


def _some(things: Sequence[T], most: int) -> Iterator[T | int]:
    """Give things, with the number of those left out in place of the middle ones of many."""
    if len(things) <= most:
        yield from things
        return
    half = most // 2
    yield from things[:half]
    yield len(things) - 2 * half
    yield from things[-half:]

"""The answers of a recorded episode: what was done, and what was said with it."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bridge.agents.chat import WrittenCall
from bridge.episode.records import StepRecord
from bridge.recording.files import whole_lines
from bridge.recording.log import Log
from bridge.runs.play import Mode
from pysim.errors import InputError

__all__ = ["RecordedAnswer", "recorded_answers"]


@dataclass(frozen=True, slots=True)
class RecordedAnswer:
    """One answer of an agent.

    Attributes:
        text: its words; empty where none were written down.
        calls: the calls that became steps, in order.
    """

    text: str
    calls: tuple[WrittenCall, ...]


def recorded_answers(log: Log, journal: Path | None, mode: Mode) -> list[RecordedAnswer]:
    """Return the answers that led to the steps of a log.

    Args:
        journal: of the agent; without one the calls of the log are all that it said.

    Raises:
        InputError: the journal is damaged.
    """
    words = _words(journal) if journal is not None and journal.exists() else {}
    if mode is Mode.ONE_SHOT:
        return [RecordedAnswer(words.get(1) or _plan_text(log.steps), ())]
    answers: list[RecordedAnswer] = []
    for step in log.steps:
        calls = _calls(step)
        if answers and words and step.step not in words:  # A further call of the same answer.
            answers[-1] = RecordedAnswer(answers[-1].text, (*answers[-1].calls, *calls))
        else:
            answers.append(RecordedAnswer(words.get(step.step, ""), calls))
    return answers


def _words(journal: Path) -> dict[int, str]:
    """Return the text of the last answer for each step."""
    words: dict[int, str] = {}
    for number, line in enumerate(whole_lines(journal), 1):
        try:
            note: dict[str, Any] = json.loads(line)
            if note.get("type") == "call" and isinstance(note.get("step"), int):
                words[note["step"]] = str(note.get("text") or "")
        except (ValueError, AttributeError, RecursionError) as error:
            problem = f"{journal}, line {number}: no line of a journal ({error})"
            raise InputError(problem) from None
    return words


def _calls(step: StepRecord) -> tuple[WrittenCall, ...]:
    """Return the call of a step; none where the answer held none."""
    call = step.call
    return (WrittenCall(call.name, call.arguments_json()),) if call.name else ()


def _plan_text(steps: Sequence[StepRecord]) -> str:
    calls = [{"name": s.call.name, "arguments": s.call.arguments} for s in steps]
    return json.dumps({"actions": calls})

"""The answers of a recorded episode: what was done, and what was said with it."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bridge.agents.chat import WrittenCall
from bridge.agents.journal import JOURNAL_FILE
from bridge.episode.records import StepRecord
from bridge.episode.tools import NO_CALL
from bridge.recording.files import whole_lines
from bridge.recording.log import Log
from bridge.runs.play import Mode
from pysim.errors import InputError

__all__ = ["RecordedAnswer", "read_recorded_answers"]


@dataclass(frozen=True, slots=True)
class RecordedAnswer:
    """One answer of an agent.

    Attributes:
        text: its words; empty where none were written down.
        calls: its calls, in order. Without a journal those that became steps.
    """

    text: str
    calls: tuple[WrittenCall, ...]


def read_recorded_answers(log: Log, journal: Path | None, mode: Mode) -> list[RecordedAnswer]:
    """Return the answers that led to the steps of a log.

    Args:
        journal: of the agent; without one the calls of the log are all that it said.

    Raises:
        InputError: the journal is damaged.
    """
    noted = _noted(journal) if journal is not None and journal.exists() else {}
    if mode is Mode.ONE_SHOT:
        text = noted[1].text if 1 in noted else ""
        return [RecordedAnswer(text or _plan_text(log.steps), ())]
    answers: list[RecordedAnswer] = []
    for step in log.steps:
        calls = _calls(step)
        if step.step in noted:
            said = noted[step.step]
            answers.append(RecordedAnswer(said.text, said.calls if len(said.calls) > 1 else calls))
        elif answers and noted:  # A further call of the same answer.
            answers[-1] = RecordedAnswer(answers[-1].text, (*answers[-1].calls, *calls))
        else:
            answers.append(RecordedAnswer("", calls))
    return answers


def _noted(journal: Path) -> dict[int, RecordedAnswer]:
    """Return the last answer for each step."""
    found: dict[int, RecordedAnswer] = {}
    for number, line in enumerate(whole_lines(journal, JOURNAL_FILE), 1):
        try:
            note: dict[str, Any] = json.loads(line)
            if note.get("type") == "call" and isinstance(note.get("step"), int):
                calls = tuple(
                    WrittenCall(str(call["name"]), str(call["arguments"]))
                    for call in note.get("calls") or ()
                )
                found[note["step"]] = RecordedAnswer(str(note.get("text") or ""), calls)
        except (ValueError, AttributeError, KeyError, TypeError, RecursionError) as error:
            problem = f"{journal}, line {number}: no line of a journal ({error})"
            raise InputError(problem) from None
    return found


def _calls(step: StepRecord) -> tuple[WrittenCall, ...]:
    """Return the call of a step; none where the answer held none."""
    call = step.call
    has_call = call.name not in ("", NO_CALL)
    return (WrittenCall(call.name, call.arguments_json()),) if has_call else ()


def _plan_text(steps: Sequence[StepRecord]) -> str:
    calls = [{"name": s.call.name, "arguments": s.call.arguments} for s in steps]
    return json.dumps({"actions": calls})

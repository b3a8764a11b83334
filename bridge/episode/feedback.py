"""Feedback to an agent about its actions: levels of it, and the history of its last turns.

The log holds everything at every level. What pictures and the state in words show is not feedback;
:class:`~bridge.episode.records.Obs` says which of them there are.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

from bridge.episode.records import Feedback, StepRecord, StepResult
from pysim.puzzle import ActionError, IllegalMove, Reason

__all__ = [
    "History",
    "describe_refusal",
    "describe_turn",
    "redact_attempt",
    "redact_refusal",
    "redact_result",
]

_DONE, _TRIED, _REFUSED = "done", "tried", "the action was refused"


def redact_result(feedback: Feedback, result: StepResult) -> StepResult:
    """Return the result of an accepted action, as far as it is told."""
    if feedback is Feedback.FULL:
        return result
    message = _TRIED if feedback is Feedback.NONE else _DONE
    return replace(result, message=message, travel=None, disagreement=None)


def redact_refusal(feedback: Feedback, error: ActionError) -> ActionError | None:
    """Return a refusal, as far as it is told; None if it is to look like an accepted action."""
    match feedback:
        case Feedback.FULL:
            return error
        case Feedback.REASON:
            return type(error)(error.reason, _REFUSED)
        case Feedback.LEGAL:
            return IllegalMove(Reason.REFUSED, _REFUSED)
        case Feedback.NONE:
            return None


def redact_attempt(
    feedback: Feedback, attempt: Callable[[], StepResult], unchanged: Callable[[], StepResult]
) -> StepResult:
    """Return the result of an attempt, as far as it is told.

    Args:
        feedback: how much that is.
        attempt: makes a step, or raises why it is refused.
        unchanged: the result of a step that has changed nothing.

    Raises:
        ActionError: the step was refused, and that is told.
    """
    try:
        return redact_result(feedback, attempt())
    except ActionError as error:
        told = redact_refusal(feedback, error)
        if told is error:
            raise
    if told is not None:
        raise told
    return redact_result(feedback, unchanged())


def describe_turn(feedback: Feedback, record: StepRecord) -> str:
    """Describe the result of a step for those who get no more than its agent."""
    if feedback is Feedback.NONE:
        return _TRIED
    if record.reason is None:
        return record.message if feedback is Feedback.FULL else _DONE
    if feedback is Feedback.LEGAL:
        return _REFUSED
    if feedback is Feedback.REASON:
        return f"{record.kind}, {record.reason}"
    return f"{record.kind}, {record.brief}: {record.message}"


def describe_refusal(error: ActionError) -> str:
    """A refusal that was told, in words: its kind, its reason and by whom, and the sentence."""
    if error.reason is Reason.REFUSED:
        return error.message
    kind = "illegal" if isinstance(error, IllegalMove) else "invalid"
    return f"{kind}, {error.brief}: {error.message}"


@dataclass(frozen=True, slots=True)
class History:
    """The last turns as compact text.

    Attributes:
        window: turns that are kept, 0 or more.
        count: turns that there were.
        turns: a line for each that is kept, oldest first.
    """

    window: int
    count: int = 0
    turns: tuple[str, ...] = ()

    def append(self, action: str, result: str) -> "History":
        """Return the history one turn later: the action as a line of text, and what came of it."""
        number = self.count + 1
        turns = (*self.turns, f"{number}. {action} -> {result}")
        return History(self.window, number, turns[max(0, len(turns) - self.window) :])

    def format(self) -> str:
        """Return one line per turn, oldest first; empty if nothing was done yet."""
        hidden = self.count - len(self.turns)
        notice = f"({hidden} earlier turns are not shown)"
        return "\n".join([notice, *self.turns] if hidden and self.window else self.turns)

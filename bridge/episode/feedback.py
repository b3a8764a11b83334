"""How much an agent is told of what came of its actions.

The log holds everything at every level. What pictures and the state in words show is not feedback;
:class:`~bridge.episode.records.Obs` says which of them there are.
"""

from collections.abc import Callable
from dataclasses import replace

from bridge.episode.records import Feedback, StepRecord, StepResult
from pysim.puzzle import ActionError, IllegalMove, Reason

__all__ = ["refusal_words", "told_attempt", "told_refusal", "told_result", "told_turn"]

_DONE, _TRIED, _REFUSED = "done", "tried", "the action was refused"


def told_result(feedback: Feedback, result: StepResult) -> StepResult:
    """The result of an accepted action, as far as it is told."""
    if feedback is Feedback.FULL:
        return result
    message = _TRIED if feedback is Feedback.NONE else _DONE
    return replace(result, message=message, travel=None, disagreement=None)


def told_refusal(feedback: Feedback, error: ActionError) -> ActionError | None:
    """A refusal, as far as it is told; None if it is to look like an accepted action."""
    match feedback:
        case Feedback.FULL:
            return error
        case Feedback.REASON:
            return type(error)(error.reason, _REFUSED)
        case Feedback.LEGAL:
            return IllegalMove(Reason.REFUSED, _REFUSED)
        case Feedback.NONE:
            return None


def told_attempt(
    feedback: Feedback, attempt: Callable[[], StepResult], unchanged: Callable[[], StepResult]
) -> StepResult:
    """The result of an attempt, as far as it is told.

    Args:
        feedback: how much that is.
        attempt: makes a step, or raises why it is refused.
        unchanged: the result of a step that has changed nothing.

    Raises:
        ActionError: the step was refused, and that is told.
    """
    try:
        return told_result(feedback, attempt())
    except ActionError as error:
        told = told_refusal(feedback, error)
        if told is error:
            raise
    if told is not None:
        raise told
    return told_result(feedback, unchanged())


def told_turn(feedback: Feedback, record: StepRecord) -> str:
    """What came of a step, in words for those who were told no more than its agent."""
    if feedback is Feedback.NONE:
        return _TRIED
    if record.reason is None:
        return record.message if feedback is Feedback.FULL else _DONE
    if feedback is Feedback.LEGAL:
        return _REFUSED
    if feedback is Feedback.REASON:
        return f"{record.kind}, {record.reason}"
    return f"{record.kind}, {record.brief}: {record.message}"


def refusal_words(error: ActionError) -> str:
    """A refusal that was told, in words: its kind, its reason and by whom, and the sentence."""
    if error.reason is Reason.REFUSED:
        return error.message
    kind = "illegal" if isinstance(error, IllegalMove) else "invalid"
    return f"{kind}, {error.brief}: {error.message}"

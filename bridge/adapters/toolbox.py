"""An episode as tools for a model: tool calls go in, text and pictures come out.

A reply holds the result of a call, the number of steps left, and the observation of the present
state. Names, hashes, seeds, plans and files are withheld from the model.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bridge.episode.observation import Observation, View
from bridge.episode.protocol import PlayableEpisode
from bridge.episode.records import describe_refusal
from bridge.episode.tools import ToolCall
from pysim.field_types import Json
from pysim.puzzle import ActionError, Outcome

__all__ = ["Reply", "Toolbox"]

_OUTCOME_TEXTS = {
    Outcome.SOLVED: "The puzzle is solved.",
    Outcome.OUT_OF_BUDGET: "The budget is used up; the puzzle is not solved.",
    Outcome.GAVE_UP: "The episode has ended; the puzzle is not solved.",
}


@dataclass(frozen=True, slots=True)
class Reply:
    """Reply to a tool call.

    Attributes:
        text: result of the call, and the state if observations include it in words.
        views: pictures of the present state, if observations include them.
        refused: whether the call was refused; it cost a step, unless the episode was over.
    """

    text: str
    views: tuple[View, ...] = ()
    refused: bool = False


class Toolbox:
    """The tools of one episode.

    Args:
        episode: the episode to play; its creator ends it.
    """

    def __init__(self, episode: PlayableEpisode) -> None:
        self._episode = episode

    @property
    def schemas(self) -> Sequence[dict[str, Json]]:
        """The actions as OpenAI function tools."""
        return self._episode.actions.schemas()

    @property
    def outcome(self) -> Outcome | None:
        """Outcome of the episode; None until it has ended."""
        return self._episode.outcome

    def look(self) -> Reply:
        """Return the whole observation, with the task, without costing a step."""
        observation = self._episode.observe()
        return Reply(
            _join_paragraphs(observation.text(), _describe_outcome(observation)), observation.views
        )

    def call(self, name: str, arguments: str | Mapping[str, Json]) -> Reply:
        """Attempt an action and return its result; it costs a step even if it is refused.

        Args:
            name, arguments: as the model wrote them. Arguments given as text are parsed as JSON.

        Raises:
            WorldError, RecordingError, RendererUnavailable: not the model's fault. The first
                two mean that no step was made.
        """
        if self._episode.outcome is not None:
            outcome = _OUTCOME_TEXTS[self._episode.outcome]
            return Reply(f"{outcome} No more actions are taken.", refused=True)
        try:
            if isinstance(arguments, str):
                message = self._episode.step_json(name, arguments).message
            else:
                message = self._episode.step(ToolCall(name, arguments)).message
        except ActionError as error:
            return self._build_reply(describe_refusal(error), refused=True)
        return self._build_reply(message, refused=False)

    def _build_reply(self, result: str, *, refused: bool) -> Reply:
        observation = self._episode.observe()
        status = _describe_outcome(observation) or f"{observation.budget_left} steps left."
        state = "" if observation.state is None else f"State:\n{observation.state}"
        return Reply(
            _join_paragraphs(result, status, state),
            observation.views,
            refused,
        )


def _describe_outcome(observation: Observation) -> str:
    return "" if observation.outcome is None else _OUTCOME_TEXTS[observation.outcome]


def _join_paragraphs(*parts: str) -> str:
    return "\n\n".join(part for part in parts if part)

"""An episode as tools for a model: tool calls go in, text and pictures come out.

A reply holds the result of a call, the number of steps left, and the observation of the present
state. Names, hashes, seeds, plans and files are withheld from the model.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from bridge.episode.observation import Observation, View
from bridge.episode.protocol import PlayableEpisode
from bridge.episode.records import describe_refusal
from bridge.episode.rewards import EpisodeReturn
from bridge.episode.tools import ToolCall
from pysim.field_types import Json
from pysim.puzzle import ActionError, Outcome

__all__ = ["Reply", "Toolbox", "write_prompt"]

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
        reward: of the call; 0 once the episode is over, and in a toolbox that earns nothing.
    """

    text: str
    views: tuple[View, ...] = ()
    refused: bool = False
    reward: float = 0.0


def write_prompt(*, silence_costs: bool = False) -> str:
    """Return the system prompt of a model that calls tools.

    Args:
        silence_costs: whether an answer without a call costs a step, too.
    """
    silence = ", and so does an answer without a call" if silence_costs else ""
    return (
        "You solve a 3D puzzle by acting on it, by calling the tools. Pieces are named by their "
        "colours. Each call is one action and costs a step; one that is not allowed changes "
        f"nothing, but costs a step like any other{silence}. Each answer to a call brings a new "
        "observation."
    )


class Toolbox:
    """The tools of one episode.

    Args:
        episode: the episode to play; its creator ends it.
        earned: its return, which grows with each call; None if calls earn nothing.

    Attributes:
        prompt: system prompt of a model that calls the tools.
        episode: the episode.
    """

    prompt: ClassVar[str] = write_prompt()

    def __init__(self, episode: PlayableEpisode, earned: EpisodeReturn | None = None) -> None:
        self.episode, self._earned = episode, earned

    @property
    def schemas(self) -> Sequence[dict[str, Json]]:
        """The actions as OpenAI function tools."""
        return self.episode.actions.schemas()

    @property
    def outcome(self) -> Outcome | None:
        """Outcome of the episode; None until it has ended."""
        return self.episode.outcome

    @property
    def total(self) -> float:
        """The sum of all rewards, from 0 to 1."""
        return 0.0 if self._earned is None else self._earned.total

    def look(self) -> Reply:
        """Return the whole observation, with the task, without costing a step."""
        observation = self.episode.observe()
        return Reply(
            _join_paragraphs(observation.text(), _describe_outcome(observation)), observation.views
        )

    def call(self, name: str, arguments: str | Mapping[str, Json] | None) -> Reply:
        """Attempt an action and return its result; it costs a step even if it is refused.

        Args:
            name, arguments: as the model wrote them. Arguments given as text are parsed as JSON.
                None means that there are none.

        Raises:
            WorldError, RecordingError, RendererUnavailable: not the model's fault. The first
                two mean that no step was made.
        """
        if self.episode.outcome is not None:
            outcome = _OUTCOME_TEXTS[self.episode.outcome]
            return Reply(f"{outcome} No more actions are taken.", refused=True)
        try:
            if isinstance(arguments, str):
                message = self.episode.step_json(name, arguments).message
            else:
                given = {} if arguments is None else arguments
                message = self.episode.step(ToolCall(name, given)).message
        except ActionError as error:
            return self._build_reply(describe_refusal(error), refused=True)
        return self._build_reply(message, refused=False)

    def _earn(self, *, refused: bool) -> float:
        """Return the reward of the step that was made."""
        if self._earned is None:
            return 0.0
        solved = self.episode.outcome is Outcome.SOLVED
        return self._earned.reward(self.episode.state_hash, solved=solved, refused=refused)

    def _build_reply(self, result: str, *, refused: bool) -> Reply:
        reward = self._earn(refused=refused)
        observation = self.episode.observe()
        status = _describe_outcome(observation) or f"{observation.budget_left} steps left."
        state = "" if observation.state is None else f"State:\n{observation.state}"
        return Reply(
            _join_paragraphs(result, status, state),
            observation.views,
            refused,
            reward,
        )


def _describe_outcome(observation: Observation) -> str:
    return "" if observation.outcome is None else _OUTCOME_TEXTS[observation.outcome]


def _join_paragraphs(*parts: str) -> str:
    return "\n\n".join(part for part in parts if part)

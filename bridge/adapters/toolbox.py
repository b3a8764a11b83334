"""An episode as tools that a model calls: a call goes in, text and pictures come out.

What comes out is all that a model is told: what came of its own call, how many steps are left, and
what the episode shows of the present state. Names, hashes, seeds, plans and files stay here.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bridge.episode.feedback import describe_refusal
from bridge.episode.local import LocalEpisode
from bridge.episode.observation import Observation, View
from bridge.episode.tools import ToolCall
from pysim.field_types import Json
from pysim.puzzle import ActionError, Outcome

__all__ = ["Reply", "Toolbox"]

_ENDINGS = {
    Outcome.SOLVED: "The puzzle is solved.",
    Outcome.OUT_OF_BUDGET: "The budget is used up; the puzzle is not solved.",
    Outcome.GAVE_UP: "The episode has ended; the puzzle is not solved.",
}


@dataclass(frozen=True, slots=True)
class Reply:
    """Answer that a model gets to a call.

    Attributes:
        text: what came of it, and the state if it is shown in words.
        views: pictures of the present state, if they are shown.
        refused: whether the call was refused; it cost a step, unless the episode was over.
    """

    text: str
    views: tuple[View, ...] = ()
    refused: bool = False


class Toolbox:
    """The tools of one episode.

    Args:
        episode: which is played; who made it ends it.
    """

    def __init__(self, episode: LocalEpisode) -> None:
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
        """Return the whole observation, with the task; free."""
        seen = self._episode.observe()
        return Reply(_joined(seen.text(), _ending(seen)), seen.views)

    def call(self, name: str, arguments: str | Mapping[str, Json]) -> Reply:
        """Make an action; whatever comes of it costs a step, and is said.

        Args:
            name, arguments: as the model wrote them; if the arguments are text, it is or should be
                JSON.

        Raises:
            WorldError, RecordingError, RendererUnavailable: not the model's fault; in the first
                two cases the step was never made.
        """
        if self._episode.outcome is not None:
            ending = _ENDINGS[self._episode.outcome]
            return Reply(f"{ending} No more actions are taken.", refused=True)
        try:
            if isinstance(arguments, str):
                message = self._episode.step_json(name, arguments).message
            else:
                message = self._episode.step(ToolCall(name, arguments)).message
        except ActionError as error:
            return self._reply(describe_refusal(error), refused=True)
        return self._reply(message, refused=False)

    def _reply(self, said: str, *, refused: bool) -> Reply:
        seen = self._episode.observe()
        left = f"{seen.budget_left} steps left."
        state = "" if seen.state is None else f"State:\n{seen.state}"
        return Reply(_joined(said, _ending(seen) or left, state), seen.views, refused)


def _ending(seen: Observation) -> str:
    return "" if seen.outcome is None else _ENDINGS[seen.outcome]


def _joined(*parts: str) -> str:
    return "\n\n".join(part for part in parts if part)

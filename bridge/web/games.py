"""Games of people: episodes with their logs, and practice, in which steps can be undone."""

import shutil
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Protocol

from bridge.episode.episode import Episode
from bridge.episode.records import Obs, Options, describe_travel
from bridge.episode.texts import build_instruction
from bridge.episode.tools import ToolCall, build_action_space, truncate_line
from bridge.recording.folders import format_folder_name, new_run_folder
from bridge.recording.log import EpisodeLog
from bridge.recording.times import TIMES_NAME, TimeLog
from bridge.web.messages import (
    EpisodeMessage,
    Refusal,
    StateMessage,
    TurnMessage,
    describe_swatches,
    encode_gestures,
    encode_motions,
    encode_page_scene,
    encode_pictures,
    encode_refusal,
)
from pysim.catalog import AnyLevel, find_family
from pysim.errors import LubanError
from pysim.motion import Motion
from pysim.puzzle import ActionError, Transition
from pysim.render.renderer import Renderer

__all__ = [
    "AGENT_OF_PICTURES",
    "AGENT_OF_SCENE",
    "LOG_NAME",
    "WINDOW",
    "EpisodeGame",
    "Game",
    "NotUndoable",
    "PracticeGame",
    "begin_episode",
    "start_episode",
]

LOG_NAME = "episode.jsonl"
AGENT_OF_SCENE, AGENT_OF_PICTURES = "human-3d", "human"
"""Agent in the log of a person who saw the scene from all sides, and of one who saw pictures."""
WINDOW = 1000
"""Turns of which a person is reminded."""
_PRACTICED = 1000
"""Steps that can be undone."""


class NotUndoable(LubanError):
    """There is no step that can be undone."""


class Game(Protocol):
    """A level that a person plays."""

    def describe(self) -> EpisodeMessage:
        """Return the head of the game."""

    def look(self) -> StateMessage:
        """Return the present state."""

    def act(self, name: str, arguments: str) -> TurnMessage:
        """Try an action, with its arguments as JSON text.

        Raises:
            EpisodeOver: the game has ended.
            RecordingError: the step can't be written down, so it was not made.
        """

    def undo(self) -> StateMessage:
        """Take the last step back.

        Raises:
            NotUndoable: there is none, or it counts.
        """

    def give_up(self) -> StateMessage:
        """End an episode unsolved; practice begins anew."""

    def leave(self) -> None:
        """Free what the game holds; an episode stays without an end, and can go on."""


def begin_episode(
    level: AnyLevel, runs: Path, renderer: Renderer, *, pictures: bool
) -> tuple[Episode, Path]:
    """Begin an episode in a new folder of ``runs``, and return both.

    Args:
        renderer: makes the pictures, if they are shown.
        pictures: whether the person is shown an agent's pictures alone.

    Raises:
        RecordingError: folder or log can't be written.
    """
    agent = AGENT_OF_PICTURES if pictures else AGENT_OF_SCENE
    shown = Obs.IMAGE if pictures else Obs.IMAGE_STATE
    options = Options(obs=shown, history_window=WINDOW, agent=agent)
    folder = new_run_folder(runs, format_folder_name(level.id[:48], agent, "web"))
    return start_episode(level, folder, renderer, options), folder


def start_episode(level: AnyLevel, folder: Path, renderer: Renderer, options: Options) -> Episode:
    """Start an episode in the world ``lattice``, with its log and times in an empty folder.

    Raises:
        RecordingError: the log can't be written; the folder is taken away.
    """
    with ExitStack() as undo:
        undo.callback(shutil.rmtree, folder, ignore_errors=True)
        log = EpisodeLog(folder / LOG_NAME)
        undo.callback(log.close)
        times = TimeLog(folder / TIMES_NAME, log)
        undo.callback(times.close)
        episode = Episode(level, "lattice", renderer, options, times)
        undo.pop_all()
    return episode


class EpisodeGame:
    """An episode that a person plays.

    Args:
        episode: the episode.
        key: the secret by which its page goes on with it; empty if the page has another one.
    """

    def __init__(self, episode: Episode, key: str = "") -> None:
        self._episode = episode
        self._key = key
        self._shows_pictures = episode.options.obs is Obs.IMAGE

    def describe(self) -> EpisodeMessage:
        """Return the head of the episode."""
        episode = self._episode
        return EpisodeMessage(
            key=self._key,
            instruction=episode.instruction,
            budget=episode.budget,
            practice=False,
            pictures=self._shows_pictures,
            tools=episode.tools,
            swatches=describe_swatches(episode.colours),
        )

    def look(self) -> StateMessage:
        """Return the scene, or the pictures of an agent's observation."""
        episode, shown = self._episode, self._shows_pictures
        seen = episode.observe(images=shown)
        return StateMessage(
            step=seen.step,
            budget_left=seen.budget_left,
            outcome=seen.outcome,
            scene=None if shown else encode_page_scene(episode.scene),
            pictures=encode_pictures(seen.views) if shown else (),
            gestures=() if shown else encode_gestures(episode.gestures),
            words=seen.state,
            history=seen.history.splitlines(),
        )

    def act(self, name: str, arguments: str) -> TurnMessage:
        """Make a step of the episode; it costs one whatever comes of it."""
        try:
            result = self._episode.step_json(name, arguments)
        except ActionError as error:
            refusal, attempt = encode_refusal(error)
            return self._turn(refusal.words, attempt, refusal)
        return self._turn(result.message, result.motions)

    def _turn(
        self, words: str, motions: tuple[Motion, ...], refusal: Refusal | None = None
    ) -> TurnMessage:
        shown = () if self._shows_pictures else motions
        return TurnMessage(
            words=words, motions=encode_motions(shown), refusal=refusal, state=self.look()
        )

    def undo(self) -> StateMessage:
        """Refuse: steps of an episode count."""
        raise NotUndoable("steps of an episode count: in practice they can be undone")

    def give_up(self) -> StateMessage:
        """End the episode unsolved."""
        self._episode.give_up("given up by the player")
        return self.look()

    def leave(self) -> None:
        """Free the world; the log stays without an end, and the episode can go on."""
        self._episode.leave()


class PracticeGame:
    """A level without a log, a budget or an end, whose steps can be undone. It is no episode."""

    def __init__(self, level: AnyLevel) -> None:
        self._level = level
        self._family = find_family(level)
        self._actions = build_action_space(level)
        self._initial = self._family.rules.initial(level)
        self._states = [self._initial]
        self._history: list[str] = []
        self._line = ""
        self._made: list[int] = []
        """Length of the history before each step that can be undone."""

    def describe(self) -> EpisodeMessage:
        """Return the head of the practice."""
        return EpisodeMessage(
            key="",
            instruction=build_instruction(self._level, Options()),
            budget=None,
            practice=True,
            pictures=False,
            tools=self._actions.schemas(),
            swatches=describe_swatches(self._level.colours),
        )

    def look(self) -> StateMessage:
        """Return the scene."""
        rules, state = self._family.rules, self._states[-1]
        return StateMessage(
            step=len(self._history),
            budget_left=None,
            outcome=rules.outcome(self._level, state),
            scene=encode_page_scene(rules.scene(self._level, state)),
            gestures=encode_gestures(self._family.gestures(self._level, state)),
            words=rules.describe(self._level, state),
            history=[f"{n}. {line}" for n, line in enumerate(self._history, 1)],
            undoable=len(self._states) - 1,
        )

    def act(self, name: str, arguments: str) -> TurnMessage:
        """Try an action, also after the level is solved."""
        self._line = name
        try:
            transition = self._try(name, arguments)
        except ActionError as error:
            refusal, attempt = encode_refusal(error)
            self._history.append(f"{self._line} -> {refusal.words}")
            return self._turn(refusal.words, attempt, refusal)
        words = describe_travel(transition.travel)
        self._made = [*self._made, len(self._history)][-_PRACTICED:]
        self._states = [*self._states, transition.state][-_PRACTICED - 1 :]
        self._history.append(f"{self._line} -> {words}")
        return self._turn(words, transition.motions)

    def _try(self, name: str, arguments: str) -> Transition[Any]:
        """Apply an action, and keep its line, as far as it can be read.

        Raises:
            ActionError: it is refused.
        """
        call = ToolCall.from_json(name, arguments)
        self._line = truncate_line(call)
        action = self._actions.parse(call)
        self._line = self._actions.line(action)
        return self._family.rules.apply(self._level, self._states[-1], action)

    def _turn(
        self, words: str, motions: tuple[Motion, ...], refusal: Refusal | None = None
    ) -> TurnMessage:
        return TurnMessage(
            words=words, motions=encode_motions(motions), refusal=refusal, state=self.look()
        )

    def undo(self) -> StateMessage:
        """Take the last accepted step back, and what was refused after it."""
        if len(self._states) == 1:
            raise NotUndoable("there is no step to undo")
        self._states.pop()
        del self._history[self._made.pop() :]
        return self.look()

    def give_up(self) -> StateMessage:
        """Begin again."""
        self._states, self._history, self._made = [self._initial], [], []
        return self.look()

    def leave(self) -> None:
        """Do nothing: nothing is held."""

"""Runs of CubeBench in this process, with agents that say what a test wants."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from bridge.agents.journal import Journal
from bridge.agents.protocol import GaveUp, RawCall
from bridge.agents.turns import Prompt, TurnAnswer
from bridge.benches.cubebench.protocol import TurnMode, TurnProtocol
from bridge.benches.cubebench.session import choose_observation, play_turns
from bridge.episode.episode import Episode
from bridge.episode.records import Ending, Obs, Options
from bridge.episode.rendering import SharedRenderer
from bridge.recording.log import EpisodeLog, Log, read_log
from pysim.catalog import AnyLevel, find_level

__all__ = ["Script", "call", "code", "level", "play"]


def level(depth: int = 2, setting: str = "full-symbolic", state: int = 1) -> AnyLevel:
    """A level of the test split."""
    return find_level(f"cubebench-d{depth:02}-{state}-{setting}")


def code(text: str) -> TurnAnswer:
    """A turn that runs code."""
    return TurnAnswer(f"Let me try.\n```python\n{text}\n```\nDone.")


def call(name: str, arguments: str = "{}") -> RawCall:
    """A call, its arguments as JSON text."""
    return RawCall(name, arguments)


@dataclass
class Script:
    """Gives these answers and then gives up; keeps what it was told."""

    answers: Sequence[TurnAnswer]
    prompts: list[Prompt] = field(default_factory=list)

    def act(self, observation: object) -> RawCall:
        raise GaveUp("plays in turns only")

    def take_turn(self, prompt: Prompt) -> TurnAnswer:
        self.prompts.append(prompt)
        if prompt.turn > len(self.answers):
            raise GaveUp("all is said")
        return self.answers[prompt.turn - 1]


def play(
    played: AnyLevel,
    agent: object,
    folder: Path,
    *,
    mode: TurnMode = TurnMode.NO_CODE,
    protocol: TurnProtocol | None = None,
    budget: int = 100_000,
    stopped: Callable[[], bool] = lambda: False,
) -> tuple[Ending, Log]:
    """One run; its log and journal are left in ``folder``."""
    shown = choose_observation(played)
    renderer = SharedRenderer() if shown is Obs.IMAGE else None
    options = Options(obs=shown, budget=budget, picture_size=64)
    path = folder / "episode.jsonl"
    try:
        with (
            EpisodeLog(path) as log,
            Episode(played, renderer=renderer, options=options, listener=log) as episode,
        ):
            ending = play_turns(
                played,
                episode,
                agent,  # type: ignore[arg-type]
                mode=mode,
                protocol=protocol or TurnProtocol(),
                journal=Journal(folder / "agent.jsonl"),
                stopped=stopped,
            )
    finally:
        if renderer is not None:
            renderer.close()
    return ending, read_log(path)

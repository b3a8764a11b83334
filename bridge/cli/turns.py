"""What ``luban eval`` does besides where Rubik's cubes are played in turns."""

from collections.abc import Sequence
from dataclasses import dataclass

from bridge.benches.cubebench.measures import cube_runs, effort_at
from bridge.benches.cubebench.protocol import Setup, TurnProtocol
from bridge.benches.cubebench.results import Horizon
from bridge.benches.cubebench.sandbox.interpreter import Strength, check_sandbox
from bridge.cli.columns import Column, print_table
from bridge.cli.failing import CommandError
from bridge.episode.records import ObservationMode
from bridge.runs.play import Mode
from bridge.runs.results import EpisodeResult
from bridge.runs.store import RunSettings
from pysim.catalog import AnyLevel
from pysim.families.rubik import Setting
from pysim.families.rubik.rewards import Reward

__all__ = ["TurnRequest", "check_turns", "print_cubes"]


@dataclass(frozen=True, slots=True)
class TurnRequest:
    """How cubes are to be played in turns; see the options of ``luban eval``."""

    setup: str = "basic"
    reward: str = "none"
    turns: int = 20
    seconds: float = 1800.0
    sandbox: str = "strong"

    def protocol(self) -> TurnProtocol:
        """The same, checked.

        Raises:
            ValueError: a word or a number is none of those that there are.
        """
        return TurnProtocol(
            setup=Setup(self.setup),
            reward=Reward(self.reward),
            turns=self.turns,
            seconds=self.seconds,
            sandbox=Strength(self.sandbox),
        )


def check_turns(request: TurnRequest, settings: RunSettings, levels: Sequence[AnyLevel]) -> None:
    """Say what does not fit together before anything is played.

    Raises:
        CommandError: an option or a level is not for this mode.
        SandboxError: code can't be run here.
    """
    if settings.protocol is None:
        if request != TurnRequest():
            raise CommandError(
                "--setup, --reward, --turns, --seconds and --sandbox go with --mode code or no-code"
            )
        return
    other = next((level for level in levels if level.family != "rubik"), None)
    if other is not None:
        raise CommandError(f"--mode {settings.mode} is for Rubik's cubes; {other.id} is none")
    if settings.observation is not ObservationMode.IMAGE_STATE:
        raise CommandError(f"in --mode {settings.mode} the level says what is seen: no --obs")
    if settings.mode is Mode.CODE:
        check_sandbox(settings.protocol.sandbox)


def print_cubes(results: Sequence[EpisodeResult]) -> None:
    """CubeBench's figures by setting and horizon, if cubes were played."""
    if not cube_runs(results):
        return
    every = [(setting, horizon) for setting in Setting for horizon in Horizon]
    found = [(*which, effort_at(results, *which)) for which in every]
    played = [one for one in found if one[2].runs]
    print_table(
        [
            Column("setting", [setting.value for setting, _, _ in played]),
            Column("horizon", [horizon.value for _, horizon, _ in played]),
            Column("runs", [str(effort.runs) for _, _, effort in played], right=True),
            Column("pass rate", [_figure(e.pass_rate) for _, _, e in played], right=True),
            Column("#MM", [_figure(effort.moves) for _, _, effort in played], right=True),
            Column("#MR", [_figure(effort.ratio) for _, _, effort in played], right=True),
        ]
    )


def _figure(figure: float | None) -> str:
    return "–" if figure is None else f"{figure:.2f}"

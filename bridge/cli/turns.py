"""What ``luban eval`` does besides where Rubik's cubes are played in turns."""

from collections.abc import Sequence
from dataclasses import dataclass

from bridge.cli.failing import CommandError
from bridge.episode.records import ObservationMode
from bridge.evals.cubebench.measures import cube_runs, effort_at
from bridge.evals.cubebench.protocol import Setup, TurnProtocol
from bridge.evals.cubebench.results import Horizon
from bridge.evals.play import Mode
from bridge.evals.results import EpisodeResult
from bridge.evals.runs import RunSettings
from bridge.evals.sandbox.interpreter import Strength, check_sandbox
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
    from rich.console import Console
    from rich.table import Table

    if not cube_runs(results):
        return
    table = Table(box=None)
    for name in ("setting", "horizon", "runs", "pass rate", "#MM", "#MR"):
        table.add_column(name, justify="left" if name in ("setting", "horizon") else "right")
    for setting in Setting:
        for horizon in Horizon:
            found = effort_at(results, setting, horizon)
            if found.runs:
                figures = (found.pass_rate, found.moves, found.ratio)
                cells = ["–" if figure is None else f"{figure:.2f}" for figure in figures]
                table.add_row(setting.value, horizon.value, str(found.runs), *cells)
    Console().print(table)

"""Options of CubeBench."""

from dataclasses import dataclass, field
from enum import StrEnum

from bridge.benches.cubebench.protocol import Setup, TurnMode, TurnProtocol
from bridge.benches.cubebench.sandbox.strength import Strength
from bridge.runs.options import Mode
from bridge.scoring.selection.options import DirectOptions
from pysim.families.rubik.rewards import Reward

__all__ = ["CubeMode", "CubeOptions"]

_TURNS = TurnProtocol()


class CubeMode(StrEnum):
    """Way in which agents play: directly, as with any level, or in the paper's turns."""

    INTERACTIVE = Mode.INTERACTIVE.value
    ONE_SHOT = Mode.ONE_SHOT.value
    CODE = TurnMode.CODE.value
    NO_CODE = TurnMode.NO_CODE.value


@dataclass(frozen=True, slots=True)
class CubeOptions(DirectOptions):
    """The options of CubeBench; those from ``setup`` on are for turns."""

    mode: CubeMode = field(  # type: ignore[assignment]
        default=CubeMode.INTERACTIVE,
        metadata={
            "help": "How the agent is asked: step by step, once, or in turns with or without code."
        },
    )
    setup: Setup = field(
        default=_TURNS.setup, metadata={"help": "In turns: solver that the agent may ask."}
    )
    reward: Reward = field(
        default=_TURNS.reward, metadata={"help": "In turns: reward shown with each move."}
    )
    turns: int = field(default=_TURNS.turns, metadata={"help": "In turns: most turns of a run."})
    seconds: float = field(
        default=_TURNS.seconds, metadata={"help": "In turns: most seconds of a run."}
    )
    sandbox: Strength = field(
        default=_TURNS.sandbox,
        metadata={"help": "Sandbox of agents' code."},
    )

    def make_protocol(self) -> TurnProtocol:
        """Build the protocol of turns.

        Raises:
            InputError: a number is out of range.
        """
        return TurnProtocol(self.setup, self.reward, self.turns, self.seconds, self.sandbox)

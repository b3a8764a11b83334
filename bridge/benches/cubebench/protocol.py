"""Protocol of a CubeBench run: turns, limits and tools of agents (sections 3.2, 4, appendix I).

A *turn* is what the paper calls a step: a thought, code or calls, and what is observed. It may make
many moves.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, fields
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Literal, NoReturn

from bridge.benches.cubebench.sandbox.strength import Strength
from pysim.errors import InputError
from pysim.families.rubik.rewards import Reward
from pysim.options import check_whole
from pysim.puzzle import Outcome

if TYPE_CHECKING:
    from bridge.runs.settings import RunSettings

__all__ = [
    "MOST_ACTIONS",
    "PROTOCOL",
    "End",
    "Setup",
    "TurnMode",
    "TurnProtocol",
    "end_of",
    "format_ending",
    "read_protocol",
]

MOST_ACTIONS = 1_000_000
"""Moves and looks of a run where nothing else is said; the paper has no such limit."""


PROTOCOL = "protocol"
"""The key of a run's settings under which turns are noted."""


class TurnMode(StrEnum):
    """Way in which agents act in turns, each of which may hold many actions."""

    CODE = "code"
    """Each turn runs code."""
    NO_CODE = "no-code"
    """Each turn makes some calls."""


class Setup(StrEnum):
    """Solver that an agent may use."""

    BASIC = "basic"
    """None."""
    STANDARD_SOLVER = "standard-solver"
    """One that takes 54 letters as Kociemba's program does; putting them so is up to the agent."""
    IDEAL_SOLVER = "ideal-solver"
    """One that takes the 54 letters of the environment."""

    @classmethod
    def _missing_(cls, value: object) -> NoReturn:
        raise InputError(f"there is no set-up {value!r}; there are {', '.join(cls)}")


class End(StrEnum):
    """Reason for which a run ended."""

    SOLVED = "solved"
    TURNS = "turns"
    """All turns are used up."""
    TIME = "time"
    """The time is over; such a run did not terminate normally."""
    ACTIONS = "actions"
    """All moves and looks are used up."""
    GAVE_UP = "gave-up"
    """The agent ended it."""


@dataclass(frozen=True, slots=True)
class TurnProtocol:
    """Play of an episode in turns.

    Attributes:
        setup: which solver they have.
        reward: what ``make_move`` returns.
        turns: the most that there are.
        seconds: of wall clock, models' thinking included.
        sandbox: what keeps their code in.

    Raises:
        InputError: a limit is out of range.
    """

    setup: Setup = Setup.BASIC
    reward: Reward = Reward.NONE
    turns: int = 20
    seconds: float = 1800.0
    sandbox: Strength = Strength.STRONG

    def __post_init__(self) -> None:
        check_whole("the number of turns", self.turns, 1, 1000)
        if not (math.isfinite(self.seconds) and 0 < self.seconds <= 86_400):
            raise InputError(f"a run takes more than 0 and at most 86400 s, not {self.seconds}")

    @staticmethod
    def from_document(document: Mapping[str, Any]) -> "TurnProtocol":
        """Return the protocol in a ``run.json``.

        Raises:
            KeyError, ValueError, TypeError: it is none.
        """
        values = {f.name: document[f.name] for f in fields(TurnProtocol)}
        values["setup"] = Setup(values["setup"])
        values["reward"] = Reward(values["reward"])
        values["sandbox"] = Strength(values["sandbox"])
        return TurnProtocol(**values)


def read_protocol(settings: "RunSettings") -> TurnProtocol | None:
    """Read the protocol by which a run is played in turns; None if it is not.

    Raises:
        InputError: the settings are damaged.
    """
    noted = settings.extras.get(PROTOCOL)
    if noted is None:
        return None
    try:
        return TurnProtocol.from_document(noted)
    except (KeyError, TypeError) as error:
        raise InputError(f"the settings of turns are damaged: {error}") from None


def format_ending(end: Literal[End.TURNS, End.TIME], protocol: TurnProtocol) -> str:
    """Format a limit for a log's end line: the word of the end, then a sentence."""
    if end is End.TURNS:
        return f"{end}: all {protocol.turns} turns are used up"
    return f"{end}: {protocol.seconds:g} seconds are over"


def end_of(outcome: Outcome, note: str) -> End:
    """Read the reason for which a run ended from the end line of its log."""
    if outcome is Outcome.SOLVED:
        return End.SOLVED
    if outcome is Outcome.GAVE_UP:
        return End.GAVE_UP
    word = note.partition(":")[0]
    return End(word) if word in (End.TURNS, End.TIME) else End.ACTIONS

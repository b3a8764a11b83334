"""Plans and moves that the tests of this folder play."""

from pathlib import Path

from bridge.recording.log import Log, LogError, read_log
from bridge.rpc.client import RemoteEpisode
from pysim.catalog import find_level
from pysim.puzzle import Action, Outcome
from tests.waiting import wait_for

EASY = "burr-chinese-cross"
PISTON = "burr-piston"
BLOCKED = {"pieces": ["red"], "direction": "+x", "distance": 1}
"""A slide that can't be made at the start of the Piston lock."""


def plan_of(level: str) -> tuple[Action, ...]:
    plan = find_level(level).plan
    assert plan is not None
    return plan.actions


def play_plan(episode: RemoteEpisode, level: str) -> list[str]:
    """Play the plan; the state hashes, the initial one included."""
    return [episode.state_hash, *(episode.step(action).state_hash for action in plan_of(level))]


def ended_log(path: Path) -> Log:
    """The log in ``path``, once it has an end."""
    return wait_for(lambda: log if (log := _read(path)) and log.ending else None)


def _read(path: Path) -> Log | None:
    try:
        return read_log(path)
    except LogError:
        return None


def gave_up(log: Log) -> str:
    """Why an episode was given up, as its log says."""
    assert log.ending is not None
    assert log.ending.outcome is Outcome.GAVE_UP
    return log.ending.note

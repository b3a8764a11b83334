"""Measures of CubeBench for one run, computed from the run's log alone."""

from dataclasses import dataclass
from enum import StrEnum

from bridge.benches.cubebench.protocol import End, end_of
from bridge.episode.records import StepKind
from bridge.recording.log import Log
from bridge.runs.protocol import Measures
from bridge.runs.results import EpisodeResult
from pysim.families.rubik.puzzle import CubePuzzle, Setting

__all__ = ["COLUMNS", "CubePlay", "Horizon", "make_cube_play", "measure"]

SHORT_DEPTH = 4


class Horizon(StrEnum):
    """Class of distances of a cube from home."""

    SHORT = "short"
    """Up to four face turns."""
    LONG = "long"
    """More; in the test split 8 to 20."""


@dataclass(frozen=True, slots=True)
class CubePlay:
    """One run.

    Attributes:
        setting: what was seen.
        depth: length of the shortest solution in face turns (HTM), more than 0.
        moves: the paper's #MM: calls of ``make_move`` that were carried out.
        end: what ended the run.
    """

    setting: Setting
    depth: int
    moves: int
    end: End

    @property
    def horizon(self) -> Horizon:
        """Short or long."""
        return Horizon.SHORT if self.depth <= SHORT_DEPTH else Horizon.LONG

    @property
    def normal(self) -> bool:
        """Whether it terminated normally: its time was not over."""
        return self.end is not End.TIME

    @property
    def ratio(self) -> float:
        """The paper's #MR: moves for each of the shortest solution."""
        return self.moves / self.depth


COLUMNS = ("setting", "depth", "moves", "end")
"""Of what is measured."""


def measure(log: Log) -> Measures:
    """Return the measures of a log that has an end; none if its level is no cube of known depth."""
    level = log.header.level
    depth = level.facts.get("depth_htm")
    if log.ending is None or not isinstance(level.puzzle, CubePuzzle) or not isinstance(depth, int):
        return {}
    made = (line.kind is StepKind.OK and line.call.name == "make_move" for line in log.steps)
    end = end_of(log.ending.outcome, log.ending.note)
    return {
        "setting": level.puzzle.setting.value,
        "depth": depth,
        "moves": sum(made),
        "end": end.value,
    }


def make_cube_play(result: EpisodeResult) -> CubePlay | None:
    """Measure an episode; None if its level is no cube of known depth."""
    found = [result.extras.get(column) for column in COLUMNS]
    match found:
        case [str(setting), int(depth), int(moves), str(end)]:
            return CubePlay(Setting(setting), depth, moves, End(end))
    return None

"""Rewards of moves: CubeBench's dense rewards, and the sparse one at the end (section 3.1.4).

A dense reward is the change that a move makes in a metric of the cube. The paper lets the sticker
metric begin at 9; six stickers are centres, which never leave home, and the least is 6.
"""

from collections.abc import Callable
from enum import StrEnum
from typing import NoReturn

from pysim.errors import InputError
from pysim.families.rubik.cube import Cube
from pysim.families.rubik.stages import find_stage, score_faces, score_stickers

__all__ = ["Reward", "score_terminal"]


class Reward(StrEnum):
    """By which metric moves are rewarded."""

    NONE = "none"
    """No move is worth anything."""
    STICKER = "sticker"
    """Stickers that have the colour of their face's centre, 6 to 54."""
    FACE = "face"
    """Faces of one colour, 0 to 6."""
    HEURISTIC = "heuristic"
    """Stages of the layer-by-layer method, 0 to 7."""

    @classmethod
    def _missing_(cls, value: object) -> NoReturn:
        raise InputError(f"there is no reward {value!r}; there are {', '.join(cls)}")

    def score(self, cube: Cube) -> int:
        """Score a cube."""
        return _METRICS[self](cube)


_METRICS: dict[Reward, Callable[[Cube], int]] = {
    Reward.NONE: lambda cube: 0,
    Reward.STICKER: score_stickers,
    Reward.FACE: score_faces,
    Reward.HEURISTIC: find_stage,
}


def score_terminal(cube: Cube) -> int:
    """1 if the cube is solved, else 0: the only reward of a run without dense ones."""
    return int(cube.solved)

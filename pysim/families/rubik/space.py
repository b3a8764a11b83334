"""The space of cubes: the moves, and the ways around the cube."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pysim.errors import InputError
from pysim.families.rubik.actions import ApplyViewTransformation, MakeMove
from pysim.families.rubik.choices import FACE_TURNS, ViewShift
from pysim.families.rubik.cube import SOLVED, Cube
from pysim.families.rubik.faces import FACELETS, list_facelets
from pysim.families.rubik.puzzle import CubePuzzle, Setting
from pysim.families.rubik.state import CubeState
from pysim.geometry import Direction, add
from pysim.learning.spaces import ActionNumbers, ArraySpec, FamilySpace
from pysim.puzzle import Action, Level

__all__ = ["CubeSpace", "create_spaces"]

_SHIFTS = tuple(ViewShift)
_EDGES = (5, 5, 5)


class CubeSpace(FamilySpace[CubePuzzle, CubeState]):
    """All cubes, in every setting: what a setting hides isn't observed."""

    name = "cube"
    bounds: Mapping[str, int] = {"facelets": FACELETS}
    actions = ActionNumbers(
        {"move": len(FACE_TURNS), "shift": len(_SHIFTS)},
        {"make_move": ("move",), "apply_view_transformation": ("shift",)},
    )
    arrays: Mapping[str, ArraySpec] = {
        "occupancy": ArraySpec(
            _EDGES, np.uint8, 6,
            "x, y, z: 1 + a sticker's place in U R F D L B, outside the 3 x "
            "3 x 3 cells of the cube; 0 for stickers that can't be seen now",
        ),
        "goal": ArraySpec(_EDGES, np.uint8, 6, "x, y, z: the same of the solved cube"),
        "rotation": ArraySpec((1,), np.uint8, 23, "of the observer, who looks at F at first"),
    }  # fmt: skip

    def check(self, level: Level[CubePuzzle]) -> None:
        """See :meth:`pysim.learning.spaces.FamilySpace.check`: there are no others."""

    def list_legal(self, level: Level[CubePuzzle], state: CubeState) -> NDArray[np.int64]:
        """See :meth:`pysim.learning.spaces.FamilySpace.list_legal`."""
        hidden = level.puzzle.setting.partial
        return np.arange(len(FACE_TURNS) + (len(_SHIFTS) if hidden else 0))

    def make_action(self, level: Level[CubePuzzle], state: CubeState, number: int) -> Action:
        """See :meth:`pysim.learning.spaces.FamilySpace.make_action`."""
        tool, (value,) = self.actions.decode(number)
        if tool == "make_move":
            return MakeMove(FACE_TURNS[value])
        return ApplyViewTransformation(_SHIFTS[value])

    def find_numbers(
        self, level: Level[CubePuzzle], state: CubeState, action: Action
    ) -> Sequence[int]:
        """See :meth:`pysim.learning.spaces.FamilySpace.find_numbers`."""
        match action:
            case MakeMove(move):
                return [self.actions.encode(action.tool, FACE_TURNS.index(move))]
            case ApplyViewTransformation(direction):
                return [self.actions.encode(action.tool, _SHIFTS.index(direction))]
        raise InputError(f"a cube has no action {action.tool}")

    def observe(self, level: Level[CubePuzzle], state: CubeState) -> dict[str, NDArray[Any]]:
        """See :meth:`pysim.learning.spaces.FamilySpace.observe`."""
        return {
            "occupancy": _draw_cube(state.cube, _list_seen(level.puzzle.setting, state)),
            "goal": _draw_cube(SOLVED, tuple(Direction)),
            "rotation": np.array([state.gaze.index], np.uint8),
        }


def _list_seen(setting: Setting, state: CubeState) -> Sequence[Direction]:
    """Return the sides of the cube that are seen."""
    match setting:
        case Setting.FACE_VIEW:
            return (state.front,)
        case Setting.VERTEX_VIEW:
            return (state.front, state.right, state.above)
    return tuple(Direction)


def _draw_cube(cube: Cube, sides: Sequence[Direction]) -> NDArray[np.uint8]:
    drawn = np.zeros(_EDGES, np.uint8)
    for (cell, side), face in zip(list_facelets(), cube.list_colours(), strict=True):
        if side in sides:
            x, y, z = add(add(cell, side.vector), (2, 2, 2))
            drawn[x, y, z] = 1 + face.number
    return drawn


def create_spaces() -> tuple[CubeSpace, ...]:
    """Return the one space."""
    return (CubeSpace(),)

"""The puzzle of a level: a scrambled cube, and how much of it is seen at a time."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from pysim.errors import InputError
from pysim.families.rubik.cube import Cube
from pysim.families.rubik.faces import Face
from pysim.families.rubik.strings import format_cube, parse_cube, restore_cube
from pysim.scene import Colour

__all__ = ["COLOURS", "CubePuzzle", "Setting", "read_puzzle", "restore_puzzle", "write_puzzle"]

COLOURS = tuple(Colour(Face(letter).colour) for letter in "ULFRDB")
"""The colours of the six centres, in the order of CubeBench's strings."""


class Setting(StrEnum):
    """Visible part of the cube: the settings of CubeBench."""

    FULL_SYMBOLIC = "full-symbolic"
    """All 54 facelets as letters."""
    FULL_VISUAL = "full-visual"
    """All six faces as pictures."""
    FACE_VIEW = "face-view"
    """A picture of one face at a time."""
    VERTEX_VIEW = "vertex-view"
    """A picture of three faces at a time, from a corner."""

    @property
    def partial(self) -> bool:
        """Whether there is more to be seen from another side."""
        return self in (Setting.FACE_VIEW, Setting.VERTEX_VIEW)


@dataclass(frozen=True, slots=True)
class CubePuzzle:
    """A scrambled cube.

    Attributes:
        start: a state that turns lead to.
        setting: what is seen of it.
    """

    start: Cube
    setting: Setting = Setting.FULL_SYMBOLIC


def read_puzzle(document: Mapping[str, object]) -> CubePuzzle:
    """Return the puzzle of a level document: ``{"state": 54 letters, "setting": ...}``.

    Raises:
        InputError: something is missing or no turns lead to the state.
    """
    state, setting = document.get("state"), document.get("setting")
    if not isinstance(state, str) or not isinstance(setting, str):
        raise InputError("a cube has a 'state' of 54 letters and a 'setting'")
    if setting not in list(Setting):
        raise InputError(f"there is no setting {setting[:40]!r}; there are {', '.join(Setting)}")
    start = parse_cube(state)
    if start.solved:
        raise InputError("the cube of a level is not solved from the start")
    return CubePuzzle(start, Setting(setting))


def restore_puzzle(document: Mapping[str, Any]) -> CubePuzzle:
    """Return a puzzle from the document that :func:`write_puzzle` has made, without checks."""
    return CubePuzzle(restore_cube(document["state"]), Setting(document["setting"]))


def write_puzzle(puzzle: CubePuzzle) -> dict[str, object]:
    """Return the inverse of :func:`read_puzzle`."""
    return {"state": format_cube(puzzle.start), "setting": puzzle.setting.value}

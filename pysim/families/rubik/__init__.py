"""The Rubik's cube: turn faces until each is of one colour.

What stands here is imported when it is asked for: a shallow cube is solved sooner than rules and
pictures are loaded.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pysim.families.rubik.actions import ApplyViewTransformation, MakeMove
    from pysim.families.rubik.cube import SOLVED, Cube
    from pysim.families.rubik.family import FAMILY
    from pysim.families.rubik.puzzle import CubePuzzle, Setting
    from pysim.families.rubik.rules import RubikRules
    from pysim.families.rubik.state import CubeState

__all__ = [
    "FAMILY",
    "SOLVED",
    "ApplyViewTransformation",
    "Cube",
    "CubePuzzle",
    "CubeState",
    "MakeMove",
    "RubikRules",
    "Setting",
]

_HOMES = {
    "FAMILY": "family",
    "SOLVED": "cube",
    "ApplyViewTransformation": "actions",
    "Cube": "cube",
    "CubePuzzle": "puzzle",
    "CubeState": "state",
    "MakeMove": "actions",
    "RubikRules": "rules",
    "Setting": "puzzle",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)

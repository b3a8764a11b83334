"""Cubes of a file, as suites of one's own and the headers of runs have them.

A state is one object, ``{"state": 54 letters, "depth": 1, "options": ["R", "U'", "F2", "D"]}``: the
letters in the order of level files, the distance from home in face turns and, if the file has
them, the four moves A to D that move prediction offers, one of which solves the cube.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from bridge.items.given import GivenItems
from pysim.errors import InputError
from pysim.families.rubik.cube import Cube, turn_of
from pysim.families.rubik.moves import Move
from pysim.families.rubik.strings import format_cube, parse_cube
from pysim.field_types import Json
from pysim.options import check_whole

__all__ = ["GivenState", "GivenStates", "read_state", "write_state"]


@dataclass(frozen=True, slots=True)
class GivenState:
    """A scrambled cube.

    Attributes:
        cube: the state.
        depth: its distance from home in face turns.
        options: four moves, one of which solves it; none if they are to be drawn.
    """

    cube: Cube
    depth: int
    options: tuple[Move, ...] = ()


def write_state(state: GivenState) -> dict[str, Json]:
    """Return a state as an object."""
    document: dict[str, Json] = {"state": format_cube(state.cube), "depth": state.depth}
    return document | ({"options": [str(move) for move in state.options]} if state.options else {})


def read_state(document: object) -> GivenState:
    """Read a state.

    Raises:
        InputError: it is damaged, solved, or not exactly one of its options solves it.
    """
    if not isinstance(document, Mapping) or not isinstance(document.get("state"), str):
        raise InputError("a cube is an object with a state of 54 letters")
    depth, options = document.get("depth"), document.get("options", [])
    depth = check_whole("the depth of a cube", depth, 1)
    if not isinstance(options, list) or not all(isinstance(move, str) for move in options):
        raise InputError("options are a list of moves")
    state = GivenState(parse_cube(document["state"]), depth, tuple(map(Move.parse, options)))
    if state.cube.solved:
        raise InputError("the cube is solved")
    _check_options(state)
    return state


def _check_options(state: GivenState) -> None:
    if not state.options:
        return
    if len(state.options) != 4 or len(set(state.options)) != 4:
        raise InputError("options are four moves, no two alike")
    solving = [move for move in state.options if state.cube.compose(turn_of(move)).solved]
    if len(solving) != 1:
        raise InputError(f"{len(solving)} of its options solve the cube, not one")


class GivenStates(GivenItems[GivenState]):
    """Cubes of one depth in a suite of one's own."""

    key = "states"

    @staticmethod
    def write(entry: GivenState) -> dict[str, Json]:
        """Return a state as an object."""
        return write_state(entry)

    @staticmethod
    def read(document: object) -> GivenState:
        """Read a state, see :func:`read_state`."""
        return read_state(document)

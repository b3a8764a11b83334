"""Turning by hand: a layer is swiped by any of its cubies."""

from collections.abc import Iterator

from pysim.families.rubik.actions import MakeMove
from pysim.families.rubik.choices import FACE_TURNS
from pysim.families.rubik.puzzle import CubePuzzle
from pysim.families.rubik.rules import make_layer_turn
from pysim.families.rubik.state import CubeState
from pysim.puzzle import Level, TurnGesture

__all__ = ["list_gestures"]


def list_gestures(level: Level[CubePuzzle], state: CubeState) -> Iterator[TurnGesture]:
    """Yield the 12 moves."""
    for move in FACE_TURNS:
        turn = make_layer_turn(state, MakeMove(move))
        yield TurnGesture(MakeMove(move), turn.bodies, turn)

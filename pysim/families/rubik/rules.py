"""The rules of the cube behind the protocol that all families share."""

from collections.abc import Iterator
from functools import cache

from pysim.families.rubik.actions import ApplyViewTransformation, MakeMove
from pysim.families.rubik.choices import FACE_TURNS, ViewShift
from pysim.families.rubik.cube import find_layer_rotation
from pysim.families.rubik.moves import Move
from pysim.families.rubik.pictures import choose_views
from pysim.families.rubik.planner import plan_for
from pysim.families.rubik.puzzle import CubePuzzle
from pysim.families.rubik.scene import WHOLE, list_layer, make_bodies
from pysim.families.rubik.state import CubeState
from pysim.families.rubik.text import describe_state, write_instruction
from pysim.geometry import Axis, make_quarter_turn
from pysim.motion import Turn
from pysim.puzzle import (
    Action,
    IllegalMove,
    InvalidAction,
    Level,
    Outcome,
    Plan,
    Reason,
    Transition,
)
from pysim.scene import Scene

__all__ = ["RubikRules", "make_layer_turn"]


class RubikRules:
    """See :class:`pysim.puzzle.Rules`."""

    def initial(self, level: Level[CubePuzzle]) -> CubeState:
        """Return the scrambled cube, seen from the front."""
        return CubeState(level.puzzle.start)

    def legal(self, level: Level[CubePuzzle], state: CubeState) -> Iterator[Action]:
        """Yield the 12 moves; then, where part of the cube is seen, the four ways around it."""
        yield from map(MakeMove, FACE_TURNS)
        if level.puzzle.setting.partial:
            yield from map(ApplyViewTransformation, ViewShift)

    def apply(
        self, level: Level[CubePuzzle], state: CubeState, action: Action
    ) -> Transition[CubeState]:
        """See the actions in :mod:`pysim.families.rubik.actions`."""
        match action:
            case MakeMove():
                return _turned(state, action)
            case ApplyViewTransformation():
                return _looked(level.puzzle, state, action)
        raise InvalidAction(Reason.UNKNOWN_ACTION, f"a cube has no action {type(action).__name__}")

    def outcome(self, level: Level[CubePuzzle], state: CubeState) -> Outcome | None:
        """SOLVED when every face is of one colour."""
        return Outcome.SOLVED if state.cube.solved else None

    def scene(self, level: Level[CubePuzzle], state: CubeState) -> Scene:
        """26 cubies with stickers, the six centres named after their colours."""
        shots = choose_views(level.puzzle.setting, state)
        return Scene(make_bodies(state.cube, state.spins), WHOLE, views=shots)

    def goal_scene(self, level: Level[CubePuzzle]) -> Scene | None:
        """None: what a solved cube looks like is said in words."""
        return None

    def plan(self, level: Level[CubePuzzle]) -> Plan | None:
        """See :mod:`pysim.families.rubik.planner`."""
        return plan_for(level.puzzle.start)

    def instruction(self, level: Level[CubePuzzle]) -> str:
        """Return the task in words."""
        return write_instruction(level.puzzle)

    def describe(self, level: Level[CubePuzzle], state: CubeState) -> str:
        """Return one line per centre, then what the setting tells of the rest."""
        return describe_state(level.puzzle, state)

    def encode(self, state: CubeState) -> str:
        """Return the 54 letters and the number of the observer's rotation."""
        return state.encode()


def _turned(state: CubeState, action: MakeMove) -> Transition[CubeState]:
    turn = make_layer_turn(state, action)
    return Transition(state.turn(Move.parse(action.move)), (turn,), None)


def make_layer_turn(state: CubeState, action: MakeMove) -> Turn:
    """Return the turn of a layer that makes a move."""
    move = Move.parse(action.move)
    axis, quarters = _in_space(move)
    return Turn(list_layer(state.cube, move.face), axis, (0, 0, 0), quarters)


@cache
def _in_space(move: Move) -> tuple[Axis, int]:
    """Return the axis of a move, and by how many quarter turns about it."""
    axis, rotation = move.face.side.axis, find_layer_rotation(move)
    return axis, next(k for k in (1, 2, 3) if make_quarter_turn(axis, k) == rotation)


def _looked(
    puzzle: CubePuzzle, state: CubeState, action: ApplyViewTransformation
) -> Transition[CubeState]:
    if not puzzle.setting.partial:
        raise IllegalMove(
            Reason.NO_EFFECT, f"the view can't be changed: this is {puzzle.setting}, all is seen"
        )
    return Transition(state.shift(action.direction), (), None)

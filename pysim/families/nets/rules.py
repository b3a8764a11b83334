"""The rules of nets behind the protocol that all families share."""

from collections.abc import Iterator

from pysim.families.nets.actions import Crease, Fold, TurnNet, Unfold
from pysim.families.nets.moves import apply_fold, apply_turn, apply_unfold
from pysim.families.nets.puzzle import NetPuzzle
from pysim.families.nets.scene import make_goal_scene, make_scene
from pysim.families.nets.state import NetsState, find_cube, make_flat_state
from pysim.families.nets.text import describe_state, write_instruction
from pysim.field_types import QuarterTurns
from pysim.geometry import Axis
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

__all__ = ["NetRules"]


class NetRules:
    """See :class:`pysim.puzzle.Rules`."""

    def initial(self, level: Level[NetPuzzle]) -> NetsState:
        """Return all nets flat, as they are drawn."""
        return make_flat_state(level.puzzle)

    def legal(self, level: Level[NetPuzzle], state: NetsState) -> Iterator[Action]:
        """Yield every fold and unfold that is free, then every turn.

        Turns are listed with the face by which a net is held; with another one they are the same.
        """
        for action in _bends(level.puzzle):
            try:
                self.apply(level, state, action)
            except IllegalMove:
                continue
            yield action
        for net in level.puzzle.nets:
            for axis in Axis:
                for quarters in (1, 2, 3):
                    yield TurnNet(net.plates[0].name, axis, QuarterTurns(quarters))

    def apply(
        self, level: Level[NetPuzzle], state: NetsState, action: Action
    ) -> Transition[NetsState]:
        """See the actions in :mod:`pysim.families.nets.actions`."""
        match action:
            case Fold():
                return apply_fold(level.puzzle, state, action)
            case Unfold():
                return apply_unfold(level.puzzle, state, action)
            case TurnNet():
                return apply_turn(level.puzzle, state, action)
        raise InvalidAction(Reason.UNKNOWN_ACTION, f"a net has no action {type(action).__name__}")

    def outcome(self, level: Level[NetPuzzle], state: NetsState) -> Outcome | None:
        """SOLVED when every net is a cube, and it looks like the target, or both are alike."""
        cubes = [find_cube(*both) for both in zip(level.puzzle.nets, state.nets, strict=True)]
        first, target = cubes[0], level.puzzle.target
        if first is None:
            return None
        alike = cubes[1] == first if target is None else first.view == target
        return Outcome.SOLVED if alike else None

    def scene(self, level: Level[NetPuzzle], state: NetsState) -> Scene:
        """Return a plate for each face, on the table."""
        return make_scene(level.puzzle, state)

    def goal_scene(self, level: Level[NetPuzzle]) -> Scene | None:
        """The three faces that are told of the cube; None if two nets are to become alike."""
        return make_goal_scene(level.puzzle)

    def plan(self, level: Level[NetPuzzle]) -> Plan | None:
        """See :mod:`pysim.families.nets.planner`."""
        from pysim.families.nets.planner import plan_for  # Not above: it needs these rules.

        return plan_for(self, level)

    def instruction(self, level: Level[NetPuzzle]) -> str:
        """Return the task in words."""
        return write_instruction(level.puzzle)

    def describe(self, level: Level[NetPuzzle], state: NetsState) -> str:
        """Return one line per face."""
        return describe_state(level.puzzle, state)

    def encode(self, state: NetsState) -> str:
        """Return the bends and the rotation of each net."""
        return state.encode()


def _bends(puzzle: NetPuzzle) -> Iterator[Action]:
    for net in puzzle.nets:
        for plate in net.plates[1:]:
            yield from (Fold(plate.name, way) for way in Crease)
            yield Unfold(plate.name)

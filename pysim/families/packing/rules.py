"""The rules of packing: exact integer geometry behind the protocol that all families share."""

from collections.abc import Iterator

from pysim.families.packing.actions import PickUp, Place, PlaceAt
from pysim.families.packing.box import Packing
from pysim.families.packing.legal import list_actions
from pysim.families.packing.moves import apply_pick_up, apply_place, apply_place_at, find_world_pose
from pysim.families.packing.state import PackingState
from pysim.families.packing.text import describe_state, write_instruction
from pysim.puzzle import Action, InvalidAction, Level, Outcome, Plan, Reason, Transition
from pysim.scene import Body, Container, Scene

__all__ = ["PackingRules"]


class PackingRules:
    """See :class:`pysim.puzzle.Rules`."""

    def initial(self, level: Level[Packing]) -> PackingState:
        """Return an empty box, every piece on the table."""
        return PackingState((None,) * len(level.puzzle.pieces))

    def legal(self, level: Level[Packing], state: PackingState) -> Iterator[Action]:
        """Placements of each loose piece by its cells, then what can be picked up.

        Placements after which something only just balances on an edge are legal too, but not
        listed, and neither are those as ``place_at``, which are the same.
        """
        return list_actions(level.puzzle, state)

    def apply(
        self, level: Level[Packing], state: PackingState, action: Action
    ) -> Transition[PackingState]:
        """See the actions in :mod:`pysim.families.packing.actions`."""
        match action:
            case Place():
                return apply_place(level.puzzle, state, action)
            case PlaceAt():
                return apply_place_at(level.puzzle, state, action)
            case PickUp():
                return apply_pick_up(level.puzzle, state, action)
        raise InvalidAction(
            Reason.UNKNOWN_ACTION, f"a packing puzzle has no action {type(action).__name__}"
        )

    def outcome(self, level: Level[Packing], state: PackingState) -> Outcome | None:
        """SOLVED when every cell is covered; pieces never overlap."""
        return Outcome.SOLVED if state.filled == level.puzzle.full else None

    def scene(self, level: Level[Packing], state: PackingState) -> Scene:
        """One body per piece, named after its colour; the box is empty space with a container."""
        packing = level.puzzle
        bodies = tuple(
            Body(
                name=piece.colour,
                shape=piece.shape,
                pose=find_world_pose(packing, i, place),
                colour=piece.colour,
                loose=place is None or packing.gravity,
            )
            for i, (piece, place) in enumerate(zip(packing.pieces, state.places, strict=True))
        )
        container = Container(packing.block, packing.open)
        return Scene(bodies, packing.block, packing.table.bounds, container, frames_loose=True)

    def goal_scene(self, level: Level[Packing]) -> Scene | None:
        """None: the goal is a full box, and how it is filled is the puzzle."""
        return None

    def plan(self, level: Level[Packing]) -> Plan | None:
        """Return one placement for each piece, see :mod:`pysim.families.packing.planner`."""
        # Not above: it takes half a second.
        from pysim.families.packing.planner import plan_packing

        return plan_packing(level.puzzle)

    def instruction(self, level: Level[Packing]) -> str:
        """Return the task in words."""
        return write_instruction(level.puzzle)

    def describe(self, level: Level[Packing], state: PackingState) -> str:
        """Return one line per piece, then one per layer of the box."""
        return describe_state(level.puzzle, state)

    def encode(self, state: PackingState) -> str:
        """Return one word per piece."""
        return state.encode()

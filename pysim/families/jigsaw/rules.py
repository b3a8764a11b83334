"""The rules of jigsaw cubes: exact integer geometry behind the protocol that all families share."""

from collections.abc import Iterator

from pysim.families.jigsaw.actions import Attach, Detach
from pysim.families.jigsaw.moves import apply_attach, apply_detach, find_world_pose
from pysim.families.jigsaw.puzzle import Jigsaw
from pysim.families.jigsaw.shell import list_masks, mask_of, normalize_seat
from pysim.families.jigsaw.state import JigsawState
from pysim.families.jigsaw.text import describe_state, write_instruction
from pysim.geometry import Direction
from pysim.puzzle import Action, InvalidAction, Level, Outcome, Plan, Reason, Transition
from pysim.scene import Body, Container, Scene

__all__ = ["JigsawRules"]


class JigsawRules:
    """See :class:`pysim.puzzle.Rules`."""

    def initial(self, level: Level[Jigsaw]) -> JigsawState:
        """Return the given pieces on the cube, all others on the table."""
        pieces = zip(level.puzzle.rows, level.puzzle.start, strict=True)
        return JigsawState(
            tuple(None if place is None else normalize_seat(rows, place) for rows, place in pieces)
        )

    def legal(self, level: Level[Jigsaw], state: JigsawState) -> Iterator[Action]:
        """Yield the placements of each loose piece that fit, then the pieces that can be taken off.

        Of placements in which a symmetric piece covers the same cells only the first is listed.
        """
        pieces = list(zip(level.puzzle.pieces, state.places, strict=True))
        filled = sum(mask_of(p.rows, place) for p, place in pieces if place is not None)
        for piece, place in pieces:
            if place is None:
                for mask, there in list_masks(piece.rows).items():
                    if not mask & filled:
                        yield Attach(piece.colour, there.face, there.left, there.top)
        yield from (Detach(piece.colour) for piece, place in pieces if place is not None)

    def apply(
        self, level: Level[Jigsaw], state: JigsawState, action: Action
    ) -> Transition[JigsawState]:
        """See the actions in :mod:`pysim.families.jigsaw.actions`."""
        match action:
            case Attach():
                return apply_attach(level.puzzle, state, action)
            case Detach():
                return apply_detach(level.puzzle, state, action)
        raise InvalidAction(
            Reason.UNKNOWN_ACTION, f"a jigsaw cube has no action {type(action).__name__}"
        )

    def outcome(self, level: Level[Jigsaw], state: JigsawState) -> Outcome | None:
        """SOLVED when all pieces are on the cube.

        They have as many cells as its surface and never share one, so that there is no gap.
        """
        return None if None in state.places else Outcome.SOLVED

    def scene(self, level: Level[Jigsaw], state: JigsawState) -> Scene:
        """One body per piece, named after its colour; the cube's outline hangs over the table."""
        jigsaw = level.puzzle
        bodies = tuple(
            Body(
                name=piece.colour,
                shape=jigsaw.shapes[i],
                pose=find_world_pose(jigsaw, i, place),
                colour=piece.colour,
                loose=place is None,
            )
            for i, (piece, place) in enumerate(zip(jigsaw.pieces, state.places, strict=True))
        )
        outline = Container(jigsaw.block, frozenset(Direction))
        return Scene(bodies, jigsaw.block, jigsaw.table.bounds, outline, frames_loose=True)

    def goal_scene(self, level: Level[Jigsaw]) -> Scene | None:
        """None: the goal is a whole cube, and which piece goes where is the puzzle."""
        return None

    def plan(self, level: Level[Jigsaw]) -> Plan | None:
        """Return one action for each loose piece, see :mod:`pysim.families.jigsaw.planner`."""
        from pysim.families.jigsaw.planner import plan_jigsaw  # Not above: it takes half a second.

        return plan_jigsaw(level.puzzle)

    def instruction(self, level: Level[Jigsaw]) -> str:
        """Return the task in words."""
        return write_instruction(level.puzzle)

    def describe(self, level: Level[Jigsaw], state: JigsawState) -> str:
        """Return one line per piece, then the gaps that pieces have left between them."""
        return describe_state(level.puzzle, state)

    def encode(self, state: JigsawState) -> str:
        """Return one word per piece."""
        return state.encode()

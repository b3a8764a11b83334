"""Effect of each action on a state, and reasons to refuse it.

Every piece is flat and lies within the layer of its face, so that it can always come and go
straight through that face: what it may meet is only what fills the same cells in the end.
"""

from pysim.carrying import carry_past
from pysim.families.jigsaw.actions import Attach, Detach
from pysim.families.jigsaw.faces import LAST, Edge, Seat, ShellFace
from pysim.families.jigsaw.puzzle import Jigsaw
from pysim.families.jigsaw.shell import list_cells, mask_of, normalize_seat
from pysim.families.jigsaw.state import JigsawState
from pysim.geometry import Cell, Pose, Voxels, scale, subtract
from pysim.motion import Motion, Sweep
from pysim.puzzle import IllegalMove, InvalidAction, Reason, Transition, find_piece

__all__ = ["APPROACH", "apply_attach", "apply_detach", "find_world_pose"]

APPROACH = 2
"""Units that a piece goes straight in and out."""


def find_world_pose(jigsaw: Jigsaw, piece: int, place: Seat | None) -> Pose:
    """Return the world pose of a piece."""
    if place is None:
        return jigsaw.table.get_pose(piece)
    rotation = place.rotation
    row, column = place.find_source(0, 0)
    seen: Cell = (column, LAST - row, 0)
    return Pose(rotation, subtract(place.face.locate_cell(0, 0), rotation.apply(seen)))


def apply_attach(jigsaw: Jigsaw, state: JigsawState, action: Attach) -> Transition[JigsawState]:
    """See :class:`~pysim.families.jigsaw.actions.Attach`."""
    piece = find_piece(action.piece, jigsaw.index)
    place = _placement(action.face, action.left_edge, action.top_edge)
    if state.places[piece] is not None:
        raise IllegalMove(
            Reason.NOT_FREE,
            f"{action.piece} is on the cube; take it off with 'detach' first",
            culprits=(action.piece,),
        )
    place = normalize_seat(jigsaw.pieces[piece].rows, place)
    motions = _way_in(jigsaw, state, piece, place)
    _require_free(jigsaw, state, piece, place, motions)
    return Transition(state.replace_place(piece, place), motions, APPROACH)


def apply_detach(jigsaw: Jigsaw, state: JigsawState, action: Detach) -> Transition[JigsawState]:
    """See :class:`~pysim.families.jigsaw.actions.Detach`."""
    piece = find_piece(action.piece, jigsaw.index)
    place = state.places[piece]
    if place is None:
        raise IllegalMove(
            Reason.ALREADY_FREE,
            f"{action.piece} lies on the table already",
            culprits=(action.piece,),
        )
    way = (
        _waiting(jigsaw, piece, place).bounds,
        jigsaw.table.get_block(piece).low,
        place.rotation.inverse,
    )
    sweep = Sweep(frozenset([action.piece]), place.face.outward, APPROACH)
    carry = carry_past(jigsaw, state.places, piece, way, loose=True)
    return Transition(state.replace_place(piece, None), (sweep, carry), APPROACH)


def _placement(face: ShellFace, left: Edge, top: Edge) -> Seat:
    if not left.is_beside(top):
        raise InvalidAction(
            Reason.BAD_VALUE,
            f"the edges {left} and {top} of a piece share no corner: one is on the left and the "
            "other on top only if they do",
            culprits=("top_edge",),
        )
    return Seat(face, left, top)


def _way_in(jigsaw: Jigsaw, state: JigsawState, piece: int, place: Seat) -> tuple[Motion, ...]:
    here, there = jigsaw.table.get_block(piece), _waiting(jigsaw, piece, place).bounds.low
    carry = carry_past(jigsaw, state.places, piece, (here, there, place.rotation), loose=False)
    colours = frozenset([jigsaw.pieces[piece].colour])
    return (carry, Sweep(colours, place.face.outward.opposite, APPROACH))


def _waiting(jigsaw: Jigsaw, piece: int, place: Seat) -> Voxels:
    """Return the cells of a piece before its face."""
    out = scale(place.face.outward.vector, APPROACH)
    return find_world_pose(jigsaw, piece, place).translate(out).place(jigsaw.shapes[piece])


def _require_free(
    jigsaw: Jigsaw, state: JigsawState, piece: int, place: Seat, motions: tuple[Motion, ...]
) -> None:
    mine = mask_of(jigsaw.pieces[piece].rows, place)
    shared = {
        jigsaw.pieces[i].colour: mine & mask_of(jigsaw.pieces[i].rows, other)
        for i, other in enumerate(state.places)
        if other is not None
    }
    culprits = tuple(colour for colour, mask in shared.items() if mask)
    if culprits:
        words = "; ".join(f"{colour} fills {_cells(shared[colour])}" for colour in culprits)
        raise IllegalMove(
            Reason.OVERLAP,
            f"{jigsaw.pieces[piece].colour} does not fit there: {words}; nothing moved",
            culprits=culprits,
            travel=APPROACH - 1,
            attempt=motions,
        )


def _cells(mask: int) -> str:
    return " ".join(f"({x},{y},{z})" for x, y, z in list_cells(mask))

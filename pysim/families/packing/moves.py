"""Effect of each action on a state, and reasons to refuse it."""

from collections.abc import Sequence

from pysim.carrying import carry_past
from pysim.families.packing.actions import PickUp, Place, PlaceAt
from pysim.families.packing.box import Packing
from pysim.families.packing.grid import Spot, find_way_out, list_cells, mask_of, step
from pysim.families.packing.state import PackingState
from pysim.families.packing.support import find_falling
from pysim.geometry import Bounds, Cell, Direction, Pose, Voxels, add, scale
from pysim.motion import Motion, Sweep
from pysim.puzzle import IllegalMove, InvalidAction, Reason, Transition, find_piece
from pysim.scene import Colour

__all__ = ["apply_pick_up", "apply_place", "apply_place_at", "exit_of", "find_world_pose"]


def find_world_pose(packing: Packing, piece: int, place: Spot | None) -> Pose:
    """Return the world pose of a piece."""
    if place is None:
        return packing.table.get_pose(piece)
    return place.find_pose(packing.pieces[piece].shape)


def apply_place(packing: Packing, state: PackingState, action: Place) -> Transition[PackingState]:
    """See :class:`~pysim.families.packing.actions.Place`."""
    piece = _loose(packing, state, action.piece)
    shape = Voxels.from_cells(action.cells)
    if shape.move_to_origin() not in packing.pieces[piece].shape.copies:
        raise InvalidAction(
            Reason.BAD_VALUE,
            f"{action.piece} does not have the shape of these cells, however it is turned",
            culprits=("cells",),
        )
    return _put(packing, state, piece, shape, action.direction)


def apply_place_at(
    packing: Packing, state: PackingState, action: PlaceAt
) -> Transition[PackingState]:
    """See :class:`~pysim.families.packing.actions.PlaceAt`."""
    piece = _loose(packing, state, action.piece)
    shape = packing.pieces[piece].shape
    there = Pose.place_corner(shape, action.rotation, action.cell).place(shape)
    return _put(packing, state, piece, there, action.direction)


def apply_pick_up(
    packing: Packing, state: PackingState, action: PickUp
) -> Transition[PackingState]:
    """See :class:`~pysim.families.packing.actions.PickUp`."""
    piece = find_piece(action.piece, packing.index)
    spot = state.places[piece]
    if spot is None:
        raise IllegalMove(
            Reason.ALREADY_FREE,
            f"{action.piece} lies on the table already",
            culprits=(action.piece,),
        )
    side = exit_of(packing, state, spot)
    if side is None:
        raise _shut_in(packing, state, piece, spot)
    after = state.replace_place(piece, None)
    _require_support(packing, after, f"without {action.piece}")
    sweep = Sweep(frozenset([action.piece]), side, _distance(packing, _bounds(packing, spot), side))
    outside = _bounds(packing, spot).translate(scale(side.vector, sweep.distance))
    way = (outside, packing.table.get_block(piece).low, spot.rotation.inverse)
    carry = carry_past(packing, state.places, piece, way, loose=True)
    return Transition(after, (sweep, carry), sweep.distance)


def exit_of(packing: Packing, state: PackingState, spot: Spot) -> Direction | None:
    """The first open side to which a piece in the box can leave straight; None if there is none."""
    others = state.filled & ~spot.mask
    for side in packing.exits:
        if not find_way_out(packing.size, spot.mask, side) & others:
            return side
    return None


def _put(
    packing: Packing, state: PackingState, piece: int, there: Voxels, direction: Direction
) -> Transition[PackingState]:
    """Bring a loose piece to cells of its shape."""
    colour, side = packing.pieces[piece].colour, direction.opposite
    if side not in packing.open:
        raise IllegalMove(
            Reason.UNREACHABLE,
            f"nothing comes in towards {direction}: the box is closed on its {side} side; open: "
            f"{', '.join(packing.exits)}",
            culprits=(colour,),
        )
    _require_inside(packing, colour, there)
    mask = mask_of(packing.size, there.cells)
    _require_free(packing, state, colour, mask)
    spot = packing.spots[piece][mask]
    distance = _distance(packing, there.bounds, side)
    start = add(spot.corner, scale(side.vector, distance))
    way = (packing.table.get_block(piece), start, spot.rotation)
    motions: tuple[Motion, ...] = (
        carry_past(packing, state.places, piece, way, loose=packing.gravity),
        Sweep(frozenset([colour]), direction, distance),
    )
    if find_way_out(packing.size, mask, side) & state.filled:
        raise _blocked(packing, state, colour, mask, direction, distance, motions)
    after = state.replace_place(piece, spot)
    _require_support(packing, after, f"with {colour} there")
    return Transition(after, motions, distance)


def _loose(packing: Packing, state: PackingState, colour: Colour) -> int:
    piece = find_piece(colour, packing.index)
    if state.places[piece] is not None:
        raise IllegalMove(
            Reason.NOT_FREE,
            f"{colour} is in the box; take it out with 'pick_up' first",
            culprits=(colour,),
        )
    return piece


def _require_inside(packing: Packing, colour: Colour, there: Voxels) -> None:
    block = packing.block
    outside = [cell for cell in there.cells if not block.has_block(Bounds(cell, cell))]
    if outside:
        raise IllegalMove(
            Reason.OUT_OF_BOUNDS,
            f"{_cells(outside)} of {colour} would be outside the box, which is {block.low} to "
            f"{block.high}",
            culprits=(colour,),
        )


def _require_free(packing: Packing, state: PackingState, colour: Colour, mask: int) -> None:
    taken = mask & state.filled
    if taken:
        owners = _owners(packing, state, taken)
        raise IllegalMove(
            Reason.OVERLAP,
            f"{colour} can't be there: {', '.join(owners)} already covers "
            f"{_cells(list_cells(packing.size, taken))}",
            culprits=owners,
        )


def _require_support(packing: Packing, state: PackingState, when: str) -> None:
    if not packing.gravity:
        return
    placed = state.list_placed()
    found = find_falling(packing.size, state.list_masks())
    if found:
        names = tuple(packing.pieces[placed[i]].colour for i in sorted(found))
        raise IllegalMove(
            Reason.UNSTABLE,
            f"{when}, {', '.join(names)} would tip or fall: nothing below carries the weight",
            culprits=names,
        )


def _distance(packing: Packing, bounds: Bounds, side: Direction) -> int:
    """Return units that a piece goes to be wholly outside the box."""
    axis = side.axis.number
    if side.sign > 0:
        return packing.size[axis] - bounds.low[axis]
    return bounds.high[axis] + 1


def _bounds(packing: Packing, spot: Spot) -> Bounds:
    return Voxels(list_cells(packing.size, spot.mask)).bounds


def _blocked(
    packing: Packing,
    state: PackingState,
    colour: Colour,
    mask: int,
    direction: Direction,
    distance: int,
    motions: tuple[Motion, ...],
) -> IllegalMove:
    """The refusal of a way in that is not clear; the piece hits what is farthest out first."""
    left, hit = 0, 0
    moving = mask
    for gone in range(1, distance):
        moving = step(packing.size, moving, direction.opposite)
        if moving & state.filled:
            left, hit = gone, moving & state.filled
    owners = _owners(packing, state, hit)
    travel = distance - left - 1
    return IllegalMove(
        Reason.BLOCKED,
        f"{colour} could go {travel} of {distance} units towards {direction} before "
        f"{', '.join(owners)} is in the way at {_cells(list_cells(packing.size, hit))}; "
        f"nothing moved",
        culprits=owners,
        travel=travel,
        attempt=motions,
    )


def _shut_in(packing: Packing, state: PackingState, piece: int, spot: Spot) -> IllegalMove:
    """Return the refusal of a way out; it tells of each open side, and tries the first."""
    colour = packing.pieces[piece].colour
    others = state.replace_place(piece, None)
    hits = [_first_hit(packing, others, spot.mask, side) for side in packing.exits]
    words = [
        f"towards {side} {', '.join(_owners(packing, others, hit))} is in the way at "
        f"{_cells(list_cells(packing.size, hit))}"
        for side, (_, hit) in zip(packing.exits, hits, strict=True)
    ]
    side, (travel, hit) = packing.exits[0], hits[0]
    distance = _distance(packing, _bounds(packing, spot), side)
    return IllegalMove(
        Reason.BLOCKED,
        f"{colour} has no straight way out: {'; '.join(words)}; nothing moved",
        culprits=_owners(packing, others, hit),
        travel=travel,
        attempt=(Sweep(frozenset([colour]), side, distance),),
    )


def _first_hit(
    packing: Packing, others: PackingState, mask: int, side: Direction
) -> tuple[int, int]:
    """Units that some cells can go towards a side, and the bits that end it; 0 if none do."""
    travel, moving = 0, step(packing.size, mask, side)
    while moving and not moving & others.filled:
        travel, moving = travel + 1, step(packing.size, moving, side)
    return travel, moving & others.filled


def _owners(packing: Packing, state: PackingState, bits: int) -> tuple[Colour, ...]:
    """Return the colours of the pieces to which some cells belong."""
    return tuple(
        piece.colour
        for piece, place in zip(packing.pieces, state.places, strict=True)
        if place is not None and place.mask & bits
    )


def _cells(cells: Sequence[Cell]) -> str:
    return " ".join(f"({x},{y},{z})" for x, y, z in cells)

"""Effect of actions: exact, in whole cells."""

from collections.abc import Iterable

from pysim.families.nets.actions import Crease, Fold, TurnNet, Unfold
from pysim.families.nets.joints import (
    FLAT,
    MOUNTAIN,
    VALLEY,
    find_hinge_turn,
    find_obstacles,
    list_hanging,
)
from pysim.families.nets.lifting import lift
from pysim.families.nets.puzzle import NetPuzzle
from pysim.families.nets.state import NetsState, NetState, compute_world_poses, find_origin
from pysim.geometry import add, make_quarter_turn
from pysim.motion import Motion
from pysim.motion import Turn as Turning
from pysim.puzzle import IllegalMove, InvalidAction, Reason, Transition
from pysim.scene import Colour

__all__ = ["BENDS", "apply_fold", "apply_turn", "apply_unfold", "make_hinge_turn"]

BENDS = {Crease.MOUNTAIN: MOUNTAIN, Crease.VALLEY: VALLEY}


def apply_fold(puzzle: NetPuzzle, state: NetsState, action: Fold) -> Transition[NetsState]:
    """See :class:`~pysim.families.nets.actions.Fold`."""
    number, plate = _flap(puzzle, action.face)
    if state.nets[number].bends[plate] != FLAT:
        raise IllegalMove(
            Reason.NO_EFFECT, f"the hinge of {action.face} is folded already: unfold it first"
        )
    return _bent(puzzle, state, number, plate, BENDS[action.way])


def apply_unfold(puzzle: NetPuzzle, state: NetsState, action: Unfold) -> Transition[NetsState]:
    """See :class:`~pysim.families.nets.actions.Unfold`."""
    number, plate = _flap(puzzle, action.face)
    if state.nets[number].bends[plate] == FLAT:
        raise IllegalMove(Reason.NO_EFFECT, f"the hinge of {action.face} is flat already")
    return _bent(puzzle, state, number, plate, FLAT)


def apply_turn(puzzle: NetPuzzle, state: NetsState, action: TurnNet) -> Transition[NetsState]:
    """See :class:`~pysim.families.nets.actions.TurnNet`."""
    number, _ = _place(puzzle, action.face)
    net = state.nets[number]
    rotation = make_quarter_turn(action.axis, action.quarters).compose(net.rotation)
    after = NetState(net.bends, rotation)
    centre = find_origin(puzzle, number, net)
    whole = range(len(net.bends))
    motion = Turning(_names(puzzle, number, whole), action.axis, centre, action.quarters)
    motions = _lifted(puzzle, state, number, whole, motion, after)
    return Transition(state.replace_net(number, after), motions, None)


def _place(puzzle: NetPuzzle, face: Colour) -> tuple[int, int]:
    """Return the numbers of a face's net and of the face in it.

    Raises:
        InvalidAction: there is none of that name.
    """
    found = puzzle.places.get(face)
    if found is None:
        message = f"there is no face {face}; there are {', '.join(puzzle.colours)}"
        raise InvalidAction(Reason.UNKNOWN_COLOUR, message, culprits=(face,))
    return found


def _flap(puzzle: NetPuzzle, face: Colour) -> tuple[int, int]:
    """As :func:`_place`, of a face that hangs on a hinge."""
    number, plate = _place(puzzle, face)
    if plate == 0:
        raise IllegalMove(
            Reason.NO_EFFECT, f"the net is held by {face}: fold the faces that hang on it"
        )
    return number, plate


def _bent(
    puzzle: NetPuzzle, state: NetsState, number: int, plate: int, bend: int
) -> Transition[NetsState]:
    """Return a hinge bent otherwise, by a quarter turn."""
    net, tree = state.nets[number], puzzle.nets[number].tree
    by = bend - net.bends[plate]
    bends = (*net.bends[:plate], bend, *net.bends[plate + 1 :])
    motions = _folding(puzzle, state, number, plate, NetState(bends, net.rotation))
    if hit := find_obstacles(tree, net.bends, plate, by):
        plates = puzzle.nets[number].plates
        culprits = tuple(plates[k].name for k in hit)
        message = f"{', '.join(culprits)} would be in the way of {plates[plate].name}"
        raise IllegalMove(Reason.BLOCKED, message, culprits=culprits, travel=0, attempt=motions)
    after = NetState(bends, net.rotation)
    return Transition(state.replace_net(number, after), motions, None)


def _folding(
    puzzle: NetPuzzle, state: NetsState, number: int, plate: int, after: NetState
) -> tuple[Motion, ...]:
    """Return the motions of a flap about its hinge."""
    by = after.bends[plate] - state.nets[number].bends[plate]
    turn = make_hinge_turn(puzzle, state, number, plate, by)
    moving = list_hanging(puzzle.nets[number].tree, plate)
    return _lifted(puzzle, state, number, moving, turn, after)


def make_hinge_turn(
    puzzle: NetPuzzle, state: NetsState, number: int, plate: int, by: int
) -> Turning:
    """Return the turn of a flap about its hinge, where the net lies now.

    Args:
        by: 1 for a quarter turn in the sense of a mountain fold, -1 for one back.
    """
    net = puzzle.nets[number]
    hinge = net.tree[plate]
    parent = compute_world_poses(puzzle, state, number)[hinge.parent]
    axis, sense = find_hinge_turn(parent, hinge)
    centre = add(parent.offset, parent.rotation.apply(hinge.place))
    bodies = _names(puzzle, number, list_hanging(net.tree, plate))
    return Turning(bodies, axis, centre, (by * sense) % 4, hinged=True)


def _lifted(
    puzzle: NetPuzzle,
    state: NetsState,
    number: int,
    moving: Iterable[int],
    turn: Turning,
    after: NetState,
) -> tuple[Motion, ...]:
    """A turn of some faces of a net, which is lifted off the table as far as it has to be."""
    places = compute_world_poses(puzzle, state, number)
    now, then = (find_origin(puzzle, number, net)[2] for net in (state.nets[number], after))
    whole = _names(puzzle, number, range(len(places)))
    return tuple(lift(turn, whole, (places[k] for k in moving), now - then))


def _names(puzzle: NetPuzzle, number: int, plates: Iterable[int]) -> frozenset[str]:
    return frozenset(puzzle.nets[number].plates[k].name for k in plates)

"""What actions do: exact, in whole cells."""

from pysim.families.nets.actions import Crease, Fold, TurnNet, Unfold
from pysim.families.nets.joints import (
    FLAT,
    MOUNTAIN,
    VALLEY,
    hanging,
    hinge_turn,
    in_the_way,
)
from pysim.families.nets.puzzle import NetPuzzle
from pysim.families.nets.state import NetsState, NetState, origin_of, world_poses
from pysim.geometry import add, quarter_turn
from pysim.motion import Turn as Turning
from pysim.puzzle import IllegalMove, InvalidAction, Reason, Transition
from pysim.scene import Colour

__all__ = ["apply_fold", "apply_turn", "apply_unfold"]

_BENDS = {Crease.MOUNTAIN: MOUNTAIN, Crease.VALLEY: VALLEY}


def apply_fold(puzzle: NetPuzzle, state: NetsState, action: Fold) -> Transition[NetsState]:
    """See :class:`~pysim.families.nets.actions.Fold`."""
    number, plate = _flap(puzzle, action.face)
    if state.nets[number].bends[plate] != FLAT:
        raise IllegalMove(
            Reason.NO_EFFECT, f"the hinge of {action.face} is folded already: unfold it first"
        )
    return _bent(puzzle, state, number, plate, _BENDS[action.way])


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
    rotation = quarter_turn(action.axis, action.quarters).after(net.rotation)
    bodies = frozenset(plate.name for plate in puzzle.nets[number].plates)
    motion = Turning(bodies, action.axis, origin_of(puzzle, number), action.quarters)
    return Transition(state.with_net(number, NetState(net.bends, rotation)), (motion,), None)


def _place(puzzle: NetPuzzle, face: Colour) -> tuple[int, int]:
    """The numbers of a face's net and of the face in it.

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
    """A hinge bent otherwise, by a quarter turn."""
    net, tree = state.nets[number], puzzle.nets[number].tree
    by = bend - net.bends[plate]
    motion = _motion(puzzle, state, number, plate, by)
    if hit := in_the_way(tree, net.bends, plate, by):
        plates = puzzle.nets[number].plates
        culprits = tuple(plates[k].name for k in hit)
        message = f"{', '.join(culprits)} would be in the way of {plates[plate].name}"
        raise IllegalMove(Reason.BLOCKED, message, culprits=culprits, travel=0, attempt=(motion,))
    bends = (*net.bends[:plate], bend, *net.bends[plate + 1 :])
    return Transition(state.with_net(number, NetState(bends, net.rotation)), (motion,), None)


def _motion(puzzle: NetPuzzle, state: NetsState, number: int, plate: int, by: int) -> Turning:
    """How a flap goes about its hinge."""
    net = puzzle.nets[number]
    hinge = net.tree[plate]
    parent = world_poses(puzzle, state, number)[hinge.parent]
    axis, sense = hinge_turn(parent, hinge)
    centre = add(parent.offset, parent.rotation.apply(hinge.place))
    bodies = frozenset(net.plates[k].name for k in hanging(net.tree, plate))
    return Turning(bodies, axis, centre, (by * sense) % 4, hinged=True)

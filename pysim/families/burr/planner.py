"""Shortest plans for locks.

The search (see :mod:`pysim.families.burr.solver.shortest`) knows nothing of the room in which the
pieces are held. Its moves become slides of one side or of the other, whichever stays inside.
"""

from collections.abc import Sequence
from itertools import pairwise, product

from pysim.families.burr.actions import Bring, Slide
from pysim.families.burr.lock import Goal, Lock
from pysim.families.burr.moves import apply_slide
from pysim.families.burr.solver.shortest import find_lower_bound, find_shortest
from pysim.families.burr.solver.solutions import Aim, Limits, SlideStep
from pysim.families.burr.state import Held, LockState, Loose
from pysim.field_types import OUT, Distance, Steps
from pysim.geometry import Cell, Direction
from pysim.puzzle import Action, IllegalMove, Plan, Proof

__all__ = ["Limits", "plan_lock"]

DEFAULT_LIMITS = Limits()
_AIMS = {Goal.DISASSEMBLE: Aim.APART, Goal.KEY: Aim.ONE, Goal.ASSEMBLE: Aim.ONE_BY_ONE}


def plan_lock(lock: Lock, limits: Limits = DEFAULT_LIMITS) -> Plan | None:
    """The shortest plan for the lock's goal that was found, with its proof; None if none was.

    ``assemble`` plans take the pieces in one by one: they are the reverse of the shortest way to
    take the lock apart piece by piece, with one more step for the first piece. What they are held
    against is :func:`~pysim.families.burr.solver.find_shortest.find_lower_bound`.
    """
    cells = [piece.home.place(piece.shape).cells for piece in lock.pieces]
    found = find_shortest(cells, _AIMS[lock.goal], lock.may_stay, limits)
    if found.steps is None:
        return None
    assembled = LockState(tuple(Held(0, p.home) for p in lock.pieces))
    realised = _realise(lock, assembled, found.steps)
    if realised is None:
        return None
    actions, states = realised
    if lock.goal is not Goal.ASSEMBLE:
        return _plan(actions, found.lower_bound)
    together = _reversed(lock, actions, states)
    return _plan(together, find_lower_bound(cells, len(together), limits))


def _plan(actions: Sequence[Action], lower_bound: int) -> Plan:
    proof = Proof.OPTIMAL if lower_bound == len(actions) else Proof.UPPER_BOUND
    return Plan(tuple(actions), proof, lower_bound)


def _realise(
    lock: Lock, state: LockState, steps: Sequence[SlideStep]
) -> tuple[list[Slide], list[LockState]] | None:
    """Return the moves as slides from ``state``, and the states on the way, the first included.

    None if the room is too small for one of them.
    """
    actions: list[Slide] = []
    states = [state]
    for step in steps:
        for slide in _slides(lock, step):
            try:
                states.append(apply_slide(lock, states[-1], slide).state)
            except IllegalMove:
                continue
            actions.append(slide)
            break
        else:
            return None
    return actions, states


def _slides(lock: Lock, step: SlideStep) -> list[Slide]:
    """Return the slides that do what a move does, better ones first: ``out``, and fewer pieces.

    ``out`` leads all the way past the rest, which can be in the way where pieces are separated
    after fewer units already, because nothing reached into anything before.
    """
    rest = frozenset(step.group) - step.moving
    sides: list[tuple[frozenset[int], Direction]] = [
        (step.moving, step.direction),
        (rest, step.direction.opposite),
    ]
    units: Distance = Steps(step.units)
    distances = (OUT, units) if step.separates else (units,)
    sides.sort(key=lambda side: len(side[0]))
    return [
        Slide(tuple(lock.pieces[i].colour for i in sorted(moving)), direction, distance)
        for distance, (moving, direction) in product(distances, sides)
    ]


def _reversed(lock: Lock, actions: list[Slide], states: list[LockState]) -> list[Action]:
    """Actions that undo a way of taking the lock apart piece by piece, last one first."""
    undone: list[Action] = []
    for (before, after), action in reversed(list(zip(pairwise(states), actions, strict=True))):
        back = action.direction.opposite
        freed = [
            i
            for i, place in enumerate(after.places)
            if isinstance(place, Loose) and isinstance(before.places[i], Held)
        ]
        moving = {lock.index[c] for c in action.pieces}
        # The piece that stood still comes in first: it is what the other one moves into.
        for i in sorted(freed, key=lambda i: i in moving):
            place = before.places[i]
            assert isinstance(place, Held)
            corner: Cell = place.pose.find_corner(lock.pieces[i].shape)
            undone.append(Bring(lock.pieces[i].colour, place.pose.rotation, corner, back))
        if not freed:
            undone.append(Slide(action.pieces, back, action.distance))
    return undone

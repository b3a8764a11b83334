"""Plans: which pieces come off, and where each goes."""

from collections.abc import Iterator

from pysim.families.jigsaw.actions import Attach, Detach
from pysim.families.jigsaw.faces import Seat, list_seats
from pysim.families.jigsaw.puzzle import Jigsaw
from pysim.families.jigsaw.shell import mask_of, normalize_seat
from pysim.families.jigsaw.solving import Placing, solve
from pysim.puzzle import Action, Plan, Proof

__all__ = ["plan_for", "plan_jigsaw"]

_Places = tuple[Seat, ...]


def plan_jigsaw(jigsaw: Jigsaw) -> Plan | None:
    """Return a shortest plan; None if the pieces make no cube.

    An action puts at most one piece onto the cube, so that no plan is shorter than the number of
    loose pieces. Where the given pieces fit no solution, some have to come off first: each costs
    two actions, and all solutions are compared, however the cube is turned or mirrored.
    """
    given = {i: place for i, place in enumerate(jigsaw.start) if place is not None}
    if given:
        kept = solve(Placing(jigsaw.rows, given), most=1).found
        if kept:
            return plan_for(jigsaw, kept[0])
    search = solve(Placing(jigsaw.rows, {}))
    if not given and search.found:
        return plan_for(jigsaw, search.found[0])
    plans = (plan_for(jigsaw, places) for places in _turned(jigsaw, search.found))
    best = min(plans, key=len, default=None)
    if best is None or search.complete:
        return best
    return Plan(best.actions, Proof.UPPER_BOUND, len(jigsaw.pieces) - len(given))


def plan_for(jigsaw: Jigsaw, places: _Places) -> Plan:
    """Return the plan that brings every piece to a place: first off, then on."""
    masks = [mask_of(rows, place) for rows, place in zip(jigsaw.rows, places, strict=True)]
    begun = [
        0 if start is None else mask_of(rows, start)
        for rows, start in zip(jigsaw.rows, jigsaw.start, strict=True)
    ]
    off: list[Action] = [
        Detach(piece.colour)
        for piece, mask, start in zip(jigsaw.pieces, masks, begun, strict=True)
        if start not in (0, mask)
    ]
    on: list[Action] = []
    for piece, place, mask, start in zip(jigsaw.pieces, places, masks, begun, strict=True):
        if start != mask:
            there = normalize_seat(piece.rows, place)
            on.append(Attach(piece.colour, there.face, there.left, there.top))
    return Plan((*off, *on), Proof.OPTIMAL, len(off) + len(on))


def _turned(jigsaw: Jigsaw, found: tuple[_Places, ...]) -> Iterator[_Places]:
    """Yield each solution with the whole cube in each of its 48 positions."""
    for places in found:
        for whole in list_seats():
            yield tuple(place.move(whole) for place in places)

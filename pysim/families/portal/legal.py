"""The actions that are listed: all but walks to cells of no interest, and some places for boxes.

Listed are all actions that :func:`~pysim.families.portal.moves.apply_action` accepts, except that
waiting is listed only for one tick and until all buttons stop.
"""

from collections.abc import Iterator, Sequence

from pysim.families.portal.actions import (
    Drop,
    Enter,
    FloorWay,
    Gate,
    Jump,
    PickUpBox,
    PlaceGate,
    Press,
    Wait,
    WalkTo,
)
from pysim.families.portal.chamber import Chamber, Surface
from pysim.families.portal.moves import Course, apply_action
from pysim.families.portal.state import ChamberState
from pysim.families.portal.walking import SIDES, find_reach
from pysim.field_types import Steps
from pysim.geometry import Cell, add
from pysim.puzzle import Action, IllegalMove, Scope

__all__ = ["list_actions", "list_object_actions", "list_walks", "make_scope", "try_action"]


def make_scope(chamber: Chamber) -> Scope:
    """Return the limits of a chamber: its boxes, cells and timers, and no action without an object.

    The agent is a body with a colour, but no action can name it.
    """
    ticks = max((button.ticks for button in chamber.buttons), default=0)
    withheld: list[type[Action]] = []
    withheld += [PickUpBox, Drop] * (not chamber.boxes)
    withheld += [Press, Wait] * (not ticks)
    withheld += [PlaceGate] * (not chamber.surfaces) + [Enter] * (len(chamber.surfaces) < 2)
    boxes = tuple(box.name for box in chamber.boxes)
    return Scope(frozenset(withheld), boxes, chamber.bounds, ticks or None)


def list_actions(chamber: Chamber, state: ChamberState) -> Iterator[Action]:
    """Yield all that are listed, in a fixed order."""
    for action in (*list_object_actions(chamber, state), *list_walks(chamber, state)):
        if try_action(chamber, state, action) is not None:
            yield action


def try_action(chamber: Chamber, state: ChamberState, action: Action) -> Course | None:
    """Try an action; None if it is refused."""
    try:
        return apply_action(chamber, state, action)
    except IllegalMove:
        return None


def list_object_actions(
    chamber: Chamber, state: ChamberState, surfaces: Sequence[Surface] | None = None
) -> Iterator[Action]:
    """Yield everything but walks, allowed or not.

    Args:
        surfaces: where gates are placed; None for all that take some.
    """
    if state.pair is not None:
        yield from map(Enter, Gate)
    yield from map(Jump, FloorWay)
    if state.held is not None:
        for up in (0, 1):
            yield from (Drop(add(state.agent, (x, y, up))) for x, y, _ in SIDES)
    else:
        yield from (PickUpBox(box.name) for box in chamber.boxes)
    yield from (Press(button.cell) for button in chamber.buttons if button.ticks)
    if any(state.timers):
        longest = max(state.timers)
        yield from (Wait(Steps(ticks)) for ticks in sorted({1, longest}))
    for gate in Gate:
        for surface in chamber.surfaces if surfaces is None else surfaces:
            yield PlaceGate(gate, surface.cell, surface.side)


def list_walks(chamber: Chamber, state: ChamberState) -> Iterator[WalkTo]:
    """Walks to every cell, allowed or not; the nearer ones first."""
    reach = find_reach(chamber, state)
    cells: list[Cell] = [*reach.ground, *sorted(reach.brinks)]
    yield from (WalkTo(cell) for cell in dict.fromkeys(cells) if cell != state.agent)

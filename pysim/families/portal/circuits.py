"""Devices that work in a state: buttons, lasers, receivers, doors, bridges and beams."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from pysim.families.portal.chamber import Chamber, Emitter
from pysim.families.portal.gates import GatePair, find_other_gate, rotate_through
from pysim.families.portal.state import ChamberState
from pysim.geometry import Cell, Direction, add

__all__ = ["Situation", "compute_situation"]


@dataclass(frozen=True)
class Situation:
    """Devices and light at a moment.

    Attributes:
        working: the names of the buttons and receivers that work.
        closed: the cells of closed doors.
        bridge: the cells that bridges fill.
        beam: cell -> where a beam carries who is in it.
        lit: the free cells that lasers go through.
    """

    working: frozenset[str]
    closed: frozenset[Cell]
    bridge: frozenset[Cell]
    beam: Mapping[Cell, Direction]
    lit: frozenset[Cell]


@lru_cache(maxsize=20_000)
def compute_situation(chamber: Chamber, state: ChamberState, *, alone: bool = False) -> Situation:
    """Compute the devices that work in a state.

    Args:
        alone: whether bridges go on as if the agent were not there.
    """
    bodies = {state.agent, *state.boxes}
    on = frozenset(
        button.name
        for button, left in zip(chamber.buttons, state.timers, strict=True)
        if left or (not button.ticks and button.cell in bodies)
    )
    stuck = frozenset(cell for cell in chamber.door_at if cell in bodies)
    boxes = state.boxes if chamber.lasers or chamber.bridges else ()
    agent = state.agent if chamber.bridges and not alone else None
    return _situation(chamber, on, stuck, boxes, state.pair, agent)


@lru_cache(maxsize=50_000)
def _situation(
    chamber: Chamber,
    pressed: frozenset[str],
    stuck: frozenset[Cell],
    boxes: tuple[Cell | None, ...],
    pair: GatePair | None,
    agent: Cell | None,
) -> Situation:
    """Doors open one after another until nothing changes: an open door lets lasers through."""
    working, lit = pressed, frozenset[Cell]()
    while True:
        closed = _closed(chamber, working, stuck)
        more, lit = _lasers(chamber, working, closed, boxes, pair)
        if working | more == working:
            break
        working |= more
    bodies = {agent, *boxes}
    beams = (one for one in chamber.beams if working.issuperset(one.needs))
    bridges = (one for one in chamber.bridges if working.issuperset(one.needs))
    return Situation(
        working,
        closed,
        frozenset(c for one in bridges for c, _ in _ray(chamber, one, closed, bodies, pair)),
        {c: way for one in beams for c, way in _ray(chamber, one, closed, (), pair)},
        lit,
    )


def _closed(chamber: Chamber, working: frozenset[str], stuck: frozenset[Cell]) -> frozenset[Cell]:
    """A door stays open while something is in it."""
    shut = (door.cell for door in chamber.doors if not working.issuperset(door.needs))
    return frozenset(cell for cell in shut if cell not in stuck)


def _lasers(
    chamber: Chamber,
    working: frozenset[str],
    closed: frozenset[Cell],
    boxes: tuple[Cell | None, ...],
    pair: GatePair | None,
) -> tuple[frozenset[str], frozenset[Cell]]:
    """Return the receivers that are hit, and the free cells on the way."""
    receivers = {one.cell: one.name for one in chamber.receivers}
    turns = dict(zip(boxes, (box.turns for box in chamber.boxes[: len(boxes)]), strict=True))
    hit, lit = set[str](), set[Cell]()
    for laser in chamber.lasers:
        if working.issuperset(laser.needs):
            for cell, way in _ray(chamber, laser, closed, (), pair, turns):
                lit.add(cell)
                ahead = add(cell, way.vector)
                if ahead in receivers and find_other_gate(pair, cell, way) is None:
                    hit.add(receivers[ahead])
    return frozenset(hit), frozenset(lit)


def _ray(
    chamber: Chamber,
    emitter: Emitter,
    closed: frozenset[Cell],
    stops: Collection[Cell | None],
    pair: GatePair | None,
    turns: Mapping[Cell | None, Direction | None] | None = None,
) -> Iterator[tuple[Cell, Direction]]:
    """Yield the free cells of a straight way, with where it leaves them; through gates it goes on.

    Args:
        stops: cells before which it ends.
        turns: boxes on its way, and where they send it; None if they end it.
    """
    cell, way, seen = emitter.cell, emitter.way, set[tuple[Cell, Direction]]()
    first = True
    while True:
        through = None if first else find_other_gate(pair, cell, way)
        if through is not None:
            cell, way = through[1].front, _direction(rotate_through(*through, way.vector))
        else:
            cell = add(cell, way.vector)
        first = False
        if chamber.is_wall(cell) or cell in closed or cell in stops or (cell, way) in seen:
            return
        seen.add((cell, way))
        if turns is not None and cell in turns:
            there = turns[cell]
            if there is None:
                return
            way = there
        yield cell, way


def _direction(vector: Cell) -> Direction:
    return next(way for way in Direction if way.vector == vector)

"""Chambers in words: the task, the state, and all of a room for those who see no pictures."""

from collections.abc import Iterable, Iterator
from itertools import groupby

from pysim.families.portal.chamber import PANEL, Chamber, Emitter, Surface
from pysim.families.portal.circuits import compute_situation
from pysim.families.portal.gates import find_sight_doors
from pysim.families.portal.state import ChamberState, format_cell
from pysim.geometry import Cell, Direction

__all__ = [
    "RULES",
    "describe_all",
    "describe_room",
    "describe_state",
    "write_instruction",
    "write_legend",
    "write_text_instruction",
]

RULES = (
    "The room is made of cells; x points right, y to the back, z up. You fill one cell, and so "
    "does a box. Gates open only on white panels, the orange and the blue one; when there are "
    "both, what goes into one comes out of the other with the same speed, turned as the gates "
    "are: a fall into a floor becomes a flight out of a wall. You walk on level ground and one "
    "cell down, and jump one cell up or over a gap of two. Whoever has nothing underfoot falls, "
    "faster by one cell per tick each tick (at most 8), and keeps its sideways speed until it "
    "touches the ground, where it stops; falls are harmless. Green liquid (lime) is deadly, for "
    "boxes, too. Doors (copper) are open while all that they need works: buttons O while "
    "somebody or a box is on them, buttons T for some ticks after they were pressed, receivers R "
    "while a laser from L hits them. A box stops lasers, or sends them the way of the arrow on "
    "it; you do neither. Bridges of light from B and carrying beams from C go straight on until "
    "something solid, through gates, too; bridges are firm ground, beams carry whatever is in "
    "them to their end. Fields F erase both gates when you walk through, no gate can be shot "
    "through them, and no box passes. Pads with an arrow throw whoever comes to rest on them."
)
"""What is true of all chambers."""


def write_instruction(chamber: Chamber) -> str:
    """Return the task in words; where things are is to be seen."""
    return (
        f"You are {chamber.agent}, in a closed room. Get to the exit, the cell over the green E.\n"
        f"{RULES}{_boxes(chamber)}\n{_extent(chamber)}\n{write_legend(chamber)}\n{_AIMING}"
    )


def write_text_instruction(chamber: Chamber) -> str:
    """Return the task with the whole room, for agents that are sent no pictures."""
    return (
        f"You are {chamber.agent}, in a closed room. "
        f"Get to the exit, {format_cell(chamber.exit)}.\n"
        f"{RULES}{_boxes(chamber)}\n{_extent(chamber)}\n{_AIMING}\n"
        f"{describe_room(chamber, merged=True)}"
    )


_AIMING = (
    "place_gate needs a free line to the middle of the panel's face, from your cell or from a free "
    "one beside it, into which you lean."
)


def _boxes(chamber: Chamber) -> str:
    boxes = ", ".join(box.name for box in chamber.boxes)
    return f" The boxes are {boxes}; you carry one at a time." if boxes else ""


def _extent(chamber: Chamber) -> str:
    """Return the size of the room and the meaning of coordinates."""
    x, y, z = chamber.size
    return (
        f"The room has {x} x {y} x {z} cells, named [x, y, z], from [0, 0, 0], the lowest one at "
        f"the front left, to [{x - 1}, {y - 1}, {z - 1}], the highest one at the back right; its "
        "walls, floor and ceiling are among them."
    )


def write_legend(chamber: Chamber) -> str:
    """Write the legend of the pictures, for the things that this chamber has."""
    boxes = ", ".join(box.name for box in chamber.boxes)
    mirrors = ", ".join(box.name for box in chamber.boxes if box.turns is not None)
    shown = {
        f"{chamber.agent}: you": True,
        f"{boxes}: boxes": boxes,
        f"an arrow on top of {mirrors}: sends lasers that way": mirrors,
        "white: takes gates": chamber.surfaces,
        "orange and blue patches: the gates": chamber.surfaces,
        "lime: deadly liquid": chamber.liquid,
        "copper: a door": chamber.doors,
        "green E: the exit": True,
        "O: a button to be weighed down, gold when it works": any(
            not button.ticks for button in chamber.buttons
        ),
        "T: a timed button": any(button.ticks for button in chamber.buttons),
        "L: a laser's emitter, red haze: its light": chamber.lasers,
        "R: a receiver, gold when it works": chamber.receivers,
        "B: a bridge's emitter, azure haze: the bridge": chamber.bridges,
        "C: a carrying beam's emitter, violet haze: the beam": chamber.beams,
        "cyan F: a field that erases gates": chamber.fields,
        "magenta arrow: a launch pad": chamber.pads,
    }
    return "In pictures: " + "; ".join(words for words, there in shown.items() if there) + "."


def describe_state(chamber: Chamber, state: ChamberState) -> str:
    """Return a line for each body, then gates and what works; what is out of sight is not told."""
    lines = [f"{chamber.agent}: at {format_cell(state.agent)}"]
    for box, cell in zip(chamber.boxes, state.boxes, strict=True):
        if cell is None:
            where = "carried"
        else:
            where = f"at {format_cell(cell)}" if _sees(chamber, state, cell) else "out of sight"
        lines.append(f"{box.name}: {where}")
    for name, gate in (("orange gate", state.orange), ("blue gate", state.blue)):
        lines.append(f"{name}: {'none' if gate is None else describe_surface(gate)}")
    now = compute_situation(chamber, state)
    for door in chamber.doors:
        if _sees(chamber, state, door.cell):
            shut = "closed" if door.cell in now.closed else "open"
            lines.append(f"{door.name}: {shut}, at {format_cell(door.cell)}")
    for button, left in zip(chamber.buttons, state.timers, strict=True):
        if left:
            lines.append(f"{button.name}: works for {left} more ticks")
    return "\n".join(lines)


def describe_all(chamber: Chamber, state: ChamberState) -> str:
    """Return where everything is and what works, for agents that are sent no pictures."""
    now = compute_situation(chamber, state)
    lines = [f"{chamber.agent}: at {format_cell(state.agent)}"]
    for box, cell in zip(chamber.boxes, state.boxes, strict=True):
        lines.append(f"{box.name}: {'carried' if cell is None else f'at {format_cell(cell)}'}")
    for name, gate in (("orange gate", state.orange), ("blue gate", state.blue)):
        lines.append(f"{name}: {'none' if gate is None else describe_surface(gate)}")
    for door in chamber.doors:
        lines.append(f"{door.name}: {'closed' if door.cell in now.closed else 'open'}")
    for button, left in zip(chamber.buttons, state.timers, strict=True):
        works = "works" if button.name in now.working else "does not work"
        lines.append(f"{button.name}: {works}" + f" for {left} more ticks" * bool(left))
    for one in chamber.receivers:
        works = "works" if one.name in now.working else "does not work"
        lines.append(f"{one.name}: {works}")
    for name, cells in (("laser", now.lit), ("bridge", now.bridge), ("beam", now.beam)):
        if cells:
            lines.append(f"{name} in {' '.join(map(format_cell, sorted(cells)))}")
    return "\n".join(lines)


def _sees(chamber: Chamber, state: ChamberState, cell: Cell) -> bool:
    """Return whether a free line leads from the agent to some face of a cell, doors being open."""
    return (
        any(
            find_sight_doors(chamber, state.agent, Surface(cell, side)) is not None
            for side in Direction
        )
        or max(abs(cell[i] - state.agent[i]) for i in range(3)) <= 1
    )


def describe_surface(surface: Surface) -> str:
    """Return a surface in words: ``side +z of (3,4,0)``."""
    return f"side {surface.side} of {format_cell(surface.cell)}"


def describe_room(chamber: Chamber, *, merged: bool = False) -> str:
    """Return all of a room in text, for those without pictures: layers, then what stands there.

    Args:
        merged: whether equal layers on top of each other are written once.
    """
    x, y, z = chamber.size
    lines = [
        f"The room has {x} x {y} x {z} cells. Layers from the lowest (z = 0), rows from the back "
        f"(y = {y - 1}) to the front (y = 0), x from 0 on: # is solid, {PANEL} solid with white "
        "panels, . free, ~ liquid."
    ]
    for low, high, layer in _layers(chamber, merged=merged):
        lines += [f"z = {low}" if low == high else f"z = {low} to {high}", *reversed(layer)]
    return "\n".join([*lines, *_things(chamber)])


def _layers(chamber: Chamber, *, merged: bool) -> Iterator[tuple[int, int, tuple[str, ...]]]:
    """Yield the lowest and the highest z of each layer, or of each run of equal ones, and it."""
    low = 0
    for layer, run in groupby(chamber.layers):
        count = len(list(run))
        if merged:
            yield low, low + count - 1, layer
        else:
            yield from ((z, z, layer) for z in range(low, low + count))
        low += count


def _things(chamber: Chamber) -> Iterator[str]:
    yield f"You start at {format_cell(chamber.start)}; the exit is {format_cell(chamber.exit)}."
    for box in chamber.boxes:
        sends = "" if box.turns is None else f", sends lasers towards {box.turns}"
        yield f"Box {box.name} at {format_cell(box.cell)}{sends}."
    for button in chamber.buttons:
        kind = f"timed, {button.ticks} ticks" if button.ticks else "works while weighed down"
        yield f"Button {button.name} on the floor of {format_cell(button.cell)}, {kind}."
    for receiver in chamber.receivers:
        yield f"Receiver {receiver.name} in {format_cell(receiver.cell)}."
    for door in chamber.doors:
        yield f"Door {door.name} at {format_cell(door.cell)} needs {', '.join(door.needs)}."
    yield from _told("Laser", chamber.lasers)
    yield from _told("Bridge", chamber.bridges)
    yield from _told("Beam", chamber.beams)
    if chamber.fields:
        yield f"Fields at {', '.join(map(format_cell, chamber.fields))}."
    for pad in chamber.pads:
        yield f"Launch pad on the floor of {format_cell(pad.cell)}, speed {format_cell(pad.speed)}."


def _told(what: str, emitters: Iterable[Emitter]) -> Iterator[str]:
    for one in emitters:
        needs = f", needs {', '.join(one.needs)}" if one.needs else ""
        yield f"{what} from {format_cell(one.cell)} towards {one.way}{needs}."

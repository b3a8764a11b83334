"""Equality of chambers up to symmetry."""

from collections.abc import Callable
from itertools import product
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from pysim.families.portal.chamber import Chamber, Emitter
from pysim.geometry import Cell

__all__ = ["compute_canonical_form"]

Number = TypeVar("Number", int, NDArray[np.int64])
Move = Callable[[Cell], Cell]


def compute_canonical_form(chamber: Chamber) -> str:
    """Return equal texts for chambers that are turned about the vertical axis, or mirrored.

    Names and colours are left out: a thing that needs another one needs its place.
    """
    return min(_format_image(chamber, *image) for image in product(range(4), (False, True)))


def _format_image(chamber: Chamber, quarters: int, mirrored: bool) -> str:
    width, depth, _ = chamber.size
    ends = [_turn(x, y, quarters, mirrored) for x in (0, width - 1) for y in (0, depth - 1)]
    left, front = min(x for x, _ in ends), min(y for _, y in ends)

    def turn(vector: Cell) -> Cell:
        x, y = _turn(vector[0], vector[1], quarters, mirrored)
        return (x, y, vector[2])

    def move(cell: Cell) -> Cell:
        x, y, z = turn(cell)
        return (x - left, y - front, z)

    signs = np.array([[list(row) for row in layer] for layer in chamber.layers])
    y, x = np.meshgrid(np.arange(depth), np.arange(width), indexing="ij")
    xs, ys = _turn(x, y, quarters, mirrored)
    image = np.empty((len(signs), np.ptp(ys) + 1, np.ptp(xs) + 1), dtype=signs.dtype)
    image[:, ys - front, xs - left] = signs
    rows = "".join(image.ravel().tolist())
    return f"{image.shape} {rows} {_list_things(chamber, turn, move)}"


def _turn(x: Number, y: Number, quarters: int, mirrored: bool) -> tuple[Number, Number]:
    x = -x if mirrored else x
    for _ in range(quarters):
        x, y = -y, x
    return x, y


def _list_things(chamber: Chamber, turn: Move, move: Move) -> list[tuple[object, ...]]:
    """Return all that stands in a chamber, in an order that depends on the places alone.

    Args:
        turn: the image of a direction or a speed.
        move: the image of a cell.
    """
    sources = {button.name: button.cell for button in chamber.buttons}
    sources |= {receiver.name: receiver.cell for receiver in chamber.receivers}

    def find_needed(names: tuple[str, ...]) -> list[Cell]:
        return sorted(move(sources[name]) for name in names)

    def describe(kind: str, emitter: Emitter) -> tuple[object, ...]:
        needed = find_needed(emitter.needs)
        return kind, move(emitter.cell), turn(emitter.way.vector), needed

    things: list[tuple[object, ...]] = [
        ("start", move(chamber.start)),
        ("exit", move(chamber.exit)),
    ]
    things += [
        ("box", move(box.cell), () if box.turns is None else turn(box.turns.vector))
        for box in chamber.boxes
    ]
    things += [("button", move(one.cell), one.ticks) for one in chamber.buttons]
    things += [("receiver", move(one.cell)) for one in chamber.receivers]
    things += [("door", move(one.cell), find_needed(one.needs)) for one in chamber.doors]
    things += [describe("laser", one) for one in chamber.lasers]
    things += [describe("bridge", one) for one in chamber.bridges]
    things += [describe("beam", one) for one in chamber.beams]
    things += [("field", move(cell)) for cell in chamber.fields]
    things += [("pad", move(one.cell), turn(one.speed)) for one in chamber.pads]
    return sorted(things, key=repr)

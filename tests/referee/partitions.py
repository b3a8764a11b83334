"""Small boxes cut into connected pieces in every way, by code that packs nothing.

The lowest cell that is left belongs to some piece; every connected set of cells around it is tried.
"""

import random
from collections.abc import Iterator
from functools import cache
from itertools import product

from bridge.referee.packing.statics import is_stable
from bridge.referee.polycubes import (
    Cell,
    Shape,
    enumerate_orientations,
    list_rotations,
    move_to_origin,
    rotate,
)

__all__ = ["COLOURS", "Cut", "cuts", "document_of", "drawn", "kinds", "random_cut", "sort_of"]

COLOURS = tuple(f"c{number}" for number in range(18))
SIDES = ("+x", "-x", "+y", "-y", "+z", "-z")
Cut = tuple[Shape, ...]
"""The pieces that a box was cut into."""


def cuts(size: Cell, least: int) -> Iterator[Cut]:
    """Every way to cut a box into connected pieces of at least so many cells."""
    return _cuts(frozenset(product(*map(range, size))), least)


def _cuts(free: Shape, least: int) -> Iterator[Cut]:
    if not free:
        yield ()
        return
    for piece in _connected(min(free), free):
        if len(piece) >= least:
            for rest in _cuts(free - piece, least):
                yield (piece, *rest)


@cache
def _connected(lowest: Cell, free: Shape) -> tuple[Shape, ...]:
    """All connected sets of free cells with the lowest one in them."""
    found = {frozenset([lowest])}
    edge = list(found)
    while edge:
        grown = {one | {cell} for one in edge for c in one for cell in around(c) if cell in free}
        edge = list(grown - found)
        found |= grown
    return tuple(sorted(found, key=sorted))


def around(cell: Cell) -> Iterator[Cell]:
    x, y, z = cell
    yield from ((x + 1, y, z), (x - 1, y, z), (x, y + 1, z), (x, y - 1, z))
    yield from ((x, y, z + 1), (x, y, z - 1))


@cache
def sort_of(shape: Shape) -> tuple[Cell, ...]:
    """Equal for shapes that are one up to rotation."""
    return min(tuple(sorted(way)) for way in enumerate_orientations(move_to_origin(shape)))


def kinds(cut: Cut) -> tuple[tuple[Cell, ...], ...]:
    """What a cut is made of: the shapes up to rotation, in order."""
    return tuple(sorted(map(sort_of, cut)))


def like(cut: Cut, size: Cell) -> frozenset[frozenset[Shape]]:
    """All cuts that a turn of the box makes of one."""
    box = frozenset(product(*map(range, size)))
    found = set()
    for turn in list_rotations():
        if move_to_origin(rotate(box, turn)) == box:
            low = [min(axis) for axis in zip(*rotate(box, turn), strict=True)]
            found.add(
                frozenset(
                    frozenset(
                        (x - low[0], y - low[1], z - low[2]) for x, y, z in rotate(piece, turn)
                    )
                    for piece in cut
                )
            )
    return frozenset(found)


def random_cut(rng: random.Random, size: Cell, count: int) -> Cut:
    """A box grown full of winding pieces."""
    free = set(product(*map(range, size)))
    grown = [{cell} for cell in rng.sample(sorted(free), count)]
    free -= set().union(*grown)
    while free:
        piece = rng.choice(grown)
        cell = rng.choice(list(around(rng.choice(sorted(piece)))))
        if cell in free:
            free.discard(cell)
            piece.add(cell)
    return tuple(map(frozenset, grown))


@cache
def drawn(shape: Shape) -> list[str]:
    """The layers of a shape, turned so that it stays on a table, and not just so."""
    ways = sorted(
        enumerate_orientations(move_to_origin(shape)),
        key=lambda way: (max(c[2] for c in way), sorted(way)),
    )
    lying = next(way for way in ways if is_stable([way], spare=True))
    a, b, c = (1 + max(axis) for axis in zip(*lying, strict=True))
    return [
        "/".join("".join(".#"[(x, y, z) in lying] for x in range(a)) for y in range(b))
        for z in range(c)
    ]


def document_of(
    size: Cell,
    pieces: Cut | tuple[tuple[Cell, ...], ...],
    *,
    gravity: bool = True,
    sides: tuple[str, ...] = ("+z",),
) -> dict[str, object]:
    """A level document without plan and hash."""
    shapes = [drawn(frozenset(piece)) for piece in pieces]
    return {
        "format": "luban-level/1",
        "id": "packing-test",
        "family": "packing",
        "name": "Test",
        "tier": "easy",
        "budget": 60,
        "source": {"designer": "luban", "reference": "made by a test", "seed": None},
        "puzzle": {
            "size": list(size),
            "gravity": gravity,
            "open": list(sides),
            "pieces": [
                {"colour": colour, "layers": layers}
                for colour, layers in zip(COLOURS, shapes, strict=False)
            ],
        },
    }

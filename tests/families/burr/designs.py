"""Designs to test with, and what the solver says of them."""

import random
from collections.abc import Iterable
from dataclasses import replace
from itertools import product

from pysim.families.burr.files.design import Design, DrawnShape, PartUse, Problem
from pysim.families.burr.solver import AssemblyTally, solve
from pysim.geometry import Cell, Rotation, Voxels

__all__ = ["cut_design", "drawn_anew", "tally_of"]


def tally_of(design: Design, problem: int = 0) -> AssemblyTally:
    tally = AssemblyTally()
    for assembly in solve(design, design.problems[problem]):
        tally.add(assembly)
    return tally


def drawn_anew(design: Design, turns: Iterable[Rotation]) -> Design:
    """The design with each of its shapes drawn turned."""
    shapes = zip(design.shapes, turns, strict=True)
    return replace(design, shapes=tuple(_turned(shape, turn) for shape, turn in shapes))


def _turned(shape: DrawnShape, turn: Rotation) -> DrawnShape:
    bounds = Voxels.from_cells(shape.filled | shape.variable).rotate(turn).bounds

    def image(cell: Cell) -> Cell:
        x, y, z = turn.apply(cell)
        return (x - bounds.low[0], y - bounds.low[1], z - bounds.low[2])

    return replace(
        shape,
        size=bounds.size,
        filled=frozenset(map(image, shape.filled)),
        variable=frozenset(map(image, shape.variable)),
        colours={image(cell): colour for cell, colour in shape.colours.items()},
    )


def cut_design(rng: random.Random) -> Design:
    """A small block cut into pieces, often loose ones, some of which may be left out or doubled."""
    size = rng.choice([(3, 2, 2), (3, 3, 2), (3, 3, 3), (4, 3, 2)])
    cells = list(product(*map(range, size)))
    pieces = _cut(rng, cells)
    holes = frozenset(rng.sample(cells, rng.choice([0, 0, 1, 2])))
    for piece in pieces:
        if len(piece) > 1 and rng.random() < 0.4:
            piece -= set(list(piece & holes)[:1])
    shapes = [DrawnShape(size, frozenset(cells) - holes, holes)]
    shapes += [DrawnShape(size, frozenset(piece)) for piece in pieces]
    parts = tuple(
        PartUse(1 + i, rng.choice([0, 1, 1, 1]), rng.choice([1, 1, 1, 2]))
        for i in range(len(pieces))
    )
    problem = Problem("", parts, 0, max_holes=rng.choice([None, None, 1]))
    return Design(tuple(shapes), (problem,))


def _cut(rng: random.Random, cells: list[Cell]) -> list[set[Cell]]:
    """Each cell belongs to the nearest of some middles, or by chance to any."""
    middles = rng.sample(cells, rng.randint(2, 4))
    astray = rng.choice([0.0, 0.1, 0.2])
    pieces: list[set[Cell]] = [set() for _ in middles]
    for cell in cells:
        gaps = [sum(abs(a - b) for a, b in zip(cell, m, strict=True)) for m in middles]
        owner = gaps.index(min(gaps)) if rng.random() >= astray else None
        pieces[rng.randrange(len(pieces)) if owner is None else owner].add(cell)
    return [piece for piece in pieces if piece]

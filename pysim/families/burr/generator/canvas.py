"""Cells that are to be shared out among pieces, and the design that an assembly of them makes."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from functools import cached_property
from random import Random

import numpy as np
from numpy.typing import NDArray

from pysim.families.burr.files.design import Design, DrawnShape, PartUse, Problem
from pysim.families.burr.generator.annealing import Cooling, Sharing
from pysim.geometry import Bounds, Cell, Direction, Voxels, add

__all__ = ["Canvas", "Drawn", "Filling", "draw_plainly", "is_whole"]

Drawn = tuple[Voxels, str]
"""A piece as a designer draws it, with the low corner of its bounds at the origin; and its name."""

NOBODY = -1
"""Owner of a cell that stays empty."""


def draw_plainly(cells: Voxels) -> Drawn:
    """Return a piece drawn as it stands, without a name."""
    return cells.move_to_origin(), ""


class Filling(Enum):
    """Occasions to fill the empty cells of a lock, so that it has fewer solutions."""

    NEVER = auto()
    IF_AMBIGUOUS = auto()
    """After a count that finds several solutions."""
    ALWAYS = auto()
    """Before its solutions are counted, where next to none has one solution as it is."""


@dataclass(frozen=True)
class Canvas:
    """Cells, and which pieces may have them.

    Attributes:
        pieces: number of pieces.
        owners: cell, not below zero -> the pieces that may have it, :data:`NOBODY` if it may stay
            empty.
        start: a first way to share them out, drawn at random; None if that came to nothing.
        drawn: how pieces are drawn.
        least: cells that every piece keeps.
        cooling: how long to search.
        filling: when the empty cells of a lock are filled.
    """

    pieces: int
    owners: Mapping[Cell, frozenset[int]]
    start: Callable[[Random], Mapping[Cell, int] | None]
    drawn: Callable[[Voxels], Drawn] = draw_plainly
    least: int = 1
    cooling: Cooling = field(default_factory=Cooling)
    filling: Filling = Filling.NEVER

    @cached_property
    def cells(self) -> tuple[Cell, ...]:
        """All cells, in the order of :class:`~pysim.families.burr.generator.annealing.Sharing`."""
        return tuple(sorted(self.owners))

    def make_sharing(self, start: Mapping[Cell, int]) -> Sharing:
        """Return the cells as a search wants them, shared out as ``start`` says."""
        number = {cell: i for i, cell in enumerate(self.cells)}
        near = [
            [number.get(add(cell, direction.vector), -1) for direction in Direction]
            for cell in self.cells
        ]
        allowed = [sum(1 << self._label(o) for o in self.owners[cell]) for cell in self.cells]
        label = [self._label(start[cell]) for cell in self.cells]
        return Sharing.from_labels(
            np.array(self.cells, np.int32),
            np.array(near, np.int32),
            np.array(allowed, np.uint64),
            np.array(label, np.int32),
            self.pieces,
        )

    def _label(self, owner: int) -> int:
        return self.pieces if owner == NOBODY else owner

    def split(self, label: NDArray[np.int32]) -> tuple[Voxels, ...]:
        """Return the pieces of an assembly that a search found."""
        owned: list[list[Cell]] = [[] for _ in range(self.pieces + 1)]
        for cell, owner in zip(self.cells, label.tolist(), strict=True):
            owned[owner].append(cell)
        return tuple(Voxels.from_cells(cells) for cells in owned[: self.pieces])

    def make_design(self, pieces: Sequence[Voxels]) -> tuple[Design, list[int]]:
        """An assembly's pieces as a design, and for each of them the part that it is a copy of.

        The goal's cells are filled, but for those that may stay empty: they are variable.
        """
        drawn = [self.drawn(piece) for piece in pieces]
        first: dict[Voxels, Drawn] = {}
        for shape, name in drawn:
            first.setdefault(shape.canonical, (shape, name))
        order = {canonical: part for part, canonical in enumerate(first)}
        parts = [order[shape.canonical] for shape, _ in drawn]
        counts = Counter(parts)
        shapes = [_shape(shape, name) for shape, name in first.values()]
        problem = Problem(
            "", tuple(PartUse(p + 1, counts[p], counts[p]) for p in range(len(first))), 0
        )
        return Design((self._goal(), *shapes), (problem,)), parts

    def _goal(self) -> DrawnShape:
        variable = frozenset(cell for cell, who in self.owners.items() if NOBODY in who)
        size = Bounds.cover(Bounds(cell, cell) for cell in self.cells).high
        return DrawnShape(add(size, (1, 1, 1)), frozenset(self.cells) - variable, variable)


def _shape(shape: Voxels, name: str) -> DrawnShape:
    return DrawnShape(shape.bounds.size, shape.cell_set, name=name)


def is_whole(cells: Iterable[Cell]) -> bool:
    """Return whether there are cells, and all can be reached from any one of them."""
    found = tuple(cells)
    return bool(found) and Voxels(found).is_connected

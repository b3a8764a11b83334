"""Cutting a box into connected pieces at random: seeds that grow cell by cell."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from pysim.families.packing.generator.plates import has_plate
from pysim.families.packing.grid import find_neighbours, list_bits, list_cells, mask_of
from pysim.geometry import Axis, Cell, Voxels

__all__ = ["Growth", "find_duplicates", "make_distinct", "make_shape"]


@dataclass(frozen=True, slots=True)
class Growth:
    """Growth of pieces.

    Attributes:
        size: of the box.
        least, most: cells of a piece.
        flat: whether each piece stays in one plane.
    """

    size: Cell
    least: int
    most: int
    flat: bool

    def partition(self, rng: random.Random) -> list[int] | None:
        """The cells of pieces that fill the box; None if the last ones found no room to grow."""
        cells = self.size[0] * self.size[1] * self.size[2]
        free = (1 << cells) - 1
        pieces: list[int] = []
        while free:
            piece = self._grow(rng, _cornered(self.size, free, rng), free)
            free &= ~piece
            if piece.bit_count() >= self.least:
                pieces.append(piece)
            elif not self._absorb(rng, pieces, piece):
                return None
        return pieces

    def may_be_piece(self, mask: int) -> bool:
        """Return whether cells may be one piece, apart from being enough."""
        return (
            mask.bit_count() <= self.most
            and not has_plate(self.size, mask)
            and (not self.flat or _is_flat(self.size, mask))
        )

    def _grow(self, rng: random.Random, seed: int, free: int) -> int:
        """Return a piece that starts from a cell and takes in neighbours among the free cells."""
        piece, goal = seed, rng.randint(self.least, self.most)
        room = free
        if self.flat:
            room &= _plane(self.size, seed, rng.choice(list(Axis)))
        while piece.bit_count() < goal:
            near = list_bits(find_neighbours(self.size, piece) & room)
            allowed = [cell for cell in near if self.may_be_piece(piece | cell)]
            if not allowed:
                break
            piece |= rng.choice(allowed)
        return piece

    def _absorb(self, rng: random.Random, pieces: list[int], rest: int) -> bool:
        """Give the cells of a piece that stayed too small to its neighbours, if they may grow."""
        while rest:
            takers = [
                (i, cell)
                for i, piece in enumerate(pieces)
                for cell in list_bits(find_neighbours(self.size, piece) & rest)
                if self.may_be_piece(piece | cell)
            ]
            if not takers:
                return False
            i, cell = rng.choice(takers)
            pieces[i] |= cell
            rest &= ~cell
        return True


def make_distinct(
    growth: Growth, pieces: Sequence[int], rng: random.Random, most: int = 40
) -> list[int] | None:
    """The pieces, after at most ``most`` cells went from one to another, with no two shapes equal.

    None if there still are equal ones.
    """
    current = list(pieces)
    for _ in range(most):
        equal = find_duplicates(growth.size, current)
        if not equal:
            return current
        moved = _transfer(growth, current, rng.choice(equal), rng)
        if moved is not None and len(find_duplicates(growth.size, moved)) <= len(equal):
            current = moved
    return None if find_duplicates(growth.size, current) else current


def find_duplicates(size: Cell, pieces: Sequence[int]) -> list[int]:
    """Return the places of pieces that some other piece can be turned into."""
    shapes = [make_shape(size, mask).canonical for mask in pieces]
    return [i for i, shape in enumerate(shapes) if shapes.count(shape) > 1]


@lru_cache(maxsize=1 << 15)
def make_shape(size: Cell, mask: int) -> Voxels:
    """Return the shape of some cells, at the origin."""
    return _shared(Voxels.from_cells(list_cells(size, mask)).move_to_origin())


@lru_cache(maxsize=1 << 15)
def _shared(shape: Voxels) -> Voxels:
    """Return the same shape as the same object, so that its canonical form is worked out once."""
    return shape


def _transfer(
    growth: Growth, pieces: list[int], piece: int, rng: random.Random
) -> list[int] | None:
    """Move a cell between a piece and a neighbour; None if that would break one of them."""
    others = [
        i for i in range(len(pieces)) if find_neighbours(growth.size, pieces[piece]) & pieces[i]
    ]
    pair = [piece, rng.choice([i for i in others if i != piece])]
    rng.shuffle(pair)
    giver, taker = pair
    cells = list(list_bits(find_neighbours(growth.size, pieces[taker]) & pieces[giver]))
    cell = rng.choice(cells)
    small, large = pieces[giver] & ~cell, pieces[taker] | cell
    if (
        small.bit_count() < growth.least
        or not growth.may_be_piece(large)
        or not Voxels.from_cells(list_cells(growth.size, small)).is_connected
    ):
        return None
    moved = pieces.copy()
    moved[giver], moved[taker] = small, large
    return moved


def _cornered(size: Cell, free: int, rng: random.Random) -> int:
    """Return a free cell with the fewest free neighbours: left for later it might be cut off."""
    cells = list(list_bits(free))
    counts = [(find_neighbours(size, cell) & free).bit_count() for cell in cells]
    least = min(counts)
    return rng.choice([c for c, n in zip(cells, counts, strict=True) if n == least])


def _plane(size: Cell, cell: int, axis: Axis) -> int:
    """Return the cells of the box in the plane across an axis through a cell."""
    at = list_cells(size, cell)[0][axis.number]
    block = Voxels.make_block(size)
    return mask_of(size, (c for c in block.cells if c[axis.number] == at))


def _is_flat(size: Cell, mask: int) -> bool:
    return 1 in make_shape(size, mask).bounds.size

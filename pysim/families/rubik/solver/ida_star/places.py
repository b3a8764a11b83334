"""The finer numbers of the larger tables: not only where four edges are, but in which order.

The slice says where the four edges of the middle layer are (495 numbers). A place says more: in
which order they are, up to a group of orders that are not told apart, or which corners are of the
two tetrads that half turns keep apart. Each number of the slice is split into so many places as
there are kinds; a table that has a row for each kind tells more cubes apart and prunes more.
"""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from itertools import combinations, permutations, product

import numpy as np
from numpy.typing import NDArray

from pysim.errors import InputError
from pysim.families.rubik.cube import CORNER_FACELETS, EDGE_FACELETS, SOLVED, Cube, turn_of
from pysim.families.rubik.moves import list_moves
from pysim.families.rubik.solver.coordinates import (
    index_slice,
    list_slots,
    place_edges,
    rank_of,
    slice_ranks,
)
from pysim.families.rubik.solver.symmetry import (
    Facelets,
    list_axis_symmetries,
    stack_facelets,
    transform_states,
)

__all__ = [
    "SIZE_VARIABLE",
    "TETRAD",
    "PlaceTables",
    "TableSize",
    "build_places",
    "index_places",
    "read_chosen_size",
]

SIZE_VARIABLE = "LUBAN_CUBE_TABLES"
"""The environment variable that chooses the size of the tables."""
TETRAD = (0, 2, 5, 7)
"""The corners URF, ULB, DLF and DRB: half turns lead each to the place of another one of them."""
_ORDERS = tuple(permutations(range(4)))


class TableSize(StrEnum):
    """Resolution of the pruning table.

    - ``small``: where the edges of the middle layer are.
    - ``medium``: their order too, but for exchanges of two pairs of them at once.
    - ``large``: their whole order.
    - ``huge``: not their order, but which corners are of which tetrad.
    """

    SMALL = "small"
    MEDIUM = "medium"
    LARGE = "large"
    HUGE = "huge"

    @property
    def kinds(self) -> int:
        """Number of places for each number of the slice."""
        return {"small": 1, "medium": 6, "large": 24, "huge": 70}[self.value]

    @property
    def base(self) -> int:
        """Distances up to this one, which few are, are not told apart by the larger tables."""
        return 9 if self is TableSize.HUGE else 8


def read_chosen_size() -> TableSize:
    """Return the size that the environment asks for.

    Raises:
        InputError: it asks for one that there is not.
    """
    asked = os.environ.get(SIZE_VARIABLE, TableSize.SMALL)
    try:
        return TableSize(asked)
    except ValueError:
        raise InputError(
            f"{SIZE_VARIABLE} is one of {', '.join(TableSize)}, not {asked!r}"
        ) from None


@dataclass(frozen=True, eq=False)
class PlaceTables:
    """Tables of the places of a size.

    Attributes:
        kinds: how many for each number of the slice, which is ``place // kinds``.
        base: up to which distance the table tells none apart.
        moves: (495 * kinds, 18) the place after a move.
        seen: (495 * kinds, 16) the kind as seen through a symmetry.
        edge_ranks: (65536,) for each edge of the middle layer in four bits where it is, the place,
            or what the edges add to it.
        corner_ranks: (256,) what the corners add to it, for a bit at each corner of the tetrad.
    """

    kinds: int
    base: int
    moves: NDArray[np.uint16]
    seen: NDArray[np.uint8]
    edge_ranks: NDArray[np.int64]
    corner_ranks: NDArray[np.int64]


@cache
def build_places(size: TableSize) -> PlaceTables:
    """Return the tables, made once."""
    states = _representatives(size)
    moves = [index_places(states[:, list(turn_of(m).list_facelets())], size) for m in list_moves()]
    seen = [
        index_places(transform_states(states, s), size) % size.kinds for s in list_axis_symmetries()
    ]
    return PlaceTables(
        size.kinds,
        size.base,
        np.ascontiguousarray(np.stack(moves, axis=1).astype(np.uint16)),
        np.ascontiguousarray(np.stack(seen, axis=1).astype(np.uint8)),
        _edge_ranks(size),
        _corner_ranks() if size is TableSize.HUGE else np.zeros(256, dtype=np.int64),
    )


def index_places(states: Facelets, size: TableSize) -> NDArray[np.int64]:
    """(n,) the places of some states (n, 54)."""
    if size is TableSize.HUGE:
        corners = np.isin(_contents(states, CORNER_FACELETS), TETRAD)
        kinds = _corner_ranks()[corners @ (1 << np.arange(8))]
    else:
        edges = _contents(states, EDGE_FACELETS)
        order = edges[edges >= 8].reshape(-1, 4) - 8
        kinds = _order_kinds(size)[rank_of(order)]
    numbers: NDArray[np.int64] = index_slice(states).astype(np.int64) * size.kinds + kinds
    return numbers


def _contents(states: Facelets, slots: Sequence[tuple[int, ...]]) -> NDArray[np.int64]:
    """(n, slots) which cubie is in each slot."""
    cubie_of = np.zeros(54, dtype=np.int64)
    for cubie, slot in enumerate(slots):
        cubie_of[list(slot)] = cubie
    contents: NDArray[np.int64] = cubie_of[states[:, [slot[0] for slot in slots]]]
    return contents


def _representatives(size: TableSize) -> Facelets:
    """(495 * kinds, 54) a state of each place, in their order."""
    if size is TableSize.HUGE:
        kinds = [(_with_tetrad(chosen), (0, 1, 2, 3)) for chosen in combinations(range(8), 4)]
    else:
        firsts = np.unique(_order_kinds(size), return_index=True)[1]
        kinds = [(SOLVED.corners, _ORDERS[first]) for first in firsts]
    cubes = [
        Cube(corners, SOLVED.twists, place_edges(slots, order), SOLVED.flips)
        for slots, (corners, order) in product(list_slots(), kinds)
    ]
    states = stack_facelets(cubes)
    return states[np.argsort(index_places(states, size))]


def _with_tetrad(chosen: tuple[int, ...]) -> tuple[int, ...]:
    """Corners, those of the tetrad in some slots."""
    inside = iter(TETRAD)
    others = (corner for corner in range(8) if corner not in TETRAD)
    return tuple(next(inside) if slot in chosen else next(others) for slot in range(8))


@cache
def _order_kinds(size: TableSize) -> NDArray[np.int64]:
    """(24,) the kind of each order of the four edges, 0 for the order at home."""
    alike = {
        TableSize.SMALL: _ORDERS,
        TableSize.MEDIUM: ((0, 1, 2, 3), (1, 0, 3, 2), (2, 3, 0, 1), (3, 2, 1, 0)),
        TableSize.LARGE: ((0, 1, 2, 3),),
    }[size]
    least = [min(tuple(same[i] for i in order) for same in alike) for order in _ORDERS]
    numbers = {order: number for number, order in enumerate(sorted(set(least)))}
    return np.array([numbers[order] for order in least], dtype=np.int64)


@cache
def _corner_ranks() -> NDArray[np.int64]:
    """(256,) a number from 0 to 69 for the four bits that are set, 0 for the tetrad at home."""
    ranks = np.zeros(256, dtype=np.int64)
    others = [chosen for chosen in combinations(range(8), 4) if chosen != TETRAD]
    for rank, chosen in enumerate([TETRAD, *others]):
        ranks[sum(1 << slot for slot in chosen)] = rank
    return ranks


def _edge_ranks(size: TableSize) -> NDArray[np.int64]:
    ranks = np.zeros(1 << 16, dtype=np.int64)
    for slots in permutations(range(12), 4):
        word = sum(slot << 4 * edge for edge, slot in enumerate(slots))
        ranks[word] = int(slice_ranks()[sum(1 << slot for slot in slots)]) * size.kinds
        if size is not TableSize.HUGE:
            order = np.argsort(slots)[None]
            ranks[word] += _order_kinds(size)[rank_of(order)[0]]
    return ranks

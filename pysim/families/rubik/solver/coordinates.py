"""Numbers for parts of the cube, and tables of what moves and symmetries do to them.

- twist: how the corners are twisted, 3^7 = 2187 (the last one follows from the others);
- flip: how the edges are flipped, 2^11 = 2048;
- slice: where the four edges of the middle layer are, 12 over 4 = 495, 0 when they are in it;
- permutation: where the corners are, 8! = 40320.

twist = flip = slice = 0 is the subgroup <U, D, R2, L2, F2, B2>, the first phase of Kociemba's
two-phase algorithm; it is invariant under the 16 symmetries that keep the axis from D to U. Flip
and slice are put together and counted up to these symmetries: 64430 classes (Kociemba), and the
permutations of the corners likewise: 2768 classes.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from itertools import combinations, permutations
from math import factorial

import numpy as np
from numpy.typing import NDArray

from pysim.families.rubik.cube import CORNER_FACELETS, EDGE_FACELETS, SOLVED, Cube, turn_of
from pysim.families.rubik.moves import list_moves
from pysim.families.rubik.solver.symmetry import (
    Facelets,
    list_axis_symmetries,
    list_thirds,
    move_map,
    stack_facelets,
    transform_states,
)

__all__ = [
    "FLIPS",
    "PERMUTATIONS",
    "SLICES",
    "SYMMETRIES",
    "TWISTS",
    "Coordinates",
    "build_coordinates",
    "index_flip",
    "index_permutation",
    "index_slice",
    "index_twist",
    "list_slots",
    "place_edges",
    "rank_of",
    "slice_ranks",
]

TWISTS, FLIPS, SLICES, PERMUTATIONS = 3**7, 2**11, 495, factorial(8)
SYMMETRIES = 16

IntTable = NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class Coordinates:
    """Tables of the moves (18 columns, by index) and of the 16 symmetries.

    Attributes:
        twist, flip, slice, permutation: (n, 18) the number after a move.
        axis_moves: (3, 18) each move as seen after 0, 1 and 2 thirds of a turn about URF.
        seen_twist: (2187, 16) the twist as seen through a symmetry.
        seen_flip, seen_slice: (2048, 16) and (495, 16); the flip as seen is
            ``seen_flip[flip] ^ slice_flip[slice]``.
        slice_flip: (495, 16).
        seen_permutation: (40320, 16).
    """

    twist: IntTable
    flip: IntTable
    slice: IntTable
    permutation: IntTable
    axis_moves: IntTable
    seen_twist: IntTable
    seen_flip: IntTable
    seen_slice: IntTable
    slice_flip: IntTable
    seen_permutation: IntTable


@cache
def build_coordinates() -> Coordinates:
    """Return the tables, made once."""
    moves = [turn_of(move) for move in list_moves()]
    twists = stack_facelets([_with_twist(i) for i in range(TWISTS)])
    flips = stack_facelets([_with_flip(i) for i in range(FLIPS)])
    slices = stack_facelets([_with_slice(i) for i in range(SLICES)])
    orders = _corner_orders()
    return Coordinates(
        twist=_moved(twists, moves, index_twist),
        flip=_moved(flips, moves, index_flip),
        slice=_moved(slices, moves, index_slice),
        permutation=_columns([rank_of(orders[:, list(move.corners)]) for move in moves]),
        axis_moves=np.array([move_map(third) for third in list_thirds()], dtype=np.int32),
        seen_twist=_columns(
            [index_twist(transform_states(twists, s)) for s in list_axis_symmetries()]
        ),
        seen_flip=_columns(
            [index_flip(transform_states(flips, s)) for s in list_axis_symmetries()]
        ),
        seen_slice=_columns(
            [index_slice(transform_states(slices, s)) for s in list_axis_symmetries()]
        ),
        slice_flip=_columns(
            [index_flip(transform_states(slices, s)) for s in list_axis_symmetries()]
        ),
        seen_permutation=_seen_permutations(orders),
    )


def index_twist(states: Facelets) -> IntTable:
    """(n,) the twists of some states (n, 54)."""
    first = np.isin(np.arange(54), [slot[0] for slot in CORNER_FACELETS])
    shown = first[states[:, CORNER_FACELETS]]
    twists = shown.argmax(axis=2)
    numbers: IntTable = (twists[:, :7] @ 3 ** np.arange(6, -1, -1)).astype(np.int32)
    return numbers


def index_flip(states: Facelets) -> IntTable:
    """(n,) the flips of some states (n, 54)."""
    second = np.isin(np.arange(54), [slot[1] for slot in EDGE_FACELETS])
    flips = second[states[:, EDGE_FACELETS]][:, :, 0]
    numbers: IntTable = (flips[:, :11] @ 2 ** np.arange(10, -1, -1)).astype(np.int32)
    return numbers


def index_slice(states: Facelets) -> IntTable:
    """(n,) where the edges of the middle layer are in some states (n, 54)."""
    middle = np.isin(np.arange(54), [slot[0] for slot in EDGE_FACELETS[8:]])
    middle |= np.isin(np.arange(54), [slot[1] for slot in EDGE_FACELETS[8:]])
    places = middle[states[:, EDGE_FACELETS]][:, :, 0]
    ranks: IntTable = slice_ranks()[places @ 2 ** np.arange(12)]
    return ranks


@cache
def slice_ranks() -> IntTable:
    """(4096,) the slice number for a bit at each place of an edge of the middle layer, or -1."""
    ranks = np.full(2**12, -1, dtype=np.int32)
    for rank, chosen in enumerate(list_slots()):
        ranks[sum(1 << place for place in chosen)] = rank
    return ranks


def index_permutation(cube: Cube) -> int:
    """Return the number of the corners' permutation."""
    return int(rank_of(np.array([cube.corners]))[0])


@cache
def list_slots() -> tuple[tuple[int, ...], ...]:
    """The slots of the four edges of the middle layer for each slice number, at home first."""
    return tuple(sorted(combinations(range(12), 4), reverse=True))


def _with_twist(number: int) -> Cube:
    twists = [number // 3**k % 3 for k in range(6, -1, -1)]
    return Cube(SOLVED.corners, (*twists, -sum(twists) % 3), SOLVED.edges, SOLVED.flips)


def _with_flip(number: int) -> Cube:
    flips = [number >> k & 1 for k in range(10, -1, -1)]
    return Cube(SOLVED.corners, SOLVED.twists, SOLVED.edges, (*flips, sum(flips) % 2))


def _with_slice(number: int) -> Cube:
    edges = place_edges(list_slots()[number])
    return Cube(SOLVED.corners, SOLVED.twists, edges, SOLVED.flips)


def place_edges(slots: tuple[int, ...], order: tuple[int, ...] = (0, 1, 2, 3)) -> tuple[int, ...]:
    """Return edges, those of the middle layer in some slots in some order."""
    middle, others = iter(order), iter(range(8))
    return tuple(8 + next(middle) if slot in slots else next(others) for slot in range(12))


def _moved(states: Facelets, moves: list[Cube], number: Callable[[Facelets], IntTable]) -> IntTable:
    return _columns([number(states[:, list(move.list_facelets())]) for move in moves])


def _columns(columns: list[IntTable]) -> IntTable:
    return np.ascontiguousarray(np.stack(columns, axis=1), dtype=np.int32)


def _corner_orders() -> Facelets:
    """(40320, 8) the permutations of the corners in lexicographic order."""
    return np.array(list(permutations(range(8))), dtype=np.int64)


def rank_of(orders: Facelets) -> IntTable:
    """(n,) the places of permutations (n, size) in lexicographic order."""
    ranks = np.zeros(len(orders), dtype=np.int64)
    size = orders.shape[1]
    for place in range(size):
        smaller = (orders[:, place + 1 :] < orders[:, place : place + 1]).sum(axis=1)
        ranks += smaller * factorial(size - 1 - place)
    return ranks.astype(np.int32)


def _seen_permutations(orders: Facelets) -> IntTable:
    """(40320, 16); a symmetry moves corners like facelets, whichever way it twists them."""
    corner_at = {frozenset(slot): corner for corner, slot in enumerate(CORNER_FACELETS)}
    columns = []
    for symmetry in list_axis_symmetries():
        taken = np.array([corner_at[frozenset(symmetry[f] for f in s)] for s in CORNER_FACELETS])
        columns.append(rank_of(np.argsort(taken)[orders[:, taken]]))
    return _columns(columns)

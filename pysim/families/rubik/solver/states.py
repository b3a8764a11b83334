"""Moves and states as the search needs them, made from cubes.

The inverse of a state has in slot i what is told by where cubie i is and how it is turned there; so
its coordinates are sums over cubies, and one table holds what each cubie adds.
"""

from collections.abc import Iterator
from functools import cache
from itertools import count
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pysim.families.rubik.cube import (
    CORNER_FACELETS,
    CORNERS,
    EDGE_FACELETS,
    EDGES,
    Cube,
    compute_parity,
    turn_of,
)
from pysim.families.rubik.moves import Metric, list_moves
from pysim.families.rubik.solver.coordinates import (
    SLICES,
    TWISTS,
    Coordinates,
    index_flip,
    index_permutation,
    index_twist,
)
from pysim.families.rubik.solver.ida_star.places import TETRAD, PlaceTables, TableSize, index_places
from pysim.families.rubik.solver.storing import Bytes
from pysim.families.rubik.solver.symmetry import list_thirds, stack_facelets, transform_states

if TYPE_CHECKING:
    from pysim.families.rubik.solver.building import Classes

__all__ = ["list_bounds", "list_cubie_moves", "list_cubies", "search_tables", "start_of"]


_WHOLE = {"shift": 1, "low": 1, "bits": 2, "mask": 15}
"""How distances are packed, as the tables have it: here two to a byte,"""
_CUT = {"shift": 2, "low": 3, "bits": 1, "mask": 3}
"""and here four."""


def start_of(cube: Cube, size: TableSize) -> NDArray[np.int64]:
    """(30,) a state as :func:`pysim.families.rubik.solver.ida_star.search.search` takes it."""
    facelets = stack_facelets([cube])
    numbers: list[int] = []
    for third in list_thirds():
        seen = transform_states(facelets, third)
        parts = index_flip(seen), index_places(seen, size), index_twist(seen)
        numbers += [int(part[0]) for part in parts]
    return np.array([*numbers, index_permutation(cube), *list_cubies(cube)], dtype=np.int64)


def list_cubies(cube: Cube) -> tuple[int, ...]:
    """(20,) where each cubie is: ``3 * slot + twist`` of 8 corners, then ``2 * slot + flip``."""
    corners, edges = [0] * CORNERS, [0] * EDGES
    for slot, (corner, twist) in enumerate(zip(cube.corners, cube.twists, strict=True)):
        corners[corner] = 3 * slot + twist
    for slot, (edge, flip) in enumerate(zip(cube.edges, cube.flips, strict=True)):
        edges[edge] = 2 * slot + flip
    return (*corners, *edges)


def search_tables(
    coordinates: Coordinates,
    own_places: PlaceTables,
    metric: Metric,
    edges: "Classes",
    corners: "Classes",
) -> dict[str, NDArray[Any]]:
    """Return the tables of a search but for the distances, whose classes are given."""
    from pysim.families.rubik.solver.ida_star.table_builder import (
        count_row_entries,  # It loads compiled code.
    )

    costs = np.array([metric.measure([move]) for move in list_moves()], dtype=np.int64)
    changes = _changes(coordinates, own_places)
    whole, base = own_places.kinds == 1, own_places.base
    return dict(
        costs=costs,
        follows=_follows(),
        changes=changes,
        spared=_spared(changes, costs),
        flip=coordinates.flip.astype(np.uint16),
        place=own_places.moves,
        place_slice=(np.arange(SLICES * own_places.kinds) // own_places.kinds).astype(np.uint16),
        seen_place=own_places.seen,
        twist=coordinates.twist.astype(np.uint16),
        permutation=coordinates.permutation.astype(np.uint16),
        axis_moves=coordinates.axis_moves.astype(np.int64),
        seen_twist=coordinates.seen_twist.astype(np.uint16),
        corner_moves=list_cubie_moves(CORNERS, 3),
        edge_moves=list_cubie_moves(EDGES, 2),
        inverse_words=np.ascontiguousarray(_inverse_words().transpose(1, 2, 0)),
        edge_ranks=own_places.edge_ranks,
        corner_ranks=own_places.corner_ranks,
        row=np.array(TWISTS if whole else count_row_entries(own_places.kinds)),
        near=np.array(-1 if whole else base),
        **{name: np.array(value) for name, value in (_WHOLE if whole else _CUT).items()},
        codes=np.array(range(16) if whole else (0, *range(base + 1, base + 4)), dtype=np.uint8),
        enough=np.array(4 if changes.all(axis=0).any() else 3),
        edge_where=edges.where,
        corner_where=corners.where,
    )


def _follows() -> NDArray[np.int64]:
    """After a face neither the same one again nor, if it is D, L or B, its opposite."""
    allowed = [[m // 3 not in (face, face - 3) for m in range(18)] for face in range(6)]
    return _as_bits(np.array([*allowed, [True] * 18]))


def _spared(changes: NDArray[np.bool_], costs: NDArray[np.int64]) -> NDArray[np.int64]:
    """A move that leaves the inverse as far away as it was must cost no more than is to spare."""
    return np.stack([_as_bits(changes | (costs <= spare)) for spare in range(3)])


def _as_bits(rows: NDArray[np.bool_]) -> NDArray[np.int64]:
    bits: NDArray[np.int64] = rows @ (1 << np.arange(rows.shape[1]))
    return bits


def _changes(coordinates: Coordinates, own_places: PlaceTables) -> NDArray[np.bool_]:
    """Return the moves, along each axis, that leave the subgroup.

    It is the one to which distances are counted.
    """
    home = [table[0] == 0 for table in (coordinates.flip, own_places.moves, coordinates.twist)]
    leaves: NDArray[np.bool_] = ~np.all(home, axis=0)[coordinates.axis_moves]
    return leaves


def list_cubie_moves(slots: int, turns: int) -> Bytes:
    """(18, slots * turns) the state ``turns * slot + turned`` of a cubie after a move."""
    result = np.zeros((18, slots * turns), dtype=np.uint8)
    for move in list_moves():
        cube = turn_of(move)
        numbers, turned = (cube.corners, cube.twists) if turns == 3 else (cube.edges, cube.flips)
        for slot, (origin, by) in enumerate(zip(numbers, turned, strict=True)):
            for turn in range(turns):
                result[move.index, turns * origin + turn] = turns * slot + (turn + by) % turns
    return result


@cache
def _inverse_words() -> NDArray[np.int64]:
    """(3, 20, 24) words of twist (12 bits), flip (11), edges (16) and corners (8)."""
    words = np.zeros((3, CORNERS + EDGES, 24), dtype=np.int64)
    for axis, third in enumerate(list_thirds()):
        images = np.argsort(third)
        for cubie, slots in ((0, CORNER_FACELETS), (CORNERS, EDGE_FACELETS)):
            for number, home in enumerate(slots):
                for state in range(24):
                    slot = slots[state // len(home)]
                    turned = state % len(home)
                    at = {home[k]: slot[(k + turned) % len(home)] for k in range(len(home))}
                    seen = {int(images[h]): int(images[a]) for h, a in at.items()}
                    words[axis, cubie + number, state] = _word(seen, slots)
    return words


def _word(at: dict[int, int], slots: tuple[tuple[int, ...], ...]) -> int:
    """Return the word of a cubie.

    The inverse has the facelet ``at[h]`` at each of its facelets ``h``.
    """
    place = next(i for i, slot in enumerate(slots) if set(slot) == set(at))
    here = slots[place]
    there = [at[number] for number in here]
    first = {slot[0] for slot in slots}
    turned = next(k for k, number in enumerate(there) if number in first)
    other = next(i for i, slot in enumerate(slots) if set(slot) == set(there))
    if len(here) == 3:
        twist = turned * 3 ** (6 - place) if place < 7 else 0
        return twist | (other in TETRAD) << (39 + place)
    flip = turned << (10 - place) if place < 11 else 0
    return flip << 12 | (place << (23 + 4 * (other - 8)) if other >= 8 else 0)


def list_bounds(cube: Cube, metric: Metric, at_least: int) -> Iterator[int]:
    """Yield the possible lengths of solutions, in ascending order from ``at_least`` on.

    A quarter turn changes the parity of the corners.
    """
    if metric is Metric.HTM:
        return count(at_least)
    return count(at_least + (at_least + compute_parity(cube.corners)) % 2, 2)

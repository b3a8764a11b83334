"""The 48 symmetries of the cube, as permutations of its facelets.

Conjugating a state by a symmetry gives the state that one sees after turning (or mirroring) the
whole cube and its colours alike; its distance is the same.
"""

from collections.abc import Sequence
from functools import cache
from itertools import permutations, product

import numpy as np
from numpy.typing import NDArray

from pysim.families.rubik.cube import Cube, turn_of
from pysim.families.rubik.faces import index_facelets, list_facelets
from pysim.families.rubik.moves import list_moves
from pysim.geometry import Cell, Direction

__all__ = [
    "Facelets",
    "list_axis_symmetries",
    "list_symmetries",
    "list_thirds",
    "move_map",
    "stack_facelets",
    "transform_states",
]

Facelets = NDArray[np.int64]
"""(..., 54): for each facelet the number of the facelet that is there."""


@cache
def list_symmetries() -> tuple[tuple[int, ...], ...]:
    """(48, 54) where each symmetry takes each facelet from; the first is the identity."""
    return tuple(
        _permutation(order, signs)
        for order in permutations(range(3))
        for signs in product((1, -1), repeat=3)
    )


@cache
def list_axis_symmetries() -> tuple[tuple[int, ...], ...]:
    """(16, 54) the symmetries that keep the axis from D to U, the identity first."""
    return tuple(
        _permutation(order, signs)
        for order in ((0, 1, 2), (1, 0, 2))
        for signs in product((1, -1), repeat=3)
    )


@cache
def list_thirds() -> tuple[tuple[int, ...], ...]:
    """(3, 54) the turns about the corner URF by 0, 1 and 2 thirds."""
    third = _permutation((1, 2, 0), (-1, -1, 1))
    twice = tuple(third[i] for i in third)
    return tuple(range(54)), third, twice


def stack_facelets(cubes: Sequence[Cube]) -> Facelets:
    """(n, 54) the facelets of some cubes."""
    return np.array([cube.list_facelets() for cube in cubes], dtype=np.int64)


def transform_states(states: Facelets, symmetry: Sequence[int]) -> Facelets:
    """(..., 54) every state as seen through a symmetry."""
    taken = np.array(symmetry)
    back = np.argsort(taken)
    conjugated: Facelets = back[states[..., taken]]
    return conjugated


def move_map(symmetry: Sequence[int]) -> tuple[int, ...]:
    """(18,) the index of each move as seen through a symmetry."""
    moves = stack_facelets([turn_of(move) for move in list_moves()])
    seen = transform_states(moves, symmetry)
    by_facelets = {tuple(row): i for i, row in enumerate(moves.tolist())}
    return tuple(by_facelets[tuple(row)] for row in seen.tolist())


def _permutation(order: Sequence[int], signs: Sequence[int]) -> tuple[int, ...]:
    """For each facelet, the facelet at the image of its place: x -> signs * x[order]."""

    def image(vector: Cell) -> Cell:
        x, y, z = (signs[k] * vector[order[k]] for k in range(3))
        return (x, y, z)

    sides = {side.vector: side for side in Direction}
    return tuple(
        index_facelets()[(image(cell), sides[image(side.vector)])] for cell, side in list_facelets()
    )

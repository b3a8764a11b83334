"""Cubes by the thousand: 54 colours in a row each, and turns as permutations of them."""

from collections.abc import Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from pysim.errors import InputError
from pysim.families.rubik.actions import MakeMove
from pysim.families.rubik.choices import FACE_TURNS
from pysim.families.rubik.cube import SOLVED, turn_of
from pysim.families.rubik.faces import FACELETS
from pysim.families.rubik.learning.training import FACELET_COLOURS, MOST_SCRAMBLED
from pysim.families.rubik.moves import Move, list_moves
from pysim.families.rubik.state import CubeState
from pysim.families.rubik.strings import Order, list_positions
from pysim.learning.batches import StateRows
from pysim.puzzle import Action

__all__ = ["Cubes", "create_batch"]


class Cubes:
    """See :class:`~pysim.learning.batches.PuzzleBatch`. A state is its FACELET_COLOURS."""

    def __init__(self) -> None:
        self.actions: Sequence[Action] = tuple(map(MakeMove, FACE_TURNS))
        self.features, self.values = FACELETS, FACELET_COLOURS.values
        self._home = self.row_of(CubeState(SOLVED))
        self._origins = _origins([Move.parse(turn.value) for turn in FACE_TURNS])
        self._any_origins = _origins(list_moves())

    def row_of(self, state: CubeState) -> StateRows:
        """(54,) the colours of a cube, wherever it is looked at from."""
        return np.array(FACELET_COLOURS.of(state), dtype=np.uint8)

    def scrambled(self, count: int, depth: int, rng: np.random.Generator) -> StateRows:
        """Cubes after random turns of 90 or 180 degrees, no two of one face in a row.

        Raises:
            InputError: the depth is not from 1 to 100.
        """
        if not 1 <= depth <= MOST_SCRAMBLED:
            raise InputError(f"a scramble has 1 to {MOST_SCRAMBLED} turns, not {depth}")
        found = self._scrambled(count, depth, rng)
        while len(again := np.flatnonzero(self.solved(found))):
            found[again] = self._scrambled(len(again), depth, rng)
        return found

    def _scrambled(self, count: int, depth: int, rng: np.random.Generator) -> StateRows:
        states = np.tile(self._home, (count, 1))
        moves = rng.integers(18, size=count)
        for step in range(depth):
            if step:
                # One of the 15 turns of other faces: those from the last face on come 3 later.
                drawn = rng.integers(15, size=count)
                moves = drawn + 3 * (drawn // 3 >= moves // 3)
            states = _gathered(states, self._any_origins, moves)
        return states

    def stepped(self, states: StateRows, actions: NDArray[np.int64]) -> StateRows:
        """Return the cubes after a quarter turn each."""
        return _gathered(states, self._origins, actions)

    def solved(self, states: StateRows) -> NDArray[np.bool_]:
        """(n,) where every facelet has the colour of its face."""
        solved: NDArray[np.bool_] = (states == self._home).all(axis=1)
        return solved

    def features_of(self, states: StateRows) -> NDArray[np.uint8]:
        """(n, 54) the states themselves."""
        return states


@cache
def create_batch() -> Cubes:
    """Return the tables, made once in a process."""
    return Cubes()


def _origins(moves: Sequence[Move]) -> NDArray[np.int64]:
    """(moves, 54) from where each move brings the sticker of each place."""
    order = np.array(list_positions(Order.ENVIRONMENT))
    place = np.argsort(order)
    rows = [place[np.array(turn_of(move).list_facelets())[order]] for move in moves]
    return np.array(rows, dtype=np.int64)


def _gathered(
    states: StateRows, origins: NDArray[np.int64], chosen: NDArray[np.int64]
) -> StateRows:
    """(n, 54) each row with its own permutation."""
    places = origins[chosen]
    places += np.arange(0, states.size, FACELETS)[:, None]
    return states.take(places)

"""Cubes by the thousand: 54 colours in a row each, and turns as permutations of them.

The features of a row are these colours, as :data:`~.training.FACELET_COLOURS` has them.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pysim.errors import InputError
from pysim.families.rubik.actions import MakeMove
from pysim.families.rubik.choices import FACE_TURNS
from pysim.families.rubik.cube import SOLVED, turn_of
from pysim.families.rubik.faces import FACELETS
from pysim.families.rubik.learning.training import FACELET_COLOURS, MOST_SCRAMBLED
from pysim.families.rubik.moves import Move, list_moves
from pysim.families.rubik.puzzle import CubePuzzle
from pysim.families.rubik.space import CubeSpace
from pysim.families.rubik.state import CubeState
from pysim.families.rubik.strings import Letters, Order, list_positions, parse_cube
from pysim.learning.batches import PuzzleBatch, StateRows
from pysim.learning.spaces import ArraySpec
from pysim.options import check_whole
from pysim.puzzle import Action, Level

__all__ = ["CubeBatch", "create_batch"]

_TURNS = len(FACE_TURNS)
_MEANING = "facelet in the order of the 54 letters: 0 to 5: those of U R F D L B"


class CubeBatch(PuzzleBatch[CubePuzzle, CubeState]):
    """See :class:`~pysim.learning.batches.PuzzleBatch`. Cubes are seen whole."""

    actions: Sequence[Action] = tuple(map(MakeMove, FACE_TURNS))

    def __init__(self, space: CubeSpace, count: int) -> None:
        features = ArraySpec((FACELETS,), np.uint8, FACELET_COLOURS.values - 1, _MEANING)
        super().__init__(space, count, features, _TURNS)
        self._home = _write_row(CubeState(SOLVED))
        turns = _find_origins([Move.parse(turn.value) for turn in FACE_TURNS])
        # Refused actions, and -1 for none, leave a cube as it is.
        still = np.tile(np.arange(FACELETS), (space.actions.count + 1 - _TURNS, 1))
        self._origins = np.concatenate([turns, still])
        self._any_origins = _find_origins(list_moves())
        self.legal.numbers[:] = np.arange(_TURNS)

    def _add(self, level: Level[CubePuzzle]) -> StateRows:
        if level.puzzle.setting.partial:
            raise InputError(
                f"{level.id} has apply_view_transformation, which is for one episode at a time: "
                "take a level that shows everything"
            )
        return _write_row(CubeState(level.puzzle.start))

    def _begin(self, rows: NDArray[np.int64], levels: NDArray[np.int64]) -> None:
        self.legal.solved[rows] = self.legal.refused[rows] = False
        self.legal.mask[rows, :_TURNS] = 1
        self.legal.counts[rows] = _TURNS

    def step(self, numbers: NDArray[np.int64]) -> None:
        """See :meth:`pysim.learning.batches.PuzzleBatch.step`."""
        self._seen = _gather(self._seen, self._origins, numbers)
        np.greater_equal(numbers, _TURNS, out=self.legal.refused)
        np.equal(self._seen, self._home).all(axis=1, out=self.legal.solved)

    def read_state(self, row: int) -> CubeState:
        """See :meth:`pysim.learning.batches.PuzzleBatch.read_state`."""
        text = "".join("URFDLB"[colour] for colour in self._seen[row])
        return CubeState(parse_cube(text, Order.ENVIRONMENT, Letters.FACES))

    def draw_scrambles(self, count: int, depth: int, rng: np.random.Generator) -> StateRows:
        """Return cubes after random turns of 90 or 180 degrees, no two of one face in a row.

        Raises:
            InputError: the depth is not from 1 to 100.
        """
        check_whole("the length of a scramble", depth, 1, MOST_SCRAMBLED)
        found = self._scramble(count, depth, rng)
        while len(again := np.flatnonzero((found == self._home).all(axis=1))):
            found[again] = self._scramble(len(again), depth, rng)
        return found

    def place(self, rows: NDArray[np.int64], states: StateRows) -> None:
        """See :meth:`pysim.learning.batches.PuzzleBatch.place`."""
        self._seen[rows] = states
        self.legal.solved[rows] = self.legal.refused[rows] = False

    def _scramble(self, count: int, depth: int, rng: np.random.Generator) -> StateRows:
        states = np.tile(self._home, (count, 1))
        moves = rng.integers(18, size=count)
        for step in range(depth):
            if step:
                # One of the 15 turns of other faces: those from the last face on come 3 later.
                drawn = rng.integers(15, size=count)
                moves = drawn + 3 * (drawn // 3 >= moves // 3)
            states = _gather(states, self._any_origins, moves)
        return states


def create_batch(space: CubeSpace, count: int) -> CubeBatch:
    """Return a batch of cubes; see :data:`~pysim.learning.batches.BatchFactory`."""
    return CubeBatch(space, count)


def _write_row(state: CubeState) -> StateRows:
    """(54,) the colours of a cube, wherever it is looked at from."""
    return np.array(FACELET_COLOURS.of(state), dtype=np.uint8)


def _find_origins(moves: Sequence[Move]) -> NDArray[np.int64]:
    """(moves, 54) from where each move brings the sticker of each place."""
    order = np.array(list_positions(Order.ENVIRONMENT))
    place = np.argsort(order)
    rows = [place[np.array(turn_of(move).list_facelets())[order]] for move in moves]
    return np.array(rows, dtype=np.int64)


def _gather(states: StateRows, origins: NDArray[np.int64], chosen: NDArray[np.int64]) -> StateRows:
    """(n, 54) each row with its own permutation."""
    places = origins[chosen]
    places += np.arange(0, states.size, FACELETS)[:, None]
    return states.take(places)

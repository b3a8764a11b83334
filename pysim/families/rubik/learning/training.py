"""Training data of policies: the cube as 54 numbers, and random scrambles."""

from collections.abc import Callable
from dataclasses import replace

from pysim.families.rubik.cube import Cube, make_cube
from pysim.families.rubik.faces import FACELETS
from pysim.families.rubik.moves import Move, list_moves
from pysim.families.rubik.puzzle import CubePuzzle
from pysim.families.rubik.state import CubeState
from pysim.families.rubik.strings import Order, list_positions
from pysim.options import check_whole
from pysim.puzzle import Features

__all__ = ["FACELET_COLOURS", "MOST_SCRAMBLED", "scramble_of", "scramble_puzzle"]

MOST_SCRAMBLED = 100


def scramble_puzzle(puzzle: CubePuzzle, depth: int, draw: Callable[[int], int]) -> CubePuzzle:
    """Return the same setting with the cube after ``depth`` random face turns.

    Raises:
        InputError: the depth is not from 1 to 100.
    """
    return replace(puzzle, start=scramble_of(depth, draw))


def scramble_of(depth: int, draw: Callable[[int], int]) -> Cube:
    """A cube after random turns of 90 or 180 degrees, no two of one face in a row; never solved.

    Args:
        draw: a whole number below its argument.
    """
    check_whole("the length of a scramble", depth, 1, MOST_SCRAMBLED)
    while True:
        moves: list[Move] = []
        while len(moves) < depth:
            move = list_moves()[draw(len(list_moves()))]
            if not moves or move.face is not moves[-1].face:
                moves.append(move)
        cube = make_cube(moves)
        if not cube.solved:  # Turns may cancel: U D U' D'.
            return cube


def _colours_of(state: CubeState) -> tuple[int, ...]:
    numbers = state.cube.list_facelets()
    return tuple([numbers[position] // 9 for position in list_positions(Order.ENVIRONMENT)])


FACELET_COLOURS: Features[CubeState] = Features(FACELETS, 6, _colours_of)
"""The colour of each facelet in the order of the 54 letters; 0 to 5: those of U R F D L B."""

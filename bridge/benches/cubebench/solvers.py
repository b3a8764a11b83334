"""The solvers that agents may ask (appendix I.2): both are Kociemba's two-phase algorithm.

They differ in what they read. A solution is in quarter turns, the only moves that agents have; half
turns of the algorithm are two of them.
"""

from pysim.errors import InputError
from pysim.families.rubik.cube import Cube
from pysim.families.rubik.moves import split_half_turns
from pysim.families.rubik.strings import Letters, Order, parse_cube
from pysim.families.rubik.validity import InvalidCube

__all__ = ["UnreadableCube", "solve_ideal", "solve_standard"]


class UnreadableCube(InputError):
    """A text is no cube that turns lead to; the message names what is wrong."""


def solve_standard(state: object) -> list[str]:
    """Solve a cube given by letters of faces in the order U R F D L B.

    Raises:
        UnreadableCube: it is none.
    """
    return _solve(_read(state, Order.SOLVER, Letters.FACES))


def solve_ideal(state: object) -> list[str]:
    """Solve a cube given by letters of colours as observations have them, U L F R D B as drawn.

    Raises:
        UnreadableCube: it is none.
    """
    return _solve(_read(state, Order.DRAWN, Letters.COLOURS))


def _read(state: object, order: Order, letters: Letters) -> Cube:
    if not isinstance(state, str):
        raise UnreadableCube(f"length: a cube is a text of 54 letters, not {type(state).__name__}")
    try:
        return parse_cube(state, order, letters)
    except InvalidCube as error:
        raise UnreadableCube(f"{', '.join(error.faults)}: {error}") from None
    except ValueError as error:
        raise UnreadableCube(f"letters: {error}") from None


def _solve(cube: Cube) -> list[str]:
    # Not above: it takes half a second, in every process that knows the benches.
    from pysim.families.rubik.solver.twophase import solve_in_two_phases

    return [str(move) for move in split_half_turns(solve_in_two_phases(cube))]

"""Near-optimal solutions in milliseconds: Kociemba's two-phase algorithm, by his own program."""

from threading import Lock

from pysim.families.rubik.cube import Cube
from pysim.families.rubik.moves import Move, parse_moves
from pysim.families.rubik.strings import Letters, Order, format_cube
from pysim.families.rubik.validity import check_cube

__all__ = ["solve_in_two_phases"]

_ALONE = Lock()
"""The program keeps its tables in static memory and lets other threads run meanwhile."""


def solve_in_two_phases(cube: Cube) -> tuple[Move, ...]:
    """A solution of mostly 19 to 22 face turns; not a shortest one.

    Raises:
        InvalidCube: no turns lead to this cube.
        ImportError: the ``kociemba`` package is not installed.
    """
    check_cube(cube)
    if cube.solved:
        return ()  # The program would turn something and back.
    import kociemba

    with _ALONE:
        return parse_moves(kociemba.solve(format_cube(cube, Order.SOLVER, Letters.FACES)))

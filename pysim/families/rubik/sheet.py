"""What a cube's picture sheet shows: the scrambled cube, and the solved one."""

from pysim.families.rubik.cube import SOLVED
from pysim.families.rubik.puzzle import CubePuzzle
from pysim.families.rubik.scene import WHOLE, bodies_of
from pysim.puzzle import Panel
from pysim.scene import Scene

__all__ = ["sheet_of"]


def sheet_of(puzzle: CubePuzzle) -> tuple[Panel, ...]:
    """Both, seen from a corner."""
    return (
        Panel("scrambled", Scene(bodies_of(puzzle.start), WHOLE)),
        Panel("solved", Scene(bodies_of(SOLVED), WHOLE)),
    )

"""The Rubik's cube: turn faces until each is of one colour."""

from pysim.families.rubik.actions import ApplyViewTransformation, MakeMove
from pysim.families.rubik.batch import batch
from pysim.families.rubik.cube import SOLVED, Cube
from pysim.families.rubik.pictures import all_shots
from pysim.families.rubik.puzzle import COLOURS, CubePuzzle, Setting, read_puzzle, write_puzzle
from pysim.families.rubik.rules import RubikRules
from pysim.families.rubik.sheet import sheet_of
from pysim.families.rubik.state import CubeState
from pysim.families.rubik.training import FACELET_COLOURS, scrambled
from pysim.puzzle import Family

__all__ = [
    "FAMILY",
    "SOLVED",
    "ApplyViewTransformation",
    "Cube",
    "CubePuzzle",
    "CubeState",
    "MakeMove",
    "RubikRules",
    "Setting",
]


def _solver() -> object:
    from pysim.families.rubik.solver.shortest import CubeSolver  # It takes a moment to load.

    return CubeSolver()


FAMILY: Family[CubePuzzle, CubeState] = Family(
    name="rubik",
    actions=(MakeMove, ApplyViewTransformation),
    rules=RubikRules(),
    read=read_puzzle,
    write=write_puzzle,
    colours=lambda puzzle: COLOURS,
    sheet=sheet_of,
    shots=lambda puzzle, state: all_shots(state),
    features=FACELET_COLOURS,
    scramble=scrambled,
    batch=batch,
    solver=_solver,
)

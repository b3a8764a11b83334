"""The family as the catalog knows it."""

from pysim.families.rubik.actions import ApplyViewTransformation, MakeMove
from pysim.families.rubik.learning.batch import batch
from pysim.families.rubik.learning.training import FACELET_COLOURS, scrambled
from pysim.families.rubik.pictures import all_shots
from pysim.families.rubik.puzzle import COLOURS, CubePuzzle, read_puzzle, write_puzzle
from pysim.families.rubik.rules import RubikRules
from pysim.families.rubik.sheet import sheet_of
from pysim.families.rubik.state import CubeState
from pysim.puzzle import Family

__all__ = ["FAMILY"]


def _generator() -> object:
    from pysim.families.rubik.making.offer import OFFER

    return OFFER


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
    generator=_generator,
)

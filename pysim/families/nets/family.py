"""The family ``nets``: what it offers to all that plays, draws and makes its levels."""

from pysim.errors import Reason
from pysim.families.nets.actions import Fold, TurnNet, Unfold
from pysim.families.nets.preview import make_preview
from pysim.families.nets.puzzle import NetPuzzle, read_puzzle, write_puzzle
from pysim.families.nets.rules import NetRules
from pysim.families.nets.state import NetsState
from pysim.puzzle import Family

__all__ = ["FAMILY"]


def _generator() -> object:
    from pysim.families.nets.plugin import GENERATOR

    return GENERATOR


FAMILY: Family[NetPuzzle, NetsState] = Family(
    name="nets",
    actions=(Fold, Unfold, TurnNet),
    rules=NetRules(),
    refusals=(
        Reason.BLOCKED,
        Reason.NO_EFFECT,
    ),
    read=read_puzzle,
    write=write_puzzle,
    colours=lambda puzzle: puzzle.colours,
    preview=make_preview,
    generator=_generator,
)

"""Nets: fold what lies flat into a cube that looks as wanted, or two nets into the same one."""

from pysim.errors import Reason
from pysim.families.nets.actions import Crease, Fold, TurnNet, Unfold
from pysim.families.nets.preview import make_preview
from pysim.families.nets.puzzle import FlatNet, NetPuzzle, Plate, read_puzzle, write_puzzle
from pysim.families.nets.rules import NetRules
from pysim.families.nets.state import NetsState, NetState
from pysim.puzzle import Family

__all__ = [
    "FAMILY",
    "Crease",
    "FlatNet",
    "Fold",
    "NetPuzzle",
    "NetRules",
    "NetState",
    "NetsState",
    "Plate",
    "TurnNet",
    "Unfold",
]


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

"""The family ``nets``: what it offers to all that plays, draws and makes its levels."""

from functools import partial

from pysim.errors import Reason
from pysim.families.nets.actions import Fold, TurnNet, Unfold
from pysim.families.nets.canonical import compute_canonical_form
from pysim.families.nets.gestures import list_gestures
from pysim.families.nets.preview import make_preview
from pysim.families.nets.puzzle import NetPuzzle, read_puzzle, restore_puzzle, write_puzzle
from pysim.families.nets.rules import NetRules
from pysim.families.nets.state import NetsState
from pysim.puzzle import Family, Flaw, list_solved_bodies

__all__ = ["FAMILY"]

_RULES = NetRules()


def _batch() -> object:
    from pysim.families.nets.batch import create_batch

    return create_batch


def _spaces() -> tuple[object, ...]:
    from pysim.families.nets.space import create_spaces

    return create_spaces()


def _generator() -> object:
    from pysim.families.nets.plugin import GENERATOR

    return GENERATOR


FAMILY: Family[NetPuzzle, NetsState] = Family(
    name="nets",
    actions=(Fold, Unfold, TurnNet),
    rules=_RULES,
    refusals=(
        Reason.BLOCKED,
        Reason.NO_EFFECT,
    ),
    flaws=(
        Flaw(("nets",), "a puzzle has nets", 3),
        Flaw(("nets",), "one net and a target, or two nets", []),
        Flaw(("nets", 0, 0), "a face is an object", "red"),
        Flaw(("nets", 0, 0, "face"), "one word in lower case", "Red!"),
        Flaw(("nets", 0, 0, "face"), "share a name", source=("nets", 0, 1, "face")),
        Flaw(("nets", 0, 0, "square"), "two small whole numbers", [1.5, 0]),
        Flaw(("nets", 0, 0, "square"), "no two in one place", source=("nets", 0, 1, "square")),
        Flaw(("nets", 0, 0, "square"), "hang together", [90, 90]),
        Flaw(("nets", 0, 0, "arrow"), "an arrow points", "north"),
        Flaw(("nets", 0, 0, "colour"), "an arrow is", "teal"),
        Flaw(("target",), "a target has the faces", {}),
    ),
    read=read_puzzle,
    write=write_puzzle,
    colours=lambda puzzle: puzzle.colours,
    preview=make_preview,
    spaces=_spaces,
    batch=_batch,
    generator=_generator,
    canonical_form=compute_canonical_form,
    restore=restore_puzzle,
    assembly=partial(list_solved_bodies, _RULES),
    gestures=list_gestures,
)

"""The family as the catalog knows it."""

from functools import partial

from pysim.errors import Reason
from pysim.families.rubik.actions import ApplyViewTransformation, MakeMove
from pysim.families.rubik.canonical import compute_canonical_form
from pysim.families.rubik.gestures import list_gestures
from pysim.families.rubik.learning.training import FACELET_COLOURS, scramble_puzzle
from pysim.families.rubik.pictures import list_views
from pysim.families.rubik.preview import make_preview
from pysim.families.rubik.puzzle import (
    COLOURS,
    CubePuzzle,
    read_puzzle,
    restore_puzzle,
    write_puzzle,
)
from pysim.families.rubik.rules import RubikRules
from pysim.families.rubik.state import CubeState
from pysim.families.rubik.text import describe_letters, write_text_instruction
from pysim.puzzle import Family, Flaw, Scope, TextOnly, list_solved_bodies

__all__ = ["FAMILY"]

_RULES = RubikRules()


def _scope(puzzle: CubePuzzle) -> Scope:
    """Return the limits of a cube: an observer who sees all of it has no reason to go around it."""
    withheld = () if puzzle.setting.partial else (ApplyViewTransformation,)
    return Scope(withheld=frozenset(withheld))


def _batch() -> object:
    from pysim.families.rubik.learning.batch import create_batch

    return create_batch


def _spaces() -> tuple[object, ...]:
    from pysim.families.rubik.space import create_spaces

    return create_spaces()


def _generator() -> object:
    from pysim.families.rubik.plugin import GENERATOR

    return GENERATOR


FAMILY: Family[CubePuzzle, CubeState] = Family(
    name="rubik",
    actions=(MakeMove, ApplyViewTransformation),
    rules=_RULES,
    refusals=(Reason.NO_EFFECT,),
    flaws=(
        Flaw(("state",), "54 letters", 7),
        Flaw(("state",), "54 letters, not 6", "WOGRYB"),
        Flaw(("state",), "W R G Y O B", "x" * 54),
        Flaw(("state",), "W is there 54 times", "W" * 54),
        Flaw(("state",), "not solved", "WWWWWWWWWOOOOOOOOOGGGGGGGGGRRRRRRRRRYYYYYYYYYBBBBBBBBB"),
        Flaw(("setting",), "a 'setting'"),
        Flaw(("setting",), "no setting 'blind'", "blind"),
    ),
    read=read_puzzle,
    write=write_puzzle,
    colours=lambda puzzle: COLOURS,
    preview=make_preview,
    views=lambda puzzle, state: list_views(state),
    features=FACELET_COLOURS,
    scramble=scramble_puzzle,
    batch=_batch,
    scope=_scope,
    text_only=TextOnly(write_text_instruction, describe_letters),
    spaces=_spaces,
    generator=_generator,
    canonical_form=compute_canonical_form,
    restore=restore_puzzle,
    assembly=partial(list_solved_bodies, _RULES),
    gestures=list_gestures,
)

"""The family ``jigsaw``: what it offers to all that plays, draws and makes its levels."""

from functools import partial

from pysim.errors import Reason
from pysim.families.jigsaw.actions import Attach, Detach
from pysim.families.jigsaw.canonical import compute_canonical_form
from pysim.families.jigsaw.preview import make_preview
from pysim.families.jigsaw.puzzle import Jigsaw, read_jigsaw, restore_jigsaw, write_jigsaw
from pysim.families.jigsaw.rules import JigsawRules
from pysim.families.jigsaw.state import JigsawState
from pysim.puzzle import Family, Flaw, list_solved_bodies

__all__ = ["FAMILY"]

_RULES = JigsawRules()


def _batch() -> object:
    from pysim.families.jigsaw.batch import create_batch

    return create_batch


def _spaces() -> tuple[object, ...]:
    from pysim.families.jigsaw.space import create_spaces

    return create_spaces()


def _generator() -> object:
    from pysim.families.jigsaw.plugin import GENERATOR

    return GENERATOR


FAMILY: Family[Jigsaw, JigsawState] = Family(
    name="jigsaw",
    actions=(Attach, Detach),
    rules=_RULES,
    refusals=(
        Reason.ALREADY_FREE,
        Reason.NOT_FREE,
        Reason.OVERLAP,
    ),
    flaws=(
        Flaw(("size",), "has pieces, not", 5),
        Flaw(("pieces",), "the pieces are a list"),
        Flaw(("pieces",), "6 pieces", []),
        Flaw(("pieces", 0), "a colour and rows", "red"),
        Flaw(("pieces", 0, "colour"), "a colour is a name", 3),
        Flaw(("pieces", 0, "colour"), "share", source=("pieces", 1, "colour")),
        Flaw(("pieces", 0, "rows"), "a list of texts", "#####"),
        Flaw(("pieces", 0, "rows"), "5 rows of 5", ["#####"] * 4),
        Flaw(("pieces", 0, "rows"), "the middle 3 x 3", ["....."] * 5),
        Flaw(("pieces", 0, "start"), "a start is a face", ["Front", "left", "right"]),
        Flaw(("pieces", 0, "shape"), "has no shape", 1),
    ),
    read=read_jigsaw,
    write=write_jigsaw,
    colours=lambda jigsaw: jigsaw.colours,
    preview=make_preview,
    spaces=_spaces,
    batch=_batch,
    generator=_generator,
    canonical_form=compute_canonical_form,
    restore=restore_jigsaw,
    assembly=partial(list_solved_bodies, _RULES),
)

"""The family ``packing``: what it offers to all that plays, draws and makes its levels."""

from functools import partial

from pysim.errors import Reason
from pysim.families.packing.actions import PickUp, Place, PlaceAt
from pysim.families.packing.box import Packing, read_packing, restore_packing, write_packing
from pysim.families.packing.canonical import compute_canonical_form
from pysim.families.packing.preview import make_preview
from pysim.families.packing.rules import PackingRules
from pysim.families.packing.state import PackingState
from pysim.families.packing.text import describe_state, write_instruction
from pysim.puzzle import Family, Flaw, Scope, TextOnly, list_solved_bodies

__all__ = ["FAMILY"]

_RULES = PackingRules()


def _batch() -> object:
    from pysim.families.packing.batch import create_batch

    return create_batch


def _spaces() -> tuple[object, ...]:
    from pysim.families.packing.batch import BoxLister
    from pysim.families.packing.space import create_spaces

    return create_spaces(BoxLister)


def _generator() -> object:
    from pysim.families.packing.plugin import GENERATOR

    return GENERATOR


FAMILY: Family[Packing, PackingState] = Family(
    name="packing",
    actions=(Place, PlaceAt, PickUp),
    rules=_RULES,
    refusals=(
        Reason.ALREADY_FREE,
        Reason.BLOCKED,
        Reason.NOT_FREE,
        Reason.OUT_OF_BOUNDS,
        Reason.OVERLAP,
        Reason.UNREACHABLE,
        Reason.UNSTABLE,
    ),
    flaws=(
        Flaw(("size",), "three whole numbers", [3, 1, True]),
        Flaw(("size",), "1 to 8 cells, unlike 9x1x1", [9, 1, 1]),
        Flaw(("size",), "4 to 128 cells; 8x8x8 has 512", [8, 8, 8]),
        Flaw(("gravity",), "true or false", 1),
        Flaw(("open",), "needs an open side", []),
        Flaw(("open",), "list of directions", ["up"]),
        Flaw(("pieces",), "list of pieces", {}),
        Flaw(("pieces",), "two pieces or more", []),
        Flaw(("pieces", 0), "piece 0 is not an object", "red"),
        Flaw(("pieces", 0, "colour"), "one word in lower case", "Dark Red"),
        Flaw(("pieces", 0, "colour"), "share a colour", source=("pieces", 1, "colour")),
        Flaw(("pieces", 0, "layers"), "list of strings", "###"),
        Flaw(("pieces", 0, "layers"), "drawn with # and .", ["#x#"]),
        Flaw(("pieces", 0, "layers"), "at least one cell", ["..."]),
        Flaw(("pieces", 0, "layers"), "the box", ["#"]),
    ),
    read=read_packing,
    write=write_packing,
    colours=lambda packing: packing.colours,
    preview=make_preview,
    spaces=_spaces,
    batch=_batch,
    generator=_generator,
    scope=lambda packing: Scope(cells=packing.block),
    text_only=TextOnly(partial(write_instruction, pictures=False), describe_state),
    canonical_form=compute_canonical_form,
    restore=restore_packing,
    assembly=partial(list_solved_bodies, _RULES),
)

"""The family ``packing``: what it offers to all that plays, draws and makes its levels."""

from functools import partial

from pysim.errors import Reason
from pysim.families.packing.actions import PickUp, Place, PlaceAt
from pysim.families.packing.box import Packing, read_packing, write_packing
from pysim.families.packing.preview import make_preview
from pysim.families.packing.rules import PackingRules
from pysim.families.packing.state import PackingState
from pysim.families.packing.text import describe_state, write_instruction
from pysim.puzzle import Family, Scope, TextOnly

__all__ = ["FAMILY"]


def _generator() -> object:
    from pysim.families.packing.plugin import GENERATOR

    return GENERATOR


FAMILY: Family[Packing, PackingState] = Family(
    name="packing",
    actions=(Place, PlaceAt, PickUp),
    rules=PackingRules(),
    refusals=(
        Reason.ALREADY_FREE,
        Reason.BLOCKED,
        Reason.NOT_FREE,
        Reason.OUT_OF_BOUNDS,
        Reason.OVERLAP,
        Reason.UNREACHABLE,
        Reason.UNSTABLE,
    ),
    read=read_packing,
    write=write_packing,
    colours=lambda packing: packing.colours,
    preview=make_preview,
    generator=_generator,
    scope=lambda packing: Scope(cells=packing.block),
    text_only=TextOnly(partial(write_instruction, pictures=False), describe_state),
)

"""The family ``jigsaw``: what it offers to all that plays, draws and makes its levels."""

from pysim.errors import Reason
from pysim.families.jigsaw.actions import Attach, Detach
from pysim.families.jigsaw.preview import make_preview
from pysim.families.jigsaw.puzzle import Jigsaw, read_jigsaw, write_jigsaw
from pysim.families.jigsaw.rules import JigsawRules
from pysim.families.jigsaw.state import JigsawState
from pysim.puzzle import Family

__all__ = ["FAMILY"]


def _generator() -> object:
    from pysim.families.jigsaw.plugin import GENERATOR

    return GENERATOR


FAMILY: Family[Jigsaw, JigsawState] = Family(
    name="jigsaw",
    actions=(Attach, Detach),
    rules=JigsawRules(),
    refusals=(
        Reason.ALREADY_FREE,
        Reason.NOT_FREE,
        Reason.OVERLAP,
    ),
    read=read_jigsaw,
    write=write_jigsaw,
    colours=lambda jigsaw: jigsaw.colours,
    preview=make_preview,
    generator=_generator,
)

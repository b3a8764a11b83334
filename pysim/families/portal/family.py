"""The family ``portal``: what it offers to all that plays, draws and makes its levels."""

from pysim.errors import Reason
from pysim.families.portal.actions import (
    ChamberReason,
    Drop,
    Enter,
    Jump,
    PickUpBox,
    PlaceGate,
    Press,
    Wait,
    WalkTo,
)
from pysim.families.portal.canonical import compute_canonical_form
from pysim.families.portal.chamber import (
    Chamber,
)
from pysim.families.portal.documents import read_chamber, restore_chamber, write_chamber
from pysim.families.portal.gestures import list_gestures
from pysim.families.portal.legal import make_scope
from pysim.families.portal.rules import PortalRules
from pysim.families.portal.scene import make_preview
from pysim.families.portal.state import ChamberState
from pysim.families.portal.text import describe_all, write_text_instruction
from pysim.families.portal.views import list_views
from pysim.puzzle import Family, Flaw, TextOnly

__all__ = ["FAMILY"]


def _spaces() -> tuple[object, ...]:
    from pysim.families.portal.batch import ChamberLister
    from pysim.families.portal.space import create_spaces

    return create_spaces(ChamberLister)


def _batch() -> object:
    from pysim.families.portal.batch import create_batch

    return create_batch


def _generator() -> object:
    from pysim.families.portal.plugin import GENERATOR

    return GENERATOR


FAMILY: Family[Chamber, ChamberState] = Family(
    name="portal",
    actions=(WalkTo, PlaceGate, Enter, Jump, PickUpBox, Drop, Press, Wait),
    rules=PortalRules(),
    refusals=(
        ChamberReason.DEADLY,
        ChamberReason.DOOR_CLOSED,
        ChamberReason.NOT_PORTALABLE,
        ChamberReason.NO_LINE_OF_SIGHT,
        Reason.BLOCKED,
        Reason.NOT_FREE,
        Reason.NO_EFFECT,
        Reason.UNREACHABLE,
        Reason.UNSTABLE,
    ),
    flaws=(
        Flaw(("layers",), "layers of rows", []),
        Flaw(("layers",), "equally long", [["..", "."]]),
        Flaw(("layers",), "no sign of a chamber", [["x"]]),
        Flaw(("layers",), "at most", [["." * 25]]),
        Flaw(("agent",), "a name is a text", 3),
        Flaw(("start",), "three whole numbers", [1, 1]),
        Flaw(("start",), "the agent has to be in a free cell", [0, 0, 0]),
        Flaw(("exit",), "a cell is a list", "there"),
        Flaw(("boxes",), "boxes are objects", [3]),
        Flaw(("boxes",), "at most 32 boxes", [{}] * 33),
        Flaw(
            ("doors",),
            "the door x has to be in",
            [{"name": "x", "cell": [0, 0, 0], "needs": []}],
        ),
        Flaw(("buttons",), "100 ticks", [{"name": "clock", "cell": [0, 0, 0], "ticks": 1000}]),
        Flaw(("lasers",), "a way is one of", [{"cell": [0, 0, 0], "way": "up"}]),
        Flaw(("fields",), "a cell is a list", [3]),
    ),
    read=read_chamber,
    write=write_chamber,
    colours=lambda chamber: chamber.colours,
    preview=make_preview,
    views=list_views,
    spaces=_spaces,
    batch=_batch,
    generator=_generator,
    scope=make_scope,
    text_only=TextOnly(write_text_instruction, describe_all),
    canonical_form=compute_canonical_form,
    restore=restore_chamber,
    gestures=list_gestures,
)

"""Portal chambers: rooms to be left with the help of two gates, boxes, lasers and beams."""

from pysim.errors import Reason
from pysim.families.portal.actions import (
    ChamberReason,
    Drop,
    Enter,
    FloorWay,
    Gate,
    Jump,
    PickUpBox,
    PlaceGate,
    Press,
    Wait,
    WalkTo,
)
from pysim.families.portal.chamber import (
    Button,
    Chamber,
    Door,
    Emitter,
    MovableBox,
    Pad,
    Receiver,
    Surface,
)
from pysim.families.portal.documents import read_chamber, write_chamber
from pysim.families.portal.legal import make_scope
from pysim.families.portal.rules import PortalRules
from pysim.families.portal.scene import make_preview
from pysim.families.portal.state import ChamberState
from pysim.families.portal.text import describe_all, write_text_instruction
from pysim.families.portal.views import list_views
from pysim.puzzle import Family, TextOnly

__all__ = [
    "FAMILY",
    "Button",
    "Chamber",
    "ChamberReason",
    "ChamberState",
    "Door",
    "Drop",
    "Emitter",
    "Enter",
    "FloorWay",
    "Gate",
    "Jump",
    "MovableBox",
    "Pad",
    "PickUpBox",
    "PlaceGate",
    "PortalRules",
    "Press",
    "Receiver",
    "Surface",
    "Wait",
    "WalkTo",
]


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
    read=read_chamber,
    write=write_chamber,
    colours=lambda chamber: chamber.colours,
    preview=make_preview,
    views=list_views,
    generator=_generator,
    scope=make_scope,
    text_only=TextOnly(write_text_instruction, describe_all),
)

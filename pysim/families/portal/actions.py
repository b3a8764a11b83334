"""Actions of agents in a chamber."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import ClassVar

from pysim.field_types import Steps
from pysim.geometry import Cell, Direction
from pysim.puzzle import Action
from pysim.scene import Colour

__all__ = [
    "ChamberReason",
    "Drop",
    "Enter",
    "FloorWay",
    "Gate",
    "Jump",
    "PickUpBox",
    "PlaceGate",
    "Press",
    "Wait",
    "WalkTo",
]


class ChamberReason(StrEnum):
    """Why an action is refused, in words that chambers alone need."""

    DEADLY = "DEADLY"
    DOOR_CLOSED = "DOOR_CLOSED"
    NO_LINE_OF_SIGHT = "NO_LINE_OF_SIGHT"
    NOT_PORTALABLE = "NOT_PORTALABLE"


class Gate(StrEnum):
    """One of the two gates."""

    ORANGE = "orange"
    BLUE = "blue"


class FloorWay(StrEnum):
    """A direction along the floor."""

    PLUS_X = "+x"
    MINUS_X = "-x"
    PLUS_Y = "+y"
    MINUS_Y = "-y"

    @property
    def direction(self) -> Direction:
        """The same as a direction of the lattice."""
        return Direction(self.value)


@dataclass(frozen=True, slots=True)
class WalkTo(Action):
    """Walk to a cell along the shortest way, around fields if possible.

    You can walk on level ground and one cell down. The last step may lead over an edge, into a beam
    or onto a launch pad; then you fall, are carried or thrown until you come to rest.
    """

    tool: ClassVar[str] = "walk_to"

    cell: Cell = field(metadata={"doc": "The cell where your feet are to be, as [x, y, z]."})


@dataclass(frozen=True, slots=True)
class PlaceGate(Action):
    """Open a gate on a surface that takes gates and that you see from where you stand.

    A gate of the same colour elsewhere closes.
    """

    tool: ClassVar[str] = "place_gate"

    gate: Gate = field(metadata={"doc": "orange or blue."})
    cell: Cell = field(metadata={"doc": "The solid cell whose face takes the gate."})
    side: Direction = field(metadata={"doc": "Where that face looks, +z for a floor."})


@dataclass(frozen=True, slots=True)
class Enter(Action):
    """Walk to a gate and through it, or let yourself fall into one in the floor."""

    tool: ClassVar[str] = "enter"

    gate: Gate = field(metadata={"doc": "The gate that you go into; you leave by the other one."})


@dataclass(frozen=True, slots=True)
class Jump(Action):
    """Jump up one cell and forward: onto what is one cell higher, or over a gap of two cells."""

    tool: ClassVar[str] = "jump"

    way: FloorWay = field(metadata={"doc": "Where to: +x, -x, +y or -y."})


@dataclass(frozen=True, slots=True)
class PickUpBox(Action):
    """Take up a box in a cell beside you, at most one cell higher or lower."""

    tool: ClassVar[str] = "pick_up"

    box: Colour = field(metadata={"doc": "The box, a colour."})


@dataclass(frozen=True, slots=True)
class Drop(Action):
    """Let go of the box that you carry, in a free cell beside you or one above that; it falls."""

    tool: ClassVar[str] = "drop"

    cell: Cell = field(metadata={"doc": "Where you let go of it."})


@dataclass(frozen=True, slots=True)
class Press(Action):
    """Press a timed button on your cell or beside you; it works for its time."""

    tool: ClassVar[str] = "press"

    cell: Cell = field(metadata={"doc": "The cell of the button."})


@dataclass(frozen=True, slots=True)
class Wait(Action):
    """Wait while timed buttons run."""

    tool: ClassVar[str] = "wait"

    ticks: Steps = field(metadata={"doc": "For how long; a step of a walk takes one tick."})

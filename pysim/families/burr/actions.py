"""Actions of agents on a lock."""

from dataclasses import dataclass, field
from typing import ClassVar

from pysim.field_types import Colours, Distance, QuarterTurns
from pysim.geometry import Axis, Cell, Direction, Rotation
from pysim.puzzle import Action
from pysim.scene import Colour

__all__ = ["Bring", "Rotate", "Slide"]


@dataclass(frozen=True, slots=True)
class Slide(Action):
    """Move one or more pieces of the lock together, in a straight line, all or nothing.

    If anything stands in the way nothing moves, and the answer says how far the pieces could go
    and which colours block them. Pieces that no longer reach into the others are separated: a
    single piece is put on the table, several together are put aside.
    """

    tool: ClassVar[str] = "slide"

    pieces: Colours = field(metadata={"doc": "Colours of the pieces that move together."})
    direction: Direction = field(metadata={"doc": "Where to, along an axis; +z is up."})
    distance: Distance = field(
        metadata={"doc": "Whole units, or 'out': as far as it takes to separate the pieces."}
    )


@dataclass(frozen=True, slots=True)
class Bring(Action):
    """Take a free piece from the table and move it in from outside, in a straight line.

    The piece is turned first, then enters along `direction` until the low corner (least x, y and
    z) of its bounding box is at `cell`. The way in must be clear.
    """

    tool: ClassVar[str] = "bring"

    piece: Colour = field(metadata={"doc": "Colour of a free piece."})
    rotation: Rotation = field(
        metadata={
            "doc": "Where the piece's own x, y and z axes point in the end; "
            "+X+Y+Z is the way it was drawn."
        }
    )
    cell: Cell = field(metadata={"doc": "Low corner of the piece's bounding box, [x, y, z]."})
    direction: Direction = field(metadata={"doc": "The direction in which the piece moves in."})


@dataclass(frozen=True, slots=True)
class Rotate(Action):
    """Turn a free piece on the table about an axis (right-handed); it must not tip over."""

    tool: ClassVar[str] = "rotate"

    piece: Colour = field(metadata={"doc": "Colour of a free piece."})
    axis: Axis = field(metadata={"doc": "The axis to turn about."})
    quarter_turns: QuarterTurns = field(metadata={"doc": "Number of quarter turns."})

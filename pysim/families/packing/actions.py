"""Actions of agents on pieces and a box."""

from dataclasses import dataclass, field
from typing import ClassVar

from pysim.field_types import Cells
from pysim.geometry import Cell, Direction, Rotation
from pysim.puzzle import Action
from pysim.scene import Colour

__all__ = ["PickUp", "Place", "PlaceAt"]

_DIRECTION_DOC = "The direction in which the piece moves in; -z is from above."


@dataclass(frozen=True, slots=True)
class Place(Action):
    """Put a piece from the table into the box so that it covers exactly the given cells.

    The rotation follows from the cells. The piece moves straight in along `direction` through an
    open side; the way must be clear, and with gravity the piece must be supported where it ends.
    """

    tool: ClassVar[str] = "place"

    piece: Colour = field(metadata={"doc": "Colour of a piece on the table."})
    cells: Cells = field(
        metadata={"doc": "All cells that it is to cover, [x, y, z] each, in any order."}
    )
    direction: Direction = field(default=Direction.MINUS_Z, metadata={"doc": _DIRECTION_DOC})


@dataclass(frozen=True, slots=True)
class PlaceAt(Action):
    """Put a piece from the table into the box, given how it is turned and where its corner is.

    The same as `place` with the cells that follow: the piece is turned, and the low corner (least
    x, y and z) of its bounding box is put at `cell`.
    """

    tool: ClassVar[str] = "place_at"

    piece: Colour = field(metadata={"doc": "Colour of a piece on the table."})
    rotation: Rotation = field(
        metadata={
            "doc": "Where the piece's own x, y and z axes point in the end; "
            "+X+Y+Z is the way it lies on the table."
        }
    )
    cell: Cell = field(metadata={"doc": "Low corner of the piece's bounding box, [x, y, z]."})
    direction: Direction = field(default=Direction.MINUS_Z, metadata={"doc": _DIRECTION_DOC})


@dataclass(frozen=True, slots=True)
class PickUp(Action):
    """Take a piece out of the box, straight through an open side, back to its place on the table.

    There must be a clear way out, and with gravity the other pieces must stay without it.
    """

    tool: ClassVar[str] = "pick_up"

    piece: Colour = field(metadata={"doc": "Colour of a piece in the box."})

"""Actions of agents on the pieces of a jigsaw cube."""

from dataclasses import dataclass, field
from typing import ClassVar

from pysim.families.jigsaw.faces import Edge, ShellFace
from pysim.puzzle import Action
from pysim.scene import Colour

__all__ = ["Attach", "Detach"]


@dataclass(frozen=True, slots=True)
class Attach(Action):
    """Put a piece from the table onto a face of the cube, turned and turned over as it has to be.

    How it lies follows from which of its edges are on the left and on top when the face is looked
    at from outside. It comes straight from outside, and no two pieces may fill the same cell.
    """

    tool: ClassVar[str] = "attach"

    piece: Colour = field(metadata={"doc": "Colour of a piece on the table."})
    face: ShellFace = field(metadata={"doc": "The face of the cube that it becomes."})
    left_edge: Edge = field(
        metadata={
            "doc": "Which of the piece's edges, named as it lies on the table, is on the left."
        }
    )
    top_edge: Edge = field(metadata={"doc": "Which one is on top; the two share a corner."})


@dataclass(frozen=True, slots=True)
class Detach(Action):
    """Take a piece off the cube, straight outwards, back to its place on the table."""

    tool: ClassVar[str] = "detach"

    piece: Colour = field(metadata={"doc": "Colour of a piece on the cube."})

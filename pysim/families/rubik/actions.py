"""Actions on a cube. Their docstrings are the descriptions of tools that agents read."""

from dataclasses import dataclass, field
from typing import ClassVar

from pysim.families.rubik.choices import FaceTurn, ViewShift
from pysim.puzzle import Action

__all__ = ["ApplyViewTransformation", "MakeMove"]


@dataclass(frozen=True, slots=True)
class MakeMove(Action):
    """Turn one face of the cube by 90 degrees.

    Moves are in Singmaster notation: F front, B back, L left, R right, U up, D down, clockwise as
    seen when looking at that face; with ' counter-clockwise. Faces keep their names wherever they
    are looked at from.
    """

    tool: ClassVar[str] = "make_move"

    move: FaceTurn = field(metadata={"doc": "One of F F' B B' L L' R R' U U' D D'."})


@dataclass(frozen=True, slots=True)
class ApplyViewTransformation(Action):
    """Go around the cube, which stays as it is, to see it from another side.

    Only where part of the cube is seen at a time.
    """

    tool: ClassVar[str] = "apply_view_transformation"

    direction: ViewShift = field(
        metadata={"doc": "The side of what is seen now to which to go: up, down, left or right."}
    )

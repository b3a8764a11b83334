"""Actions of agents on nets."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import ClassVar

from pysim.field_types import QuarterTurns
from pysim.geometry import Axis
from pysim.puzzle import Action
from pysim.scene import Colour

__all__ = ["Crease", "Fold", "TurnNet", "Unfold"]


class Crease(StrEnum):
    """Direction in which a hinge is folded, in the words of people who fold paper."""

    MOUNTAIN = "mountain"
    """Away from the printed side: the arrows get outside."""
    VALLEY = "valley"
    """Towards the printed side."""


@dataclass(frozen=True, slots=True)
class Fold(Action):
    """Fold a face by 90 degrees about its hinge, with all faces that hang on it.

    Its hinge is the edge towards the face by which the net is held. A mountain fold bends it away
    from the printed side, so that arrows get outside, a valley fold towards the printed side. The
    hinge has to be flat, and nothing may be in the way.
    """

    tool: ClassVar[str] = "fold"

    face: Colour = field(metadata={"doc": "The face that is folded, by its name, a colour."})
    way: Crease = field(metadata={"doc": "mountain (arrows outside) or valley (arrows inside)."})


@dataclass(frozen=True, slots=True)
class Unfold(Action):
    """Make the hinge of a face flat again; all faces that hang on it come along."""

    tool: ClassVar[str] = "unfold"

    face: Colour = field(metadata={"doc": "The face that is unfolded, by its name, a colour."})


@dataclass(frozen=True, slots=True)
class TurnNet(Action):
    """Turn a whole net or cube, right-handed, about an axis through the face that is held."""

    tool: ClassVar[str] = "turn"

    face: Colour = field(metadata={"doc": "Any face of the net that is turned."})
    axis: Axis = field(metadata={"doc": "x (to the right), y (to the back) or z (up)."})
    quarters: QuarterTurns = field(
        default=QuarterTurns(1), metadata={"doc": "Quarter turns: 1, 2, or 3 for one back."}
    )

"""Plans as readable steps."""

from pysim.families.portal.actions import (
    Drop,
    Enter,
    Jump,
    PickUpBox,
    PlaceGate,
    Press,
    Wait,
    WalkTo,
)
from pysim.geometry import Cell
from pysim.puzzle import Action

__all__ = ["format_step"]


def format_step(action: Action) -> str:
    """Return an action as a sentence.

    Raises:
        TypeError: it is none of a chamber.
    """
    match action:
        case WalkTo():
            return f"Walk to {_cell(action.cell)}."
        case PlaceGate():
            where = f"side {action.side} of {_cell(action.cell)}"
            return f"Place the {action.gate} gate on {where}."
        case Enter():
            return f"Go through the {action.gate} gate."
        case Jump():
            return f"Jump towards {action.way}."
        case PickUpBox():
            return f"Pick up the {action.box} box."
        case Drop():
            return f"Drop the box at {_cell(action.cell)}."
        case Press():
            return f"Press the button at {_cell(action.cell)}."
        case Wait():
            return f"Wait for {action.ticks} ticks."
    raise TypeError(f"{type(action).__name__} is no action of a chamber")


def _cell(cell: Cell) -> str:
    return f"({cell[0]},{cell[1]},{cell[2]})"

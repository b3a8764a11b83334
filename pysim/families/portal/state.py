"""Places of everything, at rest."""

from dataclasses import dataclass, replace

from pysim.families.portal.actions import Gate
from pysim.families.portal.chamber import Chamber, Surface
from pysim.geometry import Cell

__all__ = ["ChamberState", "format_cell", "start_of"]


@dataclass(frozen=True, slots=True)
class ChamberState:
    """A state.

    Attributes:
        agent: the agent's cell.
        boxes: of each box its cell; None if it is carried.
        orange, blue: where the gates are; None if there is none.
        timers: of each button the ticks for which it still works by having been pressed.
    """

    agent: Cell
    boxes: tuple[Cell | None, ...]
    orange: Surface | None
    blue: Surface | None
    timers: tuple[int, ...]

    @property
    def held(self) -> int | None:
        """The number of the box that is carried."""
        return self.boxes.index(None) if None in self.boxes else None

    @property
    def pair(self) -> tuple[Surface, Surface] | None:
        """Both gates, if there are both: only then they are open."""
        return None if self.orange is None or self.blue is None else (self.orange, self.blue)

    def replace_agent(self, cell: Cell) -> "ChamberState":
        """Return the same with the agent elsewhere."""
        return ChamberState(cell, self.boxes, self.orange, self.blue, self.timers)

    def close_gates(self) -> "ChamberState":
        """Return the same with both gates closed."""
        return ChamberState(self.agent, self.boxes, None, None, self.timers)

    def get_gate(self, gate: Gate) -> Surface | None:
        """Return the place of a gate."""
        return self.orange if gate is Gate.ORANGE else self.blue

    def replace_gate(self, gate: Gate, surface: Surface) -> "ChamberState":
        """Return the same with a gate elsewhere."""
        if gate is Gate.ORANGE:
            return replace(self, orange=surface)
        return replace(self, blue=surface)

    def replace_box(self, number: int, cell: Cell | None) -> "ChamberState":
        """Return the same with a box elsewhere, or carried."""
        boxes = (*self.boxes[:number], cell, *self.boxes[number + 1 :])
        return ChamberState(self.agent, boxes, self.orange, self.blue, self.timers)

    def wait(self, ticks: int = 1) -> "ChamberState":
        """Return the same after some ticks in which nothing moves."""
        if not any(self.timers):
            return self
        return replace(self, timers=tuple(max(0, left - ticks) for left in self.timers))

    def encode(self) -> str:
        """Return a canonical text: agent, boxes, gates, timers."""
        boxes = " ".join("held" if cell is None else format_cell(cell) for cell in self.boxes)
        gates = " ".join(
            "-" if gate is None else f"{format_cell(gate.cell)}{gate.side}"
            for gate in (self.orange, self.blue)
        )
        timers = ",".join(map(str, self.timers))
        return f"{format_cell(self.agent)} | {boxes} | {gates} | {timers}"


def format_cell(cell: Cell) -> str:
    """Return a cell as ``(x,y,z)``."""
    return f"({cell[0]},{cell[1]},{cell[2]})"


def start_of(chamber: Chamber) -> ChamberState:
    """Return the agent and all boxes at their places, no gates."""
    boxes = tuple(box.cell for box in chamber.boxes)
    return ChamberState(chamber.start, boxes, None, None, (0,) * len(chamber.buttons))

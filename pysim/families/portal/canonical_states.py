"""Cells that are alike, as far as actions go: a search has to walk to one of them only."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from pysim.families.portal.chamber import Chamber, Surface
from pysim.families.portal.circuits import compute_situation
from pysim.families.portal.gates import find_sight_doors
from pysim.families.portal.state import ChamberState
from pysim.families.portal.walking import SIDES
from pysim.geometry import Cell, add, scale

__all__ = ["CellClasses", "classify_cells", "find_visible_surfaces"]

_Boxes = tuple[Cell | None, ...]


@dataclass(frozen=True, slots=True)
class CellClasses:
    """The kinds of cells while boxes and bridges are where they are; found when they are asked for.

    Two cells are alike if the same surfaces are seen from them through the same doors, the same
    things are beside them, and one can walk from one to the other while all doors are closed.
    """

    chamber: Chamber
    boxes: _Boxes
    bridge: frozenset[Cell]
    _known: dict[Cell, int] = field(default_factory=dict, compare=False)
    _numbers: dict[object, int] = field(default_factory=dict, compare=False)

    def classify(self, cell: Cell) -> int:
        """Return a number, the same for cells that are alike."""
        if cell not in self._known:
            self._known[cell] = self._numbers.setdefault(self._found(cell), len(self._numbers))
        return self._known[cell]

    def _found(self, cell: Cell) -> object:
        near = [
            (k, cell)
            for k, box in enumerate(self.boxes)
            if box is not None and abs(box[0] - cell[0]) + abs(box[1] - cell[1]) == 1
        ]
        part = _parts(self.chamber, self.boxes).get(cell, cell)
        own = cell if self.may_leap(cell) else None
        return (_place(self.chamber, cell), tuple(near), own, part)

    def may_leap(self, cell: Cell) -> bool:
        """Return whether a jump from a cell may lead elsewhere than a walk."""
        ahead = _ahead(cell)
        full = not ahead.isdisjoint(self.boxes) or not ahead.isdisjoint(self.bridge)
        return full or not _leap_free(self.chamber, cell)


def classify_cells(chamber: Chamber, state: ChamberState) -> CellClasses:
    """Return the kinds of cells in a state."""
    return _alike(chamber, state.boxes, compute_situation(chamber, state).bridge)


@lru_cache(maxsize=2_000)
def _alike(chamber: Chamber, boxes: _Boxes, bridge: frozenset[Cell]) -> CellClasses:
    return CellClasses(chamber, boxes, bridge)


@lru_cache(maxsize=1_000)
def _parts(chamber: Chamber, boxes: _Boxes) -> Mapping[Cell, Cell]:
    """Of each cell on solid ground one of those between which one walks to and fro for ever.

    Doors, fields, pads and boxes part them, and so does a step down.
    """
    ends = {*boxes, *chamber.door_at, *chamber.fields, *chamber.pad_at}
    ground = {c for c in chamber.free - ends if add(c, (0, 0, -1)) not in chamber.free}
    parts: dict[Cell, Cell] = {}
    for first in sorted(ground):
        queue = [] if first in parts else [first]
        while queue:
            cell = queue.pop()
            if cell not in parts:
                parts[cell] = first
                queue += (there for side in SIDES if (there := add(cell, side)) in ground)
    return parts


@lru_cache(maxsize=50_000)
def find_visible_surfaces(chamber: Chamber, cell: Cell) -> Mapping[Surface, frozenset[str]]:
    """Return the surfaces that are seen from a cell, and the doors that have to be open for it."""
    sights = ((surface, find_sight_doors(chamber, cell, surface)) for surface in chamber.surfaces)
    return {surface: doors for surface, doors in sights if doors is not None}


@lru_cache(maxsize=50_000)
def _place(chamber: Chamber, cell: Cell) -> object:
    """Return the fixed surroundings: visible surfaces, and things on or beside the cell."""
    seen = frozenset(find_visible_surfaces(chamber, cell).items())
    return (seen, cell if cell in _special(chamber) else None)


@lru_cache(maxsize=256)
def _special(chamber: Chamber) -> frozenset[Cell]:
    """Return cells on or beside which something is that others have not."""
    special = {chamber.exit, *chamber.pad_at, *chamber.fields, *chamber.door_at}
    special |= {button.cell for button in chamber.buttons}
    special |= {add(b.cell, side) for b in chamber.buttons if b.ticks for side in SIDES}
    special |= {s.front for s in chamber.surfaces if s.side.value == "+z"}
    return frozenset(special)


@lru_cache(maxsize=50_000)
def _leap_free(chamber: Chamber, cell: Cell) -> bool:
    """Return whether all walls are too high to be jumped upon, and the ground around is level."""
    for side in SIDES:
        for far in (1, 2):
            there = add(cell, scale(side, far))
            if there not in chamber.free:
                if add(there, (0, 0, 1)) in chamber.free:
                    return False
                break
            if add(there, (0, 0, -1)) in chamber.free:
                return False
    return True


@lru_cache(maxsize=50_000)
def _ahead(cell: Cell) -> frozenset[Cell]:
    return frozenset(add(cell, scale(side, far)) for side in SIDES for far in (1, 2))

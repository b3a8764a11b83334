"""Walks of the agent: all cells of a distance at once, as bit sets that are moved as a whole."""

from dataclasses import dataclass, field

from .motion import Surroundings
from .room import DOWN, Room

__all__ = ["Ground", "find_path", "survey_ground"]

_FLAT = (0, 1, 2, 3)


@dataclass(slots=True)
class Ground:
    """Cells on which the agent can walk, as bit sets.

    Attributes:
        full: cells that are left out.
        footing: cells from which a walk goes on.
        edges: other free cells from which a step down leads to a footing.
        levels: footings by the number of steps that they are away.
        ends: all cells in which a walk can end.
    """

    steps: tuple[int, ...]
    full: int
    footing: int
    edges: int
    levels: list[int] = field(default_factory=list)
    ends: int = 0

    def advance(self, cells: int, direction: int) -> int:
        """Return the cells beside some cells that are not full."""
        return move(cells, self.steps[direction]) & ~self.full

    def explore(self, starts: int) -> None:
        """Find all footings that can be reached from some cells, one distance after another."""
        reached = level = self.ends = starts
        while level:
            self.levels.append(level)
            beside = 0
            for direction in _FLAT:
                beside |= self.advance(level, direction)
            down = move(beside & self.edges, self.steps[DOWN])
            level = (beside | down) & self.footing & ~reached
            reached |= level
            self.ends |= beside | level


def move(cells: int, step: int) -> int:
    """Return a bit set with each cell moved by a step."""
    return cells << step if step > 0 else cells >> -step


def survey_ground(room: Room, around: Surroundings, starts: int, *, avoids_fields: bool) -> Ground:
    """Find where the agent can walk from some cells, with everything as it is."""
    up, everything = room.layer, (1 << room.solid.bit_length()) - 1
    excluded = room.pad_cells | around.light.beam_cells | room.liquid
    for face in around.passages:
        if face % 6 == 4:
            excluded |= 1 << face // 6
    full = around.full | (room.fields if avoids_fields else 0)
    footing = around.full << up & ~full & ~excluded & everything
    edges = ~full & ~footing & ~around.light.beam_cells & ~room.liquid & everything
    ground = Ground(room.steps, full, footing, edges & footing << up)
    ground.explore(starts)
    return ground


def find_path(ground: Ground, start: int, goal: int) -> list[int] | None:
    """Find the cells of the walk to a cell, or None if it can't be reached.

    A breadth-first search that looks in a fixed order finds, of all shortest ways, the one whose
    directions come first. So the ways are narrowed down from the goal, and the first direction
    that leads to what is left is taken from the start.
    """
    if not ground.ends >> goal & 1:
        return None
    if start == goal:
        return []
    stages = _narrow_down(ground, 1 << goal)
    path: list[int] = []
    cell = start
    for stage in stages:
        for direction in _FLAT:
            if found := _step(ground, cell, direction, stage):
                path += found
                cell = found[-1]
                break
    return path


def _step(ground: Ground, cell: int, direction: int, stage: int) -> list[int]:
    """Return the cells of a step that ends in a stage; none if it ends elsewhere."""
    beside = cell + ground.steps[direction]
    if ground.full >> beside & 1:
        return []
    if stage >> beside & 1:
        return [beside]
    below = beside + ground.steps[DOWN]
    return [beside, below] if ground.edges >> beside & 1 and stage >> below & 1 else []


def _narrow_down(ground: Ground, goal: int) -> list[int]:
    """Return the cells after each step that lie on a shortest way, from the first step on."""
    stages, sources = [goal], _find_sources(ground, goal)
    last = next(n for n, level in enumerate(ground.levels) if level & sources)
    for level in reversed(ground.levels[1 : last + 1]):
        stages.append(level & _find_sources(ground, stages[-1]))
    return stages[::-1]


def _find_sources(ground: Ground, cells: int) -> int:
    """Return all cells from which one step leads to some cells."""
    targets = cells | move(cells, -ground.steps[DOWN]) & ground.edges
    sources = 0
    for direction in _FLAT:
        sources |= move(targets & ~ground.full, -ground.steps[direction])
    return sources

"""What can be done with a lock, worked out as plainly as can be from sets of cells.

Shares no code with the planner, the moves or the workspace: breadth-first over whole situations,
every set of pieces, every direction, one unit after another.
"""

from itertools import combinations

from pysim.families.burr import Lock
from pysim.geometry import Cell

__all__ = ["TooBig", "box", "disjoint", "naive_plan_length"]

STEPS: tuple[Cell, ...] = ((1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1))

Cells = frozenset[Cell]
Group = tuple[tuple[int, Cells], ...]
"""Pieces by number, with the cells that they cover; shifted together to a corner at the origin."""


class TooBig(Exception):
    """There are more situations than the oracle cares to look at."""


def naive_plan_length(lock: Lock, *, key: bool, most: int = 20_000) -> int | None:
    """The least number of slides that separate every piece (``key``: any one piece).

    Raises:
        TooBig: more than ``most`` situations were seen.
    """
    start = frozenset(
        [_at_origin([(i, p.home.place(p.shape).cell_set) for i, p in enumerate(lock.pieces)])]
    )
    seen, layer, depth = {start}, [start], 0
    while layer:
        depth += 1
        following = []
        for groups in layer:
            for group in groups:
                for parts in _moves(group):
                    if key and any(len(part) == 1 for part in parts):
                        return depth
                    after = (groups - {group}) | {p for p in parts if len(p) > 1}
                    if not after:
                        return depth
                    if after not in seen:
                        seen.add(after)
                        following.append(after)
        if len(seen) > most:
            raise TooBig
        layer = following
    return None


def _moves(group: Group) -> list[list[Group]]:
    found = []
    for size in range(1, len(group)):
        for moving in combinations(group, size):
            rest = [member for member in group if member not in moving]
            obstacles = frozenset().union(*(cells for _, cells in rest))
            for step in STEPS:
                moved = list(moving)
                while True:
                    moved = [(i, _shifted(cells, step)) for i, cells in moved]
                    if any(cells & obstacles for _, cells in moved):
                        break
                    if disjoint(_union(moved), _union(rest)):
                        found.append([_at_origin(moved), _at_origin(rest)])
                        break
                    found.append([_at_origin([*moved, *rest])])
    return found


def _union(members: list[tuple[int, Cells]]) -> Cells:
    return frozenset().union(*(cells for _, cells in members))


def _shifted(cells: Cells, by: Cell) -> Cells:
    return frozenset((x + by[0], y + by[1], z + by[2]) for x, y, z in cells)


def _at_origin(members: list[tuple[int, Cells]]) -> Group:
    (x, y, z), _ = box(_union(members))
    return tuple(sorted((i, _shifted(cells, (-x, -y, -z))) for i, cells in members))


def box(cells: Cells) -> tuple[Cell, Cell]:
    """Low and high corner of the block around some cells."""
    low = tuple(min(cell[k] for cell in cells) for k in range(3))
    high = tuple(max(cell[k] for cell in cells) for k in range(3))
    return low, high  # type: ignore[return-value]


def disjoint(a: Cells, b: Cells) -> bool:
    """Whether the blocks around two sets of cells have no cell in common."""
    (low_a, high_a), (low_b, high_b) = box(a), box(b)
    return any(high_a[k] < low_b[k] or high_b[k] < low_a[k] for k in range(3))

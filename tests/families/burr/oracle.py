"""What can be done with a lock or a design, worked out as plainly as can be from sets of cells.

Shares no code with the planner, the solver, the moves or the workspace: breadth-first over whole
situations, every set of pieces, every direction, one unit after another.
"""

from collections.abc import Iterator
from itertools import combinations, permutations, product

from pysim.families.burr.files.design import Design, DrawnShape, Problem
from pysim.families.burr.lock import Lock
from pysim.geometry import Cell

__all__ = ["TooBig", "box", "disjoint", "naive_assemblies", "naive_levels", "naive_plan_length"]

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


Assembly = frozenset[Cells]
"""What each piece covers."""
Turn = tuple[tuple[int, ...], tuple[int, ...]]
"""Which coordinate comes to stand in each place, and its sign."""
TURNS: list[Turn] = list(product(permutations(range(3)), product((1, -1), repeat=3)))
"""The 24 rotations and the 24 mirror images."""


def naive_assemblies(design: Design, problem: Problem) -> list[set[Assembly]]:
    """All assemblies of plain shapes; turned and mirrored copies stand together in one set."""
    goal = design.shapes[problem.goal]
    places = [_places(design.shapes[part.shape], goal) for part in problem.parts]
    left = list(_filled(problem, goal, places, (), [0] * len(places)))
    classes: list[set[Assembly]] = []
    known = set(left)
    while known:
        first = known.pop()
        alike = {
            frozenset(frozenset(image[cell] for cell in cells) for cells in first)
            for image in _images_onto_itself(goal)
        }
        classes.append({first} | (alike & known))
        known -= alike
    return classes


def _filled(
    problem: Problem,
    goal: DrawnShape,
    places: list[set[Cells]],
    laid: tuple[Cells, ...],
    used: list[int],
) -> Iterator[Assembly]:
    covered = frozenset().union(*laid)
    bare = sorted(goal.filled - covered)
    if not bare:
        enough = all(part.minimum <= n for part, n in zip(problem.parts, used, strict=True))
        varies = any(part.minimum != part.maximum for part in problem.parts)
        most_holes = len(goal.variable)
        if problem.max_holes is not None and varies:
            most_holes = problem.max_holes
        if laid and enough and len(goal.variable - covered) <= most_holes:
            yield frozenset(laid)
    for number, part in enumerate(problem.parts):
        if used[number] < part.maximum:
            for cells in places[number]:
                if not cells & covered and (not bare or bare[0] in cells):
                    after = [n + (i == number) for i, n in enumerate(used)]
                    yield from _filled(problem, goal, places, (*laid, cells), after)


def _places(shape: DrawnShape, goal: DrawnShape) -> set[Cells]:
    """Every way to lay a shape into a goal."""
    room = goal.filled | goal.variable
    found = set()
    for turn in TURNS:
        if _is_rotation(turn):
            turned = [_turned(cell, turn) for cell in shape.filled]
            for x, y, z in room:
                by = (x - turned[0][0], y - turned[0][1], z - turned[0][2])
                found.add(_shifted(frozenset(turned), by))
    return {cells for cells in found if cells <= room}


def _images_onto_itself(goal: DrawnShape) -> list[dict[Cell, Cell]]:
    """Where each cell goes in the turns and mirrors that leave a goal as it is."""
    room = goal.filled | goal.variable
    low, _ = box(room)
    images = []
    for turn in TURNS:
        corner, _ = box(frozenset(_turned(cell, turn) for cell in room))
        by = (low[0] - corner[0], low[1] - corner[1], low[2] - corner[2])
        image = {c: next(iter(_shifted(frozenset([_turned(c, turn)]), by))) for c in room}
        if {image[c] for c in goal.filled} == goal.filled and set(image.values()) == room:
            images.append(image)
    return images


def _turned(cell: Cell, turn: Turn) -> Cell:
    axes, signs = turn
    return (signs[0] * cell[axes[0]], signs[1] * cell[axes[1]], signs[2] * cell[axes[2]])


def _is_rotation(turn: Turn) -> bool:
    axes, signs = turn
    swaps = sum(a > b for a, b in combinations(axes, 2))
    return signs[0] * signs[1] * signs[2] == (-1) ** swaps


def naive_levels(assembly: Assembly) -> set[tuple[int, ...]]:
    """The levels of an assembly, over every way to come apart as early as possible."""
    return _levels(_at_origin(list(enumerate(sorted(assembly, key=sorted)))), {})


def _levels(group: Group, known: dict[Group, set[tuple[int, ...]]]) -> set[tuple[int, ...]]:
    if len(group) == 1:
        return {()}
    if group not in known:
        moves, splits = _first_splits(group)
        known[group] = {
            (moves, *(n for rest in order if max(rest, default=1) > 1 for n in rest))
            for parts in splits
            for levels in product(*(_levels(part, known) for part in parts))
            for order in permutations(levels)
        }
    return known[group]


def _first_splits(group: Group) -> tuple[int, set[tuple[Group, ...]]]:
    seen, layer, depth = {group}, [group], 0
    while layer:
        depth += 1
        outcomes = [tuple(sorted(parts)) for there in layer for parts in _moves(there)]
        splits = {parts for parts in outcomes if len(parts) > 1}
        if splits:
            return depth, splits
        layer = list({parts[0] for parts in outcomes} - seen)
        seen.update(layer)
    return 0, set()


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

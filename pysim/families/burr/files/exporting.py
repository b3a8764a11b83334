"""From a lock to a design that designers' programs open."""

from collections.abc import Sequence

from pysim.families.burr.files.design import (
    Design,
    DesignError,
    DrawnShape,
    PartUse,
    Problem,
    StoredAssembly,
)
from pysim.families.burr.files.placing import find_placement
from pysim.families.burr.lock import Lock
from pysim.geometry import Voxels, subtract

__all__ = ["export_design"]

_Sets = tuple[tuple[int, int], ...]
"""Which of the lock's companions, and which of their sets of pieces, name a piece."""


def export_design(lock: Lock, *, name: str = "", comment: str = "") -> Design:
    """Return a lock as a design: the assembled shape as the goal, and the assembly stored.

    Pieces that are drawn alike, and may stay with the same others, are copies of one shape. Its
    name is the burr piece number, if there is one, and the copies' colours, so that
    :func:`pysim.families.burr.files.importing.lock_of` makes the same lock of it again. Alike
    pieces that don't stand side by side in the lock's list are shapes of their own, to keep their
    order; only those with companions are copies all the same, and stand side by side afterwards.

    Args:
        lock: what is written.
        name: of the problem.
        comment: words about the design.

    Raises:
        DesignError: a design can't say which pieces may stay together.
    """
    low = lock.bounds.low
    back = subtract((0, 0, 0), low)
    goal = Voxels.from_cells(frozenset().union(*lock.target)).translate(back)
    alike = _alike(lock)
    shapes = (_shape(lock, copies) for copies, _ in alike)
    parts = (_part(lock, i, copies, sets) for i, (copies, sets) in enumerate(alike, start=1))
    homes = (lock.pieces[i].home.translate(back) for copies, _ in alike for i in copies)
    assembled = StoredAssembly(tuple(map(find_placement, homes)))
    problem = Problem(name, tuple(parts), 0, assemblies=(assembled,))
    drawn = DrawnShape(goal.bounds.size, goal.cell_set)
    return Design((drawn, *shapes), (problem,), comment=comment)


def _alike(lock: Lock) -> list[tuple[list[int], _Sets]]:
    """Pieces that are drawn alike and that the same companions name, in order of the first."""
    found: dict[tuple[int, Voxels, int | None, _Sets], list[int]] = {}
    run = 0
    for i, piece in enumerate(lock.pieces):
        sets = tuple(
            (c, s)
            for c, companions in enumerate(lock.companions)
            for s, (members, _) in enumerate(companions.members)
            if i in members
        )
        before = lock.pieces[i - 1]
        if not sets and (piece.shape, piece.number) != (before.shape, before.number):
            run = i
        found.setdefault((0 if sets else run, piece.shape, piece.number, sets), []).append(i)
    return [(copies, sets) for (*_, sets), copies in found.items()]


def _shape(lock: Lock, copies: Sequence[int]) -> DrawnShape:
    first = lock.pieces[copies[0]]
    number = [] if first.number is None else [str(first.number)]
    name = " ".join([*number, *(lock.pieces[i].colour for i in copies)])
    return DrawnShape(first.shape.bounds.size, first.shape.cell_set, name=name)


def _part(lock: Lock, shape: int, copies: Sequence[int], sets: _Sets) -> PartUse:
    groups = []
    for c, s in sets:
        members, most = lock.companions[c].members[s]
        # A group counts the copies of each part on its own.
        if members != set(copies) and most < len(members):
            raise DesignError(
                f"a design can't specify that {most} of {len(members)} pieces may stay"
            )
        groups.append((c + 1, min(most, len(copies))))
    if len({group for group, _ in groups}) < len(groups):
        raise DesignError("a design can't name a piece twice among those that may stay together")
    if len(groups) == 1 and groups[0][1] == len(copies):
        return PartUse(shape, len(copies), len(copies), group=groups[0][0])
    return PartUse(shape, len(copies), len(copies), groups=tuple(groups))

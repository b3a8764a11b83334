"""Cutting notches into crossing bars so that they can be taken out one after another.

Bars are given as if they could pass through each other; cells that several of them cover belong to
one in the end. They are put together one by one in a random order, each along a random direction.
On every line along which a bar comes in, it may keep only cells that lie behind all cells of the
bars already there; a cell that is given up on one side is free for the other. What no bar needs to
give up is dealt out at random. The removal in reverse order is possible by construction; how well
the rest interlocks is for the caller to measure.
"""

import random
from collections import defaultdict
from collections.abc import Mapping, Sequence

from pysim.geometry import Cell, Direction, Voxels

__all__ = ["Bar", "carve"]

Bar = frozenset[Cell]
"""The cells of a bar before it is notched."""
Owners = dict[Cell, frozenset[int]]
"""Cell -> the bars that may still have it."""


def carve(bars: Sequence[Bar], rng: random.Random) -> tuple[Bar, ...] | None:
    """Return the bars with notches, each connected; None if this attempt led nowhere.

    Args:
        bars: all of them cover some cell that no other one does.
        rng: decides on order, directions and notches.
    """
    owners: Owners = {
        cell: frozenset(i for i, bar in enumerate(bars) if cell in bar)
        for cell in sorted(frozenset().union(*bars))
    }
    placed: list[int] = []
    waiting = list(range(len(bars)))
    while waiting:
        found = _next(bars, owners, placed, waiting, rng)
        if found is None:
            return None
        bar, owners = found
        placed.append(bar)
        waiting.remove(bar)
    return _dealt(bars, owners, rng)


def _next(
    bars: Sequence[Bar],
    owners: Owners,
    placed: Sequence[int],
    waiting: Sequence[int],
    rng: random.Random,
) -> tuple[int, Owners] | None:
    """Return a bar that can come in now, and who may own what then."""
    ways = [(bar, direction) for bar in waiting for direction in Direction]
    rng.shuffle(ways)
    for bar, direction in ways:
        after = _entered(bars[bar], bar, owners, frozenset(placed), direction, rng)
        if after is not None and _all_whole(bars, after):
            return bar, after
    return None


def _entered(
    cells: Bar,
    bar: int,
    owners: Owners,
    placed: frozenset[int],
    out: Direction,
    rng: random.Random,
) -> Owners | None:
    """Find owners of the cells once ``bar`` has come in against ``out``; None if it can't."""
    changed = dict(owners)
    keen: dict[tuple[frozenset[int], ...], bool] = defaultdict(lambda: rng.random() < 0.5)
    for line in _lines(owners, out):
        mine = [i for i, cell in enumerate(line) if cell in cells]
        if not mine:
            continue
        there = [i for i, cell in enumerate(line) if owners[cell] & placed and i >= mine[0]]
        if not there:
            continue
        starts = [s for s in (*mine, len(line)) if _fits(line, s, mine, bar, owners, placed)]
        if not starts:
            return None
        kind = tuple(owners[line[i]] for i in mine)
        start = starts[0] if keen[kind] else starts[-1]
        for i in mine:
            if i < start:
                changed[line[i]] = changed[line[i]] - {bar}
        for i in there:
            if i >= start:
                changed[line[i]] = changed[line[i]] - placed
    return changed


def _fits(
    line: Sequence[Cell],
    start: int,
    mine: Sequence[int],
    bar: int,
    owners: Owners,
    placed: frozenset[int],
) -> bool:
    """Return whether the bar can keep its cells of a line from ``start`` on, and nothing before."""
    if any(owners[line[i]] == {bar} for i in mine if i < start):
        return False
    return not any(owners[cell] <= placed for cell in line[start:])


def _lines(owners: Owners, along: Direction) -> list[list[Cell]]:
    """Return the cells on each line, in the order of the direction."""
    axis = along.axis.number
    lines: dict[tuple[int, ...], list[Cell]] = defaultdict(list)
    for cell in owners:
        lines[cell[:axis] + cell[axis + 1 :]].append(cell)
    for line in lines.values():
        line.sort(key=lambda cell: cell[axis] * along.sign)
    return list(lines.values())


def _all_whole(bars: Sequence[Bar], owners: Owners) -> bool:
    """Whether the cells that are certain of each bar hang together by what it may still get."""
    return all(_core(bar, i, owners) is not None for i, bar in enumerate(bars))


def _core(bar: Bar, number: int, owners: Mapping[Cell, frozenset[int]]) -> Bar | None:
    """The connected part with all certain cells of a bar; None if they don't hang together."""
    mine = {cell for cell in bar if number in owners[cell]}
    certain = {cell for cell in mine if owners[cell] == {number}}
    start = min(certain, default=None)
    if start is None:
        return None
    found, frontier = {start}, [start]
    while frontier:
        x, y, z = frontier.pop()
        for d in Direction:
            dx, dy, dz = d.vector
            cell = (x + dx, y + dy, z + dz)
            if cell in mine and cell not in found:
                found.add(cell)
                frontier.append(cell)
    return frozenset(found) if certain <= found else None


def _dealt(bars: Sequence[Bar], owners: Owners, rng: random.Random) -> tuple[Bar, ...] | None:
    """Return every cell to one bar, cells with the same choice to the same one where that works."""
    kinds = sorted({tuple(sorted(who)) for who in owners.values() if len(who) > 1})
    rng.shuffle(kinds)
    decided = dict(owners)
    for kind in kinds:
        choices = list(kind)
        rng.shuffle(choices)
        for choice in choices:
            tried = {
                cell: frozenset([choice]) if who == frozenset(kind) else who
                for cell, who in decided.items()
            }
            if _all_whole(bars, tried):
                decided = tried
                break
        else:
            return None
    pieces = tuple(
        frozenset(cell for cell in bar if decided[cell] == {i}) for i, bar in enumerate(bars)
    )
    whole = all(piece and Voxels.from_cells(piece).is_connected for piece in pieces)
    return pieces if whole else None

"""Ways to put six pieces together, by trying: face after face, every piece that is left, every way.

Nothing is cut off but what overlaps already.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from itertools import permutations, product

from bridge.referee.polycubes import Cell

from .placement import (
    FACES,
    SURFACE,
    Filled,
    Lying,
    Puzzle,
    compute_cells,
    enumerate_placements,
    is_turned_over,
)

__all__ = ["count_answers", "count_distinct_cubes", "enumerate_solutions", "is_solvable_unturned"]

Whole = Mapping[str, Lying]


def enumerate_solutions(puzzle: Puzzle, given: Whole) -> Iterator[Whole]:
    """Yield every way to lay the pieces that are not given."""
    filled = [compute_cells(puzzle.pieces[colour], way) for colour, way in given.items()]
    taken = {way[0] for way in given.values()}
    covered: set[Cell] = set().union(*filled)
    if len(taken) == len(given) and len(covered) == sum(map(len, filled)):
        left = [face for face in FACES if face not in taken]
        yield from _fill(puzzle, left, dict(given), covered)


def _fill(
    puzzle: Puzzle, left: list[str], laid: dict[str, Lying], covered: set[Cell]
) -> Iterator[Whole]:
    if not left:
        if covered == SURFACE:
            yield dict(laid)
        return
    for colour in puzzle.pieces:
        if colour in laid:
            continue
        for way, mine in _all(puzzle.pieces[colour]):
            if way[0] == left[0] and not mine & covered:
                laid[colour] = way
                yield from _fill(puzzle, left[1:], laid, covered | mine)
                del laid[colour]


@cache
def _all(shape: frozenset[tuple[int, int]]) -> list[tuple[Lying, Filled]]:
    return [(way, compute_cells(shape, way)) for way in enumerate_placements()]


def count_answers(puzzle: Puzzle) -> int:
    """Count the ways to lay the pieces that the start leaves out, alike ones included.

    Without a start one piece is fixed in one placement, and the count is multiplied by the 48
    symmetries of the cube.
    """
    if puzzle.start:
        return sum(1 for _ in enumerate_solutions(puzzle, puzzle.start))
    return 48 * sum(1 for _ in enumerate_solutions(puzzle, _first(puzzle)))


def count_distinct_cubes(puzzle: Puzzle) -> int:
    """Count whole cubes that differ even if they are turned and mirrored."""
    found = {
        frozenset(compute_cells(puzzle.pieces[colour], way) for colour, way in laid.items())
        for laid in enumerate_solutions(puzzle, _first(puzzle))
    }
    return len({_least(one) for one in found}) if len(found) > 1 else len(found)


def is_solvable_unturned(puzzle: Puzzle) -> bool:
    """Return whether the pieces make the cube with no piece turned over."""
    every = enumerate_solutions(puzzle, _first(puzzle))
    return any(not any(is_turned_over(way) for way in laid.values()) for laid in every)


def _first(puzzle: Puzzle) -> Whole:
    return {next(iter(puzzle.pieces)): ("Front", "left", "top")}


def _least(pieces: frozenset[Filled]) -> tuple[tuple[Cell, ...], ...]:
    """Return the same for all cubes that turn or mirror into each other."""
    return min(
        tuple(sorted(tuple(sorted(_moved(cell, *move) for cell in piece)) for piece in pieces))
        for move in product(permutations(range(3)), product((1, -1), repeat=3))
    )


def _moved(cell: Cell, order: tuple[int, ...], signs: tuple[int, ...]) -> Cell:
    x, y, z = (cell[i] * sign for i, sign in zip(order, signs, strict=True))
    return x, y, z

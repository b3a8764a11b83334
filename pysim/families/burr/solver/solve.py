"""Assemblies of a design's problem, and their levels.

Assemblies are found by exact cover. Copies are left out in two steps: the first piece is laid only
in one of the places that the goal's rotations carry into each other, and what is found twice all
the same, turned or mirrored, is recognised by a canonical labelling of the cells. A mirror image
counts as a copy if the problem's pieces can build it.

An assembly is a solution if it comes apart: it is turned into its standard frame (see
:mod:`pysim.families.burr.solver.standing`), groups are separated at the first possibility, and the
parts again (see :mod:`pysim.families.burr.solver.separating`). Its level is written as designers
do: moves to the first separation, then those of what stays and of what was taken away, parts that
need only single moves left out. It is the same however goal and pieces are turned when drawn.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from pysim.families.burr.design import Design, DesignError, Problem
from pysim.families.burr.solver.board import Board
from pysim.families.burr.solver.movement import MAX_PIECES
from pysim.families.burr.solver.separating import first_separation
from pysim.families.burr.solver.standing import Standing
from pysim.geometry import Cell
from pysim.search.multicover import Rows, covers

__all__ = ["Assembly", "Level", "Tally", "level_name", "may_stay_together", "solve"]

Level = tuple[int, ...]
"""Moves of the separations that are told; empty if there is but one piece, or no need to part."""
MAX_ASSEMBLIES = 5_000_000
MAX_CONFIGURATIONS = 5_000_000


@dataclass(frozen=True, slots=True)
class Assembly:
    """One way to fill the goal.

    Attributes:
        pieces: for each piece its part and its cells, in the order of the parts.
        level: how it comes apart; None if it does not, though its pieces share no group.
    """

    pieces: tuple[tuple[int, tuple[Cell, ...]], ...]
    level: Level | None


@dataclass
class Tally:
    """Counts of assemblies, solutions and levels."""

    assemblies: int = 0
    levels: Counter[str] = field(default_factory=Counter)

    def add(self, assembly: Assembly) -> None:
        """Count one more."""
        self.assemblies += 1
        if assembly.level:
            self.levels[level_name(assembly.level)] += 1

    @property
    def solutions(self) -> int:
        """Assemblies of several pieces that come apart."""
        return self.levels.total()


def level_name(level: Level) -> str:
    """As designers write it: ``9.3``."""
    return ".".join(str(moves) for moves in level)


def solve(design: Design, problem: Problem) -> Iterator[Assembly]:
    """Every assembly of a problem, turned and mirrored copies left out, each with its level.

    Raises:
        DesignError: it is too large for this solver; the message says in what.
    """
    board = Board.of(design, problem)
    standing = Standing.of(board)
    weights = np.array([design.shapes[part.shape].weight for part in problem.parts], np.int64)
    for chosen in _assemblies(board, problem):
        chosen.sort(key=lambda row: (board.parts[row], row))
        pieces = tuple(
            (board.parts[row], tuple(board.cells[c] for c in board.rows[row])) for row in chosen
        )
        yield Assembly(pieces, _Takedown(standing.pieces(chosen), problem, weights).level())


def may_stay_together(problem: Problem, parts: Sequence[int]) -> bool:
    """Whether pieces, named by their parts, need not come apart from each other.

    They need not if there is a group that takes as many copies of each part as there are.
    """
    used = Counter(parts)
    room = [dict(problem.parts[part].memberships) for part in used]
    return any(
        group and all(of.get(group, 0) >= n for of, n in zip(room, used.values(), strict=True))
        for group in room[0]
    )


def _assemblies(board: Board, problem: Problem) -> Iterator[list[int]]:
    least = np.array([part.minimum for part in problem.parts], np.int64)
    most = np.array([part.maximum for part in problem.parts], np.int64)
    if not board.rows or least.sum() > MAX_PIECES:
        if least.sum() > MAX_PIECES:
            raise DesignError(f"the solver takes up to {MAX_PIECES} pieces, not {least.sum()}")
        return
    rows = Rows.of(board.rows, board.parts, len(board.cells))
    labels = _Labels(board)
    for first, live in _starts(board, least, most):
        found, complete = covers(rows, live, first, least, most, board.primary, MAX_ASSEMBLIES)
        if not complete:
            raise DesignError(f"there are more than {MAX_ASSEMBLIES:,} assemblies")
        for line in found:
            chosen = [int(row) for row in line if row >= 0]
            if _few_holes(board, problem, chosen) and labels.is_new(chosen):
                yield chosen


def _few_holes(board: Board, problem: Problem, chosen: list[int]) -> bool:
    if problem.max_holes is None:
        return True
    return len(board.cells) - sum(len(board.rows[r]) for r in chosen) <= problem.max_holes


def _starts(
    board: Board, least: NDArray[np.int64], most: NDArray[np.int64]
) -> Iterator[tuple[int, NDArray[np.int32]]]:
    """First rows that between them lead to every assembly, and the rows to go on with.

    A part that is used for sure is laid first, one of a single copy if there is such a part, and
    the one with the fewest places that differ by more than a rotation of the goal. Without one,
    the used part with the lowest number is.
    """
    parts = np.array(board.parts)
    index = {(p, tuple(r)): i for i, (p, r) in enumerate(zip(board.parts, board.rows, strict=True))}
    certain = [p for p in range(len(least)) if least[p] > 0]
    if certain:
        single = [p for p in certain if most[p] == 1]
        firsts = min((_orbits(board, p, index) for p in single or certain), key=len)
        everything = np.arange(len(parts), dtype=np.int32)
        yield from ((first, everything) for first in firsts)
        return
    for p in range(len(least)):
        rest = np.nonzero(parts >= p)[0].astype(np.int32)
        yield from ((first, rest) for first in _orbits(board, p, index))


def _orbits(board: Board, part: int, index: dict[tuple[int, tuple[int, ...]], int]) -> list[int]:
    """One placement of a part out of each set that rotations of the goal carry into each other."""
    turns = [s for s, m in zip(board.symmetries, board.mirrored, strict=True) if not m]
    seen: set[int] = set()
    firsts = []
    for row, owner in enumerate(board.parts):
        if owner == part and row not in seen:
            firsts.append(row)
            images = (tuple(sorted(int(c) for c in turn[board.rows[row]])) for turn in turns)
            seen.update(index[part, image] for image in images)
    return firsts


class _Labels:
    """Recognises assemblies that are turned or mirrored copies of earlier ones."""

    def __init__(self, board: Board) -> None:
        self._board = board
        # Cell j of an image is what cell inverse[j] was.
        self._inverse = np.argsort(board.symmetries, axis=1)
        self._named = np.array(
            [board.mirror_classes if mirrored else board.classes for mirrored in board.mirrored]
        )
        self._seen: set[bytes] = set()

    def is_new(self, chosen: list[int]) -> bool:
        """Whether no copy of this assembly was asked for before."""
        label = np.full(len(self._board.cells), len(chosen), np.int64)
        for number, row in enumerate(chosen):
            label[self._board.rows[row]] = number
        key = min(image.tobytes() for image in self._images(label, chosen))
        if key in self._seen:
            return False
        self._seen.add(key)
        return True

    def _images(self, label: NDArray[np.int64], chosen: list[int]) -> NDArray[np.int16]:
        """Each image as a line: pieces renumbered as they come, then the classes of the pieces."""
        numbers = np.arange(len(chosen))
        images = label[self._inverse]
        firsts = (images[:, :, None] == numbers).argmax(axis=1)
        order = np.argsort(firsts, axis=1)
        renumbered = np.full((len(images), len(chosen) + 1), -1)
        np.put_along_axis(renumbered, order, numbers[None], axis=1)
        cells = np.take_along_axis(renumbered, images, axis=1)
        named = self._named[:, [self._board.parts[row] for row in chosen]]
        kinds = np.take_along_axis(named, order, axis=1)
        buildable = np.nonzero(kinds.min(axis=1) >= 0)[0]
        lines: NDArray[np.int16] = np.hstack((cells, kinds))[buildable].astype(np.int16)
        return lines


class _Takedown:
    """Takes one assembly apart."""

    def __init__(
        self,
        pieces: Sequence[tuple[int, NDArray[np.int32]]],
        problem: Problem,
        weights: NDArray[np.int64],
    ) -> None:
        self._parts = [part for part, _ in pieces]
        self._cells = [cells for _, cells in pieces]
        self._problem = problem
        self._weights = weights[self._parts]

    def level(self) -> Level | None:
        """How the assembly comes apart; None if it does not, and may not stay together."""
        everything = list(range(len(self._cells)))
        return self._take(everything, np.zeros((len(everything), 3), np.int32))

    def _take(self, pieces: list[int], offsets: NDArray[np.int32]) -> Level | None:
        if len(pieces) == 1:
            return ()
        level = self._separate(pieces, offsets)
        return () if level is None and self._may_stay(pieces) else level

    def _separate(self, pieces: list[int], offsets: NDArray[np.int32]) -> Level | None:
        found = first_separation(
            [self._cells[p] for p in pieces], offsets, self._weights[pieces], MAX_CONFIGURATIONS
        )
        if found is None:
            return None
        level: Level = (found.moves,)
        for taken in (False, True):
            part = [i for i, moved in enumerate(found.moved) if moved == taken]
            rest = self._rest([pieces[i] for i in part], found.offsets[part])
            if rest is None:
                return None
            if any(moves > 1 for moves in rest):
                level += rest
        return level

    def _rest(self, pieces: list[int], offsets: NDArray[np.int32]) -> Level | None:
        """The level of what is left; pieces that belong to one group alone are left together."""
        groups = [self._problem.parts[self._parts[p]].memberships for p in pieces]
        if all(len(own) == 1 for own in groups) and self._may_stay(pieces):
            return ()
        return self._take(pieces, offsets)

    def _may_stay(self, pieces: list[int]) -> bool:
        return may_stay_together(self._problem, [self._parts[p] for p in pieces])

"""The standard frame: how an assembly is turned before it is taken apart.

Among equally short ways to come apart the search takes the first in its order of directions and
pieces, so a level's later numbers depend on how the assembly is turned. Every assembly is therefore
turned into one frame that its drawing has no say in: the one in which it lies lowest. Of two turns
of a body the lower is that whose centre of mass has the smaller z, then the smaller x, then the
larger y, then that whose cells come first when they are ordered so. The goal is compared first,
then the pieces: those of few copies before those of many, large before small, then by number. A
mirror image is one of the turns where the problem's pieces can build it.

BurrTools looks at an assembly as the design is drawn. Which frame is the standard one is free to
choose; of the simple rules, this is one with which the levels equal those of BurrTools in every
file with reference counts. In others the later numbers may differ where ways are equally short.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from pysim.families.burr.solver.board import Board
from pysim.geometry import all_rotations

__all__ = ["Standing"]

Lie = tuple[int, ...]
"""How low some cells lie: sums of z, x and -y, then each cell's place in that order, sorted."""
Kind = tuple[int, int, int]
"""Copies of a piece, its size as a negative number, its class: early kinds are compared first."""


@dataclass(frozen=True)
class Standing:
    """A board with its goal in the standard frame, in every way that leaves it as it is.

    Attributes:
        board: the board as it was drawn.
        cells: (g, n, 3) int32; where each cell of the board is after each of its symmetries.
    """

    board: Board
    cells: NDArray[np.int32]
    _lies: dict[int, list[Lie]] = field(default_factory=dict)

    @staticmethod
    def of(board: Board) -> "Standing":
        """The board's goal, turned to lie lowest."""
        turns = np.array(
            [[turn.apply(cell) for cell in board.cells] for turn in all_rotations()], np.int32
        )
        turns -= turns.min(axis=1, keepdims=True)
        lies = zip(_lies(turns), _lies(turns[:, : board.primary]), strict=True)
        lowest = min(enumerate(lies), key=lambda pair: pair[1])[0]
        return Standing(board, turns[lowest][board.symmetries])

    def pieces(self, chosen: Sequence[int]) -> list[tuple[int, NDArray[np.int32]]]:
        """The pieces of an assembly in its standard frame, by number and then by place.

        Args:
            chosen: the rows of the assembly.

        Returns:
            For each piece a part that it is a copy of, the first of those that are alike, and its
            cells, (m, 3).
        """
        frame, kinds = self._lowest(chosen)
        alike = [(kind[2], row) for kind, rows in kinds.items() for row in rows]
        alike.sort(key=lambda piece: (piece[0], self._lie(piece[1])[frame]))
        classes = self.board.classes
        return [(classes.index(c), self.cells[frame][self.board.rows[row]]) for c, row in alike]

    def _lowest(self, chosen: Sequence[int]) -> tuple[int, dict[Kind, list[int]]]:
        """The symmetry that makes an assembly lie lowest, and its rows by what they then are."""
        sides = {False: self._kinds(chosen, self.board.classes)}
        mirrored = self._kinds(chosen, self.board.mirror_classes)
        if any(self.board.mirrored) and min(c for _, _, c in mirrored) >= 0:
            sides[True] = mirrored
        first = min(list(kinds) for kinds in sides.values())
        live = [
            (frame, sides[mirrored])
            for frame, mirrored in enumerate(self.board.mirrored)
            if mirrored in sides and list(sides[mirrored]) == first
        ]
        for kind in first:
            lies = [sorted(self._lie(row)[frame] for row in kinds[kind]) for frame, kinds in live]
            least = min(lies)
            live = [way for way, lie in zip(live, lies, strict=True) if lie == least]
            if len(live) == 1:
                break
        return live[0]

    def _kinds(self, chosen: Sequence[int], classes: Sequence[int]) -> dict[Kind, list[int]]:
        """The rows of each kind of piece, in the order in which they are compared."""
        rows: dict[int, list[int]] = {}
        for row in chosen:
            rows.setdefault(classes[self.board.parts[row]], []).append(row)
        kinds = {(len(r), -len(self.board.rows[r[0]]), c): r for c, r in rows.items()}
        return dict(sorted(kinds.items()))

    def _lie(self, row: int) -> list[Lie]:
        """How low a placement lies in each of the frames."""
        if row not in self._lies:
            self._lies[row] = _lies(self.cells[:, self.board.rows[row]])
        return self._lies[row]


def _lies(cells: NDArray[np.int32]) -> list[Lie]:
    """How low cells lie in each of several frames; (g, m, 3), below 2**20."""
    ordered = cells[:, :, [2, 0, 1]].astype(np.int64) * (1, 1, -1)
    places = np.sort(ordered @ (1 << 40, 1 << 20, 1), axis=1)
    return [tuple(line) for line in np.hstack((ordered.sum(axis=1), places)).tolist()]

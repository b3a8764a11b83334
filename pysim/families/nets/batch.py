"""Nets by the thousand: folds as transitions of tables, made once for each way to hold a net.

The hinges of a net are a number in base 3, the first hinge fastest: 0 valley, 1 flat, 2 mountain.
For each such number a table has the folds and unfolds that nothing is in the way of.

The features of a row are, for each slot, 0 for no face, 1 for the held one and 2 for others; how
its hinge is bent; the slot + 1 of the face that it hangs on, and the side of that face (1 up, 2
right, 3 down, 4 left); then its arrow as the array ``arrows`` of the space has it. After the slots
come the rotation of each net, and the array ``goal``.
"""

from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pysim.families.nets.actions import Crease
from pysim.families.nets.cube import ArrowColour, ArrowCube, CornerView
from pysim.families.nets.faces import CubeFace, Heading
from pysim.families.nets.joints import FLAT, MOUNTAIN, VALLEY, Tree, find_obstacles
from pysim.families.nets.puzzle import FlatNet, NetPuzzle
from pysim.families.nets.space import NetSpace
from pysim.families.nets.state import NetsState, NetState, find_cube
from pysim.geometry import Axis, list_rotations, make_quarter_turn
from pysim.kernels import kernel
from pysim.learning.batches import GrowingArray, LegalRows, PuzzleBatch, clear_legal
from pysim.learning.spaces import ArraySpec
from pysim.puzzle import Level

__all__ = ["NetBatch", "create_batch"]

_NETS, _FACES, _PART = 2, 6, 6
_BENDS = 3 ** (_FACES - 1)
"""Numbers of the hinges of a net."""
_WAYS = tuple(MOUNTAIN if crease is Crease.MOUNTAIN else VALLEY for crease in Crease)
_COLOURS, _HEADINGS, _SIDES = tuple(ArrowColour), tuple(Heading), tuple(CubeFace)


class NetTables(NamedTuple):
    """Tables of all levels and of all ways to hold a net.

    Attributes:
        trees: (levels, nets), number of each net's tree; -1 for no net.
        cubes: (levels, nets, 24), number of the cube in each rotation; 0 for no net. A level is
            solved if both numbers are alike.
        folds: (trees, hinges), as bits: for each hinge whether it can be folded in each of the two
            ways, and unfolded.
        turns: (24, 9), rotations after each turn.
        ways: (2,), by how much each fold changes a hinge.
    """

    trees: NDArray[np.int64]
    cubes: NDArray[np.int64]
    folds: NDArray[np.int64]
    turns: NDArray[np.int64]
    ways: NDArray[np.int64]


class NetRows(NamedTuple):
    """States of all rows.

    Attributes:
        levels: (n,), numbers of their levels.
        bends: (n, nets), numbers of the hinges.
        rotations: (n, nets), numbers of the rotations of the held faces.
    """

    levels: NDArray[np.int64]
    bends: NDArray[np.int64]
    rotations: NDArray[np.int64]


class NetBatch(PuzzleBatch[NetPuzzle, NetsState]):
    """See :class:`~pysim.learning.batches.PuzzleBatch`."""

    def __init__(self, space: NetSpace, count: int) -> None:
        size = _NETS * (_FACES * _PART + 1) + 6
        meaning = "slots: face, hinge, parent, its side, `arrows`; rotations of nets; `goal`"
        super().__init__(
            space, count, ArraySpec((size,), np.uint8, 23, meaning), space.actions.count
        )
        self._trees = GrowingArray((_NETS,), np.int64)
        self._cubes = GrowingArray((_NETS, 24), np.int64)
        self._folds = GrowingArray((_BENDS,), np.int64)
        self._numbers: dict[Tree, int] = {}
        empty = np.zeros((count, _NETS), np.int64)
        self._rows = NetRows(self._playing, empty, empty.copy())

    def step(self, numbers: NDArray[np.int64]) -> None:
        """See :meth:`pysim.learning.batches.PuzzleBatch.step`."""
        step_rows(self._rows, self._tables, self.legal, self._seen, numbers)

    def read_state(self, row: int) -> NetsState:
        """See :meth:`pysim.learning.batches.PuzzleBatch.read_state`."""
        bends, rotations = self._rows.bends[row], self._rows.rotations[row]
        nets = range(len(self.get_level(row).puzzle.nets))
        return NetsState(
            tuple(
                NetState(_read_bends(int(bends[k])), list_rotations()[rotations[k]]) for k in nets
            )
        )

    def _begin(self, rows: NDArray[np.int64], levels: NDArray[np.int64]) -> None:
        self._rows.bends[rows] = _BENDS // 2  # All are flat.
        self._rows.rotations[rows] = 0
        list_rows(self._rows, self._tables, self.legal, self._seen, rows)

    @property
    def _tables(self) -> NetTables:
        return NetTables(
            self._trees.data, self._cubes.data, self._folds.data, _list_turns(), np.array(_WAYS)
        )

    def _add(self, level: Level[NetPuzzle]) -> ArrayLike:
        nets = level.puzzle.nets
        trees = [self._number_tree(net.tree) for net in nets]
        self._trees.append(trees + [-1] * (_NETS - len(nets)))
        cubes = [_fold_net(net) for net in nets]
        self._cubes.append(_number_cubes(cubes, level.puzzle.target))
        return _describe(level.puzzle)

    def _number_tree(self, tree: Tree) -> int:
        if tree not in self._numbers:
            self._numbers[tree] = self._folds.append(_list_folds(tree))
        return self._numbers[tree]


def _read_bends(number: int) -> tuple[int, ...]:
    """Return the hinges of a number."""
    return (FLAT, *(number // 3**k % 3 - 1 for k in range(_FACES - 1)))


@cache
def _list_folds(tree: Tree) -> NDArray[np.int64]:
    """(bends,) for each hinge whether it can be folded in each way, and unfolded, as bits."""
    found = np.zeros(_BENDS, np.int64)
    for number in range(_BENDS):
        bends = _read_bends(number)
        for k in range(1, _FACES):
            tries = enumerate(_WAYS) if bends[k] == FLAT else [(2, -bends[k])]
            for place, by in tries:
                if not find_obstacles(tree, bends, k, by):
                    found[number] |= 1 << (3 * (k - 1) + place)
    return found


@cache
def _list_turns() -> NDArray[np.int64]:
    """(24, 9) numbers of the rotations after each turn."""
    turns = [make_quarter_turn(axis, quarters) for axis in Axis for quarters in (1, 2, 3)]
    return np.array([[turn.compose(one).index for turn in turns] for one in list_rotations()])


def _fold_net(net: FlatNet) -> tuple[ArrowCube, ...]:
    """Return the cube of a net in each rotation."""
    cube = find_cube(net, NetState((FLAT, *(MOUNTAIN,) * (_FACES - 1))))
    assert cube is not None
    return tuple(cube.list_rotations())


def _number_cubes(cubes: list[tuple[ArrowCube, ...]], target: CornerView | None) -> list[list[int]]:
    """Return numbers of cubes that are alike where the level is solved."""
    if target is not None:
        return [[int(one.view != target) for one in cubes[0]], [0] * 24]
    known: dict[ArrowCube, int] = {}
    return [[known.setdefault(one, len(known)) for one in net] for net in cubes]


def _describe(puzzle: NetPuzzle) -> NDArray[np.uint8]:
    """Return the features that stay as they are, and zeros for the others."""
    slots = np.zeros((_NETS * _FACES, _PART), np.uint8)
    for number, net in enumerate(puzzle.nets):
        for k, (plate, hinge) in enumerate(zip(net.plates, net.tree, strict=True)):
            hung = (_FACES * number + hinge.parent + 1, _HEADINGS.index(hinge.way) + 1)
            arrow = (_COLOURS.index(plate.arrow.colour) + 1, _HEADINGS.index(plate.arrow.way) + 1)
            slots[_FACES * number + k] = 2 if k else 1, 1, *(hung if k else (0, 0)), *arrow
    goal = np.zeros((3, 2), np.uint8)
    for row, one in enumerate(puzzle.target or ()):
        goal[row] = _COLOURS.index(one.colour) + 1, _SIDES.index(one.towards) + 1
    return np.concatenate([slots.ravel(), np.zeros(_NETS, np.uint8), goal.ravel()])


@kernel(nogil=True, borrowing=True)
def step_rows(
    rows: NetRows,
    tables: NetTables,
    legal: LegalRows,
    seen: NDArray[np.uint8],
    numbers: NDArray[np.int64],
) -> None:
    """Fold, unfold or turn a net in each row."""
    for row in range(len(numbers)):
        legal.refused[row] = False
        if numbers[row] < 0:
            continue
        if not make_fold(rows, tables, row, numbers[row]):
            legal.refused[row] = True
            continue
        list_row(rows, tables, legal, seen, row)


@kernel(borrowing=True)
def make_fold(rows: NetRows, tables: NetTables, row: int, number: int) -> bool:
    """Make an action; return whether it is legal."""
    if number >= 36:
        net, turn = (number - 36) // 9, (number - 36) % 9
        if tables.trees[rows.levels[row], net] < 0:
            return False
        rows.rotations[row, net] = tables.turns[rows.rotations[row, net], turn]
        return True
    slot, way = (number // 2, number % 2) if number < 24 else (number - 24, 2)
    net, hinge = slot // 6, slot % 6 - 1
    tree = tables.trees[rows.levels[row], net]
    bends = rows.bends[row, net]
    if hinge < 0 or tree < 0 or not tables.folds[tree, bends] >> (3 * hinge + way) & 1:
        return False
    unit = 3**hinge
    by = tables.ways[way] if way < 2 else 1 - bends // unit % 3
    rows.bends[row, net] = bends + by * unit
    return True


@kernel(nogil=True, borrowing=True)
def list_rows(
    rows: NetRows,
    tables: NetTables,
    legal: LegalRows,
    seen: NDArray[np.uint8],
    chosen: NDArray[np.int64],
) -> None:
    """Write what is legal in some rows, and their features."""
    for k in range(len(chosen)):
        legal.refused[chosen[k]] = False
        list_row(rows, tables, legal, seen, chosen[k])


@kernel(borrowing=True)
def list_row(
    rows: NetRows, tables: NetTables, legal: LegalRows, seen: NDArray[np.uint8], row: int
) -> None:
    """Write what is legal in a row, and its features."""
    clear_legal(legal, row)
    count, level, folded = 0, rows.levels[row], True
    for net in range(2):
        tree, bends = tables.trees[level, net], rows.bends[row, net]
        if tree < 0:
            continue
        free = tables.folds[tree, bends]
        for hinge in range(5):
            slot = 6 * net + hinge + 1
            seen[row, 6 * slot + 1] = bends % 3
            bends //= 3
            for way in range(3):
                legal.numbers[row, count] = 24 + slot if way == 2 else 2 * slot + way
                count += free >> (3 * hinge + way) & 1
        for turn in range(9):
            legal.numbers[row, count] = 36 + 9 * net + turn
            count += 1
        seen[row, 72 + net] = rows.rotations[row, net]
        folded = folded and rows.bends[row, net] == 242
    for k in range(count):
        legal.mask[row, legal.numbers[row, k]] = 1
    legal.counts[row] = count
    first = tables.cubes[level, 0, rows.rotations[row, 0]]
    second = tables.cubes[level, 1, rows.rotations[row, 1]]
    legal.solved[row] = folded and first == second


def create_batch(space: NetSpace, count: int) -> NetBatch:
    """Return a batch of nets; see :data:`~pysim.learning.batches.BatchFactory`."""
    return NetBatch(space, count)

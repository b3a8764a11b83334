"""Boxes by the thousand: placements as bits of cells, and static equilibrium compiled.

Pieces come from above, so that nothing is ever put below another piece. Then

- a piece that stands on columns filled down to the floor keeps standing, and its weight goes
  straight down without an effect on others. Tables have for each set of columns whether it stands;
- a piece with nothing on it that would not even rest on all that it touches falls;
- of other placements a small linear program decides, see :mod:`pysim.families.packing.balance`.
  It is in floating point: in the rare rows where an answer is in doubt, the rules list what is
  legal.

The features of a row are, for each slot, what the array ``pieces`` of the space has (0 no piece, 1
in the box, 2 on the table; rotation; low corner); then the size of the box, whether pieces have to
be supported, and the cells of each piece in its reference rotation as bits (``numpy.packbits`` of
the array ``shapes``).
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from threading import Lock
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pysim.errors import InputError
from pysim.families.packing.balance import Pile, create_pile, is_balanced
from pysim.families.packing.box import Packing
from pysim.families.packing.grid import Spot, find_way_out, list_cells
from pysim.families.packing.space import BoxSpace, list_turned
from pysim.families.packing.state import PackingState
from pysim.families.packing.support import is_above
from pysim.geometry import Cell, Direction, Rotation, Voxels
from pysim.kernels import kernel
from pysim.learning.batches import GrowingArray, LegalRows, PuzzleBatch, clear_legal, find_legal
from pysim.learning.spaces import ArraySpec, draw_shapes
from pysim.puzzle import Level

__all__ = ["BoxBatch", "BoxLister", "create_batch"]

_PART = 5
"""Numbers of a piece among the features."""
_WORD = (1 << 64) - 1
_MOST_FEET = 12
"""Cells of a piece without one of its own below, for which tables are made."""
_MOST_LISTED = 64
"""Levels whose tables a lister keeps."""
_LISTING = Lock()


class BoxTables(NamedTuple):
    """Tables of all levels, and of their spots: sets of cells that a piece can cover.

    Attributes:
        counts: (levels,), number of pieces.
        gravity: (levels,), whether pieces have to be supported.
        sizes: (levels, 3), edges of the box.
        full: (levels, 2), all cells, as bits of two words.
        kinds: (levels, pieces), kind of each piece: its shape, in a box of that size.
        spots: (kinds, 2), where the spots of a kind begin, and the end.
        found: (kinds, placements), spot of each placement of a piece; -1 for none.
        masks: (spots, 2), cells.
        ways: (spots, 2), cells above them.
        looks: (spots, 4), rotation and low corner.
        placed: (spots, 2), where the numbers of a spot begin, and the end.
        feet: (spots, 2), where the feet of a spot begin, and the end.
        stands: (spots,), where the table of a spot begins.
        own: (numbers,), numbers among the placements of a piece, spot by spot.
        below: (feet, 2), cells below a foot.
        under: (feet, 2), the cell below a foot; none on the floor.
        table: (words,), for each set of feet whether a piece is balanced on them, as bits.
    """

    counts: NDArray[np.int64]
    gravity: NDArray[np.bool_]
    sizes: NDArray[np.int64]
    full: NDArray[np.uint64]
    kinds: NDArray[np.int64]
    spots: NDArray[np.int64]
    found: NDArray[np.int64]
    masks: NDArray[np.uint64]
    ways: NDArray[np.uint64]
    looks: NDArray[np.uint8]
    placed: NDArray[np.int64]
    feet: NDArray[np.int64]
    stands: NDArray[np.int64]
    own: NDArray[np.int64]
    below: NDArray[np.uint64]
    under: NDArray[np.uint64]
    table: NDArray[np.uint64]


class BoxRows(NamedTuple):
    """States of all rows.

    Attributes:
        levels: (n,), numbers of their levels.
        places: (n, pieces), spot of each piece; -1 on the table.
        filled: (n, 2), covered cells.
        leaning: (n,), pieces that stand on no columns, as bits.
        in_doubt: (n,), whether what is legal was listed, and is in doubt.
    """

    levels: NDArray[np.int64]
    places: NDArray[np.int64]
    filled: NDArray[np.uint64]
    leaning: NDArray[np.int64]
    in_doubt: NDArray[np.bool_]


class BoxBatch(PuzzleBatch[Packing, PackingState]):
    """See :class:`~pysim.learning.batches.PuzzleBatch`. Boxes are open at the top.

    Args:
        space: a size class into whose boxes pieces come from above only.
        count: number of rows.
    """

    def __init__(self, space: BoxSpace, count: int) -> None:
        pieces, shapes = space.bounds["pieces"], space.arrays["shapes"]
        size = pieces * (_PART - (-int(np.prod(shapes.shape[1:])) // 8)) + 4
        meaning = "slots as in `pieces`; size of the box; `gravity`; cells of `shapes` as bits"
        super().__init__(space, count, ArraySpec((size,), np.uint8, 255, meaning), 64)
        self._shapes = shapes
        self._most = space.bounds["x"], space.bounds["y"], space.bounds["z"]
        self._pick = space.actions.starts["pick_up"]
        self._spots = list[Spot]()
        self._arrays = _create_arrays(pieces, self._pick // pieces)
        self._kinds: dict[tuple[Cell, Voxels], int] = {}
        self._stands: dict[tuple[Cell, ...], int] = {}
        self._rows = BoxRows(
            self._playing,
            np.full((count, pieces), -1, np.int64),
            np.zeros((count, 2), np.uint64),
            np.zeros(count, np.int64),
            np.zeros(count, np.bool_),
        )
        self._pile = create_pile(pieces)

    def step(self, numbers: NDArray[np.int64]) -> None:
        """See :meth:`pysim.learning.batches.PuzzleBatch.step`."""
        step_rows(self._rows, self._tables, self._pile, self.legal, self._seen, numbers, self._pick)
        self._settle_doubts()

    def read_state(self, row: int) -> PackingState:
        """See :meth:`pysim.learning.batches.PuzzleBatch.read_state`."""
        places = self._rows.places[row, : len(self.get_level(row).colours)].tolist()
        return PackingState(tuple(None if one < 0 else self._spots[one] for one in places))

    def put(self, row: int, number: int, state: PackingState) -> None:
        """Put a row into a state of a level by its number, and list what is legal there."""
        self._playing[row] = number
        kinds, found = self._arrays["kinds"].data[number], self._arrays["found"].data
        _, b, c = self._most
        self._rows.places[row] = -1
        for slot, spot in enumerate(state.places):
            if spot is not None:
                x, y, z = spot.corner
                place = ((spot.rotation.index * self._most[0] + x) * b + y) * c + z
                self._rows.places[row, slot] = found[kinds[slot], place]
        lean_row(self._rows, self._tables, row)
        self._list_rows(np.array([row]))

    def _begin(self, rows: NDArray[np.int64], levels: NDArray[np.int64]) -> None:
        self._rows.places[rows] = -1
        self._rows.filled[rows] = 0
        self._rows.leaning[rows] = 0
        self._list_rows(rows)

    def is_kept(self) -> bool:
        """Return whether what lists legal actions is compiled, and kept on this machine."""
        return list_rows.is_kept(*self._arguments, np.arange(1), self._pick)

    def _list_rows(self, rows: NDArray[np.int64]) -> None:
        list_rows(*self._arguments, rows, self._pick)
        self._settle_doubts()

    @property
    def _arguments(self) -> tuple[BoxRows, BoxTables, Pile, LegalRows, NDArray[np.uint8]]:
        return self._rows, self._tables, self._pile, self.legal, self._seen

    def _settle_doubts(self) -> None:
        """Have the rules list what is legal in the rows where that is in doubt."""
        for row in np.flatnonzero(self._rows.in_doubt).tolist():
            found = self.space.list_exactly(self.get_level(row), self.read_state(row))
            self.legal.mask[row] = 0
            self.legal.mask[row, found] = 1
            self.legal.numbers[row, : len(found)] = found
            self.legal.counts[row] = len(found)
            self._rows.in_doubt[row] = False

    @property
    def _tables(self) -> BoxTables:
        return BoxTables(**{name: array.data for name, array in self._arrays.items()})

    def _add(self, level: Level[Packing]) -> ArrayLike:
        packing, arrays = level.puzzle, self._arrays
        kinds = [self._number_kind(packing, slot) for slot in range(len(packing.pieces))]
        arrays["counts"].append(len(packing.pieces))
        arrays["gravity"].append(packing.gravity)
        arrays["sizes"].append(packing.size)
        arrays["full"].append(_split(packing.full))
        most = sum(int((arrays["found"].data[kind] >= 0).sum()) for kind in kinds)
        arrays["kinds"].append(kinds + [-1] * (self.space.bounds["pieces"] - len(kinds)))
        self.reserve(most + len(kinds))
        return self._describe(packing)

    def _number_kind(self, packing: Packing, slot: int) -> int:
        """Return the number of a piece's kind, whose tables are made when it is first met."""
        kind = packing.size, packing.pieces[slot].shape
        if kind not in self._kinds:
            self._kinds[kind] = self._add_kind(*kind, packing.spots[slot])
        return self._kinds[kind]

    def _add_kind(self, size: Cell, shape: Voxels, spots: Mapping[int, Spot]) -> int:
        feet = _find_all_feet(size, spots.values())
        if any(len(one) > _MOST_FEET for one in feet.values()):
            raise InputError(
                "a piece is too wide for batches: use environments for one episode at a time"
            )
        arrays, turned = self._arrays, list_turned(size, shape, self._most)
        first = len(self._spots)
        self._spots += spots.values()
        arrays["spots"].append((first, len(self._spots)))
        arrays["masks"].extend(_split_all(spots))
        arrays["ways"].extend(
            _split_all(find_way_out(size, mask, Direction.PLUS_Z) for mask in spots)
        )
        arrays["looks"].extend(
            np.array([(spot.rotation.index, *spot.corner) for spot in spots.values()])
        )
        ends = np.cumsum([0, *(len(turned[mask]) for mask in spots)])
        own = np.fromiter(chain.from_iterable(turned[mask] for mask in spots), np.int64)
        start = arrays["own"].extend(own)
        arrays["placed"].extend(start + np.stack([ends[:-1], ends[1:]], axis=1))
        found = np.full(arrays["found"].data.shape[1], -1)
        found[own] = first + np.repeat(np.arange(len(spots)), np.diff(ends))
        self._add_feet(size, spots.values(), feet)
        return arrays["found"].append(found)

    def _add_feet(
        self, size: Cell, spots: Collection[Spot], feet: Mapping[Rotation, Sequence[int]]
    ) -> None:
        """Add the feet of spots, and where the tables are that say which of them are enough."""
        arrays, columns = self._arrays, _list_columns(size)
        shifts = [(spot.rotation, _number_cell(size, spot.corner)) for spot in spots]
        met = [columns[foot + shift] for rotation, shift in shifts for foot in feet[rotation]]
        ends = np.cumsum([0, *(len(feet[rotation]) for rotation, _ in shifts)])
        start = arrays["below"].extend(_split_all(below for below, _ in met))
        arrays["under"].extend(_split_all(under for _, under in met))
        arrays["feet"].extend(start + np.stack([ends[:-1], ends[1:]], axis=1))
        forms = {spot.rotation: spot.mask for spot in spots}
        stands = {way: self._number_stand(list_cells(size, mask)) for way, mask in forms.items()}
        arrays["stands"].extend(np.array([stands[rotation] for rotation, _ in shifts]))

    def _number_stand(self, cells: tuple[Cell, ...]) -> int:
        """Return where the table of a turned shape begins, which is made when it is first met."""
        low = (min(axis) for axis in zip(*cells, strict=True))
        x, y, z = low
        shape = tuple([(a - x, b - y, c - z) for a, b, c in cells])
        if shape not in self._stands:
            self._stands[shape] = self._arrays["table"].extend(_list_balanced(shape))
        return self._stands[shape]

    def _describe(self, packing: Packing) -> NDArray[np.uint8]:
        """Return the features that stay as they are, and zeros for the others."""
        drawn = draw_shapes(self._shapes, (piece.shape for piece in packing.pieces))
        shapes = np.packbits(drawn.reshape(len(drawn), -1), axis=1)
        fixed = (*packing.size, packing.gravity)
        return np.concatenate([np.zeros(_PART * len(drawn)), fixed, shapes.ravel()]).astype(
            np.uint8
        )


def _create_arrays(pieces: int, placements: int) -> dict[str, GrowingArray]:
    """Return the tables of no level."""
    return {
        "counts": GrowingArray((), np.int64),
        "gravity": GrowingArray((), np.bool_),
        "sizes": GrowingArray((3,), np.int64),
        "full": GrowingArray((2,), np.uint64),
        "kinds": GrowingArray((pieces,), np.int64),
        "spots": GrowingArray((2,), np.int64),
        "found": GrowingArray((placements,), np.int64),
        "masks": GrowingArray((2,), np.uint64),
        "ways": GrowingArray((2,), np.uint64),
        "looks": GrowingArray((4,), np.uint8),
        "placed": GrowingArray((2,), np.int64),
        "feet": GrowingArray((2,), np.int64),
        "stands": GrowingArray((), np.int64),
        "own": GrowingArray((), np.int64),
        "below": GrowingArray((2,), np.uint64),
        "under": GrowingArray((2,), np.uint64),
        "table": GrowingArray((), np.uint64),
    }


def _split_all(masks: Iterable[int]) -> NDArray[np.uint64]:
    """(n, 2) words of masks, the lower one first."""
    data = b"".join([mask.to_bytes(16, "little") for mask in masks])
    return np.frombuffer(data, "<u8").reshape(-1, 2)


def _split(mask: int) -> tuple[int, int]:
    return mask & _WORD, mask >> 64


def _number_cell(size: Cell, cell: Cell) -> int:
    """Return the bit of a cell of a box."""
    x, y, z = cell
    return x + size[0] * (y + size[1] * z)


@lru_cache(maxsize=64)
def _list_columns(size: Cell) -> list[tuple[int, int]]:
    """Return for each cell of a box all cells below it, and the one just below, as bits."""
    layer = size[0] * size[1]
    found = [(0, 0)] * layer
    for bit in range(layer, layer * size[2]):
        under = 1 << bit - layer
        found.append((found[bit - layer][0] | under, under))
    return found


def _find_all_feet(size: Cell, spots: Iterable[Spot]) -> dict[Rotation, list[int]]:
    """Return the feet in each rotation, as bits in a box at whose low corner the piece lies."""
    some = {spot.rotation: spot for spot in spots}
    return {
        rotation: [
            _number_cell(size, cell) - _number_cell(size, spot.corner)
            for cell in _find_feet(list_cells(size, spot.mask))
        ]
        for rotation, spot in some.items()
    }


def _find_feet(cells: tuple[Cell, ...]) -> list[Cell]:
    """Return the cells of a piece without one of its own below."""
    return [(x, y, z) for x, y, z in cells if (x, y, z - 1) not in cells]


@lru_cache(maxsize=4096)
def _list_balanced(cells: tuple[Cell, ...]) -> NDArray[np.uint64]:
    """Return for each set of feet whether the piece is balanced on them, as bits of words."""
    feet = _find_feet(cells)
    found = [0] * max(1, (1 << len(feet)) // 64)
    for chosen in range(1 << len(feet)):
        columns = {(x, y) for k, (x, y, _) in enumerate(feet) if chosen >> k & 1}
        found[chosen // 64] |= is_above(cells, columns) << chosen % 64
    return np.array(found, np.uint64)


# -- steps ----------------------------------------------------------------------------------------


@kernel(nogil=True, borrowing=True)
def step_rows(
    rows: BoxRows,
    tables: BoxTables,
    pile: Pile,
    legal: LegalRows,
    seen: NDArray[np.uint8],
    numbers: NDArray[np.int64],
    pick: int,
) -> None:
    """Place a piece in each row, or pick one up."""
    for row in range(len(numbers)):
        legal.refused[row] = False
        if numbers[row] < 0:
            continue
        legal.refused[row] = find_legal(legal, row, numbers[row]) < 0
        if legal.refused[row]:
            continue
        if numbers[row] < pick:
            place_piece(rows, tables, row, numbers[row])
        else:
            pick_piece(rows, tables, row, numbers[row] - pick)
        list_row(rows, tables, pile, legal, seen, row, pick)


@kernel(borrowing=True)
def place_piece(rows: BoxRows, tables: BoxTables, row: int, number: int) -> None:
    """Place a piece where that is legal."""
    slot, place = number // tables.found.shape[1], number % tables.found.shape[1]
    spot = tables.found[tables.kinds[rows.levels[row], slot], place]
    if not is_standing(rows, tables, row, spot):
        rows.leaning[row] |= 1 << slot
    rows.places[row, slot] = spot
    rows.filled[row, 0] |= tables.masks[spot, 0]
    rows.filled[row, 1] |= tables.masks[spot, 1]


@kernel(borrowing=True)
def pick_piece(rows: BoxRows, tables: BoxTables, row: int, slot: int) -> None:
    """Pick a piece up where that is legal."""
    spot = rows.places[row, slot]
    rows.places[row, slot] = -1
    rows.leaning[row] &= ~(1 << slot)
    rows.filled[row, 0] &= ~tables.masks[spot, 0]
    rows.filled[row, 1] &= ~tables.masks[spot, 1]


@kernel(borrowing=True)
def lean_row(rows: BoxRows, tables: BoxTables, row: int) -> None:
    """Write which cells of a row its pieces cover, and which of them stand on no columns."""
    rows.filled[row] = 0
    rows.leaning[row] = 0
    for slot in range(rows.places.shape[1]):
        spot = rows.places[row, slot]
        if spot >= 0:
            rows.filled[row, 0] |= tables.masks[spot, 0]
            rows.filled[row, 1] |= tables.masks[spot, 1]
    for slot in range(rows.places.shape[1]):
        spot = rows.places[row, slot]
        if spot >= 0 and not is_standing(rows, tables, row, spot):
            rows.leaning[row] |= 1 << slot


@kernel(borrowing=True, inline=True)
def is_standing(rows: BoxRows, tables: BoxTables, row: int, spot: int) -> bool:
    """Return whether a piece in a spot stands on columns that are filled down to the floor."""
    first, second = rows.filled[row, 0], rows.filled[row, 1]
    first, second = first | tables.masks[spot, 0], second | tables.masks[spot, 1]
    chosen, start = 0, tables.feet[spot, 0]
    for k in range(start, tables.feet[spot, 1]):
        missing = tables.below[k, 0] & ~first | tables.below[k, 1] & ~second
        chosen |= (missing == 0) << (k - start)
    word = tables.table[tables.stands[spot] + chosen // 64]
    return bool(word >> np.uint64(chosen % 64) & np.uint64(1))


@kernel(borrowing=True, inline=True)
def is_resting(rows: BoxRows, tables: BoxTables, row: int, spot: int) -> bool:
    """Return whether a piece in a spot would be balanced if nothing below it moved."""
    chosen, start = 0, tables.feet[spot, 0]
    for k in range(start, tables.feet[spot, 1]):
        met = (
            tables.under[k, 0] & rows.filled[row, 0] | tables.under[k, 1] & rows.filled[row, 1]
        ) != 0
        floor = tables.under[k, 0] | tables.under[k, 1] == 0
        chosen |= (met or floor) << (k - start)
    word = tables.table[tables.stands[spot] + chosen // 64]
    return bool(word >> np.uint64(chosen % 64) & np.uint64(1))


@kernel(borrowing=True, inline=True)
def can_place(rows: BoxRows, tables: BoxTables, pile: Pile, row: int, slot: int, spot: int) -> bool:
    """Return whether a loose piece can be brought to a spot and stays there."""
    first, second = rows.filled[row, 0], rows.filled[row, 1]
    met = (tables.masks[spot, 0] | tables.ways[spot, 0]) & first
    met |= (tables.masks[spot, 1] | tables.ways[spot, 1]) & second
    if met:
        return False
    if not tables.gravity[rows.levels[row]] or is_standing(rows, tables, row, spot):
        return True
    if not is_resting(rows, tables, row, spot):
        return False
    return is_steady(rows, tables, pile, row, slot, spot)


@kernel(borrowing=True, inline=True)
def can_pick(rows: BoxRows, tables: BoxTables, pile: Pile, row: int, slot: int) -> bool:
    """Return whether a piece in the box can be taken out and all others stay."""
    spot = rows.places[row, slot]
    if tables.ways[spot, 0] & rows.filled[row, 0] | tables.ways[spot, 1] & rows.filled[row, 1]:
        return False
    if not tables.gravity[rows.levels[row]] or not rows.leaning[row] & ~(1 << slot):
        return True
    return is_steady(rows, tables, pile, row, slot, -1)


@kernel(borrowing=True)
def is_steady(rows: BoxRows, tables: BoxTables, pile: Pile, row: int, slot: int, spot: int) -> bool:
    """Return whether all pieces stay if one is in another spot, or outside for -1."""
    level = rows.levels[row]
    pile.owners[:] = -1
    for i in range(tables.counts[level]):
        place = spot if i == slot else rows.places[row, i]
        if place >= 0:
            for word in range(2):
                bits, cell = tables.masks[place, word], 64 * word
                while bits:
                    if bits & np.uint64(1):
                        pile.owners[cell] = i
                    bits >>= np.uint64(1)
                    cell += 1
    leaning = rows.leaning[row] & ~(1 << slot) | (spot >= 0) << slot
    size = tables.sizes[level]
    return is_balanced(pile, size[0], size[1], size[2], leaning)


# -- what is legal --------------------------------------------------------------------------------


@kernel(nogil=True, borrowing=True)
def list_rows(
    rows: BoxRows,
    tables: BoxTables,
    pile: Pile,
    legal: LegalRows,
    seen: NDArray[np.uint8],
    chosen: NDArray[np.int64],
    pick: int,
) -> None:
    """Write what is legal in some rows, and their features."""
    for k in range(len(chosen)):
        legal.refused[chosen[k]] = False
        list_row(rows, tables, pile, legal, seen, chosen[k], pick)


@kernel(borrowing=True)
def list_row(
    rows: BoxRows,
    tables: BoxTables,
    pile: Pile,
    legal: LegalRows,
    seen: NDArray[np.uint8],
    row: int,
    pick: int,
) -> None:
    """Write what is legal in a row, and its features."""
    clear_legal(legal, row)
    pile.in_doubt[0] = False
    level, count = rows.levels[row], 0
    for slot in range(tables.counts[level]):
        place = rows.places[row, slot]
        seen[row, 5 * slot] = 1 if place >= 0 else 2
        for a in range(4):
            seen[row, 5 * slot + 1 + a] = tables.looks[place, a] if place >= 0 else 0
        if place >= 0:
            legal.numbers[row, count] = pick + slot
            count += can_pick(rows, tables, pile, row, slot)
            continue
        kind = tables.kinds[level, slot]
        for spot in range(tables.spots[kind, 0], tables.spots[kind, 1]):
            if can_place(rows, tables, pile, row, slot, spot):
                for k in range(tables.placed[spot, 0], tables.placed[spot, 1]):
                    legal.numbers[row, count] = slot * tables.found.shape[1] + tables.own[k]
                    count += 1
    for k in range(count):
        legal.mask[row, legal.numbers[row, k]] = 1
    legal.counts[row] = count
    rows.in_doubt[row] = pile.in_doubt[0]
    full = tables.full[level]
    legal.solved[row] = rows.filled[row, 0] == full[0] and rows.filled[row, 1] == full[1]


class BoxLister:
    """Compiled lists of legal actions of one box at a time, which threads may share.

    Args:
        space: a size class into whose boxes pieces come from above only.
    """

    def __init__(self, space: BoxSpace) -> None:
        self._space = space
        self._batch = BoxBatch(space, 1)

    def is_kept(self) -> bool:
        """See :class:`~pysim.learning.spaces.LegalLister`."""
        return self._batch.is_kept()

    def list_legal(self, level: Level[Packing], state: PackingState) -> NDArray[np.int64]:
        """Return what :meth:`BoxSpace.list_exactly` does, in the same order.

        Raises:
            InputError: a piece is too wide for the tables.
        """
        with _LISTING:
            number = self._batch.load(level)
            if number >= _MOST_LISTED:
                self._batch = BoxBatch(self._space, 1)
                number = self._batch.load(level)
            self._batch.put(0, number, state)
            count = self._batch.legal.counts[0]
            return self._batch.legal.numbers[0, :count].astype(np.int64)


def create_batch(space: BoxSpace, count: int) -> BoxBatch:
    """Return a batch of boxes; see :data:`~pysim.learning.batches.BatchFactory`.

    Raises:
        InputError: pieces come from several sides.
    """
    if "direction" in space.actions.sizes:
        raise InputError(
            f"the size class {space.name} has no batches, for pieces come from several sides: use "
            "environments for one episode at a time"
        )
    return BoxBatch(space, count)

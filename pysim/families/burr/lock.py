"""The data of a lock: its pieces, how they stand when assembled, its goal and its room."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from itertools import permutations
from math import ceil, prod, sqrt

from pysim.errors import InputError
from pysim.geometry import Bounds, Cell, Direction, Pose, Rotation, Voxels, subtract
from pysim.geometry.resting import find_stable_rotation
from pysim.scene import Colour

__all__ = [
    "Companions",
    "Goal",
    "Lock",
    "LockKind",
    "Piece",
    "Workspace",
    "count_brings",
    "list_colours",
]

MAX_PIECES = 62
"""As many as the solver takes: sets of pieces are bits of one word, two of which are spare."""
MAX_EXTENT = 64
"""No piece of a level may be longer than this, in cells."""
MAX_CELLS = 20_000
"""Cells of all pieces of a lock together."""
MAX_ROOM = 2**27
"""Cells of the block in which pieces are moved, times the number of pieces.

Each piece may be kept as the bits of this block: 16 MiB at most.
"""
MAX_BRINGS = 500_000
"""Ways to bring single pieces into the block around the target: all are listed as legal."""
MAX_GROUPS = 1_000
"""Groups of pieces that may stay together."""
MAX_KNOWN_BITS = 1 << 27
"""Bits (16 MiB) of placed pieces that are remembered; a mask can be as long as the block."""


class LockKind(StrEnum):
    """Kinds of locks that can be made."""

    SIX_PIECE = "six-piece"
    BOARD = "board"
    CUBE = "cube"
    RODS = "rods"


class Goal(StrEnum):
    """Goal of a lock."""

    DISASSEMBLE = "disassemble"
    """Separate every piece."""
    KEY = "key"
    """Free any one piece."""
    ASSEMBLE = "assemble"
    """From scattered pieces, build the assembled shape."""


@dataclass(frozen=True, slots=True)
class Piece:
    """One piece.

    Attributes:
        colour: its public name.
        shape: its cells, with the low corner of the bounds at the origin.
        home: its pose in the assembled lock.
        number: its burr piece number if it was made from one, else None.
    """

    colour: Colour
    shape: Voxels
    home: Pose
    number: int | None = None


@dataclass(frozen=True, slots=True)
class Companions:
    """Pieces that need not come apart from each other.

    Attributes:
        members: sets of pieces (places in :attr:`Lock.pieces`), each with how many of them may be
            among pieces that stay together.
    """

    members: tuple[tuple[frozenset[int], int], ...]

    def include(self, pieces: Collection[int]) -> bool:
        """Return whether all of ``pieces`` may stay together."""
        together = set(pieces)
        named = set().union(*(members for members, _ in self.members))
        return together <= named and all(
            len(members & together) <= most for members, most in self.members
        )


@dataclass(frozen=True, slots=True)
class _Turned:
    """One piece in a pose: its bits, and its bounds.

    If only its rotation is known it is at offset (0, 0, 0), and its bits are those in the low
    corner of the block.
    """

    mask: int
    bounds: Bounds


@dataclass(frozen=True)
class Workspace:
    """The room around a lock: how far held pieces may go, benches, places on the table.

    All of it follows from the pieces, so that every episode of a level uses the same room::

                bench 0 (room)      bench 1 (room)    ...   towards +x
          table, towards -y and below, one place for each piece

    Rooms, the ways out of them and the table never overlap, so that groups on different benches and
    pieces on the table can't get in each other's way.

    Inside a room, cells are bits of one big integer: cell (x, y, z) of a block of nx * ny * nz
    cells is bit ``x + nx * (y + ny * z)``, a translation is a shift and a collision test an AND.
    The block is so much larger than the room that nothing a rule tries wraps around an edge. A test
    of k units costs O(k n / 64) word operations, n being the number of cells of the block.

    Attributes:
        shapes: the pieces' shapes, in order.
        bounds: the block around the assembled lock.
    """

    shapes: tuple[Voxels, ...]
    bounds: Bounds

    @cached_property
    def extent(self) -> int:
        """The largest dimension of any piece."""
        return max(max(shape.bounds.size) for shape in self.shapes)

    @cached_property
    def room(self) -> Bounds:
        """The block that held pieces may not leave, relative to their bench."""
        side, down = ceil(2 * self.extent / 3), ceil(self.extent / 3)
        return self.bounds.expand((side, side, down), (side, side, side))

    @cached_property
    def pitch(self) -> int:
        """Distance between neighbouring benches along x.

        A group, which may be as long as the room, goes no farther out of it than its own length.
        """
        return 2 * self.room.size[0]

    @cached_property
    def columns(self) -> int:
        """Places for loose pieces in one row of the table."""
        return ceil(sqrt(len(self.shapes)))

    @cached_property
    def spacing(self) -> int:
        """Distance between neighbouring places on the table."""
        return self.extent + 1

    @cached_property
    def table(self) -> Bounds:
        """The block in which loose pieces lie; it stands on the table."""
        rows = ceil(len(self.shapes) / self.columns)
        width, depth = self.columns * self.spacing, rows * self.spacing
        left = (self.bounds.low[0] + self.bounds.high[0] + 1 - width) // 2
        back = self.room.low[1] - 2
        floor = self.room.low[2] - self.extent - 1
        return Bounds(
            (left, back - depth + 1, floor), (left + width - 1, back, floor + self.extent - 1)
        )

    def get_bench_offset(self, bench: int) -> Cell:
        """Return a bench's origin in the world."""
        return (bench * self.pitch, 0, 0)

    def find_table_pose(self, piece: int, rotation: Rotation) -> Pose:
        """Return the pose of a loose piece: in the middle of its own place."""
        size = self._turn(piece, rotation).bounds.size
        # The first row is the one nearest to the lock.
        row, column = divmod(piece, self.columns)
        corner = (
            self.table.low[0] + column * self.spacing + (self.spacing - size[0]) // 2,
            self.table.high[1] + 1 - (row + 1) * self.spacing + (self.spacing - size[1]) // 2,
            self.table.low[2],
        )
        return self.find_corner_pose(piece, rotation, corner)

    def find_table_block(self, piece: int, rotation: Rotation) -> Bounds:
        """Return the block around a loose piece."""
        key = (piece, rotation.index)
        found = self._table_blocks.get(key)
        if found is None:
            found = self.measure_piece(piece, self.find_table_pose(piece, rotation))
            self._table_blocks[key] = found
        return found

    @cached_property
    def _table_blocks(self) -> dict[tuple[int, int], Bounds]:
        return {}

    def mask(self, piece: int, pose: Pose) -> int:
        """Return the bits of a piece on its bench; the pose must be near the room."""
        return self._placed(piece, pose).mask

    def measure_piece(self, piece: int, pose: Pose) -> Bounds:
        """Return the block around a piece."""
        return self._turn(piece, pose.rotation).bounds.translate(pose.offset)

    def group(self, poses: Mapping[int, Pose]) -> tuple[int, Bounds]:
        """Return the bits of several pieces on one bench, and the block around them.

        Args:
            poses: piece -> its pose, near the room; at least one.
        """
        mask, blocks = 0, []
        for piece, pose in poses.items():
            placed = self._placed(piece, pose)
            mask |= placed.mask
            blocks.append(placed.bounds)
        return mask, Bounds.cover(blocks)

    def measure_group(self, poses: Iterable[tuple[int, Pose]]) -> Bounds:
        """Return the block around several pieces on one bench, near the room; at least one."""
        return Bounds.cover(self.measure_piece(piece, pose) for piece, pose in poses)

    def _placed(self, piece: int, pose: Pose) -> _Turned:
        """Return a piece in a pose; the same few are asked for again and again."""
        key = (piece, pose.rotation.index, pose.offset)
        found = self._known.get(key)
        if found is None:
            turned = self._turn(piece, pose.rotation)
            bounds = turned.bounds.translate(pose.offset)
            found = _Turned(turned.mask << self._bit(subtract(bounds.low, self._block.low)), bounds)
            if len(self._known) >= self._most_known:
                self._known.clear()
            self._known[key] = found
        return found

    @cached_property
    def _most_known(self) -> int:
        return max(4 * len(self.shapes), MAX_KNOWN_BITS // self.volume)

    @cached_property
    def _known(self) -> dict[tuple[int, int, Cell], _Turned]:
        return {}

    def find_corner_pose(self, piece: int, rotation: Rotation, corner: Cell) -> Pose:
        """As :meth:`pysim.geometry.Pose.place_corner`, without turning the shape anew."""
        return Pose(rotation, subtract(corner, self._turn(piece, rotation).bounds.low))

    def sweep(
        self, moving: int, obstacles: int, direction: Direction, distance: int
    ) -> tuple[int, int]:
        """Units that the bits ``moving`` can go, at most ``distance``, and the bits that end it."""
        step = self._steps[direction]
        for travel in range(distance):
            moving = _shift(moving, step)
            if moving & obstacles:
                return travel, moving & obstacles
        return distance, 0

    @cached_property
    def _steps(self) -> dict[Direction, int]:
        return {direction: self._bit(direction.vector) for direction in Direction}

    @cached_property
    def _block(self) -> Bounds:
        # What leaves the room goes at most as far as the room is long; where that is more than two
        # margins it would come in again at the other side. What comes in starts beside the room.
        x, y, z = (max(self.extent, ceil(size / 2)) for size in self.room.size)
        return self.room.expand((x, y, z), (x, y, z))

    @property
    def volume(self) -> int:
        """Cells of the block in which pieces are bits: what a mask may take up."""
        nx, ny, nz = self._block.size
        return nx * ny * nz

    @cached_property
    def _strides(self) -> tuple[int, int]:
        nx, ny, _ = self._block.size
        return nx, nx * ny

    def _bit(self, cell: Cell) -> int:
        nx, nxy = self._strides
        return cell[0] + nx * cell[1] + nxy * cell[2]

    def _turn(self, piece: int, rotation: Rotation) -> _Turned:
        """Return a piece in a rotation, at offset (0, 0, 0)."""
        key = (piece, rotation.index)
        found = self._turned.get(key)
        if found is None:
            turned = self.shapes[piece].rotate(rotation)
            low = turned.bounds.low
            mask = _bits(self._bit(subtract(cell, low)) for cell in turned.cells)
            found = self._turned[key] = _Turned(mask, turned.bounds)
        return found

    @cached_property
    def _turned(self) -> dict[tuple[int, int], _Turned]:
        return {}


def _bits(numbers: Iterable[int]) -> int:
    """Return the number with these bits set; a sum of them would be made anew for each."""
    known = list(numbers)
    data = bytearray(max(known) // 8 + 1)
    for number in known:
        data[number >> 3] |= 1 << (number & 7)
    return int.from_bytes(data, "little")


def _shift(mask: int, bits: int) -> int:
    """``mask`` moved by a signed number of bits."""
    return mask << bits if bits >= 0 else mask >> -bits


@dataclass(frozen=True)
class Lock:
    """Pieces that interlock, and the goal.

    Attributes:
        pieces: in a fixed order.
        goal: what is to be done.
        companions: sets of pieces that count as one for the goal ``disassemble``.
    """

    pieces: tuple[Piece, ...]
    goal: Goal
    companions: tuple[Companions, ...] = ()

    def __post_init__(self) -> None:
        _check(self.pieces)
        if self.goal is Goal.ASSEMBLE:
            _check_brings(self.pieces, self.bounds.size)

    def may_stay(self, pieces: Collection[int]) -> bool:
        """Return whether these pieces need not be taken apart any more."""
        return len(pieces) == 1 or any(group.include(pieces) for group in self.companions)

    @cached_property
    def index(self) -> dict[Colour, int]:
        """Colour -> place of the piece in :attr:`pieces`."""
        return {piece.colour: i for i, piece in enumerate(self.pieces)}

    @cached_property
    def bounds(self) -> Bounds:
        """The block around the assembled lock."""
        return Bounds.cover(piece.home.find_bounds(piece.shape) for piece in self.pieces)

    @cached_property
    def workspace(self) -> Workspace:
        """The room around the lock."""
        return Workspace(tuple(piece.shape for piece in self.pieces), self.bounds)

    @cached_property
    def target(self) -> frozenset[frozenset[Cell]]:
        """The assembled lock as a set of pieces, each a set of cells."""
        return frozenset(piece.home.place(piece.shape).cell_set for piece in self.pieces)


def _check(pieces: Sequence[Piece]) -> None:
    if not 2 <= len(pieces) <= MAX_PIECES:
        raise InputError(f"a lock has 2 to {MAX_PIECES} pieces, not {len(pieces)}")
    colours = [piece.colour for piece in pieces]
    if len(set(colours)) != len(colours):
        raise InputError(f"two pieces share a colour: {', '.join(colours)}")
    _check_size(pieces)
    taken: dict[Cell, Colour] = {}
    for piece in pieces:
        if not piece.shape.is_connected:
            raise InputError(f"{piece.colour}: the piece is not connected")
        try:
            find_stable_rotation(piece.shape, piece.home.rotation)
        except ValueError as error:
            raise InputError(f"{piece.colour}: {error}") from None
        for cell in piece.home.place(piece.shape).cells:
            if cell in taken:
                raise InputError(f"{taken[cell]} and {piece.colour} both cover cell {cell}")
            taken[cell] = piece.colour


def _check_size(pieces: Sequence[Piece]) -> None:
    """Refuse what would take too much memory to be played, before any of it is taken."""
    cells = sum(len(piece.shape.cells) for piece in pieces)
    if cells > MAX_CELLS:
        raise InputError(f"a lock has at most {MAX_CELLS:,} cells, not {cells:,}")
    for piece in pieces:
        if max(piece.shape.bounds.size) > MAX_EXTENT:
            raise InputError(f"{piece.colour}: no piece may be longer than {MAX_EXTENT} cells")
    shapes = tuple(piece.shape for piece in pieces)
    bounds = Bounds.cover(piece.home.find_bounds(piece.shape) for piece in pieces)
    if Workspace(shapes, bounds).volume * len(pieces) > MAX_ROOM:
        size = " x ".join(map(str, bounds.size))
        raise InputError(
            f"a lock of {size} cells is too large for {len(pieces)} pieces: with the room to move "
            f"them it may take up {MAX_ROOM // len(pieces):,} cells"
        )


def _check_brings(pieces: Sequence[Piece], size: Cell) -> None:
    """Refuse a target into which pieces can be brought in more ways than can be listed."""
    ways = count_brings(pieces, size)
    if ways > MAX_BRINGS:
        raise InputError(
            f"there are {ways:,} ways to bring pieces into {' x '.join(map(str, size))} cells; "
            f"with the goal 'assemble' a lock may have {MAX_BRINGS:,}"
        )


def count_brings(pieces: Sequence[Piece], size: Cell) -> int:
    """The most ways to bring pieces into a block: places in all 24 rotations, from six sides."""
    sizes = (turned for piece in pieces for turned in permutations(piece.shape.bounds.size))
    # Each of these six is the size in four rotations; those that look alike are counted apart.
    spans = (zip(size, turned, strict=True) for turned in sizes)
    return 6 * 4 * sum(prod(max(0, n - m + 1) for n, m in one) for one in spans)


def list_colours(lock: Lock) -> tuple[Colour, ...]:
    """Public names of the pieces, in order."""
    return tuple(piece.colour for piece in lock.pieces)

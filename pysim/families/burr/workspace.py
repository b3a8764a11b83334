"""The room around a lock: how far held pieces may go, benches, places on the table.

All of it follows from the pieces, so that every episode of a level uses the same room::

            bench 0 (room)      bench 1 (room)    ...   towards +x
      table, towards -y and below, one place for each piece

Rooms, the ways out of them and the table never overlap, so that groups on different benches and
pieces on the table can't get in each other's way.

Inside a room, cells are bits of one big integer: cell (x, y, z) of a block of nx * ny * nz cells is
bit ``x + nx * (y + ny * z)``, a translation is a shift and a collision test an AND. The block is so
much larger than the room that nothing a rule tries wraps around an edge. A test of k units costs
O(k n / 64) word operations, n being the number of cells of the block.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from math import ceil, sqrt

from pysim.geometry import Bounds, Cell, Direction, Pose, Rotation, Voxels, list_rotations, subtract

__all__ = ["Workspace"]

MAX_KNOWN_BITS = 1 << 27
"""Bits (16 MiB) of placed pieces that are remembered; a mask can be as long as the block."""


@dataclass(frozen=True, slots=True)
class _Turned:
    """One piece in one rotation about its origin: its bits at offset (0, 0, 0), and its bounds."""

    mask: int
    bounds: Bounds


@dataclass(frozen=True)
class Workspace:
    """Places for the pieces of one lock.

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
        size = self._turned[piece][rotation.index].bounds.size
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
        return self._turned[piece][pose.rotation.index].bounds.translate(pose.offset)

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

    def _placed(self, piece: int, pose: Pose) -> _Turned:
        """Return a piece in a pose; the same few are asked for again and again."""
        key = (piece, pose.rotation.index, pose.offset)
        found = self._known.get(key)
        if found is None:
            turned = self._turned[piece][pose.rotation.index]
            mask = shift_mask(turned.mask, self._bit(pose.offset))
            found = _Turned(mask, turned.bounds.translate(pose.offset))
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
        return Pose(rotation, subtract(corner, self._turned[piece][rotation.index].bounds.low))

    def step(self, direction: Direction) -> int:
        """Bits by which one unit along ``direction`` shifts a mask, with its sign."""
        return self._steps[direction]

    @cached_property
    def _steps(self) -> dict[Direction, int]:
        return {direction: self._bit(direction.vector) for direction in Direction}

    @cached_property
    def _block(self) -> Bounds:
        # What leaves the room goes at most as far as the room is long; where that is more than two
        # margins it would come in again at the other side.
        margin = max(2 * self.extent + 2, ceil(max(self.room.size) / 2))
        return self.room.expand((margin, margin, margin), (margin, margin, margin))

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

    @cached_property
    def _turned(self) -> tuple[tuple[_Turned, ...], ...]:
        return tuple(tuple(self._turn(s, r) for r in list_rotations()) for s in self.shapes)

    def _turn(self, shape: Voxels, rotation: Rotation) -> _Turned:
        turned = shape.rotate(rotation)
        x0, y0, z0 = self._block.low
        return _Turned(
            _bits(self._bit((x - x0, y - y0, z - z0)) for x, y, z in turned.cells), turned.bounds
        )


def _bits(numbers: Iterable[int]) -> int:
    """Return the number with these bits set; a sum of them would be made anew for each."""
    known = list(numbers)
    data = bytearray(max(known) // 8 + 1)
    for number in known:
        data[number >> 3] |= 1 << (number & 7)
    return int.from_bytes(data, "little")


def shift_mask(mask: int, bits: int) -> int:
    """``mask`` moved by a signed number of bits."""
    return mask << bits if bits >= 0 else mask >> -bits

"""Places of the lattice, to and from the messages of scene.proto.

Decoders raise InputError on what the other end should not have sent.
"""

from collections.abc import Mapping

from bridge.rpc._pb.luban.v1 import scene_pb2
from pysim.errors import InputError
from pysim.geometry import Axis, Bounds, Cell, Direction, Pose, Rotation

__all__ = [
    "decode_axis",
    "decode_block",
    "decode_cell",
    "decode_direction",
    "decode_pose",
    "encode_axis",
    "encode_block",
    "encode_cell",
    "encode_direction",
    "encode_pose",
]

_DIRECTIONS: Mapping[Direction, scene_pb2.LatticeDirection] = {
    Direction.PLUS_X: scene_pb2.LATTICE_DIRECTION_PLUS_X,
    Direction.MINUS_X: scene_pb2.LATTICE_DIRECTION_MINUS_X,
    Direction.PLUS_Y: scene_pb2.LATTICE_DIRECTION_PLUS_Y,
    Direction.MINUS_Y: scene_pb2.LATTICE_DIRECTION_MINUS_Y,
    Direction.PLUS_Z: scene_pb2.LATTICE_DIRECTION_PLUS_Z,
    Direction.MINUS_Z: scene_pb2.LATTICE_DIRECTION_MINUS_Z,
}
_DIRECTION_OF = {number: direction for direction, number in _DIRECTIONS.items()}
_AXES: Mapping[Axis, scene_pb2.LatticeAxis] = {
    Axis.X: scene_pb2.LATTICE_AXIS_X,
    Axis.Y: scene_pb2.LATTICE_AXIS_Y,
    Axis.Z: scene_pb2.LATTICE_AXIS_Z,
}
_AXIS_OF = {number: axis for axis, number in _AXES.items()}


def encode_direction(direction: Direction) -> scene_pb2.LatticeDirection:
    """Return a direction."""
    return _DIRECTIONS[direction]


def decode_direction(message: scene_pb2.LatticeDirection) -> Direction:
    """Return the direction."""
    if message not in _DIRECTION_OF:
        raise InputError(f"{message} is no direction")
    return _DIRECTION_OF[message]


def encode_axis(axis: Axis) -> scene_pb2.LatticeAxis:
    """Return an axis."""
    return _AXES[axis]


def decode_axis(message: scene_pb2.LatticeAxis) -> Axis:
    """Return the axis."""
    if message not in _AXIS_OF:
        raise InputError(f"{message} is no axis")
    return _AXIS_OF[message]


def encode_pose(pose: Pose) -> scene_pb2.LatticePose:
    """Return a pose."""
    return scene_pb2.LatticePose(rotation=pose.rotation.index, offset=encode_cell(pose.offset))


def decode_pose(message: scene_pb2.LatticePose) -> Pose:
    """Return the pose."""
    return Pose(Rotation(message.rotation), decode_cell(message.offset))


def encode_block(block: Bounds) -> scene_pb2.Block:
    """Return a block."""
    return scene_pb2.Block(low=encode_cell(block.low), high=encode_cell(block.high))


def decode_block(message: scene_pb2.Block) -> Bounds:
    """Return the block."""
    return Bounds(decode_cell(message.low), decode_cell(message.high))


def encode_cell(cell: Cell) -> scene_pb2.Cell:
    """Return a cell."""
    return scene_pb2.Cell(x=cell[0], y=cell[1], z=cell[2])


def decode_cell(message: scene_pb2.Cell) -> Cell:
    """Return the cell."""
    return (message.x, message.y, message.z)

"""Scenes, motions, reports and pictures to and from the messages of unity.proto.

Decoders raise InputError on what the other end should not have sent.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager

import numpy as np

from bridge.rpc._pb.luban.v1 import scene_pb2, unity_pb2
from pysim.errors import InputError
from pysim.geometry import Axis, Bounds, Cell, Direction, Pose, Rotation, Voxels
from pysim.legs import Leg, Shift, Spin, Way
from pysim.motion import Carry, Keyframe, Motion, Sweep, Trajectory, Transform, Turn
from pysim.physics.world import Report
from pysim.render.palette import PALETTE
from pysim.scene import Body, Colour, Scene

__all__ = [
    "decode_motion",
    "decode_report",
    "decode_scene",
    "decode_transforms",
    "encode_motion",
    "encode_report",
    "encode_scene",
    "encode_transforms",
]

_UNPAINTED = 0x808080
"""What a body is painted with whose colour is not in the palette; only worlds take such bodies."""

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
_NUMBER_OF = {name: (r << 16) + (g << 8) + b for name, (r, g, b) in PALETTE.items()}
_COLOUR_OF = {number: name for name, number in _NUMBER_OF.items()}


@contextmanager
def _in_32_bits(what: str) -> Iterator[None]:
    """Say in our own words which message it is that can't hold a number."""
    try:
        yield
    except InputError:
        raise
    except ValueError as error:
        raise InputError(f"{what} can't be sent to a player: {error}") from None


@_in_32_bits("a scene")
def encode_scene(scene: Scene) -> scene_pb2.LatticeScene:
    """A scene without its container, of which worlds know nothing.

    Raises:
        InputError: a coordinate needs more than 32 bits.
    """
    return scene_pb2.LatticeScene(
        bodies=[_encode_body(body) for body in scene.bodies],
        work=_encode_block(scene.work),
        table=None if scene.table is None else _encode_block(scene.table),
    )


def decode_scene(message: scene_pb2.LatticeScene) -> Scene:
    """The scene; a colour that is not in the palette is called ``#rrggbb``."""
    return Scene(
        bodies=tuple(_decode_body(body) for body in message.bodies),
        work=_decode_block(message.work),
        table=_decode_block(message.table) if message.HasField("table") else None,
    )


@_in_32_bits("a motion")
def encode_motion(motion: Motion) -> scene_pb2.SceneMotion:
    """A motion; its bodies in the order of their names.

    Raises:
        InputError: a number needs more than 32 bits.
    """
    if isinstance(motion, Sweep):
        sweep = scene_pb2.SweepMotion(
            bodies=sorted(motion.bodies),
            direction=_DIRECTIONS[motion.direction],
            distance=motion.distance,
        )
        return scene_pb2.SceneMotion(sweep=sweep)
    if isinstance(motion, Turn):
        turn = scene_pb2.TurnMotion(
            bodies=sorted(motion.bodies),
            axis=_AXES[motion.axis],
            centre=_encode_cell(motion.centre),
            quarters=motion.quarters,
            hinged=motion.hinged,
        )
        return scene_pb2.SceneMotion(turn=turn)
    carry = scene_pb2.CarryMotion(
        bodies=sorted(motion.bodies), way=map(_encode_leg, motion.way), loose=motion.loose
    )
    return scene_pb2.SceneMotion(carry=carry)


def decode_motion(message: scene_pb2.SceneMotion) -> Motion:
    """The motion."""
    match message.WhichOneof("motion"):
        case "sweep":
            sweep = message.sweep
            return Sweep(
                frozenset(sweep.bodies), _decode_direction(sweep.direction), sweep.distance
            )
        case "carry":
            carry = message.carry
            way = Way([_decode_leg(leg) for leg in carry.way])
            return Carry(frozenset(carry.bodies), way, carry.loose)
        case "turn":
            turn = message.turn
            axis, centre = _decode_axis(turn.axis), _decode_cell(turn.centre)
            return Turn(frozenset(turn.bodies), axis, centre, turn.quarters, turn.hinged)
        case _:
            raise InputError("a motion is neither sweep, carry nor turn")


def encode_report(report: Report, order: Iterable[str]) -> unity_pb2.PlayerReport:
    """A report; ``order`` holds the bodies' names as in the scene."""
    names = tuple(order)
    return unity_pb2.PlayerReport(
        completed=report.completed,
        travel=report.travel,
        measured=report.measured,
        contacts=[name for name in names if name in report.contacts],
        fallen=[name for name in names if name in report.fallen],
        keyframes=[
            unity_pb2.PlayerKeyframe(
                time=keyframe.time, bodies=encode_transforms(keyframe.transforms)
            )
            for keyframe in report.trajectory.keyframes
        ],
    )


def decode_report(message: unity_pb2.PlayerReport) -> Report:
    """The report; its keyframes are read when they are first asked for."""
    return Report(
        completed=message.completed,
        travel=message.travel,
        measured=message.measured,
        contacts=frozenset(message.contacts),
        trajectory=Trajectory(_keyframes(message)),
        fallen=frozenset(message.fallen),
    )


def encode_transforms(transforms: Mapping[str, Transform]) -> list[unity_pb2.BodyTransform]:
    """Names and the upper three rows of 4x4 matrices."""
    return [
        unity_pb2.BodyTransform(name=name, matrix=transform[:3].ravel().tolist())
        for name, transform in transforms.items()
    ]


def decode_transforms(messages: Sequence[unity_pb2.BodyTransform]) -> dict[str, Transform]:
    """Name -> 4x4 matrix."""
    return {message.name: _decode_matrix(message) for message in messages}


def _keyframes(message: unity_pb2.PlayerReport) -> Callable[[], Iterator[Keyframe]]:
    return lambda: (
        Keyframe(keyframe.time, decode_transforms(keyframe.bodies))
        for keyframe in message.keyframes
    )


def _decode_matrix(message: unity_pb2.BodyTransform) -> Transform:
    if len(message.matrix) != 12:
        raise InputError(f"{message.name}: a matrix has 12 numbers, not {len(message.matrix)}")
    matrix = np.eye(4)
    matrix[:3] = np.reshape(message.matrix, (3, 4))
    if not np.isfinite(matrix).all():
        raise InputError(f"{message.name}: a matrix has finite numbers")
    return matrix


def _encode_body(body: Body) -> scene_pb2.SceneBody:
    return scene_pb2.SceneBody(
        name=body.name,
        cells=[coordinate for cell in body.shape.cells for coordinate in cell],
        pose=_encode_pose(body.pose),
        rgb=_NUMBER_OF.get(body.colour, _UNPAINTED),
        loose=body.loose,
    )


def _decode_body(message: scene_pb2.SceneBody) -> Body:
    numbers = iter(message.cells)
    if len(message.cells) % 3:
        raise InputError(f"{message.name}: cells are given by three numbers each")
    colour = _COLOUR_OF.get(message.rgb, f"#{message.rgb:06x}")
    return Body(
        name=message.name,
        shape=Voxels.of(zip(numbers, numbers, numbers, strict=True)),
        pose=_decode_pose(message.pose),
        colour=Colour(colour),
        loose=message.loose,
    )


def _encode_leg(leg: Leg) -> scene_pb2.CarryLeg:
    if isinstance(leg, Shift):
        shift = scene_pb2.ShiftLeg(direction=_DIRECTIONS[leg.direction], distance=leg.distance)
        return scene_pb2.CarryLeg(shift=shift)
    spin = scene_pb2.SpinLeg(rotation=leg.rotation.index, offset=_encode_cell(leg.offset))
    return scene_pb2.CarryLeg(spin=spin)


def _decode_leg(message: scene_pb2.CarryLeg) -> Leg:
    match message.WhichOneof("leg"):
        case "shift":
            shift = message.shift
            return Shift(_decode_direction(shift.direction), shift.distance)
        case "spin":
            return Spin(Rotation(message.spin.rotation), _decode_cell(message.spin.offset))
        case _:
            raise InputError("a leg is neither shift nor spin")


def _decode_direction(message: scene_pb2.LatticeDirection) -> Direction:
    if message not in _DIRECTION_OF:
        raise InputError(f"{message} is no direction")
    return _DIRECTION_OF[message]


def _decode_axis(message: scene_pb2.LatticeAxis) -> Axis:
    if message not in _AXIS_OF:
        raise InputError(f"{message} is no axis")
    return _AXIS_OF[message]


def _encode_pose(pose: Pose) -> scene_pb2.LatticePose:
    return scene_pb2.LatticePose(rotation=pose.rotation.index, offset=_encode_cell(pose.offset))


def _decode_pose(message: scene_pb2.LatticePose) -> Pose:
    return Pose(Rotation(message.rotation), _decode_cell(message.offset))


def _encode_block(block: Bounds) -> scene_pb2.Block:
    return scene_pb2.Block(low=_encode_cell(block.low), high=_encode_cell(block.high))


def _decode_block(message: scene_pb2.Block) -> Bounds:
    return Bounds(_decode_cell(message.low), _decode_cell(message.high))


def _encode_cell(cell: Cell) -> scene_pb2.Cell:
    return scene_pb2.Cell(x=cell[0], y=cell[1], z=cell[2])


def _decode_cell(message: scene_pb2.Cell) -> Cell:
    return (message.x, message.y, message.z)

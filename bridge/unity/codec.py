"""Scenes, motions, reports and pictures to and from the messages of unity.proto.

Decoders raise InputError on what the other end should not have sent.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager

import numpy as np

from bridge.rpc._pb.luban.v1 import scene_pb2, unity_pb2
from bridge.unity.poses import (
    decode_axis,
    decode_block,
    decode_cell,
    decode_direction,
    decode_pose,
    encode_axis,
    encode_block,
    encode_cell,
    encode_direction,
    encode_pose,
)
from bridge.unity.visuals import (
    decode_container,
    decode_paint,
    decode_sticker,
    encode_container,
    encode_paint,
    encode_sticker,
)
from pysim.errors import InputError
from pysim.geometry import Rotation, Voxels
from pysim.motion import Carry, Motion, Sweep, Turn
from pysim.path import Path, Segment, Shift, Spin
from pysim.physics.world import Report
from pysim.scene import Body, Scene
from pysim.trajectory import Keyframe, Trajectory, Transform

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
    """Return a scene without its shots: whoever draws it is told the cameras.

    Raises:
        InputError: a coordinate needs more than 32 bits.
    """
    return scene_pb2.LatticeScene(
        bodies=[_encode_body(body) for body in scene.bodies],
        work=encode_block(scene.work),
        table=None if scene.table is None else encode_block(scene.table),
        container=None if scene.container is None else encode_container(scene.container),
    )


def decode_scene(message: scene_pb2.LatticeScene) -> Scene:
    """Return the scene; a colour that is not in the palette is called ``#rrggbb``."""
    return Scene(
        bodies=tuple(_decode_body(body) for body in message.bodies),
        work=decode_block(message.work),
        table=decode_block(message.table) if message.HasField("table") else None,
        container=(decode_container(message.container) if message.HasField("container") else None),
    )


@_in_32_bits("a motion")
def encode_motion(motion: Motion) -> scene_pb2.SceneMotion:
    """Return a motion; its bodies in the order of their names.

    Raises:
        InputError: a number needs more than 32 bits.
    """
    if isinstance(motion, Sweep):
        sweep = scene_pb2.SweepMotion(
            bodies=sorted(motion.bodies),
            direction=encode_direction(motion.direction),
            distance=motion.distance,
        )
        return scene_pb2.SceneMotion(sweep=sweep)
    if isinstance(motion, Turn):
        turn = scene_pb2.TurnMotion(
            bodies=sorted(motion.bodies),
            axis=encode_axis(motion.axis),
            centre=encode_cell(motion.centre),
            quarters=motion.quarters,
            hinged=motion.hinged,
        )
        return scene_pb2.SceneMotion(turn=turn)
    carry = scene_pb2.CarryMotion(
        bodies=sorted(motion.bodies), way=map(_encode_leg, motion.path), loose=motion.loose
    )
    return scene_pb2.SceneMotion(carry=carry)


def decode_motion(message: scene_pb2.SceneMotion) -> Motion:
    """Return the motion."""
    match message.WhichOneof("motion"):
        case "sweep":
            sweep = message.sweep
            return Sweep(frozenset(sweep.bodies), decode_direction(sweep.direction), sweep.distance)
        case "carry":
            carry = message.carry
            way = Path([_decode_leg(leg) for leg in carry.way])
            return Carry(frozenset(carry.bodies), way, carry.loose)
        case "turn":
            turn = message.turn
            axis, centre = decode_axis(turn.axis), decode_cell(turn.centre)
            return Turn(frozenset(turn.bodies), axis, centre, turn.quarters, turn.hinged)
        case _:
            raise InputError("a motion is neither sweep, carry nor turn")


def encode_report(report: Report, order: Iterable[str]) -> unity_pb2.PlayerReport:
    """Return a report; ``order`` holds the bodies' names as in the scene."""
    names = tuple(order)
    return unity_pb2.PlayerReport(
        completed=report.completed,
        travel=report.travel,
        measured=report.measured,
        contacts=[name for name in names if name in report.contacts],
        fallen=[name for name in names if name in report.fallen],
        witnessed=[name for name in names if name in report.contacts],
        keyframes=[
            unity_pb2.PlayerKeyframe(
                time=keyframe.time, bodies=encode_transforms(keyframe.transforms)
            )
            for keyframe in report.trajectory.keyframes
        ],
    )


def decode_report(message: unity_pb2.PlayerReport) -> Report:
    """Return the report; its keyframes are read when they are first asked for."""
    return Report(
        completed=message.completed,
        travel=message.travel,
        measured=message.measured,
        contacts=frozenset(message.contacts),
        trajectory=Trajectory(_keyframes(message)),
        fallen=frozenset(message.fallen),
    )


def encode_transforms(transforms: Mapping[str, Transform]) -> list[unity_pb2.BodyTransform]:
    """Return names and the upper three rows of 4x4 matrices."""
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
        pose=encode_pose(body.pose),
        rgb=encode_paint(body.colour),
        loose=body.loose,
        stickers=[encode_sticker(sticker) for sticker in body.stickers],
        translucent=body.translucent,
    )


def _decode_body(message: scene_pb2.SceneBody) -> Body:
    numbers = iter(message.cells)
    if len(message.cells) % 3:
        raise InputError(f"{message.name}: cells are given by three numbers each")
    return Body(
        name=message.name,
        shape=Voxels.from_cells(zip(numbers, numbers, numbers, strict=True)),
        pose=decode_pose(message.pose),
        colour=decode_paint(message.rgb),
        loose=message.loose,
        stickers=tuple(map(decode_sticker, message.stickers)),
        translucent=message.translucent,
    )


def _encode_leg(leg: Segment) -> scene_pb2.CarryLeg:
    if isinstance(leg, Shift):
        shift = scene_pb2.ShiftLeg(direction=encode_direction(leg.direction), distance=leg.distance)
        return scene_pb2.CarryLeg(shift=shift)
    spin = scene_pb2.SpinLeg(rotation=leg.rotation.index, offset=encode_cell(leg.offset))
    return scene_pb2.CarryLeg(spin=spin)


def _decode_leg(message: scene_pb2.CarryLeg) -> Segment:
    match message.WhichOneof("leg"):
        case "shift":
            shift = message.shift
            return Shift(decode_direction(shift.direction), shift.distance)
        case "spin":
            return Spin(Rotation(message.spin.rotation), decode_cell(message.spin.offset))
        case _:
            raise InputError("a leg is neither shift nor spin")

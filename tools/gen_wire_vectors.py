"""Writes ``tests/golden/wire``: ``python tools/gen_wire_vectors.py``.

What unity.proto looks like in bytes, in base64, for a codec written by hand to be held to.
``requests.json`` and ``responses.json`` hold messages of each kind as Python's protobuf writes
them; ``talks.json`` holds whole conversations: pairs of a request and what the exact world answers,
without keyframes, words and names of engines.
"""

import argparse
from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import count, cycle, islice
from json import dumps
from pathlib import Path

from google.protobuf.message import Message

from bridge.rpc._pb.luban.v1 import unity_pb2 as pb
from bridge.unity import codec, pictures
from bridge.unity.reference_player.simulation import Simulation
from pysim.catalog import find_shipped_level
from pysim.geometry import Axis, Bounds, Direction, Pose, Rotation, Voxels
from pysim.glyphs import Glyph
from pysim.motion import Carry, Motion, Sweep, Turn
from pysim.path import Path as CarryPath
from pysim.path import Shift, Spin
from pysim.physics.lattice import LatticeWorld
from pysim.physics.world import Report
from pysim.render.renderer import Pass
from pysim.scene import Body, Colour, Container, Scene, Sticker
from pysim.trajectory import Trajectory
from tools.gen_vectors import Tour, level_tour, packed_tour, walk

__all__ = ["documents"]

ROOT = Path(__file__).resolve().parent.parent
GOLDEN = ROOT / "tests" / "golden" / "wire"
STEPS = 60
"""Steps in each conversation."""
LEVELS = (
    "burr-chinese-cross",
    "burr-piston-assemble",
    "burr-tusk-tenon",
    "packing-soma",
    "checkerboard",
)


def main() -> None:
    """Write every file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=GOLDEN)
    out = parser.parse_args().out
    out.mkdir(parents=True, exist_ok=True)
    for name, document in documents().items():
        (out / name).write_text(dumps(document, indent=0) + "\n", encoding="utf-8")


def documents() -> Mapping[str, object]:
    """File name -> what is in it."""
    tours = [packed_tour(1), *(level_tour(find_shipped_level(name)) for name in LEVELS)]
    return {
        "requests.json": [_line(message) for message in _requests()],
        "responses.json": [_line(message) for message in _responses()],
        "talks.json": {tour.name: list(_talk(tour)) for tour in tours},
    }


def _line(message: Message) -> str:
    return b64encode(message.SerializeToString(deterministic=True)).decode("ascii")


def _requests() -> Iterator[pb.PlayerRequest]:
    """Yield each kind, with extremes of its numbers and a name beyond ASCII."""
    request = pb.PlayerRequest
    yield request()
    yield request(id=2**64 - 1)
    yield request(id=1, hello=pb.PlayerHello())
    yield request(id=2, hello=pb.PlayerHello(protocol=2**32 - 1, answer_bytes=2**20))
    for scene in (level_tour(find_shipped_level("burr-piston")).scene, _extremes(), _seen()):
        yield request(id=300, reset=pb.PlayerReset(scene=codec.encode_scene(scene)))
    yield request(id=4, execute=pb.PlayerExecute())
    yield request(id=5, execute=_execute(_odd_motions()))
    yield request(id=6, poses=pb.PlayerPoses())
    yield request(id=7, render=pb.PlayerRender())
    yield request(id=8, render=_render())
    for last in (False, True):
        yield request(id=9, part=pb.PlayerPart(data=b"\0\1\xff", last=last))
    yield request(id=10, gallery=pb.PlayerGallery())
    yield request(id=11, gallery=_gallery())
    yield request(id=12, more=pb.PlayerMore())


def _extremes() -> Scene:
    wide = Voxels.from_cells([(-(1 << 19), 0, 0), ((1 << 19) - 1, 0, 0)])
    body = Body("茶 кубик ☃ 🧩", wide, Pose(Rotation(23), (-1, 64, -65)), Colour("lemon"))
    return Scene((body,), Bounds((-(2**31), 0, 0), (2**31 - 1, 0, 0)))


def _seen() -> Scene:
    """Return all that is only seen: stickers, some with signs, a body seen through, a box."""
    signs = [Glyph(sign, turns) for sign in "F9↑" for turns in range(4)]
    stickers = tuple(
        Sticker((0, 0, -k), side, Colour("orange"), sign)
        for k, (side, sign) in enumerate(zip(cycle(Direction), [None, *signs], strict=False))
    )
    bar = Voxels.from_cells([(0, 0, -k) for k in range(len(stickers))])
    bodies = (
        Body("a", bar, Pose(Rotation(3), (0, 0, 0)), Colour("red"), False, stickers),
        Body("b", bar, Pose(Rotation(3), (2, 0, 0)), Colour("blue"), True, (), True),
    )
    block = Bounds((-1, 0, 0), (2, 3, 4))
    sides = frozenset({Direction.MINUS_Z, Direction.PLUS_Y})
    return Scene(bodies, block, block, Container(block, sides))


def _gallery() -> pb.PlayerGallery:
    scenes = [codec.encode_scene(scene) for scene in (_seen(), _extremes())]
    drawn = _render()
    exhibits = [
        pb.PlayerExhibit(scene=scene, cameras=drawn.cameras, transforms=drawn.transforms)
        for scene in scenes
    ]
    return pb.PlayerGallery(
        exhibits=exhibits,
        size=64,
        encoding=pb.PLAYER_ENCODING_RAW,
        passes=pictures.encode_passes(Pass),
    )


def _odd_motions() -> Iterator[Motion]:
    for k, direction in enumerate(Direction):
        yield Sweep(frozenset({"red", "blue"}), direction, 1 << 5 * k)
    yield Sweep(frozenset(), Direction.PLUS_X, -(2**31))
    yield Carry(frozenset(), CarryPath(), False)
    legs = (Spin(Rotation(7), (-(2**31), 2**31 - 1, 0)), Shift(Direction.MINUS_Z, 2**31 - 1))
    yield Carry(frozenset({"red", "blue"}), CarryPath(legs), True)
    for axis in Axis:
        yield Turn(frozenset({"red", "blue"}), axis, (2**31 - 1, 0, -(2**31)), 3, axis is Axis.Y)
    yield Turn(frozenset(), Axis.X, (0, 0, 0), -(2**31), hinged=True)


def _render() -> pb.PlayerRender:
    cameras = [
        pb.PlayerCamera(name=name, clip_from_world=[(k + 1) / 3.0 for k in range(16)])
        for name in ("+x-y+z", "table")
    ]
    cameras.append(
        pb.PlayerCamera(
            clip_from_world=[0.25] * 16, distance_from_world=[0.0, -0.0, 1.0, 1e9], unshaded=True
        )
    )
    extremes = [0.0, -0.0, 1e308, -5e-324, 0.1, float("inf"), *map(float, range(6))]
    return pb.PlayerRender(
        cameras=cameras,
        size=512,
        encoding=pb.PLAYER_ENCODING_PNG,
        transforms=[pb.BodyTransform(name="red", matrix=extremes)],
        passes=[pb.PLAYER_PASS_RGB, pb.PLAYER_PASS_DEPTH],
    )


def _execute(motions: Iterable[Motion]) -> pb.PlayerExecute:
    return pb.PlayerExecute(motions=map(codec.encode_motion, motions))


def _responses() -> Iterator[pb.PlayerResponse]:
    """Yield each kind."""
    response = pb.PlayerResponse
    yield response(id=1, identity=pb.PlayerIdentity(protocol=2, engine="lattice", graphics="x"))
    yield response(id=2, digest=2**64 - 1, ready=pb.PlayerReady())
    bodies = [pb.BodyTransform(name=name, matrix=[0.5] * 12) for name in ("red", "blue")]
    frames = [pb.PlayerKeyframe(time=time, bodies=bodies) for time in (0.0, 0.37)]
    blocked = pb.PlayerReport(
        travel=3,
        measured=2.99,
        contacts=["red", "blue"],
        fallen=["green"],
        keyframes=frames,
        witnessed=["blue"],
    )
    yield response(id=3, digest=1, report=blocked)
    yield response(id=4, report=pb.PlayerReport(completed=True))
    picture = pb.PlayerPicture(
        size=1,
        rgb=b"\1\2\3",
        encoding=pb.PLAYER_ENCODING_RAW,
        ids=b"\0\1",
        depth=b"\0\0\x80\x7f",
        normals=b"\0\0\x80\x3f" * 3,
    )
    yield response(id=5, pictures=pb.PlayerPictures(pictures=[picture, picture]))
    yield response(id=6, bodies=pb.PlayerBodies(bodies=bodies))
    for last in (False, True):
        yield response(id=7, digest=1, part=pb.PlayerPart(data=b"\0\1\xff", last=last))
    for number in pb.PlayerError.values():
        error = pb.PlayerError.Name(number)
        yield response(id=2**63, failed=pb.PlayerFailure(error=error, message="why"))


def _talk(tour: Tour) -> Iterator[tuple[str, str]]:
    """Requests and responses: first out of order, then a scene, steps, and where all is then."""
    stage = Simulation(_Still(), None)
    for number, request in zip(count(1), _asked(tour), strict=False):
        request.id = number
        yield _line(request), _line(_bare(stage.handle(request)))


def _asked(tour: Tour) -> Iterator[pb.PlayerRequest]:
    request = pb.PlayerRequest
    reset = request(reset=pb.PlayerReset(scene=codec.encode_scene(tour.scene)))
    crowded = request()
    crowded.CopyFrom(reset)
    crowded.reset.scene.bodies[0].pose.CopyFrom(crowded.reset.scene.bodies[1].pose)
    turned = request()
    turned.CopyFrom(reset)
    turned.reset.scene.bodies[0].pose.rotation = 24
    yield request()
    yield request(hello=pb.PlayerHello(protocol=2))
    yield request(hello=pb.PlayerHello(protocol=1))
    yield request(more=pb.PlayerMore())
    yield request(execute=pb.PlayerExecute())
    yield request(poses=pb.PlayerPoses())
    yield request(render=_render())
    yield turned
    yield reset
    yield crowded
    yield turned
    yield request(render=_render())
    yield request(execute=pb.PlayerExecute(motions=[{}]))
    for motions, *_ in islice(walk(tour, STEPS), STEPS):
        yield reset if motions is None else request(execute=_execute(motions))
    yield request(poses=pb.PlayerPoses())


class _Still(LatticeWorld):
    """The exact world, without films: two players need not show motions alike."""

    def execute(self, motions: Sequence[Motion]) -> Report:
        return replace(super().execute(motions), trajectory=Trajectory())


def _bare(response: pb.PlayerResponse) -> pb.PlayerResponse:
    """Strip a response of all that two players need not agree on."""
    if response.HasField("failed"):
        response.failed.message = ""
    if response.HasField("identity"):
        response.identity.engine = ""
    return response


if __name__ == "__main__":
    main()

"""Answers of a stand-in player to requests."""

from collections.abc import Callable
from importlib.metadata import version

from google.protobuf.message import DecodeError

from bridge.rpc._pb.luban.v1 import unity_pb2 as pb
from bridge.unity import codec, pictures
from bridge.unity.player import PROTOCOL
from bridge.unity.state import LatticeState
from pysim.errors import InputError
from pysim.motion import Sweep
from pysim.physics.world import World
from pysim.render.renderer import Pictures, Renderer, RendererUnavailable
from pysim.scene import Scene

__all__ = ["Simulation"]


_MOST_BYTES = 64 * 2**20
"""Bytes of a request that comes in parts, at most."""
_ANSWER_BYTES = 3 * 2**20
"""Bytes of an answer that a bridge takes at once, unless it says more: the genuine library's."""
_LEAST_BYTES = 1024


class _Refusal(Exception):
    """A request can't be met."""

    def __init__(self, error: pb.PlayerError, message: str) -> None:
        super().__init__(message)
        self.error = error


class Simulation:
    """A world, a renderer, and the scene that both show.

    Args:
        world: moves the bodies.
        renderer: draws; None if there is none.
    """

    def __init__(self, world: World, renderer: Renderer | None) -> None:
        self._world = world
        self._renderer = renderer
        self._scene: Scene | None = None
        self._state: LatticeState | None = None
        self._drawn: tuple[bytes, pb.PlayerPictures] | None = None
        self._parts = bytearray()
        self._answer_bytes = _ANSWER_BYTES
        self._left = memoryview(b"")

    def handle(self, request: pb.PlayerRequest) -> pb.PlayerResponse:
        """Meet a request, or say why not."""
        if request.HasField("more"):
            return self._more(request.id)
        self._left = memoryview(b"")
        return self._respond(request)

    def fit_response(self, response: pb.PlayerResponse) -> bytes:
        """Return a response as the bridge takes it: of one that is too long the first part."""
        data = response.SerializeToString()
        if response.HasField("part") or len(data) <= self._answer_bytes:
            return data
        self._left = memoryview(data)
        return self._more(response.id).SerializeToString()

    def _more(self, number: int) -> pb.PlayerResponse:
        """Return the next part of a long answer."""
        response = pb.PlayerResponse(id=number, digest=self._digest())
        if not self._left:
            response.failed.error = pb.PLAYER_ERROR_MALFORMED
            response.failed.message = "there is no more of any answer"
            return response
        response.part.data = bytes(self._left[: self._answer_bytes])
        self._left = self._left[self._answer_bytes :]
        response.part.last = not self._left
        return response

    def _digest(self) -> int:
        return 0 if self._state is None else self._state.digest

    def _respond(self, request: pb.PlayerRequest) -> pb.PlayerResponse:
        response = pb.PlayerResponse(id=request.id)
        try:
            self._meet(request, response)
        except _Refusal as refusal:
            response.failed.error, response.failed.message = refusal.error, str(refusal)
        except KeyError as error:
            response.failed.error = pb.PLAYER_ERROR_UNKNOWN_BODY
            response.failed.message = str(error.args[0])
        except ValueError as error:
            response.failed.error = pb.PLAYER_ERROR_INVALID
            response.failed.message = str(error)
        response.digest = self._digest()
        return response

    def _meet(self, request: pb.PlayerRequest, response: pb.PlayerResponse) -> None:
        if request.HasField("part"):
            self._gather(request.part, response)
        else:
            self._parts.clear()
            self._answer(request, response)

    def _gather(self, part: pb.PlayerPart, response: pb.PlayerResponse) -> None:
        """Keep a part; the last one is answered as the whole that they make up."""
        if len(self._parts) + len(part.data) > _MOST_BYTES:
            self._parts.clear()
            raise _Refusal(pb.PLAYER_ERROR_MALFORMED, "the parts make up more than 64 MiB")
        self._parts += part.data
        if part.last:
            whole = bytes(self._parts)
            self._parts.clear()
            self._answer(_parsed(whole), response)
        else:
            response.ready.SetInParent()

    def _answer(self, request: pb.PlayerRequest, response: pb.PlayerResponse) -> None:
        match request.WhichOneof("call"):
            case "hello":
                response.identity.CopyFrom(self._identity(request.hello))
            case "reset":
                self._reset(codec.decode_scene(request.reset.scene))
                response.ready.SetInParent()
            case "execute":
                response.report.CopyFrom(self._execute(request.execute))
            case "poses":
                self._require_state()
                bodies = codec.encode_transforms(self._world.transforms())
                response.bodies.bodies.extend(bodies)
            case "render":
                response.pictures.CopyFrom(self._render(request.render))
            case "gallery":
                response.pictures.CopyFrom(self._show(request.gallery))
            case _:
                raise _Refusal(pb.PLAYER_ERROR_MALFORMED, "the request asks for nothing")

    def _identity(self, hello: pb.PlayerHello) -> pb.PlayerIdentity:
        if hello.protocol != PROTOCOL:
            raise _Refusal(
                pb.PLAYER_ERROR_PROTOCOL, f"this player speaks {PROTOCOL}, not {hello.protocol}"
            )
        self._answer_bytes = max(_LEAST_BYTES, hello.answer_bytes or _ANSWER_BYTES)
        return pb.PlayerIdentity(
            protocol=PROTOCOL,
            engine=f"Luban stand-in {version('luban')}, {self._world.version}",
            graphics="" if self._renderer is None else self._renderer.version,
        )

    def _reset(self, scene: Scene) -> None:
        self._world.reset(scene)
        self._scene, self._state = scene, LatticeState.of(scene)
        self._drawn = None  # The digest tells nothing of looks.

    def _execute(self, call: pb.PlayerExecute) -> pb.PlayerReport:
        state = self._require_state()
        motions = [codec.decode_motion(motion) for motion in call.motions]
        if sum(isinstance(motion, Sweep) for motion in motions) > 1:
            raise InputError("a step may hold one sweep, not more")
        report = self._world.execute(motions)
        if report.completed:
            self._state = state.apply(motions)
        return codec.encode_report(report, state.places)

    def _render(self, call: pb.PlayerRender) -> pb.PlayerPictures:
        """Pictures; those asked for again, of bodies that have not moved, are not drawn again."""
        state = self._require_state()
        if self._renderer is None or self._scene is None:
            raise _Refusal(pb.PLAYER_ERROR_NO_GRAPHICS, "this player was started without graphics")
        key = call.SerializeToString(deterministic=True) + state.digest.to_bytes(8, "little")
        if self._drawn is None or self._drawn[0] != key:
            self._drawn = (key, self._draw(self._renderer, self._scene, call))
        return self._drawn[1]

    def _draw(self, renderer: Renderer, scene: Scene, call: pb.PlayerRender) -> pb.PlayerPictures:
        transforms = self._world.transforms() | codec.decode_transforms(call.transforms)
        cameras = [pictures.decode_camera(camera) for camera in call.cameras]
        passes = pictures.decode_passes(call.passes)
        drawn = renderer.render(scene, cameras, call.size, transforms, passes)
        png = call.encoding == pb.PLAYER_ENCODING_PNG
        return pictures.encode_pictures(drawn, png=png, renderer=renderer.name)

    def _show(self, call: pb.PlayerGallery) -> pb.PlayerPictures:
        """Return pictures of other scenes than the one that is here."""
        if self._renderer is None:
            raise _Refusal(pb.PLAYER_ERROR_NO_GRAPHICS, "this player was started without graphics")
        exhibits = [pictures.decode_exhibit(exhibit) for exhibit in call.exhibits]
        passes = pictures.decode_passes(call.passes)
        drawn = self._renderer.render_batch(
            [exhibit.scene for exhibit in exhibits],
            [exhibit.cameras for exhibit in exhibits],
            call.size,
            passes,
            [exhibit.transforms for exhibit in exhibits],
        )
        flat = {
            kind: plane.reshape(-1, call.size, call.size, *kind.channels)
            for kind, plane in drawn.planes.items()
        }
        png = call.encoding == pb.PLAYER_ENCODING_PNG
        return pictures.encode_pictures(Pictures(flat), png=png, renderer=self._renderer.name)

    def _require_state(self) -> LatticeState:
        if self._state is None:
            raise _Refusal(pb.PLAYER_ERROR_NO_SCENE, "there is no scene yet")
        return self._state


def _parsed(data: bytes) -> pb.PlayerRequest:
    try:
        return pb.PlayerRequest.FromString(data)
    except DecodeError:
        raise _Refusal(pb.PLAYER_ERROR_MALFORMED, f"{len(data)} bytes are no request") from None


def try_renderer(make: Callable[[], tuple[Renderer, str]]) -> Renderer | None:
    """Return the renderer that ``make`` makes; None if there is none here."""
    try:
        return make()[0]
    except RendererUnavailable:
        return None

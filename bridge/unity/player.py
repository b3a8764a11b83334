"""A player, spoken to in the words of unity.proto; its state is compared with ours each time."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final, NoReturn, TypeVar, cast

from google.protobuf.message import DecodeError

from bridge.rpc._pb.luban.v1 import unity_pb2 as pb
from bridge.unity import codec, communicator, framing, pictures
from bridge.unity.errors import (
    DigestMismatch,
    IncompatiblePlayer,
    PlayerDied,
    PlayerError,
    ProtocolError,
)
from bridge.unity.link import Launch, Link
from bridge.unity.physics_evidence import merge_measured
from bridge.unity.pictures import GalleryScene
from bridge.unity.state import LatticeState
from pysim.errors import InputError
from pysim.motion import Motion
from pysim.physics.world import Report
from pysim.render.camera import Camera
from pysim.render.renderer import PASSES, Pass, Pictures
from pysim.scene import Scene
from pysim.trajectory import Transform

__all__ = ["PROTOCOL", "Player"]

T = TypeVar("T")

_PART_BYTES = 3 * 2**20
"""Requests that are longer go in parts, each of which fits into what players take."""
_MOST_BYTES = 64 * 2**20
"""Bytes of a request, or of an answer in parts, at most."""
_ANSWER_BYTES = communicator.MAX_MESSAGE_BYTES - 2**20
"""What we take at once; the rest of a message is small."""

PROTOCOL: Final = 2
"""Version of the messages of unity.proto."""

_REFUSALS: Mapping[int, Callable[[str], Exception]] = {
    pb.PLAYER_ERROR_UNKNOWN_BODY: KeyError,
    pb.PLAYER_ERROR_INVALID: InputError,
    pb.PLAYER_ERROR_NO_SCENE: RuntimeError,
    pb.PLAYER_ERROR_NO_GRAPHICS: PlayerError,
}
"""What a refusal that leaves the player sound is raised as; any other one ends it."""


class Player:
    """A running player.

    Every method but ``close`` raises PlayerError if the player fails; it is ended then, and every
    later call raises the same. A digest that differs from ours is DigestMismatch.

    Args:
        launch: how to start it.
        graphics: whether it is to draw.

    Raises:
        PlayerError: it does not start, is incompatible, or can't draw when it is to.
    """

    def __init__(self, launch: Launch, *, graphics: bool = False) -> None:
        self._link = Link(launch, graphics=graphics)
        self._id = 0
        self._step = 0
        self._state: LatticeState | None = None
        try:
            self.identity = self._meet()
            if graphics and not self.identity.graphics:
                raise IncompatiblePlayer(f"the player {self.identity.engine} can't draw here")
        except BaseException:
            self._link.close()
            raise

    @property
    def pid(self) -> int:
        """The number of its process."""
        return self._link.pid

    @property
    def digest(self) -> int:
        """That of the state which both ends agreed on last; 0 while there is no scene."""
        return 0 if self._state is None else self._state.digest

    @property
    def sound(self) -> bool:
        """Whether it runs and has not failed."""
        return self._link.sound

    def step(self) -> None:
        """Let the player make a step, without asking it for anything."""
        self._link.exchange(b"")

    def reset(self, scene: Scene) -> None:
        """Forget everything and build ``scene``.

        Raises:
            InputError: the player refuses it, and keeps what it had.
        """
        state = LatticeState.of(scene)
        response = self._ask(
            pb.PlayerRequest(reset=pb.PlayerReset(scene=codec.encode_scene(scene)))
        )
        self._expect(response, "ready")
        self._step, self._state = 0, state
        self._check_digest(response)

    def execute(self, motions: Sequence[Motion]) -> Report:
        """Carry motions out, all or none.

        Returns:
            What came of them; where the player's physics measured something else than the lattice
            says, what it says.

        Raises:
            KeyError, InputError: the player refuses them; nothing has changed.
            RuntimeError: there is no scene yet.
        """
        call = pb.PlayerExecute(motions=[codec.encode_motion(motion) for motion in motions])
        response = self._ask(pb.PlayerRequest(execute=call))
        self._expect(response, "report")
        self._step += 1
        if response.report.completed and self._state is not None:
            self._state = self._state.apply(motions)
        self._check_digest(response)
        return merge_measured(
            codec.decode_report(response.report), response.report.witnessed, motions
        )

    def transforms(self) -> dict[str, Transform]:
        """Return the poses of all bodies in the engine: name -> 4x4 transform.

        Raises:
            RuntimeError: there is no scene yet.
        """
        response = self._ask(pb.PlayerRequest(poses=pb.PlayerPoses()))
        self._expect(response, "bodies")
        self._check_digest(response)
        return self._read(lambda: self._all_of(codec.decode_transforms(response.bodies.bodies)))

    def render(
        self,
        cameras: Sequence[Camera],
        size: int,
        transforms: Mapping[str, Transform] | None = None,
        passes: Sequence[Pass] = PASSES,
        *,
        png: bool = False,
    ) -> Pictures:
        """Draw the scene once for each camera.

        Args:
            transforms: of bodies that are drawn elsewhere than they are.
            passes: what is wanted of each pixel.
            png: whether colours travel as PNG; else raw.

        Raises:
            KeyError, InputError: the player refuses to.
            RuntimeError: there is no scene yet.
        """
        call = pb.PlayerRender(
            cameras=[pictures.encode_camera(camera) for camera in cameras],
            size=size,
            encoding=pb.PLAYER_ENCODING_PNG if png else pb.PLAYER_ENCODING_RAW,
            transforms=codec.encode_transforms(transforms or {}),
            passes=pictures.encode_passes(passes),
        )
        response = self._ask(pb.PlayerRequest(render=call))
        self._expect(response, "pictures")
        self._check_digest(response)
        found = response.pictures
        return self._read(lambda: pictures.decode_pictures(found, len(cameras), size, passes))

    def render_gallery(
        self, exhibits: Sequence[GalleryScene], size: int, passes: Sequence[Pass] = PASSES
    ) -> Pictures:
        """Draw scenes that the player does not hold, in one exchange; it keeps the one it has.

        Returns:
            The pictures of all, one behind the other.

        Raises:
            KeyError, InputError: the player refuses to.
        """
        call = pb.PlayerGallery(
            exhibits=[pictures.encode_exhibit(exhibit) for exhibit in exhibits],
            size=size,
            encoding=pb.PLAYER_ENCODING_RAW,
            passes=pictures.encode_passes(passes),
        )
        response = self._ask(pb.PlayerRequest(gallery=call))
        self._expect(response, "pictures")
        self._check_digest(response)
        count = sum(len(exhibit.cameras) for exhibit in exhibits)
        found = response.pictures
        return self._read(lambda: pictures.decode_pictures(found, count, size, passes))

    def close(self) -> None:
        """End the player; may be called twice."""
        self._link.close()

    def _meet(self) -> pb.PlayerIdentity:
        """Exchange names.

        Raises:
            IncompatiblePlayer: it speaks another version, or is not Luban's at all.
        """
        hello = pb.PlayerHello(protocol=PROTOCOL, answer_bytes=_ANSWER_BYTES)
        request = pb.PlayerRequest(id=1, hello=hello)
        self._id = 1
        found = self._converse(request)
        if not found:
            raise IncompatiblePlayer(
                "the player does not answer in Luban's side channel: it is an ML-Agents build, but "
                "none of unity_project/"
            )
        response = self._parse(found)
        if response.failed.error == pb.PLAYER_ERROR_PROTOCOL:
            raise IncompatiblePlayer(
                f"the player refuses protocol {PROTOCOL}: {response.failed.message}"
            )
        self._expect(response, "identity")
        identity = response.identity
        if identity.protocol != PROTOCOL:
            raise IncompatiblePlayer(
                f"the player {identity.engine} speaks Luban's protocol {identity.protocol}, and "
                f"this is {PROTOCOL}: build player and bridge from the same release"
            )
        return identity

    def _ask(self, request: pb.PlayerRequest) -> pb.PlayerResponse:
        """Return the response to ``request``, in which the id is filled in."""
        self._id += 1
        request.id = self._id
        data = request.SerializeToString()
        if len(data) <= _PART_BYTES:
            return self._whole(self._parse(self._converse(request)))
        if len(data) > _MOST_BYTES:
            raise InputError(f"a request of {len(data):,} bytes is too large for a player")
        return self._ask_in_parts(data)

    def _ask_in_parts(self, data: bytes) -> pb.PlayerResponse:
        """Return the response to a request that is too long for one message."""
        *starts, last = range(0, len(data), _PART_BYTES)
        for start in starts:
            part = pb.PlayerPart(data=data[start : start + _PART_BYTES])
            ready = self._parse(self._converse(pb.PlayerRequest(id=self._id, part=part)))
            self._expect(ready, "ready")
            self._check_digest(ready)
            self._id += 1
        part = pb.PlayerPart(data=data[last:], last=True)
        last_answer = self._parse(self._converse(pb.PlayerRequest(id=self._id, part=part)))
        return self._whole(last_answer)

    def _whole(self, response: pb.PlayerResponse) -> pb.PlayerResponse:
        """The response that comes in parts, if it does; then it bears the last request's number."""
        if not response.HasField("part"):
            return response
        data, asked = bytearray(response.part.data), self._id
        while not response.part.last:
            self._id += 1
            more = pb.PlayerRequest(id=self._id, more=pb.PlayerMore())
            response = self._parse(self._converse(more))
            self._expect(response, "part")
            data += response.part.data
            if len(data) > _MOST_BYTES:
                self._protest(f"sends more than {_MOST_BYTES >> 20} MiB in answer to one request")
        return self._parse_one(data, asked)

    def _converse(self, request: pb.PlayerRequest) -> list[memoryview]:
        """Return the messages that came back in Luban's channel."""
        answer = self._link.exchange(framing.pack_frame(request.SerializeToString()))
        return self._read(lambda: framing.unpack_messages(answer))

    def _parse(self, found: list[memoryview]) -> pb.PlayerResponse:
        if len(found) != 1:
            self._protest(f"answered {len(found)} times, not once")
        return self._parse_one(found[0], self._id)

    def _parse_one(self, data: memoryview | bytearray, asked: int) -> pb.PlayerResponse:
        """Return the response to request ``asked``."""
        try:
            response = pb.PlayerResponse.FromString(cast("bytes", data))  # Any buffer will do.
        except DecodeError:
            self._protest("sent a response that can't be read")
        if response.id != asked:
            self._protest(f"answered request {response.id}")
        return response

    def _expect(self, response: pb.PlayerResponse, answer: str) -> None:
        """Refuse any other answer than ``answer``."""
        found = response.WhichOneof("answer")
        if found == answer:
            return
        if found != "failed":
            self._protest(f"answered with {found or 'nothing'} where {answer} was asked for")
        if response.failed.error == pb.PLAYER_ERROR_INTERNAL:
            raise self._link.fail(
                PlayerDied(f"{self._request()}: the player failed: {response.failed.message}")
            )
        self._check_digest(response)
        refusal = response.failed
        make = _REFUSALS.get(refusal.error)
        if make is None:
            self._protest(
                f"can't meet it ({pb.PlayerError.Name(refusal.error)}): {refusal.message}"
            )
        raise make(refusal.message)

    def _check_digest(self, response: pb.PlayerResponse) -> None:
        expected = self.digest
        if response.digest != expected:
            engine = self.identity.engine
            raise self._link.fail(
                DigestMismatch(f"the player {engine}", self._step, expected, response.digest)
            )

    def _all_of(self, found: dict[str, Transform]) -> dict[str, Transform]:
        if self._state is not None and list(found) != list(self._state.places):
            raise InputError("it did not report the pose of every body")
        return found

    def _read(self, read: Callable[[], T]) -> T:
        """Return the result of ``read`` for the player's answer."""
        try:
            return read()
        except ValueError as error:
            self._protest(f"sent nonsense: {error}")

    def _protest(self, what: str) -> NoReturn:
        raise self._link.fail(ProtocolError(f"{self._request()}: the player {what}"))

    def _request(self) -> str:
        """Return the name of the request that went wrong."""
        return f"request {self._id} (step {self._step})"

"""The Python client.

::

    import luban

    with luban.connect("127.0.0.1:50051") as remote:
        episode = remote.start("burr-piston", world="bullet")
        print(episode.observe().text())
        result = episode.step("slide", pieces=["purple"], direction="+y", distance=1)
"""

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Literal, TypeVar

import grpc
from google.protobuf.message import Message

from bridge.episode.episode import EpisodeOver
from bridge.episode.records import Feedback, Obs, Options
from bridge.recording.errors import RecordingError
from bridge.rpc import codec
from bridge.rpc._pb.luban.v1 import episode_service_pb2 as pb
from bridge.rpc._pb.luban.v1 import episode_service_pb2_grpc as pb_grpc
from bridge.rpc.access import ENVIRONMENT, KEY
from bridge.rpc.credentials import ClientTls, open_channel
from bridge.rpc.episode import RemoteEpisode
from bridge.rpc.errors import ServerError, WireError, raise_fault
from bridge.rpc.info import LevelInfo, ServerInfo
from bridge.rpc.keys import find_key
from bridge.rpc.transport import Metadata, StreamTransport, Transport, UnaryTransport, unpack_answer
from pysim.catalog import encode_level, read_level
from pysim.errors import InputError
from pysim.former_names import accept_former_keywords
from pysim.puzzle import IllegalMove, InvalidAction, Level
from pysim.viewpoints import Views

__all__ = [
    "Client",
    "EpisodeOver",
    "IllegalMove",
    "InvalidAction",
    "RemoteEpisode",
    "ServerError",
    "connect",
]

DEADLINE = 60.0
"""Seconds that a call may take by default."""
KEEPALIVE_MS = 60_000
"""Interval of keepalive pings on an idle connection."""
RECONNECT = 5.0
"""Seconds for which an episode's requests are retried after a lost connection."""
LONG_DEADLINE = 1800.0
"""Seconds that a download may take; it includes the rendering of a video."""

M = TypeVar("M", bound=Message)


def connect(
    address: str,
    *,
    deadline: float = DEADLINE,
    operator_key: str | None = None,
    tls: ClientTls | Literal["off"] | None = None,
    reconnect: float = RECONNECT,
) -> "Client":
    """Return a client for the server at ``host:port``; the connection is made by the first call.

    Args:
        deadline: seconds that each call may take.
        operator_key: see :mod:`bridge.rpc.access`. None takes the key in ``LUBAN_OPERATOR_KEY``,
            or else the key that this user's server at that address has made; empty sends none.
        tls: certificates and key for encryption. None takes the files named by ``LUBAN_TLS_CA``,
            ``LUBAN_TLS_CERT`` and ``LUBAN_TLS_KEY``. Without these, and for ``"off"``, the
            connection is not encrypted.
        reconnect: seconds for which a step is retried after a lost connection. The server executes
            it only once, and resumes its episodes after a restart.

    Raises:
        InputError: the address or a file of ``tls`` is not valid.
        OSError: a file of ``tls`` can't be read.
    """
    key = operator_key
    if key is None:
        key = os.environ.get(ENVIRONMENT) or find_key(address)
    resolved_tls = ClientTls.from_environment() if tls is None else tls
    return Client(
        address,
        deadline=deadline,
        operator_key=key,
        tls=None if resolved_tls == "off" else resolved_tls,
        reconnect=reconnect,
    )


class Client:
    """A connection to a server; a context manager. It is thread-safe.

    Every method raises ServerError if the server refuses or can't be reached.
    """

    def __init__(
        self,
        address: str,
        *,
        deadline: float = DEADLINE,
        operator_key: str = "",
        tls: ClientTls | None = None,
        reconnect: float = RECONNECT,
    ) -> None:
        self._deadline = deadline
        self._reconnect = reconnect
        self._metadata: Metadata = ((KEY, operator_key),) if operator_key else ()
        self._channel = open_channel(
            _check_address(address),
            tls,
            options=[
                ("grpc.max_receive_message_length", codec.MAX_MESSAGE_BYTES),
                ("grpc.max_send_message_length", codec.MAX_MESSAGE_BYTES),
                ("grpc.keepalive_time_ms", KEEPALIVE_MS),
                ("grpc.initial_reconnect_backoff_ms", 100),
                ("grpc.max_reconnect_backoff_ms", 2000),
            ],
        )
        self._stub = pb_grpc.EpisodeServiceStub(self._channel)

    def server_info(self) -> ServerInfo:
        """Return the server's properties."""
        info = self._call(self._stub.GetServerInfo, pb.GetServerInfoRequest())
        return ServerInfo(
            info.version,
            tuple(info.families),
            tuple(info.worlds),
            info.renderer,
            info.renderer_note,
            info.idle_timeout_s,
        )

    def levels(self, suite: str = "") -> tuple[LevelInfo, ...]:
        """Return the server's levels of a suite or family, or with matching ids.

        Args:
            suite: a suite, a family, an id or a pattern of ids such as ``*-d01-*``, or several of
                these separated by commas; empty for all levels of the server.
        """
        listed = self._call(self._stub.ListLevels, pb.ListLevelsRequest(suite=suite))
        return tuple(codec.decode_level(level) for level in listed.levels)

    @accept_former_keywords(
        obs="observation",
        mode="observation",
        history_window="history",
        picture_size="image_size",
        picture_format="image_format",
    )
    def start(
        self,
        level: str | Path | Level[Any] | LevelInfo,
        *,
        observation: Obs | str = Obs.IMAGE_STATE,
        world: str = "lattice",
        budget: int | None = None,
        history: int = 5,
        image_size: int = 512,
        image_format: str = "png",
        seed: int = 0,
        agent: str = "",
        log: Path | str | None = None,
        renderer: str = "auto",
        run_name: str = "",
        stream: bool = True,
        feedback: Feedback | str = Feedback.FULL,
        views: Views | str = Views.COMPOSED,
        camera: str = "",
    ) -> RemoteEpisode:
        """Begin an episode; most arguments are those of ``luban.start``.

        Args:
            level: a level, an entry of :meth:`levels`, a level's id, the path of a local level file
                (ending in ``.json``), or a whole level document as JSON text.
            observation: ``image``, ``image+state``, ``state`` or ``none``.
            world: ``lattice`` (exact), or another world of the server.
            budget: number of steps allowed; None for the level's own.
            history: number of past turns in an observation.
            image_size: edge length of each view in pixels.
            image_format: ``png``, ``jpeg`` or ``raw``.
            seed, agent: metadata for the log.
            log: path of a new file for the log, downloaded at the end.
            renderer: only ``auto``; ``luban serve --renderer`` selects the server's renderer.
            run_name: name of the episode's folder on the server; empty for a generated one.
            stream: play through one bidirectional stream; False makes one call per step, which is
                slower.
            feedback: ``none``, ``legal``, ``reason`` or ``full``.
            views: composition of pictures: ``composed``, ``sheet``, ``single`` or ``classic``.
            camera: one's own in place of all views, as ``9,-7,6`` or ``9,-7,6:2,2,1``.

        Raises:
            InputError: an option is unknown or out of range.
            LevelError: the level file can't be read.
            RecordingError: the log exists already.
        """
        options = Options(
            Obs(observation),
            history,
            image_size,
            budget,
            seed,
            agent,
            Feedback(feedback),
            Views(views),
            camera,
        )
        if renderer != "auto":
            raise InputError("a server draws with its own renderer; only 'auto' is possible here")
        if log is not None and Path(log).exists():
            raise RecordingError(f"can't write {log}: it exists already")
        request = pb.StartEpisodeRequest(
            options=codec.encode_options(
                options, world=world, picture_format=image_format, run_name=run_name
            )
        )
        _set_level(request, level)
        transport = self._make_transport(stream)
        answer = transport.start(request)
        if isinstance(answer, WireError):
            transport.close()
            raise_fault(answer)
        return RemoteEpisode(
            self,
            transport,
            answer,
            None if log is None else Path(log),
            self._reconnect if answer.knows_expected_step else 0.0,
        )

    def join(self, episode_id: str, lease: str) -> RemoteEpisode:
        """Join an episode that another client has begun; needs no operator key.

        The level is unknown and ``tools`` is empty: the client that began the episode passes them
        on.

        Raises:
            ServerError: there is no such episode, or the lease belongs to another one.
        """
        transport = UnaryTransport(self._stub, self._deadline, self._metadata)
        look = pb.ObserveRequest(episode_id=episode_id, lease=lease, without_images=True)
        answer = unpack_answer(transport.observe(look))
        observation = answer.observation
        started = pb.StartEpisodeResponse(
            episode_id=episode_id,
            lease=lease,
            tools_json="[]",
            instruction=observation.instruction,
            colours=observation.colours,
            budget=observation.step + observation.budget_left,
        )
        retry_time = self._reconnect if answer.knows_expected_step else 0.0
        episode = RemoteEpisode(self, transport, started, reconnect=retry_time)
        episode.steps, episode.budget_left = observation.step, observation.budget_left
        episode.outcome = codec.decode_outcome(observation.outcome)
        return episode

    def _make_transport(self, stream: bool) -> Transport:
        transport_class = StreamTransport if stream else UnaryTransport
        return transport_class(self._stub, self._deadline, self._metadata)

    def _call(self, method: Callable[..., M], request: Message) -> M:
        try:
            return method(request, timeout=self._deadline, metadata=self._metadata)
        except grpc.RpcError as error:
            raise_fault(WireError.from_rpc_error(error))

    def _call_stream(self, method: Callable[..., Iterator[M]], request: Message) -> Iterator[M]:
        return method(request, timeout=LONG_DEADLINE, metadata=self._metadata)

    def download_log(self, episode_id: str, lease: str) -> Iterator[bytes]:
        """Yield the log of an ended episode, in chunks."""
        request = pb.DownloadLogRequest(episode_id=episode_id, lease=lease)
        for part in _read_stream(self._call_stream(self._stub.DownloadLog, request)):
            yield part.chunk

    def download_video(
        self,
        episode_id: str,
        lease: str,
        size: int,
        progress: Callable[[int, int], None] | None,
    ) -> Iterator[bytes]:
        """Yield the video of an ended episode, in chunks, and report frames to ``progress``."""
        request = pb.DownloadVideoRequest(episode_id=episode_id, lease=lease, size=size)
        for part in _read_stream(self._call_stream(self._stub.DownloadVideo, request)):
            if part.WhichOneof("part") == "chunk":
                yield part.chunk
            elif progress is not None:
                progress(part.progress.done, part.progress.total)

    def close(self) -> None:
        """Close the connection."""
        self._channel.close()

    def __enter__(self) -> "Client":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _check_address(address: str) -> str:
    if not address.isprintable():  # gRPC would raise its own error, or resolve it for ever.
        raise InputError(f"{address!r} is no address; one is written host:port")
    return address


def _set_level(request: pb.StartEpisodeRequest, level: str | Path | Level[Any] | LevelInfo) -> None:
    """Set the level of a request, as an id or a whole document."""
    if isinstance(level, LevelInfo):
        request.level_id = level.id
    elif isinstance(level, Level):
        request.level_json = json.dumps(encode_level(level))
    elif isinstance(level, str) and level.lstrip().startswith("{"):
        request.level_json = level
    elif str(level).endswith(".json"):
        request.level_json = json.dumps(encode_level(read_level(Path(level))))
    else:
        request.level_id = str(level)


def _read_stream(stream: Iterator[M]) -> Iterator[M]:
    """Yield the messages of a stream, and translate its errors."""
    try:
        yield from stream
    except grpc.RpcError as error:
        raise_fault(WireError.from_rpc_error(error))

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
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

import grpc
from google.protobuf.message import Message

from bridge.episode.episode import EpisodeOver
from bridge.episode.harmless import harmless
from bridge.episode.observation import Observation
from bridge.episode.records import Ending, Obs, Options, StepResult
from bridge.episode.tools import ActionSpace, ToolCall
from bridge.recording.errors import RecordingError
from bridge.rpc import codec
from bridge.rpc._pb.luban.v1 import episode_service_pb2 as pb
from bridge.rpc._pb.luban.v1 import episode_service_pb2_grpc as pb_grpc
from bridge.rpc.access import ENVIRONMENT, KEY
from bridge.rpc.errors import LubanError, WireError, raise_fault
from bridge.rpc.info import LevelInfo, ServerInfo
from bridge.rpc.transport import Metadata, StreamTransport, Transport, UnaryTransport
from pysim.catalog import families, level_to_document, read_level
from pysim.kinds import Json
from pysim.puzzle import Action, IllegalMove, InvalidAction, Level, Outcome
from pysim.scene import Colour

__all__ = [
    "Client",
    "EpisodeOver",
    "IllegalMove",
    "InvalidAction",
    "LubanError",
    "RemoteEpisode",
    "connect",
]

DEADLINE = 60.0
"""Seconds that a call may take, unless told otherwise."""
KEEPALIVE_MS = 60_000
"""A connection over which nothing comes is asked this often whether the server still lives."""
LONG_DEADLINE = 1800.0
"""Seconds that a download may take; videos are made while the client waits."""

M = TypeVar("M", bound=Message)


def connect(
    address: str, *, deadline: float = DEADLINE, operator_key: str | None = None
) -> "Client":
    """A client for the server at ``host:port``; the connection is made by the first call.

    Args:
        deadline: seconds that each call may take.
        operator_key: where the server has one, see :mod:`bridge.rpc.access`; None for the one in
            ``LUBAN_OPERATOR_KEY``, if any.
    """
    key = os.environ.get(ENVIRONMENT, "") if operator_key is None else operator_key
    return Client(address, deadline=deadline, operator_key=key)


class Client:
    """A connection to a server; a context manager. Safe to use from many threads.

    Every method raises LubanError if the server refuses or can't be reached.
    """

    def __init__(self, address: str, *, deadline: float = DEADLINE, operator_key: str = "") -> None:
        self._deadline = deadline
        self._metadata: Metadata = ((KEY, operator_key),) if operator_key else ()
        self._channel = grpc.insecure_channel(
            address,
            options=[
                ("grpc.max_receive_message_length", codec.MAX_MESSAGE_BYTES),
                ("grpc.max_send_message_length", codec.MAX_MESSAGE_BYTES),
                ("grpc.keepalive_time_ms", KEEPALIVE_MS),
            ],
        )
        self._stub = pb_grpc.EpisodeServiceStub(self._channel)

    def server_info(self) -> ServerInfo:
        """What the server is and has."""
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
        """The levels of a suite or of a family, or those with some ids, as far as the server has.

        Args:
            suite: a suite, a family, an id or a pattern of ids such as ``*-d01-*``, or several with
                commas between them; empty for all that the server has.
        """
        listed = self._call(self._stub.ListLevels, pb.ListLevelsRequest(suite=suite))
        return tuple(codec.decode_level(level) for level in listed.levels)

    def start(
        self,
        level: str | Path | Level[Any] | LevelInfo,
        *,
        obs: Obs | str = Obs.IMAGE_STATE,
        world: str = "lattice",
        budget: int | None = None,
        history_window: int = 5,
        picture_size: int = 512,
        picture_format: str = "png",
        seed: int = 0,
        agent: str = "",
        log: Path | str | None = None,
        renderer: str = "auto",
        mode: Obs | str | None = None,
        run_name: str = "",
        stream: bool = True,
    ) -> "RemoteEpisode":
        """Begin an episode; all but the last three arguments are those of ``luban.start``.

        Args:
            level: a level, what :meth:`levels` tells of one, its id, a level file of this machine
                (its name ends with ``.json``), or a whole level document as JSON text.
            obs: what is seen: ``image``, ``image+state`` or ``state``.
            world: ``lattice`` (exact), or another one that the server has.
            budget: number of steps; None for the level's own.
            history_window: turns that observations remind of.
            picture_size: edge of each view in pixels.
            picture_format: ``png``, ``jpeg`` or ``raw``.
            seed, agent: for the record.
            log: a new file, into which the log is downloaded at the end.
            renderer: ``auto``; a server draws with its own, which ``luban serve --renderer`` sets.
            mode: the older name of ``obs``.
            run_name: name of the server's folder for the episode; empty for one made up.
            stream: play through one bidirectional stream; False makes a call for each step, which
                is slower.

        Raises:
            ValueError: an option that does not exist or is out of range.
            LevelError: the level file can't be read.
            RecordingError: the log exists already.
        """
        chosen = Obs(obs if mode is None else mode)
        options = Options(chosen, history_window, picture_size, budget, seed, agent)
        if renderer != "auto":
            raise ValueError("a server draws with its own renderer; here only 'auto' can be asked")
        if log is not None and Path(log).exists():
            raise RecordingError(f"can't write {log}: it exists already")
        request = pb.StartEpisodeRequest(
            options=codec.encode_options(
                options, world=world, picture_format=picture_format, run_name=run_name
            )
        )
        _name_level(request, level)
        transport: Transport = (
            StreamTransport(self._stub, self._deadline, self._metadata)
            if stream
            else UnaryTransport(self._stub, self._deadline, self._metadata)
        )
        answer = transport.start(request)
        if isinstance(answer, WireError):
            transport.close()
            raise_fault(answer)
        return RemoteEpisode(self, transport, answer, None if log is None else Path(log))

    def join(self, episode_id: str, lease: str) -> "RemoteEpisode":
        """Play an episode that somebody else has begun; needs no operator's key.

        Of its level nothing is told, and ``tools`` is empty: whoever has begun it passes them on.

        Raises:
            LubanError: there is no such episode, or the lease is another's.
        """
        transport = UnaryTransport(self._stub, self._deadline, self._metadata)
        look = pb.ObserveRequest(episode_id=episode_id, lease=lease, without_images=True)
        seen = _given(transport.observe(look)).observation
        started = pb.StartEpisodeResponse(
            episode_id=episode_id,
            lease=lease,
            tools_json="[]",
            instruction=seen.instruction,
            colours=seen.colours,
            budget=seen.step + seen.budget_left,
        )
        episode = RemoteEpisode(self, transport, started)
        episode.steps, episode.budget_left = seen.step, seen.budget_left
        episode.outcome = codec.decode_outcome(seen.outcome)
        return episode

    def _call(self, method: Callable[..., M], request: Message) -> M:
        try:
            return method(request, timeout=self._deadline, metadata=self._metadata)
        except grpc.RpcError as error:
            raise_fault(WireError.from_rpc_error(error))

    def _long(self, method: Callable[..., Iterator[M]], request: Message) -> Iterator[M]:
        return method(request, timeout=LONG_DEADLINE, metadata=self._metadata)

    def download_log(self, episode_id: str, lease: str) -> Iterator[bytes]:
        """The log of an ended episode, in chunks."""
        request = pb.DownloadLogRequest(episode_id=episode_id, lease=lease)
        for part in _parts(self._long(self._stub.DownloadLog, request)):
            yield part.chunk

    def download_video(
        self,
        episode_id: str,
        lease: str,
        size: int,
        progress: Callable[[int, int], None] | None,
    ) -> Iterator[bytes]:
        """The video of an ended episode, in chunks; ``progress`` is told of frames made."""
        request = pb.DownloadVideoRequest(episode_id=episode_id, lease=lease, size=size)
        for part in _parts(self._long(self._stub.DownloadVideo, request)):
            if part.WhichOneof("part") == "chunk":
                yield part.chunk
            elif progress is not None:
                progress(part.progress.done, part.progress.total)

    def close(self) -> None:
        """Close the connection."""
        self._channel.close()

    def __enter__(self) -> "Client":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()


class RemoteEpisode:
    """One episode, played over the wire; see :class:`~bridge.episode.protocol.PlayedEpisode`.

    A context manager, which ends the episode; left by an exception, it is left to the server, which
    closes it when it has been idle for long.

    Attributes:
        id: its name on the wire.
        lease: the secret with which it is played.
        run_name: name of the server's folder for it.
        level: what is played.
        instruction: the task in words.
        colours: names of the pieces.
        tools: the actions as OpenAI function tools.
        budget: steps allowed.
        budget_left: steps left.
        steps: steps made.
        state_hash: hash of the present state.
        outcome: how it ended; None until it has ended.
    """

    def __init__(
        self,
        client: Client,
        transport: Transport,
        started: pb.StartEpisodeResponse,
        log: Path | None = None,
    ) -> None:
        self._client = client
        self._log = log
        self._transport = transport
        self.lease = started.lease
        self.id = started.episode_id
        self.run_name = started.run_name
        self.level = codec.decode_level(started.level)
        self.instruction = started.instruction
        self.colours = tuple(Colour(colour) for colour in started.colours)
        self.tools: list[dict[str, Json]] = json.loads(started.tools_json)
        self.budget = self.budget_left = started.budget
        self.steps = 0
        self.state_hash = started.state_hash
        self.outcome: Outcome | None = None
        self._ended = False
        self._ending: Ending | None = None

    @cached_property
    def actions(self) -> ActionSpace:
        """Parser and formatter for the actions of this episode's family."""
        return ActionSpace(families()[self.level.family].actions, self.colours)

    def observe(self, *, images: bool = True) -> Observation:
        """What there is to see; free."""
        request = pb.ObserveRequest(episode_id=self.id, lease=self.lease, without_images=not images)
        self._require_open()
        return codec.decode_observation(_given(self._transport.observe(request)).observation)

    def step(self, action: Action | ToolCall | str, /, **arguments: Json) -> StepResult:
        """Try an action; it costs a step whatever comes of it.

        Args:
            action: an action, a tool call, or an action's name followed by its arguments.

        Raises:
            InvalidAction: it means nothing; the state is as before.
            IllegalMove: it is not allowed now; the state is as before.
            EpisodeOver: the episode has ended; no step is counted.
            LubanError: the server can't be reached, or has closed the episode.
        """
        if isinstance(action, str):
            action = ToolCall(action, arguments)
        elif isinstance(action, Action):
            action = ToolCall.of(action)
        try:
            text = action.arguments_json()
        except (TypeError, ValueError, RecursionError):
            text = "arguments that are no JSON"  # Refused there, and charged.
        return self.step_json(action.name, text)

    def step_json(self, name: str, arguments: str) -> StepResult:
        """As :meth:`step`, with the arguments as JSON text, as models write them."""
        self._require_open()
        request = pb.StepRequest(episode_id=self.id, lease=self.lease)
        request.action.name = harmless(name)
        request.action.arguments_json = harmless(arguments)
        answer = self._transport.step(request)
        if isinstance(answer, WireError):
            self._note(answer)
            raise_fault(answer)
        result = codec.decode_result(answer.result)
        self.steps, self.budget_left = result.step, result.budget_left
        self.state_hash, self.outcome = result.state_hash, result.outcome
        return result

    def end(self) -> Ending:
        """End the episode; gives up if it has not ended. Asked again it says the same."""
        if self._ending is not None:
            return self._ending
        request = pb.EndEpisodeRequest(episode_id=self.id, lease=self.lease)
        self._require_open()
        self._ending = codec.decode_ending(_given(self._transport.end(request)).ending)
        self.outcome = self._ending.outcome
        self.leave()
        if self._log is not None:
            self.save_log(self._log)
        return self._ending

    def leave(self) -> None:
        """Leave the episode without an end; the server closes it when it has been idle for long."""
        self._ended = True
        self._transport.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if kind is None and not self._ended:
            self.end()
        self.leave()

    def save_log(self, path: Path | str) -> None:
        """Write the log of the ended episode to a file."""
        _save(Path(path), self._client.download_log(self.id, self.lease))

    def save_video(
        self,
        path: Path | str,
        *,
        size: int = 512,
        progress: Callable[[int, int], None] | None = None,
    ) -> None:
        """Have the video of the ended episode made, and write it to a file.

        Args:
            path: the file, MP4; an older one is replaced.
            size: edge in pixels, 128 to 1080, even.
            progress: told of the number of frames made and in all.
        """
        _save(Path(path), self._client.download_video(self.id, self.lease, size, progress))

    def make_video(
        self, *, size: int = 512, progress: Callable[[int, int], None] | None = None
    ) -> None:
        """Have the video of the ended episode made; it stays in the server's folder."""
        for _ in self._client.download_video(self.id, self.lease, size, progress):
            pass

    def _require_open(self) -> None:
        if self._ended:
            raise EpisodeOver("this episode was ended; start a new one")

    def _note(self, refusal: WireError) -> None:
        """A refused action has cost a step."""
        progress = refusal.metadata
        if "step" in progress:
            self.steps, self.budget_left = int(progress["step"]), int(progress["budget_left"])
            self.outcome = Outcome(progress["outcome"]) if progress["outcome"] else None


def _name_level(
    request: pb.StartEpisodeRequest, level: str | Path | Level[Any] | LevelInfo
) -> None:
    """Write into a request what is to be played: an id, or else a whole document."""
    if isinstance(level, LevelInfo):
        request.level_id = level.id
    elif isinstance(level, Level):
        request.level_json = json.dumps(level_to_document(level))
    elif isinstance(level, str) and level.lstrip().startswith("{"):
        request.level_json = level
    elif str(level).endswith(".json"):
        request.level_json = json.dumps(level_to_document(read_level(Path(level))))
    else:
        request.level_id = str(level)


def _given(answer: M | WireError) -> M:
    """The response, or what the server raised."""
    if isinstance(answer, WireError):
        raise_fault(answer)
    return answer


def _parts(stream: Iterator[M]) -> Iterator[M]:
    """The messages of a stream, its errors as ours."""
    try:
        yield from stream
    except grpc.RpcError as error:
        raise_fault(WireError.from_rpc_error(error))


def _save(path: Path, chunks: Iterator[bytes]) -> None:
    """Write a download; a file that broke off does not stay."""
    partial = path.with_name(path.name + ".part")
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        with partial.open("wb") as file:
            for chunk in chunks:
                file.write(chunk)
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)

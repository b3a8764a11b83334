"""The calls of the gRPC service."""

import json
import logging
import threading
from collections.abc import Callable, Iterator
from importlib.metadata import version
from pathlib import Path
from queue import SimpleQueue
from typing import Any, NoReturn, TypeVar

import grpc

from bridge.episode.engines import Engines
from bridge.episode.rendering import SharedRenderer
from bridge.recording.film import film_episode
from bridge.recording.log import read_log
from bridge.rpc import codec
from bridge.rpc._pb.luban.v1 import episode_service_pb2 as pb
from bridge.rpc._pb.luban.v1 import episode_service_pb2_grpc as pb_grpc
from bridge.rpc.access import Access, for_agents, without_secrets
from bridge.rpc.errors import RequestError, WireError, fault_of
from bridge.rpc.sessions import EpisodeStore, Session
from pysim.catalog import LevelError, families, find_shipped_level, level_from_document
from pysim.errors import InputError
from pysim.puzzle import ActionError, Level
from pysim.selecting import select_levels
from pysim.suites import SuiteError

__all__ = ["EpisodeServicer"]

CHUNK = 1 << 20
"""Bytes of a file in one message."""
ENVELOPE = 64
"""Bytes that a Play stream may add to a response."""

T = TypeVar("T")


class EpisodeServicer(pb_grpc.EpisodeServiceServicer):
    """Answers calls; see ``proto/luban/v1/episode_service.proto``."""

    def __init__(
        self,
        store: EpisodeStore,
        renderer: SharedRenderer,
        idle_timeout: float,
        engines: Engines,
        access: Access,
    ) -> None:
        self._store = store
        self._renderer = renderer
        self._idle_timeout = idle_timeout
        self._engines = engines
        self._access = access

    def GetServerInfo(
        self, request: pb.GetServerInfoRequest, context: grpc.ServicerContext
    ) -> pb.GetServerInfoResponse:
        return _answer(context, self._info)

    def ListLevels(
        self, request: pb.ListLevelsRequest, context: grpc.ServicerContext
    ) -> pb.ListLevelsResponse:
        _answer(context, lambda: self._access.require_operator(context))
        return _answer(context, lambda: self._list(request))

    def StartEpisode(
        self, request: pb.StartEpisodeRequest, context: grpc.ServicerContext
    ) -> pb.StartEpisodeResponse:
        _answer(context, lambda: self._access.require_operator(context))
        return _answer(context, lambda: self._start(request)[1])

    def Step(self, request: pb.StepRequest, context: grpc.ServicerContext) -> pb.StepResponse:
        session: Session | None = None
        operator = self._access.is_operator(context)
        try:
            session = self._store.get(request.episode_id, request.lease)
            return self._step(session, request, operator)
        except Exception as error:
            _abort(context, error, session, operator)

    def Observe(
        self, request: pb.ObserveRequest, context: grpc.ServicerContext
    ) -> pb.ObserveResponse:
        operator = self._access.is_operator(context)
        session = _answer(context, lambda: self._store.get(request.episode_id, request.lease))
        return _answer(context, lambda: self._observe(session, request), operator)

    def EndEpisode(
        self, request: pb.EndEpisodeRequest, context: grpc.ServicerContext
    ) -> pb.EndEpisodeResponse:
        operator = self._access.is_operator(context)
        session = _answer(context, lambda: self._store.get(request.episode_id, request.lease))
        return _answer(context, lambda: self._end(session, operator), operator)

    def Play(
        self, request_iterator: Iterator[pb.PlayRequest], context: grpc.ServicerContext
    ) -> Iterator[pb.PlayResponse]:
        latest: Session | None = None
        operator = self._access.is_operator(context)
        for request in request_iterator:
            session: Session | None = None
            try:
                kind = request.WhichOneof("request")
                if kind == "start_episode":
                    self._access.require_operator(context)
                    latest, started = self._start(request.start_episode)
                    # An episode closed for being idle ends its stream, which frees a thread.
                    latest.hang_up = context.cancel
                    yield pb.PlayResponse(start_episode=started)
                    continue
                session = self._in_stream(request, kind, latest)
                if kind == "step":
                    response = pb.PlayResponse(step=self._step(session, request.step, operator))
                elif kind == "observe":
                    response = pb.PlayResponse(observe=self._observe(session, request.observe))
                else:
                    response = pb.PlayResponse(end_episode=self._end(session, operator))
            except Exception as error:
                response = pb.PlayResponse(error=_fault(error, session, operator).play_error())
            yield response

    def DownloadLog(
        self, request: pb.DownloadLogRequest, context: grpc.ServicerContext
    ) -> Iterator[pb.DownloadLogResponse]:
        _answer(context, lambda: self._access.require_operator(context))
        session = _answer(context, lambda: self._ended(request.episode_id, request.lease))
        for chunk in _chunks(session.log_path, context):
            session = _answer(context, lambda: self._ended(request.episode_id, request.lease))
            yield pb.DownloadLogResponse(chunk=chunk)

    def DownloadVideo(
        self, request: pb.DownloadVideoRequest, context: grpc.ServicerContext
    ) -> Iterator[pb.DownloadVideoResponse]:
        _answer(context, lambda: self._access.require_operator(context))
        session = _answer(context, lambda: self._ended(request.episode_id, request.lease))
        size = request.size if request.HasField("size") else 512
        if not 128 <= size <= 1080 or size % 2:
            _abort(context, InputError(f"a video is 128 to 1080 pixels wide, even, not {size}"))
        for done, total in self._film(session, size, context):
            session = _answer(context, lambda: self._store.get(request.episode_id, request.lease))
            yield pb.DownloadVideoResponse(progress=pb.VideoProgress(done=done, total=total))
        for chunk in _chunks(session.video_path, context):
            yield pb.DownloadVideoResponse(chunk=chunk)

    def _info(self) -> pb.GetServerInfoResponse:
        return pb.GetServerInfoResponse(
            version=version("luban"),
            families=list(families()),
            worlds=self._engines.worlds(),
            renderer=f"{self._renderer.name}: {self._renderer.version}",
            renderer_note=self._renderer.note,
            idle_timeout_s=self._idle_timeout,
            max_message_bytes=codec.MAX_MESSAGE_BYTES,
        )

    def _list(self, request: pb.ListLevelsRequest) -> pb.ListLevelsResponse:
        if request.family and request.family not in families():
            raise InputError(f"there is no family {request.family[:40]!r}")
        try:
            named = select_levels(
                request.suite, files=False
            )  # A file would be one of the server's.
        except SuiteError as error:
            code = grpc.StatusCode.NOT_FOUND
            raise RequestError(code, "SUITE_NOT_FOUND", str(error)) from None
        chosen = [level for level in named if request.family in ("", level.family)]
        return pb.ListLevelsResponse(levels=map(codec.encode_level, chosen))

    def _start(self, request: pb.StartEpisodeRequest) -> tuple[Session, pb.StartEpisodeResponse]:
        level = _level(request)
        session = self._store.start(
            level,
            codec.decode_options(request.options),
            world=request.options.world or "lattice",
            picture_format=codec.picture_format(request.options),
            run_name=request.options.run_name,
        )
        episode = session.episode
        observation = episode.observe(images=False)
        return session, pb.StartEpisodeResponse(
            episode_id=session.id,
            lease=session.lease,
            run_name=session.folder.name,
            level=codec.encode_level(level),
            tools_json=json.dumps(episode.schemas()),
            instruction=observation.instruction,
            colours=observation.colours,
            budget=episode.budget,
            state_hash=episode.state_hash,
        )

    def _step(self, session: Session, request: pb.StepRequest, operator: bool) -> pb.StepResponse:
        action = request.action
        with session.lock:
            result = session.episode.step_json(action.name, action.arguments_json)
        message = codec.encode_result(result)
        return pb.StepResponse(result=message if operator else without_secrets(message))

    def _observe(self, session: Session, request: pb.ObserveRequest) -> pb.ObserveResponse:
        with session.lock:
            _require_open(session)
            observation = session.episode.observe(images=not request.without_images)
        # Encoding takes longer than looking and needs no lock.
        seen = observation.encoded(
            session.picture_format, lambda: f"{self._renderer.name}: {self._renderer.version}"
        )
        message = codec.encode_observation(seen)
        response = pb.ObserveResponse(observation=message)
        _require_sendable(response)
        return response

    def _end(self, session: Session, operator: bool) -> pb.EndEpisodeResponse:
        session.close("given up by the agent")
        ending = session.episode.ending
        assert ending is not None
        message = codec.encode_ending(ending)
        return pb.EndEpisodeResponse(ending=message if operator else without_secrets(message))

    def _in_stream(
        self, request: pb.PlayRequest, kind: str | None, latest: Session | None
    ) -> Session:
        if kind is None:
            raise RequestError(
                grpc.StatusCode.INVALID_ARGUMENT, "EMPTY_REQUEST", "the request asks for nothing"
            )
        part = getattr(request, kind)
        if part.episode_id or part.lease:
            return self._store.get(part.episode_id, part.lease)
        if latest is None:
            raise RequestError(
                grpc.StatusCode.FAILED_PRECONDITION,
                "NO_EPISODE",
                "no episode was begun in this stream",
            )
        return self._store.get(latest.id, latest.lease)

    def _ended(self, episode_id: str, lease: str) -> Session:
        """The session, if its files may be had: a log tells what an agent must not know."""
        session = self._store.get(episode_id, lease)
        if session.episode.ending is None:
            raise RequestError(
                grpc.StatusCode.FAILED_PRECONDITION,
                "EPISODE_RUNNING",
                "the log and the video can be had once the episode has ended",
            )
        return session

    def _film(
        self, session: Session, size: int, context: grpc.ServicerContext
    ) -> Iterator[tuple[int, int]]:
        """Make the video in a thread of its own, and say how far it is, frame by frame."""
        progress: SimpleQueue[tuple[int, int] | Exception | None] = SimpleQueue()

        def note(done: int, total: int) -> None:
            if not context.is_active():
                raise ConnectionAbortedError("the client went away")
            progress.put((done, total))

        def work() -> None:
            try:
                log = read_log(session.log_path)
                film_episode(log, self._renderer, session.video_path, size=size, progress=note)
                progress.put(None)
            except Exception as error:
                # Nobody is told what fails because the client went away.
                progress.put(error if context.is_active() else None)

        threading.Thread(target=work, name="luban-film", daemon=True).start()
        while (news := progress.get()) is not None:
            if isinstance(news, Exception):
                _abort(context, news)
            yield news


def _answer(context: grpc.ServicerContext, work: Callable[[], T], operator: bool = True) -> T:
    """What ``work`` returns; its errors become the call's status."""
    try:
        return work()
    except Exception as error:
        _abort(context, error, operator=operator)


def _abort(
    context: grpc.ServicerContext,
    error: Exception,
    session: Session | None = None,
    operator: bool = True,
) -> NoReturn:
    from grpc_status import rpc_status

    context.abort_with_status(rpc_status.to_status(_fault(error, session, operator).status()))
    raise AssertionError("abort_with_status raises")


def _fault(error: Exception, session: Session | None, operator: bool) -> WireError:
    fault = _whole_fault(error, session)
    if fault.code is grpc.StatusCode.INTERNAL:
        logging.getLogger(__name__).error("a call failed", exc_info=error)
    if operator:
        return fault
    logging.getLogger(__name__).info("an agent was refused: %s", fault.message)
    return for_agents(fault)


def _whole_fault(error: Exception, session: Session | None) -> WireError:
    if session is None or not isinstance(error, ActionError):
        return fault_of(error)
    episode = session.episode
    progress = {
        "step": str(episode.steps),
        "budget_left": str(episode.budget_left),
        "outcome": "" if episode.outcome is None else episode.outcome.value,
        "state_hash": episode.state_hash,
    }
    return fault_of(error, progress)


def _require_open(session: Session) -> None:
    if session.closed:
        raise RequestError(
            grpc.StatusCode.FAILED_PRECONDITION, "EPISODE_OVER", "the episode has been ended"
        )


def _require_sendable(response: pb.ObserveResponse) -> None:
    """Refuse pictures that make too large a message: sending it would break off a whole stream."""
    size = response.ByteSize()
    if size > codec.MAX_MESSAGE_BYTES - ENVELOPE:
        raise RequestError(
            grpc.StatusCode.RESOURCE_EXHAUSTED,
            "OBSERVATION_TOO_LARGE",
            f"the pictures make a message of {size:,} bytes, more than "
            f"{codec.MAX_MESSAGE_BYTES:,}; start with smaller ones, or as png or jpeg",
        )


def _level(request: pb.StartEpisodeRequest) -> Level[Any]:
    if request.WhichOneof("level") == "level_json":
        try:
            document = json.loads(request.level_json)
        except (ValueError, RecursionError) as error:
            raise LevelError(f"the level is not JSON: {error}") from None
        return level_from_document(document)
    if not request.level_id:
        raise RequestError(
            grpc.StatusCode.INVALID_ARGUMENT, "NO_LEVEL", "the request names no level"
        )
    try:
        # A file name would name a file of the server's: ids only.
        return find_shipped_level(request.level_id)
    except LevelError as error:
        code = grpc.StatusCode.NOT_FOUND
        raise RequestError(code, "LEVEL_NOT_FOUND", str(error)) from None


def _chunks(path: Path, context: grpc.ServicerContext) -> Iterator[bytes]:
    try:
        with path.open("rb") as file:
            while chunk := file.read(CHUNK):
                yield chunk
    except OSError as error:
        _abort(
            context,
            RequestError(grpc.StatusCode.NOT_FOUND, "FILE_GONE", f"{path.name}: {error.strerror}"),
        )

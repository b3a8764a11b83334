"""The calls of the gRPC service; what they do is in :mod:`bridge.rpc.serving.desk`."""

from collections.abc import AsyncIterator, Awaitable
from typing import NoReturn, TypeVar

import grpc
from grpc_status import rpc_status

from bridge.rpc._pb.luban.v1 import episode_service_pb2 as pb
from bridge.rpc._pb.luban.v1 import episode_service_pb2_grpc as pb_grpc
from bridge.rpc.serving.desk import Desk, fault
from bridge.rpc.serving.downloads import chunks, film
from bridge.rpc.serving.looping import CallContext
from bridge.rpc.serving.streams import Streams
from pysim.errors import InputError

__all__ = ["EpisodeServicer"]

T = TypeVar("T")


class EpisodeServicer(pb_grpc.EpisodeServiceServicer):
    """Answers calls; see ``proto/luban/v1/episode_service.proto``."""

    def __init__(self, desk: Desk, streams: Streams) -> None:
        self._desk = desk
        self._streams = streams

    async def GetServerInfo(
        self, request: pb.GetServerInfoRequest, context: CallContext
    ) -> pb.GetServerInfoResponse:
        return await self._answered(context, self._desk.info())

    async def ListLevels(
        self, request: pb.ListLevelsRequest, context: CallContext
    ) -> pb.ListLevelsResponse:
        await self._require_operator(context)
        return await self._answered(context, self._desk.list_levels(request))

    async def StartEpisode(
        self, request: pb.StartEpisodeRequest, context: CallContext
    ) -> pb.StartEpisodeResponse:
        await self._require_operator(context)
        return (await self._answered(context, self._desk.start(request)))[1]

    async def Step(self, request: pb.StepRequest, context: CallContext) -> pb.StepResponse:
        try:
            session = await self._desk.store.get(request.episode_id, request.lease)
            return await self._desk.step(session, request, self._is_operator(context))
        except Exception as error:
            await _abort(context, error, self._is_operator(context))

    async def Observe(self, request: pb.ObserveRequest, context: CallContext) -> pb.ObserveResponse:
        return await self._answered(context, self._observe(request))

    async def EndEpisode(
        self, request: pb.EndEpisodeRequest, context: CallContext
    ) -> pb.EndEpisodeResponse:
        return await self._answered(context, self._end(request, context))

    async def Play(self, requests: AsyncIterator[pb.PlayRequest], context: CallContext) -> None:
        await self._answered(context, self._streams.serve(self._desk, context))

    async def DownloadLog(
        self, request: pb.DownloadLogRequest, context: CallContext
    ) -> AsyncIterator[pb.DownloadLogResponse]:
        await self._require_operator(context)
        try:
            async for chunk in chunks(self._desk, request.episode_id, request.lease):
                yield pb.DownloadLogResponse(chunk=chunk)
        except Exception as error:
            await _abort(context, error)

    async def DownloadVideo(
        self, request: pb.DownloadVideoRequest, context: CallContext
    ) -> AsyncIterator[pb.DownloadVideoResponse]:
        await self._require_operator(context)
        size = request.size if request.HasField("size") else 512
        try:
            if not 128 <= size <= 1080 or size % 2:
                raise InputError(f"a video is 128 to 1080 pixels wide, even, not {size}")
            async for done, total in film(self._desk, request.episode_id, request.lease, size):
                progress = pb.VideoProgress(done=done, total=total)
                yield pb.DownloadVideoResponse(progress=progress)
            async for chunk in chunks(self._desk, request.episode_id, request.lease, video=True):
                yield pb.DownloadVideoResponse(chunk=chunk)
        except Exception as error:
            await _abort(context, error)

    async def _observe(self, request: pb.ObserveRequest) -> pb.ObserveResponse:
        session = await self._desk.store.get(request.episode_id, request.lease)
        return await self._desk.observe(session, request)

    async def _end(
        self, request: pb.EndEpisodeRequest, context: CallContext
    ) -> pb.EndEpisodeResponse:
        session = await self._desk.store.get(request.episode_id, request.lease)
        return await self._desk.end(session, self._is_operator(context))

    def _is_operator(self, context: CallContext) -> bool:
        return self._desk.access.is_operator(context)

    async def _require_operator(self, context: CallContext) -> None:
        try:
            self._desk.access.require_operator(context)
        except Exception as error:
            await _abort(context, error)

    async def _answered(self, context: CallContext, work: Awaitable[T]) -> T:
        """What comes of ``work``; its errors become the call's status."""
        try:
            return await work
        except Exception as error:
            await _abort(context, error, self._is_operator(context))


async def _abort(context: CallContext, error: Exception, operator: bool = True) -> NoReturn:
    if isinstance(error, grpc.aio.AbortError):
        raise error
    status = rpc_status.to_status(fault(error, operator).status())
    await context.abort(status.code, status.details, status.trailing_metadata)
    raise AssertionError("abort raises")

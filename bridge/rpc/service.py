"""The calls of the gRPC service; what they do is in :mod:`bridge.rpc.serving.handler`."""

from collections.abc import AsyncIterator, Awaitable
from typing import NoReturn, TypeVar

import grpc
from grpc_status import rpc_status

from bridge.rpc._pb.luban.v1 import episode_service_pb2 as pb
from bridge.rpc._pb.luban.v1 import episode_service_pb2_grpc as pb_grpc
from bridge.rpc.serving.downloads import read_chunks, render_video
from bridge.rpc.serving.event_loop import CallContext
from bridge.rpc.serving.handler import RequestHandler, report_error
from bridge.rpc.serving.streams import Streams
from pysim.errors import InputError

__all__ = ["EpisodeServicer"]

T = TypeVar("T")


class EpisodeServicer(pb_grpc.EpisodeServiceServicer):
    """Answers calls; see ``proto/luban/v1/episode_service.proto``."""

    def __init__(self, handler: RequestHandler, streams: Streams) -> None:
        self._handler = handler
        self._streams = streams

    async def GetServerInfo(
        self, request: pb.GetServerInfoRequest, context: CallContext
    ) -> pb.GetServerInfoResponse:
        return await self._answered(context, self._handler.get_info())

    async def ListLevels(
        self, request: pb.ListLevelsRequest, context: CallContext
    ) -> pb.ListLevelsResponse:
        await self._require_operator(context)
        return await self._answered(context, self._handler.list_levels(request))

    async def StartEpisode(
        self, request: pb.StartEpisodeRequest, context: CallContext
    ) -> pb.StartEpisodeResponse:
        await self._require_operator(context)
        return (await self._answered(context, self._handler.start(request)))[1]

    async def Step(self, request: pb.StepRequest, context: CallContext) -> pb.StepResponse:
        try:
            session = await self._handler.store.get(request.episode_id, request.lease)
            return await self._handler.step(session, request, self._is_operator(context))
        except Exception as error:
            await _abort(context, error, self._is_operator(context))

    async def Observe(self, request: pb.ObserveRequest, context: CallContext) -> pb.ObserveResponse:
        return await self._answered(context, self._observe(request))

    async def EndEpisode(
        self, request: pb.EndEpisodeRequest, context: CallContext
    ) -> pb.EndEpisodeResponse:
        return await self._answered(context, self._end(request, context))

    async def Play(self, requests: AsyncIterator[pb.PlayRequest], context: CallContext) -> None:
        await self._answered(context, self._streams.serve(self._handler, context))

    async def DownloadLog(
        self, request: pb.DownloadLogRequest, context: CallContext
    ) -> AsyncIterator[pb.DownloadLogResponse]:
        await self._require_operator(context)
        try:
            async for chunk in read_chunks(self._handler, request.episode_id, request.lease):
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
            async for done, total in render_video(
                self._handler, request.episode_id, request.lease, size
            ):
                progress = pb.VideoProgress(done=done, total=total)
                yield pb.DownloadVideoResponse(progress=progress)
            async for chunk in read_chunks(
                self._handler, request.episode_id, request.lease, video=True
            ):
                yield pb.DownloadVideoResponse(chunk=chunk)
        except Exception as error:
            await _abort(context, error)

    async def _observe(self, request: pb.ObserveRequest) -> pb.ObserveResponse:
        session = await self._handler.store.get(request.episode_id, request.lease)
        return await self._handler.observe(session, request)

    async def _end(
        self, request: pb.EndEpisodeRequest, context: CallContext
    ) -> pb.EndEpisodeResponse:
        session = await self._handler.store.get(request.episode_id, request.lease)
        return await self._handler.end(session, self._is_operator(context))

    def _is_operator(self, context: CallContext) -> bool:
        return self._handler.access.is_operator(context)

    async def _require_operator(self, context: CallContext) -> None:
        try:
            self._handler.access.require_operator(context)
        except Exception as error:
            await _abort(context, error)

    async def _answered(self, context: CallContext, work: Awaitable[T]) -> T:
        """Return the result of ``work``; its errors become the call's status."""
        try:
            return await work
        except Exception as error:
            await _abort(context, error, self._is_operator(context))


async def _abort(context: CallContext, error: Exception, operator: bool = True) -> NoReturn:
    if isinstance(error, grpc.aio.AbortError):
        raise error
    status = rpc_status.to_status(report_error(error, operator).to_status())
    await context.abort(status.code, status.details, status.trailing_metadata)
    raise AssertionError("abort raises")

"""The calls of the gRPC service; what they do is in :mod:`bridge.rpc.serving.handler`."""

from collections.abc import AsyncIterator

from bridge.rpc._pb.luban.v1 import episode_service_pb2 as pb
from bridge.rpc.errors import WireError
from bridge.rpc.http2.call import Call
from bridge.rpc.serving.downloads import read_chunks, render_video
from bridge.rpc.serving.handler import RequestHandler, report_error
from bridge.rpc.serving.sessions import Session
from bridge.rpc.serving.streams import Streams
from pysim.errors import InputError

__all__ = ["DOCUMENTS", "EpisodeServicer"]

DOCUMENTS = {
    "StartEpisode": b"",
    "Play": (pb.PlayRequest.START_EPISODE_FIELD_NUMBER << 3 | 2).to_bytes(1, "big"),
}
"""Calls whose requests may hold a level's document -> the first byte of such a request."""


class EpisodeServicer:
    """Answers calls; see ``proto/luban/v1/episode_service.proto``."""

    def __init__(self, handler: RequestHandler, streams: Streams) -> None:
        self._handler = handler
        self._streams = streams

    async def GetServerInfo(
        self, request: pb.GetServerInfoRequest, call: Call
    ) -> pb.GetServerInfoResponse:
        return await self._handler.get_info()

    async def ListLevels(self, request: pb.ListLevelsRequest, call: Call) -> pb.ListLevelsResponse:
        self._require_operator(call)
        return await self._handler.list_levels(request)

    async def StartEpisode(
        self, request: pb.StartEpisodeRequest, call: Call
    ) -> pb.StartEpisodeResponse:
        self._require_operator(call)
        started = (await self._handler.start(request))[1]
        call.prove()
        return started

    async def Step(self, request: pb.StepRequest, call: Call) -> pb.StepResponse:
        session = await self._get_session(request, call)
        return await self._handler.step(session, request, self._is_operator(call))

    async def Observe(self, request: pb.ObserveRequest, call: Call) -> pb.ObserveResponse:
        session = await self._get_session(request, call)
        return await self._handler.observe(session, request)

    async def EndEpisode(self, request: pb.EndEpisodeRequest, call: Call) -> pb.EndEpisodeResponse:
        session = await self._get_session(request, call)
        return await self._handler.end(session, self._is_operator(call))

    async def Play(self, call: Call) -> None:
        await self._streams.serve(self._handler, call)

    async def DownloadLog(
        self, request: pb.DownloadLogRequest, call: Call
    ) -> AsyncIterator[pb.DownloadLogResponse]:
        self._require_operator(call)
        async for chunk in read_chunks(self._handler, request.episode_id, request.lease):
            yield pb.DownloadLogResponse(chunk=chunk)

    async def DownloadVideo(
        self, request: pb.DownloadVideoRequest, call: Call
    ) -> AsyncIterator[pb.DownloadVideoResponse]:
        self._require_operator(call)
        size = request.size if request.HasField("size") else 512
        if not 128 <= size <= 1080 or size % 2:
            raise InputError(f"a video is 128 to 1080 pixels wide, even, not {size}")
        id, lease = request.episode_id, request.lease
        async for done, total in render_video(self._handler, id, lease, size):
            yield pb.DownloadVideoResponse(progress=pb.VideoProgress(done=done, total=total))
        async for chunk in read_chunks(self._handler, id, lease, video=True):
            yield pb.DownloadVideoResponse(chunk=chunk)

    def report(self, error: Exception, call: Call) -> WireError:
        """Report an error to a caller."""
        return report_error(error, self._is_operator(call))

    async def _get_session(
        self, request: pb.StepRequest | pb.ObserveRequest | pb.EndEpisodeRequest, call: Call
    ) -> Session:
        session = await self._handler.store.get(request.episode_id, request.lease)
        call.prove()
        return session

    def _is_operator(self, call: Call) -> bool:
        return self._handler.access.is_operator(call.metadata)

    def _require_operator(self, call: Call) -> None:
        self._handler.access.require_operator(call.metadata)

"""Two ways for a client to ask: single calls, or one stream for all of them."""

import math
import threading
import time
from collections.abc import Iterator
from queue import SimpleQueue
from typing import Protocol

import grpc

from bridge.rpc._pb.luban.v1 import episode_service_pb2 as pb
from bridge.rpc._pb.luban.v1 import episode_service_pb2_grpc as pb_grpc
from bridge.rpc.errors import Fault

__all__ = ["StreamTransport", "Transport", "UnaryTransport"]


class Transport(Protocol):
    """Carries the requests of one episode."""

    def ask(self, request: pb.PlayRequest) -> pb.PlayResponse | Fault:
        """The answer to a request, or why it was refused or failed."""

    def close(self) -> None:
        """No more requests will come."""


class UnaryTransport:
    """One call for each request."""

    def __init__(self, stub: pb_grpc.EpisodeServiceStub, deadline: float) -> None:
        """``deadline``: seconds that each call may take."""
        self._stub = stub
        self._deadline = deadline

    def ask(self, request: pb.PlayRequest) -> pb.PlayResponse | Fault:
        """See :class:`Transport`."""
        stub, deadline = self._stub, self._deadline
        try:
            match request.WhichOneof("request"):
                case "start_episode":
                    started = stub.StartEpisode(request.start_episode, timeout=deadline)
                    return pb.PlayResponse(start_episode=started)
                case "step":
                    return pb.PlayResponse(step=stub.Step(request.step, timeout=deadline))
                case "observe":
                    seen = stub.Observe(request.observe, timeout=deadline)
                    return pb.PlayResponse(observe=seen)
                case _:
                    ended = stub.EndEpisode(request.end_episode, timeout=deadline)
                    return pb.PlayResponse(end_episode=ended)
        except grpc.RpcError as error:
            return Fault.from_rpc_error(error)

    def close(self) -> None:
        """Nothing is held open."""


class StreamTransport:
    """One bidirectional stream, answered in order; used from one thread at a time."""

    def __init__(self, stub: pb_grpc.EpisodeServiceStub, deadline: float) -> None:
        """``deadline``: seconds to wait for each answer."""
        self._requests: SimpleQueue[pb.PlayRequest | None] = SimpleQueue()
        self._deadline = deadline
        self._due = math.inf
        self._closed = threading.Event()
        self._answers = stub.Play(self._outgoing())
        # Whatever ends the stream ends the threads that serve it.
        if not self._answers.add_callback(self.close):
            self.close()
        # A stream has one deadline for its whole life; this gives every answer its own.
        threading.Thread(target=self._watch, name="luban-deadline", daemon=True).start()

    def ask(self, request: pb.PlayRequest) -> pb.PlayResponse | Fault:
        """See :class:`Transport`."""
        self._due = time.monotonic() + self._deadline
        self._requests.put(request)
        try:
            answer: pb.PlayResponse = next(self._answers)
        except grpc.RpcError as error:
            return self._failure(error)
        except StopIteration:
            return Fault(grpc.StatusCode.UNAVAILABLE, "", "the server closed the stream")
        finally:
            self._due = math.inf
        if answer.WhichOneof("response") == "error":
            return Fault.from_play_error(answer.error)
        return answer

    def close(self) -> None:
        """End the stream."""
        self._closed.set()
        self._requests.put(None)

    def _outgoing(self) -> Iterator[pb.PlayRequest]:
        while (request := self._requests.get()) is not None:
            yield request

    def _watch(self) -> None:
        while not self._closed.wait(min(0.25, self._deadline)):
            if time.monotonic() > self._due:
                self._answers.cancel()

    def _failure(self, error: grpc.RpcError) -> Fault:
        if time.monotonic() > self._due:
            code = grpc.StatusCode.DEADLINE_EXCEEDED
            return Fault(code, "", f"the server did not answer within {self._deadline:g} s")
        return Fault.from_rpc_error(error)

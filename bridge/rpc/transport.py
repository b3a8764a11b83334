"""Two ways for a client to ask: single calls, or one stream for all of them."""

import math
import threading
import time
from collections.abc import Callable, Iterator
from queue import SimpleQueue
from typing import Protocol, TypeVar

import grpc
from google.protobuf.message import Message

from bridge.rpc._pb.luban.v1 import episode_service_pb2 as pb
from bridge.rpc._pb.luban.v1 import episode_service_pb2_grpc as pb_grpc
from bridge.rpc.errors import WireError, raise_fault

__all__ = ["Metadata", "StreamTransport", "Transport", "UnaryTransport", "unpack_answer"]

M = TypeVar("M", bound=Message)
Metadata = tuple[tuple[str, str], ...]


class Transport(Protocol):
    """Carries the requests of one episode; an answer is a response, or why there is none."""

    def start(self, request: pb.StartEpisodeRequest) -> pb.StartEpisodeResponse | WireError:
        """Begin the episode."""

    def step(self, request: pb.StepRequest) -> pb.StepResponse | WireError:
        """Try an action."""

    def observe(self, request: pb.ObserveRequest) -> pb.ObserveResponse | WireError:
        """Look."""

    def end(self, request: pb.EndEpisodeRequest) -> pb.EndEpisodeResponse | WireError:
        """End the episode."""

    def close(self) -> None:
        """No more requests will come."""


class UnaryTransport:
    """One call for each request; see :class:`Transport`."""

    def __init__(
        self, stub: pb_grpc.EpisodeServiceStub, deadline: float, metadata: Metadata = ()
    ) -> None:
        """``deadline``: seconds that each call may take; ``metadata``: what each carries."""
        self._stub = stub
        self._deadline = deadline
        self._metadata = metadata

    def start(self, request: pb.StartEpisodeRequest) -> pb.StartEpisodeResponse | WireError:
        """Begin the episode."""
        return self._call(self._stub.StartEpisode, request)

    def step(self, request: pb.StepRequest) -> pb.StepResponse | WireError:
        """Try an action."""
        return self._call(self._stub.Step, request)

    def observe(self, request: pb.ObserveRequest) -> pb.ObserveResponse | WireError:
        """Look."""
        return self._call(self._stub.Observe, request)

    def end(self, request: pb.EndEpisodeRequest) -> pb.EndEpisodeResponse | WireError:
        """End the episode."""
        return self._call(self._stub.EndEpisode, request)

    def close(self) -> None:
        """Nothing is held open."""

    def _call(self, method: Callable[..., M], request: Message) -> M | WireError:
        try:
            return method(request, timeout=self._deadline, metadata=self._metadata)
        except grpc.RpcError as error:
            return WireError.from_rpc_error(error)


class StreamTransport:
    """One bidirectional stream, answered in order; see :class:`Transport`.

    If it breaks, the next request opens another one. Used from one thread at a time.
    """

    def __init__(
        self, stub: pb_grpc.EpisodeServiceStub, deadline: float, metadata: Metadata = ()
    ) -> None:
        """``deadline``: seconds to wait for each answer; ``metadata``: what the stream carries."""
        self._stub = stub
        self._deadline = deadline
        self._metadata = metadata
        self._stream = _Stream(stub, deadline, metadata)
        self._closed = False

    def start(self, request: pb.StartEpisodeRequest) -> pb.StartEpisodeResponse | WireError:
        """Begin the episode."""
        answer = self._ask(pb.PlayRequest(start_episode=request))
        return answer if isinstance(answer, WireError) else answer.start_episode

    def step(self, request: pb.StepRequest) -> pb.StepResponse | WireError:
        """Try an action."""
        answer = self._ask(pb.PlayRequest(step=request))
        return answer if isinstance(answer, WireError) else answer.step

    def observe(self, request: pb.ObserveRequest) -> pb.ObserveResponse | WireError:
        """Look."""
        answer = self._ask(pb.PlayRequest(observe=request))
        return answer if isinstance(answer, WireError) else answer.observe

    def end(self, request: pb.EndEpisodeRequest) -> pb.EndEpisodeResponse | WireError:
        """End the episode."""
        answer = self._ask(pb.PlayRequest(end_episode=request))
        return answer if isinstance(answer, WireError) else answer.end_episode

    def close(self) -> None:
        """End the stream."""
        self._closed = True
        self._stream.close()

    def _ask(self, request: pb.PlayRequest) -> pb.PlayResponse | WireError:
        if self._stream.closed and not self._closed:
            self._stream = _Stream(self._stub, self._deadline, self._metadata)
        return self._stream.send(request)


class _Stream:
    """A stream until it ends, by whatever."""

    def __init__(
        self, stub: pb_grpc.EpisodeServiceStub, deadline: float, metadata: Metadata
    ) -> None:
        self._requests: SimpleQueue[pb.PlayRequest | None] = SimpleQueue()
        self._deadline = deadline
        self.due = math.inf
        self.closed = False
        self._answers = stub.Play(self._outgoing(), metadata=metadata)
        # A stream has one deadline for its whole life; this gives every answer its own.
        _DEADLINES.add(self)
        # Whatever ends the stream ends what serves it.
        if not self._answers.add_callback(self.close):
            self.close()

    def send(self, request: pb.PlayRequest) -> pb.PlayResponse | WireError:
        """Return the answer to a request, or why there is none."""
        self.due = time.monotonic() + self._deadline
        self._requests.put(request)
        try:
            answer: pb.PlayResponse = next(self._answers)
        except grpc.RpcError as error:
            self.close()
            return self._failure(error)
        except StopIteration:
            self.close()
            return WireError(grpc.StatusCode.UNAVAILABLE, "", "the server closed the stream")
        finally:
            self.due = math.inf
        if answer.WhichOneof("response") == "error":
            return WireError.from_play_error(answer.error)
        return answer

    def cancel(self) -> None:
        """The answer took too long."""
        self._answers.cancel()

    def close(self) -> None:
        """No more requests will come; may be called by any thread, and twice."""
        self.closed = True
        _DEADLINES.remove(self)
        self._requests.put(None)

    def _outgoing(self) -> Iterator[pb.PlayRequest]:
        while (request := self._requests.get()) is not None:
            yield request

    def _failure(self, error: grpc.RpcError) -> WireError:
        if time.monotonic() > self.due:
            code = grpc.StatusCode.DEADLINE_EXCEEDED
            return WireError(code, "", f"the server did not answer within {self._deadline:g} s")
        return WireError.from_rpc_error(error)


class _Deadlines:
    """Cancels the streams whose answers take too long: one thread for all, while there are any."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._streams: set[_Stream] = set()
        self._thread: threading.Thread | None = None

    def add(self, stream: _Stream) -> None:
        """Look after a stream."""
        with self._lock:
            self._streams.add(stream)
            if self._thread is None:
                self._thread = threading.Thread(
                    target=self._watch, name="luban-deadline", daemon=True
                )
                self._thread.start()

    def remove(self, stream: _Stream) -> None:
        """A stream has ended."""
        with self._lock:
            self._streams.discard(stream)

    def _watch(self) -> None:
        while streams := self._present():
            now = time.monotonic()
            for stream in streams:
                if now > stream.due:
                    stream.cancel()
            time.sleep(_LOOK)

    def _present(self) -> list[_Stream]:
        """Return the streams; without any, the thread ends."""
        with self._lock:
            if not self._streams:
                self._thread = None
            return list(self._streams)


_LOOK = 0.1
"""Seconds between two looks at deadlines."""
_DEADLINES = _Deadlines()


def unpack_answer(answer: M | WireError) -> M:
    """Return the response, or what the server raised."""
    if isinstance(answer, WireError):
        raise_fault(answer)
    return answer

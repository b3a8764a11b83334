"""Calls of the protocol as they go over the wire, unary and in a stream, without Luban's client."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import grpc
from google.rpc import error_details_pb2
from grpc_status import rpc_status

from bridge.rpc._pb.luban.v1 import episode_service_pb2 as pb
from bridge.rpc._pb.luban.v1.episode_service_pb2_grpc import EpisodeServiceStub

__all__ = ["STATE", "Calls", "Refused", "Started"]

STATE = 3
"""The number of the observation mode that needs no renderer."""
PATIENCE = 120.0
"""Seconds after which a call has failed; none takes so long."""
_KEY = "luban-operator-key"


@dataclass(frozen=True, slots=True)
class Refused:
    """A refusal: the code of gRPC, the reason, the words, and what else is told."""

    code: str
    reason: str
    message: str
    metadata: dict[str, str] = field(default_factory=dict)

    @property
    def kind(self) -> tuple[str, str]:
        """Code and reason."""
        return self.code, self.reason


@dataclass(frozen=True, slots=True)
class Started:
    """A begun episode, and how it is named in further requests."""

    answer: Any

    @property
    def lease(self) -> dict[str, Any]:
        """The fields that name it."""
        return {"episode_id": self.answer.episode_id, "lease": self.answer.lease}


class Calls:
    """Makes calls; what is refused is returned, as :class:`Refused`, not raised.

    Args:
        channel: to the server.
        key: the operator's; empty for none.
    """

    def __init__(self, channel: grpc.Channel, key: str) -> None:
        self._channel = channel
        self._stub = EpisodeServiceStub(channel)
        self._metadata = [(_KEY, key)] if key else []

    def of(self, key: str) -> "Calls":
        """Return the same with another key."""
        return Calls(self._channel, key)

    def info(self) -> Any:
        """Return the server's properties."""
        return self.ask("GetServerInfo", pb.GetServerInfoRequest())

    def start(self, level: str = "", document: str = "", **options: Any) -> Started:
        """Begin an episode that shows the state in words, unless told otherwise.

        Raises:
            AssertionError: it is refused.
        """
        named: dict[str, Any] = {"level_json": document} if document else {"level_id": level}
        request = pb.StartEpisodeRequest(options={"mode": STATE} | options, **named)
        answer = self.ask("StartEpisode", request)
        assert not isinstance(answer, Refused), answer
        return Started(answer)

    def step(self, started: Started, name: str, arguments: str, **more: Any) -> Any:
        """Try an action."""
        action = {"name": name, "arguments_json": arguments}
        return self.ask("Step", pb.StepRequest(action=action, **started.lease, **more))

    def observe(self, started: Started, **more: Any) -> Any:
        """Look."""
        answer = self.ask("Observe", pb.ObserveRequest(**started.lease, **more))
        return answer if isinstance(answer, Refused) else answer.observation

    def end(self, started: Started) -> Any:
        """End an episode."""
        answer = self.ask("EndEpisode", pb.EndEpisodeRequest(**started.lease))
        return answer if isinstance(answer, Refused) else answer.ending

    def ask(self, method: str, request: Any) -> Any:
        """Return one call."""
        call = getattr(self._stub, method)
        return _told(lambda: call(request, timeout=PATIENCE, metadata=self._metadata))

    def download(self, method: str, request: Any) -> Any:
        """Return the parts of a download."""
        call = getattr(self._stub, method)
        return _told(lambda: list(call(request, timeout=PATIENCE, metadata=self._metadata)))

    def play(self, *requests: Any) -> list[Any]:
        """Return the answers of one stream, each without what it is wrapped in."""
        call = self._stub.Play
        asked: Iterator[Any] = iter(requests)
        answers = list(call(asked, timeout=PATIENCE, metadata=self._metadata))
        return [_unwrapped(answer) for answer in answers]


def _told(call: Callable[[], Any]) -> Any:
    try:
        return call()
    except grpc.RpcError as error:
        return _refused(error)


def _refused(error: grpc.RpcError) -> Refused:
    assert isinstance(error, grpc.Call)
    info = error_details_pb2.ErrorInfo()
    status = rpc_status.from_call(error)
    for detail in status.details if status is not None else ():
        detail.Unpack(info)
    assert info.domain in ("", "luban"), f"the domain of an error is {info.domain!r}"
    return Refused(error.code().name, info.reason, error.details() or "", dict(info.metadata))


def _unwrapped(answer: Any) -> Any:
    kind = answer.WhichOneof("response")
    assert kind is not None, "an answer in a stream is empty"
    if kind != "error":
        return getattr(answer, kind)
    error = answer.error
    names = {code.value[0]: code.name for code in grpc.StatusCode}
    return Refused(names[error.code], error.reason, error.message, dict(error.metadata))

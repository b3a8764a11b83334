"""The one table between our errors and the wire."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NoReturn
from urllib.parse import unquote

import grpc
from google.protobuf import any_pb2
from google.rpc import error_details_pb2, status_pb2
from grpc_status import rpc_status

from bridge.episode.episode import EpisodeOver
from bridge.recording.log import RecordingError
from bridge.rpc._pb.luban.v1 import episode_service_pb2 as pb
from pysim.catalog import LevelError
from pysim.errors import InputError, LubanError
from pysim.physics.world import WorldError, WorldUnavailable
from pysim.puzzle import ActionError, IllegalMove, InvalidAction, parse_reason
from pysim.render.renderer import RendererUnavailable

__all__ = [
    "DOMAIN",
    "RequestError",
    "ServerError",
    "WireError",
    "encode_error",
    "make_limit_error",
    "raise_fault",
]

DOMAIN = "luban"
"""``ErrorInfo.domain`` of every error."""
MAX_BYTES = 1000
"""Length of a message, and of a list of culprits; gRPC takes 8 KiB for a whole status."""
MAX_QUOTED = 300
"""Characters of a message about an action, which may quote what an agent wrote."""


class RequestError(LubanError):
    """A request that the server refuses; for what no other error stands.

    Attributes:
        code: gRPC status.
        reason: a code for machines.
        metadata: more for machines.
    """

    def __init__(
        self,
        code: grpc.StatusCode,
        reason: str,
        message: str,
        metadata: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.reason = reason
        self.metadata = dict(metadata or {})


def make_limit_error(reason: str, message: str) -> RequestError:
    """Return the refusal beyond a limit."""
    return RequestError(grpc.StatusCode.RESOURCE_EXHAUSTED, reason, message)


class ServerError(LubanError, RuntimeError):
    """Error that a client raises for every refusal that is not about an action.

    Attributes:
        code: gRPC status.
        reason: a code for machines, or empty if the server gave none.
    """

    def __init__(self, code: grpc.StatusCode, reason: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.reason = reason


@dataclass(frozen=True, slots=True)
class WireError:
    """An error as it crosses the wire.

    Attributes:
        code: gRPC status.
        reason: ``ErrorInfo.reason``.
        message: in words.
        metadata: ``ErrorInfo.metadata``.
    """

    code: grpc.StatusCode
    reason: str
    message: str
    metadata: dict[str, str] = field(default_factory=dict)

    def to_status(self) -> status_pb2.Status:
        """Return the status of a unary call."""
        info = error_details_pb2.ErrorInfo(
            reason=self.reason, domain=DOMAIN, metadata=self.metadata
        )
        detail = any_pb2.Any()
        detail.Pack(info)
        message = _cut(self.message)
        return status_pb2.Status(code=self.code.value[0], message=message, details=[detail])

    def to_play_error(self) -> pb.PlayError:
        """Return the same inside a Play stream."""
        return pb.PlayError(
            code=self.code.value[0],
            message=_cut(self.message),
            reason=self.reason,
            metadata=self.metadata,
        )

    @staticmethod
    def from_play_error(message: pb.PlayError) -> "WireError":
        """Return the inverse of :meth:`to_play_error`."""
        return WireError(
            _code(message.code), message.reason, message.message, dict(message.metadata)
        )

    @staticmethod
    def from_rpc_error(error: grpc.RpcError) -> "WireError":
        """Read the error of a failed unary call; without ErrorInfo if the transport failed."""
        assert isinstance(error, grpc.Call)
        status = rpc_status.from_call(error)
        if status is not None:
            for detail in status.details:
                info = error_details_pb2.ErrorInfo()
                if detail.Unpack(info):
                    return WireError(error.code(), info.reason, status.message, dict(info.metadata))
        return WireError(error.code(), "", _explain_transport(error.details() or "the call failed"))


def _explain_transport(details: str) -> str:
    """Return the cause and the remedy where gRPC's words say that no server was reached."""
    if refused := re.search(r"ipv[46]:(\S+?): (?:Failed to connect[^:]*: )?([^:;]+)", details):
        address, cause = unquote(refused[1]), refused[2].strip()
        return (
            f"no server answers at {address} ({cause}): check the address, or start one with "
            "`luban serve`"
        )
    if unknown := re.search(
        r"(?:errors resolving|DNS resolution failed for) (.+?)(?::\d+)?: ", details
    ):
        return f"there is no host {unknown[1]}: check the server's address"
    return details


_TABLE: tuple[tuple[type[Exception], grpc.StatusCode, str], ...] = (
    (EpisodeOver, grpc.StatusCode.FAILED_PRECONDITION, "EPISODE_OVER"),
    (LevelError, grpc.StatusCode.INVALID_ARGUMENT, "BAD_LEVEL"),
    (RecordingError, grpc.StatusCode.RESOURCE_EXHAUSTED, "RECORDING_FAILED"),
    (RendererUnavailable, grpc.StatusCode.FAILED_PRECONDITION, "RENDERER_UNAVAILABLE"),
    (WorldUnavailable, grpc.StatusCode.FAILED_PRECONDITION, "WORLD_UNAVAILABLE"),
    (WorldError, grpc.StatusCode.ABORTED, "WORLD_FAILED"),
    (InputError, grpc.StatusCode.INVALID_ARGUMENT, "BAD_OPTION"),
    (LubanError, grpc.StatusCode.FAILED_PRECONDITION, "FAILED"),
)


def encode_error(error: Exception, progress: dict[str, str] | None = None) -> WireError:
    """Encode an error for a client.

    Args:
        progress: for a refused action, where the episode stands now.
    """
    if isinstance(error, RequestError):
        return WireError(error.code, error.reason, str(error), error.metadata)
    if isinstance(error, ActionError):
        illegal = isinstance(error, IllegalMove)
        code = grpc.StatusCode.FAILED_PRECONDITION if illegal else grpc.StatusCode.INVALID_ARGUMENT
        metadata = {"error": type(error).__name__, "culprits": _culprits(error.culprits)}
        if error.travel is not None:
            metadata["travel"] = str(error.travel)
        message = _short(error.message)
        return WireError(code, str(error.reason), message, metadata | (progress or {}))
    for kind, code, reason in _TABLE:
        if isinstance(error, kind):
            return WireError(code, reason, str(error))
    return WireError(grpc.StatusCode.INTERNAL, "INTERNAL", f"{type(error).__name__}: {error}")


def raise_fault(fault: WireError) -> NoReturn:
    """Raise, on the client's side, what the server raised.

    Raises:
        InvalidAction, IllegalMove: the action was refused.
        EpisodeOver: the episode has ended.
        ServerError: anything else.
    """
    if fault.metadata.get("error") in ("InvalidAction", "IllegalMove"):
        raise _refusal(fault)
    if fault.reason == "EPISODE_OVER":
        raise EpisodeOver(fault.message)
    raise ServerError(fault.code, fault.reason, fault.message)


def _refusal(fault: WireError) -> LubanError:
    """Return the error of a refused action; a ServerError if this version can't read it."""
    kind = IllegalMove if fault.metadata["error"] == "IllegalMove" else InvalidAction
    travel = fault.metadata.get("travel")
    try:
        return kind(
            parse_reason(fault.reason),
            fault.message,
            culprits=tuple(json.loads(fault.metadata.get("culprits", "[]"))),
            travel=None if travel is None else int(travel),
        )
    except (ValueError, TypeError, RecursionError):
        return ServerError(fault.code, fault.reason, fault.message)


def _cut(text: str) -> str:
    """As much of a text as fits."""
    data = text.encode("utf-8", "backslashreplace")
    if len(data) <= MAX_BYTES:
        return data.decode()
    return data[: MAX_BYTES - 3].decode("utf-8", "ignore") + "..."


def _short(text: str) -> str:
    return text if len(text) <= MAX_QUOTED else text[: MAX_QUOTED - 3] + "..."


def _culprits(names: tuple[str, ...]) -> str:
    """As many names as fit, as a JSON list."""
    while len(text := json.dumps(names)) > MAX_BYTES:
        names = names[: len(names) // 2]
    return text


def _code(number: int) -> grpc.StatusCode:
    for code in grpc.StatusCode:
        if code.value[0] == number:
            return code
    return grpc.StatusCode.UNKNOWN

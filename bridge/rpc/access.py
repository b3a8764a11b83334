"""Permissions on a server: operators may do everything, holders of a lease only play their episode.

Whoever can begin an episode can begin it again, and whoever can have its log can have its plan. So
a server for agents that are not to be trusted has a key: calls without it may only make steps in,
look at and end an episode whose lease they carry, and are not told hashes of states, by which a
program that knows the level could find out the state itself. On a server without a key every client
is an operator. ``luban serve`` makes a key, see :mod:`bridge.rpc.keys`.
"""

import secrets
from collections.abc import Mapping
from dataclasses import replace
from typing import TypeVar

import grpc

from bridge.rpc._pb.luban.v1 import episode_pb2 as episode_pb
from bridge.rpc.errors import RequestError, WireError

__all__ = ["ENVIRONMENT", "KEY", "REFUSAL", "Access", "redact_fault", "redact_secrets"]

KEY = "luban-operator-key"
"""Name of the metadata that carry the key."""
ENVIRONMENT = "LUBAN_OPERATOR_KEY"
"""The variable in which operators keep it."""
REFUSAL = (
    "this needs the operator's key, which the server has said when it was started; clients take it "
    f"from {ENVIRONMENT}"
)
"""What others are told."""

_INNER = frozenset(
    {
        "BAD_OPTION",
        "CANNOT_RESUME",
        "FAILED",
        "INTERNAL",
        "RECORDING_FAILED",
        "RENDERER_UNAVAILABLE",
        "WORLD_FAILED",
        "WORLD_UNAVAILABLE",
    }
)
"""Reasons whose words may name files and engines of the server."""

_HEADER = KEY.encode()
T = TypeVar("T", episode_pb.StepResult, episode_pb.Ending)


class Access:
    """The rights of callers.

    Args:
        key: what operators have to know; empty if all clients are operators.
    """

    def __init__(self, key: str) -> None:
        self._key = key.encode()

    @property
    def is_open(self) -> bool:
        """Whether all clients are operators."""
        return not self._key

    def is_operator(self, metadata: Mapping[bytes, bytes]) -> bool:
        """Return whether a call carries the key, or none is needed."""
        return not self._key or secrets.compare_digest(metadata.get(_HEADER, b""), self._key)

    def require_operator(self, metadata: Mapping[bytes, bytes]) -> None:
        """Refuse everybody else.

        Raises:
            RequestError: the call does not carry the key.
        """
        if not self.is_operator(metadata):
            raise RequestError(
                grpc.StatusCode.PERMISSION_DENIED,
                "OPERATORS_ONLY",
                REFUSAL,
            )


def redact_secrets(message: T) -> T:
    """Return a result or an ending as agents may see it."""
    message.ClearField("state_hash")
    if isinstance(message, episode_pb.StepResult):
        message.ClearField("disagreement")
    return message


def redact_fault(fault: WireError) -> WireError:
    """Return an error as agents may see it."""
    metadata = {name: text for name, text in fault.metadata.items() if name != "state_hash"}
    if fault.reason not in _INNER:
        return replace(fault, metadata=metadata)
    return replace(fault, metadata=metadata, message="the server failed; its operator knows more")

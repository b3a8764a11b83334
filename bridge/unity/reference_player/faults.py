"""Faults that a stand-in commits when told to, so that a bridge can be tried against them."""

import os
import signal
import sys
import time
from dataclasses import dataclass
from enum import StrEnum

from bridge.rpc._pb.luban.mlagents.v1 import communicator_pb2
from bridge.rpc._pb.luban.v1 import unity_pb2 as pb
from bridge.unity import communicator, framing

__all__ = ["Fault", "FaultKind"]

_AGES = 10_000.0


class FaultKind(StrEnum):
    """Fault of a stand-in; all but the first four with one request, or from one on."""

    CRASH = "crash"
    MUTE = "mute"
    VERSION = "version"
    PROTOCOL = "protocol"
    SLOW = "slow"
    HUNG = "hung"
    KILLED = "killed"
    FROZEN = "frozen"
    LEAVES = "leaves"
    GARBAGE = "garbage"
    GARBLED = "garbled"
    CUT = "cut"
    SILENT = "silent"
    TWICE = "twice"
    OVERSIZED = "oversized"
    IDS = "ids"
    DIGEST = "digest"
    TESTIMONY = "testimony"
    ANSWER = "answer"
    INTERNAL = "internal"


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault, and when it is committed.

    Attributes:
        kind: what is done wrong: ``crash`` ends before connecting, ``mute`` never connects,
            ``version`` and ``protocol`` name another version of ML-Agents' and of Luban's protocol,
            ``slow`` answers late, ``hung`` never, ``killed`` dies, ``frozen`` is
            stopped, ``leaves`` parts, ``garbage`` sends bytes that are no message, ``garbled`` no
            response, ``cut`` half a response, ``silent`` none, ``twice`` two, ``oversized`` 65 MiB,
            ``ids`` the response to another request, ``digest`` a wrong digest,
            ``testimony`` says of a sweep that it was stopped a unit earlier, or not at all,
            ``answer`` an answer to something else, ``internal`` its last words.
        at: the first request with which it is done; the first of all, a greeting, is 0.
        seconds: how late ``slow`` answers.
    """

    kind: FaultKind
    at: int = 1
    seconds: float = 0.2

    def break_connecting(self) -> None:
        """Say what is coming, and commit what is done before anything else is said."""
        print(f"this player fails on purpose: {self.kind}", file=sys.stderr, flush=True)
        if self.kind is FaultKind.CRASH:
            raise SystemExit("the engine could not be started")
        if self.kind is FaultKind.MUTE:
            time.sleep(_AGES)

    def break_greeting(self, greeting: communicator_pb2.RlInitializationOutput) -> None:
        """Spoil the first message."""
        if self.kind is FaultKind.VERSION:
            greeting.communication_version = "2.0.0"

    def break_response(self, number: int, response: pb.PlayerResponse) -> None:
        """Spoil the response to request ``number``."""
        if self.kind is FaultKind.PROTOCOL and response.HasField("identity"):
            response.identity.protocol += 1
        if number < self.at:
            return
        match self.kind:
            case FaultKind.SLOW:
                time.sleep(self.seconds)
            case FaultKind.HUNG:
                time.sleep(_AGES)
            case FaultKind.KILLED:
                os.kill(os.getpid(), signal.SIGKILL)
            case FaultKind.FROZEN:
                os.kill(os.getpid(), signal.SIGSTOP)
            case FaultKind.IDS:
                response.id -= 1
            case FaultKind.DIGEST:
                response.digest ^= 1
            case FaultKind.TESTIMONY if response.HasField("report"):
                response.report.measured -= 1.0 if response.report.completed else -20.0
                response.report.witnessed[:] = ["blue"] if response.report.completed else []
            case FaultKind.ANSWER:
                response.ready.SetInParent()
            case FaultKind.INTERNAL:
                response.failed.error = pb.PLAYER_ERROR_INTERNAL
                response.failed.message = "NullReferenceException: no such object"

    def break_side_channel(self, number: int, data: bytes) -> bytes:
        """Return the framed response to request ``number``, spoilt."""
        if number < self.at:
            return data
        match self.kind:
            case FaultKind.GARBLED:
                return framing.pack_frame(b"\xff" * 40)
            case FaultKind.CUT:
                return data[: len(data) // 2]
            case FaultKind.SILENT:
                return b""
            case FaultKind.TWICE:
                return data + data
            case _:
                return data

    def break_message(self, number: int, data: bytes) -> bytes:
        """Return the message with the response to request ``number``, spoilt."""
        if number < self.at:
            return data
        match self.kind:
            case FaultKind.GARBAGE:
                return b"\xff" * 200
            case FaultKind.OVERSIZED:
                return bytes(communicator.MAX_MESSAGE_BYTES + 2**20)
            case FaultKind.LEAVES:
                parting = communicator_pb2.Header(status=communicator.PARTING)
                return communicator_pb2.UnityMessage(header=parting).SerializeToString()
            case _:
                return data

"""A server that is asked by tests, and the levels about which it can be asked."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import ClassVar

import grpc
import pytest

from bridge.rpc._pb.luban.v1 import episode_service_pb2 as pb
from luban.testing.calls import Calls, Refused, Started
from luban.testing.contract import Contract
from pysim.catalog import AnyLevel, list_shipped_levels

__all__ = ["Served"]


class Served(Contract):
    """Tests of a server.

    Attributes:
        address: where it listens, as ``host:port``.
        key: the operator's; empty if it has none.
    """

    address: ClassVar[str] = ""
    key: ClassVar[str] = ""

    def channel(self) -> grpc.Channel:
        """Return a channel to the server; one with TLS, say, is made here."""
        unlimited = [("grpc.max_send_message_length", -1), ("grpc.max_receive_message_length", -1)]
        return grpc.insecure_channel(self.address, unlimited)

    @contextmanager
    def _calls(self) -> Iterator[Calls]:
        if not self.address:
            pytest.skip("no server is named")
        with self.channel() as channel:
            yield Calls(channel, self.key)

    def _known(self, calls: Calls) -> list[AnyLevel]:
        """A level of each family that the server has and that is here too, with a short plan."""
        listed = calls.ask("ListLevels", pb.ListLevelsRequest())
        assert not isinstance(listed, Refused), listed
        hashes = {level.id: level.hash for level in listed.levels}
        shared = [
            it
            for it in list_shipped_levels()
            if hashes.get(it.id) == it.hash and len(it.plan or ()) > 1
        ]
        chosen: dict[str, AnyLevel] = {}
        for level in sorted(shared, key=_length):
            chosen.setdefault(level.family, level)
        if not chosen:
            pytest.skip("NOT TESTED: the server has no level that is known here")
        return list(chosen.values())

    def _knowing(self, calls: Calls, level: AnyLevel) -> Started:
        """Return an episode of a server that knows numbers of steps."""
        if "expected_step" not in pb.StepRequest.DESCRIPTOR.fields_by_name:
            pytest.skip("NOT TESTED: this version of the protocol has no expected_step")
        started = calls.start(level.id)
        if not getattr(started.answer, "knows_expected_step", True):
            pytest.skip("NOT TESTED: the server does not know expected_step")
        return started


def _length(level: AnyLevel) -> int:
    return len(level.plan or ())

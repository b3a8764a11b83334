"""Our own server keeps what every server of the protocol has to, with a key and without."""

from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import ClassVar

import pytest

from bridge.rpc.server import LubanServer
from luban.testing import ServerContract, check_server


class TestOpen(ServerContract):
    idle_timeout: ClassVar[float] = 3.0
    opened: ClassVar[ExitStack]

    @classmethod
    def setup_class(cls) -> None:
        cls.opened = ExitStack()
        runs = Path(cls.opened.enter_context(TemporaryDirectory(prefix="luban-")))
        server = LubanServer(runs, idle_timeout=cls.idle_timeout, operator_key=cls.key)
        cls.address = cls.opened.enter_context(server).address

    @classmethod
    def teardown_class(cls) -> None:
        cls.opened.close()


class TestGuarded(TestOpen):
    idle_timeout = 600.0
    key = "a key that only operators have"


def test_a_server_that_says_something_else_is_found_out(
    monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    from bridge.rpc import codec

    honest = codec.encode_result

    def lying(result):  # type: ignore[no-untyped-def]
        message = honest(result)
        message.state_hash = "0" * 64
        return message

    monkeypatch.setattr(codec, "encode_result", lying)
    with (
        LubanServer(tmp_path_factory.mktemp("lying")) as server,
        pytest.raises(AssertionError, match="does not hold: any actions are answered as the rules"),
    ):
        check_server(server.address)


def test_a_server_that_is_not_there_is_said() -> None:
    with pytest.raises(AssertionError, match=r"does not hold: .*UNAVAILABLE"):
        check_server("127.0.0.1:1")

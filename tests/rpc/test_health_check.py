"""The health check of containers."""

from pathlib import Path

from bridge.rpc.health_check import is_healthy
from bridge.rpc.server import LubanServer


def test_a_server_is_healthy_while_it_serves(tmp_path: Path) -> None:
    with LubanServer(tmp_path) as server:
        assert is_healthy(server.address)
    assert not is_healthy(server.address)

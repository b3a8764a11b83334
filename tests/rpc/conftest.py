"""One server for all tests of this folder that need nothing special of it."""

from collections.abc import Iterator
from pathlib import Path

import grpc
import pytest

from bridge.rpc._pb.luban.v1.episode_service_pb2_grpc import EpisodeServiceStub
from bridge.rpc.client import Client, connect
from bridge.rpc.server import LubanServer


@pytest.fixture(scope="session")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("server") / "runs"


@pytest.fixture(scope="session")
def server(runs: Path) -> Iterator[LubanServer]:
    with LubanServer(runs) as server:
        yield server


@pytest.fixture
def client(server: LubanServer) -> Iterator[Client]:
    with connect(server.address) as client:
        yield client


@pytest.fixture
def channel(server: LubanServer) -> Iterator[grpc.Channel]:
    """A channel without any limits of its own."""
    options = [("grpc.max_send_message_length", -1), ("grpc.max_receive_message_length", -1)]
    with grpc.insecure_channel(server.address, options) as channel:
        yield channel


@pytest.fixture
def stub(channel: grpc.Channel) -> EpisodeServiceStub:
    return EpisodeServiceStub(channel)


@pytest.fixture(params=[False, True], ids=["unary", "stream"])
def stream(request: pytest.FixtureRequest) -> bool:
    """Both ways to play."""
    chosen: bool = request.param
    return chosen

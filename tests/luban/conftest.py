"""The package here, and a client of a server, which programs use alike."""

from collections.abc import Iterator
from typing import Any

import pytest

import luban
from bridge.rpc.server import LubanServer


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LubanServer]:
    with LubanServer(tmp_path_factory.mktemp("server") / "runs") as server:
        yield server


@pytest.fixture(params=["here", "server"])
def door(request: pytest.FixtureRequest) -> Iterator[Any]:
    """The package or a client: a program's ``luban``."""
    if request.param == "here":
        yield luban
        return
    with luban.connect(request.getfixturevalue("server").address) as remote:
        yield remote

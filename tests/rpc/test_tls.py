"""Encrypted connections, with certificates on one side or on both."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import grpc
import pytest

from bridge.rpc.client import Client, ServerError, connect
from bridge.rpc.credentials import ClientTls, ServerTls
from bridge.rpc.server import LubanServer
from pysim.errors import InputError
from tests.commands import Luban
from tests.rpc.certificates import certificate
from tests.rpc.playing import EASY
from tests.rpc.processes import running_server

Pair = tuple[Path, Path]


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Pair:
    """The server's certificate and key."""
    return certificate(tmp_path_factory.mktemp("server"), "server")


@pytest.fixture(scope="module")
def theirs(tmp_path_factory: pytest.TempPathFactory) -> Pair:
    """A client's certificate and key."""
    return certificate(tmp_path_factory.mktemp("client"), "client")


@contextmanager
def playing(address: str, tls: ClientTls | None) -> Iterator[Client]:
    with connect(address, tls=tls or "off", deadline=20.0) as client:
        yield client


def refused(address: str, tls: ClientTls | None) -> None:
    with playing(address, tls) as client, pytest.raises(ServerError) as error:
        client.server_info()
    assert error.value.code is grpc.StatusCode.UNAVAILABLE


def test_who_trusts_the_certificate_plays(tmp_path: Path, own: Pair, theirs: Pair) -> None:
    with LubanServer(tmp_path, tls=ServerTls(*own)) as server:
        with playing(server.address, ClientTls(own[0])) as client:
            for stream in (True, False):
                episode = client.start(EASY, observation="state", stream=stream)
                assert episode.end().steps == 0
        refused(server.address, None)
        refused(server.address, ClientTls(theirs[0]))
        refused(server.address, ClientTls())


def test_a_server_may_ask_for_clients_certificates(tmp_path: Path, own: Pair, theirs: Pair) -> None:
    with LubanServer(tmp_path, tls=ServerTls(*own, client_ca=theirs[0])) as server:
        with playing(server.address, ClientTls(own[0], *theirs)) as client:
            assert client.server_info().version
        refused(server.address, ClientTls(own[0]))
        refused(server.address, ClientTls(own[0], *own))


def test_a_client_with_tls_talks_to_no_server_without(tmp_path: Path, own: Pair) -> None:
    with LubanServer(tmp_path) as server:
        refused(server.address, ClientTls(own[0]))


def test_the_command_has_its_files_from_options_and_clients_from_variables(
    tmp_path: Path, own: Pair, theirs: Pair, luban: Luban, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = ["--tls-cert", own[0], "--tls-key", own[1], "--tls-client-ca", theirs[0]]
    with running_server(tmp_path / "there", *map(str, options)) as server:
        for name, path in zip(("CA", "CERT", "KEY"), (own[0], *theirs), strict=True):
            monkeypatch.setenv(f"LUBAN_TLS_{name}", str(path))
        inline = ("--observation", "state", "--video", "none", "--json")
        assert luban("play", EASY, "--server", server.address, *inline).json()["steps"] > 0
        # A server of its own is reached as ever.
        assert luban("play", EASY, *inline).json()["steps"] > 0


def test_other_hosts_need_no_word_if_they_have_tls(tmp_path: Path, own: Pair) -> None:
    options = ("--host", "0.0.0.0", "--tls-cert", str(own[0]), "--tls-key", str(own[1]))
    with running_server(tmp_path, *options) as server:
        port = server.address.rpartition(":")[2]
        with playing(f"localhost:{port}", ClientTls(own[0])) as client:
            assert client.start(EASY, observation="state").end().steps == 0


def test_files_that_are_no_good_are_named(tmp_path: Path, own: Pair, theirs: Pair) -> None:
    nothing = tmp_path / "nothing.pem"
    nothing.write_text("no certificate")
    for tls, words in (
        (ServerTls(own[0], theirs[1]), f"{own[0]} and {theirs[1]} are no certificate and its key"),
        (ServerTls(nothing, own[1]), f"{nothing} and {own[1]} are no certificate"),
        (ServerTls(*own, client_ca=nothing), f"{nothing} holds no certificates"),
    ):
        with pytest.raises(InputError, match=re.escape(words)):
            LubanServer(tmp_path, tls=tls)
    with pytest.raises(InputError, match="go together"):
        connect("127.0.0.1:1", tls=ClientTls(own[0], theirs[0]))
    for missing in (ServerTls(tmp_path / "no.pem", own[1]), ServerTls(own[0], tmp_path / "no.pem")):
        with pytest.raises(FileNotFoundError, match=r"no\.pem"):
            LubanServer(tmp_path, tls=missing)

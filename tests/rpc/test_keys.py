"""Operators' keys: who finds them, who does not, and what a server without one says."""

import os
import re
import socket
import stat
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import grpc
import grpc.aio
import pytest
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc

from bridge.rpc.access import ENVIRONMENT, KEY
from bridge.rpc.client import ServerError, connect
from bridge.rpc.keys import find_key, generate_key, is_loopback, keep_key
from bridge.rpc.server import SERVICE, LubanServer
from tests.commands import Luban
from tests.rpc.playing import EASY
from tests.rpc.processes import running_server
from tests.users import as_nobody, needs_root, open_folder

__all__ = ["open_folder"]

HERE = "127.0.0.1:50051"


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user's folder of keys."""
    monkeypatch.delenv(ENVIRONMENT, raising=False)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path / "state" / "luban" / "keys"


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_a_key_is_kept_while_a_server_runs_for_its_user_alone(state: Path) -> None:
    key = generate_key()
    with keep_key(HERE, key) as path:
        assert (mode(path), mode(state)) == (0o600, 0o700)
        assert path.parent == state
        assert find_key(HERE) == key
    assert find_key(HERE) == "" and list(state.iterdir()) == []


@pytest.mark.parametrize(
    ("server", "client", "found"),
    [
        ("127.0.0.1:7", "localhost:7", True),
        ("[::1]:7", "127.0.0.1:7", True),
        ("0.0.0.0:7", "127.0.0.1:7", True),
        ("[::]:7", "localhost:7", True),
        ("10.0.0.5:7", "10.0.0.5:7", True),
        ("127.0.0.1:7", "127.0.0.1:8", False),
        ("127.0.0.1:7", "10.0.0.5:7", False),
        ("0.0.0.0:7", "10.0.0.5:7", False),
        ("127.0.0.1:7", "example.org:7", False),
        ("127.0.0.1:7", "../localhost:7", False),
        ("127.0.0.1:7", "", False),
        ("127.0.0.1:7", "\0:7", False),
    ],
)
def test_a_key_is_for_the_address_of_its_server(server: str, client: str, found: bool) -> None:
    with keep_key(server, "a key"):
        assert find_key(client) == ("a key" if found else "")


def test_a_new_server_on_a_port_takes_the_place_of_one_that_was_killed() -> None:
    with keep_key("127.0.0.1:7", "dead"), keep_key("0.0.0.0:7", "alive"):
        assert find_key("127.0.0.1:7") == "alive"
    with keep_key("127.0.0.1:7", "old"), keep_key("127.0.0.1:7", "new"):
        assert find_key("127.0.0.1:7") == "new"


def test_a_server_that_ends_late_leaves_the_key_of_the_next_one() -> None:
    first = keep_key(HERE, "old")
    first.__enter__()
    with keep_key(HERE, "new"):
        first.__exit__(None, None, None)
        assert find_key(HERE) == "new"


@pytest.mark.parametrize("rights", [0o644, 0o640, 0o622, 0o604])
def test_a_key_that_others_can_read_or_write_is_not_taken(rights: int) -> None:
    with keep_key(HERE, "a key") as path:
        path.chmod(rights)
        assert find_key(HERE) == ""


def test_a_link_to_a_key_is_not_taken(tmp_path: Path) -> None:
    with keep_key(HERE, "a key") as path:
        path.rename(tmp_path / "elsewhere")
        path.symlink_to(tmp_path / "elsewhere")
        assert find_key(HERE) == ""


def test_without_a_folder_of_state_keys_are_among_the_temporary_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "file"))
    with keep_key(HERE, "a key") as path:
        assert path.parent == tmp_path / f"luban-keys-{os.getuid()}"
        assert mode(path.parent) == 0o700
        assert find_key(HERE) == "a key"
    path.parent.chmod(0o777)
    with pytest.raises(OSError, match="may be written by others"), keep_key(HERE, "a key"):
        pass


@needs_root
def test_another_user_gets_no_key(open_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(open_folder))
    (open_folder / "seen").write_text("by all")
    with keep_key(HERE, "a key") as path:
        assert as_nobody((open_folder / "seen").read_text) == "by all"
        assert as_nobody(path.read_text) == "PermissionError"
        path.parent.chmod(0o755)
        assert as_nobody(path.read_text) == "PermissionError"
        path.chmod(0o644)
        assert as_nobody(path.read_text) == "a key"
        assert as_nobody(lambda: find_key(HERE)) == ""


def test_every_key_is_another_one() -> None:
    made = {generate_key() for _ in range(100)}
    assert len(made) == 100 and all(re.fullmatch(r"[\w-]{32}", key) for key in made)


@pytest.mark.parametrize(
    ("host", "here"),
    [
        ("127.0.0.1", True),
        ("127.8.9.1", True),
        ("localhost", True),
        ("::1", True),
        ("[::1]", True),
        ("0.0.0.0", False),
        ("::", False),
        ("", False),
        ("10.0.0.5", False),
        ("127.0.0.1.example.org", False),
        ("localhost.example.org", False),
    ],
)
def test_which_hosts_only_this_machine_reaches(host: str, here: bool) -> None:
    assert is_loopback(host) == here


def test_the_same_user_s_programs_play_and_strangers_do_not(tmp_path: Path, state: Path) -> None:
    with running_server(tmp_path / "runs") as server:
        with connect(server.address) as mine:
            assert mine.start(EASY, observation="state").end().steps == 0
        with connect(server.address, operator_key="") as stranger:
            assert stranger.server_info().version
            with pytest.raises(ServerError, match="operator's key"):
                stranger.start(EASY, observation="state")
        assert len(list(state.iterdir())) == 1
        server.process.terminate()
        server.process.wait()
    assert list(state.iterdir()) == []


def test_the_variable_comes_before_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    with LubanServer(Path("unused"), operator_key="given") as server:
        with (
            keep_key(server.address, "found"),
            connect(server.address) as client,
            pytest.raises(ServerError, match="operator's key"),
        ):
            client.levels("burr-piston")
        monkeypatch.setenv(ENVIRONMENT, "given")
        with keep_key(server.address, "found"), connect(server.address) as client:
            assert client.levels("burr-piston")


def printed(tmp_path: Path, *options: str) -> tuple[str, str]:
    """What ``luban serve`` prints, until it stands."""
    command = [sys.executable, "-m", "bridge.cli", "serve", "--runs", str(tmp_path), *options]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True) as process:
        assert process.stdout is not None and process.stderr is not None
        line = process.stdout.readline()
        process.terminate()
        return line + process.stdout.read(), process.stderr.read()


def test_the_key_is_printed_once(tmp_path: Path, state: Path) -> None:
    out, err = printed(tmp_path)
    (key,) = re.findall(r"The operator's key, said this once: (\S{32})$", out, re.MULTILINE)
    assert out.count(key) == 1 and str(state) in out and err == ""


def test_a_given_key_is_neither_printed_nor_kept(tmp_path: Path, state: Path) -> None:
    out, _ = printed(tmp_path, "--operator-key", "only operators know this")
    assert "operator's key" not in out and not state.exists()


def test_an_open_server_says_so_loudly(tmp_path: Path, state: Path) -> None:
    out, err = printed(tmp_path, "--open")
    assert "operator's key" not in out and not state.exists()
    assert "EVERY CLIENT IS AN OPERATOR" in err
    with (
        running_server(tmp_path, "--open") as server,
        connect(server.address, operator_key="") as anybody,
    ):
        assert anybody.start(EASY, observation="state").end().steps == 0


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--host", "0.0.0.0"], "lets other machines in.*--tls-cert and --tls-key, or --insecure"),
        (["--host", "::"], "lets other machines in"),
        (["--host", "192.0.2.1", "--open"], "lets other machines in"),
        (["--open", "--operator-key", "k"], "--open has no key, but one was given"),
        (["--tls-cert", "a.pem"], "needs both --tls-cert and --tls-key"),
        (["--tls-client-ca", "a.pem"], "needs both --tls-cert and --tls-key"),
    ],
)
def test_what_lets_in_whom_it_should_not_is_refused(
    luban: Luban, options: list[str], words: str
) -> None:
    lines = luban("serve", *options).err.splitlines()
    assert re.search(words, lines[-1])


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return int(taken.getsockname()[1])


def test_other_machines_are_let_in_if_that_is_meant(tmp_path: Path) -> None:
    out, err = printed(tmp_path, "--host", "0.0.0.0", "--insecure")
    assert "Luban listens on 0.0.0.0:" in out
    assert "can be read on the way" in err


def services(channel: grpc.Channel, metadata: Any) -> list[str]:
    stub = reflection_pb2_grpc.ServerReflectionStub(channel)
    request = reflection_pb2.ServerReflectionRequest(list_services="")
    (answer,) = stub.ServerReflectionInfo(iter([request]), metadata=metadata)
    return [service.name for service in answer.list_services_response.service]


def test_only_operators_ask_what_calls_there_are(tmp_path: Path) -> None:
    with (
        LubanServer(tmp_path, operator_key="k") as server,
        grpc.insecure_channel(server.address) as channel,
    ):
        assert SERVICE in services(channel, ((KEY, "k"),))
        for metadata in ((), ((KEY, "guess"),)):
            with pytest.raises(grpc.RpcError) as refused:
                services(channel, metadata)
            assert refused.value.code() is grpc.StatusCode.PERMISSION_DENIED
    with LubanServer(tmp_path) as server, grpc.insecure_channel(server.address) as channel:
        assert SERVICE in services(channel, ())

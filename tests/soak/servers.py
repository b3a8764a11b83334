"""Servers in processes of their own."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path

from bridge.rpc.client import Client, connect
from bridge.rpc.credentials import ClientTls
from tests.rpc.certificates import certificate
from tests.soak.commands import Runner
from tests.soak.memory import peak
from tests.waiting import wait_for

__all__ = [
    "SECRET",
    "ForkedServer",
    "ServerProcess",
    "begin_server",
    "encrypted_server",
    "running_server",
]

SECRET = "a key that only operators have"
ROOT = Path(__file__).resolve().parents[2]
SERVE = (sys.executable, "-m", "bridge.cli", "serve", "--json")


@dataclass(frozen=True)
class ServerProcess:
    """A running server.

    Attributes:
        address: where it listens.
        errors: the file into which it writes what it complains of.
        tls: by which its clients know it, if it has a certificate.
    """

    process: subprocess.Popen[str]
    address: str
    errors: Path
    tls: ClientTls | None = None

    def client(self, key: str = SECRET) -> Client:
        """A client that has the key, or another one."""
        return connect(self.address, operator_key=key, tls=self.tls or "off")

    @property
    def alive(self) -> bool:
        """Whether the process has not ended."""
        return self.process.poll() is None

    @property
    def peak(self) -> int:
        """Most bytes that it has held."""
        return peak(self.process.pid)

    def complaints(self) -> str:
        """The end of what it has written to stderr."""
        return self.errors.read_text(errors="replace")[-4000:]

    def kill(self) -> None:
        """End it as nobody can prevent."""
        self.process.kill()
        self.process.wait()
        if self.process.stdout is not None:
            self.process.stdout.close()


@dataclass(frozen=True)
class ForkedServer:
    """A server that a process which has loaded everything has begun in a fork, in no time.

    Attributes:
        runner: that process.
        pid: of the fork.
        address: where it listens.
        printed: the folder with what it printed.
    """

    runner: Runner
    pid: int
    address: str
    printed: Path

    @staticmethod
    def begun(runner: Runner, folder: Path) -> "ForkedServer":
        """One that keeps its episodes in ``folder/runs``."""
        folder.mkdir(parents=True)
        words = ["serve", "--json", "--runs", "runs", "--operator-key", SECRET]
        pid, printed = runner.begin(words, folder)
        line = wait_for(lambda: re.match(r".*\n", _read(printed / "out")))
        return ForkedServer(runner, pid, json.loads(line[0])["address"], printed)

    def client(self) -> Client:
        """A client that has the key, and does not wait long for a server that was killed."""
        return connect(self.address, operator_key=SECRET, reconnect=0.3)

    @property
    def alive(self) -> bool:
        """Whether the process has not ended."""
        status = _read(Path(f"/proc/{self.pid}/stat")).rpartition(")")[2].split()
        return bool(status) and status[0] != "Z"

    @property
    def peak(self) -> int:
        """Most bytes that it has held."""
        return peak(self.pid)

    def complaints(self) -> str:
        """The end of what it has written to stderr."""
        return _read(self.printed / "err")[-4000:]

    def kill(self) -> None:
        """End it as nobody can prevent."""
        self.runner.kill(self.pid)
        self.runner.wait(self.pid)


def _read(path: Path) -> str:
    with suppress(OSError):
        return path.read_text(errors="replace")
    return ""


def begin_server(folder: Path, *options: str, command: tuple[str, ...] = SERVE) -> ServerProcess:
    """A server that keeps its episodes in ``folder/runs``; whoever begins it kills it."""
    folder.mkdir(parents=True, exist_ok=True)
    errors = folder / "stderr"
    with errors.open("w") as file:
        process = subprocess.Popen(
            [*command, "--runs", str(folder / "runs"), *options],
            cwd=ROOT,
            env=os.environ | {"LUBAN_OPERATOR_KEY": SECRET, "GRPC_VERBOSITY": "NONE"},
            stdout=subprocess.PIPE,
            stderr=file,
            text=True,
        )
    assert process.stdout is not None
    line = process.stdout.readline()
    if not line:
        raise RuntimeError(f"the server did not start: {errors.read_text()[-500:]}")
    return ServerProcess(process, json.loads(line)["address"], errors)


@contextmanager
def encrypted_server(folder: Path) -> Iterator[ServerProcess]:
    """A server with a certificate of its own for as long as the body lasts."""
    folder.mkdir(parents=True, exist_ok=True)
    own, secret = certificate(folder, "server")
    options = ("--tls-cert", str(own), "--tls-key", str(secret))
    with running_server(folder, *options) as server:
        yield replace(server, tls=ClientTls(own))


@contextmanager
def running_server(folder: Path, *options: str) -> Iterator[ServerProcess]:
    """A server for as long as the body lasts."""
    server = begin_server(folder, *options)
    try:
        yield server
    finally:
        server.kill()

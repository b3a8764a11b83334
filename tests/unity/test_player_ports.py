"""The port of a player, the end of its bridge, and the pool that lends players."""

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import grpc
import pytest

from bridge.rpc._pb.luban.mlagents.v1 import communicator_pb2
from bridge.unity import communicator
from bridge.unity.link import Launch
from bridge.unity.player import Player
from bridge.unity.pool import PlayerPool
from tests.unity.processes import PUSH, SCENE, is_gone, wait_until
from tests.unity.standins import ROOT
from tests.waiting import PATIENCE

# -- the port ----------------------------------------------------------------------------------


def open_ports(pid: int) -> set[tuple[str, int]]:
    """Addresses and ports on which this process listens."""
    inodes = {str(fd.readlink()) for fd in Path(f"/proc/{pid}/fd").iterdir() if fd.exists()}
    found = set()
    for table in ("tcp", "tcp6"):
        for line in Path(f"/proc/net/{table}").read_text().splitlines()[1:]:
            fields = line.split()
            if fields[3] == "0A" and f"socket:[{fields[9]}]" in inodes:
                address, port = fields[1].split(":")
                found.add((address, int(port, 16)))
    return found


def test_the_port_is_open_to_this_machine_alone(player: Path) -> None:
    before = open_ports(os.getpid())
    running = Player(Launch(player))
    opened = open_ports(os.getpid()) - before
    mapped = "0000000000000000FFFF00000100007F"
    assert opened and {address for address, _ in opened} <= {"0100007F", mapped}
    running.close()


@pytest.fixture(scope="module")
def shared(player: Path) -> Iterator[Player]:
    """A player that no test ends."""
    running = Player(Launch(player))
    yield running
    running.close()


@pytest.fixture
def running(shared: Player) -> Player:
    """The same, with a scene as it is at first."""
    shared.reset(SCENE)
    return shared


def test_a_second_player_on_the_port_is_sent_away(player: Path, running: Player) -> None:
    port = running._link._port
    second = subprocess.Popen(
        [player, communicator.PORT_OPTION, str(port)], stderr=subprocess.PIPE, text=True
    )
    # Our loop runs only while we wait for an answer, so ask until the second one has got its own.
    while second.poll() is None:
        assert len(running.transforms()) == 2
    assert second.stderr is not None
    assert "FAILED_PRECONDITION: this port belongs to another player" in second.stderr.read()
    second.stderr.close()
    assert second.returncode == 1
    assert running.execute([PUSH]).completed


def test_bytes_that_are_no_http_disturb_nobody(running: Player) -> None:
    with socket.create_connection(("127.0.0.1", running._link._port)) as stranger:
        stranger.sendall(b"\xff" * 1000)
        assert running.execute([PUSH]).completed
    assert running.execute([PUSH]).completed


def test_a_request_that_is_too_large_is_refused_before_it_is_sent(running: Player) -> None:
    with pytest.raises(ValueError, match="too large"):
        running._link.exchange(bytes(communicator.MAX_MESSAGE_BYTES))
    running.reset(SCENE)


# -- the end of the bridge ---------------------------------------------------------------------

HOLD = """
import os, sys, time
from bridge.unity.link import Launch
from bridge.unity.player import Player
player = Player(Launch(sys.argv[1]))
print(player.pid, flush=True)
if sys.argv[2] == "wait":
    time.sleep(1000)
"""


def hold(player: Path, how: str) -> "subprocess.Popen[str]":
    command = [sys.executable, "-c", HOLD, str(player), how]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)


def test_a_player_ends_with_the_interpreter_that_forgot_to_close_it(player: Path) -> None:
    with hold(player, "leave") as process:
        assert process.stdout is not None
        pid = int(process.stdout.readline())
        process.wait()
    assert wait_until(lambda: is_gone(pid))


def test_a_player_ends_when_its_bridge_is_killed(player: Path) -> None:
    with hold(player, "wait") as process:
        assert process.stdout is not None
        pid = int(process.stdout.readline())
        process.kill()
    assert wait_until(lambda: is_gone(pid))


# -- the pool ----------------------------------------------------------------------------------


def test_a_pool_lends_a_player_again_but_not_a_dead_one(player: Path) -> None:
    with PlayerPool(Launch(player)) as pool:
        first = pool.take(graphics=False)
        pool.give_back(first, graphics=False)
        assert pool.take(graphics=False) is first
        pool.give_back(first, graphics=False)
        os.kill(first.pid, signal.SIGKILL)
        assert wait_until(lambda: not first.sound)
        second = pool.take(graphics=False)
        assert second is not first and second.sound
        pool.give_back(second, graphics=False)
    assert is_gone(second.pid)
    with pytest.raises(RuntimeError, match="closed"):
        pool.take(graphics=False)


def test_the_method_is_the_one_of_every_ml_agents_build(running: Player) -> None:
    with grpc.insecure_channel(f"127.0.0.1:{running._link._port}") as channel:
        other = channel.unary_unary("/communicator_objects.UnityToExternalProto/Initialize")
        call = other.future(communicator_pb2.UnityMessage().SerializeToString(), timeout=PATIENCE)
        running.reset(SCENE)
        while not call.done():
            running.transforms()
        assert call.code() is grpc.StatusCode.UNIMPLEMENTED

"""Somebody else on the port of a player, before the player itself comes."""

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from bridge.rpc._pb.luban.mlagents.v1 import communicator_pb2 as pb
from bridge.rpc._pb.luban.v1 import scene_pb2
from bridge.unity import codec, communicator
from bridge.unity.connection_owner import is_from_session
from bridge.unity.link import Launch
from bridge.unity.player import Player
from pysim.errors import InputError
from pysim.geometry import Direction, Voxels
from pysim.motion import Sweep
from tests.physics.scenes import named, scene_of
from tests.unity.processes import PUSH, SCENE
from tests.unity.standins import ROOT

STRANGER = """
import sys
import grpc
from bridge.unity import communicator
sys.path.insert(0, sys.argv[1])
from tests.unity.test_strangers import GREETING

port = sys.argv[sys.argv.index(communicator.PORT_OPTION) + 1]
with grpc.insecure_channel(f"127.0.0.1:{port}") as channel:
    exchange = channel.unary_unary(f"/{communicator.SERVICE}/{communicator.METHOD}")
    with open(sys.argv[2], "w") as file:
        for message in (b"", b"\\xff" * 200, GREETING):
            try:
                exchange(message, wait_for_ready=True, timeout=60)
            except grpc.RpcError as error:
                print(error.code().name, error.details(), file=file)
"""
GREETING = pb.UnityMessage(
    header=pb.Header(status=communicator.OK),
    unity_output=pb.UnityOutput(
        rl_initialization_output=pb.RlInitializationOutput(
            name="a stranger", communication_version=communicator.COMMUNICATION_VERSION
        )
    ),
).SerializeToString()


@pytest.mark.skipif(not Path("/proc/net/tcp").exists(), reason="connections are read from /proc")
def test_strangers_are_sent_away_and_the_player_is_waited_for(player: Path, tmp_path: Path) -> None:
    program, told = tmp_path / "stranger.py", tmp_path / "told"
    program.write_text(STRANGER)
    late = tmp_path / "late"
    late.write_text(
        f'#!/bin/sh\nPYTHONPATH="{ROOT}" setsid -w "{sys.executable}" "{program}" "{ROOT}" '
        f'"{told}" "$@"\nexec "{player}" "$@"\n'
    )
    late.chmod(0o755)
    running = Player(Launch(late))
    running.reset(SCENE)
    assert running.execute([PUSH]).completed
    running.close()
    lines = told.read_text().splitlines()
    assert len(lines) == 3
    assert all(line.startswith("FAILED_PRECONDITION this port waits") for line in lines)


def test_what_is_no_greeting_is_told_from_one() -> None:
    assert communicator.is_greeting(GREETING)
    for other in (b"", b"\xff" * 200, GREETING[:-1], pb.UnityMessage().SerializeToString()):
        assert not communicator.is_greeting(other)


SHARING = """
import socket, subprocess, sys
with socket.create_connection(("127.0.0.1", int(sys.argv[1]))) as shared:
    child = subprocess.Popen(["cat"], pass_fds=[shared.fileno()], start_new_session=True)
    shared.sendall(b"%d\\n" % child.pid)
    child.wait()
"""


@pytest.mark.skipif(not Path("/proc/net/tcp").exists(), reason="connections are read from /proc")
def test_connection_shared_with_child_belongs_to_sessions_of_both() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        command = [sys.executable, "-c", SHARING, str(port)]
        with subprocess.Popen(command, stdin=subprocess.PIPE, start_new_session=True) as player:
            connection, (host, peer_port) = server.accept()
            with connection, connection.makefile() as told:
                child = int(told.readline())
                owned = [
                    is_from_session(f"ipv4:{host}:{peer_port}", port, session)
                    for session in (player.pid, child, os.getsid(0))
                ]
    assert owned == [True, True, False]


@pytest.mark.parametrize("peer", ["", "unix:", "ipv4:127.0.0.1:", "ipv4:127.0.0.1:0", "a:b", "²"])
def test_nobody_can_tell_of_a_peer_that_is_none(peer: str) -> None:
    assert is_from_session(peer, 1, 1) is None


def test_numbers_that_no_message_holds_are_refused_as_input() -> None:
    far = scene_of(named("bar", Voxels.make_block((4, 1, 1)), (2**40, 0, 0)))
    with pytest.raises(InputError, match="can't be sent to a player"):
        codec.encode_scene(far)
    with pytest.raises(InputError, match="can't be sent to a player"):
        codec.encode_motion(Sweep(frozenset({"bar"}), Direction.PLUS_X, 2**40))
    assert isinstance(codec.encode_scene(SCENE), scene_pb2.LatticeScene)


def test_what_a_player_refuses_is_an_input_error(player: Path) -> None:
    running = Player(Launch(player))
    running.reset(SCENE)
    with pytest.raises(InputError, match="one sweep"):
        running.execute([PUSH, PUSH])
    running.close()

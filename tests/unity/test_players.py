"""A player's life: how it starts, how it ends, and every way in which it can go wrong."""

import asyncio
import contextlib
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import grpc
import pytest

from bridge.rpc._pb.luban.mlagents.v1 import communicator_pb2
from bridge.rpc._pb.luban.v1 import unity_pb2 as pb
from bridge.unity import communicator
from bridge.unity.errors import (
    DigestMismatch,
    IncompatiblePlayer,
    PlayerDied,
    PlayerError,
    PlayerHung,
    PlayerUnavailable,
    ProtocolError,
)
from bridge.unity.link import Launch
from bridge.unity.player import Player
from bridge.unity.pool import PlayerPool
from bridge.unity.process import find_player
from pysim.geometry import Direction, Voxels
from pysim.legs import Way
from pysim.motion import Carry, Sweep
from tests.physics.scenes import named, scene_of
from tests.unity.standins import ROOT, faulty
from tests.waiting import PATIENCE

SCENE = scene_of(
    named("bar", Voxels.block((4, 1, 1)), (0, 0, 0)),
    named("wall", Voxels.block((1, 3, 3)), (6, 0, 0)),
)
PUSH = Sweep(frozenset({"bar"}), Direction.PLUS_X, 1)


def is_gone(pid: int) -> bool:
    """Whether no process has this number, not even a zombie."""
    return not Path(f"/proc/{pid}").exists()


def group(leader: int) -> list[str]:
    """States of the processes of a group that are no zombies."""
    stats = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            stats.append(path.read_text().rpartition(")")[2].split())
    return [state for state, _, number, *_ in stats if int(number) == leader and state != "Z"]


def wait_until(condition: Callable[[], bool]) -> bool:
    deadline = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.01)
    return True


# -- sound players -----------------------------------------------------------------------------


def test_a_player_says_who_it_is_and_keeps_our_state(player: Path) -> None:
    running = Player(Launch(player))
    try:
        assert running.identity.engine.endswith("lattice 1")
        assert running.identity.graphics == ""
        running.reset(SCENE)
        assert running.execute([PUSH]).completed
        report = running.execute([PUSH])
        assert (report.completed, report.travel) == (True, 1)
        blocked = running.execute([PUSH])
        assert (blocked.completed, blocked.contacts) == (False, frozenset({"wall"}))
        assert running.transforms()["bar"][0, 3] == 2.0
    finally:
        running.close()
    assert is_gone(running.pid)


def test_refusals_leave_the_player_as_it_was(players: PlayerPool) -> None:
    running = players.take(graphics=False)
    with pytest.raises(RuntimeError, match="no scene"):
        running.execute([PUSH])
    running.reset(SCENE)
    with pytest.raises(ValueError, match="overlap"):
        running.reset(scene_of(*SCENE.bodies, named("third", Voxels.block((9, 9, 9)), (0, 0, 0))))
    with pytest.raises(KeyError, match="ghost"):
        running.execute([Carry(frozenset({"ghost"}), Way(), False)])
    with pytest.raises(ValueError, match="one sweep"):
        running.execute([PUSH, PUSH])
    with pytest.raises(PlayerError, match="graphics"):
        running.render([], 64)
    assert running.sound and running.execute([PUSH]).completed
    players.give_back(running, graphics=False)


def test_a_request_for_nothing_is_malformed(player: Path) -> None:
    running = Player(Launch(player))
    with pytest.raises(ProtocolError, match=r"request 2 .*MALFORMED.*asks for nothing"):
        running._expect(running._ask(pb.PlayerRequest()), "ready")
    assert is_gone(running.pid)


def test_a_closed_player_says_so_and_may_be_closed_again(player: Path) -> None:
    running = Player(Launch(player))
    running.close()
    running.close()
    with pytest.raises(RuntimeError, match="closed"):
        running.reset(SCENE)


def test_a_player_may_be_used_from_any_thread_and_inside_an_event_loop(player: Path) -> None:
    running = Player(Launch(player))
    running.reset(SCENE)
    travels: list[int] = []
    for _ in range(2):
        thread = threading.Thread(target=lambda: travels.append(running.execute([PUSH]).travel))
        thread.start()
        thread.join()

    async def inside() -> int:
        await asyncio.sleep(0)
        return len(running.transforms())

    assert travels == [1, 1] and asyncio.run(inside()) == 2
    running.close()


def test_several_players_run_beside_each_other(players: PlayerPool) -> None:
    def play(running: Player, results: list[bool]) -> None:
        running.reset(SCENE)
        results += [running.execute([PUSH]).completed for _ in range(40)]

    results: list[list[bool]] = [[], [], []]
    lent = [players.take(graphics=False) for _ in results]
    threads = [threading.Thread(target=play, args=pair) for pair in zip(lent, results, strict=True)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [[True, True] + [False] * 38] * 3
    assert len({running.pid for running in lent}) == 3
    for running in lent:
        players.give_back(running, graphics=False)


# -- players that can't be started -------------------------------------------------------------


def test_a_player_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(PlayerUnavailable, match="no player 'no-such-player'"):
        Player(Launch("no-such-player"))
    plain = tmp_path / "plain.x86_64"
    plain.write_text("no program")
    with pytest.raises(PlayerUnavailable, match=r"chmod \+x"):
        find_player(plain)
    plain.chmod(0o755)
    with pytest.raises(PlayerUnavailable, match="can't start"):
        Player(Launch(plain))


def test_a_command_on_the_path_is_found() -> None:
    assert find_player("sh").name


def test_a_player_that_ends_at_once_is_quoted(player: Path) -> None:
    with pytest.raises(PlayerDied, match=r"exit status 1.*engine could not be started"):
        Player(faulty(player, "crash"))


@pytest.mark.timing
def test_a_player_that_never_connects_is_given_up(player: Path) -> None:
    began = time.monotonic()
    with pytest.raises(PlayerHung, match="not answered for 1 s"):
        Player(faulty(player, "mute", start_s=1.0))
    assert 1.0 <= time.monotonic() - began < 60.0


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        ("version", r"player 'Luban' .*4\.0\.0.* speaks version 2\.0\.0 .* and Luban 1\.5\.0"),
        ("protocol", "speaks Luban's protocol 2, and this is 1"),
    ],
)
def test_an_incompatible_player_is_refused_by_name(player: Path, fault: str, words: str) -> None:
    with pytest.raises(IncompatiblePlayer, match=words):
        Player(faulty(player, fault, at=0))


def test_a_build_of_another_game_is_told_apart(player: Path) -> None:
    with pytest.raises(IncompatiblePlayer, match="side channel"):
        Player(faulty(player, "silent", at=0))


# -- players that fail on the way --------------------------------------------------------------

PROTOCOL_FAULTS = {
    "garbage": "200 bytes that are no message",
    "garbled": "can't be read",
    "cut": "claims",
    "silent": "answered 0 times",
    "twice": "answered 2 times",
    "ids": "answered request 2",
    "answer": "answered with ready where report",
    "leaves": "takes its leave",
}


@pytest.mark.parametrize("fault", PROTOCOL_FAULTS)
def test_nonsense_ends_the_player_with_a_clear_error(player: Path, fault: str) -> None:
    running = Player(faulty(player, fault, at=2))
    running.reset(SCENE)
    with pytest.raises(ProtocolError, match=PROTOCOL_FAULTS[fault]) as first:
        running.execute([PUSH])
    assert is_gone(running.pid) and not running.sound
    with pytest.raises(ProtocolError) as second:
        running.execute([PUSH])
    assert str(second.value) == str(first.value)


def test_a_message_that_is_too_large_ends_the_player(player: Path) -> None:
    running = Player(faulty(player, "oversized", at=2))
    running.reset(SCENE)
    words = "exit status 1.*RESOURCE_EXHAUSTED.*larger than max"
    with pytest.raises(PlayerDied, match=words):
        running.execute([PUSH])
    assert is_gone(running.pid)


def test_a_digest_that_differs_names_the_step(player: Path) -> None:
    running = Player(faulty(player, "digest", at=4))
    running.reset(SCENE)
    running.execute([PUSH])
    running.execute([PUSH])
    with pytest.raises(DigestMismatch, match="after step 3") as caught:
        running.execute([PUSH])
    assert caught.value.step == 3 and caught.value.found == caught.value.expected ^ 1
    assert is_gone(running.pid)


def test_a_scene_built_wrong_is_step_zero(player: Path) -> None:
    running = Player(faulty(player, "digest"))
    with pytest.raises(DigestMismatch, match="after step 0"):
        running.reset(SCENE)


def test_a_slow_player_is_waited_for(player: Path) -> None:
    running = Player(faulty(player, "slow", at=1))
    running.reset(SCENE)
    assert running.execute([PUSH]).completed
    running.close()


@pytest.mark.timing
def test_a_hung_player_is_given_up_at_the_deadline(player: Path) -> None:
    running = Player(faulty(player, "hung", at=2, answer_s=5.0))
    running.reset(SCENE)
    began = time.monotonic()
    with pytest.raises(PlayerHung, match=r"has not answered for 5 s"):
        running.execute([PUSH])
    assert 4.9 < time.monotonic() - began < 60.0
    assert is_gone(running.pid)


def test_a_player_killed_at_a_step_is_a_clear_error(player: Path) -> None:
    running = Player(faulty(player, "killed", at=3))
    running.reset(SCENE)
    assert running.execute([PUSH]).completed
    with pytest.raises(PlayerDied, match="was ended by SIGKILL"):
        running.execute([PUSH])
    assert is_gone(running.pid)


@pytest.mark.timing
def test_a_dead_player_is_noticed_long_before_its_deadline(player: Path) -> None:
    times = []
    for _ in range(3):
        running = Player(faulty(player, "hung", at=2, answer_s=PATIENCE))
        running.reset(SCENE)
        killed: list[float] = []

        def kill(pid: int = running.pid, killed: list[float] = killed) -> None:
            time.sleep(0.2)
            killed.append(time.monotonic())
            os.kill(pid, signal.SIGKILL)

        thread = threading.Thread(target=kill)
        thread.start()
        with pytest.raises(PlayerDied, match="SIGKILL"):
            running.execute([PUSH])
        times.append(time.monotonic() - killed[0])
        thread.join()
    assert min(times) < 10.0


@pytest.mark.timing
def test_a_player_that_dies_between_two_calls_leaves_no_zombie(player: Path) -> None:
    running = Player(Launch(player))
    running.reset(SCENE)
    os.kill(running.pid, signal.SIGKILL)
    assert wait_until(lambda: is_gone(running.pid))
    began = time.monotonic()
    with pytest.raises(PlayerDied, match="SIGKILL"):
        running.execute([PUSH])
    assert time.monotonic() - began < 60.0  # Nobody waits for its answer.


def test_a_player_that_does_not_part_is_killed(player: Path) -> None:
    script = player.parent / "stubborn.x86_64"
    script.write_text(f'#!/bin/sh\ntrap "" TERM\n"{player}" "$@"\nsleep 100\n')
    script.chmod(0o755)
    running = Player(Launch(script, part_s=0.3))
    running.reset(SCENE)
    running.close()
    assert is_gone(running.pid)
    assert wait_until(lambda: not group(running.pid))  # Whatever it has started goes with it.


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


def test_a_second_player_on_the_port_is_sent_away(player: Path) -> None:
    running = Player(Launch(player))
    running.reset(SCENE)
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
    running.close()


def test_bytes_that_are_no_http_disturb_nobody(player: Path) -> None:
    running = Player(Launch(player))
    running.reset(SCENE)
    with socket.create_connection(("127.0.0.1", running._link._port)) as stranger:
        stranger.sendall(b"\xff" * 1000)
        assert running.execute([PUSH]).completed
    assert running.execute([PUSH]).completed
    running.close()


def test_a_request_that_is_too_large_is_refused_before_it_is_sent(player: Path) -> None:
    running = Player(Launch(player))
    with pytest.raises(ValueError, match="too large"):
        running._link.exchange(bytes(communicator.MAX_MESSAGE_BYTES))
    running.reset(SCENE)
    running.close()


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
        assert wait_until(lambda: is_gone(first.pid))
        second = pool.take(graphics=False)
        assert second is not first and second.sound
        pool.give_back(second, graphics=False)
    assert is_gone(second.pid)
    with pytest.raises(RuntimeError, match="closed"):
        pool.take(graphics=False)


def test_the_method_is_the_one_of_every_ml_agents_build(player: Path) -> None:
    running = Player(Launch(player))
    with grpc.insecure_channel(f"127.0.0.1:{running._link._port}") as channel:
        other = channel.unary_unary("/communicator_objects.UnityToExternalProto/Initialize")
        call = other.future(communicator_pb2.UnityMessage().SerializeToString(), timeout=PATIENCE)
        running.reset(SCENE)
        while not call.done():
            running.transforms()
        assert call.code() is grpc.StatusCode.UNIMPLEMENTED
    running.close()

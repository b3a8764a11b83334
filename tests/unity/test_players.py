"""A player's life: how it starts, how it ends, and every way in which it can go wrong."""

import asyncio
import os
import signal
import threading
import time
from pathlib import Path

import pytest

from bridge.rpc._pb.luban.v1 import unity_pb2 as pb
from bridge.unity import codec, communicator
from bridge.unity.errors import (
    DigestMismatch,
    IncompatiblePlayer,
    PlayerDied,
    PlayerError,
    PlayerHung,
    PlayerLeft,
    PlayerUnavailable,
    ProtocolError,
)
from bridge.unity.link import Launch
from bridge.unity.player import Player
from bridge.unity.pool import PlayerPool
from bridge.unity.process import find_player
from pysim.geometry import Direction, Voxels
from pysim.motion import Carry, Sweep
from pysim.path import Path as CarryPath
from tests.physics.scenes import named, scene_of
from tests.sampling import more
from tests.unity.processes import PUSH, SCENE, group, is_gone, large_scene, wait_until
from tests.unity.standins import faulty
from tests.waiting import PATIENCE

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


def test_refusals_leave_the_player_as_it_was(player: Path) -> None:
    running = Player(Launch(player))  # One that has no scene yet, which others may have left.
    try:
        with pytest.raises(RuntimeError, match="no scene"):
            running.execute([PUSH])
        running.reset(SCENE)
        with pytest.raises(ValueError, match="overlap"):
            running.reset(
                scene_of(*SCENE.bodies, named("third", Voxels.make_block((9, 9, 9)), (0, 0, 0)))
            )
        with pytest.raises(KeyError, match="ghost"):
            running.execute([Carry(frozenset({"ghost"}), CarryPath(), False)])
        with pytest.raises(ValueError, match="one sweep"):
            running.execute([PUSH, PUSH])
        with pytest.raises(PlayerError, match="graphics"):
            running.render([], 64)
        assert running.sound and running.execute([PUSH]).completed
    finally:
        running.close()


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
        ("protocol", "speaks Luban's protocol 3, and this is 2"),
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
}


@pytest.mark.by_day(1)
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


def test_a_player_that_leaves_is_quoted_with_how_it_ended(player: Path) -> None:
    running = Player(faulty(player, "leaves", at=2))
    running.reset(SCENE)
    with pytest.raises(PlayerDied, match=r"takes its leave with status 400; .* exit status 0"):
        running.execute([PUSH])
    assert is_gone(running.pid)


def test_a_player_that_leaves_but_stays_is_killed(player: Path) -> None:
    script = player.parent / "undecided.x86_64"
    script.write_text(f'#!/bin/sh\n"{player}" "$@"\nsleep 100\n')
    script.chmod(0o755)
    fault = faulty(player, "leaves", at=2)
    running = Player(Launch(script, fault.options, part_s=0.3))
    running.reset(SCENE)
    with pytest.raises(
        PlayerLeft, match=r"takes its leave with status 400; its last words: [^;]*$"
    ):
        running.execute([PUSH])
    assert is_gone(running.pid)


def test_a_fault_inside_the_player_reaches_the_user_in_its_own_words(player: Path) -> None:
    running = Player(faulty(player, "internal", at=2))
    running.reset(SCENE)
    words = r"request 3 \(step 0\): the player failed: NullReferenceException: no such object"
    with pytest.raises(PlayerDied, match=words):
        running.execute([PUSH])
    assert is_gone(running.pid)


def test_last_words_are_found_in_all_that_an_engine_logs(player: Path) -> None:
    script = player.parent / "chatty.x86_64"
    noise = "i=0; while [ $i -lt 300 ]; do echo cleaning up $i; i=$((i+1)); done"
    script.write_text(f"#!/bin/sh\necho 'Luban: no licence for this'\n{noise}\nexit 1\n")
    script.chmod(0o755)
    with pytest.raises(PlayerDied, match=r"exit status 1; its last words: no licence for this$"):
        Player(Launch(script))


@pytest.mark.slow
def test_a_scene_that_is_too_large_for_a_message_goes_in_parts(player: Path) -> None:
    scene = large_scene()
    assert len(codec.encode_scene(scene).SerializeToString()) > communicator.MAX_SENT_BYTES
    running = Player(Launch(player))
    running.reset(scene)
    push = Sweep(frozenset({"plate"}), Direction.PLUS_Z, 1)
    assert running.execute([push]).completed
    running.close()


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


@pytest.mark.slow  # By day episodes and films say so.
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
    for _ in range(more(1, night=3)):
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

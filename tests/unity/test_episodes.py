"""Episodes in a player: played, recorded and replayed as in any other world."""

import os
import signal
import time
from dataclasses import replace
from pathlib import Path

import pytest

from bridge.episode.episode import Episode
from bridge.episode.records import Obs, Options
from bridge.recording.log import EpisodeLog, read_log
from bridge.recording.replay import replay
from bridge.rpc.client import connect
from bridge.rpc.errors import ServerError
from bridge.rpc.server import LubanServer
from bridge.unity.engines import open_unity_engines
from bridge.unity.errors import DigestMismatch, PlayerDied
from bridge.unity.link import Launch
from bridge.unity.physics_evidence import merge_measured
from bridge.unity.pool import PlayerPool
from bridge.unity.world import UnityWorld
from pysim.catalog import AnyLevel, find_level
from pysim.geometry import Direction
from pysim.motion import Sweep
from pysim.physics.lattice import LatticeWorld
from pysim.physics.world import Report
from pysim.puzzle import Outcome
from pysim.trajectory import Trajectory
from tests.needs import needs_pybullet, usable_worlds
from tests.sampling import by_day
from tests.unity.standins import engines, faulty, some_levels

SOME = some_levels(each=4)
QUIET = Options(obs=Obs.STATE)
CROSS = "burr-chinese-cross"


def play_plan(level: AnyLevel, episode: Episode) -> None:
    assert level.plan is not None
    for action in level.plan.actions:
        episode.step(action)
    episode.close()


@pytest.mark.by_day(1)
@pytest.mark.parametrize("level", by_day(SOME, lambda v: v.family, name=lambda v: v.id))
def test_an_episode_is_solved_recorded_and_replayed(
    level: AnyLevel, players: PlayerPool, tmp_path: Path
) -> None:
    logs = {}
    for world in (UnityWorld(players), LatticeWorld()):
        path = tmp_path / f"{world.name}.jsonl"
        episode = Episode(level, world, None, QUIET, EpisodeLog(path))
        play_plan(level, episode)
        assert (episode.outcome, episode.disagreements) == (Outcome.SOLVED, 0)
        logs[world.name] = read_log(path)
    ours, lattice = logs["unity"], logs["lattice"]
    assert ours.header.world[0] == "unity" and "stand-in" in ours.header.world[1]
    assert [line.state_hash for line in ours.steps] == [line.state_hash for line in lattice.steps]
    assert [line.travel for line in ours.steps] == [line.travel for line in lattice.steps]
    for name in ("unity", *usable_worlds()):
        played = replay(ours, world=name, engines=engines())
        assert (played.outcome, played.disagreements) == (Outcome.SOLVED, 0)
        assert played.world[0] == name
    assert replay(lattice, world="unity", engines=engines()).state_hash == ours.steps[-1].state_hash


def test_a_log_of_this_world_needs_a_player_to_be_replayed_in_it(
    players: PlayerPool, tmp_path: Path
) -> None:
    level = find_level(CROSS)
    play_plan(level, Episode(level, UnityWorld(players), None, QUIET, EpisodeLog(tmp_path / "log")))
    with pytest.raises(ValueError, match=r"no world 'unity'; known are lattice, bullet"):
        replay(read_log(tmp_path / "log"))


@needs_pybullet
def test_a_player_with_bullet_inside_confirms_the_rules(player: Path) -> None:
    level = find_level("packing-soma")
    with PlayerPool(Launch(player, ("--world", "bullet"))) as pool:
        world = UnityWorld(pool)
        assert "pybullet" in world.version
        episode = Episode(level, world, None, QUIET)
        play_plan(level, episode)
        assert (episode.outcome, episode.disagreements) == (Outcome.SOLVED, 0)


def test_a_wrong_digest_names_the_step_of_the_episode(player: Path) -> None:
    level = find_level(CROSS)
    assert level.plan is not None
    with PlayerPool(faulty(player, "digest", at=4)) as pool:
        episode = Episode(level, UnityWorld(pool), None, QUIET)
        for action in level.plan.actions[:2]:
            episode.step(action)
        with pytest.raises(DigestMismatch, match="after step 3"):
            episode.step(level.plan.actions[2])
        assert episode.steps == 2


def test_an_episode_whose_player_dies_ends_unconfirmed_and_is_closed(player: Path) -> None:
    level = find_level(CROSS)
    assert level.plan is not None
    with PlayerPool(faulty(player, "killed", at=3)) as pool:
        episode = Episode(level, UnityWorld(pool), None, QUIET)
        episode.step(level.plan.actions[0])
        with pytest.raises(PlayerDied, match="SIGKILL"):
            episode.step(level.plan.actions[1])
        episode.close()
        assert episode.ending is not None
        assert (episode.outcome, episode.ending.disagreements) == (Outcome.GAVE_UP, 1)


def test_what_a_players_physics_measures_decides_whether_it_confirms_a_step(player: Path) -> None:
    level = find_level(CROSS)
    with PlayerPool(faulty(player, "testimony", at=2)) as pool:
        episode = Episode(level, UnityWorld(pool), None, QUIET)
        play_plan(level, episode)
        # The rules are right, and every digest was; but each slide was contradicted.
        assert episode.outcome is Outcome.SOLVED
        assert level.plan is not None and episode.disagreements == len(level.plan.actions)


@pytest.mark.parametrize(
    ("measured", "met", "completed", "travel"),
    [(3.0, [], True, 3), (2.95, [], True, 3), (1.3, ["b"], False, 1), (0.0, ["b"], False, 0)],
)
def test_a_testimony_is_read_in_whole_units(
    measured: float, met: list[str], completed: bool, travel: int
) -> None:
    sweep = Sweep(frozenset({"a"}), Direction.PLUS_X, 3)
    report = Report(True, 3, measured, frozenset(), Trajectory())
    found = merge_measured(report, met, [sweep])
    assert (found.completed, found.travel, found.contacts) == (completed, travel, frozenset(met))
    assert merge_measured(report, met, []) == report
    blocked = replace(report, completed=False, travel=1, contacts=frozenset({"c"}))
    assert merge_measured(blocked, met, [sweep]).completed == completed


def test_a_server_plays_in_players_and_draws_with_them(player: Path, tmp_path: Path) -> None:
    level = find_level(CROSS)
    assert level.plan is not None
    with (
        open_unity_engines(Launch(player)) as own,
        LubanServer(tmp_path, renderer="unity", engines=own) as server,
        connect(server.address, deadline=60.0) as client,
    ):
        info = client.server_info()
        assert info.worlds == ("lattice", "bullet", "unity")
        assert info.renderer.startswith("unity: Luban stand-in")
        first = client.start(CROSS, world="unity", observation="image+state", image_size=64)
        second = client.start(CROSS, world="unity", observation="state")
        for episode in (first, second):
            for action in level.plan.actions:
                episode.step(action)
            assert episode.outcome is Outcome.SOLVED
        assert len(first.observe().views) >= 4


def test_a_client_is_told_that_the_player_died(player: Path, tmp_path: Path) -> None:
    level = find_level(CROSS)
    assert level.plan is not None
    with (
        open_unity_engines(faulty(player, "killed", at=2)) as own,
        LubanServer(tmp_path, engines=own) as server,
        connect(server.address, deadline=60.0) as client,
    ):
        episode = client.start(CROSS, world="unity", observation="state")
        for _ in range(2):
            with pytest.raises(ServerError, match="SIGKILL") as caught:
                episode.step(level.plan.actions[0])
            assert caught.value.reason == "WORLD_FAILED"
        assert client.start(CROSS, world="lattice", observation="state").step(level.plan.actions[0])


def test_a_world_whose_player_died_gives_back_none(player: Path) -> None:
    with PlayerPool(Launch(player)) as pool:
        world = UnityWorld(pool)
        lent = world._player
        assert lent is not None
        os.kill(lent.pid, signal.SIGKILL)
        while lent.sound:
            time.sleep(0.01)
        world.close()
        other = pool.take(graphics=False)
        assert other is not lent and other.sound
        pool.give_back(other, graphics=False)


def test_levels_with_stickers_and_levels_told_in_letters_are_played_and_seen_in_players(
    player: Path, tmp_path: Path
) -> None:
    with (
        open_unity_engines(Launch(player)) as lent,
        LubanServer(tmp_path, engines=lent, renderer="unity") as server,
        connect(server.address) as client,
    ):
        episode = client.start(level="cubebench-d16-1-face-view", world="unity", image_size=64)
        assert episode.observe().views
        episode.end()
        client.start(level="checkerboard", world="unity").end()  # It is told in letters.

"""The C# of unity_project/ as a player under Mono, driven by both ends of the wire.

Its lattice, codec and digest are written a second time, in another language: where all digests are
equal, both are what docs/unity.md says.
"""

import random
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from bridge.episode.episode import Episode
from bridge.episode.records import ObservationMode, Options
from bridge.recording.log import EpisodeLog, read_log
from bridge.recording.replay import replay
from bridge.unity.engines import unity_engines
from bridge.unity.link import Launch
from bridge.unity.player import Player
from bridge.unity.pool import PlayerPool
from bridge.unity.world import UnityWorld
from pysim.catalog import AnyLevel, families, levels
from pysim.geometry import Direction
from pysim.motion import Carry, Sweep
from pysim.physics.lattice import LatticeWorld
from pysim.puzzle import Outcome
from tests.physics.scenes import at, interlocked, random_sweep, same
from tests.unity.standins import ROOT

MISSING = [name for name in ("mono", "mcs", "nunit-console") if shutil.which(name) is None]
pytestmark = pytest.mark.skipif(
    bool(MISSING), reason=f"NOT TESTED: the C# player needs {', '.join(MISSING)}; see luban doctor"
)
SOME = [
    level
    for family in families()
    for level in [one for one in levels() if one.family == family][::4][:8]
]


@pytest.fixture(scope="module")
def headless() -> Path:
    """The C# player, compiled."""
    done = subprocess.run(
        [ROOT / "tests" / "csharp" / "run.sh", "build"], capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return ROOT / "build" / "csharp" / "luban-headless.x86_64"


@pytest.fixture(scope="module")
def csharp(headless: Path) -> Iterator[PlayerPool]:
    with PlayerPool(Launch(headless)) as pool:
        yield pool


def test_there_are_at_least_ten_levels() -> None:
    assert len(SOME) >= 10


@pytest.mark.parametrize("level", SOME, ids=[level.id for level in SOME])
def test_an_episode_is_solved_with_every_digest_equal(
    level: AnyLevel, csharp: PlayerPool, tmp_path: Path
) -> None:
    log = EpisodeLog(tmp_path / "log")
    episode = Episode(level, UnityWorld(csharp), None, Options(mode=ObservationMode.STATE), log)
    assert level.plan is not None
    for action in level.plan.actions:
        episode.step(action)
    episode.close()
    assert (episode.outcome, episode.disagreements) == (Outcome.SOLVED, 0)
    found = read_log(tmp_path / "log")
    assert found.header.world[0] == "unity" and "stand-in" not in found.header.world[1]
    assert replay(found, world="lattice").state_hash == found.steps[-1].state_hash


def test_it_reports_what_the_lattice_reports(csharp: PlayerPool) -> None:
    chance = random.Random(11)
    lattice, world = LatticeWorld(), UnityWorld(csharp)
    blocked = 0
    for _ in range(25):
        scene = interlocked(chance)
        lattice.reset(scene)
        world.reset(scene)
        for _ in range(12):
            sweep = random_sweep(chance, scene)
            ours, theirs = lattice.execute([sweep]), world.execute([sweep])
            for field in ("completed", "travel", "measured", "contacts", "fallen"):
                assert getattr(theirs, field) == getattr(ours, field)
            blocked += not ours.completed
        assert same(world.transforms(), lattice.transforms())
    assert 50 < blocked < 290
    world.close()


def test_it_refuses_what_makes_no_sense(csharp: PlayerPool) -> None:
    running = csharp.take(graphics=False)
    scene = interlocked(random.Random(3))
    running.reset(scene)
    push = Sweep(frozenset({"b0"}), Direction.PLUS_Z, 1)
    with pytest.raises(KeyError):
        running.execute([Carry("ghost", at(0, 0, 0), False)])
    with pytest.raises(ValueError):
        running.execute([push, push])
    with pytest.raises(ValueError):
        running.execute([Carry("b0", at(0, 0, 0), True)])
    assert running.sound
    csharp.give_back(running, graphics=False)


def test_a_replay_of_the_lattice_goes_the_same_way_in_it(headless: Path, tmp_path: Path) -> None:
    level = SOME[0]
    episode = Episode(level, LatticeWorld(), listener=EpisodeLog(tmp_path / "log"))
    assert level.plan is not None
    for action in level.plan.actions:
        episode.step(action)
    episode.close()
    with unity_engines(Launch(headless)) as engines:
        played = replay(read_log(tmp_path / "log"), world="unity", engines=engines)
    assert (played.outcome, played.disagreements) == (Outcome.SOLVED, 0)


def test_it_ends_when_it_is_told_to(headless: Path) -> None:
    running = Player(Launch(headless, part_s=20.0))
    running.close()
    assert not Path(f"/proc/{running.pid}").exists()

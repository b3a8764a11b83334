"""Whatever a player does wrong, whenever: one clear line, its last words, nothing lost or left."""

import socket
import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from bridge.episode.episode import Episode
from bridge.episode.records import Obs, Options
from bridge.recording.log import EpisodeLog, read_log
from bridge.unity.errors import PlayerError
from bridge.unity.link import Launch
from bridge.unity.pictures import GalleryScene
from bridge.unity.player import Player
from bridge.unity.pool import PlayerPool
from bridge.unity.world import UnityWorld
from pysim.catalog import find_level
from pysim.render.camera import list_cameras
from pysim.scene import Colour
from tests.unity.processes import PUSH, SCENE, group, is_gone, wait_until
from tests.unity.standins import faulty

PAINTED = replace(SCENE, bodies=tuple(replace(body, colour=Colour("red")) for body in SCENE.bodies))
SEEN = GalleryScene(PAINTED, list_cameras(PAINTED)[:1], {})
PHASES: dict[str, Callable[[Player], object]] = {
    "reset": lambda player: player.reset(PAINTED),
    "execute": lambda player: player.execute([PUSH]),
    "poses": lambda player: player.transforms(),
    "render": lambda player: player.render(SEEN.cameras, 16),
    "gallery": lambda player: player.render_gallery([SEEN], 16),
}
"""What is asked, in this order, after the hello; with the request's number from 1."""

KINDS = {
    "killed": "SIGKILL",
    "frozen": "not answered",
    "hung": "not answered",
    "garbage": "are no message",
    "garbled": "can't be read",
    "cut": "claims|cut off",
    "silent": "answered 0 times",
    "twice": "answered 2 times",
    "oversized": "SIGABRT|exit status|not answered|has ended",
    "ids": "answered request",
    "internal": "NullReferenceException: no such object",
    "leaves": "takes its leave",
}
MATRIX = [(kind, phase) for phase in PHASES for kind in KINDS]
BY_DAY = [("killed", "render"), ("frozen", "reset"), ("garbage", "gallery"), ("cut", "poses")]
GREETINGS = {"crash": "could not be started", "mute": "not answered", "version": "1.5.0"}


def test_there_are_fifty_faults() -> None:
    assert len(MATRIX) + len(GREETINGS) + len(KINDS) >= 50


def launch(player: Path, kind: str, at: int) -> Launch:
    waits = {"frozen", "hung", "mute"}
    limits = {"answer_s": 1.5, "start_s": 30.0} if kind in waits else {}
    return faulty(player, kind, at, **limits)


def is_clear(error: PlayerError, kind: str) -> bool:
    """Whether an error is one line that holds what the player said last."""
    message = str(error)
    said = f"fails on purpose: {kind}" in message or kind == "internal"
    return "\n" not in message and said and len(message) < 2500


@pytest.mark.parametrize(
    ("kind", "phase"),
    [
        pytest.param(*pair, marks=() if pair in BY_DAY else pytest.mark.slow, id="-".join(pair))
        for pair in MATRIX
    ],
)
def test_a_fault_in_any_phase_is_one_clear_line_and_leaves_no_process(
    player: Path, kind: str, phase: str
) -> None:
    at = 1 + list(PHASES).index(phase)
    running = Player(launch(player, kind, at), graphics=True)
    for name, ask in PHASES.items():
        if name == phase:
            with pytest.raises(PlayerError, match=KINDS[kind]) as first:
                ask(running)
            break
        ask(running)
    assert is_clear(first.value, kind), first.value
    assert is_gone(running.pid) and wait_until(lambda: not group(running.pid))
    with pytest.raises(PlayerError) as again:
        running.transforms()
    assert str(again.value) == str(first.value)
    running.close()


@pytest.mark.slow
@pytest.mark.parametrize("kind", [*GREETINGS, *(kind for kind in KINDS if kind != "ids")])
def test_a_fault_before_the_scene_is_one_clear_line(player: Path, kind: str) -> None:
    limits = {"start_s": 5.0} if kind == "mute" else {}
    how = faulty(player, kind, 0, **limits) if limits else launch(player, kind, 0)
    with pytest.raises(PlayerError) as found:
        Player(how)
    assert "\n" not in str(found.value)


@pytest.mark.parametrize(
    "kind",
    ["killed", *(pytest.param(kind, marks=pytest.mark.slow) for kind in KINDS if kind != "killed")],
)
def test_what_was_played_before_a_fault_is_in_the_log(
    player: Path, tmp_path: Path, kind: str
) -> None:
    level = find_level("burr-chinese-cross")
    assert level.plan is not None
    with PlayerPool(launch(player, kind, 4)) as pool:
        log = EpisodeLog(tmp_path / "log")
        episode = Episode(level, UnityWorld(pool), None, Options(obs=Obs.STATE), log)
        for action in level.plan.actions[:2]:
            episode.step(action)
        with pytest.raises(PlayerError):
            episode.step(level.plan.actions[2])
        episode.close()
    assert len(read_log(tmp_path / "log").steps) == 2


@pytest.mark.slow
def test_a_port_that_is_taken_is_said_by_the_player(player: Path) -> None:
    """What listens there is no controller: the player gives up with a line that says so."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        process = subprocess.Popen(
            [player, "--mlagents-port", str(port), "-nographics"], stderr=subprocess.PIPE, text=True
        )
        client, _ = taken.accept()
        client.sendall(b"HTTP/1.0 400 no\r\n\r\n")
        client.close()
        taken.close()
        _, said = process.communicate(timeout=120)
    assert process.returncode == 1
    assert "the connection ended" in said.splitlines()[-1]

"""What an episode holds is given back when it ends, in whatever way."""

import gc
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

import luban
from luban import errors
from luban.playing import StartedEpisode
from tests.needs import QUICK_RENDERER
from tests.waiting import wait_for

PISTON = "burr-piston"


def drawing_threads() -> set[threading.Thread]:
    return {one for one in threading.enumerate() if one.name.startswith("luban-render")}


@pytest.fixture(scope="module", autouse=True)
def no_older_episodes() -> None:
    """Episodes that earlier tests forgot would share their threads with ours."""
    gc.collect()
    gc.freeze()  # What is there by now is not searched below, which would take long.


@pytest.fixture
def drawn() -> Callable[[], int]:
    """Counts the threads that draw and did not before the test: an older one may end meanwhile."""
    before = drawing_threads()
    return lambda: len(drawing_threads() - before)


@pytest.mark.parametrize("way", ["end", "with", "error", "leave", "forgotten"])
def test_an_episode_frees_its_renderer_and_its_world(way: str, drawn: Callable[[], int]) -> None:
    renderer = "auto" if way == "end" else QUICK_RENDERER
    episode: StartedEpisode | None = luban.start(PISTON, image_size=32, renderer=renderer)
    assert episode is not None
    world = episode._world
    episode.observe()
    assert drawn() == 1
    if way == "end":
        episode.end()
    elif way == "with":
        with episode:
            pass
    elif way == "error":
        with pytest.raises(KeyError), episode:
            raise KeyError
    elif way == "leave":
        episode.leave()
    else:
        episode = None
        gc.collect()
    wait_for(lambda: not drawn() or None)
    with pytest.raises(RuntimeError):
        world.transforms()


def test_two_episodes_share_one_renderer_until_both_are_done(drawn: Callable[[], int]) -> None:
    first, second = (luban.start(PISTON, image_size=32) for _ in range(2))
    assert drawn() == 1
    first.end()
    assert second.observe().views
    assert drawn() == 1
    second.end()
    wait_for(lambda: not drawn() or None)


def test_an_episode_that_can_not_begin_holds_nothing(
    tmp_path: Path, drawn: Callable[[], int]
) -> None:
    (tmp_path / "log.jsonl").touch()
    with pytest.raises(errors.RecordingError):
        luban.start(PISTON, log=tmp_path / "log.jsonl")
    assert drawn() == 0

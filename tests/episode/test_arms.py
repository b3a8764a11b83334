"""The arms of an evaluation: pictures, text, neither, and pictures of another level."""

from collections.abc import Iterator
from pathlib import Path

import gymnasium
import pytest

import luban
import luban.envs
from bridge.episode.episode import Episode
from bridge.episode.records import Obs, Options
from bridge.recording.log import EpisodeLog, read_log
from bridge.recording.replay import replay
from bridge.rpc.client import connect
from bridge.rpc.server import LubanServer
from pysim.catalog import AnyLevel, find_level
from pysim.errors import InputError
from pysim.render.renderer import Renderer
from tests.needs import usable_renderer

LEVEL, OTHER = find_level("burr-piston"), find_level("burr-cabinet-2")
LETTERS = find_level("cubebench-d01-1-full-symbolic")


@pytest.fixture(scope="module")
def renderer() -> Iterator[Renderer]:
    with usable_renderer() as made:
        yield made


def pictures(level: AnyLevel, renderer: Renderer, options: Options) -> list[bytes]:
    with Episode(level, renderer=renderer, options=options) as episode:
        return [view.data for view in episode.observe().views]


@pytest.mark.parametrize(
    ("said", "arm"),
    [
        ("pictures", Obs.IMAGE),
        ("text", Obs.STATE),
        ("pictures+text", Obs.IMAGE_STATE),
        ("no-picture", Obs.NONE),
        ("wrong-picture", Obs.WRONG),
        *((arm.value, arm) for arm in Obs),
    ],
)
def test_obs_other_spelling_gives_the_same_arm(said: str, arm: Obs) -> None:
    assert Obs(said) is arm


@pytest.mark.parametrize("said", ["", "picture", "NONE", "image+text"])
def test_obs_unknown_word_is_refused_with_the_known_ones(said: str) -> None:
    with pytest.raises(InputError, match="image, image\\+state, state, none, wrong"):
        Obs(said)


@pytest.mark.parametrize("level", [LEVEL, LETTERS])
def test_observe_none_shows_neither_pictures_nor_state(level: AnyLevel) -> None:
    with Episode(level, options=Options(obs=Obs.NONE)) as episode:
        seen = episode.observe()
        assert seen.state is None and seen.views == ()
        assert seen.instruction and seen.colours == tuple(level.colours)


def test_observe_wrong_shows_the_other_levels_beginning_in_every_step(renderer: Renderer) -> None:
    options = Options(obs=Obs.WRONG, picture_size=48, shown=OTHER)
    theirs = pictures(OTHER, renderer, Options(obs=Obs.IMAGE, picture_size=48))
    assert LEVEL.plan is not None
    with Episode(LEVEL, renderer=renderer, options=options) as episode:
        for action in LEVEL.plan.actions[:3]:
            seen = episode.observe()
            assert [view.data for view in seen.views] == theirs and seen.state is None
            assert seen.instruction == episode.instruction
            episode.step(action)
        assert [view.data for view in episode.observe().views] == theirs
    assert theirs != pictures(LEVEL, renderer, Options(obs=Obs.IMAGE, picture_size=48))


def test_log_of_wrong_keeps_the_level_that_was_shown(tmp_path: Path) -> None:
    options = Options(obs=Obs.WRONG, shown=OTHER)
    with (
        EpisodeLog(tmp_path / "episode.jsonl") as log,
        Episode(LEVEL, options=options, listener=log) as episode,
    ):
        episode.end()
    kept = read_log(tmp_path / "episode.jsonl")
    assert kept.header.options == options
    assert kept.header.options.shown is not None
    assert kept.header.options.shown.hash == OTHER.hash
    assert replay(kept).steps == 0


def test_episode_wrong_without_another_level_is_refused_in_one_line() -> None:
    with pytest.raises(InputError, match=r"another level of the suite.*luban eval"):
        luban.start(LEVEL, observation="wrong")


def test_options_with_another_level_and_no_wrong_arm_are_refused() -> None:
    with pytest.raises(InputError, match="with obs wrong only"):
        Options(obs=Obs.IMAGE, shown=OTHER)


def test_episode_shown_level_of_another_family_is_refused() -> None:
    with pytest.raises(InputError, match="of the family rubik"):
        Episode(LEVEL, options=Options(obs=Obs.WRONG, shown=LETTERS))


def test_server_plays_none_and_refuses_wrong(tmp_path: Path) -> None:
    with LubanServer(tmp_path) as server, connect(server.address) as client:
        with client.start(LEVEL, observation="none") as episode:
            seen = episode.observe()
            assert seen.state is None and seen.views == ()
        with pytest.raises(InputError, match="obs wrong needs a suite"):
            client.start(LEVEL, observation="wrong")


def test_gymnasium_none_has_the_budget_alone() -> None:
    with_nothing = gymnasium.make("Luban/Burr-v0", observation="none", disable_env_checker=True)
    seen, _ = with_nothing.reset()
    assert set(seen) == {"budget"}
    with_nothing.close()

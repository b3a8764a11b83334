"""Each setting over gRPC, in Gymnasium and in this process: what is seen, and that play solves."""

from collections.abc import Iterator
from pathlib import Path

import gymnasium
import numpy as np
import pytest

import bridge.adapters.gymnasium  # noqa: F401 (registers the environments)
from bridge.adapters.vocabulary import vocabulary_of
from bridge.agents.registry import create_agent
from bridge.episode.episode import Episode
from bridge.episode.records import Options
from bridge.rpc.client import Client, connect
from bridge.rpc.server import LubanServer
from bridge.runs.play import play_episode
from pysim.catalog import AnyLevel, find_shipped_level
from pysim.families.rubik.actions import ApplyViewTransformation, MakeMove
from pysim.families.rubik.choices import FaceTurn, ViewShift
from pysim.families.rubik.family import FAMILY
from pysim.families.rubik.puzzle import Setting
from pysim.families.rubik.strings import Order, format_cube
from pysim.puzzle import Outcome
from pysim.render.factory import create_renderer
from tests.unity.standins import engines

SIZE = 64
PICTURES = {
    Setting.FULL_SYMBOLIC: [],
    Setting.FULL_VISUAL: ["net"],
    Setting.FACE_VIEW: ["face"],
    Setting.VERTEX_VIEW: ["vertex"],
}
every_setting = pytest.mark.parametrize("setting", Setting)


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    runs = tmp_path_factory.mktemp("server") / "runs"
    with LubanServer(runs) as server, connect(server.address) as made:
        yield made


def level_in(setting: Setting) -> AnyLevel:
    return find_shipped_level(f"cubebench-d03-1-{setting}")


@every_setting
@pytest.mark.parametrize("mode", ["image", "image+state", "state"])
def test_an_agent_is_shown_what_its_setting_says_and_no_more(
    client: Client, setting: Setting, mode: str
) -> None:
    level = level_in(setting)
    episode = client.start(level.id, observation=mode, image_size=SIZE, image_format="raw")
    seen = episode.observe()
    episode.end()
    assert [view.name for view in seen.views] == (PICTURES[setting] if mode != "state" else [])
    assert all(view.rgb().shape == (SIZE, SIZE, 3) for view in seen.views)
    letters = format_cube(level.puzzle.start, Order.DRAWN)
    told = setting is Setting.FULL_SYMBOLIC or (mode, setting) == ("state", Setting.FULL_VISUAL)
    assert (seen.state == letters) == (letters in seen.text()) == told
    assert (seen.state is None) == (mode == "image" and setting is not Setting.FULL_SYMBOLIC)


@pytest.mark.by_day(3)
@every_setting
@pytest.mark.parametrize("world", ["lattice", "bullet"])
def test_the_oracle_solves_each_setting_over_the_wire(
    client: Client, setting: Setting, world: str
) -> None:
    level = level_in(setting)
    episode = client.start(
        level.id, world=world, observation="image", image_size=16, agent="oracle"
    )
    ending = play_episode(episode, create_agent("oracle", level, seed=0))
    assert ending.outcome is Outcome.SOLVED and ending.disagreements == 0
    assert level.plan is not None and ending.steps == len(level.plan)


@pytest.mark.parametrize("setting", [Setting.FACE_VIEW, Setting.VERTEX_VIEW])
def test_going_around_changes_the_picture_and_coming_back_restores_it(
    client: Client, setting: Setting
) -> None:
    episode = client.start(level_in(setting).id, image_size=SIZE, image_format="raw")

    def now() -> np.ndarray:
        return episode.observe().views[0].rgb()

    first = now()
    for shift, back in ((ViewShift.UP, ViewShift.DOWN), (ViewShift.LEFT, ViewShift.RIGHT)):
        episode.step(ApplyViewTransformation(shift))
        assert not np.array_equal(now(), first)
        episode.step(ApplyViewTransformation(back))
        assert np.array_equal(now(), first)
    episode.end()


@every_setting
def test_gymnasium_shows_the_same_pictures_as_an_episode(setting: Setting) -> None:
    level = level_in(setting)
    named = {"level": level.id, "image_size": SIZE}
    if not PICTURES[setting]:
        with pytest.raises(ValueError, match="no pictures"):
            gymnasium.make("Luban/Rubik-v0", observation="rgb", **named)
        return
    env = gymnasium.make("Luban/Rubik-v0", observation="rgb", **named)
    renderer, _ = create_renderer()
    options = Options(picture_size=SIZE)
    try:
        seen, _ = env.reset(seed=0)
        with Episode(level, "lattice", renderer, options, image_format="raw") as episode:
            assert np.array_equal(seen["rgb"], [view.rgb() for view in episode.observe().views])
            actions = vocabulary_of(level).actions
            for action in (MakeMove(FaceTurn("R")), *_changes(setting)):
                episode.step(action)
                seen, *_ = env.step(np.int64(actions.index(action)))
                assert np.array_equal(seen["rgb"][0], episode.observe().views[0].rgb())
        assert env.observation_space.contains(seen)
    finally:
        env.close()
        renderer.close()


def _changes(setting: Setting) -> list[ApplyViewTransformation]:
    return [ApplyViewTransformation(ViewShift.UP)] if setting.partial else []


@every_setting
def test_names_of_pictures_stay_the_same_in_every_state(setting: Setting) -> None:
    level = level_in(setting)
    state = FAMILY.rules.initial(level)
    for action in (MakeMove(FaceTurn("U")), MakeMove(FaceTurn("L'")), *_changes(setting)):
        state = FAMILY.rules.apply(level, state, action).state
        shots = FAMILY.rules.scene(level, state).views
        assert shots is not None and [shot.name for shot in shots] == PICTURES[setting]


def test_a_log_of_any_setting_is_replayed(client: Client, tmp_path: Path) -> None:
    from bridge.recording.log import read_log
    from bridge.recording.replay import replay

    for setting in Setting:
        level = level_in(setting)
        episode = client.start(level.id, observation="image", image_size=16)
        for action in (MakeMove(FaceTurn("U")), *_changes(setting)):
            episode.step(action)
        hash_ = episode.state_hash
        episode.end()
        episode.save_log(tmp_path / f"{setting}.jsonl")
        again = replay(read_log(tmp_path / f"{setting}.jsonl"))
        assert again.state_hash == hash_


def test_a_unity_player_shows_what_each_setting_shows(tmp_path: Path) -> None:
    with (
        LubanServer(tmp_path, renderer="unity", engines=engines()) as server,
        connect(server.address) as client,
    ):
        for setting in Setting:
            episode = client.start(level_in(setting).id, image_size=SIZE)
            assert bool(episode.observe().views) == bool(PICTURES[setting])
            episode.end()

"""Films, pictures and datasets of episodes in every world, and films that fail."""

import json
import shutil
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import av
import pytest

import luban as front_door
from bridge.episode.engines import LOCAL, Engines
from bridge.episode.records import Obs
from bridge.recording.film import film_episode
from bridge.recording.frames import Filming, film_frames, replay_timeline
from bridge.recording.log import Log, read_log
from bridge.rpc.client import Client, ServerError, connect
from bridge.rpc.episode import RemoteEpisode
from bridge.rpc.server import LubanServer
from bridge.runs.options import VideoPolicy
from bridge.runs.results import EpisodeResult
from bridge.runs.run_player import play_run
from bridge.runs.settings import RunSettings
from bridge.runs.store import RunFolder
from bridge.unity.engines import open_unity_engines
from bridge.unity.link import Launch
from pysim.catalog import find_level
from pysim.physics.factory import explain_unavailable
from pysim.puzzle import Outcome
from pysim.render.renderer import Renderer
from tests.commands import Luban, call
from tests.needs import usable_renderer
from tests.recording.plays import full_disk
from tests.sampling import these_by_day
from tests.unity.headless import build_headless
from tests.unity.standins import faulty

KEY = "cubebench-d01-2-face-view"
LEVEL = find_level(KEY)
STATE = ("--observation", "state")
SMALL = ("--image-size", 128)
IN_FILM = 5
"""A request of the film: the plan of this level makes three, and so does its film."""


@dataclass(frozen=True)
class Place:
    """A world, and the player that it is in, if it is in one."""

    world: str
    player: Path | None = None

    @property
    def options(self) -> list[object]:
        named: list[object] = [] if self.player is None else ["--unity-player", self.player]
        return ["--world", self.world, *named]


PLACES = these_by_day(["stand-in"], ["lattice", "bullet", "stand-in", "mono"])
"""By day a player, as films of the lattice are made in many tests of commands."""


@pytest.fixture(scope="module", params=PLACES)
def place(request: pytest.FixtureRequest, player: Path) -> Place:
    if request.param in ("lattice", "bullet"):
        if missing := explain_unavailable(request.param):
            pytest.skip(f"NOT TESTED: {missing}")
        return Place(request.param)
    return Place("unity", player if request.param == "stand-in" else build_headless())


@pytest.fixture(scope="module")
def engines(place: Place) -> Iterator[Engines]:
    if place.player is None:
        yield LOCAL
        return
    with open_unity_engines(Launch(place.player)) as own:
        yield own


@pytest.fixture(scope="module")
def renderer() -> Iterator[Renderer]:
    with usable_renderer() as made:
        yield made


@pytest.fixture(scope="module")
def run(place: Place, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of one episode with its video."""
    out = tmp_path_factory.mktemp("run") / "run"
    given = [*STATE, *place.options, *SMALL, "--video", "all", "--workers", 1, "--out", out]
    call("eval", KEY, *given, "--json")
    return out


@pytest.fixture
def log(run: Path) -> Log:
    return read_log(run / "episodes" / KEY / "1" / "episode.jsonl")


@pytest.fixture
def broken(player: Path, tmp_path: Path) -> Path:
    """A player that is killed while the film of an episode of its is made."""
    path = tmp_path / "broken.x86_64"
    command = f'exec "{player}" "$@" --fault killed --fault-at {IN_FILM}'
    path.write_text(f"#!/bin/sh\n{command}\n", encoding="utf-8")
    path.chmod(0o755)
    return path


def solve(client: Client, world: str) -> RemoteEpisode:
    assert LEVEL.plan is not None
    episode = client.start(KEY, world=world, observation="state")
    for action in LEVEL.plan.actions:
        episode.step(action)
    episode.end()
    return episode


def files(run: Path) -> list[str]:
    return sorted(path.name for path in (run / "episodes" / KEY / "1").iterdir())


def results(run: Path) -> Any:
    return json.loads((run / "results.json").read_text())


FILMED = ["episode.jsonl", "episode.mp4", "first.png", "last.png", "times.jsonl"]
UNFILMED = ["episode.jsonl", "error.txt", "first.png", "last.png", "times.jsonl"]


def test_play_with_video_in_any_world_ends_solved_with_a_film(luban: Luban, place: Place) -> None:
    done = luban("play", KEY, *STATE, *place.options, "--image-size", 128, "--json")
    told = done.json()
    assert (told["world"], told["outcome"]) == (place.world, "SOLVED")
    assert told["disagreements"] == 0
    assert Path(told["video"]).stat().st_size
    assert "warning" not in done.err
    steps = read_log(Path(told["log"])).steps
    assert steps[-1].state_hash == told["state_hash"]


def test_eval_with_videos_in_any_world_films_every_episode(run: Path, log: Log) -> None:
    (result,) = RunFolder.read(run).read_results()
    assert (result.outcome, files(run)) == (Outcome.SOLVED, FILMED)
    with av.open(str(run / "episodes" / KEY / "1" / "episode.mp4")) as video:
        assert video.streams.video[0].width == 512
    assert log.header.world[0] == RunFolder.read(run).settings.world


def test_replay_of_a_log_of_any_world_makes_its_film(
    luban: Luban, place: Place, log: Log, tmp_path: Path
) -> None:
    player = place.options[2:]
    given = ["--video", tmp_path / "a.mp4", "--image-size", 128, "--json"]
    told = luban("replay", log.path, *given, *player).json()
    assert (told["outcome"], Path(told["video"]).exists()) == ("SOLVED", True)


def test_replay_in_the_lattice_films_a_log_of_any_world_without_its_engine(
    luban: Luban, log: Log, tmp_path: Path
) -> None:
    given = ["--world", "lattice", "--video", tmp_path / "a.mp4", "--image-size", 128, "--json"]
    assert luban("replay", log.path, *given).json()["outcome"] == "SOLVED"
    assert (tmp_path / "a.mp4").exists()


@pytest.mark.slow
def test_server_makes_the_video_of_an_episode_in_any_world(
    place: Place, engines: Engines, tmp_path: Path
) -> None:
    with (
        LubanServer(tmp_path / "runs", engines=engines) as server,
        connect(server.address, deadline=60.0) as client,
    ):
        episode = solve(client, place.world)
        made: list[tuple[int, int]] = []
        path = tmp_path / "a.mp4"
        episode.save_video(path, size=128, progress=lambda done, total: made.append((done, total)))
        assert path.stat().st_size and made[-1][0] == made[-1][1]


def test_dataset_of_an_episode_in_any_world_has_its_outcome_and_film(
    luban: Luban, run: Path, tmp_path: Path
) -> None:
    given = ["--format", "parquet", "--image-size", 64, "--out", tmp_path / "out", "--json"]
    told = luban("dataset", run, "--solved", *given).json()
    assert (told["episodes"], told["frames"], told["left_out"]) == (1, 2, 0)
    assert len(list((tmp_path / "out").rglob("*.mp4"))) == 1


def test_report_of_a_run_in_any_world_shows_its_pictures(
    luban: Luban, run: Path, tmp_path: Path
) -> None:
    done = luban("report", run, "--out", tmp_path / "page.html")
    assert done.status == 0, done.err
    assert "can't be played again" not in (tmp_path / "page.html").read_text()


def test_front_door_films_an_episode_with_the_engines_that_played_it(
    place: Place, engines: Engines, tmp_path: Path
) -> None:
    assert LEVEL.plan is not None
    with front_door.start(KEY, observation="state", world=place.world, engines=engines) as episode:
        episode.step(LEVEL.plan.actions[0])
        episode.save_video(tmp_path / "a.mp4", size=128)
        assert episode.outcome is Outcome.SOLVED
    assert (tmp_path / "a.mp4").exists()


def test_frames_and_stills_of_any_world_are_made_with_its_engines(
    log: Log, engines: Engines, renderer: Renderer
) -> None:
    film = Filming.of(log, fps=2, size=(64, 48), engines=engines)
    assert film.frames == sum(held.frames for held in replay_timeline(log, 2, engines=engines))
    frames = film_frames(log, fps=2, renderer=renderer, size=(64, 48), engines=engines)
    with closing(frames):
        assert next(frames).rgb.shape == (48, 64, 3)


def test_film_without_the_engine_of_its_log_names_the_ways_out(player: Path) -> None:
    with open_unity_engines(Launch(player)) as engines:
        episode = front_door.start(KEY, observation="state", world="unity", engines=engines)
        episode.end()
        log = logged(episode, player.parent / "unity.jsonl")
    with pytest.raises(ValueError, match=r"no world 'unity'; .* in another world, or with its"):
        replay_timeline(log, 2)
    assert replay_timeline(log, 2, world="lattice")


def logged(episode: Any, path: Path) -> Log:
    episode.save_log(path)
    return read_log(path)


def test_replay_in_another_world_films_it_there(luban: Luban, broken: Path, tmp_path: Path) -> None:
    """The check makes three requests of the player; the next are the film's."""
    played = luban("play", KEY, *STATE, "--video", "none", "--json").json()
    unity = ["--world", "unity", "--unity-player", broken]
    assert luban("replay", played["log"], *unity, "--json").json()["outcome"] == "SOLVED"
    filmed = luban(
        "replay", played["log"], *unity, "--video", tmp_path / "a.mp4", "--image-size", 128
    )
    assert "SIGKILL" in filmed.complaint()
    assert not (tmp_path / "a.mp4").exists()


def test_play_whose_player_dies_in_the_film_stays_solved(luban: Luban, broken: Path) -> None:
    given = [*STATE, "--world", "unity", "--unity-player", broken, "--image-size", 128]
    done = luban("play", KEY, *given, "--json")
    told = done.json()
    assert (told["outcome"], told["disagreements"], told["video"]) == ("SOLVED", 0, None)
    (warning,) = done.err.splitlines()
    assert warning.startswith("warning: no video: ") and "SIGKILL" in warning
    assert "luban replay" in warning and "--world lattice" in warning
    again = luban(
        "replay", told["log"], "--world", "lattice", "--video", "a.mp4", "--image-size", 128
    )
    assert again.status == 0 and Path("a.mp4").exists()


@pytest.mark.slow
@pytest.mark.parametrize("world", ["lattice", "bullet"])
def test_play_whose_film_meets_a_full_disk_stays_solved(luban: Luban, world: str) -> None:
    with full_disk(12_000):
        done = luban("play", KEY, *STATE, "--world", world, "--image-size", 256)
    assert done.status == 0
    assert "SOLVED in 1 steps" in done.out and "episode.jsonl" in done.out
    assert "episode.mp4" not in done.out
    (warning,) = done.err.splitlines()
    assert warning.startswith("warning: no video: can't write") and "tries again" in warning


def test_eval_whose_player_dies_in_the_film_stays_solved(luban: Luban, broken: Path) -> None:
    unity = ["--world", "unity", "--unity-player", broken]
    given = [*STATE, *unity, "--video", "all", "--workers", 1, "--out", "run"]
    done = luban("eval", KEY, *given, "--json")
    assert done.json()["solved"] == 1
    assert f"warning: no video of {KEY}, attempt 1: PlayerDied: " in done.err
    assert "SIGKILL" in done.err and "--out run tries again" in done.err
    assert results(Path("run"))["score"]["solved"] == 1
    assert set(files(Path("run"))) == {"episode.jsonl", "error.txt", "times.jsonl"}


def test_eval_whose_video_can_not_be_written_stays_solved_and_makes_it_later(
    luban: Luban, place: Place, run: Path, tmp_path: Path
) -> None:
    shutil.copytree(run, tmp_path / "run")
    film = tmp_path / "run" / "episodes" / KEY / "1" / "episode.mp4"
    size, before = film.stat().st_size, (tmp_path / "run" / "results.json").read_bytes()
    film.unlink()
    options = [*STATE, *SMALL, *place.options]
    given = ["eval", KEY, *options, "--workers", 1, "--out", "run", "--json"]
    with full_disk(size // 2):
        done = luban(*given, "--video", "all")
    assert (done.json()["solved"], files(tmp_path / "run")) == (1, UNFILMED)
    assert "File too large" in done.err and "tries again" in done.err
    assert (tmp_path / "run" / "results.json").read_bytes() == before
    again = luban(*given, "--video", "all")
    assert (again.err, files(tmp_path / "run")) == ("", FILMED)


def test_run_whose_film_fails_returns_its_result_and_warns(tmp_path: Path) -> None:
    settings = RunSettings(suite=KEY, levels=((KEY, LEVEL.hash),), agent="oracle", obs=Obs.STATE)
    folder = RunFolder.begin(tmp_path / "run", settings)
    with pytest.warns(RuntimeWarning, match=rf"no video of {KEY}, attempt 1: .* stays SOLVED"):
        (done,) = play_run(folder, [LEVEL], video=VideoPolicy.ALL, renderer="crayon")
    assert isinstance(done, EpisodeResult) and done.solved


def test_server_whose_player_dies_in_the_film_keeps_the_outcome(
    player: Path, tmp_path: Path
) -> None:
    with (
        open_unity_engines(faulty(player, "killed", at=IN_FILM)) as engines,
        LubanServer(tmp_path / "runs", engines=engines) as server,
        connect(server.address, deadline=60.0) as client,
    ):
        episode = solve(client, "unity")
        with pytest.raises(ServerError, match="SIGKILL"):
            episode.save_video(tmp_path / "a.mp4", size=128)
        assert episode.end().outcome is Outcome.SOLVED
        episode.save_log(tmp_path / "log.jsonl")
    ending = read_log(tmp_path / "log.jsonl").ending
    assert ending is not None and (ending.outcome, ending.disagreements) == (Outcome.SOLVED, 0)


def test_dataset_whose_film_can_not_be_written_leaves_the_logs_as_they_are(
    luban: Luban, tmp_path: Path
) -> None:
    log = Path(luban("play", KEY, *STATE, "--video", "none", "--json").json()["log"])
    before = log.read_bytes()
    given = ["dataset", log, "--image-size", 128, "--out", tmp_path / "out"]
    with full_disk(5_000):
        assert "can't write" in luban(*given).complaint()
    assert (log.read_bytes(), (tmp_path / "out").exists()) == (before, False)
    assert luban(*given, "--solved", "--json").json()["episodes"] == 1


@pytest.mark.slow
def test_front_door_whose_film_fails_keeps_the_outcome(tmp_path: Path) -> None:
    assert LEVEL.plan is not None
    with front_door.start(KEY, observation="state") as episode:
        episode.step(LEVEL.plan.actions[0])
        with full_disk(2_000), pytest.raises(OSError):
            episode.save_video(tmp_path / "a.mp4", size=128)
        assert episode.end().outcome is Outcome.SOLVED


def test_film_of_a_log_of_another_world_is_made_in_the_world_that_is_named(
    renderer: Renderer, player: Path, tmp_path: Path
) -> None:
    with front_door.start(KEY, observation="state") as episode:
        episode.end()
        log = logged(episode, tmp_path / "log.jsonl")
    with (
        open_unity_engines(faulty(player, "killed")) as engines,
        pytest.raises(RuntimeError, match="SIGKILL"),
    ):
        film_episode(log, renderer, tmp_path / "a.mp4", size=128, world="unity", engines=engines)

"""``import luban``: one process, no server; and the same programs against a server."""

import inspect
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

import pytest

import luban
from bridge.episode.episode import Episode
from bridge.episode.protocol import PlayableEpisode, PlayedEpisode
from bridge.recording.log import read_log
from bridge.recording.replay import replay
from bridge.rpc.client import Client
from bridge.rpc.server import LubanServer
from luban import errors
from pysim.catalog import list_level_paths, list_shipped_levels
from pysim.puzzle import Level, Outcome
from pysim.suites import find_suite
from tests.waiting import PATIENCE

PISTON, KEY, SHORT = "burr-piston", "burr-chinese-cross", "burr-half-lap"
FIRST: dict[str, Any] = {"pieces": ["purple"], "direction": "+y", "distance": 1}
"""The first move of Piston's plan."""
BLOCKED: dict[str, Any] = {"pieces": ["blue"], "direction": "+z", "distance": 1}


def run(code: str, folder: Path, *options: str) -> str:
    """What a program prints in a process of its own, with warnings as errors."""
    done = subprocess.run(
        [sys.executable, "-W", "error", *options, "-c", code],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    errors = done.stderr.splitlines()
    assert (done.returncode, errors) == (0, []), done.stderr
    return done.stdout


# -- importing ------------------------------------------------------------------------------------


def test_importing_luban_loads_nothing_else(tmp_path: Path) -> None:
    code = "import sys; before = set(sys.modules); import luban; print(*set(sys.modules) - before)"
    loaded = {name.partition(".")[0] for name in run(code, tmp_path).split()}
    assert loaded - sys.stdlib_module_names == {"luban"}


@pytest.mark.timing
def test_importing_luban_takes_less_than_a_fifth_of_a_second(tmp_path: Path) -> None:
    code = "import time; t = time.perf_counter(); import luban; print(time.perf_counter() - t);"
    assert min(float(run(code, tmp_path)) for _ in range(3)) < 0.2


def test_the_door_says_what_it_has_and_nothing_else() -> None:
    assert dir(luban) == sorted(luban.__all__)
    for name in luban.__all__:
        assert getattr(luban, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'strat'"):
        _ = luban.strat  # type: ignore[attr-defined]
    assert set(errors.__all__) == {n for n, v in vars(errors).items() if inspect.isclass(v)}
    assert all(issubclass(getattr(errors, name), Exception) for name in errors.__all__)


def test_a_program_that_plays_needs_no_testing_library(tmp_path: Path) -> None:
    code = (
        "import luban, sys; luban.start('burr-piston', observation='state').end();"
        "print({'pytest', 'hypothesis', 'grpc'} & set(sys.modules))"
    )
    assert run(code, tmp_path) == "set()\n"


def test_start_takes_the_same_arguments_here_and_on_a_server() -> None:
    here = dict(inspect.signature(luban.start).parameters)
    del here["engines"]  # A server has engines of its own.
    there = inspect.signature(Client.start).parameters
    for name, parameter in here.items():
        assert there[name].kind is parameter.kind
        assert there[name].default == parameter.default
    assert set(there) - set(here) == {"self", "run_name", "stream"}
    assert inspect.signature(luban.levels).parameters["suite"].default == ""
    assert inspect.signature(Client.levels).parameters["suite"].default == ""


# -- playing --------------------------------------------------------------------------------------


def typed(episode: PlayedEpisode) -> PlayedEpisode:
    return episode


def test_both_episodes_are_of_one_type(server: LubanServer) -> None:
    """The type checker looks at this; here every name of the protocol is looked up."""
    with luban.connect(server.address) as remote:
        both = [
            typed(luban.start(KEY, observation="state")),
            typed(remote.start(KEY, observation="state")),
        ]
        public = {*vars(PlayableEpisode), *vars(PlayedEpisode)}
        names = {n for n in public if n[0] != "_"} | {"__enter__", "__exit__"}
        assert len(names) > 15
        for name in names:
            assert all(hasattr(episode, name) for episode in both)
        for name in ("instruction", "colours", "tools", "budget", "budget_left", "steps"):
            assert getattr(both[0], name) == getattr(both[1], name), name
        assert both[0].state_hash == both[1].state_hash
        for name in ("id", "family", "name", "tier", "budget", "hash"):
            assert getattr(both[0].level, name) == getattr(both[1].level, name)
        for episode in both:
            episode.end()


def test_an_episode_goes_the_same_way_everywhere(door: Any, tmp_path: Path) -> None:
    with door.start(PISTON, image_size=64, log=tmp_path / "logs" / "log.jsonl") as episode:
        seen = episode.observe()
        assert (seen.step, seen.outcome, seen.colours) == (0, None, episode.colours)
        seen.views[0].save(tmp_path / "view.png")
        assert seen.views[0].rgb().shape == (64, 64, 3)
        assert episode.observe(images=False).views == ()
        with pytest.raises(errors.IllegalMove) as refused:
            episode.step("slide", **BLOCKED)
        assert refused.value.brief == "BLOCKED by purple"
        with pytest.raises(errors.InvalidAction):
            episode.step_json("slide", "{")
        result = episode.step("slide", **FIRST)
        assert (result.step, result.message, episode.steps) == (3, "moved 1", 3)
        assert result.budget_left == episode.budget_left == episode.budget - 3
        assert result.state_hash == episode.state_hash
    assert episode.outcome is Outcome.GAVE_UP
    log = read_log(tmp_path / "logs" / "log.jsonl")
    assert replay(log).state_hash == result.state_hash
    episode.save_log(tmp_path / "again.jsonl")
    assert (tmp_path / "again.jsonl").read_bytes() == (tmp_path / "logs" / "log.jsonl").read_bytes()


@pytest.mark.by_day(1)
def test_a_log_and_a_video_can_be_had_at_the_end(door: Any, tmp_path: Path) -> None:
    episode = door.start(SHORT, observation="state")
    for save in (episode.save_log, episode.save_video):
        with pytest.raises(RuntimeError, match="once the episode has ended"):
            save(tmp_path / "early")
    assert not (tmp_path / "early").exists()
    plan = luban.load(SHORT).plan
    assert plan is not None
    for action in plan.actions:
        episode.step(action)
    assert episode.end().outcome is Outcome.SOLVED
    episode.save_log(tmp_path / "new" / "log.jsonl")
    assert len(read_log(tmp_path / "new" / "log.jsonl").steps) == len(plan)
    seen: list[tuple[int, int]] = []
    episode.save_video(tmp_path / "v.mp4", size=128, progress=lambda *done: seen.append(done))
    assert (tmp_path / "v.mp4").read_bytes()[4:8] == b"ftyp"
    assert seen[-1][0] == seen[-1][1]


def test_local_and_remote_logs_differ_in_nothing(server: LubanServer, tmp_path: Path) -> None:
    with luban.connect(server.address) as remote:
        for number, door in enumerate((luban, remote)):
            with door.start(KEY, observation="state", seed=3, agent="me") as episode:
                episode.step("slide", pieces=["red"], direction="+x", distance=1)
                episode.end()
            episode.save_log(tmp_path / str(number))
    assert (tmp_path / "0").read_bytes() == (tmp_path / "1").read_bytes()


def test_whatever_is_over_takes_no_more_actions(door: Any) -> None:
    episode = door.start(KEY, observation="state")
    ending = episode.end()
    with pytest.raises(errors.EpisodeOver):
        episode.step("slide", **FIRST)
    with pytest.raises(errors.EpisodeOver):
        episode.step_json("slide", "{}")
    with pytest.raises(errors.EpisodeOver):
        episode.observe()
    assert episode.end() == ending
    assert episode.steps == 0 and episode.outcome is Outcome.GAVE_UP


def test_a_solved_episode_can_be_looked_at_before_it_is_ended(door: Any) -> None:
    plan = luban.load(KEY).plan
    assert plan is not None
    with door.start(KEY, observation="state") as episode:
        for action in plan.actions:
            episode.step(action)
        assert episode.observe().outcome is Outcome.SOLVED
        with pytest.raises(errors.EpisodeOver):
            episode.step("slide", **FIRST)
    assert episode.outcome is Outcome.SOLVED


def test_two_episodes_at_once_do_not_disturb_each_other(door: Any) -> None:
    first, second = (door.start(PISTON, image_size=32) for _ in range(2))
    before = second.observe().views[0].data
    first.step("slide", **FIRST)
    first.end()
    assert second.steps == 0 and second.observe().views[0].data == before
    second.end()


def test_an_error_leaves_the_episode_as_it_is(door: Any) -> None:
    with pytest.raises(ZeroDivisionError), door.start(KEY, observation="state") as episode:
        _ = 1 // 0
    with pytest.raises(errors.EpisodeOver):
        episode.observe()


def test_levels_may_be_named_in_every_way(door: Any, tmp_path: Path) -> None:
    path = next(path for path in list_level_paths() if path.stem == KEY)
    ways = (KEY, path, str(path), luban.load(path), door.levels(KEY)[0])
    hashes = {way if isinstance(way, str) else id(way): hash_of(door, way) for way in ways}
    assert set(hashes.values()) == {luban.load(KEY).hash}


def hash_of(door: Any, way: object) -> str:
    with door.start(way, observation="state") as episode:
        found = episode.level.hash
    assert isinstance(found, str)
    return found


def test_budgets_and_windows_are_those_that_were_asked_for(door: Any) -> None:
    with door.start(KEY, observation="state", budget=3, history=1) as episode:
        for _ in range(2):
            with pytest.raises(errors.InvalidAction):
                episode.step("fly")
        assert (episode.budget, episode.budget_left) == (3, 1)
        assert episode.observe().history.startswith("(1 earlier turns are not shown)\n2. fly")


# -- levels ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", [level.id for level in list_shipped_levels()]),
        ("locks-32", list(find_suite("locks-32").level_ids)),
        ("rubik", [level.id for level in list_shipped_levels() if level.family == "rubik"]),
        (KEY, [KEY]),
        (f"{PISTON}, {KEY},{PISTON}", [PISTON, KEY]),
        ("burr-pist?n", [PISTON]),
    ],
)
def test_levels_are_had_by_suite_family_id_and_pattern(
    door: Any, text: str, expected: list[str]
) -> None:
    assert [level.id for level in door.levels(text)] == expected


def test_a_level_file_is_one_of_this_machine(tmp_path: Path) -> None:
    path = list_level_paths()[0]
    (level,) = luban.levels(str(path))
    assert isinstance(level, Level) and level == luban.load(path)
    with pytest.raises(errors.LevelError, match="No such file"):
        luban.levels(str(tmp_path / "none.json"))


# -- errors ---------------------------------------------------------------------------------------


def test_what_does_not_exist_is_refused_with_a_hint(door: Any) -> None:
    with pytest.raises((errors.SuiteError, errors.LubanError), match="did you mean locks-32"):
        door.levels("locks-33")
    with pytest.raises((errors.LevelError, errors.LubanError), match="did you mean burr-piston"):
        door.start("burr-pistn")
    with pytest.raises(errors.LevelError, match="did you mean burr-piston"):
        luban.load("burr-pistn")
    with pytest.raises((ValueError, errors.LubanError), match="no world 'moon'"):
        door.start(KEY, observation="state", world="moon")


@pytest.mark.parametrize(
    ("option", "words"),
    [
        ({"observation": "smell"}, "observation is one of .*, not 'smell'"),
        ({"image_size": 1}, "pixels"),
        ({"image_format": "bmp"}, "bmp"),
        ({"budget": 0}, "budget"),
        ({"history": -1}, "window"),
        ({"renderer": "oil"}, "renderer"),
    ],
)
def test_options_that_make_no_sense_are_refused(
    door: Any, option: dict[str, Any], words: str
) -> None:
    with pytest.raises(ValueError, match=words):
        door.start(KEY, **{"observation": "state"} | option)


def test_a_log_is_never_written_over(door: Any, tmp_path: Path) -> None:
    (tmp_path / "log.jsonl").write_text("mine")
    with pytest.raises(errors.RecordingError, match="exists"):
        door.start(KEY, observation="state", log=tmp_path / "log.jsonl")
    assert (tmp_path / "log.jsonl").read_text() == "mine"


# -- how it ends ---------------------------------------------------------------------------------


def test_a_fork_goes_on_by_itself_and_outlives_its_episode() -> None:
    episode = luban.start(PISTON, image_size=32)
    fork = episode.fork()
    fork.step("slide", **FIRST)
    assert (episode.steps, fork.steps) == (0, 1)
    episode.end()
    assert fork.observe().views
    fork.leave()
    assert isinstance(fork, Episode)


FORGOTTEN = """
import luban
kept = [luban.start("burr-piston", image_size=32) for _ in range(2)]
for episode in kept:
    episode.observe()
luban.start("burr-chinese-cross", image_size=32).observe()
print("done")
"""


def test_a_program_ends_even_if_it_ends_no_episode(tmp_path: Path) -> None:
    assert run(FORGOTTEN, tmp_path, "-X", "dev") == "done\n"


# -- without a graphics card ----------------------------------------------------------------------

NO_EGL = """
import sys, warnings
sys.modules["moderngl"] = None
import luban
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    with luban.start("burr-piston", image_size=32) as episode:
        print(len(episode.observe().views))
print(*{str(one.message) for one in caught if one.category is RuntimeWarning})
"""


def test_pictures_need_no_opengl_and_a_warning_says_so(tmp_path: Path) -> None:
    pytest.importorskip("pybullet")
    views, said = run(NO_EGL, tmp_path).splitlines()
    assert int(views) >= 4
    assert "Using tiny" in said and "egl is unavailable" in said


def test_no_warning_is_given_where_pictures_are_not_asked_for() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        luban.start(PISTON, observation="state").end()

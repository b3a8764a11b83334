"""``luban play``, alone and on a server."""

import json
from collections.abc import Iterator
from pathlib import Path

import cv2
import pytest

from bridge.recording.log import read_log
from bridge.recording.replay import replay
from pysim.catalog import encode_level, find_level
from pysim.physics.factory import list_worlds
from tests.commands import Luban
from tests.needs import needs_pybullet
from tests.rpc.processes import running_server

EASY = "burr-chinese-cross"
KEY = "burr-chinese-cross-key"
QUICK = ["--video", "none", "--observation", "state"]
FIELDS = [
    "level",
    "agent",
    "world",
    "outcome",
    "steps",
    "plan",
    "plan_proof",
    "disagreements",
    "state_hash",
    "log",
    "video",
]


@pytest.mark.by_day(4)
@pytest.mark.parametrize("world", list_worlds())
@pytest.mark.parametrize("agent", ["oracle", "random", "first-legal"])
def test_play_as_json_prints_exactly_the_documented_object(
    luban: Luban, agent: str, world: str
) -> None:
    arguments = ["--agent", agent, "--world", world, "--budget", 8, *QUICK, "--json"]
    played = luban("play", EASY, *arguments).json()
    assert list(played) == FIELDS
    assert (played["level"], played["agent"], played["world"]) == (EASY, agent, world)
    assert (played["plan"], played["plan_proof"], played["video"]) == (5, "OPTIMAL", None)
    assert played["disagreements"] == 0
    if agent == "oracle":
        assert (played["outcome"], played["steps"]) == ("SOLVED", 5)
    again = replay(read_log(Path(played["log"])))
    assert (again.steps, again.state_hash) == (played["steps"], played["state_hash"])


@pytest.mark.parametrize("setting", ["full-symbolic", "full-visual", "face-view", "vertex-view"])
def test_the_oracle_solves_a_cube_in_every_setting(luban: Luban, setting: str) -> None:
    level = f"cubebench-d03-1-{setting}"
    options = ("--video", "none", "--observation", "image", "--image-size", 64, "--json")
    played = luban("play", level, "--agent", "oracle", *options).json()
    assert (played["outcome"], played["disagreements"]) == ("SOLVED", 0)
    picture = Path(played["log"]).parent / "views.png"
    assert picture.exists() == (setting != "full-symbolic")
    if picture.exists():
        assert cv2.imread(str(picture)).shape == (64, 64, 3), "one picture, as the agent sees it"


def test_the_same_seed_plays_the_same(luban: Luban) -> None:
    arguments = ["burr-piston", "--agent", "random", "--budget", 12, *QUICK, "--json"]
    first, second, other = (luban("play", *arguments, "--seed", s).json() for s in (7, 7, 8))
    assert first["state_hash"] == second["state_hash"] != other["state_hash"]
    assert first["log"] != second["log"]
    logs = [Path(played["log"]).read_bytes() for played in (first, second)]
    assert logs[0] == logs[1]


@pytest.mark.slow
@needs_pybullet
def test_play_leaves_log_video_and_views(luban: Luban, tmp_path: Path) -> None:
    result = luban("play", KEY, "--world", "bullet", "--image-size", 128, "--name", "a-name")
    assert result.status == 0, result.err
    assert "SOLVED in 1 steps, plan 1 (optimal)" in result.out
    folder = tmp_path / "runs" / "a-name"
    names = ["episode.jsonl", "episode.mp4", "views.png"]
    assert sorted(path.name for path in folder.iterdir()) == names
    assert all(f"runs/a-name/{name}" in result.out for name in names)
    for heading in ("step", "action", "result", "travelled", "budget left"):
        assert heading in result.out
    views = cv2.imread(str(folder / "views.png"))
    assert views is not None
    assert views.shape[1] == 2 * 128 + 2


def test_play_takes_a_level_file(luban: Luban, tmp_path: Path) -> None:
    document = encode_level(find_level(EASY)) | {"id": "mine", "plan": None}
    (tmp_path / "mine.json").write_text(json.dumps(document))
    played = luban("play", "mine.json", *QUICK, "--json").json()
    assert (played["level"], played["plan"], played["plan_proof"]) == ("mine", None, None)
    assert (played["outcome"], played["steps"]) == ("SOLVED", 5)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["burr-pistn"], "did you mean burr-piston"),
        ([EASY, "--agent", "genius"], "no agent 'genius'; there are oracle"),
        ([EASY, "--world", "matrix"], "no world 'matrix'; known are lattice, bullet"),
        ([EASY, "--renderer", "crayon"], "'crayon' is no renderer"),
        ([EASY, "--observation", "smell"], "'smell'"),
        ([EASY, "--image-size", 5], "from 16 to 2048"),
        ([EASY, "--name", "../x", "--observation", "state"], "run name"),
        ([EASY, "--runs", "file", "--observation", "state"], "file"),
        ([EASY, "--runs", "file/runs", "--observation", "state"], "file/runs"),
        ([EASY, "--server", "127.0.0.1:1"], "127.0.0.1:1"),
        ([EASY, "--server", "no address"], "no address"),
    ],
)
def test_play_says_what_is_wrong(
    luban: Luban, tmp_path: Path, arguments: list[object], message: str
) -> None:
    (tmp_path / "file").write_text("")
    assert message in luban("play", *arguments).complaint()
    assert message in luban("play", *arguments, "--json").complaint()


TYPED = 'nonsense\n\nslide red\nslide red +x 1\nslide "red +x 1\nslide purple +y 1\n'


@pytest.mark.parametrize("end", ["quit\n", "", "give up\nslide red +x 1\n"])
def test_a_person_plays_by_typing(luban: Luban, tmp_path: Path, end: str) -> None:
    arguments = ["burr-piston", "--agent", "human", "--image-size", 32, "--video", "none"]
    result = luban("play", *arguments, stdin=TYPED + end)
    assert (result.status, result.err) == (0, "")
    assert "separated" in result.out
    assert "slide PIECES DIRECTION DISTANCE" in result.out
    assert "no action 'nonsense'; there are slide, bring, rotate" in result.out
    assert "slide needs 'direction'" in result.out
    assert "1. slide red +x 1: red can't move towards +x before blue, green, orange" in result.out
    assert "2. slide purple +y 1: moved 1" in result.out
    assert "GAVE_UP after 2 steps" in result.out
    folder = tmp_path / "runs" / "burr-piston-human-lattice"
    assert "picture: runs/burr-piston-human-lattice/current.png" in result.out
    names = ["current.png", "episode.jsonl", "views.png"]
    assert sorted(path.name for path in folder.iterdir()) == names
    assert (folder / "views.png").read_bytes() != (folder / "current.png").read_bytes()
    assert len(read_log(folder / "episode.jsonl").steps) == 2


def test_a_person_sees_the_dialogue_beside_the_json(luban: Luban) -> None:
    result = luban(
        "play", "burr-piston", "--agent", "human", *QUICK, "--json", stdin="slide red +x 1\n"
    )
    assert (result.json()["steps"], result.json()["outcome"]) == (1, "GAVE_UP")
    assert "1. slide red +x 1: red can't move" in result.err


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with running_server(tmp_path_factory.mktemp("server")) as server:
        yield server.address


@pytest.mark.slow
def test_play_on_a_server_brings_log_and_video_home(
    luban: Luban, tmp_path: Path, address: str
) -> None:
    here = luban("play", KEY, *QUICK, "--json").json()
    arguments = ["--server", address, "--image-size", 128, "--runs", "there", "--json"]
    there = luban("play", KEY, *arguments).json()
    assert list(there) == FIELDS
    assert there["state_hash"] == here["state_hash"]
    assert replay(read_log(tmp_path / there["log"])).state_hash == there["state_hash"]
    assert Path(there["log"]).parts[0] == Path(there["video"]).parts[0] == "there"
    assert (tmp_path / there["video"]).read_bytes()[4:8] == b"ftyp"


def test_a_level_file_can_be_played_on_a_server(luban: Luban, tmp_path: Path, address: str) -> None:
    document = encode_level(find_level(KEY)) | {"id": "mine"}
    (tmp_path / "mine.json").write_text(json.dumps(document))
    played = luban("play", "mine.json", "--server", address, *QUICK, "--json").json()
    assert (played["level"], played["outcome"]) == ("mine", "SOLVED")

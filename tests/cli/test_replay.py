"""``luban replay``."""

import json
from pathlib import Path

import av
import pytest

from tests.commands import Luban
from tests.needs import needs_pybullet

KEY = "burr-chinese-cross-key"


@pytest.fixture
def log(luban: Luban) -> Path:
    arguments = ["--agent", "oracle", "--video", "none", "--observation", "state", "--json"]
    return Path(luban("play", "burr-chinese-cross", *arguments).json()["log"])


def test_a_log_is_checked(luban: Luban, log: Path) -> None:
    told = luban("replay", log, "--json").json()
    assert list(told) == [
        "log",
        "level",
        "outcome",
        "steps",
        "state_hash",
        "truncated",
        "video",
    ]
    assert (told["log"], told["level"]) == (str(log), "burr-chinese-cross")
    assert (told["outcome"], told["steps"], told["truncated"]) == ("SOLVED", 5, False)
    assert "every state hash is the same; outcome SOLVED" in luban("replay", log).out


@needs_pybullet
def test_another_world_may_replay_it(luban: Luban, log: Path) -> None:
    told = luban("replay", log, "--world", "bullet", "--json").json()
    assert told["state_hash"] == luban("replay", log, "--json").json()["state_hash"]


@pytest.mark.slow
def test_the_video_comes_from_the_log_alone(luban: Luban, tmp_path: Path) -> None:
    arguments = ["--video", "none", "--observation", "state", "--json"]
    Path(luban("play", KEY, *arguments).json()["log"]).rename(tmp_path / "alone.jsonl")
    told = luban(
        "replay", "alone.jsonl", "--video", "out.mp4", "--image-size", 128, "--json"
    ).json()
    with av.open(told["video"]) as video:
        assert video.streams.video[0].width == 128


def test_a_log_that_was_tampered_with_is_refused(luban: Luban, log: Path) -> None:
    lines = log.read_text().splitlines()
    step = json.loads(lines[3])
    changes: list[dict[str, object]] = [
        {"state_hash": "0" * 64},
        {"travel": 9},
        {"budget_left": 1},
        {"kind": "illegal"},
        {"step": 9},
        {"call": {"name": "slide", "arguments": {}}},
        {"state_hash": "short"},
    ]
    for change in changes:
        lines[3] = json.dumps(step | change)
        log.write_text("\n".join(lines) + "\n")
        assert "step 2" in luban("replay", log).complaint().replace("line 4", "step 2")


def test_a_log_that_was_cut_off_is_replayed_as_far_as_it_goes(luban: Luban, log: Path) -> None:
    log.write_bytes(log.read_bytes()[:-500])
    told = luban("replay", log, "--json").json()
    assert (told["outcome"], told["truncated"]) == (None, True)
    assert told["steps"] in (3, 4)
    assert "cut off" in luban("replay", log).out


@pytest.mark.parametrize(
    "content", [b"", b"{", b"\x00\xff\n", b"[]\n", b"{}\n", b"[" * 9999 + b"\n"]
)
def test_what_is_no_log_is_refused(luban: Luban, tmp_path: Path, content: bytes) -> None:
    (tmp_path / "x.jsonl").write_bytes(content)
    assert "x.jsonl" in luban("replay", "x.jsonl").complaint()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["missing.jsonl"], "missing.jsonl"),
        (["."], "."),
        (["LOG", "--world", "matrix"], "no world 'matrix'"),
        (["LOG", "--video", "no/such/folder.mp4"], "no/such/folder.mp4"),
        (["LOG", "--video", "out.mp4", "--image-size", 33], "even"),
        (["LOG", "--video", "out.mp4", "--renderer", "crayon"], "'crayon' is no renderer"),
    ],
)
def test_replay_says_what_is_wrong(
    luban: Luban, log: Path, arguments: list[object], message: str
) -> None:
    chosen = [log if argument == "LOG" else argument for argument in arguments]
    assert message in luban("replay", *chosen).complaint()
    assert not list(Path().glob("*.mp4"))

"""Datasets of chats against what a server of a model receives, and against replays."""

import base64
import io
import json
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

pytest.importorskip("httpx", reason="NOT TESTED: no httpx")

from bridge.episode.episode import Episode
from bridge.episode.records import Obs
from bridge.episode.tools import ToolCall
from bridge.recording.dataset.episodes import Recording
from bridge.recording.dataset.errors import DatasetError
from bridge.recording.errors import RecordingError
from bridge.runs.chats.export import ChatRequest, ChatSource, export_chats
from bridge.runs.play import Mode
from pysim.catalog import find_level
from pysim.physics.factory import create_world
from pysim.render.factory import create_renderer
from tests.agents.server import Chat, Reply, chat_server, saying
from tests.commands import Luban
from tests.recording.plays import full_disk, play_plan

Line = dict[str, Any]
STATE = Obs.STATE
LEVELS = ("burr-three-bars", "packing-easy-01", "checkerboard")
LEVEL = "burr-three-bars"


def read_lines(folder: Path) -> list[Line]:
    return [json.loads(line) for line in (folder / "train.jsonl").read_text().splitlines()]


def words(message: Line) -> str:
    content = message["content"]
    return content if isinstance(content, str) else "".join(part["text"] for part in content)


def acting(text: str, name: str, arguments: str) -> Reply:
    """An answer with words and a tool call."""
    call = {"id": "x", "type": "function", "function": {"name": name, "arguments": arguments}}
    message = {"role": "assistant", "content": text, "tool_calls": [call]}
    return Reply(json.dumps({"choices": [{"message": message, "finish_reason": "tool_calls"}]}))


ILLEGAL = '{"pieces": ["green"], "direction": "-z", "distance": 5}'


def clumsy_answers(level: str) -> list[Reply]:
    """Words only, an illegal move, and then the plan, each with a remark."""
    plan = find_level(level).plan
    assert plan is not None
    calls = [ToolCall.of(action) for action in plan.actions]
    remarks = [acting(f"Remark {n}.", c.name, c.arguments_json()) for n, c in enumerate(calls)]
    return [saying("Let me look."), acting("Down!", "slide", ILLEGAL), *remarks]


def run_model(luban: Luban, answers: Sequence[Reply], *options: str) -> Chat:
    with chat_server(lambda request, number: answers[number]) as chat:
        told = luban(
            *("eval", LEVEL, "--agent", "openai:tall", "--base-url", chat.url, "--workers", "1"),
            *("--out", "run", "--video", "none", "--json", *options),
        ).json()
    assert told["solved"] == 1
    return chat


def sent_parts(content: Sequence[Line]) -> Iterator[tuple[str, bytes]]:
    """The parts of a message as a server received it."""
    for part in content:
        if part["type"] == "text":
            yield "text", part["text"].encode()
        else:
            yield "image", base64.b64decode(part["image_url"]["url"].partition(",")[2])


def line_parts(message: Line, images: Iterator[str], folder: Path) -> Iterator[tuple[str, bytes]]:
    """The parts of a message as a trainer reads it."""
    content = message["content"]
    for part in [{"type": "text", "text": content}] if isinstance(content, str) else content:
        if part["type"] == "text":
            yield "text", part["text"].encode()
        else:
            yield "image", (folder / next(images)).read_bytes()


def require_equal(line: Line, chat: Chat, folder: Path) -> None:
    """Each message of system and user is what the server received, byte for byte."""
    images = iter(line.get("images", ()))
    system, *others = line["messages"]
    users = [message for message in others if message["role"] == "user"]
    assert len(users) == len(chat.requests)
    for message, request in zip(users, chat.requests, strict=True):
        asked_system, asked_user = request["messages"]
        assert words(system) == asked_system["content"]
        parts = list(line_parts(message, images, folder))
        assert parts == list(sent_parts(asked_user["content"]))
        assert line.get("tools", []) == request.get("tools", [])
    assert next(images, None) is None


def require_valid(line: Line) -> None:
    """Roles alternate, each call has its result behind it, and the assistant speaks last."""
    messages = line["messages"]
    assert [m["role"] for m in messages[:2]] == ["system", "user"]
    assert messages[-1]["role"] == "assistant"
    known = {tool["function"]["name"] for tool in line.get("tools", ())}
    open_calls: list[str] = []
    for before, message in pairwise(messages):
        if message["role"] == "tool":
            assert message["tool_call_id"] == open_calls.pop(0)
            continue
        assert open_calls == []
        assert (message["role"] == "assistant") == (before["role"] == "user")
        for call in message.get("tool_calls", ()):
            assert call["type"] == "function" and isinstance(call["function"]["arguments"], dict)
            assert call["function"]["name"] in known
            open_calls.append(call["id"])
    assert len(open_calls) <= 1


@pytest.mark.parametrize("obs", ["image+state", "state"])
def test_chat_of_a_run_equals_what_the_server_received(
    luban: Luban, tmp_path: Path, obs: str
) -> None:
    chat = run_model(luban, clumsy_answers(LEVEL), "--observation", obs, "--image-size", "64")
    told = luban("dataset", "run", "--format", "chat", "--out", "out", "--json").json()
    (line,) = read_lines(tmp_path / "out")
    require_valid(line)
    require_equal(line, chat, tmp_path / "out")
    assert ("images" in line) == (obs != "state")
    answers = [m for m in line["messages"] if m["role"] == "assistant"]
    said = ["Let me look.", "Down!", "Remark 0.", "Remark 1."]
    assert [words(answer) for answer in answers] == said
    assert ["tool_calls" in answer for answer in answers] == [False, True, True, True]
    results = [words(m) for m in line["messages"] if m["role"] == "tool"]
    assert results[0].startswith("BLOCKED") and results[1] == "moved 2"
    assert (line["outcome"], line["agent"], line["steps"]) == ("SOLVED", "openai:tall", 4)
    assert (told["episodes"], told["answers"], told["left_out"]) == (1, 4, 0)


def test_one_shot_chat_of_a_run_equals_what_the_server_received(
    luban: Luban, tmp_path: Path
) -> None:
    plan = find_level(LEVEL).plan
    assert plan is not None
    calls = [{"name": c.name, "arguments": c.arguments} for c in map(ToolCall.of, plan.actions)]
    text = f"So be it: {json.dumps({'actions': calls})}"
    chat = run_model(
        luban, [saying(text)], "--mode", "one-shot", "--observation", "image", "--image-size", "64"
    )
    luban("dataset", "run", "--format", "chat", "--out", "out", "--json").json()
    (line,) = read_lines(tmp_path / "out")
    require_valid(line)
    require_equal(line, chat, tmp_path / "out")
    assert [m["role"] for m in line["messages"]] == ["system", "user", "assistant"]
    assert words(line["messages"][-1]) == text
    assert "tools" not in line


@pytest.mark.parametrize("obs", ["image", "state", "image+state"])
def test_chats_of_the_oracle_replay_to_the_same_state(
    luban: Luban, tmp_path: Path, obs: str
) -> None:
    command = (
        "dataset",
        ",".join(LEVELS),
        "--format",
        "chat",
        "--observation",
        obs,
        "--image-size",
        "32",
    )
    told = luban(*command, "--out", "out", "--json").json()
    assert (told["episodes"], told["families"]) == (3, ["burr", "packing", "rubik"])
    for line in read_lines(tmp_path / "out"):
        require_valid(line)
        episode = Episode(find_level(line["level"]), create_world("lattice"))
        for message in line["messages"]:
            for call in message.get("tool_calls", ()):
                episode.step(ToolCall(call["function"]["name"], call["function"]["arguments"]))
        assert episode.outcome is not None
        assert (episode.outcome.value, episode.state_hash) == (line["outcome"], line["state_hash"])
        for name in line.get("images", ()):
            with Image.open(io.BytesIO((tmp_path / "out" / name).read_bytes())) as picture:
                assert picture.size == (32, 32)
        shown = sum(
            part["type"] == "image"
            for message in line["messages"]
            if not isinstance(message["content"], str)
            for part in message["content"]
        )
        assert shown == len(line.get("images", ()))
        drawn = line["family"] != "rubik"  # This cube is told in letters.
        assert (shown > 0) == (obs != "state" and drawn)


def test_each_picture_is_written_once_and_the_files_are_the_same_again(
    luban: Luban, tmp_path: Path
) -> None:
    for out in ("one", "two"):
        luban(
            "dataset",
            LEVEL,
            LEVEL,
            "--format",
            "chat",
            "--image-size",
            "32",
            "--out",
            out,
            "--json",
        )
    lines = read_lines(tmp_path / "one")
    files = {f"images/{path.name}" for path in (tmp_path / "one/images").iterdir()}
    assert {name for line in lines for name in line["images"]} == files
    assert lines[0]["images"] == lines[1]["images"]
    for path in (tmp_path / "one").rglob("*.*"):
        assert (
            path.read_bytes()
            == (tmp_path / "two" / path.relative_to(tmp_path / "one")).read_bytes()
        )


def test_contents_are_of_one_type_for_readers_with_columns(luban: Luban, tmp_path: Path) -> None:
    for obs, kind in (("image", list), ("state", str)):
        luban(
            "dataset",
            LEVEL,
            "--format",
            "chat",
            "--observation",
            obs,
            "--image-size",
            "32",
            "--out",
            obs,
        )
        for line in read_lines(tmp_path / obs):
            assert {type(message["content"]) for message in line["messages"]} == {kind}


def fail_once(luban: Luban) -> None:
    options = (
        "--agent",
        "random",
        "--budget",
        "1",
        "--observation",
        "state",
        "--out",
        "run",
        "--json",
    )
    luban("eval", LEVEL, *options)


def test_solved_leaves_out_other_episodes_of_a_run(luban: Luban, tmp_path: Path) -> None:
    luban(
        "eval",
        LEVEL,
        "--agent",
        "random",
        "--budget",
        "1",
        "--observation",
        "state",
        "--out",
        "run",
        "--json",
    )
    command = (
        "dataset",
        "run",
        LEVEL,
        "--format",
        "chat",
        "--observation",
        "state",
        "--json",
        "--out",
    )
    assert luban(*command, "all").json()["episodes"] == 2
    told = luban(*command, "solved", "--solved").json()
    assert (told["episodes"], told["left_out"]) == (1, 1)
    assert (
        luban(*command, "solved")
        .complaint()
        .endswith("give --force to replace it, or another folder")
    )
    assert luban(*command, "solved", "--force").json()["episodes"] == 2


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["nowhere"], "nowhere"),
        (["run", "--observation", "sound"], "observation is one of"),
        (["run", "--mode", "twice"], "twice"),
        (["run", "--image-size", "1"], "a view in pixels is"),
        (["run", "--family", "chess"], "no episode of the family 'chess'"),
        (["run", "--solved"], "none of these episodes was solved"),
        (["torn"], "no line of a journal"),
    ],
)
def test_chats_that_cannot_be_made_are_refused(
    luban: Luban, tmp_path: Path, arguments: list[str], problem: str
) -> None:
    luban(
        "eval",
        LEVEL,
        "--agent",
        "random",
        "--budget",
        "1",
        "--observation",
        "state",
        "--out",
        "run",
        "--json",
    )
    (tmp_path / "torn").mkdir()
    play_plan(tmp_path / "torn/episode.jsonl", LEVEL)
    (tmp_path / "torn/agent.jsonl").write_text("[1]\n")
    assert problem in luban("dataset", *arguments, "--format", "chat", "--out", "out").complaint()
    assert not (tmp_path / "out").exists()


def chats(folder: Path) -> list[ChatSource]:
    play_plan(folder / "episode.jsonl", LEVEL, seed=3)
    return [ChatSource(Recording("one", folder / "episode.jsonl"), Mode.INTERACTIVE)]


def no_renderer() -> Any:
    raise AssertionError("no pictures were asked for")


def test_refused_and_unreadable_calls_of_a_log_are_part_of_its_chat(tmp_path: Path) -> None:
    sources = chats(tmp_path)
    done = export_chats(sources, tmp_path / "out", ChatRequest(STATE), no_renderer)
    (line,) = read_lines(tmp_path / "out")
    assert done.answers == line["steps"]
    calls = [m["tool_calls"][0]["function"] for m in line["messages"] if "tool_calls" in m]
    assert {"unreadable": '{"pieces": ['} in [call["arguments"] for call in calls]
    assert any("MALFORMED" in words(m) for m in line["messages"] if m["role"] == "tool")


def test_full_disk_leaves_nothing_behind(tmp_path: Path) -> None:
    sources = chats(tmp_path)
    renderer, _ = create_renderer()
    before = sorted(tmp_path.iterdir())
    for free in (100, 20_000):
        with full_disk(free), pytest.raises(RecordingError, match="can't write"):
            export_chats(sources, tmp_path / "out", ChatRequest(picture_size=256), lambda: renderer)
        assert sorted(tmp_path.iterdir()) == before
    renderer.close()


def test_interrupt_leaves_the_older_dataset(tmp_path: Path) -> None:
    sources = chats(tmp_path)
    export_chats(sources, tmp_path / "out", ChatRequest(STATE), no_renderer)
    older = (tmp_path / "out/train.jsonl").read_bytes()

    def interrupt(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        export_chats(
            [*sources, *sources],
            tmp_path / "out",
            ChatRequest(STATE),
            no_renderer,
            force=True,
            progress=interrupt,
        )
    assert (tmp_path / "out/train.jsonl").read_bytes() == older
    assert sorted(p.name for p in tmp_path.iterdir()) == ["episode.jsonl", "out"]


def test_log_that_goes_another_way_is_refused(tmp_path: Path) -> None:
    sources = chats(tmp_path)
    path = sources[0].recording.path
    lines = path.read_text().splitlines(keepends=True)
    step = json.loads(lines[-2])
    path.write_text("".join([*lines[:-2], json.dumps({**step, "state_hash": "0" * 64}) + "\n"]))
    with pytest.raises(DatasetError, match="state_hash"):
        export_chats(sources, tmp_path / "out", ChatRequest(STATE), no_renderer)

"""The real server, played by the real client: parity with Python, sessions, tasks, and the tool."""

import re
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
import requests
import uvicorn
from luban_openenv import LubanAction, LubanEnv
from luban_openenv.environment import LubanEnvironment, Settings
from luban_openenv.server.app import app, main

import luban
from bridge.episode.tools import ToolCall
from luban.testing.sight import Route, check_sight, find_adapter
from tests.adapters.task_parity import NIGHT, check_parity, list_tasks

PACKAGE = Path(__file__).resolve().parent.parent
FAMILIES = sorted({level.family for level in luban.levels()})
TOOL = [sys.executable, "-m", "openenv.cli", "validate"]


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="error"))
    thread = threading.Thread(target=server.run)
    thread.start()
    while not server.started:
        time.sleep(0.05)
    yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    server.should_exit = True
    thread.join()


def script(level: luban.Level) -> list[ToolCall]:
    """Return the plan, with calls that are refused before each of its first actions."""
    calls = [ToolCall.of(action) for action in level.plan.actions]
    return [call for step in calls[:2] for call in (ToolCall("nothing", {}), step)] + calls[2:]


@pytest.mark.parametrize("family", FAMILIES)
def test_same_actions_give_the_hashes_rewards_and_pictures_of_python(
    family: str, address: str
) -> None:
    level = luban.load(f"{family}:test:3")
    with (
        luban.start(level, image_size=256) as episode,
        LubanEnv(base_url=address).sync() as env,
        LubanEnv(base_url=address).sync() as other,
    ):
        first = env.reset(split=f"{family}:test", index=3).observation
        other.reset(task=f"{family}:val:0")
        untouched = other.state().state_hash
        toolbox, earned = luban.Toolbox(episode), luban.RewardRule().begin(level)
        look = toolbox.look()
        assert (first.text, first.tools) == (look.text, toolbox.schemas)
        assert env.state().state_hash == episode.state_hash
        for call in script(level):
            reply = toolbox.call(call.name, call.arguments)
            reward = earned.reward(
                episode.state_hash,
                solved=episode.outcome is luban.Outcome.SOLVED,
                refused=reply.refused,
            )
            result = env.step(LubanAction(name=call.name, arguments=dict(call.arguments)))
            seen = result.observation
            assert (seen.text, seen.refused, result.reward) == (reply.text, reply.refused, reward)
            assert [view.name for view in seen.views] == [view.name for view in reply.views]
            assert env.state().state_hash == episode.state_hash
        assert result.done and env.state().total == 1
        assert other.state().state_hash == untouched


def test_task_api_lists_the_splits_of_all_families(address: str) -> None:
    splits = requests.get(f"{address}/luban/splits", timeout=60).json()
    names = {split["name"] for split in splits}
    assert names == {f"{f}:{s}" for f in FAMILIES for s in ("train", "val", "test")} | {"shipped"}
    body = {"split": "nets:test", "index": 7}
    assert requests.post(f"{address}/luban/task", json=body, timeout=60).json() == {
        "task": {"id": "nets:test:7", **body}
    }
    count = requests.post(f"{address}/luban/num_tasks", json={"split": "shipped"}, timeout=60)
    assert count.json() == {"num_tasks": len(luban.levels())}
    far = requests.post(f"{address}/luban/task", json=body | {"index": 10**6}, timeout=60)
    assert far.status_code == 400


def test_option_that_is_misspelt_is_refused_over_the_wire(address: str) -> None:
    with LubanEnv(base_url=address).sync() as env:
        with pytest.raises(RuntimeError, match="no option 'tasks'"):
            env.reset(tasks="nets:test:0")
        assert "net of a cube" in env.reset(task="nets:test:0").observation.text


def test_resets_that_name_no_task_are_refused_and_leave_the_episode() -> None:
    env = LubanEnvironment(Settings(observation="state"))
    with pytest.raises(RuntimeError, match="reset the environment first"):
        env.step(LubanAction(name="slide"))
    env.reset(task="nets:test:0")
    before = env.state
    names = ({"split": "nets"}, {"split": "nets:all"}, {"split": "chess:test"}, {"split": 3})
    for wrong in names:
        with pytest.raises(ValueError, match=r"split|family"):
            env.reset(**wrong)
    for index in (-1, 10**30, float("nan"), "x"):
        with pytest.raises(ValueError, match="has tasks from 0"):
            env.reset(split="nets:test", index=index)
    with pytest.raises(ValueError, match="no option 'level'; there are seed, episode_id, split"):
        env.reset(level="nets:test:0")
    with pytest.raises(ValueError, match="not both"):
        env.reset(split="nets:test", task="nets:test:0")
    assert env.state == before
    assert env.reset(seed=3).text == env.reset(seed=3).text
    env.close()


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("IMAGE_SIZE", "big", "LUBAN_IMAGE_SIZE is a whole number, not 'big'"),
        ("REFUSAL_PRICE", "", "LUBAN_REFUSAL_PRICE is a number, not ''"),
    ],
)
def test_variable_that_is_no_number_is_named(name: str, text: str, words: str) -> None:
    with pytest.raises(ValueError, match=re.escape(words)):
        Settings.read({f"LUBAN_{name}": text})
    assert Settings.read({}) == Settings()


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("OBSERVATION", "picture", "picture"),
        ("IMAGE_SIZE", "3", "16 to 2048 pixels"),
        ("REWARD", "much", "sparse or progress"),
        ("SPLIT", "nets:trian", "trian"),
    ],
)
def test_server_with_a_setting_that_does_not_exist_does_not_start(
    name: str, text: str, words: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    monkeypatch.setenv(f"LUBAN_{name}", text)
    monkeypatch.setattr(sys, "argv", ["app", "--port", "0"])
    with pytest.raises(SystemExit):
        main()
    assert words in capsys.readouterr().err


def test_buttons_are_calls_that_mean_something_and_text_is_escaped() -> None:
    env = LubanEnvironment(Settings(observation="image"))
    first = env.reset(task="rubik:test:0").model_dump()
    assert env.render_web(first).count("<img ") == len(first["views"]) > 0
    assert "<b>" not in env.render_web({"text": "<b>"})
    buttons = env.web_actions(first)
    assert len(buttons) >= 12
    for _, action in buttons[:3]:
        assert not env.step(LubanAction(**action)).refused
    env.close()


def test_tool_fails_nothing_and_skips_what_the_readme_explains() -> None:
    done = subprocess.run(
        [*TOOL, str(PACKAGE), "--skip-build"], capture_output=True, text=True, timeout=300
    )
    found = re.findall(r"^  ([A-Z]+) +([a-z_.]+) \(", done.stdout, re.MULTILINE)
    assert found, done.stdout + done.stderr
    assert {status for status, _ in found} <= {"PASS", "SKIP"}, done.stdout
    readme = (PACKAGE / "README.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `([a-z_.]+)` \| ([A-Z]+) \|", readme, re.MULTILINE)
    assert sorted(rows) == sorted((check, status) for status, check in found)


def test_tool_passes_the_running_server(address: str) -> None:
    done = subprocess.run([*TOOL, "--url", address], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.findall(r"^ +(PASS|FAIL)", done.stdout, re.MULTILINE) == ["PASS"] * 6


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("count", [1, pytest.param(NIGHT, marks=pytest.mark.slow)])
def test_tasks_give_the_hashes_and_rewards_of_python(family: str, count: int) -> None:
    assert check_parity("openenv", list_tasks(family, count)) == count


def test_pictures_arrive_whole() -> None:
    levels = luban.levels("sight-canary")[:3]
    with find_adapter("openenv").open(Route()) as play:
        found = check_sight(play, levels, [luban.load("burr-three-bars")])
    assert found.passed, found

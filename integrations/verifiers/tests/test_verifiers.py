"""The real tools ``vf-validate`` and ``vf-eval``, a scripted server, and parity with Python."""

import json
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest
from luban_verifiers.harness import LubanHarness, LubanHarnessConfig
from luban_verifiers.taskset import LubanTaskset, LubanTasksetConfig

import luban
from bridge.operations.sight.reader import PixelReader
from luban.testing.sight import Received, Route, check_sight, find_adapter, serve_model
from tests.adapters.task_parity import FAMILIES, NIGHT, check_parity, list_tasks

BIN = Path(sys.executable).parent
CANARIES = luban.levels("sight-canary")
ENVIRONMENT = {
    **os.environ,
    "PATH": f"{BIN}:{os.environ['PATH']}",
    "PRIME_API_KEY": "none",
}


def run(folder: Path, tool: str, *words: str) -> str:
    done = subprocess.run(
        [str(BIN / tool), "luban-verifiers", *words],
        capture_output=True,
        text=True,
        timeout=600,
        cwd=folder,
        env=ENVIRONMENT,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_validate_finds_every_task_valid(tmp_path: Path) -> None:
    tasks = "nets:test:0-2"
    words = ("--taskset.levels", tasks, "--runtime.type", "subprocess", "-o", "out")
    run(tmp_path, "vf-validate", *words)
    (summary,) = tmp_path.glob("out/*/summary.json")
    found = json.loads(summary.read_text())
    assert found["outcomes"]["valid"] == found["total"] == 3


@pytest.mark.parametrize("window", ["1", "None"])
def test_eval_with_a_server_that_reads_pixels_solves_what_it_sees(
    window: str, tmp_path: Path
) -> None:
    levels, counts = CANARIES[:2], list[int]()
    reader = PixelReader(levels, random.Random(0))

    def decide(received: Received) -> object:
        counts.append(len(received.views))
        return reader.decide(received)

    with serve_model() as model:
        model.decide = decide
        run(
            tmp_path,
            "vf-eval",
            *("--env.taskset.levels", ",".join(level.id for level in levels)),
            *("--env.taskset.observation", "image", "--env.agent.runtime.type", "subprocess"),
            *("--env.agent.harness.id", "luban-verifiers"),
            *("--env.agent.harness.pictures", window),
            *("-m", "sight", "--client.base-url", model.url, "-o", "out"),
            *("--rich", "None", "--push", "False"),
        )
    assert model.error is None and counts == [1] * 4
    lines = [line for path in tmp_path.glob("out/*/traces.jsonl") for line in path.open()]
    assert len(lines) == 2
    assert all('"earned":' in line and '"solved":' in line for line in lines)


def test_window_shows_the_pictures_of_the_newest_messages_alone() -> None:
    config = LubanHarnessConfig(id="luban-verifiers", pictures=2)
    source = LubanHarness(config)._program
    start = source.index("def show_newest")
    scope: dict[str, object] = {}
    exec(source[start : source.index("chat_with_all = ")], scope)
    picture = {"type": "image_url", "image_url": {"url": "data:"}}
    text = {"type": "text", "text": "x"}
    messages = [{"role": "user", "content": [text, picture]} for _ in range(4)]
    messages.insert(2, {"role": "assistant", "content": "words"})
    shown = scope["show_newest"](messages, 2)  # type: ignore[operator]
    kept = [isinstance(m["content"], list) and picture in m["content"] for m in shown]
    assert kept == [False, False, False, True, True]
    assert [message["role"] for message in shown] == [message["role"] for message in messages]
    assert picture in messages[0]["content"]


def test_levels_of_several_families_are_refused() -> None:
    config = LubanTasksetConfig(id="luban-verifiers", levels="nets:test:0,burr:test:0")
    with pytest.raises(ValueError, match="one family, not of burr, nets"):
        LubanTaskset.toolsets(config)


def test_pictures_arrive_whole() -> None:
    with find_adapter("verifiers").open(Route()) as play:
        found = check_sight(play, CANARIES[:2], [luban.load("burr-three-bars")])
    assert found.passed, found


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("count", [1, pytest.param(NIGHT, marks=pytest.mark.slow)])
def test_same_actions_give_the_hashes_and_rewards_of_python(family: str, count: int) -> None:
    assert check_parity("verifiers", list_tasks(family, count)) == count

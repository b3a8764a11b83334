"""Nothing that an agent is told in turns tells it what it must not know, also if its code looks."""

import json
from pathlib import Path

import pytest

from bridge.agents.turns import TurnAnswer
from bridge.benches.cubebench.protocol import Setup, TurnMode, TurnProtocol
from bridge.benches.cubebench.sandbox.interpreter import SandboxError, Strength, check_sandbox
from bridge.episode.tools import ToolCall
from pysim.families.rubik.rewards import Reward
from tests.adapters.secrets import (
    always_secret,
    found_in,
    picture_texts,
    secret_in_pictures_only,
)
from tests.benches.cubebench.playing import Script, call, code, level, play

SETTINGS = ("full-visual", "face-view", "vertex-view")
PROTOCOL = TurnProtocol(setup=Setup.STANDARD_SOLVER, reward=Reward.STICKER)
CALLS = [ToolCall("make_move", {"move": move}) for move in ("U", "L'")]
NOSY = """
import gc, os, sys
def tell(look):
    try:
        print(repr(look())[:2000])
    except BaseException as error:
        print(type(error).__name__, error)
make_move("U"), make_move("L'"), get_observation()
tell(lambda: sorted(globals()))
tell(lambda: sys.argv)
tell(lambda: dict(os.environ))
tell(os.getcwd)
tell(lambda: os.listdir("."))
tell(lambda: open("/proc/self/cmdline").read())
tell(lambda: open("/proc/self/environ").read())
tell(lambda: os.listdir("/proc/self/fd"))
tell(lambda: open(f"/proc/{os.getppid()}/cmdline").read())
tell(lambda: [sorted(f.f_locals) for f in sys._current_frames().values()])
tell(lambda: [o for o in gc.get_objects() if isinstance(o, str) and "cube" in o][:200])
tell(lambda: [m for m in sys.modules if m.startswith(("pysim", "bridge"))])
"""


def told(agent: Script) -> list[str | bytes]:
    """All that the agent was told."""
    pictures = [view.data for prompt in agent.prompts for view in prompt.pictures]
    texts = [prompt.text for prompt in agent.prompts]
    results = [result for prompt in agent.prompts for result in prompt.results]
    return [*pictures, *texts, *results, *(json.dumps(prompt.tools) for prompt in agent.prompts)]


@pytest.mark.parametrize("setting", SETTINGS)
def test_calls_are_answered_with_nothing_secret(setting: str, tmp_path: Path) -> None:
    moves = json.dumps({"moves": [made.arguments["move"] for made in CALLS]})
    answers = [
        TurnAnswer("", [call("make_move", moves), call("get_observation")]),
        TurnAnswer("", [call("reset"), call("make_move", '{"moves": ["F3"]}')]),
        TurnAnswer("", [call("solve_cube", '{"state": "?"}')]),
        TurnAnswer("no call at all"),
    ]
    agent = Script(answers)
    played = level(3, setting)
    play(played, agent, tmp_path, mode=TurnMode.NO_CODE, protocol=PROTOCOL)
    assert len(agent.prompts) == len(answers) + 1
    secrets = always_secret(played, CALLS, tmp_path) | secret_in_pictures_only(played, CALLS)
    assert found_in(told(agent), secrets) == set()
    assert len(picture_texts(told(agent))) == 1


def test_code_that_looks_around_finds_nothing_secret(tmp_path: Path) -> None:
    try:
        check_sandbox(Strength.STRONG)
    except SandboxError as error:
        pytest.skip(f"NOT TESTED: {error}")
    agent = Script([code(NOSY), code("print(1 / 0)")])
    played = level(3, "face-view")
    play(played, agent, tmp_path, mode=TurnMode.CODE, protocol=PROTOCOL)
    assert "make_move" in agent.prompts[1].text
    assert agent.prompts[1].text.count("PermissionError") >= 3
    secrets = always_secret(played, CALLS, tmp_path) | secret_in_pictures_only(played, CALLS)
    assert found_in(told(agent), secrets) == set()
    assert "'pysim" not in agent.prompts[1].text

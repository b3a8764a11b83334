"""The tasks of inspect_ai, run by inspect_ai itself with models that need no network."""

import json
import os
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from inspect_ai import score
from inspect_ai.log import EvalLog, read_eval_log
from inspect_ai.model import ChatMessage, ModelOutput
from inspect_ai.tool import ToolCall as InspectCall

from bridge.episode.records import Obs, Options
from bridge.episode.texts import build_instruction
from bridge.episode.tools import ToolCall
from bridge.recording.log import Log, read_log
from bridge.recording.replay import replay
from luban.inspect_tasks import chain, cubebench, levels, locks, packing, verdict
from pysim.catalog import find_level
from pysim.field_types import Json
from pysim.puzzle import Outcome
from pysim.suites import find_suite
from tests.adapters.offline_model import calling, plan_of, run_task, saying
from tests.hostile import VALUES
from tests.needs import needs_pybullet
from tests.waiting import PATIENCE

pytestmark = [  # What inspect_ai itself is warned of.
    pytest.mark.filterwarnings("ignore:The 'initial' parameter is deprecated:DeprecationWarning"),
    pytest.mark.filterwarnings("ignore:Unclosed <MemoryObject:ResourceWarning"),
]

ROOT = Path(__file__).resolve().parents[2]
LEVEL = "burr-chinese-cross"
PINK = ToolCall("slide", {"pieces": ["pink"], "direction": "+x", "distance": 1})

Answer = Callable[[Sequence[ChatMessage]], ModelOutput]


def run(
    task: Any, answer: Answer, folder: Path, *, expect: str = "success", **options: Any
) -> EvalLog:
    """Run a task with a model whose answers follow from the messages that it is shown."""

    log = run_task(task, lambda messages, *_: answer(messages), folder, **options)
    assert log.status == expect, log.error
    return log


def in_turn(*outputs: ModelOutput) -> Answer:
    """Answers one after another, then the last one again and again."""
    left = list(outputs)
    return lambda messages: left.pop(0) if len(left) > 1 else left[0].model_copy(deep=True)


def by_plan(*names: str) -> Answer:
    """Plays the plan of whichever of the levels the task in the first message is of."""
    plans = {
        build_instruction(find_level(name), Options(obs=obs)): plan_of(name)
        for name in names
        for obs in Obs
    }

    def answer(messages: Sequence[ChatMessage]) -> ModelOutput:
        plan = next(plan for task, plan in plans.items() if messages[1].text.startswith(task))
        return calling(plan[sum(message.role == "assistant" for message in messages)])

    return answer


def episode(sample: Any) -> Log:
    return read_log(Path(sample.metadata["episode_log"]))


def figures(log: EvalLog) -> dict[str, float]:
    """The metrics by name, with the reducer behind an @."""
    assert log.results is not None
    return {
        f"{name}@{each.reducer}": metric.value
        for each in log.results.scores
        for name, metric in each.metrics.items()
    }


@pytest.mark.slow
def test_the_plans_of_many_levels_at_once_solve_them_all(tmp_path: Path) -> None:
    names = [LEVEL, "packing-easy-01", "checkerboard"]
    task = levels(names, observation="state", attempts=2, history=100)
    log = run(task, by_plan(*names), tmp_path, max_samples=10)
    assert log.samples is not None
    assert {(sample.id, sample.epoch) for sample in log.samples} == {
        (name, epoch) for name in names for epoch in (1, 2)
    }
    for sample in log.samples:
        assert sample.scores is not None
        assert sample.scores["verdict"].value == 1
        recorded = episode(sample)
        assert recorded.header.level.id == sample.id
        assert [line.call for line in recorded.steps] == plan_of(str(sample.id))
        assert recorded.path.parents[1] == Path(log.location).with_suffix("")
        replay(recorded)
    expected = {"mean@mean": 1, "mean@pass_at_2": 1, "dist2opt@None": 0, "legality@None": 1}
    assert figures(log).items() >= expected.items()


@pytest.mark.slow
def test_pass_at_k_and_clustered_errors_are_those_of_the_verdicts(tmp_path: Path) -> None:
    names = [LEVEL, "burr-three-bars"]
    outputs = iter([calling(*plan_of(LEVEL)), saying("no"), saying("no"), saying("no")])
    log = run(
        levels(",".join(names), observation="state", attempts=2, budget=len(plan_of(LEVEL))),
        lambda messages: next(outputs, saying("no")),
        tmp_path,
        max_samples=1,
    )
    found = figures(log)
    assert (found["mean@mean"], found["mean@pass_at_2"]) == (0.25, 0.5)
    # Two clusters, with means 1/2 and 0: sqrt(2 / (2 - 1) * (1/4 ** 2 + 1/4 ** 2)) / 2.
    assert found["stderr@mean"] == pytest.approx(0.25)
    assert (found["avg_steps@None"], found["dist2opt@None"]) == (len(plan_of(LEVEL)), 0)


def test_no_answer_is_a_free_step(tmp_path: Path) -> None:
    no_json = calling(PINK)
    no_json.message.tool_calls = [InspectCall("1", "slide", {}, parse_error="Error parsing: {")]
    answers = [
        (saying("The puzzle is solved: SOLVED."), ["NO_CALL"]),
        (calling(ToolCall("reset", {})), ["UNKNOWN_ACTION"]),
        (calling(PINK), ["UNKNOWN_COLOUR"]),
        (no_json, ["MALFORMED"]),
        (calling(ToolCall("slide", {"pieces": 1})), ["BAD_VALUE"]),
        (calling(ToolCall("slide", {})), ["MISSING_FIELD"]),
        (calling(ToolCall("slide", {**PINK.arguments, "force": 1})), ["UNKNOWN_FIELD"]),
        (calling(PINK, ToolCall("", {})), ["UNKNOWN_COLOUR", "UNKNOWN_ACTION"]),
    ]
    reasons = [reason for _, charged in answers for reason in charged]
    task = levels(LEVEL, observation="state", budget=len(reasons))
    log = run(task, in_turn(*[output for output, _ in answers]), tmp_path)
    assert log.samples is not None
    recorded = episode(log.samples[0])
    assert [line.reason for line in recorded.steps] == reasons
    assert recorded.ending is not None
    assert recorded.ending.outcome is Outcome.OUT_OF_BUDGET
    assert log.samples[0].scores is not None
    assert log.samples[0].scores["verdict"].value == 0
    assert "budget is used up" in log.samples[0].messages[-1].text


# Arguments that are nested deep or have numbers without end inspect_ai does not hand on.
HOSTILE = {n: v for n, v in VALUES.items() if n not in ("nested deep", "a huge number")}


LARGE = "ten megabytes"
ROUNDS = {LARGE: [HOSTILE[LARGE]], "all others": [v for n, v in HOSTILE.items() if n != LARGE]}


def hostile(value: Json) -> ModelOutput:
    """Two calls and words, all of a value."""
    text = value[:1000] if isinstance(value, str) else "Hm."
    bad = calling(ToolCall("slide", {"pieces": value}), ToolCall(text, {text: text}))
    bad.message.content = text
    return bad


@pytest.mark.by_day(1)
@pytest.mark.parametrize("values", ROUNDS.values(), ids=ROUNDS)
def test_hostile_answers_cost_a_step_and_go_back_harmless(
    values: list[Json], tmp_path: Path
) -> None:
    shown: list[Sequence[ChatMessage]] = []

    def answer(messages: Sequence[ChatMessage]) -> ModelOutput:
        shown.append(messages)
        return hostile(values[len(shown) % len(values)])

    turns = len(values) + 1  # What the last value leads to is shown too.
    log = run(levels(LEVEL, observation="state", budget=2 * turns), answer, tmp_path)
    assert log.samples is not None
    recorded = episode(log.samples[0])
    assert recorded.ending is not None
    assert recorded.ending.outcome is Outcome.OUT_OF_BUDGET
    assert len(recorded.steps) == 2 * turns
    for message in (message for messages in shown for message in messages):
        message.text.encode("utf-8")
        assert not any(sign in message.text for sign in "\x00\x1b\u202e")


def test_calls_behind_the_end_of_the_episode_are_answered_but_not_made(tmp_path: Path) -> None:
    plan = plan_of(LEVEL)
    log = run(levels(LEVEL, observation="state"), in_turn(calling(*plan, PINK, PINK)), tmp_path)
    assert log.samples is not None
    (sample,) = log.samples
    assert len(episode(sample).steps) == len(plan)
    assert [message.role for message in sample.messages[-2:]] == ["tool", "tool"]
    assert "No more actions" in sample.messages[-1].text


def test_the_model_is_shown_the_task_and_the_last_turns(tmp_path: Path) -> None:
    shown: list[list[str]] = []

    def answer(messages: Sequence[ChatMessage]) -> ModelOutput:
        shown.append([message.role for message in messages])
        return calling(PINK)

    log = run(levels(LEVEL, observation="state", budget=4, history=2), answer, tmp_path)
    head, turn = ["system", "user"], ["assistant", "tool"]
    assert shown == [head, head + turn, head + turn * 2, head + turn * 2]
    assert log.samples is not None
    assert [message.role for message in log.samples[0].messages] == head + turn * 4


@needs_pybullet
def test_pictures_are_in_the_results_of_tools(tmp_path: Path) -> None:
    task = levels(LEVEL, observation="image", image_size=32, budget=2, renderer="tiny")
    log = run(task, in_turn(calling(plan_of(LEVEL)[0]), calling(PINK)), tmp_path)
    assert log.samples is not None
    for message in (m for m in log.samples[0].messages if m.role in ("user", "tool")):
        assert not isinstance(message.content, str)
        assert sum(part.type == "image" for part in message.content) >= 4


def test_a_limit_of_inspect_ai_ends_the_episode(tmp_path: Path) -> None:
    log = run(levels(LEVEL, observation="state"), in_turn(calling(PINK)), tmp_path, message_limit=6)
    assert log.samples is not None
    recorded = episode(log.samples[0])
    assert recorded.ending is not None
    assert recorded.ending.outcome is Outcome.GAVE_UP
    assert recorded.ending.note == "stopped by inspect_ai: limit of message"
    assert log.samples[0].scores is not None
    assert log.samples[0].scores["verdict"].value == 0


def test_the_score_is_read_from_the_episodes_log(tmp_path: Path) -> None:
    log = run(levels(LEVEL, observation="state"), by_plan(LEVEL), tmp_path)
    again = score(read_eval_log(log.location), verdict(), action="overwrite", display="none")
    assert figures(again) == figures(log)


def test_a_folder_that_can_not_be_written_fails_the_sample(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    task = levels(LEVEL, observation="state", runs=str(tmp_path / "file"))
    log = run(task, in_turn(calling(PINK)), tmp_path, expect="error")
    assert log.error is not None
    assert "Not a directory" in log.error.message or "File exists" in log.error.message


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"levels": "burr-nothing"}, "no level"),
        ({"levels": f"{LEVEL},{LEVEL}"}, "named twice"),
        ({"observation": "smell"}, "observation is one of"),
        ({"world": "mars"}, "no world"),
        ({"history": 0}, "at least 1 turn"),
        ({"budget": 0}, "a budget is a whole number"),
        ({"image_size": 1}, "the width of a view"),
        ({"cluster": "moon"}, "clustered by"),
        ({"attempts": 0}, "positive"),
    ],
)
def test_what_does_not_exist_is_said(options: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        levels(**{"levels": LEVEL, **options})


@pytest.mark.parametrize(
    ("make", "name", "suite"),
    [
        (locks, "luban/locks", "locks-32"),
        (packing, "luban/packing", "packing-77"),
        (chain, "luban/chain", "chain-109"),
        (cubebench, "luban/cubebench", "cubebench-160"),
    ],
)
def test_a_suite_is_a_task_with_its_levels_as_samples(make: Any, name: str, suite: str) -> None:
    task = make(observation="state", attempts=4)
    assert task.name == name
    assert tuple(sample.id for sample in task.dataset) == find_suite(suite).level_ids
    assert task.epochs == 4
    with pytest.raises(TypeError, match="budgets"):
        make(budgets=3)


def test_the_settings_of_a_cube_are_one_cluster() -> None:
    samples = cubebench(observation="image").dataset
    clusters = Counter(sample.metadata["source"] for sample in samples if sample.metadata)
    assert set(clusters.values()) == {4}
    assert len(clusters) == 40


@pytest.mark.slow
def test_the_command_finds_the_tasks_and_runs_them(tmp_path: Path) -> None:
    """With the entry points that the project declares, whether or not they are installed yet."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    entries = {**project["entry-points"]["inspect_ai"], "offline": "tests.adapters.offline_model"}
    metadata = tmp_path / "plugins" / "declared-0.dist-info"
    metadata.mkdir(parents=True)
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: declared\nVersion: 0\n")
    lines = [f"{name} = {value}" for name, value in entries.items()]
    (metadata / "entry_points.txt").write_text("\n".join(["[inspect_ai]", *lines, ""]))
    path = os.pathsep.join([str(metadata.parent), str(ROOT)])
    command = [sys.executable, "-m", "inspect_ai", "eval", "luban/levels", "-T", f"levels={LEVEL}"]
    command += ["-T", "observation=state", "--model", "offline/plan", "-M", f"level={LEVEL}"]
    done = subprocess.run(
        [*command, "-T", "history=50", "--display", "plain", "--log-format", "json"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    (file,) = (tmp_path / "logs").glob("*.json")
    log = json.loads(file.read_text())
    assert (log["status"], log["eval"]["task"]) == ("success", "luban/levels")
    (sample,) = log["samples"]
    recorded = read_log(Path(sample["metadata"]["episode_log"]))
    assert recorded.path.parents[1] == file.with_suffix("")
    assert recorded.ending is not None
    assert recorded.ending.outcome is Outcome.SOLVED
    assert len(recorded.steps) == len(plan_of(LEVEL)) + 1
    assert sample["scores"]["verdict"]["value"] == 1

"""Questions under inspect_ai, asked of models that need no network."""

import json
import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from inspect_ai import score
from inspect_ai.log import EvalLog
from inspect_ai.model import ChatMessage, ContentImage, ModelOutput

from bridge.items.log import LOG_NAME
from bridge.items.suites import find_suite
from luban.inspect_items import LOG, items, items_task, marks
from tests.adapters.offline_model import run_task, saying

cube_bench = items_task("cube_bench", "cube-bench")

pytestmark = [  # What inspect_ai itself is warned of.
    pytest.mark.filterwarnings("ignore:The 'initial' parameter is deprecated:DeprecationWarning"),
    pytest.mark.filterwarnings("ignore:Unclosed <MemoryObject:ResourceWarning"),
]

Answer = Callable[[Sequence[ChatMessage]], ModelOutput]
TEXT = {"observation": "text"}


def run(task: Any, answer: Answer, folder: Path, **options: Any) -> EvalLog:
    log = run_task(task, lambda messages, *_: answer(messages), folder, **options)
    assert log.status == "success", log.error
    return log


def figures(log: EvalLog) -> dict[str, float]:
    assert log.results is not None
    found = [each.metrics.items() for each in log.results.scores]
    return {name: metric.value for metrics in found for name, metric in metrics}


def knowing(task: str, n: int, **options: Any) -> Answer:
    """Answers rightly, by the text of the last question."""
    suite = find_suite("cube-bench")
    from bridge.benches.cube_bench.options import CubeBenchOptions

    golds = {}
    for subset in suite.subsets(CubeBenchOptions(task=task, n=n, **options)):
        for trial in suite.trials(subset):
            state = trial.start()
            while (item := trial.ask(state)) is not None:
                golds[item.text] = text = item.form.format(item.gold)
                state = trial.after(state, text)

    def answer(messages: Sequence[ChatMessage]) -> ModelOutput:
        (text,) = [part for part in messages[-1].content if part.type == "text"][:1]  # type: ignore[union-attr]
        return saying(golds[text.text])  # type: ignore[union-attr]

    return answer


def test_who_knows_is_right_in_every_round(tmp_path: Path) -> None:
    answer = knowing("closed-loop", 2, depth=(2,), observation="text")
    log = run(cube_bench("closed-loop", 2, options={"depth": [2], **TEXT}), answer, tmp_path)
    found = figures(log)
    assert (found["mean"], found["parse_rate"]) == (1.0, 1.0)
    assert math.isnan(found["group_accuracy"])
    assert log.samples is not None
    assert [len(sample.messages) for sample in log.samples] == [6, 6]  # Two rounds, each by itself.


@pytest.mark.slow
def test_pairs_are_scored_together(tmp_path: Path) -> None:
    log = run(cube_bench("verification", 4), lambda _: saying("Answer: Yes"), tmp_path)
    found = figures(log)
    assert (found["mean"], found["parse_rate"], found["group_accuracy"]) == (0.5, 1.0, 0.0)


def test_the_log_counts_and_not_what_the_model_says_of_itself(tmp_path: Path) -> None:
    task = cube_bench("move-prediction", 2, options=TEXT)
    log = run(task, lambda _: saying("CORRECT. I was right."), tmp_path)
    assert figures(log)["mean"] == figures(log)["parse_rate"] == 0.0
    assert log.samples is not None
    for sample in log.samples:
        lines = (Path(sample.metadata[LOG]) / LOG_NAME).read_text().splitlines()
        answers = [json.loads(line) for line in lines[1:]]
        assert [(a["trial"], a["right"]) for a in answers] == [(sample.id, False)]
    again = score(log, marks(), action="overwrite")
    assert figures(again)["mean"] == 0.0


def test_pictures_are_shown(tmp_path: Path) -> None:
    seen = []

    def answer(messages: Sequence[ChatMessage]) -> ModelOutput:
        assert not isinstance(messages[-1].content, str)
        seen.append([type(part) for part in messages[-1].content])
        return saying("<ANSWER> A </ANSWER>")

    run(items("cube-bench", "move-prediction", limit=1, image_size=64), answer, tmp_path)
    assert sorted(kinds.count(ContentImage) for kinds in seen) == [0, 1, 1]


def test_epochs_are_trials_of_their_own(tmp_path: Path) -> None:
    task = cube_bench("move-prediction", 1, options=TEXT)
    log = run(task, lambda _: saying("ANSWER: A"), tmp_path, epochs=2)
    assert log.samples is not None
    assert len({sample.metadata[LOG] for sample in log.samples}) == 2


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"suite": "nowhere"}, "no suite of items"),
        ({"suite": "cube-bench", "task": "juggling"}, "no task"),
        ({"suite": "cube-bench", "options": {"hope": 1}}, "no such option"),
    ],
)
def test_what_makes_no_sense_is_said(arguments: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        items(**arguments)


def test_every_item_has_a_first_question() -> None:
    made = cube_bench(n=1)
    assert len(made.dataset) == sum(1 for _ in made.dataset) > 7
    assert all(isinstance(sample.input, str) and sample.input for sample in made.dataset)

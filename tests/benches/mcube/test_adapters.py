"""M-Cube under inspect_ai: the same questions, conversations and marks."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("inspect_ai", reason="NOT TESTED: no inspect_ai")

from inspect_ai.model import ChatMessage, ContentImage, ModelOutput

from bridge.benches.mcube.options import MCubeOptions
from bridge.benches.mcube.suite import MCubeSuite
from luban.inspect_items import items
from pysim.errors import InputError
from tests.adapters.offline_model import saying
from tests.adapters.test_inspect_items import figures, run

pytestmark = [  # What inspect_ai itself is warned of.
    pytest.mark.filterwarnings("ignore:The 'initial' parameter is deprecated:DeprecationWarning"),
    pytest.mark.filterwarnings("ignore:Unclosed <MemoryObject:ResourceWarning"),
]


def text_of(message: ChatMessage) -> str:
    if isinstance(message.content, str):
        return message.content
    return next(part.text for part in message.content if part.type == "text")


def knowing(suite: str, wrong: int = 0, **options: Any) -> Callable[[Any], ModelOutput]:
    """Answers rightly after some wrong answers, by the text of the first question."""
    asked = MCubeSuite(suite)
    golds = {}
    for part in asked.subsets(MCubeOptions(n=2, **options)):
        for trial in asked.trials(part):
            item = trial.ask(trial.start())
            assert item is not None
            golds[item.text] = item.form.format(item.gold)

    def answer(messages: Sequence[ChatMessage]) -> ModelOutput:
        before = [message for message in messages if message.role == "assistant"]
        first = next(message for message in messages if message.role == "user")
        return saying("I pass." if len(before) < wrong else golds[text_of(first)])

    return answer


def test_who_knows_is_right_there_too(tmp_path: Path) -> None:
    log = run(items("mcube-easy", n=2), knowing("mcube-easy"), tmp_path)
    assert (figures(log)["mean"], figures(log)["parse_rate"]) == (1.0, 1.0)


def test_rounds_are_one_conversation(tmp_path: Path) -> None:
    task = "cube-easy-detailed"
    log = run(
        items("mcube-rounds", task, n=2),
        knowing("mcube-rounds", wrong=2, task=task),
        tmp_path,
    )
    assert log.samples is not None
    for sample in log.samples:
        roles = [message.role for message in sample.messages]
        assert roles == ["system", "user", "assistant", "user", "assistant", "user", "assistant"]
        assert "could not be read" in text_of(sample.messages[3])


def test_options_are_read_as_words_and_pictures_are_shown(tmp_path: Path) -> None:
    shown = []

    def answer(messages: Sequence[ChatMessage]) -> ModelOutput:
        content = messages[-1].content
        shown.append(sum(isinstance(part, ContentImage) for part in content))
        return saying("I pass.")

    for options in ({"observation": "pictures"}, {"observation": "no-picture"}, {"look": "paper"}):
        run(items("mcube-easy", limit=1, image_size=48, options=options), answer, tmp_path)
    assert shown == [6, 0, 0]
    with pytest.raises(InputError, match="smell"):
        items("mcube-easy", options={"observation": "smell"})

"""The task ``luban/levels`` of inspect_ai; needs the extra ``inspect``."""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from inspect_ai import eval as evaluate
from inspect_ai.model import (
    ChatMessage,
    Content,
    ContentImage,
    ContentText,
    ModelOutput,
    ModelUsage,
    get_model,
)

from bridge.episode.choices import Obs
from bridge.operations.sight.playing import read_data_url, receive, sum_rewards
from bridge.operations.sight.protocol import (
    IMAGE_SIZE,
    Adapter,
    Decide,
    Play,
    Played,
    Received,
    Route,
)
from bridge.recording.log import read_log
from pysim.catalog import AnyLevel, encode_level
from pysim.puzzle import Outcome

__all__ = ["ADAPTER"]

_USAGE = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
"""Without it inspect_ai counts tokens itself, with tables that it downloads."""


@contextmanager
def _open(route: Route) -> Iterator[Play]:
    with TemporaryDirectory() as folder:

        def play(level: AnyLevel, observation: Obs, decide: Decide) -> Played:
            return _evaluate(level, observation, decide, Path(folder))

        yield play


def _evaluate(level: AnyLevel, observation: Obs, decide: Decide, folder: Path) -> Played:
    path = folder / "level.json"
    path.write_text(json.dumps(encode_level(level)))
    errors: list[Exception] = []

    def answer(messages: list[ChatMessage], *_: Any) -> ModelOutput:
        try:
            call = decide(_read_newest(messages))
        except Exception as error:
            errors.append(error)
            raise
        output = ModelOutput.for_tool_call("sight", call.name, dict(call.arguments))
        output.usage = _USAGE
        return output

    (log,) = evaluate(
        "luban/levels",
        task_args={
            "levels": str(path),
            "observation": observation.value,
            "image_size": IMAGE_SIZE,
            "history": 1,
        },
        model=get_model("mockllm/model", custom_outputs=answer, memoize=False),
        log_dir=str(folder / "logs"),
        display="none",
        log_level="error",
    )
    if errors:
        raise errors[0]
    assert log.samples
    played = read_log(Path(log.samples[0].metadata["episode_log"]))
    hashes = [played.header.state_hash, *(line.state_hash for line in played.steps)]
    solved = played.ending is not None and played.ending.outcome is Outcome.SOLVED
    return Played(solved, tuple(hashes), sum_rewards(level, hashes, solved=solved))


def _read_newest(messages: Sequence[ChatMessage]) -> Received:
    """Return the contents of the messages after the last answer."""
    roles = [message.role for message in messages]
    first = len(roles) - roles[::-1].index("assistant") if "assistant" in roles else 0
    parts = [part for message in messages[first:] for part in _list_parts(message)]
    texts = [part.text for part in parts if isinstance(part, ContentText)]
    images = [part.image for part in parts if isinstance(part, ContentImage)]
    return receive(texts, images, read_data_url)


def _list_parts(message: ChatMessage) -> Sequence[Content]:
    content = message.content
    return [ContentText(text=content)] if isinstance(content, str) else content


ADAPTER = Adapter("the task luban/levels of inspect_ai", _open)

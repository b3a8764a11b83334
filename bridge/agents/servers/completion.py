"""An answer of a model, whichever API it came through."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from bridge.agents.usage import Usage
from pysim.field_types import Json
from pysim.limits import MAX_ACTION_NAME
from pysim.options import is_whole

__all__ = ["Completion", "WrittenCall", "build_usage", "get_mapping", "join_text", "parse_call"]

CUT = frozenset({"length", "max_tokens", "max_output_tokens"})
"""Providers' words for an answer that was cut at the token limit."""


@dataclass(frozen=True, slots=True)
class WrittenCall:
    """A tool call as the model wrote it; ``arguments`` should be JSON text."""

    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class Completion:
    """An answer of a model.

    Attributes:
        text: besides calls.
        calls: in order.
        finish: why it stopped, in the provider's word; ``unreadable`` if nothing could be read.
        usage: one call, and its tokens as the provider counted them (0 if it did not).
        tries: number of requests that were sent for it.
        seconds: how long that took in all.
        from_cache: whether it is one that was given, and paid for, before.
        reasoning: the model's reasoning as the server wants it back in the next request.
        reasoning_text: the same as text, where the server shows it.
        api: through which it came, ``chat`` or ``responses``.
        without: parameters that were left out because the server does not understand them.
        asked: digest of the question, by which a later try of the episode finds the answer.
    """

    text: str
    calls: tuple[WrittenCall, ...]
    finish: str
    usage: Usage
    tries: int = 1
    seconds: float = 0.0
    from_cache: bool = False
    reasoning: tuple[Json, ...] = ()
    reasoning_text: str = ""
    api: str = "chat"
    without: tuple[str, ...] = ()
    asked: str = ""

    @property
    def was_cut(self) -> bool:
        """Whether it was cut at the token limit."""
        return self.finish in CUT


def get_mapping(value: object) -> Mapping[str, Any]:
    """Return a JSON object, or an empty one in place of anything else."""
    return value if isinstance(value, dict) else {}


def join_text(content: object) -> str:
    """Text, or the texts among the parts that some servers send."""
    parts = content if isinstance(content, list) else [content]
    texts = (part.get("text") if isinstance(part, dict) else part for part in parts)
    return "".join(text for text in texts if isinstance(text, str))


def parse_call(function: Mapping[str, Any]) -> WrittenCall:
    """Return a call with ``name`` and ``arguments``, whatever is missing from it left empty."""
    name, arguments = function.get("name"), function.get("arguments")
    if not isinstance(arguments, str):  # Some servers send an object where text belongs.
        arguments = "" if arguments is None else json.dumps(arguments)
    # One character more than any action's name has, so that it is refused and not taken for one.
    return WrittenCall(name[: MAX_ACTION_NAME + 1] if isinstance(name, str) else "", arguments)


def build_usage(usage: object, tokens_in: str, tokens_out: str) -> Usage:
    """Return one call and its tokens.

    Args:
        usage: the provider's counts.
        tokens_in, tokens_out: what it calls those of the request and of the answer; details of
            them stand under the same name with ``_details`` behind it.
    """
    counts = get_mapping(usage)
    asked, said = _count(counts.get(tokens_in)), _count(counts.get(tokens_out))
    cached = _count(get_mapping(counts.get(f"{tokens_in}_details")).get("cached_tokens"))
    reasoning = _count(get_mapping(counts.get(f"{tokens_out}_details")).get("reasoning_tokens"))
    return Usage(1, asked, said, min(cached, asked), min(reasoning, said))


def _count(value: object) -> int:
    return value if is_whole(value, 0) else 0

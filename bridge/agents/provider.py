"""Address and settings of a model as a user gives them, the same for agents and for judges."""

import base64
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from urllib.parse import urlsplit

from bridge.agents.chat import ChatClient, Completion
from bridge.agents.journal import Journal
from bridge.agents.response_cache import CachingClient, ModelClient, encode_completion
from bridge.agents.servers.dialects import Api
from bridge.episode.observation import View
from pysim.field_types import Json
from pysim.limits import quote
from pysim.machine import find_home

__all__ = ["ModelSettings", "build_picture_parts"]

Content = Sequence[Mapping[str, Json]]
"""The parts of a message."""

BASE_URL = "https://api.openai.com/v1"
_SAMPLING = ("temperature", "top_p")
_ASKED = ("reasoning_effort", "max_tokens", "max_completion_tokens")
_SPARING = ("tool_choice", "parallel_tool_calls")
"""Parameters that are sent unless the server refuses them, or the user sets them."""
_FREE = {"free": True}
"""Metadata of settings on which no answer depends: a run may go on with others."""


class ParallelCalls(StrEnum):
    """Values of the parameter that allows several calls an answer."""

    TRUE = "true"
    FALSE = "false"
    OMIT = "omit"


def _read_optional(text: str) -> tuple[str, ...]:
    """Return the settings that are named, separated by commas."""
    names = tuple(name.strip() for name in text.split(",") if name.strip())
    for name in names:
        if name not in (*_SAMPLING, *_ASKED):
            known = ", ".join((*_SAMPLING, *_ASKED))
            raise ValueError(f"it names some of {known}, not {quote(name)}")
    return names


def _read_address(text: str) -> str:
    """Return the address of a server, which has a host and no blanks."""
    parts = urlsplit(text)
    if parts.scheme not in ("http", "https") or not parts.hostname or text != "".join(text.split()):
        raise ValueError(f"it begins with http:// or https:// and a host, unlike {quote(text)}")
    return text


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """Settings of a model that a user may give with ``--set``.

    A request has what is set, and besides only what saves steps where it is understood. A run may
    go on with other settings where these are free.
    """

    base_url: str = field(
        default=BASE_URL,
        metadata={
            "help": "Address of the server; `--base-url` in short.",
            "read": _read_address,
            **_FREE,
        },
    )
    api: Api = field(
        default=Api.AUTO,
        metadata={
            "help": "`chat` (`/chat/completions`), `responses` (`/responses`), or `auto`: chat "
            "until the server names the other.",
            **_FREE,
        },
    )
    api_key_env: str = field(
        default="OPENAI_API_KEY",
        metadata={"help": "Variable that holds the key; without one no key is sent.", **_FREE},
    )
    temperature: float | None = field(
        default=None,
        metadata={"help": "Of the sampling; CHAIN's is 0.6, Cube Bench's 0.", "least": 0},
    )
    top_p: float | None = field(
        default=None,
        metadata={"help": "Of the sampling; CHAIN's is 0.95, Cube Bench's 1.", "least": 0},
    )
    reasoning_effort: str = field(
        default="",
        metadata={
            "help": "Thinking of a reasoning model, in the server's word, as `low` or `high`."
        },
    )
    max_tokens: int = field(
        default=0, metadata={"help": "Most tokens of an answer, for older servers.", "least": 0}
    )
    max_completion_tokens: int = field(
        default=0, metadata={"help": "Most tokens of an answer, for newer servers.", "least": 0}
    )
    tool_choice: str = field(
        default="",
        metadata={
            "help": "Whether a call must be made, in the server's word; `omit` leaves it out."
        },
    )
    parallel_tool_calls: ParallelCalls | None = field(
        default=None,
        metadata={"help": "Several calls an answer: `true` or `false`; `omit` leaves it out."},
    )
    optional: tuple[str, ...] = field(
        default=(),
        metadata={
            "help": "Names of sampling settings, separated by commas, that are left out where the "
            "server refuses them.",
            "read": _read_optional,
        },
    )
    stream: int = field(
        default=0,
        metadata={
            "help": "0: answers come in one piece; 1: as they are made.",
            "least": 0,
            "most": 1,
            **_FREE,
        },
    )
    timeout: float = field(
        default=600.0,
        metadata={"help": "Seconds that the server may be silent.", "least": 0, **_FREE},
    )
    longest: float = field(
        default=3600.0,
        metadata={"help": "Seconds that an answer may take to come in.", "least": 0, **_FREE},
    )
    retries: int = field(default=5, metadata={"help": "Further tries.", "least": 0, **_FREE})
    pause: float = field(
        default=1.0,
        metadata={"help": "Seconds before the first further try.", "least": 0, **_FREE},
    )
    cache: str = field(default="", metadata={"help": "Folder in which answers are kept.", **_FREE})

    @property
    def asked(self) -> dict[str, Json]:
        """Settings of a model's answers that are given, by the names that servers know."""
        sampling = {name: getattr(self, name) for name in _SAMPLING}
        others = {name: getattr(self, name) for name in _ASKED}
        return {n: value for n, value in sampling.items() if value is not None} | {
            n: value for n, value in others.items() if value
        }

    def request(
        self,
        model: str,
        system: str,
        content: Content,
        rounds: Sequence[tuple[Content, str]] = (),
    ) -> dict[str, Json]:
        """Return the request for one question: a system prompt and the parts of a user's message.

        Args:
            rounds: messages before it in the conversation, with the answers to them.
        """
        messages: list[Json] = [{"role": "system", "content": system}]
        for asked, answer in rounds:
            messages += [_message(asked), {"role": "assistant", "content": answer}]
        return {"model": model, **self.asked, "messages": [*messages, _message(content)]}

    def build_tools(
        self, tools: Sequence[Mapping[str, Json]], *, one_call: bool
    ) -> dict[str, Json]:
        """Return the part of a request about tools.

        Args:
            one_call: whether exactly one call is to be made; else what the server does by itself.
        """
        if not tools:
            return {}
        omit = ParallelCalls.OMIT
        choice = self.tool_choice or ("required" if one_call else omit)
        parallel = self.parallel_tool_calls or (ParallelCalls.FALSE if one_call else omit)
        return {
            "tools": list(tools),
            **({} if choice == omit else {"tool_choice": choice}),
            **({} if parallel is omit else {"parallel_tool_calls": parallel == "true"}),
        }

    def make_note(self, model: str, answer: Completion) -> dict[str, Json]:
        """Return a journal's note of an answer, and of how it was asked for."""
        return {"model": model, **self.asked, **encode_completion(answer)}

    @property
    def _fixed(self) -> frozenset[str]:
        """The parameters that are sent even if a server refuses them."""
        fixed = frozenset({*self.asked, *(n for n in _SPARING if getattr(self, n))})
        return fixed.difference(self.optional)

    def make_client(
        self, seed: int, journal: Journal, *, conversation: bool = False
    ) -> ModelClient:
        """Return a client that asks with these settings, and asks for nothing twice.

        Args:
            seed: of the agent; tells attempts apart in a cache.
            journal: of the agent; has the notes of earlier tries.
            conversation: whether answers are carried into later requests.
        """
        client = ChatClient(
            self.base_url,
            os.environ.get(self.api_key_env, ""),
            self.timeout,
            self.longest,
            self.retries,
            self.pause,
            self.api,
            bool(self.stream),
            conversation,
            self._fixed,
        )
        folder = _folder(self.cache) if self.cache else None
        return CachingClient(client, seed, journal.earlier, folder)


def _folder(text: str) -> Path:
    return find_home() / text[2:] if text.startswith("~/") else Path(text)


def _message(content: Content) -> dict[str, Json]:
    return {"role": "user", "content": [dict(part) for part in content]}


def build_picture_parts(views: Sequence[View]) -> Iterator[dict[str, Json]]:
    """Views as parts of a message: each a name and a data URL, which every provider takes."""
    for view in views:
        yield {"type": "text", "text": f"View {view.name}:"}
        yield {"type": "image_url", "image_url": {"url": _data_url(view)}}


def _data_url(view: View) -> str:
    return f"data:image/{view.format};base64,{base64.b64encode(view.data).decode('ascii')}"

"""Address and settings of a model as a user gives them, the same for agents and for judges."""

import base64
import math
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from bridge.agents.chat import ChatClient, Completion
from bridge.agents.journal import Journal
from bridge.agents.response_cache import CachingClient, ModelClient, encode_completion
from bridge.agents.servers.dialects import Api
from bridge.episode.observation import View
from pysim.errors import InputError
from pysim.field_types import Json
from pysim.machine import find_home

__all__ = ["SETTINGS", "TRANSPORT", "ModelSettings", "build_picture_parts"]

Content = Sequence[Mapping[str, Json]]
"""The parts of a message."""

BASE_URL = "https://api.openai.com/v1"


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """Settings of a model that a user may give with ``--set``.

    A request has what is set, and besides only what saves steps where it is understood.

    Attributes:
        base_url, timeout, longest, retries, pause: see :class:`~bridge.agents.chat.ChatClient`.
        api: ``chat``, ``responses``, or ``auto`` for the one that the server wants.
        api_key_env: environment variable that holds the key.
        temperature, top_p: of the sampling; None leaves it to the server.
        reasoning_effort: how much a reasoning model thinks, in the server's word; empty likewise.
        max_tokens, max_completion_tokens: of an answer, by either name; 0 likewise.
        tool_choice: whether a call must be made, in the server's word; ``omit`` leaves it out, and
            empty is ``required`` where an answer without a call is worth nothing.
        parallel_tool_calls: ``true``, ``false`` or ``omit``; empty is ``false`` where one call is
            made an answer.
        optional: names of settings, separated by commas, that are left out where a server refuses
            them. A preset of a publication names those of its sampling.
        stream: 1 to have answers in pieces as they come, 0 to have them in one.
        cache: folder of answers, see :mod:`bridge.agents.response_cache`; empty for none.
    """

    base_url: str = BASE_URL
    api: str = Api.AUTO.value
    api_key_env: str = "OPENAI_API_KEY"
    temperature: float | None = None
    top_p: float | None = None
    reasoning_effort: str = ""
    max_tokens: int = 0
    max_completion_tokens: int = 0
    tool_choice: str = ""
    parallel_tool_calls: str = ""
    optional: str = ""
    stream: int = 0
    timeout: float = 600.0
    longest: float = 3600.0
    retries: int = 5
    pause: float = 1.0
    cache: str = ""

    @staticmethod
    def read(given: Mapping[str, str]) -> "ModelSettings":
        """Settings from text.

        Raises:
            InputError: a name is unknown, or a number can't be read or is out of range.
        """
        values: dict[str, str | int | float] = {}
        for name, text in given.items():
            if name not in ModelSettings.__slots__:
                known = ", ".join(ModelSettings.__slots__)
                raise InputError(f"a model has no setting {name[:60]!r}; there are {known}")
            try:
                values[name] = _kind(name)(text)
            except ValueError:
                raise InputError(f"{name} is a number, not {text[:60]!r}") from None
        for name, value in values.items():
            if not isinstance(value, str) and not (math.isfinite(value) and value >= 0):
                raise InputError(f"{name} is a number from 0 up, not {value}")
        for name in str(values.get("optional", "")).split(","):
            if name.strip() not in ("", *_SAMPLING, *_ASKED):
                known = ", ".join((*_SAMPLING, *_ASKED))
                raise InputError(f"optional names some of {known}, not {name.strip()[:60]!r}")
        for name, words in _WORDS.items():
            if values.get(name, words[0]) not in words:
                known = ", ".join(map(str, words[:-1]))
                raise InputError(f"{name} is {known} or {words[-1]}, not {given[name][:60]!r}")
        return ModelSettings(**values)  # type: ignore[arg-type]

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
        choice = self.tool_choice or ("required" if one_call else _OMIT)
        parallel = self.parallel_tool_calls or ("false" if one_call else _OMIT)
        return {
            "tools": list(tools),
            **({} if choice == _OMIT else {"tool_choice": choice}),
            **({} if parallel == _OMIT else {"parallel_tool_calls": parallel == "true"}),
        }

    def make_note(self, model: str, answer: Completion) -> dict[str, Json]:
        """Return a journal's note of an answer, and of how it was asked for."""
        return {"model": model, **self.asked, **encode_completion(answer)}

    @property
    def _fixed(self) -> frozenset[str]:
        """The parameters that are sent even if a server refuses them."""
        optional = {name.strip() for name in self.optional.split(",")}
        return frozenset({*self.asked, *(n for n in _SPARING if getattr(self, n))}) - optional

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
            Api(self.api),
            bool(self.stream),
            conversation,
            self._fixed,
        )
        folder = _folder(self.cache) if self.cache else None
        return CachingClient(client, seed, journal.earlier, folder)


SETTINGS = frozenset(ModelSettings.__slots__)
"""The names of all."""
_OMIT = "omit"
_SPARING = ("tool_choice", "parallel_tool_calls")
"""Parameters that are sent unless the server refuses them, or the user sets them."""
_WORDS: Mapping[str, Sequence[str | int]] = {
    "api": tuple(Api),
    "parallel_tool_calls": ("true", "false", _OMIT),
    "stream": (0, 1),
}
"""Settings that are one of a few words."""
_SAMPLING = ("temperature", "top_p")
_ASKED = ("reasoning_effort", "max_tokens", "max_completion_tokens")
TRANSPORT = frozenset(
    {"base_url", "api", "api_key_env", "stream", "timeout", "longest", "retries", "pause", "cache"}
)
"""Settings on which no answer depends: a run may go on with others."""


def _folder(text: str) -> Path:
    return find_home() / text[2:] if text.startswith("~/") else Path(text)


def _kind(name: str) -> type[str] | type[int] | type[float]:
    usual = getattr(ModelSettings(), name)
    return float if usual is None else type(usual)


def _message(content: Content) -> dict[str, Json]:
    return {"role": "user", "content": [dict(part) for part in content]}


def build_picture_parts(views: Sequence[View]) -> Iterator[dict[str, Json]]:
    """Views as parts of a message: each a name and a data URL, which every provider takes."""
    for view in views:
        yield {"type": "text", "text": f"View {view.name}:"}
        yield {"type": "image_url", "image_url": {"url": _data_url(view)}}


def _data_url(view: View) -> str:
    return f"data:image/{view.format};base64,{base64.b64encode(view.data).decode('ascii')}"

"""Where a model is asked and how, as a user sets it: the same for agents and for judges."""

import base64
import math
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from bridge.agents.chat import ChatClient, Completion
from bridge.agents.remembering import Asking, RememberingClient
from bridge.episode.observation import View
from pysim.errors import InputError
from pysim.kinds import Json
from pysim.machine.homes import home

__all__ = ["SETTINGS", "TRANSPORT", "ModelSettings", "picture_parts"]

Content = Sequence[Mapping[str, Json]]
"""The parts of a message."""

BASE_URL = "https://api.openai.com/v1"


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """What a user may set with ``--set``; a request has of it what is set, and nothing else.

    Attributes:
        base_url, timeout, longest, retries, pause: see :class:`~bridge.agents.chat.ChatClient`.
        api_key_env: environment variable that holds the key.
        temperature, top_p: of the sampling; None leaves it to the server.
        reasoning_effort: how much a reasoning model thinks, in the server's word; empty likewise.
        max_tokens, max_completion_tokens: of an answer, by either name; 0 likewise.
        stream: 1 to have answers in pieces as they come, 0 to have them in one.
        cache: folder of answers, see :mod:`bridge.agents.remembering`; empty for none.
    """

    base_url: str = BASE_URL
    api_key_env: str = "OPENAI_API_KEY"
    temperature: float | None = None
    top_p: float | None = None
    reasoning_effort: str = ""
    max_tokens: int = 0
    max_completion_tokens: int = 0
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
        if values.get("stream", 0) not in (0, 1):
            raise InputError(f"stream is 0 or 1, not {values['stream']}")
        return ModelSettings(**values)  # type: ignore[arg-type]

    @property
    def asked(self) -> dict[str, Json]:
        """What is set of how a model answers, by the names that servers know."""
        sampling = {name: getattr(self, name) for name in ("temperature", "top_p")}
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
        """What is sent for one question: a system prompt and the parts of a user's message.

        Args:
            rounds: messages before it in the conversation, with the answers to them.
        """
        messages: list[Json] = [{"role": "system", "content": system}]
        for asked, answer in rounds:
            messages += [_message(asked), {"role": "assistant", "content": answer}]
        streamed: dict[str, Json] = {"stream": True, "stream_options": {"include_usage": True}}
        return {
            "model": model,
            **self.asked,
            **(streamed if self.stream else {}),
            "messages": [*messages, _message(content)],
        }

    def noted(self, model: str, answer: Completion) -> dict[str, Json]:
        """What a journal tells of an answer, and of how it was asked for."""
        return {
            "model": model,
            **self.asked,
            **({"reasoning_text": answer.reasoning_text} if answer.reasoning_text else {}),
            "text": answer.text,
            "calls": [{"name": c.name, "arguments": c.arguments} for c in answer.calls],
            "finish": answer.finish,
            **self.paid(answer),
        }

    @staticmethod
    def paid(answer: Completion) -> dict[str, Json]:
        """The part of that about tries, time and tokens."""
        return {
            "tries": answer.tries,
            "seconds": round(answer.seconds, 3),
            "usage": answer.usage.noted(),
            **({"from_cache": True} if answer.from_cache else {}),
        }

    def client(self, seed: int = 0) -> Asking:
        """Who asks.

        Args:
            seed: of whoever has it asked; tells attempts apart in a cache.
        """
        client = ChatClient(
            self.base_url,
            os.environ.get(self.api_key_env, ""),
            self.timeout,
            self.longest,
            self.retries,
            self.pause,
        )
        return RememberingClient(client, _folder(self.cache), seed) if self.cache else client


SETTINGS = frozenset(ModelSettings.__slots__)
"""The names of all."""
_ASKED = ("reasoning_effort", "max_tokens", "max_completion_tokens")
TRANSPORT = frozenset(
    {"base_url", "api_key_env", "stream", "timeout", "longest", "retries", "pause", "cache"}
)
"""Settings on which no answer depends: a run may go on with others."""


def _folder(text: str) -> Path:
    return home() / text[2:] if text.startswith("~/") else Path(text)


def _kind(name: str) -> type[str] | type[int] | type[float]:
    usual = getattr(ModelSettings(), name)
    return float if usual is None else type(usual)


def _message(content: Content) -> dict[str, Json]:
    return {"role": "user", "content": [dict(part) for part in content]}


def picture_parts(views: Sequence[View]) -> Iterator[dict[str, Json]]:
    """Views as parts of a message: each a name and a data URL, which every provider takes."""
    for view in views:
        yield {"type": "text", "text": f"View {view.name}:"}
        yield {"type": "image_url", "image_url": {"url": _data_url(view)}}


def _data_url(view: View) -> str:
    return f"data:image/{view.format};base64,{base64.b64encode(view.data).decode('ascii')}"

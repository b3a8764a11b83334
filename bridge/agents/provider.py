"""Where a model is asked and how, as a user sets it: the same for agents and for judges."""

import base64
import math
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from bridge.agents.chat import ChatClient, Completion
from bridge.episode.observation import View
from pysim.errors import InputError
from pysim.kinds import Json

__all__ = ["ModelSettings", "picture_parts"]

Content = Sequence[Mapping[str, Json]]
"""The parts of a message."""

BASE_URL = "https://api.openai.com/v1"


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """What a user may set with ``--set``; the defaults are CHAIN's (section 3.1).

    Attributes:
        base_url, timeout, retries, pause: see :class:`~bridge.agents.chat.ChatClient`.
        api_key_env: environment variable that holds the key.
        temperature, top_p: of the sampling.
        max_tokens: of an answer; 0 leaves it to the server.
    """

    base_url: str = BASE_URL
    api_key_env: str = "OPENAI_API_KEY"
    temperature: float = 0.6
    top_p: float = 0.95
    max_tokens: int = 0
    timeout: float = 600.0
    retries: int = 5
    pause: float = 1.0

    @staticmethod
    def read(given: Mapping[str, str]) -> "ModelSettings":
        """Settings from text.

        Raises:
            InputError: a name is unknown, or a number can't be read or is out of range.
        """
        defaults = ModelSettings()
        values: dict[str, str | int | float] = {}
        for name, text in given.items():
            if name not in ModelSettings.__slots__:
                known = ", ".join(ModelSettings.__slots__)
                raise InputError(f"a model has no setting {name[:60]!r}; there are {known}")
            kind = type(getattr(defaults, name))
            try:
                values[name] = kind(text)
            except ValueError:
                raise InputError(f"{name} is a number, not {text[:60]!r}") from None
        for name, value in values.items():
            if not isinstance(value, str) and not (math.isfinite(value) and value >= 0):
                raise InputError(f"{name} is a number from 0 up, not {value}")
        return ModelSettings(**values)  # type: ignore[arg-type]

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
        request: dict[str, Json] = {
            "model": model,
            "temperature": self.temperature,
            "top_p": self.top_p,
            "messages": [*messages, _message(content)],
        }
        if self.max_tokens:
            request["max_tokens"] = self.max_tokens
        return request

    def noted(self, model: str, answer: Completion) -> dict[str, Json]:
        """What a journal tells of an answer, and of how it was asked for."""
        return {
            "model": model,
            "temperature": self.temperature,
            "top_p": self.top_p,
            "text": answer.text,
            "calls": [{"name": c.name, "arguments": c.arguments} for c in answer.calls],
            "finish": answer.finish,
            "tries": answer.tries,
            "seconds": round(answer.seconds, 3),
            "usage": {"tokens_in": answer.usage.tokens_in, "tokens_out": answer.usage.tokens_out},
        }

    def client(self) -> ChatClient:
        """Who asks."""
        return ChatClient(
            self.base_url,
            os.environ.get(self.api_key_env, ""),
            self.timeout,
            self.retries,
            self.pause,
        )


def _message(content: Content) -> dict[str, Json]:
    return {"role": "user", "content": [dict(part) for part in content]}


def picture_parts(views: Sequence[View]) -> Iterator[dict[str, Json]]:
    """Views as parts of a message: each a name and a data URL, which every provider takes."""
    for view in views:
        yield {"type": "text", "text": f"View {view.name}:"}
        yield {"type": "image_url", "image_url": {"url": _data_url(view)}}


def _data_url(view: View) -> str:
    return f"data:image/{view.format};base64,{base64.b64encode(view.data).decode('ascii')}"

"""Asking a model that speaks the OpenAI protocol (``POST /chat/completions``).

Needs the extra ``openai``. What went wrong on the way is tried again: no connection, timeouts,
broken answers, and the status codes 408, 409, 429 and 5xx. A server that says when to come back
(``Retry-After``) is obeyed, up to a minute. A refusal is told in the server's own words.

Whatever a model says is an answer. If it can't be read even when it is asked for again, because it
is too long or nested too deep, it is an answer in which nothing is said: no model may make its own
run fail. What it says is made harmless here, see :mod:`bridge.episode.harmless`.
"""

import json
import ssl
import time
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from bridge.agents.streaming import BrokenStream, joined
from bridge.agents.usage import Usage
from bridge.episode.harmless import harmless, harmless_json
from pysim.errors import LubanError, MissingPackage
from pysim.kinds import Json
from pysim.limits import MAX_ACTION_NAME

__all__ = ["ChatClient", "Completion", "ContextFull", "ModelError", "WrittenCall"]

_AGAIN = frozenset({408, 409, 429})
_LONGEST_WAIT = 60.0
_LONGEST_ANSWER = 2**24
"""Bytes."""
_CONTEXT_FULL = ("context_length_exceeded", "maximum context length")
"""How OpenAI and vLLM say that a conversation is too long."""


class ModelError(LubanError):
    """The model gave no answer; the message says why."""


class _Transient(Exception):
    """Something that may go better the next time.

    Attributes:
        wait: seconds that the server asked for, or None.
        answered: whether the server did its part, and what can't be read may be the model's own.
    """

    def __init__(self, message: str, wait: float | None = None, answered: bool = False) -> None:
        super().__init__(message)
        self.wait = wait
        self.answered = answered


class ContextFull(ModelError):
    """The conversation has become longer than the model can read."""


@dataclass(frozen=True, slots=True)
class WrittenCall:
    """A tool call as the model wrote it; ``arguments`` should be JSON text."""

    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class Completion:
    """What a model said.

    Attributes:
        text: besides calls.
        calls: in order.
        finish: why it stopped, in the provider's word; ``unreadable`` if nothing could be read.
        usage: one call, and its tokens as the provider counted them (0 if it did not).
        tries: how often it was asked.
        seconds: how long that took in all.
        from_cache: whether it is one that was given, and paid for, before.
        reasoning_text: the reasoning that led to it, where the provider shows that.
    """

    text: str
    calls: tuple[WrittenCall, ...]
    finish: str
    usage: Usage
    tries: int
    seconds: float
    from_cache: bool = False
    reasoning_text: str = ""


@dataclass(frozen=True, slots=True)
class ChatClient:
    """A model behind an address.

    Attributes:
        base_url: the part before ``/chat/completions``.
        api_key: sent as a bearer token if it is not empty; written down nowhere.
        timeout: seconds that the server may be silent.
        longest: seconds that an answer may take to come in.
        retries: how often an answer is asked for again.
        pause: seconds before the first retry; each further pause is twice as long.
    """

    base_url: str
    api_key: str
    timeout: float = 600.0
    longest: float = 3600.0
    retries: int = 5
    pause: float = 1.0

    def ask(self, request: Mapping[str, Json]) -> Completion:
        """The answer to a request.

        Raises:
            ContextFull: there are more words in the request than the model can read.
            ModelError: the server refuses, or still gives no answer after the last retry.
            ImportError: httpx is not installed.
        """
        began = time.monotonic()
        for tries in range(1, self.retries + 2):
            try:
                document = self._post(request)
                return _answer(document, tries, time.monotonic() - began)
            except _Transient as error:
                if tries > self.retries and error.answered:
                    return Completion(
                        "", (), "unreadable", Usage(1), tries, time.monotonic() - began
                    )
                if tries > self.retries:
                    raise ModelError(f"no answer after {tries} tries: {error}") from None
                wait = self.pause * 2 ** (tries - 1) if error.wait is None else error.wait
                time.sleep(min(wait, _LONGEST_WAIT))
        raise AssertionError("the last try returns or raises")

    def _post(self, request: Mapping[str, Json]) -> object:
        httpx = _load_httpx()
        headers = {"Authorization": f"Bearer {self.api_key}"} if self.api_key else {}
        url = f"{self.base_url.rstrip('/')}/chat/completions"
        try:
            status, wait, body = self._exchange(httpx, url, request, headers)
        except (httpx.InvalidURL, httpx.UnsupportedProtocol) as error:
            raise ModelError(f"{url} is no address: {error}") from None
        except httpx.RequestError as error:
            raise _Transient(f"{type(error).__name__} {error}".strip()) from None
        text = body.decode("utf-8", "replace")
        if status in _AGAIN or status >= 500:
            raise _Transient(f"status {status}: {_excerpt(text)}", wait)
        if status != 200:
            full = any(words in text for words in _CONTEXT_FULL)
            raise (ContextFull if full else ModelError)(f"status {status}: {_refusal(text)}")
        try:
            return harmless_json(joined(text) if _is_stream(text) else json.loads(text))
        except BrokenStream as error:
            raise _Transient(str(error)) from None
        except json.JSONDecodeError:
            raise _Transient(f"the answer is no JSON: {_excerpt(text)}") from None
        except (ValueError, RecursionError) as error:  # Too many digits, or nested too deep.
            raise _Transient(f"the answer can't be read: {error}", answered=True) from None

    def _exchange(
        self, httpx: Any, url: str, request: Mapping[str, Json], headers: Mapping[str, str]
    ) -> tuple[int, float | None, bytes]:
        """Status, seconds to wait before another try, and body of one answer."""
        # Pure ASCII, whatever the texts in it are; httpx would write them as they are.
        content = json.dumps(request).encode("ascii")
        headers = {"Content-Type": "application/json", **headers}
        given = {"timeout": self.timeout, "verify": _trusted(httpx)}
        with httpx.stream("POST", url, content=content, headers=headers, **given) as response:
            body, until = bytearray(), time.monotonic() + self.longest
            for chunk in response.iter_bytes():
                body += chunk
                if len(body) > _LONGEST_ANSWER:
                    raise _Transient(
                        f"the answer has more than {_LONGEST_ANSWER:,} bytes",
                        answered=response.status_code == 200,
                    )
                if time.monotonic() > until:
                    raise _Transient(f"the answer was not whole after {self.longest:g} s")
            wait = _seconds(response.headers.get("Retry-After"))
            return response.status_code, wait, bytes(body)


def _load_httpx() -> Any:
    try:
        import httpx
    except ImportError as error:
        raise MissingPackage("models need httpx: pip install 'luban[openai]'") from error
    return httpx


@cache
def _trusted(httpx: Any) -> ssl.SSLContext:
    """Who may sign for servers; read once, for that takes longer than many an answer."""
    context: ssl.SSLContext = httpx.create_ssl_context()
    return context


def _answer(document: object, tries: int, seconds: float) -> Completion:
    try:
        choice = document["choices"][0]  # type: ignore[index]
        message = choice["message"]
        calls = tuple(_call(call) for call in message.get("tool_calls") or ())
        text = _words(message.get("content"))
        reasoning = _words(message.get("reasoning_content") or message.get("reasoning"))
    except (KeyError, IndexError, TypeError, AttributeError):
        raise _Transient(f"the answer has no message: {_excerpt(str(document))}") from None
    return Completion(
        text=text,
        calls=calls,
        finish=str(choice.get("finish_reason") or ""),
        usage=_usage(document),
        tries=tries,
        seconds=seconds,
        reasoning_text=reasoning,
    )


def _words(content: object) -> str:
    """What was said: text, or the texts among the parts that some servers send."""
    parts = content if isinstance(content, list) else [content]
    texts = (part.get("text") if isinstance(part, dict) else part for part in parts)
    return "".join(text for text in texts if isinstance(text, str))


def _call(call: Any) -> WrittenCall:
    """A call, whatever is missing from it left empty."""
    function = call.get("function") if isinstance(call, dict) else None
    function = function if isinstance(function, dict) else {}
    name, arguments = function.get("name"), function.get("arguments")
    if not isinstance(arguments, str):  # Some servers send an object where text belongs.
        arguments = "" if arguments is None else json.dumps(arguments)
    # One character more than any action's name has, so that it is refused and not taken for one.
    name = name[: MAX_ACTION_NAME + 1] if isinstance(name, str) else ""
    return WrittenCall(name, arguments)


def _usage(document: Any) -> Usage:
    usage = document.get("usage")
    counts = usage if isinstance(usage, dict) else {}
    prompt, said = counts.get("prompt_tokens_details"), counts.get("completion_tokens_details")
    tokens_in = _count(counts.get("prompt_tokens"))
    tokens_out = _count(counts.get("completion_tokens"))
    cached = _count(prompt.get("cached_tokens")) if isinstance(prompt, dict) else 0
    reasoning = _count(said.get("reasoning_tokens")) if isinstance(said, dict) else 0
    return Usage(1, tokens_in, tokens_out, min(cached, tokens_in), min(reasoning, tokens_out))


def _is_stream(text: str) -> bool:
    """Whether an answer is server-sent events; not every server that is asked for them has them."""
    return text.lstrip()[:6].startswith(("data:", "event:", ":", "id:", "retry:"))


def _refusal(text: str) -> str:
    """What a server says of a request that it refuses: its message, if there is one."""
    try:
        error = json.loads(text)["error"]
        message = error if isinstance(error, str) else error["message"]
    except (ValueError, KeyError, TypeError, RecursionError):
        return _excerpt(text)
    return _excerpt(message) if isinstance(message, str) else _excerpt(text)


def _count(value: object) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else 0


def _seconds(text: str | None) -> float | None:
    """What a ``Retry-After`` asks for; None if it is missing or a date."""
    try:
        wait = float(text) if text is not None else -1.0
    except ValueError:
        return None
    return wait if 0 <= wait < float("inf") else None


def _excerpt(text: str) -> str:
    words = " ".join(harmless(text).split())
    return words if len(words) <= 200 else words[:197] + "..."

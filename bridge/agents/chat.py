"""Client of model servers that speak the OpenAI protocol.

It requires the extra ``openai``. There are two APIs, ``/chat/completions`` and ``/responses``.
Requests have the form of the first one and are translated if the server requires the other; see
:mod:`bridge.agents.servers.dialects`.

Transient faults are retried: no connection, timeouts, broken answers, and the status codes 408,
409, 429 and 5xx. The client obeys a server's ``Retry-After`` up to a minute. It reports a refusal
in the server's own words.

A model can't make its own run fail. If its answer is still unreadable after all retries, because it
is too long or too deeply nested, it counts as an empty answer. Texts are sanitized here; see
:mod:`bridge.episode.sanitize`.
"""

import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from bridge.agents.servers.chat_api import build_chat_body, parse_chat_completion
from bridge.agents.servers.completion import Completion, WrittenCall
from bridge.agents.servers.dialects import (
    Api,
    Complaint,
    Dialect,
    find_dialect,
    update_dialect,
)
from bridge.agents.servers.errors import (
    ContextFull,
    ModelError,
    ModelRefusal,
    Refused,
    TransientFault,
)
from bridge.agents.servers.refusals import is_out_of_money, make_excerpt, make_refusal_error
from bridge.agents.servers.responses_api import (
    build_responses_body,
    join_response,
    parse_response_completion,
)
from bridge.agents.streaming import BrokenStream, join_stream
from bridge.agents.usage import Usage
from bridge.episode.sanitize import sanitize_json
from pysim.errors import MissingPackage
from pysim.field_types import Json

if TYPE_CHECKING:
    from bridge.agents.servers.transport import HttpTransport

__all__ = ["ChatClient", "Completion", "ContextFull", "ModelError", "ModelRefusal", "WrittenCall"]

_RETRYABLE = frozenset({408, 409, 429})
_MAX_WAIT = 60.0
"""Seconds before a retry, at most."""


@dataclass(frozen=True, slots=True)
class ChatClient:
    """A client of one model server.

    Attributes:
        base_url: the part before ``/chat/completions``.
        api_key: bearer token; empty for none. It is never stored.
        timeout: maximum seconds of silence from the server.
        longest: maximum seconds until an answer is complete.
        retries: maximum number of retries after faults.
        pause: seconds before the first retry; the pause doubles with each further one.
        api: the API to use; AUTO begins with chat and switches if the server names the other one.
        stream: whether to request streamed answers.
        conversation: whether later requests include the reasoning of earlier answers.
        fixed: parameters set by the user, sent even if a server refuses them.
    """

    base_url: str
    api_key: str
    timeout: float = 600.0
    longest: float = 3600.0
    retries: int = 5
    pause: float = 1.0
    api: Api = Api.AUTO
    stream: bool = False
    conversation: bool = False
    fixed: frozenset[str] = frozenset()

    def ask(self, request: Mapping[str, Json], about: str = "") -> Completion:
        """Return the answer to a request in the form of ``/chat/completions``.

        Args:
            about: name of the question, for clients that cache answers; ignored here.

        Raises:
            ContextFull: the request exceeds the model's context window.
            ModelRefusal: the server refuses this request and would refuse others.
            ModelError: the server refuses, or gives no answer after the last retry.
            MissingPackage: the package ``openai`` is not installed.
        """
        start, faults, tries = time.monotonic(), 0, 0
        model, tried_dialects = str(request.get("model")), set[Dialect]()
        while True:
            tries += 1
            dialect = self._select_dialect(model)
            tried_dialects.add(dialect)
            try:
                answer = self._send(request, dialect)
                return replace(answer, tries=tries, seconds=time.monotonic() - start)
            except Refused as refused:
                self._adapt_dialect(Complaint.of(refused), request, dialect, tried_dialects)
            except TransientFault as fault:
                faults += 1
                if faults > self.retries:
                    return _make_final_completion(fault, tries, time.monotonic() - start)
                time.sleep(self._compute_wait(fault, faults))

    def _select_dialect(self, model: str) -> Dialect:
        dialect = find_dialect(self.base_url, model)
        dialect = replace(dialect, without=dialect.without - self.fixed)
        return dialect if self.api is Api.AUTO else replace(dialect, api=self.api)

    def _adapt_dialect(
        self,
        complaint: Complaint,
        request: Mapping[str, Json],
        dialect: Dialect,
        tried_dialects: set[Dialect],
    ) -> None:
        """Update the dialect after a refusal; raise if there is no untried one."""
        body = self._build_body(request, dialect)
        following = dialect.infer_next(complaint, body, self.fixed, self.api)
        if following is None:
            raise make_refusal_error(complaint)
        model = str(request.get("model"))
        update_dialect(self.base_url, model, following)
        if self._select_dialect(model) in tried_dialects:
            raise make_refusal_error(complaint)

    def _compute_wait(self, fault: TransientFault, faults: int) -> float:
        wait = self.pause * 2 ** (faults - 1) if fault.wait is None else fault.wait
        return min(wait, _MAX_WAIT)

    def _build_body(self, request: Mapping[str, Json], dialect: Dialect) -> dict[str, Json]:
        if dialect.api is Api.RESPONSES:
            return dialect.apply(build_responses_body(request, self.stream, self.conversation))
        return dialect.apply(build_chat_body(request, self.stream))

    def _send(self, request: Mapping[str, Json], dialect: Dialect) -> Completion:
        is_responses = dialect.api is Api.RESPONSES
        # json.dumps escapes everything that is not ASCII.
        content = json.dumps(self._build_body(request, dialect)).encode("ascii")
        text = self._post("/responses" if is_responses else "/chat/completions", content)
        if is_responses:
            answer = _parse_body(text, join_response, parse_response_completion)
        else:
            answer = _parse_body(text, join_stream, parse_chat_completion)
        return replace(answer, without=tuple(sorted(dialect.without)))

    def _post(self, path: str, content: bytes) -> str:
        try:
            return self._create_transport().post(path, content)
        except Refused as refused:
            if self.api_key:  # Some servers quote the key.
                refused.text = refused.text.replace(self.api_key, "***")
            is_transient = refused.status in _RETRYABLE or (
                refused.status >= 500 and refused.status != 501
            )
            if is_transient and not is_out_of_money(Complaint.of(refused)):
                message = f"status {refused.status}: {make_excerpt(refused.text)}"
                raise TransientFault(message, refused.wait) from None
            raise

    def _create_transport(self) -> "HttpTransport":
        try:
            from bridge.agents.servers.transport import HttpTransport
        except ImportError as error:
            raise MissingPackage(
                f"models need the package openai ({error}): pip install 'luban[openai]'"
            ) from error
        return HttpTransport(self.base_url, self.api_key, self.timeout, self.longest)


def _make_final_completion(fault: TransientFault, tries: int, seconds: float) -> Completion:
    """Return an unreadable completion after the last try, or raise if there was no answer."""
    if fault.answered:
        return Completion("", (), "unreadable", Usage(1), tries, seconds)
    raise ModelError(f"no answer after {tries} tries: {fault}") from None


def _parse_body(
    text: str, join: Callable[[str], object], parse: Callable[[object], Completion]
) -> Completion:
    """Return the completion in a body, streamed or not."""
    try:
        document = sanitize_json(join(text) if _is_stream(text) else json.loads(text))
    except BrokenStream as error:
        raise TransientFault(make_excerpt(str(error))) from None
    except json.JSONDecodeError:
        raise TransientFault(f"the answer is no JSON: {make_excerpt(text)}") from None
    except (ValueError, RecursionError) as error:  # Too many digits, or too deeply nested.
        raise TransientFault(f"the answer can't be read: {error}", answered=True) from None
    try:
        return parse(document)
    except BrokenStream as error:
        raise TransientFault(make_excerpt(str(error))) from None
    except (KeyError, IndexError, TypeError, AttributeError):
        raise TransientFault(f"the answer has no message: {make_excerpt(str(document))}") from None


def _is_stream(text: str) -> bool:
    """Return whether a body is server-sent events; some servers ignore the request to stream."""
    return text.lstrip()[:6].startswith(("data:", "event:", ":", "id:", "retry:"))

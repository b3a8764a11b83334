"""Asking a model at a server that speaks the OpenAI protocol.

Needs the extra ``openai``, whose package carries the requests. There are two APIs,
``/chat/completions`` and ``/responses``. A request has the form of the first one and is translated
if the server wants the other, see :mod:`bridge.agents.servers.dialects`.

Faults on the way are tried again: no connection, timeouts, broken answers, and the status codes
408, 409, 429 and 5xx. A server that says when to come back (``Retry-After``) is obeyed, up to a
minute. A refusal is reported in the server's own words.

Whatever a model says is an answer. If it can't be read even when it is asked for again, because it
is too long or nested too deep, it is an answer in which nothing is said: no model may make its own
run fail. Its texts are made harmless here, see :mod:`bridge.episode.sanitize`.
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

_AGAIN = frozenset({408, 409, 429})
_LONGEST_WAIT = 60.0


@dataclass(frozen=True, slots=True)
class ChatClient:
    """A model behind an address.

    Attributes:
        base_url: the part before ``/chat/completions``.
        api_key: sent as a bearer token if it is not empty; written down nowhere.
        timeout: seconds that the server may be silent.
        longest: seconds that an answer may take to come in.
        retries: further tries after a fault.
        pause: seconds before the first retry; each further pause is twice as long.
        api: the API to use; AUTO begins with chat and follows a server that names the other one.
        stream: whether answers are to come in pieces.
        conversation: whether the answers' reasoning is carried into later requests.
        fixed: parameters that the user has set, which are sent even if a server refuses them.
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
            about: the question's name, for whoever keeps answers; not used here.

        Raises:
            ContextFull: there are more words in the request than the model can read.
            ModelRefusal: the server refuses, and would refuse others as well.
            ModelError: the server refuses, or still gives no answer after the last retry.
            MissingPackage: the package ``openai`` is not installed.
        """
        began, faults, tries = time.monotonic(), 0, 0
        model, tried = str(request.get("model")), set[Dialect]()
        while True:
            tries += 1
            dialect = self._dialect(model)
            tried.add(dialect)
            try:
                answer = self._exchange(request, dialect)
                return replace(answer, tries=tries, seconds=time.monotonic() - began)
            except Refused as refused:
                self._learn(Complaint.of(refused), request, dialect, tried)
            except TransientFault as fault:
                faults += 1
                if faults > self.retries:
                    return _last(fault, tries, time.monotonic() - began)
                time.sleep(self._wait(fault, faults))

    def _dialect(self, model: str) -> Dialect:
        known = find_dialect(self.base_url, model)
        known = replace(known, without=known.without - self.fixed)
        return known if self.api is Api.AUTO else replace(known, api=self.api)

    def _learn(
        self,
        complaint: Complaint,
        request: Mapping[str, Json],
        dialect: Dialect,
        tried: set[Dialect],
    ) -> None:
        """Remember what a refusal teaches; raise if it teaches nothing that has not been tried."""
        body = self._body(request, dialect)
        learned = dialect.infer_next(complaint, body, self.fixed, self.api)
        if learned is None:
            raise make_refusal_error(complaint)
        model = str(request.get("model"))
        update_dialect(self.base_url, model, learned)
        if self._dialect(model) in tried:
            raise make_refusal_error(complaint)

    def _wait(self, fault: TransientFault, faults: int) -> float:
        wait = self.pause * 2 ** (faults - 1) if fault.wait is None else fault.wait
        return min(wait, _LONGEST_WAIT)

    def _body(self, request: Mapping[str, Json], dialect: Dialect) -> dict[str, Json]:
        if dialect.api is Api.RESPONSES:
            return dialect.apply(build_responses_body(request, self.stream, self.conversation))
        return dialect.apply(build_chat_body(request, self.stream))

    def _exchange(self, request: Mapping[str, Json], dialect: Dialect) -> Completion:
        responses = dialect.api is Api.RESPONSES
        # Pure ASCII, whatever the texts in it are.
        content = json.dumps(self._body(request, dialect)).encode("ascii")
        text = self._post("/responses" if responses else "/chat/completions", content)
        if responses:
            answer = _read(text, join_response, parse_response_completion)
        else:
            answer = _read(text, join_stream, parse_chat_completion)
        return replace(answer, without=tuple(sorted(dialect.without)))

    def _post(self, path: str, content: bytes) -> str:
        try:
            return self._transport().post(path, content)
        except Refused as refused:
            if self.api_key:  # Some servers quote it.
                refused.text = refused.text.replace(self.api_key, "***")
            again = refused.status in _AGAIN or (refused.status >= 500 and refused.status != 501)
            if again and not is_out_of_money(Complaint.of(refused)):
                message = f"status {refused.status}: {make_excerpt(refused.text)}"
                raise TransientFault(message, refused.wait) from None
            raise

    def _transport(self) -> "HttpTransport":
        try:
            from bridge.agents.servers.transport import HttpTransport
        except ImportError as error:
            raise MissingPackage(
                f"models need the package openai ({error}): pip install 'luban[openai]'"
            ) from error
        return HttpTransport(self.base_url, self.api_key, self.timeout, self.longest)


def _last(fault: TransientFault, tries: int, seconds: float) -> Completion:
    """Return an unreadable answer after the last try, or raise if there was none."""
    if fault.answered:
        return Completion("", (), "unreadable", Usage(1), tries, seconds)
    raise ModelError(f"no answer after {tries} tries: {fault}") from None


def _read(
    text: str, join: Callable[[str], object], complete: Callable[[object], Completion]
) -> Completion:
    """Return the answer in a body, in one piece or in several."""
    try:
        document = sanitize_json(join(text) if _is_stream(text) else json.loads(text))
    except BrokenStream as error:
        raise TransientFault(make_excerpt(str(error))) from None
    except json.JSONDecodeError:
        raise TransientFault(f"the answer is no JSON: {make_excerpt(text)}") from None
    except (ValueError, RecursionError) as error:  # Too many digits, or nested too deep.
        raise TransientFault(f"the answer can't be read: {error}", answered=True) from None
    try:
        return complete(document)
    except BrokenStream as error:
        raise TransientFault(make_excerpt(str(error))) from None
    except (KeyError, IndexError, TypeError, AttributeError):
        raise TransientFault(f"the answer has no message: {make_excerpt(str(document))}") from None


def _is_stream(text: str) -> bool:
    """Whether an answer is server-sent events; not every server that is asked for them has them."""
    return text.lstrip()[:6].startswith(("data:", "event:", ":", "id:", "retry:"))

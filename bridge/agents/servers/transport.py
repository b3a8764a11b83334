"""The connection to a model's server, by the ``openai`` package.

The package joins addresses, builds requests, chooses proxies, and waits. Further
tries are ours, since the package's own end with the first byte of an answer, while an answer that
breaks off has to be asked for again as well. So are the limits on the length of an answer and on
the time that it takes, which the package lacks.

Importing this module imports the package, which takes half a second.
"""

import ssl
import time
from dataclasses import dataclass
from functools import lru_cache
from typing import cast

import httpx2
from openai import APIConnectionError, DefaultHttpxClient, Omit, OpenAI, Stream

from bridge.agents.servers.errors import ModelError, Refused, TransientFault

__all__ = ["HttpTransport"]

MAX_ANSWER_BYTES = 2**24


@dataclass(frozen=True, slots=True)
class HttpTransport:
    """A server, and how long it is waited for.

    Attributes:
        base_url: the part before the name of the API.
        api_key: sent as a bearer token if it is not empty; written down nowhere.
        timeout: seconds that the server may be silent.
        longest: seconds that an answer may take to come in.
    """

    base_url: str
    api_key: str
    timeout: float
    longest: float

    def post(self, path: str, content: bytes) -> str:
        """Send a request; return the body of the answer.

        Raises:
            Refused: the status is not a success.
            TransientFault: the server was not reached, or its answer did not come whole.
            ModelError: the address is none.
        """
        try:
            # The package's types forget that a response is given as it is, and not as a stream.
            posted: object = _client(self).post(
                path,
                cast_to=httpx2.Response,
                content=content,
                # The package insists on a key, but not every server has one: it is signed below.
                options={"headers": {"Authorization": Omit()}},
                stream=True,
                stream_cls=Stream[object],
            )
            response = cast(httpx2.Response, posted)
            try:
                return _body(response, self.longest).decode("utf-8", "replace")
            finally:
                response.close()
        except APIConnectionError as error:
            raise self._fault(error.__cause__ or error) from None
        except (httpx2.RequestError, httpx2.InvalidURL) as error:
            raise self._fault(error) from None

    def _fault(self, error: BaseException) -> Exception:
        if isinstance(error, httpx2.InvalidURL | httpx2.UnsupportedProtocol):
            return ModelError(f"{self.base_url} is no address: {error}")
        return TransientFault(f"{type(error).__name__} {error}".strip())


@lru_cache(maxsize=64)
def _client(transport: HttpTransport) -> OpenAI:
    """Return a client of the package; its threads share it."""

    def refuse(response: httpx2.Response) -> None:
        # Before the package reads it: that has no limit on the length.
        if not response.is_success:
            text = _body(response, transport.longest).decode("utf-8", "replace")
            wait = _seconds(response.headers.get("Retry-After"))
            raise Refused(response.status_code, text, wait)

    key = transport.api_key
    http = DefaultHttpxClient(
        headers={"Authorization": f"Bearer {key}"} if key else {},
        verify=_trusted(),
        timeout=httpx2.Timeout(transport.timeout),
        follow_redirects=False,
        # A server may close a connection while it is idle; a request must not meet that moment.
        limits=httpx2.Limits(max_connections=1000, max_keepalive_connections=0),
        event_hooks={"response": [refuse]},
    )
    return OpenAI(
        api_key="none",
        base_url=transport.base_url,
        timeout=transport.timeout,
        max_retries=0,
        http_client=http,
    )


@lru_cache(maxsize=1)
def _trusted() -> ssl.SSLContext:
    """Trusted authorities; read once, for that takes longer than many an answer."""
    return httpx2.create_ssl_context()


def _body(response: httpx2.Response, longest: float) -> bytes:
    body, until = bytearray(), time.monotonic() + longest
    for chunk in response.iter_bytes():
        body += chunk
        if len(body) > MAX_ANSWER_BYTES:
            message = f"the answer has more than {MAX_ANSWER_BYTES:,} bytes"
            raise TransientFault(message, answered=response.is_success)
        if time.monotonic() > until:
            raise TransientFault(f"the answer was not whole after {longest:g} s")
    return bytes(body)


def _seconds(text: str | None) -> float | None:
    """Return seconds of a ``Retry-After``; None if it is missing or a date."""
    try:
        wait = float(text) if text is not None else -1.0
    except ValueError:
        return None
    return wait if 0 <= wait < float("inf") else None

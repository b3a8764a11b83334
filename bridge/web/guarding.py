"""Access to the pages, and the headers that every answer carries.

On a loopback address only this machine's programs get here, so it is enough to refuse pages of
other sites: by the ``Host`` header, against names that were made to lead here, and by the
``Origin`` of a WebSocket. On other addresses a key is needed as well, which the first address
brings and a cookie keeps.
"""

import secrets
from dataclasses import dataclass
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qs

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from bridge.rpc.keys import is_loopback

__all__ = ["POLICY", "Guard", "GuardMiddleware"]

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""The content-security policy: nothing from elsewhere, and no script or style within a page."""
_HEADERS = {
    "content-security-policy": POLICY,
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
}
_COOKIE = "luban-key"


@dataclass(frozen=True, slots=True)
class Guard:
    """Rules of access of one server.

    Attributes:
        scheme: ``http`` or ``https``.
        key: what a browser has to show; empty for none.
        only_loopback: whether the server is reached by names of this machine alone.
    """

    scheme: str = "http"
    key: str = ""
    only_loopback: bool = True

    def is_host_known(self, headers: Headers) -> bool:
        """Return whether a request was sent to a name that is this server's."""
        host = headers.get("host", "")
        name = host.rpartition(":")[0] if host.rpartition(":")[2].isdigit() else host
        return bool(name) and (not self.only_loopback or is_loopback(name))

    def is_own_page(self, headers: Headers) -> bool:
        """Return whether a WebSocket is opened by a page of this server."""
        return headers.get("origin", "") == f"{self.scheme}://{headers.get('host', '')}"

    def has_key(self, headers: Headers) -> bool:
        """Return whether the cookie holds the key, or none is needed."""
        return not self.key or _matches(_read_cookie(headers), self.key)

    def brings_key(self, query: bytes) -> bool:
        """Return whether an address brings the key."""
        return bool(self.key) and _matches(
            parse_qs(query.decode("latin-1")).get("key", [""])[0], self.key
        )

    def welcome(self) -> Response:
        """Return the answer to an address with the key: a cookie, and the address without it."""
        response = RedirectResponse("/", status_code=303)
        response.set_cookie(
            _COOKIE, self.key, httponly=True, samesite="strict", secure=self.scheme == "https"
        )
        return response


class GuardMiddleware:
    """Refuses strangers, and adds the headers to every answer."""

    def __init__(self, app: ASGIApp, guard: Guard) -> None:
        self._app = app
        self._guard = guard

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request or WebSocket."""
        if scope["type"] == "websocket":
            await self._serve_socket(scope, receive, send)
        elif scope["type"] == "http":
            await self._serve_request(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _serve_socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        guard, headers = self._guard, Headers(scope=scope)
        known = guard.is_host_known(headers) and guard.has_key(headers)
        if known and guard.is_own_page(headers):
            await self._app(scope, receive, send)
        else:
            await send({"type": "websocket.close", "code": 1008, "reason": ""})

    async def _serve_request(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(_HEADERS)
            await send(message)

        guard, headers = self._guard, Headers(scope=scope)
        answer: ASGIApp = self._app
        if not guard.is_host_known(headers):
            answer = PlainTextResponse("This server has another name.\n", 421)
        elif not guard.has_key(headers):
            if guard.brings_key(scope["query_string"]):
                answer = guard.welcome()
            else:
                answer = PlainTextResponse(
                    "Open the address that `luban web` has printed; it holds the key.\n", 401
                )
        await answer(scope, receive, send_guarded)


def _read_cookie(headers: Headers) -> str:
    try:
        cookie = SimpleCookie(headers.get("cookie", ""))
    except CookieError:
        return ""
    return cookie[_COOKIE].value if _COOKIE in cookie else ""


def _matches(shown: str, key: str) -> bool:
    return secrets.compare_digest(shown.encode(), key.encode())

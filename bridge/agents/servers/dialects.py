"""Differences between servers, learned from their refusals and remembered by this process.

A request has parameters that nobody has set: they spare steps where they are understood, and are
left out where they are not. Likewise some models take tools through one of the two APIs only.
"""

import json
import re
import threading
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from bridge.agents.servers.completion import get_mapping
from bridge.agents.servers.errors import Refused
from pysim.field_types import Json

__all__ = ["Api", "Complaint", "Dialect", "find_dialect", "forget_dialects", "update_dialect"]


class Api(StrEnum):
    """An API of a model's server."""

    AUTO = "auto"
    CHAT = "chat"
    RESPONSES = "responses"


@dataclass(frozen=True, slots=True)
class Complaint:
    """A server's words on a request that it refuses.

    Attributes:
        status: of HTTP.
        text: all of it.
        message: its message, if there is one; else all of it.
        param, code: the parameter and the kind of error that it names; empty if it names none.
    """

    status: int
    text: str
    message: str
    param: str = ""
    code: str = ""

    @staticmethod
    def of(refused: Refused) -> "Complaint":
        """Return the complaint in the body of an answer."""
        try:
            document = get_mapping(json.loads(refused.text))
        except (ValueError, RecursionError):
            document = {}
        error = document.get("error")
        inner = get_mapping(error)
        message = error if isinstance(error, str) else inner.get("message")
        return Complaint(
            refused.status,
            refused.text,
            message if isinstance(message, str) else refused.text,
            str(inner.get("param") or ""),
            str(inner.get("code") or ""),
        )


_OPTIONAL: Mapping[str, str] = {
    "tool_choice": r"tool[_ -]?choice",
    "parallel_tool_calls": r"parallel[_ -]?tool",
    "stream_options": r"stream[_ ]options",
    "store": r"""["'`]store["'`]""",
    "include": r"""encrypted[_ ]content|["'`]include["'`]""",
    "temperature": r"temperature",
    "top_p": r"top[_ ]?p\b",
    "reasoning_effort": r"reasoning[_ .]effort",
    "max_tokens": r"\bmax_tokens",
    "max_completion_tokens": r"max_completion_tokens",
}
"""Parameters that a request can do without unless the user insists, and how servers name them."""
_OTHER_API = re.compile(r"\bv1/responses\b|/responses\b|\bresponses api\b", re.IGNORECASE)
_UNKNOWN = re.compile(
    r"(unknown|unsupported|unrecogni[sz]ed|unexpected|extra|additional|not (permitted|supported))"
    r".*(parameter|argument|field|input|propert|keyword)",
    re.IGNORECASE | re.DOTALL,
)
_LEARNED_FROM = frozenset({400, 404, 405, 422, 501})
_LONGEST_TEXT = 20_000
"""Characters of a complaint in which names are looked for."""


@dataclass(frozen=True, slots=True)
class Dialect:
    """Known peculiarities of a model at a server.

    Attributes:
        api: through which it is asked.
        without: parameters that it does not understand.
    """

    api: Api = Api.CHAT
    without: frozenset[str] = frozenset()

    def apply(self, body: Mapping[str, Json]) -> dict[str, Json]:
        """Return a body in this dialect."""
        return {name: value for name, value in body.items() if name not in self.without}

    def infer_next(
        self, complaint: Complaint, body: Mapping[str, Any], fixed: Collection[str], api: Api
    ) -> "Dialect | None":
        """Return the dialect to try after a complaint; None if no other one would help.

        Args:
            body: that was sent.
            fixed: parameters that the user has set.
            api: that the user has set.
        """
        if complaint.status not in _LEARNED_FROM:
            return None
        text = complaint.text[:_LONGEST_TEXT]
        if api is Api.AUTO and self.api is Api.CHAT and _OTHER_API.search(text):
            return Dialect(Api.RESPONSES, self.without)
        ours = {name for name in _OPTIONAL if name in body and name not in fixed}
        named = {name for name in ours if _is_named(name, complaint, text)}
        if not named and _UNKNOWN.search(text) and not _names_other(complaint, body, ours):
            named = ours
        return Dialect(self.api, self.without | named) if named else None


def _is_named(name: str, complaint: Complaint, text: str) -> bool:
    return complaint.param.startswith(name) or bool(re.search(_OPTIONAL[name], text, re.IGNORECASE))


def _names_other(complaint: Complaint, body: Mapping[str, Any], ours: Collection[str]) -> bool:
    """Return whether a complaint is about a parameter that a request can't do without."""
    others = (name for name in body if name not in ours)
    return bool(complaint.param) or any(
        re.search(rf"\b{re.escape(name)}\b", complaint.message) for name in others
    )


@dataclass
class _Memory:
    known: dict[tuple[str, str], Dialect] = field(default_factory=dict)
    lock: threading.Lock = field(default_factory=threading.Lock)


_MEMORY = _Memory()


def find_dialect(base_url: str, model: str) -> Dialect:
    """Return the dialect of a model at a server, as far as it has been learned."""
    with _MEMORY.lock:
        return _MEMORY.known.get((base_url, model), Dialect())


def update_dialect(base_url: str, model: str, learned: Dialect) -> Dialect:
    """Add what was learned to what is known; return both."""
    with _MEMORY.lock:
        known = _MEMORY.known.get((base_url, model), Dialect())
        api = Api.RESPONSES if Api.RESPONSES in (known.api, learned.api) else Api.CHAT
        both = Dialect(api, known.without | learned.without)
        _MEMORY.known[base_url, model] = both
        return both


def forget_dialects() -> None:
    """Forget everything, as if the process had just begun."""
    with _MEMORY.lock:
        _MEMORY.known.clear()

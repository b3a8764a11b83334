"""Numbers of requests, tokens and answers of models."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pysim.field_types import Json

__all__ = ["NO_USAGE", "Usage"]


@dataclass(frozen=True, slots=True)
class Usage:
    """Requests to a model and its tokens, summed up; all zero for agents without a model.

    Attributes:
        calls: answers that were paid for.
        tokens_in, tokens_out: as the provider counted them.
        tokens_cached: of ``tokens_in``, those that the provider had in its own cache.
        tokens_reasoning: of ``tokens_out``, those of reasoning that is not shown.
    """

    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    tokens_cached: int = 0
    tokens_reasoning: int = 0

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(
            self.calls + other.calls,
            self.tokens_in + other.tokens_in,
            self.tokens_out + other.tokens_out,
            self.tokens_cached + other.tokens_cached,
            self.tokens_reasoning + other.tokens_reasoning,
        )

    @property
    def tokens(self) -> int:
        """In and out."""
        return self.tokens_in + self.tokens_out

    def to_note(self) -> dict[str, Json]:
        """As a journal has it; parts that are nothing are left out."""
        parts = {"tokens_cached": self.tokens_cached, "tokens_reasoning": self.tokens_reasoning}
        whole: dict[str, Json] = {"tokens_in": self.tokens_in, "tokens_out": self.tokens_out}
        return whole | {name: count for name, count in parts.items() if count}

    @staticmethod
    def parse_note(noted: Mapping[str, Any]) -> "Usage":
        """Return one call, from what :meth:`to_note` or another package's agent has written.

        Raises:
            KeyError, TypeError, ValueError, OverflowError: it is damaged.
        """
        parts = (int(noted.get(name, 0)) for name in ("tokens_cached", "tokens_reasoning"))
        return Usage(1, int(noted["tokens_in"]), int(noted["tokens_out"]), *parts)


NO_USAGE = Usage()
"""Of agents without a model."""

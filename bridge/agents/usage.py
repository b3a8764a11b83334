"""Counts of requests to models and of their tokens."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pysim.field_types import Json

__all__ = ["NO_USAGE", "Usage"]


@dataclass(frozen=True, slots=True)
class Usage:
    """Totals of requests and tokens; all zero for agents without a model.

    Attributes:
        calls: billed answers.
        tokens_in, tokens_out: as counted by the provider.
        tokens_cached: the part of ``tokens_in`` from the provider's own cache.
        tokens_reasoning: the part of ``tokens_out`` for hidden reasoning.
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
        """Number of input and output tokens."""
        return self.tokens_in + self.tokens_out

    def to_note(self) -> dict[str, Json]:
        """Return the form in a journal; zero parts are omitted."""
        parts = {"tokens_cached": self.tokens_cached, "tokens_reasoning": self.tokens_reasoning}
        totals: dict[str, Json] = {"tokens_in": self.tokens_in, "tokens_out": self.tokens_out}
        return totals | {name: count for name, count in parts.items() if count}

    @staticmethod
    def parse_note(note: Mapping[str, Any]) -> "Usage":
        """Return the usage of one call, as written by :meth:`to_note` or another package's agent.

        Raises:
            KeyError, TypeError, ValueError, OverflowError: the note is malformed.
        """
        parts = (int(note.get(name, 0)) for name in ("tokens_cached", "tokens_reasoning"))
        return Usage(1, int(note["tokens_in"]), int(note["tokens_out"]), *parts)


NO_USAGE = Usage()
"""Usage of agents without a model."""

"""Limits of a run before it stops."""

from dataclasses import dataclass

from bridge.agents.usage import Usage
from bridge.scoring.metrics import Price
from pysim.errors import InputError

__all__ = ["SpendingLimits"]


@dataclass(frozen=True, slots=True)
class SpendingLimits:
    """Tokens, or USD; see :class:`~bridge.agents.usage_meter.SpendingLimit`.

    Attributes:
        tokens: in and out; None for any number.
        usd: None for any sum.
        price: of the model's tokens; None if it is not known.

    Raises:
        InputError: USD can't be counted without a price.
    """

    tokens: int | None = None
    usd: float | None = None
    price: Price | None = None

    def __post_init__(self) -> None:
        if self.usd is not None and self.price is None:
            raise InputError("--max-usd needs the model's price: give --prices a file that has it")

    def is_exceeded(self, usage: Usage) -> bool:
        """Return whether so much is enough."""
        if self.tokens is not None and usage.tokens >= self.tokens:
            return True
        return (
            self.usd is not None
            and self.price is not None
            and self.price.compute_cost(usage) >= self.usd
        )

    def told(self, usage: Usage) -> str:
        """Return the part of the limits that is used up, in words."""
        words = []
        if self.tokens is not None:
            words.append(f"{usage.tokens:,} of {self.tokens:,} tokens")
        if self.usd is not None and self.price is not None:
            words.append(f"{self.price.compute_cost(usage):.2f} of {self.usd:.2f} USD")
        return ", ".join(words)

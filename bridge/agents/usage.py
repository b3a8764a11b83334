"""What models are asked and say, in numbers."""

from dataclasses import dataclass

__all__ = ["NO_USAGE", "Usage"]


@dataclass(frozen=True, slots=True)
class Usage:
    """What a model was asked and said, summed up; all zero for agents without a model.

    Attributes:
        calls: answers that were paid for.
        tokens_in, tokens_out: as the provider counted them.
    """

    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(
            self.calls + other.calls,
            self.tokens_in + other.tokens_in,
            self.tokens_out + other.tokens_out,
        )

    @property
    def tokens(self) -> int:
        """In and out."""
        return self.tokens_in + self.tokens_out


NO_USAGE = Usage()
"""Of agents without a model."""

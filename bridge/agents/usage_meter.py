"""Running total of the tokens that a run has used, and the limit at which the run ends."""

import threading
from typing import Protocol

from bridge.agents.usage import NO_USAGE, Usage

__all__ = ["SpendingLimit", "UsageMeter"]


class SpendingLimit(Protocol):
    """Limit of the tokens or the money that a run may spend."""

    def is_exceeded(self, usage: Usage) -> bool:
        """Return whether this usage reaches the limit."""


class UsageMeter:
    """Running total of a run's usage. Many threads may share one.

    Args:
        allowance: the limit; None for no limit.
        usage: the usage of earlier sessions of the run.
    """

    def __init__(self, allowance: SpendingLimit | None = None, usage: Usage = NO_USAGE) -> None:
        self._allowance = allowance
        self._usage = usage
        self._lock = threading.Lock()

    def count(self, usage: Usage) -> None:
        """Add the usage of one answer."""
        with self._lock:
            self._usage += usage

    @property
    def has_counted(self) -> bool:
        """Whether a model has answered."""
        return self._usage.calls > 0

    @property
    def is_spent(self) -> bool:
        """Whether the limit is reached, so that no further request may be sent."""
        return self._allowance is not None and self._allowance.is_exceeded(self._usage)

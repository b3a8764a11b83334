"""Limits of what one run may request of models, and a meter of what it has requested."""

import threading
from typing import Protocol

from bridge.agents.usage import NO_USAGE, Usage

__all__ = ["SpendingLimit", "UsageMeter"]


class SpendingLimit(Protocol):
    """Limits of a run's costs."""

    def is_exceeded(self, usage: Usage) -> bool:
        """Return whether so much is enough."""


class UsageMeter:
    """Counts what is asked; safe to use from many threads.

    Args:
        allowance: what may be used up; None for any amount.
        usage: what was used up before.
    """

    def __init__(self, allowance: SpendingLimit | None = None, usage: Usage = NO_USAGE) -> None:
        self._allowance = allowance
        self._usage = usage
        self._lock = threading.Lock()

    def count(self, usage: Usage) -> None:
        """Add what was asked."""
        with self._lock:
            self._usage += usage

    @property
    def has_counted(self) -> bool:
        """Whether a model has answered."""
        return self._usage.calls > 0

    @property
    def is_spent(self) -> bool:
        """Whether no more may be asked."""
        return self._allowance is not None and self._allowance.is_exceeded(self._usage)

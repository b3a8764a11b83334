"""Waiting for what will happen."""

import time
from collections.abc import Callable
from typing import TypeVar

__all__ = ["PATIENCE", "wait_for"]

PATIENCE = 300.0
"""Seconds after which something hangs; nothing takes so long, however busy the machine is."""

T = TypeVar("T")


def wait_for(look: Callable[[], T | None]) -> T:
    """What ``look`` gives as soon as it gives something."""
    limit = time.monotonic() + PATIENCE
    while (found := look()) is None:
        assert time.monotonic() < limit, "it did not happen"
        time.sleep(0.02)
    return found

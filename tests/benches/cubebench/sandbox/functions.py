"""What code in the tests' sandboxes may call."""

import numpy as np

from bridge.benches.cubebench.sandbox.interpreter import CallRefused, Value

__all__ = ["FUNCTIONS", "PICTURE"]

PICTURE = np.arange(2 * 3 * 3, dtype=np.uint8).reshape(2, 3, 3)


def double(number: object) -> Value:
    """Twice a whole number."""
    if not isinstance(number, int):
        raise CallRefused(f"{number!r} is no whole number")
    return 2 * number


def look() -> Value:
    """A picture."""
    return PICTURE


FUNCTIONS = {"double": double, "look": look}

"""How long this process interprets kernels, set for a test."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from pysim import kernels

__all__ = ["interpreting"]


@contextmanager
def interpreting(seconds: float) -> Iterator[None]:
    """Interpret kernels for some seconds from now on, then call them compiled."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kernels, "INTERPRETED_SECONDS", seconds)
        patch.setattr(kernels, "LINKED_SECONDS", seconds)
        patch.setattr(kernels, "_spent", [0.0])
        patch.setattr(kernels, "_linked", [False])
        yield

"""What tests need that is not there on every machine."""

import pytest

from pysim.physics.factory import why_unavailable, worlds

__all__ = ["needs_pybullet", "skip_what_needs_pybullet", "usable_worlds"]

_MISSING = why_unavailable("bullet")

needs_pybullet = pytest.mark.skipif(bool(_MISSING), reason=_MISSING)


def usable_worlds() -> tuple[str, ...]:
    """The names of the worlds that can be made here."""
    return tuple(name for name in worlds() if not why_unavailable(name))


def skip_what_needs_pybullet(items: list[pytest.Item]) -> None:
    """Mark the tests that run once for each world or renderer, for those of PyBullet."""
    for item in items:
        if {"bullet", "tiny"} & _texts(item):
            item.add_marker(needs_pybullet)


def _texts(item: pytest.Item) -> set[str]:
    """The texts among a test's parameters."""
    spec = getattr(item, "callspec", None)
    return {value for value in spec.params.values() if isinstance(value, str)} if spec else set()

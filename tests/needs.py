"""What tests need that is not there on every machine."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from pysim.physics.factory import explain_unavailable, list_worlds
from pysim.render.factory import create_renderer
from pysim.render.renderer import Renderer, RendererUnavailable

__all__ = [
    "QUICK_RENDERER",
    "needs_pybullet",
    "skip_what_needs_pybullet",
    "usable_renderer",
    "usable_worlds",
]

_MISSING = explain_unavailable("bullet")

QUICK_RENDERER = "auto" if _MISSING else "tiny"
"""Starts soonest."""

needs_pybullet = pytest.mark.skipif(bool(_MISSING), reason=_MISSING)


def usable_worlds() -> tuple[str, ...]:
    """The names of the worlds that can be made here."""
    return tuple(name for name in list_worlds() if not explain_unavailable(name))


@contextmanager
def usable_renderer(kind: str = "auto") -> Iterator[Renderer]:
    """A renderer; what needs it is skipped where it can't be had."""
    try:
        made, _ = create_renderer(kind)
    except RendererUnavailable as error:
        pytest.skip(f"NOT TESTED: no renderer can be used here: {error}")
    try:
        yield made
    finally:
        made.close()


def skip_what_needs_pybullet(items: list[pytest.Item]) -> None:
    """Mark the tests that run once for each world or renderer, for those of PyBullet."""
    for item in items:
        if {"bullet", "tiny"} & _texts(item):
            item.add_marker(needs_pybullet)


def _texts(item: pytest.Item) -> set[str]:
    """The texts among a test's parameters."""
    spec = getattr(item, "callspec", None)
    return {value for value in spec.params.values() if isinstance(value, str)} if spec else set()

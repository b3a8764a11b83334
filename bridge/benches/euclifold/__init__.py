"""EucliFold: statements about cubes with arrows and their nets. See ``docs/euclifold.md``."""

from typing import TYPE_CHECKING

__all__ = ["BENCH"]

if TYPE_CHECKING:
    from bridge.benches.euclifold.bench import BENCH


def __getattr__(name: str) -> object:
    if name != "BENCH":
        raise AttributeError(name)
    from bridge.benches.euclifold.bench import BENCH

    return BENCH

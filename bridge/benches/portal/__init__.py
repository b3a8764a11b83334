"""M-Portal: plans for chambers, to be checked and completed. See ``docs/portal.md``."""

from typing import TYPE_CHECKING

__all__ = ["BENCH"]

if TYPE_CHECKING:
    from bridge.benches.portal.bench import BENCH


def __getattr__(name: str) -> object:
    if name != "BENCH":
        raise AttributeError(name)
    from bridge.benches.portal.bench import BENCH

    return BENCH

"""CubeBench's protocol, tools, agents and tables for Rubik's cubes.

Paper: "CubeBench: Diagnosing Interactive, Long-Horizon Spatial Reasoning under Partial
Observations". See ``docs/cubebench.md``.
"""

from typing import TYPE_CHECKING

__all__ = ["BENCH"]

if TYPE_CHECKING:
    from bridge.benches.cubebench.bench import BENCH


def __getattr__(name: str) -> object:
    # The sandbox is in this package, and starts quicker without all the rest.
    if name != "BENCH":
        raise AttributeError(name)
    from bridge.benches.cubebench.bench import BENCH

    return BENCH

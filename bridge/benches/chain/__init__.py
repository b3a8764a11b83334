"""CHAIN: locks and boxes, played step by step, in one answer, or searched through.

Paper: "CHAIN", sections 2 and 3. It plays what no other bench claims.
"""

from typing import TYPE_CHECKING

__all__ = ["BENCH"]

if TYPE_CHECKING:
    from bridge.benches.chain.bench import BENCH


def __getattr__(name: str) -> object:
    if name != "BENCH":
        raise AttributeError(name)
    from bridge.benches.chain.bench import BENCH

    return BENCH

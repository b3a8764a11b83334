"""Cube Bench: questions about Rubik's cubes, in seven tasks. See ``docs/cube-bench.md``."""

from typing import TYPE_CHECKING

__all__ = ["BENCH"]

if TYPE_CHECKING:
    from bridge.benches.cube_bench.bench import BENCH


def __getattr__(name: str) -> object:
    if name != "BENCH":
        raise AttributeError(name)
    from bridge.benches.cube_bench.bench import BENCH

    return BENCH

"""M-Cube of MARBLE: questions about hollow cubes of six jigsaw pieces. See ``docs/jigsaw.md``."""

from typing import TYPE_CHECKING

__all__ = ["BENCH"]

if TYPE_CHECKING:
    from bridge.benches.mcube.bench import BENCH


def __getattr__(name: str) -> object:
    if name != "BENCH":
        raise AttributeError(name)
    from bridge.benches.mcube.bench import BENCH

    return BENCH

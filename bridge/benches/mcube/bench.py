"""M-Cube as a bench."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import ClassVar

from bridge.benches.mcube.options import MCubeOptions
from bridge.benches.mcube.suite import SUITES, MCubeSuite
from bridge.items.suites import ItemSuite

__all__ = ["BENCH"]


@dataclass(frozen=True, slots=True)
class MCube:
    """See :class:`~bridge.items.suites.Asker`."""

    name: str = "mcube"
    title: str = "M-Cube of MARBLE: jigsaw cubes, seen, read and put together"
    suites: Mapping[str, str] = field(
        default_factory=lambda: {name.replace("-", "_"): name for name in SUITES}
    )
    options: ClassVar[type[MCubeOptions]] = MCubeOptions
    item_suites: Mapping[str, Callable[[], ItemSuite]] = field(
        default_factory=lambda: {name: partial(MCubeSuite, name) for name in SUITES}
    )


BENCH = MCube()

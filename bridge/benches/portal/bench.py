"""M-Portal as a bench."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import ClassVar

from bridge.benches.portal.options import PortalOptions
from bridge.benches.portal.suite import SUITES, PortalSuite
from bridge.items.suites import ItemSuite

__all__ = ["BENCH"]


@dataclass(frozen=True, slots=True)
class MPortal:
    """See :class:`~bridge.items.suites.Asker`."""

    name: str = "portal"
    title: str = "M-Portal of MARBLE: plans for chambers with gates, checked and completed"
    suites: Mapping[str, str] = field(
        default_factory=lambda: {name.replace("-", "_"): name for name in SUITES}
    )
    options: ClassVar[type[PortalOptions]] = PortalOptions
    item_suites: Mapping[str, Callable[[], ItemSuite]] = field(
        default_factory=lambda: {name: partial(PortalSuite, name) for name in SUITES}
    )


BENCH = MPortal()

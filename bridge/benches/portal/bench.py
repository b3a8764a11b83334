"""M-Portal as a bench."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import ClassVar

from bridge.benches.portal.options import PortalOptions
from bridge.benches.portal.suite import SUITES, PortalSuite
from bridge.items.suites import ItemSuite
from bridge.runs.manifests import MANIFEST_NAME, read_manifest
from bridge.runs.presets import Preset

__all__ = ["BENCH"]

MANIFEST = read_manifest("portal", Path(__file__).with_name(MANIFEST_NAME))

PAPER = Preset(
    source="MARBLE (appendix, Table 4)",
    options={"observation": "pictures"},
    agent={"temperature": "0", "max_completion_tokens": "16000"},
    remarks=(
        "the paper sets temperature 0 and 16,000 tokens for models without reasoning, and gives "
        "reasoning models an effort and up to 40,000 tokens: see its Table 4",
    ),
)


@dataclass(frozen=True, slots=True)
class MPortal:
    """See :class:`~bridge.items.suites.Asker`."""

    name: str = MANIFEST.name
    title: str = MANIFEST.title
    suites: Mapping[str, str] = field(default_factory=lambda: MANIFEST.suites)
    options: ClassVar[type[PortalOptions]] = PortalOptions
    presets: Mapping[str, Preset] = field(default_factory=lambda: {"paper": PAPER})
    item_suites: Mapping[str, Callable[[], ItemSuite]] = field(
        default_factory=lambda: {name: partial(PortalSuite, name) for name in SUITES}
    )


BENCH = MPortal()

"""EucliFold as a bench."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar

from bridge.benches.euclifold.options import EuclifoldOptions
from bridge.benches.euclifold.suite import EuclifoldSuite
from bridge.items.suites import ItemSuite
from bridge.runs.manifests import MANIFEST_NAME, read_manifest
from bridge.runs.presets import Preset, Variant

__all__ = ["BENCH"]

MANIFEST = read_manifest("euclifold", Path(__file__).with_name(MANIFEST_NAME))

PAPER = Preset(
    source="EucliFold (appendix D)",
    options={"look": "matplotlib"},
    agent={"temperature": "0"},
    variants=(
        Variant("prompting", "direct", agent={"temperature": "1"}),
        Variant("agent", "human", options={"protocol": "people"}),
    ),
)


@dataclass(frozen=True, slots=True)
class Euclifold:
    """See :class:`~bridge.items.suites.Asker`."""

    name: str = MANIFEST.name
    title: str = MANIFEST.title
    suites: Mapping[str, str] = field(default_factory=lambda: MANIFEST.suites)
    options: ClassVar[type[EuclifoldOptions]] = EuclifoldOptions
    presets: Mapping[str, Preset] = field(default_factory=lambda: {"paper": PAPER})
    item_suites: Mapping[str, Callable[[], ItemSuite]] = field(
        default_factory=lambda: {"euclifold": EuclifoldSuite}
    )


BENCH = Euclifold()

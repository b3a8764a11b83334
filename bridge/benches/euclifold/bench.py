"""EucliFold as a bench."""

from pathlib import Path

from bridge.benches.euclifold.options import EuclifoldOptions
from bridge.benches.euclifold.suite import EuclifoldSuite
from bridge.items.bench import ItemBench
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


BENCH = ItemBench(
    manifest=MANIFEST,
    options=EuclifoldOptions,
    presets={"paper": PAPER},
    item_suites={"euclifold": EuclifoldSuite},
)

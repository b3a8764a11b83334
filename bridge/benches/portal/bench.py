"""M-Portal as a bench."""

from functools import partial
from pathlib import Path

from bridge.benches.portal.options import PortalOptions
from bridge.benches.portal.suite import SUITES, PortalSuite
from bridge.items.bench import ItemBench
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


BENCH = ItemBench(
    manifest=MANIFEST,
    options=PortalOptions,
    presets={"paper": PAPER},
    item_suites={name: partial(PortalSuite, name) for name in SUITES},
)

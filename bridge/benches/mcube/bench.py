"""The M-Cube bench: its suites, options and presets."""

from functools import partial
from pathlib import Path

from bridge.benches.mcube.options import MCubeOptions
from bridge.benches.mcube.suite import SUITES, MCubeSuite
from bridge.items.bench import ItemBench
from bridge.runs.declared_bench import FileImporter
from bridge.runs.manifests import MANIFEST_NAME, read_manifest
from bridge.runs.presets import Preset

__all__ = ["BENCH"]

MANIFEST = read_manifest("mcube", Path(__file__).with_name(MANIFEST_NAME))

PAPER = Preset(
    source="MARBLE (appendix, Table 4)",
    options={"look": "paper"},
    agent={"temperature": "0", "max_completion_tokens": "16000"},
    remarks=(
        "the paper sets temperature 0 and 16,000 tokens for models without reasoning, and gives "
        "reasoning models an effort and up to 40,000 tokens: see its Table 4",
    ),
)


BENCH = ItemBench(
    manifest=MANIFEST,
    options=MCubeOptions,
    presets={"paper": PAPER},
    importer=FileImporter((".json", ".jsonl"), "bridge.benches.mcube.importing:import_cubes"),
    item_suites={name: partial(MCubeSuite, name) for name in SUITES},
)

"""Definition of Cube Bench: its suites, options and presets."""

from pathlib import Path

from bridge.benches.cube_bench.options import CubeBenchOptions
from bridge.benches.cube_bench.suite import CubeBenchSuite
from bridge.items.bench import ItemBench
from bridge.runs.declared_bench import FileImporter
from bridge.runs.manifests import MANIFEST_NAME, read_manifest
from bridge.runs.presets import Preset

__all__ = ["BENCH"]

MANIFEST = read_manifest("cube_bench", Path(__file__).with_name(MANIFEST_NAME))

PAPER = Preset(
    source="Cube Bench (Anand and Shareghi, section 4.1)",
    options={"colors": "paper"},
    agent={"temperature": "0"},
    remarks=(
        "reflections of the paper are sampled, and temperature 0 holds for all other tasks; give "
        "--set temperature=T for reflections",
    ),
)


BENCH = ItemBench(
    manifest=MANIFEST,
    options=CubeBenchOptions,
    presets={"paper": PAPER},
    importer=FileImporter(
        (".json", ".jsonl"), "bridge.benches.cube_bench.importing:import_samples"
    ),
    item_suites={"cube-bench": CubeBenchSuite},
)

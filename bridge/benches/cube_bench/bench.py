"""Definition of Cube Bench: its suites, options and presets."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar

from bridge.benches.cube_bench.options import CubeBenchOptions
from bridge.benches.cube_bench.suite import CubeBenchSuite
from bridge.items.suites import ItemSuite
from bridge.runs.importing import AuthorFile, Imported
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


@dataclass(frozen=True, slots=True)
class CubeBenchItems:
    """The bench; see :class:`~bridge.items.suites.Asker`."""

    name: str = MANIFEST.name
    title: str = MANIFEST.title
    suites: Mapping[str, str] = field(default_factory=lambda: MANIFEST.suites)
    options: ClassVar[type[CubeBenchOptions]] = CubeBenchOptions
    presets: Mapping[str, Preset] = field(default_factory=lambda: {"paper": PAPER})
    item_suites: Mapping[str, Callable[[], ItemSuite]] = field(
        default_factory=lambda: {"cube-bench": CubeBenchSuite}
    )
    reads: Sequence[str] = (".json", ".jsonl")
    reads_designs: bool = False
    former_names: Sequence[str] = MANIFEST.former_names

    def import_files(self, files: Sequence[AuthorFile], name: str) -> Imported:
        """Import samples of the paper's generator; see :class:`~bridge.runs.importing.Importer`."""
        from bridge.benches.cube_bench.importing import import_samples

        return import_samples(files)


BENCH = CubeBenchItems()

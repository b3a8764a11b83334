"""The M-Cube bench: its suites, options and presets."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import ClassVar

from bridge.benches.mcube.options import MCubeOptions
from bridge.benches.mcube.suite import SUITES, MCubeSuite
from bridge.items.suites import ItemSuite
from bridge.runs.importing import AuthorFile, Imported
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


@dataclass(frozen=True, slots=True)
class MCube:
    """The M-Cube bench; see :class:`~bridge.items.suites.Asker`."""

    name: str = MANIFEST.name
    title: str = MANIFEST.title
    suites: Mapping[str, str] = field(default_factory=lambda: MANIFEST.suites)
    options: ClassVar[type[MCubeOptions]] = MCubeOptions
    presets: Mapping[str, Preset] = field(default_factory=lambda: {"paper": PAPER})
    item_suites: Mapping[str, Callable[[], ItemSuite]] = field(
        default_factory=lambda: {name: partial(MCubeSuite, name) for name in SUITES}
    )
    reads: Sequence[str] = (".json", ".jsonl")
    reads_designs: bool = False

    def import_files(self, files: Sequence[AuthorFile], name: str) -> Imported:
        """Import rows of the data set; see :class:`~bridge.runs.importing.Importer`."""
        from bridge.benches.mcube.importing import import_cubes

        return import_cubes(files)


BENCH = MCube()

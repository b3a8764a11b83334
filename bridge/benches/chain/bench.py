"""CHAIN as a bench."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from bridge.benches.chain.tables import make_tables
from bridge.recording.log import Log
from bridge.report.parts import Exhibit, ReportedRun, Table
from bridge.runs.declared_bench import FileImporter, LevelBench
from bridge.runs.manifests import MANIFEST_NAME, read_manifest
from bridge.runs.play import Mode
from bridge.runs.presets import Preset, Variant
from bridge.runs.protocol import Measures, Play
from bridge.runs.results import EpisodeResult
from bridge.runs.settings import RunSettings
from bridge.scoring.selection.direct import (
    add_search,
    describe_direct,
    make_direct_play,
)
from bridge.scoring.selection.options import DirectOptions
from pysim.catalog import AnyLevel

__all__ = ["BENCH"]

MANIFEST = read_manifest("chain", Path(__file__).with_name(MANIFEST_NAME))

PAPER = Preset(
    source="CHAIN (Wu et al., section 3.1)",
    options={"observation": "image", "history": "5", "most_budget": "60"},
    agent={"temperature": "0.6", "top_p": "0.95"},
    variants=(Variant("mode", Mode.ONE_SHOT.value, options={"views": "single"}),),
    remarks=(
        "the paper's budgets are 30 to 60 steps; levels here have their own, 60 at most",
        "the paper's levels and cameras are not public; these are others",
    ),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Chain(LevelBench):
    """See :class:`~bridge.runs.protocol.PlayedBench` and :class:`~bridge.report.parts.Reporter`."""

    modes: Sequence[str] = tuple(Mode)

    def plays(self, level: AnyLevel) -> bool:
        """Return any level."""
        return True

    def configured(self, settings: RunSettings, options: DirectOptions) -> RunSettings:
        """With the search, if there is to be one."""
        return add_search(settings, options)

    def check(self, settings: RunSettings, levels: Sequence[AnyLevel]) -> None:
        """Every level fits."""

    def play(self, settings: RunSettings) -> Play:
        """Step by step, at once, or searched for."""
        return make_direct_play(settings)

    def describe(self, settings: RunSettings) -> str:
        """Return the mode, and in a search how wide it is."""
        return describe_direct(settings)

    def measure(self, log: Log) -> Measures:
        """Return nothing besides what is measured of every episode."""
        return {}

    def sections(self, runs: Sequence[ReportedRun]) -> Iterable[Exhibit]:
        """Return the paper's Tables 1 to 4."""
        return make_tables(runs)

    def document(self, results: Sequence[EpisodeResult]) -> Mapping[str, object] | None:
        """Return nothing besides what is known of every run."""
        return None

    def summary(self, results: Sequence[EpisodeResult]) -> Table | None:
        """Return nothing besides what is known of every run."""
        return None


BENCH = Chain(
    manifest=MANIFEST,
    options=DirectOptions,
    presets={"paper": PAPER},
    importer=FileImporter(
        (".json", ".jsonl"), "bridge.benches.chain.importing:import_boxes", reads_designs=True
    ),
)

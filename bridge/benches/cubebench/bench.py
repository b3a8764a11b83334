"""CubeBench as a bench."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from bridge.benches.cubebench.measures import make_document
from bridge.benches.cubebench.options import CubeMode, CubeOptions
from bridge.benches.cubebench.protocol import (
    PROTOCOL,
    TurnMode,
    TurnProtocol,
    read_protocol,
)
from bridge.benches.cubebench.results import measure
from bridge.benches.cubebench.sandbox.interpreter import check_sandbox
from bridge.benches.cubebench.session import TurnPlay
from bridge.benches.cubebench.tables import make_summary_table, make_tables
from bridge.episode.records import Feedback, Obs
from bridge.recording.log import Log
from bridge.report.parts import Exhibit, ReportedRun, Table
from bridge.runs.declared_bench import FileImporter, LevelBench
from bridge.runs.folders import RunError
from bridge.runs.manifests import MANIFEST_NAME, read_manifest
from bridge.runs.presets import Preset
from bridge.runs.protocol import Measures, Play
from bridge.runs.results import EpisodeResult
from bridge.runs.settings import RunSettings
from bridge.scoring.selection.direct import (
    add_search,
    describe_direct,
    make_direct_play,
)
from pysim.catalog import AnyLevel
from pysim.families.rubik.puzzle import CubePuzzle

__all__ = ["BENCH"]


MANIFEST = read_manifest("cubebench", Path(__file__).with_name(MANIFEST_NAME))

PAPER = Preset(
    source="CubeBench (section 3.2)",
    options={"mode": TurnMode.CODE.value, "turns": "20", "seconds": "1800"},
    remarks=("the paper gives no sampling; the server's own is used",),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class CubeBench(LevelBench):
    """See :class:`~bridge.runs.protocol.PlayedBench` and :class:`~bridge.report.parts.Reporter`."""

    modes: Sequence[str] = tuple(CubeMode)

    def plays(self, level: AnyLevel) -> bool:
        """Rubik's cubes."""
        return isinstance(level.puzzle, CubePuzzle)

    def configured(self, settings: RunSettings, options: CubeOptions) -> RunSettings:
        """With the turns, or with the search, if there is to be one."""
        turns = options.make_protocol()
        if settings.mode in list(TurnMode):
            settings = replace(settings, extras={**settings.extras, PROTOCOL: asdict(turns)})
        elif turns != TurnProtocol():
            raise RunError(
                "--setup, --reward, --turns, --seconds and --sandbox go with --mode code or no-code"
            )
        return add_search(settings, options)

    def check(self, settings: RunSettings, levels: Sequence[AnyLevel]) -> None:
        """Turns are for cubes, which say themselves what is seen; code needs its sandbox."""
        turns = read_protocol(settings)
        if turns is None:
            return
        other = next((level for level in levels if not self.plays(level)), None)
        if other is not None:
            raise RunError(f"--mode {settings.mode} is for Rubik's cubes; {other.id} is none")
        if settings.obs is not Obs.IMAGE_STATE:
            raise RunError(
                f"in --mode {settings.mode} the level determines the observation: "
                "leave out --observation"
            )
        if settings.feedback is not Feedback.FULL:
            raise RunError(
                f"in --mode {settings.mode} --reward replaces feedback: leave out --feedback"
            )
        if settings.mode == TurnMode.CODE:
            check_sandbox(turns.sandbox)

    def play(self, settings: RunSettings) -> Play:
        """In turns, or directly."""
        turns = read_protocol(settings)
        return (
            make_direct_play(settings)
            if turns is None
            else TurnPlay(TurnMode(settings.mode), turns)
        )

    def describe(self, settings: RunSettings) -> str:
        """Return the mode; in turns, also what the agent had."""
        turns = read_protocol(settings)
        if turns is None:
            told = ", in letters" if settings.obs is Obs.STATE else ""
            return f"{describe_direct(settings)}{told}"
        return f"{settings.mode}: {turns.setup}, reward {turns.reward}"

    def measure(self, log: Log) -> Measures:
        """Setting, depth, moves and end of cubes of known depth."""
        return measure(log)

    def sections(self, runs: Sequence[ReportedRun]) -> Iterable[Exhibit]:
        """Return the paper's Tables 2 to 6 and the figures of its appendix E."""
        return make_tables(runs)

    def document(self, results: Sequence[EpisodeResult]) -> Mapping[str, object] | None:
        """Efforts by setting, horizon and depth."""
        return make_document(results)

    def summary(self, results: Sequence[EpisodeResult]) -> Table | None:
        """Efforts by setting and horizon, if cubes were played."""
        return make_summary_table(results)


BENCH = CubeBench(
    manifest=MANIFEST,
    options=CubeOptions,
    presets={"paper": PAPER},
    importer=FileImporter(
        (".json", ".jsonl", ".txt"), "bridge.benches.cubebench.importing:import_states"
    ),
)

"""The seam between the floors that run, score and report, and the benches that say what is run.

A bench is one published benchmark: a folder of :mod:`bridge.benches`, or an entry point of the
group ``luban.benches`` in another package. It offers what it has, and leaves out what it has not:

- a bench whose levels are played is a :class:`PlayedBench`;
- one that asks questions offers suites of items (:mod:`bridge.items.suites`);
- one with tables and figures of its own offers sections of the report (:mod:`bridge.report.parts`).
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Protocol, TypeVar, runtime_checkable

from bridge.agents.journal import Journal
from bridge.agents.protocol import Agent
from bridge.episode.episode import Episode
from bridge.episode.records import Ending, Options
from bridge.recording.log import Log
from bridge.runs.folders import RunError
from bridge.runs.manifests import find_named_manifest, list_manifests
from bridge.runs.results import Measures
from bridge.runs.settings import RunSettings
from pysim.catalog import AnyLevel
from pysim.discovery import DiscoveryError, EntryPoints, discover_entry_points

__all__ = [
    "Attempt",
    "Bench",
    "Measures",
    "Play",
    "PlayedBench",
    "find_bench",
    "find_bench_of_run",
    "load_benches",
    "make_play",
    "measure_log",
    "select_benches",
]


@dataclass(frozen=True, slots=True)
class Attempt:
    """One attempt at a level, about to begin.

    Attributes:
        level: what is played.
        episode: of that level, at its start.
        agent: who plays.
        settings: of the run.
        seed: for whatever draws random numbers.
        journal: of the agent.
        folder: of the episode; a play may write files of its own beside the log.
        stopped: asked again and again whether to stop; PlayStopped is raised if so.
    """

    level: AnyLevel
    episode: Episode
    agent: Agent
    settings: RunSettings
    seed: int
    journal: Journal
    folder: Path
    stopped: Callable[[], bool]


class Play(Protocol):
    """Play of an attempt; sent to worker processes."""

    def options(self, level: AnyLevel, options: Options) -> Options:
        """Return the options of an episode, of those that the run has."""

    def perform(self, attempt: Attempt) -> Ending:
        """Let the agent act until the episode is over.

        Raises:
            PlayStopped: somebody wants play to stop.
            InputError: the agent can't play so.
        """


class Bench(Protocol):
    """Description that every bench has.

    Attributes:
        name: of its folder or entry point.
        title: what people call it, with the paper that it comes from.
        suites: its suites by a short name, the main one first.
        options: a frozen dataclass of its own options; each field has its help as
            ``metadata={"help": ...}`` and a default. ``luban eval`` makes its options of them.
    """

    name: str
    title: str
    suites: Mapping[str, str]
    options: type[Any]


@runtime_checkable
class PlayedBench(Bench, Protocol):
    """A bench whose levels are played.

    Attributes:
        modes: how its agents may be asked, the usual one first.
        extras: the keys of :attr:`~bridge.runs.settings.RunSettings.extras` that it may set.
        columns: of what it measures, unlike those of every other bench.
        general: whether it plays what no other bench claims.
    """

    modes: Sequence[str]
    extras: Sequence[str]
    columns: Sequence[str]
    general: bool

    def plays(self, level: AnyLevel) -> bool:
        """Return whether a level that is named without a suite is played as this bench plays."""

    def configured(self, settings: RunSettings, options: Any) -> RunSettings:
        """Return the settings of a run with these options, of those that every bench shares.

        Raises:
            InputError: an option makes no sense, or does not go with another.
        """

    def check(self, settings: RunSettings, levels: Sequence[AnyLevel]) -> None:
        """Say what does not fit together before anything is played.

        Raises:
            LubanError: a level, the mode or this machine does not fit.
        """

    def play(self, settings: RunSettings) -> Play:
        """Return the play of a run's attempts.

        Raises:
            InputError: the settings are damaged.
        """

    def describe(self, settings: RunSettings) -> str:
        """The mode, and what else tells runs of this bench apart, in a few words for tables."""

    def measure(self, log: Log) -> Measures:
        """Measure an episode that has ended, by column; empty for strange levels."""


Offered = TypeVar("Offered")


@cache
def load_benches() -> Mapping[str, Bench]:
    """Return every bench that is installed, by name; those that play any level come first.

    A bench is loaded when it is looked up, and no other with it.

    Raises:
        DiscoveryError: two have the same name; or, when one is looked up, it can't be loaded.
    """
    points = discover_entry_points(
        "luban.benches", package="bridge.benches", module="bench", attribute="BENCH"
    )
    return EntryPoints({name: points[name] for name in list_manifests()}, _checked)


def find_bench(name: str) -> Bench | None:
    """Return the bench of a name or of one of its former names; None if there is none."""
    manifest = find_named_manifest(name)
    return None if manifest is None else load_benches()[manifest.name]


def select_benches(kind: type[Offered], families: Iterable[str] | None = None) -> list[Offered]:
    """Return the benches that offer something, as :class:`PlayedBench`.

    Args:
        kind: what is offered.
        families: only those benches, and no other is loaded, that may play levels of one of these;
            None for all.
    """
    wanted = None if families is None else tuple(families)
    able = (m for m in list_manifests().values() if wanted is None or any(map(m.may_play, wanted)))
    found = (load_benches()[manifest.name] for manifest in able)
    return [bench for bench in found if isinstance(bench, kind)]


def find_bench_of_run(settings: RunSettings) -> PlayedBench:
    """Return the bench of a run; of runs that name none, the first that has its mode.

    Raises:
        RunError: that bench is not installed.
    """
    if settings.bench in list_manifests():
        named = load_benches()[settings.bench]
        if isinstance(named, PlayedBench):
            return named
    played = select_benches(PlayedBench)
    for bench in played:
        if not settings.bench and settings.mode in bench.modes:
            return bench
    known = ", ".join(bench.name for bench in played)
    raise RunError(
        f"there is no bench {settings.bench or 'with the mode ' + settings.mode!r} here; "
        f"there are {known}"
    )


def make_play(settings: RunSettings) -> Play:
    """Make the play of a run's attempts.

    Raises:
        RunError: its bench is not installed.
        InputError: the settings are damaged.
    """
    return find_bench_of_run(settings).play(settings)


def measure_log(log: Log) -> Measures:
    """Measure an episode by all benches that may play levels of its family."""
    played = select_benches(PlayedBench, [log.header.level.family])
    return {name: value for bench in played for name, value in bench.measure(log).items()}


def _checked(name: str, thing: object) -> Bench:
    if any(not hasattr(thing, part) for part in ("name", "title", "suites", "options")):
        raise DiscoveryError(f"{name!r} is no bench: it lacks a name, a title, suites or options")
    bench: Bench = thing  # type: ignore[assignment]
    if bench.name != name:
        raise DiscoveryError(f"the bench {name!r} calls itself {bench.name!r}")
    return bench

"""Contract of benches."""

import dataclasses
import json
import re
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, ClassVar

import pytest

from bridge.agents.journal import Journal
from bridge.agents.registry import create_agent
from bridge.episode.episode import Episode
from bridge.episode.records import Obs
from bridge.recording.log import EpisodeLog, Log, read_log
from bridge.report.parts import Reporter
from bridge.runs.manifests import list_manifests
from bridge.runs.options import PlayOptions
from bridge.runs.protocol import Attempt, Bench, PlayedBench, load_benches
from bridge.runs.settings import RunSettings
from luban.testing.contract import Contract, check, is_frozen
from pysim.catalog import AnyLevel, list_shipped_levels
from pysim.level_selection import select_levels
from pysim.suites import list_suites

__all__ = ["BenchContract", "check_bench"]


class BenchContract(Contract):
    """The tests of a bench.

    Attributes:
        bench: its name.
    """

    bench: ClassVar[str]

    def test_a_bench_is_found_by_its_name_and_says_what_it_is(self) -> None:
        bench = load_benches()[self.bench]
        assert bench.name == self.bench and re.fullmatch(r"[a-z][a-z0-9_]*", bench.name)
        assert len(bench.title) > 3 and bench.suites
        known = {*list_suites(), *getattr(bench, "item_suites", ())}
        strange = set(bench.suites.values()) - known
        assert not strange, f"these are no suites: {strange}; there are {sorted(known)}"

    def test_manifest_and_bench_say_the_same(self) -> None:
        bench, manifest = load_benches()[self.bench], list_manifests()[self.bench]
        assert (manifest.name, manifest.title) == (bench.name, bench.title)
        assert dict(manifest.suites) == dict(bench.suites)
        assert manifest.options.load() is bench.options
        assert manifest.former_names == tuple(getattr(bench, "former_names", ()))
        assert manifest.columns == tuple(getattr(bench, "columns", ()))
        assert manifest.extras == tuple(getattr(bench, "extras", ()))
        assert manifest.is_general == getattr(bench, "general", False)
        if isinstance(bench, PlayedBench) and manifest.plays is not None:
            levels = {level.family: level for level in list_shipped_levels()}.values()
            assert all(bench.plays(one) == manifest.may_play(one.family) for one in levels)

    def test_options_are_a_frozen_dataclass_in_which_all_have_help_and_a_default(self) -> None:
        options = load_benches()[self.bench].options
        assert dataclasses.is_dataclass(options)
        assert is_frozen(options)
        for field in dataclasses.fields(options):
            assert field.metadata.get("help"), f"{field.name} has no help"
        assert options() == options()

    def test_what_it_measures_is_its_own(self) -> None:
        bench = self._played()
        others = [
            b for b in load_benches().values() if isinstance(b, PlayedBench) and b is not bench
        ]
        taken = {column for other in others for column in other.columns}
        assert len(set(bench.columns)) == len(bench.columns)
        assert not set(bench.columns) & taken, "another bench has columns of these names"
        assert bench.modes, "nobody is asked in any way"
        assert issubclass(bench.options, PlayOptions)

    def test_its_settings_say_all_and_are_read_back(self) -> None:
        bench = self._played()
        settings = _settings(bench)
        bench.check(settings, [_level(bench)])
        assert set(settings.extras) <= set(bench.extras)
        assert bench.describe(settings)
        document = json.loads(json.dumps(settings.to_document()))
        assert RunSettings.from_document(document) == settings

    def test_an_episode_is_played_and_measured_the_same_every_time(self) -> None:
        bench = self._played()
        log = _log(self.bench)
        assert log.ending is not None, "the episode has no end"
        measured = bench.measure(log)
        assert set(measured) <= set(bench.columns), "it measures what is no column"
        assert json.loads(json.dumps(measured)) == measured == bench.measure(log)

    def test_episodes_of_other_levels_are_no_trouble(self) -> None:
        bench = self._played()
        for other in load_benches():
            if isinstance(load_benches()[other], PlayedBench):
                measured = bench.measure(_log(other))
                assert set(measured) <= set(bench.columns)

    def test_where_nothing_was_played_there_is_nothing_to_report(self) -> None:
        bench = load_benches()[self.bench]
        if not isinstance(bench, Reporter):
            pytest.skip("it reports nothing")
        assert all(not getattr(part, "rows", ()) for part in bench.sections([]))
        assert bench.summary([]) is None
        bench.document([])

    def _played(self) -> PlayedBench:
        bench = load_benches()[self.bench]
        if not isinstance(bench, PlayedBench):
            pytest.skip(f"nothing of {self.bench} is played")
        return bench


def check_bench(name: str) -> None:
    """Run the tests of :class:`BenchContract` for one bench.

    Raises:
        AssertionError: something does not hold; the message says what.
    """
    assert name in load_benches(), (
        f"there is no bench {name!r}; there are {', '.join(load_benches())}"
    )
    check(type("Chosen", (BenchContract,), {"bench": name})())


def _levels(bench: Bench) -> tuple[AnyLevel, ...]:
    return select_levels(next(iter(bench.suites.values())))


def _level(bench: Bench) -> AnyLevel:
    """Return the level of its main suite with the shortest plan."""
    return min(_levels(bench), key=lambda level: len(level.plan or range(1000)))


def _settings(bench: PlayedBench) -> RunSettings:
    """Return the settings of a run of its quickest level, as usual."""
    level, options = _level(bench), bench.options()
    settings = RunSettings(
        suite=next(iter(bench.suites.values())),
        levels=((level.id, level.hash),),
        agent="oracle",
        mode=str(options.mode),
        obs=Obs.IMAGE_STATE,
        bench=bench.name,
    )
    return bench.configured(settings, options)


@cache
def _log(name: str) -> Log:
    """Return the log of an episode that the oracle has played, without pictures."""
    bench: Any = load_benches()[name]
    level, settings = _level(bench), _settings(bench)
    play = bench.play(settings)
    options = play.options(level, settings.make_episode_options(0))
    options = dataclasses.replace(options, obs=Obs.STATE)
    agent, journal = create_agent(settings.agent, level), Journal()
    with TemporaryDirectory(prefix="luban-") as folder:
        path = Path(folder) / "episode.jsonl"
        with Episode(level, options=options, listener=EpisodeLog(path)) as episode:
            play.perform(
                Attempt(level, episode, agent, settings, 0, journal, Path(folder), lambda: False)
            )
        return read_log(path)

"""Evaluation on levels: a run that is begun or resumed, played and scored."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any

from bridge.agents.plugins import Plugin, check_settings
from bridge.agents.registry import find_agent
from bridge.episode.engines import OpenEngines
from bridge.generating.twin import SUITE, derive_twin, draw_twin, read_seed
from bridge.operations.engines import open_engines
from bridge.operations.executors import open_optional_cluster
from bridge.operations.limits import check_complete
from bridge.operations.requests import EvaluationRequest
from bridge.operations.targets import find_levels
from bridge.recording.folders import format_folder_name, new_run_folder
from bridge.report.documents import write_results
from bridge.runs.decoys import check_decoys
from bridge.runs.folders import RunError
from bridge.runs.options import Mode, PlayOptions, VideoPolicy
from bridge.runs.protocol import PlayedBench
from bridge.runs.results import EpisodeResult, Watch
from bridge.runs.run_player import play_run
from bridge.runs.settings import RunSettings
from bridge.runs.store import RUN_NAME, RunFolder
from bridge.runs.worker import Failure, JobResult, Unfilmed
from bridge.scoring.metrics import Price
from bridge.scoring.prices import find_price
from bridge.scoring.selection.beam import find_scorer_price, read_beam_settings
from bridge.scoring.selection.scorers import find_scorer_kind
from bridge.scoring.spending import SpendingLimits
from pysim.catalog import AnyLevel
from pysim.extras import require_extra
from pysim.machine import count_cores
from pysim.suites import SuiteError
from pysim.viewpoints import Views

__all__ = ["LevelRun", "PlayedRun", "TwinProgress", "play_level_run", "prepare_level_run"]

TwinProgress = Callable[[int, int], None]
"""Called with the levels of a private twin that are drawn, and their number."""


@dataclass(frozen=True, slots=True)
class LevelRun:
    """A run of levels that is begun or resumed.

    Attributes:
        folder: of the run; holds its settings.
        levels: in order.
        options: of the bench.
        request: options that every bench shares.
        price, scorer_price: of the agent, and of the scorer of a search; None where unknown.
        limits: of spending; None for any amount.
        open_engines: opens the engines of worlds and renderers.
    """

    folder: RunFolder
    levels: tuple[AnyLevel, ...]
    options: PlayOptions
    request: EvaluationRequest
    price: Price | None
    scorer_price: Price | None
    limits: SpendingLimits | None
    open_engines: OpenEngines

    @property
    def settings(self) -> RunSettings:
        """Everything that results depend on."""
        return self.folder.settings

    @property
    def total(self) -> int:
        """Number of episodes."""
        return len(self.levels) * self.settings.attempts


@dataclass(frozen=True, slots=True)
class PlayedRun:
    """Episodes of a run that was played.

    Attributes:
        run: the run.
        results: of the episodes that are finished, in order.
        failures: episodes that could not be played.
        unfilmed: episodes of which no video could be made.
    """

    run: LevelRun
    results: tuple[EpisodeResult, ...]
    failures: tuple[Failure, ...]
    unfilmed: tuple[Unfilmed, ...]

    def check(self) -> None:
        """Raise the error of a run that is not complete.

        Raises:
            RunError: episodes failed, or a limit of spending was reached.
        """
        folder = self.run.folder
        check_complete(
            self.failures,
            (len(self.results), self.run.total, "episodes"),
            folder.path,
            locate=lambda failed: f"at {failed.level}, attempt {failed.attempt}",
            limits=self.run.limits,
            read_usage=folder.read_usage,
        )


def prepare_level_run(
    bench: PlayedBench,
    suite: str,
    options: PlayOptions,
    request: EvaluationRequest,
    *,
    twin_progress: TwinProgress = lambda done, total: None,
) -> LevelRun:
    """Begin a run, or resume the one in its folder.

    Args:
        bench: whose rules hold.
        suite: a suite, or levels separated by commas.
        options: of the bench, an instance of its dataclass.
        request: options that every bench shares.
        twin_progress: called while the levels of a private twin are drawn.

    Raises:
        LubanError: an option, the suite, the agent or the folder does not fit; nothing is played.
    """
    if find_agent(request.agent).name == "human":
        raise RunError("a person plays one level at a time: `luban play LEVEL --agent human`")
    suite, levels = _resolve_levels(suite, options.private, request, twin_progress)
    engines = partial(open_engines, request.unity_player, options.world, request.renderer)
    _check_world(options.world, engines)
    if options.video is not VideoPolicy.NONE:
        require_extra("videos", "video")
    settings = bench.configured(_build_settings(bench, request, suite, options, levels), options)
    bench.check(settings, levels)
    check_decoys(settings, levels)
    check_settings(settings.options, _takers(settings))
    prices = request.read_prices()
    price, scorer_price = find_price(prices, request.agent), find_scorer_price(settings, prices)
    limits = request.build_limits(price)
    out = request.out or new_run_folder(request.runs, format_folder_name(suite, request.agent))
    folder = RunFolder.begin(out, settings)
    return LevelRun(folder, levels, options, request, price, scorer_price, limits, engines)


def play_level_run(run: LevelRun, watch: Watch[JobResult] = lambda done: None) -> PlayedRun:
    """Play what is left of a run, and write its results.

    An interrupt is passed on; finished episodes are kept.

    Args:
        run: as :func:`prepare_level_run` returns it.
        watch: called with each episode that is finished or failed.
    """
    unfilmed: list[Unfilmed] = []
    with open_optional_cluster(run.request.ray, run.request.workers) as cluster:
        done = play_run(
            run.folder,
            run.levels,
            workers=run.request.workers or count_cores(),
            cluster=cluster,
            video=run.options.video,
            renderer=run.request.renderer,
            watch=watch,
            report_unfilmed=unfilmed.append,
            open_engines=run.open_engines,
            allowance=run.limits,
        )
    results = tuple(one for one in done if isinstance(one, EpisodeResult))
    write_results(run.folder.path, run.settings, results, run.price, run.scorer_price)
    failures = tuple(one for one in done if isinstance(one, Failure))
    return PlayedRun(run, results, failures, tuple(unfilmed))


def _resolve_levels(
    suite: str, seed_file: Path | None, request: EvaluationRequest, progress: TwinProgress
) -> tuple[str, tuple[AnyLevel, ...]]:
    """Return the name of a suite and its levels, or those of its private twin, up to the limit.

    Args:
        suite: as the user wrote it.
        seed_file: with the seed of the twin; None for the suite itself.

    Raises:
        SuiteError: there is no such suite, or it has no twin.
        InputError: the seed can't be read.
        BatchError: the twin's levels can't be kept.
    """
    if seed_file is None:
        return suite, find_levels(suite)[: request.limit or None]
    if suite != SUITE:
        raise SuiteError(f"--private draws a twin of {SUITE}; {suite[:60]} has none")
    twin = derive_twin(read_seed(seed_file))
    workers = request.workers or count_cores()
    return twin.name, draw_twin(twin, limit=request.limit, workers=workers, tell=progress)


def _takers(settings: RunSettings) -> dict[str, Plugin[Any, Any]]:
    """Return the parts of a run that accept settings, by their names in messages."""
    search = read_beam_settings(settings)
    takers: dict[str, Plugin[Any, Any]] = {
        f"the agent {settings.agent}": find_agent(settings.agent)
    }
    if search is not None:
        takers[f"the scorer {search.scorer}"] = find_scorer_kind(search.scorer)
    return takers


def _check_world(name: str, opened: OpenEngines) -> None:
    with opened() as engines:
        if name not in engines.list_worlds():
            known = ", ".join(engines.list_worlds())
            raise RunError(f"there is no world {name!r}; known are {known}")


def _build_settings(
    bench: PlayedBench,
    request: EvaluationRequest,
    suite: str,
    options: PlayOptions,
    levels: Sequence[AnyLevel],
) -> RunSettings:
    if options.notes and options.mode not in list(Mode):
        raise RunError(f"`--notes` means nothing in the mode {options.mode}: leave it out")
    return RunSettings(
        suite=suite,
        levels=tuple((level.id, level.hash) for level in levels),
        agent=request.agent,
        attempts=options.k,
        mode=str(options.mode),
        obs=options.observation,
        world=options.world,
        budget=options.budget,
        seed=request.seed,
        picture_size=request.image_size,
        history_window=options.history,
        options=request.settings,
        luban=version("luban"),
        bench=bench.name,
        feedback=options.feedback,
        views=options.views or _begun_views(request.out),
        most_budget=options.most_budget,
        notes=options.notes,
    )


def _begun_views(out: Path | None) -> Views:
    """Return the views of the run that a folder holds; the usual ones if it holds none."""
    if out is None or not (out / RUN_NAME).is_file():
        return Views.COMPOSED
    return RunFolder.read(out).settings.views

"""The tasks of inspect_ai: ``inspect eval luban/levels``, and one for each suite of each bench.

They stand in this package because inspect_ai calls tasks after the package that they come from.
Every sample is a level, with the level's id; every epoch of it is an episode of its own, whose log
lies in a folder beside inspect_ai's. The scorer reads that log: what a model says of itself does
not count. Needs the extra ``inspect``. Suites of items are in :mod:`luban.inspect_items`.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from importlib.metadata import version
from inspect import signature
from pathlib import Path
from typing import Any

from inspect_ai import Epochs, Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import get_model
from inspect_ai.scorer import (
    Metric,
    SampleScore,
    Score,
    Scorer,
    Target,
    mean,
    metric,
    scorer,
    stderr,
)
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.util import LimitExceededError
from pydantic import TypeAdapter

from bridge.adapters.inspect_ai import beside_the_log, converse
from bridge.adapters.toolbox import Toolbox
from bridge.episode.engines import LOCAL
from bridge.episode.episode import Episode
from bridge.episode.records import Feedback, Obs, Options
from bridge.episode.rendering import RendererPool, SharedRenderer
from bridge.episode.texts import build_instruction
from bridge.items.suites import Asker
from bridge.recording.folders import new_run_folder
from bridge.recording.log import EpisodeLog, read_log
from bridge.runs.protocol import PlayedBench, select_benches
from bridge.runs.results import EpisodeResult, make_result
from bridge.runs.worker import derive_episode_seed
from bridge.scoring import metrics
from luban.inspect_items import items, items_task
from pysim.errors import InputError
from pysim.former_names import accept_former_keywords
from pysim.level_selection import load_level
from pysim.limits import quote
from pysim.puzzle import Level
from pysim.suites import find_suite, list_suites
from pysim.viewpoints import Views

__all__ = ["items", "levels", "play", "verdict"]

VERSION = 2
"""Raised with whatever makes results differ from earlier ones: prompts, scores, what is shown."""
LOG = "episode_log"
"""Where a sample's metadata name the log of its episode; models are not shown metadata."""

_RESULT = TypeAdapter(EpisodeResult)


# -- tasks ----------------------------------------------------------------------------------------


@task
@accept_former_keywords(obs="observation", window="history", size="image_size")
def levels(
    levels: str | list[str],
    observation: str = "image+state",
    budget: int | None = None,
    world: str = "lattice",
    attempts: int = 1,
    history: int = 5,
    seed: int = 0,
    image_size: int = 512,
    renderer: str = "auto",
    runs: str = "",
    cluster: str = "source",
    feedback: str = "full",
    views: str = "composed",
) -> Task:
    """Return any levels.

    Args:
        levels: suites, ids of levels and level files, separated by commas.
        observation: ``image``, ``image+state`` or ``state``.
        budget: steps; each level's own by default.
        world: ``lattice`` or ``bullet``.
        attempts: episodes of each level; the score is then also reduced by ``pass_at_ATTEMPTS``.
        history: turns of the conversation that the model is shown, at least 1.
        seed: of the whole run, for the record: nothing is drawn.
        image_size: edge of each view in pixels.
        renderer: ``auto``, ``egl`` or ``tiny``.
        runs: folder for the episodes' logs; beside inspect_ai's log by default.
        cluster: by what standard errors are clustered: ``source`` (designer, publication and seed
            are the same), ``family`` or ``tier``.
        feedback: what the model is told of its actions: ``none``, ``legal``, ``reason`` or
            ``full``.
        views: how pictures are composed: ``composed``, ``sheet``, ``single`` or ``classic``.

    Raises:
        InputError: something does not exist or does not fit.
    """
    if cluster not in ("source", "family", "tier"):
        raise InputError(f"levels are clustered by source, family or tier, not by {quote(cluster)}")
    named = [levels] if isinstance(levels, str) else levels
    names = [name.strip() for part in named for name in part.split(",")]
    options = Options(Obs(observation), picture_size=image_size)
    samples = [_sample(name, options) for each in names for name in _members(each)]
    if len({sample.id for sample in samples}) < len(samples):
        raise InputError("a level is named twice; attempts=K plays each several times")
    reducers = ["mean"] if attempts == 1 else ["mean", f"pass_at_{attempts}"]
    return Task(
        dataset=MemoryDataset(samples, name=",".join(names)[:80]),
        solver=play(
            observation, budget, world, history, seed, image_size, renderer, runs, feedback, views
        ),
        scorer=verdict(),
        metrics=_metrics(cluster),
        epochs=Epochs(attempts, reducers),
        version=VERSION,
        metadata={"luban": version("luban")},
    )


def _suite_task(name: str, suite: str) -> Callable[..., Task]:
    """Return the task called ``name``, of one suite; its options are those of :func:`levels`."""

    def of_suite(**options: Any) -> Task:
        return levels(suite, **options)

    named = signature(levels)
    own = [parameter for parameter in named.parameters.values() if parameter.name != "levels"]
    vars(of_suite)["__signature__"] = named.replace(parameters=own)
    return task(name=name)(of_suite)


globals().update(
    {
        name: _suite_task(name, suite)
        for bench in select_benches(PlayedBench)
        for name, suite in bench.suites.items()
    }
    | {
        name: items_task(name, suite)
        for asker in select_benches(Asker)
        for name, suite in asker.suites.items()
    }
)


def _members(name: str) -> Sequence[str]:
    return find_suite(name).level_ids if name in list_suites() else (name,)


def _sample(name: str, options: Options) -> Sample:
    level = load_level(name)
    source = level.source
    return Sample(
        id=level.id,
        input=build_instruction(level, options),
        metadata={
            "level": name,
            "family": level.family,
            "tier": level.tier.value,
            "source": f"{source.designer}; {source.reference}; {source.seed}",
        },
    )


# -- play -----------------------------------------------------------------------------------------


@solver
@accept_former_keywords(obs="observation", window="history", size="image_size")
def play(
    observation: str = "image+state",
    budget: int | None = None,
    world: str = "lattice",
    history: int = 5,
    seed: int = 0,
    image_size: int = 512,
    renderer: str = "auto",
    runs: str = "",
    feedback: str = "full",
    views: str = "composed",
) -> Solver:
    """Lets the model play the sample's level until the episode is over; see :func:`levels`."""
    shown = Options(
        Obs(observation),
        history,
        image_size,
        budget,
        feedback=Feedback(feedback),
        views=Views(views),
    )
    if shown.obs is Obs.WRONG:
        raise InputError(
            "the observation wrong shows another level of a suite: use it with `luban eval`"
        )
    if history < 1:
        raise InputError(f"a model is shown at least 1 turn, not {history}")
    if world not in LOCAL.list_worlds():
        raise InputError(
            f"there is no world {quote(world)}; known are {', '.join(LOCAL.list_worlds())}"
        )
    pictures = RendererPool()

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        level = load_level(state.metadata["level"])
        own_seed = derive_episode_seed(seed, level.id, state.epoch)
        options = replace(shown, seed=own_seed, agent=str(state.model))
        folder = Path(runs) if runs else beside_the_log()
        path = new_run_folder(folder, f"{level.id[:80]}-{state.epoch}") / "episode.jsonl"
        state.metadata[LOG] = str(path)
        with (
            pictures.borrow(renderer) if shown.obs.has_images else nullcontext() as drawing,
            EpisodeLog(path) as log,
            _played(level, world, drawing, options, log) as episode,
        ):
            await converse(state, get_model(), Toolbox(episode), history)
        return state

    return solve


@contextmanager
def _played(
    level: Level[Any],
    world: str,
    renderer: SharedRenderer | None,
    options: Options,
    log: EpisodeLog,
) -> Iterator[Episode]:
    """An episode that is given up when inspect_ai has had enough, and cut off by other errors."""
    with Episode(level, world, renderer, options, log) as episode:
        try:
            yield episode
        except LimitExceededError as error:
            episode.end(f"stopped by inspect_ai: limit of {error.type}")
            raise


# -- scores ---------------------------------------------------------------------------------------


def _figure(of: Callable[[metrics.Score], float | None]) -> Metric:
    """Return a figure of all episodes; NaN where it is none."""

    def figure(scores: list[SampleScore]) -> float:
        found = of(metrics.score([_RESULT.validate_python(one.score.metadata) for one in scores]))
        return math.nan if found is None else found

    return figure


@metric(scores="unreduced")
def avg_steps() -> Metric:
    """Return steps of the solved episodes (CHAIN's AvgSteps)."""
    return _figure(lambda score: score.avg_steps)


@metric(scores="unreduced")
def dist2opt() -> Metric:
    """Return steps beyond the certified plan, of the solved episodes (CHAIN's Dist2Opt)."""
    return _figure(lambda score: None if score.dist2opt is None else score.dist2opt.low)


@metric(scores="unreduced")
def normdist() -> Metric:
    """Return the same divided by the length of the plan (CHAIN's NormDist)."""
    return _figure(lambda score: None if score.normdist is None else score.normdist.low)


@metric(scores="unreduced")
def legality() -> Metric:
    """Share of steps that were legal."""
    return _figure(lambda score: score.legality)


def _metrics(cluster: str) -> list[Metric | dict[str, list[Metric]]]:
    return [mean(), stderr(cluster=cluster), avg_steps(), dist2opt(), normdist(), legality()]


@scorer(metrics=_metrics("source"))
def verdict() -> Scorer:
    """1 if the episode's log says that the level was solved, else 0."""

    async def judge(state: TaskState, target: Target) -> Score:
        result = make_result(read_log(Path(state.metadata[LOG])), state.epoch)
        plan = "" if result.plan is None else f"; the certified plan has {result.plan}"
        return Score(
            value=float(result.solved),
            answer=result.outcome.value,
            explanation=f"{result.outcome} after {result.steps} of {result.budget} steps{plan}",
            metadata=_RESULT.dump_python(result, mode="json"),
        )

    return judge

"""Commands as functions: evaluate agents, generate and verify levels, score videos."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from bridge.generating import BatchSummary
from bridge.items.results import ItemResults
from bridge.items.suites import Asker
from bridge.operations.floor_policy import FloorPolicy
from bridge.operations.generation import GenerationRequest, find_generator, generate_levels
from bridge.operations.items import ask_item_run, prepare_item_run
from bridge.operations.levels import play_level_run, prepare_level_run
from bridge.operations.presets import resolve_preset
from bridge.operations.requests import DEFAULT_IMAGE_SIZE, EvaluationRequest
from bridge.operations.targets import find_main_suite, resolve_bench
from bridge.operations.verification import make_depth, verify_level_files
from bridge.operations.video_scores import ScoredVideos, VideoScore, score_video_files
from bridge.runs.folders import RunError
from bridge.runs.protocol import Bench, PlayedBench
from bridge.runs.results import EpisodeResult
from bridge.scoring.metrics import Score, score
from bridge.verifying.certificate import Certificate
from bridge.verifying.targets import find_level_files
from pysim.options import build_options
from pysim.suites import Suite, find_suite, list_suites
from pysim.tasks import TaskSettings
from pysim.tasks.references import TaskList, TaskReference, parse_reference

__all__ = [
    "BatchSummary",
    "Certificate",
    "EpisodeResult",
    "Evaluation",
    "ItemResults",
    "Score",
    "ScoredVideos",
    "VideoScore",
    "evaluate",
    "generate",
    "score_videos",
    "suites",
    "tasks",
    "verify",
]

Progress = Callable[[int, int], None]
"""Called with the number of parts that are done, and that of all."""


@dataclass(frozen=True, slots=True)
class Evaluation:
    """Result of an evaluation.

    Attributes:
        suite: that was played or asked, as it was named.
        bench: whose rules hold.
        agent: name of the agent.
        out: folder of the run, as ``luban report`` takes it.
        episodes: of the levels that were played, in order; empty for items.
        score: of the episodes; None for items.
        items: scores and answers of items; None for levels.
    """

    suite: str
    bench: str
    agent: str
    out: Path
    episodes: tuple[EpisodeResult, ...]
    score: Score | None
    items: ItemResults | None


def evaluate(
    suite: str,
    agent: str = "oracle",
    *,
    preset: str = "",
    settings: Mapping[str, object] | None = None,
    limit: int = 0,
    workers: int = 0,
    seed: int = 0,
    image_size: int | None = None,
    prices: Path | str | None = None,
    max_tokens: int | None = None,
    max_usd: float | None = None,
    out: Path | str | None = None,
    runs: Path | str = "runs",
    renderer: str = "auto",
    unity_player: str = "",
    ray: str = "",
    progress: Progress | None = None,
    **options: object,
) -> Evaluation:
    """Let an agent play or answer a suite, as ``luban eval`` does, and score it.

    Episodes are played in processes of their own: call it under ``if __name__ == "__main__":``. An
    interrupted run goes on when it is called again with its ``out``.

    Args:
        suite: a suite or bench, levels separated by commas, or the file of a suite.
        agent: ``oracle``, ``random``, ``openai:MODEL``, ... or one of another package.
        preset: ``paper`` for the settings of the bench's publication; what is given besides wins.
        settings: of the agent, by name; texts as for ``--set``, or numbers.
        limit: only the first so many levels, or trials of each subset; 0 for all.
        workers: attempts at once; 0 for one per core.
        seed: of the run.
        image_size: edge of pictures in pixels; None for the preset's, or else 512.
        prices: JSON file of prices of models.
        max_tokens, max_usd: limits of spending; None for any amount.
        out: folder of the run; None for a new one in ``runs``.
        runs: where to make that folder.
        renderer: ``auto``, ``egl``, ``tiny`` or ``unity``.
        unity_player: executable that Unity built, for a world or renderer ``unity``.
        ray: address of a Ray cluster.
        progress: called with the number of finished episodes or trials, and that of all.
        options: of the bench, by the names of the options of ``luban eval BENCH --help``.

    Raises:
        InputError: an option, the suite, the agent or the folder does not fit; nothing is played.
        RunError: some episodes or trials failed, or a limit of spending was reached.
    """
    bench = resolve_bench(suite)
    shared: dict[str, object] = {} if image_size is None else {"image_size": image_size}
    chosen, agent_settings = _apply_preset(bench, preset, agent, {**shared, **options})
    edge = int(str(chosen.pop("image_size", DEFAULT_IMAGE_SIZE)))
    request = EvaluationRequest(
        agent=agent,
        settings={**agent_settings, **_format_settings(settings or {})},
        limit=limit,
        workers=workers,
        seed=seed,
        image_size=edge,
        prices=_as_path(prices),
        max_tokens=max_tokens,
        max_usd=max_usd,
        out=_as_path(out),
        runs=Path(runs),
        renderer=renderer,
        unity_player=unity_player,
        ray=ray,
    )
    made = build_options(bench.options, chosen)
    name = find_main_suite(suite, bench)
    report = progress or (lambda done, total: None)
    if isinstance(bench, Asker):
        asked = ask_item_run(prepare_item_run(name, made, request), report)
        asked.check()
        return Evaluation(name, bench.name, agent, asked.run.path, (), None, asked.results)
    if not isinstance(bench, PlayedBench):
        raise RunError(f"the bench {bench.name} has neither levels nor items")
    run = prepare_level_run(bench, name, made, request)
    done = 0

    def watch(job: object) -> None:
        nonlocal done
        done += 1
        report(done, run.total)

    played = play_level_run(run, watch)
    played.check()
    results, path = played.results, run.folder.path
    return Evaluation(run.settings.suite, bench.name, agent, path, results, score(results), None)


def _format_settings(settings: Mapping[str, object]) -> dict[str, str]:
    """Return settings as texts, as logs hold them."""
    return {
        name: str(value).lower() if isinstance(value, bool) else str(value)
        for name, value in settings.items()
    }


def _apply_preset(
    bench: Bench, name: str, agent: str, options: Mapping[str, object]
) -> tuple[dict[str, object], dict[str, str]]:
    """Return options and agent's settings with those of a preset, which given ones override."""
    if not name:
        return dict(options), {}
    wanted, settings = resolve_preset(bench, name, agent, options)
    return {**wanted, **options}, settings


def generate(
    family: str,
    out: Path | str,
    *,
    count: int = 1,
    seed: int = 0,
    workers: int = 1,
    attempts: int = 0,
    registry: Path | str | None = None,
    renderer: str = "auto",
    ray: str = "",
    progress: Callable[[BatchSummary], None] | None = None,
    **options: object,
) -> BatchSummary:
    """Generate certified levels of a family, as ``luban generate`` does.

    Args:
        family: one that ``luban generate --help`` lists, of this or another package.
        out: folder for the levels, in which an unfinished batch is resumed.
        count: number of levels.
        seed: of the random numbers.
        workers: number of processes.
        attempts: number after which to give up; 0 for never.
        registry: folder shared by batches, so that no puzzle is made twice.
        renderer: of the pictures: ``auto``, ``egl`` or ``tiny``.
        ray: address of a Ray cluster.
        progress: called with the state of the batch after each attempt.
        options: of the family, by the names of the options of ``luban generate FAMILY --help``.

    Returns:
        The state of the batch; ``levels`` names the files ``ID.json`` in ``out``.

    Raises:
        InputError: there is no such generator or option, or the options can't be met.
        BatchError: the folder can't be used.
        WorkerLost: a process was killed.
    """
    plugin = find_generator(family)
    request = GenerationRequest(
        out=Path(out),
        count=count,
        seed=seed,
        workers=workers,
        attempts=attempts,
        registry=_as_path(registry),
        renderer=renderer,
        ray=ray,
    )
    made = build_options(plugin.options, options)
    return generate_levels(plugin, made, request, progress=progress or (lambda summary: None))


def verify(
    *targets: str | Path,
    deep: bool = False,
    worlds: Sequence[str] = (),
    films: bool = True,
    certificates: Path | str | None = None,
    workers: int = 0,
    unity_player: str = "",
    ray: str = "",
    progress: Progress | None = None,
) -> tuple[Certificate, ...]:
    """Derive every claim of levels anew, as ``luban verify`` does.

    Args:
        targets: suites, families, ids, patterns of ids, level files or folders of them.
        deep: count solutions and search for shorter plans, too.
        worlds: in which plans are played; empty for all that this machine has.
        films: whether the films of plans are checked.
        certificates: file from which an interrupted verification goes on.
        workers: processes; 0 for one per core.
        unity_player: executable that Unity built, for the world ``unity``.
        ray: address of a Ray cluster.
        progress: called with the number of levels that are done, and that of all.

    Returns:
        A certificate for each level. Its claims hold if ``false`` is empty.

    Raises:
        InputError: there is no such level or world.
        WorkerLost: two processes ended in the check of one level.
    """
    files = find_level_files(tuple(map(str, targets)))
    depth = make_depth(deep=deep, worlds=worlds, films=films, unity=bool(unity_player))
    done = 0

    def report(place: int, certificate: Certificate) -> None:
        nonlocal done
        done += 1
        if progress is not None:
            progress(done, len(files))

    return verify_level_files(
        files,
        depth,
        certificates=_as_path(certificates),
        unity_player=unity_player,
        workers=workers,
        ray=ray,
        report=report,
    )


def score_videos(
    bundle: Path | str | Sequence[Path | str],
    videos: Sequence[Path | str],
    out: Path | str,
    *,
    tracks: Path | str | None = None,
    floors: str = "auto",
    annotations: Sequence[Path | str] = (),
    workers: int = 0,
    ray: str = "",
    progress: Progress | None = None,
) -> ScoredVideos:
    """Score videos of puzzles by their rules, as ``luban score-video`` does.

    Several videos are scored in processes of their own: call it under ``if __name__ ==
    "__main__":``. Scores do not depend on the number of workers.

    Args:
        bundle: folder of the bundle, with the true film, or several of them.
        videos: files, or folders of models.
        out: folder for scores and pages; videos already scored there are skipped.
        tracks: tracks to score in place of our own; only with a single video.
        floors: "auto", "always" or "never": when clips that any program can make are scored, too.
        annotations: of people, a file for each person.
        workers: processes; 0 for one per core.
        ray: address of a Ray cluster.
        progress: called with the number of videos that are done, and that of all.

    Raises:
        InputError: a bundle, the tracks or an annotation can't be read.
        RunError: there is no video, or none could be scored; the leaderboard is written then, too.
        WorkerLost: processes end again and again; what was scored is kept.
    """
    bundles = [bundle] if isinstance(bundle, str | Path) else bundle
    found = score_video_files(
        list(map(Path, bundles)),
        list(map(Path, videos)),
        Path(out),
        tracks=_as_path(tracks),
        floors=FloorPolicy(floors),
        annotations=list(map(Path, annotations)),
        workers=workers,
        ray=ray,
        report=progress or (lambda done, total: None),
    )
    if not found.is_any_scored:
        raise RunError("none of the videos could be scored")
    return found


def suites() -> tuple[Suite, ...]:
    """Return the suites of levels that are installed, in alphabetical order."""
    return tuple(map(find_suite, list_suites()))


def tasks(source: str, *, difficulty: int | Sequence[int] = ()) -> TaskList:
    """Return prepared tasks, each of which is read when it is asked for.

    :class:`luban.TaskSource` has as many more as are wanted.

    Args:
        source: a family or the file of a pool, and a split: ``family:test``, ``family:test:7``,
            ``family:test:0-99``, ``mine.pool:train``. Without a split, the tasks of all splits.
        difficulty: of the tasks, one or several, from 1; all by default.

    Raises:
        TaskError: there are no such tasks.
    """
    reference = parse_reference(source) or TaskReference(source)
    chosen = tuple(difficulty) if isinstance(difficulty, Iterable) else (difficulty,)
    return reference.list_tasks(TaskSettings(chosen))


def _as_path(path: Path | str | None) -> Path | None:
    return None if path is None else Path(path)

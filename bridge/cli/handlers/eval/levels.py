"""``luban eval``."""

import json
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any

from bridge.agents.plugins import Plugin, refuse_unknown_settings
from bridge.agents.registry import find_agent
from bridge.agents.usage import Usage
from bridge.cli.clusters import open_optional_cluster
from bridge.cli.columns import print_pairs
from bridge.cli.engines import open_engines
from bridge.cli.errors import CommandError
from bridge.cli.handlers.eval.limits import build_limits, make_refused_error, make_spent_error
from bridge.cli.handlers.eval.presets import (
    describe_preset,
    format_preset,
    print_preset,
    print_refused_settings,
)
from bridge.cli.handlers.eval.targets import find_levels
from bridge.cli.notices import print_warning
from bridge.cli.permissions import make_files_private
from bridge.cli.progress import draw_progress, make_wrapped_column, measure_bar
from bridge.cli.requests import SharedRequest
from bridge.cli.tables import format_table
from bridge.cli.terminal import UNREDIRECTED, join_lines, make_console, measure_terminal
from bridge.episode.engines import OpenEngines
from bridge.generating.twin import SUITE, derive_twin, draw_twin, read_seed
from bridge.recording.folders import new_run_folder
from bridge.report.documents import build_brief_document, write_results
from bridge.report.parts import collect_bench_summaries
from bridge.runs.decoys import check_decoys
from bridge.runs.options import PlayOptions
from bridge.runs.protocol import PlayedBench
from bridge.runs.results import EpisodeResult
from bridge.runs.run_player import play_run
from bridge.runs.settings import RunSettings
from bridge.runs.store import RUN_NAME, RunFolder
from bridge.runs.work import Watch
from bridge.runs.worker import Failure, JobResult, Unfilmed
from bridge.scoring.metrics import Price, Score, score
from bridge.scoring.prices import find_price, read_prices
from bridge.scoring.selection.beam import find_scorer_price, read_beam_settings
from bridge.scoring.selection.scorers import find_scorer_kind
from pysim.catalog import AnyLevel
from pysim.machine import count_cores
from pysim.viewpoints import Views

__all__ = ["format_cost", "run_eval"]


@make_files_private()
def run_eval(bench: PlayedBench, shared: SharedRequest, suite: str, options: PlayOptions) -> None:
    """Play a suite, or what is left of it, and print the score.

    Raises:
        CommandError: some episodes could not be played.
    """
    if find_agent(shared.agent).name == "human":
        raise CommandError("a person plays one level at a time: `luban play LEVEL --agent human`")
    suite, levels = _resolve_levels(suite, options.private, shared)
    engines = partial(open_engines, shared.unity_player, options.world, shared.renderer)
    _check_world(options.world, engines)
    settings = bench.configured(_settings(bench, shared, suite, options, levels), options)
    bench.check(settings, levels)
    check_decoys(settings, levels)
    refuse_unknown_settings(settings.options, _takers(settings))
    prices = {} if shared.prices is None else read_prices(shared.prices)
    price, judge = find_price(prices, shared.agent), find_scorer_price(settings, prices)
    limits = build_limits(shared, price)
    out = shared.out or new_run_folder(shared.runs, _default_name(suite, shared.agent))
    folder = RunFolder.begin(out, settings)
    note = describe_preset(bench, shared, options)
    print_preset(note, out, quiet=shared.as_json)
    total = len(levels) * settings.attempts
    unfilmed: list[Unfilmed] = []
    try:
        with (
            open_optional_cluster(shared.ray, shared.workers) as cluster,
            _progress(total, price, quiet=shared.as_json) as watch,
        ):
            done = play_run(
                folder,
                levels,
                workers=shared.workers or count_cores(),
                cluster=cluster,
                video=options.video,
                renderer=shared.renderer,
                watch=watch,
                report_unfilmed=unfilmed.append,
                open_engines=engines,
                allowance=limits,
            )
    except KeyboardInterrupt:
        finished = len(folder.read_results())
        print(
            f"luban: interrupted after {finished} of {total} episodes; the same command with "
            f"--out {out} resumes the run",
            file=sys.stderr,
        )
        raise SystemExit(130) from None
    print_refused_settings(shared)
    results = [one for one in done if isinstance(one, EpisodeResult)]
    write_results(out, settings, results, price, judge)
    _warn_of_videos(unfilmed, out)
    _complain([one for one in done if isinstance(one, Failure)], len(results), total, out)
    if limits is not None and len(results) < total:
        raise make_spent_error(
            limits.told(folder.read_usage()), f"{len(results)} of {total} episodes", out
        )
    if shared.as_json:
        print(json.dumps(build_brief_document(settings, results, out)))
    else:
        _print(results, settings, out, price, judge)
        _print_summaries(results)
        print("".join(f"{line}\n" for line in format_preset(note)), end="")


def _resolve_levels(
    suite: str, seed_file: Path | None, shared: SharedRequest
) -> tuple[str, tuple[AnyLevel, ...]]:
    """Return the name of a suite and its levels, or those of its private twin, up to the limit.

    Args:
        suite: as the user wrote it.
        seed_file: with the seed of the twin; None for the suite itself.

    Raises:
        CommandError: there is no such suite, or it has no twin.
        InputError: the seed can't be read.
        BatchError: the twin's levels can't be kept.
    """
    if seed_file is None:
        return suite, find_levels(suite)[: shared.limit or None]
    if suite != SUITE:
        raise CommandError(f"--private draws a twin of {SUITE}; {suite[:60]} has none")
    twin = derive_twin(read_seed(seed_file))
    with draw_progress(quiet=shared.as_json) as tell:
        workers = shared.workers or count_cores()
        return twin.name, draw_twin(twin, limit=shared.limit, workers=workers, tell=tell)


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
            raise CommandError(f"there is no world {name!r}; known are {known}")


def _settings(
    bench: PlayedBench,
    shared: SharedRequest,
    suite: str,
    options: PlayOptions,
    levels: Sequence[AnyLevel],
) -> RunSettings:
    return RunSettings(
        suite=suite,
        levels=tuple((level.id, level.hash) for level in levels),
        agent=shared.agent,
        attempts=options.k,
        mode=str(options.mode),
        obs=options.observation,
        world=options.world,
        budget=options.budget,
        seed=shared.seed,
        picture_size=shared.image_size,
        history_window=options.history,
        options=shared.agent_options,
        luban=version("luban"),
        bench=bench.name,
        feedback=options.feedback,
        views=options.views or _begun_views(shared.out),
        most_budget=options.most_budget,
    )


def _begun_views(out: Path | None) -> Views:
    """Return the views of the run that a folder holds; the usual ones if it holds none."""
    if out is None or not (out / RUN_NAME).is_file():
        return Views.COMPOSED
    return RunFolder.read(out).settings.views


def _default_name(suite: str, agent: str) -> str:
    name = re.sub(r"[^A-Za-z0-9.-]+", "-", f"{suite}-{agent}").strip("-.")
    return name[:90]


def _complain(failures: Sequence[Failure], finished: int, total: int, out: Path) -> None:
    if ending := next((one for one in failures if one.ends_run), None):
        raise make_refused_error(ending.message, f"{finished} of {total} episodes", out)
    if failures:
        first = failures[0]
        raise CommandError(
            f"{len(failures)} of {total} episodes failed, the first at {first.level}, attempt "
            f"{first.attempt}: {first.message}; the same command with --out {out} tries them again"
        )


def _warn_of_videos(unfilmed: Sequence[Unfilmed], out: Path) -> None:
    """Report videos that could not be made; nothing else depends on them."""
    if unfilmed:
        first, others = unfilmed[0].result, len(unfilmed) - 1
        more = f", nor of {others} other episodes" if others else ""
        print_warning(
            f"no video of {first.level}, attempt {first.attempt}{more}: {unfilmed[0].message}; "
            f"no outcome depends on it, and the same command with --out {out} tries again"
        )


@contextmanager
def _progress(total: int, price: Price | None, *, quiet: bool) -> Iterator[Watch[JobResult]]:
    """Draws a bar with the running score in a terminal; elsewhere prints a line an episode."""
    if quiet:
        yield lambda done: None
    elif not sys.stderr.isatty():
        tally = _Tally(price)
        yield lambda done: print(
            f"{join_lines(_line(done)):<72} [{tally.add(done)}]",
            file=sys.stderr,
            flush=True,
        )
    else:
        with _bar(total, _Tally(price)) as watch:
            yield watch


def _line(done: JobResult) -> str:
    name = f"{done.level} #{done.attempt}"
    if isinstance(done, Failure):
        return f"{name:<44} FAILED: {done.message}"
    plan = "" if done.plan is None else f", plan {done.plan}"
    return f"{name:<44} {done.outcome.value} after {done.steps} steps{plan}"


class _Tally:
    """The running score and cost, in words."""

    def __init__(self, price: Price | None) -> None:
        self._price = price
        self._usage = Usage()
        self._solved = self._played = self._failed = 0

    def add(self, done: JobResult) -> str:
        """Return the tally, one episode later."""
        if isinstance(done, Failure):
            self._failed += 1
        else:
            self._played, self._solved = self._played + 1, self._solved + done.solved
            self._usage += done.usage
        share = self._solved / max(1, self._played)
        words = [f"{self._solved} solved ({share:.1%})"]
        words += [f"{self._failed} failed"] * bool(self._failed)
        return ", ".join(words + format_cost(self._usage, self._price))


@contextmanager
def _bar(total: int, tally: _Tally) -> Iterator[Watch[JobResult]]:
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    words = TextColumn("{task.description}", markup=False, table_column=make_wrapped_column())
    columns = (BarColumn(bar_width=measure_bar()), MofNCompleteColumn(), words)
    console = make_console(stderr=True)
    with Progress(
        *columns, TimeRemainingColumn(), console=console, transient=True, **UNREDIRECTED
    ) as bar:
        task = bar.add_task("", total=total)
        yield lambda done: bar.update(task, advance=1, description=join_lines(tally.add(done)))


def format_cost(usage: Usage, price: Price | None) -> list[str]:
    """Format what models have cost so far; empty if there was no request."""
    if not usage.tokens:
        return []
    parts = {"cached": usage.tokens_cached, "reasoning": usage.tokens_reasoning}
    apart = ", ".join(f"{count:,} {name}" for name, count in parts.items() if count)
    tokens = f"{usage.tokens:,} tokens" + (f" ({apart})" if apart else "")
    return [tokens] + ([f"{price.compute_cost(usage):.2f} USD"] if price else [])


def _print(
    results: Sequence[EpisodeResult],
    settings: RunSettings,
    out: Path,
    price: Price | None,
    judge: Price | None,
) -> None:
    found = score(results)
    rows = [("suite", settings.suite), ("agent", settings.agent), *_shares(found)]
    if any(result.search is not None for result in results):
        rows.append(("steps tried", str(found.tried)))
    rows += [("scorer", cost) for cost in format_cost(found.scorer_usage, judge)]
    rows += [("cost", cost) for cost in format_cost(found.usage, price)]
    rows += [("disagreements", str(found.disagreements)), ("files", str(out))]
    print_pairs(rows)


def _shares(found: Score) -> list[tuple[str, str]]:
    """Return the shares that were solved, the progress, and the directness."""
    rows = [("episodes", str(found.episodes)), ("solved", str(found.solved))]
    if found.pass_at_1 is not None:
        rows.append(("Pass@1", f"{found.pass_at_1:.1%}"))
    for name, interval in (("95 %", found.bootstrap), ("Wilson", found.wilson)):
        if interval is not None:
            rows.append((name, f"{interval.low:.1%} to {interval.high:.1%}"))
    if found.progress is not None:
        rows.append(("progress", f"{found.progress:.1%} of the plan"))
    for name, distance in (("Dist2Opt", found.dist2opt), ("NormDist", found.normdist)):
        if distance is not None:
            upper = "" if distance.exact else f" to {distance.high:.2f}"
            rows.append((name, f"{distance.low:.2f}{upper}"))
    return rows


def _print_summaries(results: Sequence[EpisodeResult]) -> None:
    """Print the tables of benches at the end of a run."""
    for table in collect_bench_summaries(results):
        print(format_table(table, measure_terminal()))

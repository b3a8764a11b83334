"""``luban eval``."""

import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from bridge.agents.usage import Usage
from bridge.cli.columns import print_pairs
from bridge.cli.handlers.eval.presets import (
    describe_preset,
    format_preset,
    print_preset,
    print_refused_settings,
)
from bridge.cli.notices import print_warning
from bridge.cli.permissions import make_files_private
from bridge.cli.progress import draw_progress, make_wrapped_column, measure_bar
from bridge.cli.requests import SharedRequest
from bridge.cli.tables import format_table
from bridge.cli.terminal import (
    UNREDIRECTED,
    join_lines,
    make_console,
    measure_terminal,
    outlast_reader,
)
from bridge.operations.levels import play_level_run, prepare_level_run
from bridge.report.documents import build_brief_document
from bridge.report.parts import collect_bench_summaries
from bridge.runs.options import PlayOptions
from bridge.runs.protocol import PlayedBench
from bridge.runs.results import EpisodeResult, Watch
from bridge.runs.settings import RunSettings
from bridge.runs.worker import Failure, JobResult, Unfilmed
from bridge.scoring.metrics import Price, Score, score

__all__ = ["format_cost", "run_eval"]


@outlast_reader()
@make_files_private()
def run_eval(bench: PlayedBench, shared: SharedRequest, suite: str, options: PlayOptions) -> None:
    """Play a suite, or what is left of it, and print the score.

    Raises:
        LubanError: something does not fit, or some episodes could not be played.
    """
    with draw_progress(quiet=shared.as_json or options.private is None) as tell:
        run = prepare_level_run(bench, suite, options, shared.request, twin_progress=tell)
    out = run.folder.path
    note = describe_preset(bench, shared, options)
    print_preset(note, out, quiet=shared.as_json)
    try:
        with _progress(run.total, run.price, quiet=shared.as_json) as watch:
            played = play_level_run(run, watch)
    except KeyboardInterrupt:
        finished = len(run.folder.read_results())
        print(
            f"luban: interrupted after {finished} of {run.total} episodes; the same command with "
            f"--out {out} resumes the run",
            file=sys.stderr,
        )
        raise SystemExit(130) from None
    print_refused_settings(shared)
    _warn_of_videos(played.unfilmed, out)
    played.check()
    results = played.results
    if shared.as_json:
        print(json.dumps(build_brief_document(run.settings, results, out)))
    else:
        _print(results, run.settings, out, run.price, run.scorer_price)
        _print_summaries(results)
        print("".join(f"{line}\n" for line in format_preset(note)), end="")


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

"""A run as documents: what ``luban eval --json`` prints, ``results.json`` and ``results.csv``."""

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

from bridge.recording.files import write_whole
from bridge.report.parts import ReportedRun, collect_bench_documents
from bridge.runs.manifests import list_manifests
from bridge.runs.results import EpisodeResult
from bridge.runs.settings import RunSettings
from bridge.scoring.metrics import (
    PlanDistance,
    Price,
    Score,
    compute_mean_pass_at,
    compute_solved_within,
    count_errors,
    count_errors_by_colour,
    group_by,
    score,
)
from bridge.scoring.statistics import Interval

__all__ = [
    "RESULTS_FORMAT",
    "build_brief_document",
    "build_results_document",
    "build_score_document",
    "format_results_csv",
    "format_runs_csv",
    "write_results",
]

RESULTS_FORMAT = "luban-results/1"

_COLUMNS = (
    "level",
    "family",
    "tier",
    "attempt",
    "outcome",
    "steps",
    "budget",
    "plan",
    "plan_bound",
    "refused",
    "first_error",
    "repeated",
    "progress",
    "disagreements",
    "calls",
    "tokens_in",
    "tokens_out",
    "tokens_cached",
    "tokens_reasoning",
    "tried",
    "scorer_tokens_in",
    "scorer_tokens_out",
    "note",
)


def build_brief_document(
    settings: RunSettings, results: Sequence[EpisodeResult], out: Path
) -> dict[str, object]:
    """Return what ``luban eval --json`` prints.

    Shares are from 0 to 1, means over nothing are null. The two intervals are those of Pass@1.
    """
    found = score(results)
    return {
        "suite": settings.suite,
        "agent": settings.agent,
        "episodes": found.episodes,
        "solved": found.solved,
        "pass_at_1": found.pass_at_1,
        "bootstrap": _interval(found.bootstrap),
        "wilson": _interval(found.wilson),
        "by_family": _brief_groups(results, lambda result: result.family),
        "by_tier": _brief_groups(results, lambda result: result.tier),
        "progress": found.progress,
        "avg_steps": found.avg_steps,
        "dist2opt": None if found.dist2opt is None else found.dist2opt.low,
        "normdist": None if found.normdist is None else found.normdist.low,
        "disagreements": found.disagreements,
        "out": str(out),
        **collect_bench_documents(results),
    }


def build_results_document(
    settings: RunSettings,
    results: Sequence[EpisodeResult],
    price: Price | None = None,
    scorer_price: Price | None = None,
) -> dict[str, object]:
    """Return everything that is known of a run: settings, scores, and each episode."""
    prices = (price, scorer_price)
    attempts = min((len(g) for g in group_by(results, lambda r: r.level).values()), default=0)
    return {
        "format": RESULTS_FORMAT,
        "settings": _nothing_settled() | settings.to_document(),
        "planned": len(settings.levels) * settings.attempts,
        "score": build_score_document(score(results), *prices),
        "pass_at_k": {str(k): compute_mean_pass_at(results, k) for k in range(1, attempts + 1)},
        "by_family": _groups(results, lambda r: r.family, *prices),
        "by_tier": _groups(results, lambda r: r.tier, *prices),
        "by_family_and_tier": _groups(results, lambda r: f"{r.family}/{r.tier}", *prices),
        "solved_within": compute_solved_within(results),
        "errors": dict(count_errors(results).most_common()),
        "errors_by_colour": _by_colour(results),
        **collect_bench_documents(results),
        "episodes": [_row(result) for result in results],
    }


def build_score_document(
    found: Score, price: Price | None = None, scorer_price: Price | None = None
) -> dict[str, object]:
    """Return a score; distances say whether they are exact."""
    document = asdict(found)
    for name in ("dist2opt", "normdist"):
        document[name] = _distance(getattr(found, name))
    for name in ("wilson", "bootstrap"):
        document[name] = _interval(getattr(found, name))
    if price is not None or scorer_price is not None:
        document["cost_usd"] = found.compute_cost(price, scorer_price)
        document["solved_per_usd"] = found.compute_solved_per_usd(price, scorer_price)
    return document


def format_results_csv(results: Sequence[EpisodeResult]) -> str:
    """Return one line for each episode, with a head."""
    return _format_csv((), map(_row, results))


def format_runs_csv(runs: Sequence[ReportedRun]) -> str:
    """Return one line for each episode of some runs, which begins with the run's name."""
    rows = ({"run": run.name, **_row(result)} for run in runs for result in run.results)
    return _format_csv(("run",), rows)


def _format_csv(first: Sequence[str], rows: Iterable[Mapping[str, object]]) -> str:
    text = io.StringIO()
    columns = [*first, *_COLUMNS, *_bench_columns()]
    writer = csv.DictWriter(text, columns, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def _nothing_settled() -> dict[str, None]:
    """Return the settings that benches may make, as they are where they have not."""
    return {key: None for one in list_manifests().values() for key in one.extras}


def _bench_columns() -> Iterator[str]:
    return (column for one in list_manifests().values() for column in one.columns)


def write_results(
    folder: Path,
    settings: RunSettings,
    results: Sequence[EpisodeResult],
    price: Price | None = None,
    scorer_price: Price | None = None,
) -> None:
    """Write ``results.json`` and ``results.csv`` into a folder; older ones are replaced.

    Raises:
        OSError: they can't be written.
    """
    document = (
        json.dumps(build_results_document(settings, results, price, scorer_price), indent=1) + "\n"
    )
    for name, text in (("results.json", document), ("results.csv", format_results_csv(results))):
        write_whole(folder / name, text.encode())


GroupKey = Callable[[EpisodeResult], str]


def _brief_groups(results: Sequence[EpisodeResult], key: GroupKey) -> dict[str, object]:
    found = {name: score(group) for name, group in group_by(results, key).items()}
    return {
        name: {"episodes": s.episodes, "solved": s.solved, "pass_at_1": s.pass_at_1}
        for name, s in found.items()
    }


def _groups(
    results: Sequence[EpisodeResult], key: GroupKey, *prices: Price | None
) -> dict[str, object]:
    return {
        n: build_score_document(score(group), *prices)
        for n, group in group_by(results, key).items()
    }


def _row(result: EpisodeResult) -> dict[str, object]:
    return {
        "level": result.level,
        "family": result.family,
        "tier": result.tier,
        "attempt": result.attempt,
        "outcome": result.outcome.value,
        "steps": result.steps,
        "budget": result.budget,
        "plan": result.plan,
        "plan_bound": result.plan_bound,
        "refused": len(result.refusals),
        "first_error": result.first_error,
        "repeated": result.repeated,
        "progress": result.progress,
        "disagreements": result.disagreements,
        "calls": result.usage.calls,
        "tokens_in": result.usage.tokens_in,
        "tokens_out": result.usage.tokens_out,
        "tokens_cached": result.usage.tokens_cached,
        "tokens_reasoning": result.usage.tokens_reasoning,
        "tried": result.tried,
        "scorer_tokens_in": result.scorer_usage.tokens_in,
        "scorer_tokens_out": result.scorer_usage.tokens_out,
        "note": result.note,
        **result.extras,
    }


def _by_colour(results: Sequence[EpisodeResult]) -> dict[str, dict[str, int]]:
    table: dict[str, dict[str, int]] = {}
    for (reason, culprit), count in count_errors_by_colour(results).most_common():
        table.setdefault(reason, {})[culprit] = count
    return table


def _distance(distance: PlanDistance | None) -> Mapping[str, object] | None:
    if distance is None:
        return None
    return {"low": distance.low, "high": distance.high, "exact": distance.exact}


def _interval(interval: Interval | None) -> list[float] | None:
    return None if interval is None else [interval.low, interval.high]

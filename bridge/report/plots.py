"""The plots of a report: success, errors, progress, and cost against success."""

from collections.abc import Iterator, Sequence

from bridge.report.charts import ScatterPoint, draw_bars, draw_curves, draw_scatter
from bridge.report.parts import Figure, ReportedRun, list_families
from bridge.scoring.metrics import compute_pass_at_1, compute_solved_within, count_errors, score
from pysim.puzzle import Tier

__all__ = ["draw_plots"]


def draw_plots(runs: Sequence[ReportedRun]) -> Iterator[Figure]:
    """Yield the plots that these runs give."""
    for make in (_tiers, _errors, _progress, _costs):
        yield from make(runs)


def _tiers(runs: Sequence[ReportedRun]) -> Iterator[Figure]:
    groups: dict[str, dict[str, float]] = {}
    for family in list_families(runs):
        for tier in Tier:
            heights = _heights(runs, family, tier.value)
            if heights:
                groups[f"{family} {tier.value}"] = heights
    svg = draw_bars(groups, [run.name for run in runs], "Pass@1 in per cent")
    yield Figure("Success by family and tier", svg)


def _heights(runs: Sequence[ReportedRun], family: str, tier: str) -> dict[str, float]:
    found = {}
    for run in runs:
        some = [r for r in run.results if (r.family, r.tier) == (family, tier)]
        share = compute_pass_at_1(some)
        if share is not None:
            found[run.name] = 100 * share
    return found


def _errors(runs: Sequence[ReportedRun]) -> Iterator[Figure]:
    profile: dict[str, dict[str, float]] = {}
    for run in runs:
        for reason, count in count_errors(run.results).most_common():
            profile.setdefault(reason, {})[run.name] = count / len(run.results)
    if profile:
        svg = draw_bars(profile, [run.name for run in runs], "refused steps per episode")
        yield Figure("Error profile", svg)


def _progress(runs: Sequence[ReportedRun]) -> Iterator[Figure]:
    within = {
        run.name: [100 * share for share in compute_solved_within(run.results)] for run in runs
    }
    if any(within.values()):
        yield Figure("Progress", draw_curves(within, "steps", "solved within, per cent"))


def _costs(runs: Sequence[ReportedRun]) -> Iterator[Figure]:
    """Runs that solved nothing have no cost per solved level, and no point."""
    tokens, usd = [], []
    for run in runs:
        found = score(run.results)
        used = found.usage.tokens + found.scorer_usage.tokens
        if not used or not found.solved or found.pass_at_1 is None:
            continue
        success = 100 * found.pass_at_1
        tokens.append(ScatterPoint(run.name, used / found.solved, success))
        if cost := found.compute_cost(run.price, run.scorer_price):
            usd.append(ScatterPoint(run.name, cost / found.solved, success))
    for points, what in ((tokens, "tokens"), (usd, "USD")):
        if points:
            svg = draw_scatter(points, f"{what} per solved episode", "Pass@1, per cent")
            yield Figure(f"Cost against success, {what}", svg)

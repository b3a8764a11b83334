"""The tables of CHAIN: its Tables 1 to 4, as rows of text."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from bridge.report.cells import (
    NOTHING,
    format_distance,
    format_interval,
    format_number,
    format_percent,
)
from bridge.report.parts import ReportedRun, Table, list_families
from bridge.runs.play import Mode
from bridge.runs.results import EpisodeResult
from bridge.scoring.metrics import (
    Score,
    compute_mean_pass_at,
    compute_pass_at_1,
    group_by,
    group_by_level,
    score,
)
from bridge.scoring.selection.beam import SEARCH, read_beam_settings
from bridge.scoring.selection.scored import read_scores
from bridge.scoring.selection.strategies import evaluate_selection
from bridge.scoring.statistics import compute_mean
from pysim.puzzle import Tier

__all__ = ["make_tables"]


def make_tables(runs: Sequence[ReportedRun]) -> Iterator[Table]:
    """Yield CHAIN's Tables 1 to 4."""
    for make in (_main_table, _tier_table, _mode_table, _sample_table):
        yield make(runs)


def _main_table(runs: Sequence[ReportedRun]) -> Table:
    """Return CHAIN's Table 1: success, plan efficiency, and cost."""
    families = list_families(runs)
    efficiency = ["AvgSteps ↓", "Dist2Opt ↓", "N.Dist ↓"]
    cost = ["Solved/1M tokens ↑", "USD ↓", "Solved/USD ↑"]
    head = ["Run", "Pass@1 ↑", "95 %", "Wilson", "Succ. task ↑", *(f"{f} ↑" for f in families)]
    return Table(
        "Table 1: main results",
        "Pass@1 in per cent, with two intervals of 95 %: the bootstrap's, which draws levels, and "
        "Wilson's, which takes attempts as independent; solved episodes of all. AvgSteps, Dist2Opt "
        "and N.Dist are means over solved episodes, the distances over those whose level has a "
        "certified plan. Tokens and USD are those of a search's judge, too. A distance written "
        "a–b is known only to lie between: some plans are "
        "proven as upper bounds only, a is against them and b against the proven lower bounds.",
        [*head, *efficiency, *cost],
        [_main_row(run, families) for run in runs],
        [
            ("", 1),
            ("Task success", 4 + len(families)),
            ("Plan efficiency (solved)", 3),
            ("Cost", 3),
        ],
    )


def _main_row(run: ReportedRun, families: Sequence[str]) -> list[str]:
    found = score(run.results)
    usd, per_usd = _cost(run, found)
    return [
        run.name,
        format_percent(found.pass_at_1),
        format_interval(found.bootstrap),
        format_interval(found.wilson),
        f"{found.solved}/{found.episodes}",
        *map(format_percent, _columns(run.results, families)[:-1]),
        format_number(found.avg_steps, 1),
        format_distance(found.dist2opt),
        format_distance(found.normdist),
        format_number(found.solved_per_million_tokens, 2),
        format_number(usd, 2),
        format_number(per_usd, 2),
    ]


def _cost(run: ReportedRun, found: Score) -> tuple[float | None, float | None]:
    """USD in all, and levels solved for one; None without a price or without tokens."""
    if not found.usage.tokens and not found.scorer_usage.tokens:
        return None, None
    prices = (run.price, run.scorer_price)
    return found.compute_cost(*prices), found.compute_solved_per_usd(*prices)


def _tier_table(runs: Sequence[ReportedRun]) -> Table:
    """Return CHAIN's Table 2: success by family and tier."""
    present = {(r.family, r.tier) for run in runs for r in run.results}
    families = list_families(runs)
    columns = [(f, t.value) for f in families for t in Tier if (f, t.value) in present]
    rows = []
    for run in runs:
        groups = group_by(run.results, lambda r: f"{r.family}/{r.tier}")
        found = [compute_pass_at_1(groups.get(f"{family}/{tier}", [])) for family, tier in columns]
        rows.append([run.name, *map(format_percent, found)])
    return Table(
        "Table 2: success by difficulty",
        "Pass@1 in per cent.",
        ["Run", *(tier for _, tier in columns)],
        rows,
        [("", 1), *((f"{f} ↑", sum(family == f for family, _ in columns)) for f in families)],
    )


def _mode_table(runs: Sequence[ReportedRun]) -> Table:
    """Return CHAIN's Table 3: the same agent, interactive and in one answer."""
    families = list_families(runs)
    columns = [*families, "all"]
    rows = []
    for one in runs:
        for other in runs:
            if _differ_by_mode(one, other):
                first, second = (_columns(run.results, families) for run in (one, other))
                rows.append(
                    [
                        one.folder.settings.agent,
                        *map(format_percent, first),
                        *map(format_percent, second),
                        _gain(second[-1], first[-1]),
                    ]
                )
    return Table(
        "Table 3: interactive and one-shot",
        "Pass@1 in per cent. Δ is one-shot less interactive, over all levels, as the rows of the "
        "paper have it; its caption has it the other way round.",
        ["Agent", *columns, *columns, "Δ"],
        rows,
        [("", 1), ("Interactive ↑", len(columns)), ("One-shot ↑", len(columns)), ("", 1)],
    )


def _differ_by_mode(one: ReportedRun, other: ReportedRun) -> bool:
    a, b = one.folder.settings, other.folder.settings
    same = (a.agent, a.levels, a.obs) == (b.agent, b.levels, b.obs)
    modes = (a.mode, b.mode) == (Mode.INTERACTIVE, Mode.ONE_SHOT)
    return same and modes and read_beam_settings(a) is None


def _sample_table(runs: Sequence[ReportedRun]) -> Table:
    """Return CHAIN's Table 4: what several attempts give, if a verifier picks one."""
    families = list_families(runs)
    head = ["Run", "Strategy", *(f"{f} ↑" for f in families), "all ↑", "Δ ↑"]
    rows = []
    for run in runs:
        search = read_beam_settings(run.folder.settings)
        if search is not None:
            base = next(
                (_samples(o, families, 1) for o in runs if _is_without_search(o, run)), None
            )
            found = _columns(run.results, families)
            rows.append(_strategy_row(run, search.name, found, base))
        attempts = min((len(group) for group in group_by_level(run.results).values()), default=0)
        if attempts > 1:
            rows += _several(run, families, attempts)
            rows += _selected(run, families, attempts)
    return Table(
        "Table 4: several attempts",
        "Per cent. Avg@k is the mean of k attempts, Pass@1 the first one alone; further Pass@k are "
        "unbiased estimates of what k attempts give when the verifier picks a solved one. Δ is how "
        "much that is more than Avg@k. The column all weighs levels alike. The family mean weighs "
        "families alike, as the paper's All does in this table.",
        head + ["family mean ↑", "Δ family mean ↑"] * (len(families) > 1),
        rows if len(families) > 1 else [row[: len(head)] for row in rows],
    )


def _several(run: ReportedRun, families: Sequence[str], attempts: int) -> Iterator[list[str]]:
    """Give the rows of Avg@k and Pass@k."""
    base = _samples(run, families, 1)
    yield _strategy_row(run, f"Avg@{attempts}", base, None)
    first = _columns([r for r in run.results if r.attempt == 1], families)
    yield _strategy_row(run, "Pass@1", first, base)
    for k in sorted({2, 4, 8, attempts}):
        if k <= attempts:
            yield _strategy_row(run, f"Pass@{k}", _samples(run, families, k), base)


def _strategy_row(
    run: ReportedRun,
    name: str,
    shares: Sequence[float | None],
    base: Sequence[float | None] | None,
) -> list[str]:
    """Return a row of Table 4.

    Args:
        shares: of each family, then of all levels.
        base: the same of Avg@k; None where there is nothing to compare with.
    """
    mean_share = _family_mean(shares)
    gains = ["", ""]
    if base is not None:
        gains = [_gain(shares[-1], base[-1]), _gain(mean_share, _family_mean(base))]
    cells = [*map(format_percent, shares), gains[0], format_percent(mean_share), gains[1]]
    return [run.name, name, *cells]


def _family_mean(shares: Sequence[float | None]) -> float | None:
    return compute_mean(share for share in shares[:-1] if share is not None)


def _is_without_search(one: ReportedRun, searched: ReportedRun) -> bool:
    """Return whether a run is the same agent's at the same levels, just playing."""
    a, b = one.folder.settings, searched.folder.settings
    alike = replace(a, seed=b.seed, attempts=b.attempts, options=b.options, bench=b.bench)
    return alike == replace(b, extras={k: e for k, e in b.extras.items() if k != SEARCH})


def _selected(run: ReportedRun, families: Sequence[str], k: int) -> Iterator[list[str]]:
    """Tabulate the choices that are kept in a run's folder."""
    for scored in read_scores(run.folder):
        found = evaluate_selection(scored.choice.name, run.results, scored.scores, k, scored.usage)
        shares = [*(found.by_family.get(family) for family in families), found.accuracy]
        cells = [*map(format_percent, shares), _points(found.gain)]
        cells += [format_percent(found.family_mean), _points(found.family_gain)]
        yield [run.name, found.name, *cells]


def _samples(run: ReportedRun, families: Sequence[str], k: int) -> list[float | None]:
    """Return Pass@k of each family, then of all levels."""
    groups = group_by(run.results, lambda r: r.family)
    shares = [compute_mean_pass_at(groups[f], k) if f in groups else None for f in families]
    return [*shares, compute_mean_pass_at(run.results, k)]


def _columns(results: Sequence[EpisodeResult], families: Sequence[str]) -> list[float | None]:
    """Pass@1 of each family, then of all."""
    groups = group_by(results, lambda r: r.family)
    return [
        *(compute_pass_at_1(groups.get(family, [])) for family in families),
        compute_pass_at_1(results),
    ]


def _gain(share: float | None, base: float | None) -> str:
    """Format the difference of two shares in percentage points."""
    return NOTHING if share is None or base is None else _points(share - base)


def _points(gain: float) -> str:
    return f"{gain * 100:+.1f}"

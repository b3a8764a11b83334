"""The noise floor: what agents solve that see nothing of a level, or that know nothing at all."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from bridge.agents.registry import find_agent
from bridge.episode.records import Obs
from bridge.report.cells import NOTHING, cut_cell, format_interval, format_percent
from bridge.report.parts import ReportedRun, Table
from bridge.runs.results import EpisodeResult
from bridge.runs.settings import RunSettings
from bridge.scoring.metrics import score
from bridge.scoring.statistics import Interval, compute_wilson_interval
from pysim.catalog import AnyLevel, LevelError
from pysim.errors import InputError
from pysim.level_selection import load_level
from pysim.puzzle import Tier

__all__ = ["ATTEMPTS", "PASSES", "build_floor_tables"]

PASSES, ATTEMPTS = "random_passes", "random_attempts"
"""Facts of a level: how many of how many random attempts solve it within its budget."""

_ARMS = {
    Obs.IMAGE: "pictures",
    Obs.IMAGE_STATE: "pictures+text",
    Obs.STATE: "text",
    Obs.NONE: "none",
    Obs.WRONG: "wrong",
}
_KNOW_NOTHING = ("random", "first-legal")
_KNOW_ALL = ("oracle", "noisy-oracle", "greedy", "scripted")
_MARK = " ≈"
_NOTE = (
    "Pass@1 in per cent with its 95 % interval, the wider of Wilson's and the bootstrap's over "
    "levels. The floor is random, first-legal and every arm none or wrong. A figure with ≈ is no "
    "evidence of sight: its interval reaches down to the highest interval of the floor."
)


@dataclass(frozen=True, slots=True)
class _Share:
    """A share and its interval."""

    value: float
    interval: Interval

    @property
    def cell(self) -> str:
        return f"{format_percent(self.value)} ({format_interval(self.interval)})"


@dataclass(frozen=True, slots=True)
class _Row:
    """A row of the table.

    Attributes:
        agent, arm: its first cells.
        is_floor: whether it belongs to the floor.
        is_compared: whether it is set beside the floor.
        shares: by column.
    """

    agent: str
    arm: str
    is_floor: bool
    is_compared: bool
    shares: Mapping[str, _Share]


def build_floor_tables(runs: Sequence[ReportedRun]) -> Iterator[Table]:
    """Yield a table for each suite of which something is known of the floor."""
    for settings, group in _by_levels(runs):
        rows = [_row(run) for run in group if run.results]
        if not any(row.agent == "random" for row in rows):
            rows += _measured(settings)
        if any(row.is_floor for row in rows) and len(rows) > 1:
            yield _table(settings.suite, rows)


def _by_levels(runs: Sequence[ReportedRun]) -> Iterator[tuple[RunSettings, list[ReportedRun]]]:
    """Yield the runs of the same levels and budgets together, with the settings of the first."""
    groups: dict[object, list[ReportedRun]] = {}
    for run in runs:
        settings = run.folder.settings
        groups.setdefault((settings.levels, settings.budget), []).append(run)
    return ((group[0].folder.settings, group) for group in groups.values())


def _row(run: ReportedRun) -> _Row:
    settings = run.folder.settings
    name = _agent_name(settings.agent)
    is_blind = settings.obs in (Obs.NONE, Obs.WRONG)
    knows = name in _KNOW_NOTHING + _KNOW_ALL
    return _Row(
        cut_cell(settings.agent),
        NOTHING if knows else _ARMS[settings.obs],
        name in _KNOW_NOTHING or (is_blind and not knows),
        not knows and not is_blind,
        _shares(run.results),
    )


def _agent_name(agent: str) -> str:
    try:
        return find_agent(agent).name
    except InputError:  # It is of a package that is gone.
        return agent


def _shares(results: Sequence[EpisodeResult]) -> dict[str, _Share]:
    tiers = {result.tier for result in results}
    parts = {tier: [r for r in results if r.tier == tier] for tier in tiers} | {"": results}
    return {name: found for name, part in parts.items() if (found := _share(part)) is not None}


def _share(results: Sequence[EpisodeResult]) -> _Share | None:
    found = score(results)
    if found.pass_at_1 is None or found.wilson is None or found.bootstrap is None:
        return None
    low = min(found.wilson.low, found.bootstrap.low)
    return _Share(found.pass_at_1, Interval(low, max(found.wilson.high, found.bootstrap.high)))


def _measured(settings: RunSettings) -> list[_Row]:
    """Return the row of the random agent as the levels' facts have it; none if they don't."""
    if settings.budget is not None:
        return []
    passes: Counter[str] = Counter()
    attempts: Counter[str] = Counter()
    for level in _shipped(settings):
        solved, tried = level.facts.get(PASSES), level.facts.get(ATTEMPTS)
        if not isinstance(solved, int) or not isinstance(tried, int):
            return []
        for column in ("", level.tier.value):
            passes[column] += solved
            attempts[column] += tried
    shares = {
        column: _Share(passes[column] / n, compute_wilson_interval(passes[column], n))
        for column, n in attempts.items()
    }
    return [_Row("random, as measured", NOTHING, True, False, shares)] if shares else []


def _shipped(settings: RunSettings) -> Iterator[AnyLevel]:
    for level_id, digest in settings.levels:
        try:
            level = load_level(level_id, files=False)
        except LevelError:
            continue
        if level.hash == digest:
            yield level


def _table(suite: str, rows: Sequence[_Row]) -> Table:
    present = {column for row in rows for column in row.shares}
    columns = ["", *(tier.value for tier in Tier if tier.value in present)]
    floor = {column: _floor(rows, column) for column in columns}
    return Table(
        f"Noise floor: {cut_cell(suite)}",
        _NOTE,
        ["Agent", "Arm", "All", *columns[1:]],
        [[row.agent, row.arm, *(_cell(row, c, floor[c]) for c in columns)] for row in rows],
    )


def _floor(rows: Sequence[_Row], column: str) -> float | None:
    """Return the highest end of an interval of the floor."""
    found = [row.shares[column] for row in rows if row.is_floor and column in row.shares]
    return max((share.interval.high for share in found), default=None)


def _cell(row: _Row, column: str, floor: float | None) -> str:
    share = row.shares.get(column)
    if share is None:
        return NOTHING
    reaches = row.is_compared and floor is not None and share.interval.low <= floor
    return share.cell + _MARK * reaches

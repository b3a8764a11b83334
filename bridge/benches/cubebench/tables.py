"""The tables of CubeBench: its Tables 2 to 6 and the depth-wise figures of appendix E."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from bridge.benches.cubebench.measures import (
    RunAverages,
    average_by_depth,
    average_runs,
    average_setting,
    select_cube_runs,
)
from bridge.benches.cubebench.policy import POLICY
from bridge.benches.cubebench.protocol import Setup, TurnMode, read_protocol
from bridge.benches.cubebench.results import Horizon, make_cube_play
from bridge.report.cells import NOTHING, format_number
from bridge.report.charts import draw_bars
from bridge.report.parts import Exhibit, Figure, ReportedRun, Table
from bridge.runs.results import EpisodeResult
from bridge.runs.settings import RunSettings
from pysim.families.rubik.puzzle import Setting
from pysim.families.rubik.rewards import Reward

__all__ = ["make_summary_table", "make_tables"]

_SETTINGS = {
    Setting.FULL_SYMBOLIC: "Full symbolic",
    Setting.FULL_VISUAL: "Full visual",
    Setting.FACE_VIEW: "Face view",
    Setting.VERTEX_VIEW: "Vertex view",
}
_PASS_NOTE = "Pass rate from 0 to 1; S: depths 1 to 4, L: 8 to 20."
_MOVES_NOTE = "#MM: mean number of moves of normally terminated runs."
_RATIO_NOTE = "#MR: mean ratio of moves to the depth (HTM), normally terminated runs."


def make_tables(runs: Sequence[ReportedRun]) -> Iterator[Exhibit]:
    """Yield all that these runs give; nothing if none of them plays cubes of known depth."""
    cubes = [run for run in runs if select_cube_runs(run.results)]
    if not cubes:
        return
    basic = [run for run in cubes if _is_basic(run.folder.settings)]
    yield (table := _wide_table("Table 2: basic agents", "#MM", _moves, basic))
    yield _policy_table(table)
    yield _moves_table(cubes)
    yield _varied_table("Table 3: rewards", "Reward", _reward, cubes)
    yield _varied_table("Table 4: solvers", "Set-up", _setup, cubes)
    yield _wide_table("Table 5: move ratios of basic agents", "#MR", _ratio, basic)
    yield _code_table(cubes)
    yield _depth_table("Pass rate by depth", _pass_rate, _PASS_NOTE, cubes)
    yield _depth_table("#MR by depth", _ratio, _RATIO_NOTE, cubes)
    yield from _depth_figures(cubes)
    yield _cost_table(cubes)


def make_summary_table(results: Sequence[EpisodeResult]) -> Table | None:
    """Return the paper's figures by setting and horizon, if cubes were played."""
    if not select_cube_runs(results):
        return None
    every = [(setting, horizon) for setting in Setting for horizon in Horizon]
    found = [(*which, average_setting(results, *which)) for which in every]
    rows = [
        [setting, horizon, str(one.runs), _pass_rate(one), _moves(one), _ratio(one)]
        for setting, horizon, one in found
        if one.runs
    ]
    return Table("", "", ["setting", "horizon", "runs", "pass rate", "#MM", "#MR"], rows)


def _is_basic(settings: RunSettings) -> bool:
    """Return whether the agent had neither a solver nor rewards; step by step there are none."""
    protocol = read_protocol(settings)
    return protocol is None or (protocol.setup, protocol.reward) == (Setup.BASIC, Reward.NONE)


CellText = Callable[[RunAverages], str]


def _pass_rate(found: RunAverages) -> str:
    return format_number(found.pass_rate, 2)


def _moves(found: RunAverages) -> str:
    return format_number(found.moves, 2)


def _ratio(found: RunAverages) -> str:
    return format_number(found.ratio, 2)


def _wide_table(title: str, name: str, cell: CellText, runs: Sequence[ReportedRun]) -> Table:
    """The layout of Tables 2 and 5: pass rates, then something else, by setting and horizon."""
    note = _MOVES_NOTE if name == "#MM" else _RATIO_NOTE
    groups = [(f"{what}: {text}", 2) for what in ("Pass rate", name) for text in _SETTINGS.values()]
    rows = [[run.name, *_cells(run, _pass_rate), *_cells(run, cell)] for run in runs]
    head = ["Run", *["S", "L"] * 2 * len(_SETTINGS)]
    return Table(f"CubeBench {title}", f"{_PASS_NOTE} {note}", head, rows, [("", 1), *groups])


def _policy_table(table: Table) -> Table:
    """Return the row of Table 2 that no run gives, under the same columns."""
    others = [NOTHING] * 2 * (len(_SETTINGS) - 1)
    row = [POLICY.name, *POLICY.pass_rates, *others, *POLICY.moves, *others]
    return replace(table, title=f"CubeBench Table 2: {POLICY.name}", note=POLICY.note, rows=[row])


def _cells(run: ReportedRun, cell: CellText) -> list[str]:
    return [cell(average_setting(run.results, s, h)) for s in _SETTINGS for h in Horizon]


def _moves_table(runs: Sequence[ReportedRun]) -> Table:
    """Return the three ways in which the paper sums up #MM."""
    rows = []
    for run in runs:
        for setting, text in _SETTINGS.items():
            some = [r for r in run.results if (c := make_cube_play(r)) and c.setting is setting]
            if some:
                found = average_runs(some)
                most = NOTHING if found.moves_most is None else str(found.moves_most)
                solved = format_number(found.moves_solved, 2)
                counts = [str(found.runs), str(found.normal), str(found.solved)]
                rows.append([run.name, text, *counts, _moves(found), solved, most])
    return Table(
        "CubeBench: number of moves",
        "Means of #MM over normally terminated runs and over solved ones, and the largest of a "
        "normally terminated one. A run that ran out of time did not terminate normally.",
        ["Run", "Setting", "Runs", "Normal", "Solved", "Mean", "Mean solved", "Maximum"],
        rows,
    )


def _reward(settings: RunSettings) -> str | None:
    """Return the reward of a basic agent's run, for Table 3."""
    protocol = read_protocol(settings)
    if protocol is None or protocol.setup is not Setup.BASIC:
        return None
    return "no reward" if protocol.reward is Reward.NONE else protocol.reward.value


def _setup(settings: RunSettings) -> str | None:
    """Return the solver of a run without rewards, for Table 4."""
    protocol = read_protocol(settings)
    if protocol is None or protocol.reward is not Reward.NONE:
        return None
    return protocol.setup.value


def _varied_table(
    title: str, name: str, key: Callable[[RunSettings], str | None], runs: Sequence[ReportedRun]
) -> Table:
    """Return the layout of Tables 3 and 4: for each agent, pass rates with one thing varied."""
    found: dict[tuple[str, str], list[tuple[str, ReportedRun]]] = {}
    for run in runs:
        value = key(run.folder.settings)
        if value is not None:
            settings = run.folder.settings
            found.setdefault((settings.agent, settings.mode), []).append((value, run))
    rows = [
        [agent, mode, value, *_cells(run, _pass_rate)]
        for (agent, mode), varied in found.items()
        if len({value for value, _ in varied}) > 1
        for value, run in varied
    ]
    groups = [("", 3), *((text, 2) for text in _SETTINGS.values())]
    head = ["Agent", "Mode", name, *["S", "L"] * len(_SETTINGS)]
    return Table(f"CubeBench {title}", _PASS_NOTE, head, rows, groups)


def _code_table(runs: Sequence[ReportedRun]) -> Table:
    """Table 6: short-horizon symbolic cubes without code and with it."""
    rows = []
    for one in runs:
        for other in runs:
            if _differ_by_code(one.folder.settings, other.folder.settings):
                pair = [_short_symbolic(one), _short_symbolic(other)]
                cells = [cell(found) for found in pair for cell in (_pass_rate, _ratio)]
                rows.append([one.folder.settings.agent, *cells])
    return Table(
        "CubeBench Table 6: without code and with it",
        f"Full symbolic, depths 1 to 4. {_RATIO_NOTE}",
        ["Agent", *["Pass rate", "#MR"] * 2],
        rows,
        [("", 1), ("No code", 2), ("Code", 2)],
    )


def _differ_by_code(one: RunSettings, other: RunSettings) -> bool:
    if (one.mode, other.mode) != (TurnMode.NO_CODE, TurnMode.CODE):
        return False
    pair = (one, other)
    a, b = ((s.agent, (p := read_protocol(s)) and (p.setup, p.reward)) for s in pair)
    return a == b


def _short_symbolic(run: ReportedRun) -> RunAverages:
    return average_setting(run.results, Setting.FULL_SYMBOLIC, Horizon.SHORT)


def _depth_table(title: str, cell: CellText, note: str, runs: Sequence[ReportedRun]) -> Table:
    """Return one of the depth-wise figures, as figures."""
    plays = (make_cube_play(result) for run in runs for result in run.results)
    depths = sorted({play.depth for play in plays if play is not None})
    rows = []
    for run in runs:
        for setting, text in _SETTINGS.items():
            found = average_by_depth(run.results, setting)
            if found:
                cells = [cell(found[d]) if d in found else NOTHING for d in depths]
                rows.append([run.name, text, *cells])
    return Table(f"CubeBench: {title}", note, ["Run", "Setting", *map(str, depths)], rows)


def _depth_figures(runs: Sequence[ReportedRun]) -> Iterator[Figure]:
    """Appendix E's plots of the pass rate, one for each setting."""
    for setting, text in _SETTINGS.items():
        groups: dict[str, dict[str, float]] = {}
        for run in runs:
            for depth, found in average_by_depth(run.results, setting).items():
                groups.setdefault(f"{depth:>2}", {})[run.name] = found.pass_rate or 0.0
        if groups:
            plot = draw_bars(dict(sorted(groups.items())), [run.name for run in runs], "pass rate")
            yield Figure(f"CubeBench: pass rate by depth, {text.lower()}", plot)


def _cost_table(runs: Sequence[ReportedRun]) -> Table:
    """Build the table of costs of runs with a model (appendix G)."""
    rows = []
    for run in runs:
        usages = [result.usage for result in select_cube_runs(run.results)]
        tokens_in, tokens_out = (sum(getattr(u, n) for u in usages) for n in _TOKENS)
        if tokens_in or tokens_out:
            cost = (
                None
                if run.price is None
                else sum(run.price.compute_cost(usage) for usage in usages)
            )
            counts = [f"{tokens_in:,}", f"{tokens_out:,}", f"{tokens_in + tokens_out:,}"]
            rows.append([run.name, *counts, format_number(cost, 2)])
    return Table("CubeBench: cost", "", ["Run", "Tokens in", "Tokens out", "Tokens", "USD"], rows)


_TOKENS = ("tokens_in", "tokens_out")

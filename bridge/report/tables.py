"""The tables of every report: the runs, pairs of them, and how episodes were played."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from pathlib import Path

from bridge.report.cells import NOTHING, cut_cell, format_number, format_percent
from bridge.report.parts import ReportedRun, Table
from bridge.runs.presets import read_preset_note
from bridge.runs.protocol import find_bench_of_run
from bridge.runs.provenance import read_sessions
from bridge.scoring.metrics import (
    Score,
    compare,
    compute_attempt_gain,
    compute_pass_by_attempt,
    count_errors,
    count_errors_by_colour,
    score,
)
from pysim.field_types import Json

__all__ = [
    "build_attempt_tables",
    "build_comparison_tables",
    "build_conduct_tables",
    "build_error_tables",
    "build_preset_table",
    "build_run_tables",
    "build_session_table",
    "build_session_tables",
]


def build_run_tables(runs: Sequence[ReportedRun]) -> Iterator[Table]:
    """Build the tables of runs: levels, agents and settings."""
    rows = []
    for run in runs:
        settings = run.folder.settings
        planned = len(settings.levels) * settings.attempts
        rows.append(
            [
                run.name,
                cut_cell(settings.suite),
                cut_cell(settings.agent),
                find_bench_of_run(settings).describe(settings),
                settings.obs.value,
                settings.world,
                str(settings.attempts),
                str(settings.seed),
                f"{len(run.results)} of {planned}",
            ]
        )
    head = ["Run", "Suite", "Agent", "Mode", "Observation", "World", "k", "Seed", "Episodes"]
    yield Table("Runs", "", head, rows)


def build_session_tables(runs: Sequence[ReportedRun]) -> Iterator[Table]:
    """Yield :func:`build_preset_table` and :func:`build_session_table` of runs that were played."""
    folders = {run.name: run.folder.path for run in runs}
    yield from (
        table for make in (build_preset_table, build_session_table) if (table := make(folders)).rows
    )


def build_preset_table(folders: Mapping[str, Path]) -> Table:
    """Return how runs stand to the publications of their benches.

    Args:
        folders: by the runs' names; those without a publication are left out.
    """
    notes = {name: read_preset_note(folder) for name, folder in folders.items()}
    return Table(
        "Beside the papers' settings",
        "`--preset paper` plays with the settings of the paper; options given besides win.",
        ["Run", "Paper", "Settings that differ"],
        [
            [name, note.source, "; ".join(note.departures) or "none"]
            for name, note in notes.items()
            if note is not None
        ],
    )


def build_session_table(folders: Mapping[str, Path]) -> Table:
    """With what, where and when each run was made; of a run in several sessions the last one.

    Args:
        folders: by the runs' names; those that don't say are left out.
    """
    told = {name: read_sessions(folder) for name, folder in folders.items()}
    return Table(
        "With what, where and when",
        "Of the last session; about.jsonl in the run's folder has the versions of all packages.",
        [
            "Run",
            "Began",
            "Sessions",
            "Luban",
            "Python",
            "System",
            "Processor",
            "Its model",
            "Cores",
        ],
        [_session_row(name, found) for name, found in told.items() if found],
    )


def _session_row(name: str, told: Sequence[Mapping[str, Json]]) -> list[str]:
    last = told[-1]
    commit = str(last.get("commit") or NOTHING)
    processor, _, model = str(last.get("processor", NOTHING)).partition(", ")
    return [
        name,
        str(last.get("began", NOTHING)),
        str(len(told)),
        f"{last.get('luban', NOTHING)} {commit[:12]}{'+' * commit.endswith('+')}",
        str(last.get("python", NOTHING)),
        cut_cell(str(last.get("system", NOTHING))),
        cut_cell(processor),
        cut_cell(model or NOTHING),
        str(last.get("cores", NOTHING)),
    ]


def build_comparison_tables(runs: Sequence[ReportedRun]) -> Iterator[Table]:
    """Yield every two runs that have levels in common."""
    rows = []
    for one, other in combinations(runs, 2):
        if not {r.level for r in one.results} & {r.level for r in other.results}:
            continue
        found = compare(one.results, other.results)
        rows.append(
            [
                f"{one.name} − {other.name}",
                str(found.levels),
                f"{found.difference * 100:+.1f}",
                f"{found.interval.low * 100:+.1f} to {found.interval.high * 100:+.1f}",
                f"{found.only_first} / {found.only_second}",
                f"{found.p_value:.3g}",
            ]
        )
    yield Table(
        "Paired comparisons",
        "Difference of Pass@1 in percentage points on the levels that both runs have, with the "
        "bootstrap interval over levels; levels that only the one or the other solved; p of the "
        "two-sided sign-flip test over levels.",
        ["Runs", "Levels", "Difference", "95 %", "Only one", "p"],
        rows,
    )


def build_attempt_tables(runs: Sequence[ReportedRun]) -> Iterator[Table]:
    """Build the table of runs whose agents kept notes: Pass@1 by the number of the attempt."""
    noted = [run for run in runs if run.folder.settings.notes]
    most = max((run.folder.settings.attempts for run in noted), default=0)
    rows = []
    for run in noted:
        shares = [format_percent(share) for share in compute_pass_by_attempt(run.results)]
        gain = compute_attempt_gain(run.results, run.folder.settings.attempts)
        told = [NOTHING, NOTHING]
        if gain is not None:
            low, high = gain.interval.low * 100, gain.interval.high * 100
            told = [f"{gain.difference * 100:+.1f}", f"{low:+.1f} to {high:+.1f}"]
        rows.append([run.name, *shares, *[NOTHING] * (most - len(shares)), *told])
    yield Table(
        "Learning across attempts",
        "Levels that the first attempt solved, the second one and so on, in percent. The agent "
        "kept notes from one attempt to the next. Gain: the last attempt less the first in "
        "percentage points, with the bootstrap interval over levels.",
        ["Run", *(f"{number}" for number in range(1, most + 1)), "Gain", "95 %"],
        rows,
    )


def build_conduct_tables(runs: Sequence[ReportedRun]) -> Iterator[Table]:
    """Build the tables of the conduct of episodes, solved or not."""
    yield Table(
        "Conduct",
        "Legal steps among all steps; legal steps that led back to a state seen before; episodes "
        "without a refused step; the first refused step of the others, on average; steps in which "
        "the world did not confirm the rules; the furthest share of the plan that an episode came "
        "to, on average, 100 for solved ones.",
        [
            "Run",
            "Legal %",
            "Repeated %",
            "Faultless %",
            "First error",
            "Disagreements",
            "Progress %",
        ],
        [_conduct_row(run.name, score(run.results)) for run in runs],
    )


def _conduct_row(name: str, found: Score) -> list[str]:
    shares = (found.legality, found.repeated, found.faultless)
    return [
        name,
        *map(format_percent, shares),
        format_number(found.first_error, 1),
        str(found.disagreements),
        format_percent(found.progress),
    ]


def build_error_tables(runs: Sequence[ReportedRun]) -> Iterator[Table]:
    """Build the tables of broken rules, and of the colours involved."""
    rows = []
    for run in runs:
        colours = count_errors_by_colour(run.results)
        for reason, count in count_errors(run.results).most_common():
            culprits = [(name, n) for (why, name), n in colours.most_common() if why == reason]
            rows.append(
                [
                    run.name,
                    reason,
                    str(count),
                    f"{count / len(run.results):.2f}",
                    ", ".join(f"{name} {n}" for name, n in culprits[:_CULPRITS]) or NOTHING,
                ]
            )
    yield Table(
        "Error profile",
        "How often a step was refused, by the rule that it broke, in all and per episode; and the "
        "colours that stood in the way (or fields that were wrong), the most frequent first. A "
        "step may have several.",
        ["Run", "Rule", "Refused", "Per episode", "Because of"],
        rows,
    )


_CULPRITS = 8
"""Colours that are named for each rule; ``results.json`` has them all."""

"""Figures of all cases of cubes and nets together."""

from collections.abc import Sequence

import numpy as np

from bridge.scoring.statistics import compute_wilson_interval
from perf.harness import Report
from perf.video.judged import Judged
from perf.video.turned.cases import TURNED_CLEAN, TurnedKind

__all__ = ["tell_of_turned"]

ENOUGH = 36
"""Cases from which on a bound of the recall is a target: if all are found it is above 0.9."""


def tell_of_turned(report: Report, results: Sequence[Judged]) -> None:
    """Put what cases of cubes and nets say into a report."""
    clean = [r for r in results if r.case.kind == TURNED_CLEAN]
    if clean:
        _tell_of_clean(report, clean)
    for kind in TurnedKind:
        forged = [r for r in results if r.case.kind == kind]
        if forged:
            _tell_of_forged(report, kind, forged)


def _tell_of_clean(report: Report, clean: Sequence[Judged]) -> None:
    wrong, count = sum(r.found for r in clean), len(clean)
    figures = {
        "clean_clips": float(count),
        "clean_clips_with_alarms": wrong / count,
        "clean_clips_with_alarms_at_most": compute_wilson_interval(wrong, count).high,
        "plans_read": sum(r.plan == "read" for r in clean) / count,
        "plans_wrong": sum(r.plan == "wrong" for r in clean) / count,
        "undecided_share": float(np.mean([r.undecided for r in clean])),
        "frames_per_core_second": sum(r.frames for r in clean)
        / max(sum(r.seconds for r in clean), 1e-9),
    }
    report.figures.update({f"turned_{name}": value for name, value in figures.items()})
    report.targets["turned_clean_clips_with_alarms"] = ("<=", 0.01)
    if wrong:
        alarms = [f"{r.level} {r.case.number}: {v}" for r in clean for v in r.violations]
        report.notes["turned alarms"] = "; ".join(alarms)


def _tell_of_forged(report: Report, kind: TurnedKind, results: Sequence[Judged]) -> None:
    tried = [r for r in results if not r.nowhere]
    name = f"recall_{kind}".replace("-", "_")
    if len(tried) < len(results):
        reason = next(r.nowhere for r in results if r.nowhere)
        report.notes[name] = f"{len(results) - len(tried)} without a place: {reason}"
    if not tried:
        return
    found, count, unseen = sum(r.found for r in tried), len(tried), sum(r.unseen for r in tried)
    report.figures[name] = found / count
    report.figures[f"{name}_cases"] = count
    report.figures[f"{name}_places"] = len({(r.level, r.label) for r in tried})
    report.figures[f"{name}_at_least"] = compute_wilson_interval(found, count).low
    report.figures[f"{name}_unseen"] = unseen / (unseen + count)
    if count >= ENOUGH:
        report.targets[f"{name}_at_least"] = (">=", 0.9)
    missed = [f"{r.level} {r.case.number}" for r in tried if not r.found]
    if missed:
        report.notes[f"{name} missed"] = ", ".join(missed)

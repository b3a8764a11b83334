"""Figures of all cases together, and the targets that they are held against."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

import numpy as np

from bridge.recording.dataset.forging.forge import strengths
from bridge.recording.dataset.forging.forgeries import ForgeryKind
from bridge.scoring.statistics import compute_wilson_interval
from perf.harness import Report
from perf.video.cases import CLEAN_CLIP, Case
from perf.video.judged import Judged
from perf.video.turned.cases import TURNED_CLEAN, is_turned
from perf.video.turned.tallies import tell_of_turned

__all__ = ["tell_of", "told_so_far"]

ENOUGH = 36
"""Cases from which on a bound of the recall is a target: if all are found it is above 0.9."""


def told_so_far(results: Sequence[Judged]) -> str:
    """Describe the progress of a run in a line."""
    clean = [r for r in results if r.case.kind in (CLEAN_CLIP, TURNED_CLEAN)]
    forged = [r for r in results if r not in clean and not r.nowhere]
    alarms, found = (sum(r.found for r in some) for some in (clean, forged))
    return f"{alarms} of {len(clean)} clean clips with alarms, {found} of {len(forged)} found"


def tell_of(report: Report, results: Sequence[Judged], asked: Sequence[Case]) -> None:
    """Put everything that cases say into a report."""
    turned = [r for r in results if is_turned(r.case.kind)]
    if turned:
        tell_of_turned(report, turned)
    clean = [r for r in results if r.case.kind == CLEAN_CLIP]
    forged: dict[tuple[str, float], list[Judged]] = defaultdict(list)
    for result in results:
        if result.case.kind != CLEAN_CLIP and not is_turned(result.case.kind):
            forged[result.case.kind, result.case.strength].append(result)
    if clean:
        _tell_of_clean(report, clean)
    strongest = [_tell_of_forged(report, *key, forged[key]) for key in _sorted(forged)]
    shares = [share for share in strongest if share is not None]
    if shares:
        report.figures["recall_strongest"] = float(np.mean(shares))
        report.targets["recall_strongest"] = (">=", 0.9)
    if missing := Counter(case.kind for case in {*asked} - {r.case for r in results}):
        told = ", ".join(f"{kind} {count}" for kind, count in sorted(missing.items()))
        report.notes["not run"] = f"{missing.total()} of {len(asked)} cases: {told}"


def _sorted(forged: dict[tuple[str, float], list[Judged]]) -> Iterator[tuple[str, float]]:
    for kind in ForgeryKind:
        for strength in strengths(kind):
            if (kind.value, strength) in forged:
                yield kind.value, strength


def _tell_of_clean(report: Report, clean: Sequence[Judged]) -> None:
    wrong, count = sum(r.found for r in clean), len(clean)
    off = [error for r in clean for error in r.off]
    report.figures["clean_clips"] = count
    report.figures["clean_clips_with_alarms"] = wrong / count
    report.figures["clean_clips_with_alarms_at_most"] = compute_wilson_interval(wrong, count).high
    report.targets["clean_clips_with_alarms"] = ("<=", 0.01)
    report.figures["undecided_share"] = float(np.mean([r.undecided for r in clean]))
    report.figures["undecided_most"] = max(r.undecided for r in clean)
    report.targets["undecided_share"] = ("<=", 0.05)
    if off:
        report.figures["motion_error_median_u"] = float(np.median(off))
        report.figures["motion_error_95_u"] = float(np.percentile(off, 95))
        report.targets["motion_error_median_u"] = ("<=", 0.1)
        report.targets["motion_error_95_u"] = ("<=", 0.3)
    measures = [r.likeness or {} for r in clean]
    for name in sorted({name for row in measures for name in row}):
        values = [row[name] for row in measures if name in row]
        report.figures[f"floor_{name}"] = float(np.mean(values))
    seconds = sum(r.seconds for r in clean)
    report.figures["frames_per_core_second"] = sum(r.frames for r in clean) / max(seconds, 1e-9)
    report.targets["frames_per_core_second"] = (">=", 10)
    if wrong:
        alarms = [f"{r.case.sort} {r.case.number}: {v}" for r in clean for v in r.violations]
        report.notes["alarms"] = "; ".join(alarms)


def _tell_of_forged(
    report: Report, kind: str, strength: float, results: Sequence[Judged]
) -> float | None:
    """Tell of one kind and strength; the share that was found if no strength is greater."""
    tried = [r for r in results if not r.nowhere]
    name = f"recall_{kind}_{strength:g}".replace("-", "_")
    if nowhere := len(results) - len(tried):
        report.notes[name] = f"{nowhere} without a place: {_reason(results)}"
    if not tried:
        return None
    found, count = sum(r.found for r in tried), len(tried)
    unseen = sum(r.unseen for r in tried)
    report.figures[name] = found / count
    report.figures[f"{name}_cases"] = count
    report.figures[f"{name}_places"] = len({(r.level, r.label) for r in tried})
    report.figures[f"{name}_at_least"] = compute_wilson_interval(found, count).low
    report.figures[f"{name}_unseen"] = unseen / (unseen + count)
    if strength != strengths(ForgeryKind(kind))[-1]:
        return None
    # A few cases can't bound anything; a sample is judged as a whole, by the strongest of each.
    if count >= ENOUGH:
        report.targets[f"{name}_at_least"] = (">=", 0.9)
    return found / count


def _reason(results: Sequence[Judged]) -> str:
    return next(r.nowhere for r in results if r.nowhere)

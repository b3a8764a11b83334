"""Figures of all outcomes together, and the targets that they are held against."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence

import numpy as np

from bridge.scoring.statistics import compute_wilson_interval
from perf.clips.cases import CORRUPTED, DEGRADED, RANKED, UNSEEN_GROUP
from perf.clips.judging import Outcome
from perf.clips.ranking import is_right_order
from perf.harness import Report

__all__ = ["add_figures"]

_SURE = 0.9
"""Share of what can't be seen that has to be undecided."""


def add_figures(report: Report, outcomes: Sequence[Outcome]) -> None:
    """Put everything that outcomes say into a report."""
    groups = _split(outcomes, lambda one: one.case.group)
    for group, add in (
        (DEGRADED, _add_degraded),
        (UNSEEN_GROUP, _add_unseen),
        (CORRUPTED, _add_corrupted),
        (RANKED, _add_ranked),
    ):
        if groups[group]:
            add(report, groups[group])
    seconds = sum(one.seconds for one in outcomes)
    if seconds:
        report.figures["frames_per_core_second"] = sum(one.frames for one in outcomes) / seconds
        report.targets["frames_per_core_second"] = (">=", 20)
    if memory := max((one.memory for one in outcomes), default=0.0):
        report.figures["peak_memory_mib"] = memory
        report.targets["peak_memory_mib"] = ("<=", 400)


def _split(
    outcomes: Sequence[Outcome], key: Callable[[Outcome], str]
) -> defaultdict[str, list[Outcome]]:
    found: defaultdict[str, list[Outcome]] = defaultdict(list)
    for one in outcomes:
        found[key(one)].append(one)
    return found


def _add_degraded(report: Report, clips: Sequence[Outcome]) -> None:
    report.figures["degraded_clips"] = len(clips)
    alarms = sum(bool(one.early) for one in clips)
    report.figures["degraded_clips_with_alarms"] = alarms / len(clips)
    report.figures["degraded_clips_with_alarms_at_most"] = compute_wilson_interval(
        alarms, len(clips)
    ).high
    report.targets["degraded_clips_with_alarms"] = ("<=", 0.01)
    report.figures["degraded_alarms_per_clip"] = float(np.mean([one.early for one in clips]))
    report.figures["degraded_not_scored"] = float(np.mean([bool(one.error) for one in clips]))
    scored = [one for one in clips if not one.error]
    report.figures["degraded_plans_whole"] = _share(scored, lambda one: one.plan == "whole")
    if scored:
        report.figures["degraded_undecided"] = float(np.mean([one.undecided for one in scored]))
    errors = [error for one in scored for error in one.errors]
    if errors:
        report.figures["motion_error_median_u"] = float(np.median(errors))
        report.figures["motion_error_95_u"] = float(np.percentile(errors, 95))
        report.targets["motion_error_median_u"] = ("<=", 0.05)
        report.targets["motion_error_95_u"] = ("<=", 0.3)
    for title, rows in (
        ("alarms by degradation", _split(clips, lambda one: one.case.recipe)),
        ("alarms by family", _split(clips, lambda one: one.case.family)),
    ):
        report.notes[title] = _list_shares(rows, lambda one: bool(one.early))
    rows = _split(scored, lambda one: one.case.family)
    report.notes["plans whole by family"] = _list_shares(rows, lambda one: one.plan == "whole")


def _add_unseen(report: Report, clips: Sequence[Outcome]) -> None:
    report.figures["unseen_clips"] = len(clips)
    report.figures["unseen_clips_with_alarms"] = _share(clips, lambda one: one.early > 0)
    report.figures["unseen_clips_undecided"] = _share(
        clips, lambda one: bool(one.error) or one.undecided >= _SURE
    )
    report.targets["unseen_clips_with_alarms"] = ("<=", 0)
    report.targets["unseen_clips_undecided"] = (">=", 1)


def _add_corrupted(report: Report, clips: Sequence[Outcome]) -> None:
    placed = [one for one in clips if one.level]
    report.figures["corrupted_clips"] = len(placed)
    report.figures["corrupted_recall"] = _share(placed, _is_found)
    report.figures["corrupted_right_kind"] = _share(placed, lambda one: one.right > 0)
    found = [one for one in placed if _is_found(one)]
    report.figures["one_cause_one_violation"] = _share(
        found, lambda one: one.counted + one.late <= one.causes
    )
    report.figures["violations_per_cause"] = sum(one.counted + one.late for one in found) / max(
        1, sum(one.causes for one in found)
    )
    report.figures["alarms_before_a_cause"] = _share(placed, lambda one: one.early > 0)
    report.targets |= {
        "corrupted_recall": (">=", 0.95),
        "corrupted_right_kind": (">=", 0.85),
        "one_cause_one_violation": (">=", 0.9),
        "alarms_before_a_cause": ("<=", 0.01),
    }
    by_recipe = _split(placed, lambda one: f"{one.case.recipe} {one.case.strength:g}")
    report.notes["recall by corruption"] = _list_shares(by_recipe, _is_found)
    report.notes["right kind by corruption"] = _list_shares(by_recipe, lambda one: one.right > 0)
    by_family = _split(placed, lambda one: one.case.family)
    report.notes["recall by family"] = _list_shares(by_family, _is_found)
    nowhere = sorted({f"{o.case.family} {o.case.recipe}" for o in clips if not o.level})
    report.notes["no place for"] = ", ".join(nowhere) or "none"


def _is_found(one: Outcome) -> bool:
    return one.found > 0


def _add_ranked(report: Report, rankings: Sequence[Outcome]) -> None:
    made = [one for one in rankings if one.level]
    if made:
        report.figures["rankings"] = len(made)
        report.figures["rankings_right"] = _share(made, lambda one: is_right_order(one.ranks))
        report.targets["rankings_right"] = (">=", 1)
        report.notes["rankings"] = "; ".join(
            f"{one.level}: {' > '.join(one.ranks)}" for one in made
        )


def _share(some: Sequence[Outcome], is_so: Callable[[Outcome], bool]) -> float:
    return float(np.mean([is_so(one) for one in some])) if some else 0.0


def _list_shares(rows: dict[str, list[Outcome]], is_so: Callable[[Outcome], bool]) -> str:
    return ", ".join(_list_rows(rows, is_so))


def _list_rows(rows: dict[str, list[Outcome]], is_so: Callable[[Outcome], bool]) -> Iterator[str]:
    for name, some in sorted(rows.items()):
        yield f"{name} {sum(map(is_so, some))}/{len(some)}"

"""Holding what trackers found against the true film: what that explains as well is no violation."""

from collections.abc import Sequence
from dataclasses import replace

from bridge.video.verdict.reading import ReadMove, ReadPlan
from bridge.video.verdict.ruling import Ruling
from bridge.video.verdict.violations import Thresholds, Violation, ViolationKind
from bridge.video.verdict.explanation import FilmExplanation

__all__ = ["confirm_by_film"]


_AFTER = 2
"""Frames after a violation in which it may be seen, too."""


def confirm_by_film(ruling: Ruling, explanation: FilmExplanation) -> Ruling:
    """Return a ruling without violations in frames that the true film explains.

    What goes from one place in the film to another at once is a violation. Where the film explains
    the whole video, the plan is that of the film, too, as far as it goes.
    """
    kept = [v for v in ruling.violations if _is_confirmed(v, explanation)]
    kept += [v for v in _list_leaps(explanation) if not _is_known(v, kept)]
    if kept or not explanation.is_whole:
        ordered = tuple(sorted(kept, key=lambda v: (v.first, v.kind, v.pieces)))
        return replace(ruling, violations=ordered)
    return replace(ruling, violations=(), reading=_read_plan(explanation))


def _list_leaps(explanation: FilmExplanation) -> list[Violation]:
    return [
        Violation(ViolationKind.TELEPORT, leap.frame, leap.frame, leap.names, leap.distance)
        for leap in explanation.find_leaps()
        if leap.names
    ]


def _is_known(leap: Violation, others: Sequence[Violation]) -> bool:
    """Whether a tracker has found a leap, too; a frame more or less makes no difference."""
    return any(
        one.first - 2 <= leap.first <= one.last + 2 and set(one.pieces) & set(leap.pieces)
        for one in others
    )


def _is_confirmed(violation: Violation, explanation: FilmExplanation) -> bool:
    names = [name for name in violation.pieces if name in explanation.film.bundle.names]
    # What happens at once is seen in the frames after it.
    frames = explanation.count_unexplained(names, violation.first, violation.last + _AFTER)
    return frames >= min(Thresholds().frames, 1 + violation.last - violation.first)


def _read_plan(explanation: FilmExplanation) -> ReadPlan:
    manifest = explanation.film.bundle.manifest
    done = explanation.find_steps()
    moves = tuple(
        ReadMove(
            manifest.steps[one.step].action,
            manifest.steps[one.step].arguments,
            one.first,
            one.last,
            legal=True,
        )
        for one in done
    )
    solved = manifest.solved and len(done) == len(manifest.steps)
    return ReadPlan(moves, prefix=len(moves), solved=solved)

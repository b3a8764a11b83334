"""One case of a cube or a net, made and judged."""

from pathlib import Path
from time import process_time

from bridge.video.verdict.ruling import Ruling
from bridge.video.verdict.violations import Violation, ViolationKind
from bridge.video.report.scores import score_video
from bridge.recording.dataset.forging.forgeries import ForgeryError
from bridge.video.reference.bundle import Bundle
from perf.video.cases import Case
from perf.video.clips import WITHIN
from perf.video.judged import Judged, violation_line
from perf.video.turned.cases import TURNED_CLEAN, TurnedKind, what_of
from perf.video.turned.clips import TurnedClip, clean_turned, forged_turned
from perf.video.turned.forging import TurnedLabel
from pysim.render.renderer import Renderer

__all__ = ["ACCEPTED", "is_told", "judged_turned"]

ACCEPTED: dict[TurnedKind, set[ViolationKind]] = {
    TurnedKind.VANISH: {ViolationKind.PERMANENCE},
    TurnedKind.TELEPORT: {ViolationKind.TELEPORT},
    TurnedKind.DUPLICATE: {ViolationKind.EXTRA},
    TurnedKind.SWAP: {ViolationKind.SWAP},
    TurnedKind.RECOLOUR: {ViolationKind.RIGIDITY, ViolationKind.PERMANENCE},
    TurnedKind.SNAP: {ViolationKind.TELEPORT},
    TurnedKind.ILLEGAL: {ViolationKind.ILLEGAL, ViolationKind.INTERPENETRATION},
}
"""What a forgery may be called."""


def judged_turned(
    case: Case, seed: int, known: list[Bundle], renderer: Renderer, video: Path
) -> Judged:
    """Make a case's clip, and judge it.

    Args:
        seed: of all cases.
        known: the true films.
        renderer: draws forged ones.
        video: where to put it.
    """
    rng = case.make_rng(seed)
    if case.kind == TURNED_CLEAN:
        return _clean(case, clean_turned(known, what_of(case), rng, video))
    try:
        clip, label = forged_turned(known, TurnedKind(case.kind), renderer, rng, video)
    except ForgeryError as error:
        return Judged(case, nowhere=str(error))
    return _forged(case, clip, label)


def _clean(case: Case, clip: TurnedClip) -> Judged:
    ruling, seconds = _ruled(clip)
    told = [dict(move.arguments) for move in ruling.reading.moves]
    true = [dict(step.arguments) for step in clip.bundle.manifest.steps]
    plan = "read" if told == true else "short" if told == true[: len(told)] else "wrong"
    return _result(case, clip, ruling, seconds, found=bool(ruling.violations), plan=plan)


def _forged(case: Case, clip: TurnedClip, label: TurnedLabel) -> Judged:
    ruling, seconds = _ruled(clip)
    found = any(is_told(violation, label) for violation in ruling.violations)
    told = f"{', '.join(label.pieces)} {label.first_frame}-{label.last_frame}"
    line = f"{told}, reached {label.reached}"
    return _result(case, clip, ruling, seconds, found=found, label=line, unseen=clip.unseen)


def _ruled(clip: TurnedClip) -> tuple[Ruling, float]:
    begin = process_time()
    ruling = score_video(clip.bundle, clip.video)[0].ruling
    return ruling, process_time() - begin


def _result(
    case: Case,
    clip: TurnedClip,
    ruling: Ruling,
    seconds: float,
    *,
    found: bool,
    label: str = "",
    unseen: int = 0,
    plan: str = "",
) -> Judged:
    return Judged(
        case,
        clip.bundle.manifest.level,
        ruling.frames,
        seconds,
        ruling.undecided,
        unseen,
        found,
        label,
        tuple(map(violation_line, ruling.violations)),
        plan=plan,
    )


def is_told(violation: Violation, label: TurnedLabel) -> bool:
    """Return whether a violation says of a forgery what it is, with whom and when."""
    begins = label.first_frame - WITHIN <= violation.first <= label.reached + WITHIN
    lasts = violation.last >= label.reached - WITHIN
    guilty = bool({*violation.pieces} & {*label.pieces})
    return violation.kind in ACCEPTED[label.kind] and begins and lasts and guilty

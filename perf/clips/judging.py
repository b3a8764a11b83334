"""Outcomes of cases: the score of a clip, held against its label."""

from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from perf.clips.cases import CORRUPTED, Case
from perf.clips.labels import Cause
from perf.clips.making import ClipLabel
from perf.clips.scorer import Scored, Seen, UnscorableClip, score_clip
from perf.clips.sources import Source

__all__ = ["Outcome", "hold_against", "judge_clip", "measure_errors", "read_outcome"]

WITHIN = 4
"""Frames by which a violation may begin too early or too late."""
QUANTILES = np.linspace(0.0, 1.0, 21)
"""Of the errors of a clip, those that are kept."""
_MOVING = 0.02
"""Units from frame to frame from which on a piece moves."""
AFTER = 24
"""Frames after a cause in which what follows from it may be found."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of a case.

    Attributes:
        case: which.
        level: folder of the bundle; empty if there is no place for the corruption.
        recipe: all that was done, in words.
        error: why the clip can't be scored; empty if it can.
        frames, seconds: of the video, and of a core that scoring it took.
        memory: MiB that the process had at most meanwhile.
        violations: all that were found, in a line each.
        undecided: share of pieces and frames.
        causes: how many things are wrong.
        found: how many of them a violation says, whatever its kind.
        right: how many with a right kind and piece.
        counted: violations of found causes; where all is well, as many as these.
        early: violations before anything is wrong; of a true clip, all.
        late: violations that belong to no cause, after the first.
        plan: ``whole``, ``short`` or ``wrong``.
        errors: :data:`QUANTILES` of how far moving pieces are from their true places, in units.
        ranks: of a ranking, models from the best on.
    """

    case: Case
    level: str = ""
    recipe: str = ""
    error: str = ""
    frames: int = 0
    seconds: float = 0.0
    memory: float = 0.0
    violations: tuple[str, ...] = ()
    undecided: float = 0.0
    causes: int = 0
    found: int = 0
    right: int = 0
    counted: int = 0
    early: int = 0
    late: int = 0
    plan: str = ""
    errors: tuple[float, ...] = ()
    ranks: tuple[str, ...] = field(default=())

    def to_json(self) -> dict[str, object]:
        """Return it as JSON."""
        return asdict(self)


def read_outcome(row: dict[str, Any]) -> Outcome:
    """Read what :meth:`Outcome.to_json` wrote."""
    lists = {name: tuple(row[name]) for name in ("violations", "errors", "ranks")}
    return Outcome(**{**row, **lists, "case": Case(**row["case"])})


def judge_clip(label: ClipLabel, source: Source | None, video: Path) -> Outcome:
    """Score a clip and hold the score against its label; without a source there is no clip."""
    if source is None:
        return Outcome(label.case, recipe=label.recipe)
    try:
        scored = score_clip(source.bundle, video)
    except UnscorableClip as error:
        return Outcome(
            label.case,
            label.bundle,
            label.recipe,
            str(error),
            len(label.shown),
            causes=len(label.causes),
        )
    outcome = Outcome(
        label.case,
        label.bundle,
        label.recipe,
        frames=scored.frames,
        seconds=scored.seconds,
        memory=scored.memory,
        violations=tuple(map(str, scored.violations)),
        undecided=scored.undecided,
        plan=_read_plan(source, scored),
        errors=() if label.case.group == CORRUPTED else measure_errors(label, source, scored),
    )
    return hold_against(label, scored.violations, outcome)


def hold_against(label: ClipLabel, seen: tuple[Seen, ...], outcome: Outcome) -> Outcome:
    """Return an outcome with the causes that were found, and the violations that have none."""
    first = _find_first_false(label)
    early = [one for one in seen if one.first < first - WITHIN]
    rest = [one for one in seen if one not in early]
    by_cause = [[one for one in rest if _belongs(one, cause)] for cause in label.causes]
    found = [some for some in by_cause if some]
    right = [
        some
        for cause, some in zip(label.causes, by_cause, strict=True)
        if any(_is_right(one, cause) for one in some)
    ]
    counted = {id(one) for some in found for one in some}
    return replace(
        outcome,
        causes=len(label.causes),
        found=len(found),
        right=len(right),
        counted=len(counted),
        early=len(early),
        late=len(rest) - len(counted),
    )


def _find_first_false(label: ClipLabel) -> int:
    """Return the first frame that is false or follows a cut; behind the end of a true clip."""
    if not label.causes:
        return len(label.shown) + WITHIN + 1
    cuts = [k for k in range(1, len(label.shown)) if label.shown[k] - label.shown[k - 1] > 1]
    return min([cause.first for cause in label.causes] + cuts[:1])


def _belongs(seen: Seen, cause: Cause) -> bool:
    """Return whether a violation is about the time of a cause."""
    return cause.first - WITHIN <= seen.first <= cause.last + AFTER


def _is_right(seen: Seen, cause: Cause) -> bool:
    kind = not cause.kinds or seen.kind in cause.kinds
    return kind and (not cause.pieces or bool({*seen.pieces} & {*cause.pieces}))


def _read_plan(source: Source, scored: Scored) -> str:
    steps = [(step.action, dict(step.arguments)) for step in source.bundle.manifest.steps]
    moves = list(scored.moves)
    return "whole" if moves == steps else "short" if moves == steps[: len(moves)] else "wrong"


def measure_errors(label: ClipLabel, source: Source, scored: Scored) -> tuple[float, ...]:
    """Return quantiles of the distances of moving pieces from where they truly are."""
    pick = [source.bundle.names.index(name) for name in scored.names]
    count = min(len(label.shown), len(scored.poses))
    shown = np.array(label.shown[:count], np.int64)
    true = source.bundle.poses[shown][:, pick][:, :, :3, 3]
    off = np.linalg.norm(scored.poses[:count, :, :3, 3] - true, axis=2)
    known = off[np.isfinite(off) & (source.steps[shown][:, pick] > _MOVING)]
    return tuple(np.quantile(known, QUANTILES).tolist()) if len(known) else ()

"""Leaderboard: models beside each other, over all their videos and levels.

Models are ranked by their score: task times physics of each video, the mean over the videos of each
level, and the mean over levels. A video that can't be scored, or is missing, scores 0.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from statistics import fmean

from bridge.scoring.statistics import (
    Interval,
    bootstrap_clustered_ratio,
    compute_mean,
    compute_wilson_interval,
)
from bridge.video.verdict.violations import ViolationKind

__all__ = ["ClipResult", "Estimate", "LeaderboardRow", "LevelCell", "rank_models"]

_Document = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class ClipResult:
    """Scores of a video. Those of one that can't be scored are the worst there are.

    Attributes:
        model, level: what it is of.
        video: its name; empty if there is none.
        reason: why it can't be scored; empty if it was.
        task, physics: see :mod:`bridge.video.report.clip_metrics`.
        is_completed: whether it carries out all that the film shows.
        is_solved: whether it solves the level.
        is_moving: whether any piece leaves its place in a lawful frame.
        kinds: kind -> how many violations of it there are.
        broken, undecided: shares of its frames.
        turn, zoom: motion of the camera, in degrees and as a share.
        psnr, ssim, iou: similarity to the true film; None where nothing was measured.
    """

    model: str
    level: str
    video: str
    reason: str = ""
    task: float = 0.0
    physics: float = 0.0
    is_completed: bool = False
    is_solved: bool = False
    is_moving: bool = False
    kinds: Mapping[str, int] = field(default_factory=dict)
    broken: float = 0.0
    undecided: float = 0.0
    turn: float = 0.0
    zoom: float = 0.0
    psnr: float | None = None
    ssim: float | None = None
    iou: float | None = None

    @property
    def score(self) -> float:
        """Product of task and physics."""
        return self.task * self.physics

    @property
    def is_still(self) -> bool:
        """Whether nothing happens in it: nothing moves, and nothing is broken."""
        return not self.is_moving and not self.kinds

    @staticmethod
    def of(document: _Document) -> "ClipResult":
        """Return those of a ``score.json``."""
        kinds: dict[str, int] = {}
        for violation in _list(document["violations"]):
            kinds[str(violation["kind"])] = kinds.get(str(violation["kind"]), 0) + 1
        frames = _number(document, "frames")
        plan, camera = _part(document, "plan"), _part(document, "camera")
        similarity = _part(document, "similarity")
        return ClipResult(
            model=str(document["model"]),
            level=str(document["level"]),
            video=str(document["video"]),
            task=_number(document, "task"),
            physics=_number(document, "physics"),
            is_completed=bool(document["completed"]),
            is_solved=bool(plan["solved"]),
            is_moving=bool(document["moving"]),
            kinds=kinds,
            broken=_number(document, "broken_frames") / frames,
            undecided=_number(document, "undecided_frames") / frames,
            turn=_number(camera, "turn_degrees"),
            zoom=_number(camera, "zoom"),
            psnr=_optional(similarity["psnr"]),
            ssim=_optional(similarity["ssim"]),
            iou=_optional(similarity["iou"]),
        )


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean or a share, with its interval at 95 %; None where there is too little for one."""

    value: float
    interval: Interval | None

    def document(self) -> dict[str, float | None]:
        """Return it as JSON."""
        low, high = (None, None) if self.interval is None else _ends(self.interval)
        return {"value": self.value, "low": low, "high": high}

    def text(self) -> str:
        """Return it as people read it, in per cent."""
        spread = "" if self.interval is None else f" [{_percent(*_ends(self.interval))}]"
        return f"{_percent(self.value)}{spread}"


@dataclass(frozen=True, slots=True)
class LevelCell:
    """A model at a level: means over its videos.

    Attributes:
        level: id of the level.
        clips: how many videos there are.
        unscorable: how many of them can't be scored.
        score, task, physics: means over all.
        completed, violations: shares of all, and of those that were scored; None of none.
        kinds: kind -> share of the scored videos that have a violation of it.
    """

    level: str
    clips: int
    unscorable: int
    score: float
    task: float
    physics: float
    completed: float
    violations: float | None
    kinds: Mapping[str, float | None]

    def figures(self) -> dict[str, str | int | float | None]:
        """Return all but the rates of kinds, by the names that files give them."""
        return {
            "level": self.level,
            "videos": self.clips,
            "unscorable": self.unscorable,
            "score": self.score,
            "task": self.task,
            "physics": self.physics,
            "completed_rate": self.completed,
            "violation_rate": self.violations,
        }


@dataclass(frozen=True, slots=True)
class LeaderboardRow:
    """A model: the figures over its videos.

    Attributes:
        model: its name.
        rank: from 1; models that are equal share one. 0 for a floor.
        clips: how many videos there are, missing ones included.
        unscorable: how many of them can't be scored or are missing.
        score, task, physics: means over levels of the means over videos.
        completed, solved: shares of all videos.
        violations: share of the scored videos in which anything is broken; None of none.
        kinds: kind -> share of the scored videos that have a violation of it; None of none.
        undecided, turn, zoom: means over the scored videos; None of none.
        ssim, iou: the same, where they were measured.
        moving: share of the videos in which anything moves lawfully.
        still: share of the videos in which nothing happens.
        cells: level by level.
    """

    model: str
    rank: int
    clips: int
    unscorable: int
    score: Estimate
    task: Estimate
    physics: Estimate
    completed: Estimate
    solved: Estimate
    violations: Estimate | None
    kinds: Mapping[str, Estimate | None]
    undecided: float | None
    turn: float | None
    zoom: float | None
    ssim: float | None
    iou: float | None
    moving: float
    still: float
    cells: tuple[LevelCell, ...]

    @property
    def key(self) -> tuple[float, float, float, float]:
        """Return what models are ranked by; less is better.

        Of models that carry nothing out, those come first in which anything moves lawfully, and
        those last in which nothing happens: where nothing moves, lawful frames prove nothing.
        """
        return -self.score.value, -self.moving, self.still, -self.physics.value

    def document(self) -> dict[str, object]:
        """Return it as JSON."""
        return {
            "model": self.model,
            "rank": self.rank or None,
            "videos": self.clips,
            "unscorable": self.unscorable,
            "score": self.score.document(),
            "task": self.task.document(),
            "physics": self.physics.document(),
            "completed_rate": self.completed.document(),
            "solved_rate": self.solved.document(),
            "violation_rate": _document(self.violations),
            "kind_rates": {kind: _document(rate) for kind, rate in self.kinds.items()},
            "undecided_ratio": self.undecided,
            "camera": {"turn_degrees": self.turn, "zoom": self.zoom},
            "ssim": self.ssim,
            "iou": self.iou,
            "moving_rate": self.moving,
            "levels": [{**cell.figures(), "kind_rates": dict(cell.kinds)} for cell in self.cells],
        }


def rank_models(clips: Sequence[ClipResult], *, ranked: bool = True) -> list[LeaderboardRow]:
    """Return models, best first.

    Args:
        ranked: whether they have ranks; floors have none.
    """
    models = dict.fromkeys(clip.model for clip in clips)
    rows = [_make_row(model, [c for c in clips if c.model == model]) for model in models]
    rows.sort(key=lambda row: (row.key, row.model))
    if not ranked:
        return rows
    first = {row.key: place for place, row in reversed([*enumerate(rows, 1)])}
    return [replace(row, rank=first[row.key]) for row in rows]


def _make_row(model: str, clips: Sequence[ClipResult]) -> LeaderboardRow:
    scored = [clip for clip in clips if not clip.reason]
    levels = dict.fromkeys(clip.level for clip in clips)
    by_level = [[clip for clip in clips if clip.level == level] for level in levels]
    return LeaderboardRow(
        model=model,
        rank=0,
        clips=len(clips),
        unscorable=len(clips) - len(scored),
        score=_estimate(by_level, lambda clip: clip.score),
        task=_estimate(by_level, lambda clip: clip.task),
        physics=_estimate(by_level, lambda clip: clip.physics),
        completed=_share(clip.is_completed for clip in clips),
        solved=_share(clip.is_solved for clip in clips),
        violations=_share(bool(clip.kinds) for clip in scored) if scored else None,
        kinds={
            kind.value: _share(kind.value in clip.kinds for clip in scored) if scored else None
            for kind in ViolationKind
        },
        undecided=compute_mean(clip.undecided for clip in scored),
        turn=compute_mean(clip.turn for clip in scored),
        zoom=compute_mean(clip.zoom for clip in scored),
        ssim=compute_mean(clip.ssim for clip in scored if clip.ssim is not None),
        iou=compute_mean(clip.iou for clip in scored if clip.iou is not None),
        moving=fmean(clip.is_moving for clip in clips),
        still=fmean(clip.is_still for clip in clips),
        cells=tuple(map(_make_cell, by_level)),
    )


def _make_cell(clips: Sequence[ClipResult]) -> LevelCell:
    scored = [clip for clip in clips if not clip.reason]
    return LevelCell(
        level=clips[0].level,
        clips=len(clips),
        unscorable=len(clips) - len(scored),
        score=fmean(clip.score for clip in clips),
        task=fmean(clip.task for clip in clips),
        physics=fmean(clip.physics for clip in clips),
        completed=fmean(clip.is_completed for clip in clips),
        violations=compute_mean(bool(clip.kinds) for clip in scored),
        kinds={
            kind.value: compute_mean(kind.value in clip.kinds for clip in scored)
            for kind in ViolationKind
        },
    )


def _estimate(
    by_level: Sequence[Sequence[ClipResult]], measure: Callable[[ClipResult], float]
) -> Estimate:
    """Return the mean over levels of means over videos.

    Levels are drawn for the interval, with all their videos; of a single level its videos are.
    """
    means = [fmean(map(measure, clips)) for clips in by_level]
    drawn = means if len(means) > 1 else [measure(clip) for clip in by_level[0]]
    if len(drawn) < 2:
        return Estimate(means[0], None)
    return Estimate(
        fmean(means), bootstrap_clustered_ratio([(value, 1.0) for value in drawn]).interval
    )


def _share(flags: Iterable[bool]) -> Estimate:
    """Return a share of some videos, at least one, with Wilson's interval."""
    values = list(flags)
    return Estimate(fmean(values), compute_wilson_interval(sum(values), len(values)))


def _document(estimate: Estimate | None) -> dict[str, float | None] | None:
    return None if estimate is None else estimate.document()


def _ends(interval: Interval) -> tuple[float, float]:
    return interval.low, interval.high


def _percent(*values: float) -> str:
    return " – ".join(f"{100.0 * value:.1f}" for value in values)


def _list(value: object) -> Sequence[_Document]:
    assert isinstance(value, Sequence)
    return value


def _part(document: _Document, key: str) -> _Document:
    part = document[key]
    assert isinstance(part, Mapping)
    return part


def _number(document: _Document, key: str) -> float:
    return float(str(document[key]))


def _optional(value: object) -> float | None:
    return None if value is None else float(str(value))

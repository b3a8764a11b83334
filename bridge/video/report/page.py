"""Pages that show scores: one for each video, and one that compares them all."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bridge.report.templating import render_template
from bridge.video.reference.bundle import Bundle
from bridge.video.report.leaderboard import ClipResult, LeaderboardRow
from bridge.video.verdict.violations import ViolationKind

__all__ = ["ShownFrame", "overview_page", "video_page"]

_Document = Mapping[str, object]
_GREEN, _RED, _AMBER, _GREY = "#2e7d32", "#b00020", "#d0a000", "#9aa5b1"


@dataclass(frozen=True, slots=True)
class ShownFrame:
    """A picture of a page: its frame, and its file beside the page."""

    frame: int
    file: str


@dataclass(frozen=True, slots=True)
class _Bar:
    """A stretch of a lane of the timeline, in frames of the video."""

    first: float
    last: float
    color: str


def video_page(bundle: Bundle, score: _Document, pictures: Sequence[ShownFrame]) -> str:
    """Return the page of one video."""
    last = max(0, int(str(score["frames"])) - 1)
    return render_template(
        "bridge.video.report",
        "video.html",
        level=bundle.manifest.level,
        score=score,
        pictures=pictures,
        lanes=_list_lanes(bundle, score),
        end=last + 1,
        ticks=sorted({round(share * last / 4) for share in range(5)}),
        format_arguments=_format_arguments,
    )


def overview_page(
    levels: Sequence[str],
    models: Sequence[LeaderboardRow],
    floors: Sequence[LeaderboardRow],
    clips: Sequence[ClipResult],
    scores: Sequence[_Document],
) -> str:
    """Return the leaderboard; each video has a page of its own in its folder.

    Args:
        clips: all videos of models; those that can't be scored are listed with their reasons.
        scores: documents of all that were scored, floors included.
    """
    rows = [*models, *floors]
    kinds = [kind for kind in ViolationKind if any(_is_above_zero(row, kind) for row in rows)]
    return render_template(
        "bridge.video.report",
        "overview.html",
        levels=levels,
        rows=rows,
        floors=floors,
        kinds=[kind.value for kind in kinds],
        cells={row.model: {cell.level: cell for cell in row.cells} for row in rows},
        unscorable=[clip for clip in clips if clip.reason],
        scores=scores,
    )


def _is_above_zero(row: LeaderboardRow, kind: ViolationKind) -> bool:
    rate = row.kinds[kind]
    return rate is not None and rate.value > 0.0


def _list_lanes(bundle: Bundle, score: _Document) -> dict[str, list[_Bar]]:
    """Return lanes of the steps of the true film, of the moves that were read, and of each kind."""
    ratio = float(str(score["fps"])) / bundle.manifest.fps
    steps, plan = bundle.manifest.steps, score["plan"]
    assert isinstance(plan, Mapping)
    colors = {True: _GREEN, False: _RED, None: _AMBER}
    lanes = {
        "true film": [_Bar(s.first_frame * ratio, s.last_frame * ratio, _GREY) for s in steps],
        "moves read": [_mark(move, colors[move["legal"]]) for move in plan["moves"]],
    }
    violations = score["violations"]
    assert isinstance(violations, Sequence)
    for violation in sorted(violations, key=lambda one: one["kind"]):
        lanes.setdefault(violation["kind"], []).append(_mark(violation, _RED))
    return lanes


def _mark(row: _Document, color: str) -> _Bar:
    return _Bar(float(str(row["first_frame"])), float(str(row["last_frame"])), color)


def _format_arguments(arguments: Mapping[str, object]) -> str:
    return ", ".join(
        " ".join(map(str, part)) if isinstance(part, list | tuple) else str(part)
        for part in arguments.values()
    )

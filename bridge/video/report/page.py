"""Pages that show scores: one for each video, and one that compares them all."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bridge.report.templating import render_template
from bridge.video.reference.bundle import Bundle, BundleStep
from bridge.video.report.drawing import OUTLINED, choose_rate
from bridge.video.report.leaderboard import ClipResult, LeaderboardRow
from bridge.video.verdict.violations import ViolationKind, stretches

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
    words: str = ""


def video_page(
    bundle: Bundle,
    score: _Document,
    pictures: Sequence[ShownFrame],
    undecided: NDArray[np.bool_],
) -> str:
    """Return the page of one video.

    Args:
        undecided: (F,) frames that show too little to be decided.
    """
    last = max(0, int(str(score["frames"])) - 1)
    lanes = _list_lanes(bundle, score, undecided)
    return render_template(
        "bridge.video.report",
        "video.html",
        level=bundle.manifest.level,
        score=score,
        pictures=pictures,
        lanes=lanes,
        film=OUTLINED,
        scrubbed=_describe_bars(lanes, score),
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


def _list_lanes(
    bundle: Bundle, score: _Document, undecided: NDArray[np.bool_]
) -> dict[str, list[_Bar]]:
    """Return lanes: steps of the true film, moves that were read, undecided frames, and each kind.

    The words of a bar are shown while the video is at one of its frames.
    """
    ratio = float(str(score["fps"])) / bundle.manifest.fps
    steps, plan = bundle.manifest.steps, score["plan"]
    assert isinstance(plan, Mapping)
    colors = {True: _GREEN, False: _RED, None: _AMBER}
    lanes = {
        "true film": [
            _Bar(s.first_frame * ratio, s.last_frame * ratio, _GREY, _describe_step(s))
            for s in steps
        ],
        "moves read": [
            _mark(move, colors[move["legal"]], _describe_move(move)) for move in plan["moves"]
        ],
    }
    violations = score["violations"]
    assert isinstance(violations, Sequence)
    unknown = undecided.copy()
    for violation in violations:
        unknown[violation["first_frame"] : violation["last_frame"] + 1] = False
    if unknown.any():
        lanes["undecided"] = [
            _Bar(first, last, _AMBER, "too little is seen to decide anything")
            for first, last in stretches(unknown, 1)
        ]
    for violation in sorted(violations, key=lambda one: one["kind"]):
        bar = _mark(violation, _RED, _describe_violation(violation))
        lanes.setdefault(violation["kind"], []).append(bar)
    return lanes


def _mark(row: _Document, color: str, words: str) -> _Bar:
    return _Bar(float(str(row["first_frame"])), float(str(row["last_frame"])), color, words)


def _describe_step(step: BundleStep) -> str:
    return f"step {step.step}: {step.action} {_format_arguments(step.arguments)}".rstrip()


def _describe_move(move: Mapping[str, Any]) -> str:
    ruled = {True: "legal", False: "illegal", None: "undecided"}[move["legal"]]
    reason = f": {move['reason']}" if move["reason"] else ""
    return f"{move['tool']} {_format_arguments(move['arguments'])} ({ruled}{reason})"


def _describe_violation(violation: Mapping[str, Any]) -> str:
    parts = [", ".join(violation["pieces"]), f"{violation['magnitude']:.3g} {violation['unit']}"]
    return "; ".join(filter(None, [*parts, violation["note"]]))


def _describe_bars(lanes: Mapping[str, Sequence[_Bar]], score: _Document) -> dict[str, object]:
    """Return what the script of the page needs to show a frame and what is said of it."""
    fps = float(str(score["fps"]))
    spans = [
        {"lane": lane, **asdict(bar)} for lane, bars in lanes.items() for bar in bars if bar.words
    ]
    return {"fps": fps, "rate": choose_rate(fps), "frames": score["frames"], "spans": spans}


def _format_arguments(arguments: Mapping[str, object]) -> str:
    return ", ".join(
        " ".join(map(str, part)) if isinstance(part, list | tuple) else str(part)
        for part in arguments.values()
    )

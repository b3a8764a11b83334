"""How often the score of a video is wrong: alarms on true films, and forgeries that it misses.

Clean clips are films of plans, drawn again and made worse as videos are: compressed, at other
rates, with borders, tinted, with a camera that drifts, blurred, of wood, by another renderer.
Forged ones hold one thing that is impossible, with a label (``bridge/compare/forging``), and that
can be seen (``video_score_telling``); how many can't is told. Illegal pushes are made of poses
alone, and cells say whether they are illegal.

The default takes some minutes; ``--full`` is what the documents report: 300 clean clips, 100
forgeries of each kind and strength, 10,000 pushes. It takes hours.
"""

import tempfile
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter

import numpy as np

from benchmarks.harness import Report, run_benchmark
from benchmarks.video_score_clips import CLEAN, WITHIN, Clip, bundles, clean_clip, forged_clip
from benchmarks.video_score_pushes import missed_pushes
from bridge.compare.forging.forge import strengths
from bridge.compare.forging.forgeries import Forgery, ForgeryError, ForgeryKind
from bridge.compare.judging.violations import Violation, ViolationKind
from bridge.compare.scoring.scores import VideoScore, score_video
from bridge.scoring.statistics import wilson_interval

SEED = 2026
FULL_CLIPS, FULL_CASES, FULL_PUSHES = 300, 100, 10_000
ENOUGH = 50
"""Cases from which on a bound of the recall is a target."""
ACCEPTED: dict[ForgeryKind, set[ViolationKind]] = {
    ForgeryKind.TELEPORT: {ViolationKind.TELEPORT},
    ForgeryKind.PASS_THROUGH: {ViolationKind.ILLEGAL, ViolationKind.INTERPENETRATION},
    ForgeryKind.DIAGONAL: {ViolationKind.DIAGONAL},
    ForgeryKind.ROTATION: {ViolationKind.ROTATION},
    ForgeryKind.STRETCH: {ViolationKind.RIGIDITY},
    ForgeryKind.WRONG_ORDER: {
        ViolationKind.ORDER,
        ViolationKind.ILLEGAL,
        ViolationKind.INTERPENETRATION,
    },
    ForgeryKind.VANISH: {ViolationKind.PERMANENCE},
    ForgeryKind.DUPLICATE: {ViolationKind.EXTRA},
    ForgeryKind.SPLIT: {ViolationKind.SPLIT, ViolationKind.EXTRA},
    ForgeryKind.SWAP: {ViolationKind.SWAP},
    ForgeryKind.MERGE: {ViolationKind.MERGE},
    ForgeryKind.RECOLOUR: {ViolationKind.PERMANENCE, ViolationKind.RIGIDITY},
}
"""What a forgery may be called."""


@dataclass
class Tally:
    """What was measured of clips so far."""

    frames: int = 0
    seconds: float = 0.0
    off: list[float] = field(default_factory=list)
    undecided: list[float] = field(default_factory=list)

    def add(self, score: VideoScore, seconds: float) -> None:
        self.frames += score.ruling.frames
        self.seconds += seconds
        self.undecided.append(score.ruling.undecided)


def measure(full: bool, verbose: bool, clips: float, cases: float, pushes: float) -> Report:
    """Score everything."""
    count, each, pushed = (
        (FULL_CLIPS, FULL_CASES, FULL_PUSHES)
        if full
        else (round(clips), round(cases), round(pushes))
    )
    report = Report("video_score")
    with tempfile.TemporaryDirectory() as folder:
        known = bundles(Path(folder))
        tally = Tally()
        _false_alarms(report, known, Path(folder), count, tally, verbose)
        _recall(report, known, Path(folder), each, verbose)
    report.figures["pushes"] = pushed
    report.figures["illegal_moves_missed"], report.figures["legal_moves_refused"] = missed_pushes(
        pushed, SEED
    )
    report.targets["illegal_moves_missed"] = ("<=", 0)
    report.figures["frames_per_second"] = tally.frames / max(tally.seconds, 1e-9)
    report.targets["frames_per_second"] = (">=", 10)
    report.notes["size"] = "all of it" if full else "a sample; --full is what the documents report"
    report.notes["people"] = "no people and no videos of public models could be had"
    return report


def _scored(clip: Clip) -> tuple[VideoScore, float]:
    begin = perf_counter()
    score, tracked = score_video(clip.bundle, clip.video)
    clip.off.extend(_errors(clip, tracked.tracks.poses, tracked.tracks.decided))
    return score, perf_counter() - begin


def _errors(clip: Clip, poses: np.ndarray, known: np.ndarray) -> Iterator[float]:
    """How far moving pieces are from where they are, along the motion, in units."""
    truth = clip.poses
    frames = min(len(truth), len(poses))
    step = np.diff(truth[:frames, :, :3, 3], axis=0)
    size = np.linalg.norm(step, axis=2)
    turned = np.abs(np.diff(truth[:frames, :, :3, :3], axis=0)).max(axis=(2, 3)) > 1e-6
    straight = (np.abs(step) > 1e-6).sum(axis=2) == 1
    for frame, piece in np.argwhere((size > 0.02) & straight & ~turned).tolist():
        if known[frame + 1, piece]:
            off = poses[frame + 1, piece, :3, 3] - truth[frame + 1, piece, :3, 3]
            yield float(abs(off @ step[frame, piece]) / size[frame, piece])


def _false_alarms(
    report: Report, known: list[Clip], folder: Path, count: int, tally: Tally, verbose: bool
) -> None:
    wrong = 0
    by_kind: dict[str, int] = defaultdict(int)
    off: list[float] = []
    likeness: dict[str, list[float]] = defaultdict(list)
    chance = np.random.default_rng(SEED)
    for number in range(count):
        clip = clean_clip(known, CLEAN[number % len(CLEAN)], chance, folder / "clean.mp4")
        score, seconds = _scored(clip)
        tally.add(score, seconds)
        off += clip.off
        wrong += bool(score.ruling.violations)
        for violation in score.ruling.violations:
            by_kind[f"{clip.what}: {violation.kind}"] += 1
        for name in ("psnr", "ssim", "iou"):
            value = getattr(score.likeness, name)
            if value is not None:
                likeness[name].append(value)
        if verbose:
            _tell(clip, score, seconds)
    report.figures["clean_clips"] = count
    report.figures["clean_clips_with_alarms"] = wrong / count
    report.figures["clean_clips_with_alarms_at_most"] = wilson_interval(wrong, count).high
    report.targets["clean_clips_with_alarms"] = ("<=", 0.01)
    report.figures["undecided_share"] = float(np.mean(tally.undecided))
    report.targets["undecided_share"] = ("<=", 0.05)
    report.figures["motion_error_median_u"] = float(np.median(off)) if off else 0.0
    report.figures["motion_error_95_u"] = float(np.percentile(off, 95)) if off else 0.0
    report.targets["motion_error_median_u"] = ("<=", 0.1)
    report.targets["motion_error_95_u"] = ("<=", 0.3)
    for name, values in likeness.items():
        report.figures[f"floor_{name}"] = float(np.mean(values))
    if by_kind:
        report.notes["alarms"] = ", ".join(f"{k} {n}" for k, n in sorted(by_kind.items()))


def _recall(report: Report, known: list[Clip], folder: Path, each: int, verbose: bool) -> None:
    chance = np.random.default_rng(SEED + 1)
    strong: list[float] = []
    for kind in ForgeryKind:
        for strength in strengths(kind):
            found = tried = unseen = 0
            while tried < each:
                try:
                    clip, label = forged_clip(known, kind, strength, chance, folder / "forged.mp4")
                except ForgeryError as error:
                    report.notes[f"{kind.value} {strength:g}"] = str(error)
                    break
                score, seconds = _scored(clip)
                hit = any(_is_it(violation, label) for violation in score.ruling.violations)
                found, tried, unseen = found + hit, tried + 1, unseen + clip.unseen
                if verbose:
                    print("hit" if hit else "MISS", label, flush=True)
                    _tell(clip, score, seconds)
            if tried:
                name = f"recall_{kind.value}_{strength:g}".replace("-", "_")
                report.figures[name] = found / tried
                strong += [found / tried] * (strength == strengths(kind)[-1])
                report.figures[f"{name}_unseen"] = unseen / (unseen + tried)
                report.figures[f"{name}_at_least"] = wilson_interval(found, tried).low
        strongest = f"recall_{kind.value}_{strengths(kind)[-1]:g}_at_least".replace("-", "_")
        # One case can't bound anything; a sample is judged as a whole, by the strongest of each.
        if strongest in report.figures and each >= ENOUGH:
            report.targets[strongest] = (">=", 0.9)
    if strong:
        report.figures["recall_strongest"] = float(np.mean(strong))
        report.targets["recall_strongest"] = (">=", 0.9)


def _is_it(violation: Violation, label: Forgery) -> bool:
    kinds = ACCEPTED[label.kind]
    near = violation.first <= label.reached + WITHIN and violation.last >= label.reached - WITHIN
    return violation.kind in kinds and near and bool({*violation.pieces} & {*label.pieces[:2]})


def _tell(clip: Clip, score: VideoScore, seconds: float) -> None:
    ruling = score.ruling
    print(
        f"  {clip.what} {clip.bundle.manifest.level}: {ruling.frames} frames, "
        f"{ruling.frames / seconds:.1f}/s, undecided {ruling.undecided:.3f}",
        flush=True,
    )
    for v in ruling.violations:
        print(f"    {v.kind} {v.first}-{v.last} {v.pieces} {v.magnitude:.2f} {v.note}", flush=True)


if __name__ == "__main__":
    run_benchmark(
        measure,
        "False alarms and recall of the scores of videos.",
        {
            "clips": (12, "clean clips"),
            "cases": (1, "forgeries of each kind and strength"),
            "pushes": (200, "pushes of pieces, by poses alone"),
        },
        full="everything, as the documents report; hours",
        verbose="tell of each clip",
    )

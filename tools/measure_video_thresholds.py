"""Measure thresholds of the scorer of videos: ``python -m tools.measure_video_thresholds CLIPS``.

CLIPS is a folder of ``python -m perf.video_score --make-only --only degraded --out CLIPS``: true
films, made worse as videos are, and the bundles of which they were made. Each is aligned with its
film once, and kept in ``thresholds.jsonl`` beside them, so that the same command resumes.
A measured threshold is compared with what all but a hundredth of the videos keep.

``--write`` writes ``bridge/video/measured_thresholds.py`` and ``docs/results/video-thresholds.md``.
With ``--factor`` thresholds that true videos come nearer to than that are moved away first.
"""

import argparse
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from inspect import getdoc
from pathlib import Path

import cv2
import numpy as np

from bridge.recording.files import append_line
from bridge.video.measured_thresholds import MEASURED, MeasuredThreshold
from bridge.video.reference.bundle import VIDEO, read_bundle
from bridge.video.reference.film import TrueFilm, read_true_film
from bridge.video.reference.look import Look, learn_look
from bridge.video.thresholds import LIMITS, Thresholds
from bridge.video.tracking.adaptation import find_otherness
from bridge.video.tracking.comparison import ColorCalibration
from bridge.video.tracking.following import FollowedVideo, follow_film
from bridge.video.tracking.footage import open_footage
from bridge.video.tracking.preparation import prepare_video, read_first
from bridge.video.tracking.sight import measure_sight
from perf.clips.cases import DEGRADED
from perf.clips.making import read_label

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT / "bridge" / "video" / "measured_thresholds.py"
PAGE = ROOT / "docs" / "results" / "video-thresholds.md"
LOG = "thresholds.jsonl"
KEPT = 0.99
"""Share of the videos that keep what is written."""
LOWER = frozenset({"least_contrast", "least_vividness"})
"""Thresholds below which something is wrong."""
FILMS = frozenset({"same_light", "other_look"})
"""Thresholds of films that nothing was done to."""

_Row = Mapping[str, float]


def main() -> None:
    """Measure what is missing, and print or write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("clips", type=Path, metavar="CLIPS")
    parser.add_argument("--most", type=int, help="videos that are measured, at most")
    parser.add_argument("--factor", type=float, default=0.0, help="safety factor, at least")
    parser.add_argument("--write", action="store_true", help="write the data and the page")
    given = parser.parse_args()
    rows = list(measure(given.clips, given.most))
    found = {name: summarize(name, old, rows, given.factor) for name, old in MEASURED.items()}
    if given.write:
        DATA.write_text(make_data(found), encoding="utf-8")
        PAGE.write_text(make_page(found), encoding="utf-8")
    print(*list_measured(found), sep="\n")


def measure(folder: Path, most: int | None) -> Iterator[_Row]:
    """Yield what was measured of each video, and of those that were measured before."""
    log = folder / LOG
    lines = log.read_text(encoding="utf-8").splitlines() if log.exists() else []
    done = {str(row.pop("video")): row for row in map(json.loads, lines)}
    yield from done.values()
    labels = [read_label(path) for path in sorted((folder / "clips").glob("*.json"))]
    true = [label for label in labels if label.case.group == DEGRADED]
    for name in sorted({label.bundle for label in true}):
        bundle = folder / "bundles" / name
        videos = [(name, bundle / VIDEO)]
        clips = folder / "clips"
        videos += [(v.case.name, clips / f"{v.case.name}.mp4") for v in true if v.bundle == name]
        missing = [one for one in videos if one[0] not in done]
        if not missing or (most is not None and len(done) >= most):
            continue
        film = read_true_film(read_bundle(bundle, check=False))
        look = learn_look(film)
        for video, path in missing:
            row = measure_video(film, look, path) | {"is_film": float(path.name == VIDEO)}
            append_line(log, json.dumps({"video": video, **row}).encode() + b"\n")
            done[video] = row
            yield row


def measure_video(film: TrueFilm, look: Look, path: Path) -> dict[str, float]:
    """Return how near a true video comes to each threshold."""
    footage = open_footage(path, film.size[0] / film.size[1])
    first, second = read_first(lambda: footage.pictures(*film.size))
    calibration = ColorCalibration.fit(first, film.pictures[0])
    sight = measure_sight(first, second, film)
    prepared = prepare_video(film, look, lambda: footage.pictures(*film.size), footage.fps)
    share = prepared.unexplained / float(np.prod(look.size))
    return {
        "least_contrast": sight.contrast,
        "most_noise": sight.noise,
        "least_vividness": sight.vividness,
        "other_look": max(find_otherness(film, look, calibration.apply(first))),
        "same_light": measure_light(first, second),
        "ground_share": float(share.max()),
        "zoom": float(np.abs(np.log(prepared.zooms)).max()),
        **measure_left(follow_film(prepared)),
    }


def measure_light(first: np.ndarray, second: np.ndarray) -> float:
    """Return by how many levels most pixels of two pictures (H, W, 3) differ."""
    return float(np.median(cv2.absdiff(first, second).max(axis=2)))


def measure_left(followed: FollowedVideo) -> dict[str, float]:
    """Return the most that stays unexplained of a body for some frames: pixels, shares, roots."""
    left, area = followed.left, followed.area
    usual = np.median(left / np.maximum(area, 1.0), axis=0)
    more = np.maximum(0.0, left - followed.usual * area) / followed.prepared.caution
    few = LIMITS.lasting_frames
    lasting = np.min([more[k : len(more) - few + 1 + k] for k in range(few)], axis=0)
    shown = np.maximum(area[: len(lasting)], 1.0)
    pieces = 1 + followed.prepared.look.pieces
    # As in count_least, the least of a share and of a root counts, and large bodies have a root.
    large = shown[:, pieces] > (LIMITS.least_root / LIMITS.least_share) ** 2
    shares = np.where(large, 0.0, lasting[:, pieces] / shown[:, pieces])
    roots = np.where(large, lasting[:, pieces] / np.sqrt(shown[:, pieces]), 0.0)
    tiny = shown[:, pieces] < LIMITS.least_pixels / LIMITS.least_share
    return {
        "usual_share": float(usual[pieces].max()),
        "ground_pixels": float(lasting[:, 0].max()),
        "least_pixels": float(np.where(tiny, lasting[:, pieces], 0.0).max()),
        "least_share": float(np.where(tiny, 0.0, shares).max()),
        "least_root": float(roots.max()),
    }


def summarize(
    name: str, old: MeasuredThreshold, rows: Sequence[_Row], factor: float
) -> MeasuredThreshold:
    """Return a threshold with what videos keep, and at least a factor away from that."""
    use = [row[name] for row in rows if row["is_film"] or name not in FILMS]
    if not use:
        return old
    is_lower = name in LOWER
    extreme = float(np.quantile(use, 1.0 - KEPT if is_lower else KEPT))
    value = old.value
    if factor:
        value = min(value, extreme / factor) if is_lower else max(value, extreme * factor)
    return MeasuredThreshold(float(f"{value:.2g}"), float(f"{extreme:.3g}"), len(use))


def list_measured(found: Mapping[str, MeasuredThreshold]) -> Iterator[str]:
    """Yield the lines of the table of measured thresholds."""
    notes = {name: (unit, text) for name, unit, _, text in list_notes()}
    yield "| name | value | unit | meaning | measured on | all but 1 % keep | safety factor |"
    yield "|---|---|---|---|---|---|---|"
    for name, one in found.items():
        unit, text = notes[name]
        on = f"{one.videos} {'true films' if name in FILMS else 'true and degraded videos'}"
        if one.extreme is None:
            yield f"| `{name}` | {one.value:g} | {unit} | {text} | | | |"
            continue
        ratio = one.extreme / one.value if name in LOWER else one.value / max(one.extreme, 1e-9)
        told = f"{ratio:.1f}" if ratio < 100.0 else "over 100"
        yield f"| `{name}` | {one.value:g} | {unit} | {text} | {on} | {one.extreme:g} | {told} |"


def list_notes() -> Iterator[tuple[str, str, str, str]]:
    """Yield name, unit, sort (empty for a definition) and meaning of each threshold."""
    pattern = r"^    (\w+) \[([^\]]*?)(?:, (search|measured))?\]: ((?:.|\n        )*)"
    for name, unit, sort, text in re.findall(pattern, getdoc(Thresholds) or "", re.MULTILINE):
        yield name, unit, sort, " ".join(text.split()).rstrip(".")


def make_page(found: Mapping[str, MeasuredThreshold]) -> str:
    """Return the page of all thresholds."""
    parts = [
        "<!-- Written by tools/measure_video_thresholds.py -->",
        "# Thresholds of video scores\n",
        "Look up each figure by which a video is judged, and how near true videos come to it.",
        "They are defined in `bridge/video/thresholds.py`: see",
        "[how videos are explained](../video-scores.md#how-videos-are-explained).\n",
        "## Measured\n",
        *list_measured(found),
    ]
    titles = {"": "Definitions", "search": "Settings of searches"}
    for sort, title in titles.items():
        parts += [f"\n## {title}\n", "| name | value | unit | meaning |", "|---|---|---|---|"]
        for name, unit, own, text in list_notes():
            if own == sort:
                parts.append(f"| `{name}` | {getattr(LIMITS, name)} | {unit} | {text} |")
    return "\n".join(parts) + "\n"


def make_data(found: Mapping[str, MeasuredThreshold]) -> str:
    """Return the source of the module of measured thresholds, with other figures."""
    source = DATA.read_text(encoding="utf-8")
    head = source[: source.index("MEASURED = {")]
    lines = [f'    "{name}": MeasuredThreshold{tuple(one)},' for name, one in found.items()]
    return "\n".join([head + "MEASURED = {", *lines, "}"]) + "\n"


if __name__ == "__main__":
    main()

"""Making the clip of a case, with its label."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import cv2
import numpy as np

from perf.clips.altering import count_extra_pixels, draw_film
from perf.clips.cases import CORRUPTED, MIXED, Case
from perf.clips.corruptions import CORRUPTIONS, Corrupted
from perf.clips.degradations import DEGRADATIONS, Scope, degrade
from perf.clips.labels import Cause
from perf.clips.sources import Source
from perf.clips.takes import Picture, Take, write_take
from pysim.render.renderer import Renderer

__all__ = ["ClipLabel", "corrupt", "make_clip", "read_label", "write_label"]

_TRIES = 24
"""Places that are looked for in all sources together."""
_LEAST_PIXELS, _LEVELS = 100, 30
"""Pixels that have to differ from the true film, by so many levels, for anybody to see it."""
_CRF = 18, 28
"""Of corrupted clips."""


@dataclass(frozen=True, slots=True)
class ClipLabel:
    """Label of a clip.

    Attributes:
        case: which.
        bundle: folder of the bundle; empty if there is no place for the corruption.
        recipe: all that was done, in words.
        causes: what is false in it; none if it is true.
        shown: the frame of the true film that each frame shows, as far as it is true.
        unseen: places that were left because nobody would see it there.
    """

    case: Case
    bundle: str
    recipe: str
    causes: tuple[Cause, ...]
    shown: tuple[int, ...]
    unseen: int = 0


def make_clip(
    case: Case, sources: Sequence[Source], seed: int, renderer: Renderer, out: Path
) -> ClipLabel:
    """Make a clip of one of some sources of its family, and return its label."""
    rng = case.make_rng(seed)
    if case.group == CORRUPTED:
        return _make_corrupted(case, sources, rng, renderer, out)
    source = sources[(case.number + int(rng.integers(len(sources)))) % len(sources)]
    names, strengths = _mix(case, rng)
    take = degrade(names, strengths, source, rng, renderer)
    write_take(out, take)
    told = ", ".join(f"{name} {v:g}" for name, v in zip(names, strengths, strict=True))
    return ClipLabel(case, source.bundle.path.name, told, (), tuple(take.shown.tolist()))


def _mix(case: Case, rng: np.random.Generator) -> tuple[list[str], list[float]]:
    """Return degradations and their strengths: one, or of several scopes."""
    if case.recipe != MIXED:
        return [case.recipe], [case.strength]
    scopes = [list(Scope)[k] for k in rng.permutation(len(Scope))[: round(case.strength)]]
    names, strengths = [], []
    for scope in scopes:
        rows = [name for name, row in DEGRADATIONS.items() if row.scope is scope]
        names.append(rows[int(rng.integers(len(rows)))])
        choices = DEGRADATIONS[names[-1]].strengths
        strengths.append(choices[int(rng.integers(len(choices)))])
    return names, strengths


def _make_corrupted(
    case: Case,
    sources: Sequence[Source],
    rng: np.random.Generator,
    renderer: Renderer,
    out: Path,
) -> ClipLabel:
    unseen = 0
    first = int(rng.integers(len(sources)))
    for k in range(_TRIES):
        source = sources[(first + k) % len(sources)]
        found = CORRUPTIONS[case.recipe].corrupt(source, case.strength, rng)
        if found is None:
            continue
        other = sources[(first + k + 1) % len(sources)]
        take = corrupt(source, found, other, renderer)
        if not _is_seen(source, found, take, renderer):
            unseen += 1
            continue
        write_take(out, replace(take, crf=int(rng.integers(_CRF[0], _CRF[1] + 1))))
        told = f"{case.recipe} {case.strength:g}"
        shown = tuple(take.shown.tolist())
        return ClipLabel(case, source.bundle.path.name, told, found.causes, shown, unseen)
    return ClipLabel(case, "", case.recipe, (), (), unseen)


def corrupt(source: Source, found: Corrupted, other: Source, renderer: Renderer) -> Take:
    """Return the pictures of a corrupted film.

    Args:
        other: a source whose film is seen from the middle on, if the corruption is that.
    """
    pictures = draw_film(source, found.film, renderer)
    if found.other is not None and found.weights is not None:
        behind = draw_film(source, found.other, renderer)
        pictures = [
            _blend(*pair) for pair in zip(pictures, behind, found.weights.tolist(), strict=True)
        ]
    if found.swapped is not None:
        pictures[found.swapped :] = _fit(source, other, found.swapped)
    return Take(pictures, found.film.shown, source.bundle.manifest.fps)


def _blend(one: Picture, other: Picture, weight: float) -> Picture:
    if weight in (0.0, 1.0):
        return other if weight else one
    mixed = (1.0 - weight) * one.astype(np.float32) + weight * other.astype(np.float32)
    return np.asarray(mixed + 0.5, np.uint8)


def _fit(source: Source, other: Source, begin: int) -> list[Picture]:
    """Return the second half of another film, at the size of one, and as long as its own."""
    camera = source.bundle.camera
    count = len(source.pictures) - begin
    later = other.pictures[len(other.pictures) // 2 :][:count]
    size = camera.width, camera.height
    fitted = [_picture(cv2.resize(one, size, interpolation=cv2.INTER_AREA)) for one in later]
    return fitted + fitted[-1:] * (count - len(fitted))


def _picture(found: object) -> Picture:
    return np.asarray(found, np.uint8)


def _is_seen(source: Source, found: Corrupted, take: Take, renderer: Renderer) -> bool:
    """Return whether each cause changes enough pixels: of the true film, or of the frame before.

    A piece that is elsewhere has to be seen there, and so has one that is there besides: its shadow
    is not enough.
    """
    film = found.film
    if not _are_extras_seen(source, found, renderer):
        return False
    if found.absent is not None:
        (without,) = draw_film(source, found.absent, renderer)
        if _count_unlike(take.pictures[found.causes[0].reached], without) < _LEAST_PIXELS:
            return False
    moved = not np.allclose(film.poses, source.bundle.poses[film.shown], equal_nan=True)
    is_cut = not (moved or film.looks or film.extras or found.other)
    counts = (_count_differing(source, take, cause.reached, is_cut) for cause in found.causes)
    return min(counts) >= _LEAST_PIXELS


def _are_extras_seen(source: Source, found: Corrupted, renderer: Renderer) -> bool:
    frames = [cause.reached for cause in found.causes]
    return all(
        count_extra_pixels(source, film, frame, renderer) >= _LEAST_PIXELS
        for film in (found.film, found.other)
        if film is not None and film.extras
        for frame in frames
    )


def _count_differing(source: Source, take: Take, frame: int, is_cut: bool) -> int:
    seen = take.pictures[min(frame, len(take.pictures) - 1)]
    before = take.pictures[frame - 1] if is_cut else source.pictures[int(take.shown[frame])]
    return _count_unlike(seen, before)


def _count_unlike(one: Picture, other: Picture) -> int:
    differing = np.abs(one.astype(np.int16) - other.astype(np.int16)).max(axis=2) > _LEVELS
    return int(differing.sum())


def write_label(path: Path, label: ClipLabel) -> None:
    """Write a label as JSON."""
    path.write_text(json.dumps(asdict(label)) + "\n", encoding="utf-8")


def read_label(path: Path) -> ClipLabel:
    """Read what :func:`write_label` wrote."""
    row = json.loads(path.read_text(encoding="utf-8"))
    causes = tuple(
        Cause(**{**one, "kinds": tuple(one["kinds"]), "pieces": tuple(one["pieces"])})
        for one in row["causes"]
    )
    more = {"case": Case(**row["case"]), "causes": causes, "shown": tuple(row["shown"])}
    return ClipLabel(**{**row, **more})

"""Agreement of people with each other, and of our rules with people.

An annotation file is what the page of :mod:`bridge.video.report.annotating` saves::

    {"format": "luban-annotation/2", "annotator": NAME,
     "marks": {VIDEO: [{"kind": KIND, "first": FRAME, "last": FRAME}]}}

VIDEO is an id that names no model. A video with an empty list was looked at, and nothing was found.
In version 1 a video has the name of its score.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from statistics import mean

import numpy as np
from numpy.typing import NDArray

from bridge.recording.fields import json_object
from pysim.errors import InputError
from pysim.untrusted import MIB, FileKind, read_untrusted

__all__ = [
    "ANNOTATION_FORMAT",
    "Accord",
    "Annotation",
    "AnnotationError",
    "accord",
    "cohens_kappa",
    "frame_f1",
    "rank_tau",
    "read_annotation",
]

ANNOTATION_FORMAT = "luban-annotation/2"
ANNOTATION_FILE = FileKind("an annotation", 64 * MIB)
_READ = (ANNOTATION_FORMAT, ANNOTATION_FORMAT.replace("/2", "/1"))

_Mask = NDArray[np.bool_]
Stretch = tuple[str, int, int]
"""Kind, first and last frame."""


class AnnotationError(InputError):
    """A file is no annotation; the message names it and says why."""


@dataclass(frozen=True, slots=True)
class Annotation:
    """Marks of one person.

    Attributes:
        annotator: name of the person.
        marks: video -> what is wrong in it.
    """

    annotator: str
    marks: Mapping[str, Sequence[Stretch]]


@dataclass(frozen=True, slots=True)
class Accord:
    """Agreement of all.

    Attributes:
        annotators, videos: how many.
        kappa: Cohen's, over the frames of videos that two people looked at: broken or not; the
            mean over pairs of people. None with a single person.
        f1: of our broken frames against those that most people call broken.
        tau: Kendall's tau-b of the order of videos by broken frames, ours against people's; None
            for fewer than two videos, or if all are equal.
    """

    annotators: int
    videos: int
    kappa: float | None
    f1: float
    tau: float | None


def read_annotation(path: Path) -> Annotation:
    """Read a file.

    Raises:
        AnnotationError: it is none.
    """
    try:
        found = json_object(read_untrusted(path, ANNOTATION_FILE))
        if found["format"] not in _READ:
            raise ValueError(f"its format is {found['format']!r}, not {ANNOTATION_FORMAT!r}")
        marks = {str(v): [_stretch(m) for m in some] for v, some in found["marks"].items()}
        return Annotation(str(found["annotator"]), marks)
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        reason = f"it lacks {error}" if isinstance(error, KeyError) else str(error)
        raise AnnotationError(f"{path} is no annotation: {reason}") from None


def _stretch(mark: Mapping[str, object]) -> Stretch:
    first, last = int(str(mark["first"])), int(str(mark["last"]))
    if not 0 <= first <= last:
        raise ValueError(f"frames {first} to {last} are no stretch")
    return str(mark["kind"]), first, last


def cohens_kappa(one: _Mask, other: _Mask) -> float:
    """Cohen's kappa of two yes-or-no judgements of the same things (Cohen 1960).

    1 if both always say the same, also where chance alone would make them agree always.
    """
    agree = float((one == other).mean())
    p, q = float(one.mean()), float(other.mean())
    chance = p * q + (1.0 - p) * (1.0 - q)
    return 1.0 if agree == 1.0 else (agree - chance) / (1.0 - chance)


def frame_f1(ours: _Mask, theirs: _Mask) -> float:
    """The harmonic mean of precision and recall; 1 if neither says anything."""
    both, all_said = int((ours & theirs).sum()), int(ours.sum() + theirs.sum())
    return 2.0 * both / all_said if all_said else 1.0


def rank_tau(one: Sequence[float], other: Sequence[float]) -> float | None:
    """Kendall's tau-b of two lists of values; None if one of them is all equal (Kendall 1945)."""
    pairs = list(combinations(range(len(one)), 2))
    signs = [(np.sign(one[i] - one[j]), np.sign(other[i] - other[j])) for i, j in pairs]
    mine = sum(a != 0 for a, _ in signs)
    theirs = sum(b != 0 for _, b in signs)
    if not mine or not theirs:
        return None
    return float(sum(a * b for a, b in signs) / np.sqrt(mine * theirs))


def accord(
    ours: Mapping[str, Sequence[Stretch]],
    frames: Mapping[str, int],
    people: Sequence[Annotation],
) -> Accord:
    """Compute how far people agree with each other, and with our scores.

    Args:
        ours: video -> what our rules say is wrong in it.
        frames: video -> how many frames it has.
        people: one or more.

    Raises:
        AnnotationError: nobody looked at any of these videos.
    """
    masks = [
        {v: _mask(marks, frames[v]) for v, marks in person.marks.items() if v in frames}
        for person in people
    ]
    videos = [v for v in frames if any(v in mine for mine in masks)]
    if not videos:
        raise AnnotationError("nobody has looked at any of these videos")
    judged = {v: _majority([mine[v] for mine in masks if v in mine]) for v in videos}
    said = {v: _mask(ours[v], frames[v]) for v in videos}
    kappas = [
        cohens_kappa(*(np.concatenate([mine[v] for v in shared]) for mine in pair))
        for pair in combinations(masks, 2)
        if (shared := sorted(set(pair[0]) & set(pair[1])))
    ]
    whole = [np.concatenate([some[v] for v in videos]) for some in (said, judged)]
    shares = [[float(some[v].mean()) for v in videos] for some in (said, judged)]
    return Accord(
        len(people),
        len(videos),
        mean(kappas) if kappas else None,
        frame_f1(whole[0], whole[1]),
        rank_tau(shares[0], shares[1]),
    )


def _mask(marks: Sequence[Stretch], frames: int) -> _Mask:
    mask = np.zeros(frames, bool)
    for _, first, last in marks:
        mask[first : last + 1] = True
    return mask


def _majority(masks: Sequence[_Mask]) -> _Mask:
    most: _Mask = np.mean(masks, axis=0) > 0.5
    return most

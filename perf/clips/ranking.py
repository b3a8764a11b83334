"""Rankings: six models of one bundle, two of them corrupted, and the order in which they belong."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from perf.clips.cases import Case
from perf.clips.corruptions import CORRUPTIONS
from perf.clips.degradations import degrade
from perf.clips.judging import Outcome
from perf.clips.making import corrupt
from perf.clips.scorer import UnscorableClip, rank_models, score_clip
from perf.clips.sources import Source
from perf.clips.takes import Take, write_take
from pysim.render.renderer import Renderer

__all__ = ["MODELS", "is_right_order", "make_models", "rank"]

TRUE, BLURRED, STILL = "true", "blurred", "still"
_CORRUPTED = ("vanish", "teleport", "slideshow")
MODELS = (TRUE, BLURRED, *_CORRUPTED, STILL)
"""Models of a ranking."""
_STRENGTHS = {"vanish": 1.0, "teleport": 4.0, "slideshow": 24.0}
_VIDEO = "seed.mp4"


def make_models(
    case: Case, sources: Sequence[Source], seed: int, renderer: Renderer, folder: Path
) -> Source | None:
    """Make the videos of all models of one source; None if a corruption finds no place in any."""
    rng = case.make_rng(seed)
    first = int(rng.integers(len(sources)))
    for k in range(len(sources)):
        source = sources[(first + k) % len(sources)]
        takes = _make_takes(source, rng, renderer)
        if takes is not None:
            for model, take in takes.items():
                (folder / model).mkdir(parents=True, exist_ok=True)
                write_take(folder / model / _VIDEO, take)
            return source
    return None


def _make_takes(
    source: Source, rng: np.random.Generator, renderer: Renderer
) -> dict[str, Take] | None:
    shown = np.arange(len(source.pictures))
    take = Take(source.pictures, shown, source.bundle.manifest.fps, 23)
    still = replace(take, pictures=source.pictures[:1] * len(shown), shown=0 * shown)
    blurred = replace(degrade(["blurred"], [2.0], source, rng, renderer), crf=23)
    takes = {TRUE: take, BLURRED: blurred, STILL: still}
    for name in _CORRUPTED:
        found = CORRUPTIONS[name].corrupt(source, _STRENGTHS[name], rng)
        if found is None:
            return None
        takes[name] = replace(corrupt(source, found, source, renderer), crf=23)
    return takes


def rank(case: Case, source: Source | None, folder: Path) -> Outcome:
    """Score all models of a ranking; one that can't be scored is the last."""
    if source is None:
        return Outcome(case)
    documents, lost, frames, seconds, memory = [], [], 0, 0.0, 0.0
    for model in MODELS:
        try:
            scored = score_clip(source.bundle, folder / model / _VIDEO)
        except UnscorableClip:
            lost.append(model)
            continue
        documents.append({**scored.document, "model": model})
        frames, seconds = frames + scored.frames, seconds + scored.seconds
        memory = max(memory, scored.memory)
    ranks = (*rank_models(documents), *lost)
    return Outcome(
        case, source.bundle.path.name, frames=frames, seconds=seconds, memory=memory, ranks=ranks
    )


def is_right_order(ranks: Sequence[str]) -> bool:
    """Return whether the true films come first, and the still picture is not before what moves.

    The true film and the blurred one may change places, and so may those that are corrupted; the
    still picture does nothing, and is behind all but slides.
    """
    behind = {*ranks[ranks.index(STILL) + 1 :]}
    return {*ranks[:2]} == {TRUE, BLURRED} and behind <= {"slideshow"}

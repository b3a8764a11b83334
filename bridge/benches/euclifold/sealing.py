"""Item files: which cubes and items belong to a seed, sealed by digests."""

import hashlib
from collections.abc import Iterable, Iterator

from bridge.benches.euclifold.condition import (
    EuclifoldCondition,
    EuclifoldTask,
    Negatives,
    Wording,
)
from bridge.benches.euclifold.cubes import CUBES, TURNINGS, make_cube
from bridge.benches.euclifold.trials import Statement, make_trials
from pysim.field_types import Json

__all__ = ["FORMAT", "list_sealed_conditions", "make_sealed_file"]

FORMAT = "euclifold-items/1"


def make_sealed_file(seed: int, cubes: int = CUBES) -> dict[str, Json]:
    """Return the item file of a seed: its cubes, and for each condition a digest of all its items.

    The digest is SHA-256 over the items' own, each of which covers all that an agent is shown and
    the right answer.
    """
    return {
        "format": FORMAT,
        "seed": seed,
        "cubes": [str(make_cube(seed, TURNINGS * k)) for k in range(cubes)],
        "parts": list(_parts(seed, cubes * TURNINGS)),
    }


def list_sealed_conditions() -> Iterator[EuclifoldCondition]:
    """Yield the five questions as usual, and those of the paper's ablations."""
    yield from map(EuclifoldCondition, EuclifoldTask)
    yield from (
        EuclifoldCondition(t, Wording.EUCLIDEAN)
        for t in (EuclifoldTask.ORIENTATION, EuclifoldTask.OPERATION)
    )
    yield EuclifoldCondition(EuclifoldTask.FOLDING, negatives=Negatives.LEAKED)


def _parts(seed: int, pairs: int) -> Iterator[dict[str, Json]]:
    for condition in list_sealed_conditions():
        trials = make_trials(condition, seed, 2 * pairs)
        yield {"variant": condition.variant, "items": len(trials), "digest": _digest(trials)}


def _digest(trials: Iterable[Statement]) -> str:
    found = hashlib.sha256()
    for trial in trials:
        found.update(trial.item.digest.encode())
    return f"sha256:{found.hexdigest()}"

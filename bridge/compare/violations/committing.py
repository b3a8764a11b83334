"""Putting faults into true films."""

import math
from collections.abc import Callable, Mapping

import numpy as np

from bridge.compare.violations import being, moving
from bridge.compare.violations.faults import FaultError, FaultKind, FaultyFilm, TrueFilm

__all__ = ["commit", "strengths"]

_Committer = Callable[[TrueFilm, float, np.random.Generator], FaultyFilm | None]
"""None: there is no place for it."""


def strengths(kind: FaultKind) -> tuple[float, ...]:
    """Strengths of a kind that are worth asking for, the least first."""
    return _STRENGTHS[kind]


_STRENGTHS: Mapping[FaultKind, tuple[float, ...]] = {
    FaultKind.TELEPORT: (1.5, 2.0, 3.0, 5.0),
    FaultKind.PASS_THROUGH: (0.6, 1.0, 2.0),
    FaultKind.DIAGONAL: (0.6, 1.0, 2.0),
    FaultKind.ROTATION: (15.0, 30.0, 90.0),
    FaultKind.STRETCH: (0.2, 0.4, 0.8),
    FaultKind.VANISH: (0.25, 0.5, 1.0),
    FaultKind.DUPLICATE: (3.0, 5.0),
    FaultKind.SPLIT: (1.0, 2.0),
    FaultKind.SWAP: (1.0,),
    FaultKind.MERGE: (1.0,),
    FaultKind.RECOLOUR: (1.0,),
}


def commit(
    film: TrueFilm, kind: FaultKind, strength: float, chance: np.random.Generator
) -> FaultyFilm:
    """A film with one fault, put where chance finds a place for it.

    The rest is as it was. The same chance puts it into the same place.

    Args:
        strength: how bad it gets, as the kind counts it; above 0.

    Raises:
        FaultError: the film has no place for it, such as one too short, or with a single piece.
    """
    if not (strength > 0.0 and math.isfinite(strength)):
        raise FaultError(f"a fault has a strength above 0, not {strength}")
    found = _COMMITTERS[kind](film, strength, chance)
    if found is None:
        raise FaultError(f"there is no place for a {kind.value} of {strength:g} in this film")
    return found


_COMMITTERS: Mapping[FaultKind, _Committer] = {
    FaultKind.TELEPORT: moving.teleport,
    FaultKind.PASS_THROUGH: moving.pass_through,
    FaultKind.DIAGONAL: moving.diagonal,
    FaultKind.ROTATION: moving.rotation,
    FaultKind.STRETCH: moving.stretch,
    FaultKind.VANISH: being.vanish,
    FaultKind.DUPLICATE: being.duplicate,
    FaultKind.SPLIT: being.split,
    FaultKind.SWAP: being.swap,
    FaultKind.MERGE: being.merge,
    FaultKind.RECOLOUR: being.recolour,
}

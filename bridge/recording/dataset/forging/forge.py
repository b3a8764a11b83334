"""Putting forgeries into true films."""

import math
from collections.abc import Callable, Mapping

import numpy as np

from bridge.recording.dataset.forging import being, moving, ordering
from bridge.recording.dataset.forging.forgeries import (
    ForgedFilm,
    ForgeryError,
    ForgeryKind,
    TrueFilm,
)

__all__ = ["forge", "strengths"]

_Forger = Callable[[TrueFilm, float, np.random.Generator], ForgedFilm | None]
"""None: there is no place for it."""


def strengths(kind: ForgeryKind) -> tuple[float, ...]:
    """Strengths of a kind that are worth asking for, the least first."""
    return _STRENGTHS[kind]


_STRENGTHS: Mapping[ForgeryKind, tuple[float, ...]] = {
    ForgeryKind.TELEPORT: (1.5, 2.0, 3.0, 5.0),
    ForgeryKind.PASS_THROUGH: (0.6, 1.0, 2.0),
    ForgeryKind.DIAGONAL: (0.6, 1.0, 2.0),
    ForgeryKind.ROTATION: (15.0, 30.0, 90.0),
    ForgeryKind.STRETCH: (0.2, 0.4, 0.8),
    ForgeryKind.WRONG_ORDER: (1.0,),
    ForgeryKind.VANISH: (0.25, 0.5, 1.0),
    ForgeryKind.DUPLICATE: (3.0, 5.0),
    ForgeryKind.SPLIT: (1.0, 2.0),
    ForgeryKind.SWAP: (1.0,),
    ForgeryKind.MERGE: (1.0,),
    ForgeryKind.RECOLOUR: (1.0,),
}


def forge(
    film: TrueFilm, kind: ForgeryKind, strength: float, chance: np.random.Generator
) -> ForgedFilm:
    """A film with one forgery, put where chance finds a place for it.

    The rest is as it was. The same chance puts it into the same place.

    Args:
        strength: how bad it gets, as the kind counts it; above 0.

    Raises:
        ForgeryError: the film has no place for it, such as one too short, or with a single piece.
    """
    if not (strength > 0.0 and math.isfinite(strength)):
        raise ForgeryError(f"a forgery has a strength above 0, not {strength}")
    found = _FORGERS[kind](film, strength, chance)
    if found is None:
        raise ForgeryError(f"there is no place for a {kind.value} of {strength:g} in this film")
    return found


_FORGERS: Mapping[ForgeryKind, _Forger] = {
    ForgeryKind.TELEPORT: moving.teleport,
    ForgeryKind.PASS_THROUGH: moving.pass_through,
    ForgeryKind.DIAGONAL: moving.diagonal,
    ForgeryKind.ROTATION: moving.rotation,
    ForgeryKind.STRETCH: moving.stretch,
    ForgeryKind.WRONG_ORDER: ordering.wrong_order,
    ForgeryKind.VANISH: being.vanish,
    ForgeryKind.DUPLICATE: being.duplicate,
    ForgeryKind.SPLIT: being.split,
    ForgeryKind.SWAP: being.swap,
    ForgeryKind.MERGE: being.merge,
    ForgeryKind.RECOLOUR: being.recolour,
}

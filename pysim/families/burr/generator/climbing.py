"""Climbing: a search for high levels that anneals again and again from the best lock so far.

One annealing ends after some thousand assemblies, wherever it stands. A climb goes on: each round
anneals from the lock of the highest level, and its result replaces that lock unless its level is
lower. Rounds that end lower are forgotten. All results are kept for the end, when their solutions
are counted: that takes longer than a round, and a lock of one solution may stand a little lower.
"""

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from pysim.families.burr.generator.annealing import Annealed, Cooling, Sharing, anneal

__all__ = ["Annealer", "choose_climb", "climb"]

Annealer = Callable[[Sharing, int, Cooling, int, NDArray[np.uint64]], Annealed]
"""A search as :func:`~pysim.families.burr.generator.annealing.anneal`."""

_UNREACHED = 1 << 30
"""A target that no assembly has, so that no round ends early."""


def choose_climb(pieces: int) -> Cooling:
    """Return the schedule of a round, which looks at more of each assembly than an attempt does."""
    return Cooling(steps=120_000 // pieces, configurations=max(2000, 36_000 // pieces))


def climb(
    sharing: Sharing,
    least: int,
    cooling: Cooling,
    rounds: int,
    rng: NDArray[np.uint64],
    annealer: Annealer = anneal,
) -> list[Annealed]:
    """Return the different locks of all rounds, the highest level first.

    Among equals the latest is the first.

    Args:
        sharing: where to start; changed.
        least: cells that every piece keeps.
        cooling: schedule of each round.
        rounds: number of rounds. The first ones are the same for any number.
        rng: see :mod:`pysim.families.burr.generator.rng`; changed.
        annealer: the search of each round.
    """
    found = list(_climb(sharing, least, cooling, rounds, rng, annealer))
    different = {one.label.tobytes(): one for one in reversed(found)}
    return sorted(different.values(), key=lambda one: -one.level)


def _climb(
    sharing: Sharing,
    least: int,
    cooling: Cooling,
    rounds: int,
    rng: NDArray[np.uint64],
    annealer: Annealer,
) -> Iterator[Annealed]:
    """Yield the lock of each round that found one."""
    best = 0
    for _ in range(rounds):
        found = annealer(sharing, least, cooling, _UNREACHED, rng)
        if found.level >= max(1, best):
            best, label = found.level, found.label
        if found.level:
            yield found
        if best:
            sharing = sharing.share(label)

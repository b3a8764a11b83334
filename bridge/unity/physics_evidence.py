"""Evidence of a player's own physics about a sweep, beside the lattice's."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from pysim.motion import Motion, Sweep
from pysim.physics.world import Report

__all__ = ["merge_measured"]

_SLACK: Final = 0.1
"""Units short of a whole one at which a sweep still counts as having gone it, as in Bullet."""


def merge_measured(report: Report, witnessed: Iterable[str], motions: Sequence[Motion]) -> Report:
    """Return the report, as ``measured`` has it where that is not what the lattice says.

    A player moves bodies as the lattice says, so that state and digest are the same whatever comes
    of this; but its report is evidence, and evidence that only repeats the verdict would be none.

    Args:
        witnessed: the bodies that the player's physics met.
        motions: what was to be done; there is one sweep among them at most.
    """
    sweeps = [motion for motion in motions if isinstance(motion, Sweep)]
    reached = report.completed or report.travel > 0 or report.measured > 0.0
    if len(sweeps) != 1 or not reached:
        return report
    whole = min(sweeps[0].distance, math.floor(report.measured + _SLACK))
    if whole == report.travel:
        return report
    free = whole == sweeps[0].distance
    contacts = frozenset() if free else frozenset(witnessed)
    return replace(report, completed=free, travel=whole, contacts=contacts)

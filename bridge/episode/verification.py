"""Comparing what the rules say with what a world reports."""

from collections.abc import Mapping

import numpy as np

from bridge.episode.records import Disagreement
from pysim.physics.world import Report
from pysim.puzzle import IllegalMove, Transition
from pysim.scene import Scene
from pysim.trajectory import Transform

__all__ = ["STAYS", "compare_legal", "compare_poses", "compare_refused"]

POSE_TOLERANCE = 0.1
"""Units by which a body may be off its lattice pose."""
TURN_TOLERANCE = 0.1
"""Largest difference of an entry of the rotation matrix, about 5 degrees."""
STAYS = "what is let go stays where it is"
"""What the rules say when something fell in the world."""


def compare_legal(transition: Transition[object], report: Report) -> Disagreement | None:
    """Return whether a world confirms a move that the rules allow."""
    if report.fallen:
        names = ", ".join(sorted(report.fallen))
        return Disagreement(STAYS, f"{names} fell")
    if report.completed and report.travel == (transition.travel or 0):
        return None
    return Disagreement(f"the move goes {transition.travel or 0} units", _words(report))


def compare_refused(refusal: IllegalMove, report: Report) -> Disagreement | None:
    """Return whether a world is stopped where the rules say, by the same bodies."""
    if (
        not report.completed
        and report.travel == refusal.travel
        and report.contacts == frozenset(refusal.culprits)
    ):
        return None
    return Disagreement(
        f"{', '.join(refusal.culprits)} blocks after {refusal.travel} units", _words(report)
    )


def compare_poses(scene: Scene, transforms: Mapping[str, Transform]) -> Disagreement | None:
    """Return whether every body is where the rules have it, within a tenth of a unit."""
    off = [
        body.name for body in scene.bodies if _is_off(body.pose.transform(), transforms[body.name])
    ]
    if not off:
        return None
    names = ", ".join(off)
    return Disagreement(
        f"{names} in lattice poses", f"{names} more than {POSE_TOLERANCE} units off"
    )


def _is_off(expected: Transform, found: Transform) -> bool:
    difference = np.abs(expected - found)
    return bool(
        difference[:3, 3].max() > POSE_TOLERANCE or difference[:3, :3].max() > TURN_TOLERANCE
    )


def _words(report: Report) -> str:
    if report.completed:
        return f"it went {report.measured:.3f} units unhindered"
    return f"{', '.join(sorted(report.contacts))} in the way after {report.measured:.3f} units"

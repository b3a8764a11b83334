"""Lawful branches: actions of the rules that explain tracks where the true film does not.

Where pieces leave the film, each action that the rules allow in the state reached is tried. One
that leads to where pieces are seen later is recorded as a film is, with the steps of the film that
are lawful after it, and tracks are aligned with that course instead. The course that explains most
frames is taken, and from where it is left the same begins again.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from bridge.video.thresholds import LIMITS
from bridge.video.tracking.course import (
    Course,
    find_departure,
    find_places,
    list_branches,
    list_others,
    list_rest,
    measure_poses,
)
from bridge.video.verdict.reading import Deed, ReadMove
from bridge.video.verdict.track_evidence import PosedVideo, follow_course
from bridge.video.verdict.tracks import Tracks
from pysim.catalog import AnyLevel, find_family
from pysim.errors import InputError
from pysim.field_types import build_action
from pysim.puzzle import Action, ActionError

__all__ = ["follow_rules", "read_refusal"]

_Array = NDArray[np.float64]


def follow_rules(course: Course, tracks: Tracks) -> PosedVideo:
    """Align tracks with a film, and with lawful branches of it where that explains more."""
    posed = follow_course(course, tracks)
    if tracks.deeds:
        done = follow_course(course.branch(_list_lawful(course.level, tracks.deeds)), tracks)
        posed = max(done, posed, key=lambda one: find_departure(one.is_off))
    for _ in range(LIMITS.most_track_branches):
        branch = _find_branch(posed)
        if branch is None:
            break
        posed = branch
    return posed


def read_refusal(level: AnyLevel, deeds: Sequence[Deed]) -> ReadMove | None:
    """Return the first of some actions that the rules refuse, with the reason; None if all are."""
    rules, state = find_family(level).rules, find_family(level).rules.initial(level)
    for deed in deeds:
        try:
            state = rules.apply(level, state, _build(level, deed)).state
        except (ActionError, InputError) as error:
            return ReadMove(deed.tool, deed.arguments, deed.first, deed.last, False, str(error))
        except KeyError:
            reason = f"there is no {deed.tool}"
            return ReadMove(deed.tool, deed.arguments, deed.first, deed.last, False, reason)
    return None


def _build(level: AnyLevel, deed: Deed) -> Action:
    types = {action.tool: action for action in find_family(level).actions}
    return build_action(types[deed.tool], deed.arguments)


def _list_lawful(level: AnyLevel, deeds: Sequence[Deed]) -> list[Action]:
    """Return the actions before the first that the rules refuse."""
    refused = read_refusal(level, deeds)
    count = next(
        (k for k, deed in enumerate(deeds) if refused and deed.first == refused.first), len(deeds)
    )
    return [_build(level, deed) for deed in deeds[:count]]


def _find_branch(posed: PosedVideo) -> PosedVideo | None:
    """Return tracks aligned with a course that explains more; None if there is none."""
    left = find_departure(posed.is_off)
    # What follows a leap proves nothing: nobody knows whether it could have been made.
    if left == len(posed.tracks) or posed.aligned.leaps[:left].any():
        return None
    course, tracks = posed.course, posed.tracks
    position = int(posed.aligned.positions[max(0, left - 1)])
    for steps in list_branches(course, position, LIMITS.arrived):
        for arrival, action in _list_actions(posed, steps):
            actions = [*course.list_actions()[:steps], action]
            shown = tracks.cut(arrival + LIMITS.lasting_frames + 1)
            if follow_course(course.branch(actions), shown).is_off[:arrival].any():
                continue
            rest = list_rest(course, actions)
            branch = follow_course(course.branch([*actions, *rest]), tracks)
            if find_departure(branch.is_off) > left:
                return branch
    return None


def _list_actions(posed: PosedVideo, steps: int) -> list[tuple[int, Action]]:
    """Return the lawful actions after some steps that lead to where pieces are later, and when.

    The beginning of the next step may look like all of another action.
    """
    course = posed.course
    over = course.list_ends(LIMITS.arrived)[steps - 1][1] if steps else 0
    done = int((posed.aligned.positions >= over).argmax())
    still = _find_rests(posed, done)
    here = find_places(course, course.find_state(steps))
    found: list[tuple[bool, int, int, Action]] = []
    for number, (action, there) in enumerate(list_others(course, steps)):
        moved = measure_poses(there, here, course.boxes)[posed.bodies] > LIMITS.arrived
        if not moved.any():
            continue
        arrived = _find_arrived(posed, there, done, moved)
        rested = arrived & still[:, moved].all(axis=1)
        # On a longer way pieces pass by where a shorter one leads.
        if arrived.any():
            first = int((rested if rested.any() else arrived).argmax())
            found.append((not rested.any(), done + first, number, action))
    soonest = sorted(found, key=lambda one: one[:3])[: LIMITS.tried_tracks]
    return [(arrival, action) for _, arrival, _, action in soonest]


def _find_arrived(
    posed: PosedVideo, there: _Array, left: int, moved: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """Return whether all pieces that are moved and seen are there (F,), from a frame on."""
    bodies, seen = posed.bodies[moved], posed.poses[left:, moved]
    near = measure_poses(seen, there[bodies], posed.course.boxes[bodies]) < LIMITS.arrived
    known = posed.tracks.decided[left:, moved]
    return np.asarray((near | ~known).all(axis=1) & (near & known).any(axis=1))


def _find_rests(posed: PosedVideo, left: int) -> NDArray[np.bool_]:
    """Return whether pieces (F, K) stay where they are, from a frame on."""
    poses, boxes = posed.poses[left:], posed.course.boxes[posed.bodies]
    later = poses[np.minimum(np.arange(len(poses)) + LIMITS.lasting_frames, len(poses) - 1)]
    return np.asarray(measure_poses(poses, later, boxes) < LIMITS.rest_motion)

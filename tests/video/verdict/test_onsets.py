"""What is seen late is dated back to when it must have begun, and what comes at once is not."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from bridge.video.verdict.ruling import rule_on
from bridge.video.verdict.subject import Subject
from bridge.video.verdict.tracks import Tracks, true_tracks
from bridge.video.verdict.violations import Violation, ViolationKind
from pysim.catalog import find_level
from tests.video.verdict.test_doubt import START, SUBJECT, still

PIECE = 2


def turned(tracks: Tracks, degrees: NDArray[np.float64]) -> Tracks:
    """A piece that is turned about its middle by so much in each frame."""
    cells = SUBJECT.cells[SUBJECT.names[PIECE]]
    middle, poses = cells.mean(axis=0), tracks.poses.copy()
    for frame, angle in enumerate(np.radians(degrees)):
        pose = poses[frame, PIECE]
        spin = np.eye(3)
        spin[:2, :2] = [[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]
        centre = pose[:3, :3] @ middle + pose[:3, 3]
        pose[:3, :3] = spin @ pose[:3, :3]
        pose[:3, 3] = centre - pose[:3, :3] @ middle
    return replace(tracks, poses=poses)


def the(kind: ViolationKind, tracks: Tracks, subject: Subject = SUBJECT) -> Violation:
    (found,) = [v for v in rule_on(subject, tracks).violations if v.kind is kind]
    return found


def test_a_piece_that_is_found_turned_by_much_began_to_turn_before() -> None:
    degrees = np.concatenate([np.zeros(10), np.linspace(0, 60, 13), np.full(10, 60.0)])
    begun = int(np.flatnonzero(degrees > 0)[0])
    late = np.where(np.arange(len(degrees)) < begun + 7, 0.0, degrees)
    whole, unseen = (the(ViolationKind.ROTATION, turned(still(33), d)) for d in (degrees, late))
    assert begun <= whole.first <= begun + 3
    assert begun - 1 <= unseen.first <= begun + 3 < begun + 7


def found_late(tracks: Tracks) -> list[int]:
    """When a piece began to turn that is found turned in frame 20, if pieces go fast or slowly."""
    late = np.where(np.arange(40) < 20, 0.0, 40.0)
    return [
        the(ViolationKind.ROTATION, turned(tracks, late), replace(SUBJECT, speed=speed)).first
        for speed in (200.0, 24.0, 12.0, 1.0)
    ]


def test_the_faster_pieces_go_the_less_it_is_dated_back() -> None:
    tracks = still(40)
    poses = tracks.poses.copy()
    poses[:, PIECE, 2, 3] += 0.05 * np.arange(40)
    firsts = found_late(replace(tracks, poses=poses))
    assert firsts == sorted(firsts, reverse=True)
    assert firsts[0] >= 19 and firsts[-1] == 20 - 8  # A third of a second at most.


def test_who_was_seen_at_rest_has_not_begun_long_ago() -> None:
    assert min(found_late(still(40))) == 20 - 4


def test_halves_that_are_found_apart_came_apart_before() -> None:
    tracks = still(30)
    apart = tracks.apart.copy()
    apart[12:, PIECE] = np.minimum(1.0 + 0.5 * np.arange(18), 2.0)
    assert the(ViolationKind.SPLIT, replace(tracks, apart=apart)).first == 11


def test_who_leaps_at_the_same_time_did_it_all_at_once() -> None:
    late = np.where(np.arange(40) < 20, 0.0, 40.0)
    tracks = turned(still(40), late)
    poses = tracks.poses.copy()
    poses[20:, PIECE, :3, 3] += [0.0, 0.0, 6.0]
    found = rule_on(SUBJECT, replace(tracks, poses=poses)).violations
    assert found and min(v.first for v in found) >= 19


def test_what_looks_unlike_itself_but_keeps_its_shape_is_dated_as_it_is_seen() -> None:
    tracks = true_tracks(SUBJECT.names, np.tile(START, (30, 1, 1, 1)), 24.0)
    fit = tracks.fit.copy()
    fit[15:, PIECE] = 0.1
    assert the(ViolationKind.RIGIDITY, replace(tracks, fit=fit)).first == 15


@pytest.mark.parametrize("level", ["burr-three-bars", "burr-half-lap"])
def test_a_film_in_which_nothing_is_wrong_has_nothing_to_date(level: str) -> None:
    subject = Subject.of(find_level(level), speed=12.0)
    start = np.stack([subject.scene.find_body(name).pose.transform() for name in subject.names])
    tracks = true_tracks(subject.names, np.tile(start, (10, 1, 1, 1)), 24.0)
    assert rule_on(subject, tracks).violations == ()

"""What is not known is never a violation, and what belongs together is one."""

from dataclasses import replace

import numpy as np

from bridge.video.verdict.becoming import as_one, exchanged
from bridge.video.verdict.ruling import rule_on
from bridge.video.verdict.subject import Subject
from bridge.video.verdict.tracks import Presence, Tracks, true_tracks
from bridge.video.verdict.violations import Violation, ViolationKind
from pysim.catalog import find_level

SUBJECT = Subject.of(find_level("burr-piston"), speed=12.0)
START = np.stack([SUBJECT.scene.find_body(name).pose.transform() for name in SUBJECT.names])


def still(frames: int) -> Tracks:
    return true_tracks(SUBJECT.names, np.tile(START, (frames, 1, 1, 1)), 24.0)


def test_pieces_of_which_nothing_is_known_break_nothing() -> None:
    rng = np.random.default_rng(2)
    tracks = still(20)
    poses = tracks.poses.copy()
    poses[5:15, 2:, :3, 3] += rng.uniform(-9, 9, (10, len(SUBJECT.names) - 2, 3))
    presence = tracks.presence.copy()
    presence[5:15, 2:] = Presence.UNDECIDED
    ruling = rule_on(SUBJECT, replace(tracks, poses=poses, presence=presence))
    assert ruling.violations == ()
    assert ruling.undecided == presence.astype(bool).mean()
    told = rule_on(SUBJECT, replace(tracks, poses=poses))
    assert told.count(ViolationKind.TELEPORT) > 0


def test_depth_that_is_not_known_makes_no_overlap() -> None:
    tracks = still(20)
    sight = np.array([0.48, -0.77, 0.42]) / np.linalg.norm([0.48, -0.77, 0.42])
    poses = tracks.poses.copy()
    poses[:, 0, :3, 3] += 0.8 * sight
    seen = np.tile(sight, (20, len(SUBJECT.names), 1))
    doubt = np.full((20, len(SUBJECT.names)), 0.45)
    vague = replace(tracks, poses=poses, sight=seen, along=doubt)
    assert rule_on(SUBJECT, vague).count(ViolationKind.INTERPENETRATION) == 0
    assert rule_on(SUBJECT, replace(tracks, poses=poses)).violations != ()


def found(kind: ViolationKind, piece: str, first: int = 5) -> Violation:
    return Violation(kind, first, 20, (piece,), 3.0)


def test_a_piece_that_goes_while_there_is_more_of_another_one_has_merged() -> None:
    gone, more = found(ViolationKind.PERMANENCE, "red"), found(ViolationKind.EXTRA, "blue", 6)
    (one,) = as_one([gone, more])
    assert (one.kind, one.pieces) == (ViolationKind.MERGE, ("red", "blue"))
    late = found(ViolationKind.EXTRA, "blue", 15)
    assert as_one([gone, late]) == [gone, late]


def test_two_that_go_and_are_too_much_elsewhere_have_changed_places() -> None:
    parts = [
        found(kind, piece)
        for piece in ("red", "blue")
        for kind in (ViolationKind.PERMANENCE, ViolationKind.EXTRA)
    ]
    (one,) = as_one(parts)
    assert one.kind is ViolationKind.SWAP and set(one.pieces) == {"red", "blue"}


def test_two_that_become_each_other_at_once_have_changed_places() -> None:
    one = Violation(ViolationKind.MERGE, 5, 20, ("red", "blue"), 3.0)
    back = Violation(ViolationKind.MERGE, 6, 20, ("blue", "red"), 12.0)
    (both,) = exchanged([one, back])
    assert (both.kind, set(both.pieces)) == (ViolationKind.SWAP, {"red", "blue"})
    for other in (replace(back, first=15), replace(back, pieces=("green", "red")), one):
        assert exchanged([one, other]) == [one, other]


def test_colours_that_two_pieces_have_of_each_other_are_a_swap_and_of_one_a_merge() -> None:
    tracks = still(20)
    red, blue = SUBJECT.names.index("red"), SUBJECT.names.index("blue")
    wears = tracks.wears.copy()
    wears[6:, red] = blue
    (one,) = rule_on(SUBJECT, replace(tracks, wears=wears)).violations
    assert (one.kind, one.pieces, one.first) == (ViolationKind.MERGE, ("red", "blue"), 6)
    wears[7:, blue] = red
    (both,) = rule_on(SUBJECT, replace(tracks, wears=wears)).violations
    assert both.kind is ViolationKind.SWAP and set(both.pieces) == {"red", "blue"}
    backwards = replace(tracks, wears=wears).of(SUBJECT.names[::-1])
    assert rule_on(SUBJECT, backwards).count(ViolationKind.SWAP) == 1


def test_a_piece_in_two_is_told_and_one_that_is_nearly_whole_is_not() -> None:
    tracks = still(20)
    apart = np.zeros_like(tracks.apart)
    apart[5:9, 0] = 0.4
    apart[9:, 1] = 2.0
    (one,) = rule_on(SUBJECT, replace(tracks, apart=apart)).violations
    assert (one.kind, one.pieces) == (ViolationKind.SPLIT, SUBJECT.names[1:2])
    # At half a unit a frame it has begun three frames before.
    assert (one.first, one.last, one.magnitude) == (6, 19, 2.0)


def walked(steps: list[tuple[float, float]]) -> Tracks:
    """One piece goes along x and y as it is told, frame by frame, and the others stay."""
    poses = np.tile(START, (len(steps) + 1, 1, 1, 1))
    poses[1:, 0, :2, 3] += np.cumsum(steps, axis=0)
    return true_tracks(SUBJECT.names, poses, 24.0)


def test_who_turns_a_corner_goes_along_no_two_axes_at_once() -> None:
    for fast in (0.05, 0.1, 0.25, 0.5):
        count = round(1.0 / fast)
        corner = walked([(fast, 0.0)] * count + [(0.0, fast)] * count)
        askew = walked([(fast, fast)] * count)
        assert rule_on(SUBJECT, corner).count(ViolationKind.DIAGONAL) == 0
        assert rule_on(SUBJECT, askew).count(ViolationKind.DIAGONAL) == 1

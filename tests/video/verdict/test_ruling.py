"""Judging by poses alone, held against cells and against the referee of films."""

from random import Random

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from bridge.recording.frames import replay_timeline
from bridge.referee.films import find_deepest_overlap
from bridge.video.reference.bundle_making import play_plan
from bridge.video.verdict.depths import depth_between
from bridge.video.verdict.ruling import Ruling, rule_on
from bridge.video.verdict.subject import Subject
from bridge.video.verdict.tracks import true_tracks
from bridge.video.verdict.violations import ViolationKind
from perf.clips.pushes import missed_pushes, pushes
from pysim.catalog import AnyLevel, find_level
from pysim.geometry import list_rotations
from tests.sampling import by_day

LOCKS = ("burr-piston", "burr-chinese-cross", "burr-half-lap", "burr-cabinet-2")


def filmed(level: AnyLevel, path, fps: int = 24) -> Ruling:
    log = play_plan(level, path / f"{level.id}.jsonl")
    frames = [dict(s.transforms) for s in replay_timeline(log, fps, 1.0) for _ in range(s.frames)]
    subject = Subject.of(level, speed=12.0)
    return rule_on(
        subject,
        true_tracks(
            subject.names,
            np.array([[frame[name] for name in subject.names] for frame in frames]),
            fps,
        ),
    )


@pytest.mark.parametrize("name", LOCKS)
@pytest.mark.parametrize("fps", by_day([12, 24]))
def test_a_true_film_of_a_plan_breaks_nothing_and_solves(name: str, fps: int, tmp_path) -> None:
    level = find_level(name)
    ruling = filmed(level, tmp_path, fps)
    assert [v for v in ruling.violations if v.kind is not ViolationKind.INTERPENETRATION] == []
    assert ruling.reading.solved and ruling.reading.prefix == len(ruling.reading.moves)
    assert len(ruling.reading.moves) == len(level.plan)
    assert ruling.undecided == 0.0


def test_a_push_is_refused_exactly_where_cells_meet() -> None:
    some = list(pushes(60, 7))
    assert 20 < sum(not push.legal for push in some) < 60
    assert missed_pushes(60, 7) == (0, 0)


@pytest.mark.slow
def test_none_of_many_pushes_through_others_is_missed() -> None:
    assert missed_pushes(10_000, 8) == (0, 0)


def turned(random: Random, quarter: bool) -> np.ndarray:
    pose = np.eye(4)
    spin = Rotation.random(random_state=random.randrange(10**6)).as_matrix()
    pose[:3, :3] = np.array(list_rotations()[random.randrange(24)].matrix) if quarter else spin
    pose[:3, 3] = [random.uniform(-2, 2) for _ in range(3)]
    return pose


@pytest.mark.parametrize("quarter", [True, False])
def test_depths_are_those_of_the_referee_of_films(quarter: bool) -> None:
    random = Random(3)
    cells = {n: np.array(b, float) for n, b in {"a": [(0, 0, 0), (1, 0, 0)], "b": CORNER}.items()}
    apart = 0
    for _ in range(150):
        a, b = turned(random, quarter), turned(random, quarter)
        found = find_deepest_overlap(cells, [{"a": a, "b": b}], 0.0)
        depth = depth_between(cells["a"], a, cells["b"], b)
        assert depth == pytest.approx(0.0 if found is None else found.depth, abs=1e-9)
        apart += found is None
    assert 10 < apart < 140


CORNER = [(0, 0, 0), (0, 1, 0), (0, 1, 1)]

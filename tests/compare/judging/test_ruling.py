"""Judging by poses alone, held against cells and against the referee of films."""

from random import Random

import numpy as np
import pytest

from bridge.compare.bundles.making import play_plan
from bridge.compare.judging.depths import depth_between
from bridge.compare.judging.ruling import Ruling, rule_on
from bridge.compare.judging.subject import Subject
from bridge.compare.judging.tracks import true_tracks
from bridge.compare.judging.violations import ViolationKind
from bridge.recording.frames import stills_of
from bridge.referee.films import deepest_overlap
from pysim.catalog import AnyLevel, families, find_level, levels
from pysim.geometry import Direction
from tests.compare.judging.walks import draws, slid, stacked, walk

LOCKS = ("burr-piston", "burr-chinese-cross", "burr-half-lap", "burr-cabinet-2")
WALKED = ("burr-piston", "burr-chinese-cross", "burr-generated-sticks-4")


def ruled(level: AnyLevel, frames: list[dict[str, np.ndarray]]) -> Ruling:
    subject = Subject.of(level, speed=1000.0)  # Carried pieces leap here.
    return rule_on(subject, true_tracks(subject.names, stacked(subject.names, frames), 24.0))


def filmed(level: AnyLevel, path, fps: int = 24) -> Ruling:
    log = play_plan(level, path / f"{level.id}.jsonl")
    frames = [dict(s.transforms) for s in stills_of(log, fps, 1.0) for _ in range(s.frames)]
    subject = Subject.of(level, speed=12.0)
    return rule_on(subject, true_tracks(subject.names, stacked(subject.names, frames), fps))


@pytest.mark.parametrize("name", LOCKS)
@pytest.mark.parametrize("fps", [12, 24])
def test_a_true_film_of_a_plan_breaks_nothing_and_solves(name: str, fps: int, tmp_path) -> None:
    level = find_level(name)
    ruling = filmed(level, tmp_path, fps)
    assert [v for v in ruling.violations if v.kind is not ViolationKind.INTERPENETRATION] == []
    assert ruling.reading.solved and ruling.reading.prefix == len(ruling.reading.moves)
    assert len(ruling.reading.moves) == len(level.plan)
    assert ruling.undecided == 0.0


IN_THE_WAY = {ViolationKind.ILLEGAL, ViolationKind.INTERPENETRATION}


def agree(count: int, seed: int) -> None:
    """Pieces that lie free make no moves; they only may not be where others are."""
    known = [find_level(name) for name in WALKED]
    blocked = 0
    for level, frames, moving, direction, units, way in draws(known, count, seed):
        pushed = [*frames, *slid(frames[-1], moving, direction, units)]
        ruling = ruled(level, [*pushed, *[pushed[-1]] * 3])
        found = [v for v in ruling.violations if v.kind in IN_THE_WAY]
        blocked += way < units
        assert bool(found) == (way < units), (level.id, moving, direction, units, way, found)
        assert not found or set(found[0].pieces) & moving
        assert all(v.first >= len(frames) - 1 for v in found)
        assert not found or ruling.reading.solved is False
    assert count / 3 < blocked < count


def test_a_push_is_illegal_exactly_where_cells_meet() -> None:
    agree(60, 7)


@pytest.mark.slow
def test_none_of_many_pushes_through_others_is_missed() -> None:
    agree(10_000, 8)

"""Plans of families that are read where everything rests, also where some rests are not seen."""

from collections.abc import Iterator

import numpy as np
import pytest

from bridge.video.verdict.ruling import rule_on
from bridge.video.verdict.subject import Subject
from bridge.video.verdict.tracks import Tracks, true_tracks
from pysim.catalog import AnyLevel, find_family, find_level
from pysim.field_types import encode_arguments
from pysim.scene import Scene
from tests.sampling import by_day

JIGSAWS = ["jigsaw-easy-1", "jigsaw-hard-1"]


def scenes(level: AnyLevel) -> Iterator[Scene]:
    """How a puzzle stands at the start and after each action of its plan."""
    rules = find_family(level).rules
    state = rules.initial(level)
    yield rules.scene(level, state)
    for action in level.plan.actions:
        state = rules.apply(level, state, action).state
        yield rules.scene(level, state)


def rests(level: AnyLevel, every: int, off: float = 0.0) -> Tracks:
    """Every so many of these, for half a second each; all that was moved is a little off."""
    seen = [*scenes(level)]
    shown = sorted({*range(0, len(seen), every), len(seen) - 1})
    names = Subject.of(level).names
    poses = np.array([[seen[n].find_body(name).pose.transform() for name in names] for n in shown])
    moved = np.abs(poses - poses[0]).max(axis=(2, 3), keepdims=True)[..., 0] > 0
    poses[..., 0, 3] += off * moved[..., 0]
    return true_tracks(names, np.repeat(poses, 12, axis=0), 24.0)


@pytest.mark.parametrize("every", by_day([2, 1, 3]))
@pytest.mark.parametrize("name", JIGSAWS)
def test_moves_between_rests_are_read_though_some_rests_are_not_seen(name: str, every: int) -> None:
    level = find_level(name)
    reading = rule_on(Subject.of(level), rests(level, every)).reading
    told = [(move.tool, move.arguments) for move in reading.moves]
    assert reading.solved and reading.prefix == len(told) == len(level.plan)
    plan = [(type(action).tool, encode_arguments(action)) for action in level.plan.actions]
    assert sorted(map(str, told)) == sorted(map(str, plan))


def test_pieces_that_rest_a_third_of_a_unit_off_are_read_and_half_a_unit_off_are_not() -> None:
    level = find_level("jigsaw-easy-1")
    reading, unread = (
        rule_on(Subject.of(level), rests(level, 1, off)).reading for off in (0.35, 0.5)
    )
    assert reading.solved and not unread.solved and not unread.moves

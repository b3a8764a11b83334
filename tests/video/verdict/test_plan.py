"""Plans that are read from a course and the positions of a video in it."""

import numpy as np
import pytest

from bridge.video.tracking.alignment import AlignedFrames
from bridge.video.tracking.course import Course
from bridge.video.verdict.plan import read_plan
from tests.video.films import film_of


@pytest.mark.parametrize(("missing", "steps"), [(0, 2), (1, 2), (8, 0)])
def test_last_step_of_which_nothing_is_shown_is_done_with_the_one_before(
    missing: int, steps: int
) -> None:
    course = Course.of_film(film_of("portal-d3-12", fps=24))
    (_, _, end), (begin, _, last) = course.list_ends(0.0)
    assert begin > last == end  # The second step opens a gate that is out of sight.
    positions = np.arange(end + 1 - missing)
    aligned = AlignedFrames(positions, np.zeros(len(positions), bool))
    plan = read_plan(course, aligned, np.zeros(len(positions), bool))
    assert plan.prefix == steps and plan.solved == (course.solved and steps == 2)

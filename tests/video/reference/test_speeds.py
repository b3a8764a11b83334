"""Speeds of films: about each picture, and at most."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridge.video.reference.film import find_local_speeds
from tests.video.films import film_of

GAPS = st.lists(st.tuples(st.integers(1, 5), st.floats(0.0, 3.0)), min_size=1, max_size=12)


@given(GAPS, st.floats(0.0, 8.0))
def test_speed_about_a_picture_is_the_largest_of_the_frames_near_it(
    gaps: list[tuple[int, float]], reach: float
) -> None:
    frames = np.cumsum([0, *(count for count, _ in gaps)])
    steps = np.array([step for _, step in gaps])
    before, after = find_local_speeds(frames, steps, reach)
    ends = [*frames[1:].tolist(), int(frames[-1]) + 1]
    for place, (begin, end) in enumerate(zip(frames.tolist(), ends, strict=True)):
        # A step is gone while its picture lasts: from its begin to its end.
        early = [steps[k] for k in range(place) if ends[k] >= begin - reach]
        late = [steps[k] for k in range(place, len(steps)) if frames[k] <= end + reach]
        own = steps[place] if place < len(steps) else 0.0
        assert before[place] == max([own, *early])
        assert after[place] == max([own, *late], default=0.0)


def test_top_speed_is_no_leap_through_a_gate() -> None:
    film = film_of("portal-01", steps=1)
    travel = np.cumsum([0.0, 0.1, 0.2, 0.3, 20.0, 0.2, 0.1])
    leaping = replace(film, pictures=film.pictures[:1] * 7, frames=np.arange(7), travel=travel)
    assert leaping.top_speed == pytest.approx(0.3)

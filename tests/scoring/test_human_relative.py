"""The score beside people, held against a brute force over written numbers."""

from itertools import product
from statistics import median

import pytest

from bridge.runs.results import EpisodeResult
from bridge.scoring.human_relative import compute_human_relative, count_human_actions
from tests.runs.cases import result


def episode(level: str, steps: int, solved: bool, attempt: int = 1) -> EpisodeResult:
    return result(level, attempt, solved=solved, steps=steps)


PEOPLE = [
    episode("a", 10, True, 1),
    episode("a", 30, True, 2),
    episode("a", 20, True, 3),
    episode("b", 5, True, 1),
    episode("b", 9, False, 2),
    episode("c", 4, False, 1),
]


def test_people_who_did_not_solve_a_level_do_not_count() -> None:
    assert count_human_actions(PEOPLE) == {"a": 20, "b": 5}


@pytest.mark.parametrize(("first", "second"), list(product((5, 20, 40, 0), repeat=2)))
def test_score_is_the_capped_square_averaged_by_level(first: int, second: int) -> None:
    """0 stands for an episode that is not solved."""
    agent = [
        episode("a", first or 9, first > 0),
        episode("a", 10, True, 2),
        episode("b", second or 9, second > 0),
        episode("c", 1, True),
    ]
    found = compute_human_relative(agent, count_human_actions(PEOPLE))
    a = [min(1, (median([10, 20, 30]) / n) ** 2) if n else 0 for n in (first, 10)]
    b = min(1, (5 / second) ** 2) if second else 0
    assert found is not None
    assert found.score == pytest.approx((sum(a) / 2 + b) / 2)
    assert (found.levels, found.left_out) == (2, 1)


def test_levels_that_nobody_solved_give_no_score() -> None:
    assert compute_human_relative([episode("c", 3, True)], count_human_actions(PEOPLE)) is None

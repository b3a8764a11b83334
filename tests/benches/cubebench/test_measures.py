"""CubeBench's metrics against cases worked out by hand."""

from dataclasses import replace

import pytest

from bridge.agents.usage import Usage
from bridge.benches.cubebench.measures import (
    RunAverages,
    average_by_depth,
    average_runs,
    average_setting,
    make_document,
)
from bridge.benches.cubebench.protocol import End
from bridge.benches.cubebench.results import Horizon, make_cube_play
from bridge.runs.results import EpisodeResult
from pysim.families.rubik.puzzle import Setting
from tests.runs.cases import result

SYMBOLIC, FACE = Setting.FULL_SYMBOLIC, Setting.FACE_VIEW


def run(
    depth: int, moves: int, end: End = End.TURNS, setting: Setting = SYMBOLIC, tokens: int = 0
) -> EpisodeResult:
    played = result(solved=end is End.SOLVED, family="rubik", usage=Usage(1, tokens, 1))
    return replace(played, extras={"setting": setting, "depth": depth, "moves": moves, "end": end})


RUNS = [
    run(1, 2, End.SOLVED),
    run(2, 10, End.TURNS),
    run(4, 6, End.GAVE_UP),
    run(4, 1000, End.TIME),
    run(3, 3, End.SOLVED),
    run(8, 40, End.ACTIONS),
    run(20, 10, End.TURNS),
    run(2, 7, End.SOLVED, FACE),
    result(solved=True),
]


def test_short_horizon_by_hand() -> None:
    """Moves 2, 10, 6, 3 of normal runs: mean 21/4; ratios 2, 5, 1.5, 1: mean 9.5/4."""
    assert average_setting(RUNS, SYMBOLIC, Horizon.SHORT) == RunAverages(
        runs=5,
        solved=2,
        normal=4,
        pass_rate=0.4,
        moves=5.25,
        moves_solved=2.5,
        moves_most=10,
        ratio=2.375,
    )


def test_long_horizon_by_hand() -> None:
    """Ratios 40/8 and 10/20."""
    assert average_setting(RUNS, SYMBOLIC, Horizon.LONG) == RunAverages(
        2, 0, 2, 0.0, 25.0, None, 40, pytest.approx(2.75)
    )


def test_a_run_whose_time_was_over_counts_for_the_pass_rate_only() -> None:
    assert average_runs([run(4, 1000, End.TIME)]) == RunAverages(
        1, 0, 0, 0.0, None, None, None, None
    )


def test_over_no_run_nothing_is_known() -> None:
    assert average_setting(RUNS, Setting.VERTEX_VIEW, Horizon.SHORT) == RunAverages(
        0, 0, 0, None, None, None, None, None
    )


def test_depths_stand_in_order() -> None:
    found = average_by_depth(RUNS, SYMBOLIC)
    assert list(found) == [1, 2, 3, 4, 8, 20]
    assert found[4] == RunAverages(2, 0, 1, 0.0, 6.0, None, 6, 1.5)


def test_horizons_meet_at_four() -> None:
    horizons = {depth: make_cube_play(run(depth, 1)) for depth in (1, 4, 5, 8, 20)}
    assert [play.horizon.value for play in horizons.values() if play] == [
        "short",
        "short",
        "long",
        "long",
        "long",
    ]


def test_the_document_has_settings_that_were_played() -> None:
    document = make_document([run(1, 3, tokens=5), run(8, 3, setting=FACE, tokens=7)])
    assert document is not None
    assert list(document) == ["full-symbolic", "face-view", "tokens_in", "tokens_out"]
    assert (document["tokens_in"], document["tokens_out"]) == (12, 2)
    assert document["face-view"]["by_depth"][8]["moves"] == 3.0  # type: ignore[index]
    assert make_document([result()]) is None


def test_the_ratio_of_the_papers_tables_is_that_of_depths_in_face_turns() -> None:
    """Equal moves at 8, 12, 16, 20: #MR / #MM = 0.0802 (the paper: 3.48 / 43.35 = 0.0803)."""
    found = average_runs([run(depth, 1000) for depth in (8, 12, 16, 20)])
    assert found.moves is not None
    assert found.ratio is not None
    assert found.ratio / found.moves == pytest.approx((1 / 8 + 1 / 12 + 1 / 16 + 1 / 20) / 4)
    assert round(found.ratio / found.moves, 3) == 0.080 == round(3.48 / 43.35, 3)

"""Leaderboards: nobody gains by leaving out, standing still or showing nothing."""

import csv
import io
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bridge.video.report.leaderboard import ClipResult, LeaderboardRow, rank_models
from bridge.video.report.tables import write_tables
from bridge.video.verdict.violations import ViolationKind


def clip(model: str, level: str = "a", task: float = 1.0, physics: float = 1.0) -> ClipResult:
    return ClipResult(model, level, f"{model}/{level}", task=task, physics=physics, is_moving=True)


def still(model: str = "still", level: str = "a") -> ClipResult:
    return replace(clip(model, level, 0.0), is_moving=False)


def lost(model: str, level: str = "a") -> ClipResult:
    return ClipResult(model, level, "", "there is no video")


def row_of(rows: list[LeaderboardRow], model: str) -> LeaderboardRow:
    return next(row for row in rows if row.model == model)


def test_score_is_the_mean_over_levels_of_means_over_videos() -> None:
    clips = [clip("m", "a", 1.0, 0.5), clip("m", "a", 0.5, 1.0), clip("m", "b", 0.2, 0.5)]
    (row,) = rank_models(clips)
    assert row.score.value == pytest.approx(((0.5 + 0.5) / 2 + 0.1) / 2)
    assert row.task.value == pytest.approx((0.75 + 0.2) / 2)
    assert row.physics.value == pytest.approx((0.75 + 0.5) / 2)
    assert [(cell.level, cell.clips) for cell in row.cells] == [("a", 2), ("b", 1)]


def test_still_picture_is_below_every_model_that_does_something_lawful() -> None:
    clips = [
        still(),
        clip("little", task=0.1, physics=0.2),
        clip("nothing-whole", task=0.0, physics=0.3),
    ]
    assert [row.model for row in rank_models(clips)] == ["little", "nothing-whole", "still"]


def test_still_picture_is_below_what_breaks_rules_before_anything_moves_lawfully() -> None:
    leaping = replace(
        clip("leaping", task=0.0, physics=0.3), is_moving=False, kinds={"teleport": 1}
    )
    drifting = clip("drifting", task=0.0, physics=0.2)
    rows = rank_models([still(), leaping, drifting, lost("missing")])
    assert [row.model for row in rows] == ["drifting", "leaping", "still", "missing"]
    assert [row.rank for row in rows] == [1, 2, 3, 4]


def test_clip_that_cannot_be_scored_counts_as_the_worst_in_both() -> None:
    good = [clip("whole", "a"), clip("whole", "b")]
    rows = rank_models([*good, clip("partial", "a"), lost("partial", "b")])
    assert [(row.model, row.rank) for row in rows] == [("whole", 1), ("partial", 2)]
    partial = row_of(rows, "partial")
    assert (partial.clips, partial.unscorable) == (2, 1)
    assert partial.task.value == partial.physics.value == partial.score.value == 0.5
    # Rates of kinds are of what was looked at.
    assert partial.violations is not None and partial.violations.value == 0.0
    assert row_of(rank_models([lost("none")]), "none").violations is None


@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=1, max_size=6))
def test_leaving_a_clip_out_never_helps(scores: list[tuple[float, float]]) -> None:
    clips = [clip("m", str(k), task, physics) for k, (task, physics) in enumerate(scores)]
    (whole,) = rank_models(clips)
    (partial,) = rank_models([*clips[1:], lost("m", "0")])
    assert partial.score.value <= whole.score.value
    assert partial.task.value <= whole.task.value
    assert partial.physics.value <= whole.physics.value


def test_models_that_are_equal_share_a_rank_and_floors_have_none() -> None:
    clips = [clip("b"), clip("a"), clip("c", task=0.5)]
    assert [(row.model, row.rank) for row in rank_models(clips)] == [("a", 1), ("b", 1), ("c", 3)]
    assert {row.rank for row in rank_models(clips, ranked=False)} == {0}


def test_intervals_are_over_levels_or_over_the_seeds_of_one() -> None:
    (single,) = rank_models([clip("m", physics=0.25)])
    assert single.score.interval is None and single.score.text() == "25.0"
    values = [0.0, 0.2, 0.9, 1.0, 0.4]
    seeds = rank_models([clip("m", "a", value) for value in values])[0].score.interval
    levels = rank_models([clip("m", str(k), value) for k, value in enumerate(values)])[0]
    drawn = np.random.default_rng(7).choice(values, (20_000, len(values))).mean(axis=1)
    low, high = np.quantile(drawn, [0.025, 0.975])
    for interval in (seeds, levels.score.interval):
        assert interval is not None
        assert interval.low == pytest.approx(low, abs=0.03)
        assert interval.high == pytest.approx(high, abs=0.03)


def test_rates_of_kinds_have_wilson_intervals() -> None:
    """Of 8 clips 3 have leaps: Wilson (1927) by hand."""
    leaping = [replace(clip("m"), kinds={"teleport": 2}) for _ in range(3)]
    (row,) = rank_models([*leaping, *(clip("m") for _ in range(5)), lost("m")])
    rate = row.kinds["teleport"]
    assert rate is not None and rate.value == 3 / 8 and rate.interval is not None
    z, n, p = 1.959964, 8, 3 / 8
    middle = (p + z * z / (2 * n)) / (1 + z * z / n)
    reach = z / (1 + z * z / n) * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    assert rate.interval.low == pytest.approx(middle - reach, abs=1e-6)
    assert rate.interval.high == pytest.approx(middle + reach, abs=1e-6)
    assert set(row.kinds) == set(ViolationKind)


def test_tables_say_the_same_in_csv_and_parquet(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet", reason="NOT TESTED: no pyarrow")
    clips = [
        replace(clip('m "x", y', "a"), kinds={"swap": 2}),
        clip("n", "b", 0.25),
        lost("n", "a"),
    ]
    floors = rank_models([still()], ranked=False)
    write_tables(rank_models(clips), floors, clips, tmp_path)
    for name, count in (("leaderboard", 3), ("levels", 4), ("videos", 3)):
        table = parquet.read_table(tmp_path / f"{name}.parquet")
        rows = list(csv.DictReader(io.StringIO((tmp_path / f"{name}.csv").read_text())))
        assert table.num_rows == len(rows) == count
        for found, told in zip(table.to_pylist(), rows, strict=True):
            assert {k: "" if v is None else str(v) for k, v in found.items()} == told
    videos = parquet.read_table(tmp_path / "videos.parquet")
    # Nothing was measured, which makes no column of texts.
    assert str(videos.schema.field("ssim").type) == "double"
    assert videos.column("swap_count").to_pylist() == [2, 0, 0]
    assert videos.column("unscorable_because").to_pylist()[-1] == "there is no video"

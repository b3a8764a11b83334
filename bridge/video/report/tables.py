"""Leaderboards as tables: CSV for spreadsheets, Parquet for data frames."""

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from bridge.episode.sanitize import sanitize_text
from bridge.recording.dataset.tables import rows_table, write_table
from bridge.recording.files import write_whole
from bridge.video.report.leaderboard import ClipResult, Estimate, LeaderboardRow
from bridge.video.verdict.violations import ViolationKind

if TYPE_CHECKING:
    import pyarrow

__all__ = ["TABLES", "has_parquet", "write_tables"]

_Row = Mapping[str, str | int | float | bool | None]
TABLES = ("leaderboard", "levels", "videos")
"""Names of the tables: a row for each model; for each model at each level; for each video."""


def has_parquet() -> bool:
    """Return whether the library is installed that writes Parquet."""
    return find_spec("pyarrow") is not None


def write_tables(
    models: Sequence[LeaderboardRow],
    floors: Sequence[LeaderboardRow],
    clips: Sequence[ClipResult],
    out: Path,
) -> None:
    """Write each table as CSV, and as Parquet if that is installed.

    Raises:
        RecordingError, OSError: one can't be written.
    """
    rows = [*models, *floors]
    levels = [row for model in rows for row in _list_levels(model)]
    contents = ([_list_model(row) for row in rows], levels, [_list_clip(clip) for clip in clips])
    for name, table in zip(TABLES, contents, strict=True):
        write_whole(out / f"{name}.csv", _format_csv(table).encode())
        if has_parquet():
            write_table(out / f"{name}.parquet", _build_table(table))


def _build_table(rows: Sequence[_Row]) -> "pyarrow.Table":
    """Return rows as a table; a column in which nothing was measured is one of numbers."""
    import pyarrow

    table = rows_table(rows)
    empty = {name for name in table.column_names if all(row[name] is None for row in rows)}
    fields = [f.with_type(pyarrow.float64()) if f.name in empty else f for f in table.schema]
    return table.cast(pyarrow.schema(fields))


def _format_csv(rows: Sequence[_Row]) -> str:
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]) if rows else [], lineterminator="\n")
    writer.writeheader()
    writer.writerows(
        {k: sanitize_text(v) if isinstance(v, str) else v for k, v in row.items()} for row in rows
    )
    return text.getvalue()


def _list_model(row: LeaderboardRow) -> _Row:
    figures: dict[str, Estimate | None] = {
        "score": row.score,
        "task": row.task,
        "physics": row.physics,
        "completed_rate": row.completed,
        "solved_rate": row.solved,
        "violation_rate": row.violations,
        **{f"{kind}_rate": rate for kind, rate in row.kinds.items()},
    }
    found: dict[str, str | int | float | None] = {
        "rank": row.rank or None,
        "model": row.model,
        "videos": row.clips,
        "unscorable": row.unscorable,
    }
    for name, estimate in figures.items():
        ends = (
            (None, None)
            if estimate is None or estimate.interval is None
            else (
                estimate.interval.low,
                estimate.interval.high,
            )
        )
        found[name] = None if estimate is None else estimate.value
        found[f"{name}_low"], found[f"{name}_high"] = ends
    return {
        **found,
        "undecided_ratio": row.undecided,
        "camera_turn_degrees": row.turn,
        "camera_zoom": row.zoom,
        "ssim": row.ssim,
        "iou": row.iou,
        "moving_rate": row.moving,
    }


def _list_levels(row: LeaderboardRow) -> Iterator[_Row]:
    for cell in row.cells:
        yield {
            "model": row.model,
            **cell.figures(),
            **{f"{kind}_rate": rate for kind, rate in cell.kinds.items()},
        }


def _list_clip(clip: ClipResult) -> _Row:
    return {
        "model": clip.model,
        "level": clip.level,
        "video": clip.video,
        "unscorable_because": clip.reason,
        "score": clip.score,
        "task": clip.task,
        "physics": clip.physics,
        "completed": clip.is_completed,
        "solved": clip.is_solved,
        "moving": clip.is_moving,
        **{f"{kind}_count": clip.kinds.get(kind, 0) for kind in ViolationKind},
        "broken_ratio": clip.broken,
        "undecided_ratio": clip.undecided,
        "camera_turn_degrees": clip.turn,
        "camera_zoom": clip.zoom,
        "psnr": clip.psnr,
        "ssim": clip.ssim,
        "iou": clip.iou,
    }

"""The page of a report: HTML made of tables, plots and every episode."""

import base64
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

from bridge.report.cells import is_figure
from bridge.report.entries import Listed
from bridge.report.episodes import EpisodeWatch, collect_episodes
from bridge.report.paper_comparison import TableComparison
from bridge.report.parts import ReportedRun, Table
from bridge.report.pictures import DrawnPicture, PictureAlbum
from bridge.report.replays import EpisodeViewer
from bridge.report.sections import build_report_parts
from bridge.report.templating import render_template
from bridge.report.transcript_view import fold_text

if TYPE_CHECKING:
    from markupsafe import Markup

__all__ = ["build_body", "build_page"]


def build_page(
    runs: Sequence[ReportedRun],
    folder: Path,
    *,
    embed: bool,
    listed: Sequence[Listed] = (),
    album: PictureAlbum | None = None,
    viewer: EpisodeViewer | None = None,
    watch: EpisodeWatch = lambda done, total: None,
    comparison: TableComparison = list,
) -> str:
    """Return the whole page.

    Args:
        runs: that were played; at least one if nothing is listed.
        listed: runs of other sorts.
        comparison: adds published figures to the tables.
        folder: where the page will lie; pictures and videos are named from there.
        embed: put pictures and videos into the page, which then stands alone.
        album: draws what agents were shown; None for no pictures.
        viewer: shows episodes in 3D; None for a page without.
        watch: called with the number of episodes that are done, and of all.

    Raises:
        LogError: a log is damaged.
        OSError: a file can't be read.
    """
    episodes = list(
        collect_episodes(runs, folder, embed=embed, album=album, viewer=viewer, watch=watch)
    )
    left_out = sum(one.left_out for one in episodes)
    note = _left_out(left_out, album.limit) if album and album.limit and left_out else ""
    body = build_body(runs, listed, comparison, note)
    is_seen = viewer is not None and any(one.replay for one in episodes)
    return render_template(
        "bridge.report",
        "page.html",
        body=body,
        episodes=episodes,
        has_entries=bool(listed),
        viewer=viewer if is_seen else None,
    )


def _left_out(count: int, limit: int) -> str:
    return (
        f"The page has pictures of at most {limit:,} observations; {count:,} more are left out, "
        "which each episode tells. `luban report --pictures N` draws up to N."
    )


def build_body(
    runs: Sequence[ReportedRun],
    listed: Sequence[Listed] = (),
    comparison: TableComparison = list,
    note: str = "",
) -> "Markup":
    """Return everything that is seen, but the episodes, which the page's script shows.

    Args:
        comparison: adds published figures to the tables.
        note: on the episodes.
    """
    exhibits = comparison(build_report_parts(runs, listed))
    sorts = groupby(exhibits, lambda part: isinstance(part, Table))
    return render_template(
        "bridge.report",
        "body.html",
        exhibits=[list(some) for _, some in sorts],
        listed=listed,
        has_runs=bool(runs),
        note=note,
        list_classes=_list_classes,
        embed_picture=_embed_picture,
        fold_text=fold_text,
    )


def _embed_picture(name: str, png: bytes) -> DrawnPicture:
    source = f"data:image/png;base64,{base64.b64encode(png).decode('ascii')}"
    return DrawnPicture(name, source, 0, 0)


_TEXT, _LONG = "text", "text long"
_MANY = 24
"""Letters of a long name."""


def _list_classes(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return the alignment of each column: the first and those that hold words to the left."""
    first, *others = zip(*rows, strict=True)
    return [_text(first), *("" if all(map(is_figure, c)) else _text(c) for c in others)]


def _text(column: Sequence[str]) -> str:
    """Return a column of words; one with long ones is not made narrow."""
    return _LONG if max(map(len, column)) > _MANY else _TEXT

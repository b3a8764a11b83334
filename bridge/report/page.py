"""The page of a report: HTML made of tables, plots and every episode."""

import json
from collections.abc import Iterator, Sequence
from html import escape
from importlib.resources import files
from itertools import groupby
from pathlib import Path

from bridge.report.cells import is_figure
from bridge.report.entries import Listed, format_entries
from bridge.report.episodes import EpisodeWatch, collect_episodes
from bridge.report.paper_comparison import TableComparison
from bridge.report.parts import Exhibit, Figure, ReportedRun, Table
from bridge.report.pictures import PictureAlbum
from bridge.report.sections import build_report_parts

__all__ = ["build_body", "build_page"]


def build_page(
    runs: Sequence[ReportedRun],
    folder: Path,
    *,
    embed: bool,
    listed: Sequence[Listed] = (),
    album: PictureAlbum | None = None,
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
        watch: called with the number of episodes that are done, and of all.

    Raises:
        LogError: a log is damaged.
        OSError: a file can't be read.
    """
    episodes = list(collect_episodes(runs, folder, embed=embed, album=album, watch=watch))
    data = json.dumps([one.listing for one in episodes], separators=(",", ":"))
    left_out = sum(one.left_out for one in episodes)
    note = _left_out(left_out, album.limit) if album and album.limit and left_out else ""
    templates = (f'<template id="t{i}">\n{one.html}\n</template>' for i, one in enumerate(episodes))
    return "\n".join(
        [
            '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width">',
            f"<title>Luban report</title>\n<style>\n{_style(listed)}</style>\n</head>\n<body>",
            build_body(runs, listed, comparison, note),
            *templates,
            f'<script type="application/json" id="data">{_sanitize(data)}</script>',
            f"<script>\n{_resource('report.js')}</script>\n</body>\n</html>\n",
        ]
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
) -> str:
    """Return everything that is seen, but the episodes, which the page's script shows.

    Args:
        comparison: adds published figures to the tables.
        note: on the episodes.
    """
    return "\n".join(
        [
            "<h1>Luban report</h1>",
            *_parts(comparison(build_report_parts(runs, listed))),
            *(line for one in listed for line in format_entries(one)),
            *(() if runs else ("<section hidden>",)),
            '<h2 id="episodes">Episodes</h2>',
            *((f"<p>{escape(note)}</p>",) if note else ()),
            '<p><label>Show <input id="filter" placeholder="run, level, outcome"></label> '
            '<span id="count"></span></p>',
            '<section id="episode" hidden></section>',
            '<div class="wide"><table id="list"><thead><tr>'
            + "".join(f"<th{_TEXT if name in _LIST_TEXTS else ''}>{name}</th>" for name in _LIST)
            + "</tr></thead><tbody></tbody></table></div>",
            *(() if runs else ("</section>",)),
        ]
    )


def _style(listed: Sequence[Listed]) -> str:
    return _resource("report.css") + (_resource("entries.css") if listed else "")


_LIST = (
    "Level",
    "Attempt",
    "Run",
    "Family",
    "Tier",
    "Outcome",
    "Steps",
    "Plan",
    "Refused",
    "Seconds",
)
_LIST_TEXTS = ("Level", "Run", "Family", "Tier", "Outcome")
_TEXT, _LONG = ' class="text"', ' class="text long"'
_MANY = 24
"""Letters of a long name."""


def _parts(parts: Sequence[Exhibit]) -> Iterator[str]:
    """Tables as they come, figures that follow each other side by side."""
    for is_table, some in groupby(parts, lambda part: isinstance(part, Table)):
        if not is_table:
            yield '<div class="figures">'
        for part in some:
            yield _table(part) if isinstance(part, Table) else _figure(part)
        if not is_table:
            yield "</div>"


def _figure(figure: Figure) -> str:
    return f"<figure>{figure.svg}<figcaption>{escape(figure.title)}</figcaption></figure>"


def _table(table: Table) -> str:
    groups = "".join(
        f'<th colspan="{width}">{escape(text)}</th>' for text, width in table.groups if width
    )
    kinds = _kinds(table.rows)
    head = _cells("th", table.head, kinds)
    rows = "\n".join(f"<tr>{_cells('td', row, kinds)}</tr>" for row in table.rows)
    note = f"<p>{escape(table.note)}</p>\n" if table.note else ""
    above = f"<tr>{groups}</tr>\n" if groups else ""
    return (
        f"<h2>{escape(table.title)}</h2>\n{note}"
        f'<div class="wide">\n<table>\n<thead>\n{above}<tr>{head}</tr>\n</thead>\n'
        f"<tbody>\n{rows}\n</tbody>\n</table>\n</div>"
    )


def _cells(tag: str, texts: Sequence[str], kinds: Sequence[str]) -> str:
    pairs = zip(texts, kinds, strict=True)
    return "".join(f"<{tag}{kind}>{_escaped(text)}</{tag}>" for text, kind in pairs)


def _escaped(text: str) -> str:
    """Text as HTML; an arrow stays with the word before it."""
    return escape(text).replace(" ↑", "&nbsp;↑").replace(" ↓", "&nbsp;↓")


def _kinds(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return the alignment of each column: the first and those that hold words to the left."""
    first, *others = zip(*rows, strict=True)
    return [_text(first), *("" if all(map(is_figure, c)) else _text(c) for c in others)]


def _text(column: Sequence[str]) -> str:
    """Return a column of words; one with long ones is not made narrow."""
    return _LONG if max(map(len, column)) > _MANY else _TEXT


def _sanitize(data: str) -> str:
    """JSON that can't end the script element that it stands in."""
    return data.replace("<", "\\u003c")


def _resource(name: str) -> str:
    return files("bridge.report").joinpath(name).read_text(encoding="utf-8")

"""The page of a report: HTML made of tables, plots and the data of every episode."""

import base64
import json
import os
import re
from collections.abc import Iterator, Sequence
from html import escape
from importlib.resources import files
from itertools import groupby
from pathlib import Path
from urllib.parse import quote

from bridge.episode.records import StepKind, StepRecord
from bridge.episode.tools import ActionSpace
from bridge.recording.log import Log, read_log
from bridge.report.beside import TableComparison
from bridge.report.cells import NOTHING
from bridge.report.entries import Listed, entries_html
from bridge.report.parts import Exhibit, Figure, ReportedRun, Table
from bridge.report.sections import all_parts
from bridge.runs.play import call_line
from bridge.runs.results import EpisodeResult
from bridge.runs.store import LOG_NAME, VIDEO_NAME
from bridge.scoring.metrics import grouped
from pysim.catalog import family_of

__all__ = ["report_body", "report_page"]

_MOST_LINES = 2_000
"""Steps of an episode that are shown."""


def report_page(
    runs: Sequence[ReportedRun],
    folder: Path,
    *,
    embed: bool,
    listed: Sequence[Listed] = (),
    comparison: TableComparison = list,
) -> str:
    """The whole page.

    Args:
        runs: that were played; at least one if nothing is listed.
        listed: runs of other sorts.
        comparison: adds published figures to the tables.
        folder: where the page will lie; pictures and videos are named from there.
        embed: put pictures and videos into the page, which then stands alone.

    Raises:
        LogError: a log is damaged.
        OSError: a file can't be read.
    """
    data = json.dumps(list(_episodes(runs, folder, embed)), separators=(",", ":"))
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width">\n'
        f"<title>Luban report</title>\n<style>\n{_style(listed)}"
        "</style>\n</head>\n<body>\n"
        f"{report_body(runs, listed, comparison)}\n"
        f'<script type="application/json" id="data">{_harmless(data)}</script>\n'
        f"<script>\n{_resource('report.js')}</script>\n</body>\n</html>\n"
    )


def report_body(
    runs: Sequence[ReportedRun], listed: Sequence[Listed] = (), comparison: TableComparison = list
) -> str:
    """Everything that is seen, but the episodes, which the page's script shows."""
    played = all_parts(runs) if runs else []
    others = [part for one in listed for part in one.parts()]
    return "\n".join(
        [
            "<h1>Luban report</h1>",
            *_parts(comparison([*played, *others])),
            *(line for one in listed for line in entries_html(one)),
            *(() if runs else ("<section hidden>",)),
            '<h2 id="episodes">Episodes</h2>',
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


_LIST = ("Level", "Attempt", "Run", "Family", "Tier", "Outcome", "Steps", "Plan", "Refused")
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


_FIGURE = re.compile(rf"[-+−]?\d|{NOTHING}?$")


def _kinds(rows: Sequence[Sequence[str]]) -> list[str]:
    """How each column is set: the first and those that hold words to the left."""
    first, *others = zip(*rows, strict=True)
    return [_text(first), *("" if all(map(_FIGURE.match, c)) else _text(c) for c in others)]


def _text(column: Sequence[str]) -> str:
    """A column of words; one with long ones is not made narrow."""
    return _LONG if max(map(len, column)) > _MANY else _TEXT


def _episodes(
    runs: Sequence[ReportedRun], folder: Path, embed: bool
) -> Iterator[dict[str, object]]:
    for run in runs:
        for level, attempts in grouped(run.results, lambda result: result.level).items():
            for result in attempts:
                home = run.folder.episode(level, result.attempt)
                yield _episode(run.name, result, home, folder, embed)


def _episode(
    run: str, result: EpisodeResult, home: Path, folder: Path, embed: bool
) -> dict[str, object]:
    log = read_log(home / LOG_NAME)
    return {
        "run": run,
        "level": result.level,
        "name": log.header.level.name,
        "attempt": result.attempt,
        "family": result.family,
        "tier": result.tier,
        "outcome": result.outcome.value,
        "steps": result.steps,
        "plan": result.plan,
        "refused": len(result.refusals),
        "pictures": [
            _source(home / f"{name}.png", "image/png", folder, embed)
            for name in ("first", "last")
            if (home / f"{name}.png").exists()
        ],
        "video": _source(home / VIDEO_NAME, "video/mp4", folder, embed)
        if (home / VIDEO_NAME).exists()
        else None,
        "log": _relative(home / LOG_NAME, folder),
        "lines": _lines(log),
    }


def _lines(log: Log) -> list[list[object]]:
    """The steps: number, action, what came of it, whether it was legal, steps left.

    Of many the middle is left out: an agent's code may make a million.
    """
    level = log.header.level
    actions = ActionSpace(family_of(level).actions, level.colours)
    half, hidden = _MOST_LINES // 2, len(log.steps) - _MOST_LINES
    if hidden <= 0:
        return _rows(log.steps, actions)
    gap: list[object] = ["…", f"{hidden:,} steps are left out; the log has them", "", True, "…"]
    return [*_rows(log.steps[:half], actions), gap, *_rows(log.steps[-half:], actions)]


def _rows(steps: Sequence[StepRecord], actions: ActionSpace) -> list[list[object]]:
    return [
        [
            line.step,
            call_line(actions, line.call),
            line.message if line.reason is None else f"{line.reason}: {line.message}",
            line.kind is StepKind.OK,
            line.budget_left,
        ]
        for line in steps
    ]


def _source(file: Path, kind: str, folder: Path, embed: bool) -> str:
    if not embed:
        return _relative(file, folder)
    return f"data:{kind};base64,{base64.b64encode(file.read_bytes()).decode('ascii')}"


def _relative(file: Path, folder: Path) -> str:
    return quote(Path(os.path.relpath(file, folder)).as_posix())


def _harmless(data: str) -> str:
    """JSON that can't end the script element that it stands in."""
    return data.replace("<", "\\u003c")


def _resource(name: str) -> str:
    return files("bridge.report").joinpath(name).read_text(encoding="utf-8")

"""The sections of a report, in the order of the page; all formats follow."""

import re
from collections.abc import Sequence
from dataclasses import replace

from bridge.report.entries import Listed
from bridge.report.floors import build_floor_tables
from bridge.report.parts import Exhibit, ReportedRun, Section, Table, collect_bench_sections
from bridge.report.people import build_people_tables
from bridge.report.plots import draw_plots
from bridge.report.tables import (
    build_attempt_tables,
    build_comparison_tables,
    build_conduct_tables,
    build_error_tables,
    build_run_tables,
    build_session_tables,
)
from pysim.errors import InputError

__all__ = ["SECTIONS", "build_all_parts", "build_report_parts", "select_tables"]

SECTIONS: tuple[Section, ...] = (
    build_run_tables,
    build_floor_tables,
    build_people_tables,
    collect_bench_sections,
    build_attempt_tables,
    build_comparison_tables,
    build_conduct_tables,
    build_error_tables,
    draw_plots,
    build_session_tables,
)


def build_all_parts(runs: Sequence[ReportedRun]) -> list[Exhibit]:
    """Return everything that these runs give; tables without rows are left out."""
    parts = (part for section in SECTIONS for part in section(runs))
    return [part for part in parts if not isinstance(part, Table) or part.rows]


def build_report_parts(runs: Sequence[ReportedRun], listed: Sequence[Listed]) -> list[Exhibit]:
    """Return the parts of a report of played runs and of other runs.

    Tables of the same title, note and columns become one, in the place of the last.
    """
    parts = build_all_parts(runs) if runs else []
    merged: dict[object, Exhibit] = {}
    for part in (*parts, *(part for one in listed for part in one.build_parts())):
        key = _columns(part) if isinstance(part, Table) else id(part)
        former = merged.pop(key, None)
        merged[key] = part if former is None else _joined(former, part)
    return list(merged.values())


def _columns(table: Table) -> tuple[object, ...]:
    return table.title, table.note, tuple(table.head), tuple(map(tuple, table.groups))


def _joined(first: Exhibit, second: Exhibit) -> Exhibit:
    """Return one table with the rows of two."""
    assert isinstance(first, Table) and isinstance(second, Table)
    return replace(first, rows=[*first.rows, *second.rows])


def select_tables(parts: Sequence[Exhibit], names: Sequence[str]) -> list[Exhibit]:
    """Return the parts without tables that are not asked for; all if no name is given.

    Args:
        parts: of a report.
        names: parts of titles, in small or capital letters, or numbers: ``2`` is each "Table 2".

    Raises:
        InputError: no table has such a title.
    """
    titles = [part.title for part in parts if isinstance(part, Table)]
    for name in names:
        if not any(_is_called(title, name) for title in titles):
            raise InputError(f"no table is called {name!r}; there are: {'; '.join(titles)}")
    return [
        part
        for part in parts
        if not names
        or not isinstance(part, Table)
        or any(_is_called(part.title, name) for name in names)
    ]


def _is_called(title: str, name: str) -> bool:
    words = f"Table {name}" if name.isdecimal() else name.strip()
    found = re.search(rf"(?<!\w){re.escape(words)}(?!\w)", title, re.IGNORECASE)
    return bool(words) and found is not None

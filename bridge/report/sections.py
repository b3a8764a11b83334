"""The sections of a report, in the order of the page; page, JSON and CSV follow."""

import csv
import io
from collections.abc import Sequence

from bridge.report.floors import floor_tables
from bridge.report.parts import Exhibit, ReportedRun, Section, Table, bench_sections
from bridge.report.plots import plots
from bridge.report.tables import (
    comparison_tables,
    conduct_tables,
    error_tables,
    run_tables,
    session_tables,
)

__all__ = ["SECTIONS", "all_parts", "all_tables", "tables_csv"]

SECTIONS: tuple[Section, ...] = (
    run_tables,
    floor_tables,
    bench_sections,
    comparison_tables,
    conduct_tables,
    error_tables,
    plots,
    session_tables,
)


def all_parts(runs: Sequence[ReportedRun]) -> list[Exhibit]:
    """Everything that these runs give; tables without rows are left out."""
    parts = (part for section in SECTIONS for part in section(runs))
    return [part for part in parts if not isinstance(part, Table) or part.rows]


def all_tables(runs: Sequence[ReportedRun]) -> list[Table]:
    """The tables among the parts."""
    return [part for part in all_parts(runs) if isinstance(part, Table)]


def tables_csv(tables: Sequence[Table]) -> str:
    """The tables as one CSV, a line for each cell.

    Columns ``table``, ``row`` (its number, from 1), ``name`` (what its first cell says), ``group``
    and ``column`` (what stands above the cell), ``value``.
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["table", "row", "name", "group", "column", "value"])
    for table in tables:
        groups = [name for name, width in table.groups for _ in range(width)]
        for number, row in enumerate(table.rows, 1):
            above = groups or [""] * len(row)
            for group, column, value in list(zip(above, table.head, row, strict=True))[1:]:
                writer.writerow([table.title, number, row[0], group, column, value])
    return text.getvalue()

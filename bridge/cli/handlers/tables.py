"""``luban tables``."""

import json
from collections.abc import Sequence
from pathlib import Path

from bridge.cli.failing import CommandError
from bridge.cli.handlers.comparing import comparison_of_items
from bridge.cli.options import Beside
from bridge.cli.tables import table_text
from bridge.cli.terminal import terminal_width
from bridge.items.log import ItemLog
from bridge.items.people import people_table
from bridge.items.results import scored_run, tables_document
from bridge.items.suites import find_suite
from bridge.report.parts import Table

__all__ = ["run_tables"]


def run_tables(folders: Sequence[Path], beside: Beside | None, as_json: bool) -> None:
    """Print the tables of several runs of items, a row for each.

    Raises:
        CommandError: they are of different suites.
        RunError: a folder holds no run of items.
    """
    logs = [ItemLog.read(folder) for folder in folders]
    suites = {log.settings.suite for log in logs}
    if len(suites) > 1:
        raise CommandError(f"these runs are of different suites: {', '.join(sorted(suites))}")
    suite = find_suite(suites.pop())
    scored = [scored_run(log, suite) for log in logs]
    comparison = comparison_of_items(beside, {run.name: suite.name for run in scored})
    people = people_table({str(log.path): log for log in logs}, suite)
    own = [*suite.tables(scored), *([people] if people.rows else [])]
    tables = [part for part in comparison(own) if isinstance(part, Table)]
    if as_json:
        print(json.dumps({"suite": suite.name, "tables": tables_document(tables)}))
    else:
        print("\n\n".join(table_text(table, terminal_width()) for table in tables))

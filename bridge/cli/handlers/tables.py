"""``luban tables``, the former name of ``luban report`` without ``--out``."""

import json
from collections.abc import Sequence
from pathlib import Path

from bridge.cli.handlers.comparison import build_comparison
from bridge.cli.handlers.report import ReportRequest, run_report
from bridge.cli.notices import print_notice
from bridge.cli.options import Beside
from bridge.cli.tables import format_tables
from bridge.cli.terminal import measure_terminal
from bridge.items.log import ItemLog
from bridge.items.people import make_people_table
from bridge.items.reporting import is_item_run
from bridge.items.results import score_run
from bridge.items.suites import find_suite
from bridge.report.formats import build_tables_document
from bridge.report.parts import Table

__all__ = ["run_tables"]


def run_tables(folders: Sequence[Path], beside: Beside | None, as_json: bool) -> None:
    """Print the tables of runs; of items of one suite as before, a row for each agent.

    Raises:
        RunError: a folder holds no run.
    """
    logs = [ItemLog.read(folder) for folder in folders if is_item_run(folder)]
    if len(logs) == len(folders) and len({log.settings.suite for log in logs}) == 1:
        _print_items(logs, beside, as_json)
    else:
        run_report(ReportRequest(folders, beside=beside), as_json)
    print_notice("`luban tables` is going away: give `luban report RUN...` without --out")


def _print_items(logs: Sequence[ItemLog], beside: Beside | None, as_json: bool) -> None:
    suite = find_suite(logs[0].settings.suite)
    scored = [score_run(log, suite) for log in logs]
    comparison = build_comparison(beside, (), {run.name: suite.name for run in scored})
    people = make_people_table({str(log.path): log for log in logs}, suite)
    own = [*suite.tables(scored), *([people] if people.rows else [])]
    tables = [part for part in comparison(own) if isinstance(part, Table)]
    if as_json:
        print(json.dumps({"suite": suite.name, "tables": build_tables_document(tables)}))
    else:
        print(format_tables(tables, measure_terminal()))

"""``luban report``."""

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from bridge.cli.failing import CommandError
from bridge.cli.output import check_output, write_output
from bridge.report.documents import results_csv, results_document, write_results
from bridge.report.page import report_page
from bridge.report.parts import ReportedRun, Table
from bridge.report.sections import all_tables, tables_csv
from bridge.runs.store import RunFolder
from bridge.scoring.prices import Prices, price_of, read_prices

__all__ = ["REPORT_FORMAT", "run_report"]

REPORT_FORMAT = "luban-report/1"


def run_report(
    folders: Sequence[Path],
    out: Path,
    prices: Path | None,
    embed: bool,
    force: bool,
    as_json: bool,
) -> None:
    """Write the page, and the figures as JSON and CSV beside it and into each run's folder."""
    check_output(out, ".html", force=force)
    beside = {name: out.with_suffix(name) for name in (".json", ".csv", ".tables.csv")}
    for path in beside.values():
        check_output(path, path.suffix, force=force)
    runs = _runs(folders, {} if prices is None else read_prices(prices))
    page = report_page(runs, out.parent, embed=embed)
    tables = all_tables(runs)
    document = json.dumps(_document(runs, tables), indent=1) + "\n"
    for run in runs:
        write_results(run.folder.path, run.folder.settings, run.results, run.price)
    write_output(out, page.encode(), force=force)
    write_output(beside[".json"], document.encode(), force=force)
    write_output(beside[".csv"], _csv(runs).encode(), force=force)
    write_output(beside[".tables.csv"], tables_csv(tables).encode(), force=force)
    summary = {
        "out": str(out),
        "json": str(beside[".json"]),
        "csv": str(beside[".csv"]),
        "tables": str(beside[".tables.csv"]),
        "runs": [run.name for run in runs],
        "episodes": sum(len(run.results) for run in runs),
    }
    print(json.dumps(summary) if as_json else f"{summary['episodes']} episodes: {out}")


def _runs(folders: Sequence[Path], prices: Prices) -> list[ReportedRun]:
    runs = []
    for path in folders:
        folder = RunFolder.read(path)
        results = folder.results()
        if not results:
            raise CommandError(f"{path}: no episode of this run is finished")
        price = price_of(prices, folder.settings.agent)
        runs.append(ReportedRun(_name(path), folder, results, price))
    names = [run.name for run in runs]
    if len(set(names)) < len(names):
        raise CommandError("two of these runs have folders of the same name; rename one")
    return runs


def _name(path: Path) -> str:
    return path.resolve().name


def _document(runs: Sequence[ReportedRun], tables: Sequence[Table]) -> dict[str, object]:
    return {
        "format": REPORT_FORMAT,
        "runs": {
            run.name: results_document(run.folder.settings, run.results, run.price) for run in runs
        },
        "tables": [asdict(table) for table in tables],
    }


def _csv(runs: Sequence[ReportedRun]) -> str:
    """The lines of all runs, each with the run's name in front."""
    tables = [results_csv(run.results).splitlines() for run in runs]
    lines = [f"run,{tables[0][0]}"]
    for run, (_, *rows) in zip(runs, tables, strict=True):
        lines += [f"{_quoted(run.name)},{row}" for row in rows]
    return "\n".join(lines) + "\n"


def _quoted(name: str) -> str:
    doubled = name.replace('"', '""')
    return f'"{doubled}"' if any(c in name for c in ',"\n\r') else name

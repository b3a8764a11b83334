"""``luban report``."""

import errno
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from pathlib import Path

from bridge.cli.commands.report import ReportRequest
from bridge.cli.errors import CommandError
from bridge.cli.handlers.report_data import ReportData, read_reported
from bridge.cli.notices import print_notice
from bridge.cli.output import check_output, write_output
from bridge.cli.progress import show_frame_progress
from bridge.cli.tables import format_tables
from bridge.cli.terminal import measure_terminal
from bridge.episode.rendering import SharedRenderer
from bridge.items.reporting import is_item_run
from bridge.report.documents import build_results_document, format_runs_csv, write_results
from bridge.report.formats import build_tables_document, format_tables_csv, format_tables_latex
from bridge.report.page import build_page
from bridge.report.parts import ReportedRun, Table
from bridge.report.pictures import PictureAlbum
from bridge.runs.replaying import replay_run
from bridge.runs.store import RunFolder
from bridge.scoring.metrics import Price
from bridge.scoring.prices import read_prices

__all__ = ["REPORT_FORMAT", "run_report"]

REPORT_FORMAT = "luban-report/1"
_PICTURES, _EMBEDDED_PICTURES = 3000, 300
"""Observations that are drawn if nobody says how many: what takes a minute or so."""
_READ_ONLY = (errno.EACCES, errno.EPERM, errno.EROFS)
_PAGE = ".html"
_FORMATS: Mapping[str, Callable[[Sequence[Table]], str]] = {
    ".txt": lambda tables: format_tables(tables, sys.maxsize) + "\n",
    ".csv": format_tables_csv,
    ".tex": format_tables_latex,
}
"""Formats of files that have the tables alone."""


def run_report(request: ReportRequest) -> None:
    """Print the tables of runs, or write them or a page into a file.

    Raises:
        RunError: with ``verify``, a log is false; nothing is written.
    """
    _check(request)
    verified = _verify(request)
    reported = read_reported(
        request.runs,
        {} if request.prices is None else read_prices(request.prices),
        beside=request.beside,
        tables=request.tables,
        with_pictures=_limit(request) > 0,
    )
    tables = reported.build_tables()
    if request.out is None:
        print_notice(f"{verified} logs played again" if request.verify else "")
        _print_tables(tables, request.as_json)
        return
    files = _write(request, request.out, reported, tables, quiet=request.as_json)
    summary = {**files, **reported.to_document()}
    if request.verify:
        summary["verified"] = verified
    print(json.dumps(summary) if request.as_json else _said(summary))


def _suffix(request: ReportRequest) -> str:
    """Return the end of the output's name; empty for the terminal."""
    return "" if request.out is None else request.out.suffix.lower()


def _limit(request: ReportRequest) -> int:
    """Return the most observations to draw."""
    usual = _EMBEDDED_PICTURES if request.embed else _PICTURES
    return usual if request.pictures is None else request.pictures


def _check(request: ReportRequest) -> None:
    """Refuse what can't be done before any work.

    Raises:
        CommandError: an option has no use, or a file can't be written.
    """
    out, is_page = request.out, _suffix(request) == _PAGE
    if not is_page and (request.embed or request.pictures is not None):
        name = "--embed" if request.embed else "--pictures"
        raise CommandError(f"{name} needs a page: give --out with a name that ends in {_PAGE}")
    if out is None:
        if request.force:
            raise CommandError("--force needs a file: give --out")
        return
    if not is_page and _suffix(request) not in _FORMATS:
        *some, last = (_PAGE, *_FORMATS)
        raise CommandError(f"{out}: give a file whose name ends in {', '.join(some)} or {last}")
    for path in (out, *(_files_beside(out).values() if is_page else ())):
        check_output(path, path.suffix.lower(), force=request.force)


def _verify(request: ReportRequest) -> int:
    """Play the logs again if that is asked for, and return their number."""
    folders = [folder for folder in request.runs if request.verify and not is_item_run(folder)]
    return sum(replay_run(RunFolder.read(folder)) for folder in folders)


def _print_tables(tables: Sequence[Table], as_json: bool) -> None:
    if as_json:
        print(json.dumps({"tables": build_tables_document(tables)}))
    else:
        print(format_tables(tables, measure_terminal()))


def _write(
    request: ReportRequest,
    out: Path,
    reported: ReportData,
    tables: Sequence[Table],
    *,
    quiet: bool,
) -> dict[str, object]:
    """Write the files, and return their names."""
    if _suffix(request) != _PAGE:
        write_output(out, _FORMATS[_suffix(request)](tables).encode(), force=request.force)
        return {"out": str(out)}
    page = _page(request, out, reported, quiet=quiet)
    documents = {
        "json": json.dumps(_document(reported, tables), indent=1) + "\n",
        "csv": format_runs_csv(reported.runs),
        "tables": format_tables_csv(tables),
    }
    for run in reported.runs:
        _write_beside(run)
    write_output(out, page.encode(), force=request.force)
    files = _files_beside(out)
    for name, text in documents.items():
        write_output(files[name], text.encode(), force=request.force)
    return {"out": str(out), **{name: str(path) for name, path in files.items()}}


def _files_beside(page: Path) -> dict[str, Path]:
    """Return the files that a page's figures are written to."""
    suffixes = {"json": ".json", "csv": ".csv", "tables": ".tables.csv"}
    return {name: page.with_suffix(suffix) for name, suffix in suffixes.items()}


def _page(request: ReportRequest, out: Path, reported: ReportData, *, quiet: bool) -> str:
    """Make the page, and draw its pictures into the folder beside it."""
    from bridge.web.static_page import ReportViewer

    home = out.parent
    folder = None if request.embed else out.with_name(f"{out.stem}_files")
    with (
        closing(SharedRenderer()) as renderer,
        show_frame_progress("report ", quiet=quiet, unit="episodes") as watch,
    ):
        album = PictureAlbum(renderer, _limit(request), home, folder)
        return build_page(
            reported.runs,
            home,
            embed=request.embed,
            listed=reported.listed,
            album=album,
            viewer=ReportViewer(),
            watch=watch,
            comparison=reported.comparison,
        )


def _write_beside(run: ReportedRun) -> None:
    """Write a run's figures into its folder; of one that is only to be read it is said."""
    try:
        write_results(run.folder.path, run.folder.settings, run.results, *_prices(run))
    except OSError as error:
        if error.errno not in _READ_ONLY:
            raise
        print_notice(
            f"{run.folder.path} can't be written to: its figures are in the report, but not there"
        )


def _said(summary: Mapping[str, object]) -> str:
    trials = [f"{summary['trials']} trials"] if "trials" in summary else []
    episodes = [f"{summary['episodes']} episodes"] if summary["runs"] or not trials else []
    played = [f"{summary['verified']} logs played again"] if "verified" in summary else []
    return f"{', '.join(episodes + trials + played)}: {summary['out']}"


def _prices(run: ReportedRun) -> tuple[Price | None, Price | None]:
    return run.price, run.scorer_price


def _document(reported: ReportData, tables: Sequence[Table]) -> dict[str, object]:
    asked = {name: found for one in reported.listed for name, found in one.documents().items()}
    return {
        "format": REPORT_FORMAT,
        "runs": {
            run.name: build_results_document(run.folder.settings, run.results, *_prices(run))
            for run in reported.runs
        },
        **({"items": asked} if asked else {}),
        "tables": build_tables_document(tables),
    }

"""``luban report``."""

import errno
import json
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path

from bridge.cli.failing import CommandError
from bridge.cli.handlers.comparing import comparison_of
from bridge.cli.notices import print_notice
from bridge.cli.options import Beside
from bridge.cli.output import check_output, write_output
from bridge.cli.progress import frame_progress
from bridge.episode.rendering import SharedRenderer
from bridge.items.reporting import ListedItems, holds_items, list_items
from bridge.report.beside import TableComparison
from bridge.report.documents import results_csv, results_document, write_results
from bridge.report.page import report_page
from bridge.report.parts import ReportedRun, Table
from bridge.report.pictures import PictureAlbum
from bridge.report.sections import all_tables, tables_csv
from bridge.runs.replaying import replay_run
from bridge.runs.store import RunFolder
from bridge.scoring.metrics import Price
from bridge.scoring.prices import Prices, price_of, read_prices
from bridge.scoring.selection.beam import scorer_price

__all__ = ["REPORT_FORMAT", "ReportRequest", "run_report"]

REPORT_FORMAT = "luban-report/1"
_PICTURES, _EMBEDDED_PICTURES = 3000, 300
"""Observations that are drawn if nobody says how many: what takes a minute or so."""
_READ_ONLY = (errno.EACCES, errno.EPERM, errno.EROFS)


@dataclass(frozen=True, slots=True)
class ReportRequest:
    """The options of ``luban report``."""

    runs: Sequence[Path]
    out: Path
    prices: Path | None = None
    beside: Beside | None = None
    embed: bool = False
    pictures: int | None = None
    verify: bool = False
    force: bool = False

    @property
    def limit(self) -> int:
        """The most observations to draw."""
        usual = _EMBEDDED_PICTURES if self.embed else _PICTURES
        return usual if self.pictures is None else self.pictures


def run_report(request: ReportRequest, as_json: bool) -> None:
    """Write the page, and the figures as JSON and CSV beside it and into each run's folder.

    Raises:
        RunError: with ``verify``, a log says what is not so; nothing is written.
    """
    out, force = request.out, request.force
    check_output(out, ".html", force=force)
    files = {name: out.with_suffix(name) for name in (".json", ".csv", ".tables.csv")}
    for path in files.values():
        check_output(path, path.suffix, force=force)
    asked = [folder for folder in request.runs if holds_items(folder)]
    played = [folder for folder in request.runs if folder not in asked]
    _require_names(request.runs)
    verified = sum(replay_run(RunFolder.read(folder)) for folder in played) if request.verify else 0
    runs = _runs(played, {} if request.prices is None else read_prices(request.prices))
    listed = list_items(
        {_name(folder): folder for folder in asked}, with_pictures=request.limit > 0
    )
    comparison = comparison_of(request.beside, runs, listed)
    page = _page(request, runs, listed, comparison, quiet=as_json)
    parts = [*(all_tables(runs) if runs else []), *(part for one in listed for part in one.parts())]
    tables = [part for part in comparison(parts) if isinstance(part, Table)]
    document = json.dumps(_document(runs, listed, tables), indent=1) + "\n"
    for run in runs:
        _write_beside(run)
    write_output(out, page.encode(), force=force)
    write_output(files[".json"], document.encode(), force=force)
    write_output(files[".csv"], _csv(runs).encode(), force=force)
    write_output(files[".tables.csv"], tables_csv(tables).encode(), force=force)
    summary = _summary(out, files, runs, listed)
    if request.verify:
        summary["verified"] = verified
    print(json.dumps(summary) if as_json else _said(summary))


def _page(
    request: ReportRequest,
    runs: Sequence[ReportedRun],
    listed: Sequence[ListedItems],
    comparison: TableComparison,
    *,
    quiet: bool,
) -> str:
    """Make the page, and draw its pictures into the folder beside it."""
    home, out = request.out.parent, request.out
    folder = None if request.embed else out.with_name(f"{out.stem}_files")
    with (
        closing(SharedRenderer()) as renderer,
        frame_progress("report ", quiet=quiet, unit="episodes") as watch,
    ):
        album = PictureAlbum(renderer, request.limit, home, folder)
        return report_page(
            runs,
            home,
            embed=request.embed,
            listed=listed,
            album=album,
            watch=watch,
            comparison=comparison,
        )


def _summary(
    out: Path,
    files: Mapping[str, Path],
    runs: Sequence[ReportedRun],
    listed: Sequence[ListedItems],
) -> dict[str, object]:
    summary: dict[str, object] = {
        "out": str(out),
        "json": str(files[".json"]),
        "csv": str(files[".csv"]),
        "tables": str(files[".tables.csv"]),
        "runs": [run.name for run in runs],
        "episodes": sum(len(run.results) for run in runs),
    }
    if listed:
        summary["item_runs"] = [name for one in listed for name in one.runs]
        summary["trials"] = sum(len(log.answers) for one in listed for log in one.runs.values())
    return summary


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


def _runs(folders: Sequence[Path], prices: Prices) -> list[ReportedRun]:
    runs = []
    for path in folders:
        folder = RunFolder.read(path)
        results = folder.results()
        if not results:
            raise CommandError(f"{path}: no episode of this run is finished")
        price = price_of(prices, folder.settings.agent)
        judge = scorer_price(folder.settings, prices)
        runs.append(ReportedRun(_name(path), folder, results, price, judge))
    return runs


def _prices(run: ReportedRun) -> tuple[Price | None, Price | None]:
    return run.price, run.scorer_price


def _require_names(folders: Sequence[Path]) -> None:
    names = [_name(folder) for folder in folders]
    if len(set(names)) < len(names):
        raise CommandError("two of these runs have folders of the same name; rename one")


def _name(path: Path) -> str:
    return path.resolve().name


def _document(
    runs: Sequence[ReportedRun], listed: Sequence[ListedItems], tables: Sequence[Table]
) -> dict[str, object]:
    asked = {name: results for one in listed for name, results in one.documents().items()}
    return {
        "format": REPORT_FORMAT,
        "runs": {
            run.name: results_document(run.folder.settings, run.results, *_prices(run))
            for run in runs
        },
        **({"items": asked} if asked else {}),
        "tables": [asdict(table) for table in tables],
    }


def _csv(runs: Sequence[ReportedRun]) -> str:
    """The lines of all runs, each with the run's name in front."""
    tables = [results_csv(run.results).splitlines() for run in runs]
    lines = [f"run,{results_csv([]).splitlines()[0]}"]
    for run, (_, *rows) in zip(runs, tables, strict=True):
        lines += [f"{_quoted(run.name)},{row}" for row in rows]
    return "\n".join(lines) + "\n"


def _quoted(name: str) -> str:
    doubled = name.replace('"', '""')
    return f'"{doubled}"' if any(c in name for c in ',"\n\r') else name

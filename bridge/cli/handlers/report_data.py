"""Runs that a report is of, played ones and runs of items, and their tables."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bridge.cli.errors import CommandError
from bridge.cli.handlers.comparison import build_comparison
from bridge.cli.options import Beside
from bridge.episode.sanitize import sanitize_text
from bridge.items.reporting import ListedItems, is_item_run, list_items
from bridge.report.paper_comparison import TableComparison
from bridge.report.parts import Exhibit, ReportedRun, Table
from bridge.report.sections import build_report_parts, select_tables
from bridge.runs.store import RunFolder
from bridge.scoring.prices import Prices, find_price
from bridge.scoring.selection.beam import find_scorer_price

__all__ = ["ReportData", "read_reported"]


@dataclass(frozen=True, slots=True)
class ReportData:
    """The runs of a report.

    Attributes:
        runs: that were played.
        listed: runs of items, by suite.
        beside: published figures to add to the tables; None for none.
        tables: names of the tables to show; all if empty.
    """

    runs: Sequence[ReportedRun]
    listed: Sequence[ListedItems]
    beside: Beside | None = None
    tables: Sequence[str] = ()

    @property
    def comparison(self) -> TableComparison:
        """The change of a report's parts that the options ask for."""
        asked = {name: one.suite for one in self.listed for name in one.runs}
        compared = build_comparison(self.beside, self.runs, asked)

        def compare(parts: Sequence[Exhibit]) -> list[Exhibit]:
            return select_tables(compared(parts), self.tables)

        return compare

    def build_tables(self) -> list[Table]:
        """Return the tables that are asked for.

        Raises:
            InputError: there is no table of a name.
        """
        parts = self.comparison(build_report_parts(self.runs, self.listed))
        return [part for part in parts if isinstance(part, Table)]

    def to_document(self) -> dict[str, object]:
        """Return names and counts, as ``--json`` prints them."""
        found: dict[str, object] = {
            "runs": [run.name for run in self.runs],
            "episodes": sum(len(run.results) for run in self.runs),
        }
        if self.listed:
            found["item_runs"] = [name for one in self.listed for name in one.runs]
            found["trials"] = sum(
                len(log.answers) for one in self.listed for log in one.runs.values()
            )
        return found


def read_reported(
    folders: Sequence[Path],
    prices: Prices,
    *,
    beside: Beside | None = None,
    tables: Sequence[str] = (),
    with_pictures: bool = False,
) -> ReportData:
    """Return the runs in some folders.

    Args:
        folders: of played runs and of runs of items.
        prices: of models.
        beside: published figures to add to the tables; None for none.
        tables: names of the tables to show; all if empty.
        with_pictures: whether pictures of items are to be drawn.

    Raises:
        CommandError: two folders have the same name, or nothing is finished in one.
        RunError: a folder holds no run.
    """
    _require_names(folders)
    asked = {_name(folder): folder for folder in folders if is_item_run(folder)}
    runs = [_read_run(folder, prices) for folder in folders if _name(folder) not in asked]
    return ReportData(runs, list_items(asked, with_pictures=with_pictures), beside, tables)


def _read_run(path: Path, prices: Prices) -> ReportedRun:
    folder = RunFolder.read(path)
    results = folder.read_results()
    if not results:
        raise CommandError(f"{path}: no episode of this run is finished")
    price = find_price(prices, folder.settings.agent)
    return ReportedRun(
        _name(path), folder, results, price, find_scorer_price(folder.settings, prices)
    )


def _require_names(folders: Sequence[Path]) -> None:
    names = [_name(folder) for folder in folders]
    if len(set(names)) < len(names):
        raise CommandError("two of these runs have folders of the same name; rename one")


def _name(path: Path) -> str:
    return sanitize_text(path.resolve().name)

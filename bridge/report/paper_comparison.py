"""Rows of published tables beside those of runs."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from bridge.report.cells import NOTHING, cut_cell
from bridge.report.parts import Exhibit, Table
from bridge.report.published import Publication, PublishedTable, find_publication

__all__ = ["ComparedRun", "TableComparison", "compare_with_papers"]

TableComparison = Callable[[Sequence[Exhibit]], list[Exhibit]]
"""Adds to the parts of a report; parts that it has nothing for stay as they are."""

MARK = "(paper)"
"""Behind the name of each row that is the paper's."""


@dataclass(frozen=True, slots=True)
class ComparedRun:
    """A run whose tables are shown beside the paper's.

    Attributes:
        name: of the run.
        bench: that it belongs to.
        suite: of its levels or items.
        families: of its levels; empty for items.
        title: of the bench, for people; its name if empty.
    """

    name: str
    bench: str
    suite: str
    families: Sequence[str] = field(default_factory=tuple)
    title: str = ""


def compare_with_papers(runs: Sequence[ComparedRun]) -> TableComparison:
    """Return the comparison of some runs with the papers of their benches.

    Report tables get the paper's rows after their own. A last table lists all published tables of
    these benches, with the command that fills each.

    Raises:
        InputError: a published table is damaged.
    """
    found = {run.bench: find_publication(run.bench) for run in runs}
    compared = [
        publication
        for bench, publication in found.items()
        if publication and any(_compares(run, publication) for run in runs if run.bench == bench)
    ]
    titles = {run.bench: run.title or run.bench for run in runs}
    strangers = [bench for bench in found if bench not in {one.bench for one in compared}]

    def compare(parts: Sequence[Exhibit]) -> list[Exhibit]:
        extended = [_extended(p, compared, runs) if isinstance(p, Table) else p for p in parts]
        return [*extended, _overview(parts, compared, strangers, titles)]

    return compare


def _compares(run: ComparedRun, publication: Publication) -> bool:
    """Return whether a run has levels of families that the paper has."""
    return not publication.families or bool({*run.families} & {*publication.families})


def _extended(table: Table, compared: Sequence[Publication], runs: Sequence[ComparedRun]) -> Table:
    for publication in compared:
        sources = [one for one in publication.tables if table.title in one.beside]
        rows = _joined(table, sources)
        if rows:
            note = _note(publication, sources, _strangers(table, publication, runs))
            told = f"{table.note} {note}".strip()
            table = replace(table, note=told, rows=[*table.rows, *rows])
    return table


def _note(
    publication: Publication, sources: Sequence[PublishedTable], others: Sequence[ComparedRun]
) -> str:
    """Return the source of the rows and the differences, on one line."""
    names = " and ".join(source.name for source in sources)
    told = [
        publication.differs,
        *(source.differs for source in sources),
        _levels(publication, others),
    ]
    said = " ".join(dict.fromkeys(text for text in told if text))
    return f"Rows marked {MARK}: {names} of {publication.paper.citation}. {said}"


def _strangers(
    table: Table, publication: Publication, runs: Sequence[ComparedRun]
) -> list[ComparedRun]:
    """Return the runs in a table whose levels or items are not those of the paper's suites."""
    names = {row[0] for row in table.rows}
    mine = [run for run in runs if run.bench == publication.bench or run.name in names]
    return [run for run in mine if run.suite not in publication.suites]


def _levels(publication: Publication, others: Sequence[ComparedRun]) -> str:
    named = ", ".join(f"{run.name} ({cut_cell(run.suite)})" for run in others)
    return f"Not of {' or '.join(publication.suites)}: {named}." if named else ""


def _joined(table: Table, sources: Sequence[PublishedTable]) -> list[list[str]]:
    """Return the rows of some published tables in a report table's columns.

    Rows with the same keys are one row. Rows without any figure in these columns are left out.
    """
    rows: dict[tuple[str, ...], list[str]] = {}
    for source in sources:
        columns = _columns(table, source)
        for row in source.rows:
            cells = [NOTHING if k is None else row[k] for k in columns]
            if any(_is_figure(k, source) and row[k] != NOTHING for k in columns if k is not None):
                key = tuple(row[: source.keys])
                rows[key] = _merged(rows.get(key, cells), cells)
    return [[f"{name} {MARK}", *cells] for name, *cells in rows.values()]


def _merged(former: Sequence[str], cells: Sequence[str]) -> list[str]:
    return [new if old == NOTHING else old for old, new in zip(former, cells, strict=True)]


def _is_figure(column: int, source: PublishedTable) -> bool:
    return column >= source.keys


def _columns(table: Table, source: PublishedTable) -> list[int | None]:
    """Return for each column of a report table the number of the paper's column, if it has one."""
    theirs = {_plain(name): number for number, name in enumerate(source.head)}
    renamed = {_plain(ours): _plain(name) for ours, name in source.beside[table.title].items()}
    found: list[int | None] = [0]
    for whole, short in list(_headings(table))[1:]:
        names = [renamed.get(whole), renamed.get(short), whole, short]
        found.append(next((theirs[n] for n in names if n is not None and n in theirs), None))
    return found


def _headings(table: Table) -> Iterator[tuple[str, str]]:
    """Yield the names of the columns, with the heading above and, if that is unique, without."""
    groups = [name for name, width in table.groups for _ in range(width)]
    for group, head in zip(groups or [""] * len(table.head), table.head, strict=True):
        whole = _plain(f"{group} | {head}" if group else head)
        yield whole, _plain(head) if list(table.head).count(head) == 1 else whole


def _plain(name: str) -> str:
    """Return a heading without the arrows that say which way is better."""
    return name.replace(" ↑", "").replace(" ↓", "")


_HEAD = ("Published", "Shown in", "Filled by")


def _overview(
    parts: Sequence[Exhibit],
    compared: Sequence[Publication],
    strangers: Sequence[str],
    titles: Mapping[str, str],
) -> Table:
    """Return the list of all published tables of the benches."""
    shown = [part for part in parts if isinstance(part, Table)]
    rows = [
        [f"{titles[one.bench]}, {published.name}", _places(shown, published), _filling(published)]
        for one in compared
        for published in one.tables
    ]
    none = [NOTHING, "no published table is shipped for these runs"]
    rows += [[titles[bench], *none] for bench in strangers]
    papers = " ".join(f"{titles[one.bench]}: {one.paper.citation}." for one in compared)
    return Table("Beside the papers", papers, _HEAD, rows)


def _places(shown: Sequence[Table], published: PublishedTable) -> str:
    found = [table for table in shown if table.title in published.beside]
    titles = dict.fromkeys(table.title for table in found if _joined(table, [published]))
    return "; ".join(titles) or NOTHING


def _filling(published: PublishedTable) -> str:
    return "; ".join(published.commands)

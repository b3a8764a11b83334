"""Published tables of benches' papers, read from ``assets/published``.

A bench has one document, ``NAME.json``, and a CSV file for each table of its paper. A CSV has the
paper's columns in the paper's order, a column under a heading being ``heading | column``, and the
paper's figures as they are printed. Other packages ship their own in the same way.
"""

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from bridge.recording.fields import FieldError, Fields, json_object
from bridge.report.cells import NOTHING
from pysim.catalog import find_assets
from pysim.discovery import list_external
from pysim.errors import InputError
from pysim.field_types import Json

__all__ = [
    "FORMAT",
    "Paper",
    "Publication",
    "PublishedTable",
    "find_publication",
    "load_publications",
    "read_publication",
]

FORMAT = "luban-published/1"
FOLDER = "published"
_SEVERAL = 2
"""Authors that are all named in a short citation."""


@dataclass(frozen=True, slots=True)
class Paper:
    """The source of published figures.

    Attributes:
        title: of the paper.
        authors: in order; empty where it was published without names.
        year: of the text that was read.
        arxiv: its number there; empty if it has none.
    """

    title: str
    authors: Sequence[str]
    year: int
    arxiv: str = ""

    @property
    def citation(self) -> str:
        """Authors, year, title and arXiv number on one line."""
        names = [author.rpartition(" ")[2] for author in self.authors]
        who = " and ".join(names) if len(names) <= _SEVERAL else f"{names[0]} et al."
        place = f", arXiv:{self.arxiv}" if self.arxiv else ""
        return f"{who or 'anonymous authors'} ({self.year}), “{self.title}”{place}"


@dataclass(frozen=True, slots=True)
class PublishedTable:
    """A table of a paper.

    Attributes:
        name: the paper's, such as ``Table 1``.
        file: name of the CSV.
        keys: number of leading columns that name a row.
        head: names of the columns.
        rows: as many cells in each; a dash where the paper has none.
        beside: titles of report tables that take these rows, each with the names of its columns
            that differ: report's name -> paper's name.
        differs: difference between the paper's settings and the usual ones here, in one line.
        commands: how to make the report table, with AGENT for the agent.
    """

    name: str
    file: str
    keys: int
    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    beside: Mapping[str, Mapping[str, str]]
    differs: str
    commands: Sequence[str]


@dataclass(frozen=True, slots=True)
class Publication:
    """The published tables of a bench.

    Attributes:
        bench: its name.
        paper: where they stand.
        suites: suites here whose runs correspond to the paper's.
        differs: difference between the paper's levels or items and those here, in one line.
        tables: in the paper's order.
        families: families of the paper's levels; empty if any run of the bench compares.
    """

    bench: str
    paper: Paper
    suites: Sequence[str]
    differs: str
    tables: Sequence[PublishedTable]
    families: Sequence[str] = field(default_factory=tuple)


@cache
def load_publications() -> Mapping[str, Publication]:
    """Return the publications of all benches, by the names of the benches.

    Raises:
        InputError: a file is damaged.
    """
    folders = [find_assets(), *(offer.find_folder("assets") for offer in list_external())]
    places = dict.fromkeys(folder / FOLDER for folder in folders if folder is not None)
    paths = [path for place in places for path in sorted(place.glob("*.json"))]
    return {found.bench: found for found in map(read_publication, paths)}


def find_publication(bench: str) -> Publication | None:
    """Return the publication of a bench, or None if no published table of it is shipped."""
    return load_publications().get(bench)


def read_publication(path: Path) -> Publication:
    """Read a publication and the CSV files that it names.

    Raises:
        InputError: a file is missing or damaged.
    """
    try:
        document = Fields(json_object(path.read_bytes()))
        if document.text("format") != FORMAT:
            raise FieldError(f"'format' is {FORMAT!r}")
        return _publication(document, path.parent)
    except OSError as error:
        raise InputError(f"{error.filename}: {error.strerror}") from None
    except (FieldError, UnicodeDecodeError, csv.Error) as error:
        raise InputError(f"{path}: {error}") from None


def _publication(document: Fields, folder: Path) -> Publication:
    return Publication(
        document.text("bench"),
        _paper(document.inner("paper")),
        document.texts("suites"),
        document.text("differs"),
        [_table(entry, folder) for entry in document.objects("tables")],
        document.texts("families") if document.has("families") else (),
    )


def _paper(paper: Fields) -> Paper:
    arxiv = paper.text("arxiv") if paper.has("arxiv") else ""
    return Paper(paper.text("title"), paper.texts("authors"), paper.whole("year", 1900), arxiv)


def _table(entry: Fields, folder: Path) -> PublishedTable:
    file, keys = entry.text("file"), entry.whole("keys", 1)
    lines = list(csv.reader(io.StringIO((folder / file).read_text(encoding="utf-8"))))
    if not lines:
        raise FieldError(f"{file} has no head")
    head, *rows = lines
    for number, row in enumerate(rows, 2):
        if len(row) != len(head):
            raise FieldError(f"{file}:{number}: {len(row)} cells under {len(head)} columns")
    titles = entry.inner("beside")
    beside = {title: _names(titles.mapping(title)) for title in entry.mapping("beside")}
    return PublishedTable(
        entry.text("table"),
        file,
        keys,
        head,
        [[cell or NOTHING for cell in row] for row in rows],
        beside,
        entry.text("differs"),
        entry.texts("commands"),
    )


def _names(columns: Mapping[str, Json]) -> dict[str, str]:
    return {name: Fields(columns).text(name) for name in columns}

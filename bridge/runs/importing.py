"""Files that authors of benchmarks publish, and the benches that read them into suites."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, runtime_checkable

from bridge.runs.protocol import Bench
from pysim.catalog import AnyLevel
from pysim.errors import InputError
from pysim.field_types import Json
from pysim.limits import MAX_LEVEL_BYTES
from pysim.untrusted import parse_json

__all__ = ["AuthorFile", "ImportRefused", "Imported", "Importer", "PublishedRow", "read_rows"]

MAX_ROWS = 10_000
"""Rows of a file, and files of a folder."""


class ImportRefused(InputError):
    """A published file can't be read; the message names the file, the row and what is wrong."""


@dataclass(frozen=True, slots=True)
class AuthorFile:
    """A file as its authors published it.

    Attributes:
        path: where it lies.
        name: relative to what was named, with ``/`` between folders.
        data: its content.
    """

    path: Path
    name: str
    data: bytes

    @property
    def text(self) -> str:
        """Its text.

        Raises:
            ImportRefused: it is no UTF-8.
        """
        try:
            return self.data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise ImportRefused(
                f"{self.name}: this is no UTF-8 text (byte {error.start})"
            ) from None


@dataclass(frozen=True, slots=True)
class PublishedRow:
    """One entry of a file.

    Attributes:
        where: the file and the entry, for messages.
        keys: the keys of the objects in which it lay, outermost first.
        value: the entry.
    """

    where: str
    keys: tuple[str, ...]
    value: Json

    def refuse(self, message: str) -> ImportRefused:
        """Return the error that says what is wrong with this row."""
        return ImportRefused(f"{self.where}: {message}")


@dataclass(frozen=True, slots=True)
class Imported:
    """The content of a suite.

    Attributes:
        levels: to be played; or else
        suite, items: the bench's suite that asks, and the items as the bench writes them.
        notes: remarks for the person who imports, a line each.
    """

    levels: tuple[AnyLevel, ...] = ()
    suite: str = ""
    items: tuple[Mapping[str, Json], ...] = ()
    notes: tuple[str, ...] = ()


@runtime_checkable
class Importer(Bench, Protocol):
    """A bench that reads what its authors publish.

    Attributes:
        reads: endings of names of files that it reads, in lower case; none if it reads no files.
        reads_designs: whether designers' files among them become levels, too.
    """

    reads: Sequence[str]
    reads_designs: bool

    def import_files(self, files: Sequence[AuthorFile], name: str) -> Imported:
        """Read files into the content of a suite.

        Args:
            files: at least one, in the order of their names.
            name: of the suite, with which ids of levels begin.

        Raises:
            InputError: a file is damaged or of another kind; the message says where.
        """


def read_rows(file: AuthorFile) -> Iterator[PublishedRow]:
    """Yield the entries of a JSON or JSON Lines file: of a list each element, else the whole.

    Raises:
        ImportRefused: it is neither, empty, or longer than ``MAX_ROWS``.
    """
    values = _values(file)
    if not values:
        raise ImportRefused(f"{file.name}: it holds nothing")
    if len(values) > MAX_ROWS:
        raise ImportRefused(f"{file.name}: it has {len(values):,} rows, more than {MAX_ROWS:,}")
    single = len(values) == 1
    for number, value in enumerate(values, 1):
        yield PublishedRow(file.name if single else f"{file.name}, row {number}", (), value)


def _values(file: AuthorFile) -> list[Json]:
    if len(file.data) > MAX_LEVEL_BYTES:
        raise ImportRefused(f"{file.name}: a file has at most {MAX_LEVEL_BYTES:,} bytes")
    text = file.text
    try:
        value = parse_json(text, _refuse_constant)
        return value if isinstance(value, list) else [value]
    except ValueError as error:
        lines = [line for line in text.splitlines() if line.strip()]
        if len(lines) < 2 or not lines[0].lstrip().startswith(("{", "[")):
            raise ImportRefused(f"{file.name}: this is not JSON ({error})") from None
    return [_line(file, number, line) for number, line in enumerate(lines, 1)]


def _line(file: AuthorFile, number: int, line: str) -> Json:
    try:
        value: Json = parse_json(line, _refuse_constant)
    except ValueError as error:
        raise ImportRefused(f"{file.name}, row {number}: this is not JSON ({error})") from None
    return value


def _refuse_constant(name: str) -> Json:
    raise ValueError(f"{name} is no number of JSON")

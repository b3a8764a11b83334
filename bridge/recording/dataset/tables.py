"""Columns as Parquet files."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from bridge.episode.sanitize import sanitize_text
from bridge.recording.dataset.episodes import ColumnData
from bridge.recording.errors import RecordingError, reason_of

if TYPE_CHECKING:
    import pyarrow

__all__ = ["ParquetFile", "guarded", "rows_table", "table_of", "write_table"]


class ParquetFile:
    """A Parquet file that is written table by table, a row group for each.

    Raises (from every method):
        RecordingError: it can't be written.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._writer: Any = None

    def add(self, table: "pyarrow.Table") -> None:
        """Write rows; all tables have the same columns."""
        from pyarrow.parquet import ParquetWriter

        with guarded(self.path):
            if self._writer is None:
                self.path.parent.mkdir(parents=True, exist_ok=True)
                self._writer = ParquetWriter(self.path, table.schema, compression="snappy")
            self._writer.write_table(table)

    @property
    def size(self) -> int:
        """Bytes that are on the disk."""
        return self.path.stat().st_size if self._writer is not None else 0

    def close(self) -> None:
        """Finish the file; may be called twice."""
        writer, self._writer = self._writer, None
        if writer is not None:
            with guarded(self.path):
                writer.close()

    def abandon(self) -> None:
        """Stop; what was written is of no use."""
        writer, self._writer = self._writer, None
        if writer is not None:
            # Closing writes the footer; on a full disk it can't, and need not.
            with suppress(OSError):
                writer.close()


def rows_table(rows: Sequence[Mapping[str, object]]) -> "pyarrow.Table":
    """Return rows as a table; a column that is None all over becomes one of texts."""
    import pyarrow

    table = pyarrow.Table.from_pylist(
        [{k: sanitize_text(v) if isinstance(v, str) else v for k, v in row.items()} for row in rows]
    )
    fields = [
        field.with_type(pyarrow.string()) if pyarrow.types.is_null(field.type) else field
        for field in table.schema
    ]
    return table.cast(pyarrow.schema(fields))


def table_of(columns: Mapping[str, ColumnData]) -> "pyarrow.Table":
    """Return columns as a table; rows of numbers become lists of that length."""
    import pyarrow

    return pyarrow.table({name: _array(column) for name, column in columns.items()})


def write_table(path: Path, table: "pyarrow.Table") -> None:
    """Write a whole file.

    Raises:
        RecordingError: it can't be written.
    """
    file = ParquetFile(path)
    file.add(table)
    file.close()


@contextmanager
def guarded(path: Path) -> Iterator[None]:
    """Say in our own words that a file can't be written."""
    try:
        yield
    except OSError as error:
        raise RecordingError(f"can't write {path}: {reason_of(error)}") from error


def _array(column: ColumnData) -> "pyarrow.Array":
    import pyarrow

    if isinstance(column, np.ndarray):
        if column.ndim == 1:
            return pyarrow.array(column)
        flat = pyarrow.array(column.reshape(-1))
        return pyarrow.FixedSizeListArray.from_arrays(flat, column.shape[1])
    return pyarrow.array(map(sanitize_text, column), pyarrow.string())

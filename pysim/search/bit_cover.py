"""The search of :mod:`pysim.search.multicover` in plain Python, for problems that are soon done.

Sets of rows are integers, one bit for each row. Covers come in the same order.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pysim.search.work import WorkBudget

__all__ = ["BitRows", "enumerate_bit_covers"]

MAX_DEPTH = 62
"""As in :mod:`pysim.search.multicover`."""


@dataclass(frozen=True, slots=True)
class BitRows:
    """Rows of a cover problem.

    Attributes:
        columns: for each row the columns that it covers.
        kinds: for each row its kind.
        of_column: for each column the rows that cover it, as bits.
        of_kind: for each kind its rows, as bits.
    """

    columns: Sequence[Sequence[int]]
    kinds: Sequence[int]
    of_column: list[int]
    of_kind: list[int]

    @staticmethod
    def from_rows(
        rows: Sequence[Sequence[int]], kinds: Sequence[int], width: int, most: int
    ) -> "BitRows":
        """Return rows given by columns below ``width``, of kinds below ``most``."""
        covering = [bytearray((len(rows) + 7) // 8) for _ in range(width)]
        owning = [bytearray((len(rows) + 7) // 8) for _ in range(most)]
        for i, (row, kind) in enumerate(zip(rows, kinds, strict=True)):
            bit = 1 << (i & 7)
            owning[kind][i >> 3] |= bit
            for column in row:
                covering[column][i >> 3] |= bit
        of_column = [int.from_bytes(line, "little") for line in covering]
        return BitRows(rows, kinds, of_column, [int.from_bytes(o, "little") for o in owning])


def enumerate_bit_covers(
    rows: BitRows,
    lowest: int,
    first: int,
    least: Sequence[int],
    most: Sequence[int],
    primary: int,
    work: WorkBudget,
) -> Iterator[list[int]]:
    """Yield every cover that contains row ``first`` and otherwise rows from ``lowest`` on.

    Args:
        primary: columns below this number are primary.
        work: what it costs is taken from here.

    Raises:
        OutOfWork: it costs more.
    """
    live = (1 << len(rows.columns)) - (1 << lowest)
    for kind, bits in enumerate(rows.of_kind):
        if most[kind] == 0:
            live &= ~bits
    search = _Search(rows, least, most, work, [0] * len(least))
    yield from search.enumerate_beside(first, live, list(range(primary)), [])


@dataclass(slots=True)
class _Search:
    rows: BitRows
    least: Sequence[int]
    most: Sequence[int]
    work: WorkBudget
    used: list[int]

    def enumerate_beside(
        self, row: int, live: int, open_columns: list[int], chosen: list[int]
    ) -> Iterator[list[int]]:
        """Yield every cover with the rows of ``chosen`` and ``row``."""
        kind = self.rows.kinds[row]
        self.used[kind] += 1
        for column in self.rows.columns[row]:
            live &= ~self.rows.of_column[column]
        if self.used[kind] >= self.most[kind]:
            live &= ~self.rows.of_kind[kind]
        covered = set(self.rows.columns[row])
        rest = [column for column in open_columns if column not in covered]
        yield from self._go_on(live & ~(1 << row), rest, [*chosen, row])
        self.used[kind] -= 1

    def _go_on(self, live: int, open_columns: list[int], chosen: list[int]) -> Iterator[list[int]]:
        words = 2 + (live.bit_length() >> 9)
        self.work.use(40 + words * (len(open_columns) + len(self.least)))
        options = self._options(live, open_columns)
        if options is None:
            yield chosen
            options = live
        if len(chosen) == MAX_DEPTH:
            return
        while options:
            bit = options & -options
            options ^= bit
            yield from self.enumerate_beside(bit.bit_length() - 1, live, open_columns, chosen)
            live ^= bit

    def _options(self, live: int, open_columns: list[int]) -> int | None:
        """The rows for the open column, or the unmet kind, that has the fewest; None if none is."""
        best, fewest = None, 1 << 60
        for column in open_columns:
            serving = live & self.rows.of_column[column]
            count = serving.bit_count()
            if count < fewest:
                best, fewest = serving, count
        for kind, used in enumerate(self.used):
            missing = self.least[kind] - used
            if missing > 0:
                serving = live & self.rows.of_kind[kind]
                count = serving.bit_count()
                if count < fewest or count < missing:
                    best, fewest = serving, count if count >= missing else 0
        return best

"""Reading ``.puz``, the format of research on interlocking puzzles, and designs of either format.

Lines that start with ``#`` are comments. Then come the size of a box, ``X Y Z``, in the next line
the edge lengths of a cell (one number or three, without meaning here), and X * Y * Z whole numbers,
x fastest, then y, then z: the piece that fills the cell, or 0.
"""

import io
import math
from collections.abc import Iterator
from math import prod
from pathlib import Path

from pysim.families.burr.files.design import (
    Design,
    DesignError,
    DrawnShape,
    PartUse,
    Problem,
    StoredAssembly,
)
from pysim.families.burr.files.xmlreader import check_text, guess_encoding, load_bytes
from pysim.families.burr.files.xmpuzzle import MAX_CELLS, MAX_PIECES, MAX_VOLUME, read_xmpuzzle
from pysim.geometry import Cell

__all__ = ["read_design", "read_puz"]

MAX_BOX = 1_000_000
"""Cells of the box."""
MAX_TEXT = 4 * 1024 * 1024
"""Bytes of the file."""


def read_design(path: Path) -> Design:
    """Return a design from a file of either format.

    The content decides; a file that looks like neither is taken for what its name says.

    Raises:
        DesignError: it can't be read; see :func:`read_xmpuzzle` and :func:`read_puz`.
    """
    data = load_bytes(path)
    named = path.suffix.lower() == ".xmpuzzle"
    if named or data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<"):
        return read_xmpuzzle(data)
    return read_puz(data)


def read_puz(source: bytes | Path) -> Design:
    """Return a design from the content of a ``.puz`` file, or from its path.

    Shapes are the pieces in the order of their numbers, by which they are called, each drawn in the
    whole box where it is when assembled; then the goal. The one problem holds that assembly.

    Raises:
        DesignError: it can't be read, is damaged or too large; the message says what.
    """
    comment, size, numbers = _read_text(load_bytes(source))
    cells: dict[int, list[Cell]] = {}
    for cell, number in zip(_cells(size), numbers, strict=True):
        if number:
            cells.setdefault(number, []).append(cell)
    _check(size, cells)
    pieces = [DrawnShape(size, frozenset(cells[n]), name=str(n)) for n in sorted(cells)]
    goal = DrawnShape(size, frozenset().union(*(piece.filled for piece in pieces)))
    problem = Problem(
        name="",
        parts=tuple(PartUse(i, 1, 1) for i in range(len(pieces))),
        goal=len(pieces),
        assemblies=(StoredAssembly(((0, 0, 0, 0),) * len(pieces)),),
    )
    return Design((*pieces, goal), (problem,), comment=comment)


def _read_text(data: bytes) -> tuple[str, Cell, list[int]]:
    """Return the comment, the size of the box, and the number in each cell."""
    if len(data) > MAX_TEXT:
        raise DesignError(f"the file is larger than {MAX_TEXT:,} bytes")
    comments: list[str] = []
    lines = _lines(check_text(data.decode(guess_encoding(data))), comments)
    size = _read_size(next(lines, []))
    _check_edges(next(lines, []))
    numbers: list[int] = []
    for words in lines:
        if len(numbers) + len(words) > prod(size):
            raise DesignError(f"more numbers follow than the {prod(size):,} announced")
        numbers += map(_number, words)
    if len(numbers) < prod(size):
        raise DesignError(f"{prod(size):,} numbers are announced, {len(numbers):,} follow")
    return "\n".join(comments), size, numbers


def _lines(text: str, comments: list[str]) -> Iterator[list[str]]:
    """Yield the words of each line; comments go where they are collected."""
    for line in io.StringIO(text, newline=None):
        if line.startswith("#"):
            comments.append(line[1:].strip())
        elif words := line.split():
            yield words


def _read_size(words: list[str]) -> Cell:
    if len(words) != 3:
        raise DesignError("the file does not begin with the size of a box, X Y Z")
    x, y, z = map(_number, words)
    if not 0 < x * y * z <= MAX_BOX:
        raise DesignError(f"a box of {x} x {y} x {z} is none that can be read")
    return x, y, z


def _check_edges(words: list[str]) -> None:
    try:
        lengths = [float(word) for word in words]
    except ValueError:
        lengths = []
    if len(lengths) not in (1, 3) or not all(0 < length < math.inf for length in lengths):
        raise DesignError("no edge length of a cell follows the size of the box")


def _number(word: str) -> int:
    if len(word) > 5 or not (word.isascii() and word.isdigit()):
        shown = repr(word if len(word) <= 40 else word[:40] + "...")
        raise DesignError(f"{shown} is no number from 0 to 99999")
    return int(word)


def _cells(size: Cell) -> Iterator[Cell]:
    x, y, z = map(range, size)
    return ((i, j, k) for k in z for j in y for i in x)


def _check(size: Cell, cells: dict[int, list[Cell]]) -> None:
    """Refuses what could not be written as ``.xmpuzzle``."""
    if not cells:
        raise DesignError("the box is empty")
    # The goal is drawn as well as the pieces.
    if 2 * sum(map(len, cells.values())) > MAX_CELLS:
        raise DesignError(f"the pieces may have {MAX_CELLS // 2:,} cells together")
    if len(cells) > MAX_PIECES or (len(cells) + 1) * prod(size) > MAX_VOLUME:
        raise DesignError(f"{len(cells):,} pieces are too many for so large a box")

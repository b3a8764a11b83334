"""Reading designs of research on interlocking puzzles."""

import random
from contextlib import suppress
from pathlib import Path

import pytest

from pysim.families.burr.files.design import (
    Design,
    DesignError,
    DrawnShape,
    PartUse,
    Problem,
    StoredAssembly,
)
from pysim.families.burr.files.puz import read_design, read_puz
from pysim.families.burr.files.xmpuzzle import read_xmpuzzle, write_xmpuzzle

TEXT = b"# 1.5\n3 2 1\n0.5 0.5 0.5\n1 1 0\n7 7 1 \n"


def test_each_piece_is_drawn_where_it_is_in_the_box() -> None:
    size = (3, 2, 1)
    first = DrawnShape(size, frozenset({(0, 0, 0), (1, 0, 0), (2, 1, 0)}), name="1")
    second = DrawnShape(size, frozenset({(0, 1, 0), (1, 1, 0)}), name="7")
    goal = DrawnShape(size, first.filled | second.filled)
    assembled = StoredAssembly(((0, 0, 0, 0), (0, 0, 0, 0)))
    problem = Problem("", (PartUse(0, 1, 1), PartUse(1, 1, 1)), 2, assemblies=(assembled,))
    assert read_puz(TEXT) == Design((first, second, goal), (problem,), comment="1.5")


def test_numbers_run_along_x_then_y_then_z() -> None:
    numbers = " ".join(map(str, range(1, 25)))
    design = read_puz(f"2 3 4\n1\n{numbers}".encode())
    cells = [next(iter(shape.filled)) for shape in design.shapes[:-1]]
    assert cells[:7] == [
        (0, 0, 0),
        (1, 0, 0),
        (0, 1, 0),
        (1, 1, 0),
        (0, 2, 0),
        (1, 2, 0),
        (0, 0, 1),
    ]


def test_lines_may_end_in_any_way_and_be_empty() -> None:
    assert read_puz(TEXT.replace(b"\n", b"\r\n\r\n")) == read_puz(TEXT)


def test_such_a_design_can_be_written_as_xmpuzzle() -> None:
    design = read_puz(TEXT)
    assert read_xmpuzzle(write_xmpuzzle(design)) == design


@pytest.mark.parametrize("suffix", [".puz", ".xmpuzzle", ""])
def test_the_content_of_a_file_tells_its_format(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"file{suffix}"
    for compressed in (True, False):
        path.write_bytes(write_xmpuzzle(read_puz(TEXT), compressed=compressed))
        assert read_design(path) == read_puz(TEXT)


def test_a_file_that_is_neither_is_taken_for_what_it_is_called(tmp_path: Path) -> None:
    path = tmp_path / "file.puz"
    path.write_bytes(TEXT)
    assert read_design(path) == read_puz(TEXT)
    for name, message in (("a.puz", "size of a box"), ("a.xmpuzzle", "no XML")):
        (tmp_path / name).write_bytes(b"hello")
        with pytest.raises(DesignError, match=message):
            read_design(tmp_path / name)


REFUSED = {
    "nothing": (b"", "empty"),
    "no text": (bytes(50), "character"),
    "comments only": (b"# a\n", "size of a box"),
    "words": (b"S\n-1.3 -1.13 -1.1 0.2\n10\n", "size of a box"),
    "two sizes": (b"1 1\n1\n1", "size of a box"),
    "a negative size": (b"-1 1 -1\n1\n1", "'-1'"),
    "a size of 0": (b"0 1 1\n1\n", "0 x 1 x 1"),
    "10^9 cells": (b"1000 1000 1000\n1 1 1\n1", "1000 x 1000 x 1000"),
    "a long number": (b"1" * 5000 + b" 1 1\n1\n1", "no number"),
    "no edges": (b"1 1 1\n", "edge length"),
    "edges in words": (b"1 1 1\na b c\n1", "edge length"),
    "infinite edges": (b"1 1 1\ninf inf inf\n1", "edge length"),
    "too little": (b"2 1 1\n1\n1", "1 follow"),
    "too much": (b"1 1 1\n1\n1 2", "more numbers"),
    "a word": (b"1 1 1\n1\nx", "'x'"),
    "a negative piece": (b"1 1 1\n1\n-1", "'-1'"),
    "nothing in the box": (b"1 1 1\n1\n0", "the box is empty"),
    "too many pieces": (b"9999 1 1\n1\n" + b"%d " * 9999 % tuple(range(1, 10_000)), "too many"),
    "too large": (b" " * 5_000_000, "larger"),
}


@pytest.mark.parametrize(("data", "message"), REFUSED.values(), ids=REFUSED)
def test_a_bad_file_is_refused_with_the_reason(data: bytes, message: str) -> None:
    with pytest.raises(DesignError, match=message):
        read_puz(data)


def test_damaged_files_are_refused_or_give_a_design() -> None:
    random_ = random.Random(0)
    for _ in range(2000):
        data = bytearray(TEXT)
        data[random_.randrange(len(data))] = random_.randrange(256)
        del data[random_.randrange(len(data)) + 1 :]
        with suppress(DesignError):
            assert isinstance(read_puz(bytes(data)), Design)

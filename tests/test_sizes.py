"""Functions, modules and folders stay small enough to be read in one go.

A function counts with the lines of its body, docstring and blank lines among them, its signature
not. The 95th percentile is the length that at most one function in twenty exceeds.
"""

import ast
import math
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("bridge", "pysim", "luban")
GENERATED = Path("bridge/rpc/_pb")

MEDIAN, PERCENTILE_95 = 5, 20
"""Lines of a function's body."""
LONGEST_MODULE = 400
"""Lines."""
FULLEST_FOLDER = 20
"""Modules, ``__init__.py`` among them."""
TOO_FULL: set[str] = set()
"""Folders that may be fuller as yet; whoever divides one takes it off this list."""
TOO_LONG: set[str] = set()
"""Files of tests that may be longer as yet."""


def modules(*tops: str) -> Iterator[Path]:
    """The modules of some folders, from the root on, without what is generated."""
    for top in tops:
        for path in sorted((ROOT / top).rglob("*.py")):
            inside = path.relative_to(ROOT)
            if not inside.is_relative_to(GENERATED):
                yield inside


def lengths(text: str) -> list[int]:
    """Lines of the body of each function in a text."""
    return [
        (node.end_lineno or 0) - node.body[0].lineno + 1
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]


def percentile_95(values: list[int]) -> int:
    """The least value that at most one in twenty exceeds."""
    return sorted(values)[math.ceil(0.95 * len(values)) - 1]


def line_count(path: Path) -> int:
    return len((ROOT / path).read_text(encoding="utf-8").splitlines())


def functions() -> list[int]:
    return [n for path in modules(*PACKAGES) for n in lengths((ROOT / path).read_text())]


def test_the_ruler_measures_what_can_be_counted_by_hand() -> None:
    text = 'def a():\n    """One."""\n\n    return 1\n\n\nasync def b(\n    x,\n):\n    return x\n'
    assert lengths(text) == [3, 1]
    assert percentile_95(list(range(1, 101))) == 95
    assert percentile_95([1] * 19 + [50]) == 1 and percentile_95([1] * 18 + [50, 50]) == 50


def test_functions_are_short() -> None:
    found = functions()
    assert len(found) > 1000
    assert median(found) <= MEDIAN
    assert percentile_95(found) <= PERCENTILE_95


def test_no_module_is_long() -> None:
    long = {str(p): n for p in modules(*PACKAGES) if (n := line_count(p)) > LONGEST_MODULE}
    assert long == {}


def test_no_file_of_tests_or_tools_is_long() -> None:
    places = ("tests", "tools", "benchmarks", "examples")
    long = {p.as_posix() for p in modules(*places) if line_count(p) > LONGEST_MODULE}
    assert long <= TOO_LONG


def test_no_folder_is_crowded() -> None:
    counts = Counter(path.parent.as_posix() for path in modules(*PACKAGES))
    crowded = {folder for folder, count in counts.items() if count > FULLEST_FOLDER}
    assert crowded <= TOO_FULL

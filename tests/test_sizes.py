"""Functions stay small enough to be read in one go.

A function counts with the lines of its body, docstring and blank lines among them, its signature
not. The 95th percentile is the length that at most one function in twenty exceeds.
"""

import ast
import math
from collections.abc import Iterator
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("bridge", "pysim", "luban")
GENERATED = Path("bridge/rpc/_pb")

MEDIAN, PERCENTILE_95 = 5, 20
"""Lines of a function's body."""


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

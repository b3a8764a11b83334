"""The threat model of docs/reliability.md: each line names tests, and they are there."""

import ast
import re
from pathlib import Path

import pytest

from tests.pages import ROOT, table

ROWS = table("reliability", "who has")
HOLDERS = ("the port", "a lease", "the key", "an account", "a file")
"""What somebody may have, of each of which the model speaks."""


def list_tests(path: Path) -> set[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}


def test_model_speaks_of_everything_that_somebody_may_have() -> None:
    assert len(ROWS) > 15 and all(len(row) == 4 for row in ROWS)
    assert [who for who in HOLDERS if not any(row[0].startswith(who) for row in ROWS)] == []


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_each_line_names_tests_that_exist(row: list[str]) -> None:
    named = re.findall(r"`(tests/[\w/]+\.py)::(test_\w+)`", row[3])
    assert named and ", ".join(f"`{path}::{name}`" for path, name in named) == row[3]
    assert [name for path, name in named if name not in list_tests(ROOT / path)] == []

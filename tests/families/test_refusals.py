"""Refusals that families declare, against those that their code raises and the docs explain."""

import ast
from pathlib import Path

import pytest

from pysim.catalog import discover_families

FAMILIES = Path("pysim/families")
OWN = sorted(name for name in discover_families() if (FAMILIES / name).is_dir())


def raised_by(folder: Path) -> set[str]:
    """The first arguments of all calls of IllegalMove: members of enums of reasons."""
    calls = (
        node
        for path in folder.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "IllegalMove"
    )
    reasons = [call.args[0] for call in calls]
    assert all(isinstance(reason, ast.Attribute) for reason in reasons)
    return {reason.attr for reason in reasons if isinstance(reason, ast.Attribute)}


@pytest.mark.parametrize("name", OWN)
def test_the_refusals_of_a_family_are_those_that_its_code_raises(name: str) -> None:
    declared = discover_families()[name].refusals
    assert len(set(declared)) == len(declared) > 0
    assert set(map(str, declared)) == raised_by(FAMILIES / name)


def test_the_docs_explain_every_refusal() -> None:
    explained = Path("docs/actions.md").read_text() + Path("docs/portal.md").read_text()
    declared = {reason for name in OWN for reason in discover_families()[name].refusals}
    assert [reason for reason in declared if f"`{reason}`" not in explained] == []

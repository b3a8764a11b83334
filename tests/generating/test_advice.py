"""Advice of generators: each reason for which an attempt is rejected has something to ask for."""

import ast
from collections.abc import Iterator

import pytest

from pysim.catalog import discover_families
from pysim.generation import load_generator
from tests.pages import ROOT

FAMILIES = ("burr", "jigsaw", "nets", "packing", "portal", "rubik")


def read_generator(family: str) -> Iterator[ast.AST]:
    """Yield the syntax of a family's generator."""
    folder = ROOT / "pysim" / "families" / family
    paths = [*folder.glob("generate.py"), *folder.glob("generator/*.py")]
    assert paths
    for path in paths:
        yield from ast.walk(ast.parse(path.read_text(encoding="utf-8")))


def list_texts(node: ast.AST | None) -> Iterator[str]:
    """Yield the sentences that an expression may be; names and versions are none."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield from [node.value] if " " in node.value and "/" not in node.value else []
    elif isinstance(node, ast.IfExp):
        yield from list_texts(node.body)
        yield from list_texts(node.orelse)


def list_reasons(family: str) -> set[str]:
    """Return all sentences that a generator rejects with, or returns in place of a puzzle."""
    reasons: set[str] = set()
    for node in read_generator(family):
        if isinstance(node, ast.Return):
            reasons |= {*list_texts(node.value)}
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "Rejected":
            reasons |= {*list_texts(node.args[0])}
    return reasons


@pytest.mark.parametrize("family", FAMILIES)
def test_each_reason_of_a_generator_has_advice(family: str) -> None:
    plugin = load_generator(discover_families()[family])
    reasons = list_reasons(family)
    assert plugin is not None and reasons
    assert reasons <= plugin.advice.keys()
    assert all(text.startswith(("ask for ", "leave out ")) for text in plugin.advice.values())

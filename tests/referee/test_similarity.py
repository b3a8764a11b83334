"""Referees have structures of their own, not those of the rules that they judge.

Two programs with one structure have one fault. Names and constants are taken out of syntax trees,
so that a function is a sequence of kinds of nodes. A node of a referee's function is shared if it
lies in a run of six that the function of the rules with the most of them has too. Of families that
have nothing to do with each other, 28 to 37 % are shared; of a copy, all.

The ratio of ``difflib`` can't be held at the same bound: the best of a hundred functions reaches
0.50 to 0.53 between families that have nothing to do with each other.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
REFEREES = sorted(p.parent.name for p in (ROOT / "bridge/referee").glob("*/__init__.py"))
MOST, RUN, SMALL = 0.45, 6, 15

Nodes = tuple[str, ...]


def list_functions(folder: Path) -> Iterator[Nodes]:
    """Yield the nodes of the body of each function, without docstrings."""
    for path in sorted(folder.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef):
                skipped = ast.get_docstring(node) is not None
                yield tuple(kind for part in node.body[skipped:] for kind in list_kinds(part))


def list_kinds(node: ast.AST) -> Iterator[str]:
    if not isinstance(node, ast.expr_context):
        yield type(node).__name__
        for child in ast.iter_child_nodes(node):
            yield from list_kinds(child)


def list_runs(nodes: Nodes) -> list[Nodes]:
    return [nodes[n : n + RUN] for n in range(len(nodes) - RUN + 1)]


def count_shared(nodes: Nodes, other: frozenset[Nodes]) -> int:
    """Count the nodes in runs that another function has too."""
    shared: set[int] = set()
    for n, run in enumerate(list_runs(nodes)):
        if run in other:
            shared.update(range(n, n + RUN))
    return len(shared)


def measure(referee: Path, rules: Path) -> float:
    """Return the share of a referee's nodes that the most similar functions of rules have."""
    mine = [nodes for nodes in list_functions(referee) if len(nodes) >= SMALL]
    theirs = [frozenset(list_runs(nodes)) for nodes in list_functions(rules)]
    shared = sum(max(count_shared(nodes, other) for other in theirs) for nodes in mine)
    return shared / sum(map(len, mine))


@pytest.mark.by_day(3)
@pytest.mark.parametrize("family", REFEREES)
def test_referee_shares_less_than_half_of_its_structure_with_the_rules(family: str) -> None:
    found = measure(ROOT / "bridge/referee" / family, ROOT / "pysim/families" / family)
    assert 0 < found <= MOST


@pytest.mark.slow
def test_copy_with_other_names_is_seen_through(tmp_path: Path) -> None:
    rules = ROOT / "pysim/families/nets"
    for path in rules.glob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.Name):
                node.id = f"other_{node.id}"
        (tmp_path / path.name).write_text(ast.unparse(tree), encoding="utf-8")
    assert measure(tmp_path, rules) == 1

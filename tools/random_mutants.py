"""Faults that are drawn at random: ``python -m tools.mutations --random 40 --seed 1``.

One operator, number or truth value of rules, solvers, scoring or referees becomes another. A fault
is tried with the tests that import the module, or with those of its folder if none does. Modules
with compiled code are left out, for each of their faults compiles for a minute.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from random import Random

from tools.mutants import Edit, Mutation

__all__ = ["draw_mutations", "find_tests", "list_faults"]

TARGETS = (
    "pysim/families/*/*.py", "pysim/families/burr/solver/*.py", "pysim/search/*.py",
    "bridge/scoring/*.py", "bridge/referee/*.py", "bridge/referee/*/*.py",
)  # fmt: skip
_NOT_RULES = {
    "text", "scene", "views", "family", "plugin", "preview", "designs", "gestures", "space",
    "batch", "tables",
}  # fmt: skip
_MOST_FILES = 6
"""Files of tests that a fault is tried with, those in the module's own folder first."""
_SWAPS = {
    ast.Lt: ("<", "<="), ast.LtE: ("<=", "<"), ast.Gt: (">", ">="), ast.GtE: (">=", ">"),
    ast.Eq: ("==", "!="), ast.NotEq: ("!=", "=="), ast.Add: ("+", "-"), ast.Sub: ("-", "+"),
    ast.Mult: ("*", "+"), ast.FloorDiv: ("//", "*"), ast.And: ("and", "or"), ast.Or: ("or", "and"),
    ast.In: ("in", "not in"), ast.NotIn: ("not in", "in"), ast.Is: ("is", "is not"),
}  # fmt: skip
_NAMES = {"min": "max", "max": "min", "any": "all", "all": "any"}


def draw_mutations(root: Path, count: int, seed: int) -> list[Mutation]:
    """Draw some faults, each from all that there are."""
    files = sorted({path for target in TARGETS for path in root.glob(target)})
    found = [
        (path.relative_to(root).as_posix(), text, fault)
        for path in files
        if path.stem not in _NOT_RULES and "@kernel" not in (text := path.read_text("utf-8"))
        for fault in list_faults(text)
    ]
    drawn = Random(seed).sample(found, count)
    return [_describe(root, number, *one) for number, one in enumerate(drawn, 1)]


Fault = tuple[int, int, str, str]
"""Line from 1, column in it, the text there and what replaces it."""


def list_faults(text: str) -> Iterator[Fault]:
    """Yield the faults of a module that fit one line each."""
    lines, tree = text.splitlines(), ast.parse(text)
    types = {id(n) for a in ast.walk(tree) for n in _list_declarations(a)}
    for node in (n for n in ast.walk(tree) if id(n) not in types):
        for line, start, end, old, new in _list_changes(node):
            at = lines[line - 1].encode()[start:end].decode().find(old)
            if at >= 0:
                yield line, len(lines[line - 1].encode()[:start].decode()) + at, old, new


def _list_declarations(node: ast.AST) -> Iterator[ast.AST]:
    """Yield what is in types and in decorators, where a fault breaks nothing that runs."""
    parts = [getattr(node, name, None) for name in ("annotation", "returns")]
    for part in (*parts, *getattr(node, "decorator_list", ())):
        if isinstance(part, ast.AST):
            yield from ast.walk(part)


def _list_changes(node: ast.AST) -> Iterator[tuple[int, int, int, str, str]]:
    """Yield line, first and last column between which a text is, the text and another one."""
    match node:
        case ast.BinOp(left=left, op=op, right=right):
            yield from _swap(left, op, right)
        case ast.Compare(left=left, ops=ops, comparators=rest):
            for one, sign, other in zip([left, *rest], ops, rest, strict=False):
                yield from _swap(one, sign, other)
        case ast.BoolOp(op=op, values=values):
            yield from _swap(values[0], op, values[1])
        case ast.Constant(value=bool() as value):
            yield (*_place(node), str(value), str(not value))
        case ast.Constant(value=int() as value):
            yield (*_place(node), str(value), str(value + 1))
        case ast.Call(func=ast.Name(id=name) as called) if name in _NAMES:
            yield (*_place(called), name, _NAMES[name])


def _swap(left: ast.expr, op: ast.AST, right: ast.expr) -> Iterator[tuple[int, int, int, str, str]]:
    if type(op) in _SWAPS and left.end_lineno == right.lineno:
        assert left.end_col_offset is not None
        yield right.lineno, left.end_col_offset, right.col_offset, *_SWAPS[type(op)]


def _place(node: ast.expr) -> tuple[int, int, int]:
    assert node.end_col_offset is not None
    return node.lineno, node.col_offset, node.end_col_offset


def _describe(root: Path, number: int, file: str, text: str, fault: Fault) -> Mutation:
    line, column, old, new = fault
    lines = text.splitlines(keepends=True)
    before = lines[line - 1]
    after = before[:column] + new + before[column + len(old) :]
    low, high = line - 1, line
    while text.count("".join(lines[low:high])) > 1:
        low, high = max(0, low - 1), high + 1
    edit = Edit(
        "".join(lines[low:high]), "".join([*lines[low : line - 1], after, *lines[line:high]])
    )
    what = f"line {line}: {before.strip()} becomes {after.strip()}"
    return Mutation(f"random-{number}", file, what, find_tests(root, file), (edit,))


def find_tests(root: Path, file: str) -> tuple[str, ...]:
    """Return the tests that import a module, or else those of its folder or of one above it."""
    module, tests = file.removesuffix(".py").replace("/", "."), root / "tests"
    importing = re.compile(re.escape(module.removesuffix(".__init__")) + r"(?![\w.])")
    own = tests.joinpath(*Path(file).parent.parts[1:])
    while not any(own.glob("test_*.py")):
        own = own.parent
    paths = (path for path in sorted(tests.rglob("test_*.py")) if path.name != "test_batch.py")
    texts = {path: path.read_text("utf-8") for path in paths}
    found = [path for path, text in texts.items() if importing.search(text)]
    if not found and own.name == "referee":
        package = ".".join(Path(file).parts[:3]).removesuffix(".py")
        found = [path for path, text in texts.items() if package in text]
    found = found or [path for path in texts if path.parent == own]
    found.sort(key=lambda path: own not in path.parents)
    return tuple(path.relative_to(root).as_posix() for path in found[:_MOST_FILES])

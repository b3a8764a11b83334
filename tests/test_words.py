"""One meaning for one word: a public class or type alias is defined in one module.

What the referee defines again is meant to be: it shares no code with what it judges, and its words
are those of the rules. Functions and type variables are not looked at.
"""

import ast
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = ("bridge", "luban", "pysim")
GENERATED = "bridge/rpc/_pb"
REFEREE = "bridge/referee/"

MIRRORED = {
    "Bring",
    "BurrLevel",
    "Cell",
    "Companions",
    "Facelet",
    "Held",
    "Lock",
    "Metric",
    "Plan",
    "Row",
    "Slide",
}
"""The same thing once for the rules and once for the referee of them."""
ARGUED = {
    "Design": "what a family reads from a design file: the protocol, and what fulfils it",
    "Piece": "a piece of a puzzle, in each family that has some",
    "Refused": "an action that the rules don't allow, for the referee of each family",
}
"""Names of several modules that mean the same in each, and what they mean."""


def assigned(node: ast.stmt) -> tuple[str, ast.expr] | None:
    """The name and the value of ``Name = ...`` and ``Name: TypeAlias = ...``."""
    match node:
        case ast.Assign(targets=[ast.Name(id=name)], value=value):
            return name, value
        case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
            return name, value
    return None


def is_variable(value: ast.expr) -> bool:
    kinds = {"TypeVar", "ParamSpec", "TypeVarTuple"}
    return isinstance(value, ast.Call) and ast.unparse(value.func) in kinds


def words(source: str) -> Iterator[str]:
    """The public classes and type aliases of a module, which are written in CamelCase."""
    for node in ast.parse(source).body:
        if isinstance(node, ast.ClassDef):
            name = node.name
        elif (found := assigned(node)) and not is_variable(found[1]):
            name = found[0]
        else:
            continue
        if name[0].isupper() and not (len(name) > 1 and name.isupper()):
            yield name


@cache
def definitions() -> dict[str, frozenset[str]]:
    """Name -> the files that define it, for names with several."""
    found = defaultdict(set)
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            file = path.relative_to(ROOT).as_posix()
            if not file.startswith(GENERATED):
                for name in words(path.read_text(encoding="utf-8")):
                    if "_" not in name:
                        found[name].add(file)
    return {name: frozenset(files) for name, files in found.items() if len(files) > 1}


def mirrors(files: frozenset[str]) -> bool:
    judging = {file for file in files if file.startswith(REFEREE)}
    return len(judging) == 1 and len(files - judging) == 1


def test_a_public_name_is_defined_in_one_module() -> None:
    several = {n: sorted(f) for n, f in definitions().items() if n not in MIRRORED | set(ARGUED)}
    assert not several


@pytest.mark.parametrize("name", sorted(MIRRORED))
def test_the_referee_has_a_word_of_its_own_for_what_the_rules_have_once(name: str) -> None:
    assert mirrors(definitions().get(name, frozenset()))


def test_no_name_is_argued_for_in_vain() -> None:
    assert set(ARGUED) <= set(definitions()) and not MIRRORED & set(ARGUED)


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("class Toy: ...", ["Toy"]),
        ("Toys = tuple[Toy, ...]", ["Toys"]),
        ("Toys: TypeAlias = 'list[Toy]'", ["Toys"]),
        ("Toy = TypeVar('Toy', bound=int)\nArguments = ParamSpec('Arguments')", []),
        ("TOYS = 3\ntoy = 1\n_Toy = int\ndef Toy(): ...", []),
        ("if True:\n    class Toy: ...", []),
    ],
)
def test_classes_and_aliases_are_found(source: str, found: list[str]) -> None:
    assert list(words(source)) == found

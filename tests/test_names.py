"""Code that serves every family and every bench names none of them.

What stands in a family's or a bench's own folder may name it, and so may assets, tests and docs.
Elsewhere a new one would have to be added by hand, or would be treated otherwise than those that
are named. Comments and docstrings may show one as an example where that is argued below.
"""

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from pysim.catalog import discover_families

ROOT = Path(__file__).parents[1]
GENERIC = ("bridge", "luban", "pysim")
HOMES = ("bridge/benches", "bridge/referee", "pysim/families")
"""Each folder in one of these is a family's or a bench's own."""
GENERATED = "bridge/rpc/_pb"
ORDINARY = {"chain"}
"""Words with a meaning of their own: only as a module or as a whole text are they a name."""

_FIRST = "the first program that a reader sees has to run as it stands"
EXAMPLES: dict[tuple[str, str], str] = {
    ("luban/__init__.py", 'luban.start("burr-piston")'): _FIRST,
    ("bridge/rpc/client.py", 'remote.start("burr-piston", world="bullet")'): _FIRST,
}
"""A file, and the words around a name in a comment or docstring of it -> why it has to be named."""


class Mention(NamedTuple):
    """A name in a file: which line, what it says there, and whether a program reads it."""

    path: str
    line: int
    text: str
    code: bool

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.text.strip()}"


def names() -> set[str]:
    benches = (p.name for p in (ROOT / "bridge/benches").glob("*/") if not p.name.startswith("_"))
    return {*discover_families(), *benches}


def pattern(names: set[str]) -> re.Pattern[str]:
    """Finds names as words, also between underscores."""
    plain = "|".join(sorted(map(re.escape, names - ORDINARY)))
    ways = [rf"(?<![a-z0-9])(?:{plain})(?![a-z0-9])"]
    for name in sorted(names & ORDINARY):
        ways += [rf"(?:benches|families|referee)[./]{name}\b"]
        ways += [rf"{quote}{name}(?:-\d+)?{quote}" for quote in "'\""]
    return re.compile("|".join(ways), re.IGNORECASE)


def prose(source: str) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    """Where the comments, the docstrings and what is like a docstring begin and end."""
    bare = {
        (node.value.lineno, node.value.col_offset)
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    }
    return [
        (token.start, token.end)
        for token in tokenize.generate_tokens(io.StringIO(source).readline)
        if token.type == tokenize.COMMENT or (token.type == tokenize.STRING and token.start in bare)
    ]


def split(source: str) -> tuple[list[str], list[str]]:
    """The lines of a file twice: without its prose, and with nothing but its prose."""
    code = source.splitlines()
    words = [" " * len(line) for line in code]
    for (first, begin), (last, end) in prose(source):
        for number in range(first - 1, last):
            line = code[number]
            start = begin if number == first - 1 else 0
            stop = end if number == last - 1 else len(line)
            words[number] = words[number][:start] + line[start:stop] + words[number][stop:]
            code[number] = line[:start] + " " * (stop - start) + line[stop:]
    return code, words


def mentions(path: str, source: str, names: set[str]) -> Iterator[Mention]:
    wanted = pattern(names)
    if not wanted.search(source):
        return
    for is_code, lines in zip((True, False), split(source), strict=True):
        for number, line in enumerate(lines, start=1):
            if wanted.search(line):
                yield Mention(path, number, line, is_code)


def is_generic(path: Path) -> bool:
    place = path.relative_to(ROOT)
    own = any(place.is_relative_to(home) and len(place.parts) > 3 for home in HOMES)
    return not own and not place.is_relative_to(GENERATED)


@cache
def found() -> tuple[Mention, ...]:
    files = [path for folder in GENERIC for path in (ROOT / folder).rglob("*.py")]
    return tuple(
        mention
        for path in sorted(filter(is_generic, files))
        for mention in mentions(
            path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8"), names()
        )
    )


def argued(mention: Mention) -> bool:
    return any(path == mention.path and words in mention.text for path, words in EXAMPLES)


def test_no_code_for_all_names_a_family_or_a_bench() -> None:
    assert not [str(m) for m in found() if m.code]


def test_prose_names_one_only_where_that_is_argued() -> None:
    assert not [str(m) for m in found() if not m.code and not argued(m)]


def test_nothing_is_allowed_that_is_not_there() -> None:
    assert all(EXAMPLES.values())
    assert all(any(m.path == p and w in m.text for m in found()) for p, w in EXAMPLES)


def test_folders_are_known_to_be_a_familys_own() -> None:
    assert names() >= {"burr", "packing", "rubik", "cubebench"}
    for place, generic in {
        "pysim/families/burr/rules.py": False,
        "bridge/referee/rubik/judging.py": False,
        "bridge/benches/cubebench/gymnasium.py": False,
        "pysim/families/__init__.py": True,
        "bridge/referee/films.py": True,
        "bridge/cli/handlers/solve/assemblies.py": True,
    }.items():
        assert (ROOT / place).is_file() and is_generic(ROOT / place) == generic


@pytest.mark.parametrize(
    ("source", "code", "prose"),
    [
        ("from pysim.families.toy import Toy\n", [1], []),
        ("x = 'toy-1'\n", [1], []),
        ("x = f'{1} toy'\n", [1], []),
        ("def make_toy(): ...\n", [1], []),
        ('def f():\n    """Plays a Toy.\n\n    Or a toy_box.\n    """\n', [], [2, 4]),
        ("x = 1  # As of a toy.\n", [], [1]),
        ("x = 'a'  # toy\ny = 'toy'  # b\n", [2], [1]),
        ("TOY = 1\n'''What a toy costs.'''\n", [1], [2]),
        ("toys = destroy(toybox)\n", [], []),
        ("from itertools import chain\nx = 'a chain of thoughts'\n", [], []),
        ("from bridge.benches.chain import y\n", [1], []),
        ("x = 'chain'\ny = \"chain-109\"\n", [1, 2], []),
    ],
)
def test_names_are_found_and_prose_is_told_from_code(
    source: str, code: list[int], prose: list[int]
) -> None:
    seen = list(mentions("x.py", source, {"toy", "chain"}))
    assert [m.line for m in seen if m.code] == code
    assert [m.line for m in seen if not m.code] == prose

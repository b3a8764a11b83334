"""Check the first words of docstrings: ``python -m tools.check_docstrings`` (``make check``).

A function's docstring begins with a verb in the imperative, and that of a class or a module with a
noun phrase or a verb (CONTRIBUTING.md, "Style"). A question word at the start shows that the verb
is missing.
"""

import ast
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

__all__ = ["CLEAN", "Finding", "find_in_folders", "find_in_text", "main"]

ROOT = Path(__file__).resolve().parent.parent
CLEAN = ("bridge", "luban", "perf", "pysim", "tools")
"""Folders that are checked, with all folders in them but :data:`SKIPPED`."""
SKIPPED = ("bridge/rpc/_pb",)
"""Folders that are rewritten soon, or generated."""

_FIRST = re.compile(r"(?:What|Who|Whose|Whoever|Whatever|How|Where|Which|Those|When)\b")
_QUOTED = re.compile(rf"[\"'][\s\\]*{_FIRST.pattern}")
"""One of these is in the source of every module with a finding: few have to be parsed."""
_DOCUMENTED = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


class Finding(NamedTuple):
    """A docstring to be reworded: the line it begins in, and its first line."""

    line: int
    text: str


def find_in_text(source: str) -> Iterator[Finding]:
    """Find the docstrings in a module's source that begin with a question word."""
    if not _QUOTED.search(source):
        return
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, _DOCUMENTED):
            text = ast.get_docstring(node) or ""
            if _FIRST.match(text):
                yield Finding(node.body[0].lineno, text.splitlines()[0])


def find_in_folders(root: Path, folders: Iterable[str]) -> Iterator[tuple[str, Finding]]:
    """Find the docstrings to be reworded in some folders: (path relative to ``root``, finding).

    Raises:
        ValueError: a folder holds no Python file, so its name is probably misspelt.
    """
    for folder in folders:
        paths = sorted((root / folder).rglob("*.py"))
        if not paths:
            raise ValueError(f"{folder} holds no Python file: correct CLEAN in {__file__}")
        for path in paths:
            name = path.relative_to(root).as_posix()
            if not name.startswith(tuple(f"{skipped}/" for skipped in SKIPPED)):
                for finding in find_in_text(path.read_text(encoding="utf-8")):
                    yield name, finding


def main() -> int:
    """Print the docstrings to be reworded. The exit status is 1 if there are any."""
    found = list(find_in_folders(ROOT, CLEAN))
    for path, finding in found:
        print(f"{path}:{finding.line}: {finding.text}")
    if found:
        print(f"{len(found)} docstrings begin with a question word: begin with a verb or a noun")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
